"""What every script of the workflow does around its work: log to its file, and fail loudly."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def logged(path: str | Path) -> Iterator[logging.Logger]:
    """Send log records to a file and to standard error while the block runs.

    An exception is written to the file with its traceback and raised again, so the job fails.

    Args:
        path: The log file; it is begun anew and its folder is made.
    """
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    log = logging.getLogger("sensemaking")
    handlers: list[logging.Handler] = [
        logging.FileHandler(path, mode="w", encoding="utf-8"),
        logging.StreamHandler(sys.stderr),
    ]
    handlers[1].setLevel(logging.WARNING)
    for handler in handlers:
        handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
        log.addHandler(handler)
    log.setLevel(logging.INFO)
    logging.captureWarnings(True)
    try:
        yield log
    except BaseException:
        log.exception("the job failed")
        raise
    finally:
        logging.captureWarnings(False)
        for handler in handlers:
            log.removeHandler(handler)
            handler.close()
