"""Transcribes the lecture of the development set and measures quality, speed and memory.

python bench/bench_asr.py [--limit N] [--peer N] [--beam N] [--journal FOLDER]

All recordings go through the default engine: pooled WER and CER against text.txt, real-time
factor (time over length of the recordings, the model's loading left out), peak memory. Then the
first short ones are transcribed by both engines in turn, from the same weights, for the ratio of
their times. A journal folder keeps what is finished, so that a run that was stopped can go on; its
times are then those of the first run.
"""

import argparse
import os
import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from sensemaking.asr.engines import EngineSettings, load
from sensemaking.asr.journal import Journal
from sensemaking.asr.transcribe import AsrSettings, transcribe_chapter, transcribe_file
from sensemaking.metrics.asr import character_errors, pooled_rate, word_errors

LECTURE = Path("nmtclass") / "lecture01-eval"
SHORT = 60_000
"""Bytes of a recording that both engines can do in seconds."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=int, default=None, help="only the first recordings")
    parser.add_argument("--peer", type=int, default=3, help="recordings for openai-whisper too")
    parser.add_argument("--beam", type=int, default=1, help="beam size")
    parser.add_argument("--journal", type=Path, default=None, help="keep finished recordings here")
    options = parser.parse_args()
    root = Path(os.environ.get("SENSEMAKING_DEVSET", Path(__file__).parents[2] / "shared/devset"))
    recordings = {
        f"{LECTURE.as_posix()}/{path.parent.name}": path
        for path in sorted((root / LECTURE).glob("*/source.mp3"))[: options.limit]
    }
    if not recordings:
        sys.exit(f"no recordings below {root / LECTURE}; set SENSEMAKING_DEVSET")
    settings = AsrSettings(beam_size=options.beam)
    with tempfile.TemporaryDirectory() as folder:
        begin, cpu = time.perf_counter(), time.process_time()
        found = transcribe_chapter(
            recordings, "en", settings, Journal(options.journal or Path(folder))
        )
        wall, cpu = time.perf_counter() - begin, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    length = sum(result.decoded_s or 0.0 for result in found)
    busy = sum(result.seconds or 0.0 for result in found)
    pairs = [
        (recordings[r.section_id].with_name("text.txt").read_text(encoding="utf-8"), r.text)
        for r in found
        if r.text is not None
    ]
    missing = len(found) - len(pairs)
    wer = pooled_rate((word_errors(a, b) for a, b in pairs), missing)
    cer = pooled_rate((character_errors(a, b) for a, b in pairs), missing)
    each = sorted(float(word_errors(a, b).rate) for a, b in pairs)
    print(f"| engine | {settings.engine.engine}, {settings.engine.model}, beam {options.beam} |")
    print("|---|---|")
    print(f"| recordings, without text | {len(found)}, {missing} |")
    print(f"| length | {length / 60:.1f} min |")
    print(f"| pooled WER over {wer.n} words | {float(wer):.4f} |")
    print(f"| pooled CER over {cer.n} characters | {float(cer):.4f} |")
    print(
        f"| WER of a recording: median, largest | {statistics.median(each):.3f}, {each[-1]:.3f} |"
    )
    print(f"| real-time factor (with loading) | {busy / length:.4f} ({wall / length:.4f}) |")
    print(f"| time of all threads on a core over length | {cpu / length:.4f} |")
    print(f"| peak memory | {peak:.2f} GiB |")
    print(
        f"| segments, left out, to be looked at | {sum(r.n_segments for r in found)}, "
        f"{sum(r.n_dropped for r in found)}, {sum(r.n_flagged for r in found)} |"
    )
    for result in found:
        for warning in result.warnings:
            print(f"{result.section_id}: {warning.code}: {warning.message}", file=sys.stderr)
    if options.peer:
        _compare([p for p in recordings.values() if p.stat().st_size < SHORT][: options.peer])


def _compare(paths: list[Path]) -> None:
    names = ("faster-whisper", "openai-whisper")
    settings = {name: AsrSettings(engine=EngineSettings(engine=name)) for name in names}
    models = {name: load(settings[name].engine) for name in names}
    for name in names:  # The first call of either is slower.
        transcribe_file(paths[0], "en", settings[name], lambda name=name: models[name])
    ratios = []
    for path in paths:
        times = {}
        for name in names:
            record = transcribe_file(path, "en", settings[name], lambda name=name: models[name])
            times[name] = record.seconds
        ratios.append(times[names[1]] / times[names[0]])
    print(
        f"| time of openai-whisper over faster-whisper, {len(ratios)} recordings | "
        f"{statistics.median(ratios):.2f} |"
    )


if __name__ == "__main__":
    main()
