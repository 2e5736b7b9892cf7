"""What every script of the workflow does around its work: log to its file, and fail loudly.

Scripts import this module before the rest of the package. In a job the garbage collector then rests
while the other imports run and when the process ends, for modules are no garbage: looking at them
takes 0.1 s of a job's 0.6 s, and 1.4 s where sentence-transformers is imported. While the job
works, it looks at rows less often than is usual, which takes a tenth of the time of a job with
many.
"""

import gc
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Snakemake puts an object of this name into a script before anything else.
_IS_A_JOB = hasattr(sys.modules["__main__"], "snakemake")
if _IS_A_JOB:
    gc.disable()


@contextmanager
def logged(path: str | Path) -> Iterator[logging.Logger]:
    """Send log records and warnings to a file and, from WARNING on, to standard error.

    It does so while the block runs. An exception is written to the file with its traceback and
    raised again, so the job fails.

    Args:
        path: The log file; it is begun anew and its folder is made.
    """
    if _IS_A_JOB:
        gc.freeze()
        gc.set_threshold(100_000, 50, 100)
        gc.enable()
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    log = logging.getLogger("sensemaking")
    level = log.level
    # Python sends captured warnings to a logger of their own, which shows them nowhere.
    loggers = (log, logging.getLogger("py.warnings"))
    handlers: list[logging.Handler] = [
        # A character that UTF-8 cannot hold must not cost the record.
        logging.FileHandler(path, mode="w", encoding="utf-8", errors="backslashreplace"),
        logging.StreamHandler(sys.stderr),
    ]
    handlers[1].setLevel(logging.WARNING)
    for handler in handlers:
        handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
        for logger in loggers:
            logger.addHandler(handler)
    log.setLevel(logging.INFO)
    logging.captureWarnings(True)
    try:
        yield log
    except BaseException:
        log.exception("the job failed")
        raise
    finally:
        logging.captureWarnings(False)
        log.setLevel(level)
        for handler in handlers:
            for logger in loggers:
                logger.removeHandler(handler)
            handler.close()
        if _IS_A_JOB:
            # What is left goes with the process.
            gc.freeze()
