"""Reading a large task: 12,000 question files, a submission about them, a check of 5,000 items.

The peer of each row is ``json.loads`` on the same bytes, which says how much reading costs beyond
mere parsing. Both run in one process, interleaved; the table shows the median of the repeats.

Usage: python bench/bench_submissions.py [question files] [repeats] [megabytes of the large file]
"""

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sensemaking.io.known_items import read_materials
from sensemaking.io.submissions import read_bytes

QUESTIONS = 8
KINDS = 7


def make_materials(root: Path, n_files: int) -> list[str]:
    """Write question files, five sets a section, and return the sections."""
    sections = []
    for number in range(max(n_files // 5, 1)):
        section = f"kind-{number % KINDS}/chapter{number // 40:03}/section{number:05}"
        sections.append(section)
        folder = root / section
        folder.mkdir(parents=True)
        for team in ("questions", *(f"questions_by_Team{t}_PRIMARY" for t in range(4))):
            items = [
                [f"What does section {number} say about topic {p} ({team})?", f"Answer {p}."]
                for p in range(QUESTIONS)
            ]
            (folder / f"{team}.json").write_text(json.dumps(items), encoding="utf-8")
    return sections


def student_file(asked: dict[str, list[tuple[str, ...]]], n_items: int | None = None) -> bytes:
    """Return a Student's submission that answers the questions."""
    content: dict[str, list[list[str]]] = {}
    count = 0
    for key, questions in asked.items():
        if n_items is not None and count >= n_items:
            break
        content[f"testset/{key}"] = [
            [versions[0], "An answer of a length that is usual for a good one, in a sentence."]
            for versions in questions
        ]
        count += len(questions)
    return json.dumps(content).encode()


def timed(functions: dict[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """Return the median seconds of each function, interleaved."""
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(repeats):
        for name, function in functions.items():
            start = time.perf_counter()
            function()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(found) for name, found in seconds.items()}


def show(label: str, seconds: float, peer: float) -> None:
    print(f"{label:44} {seconds:8.2f} s {seconds / peer:8.1f} ×", flush=True)


def bench_materials(root: Path, repeats: int) -> None:
    files = sorted(root.rglob("*.json"))
    found = timed(
        {
            "ours": lambda: read_materials(root, "student"),
            "json": lambda: [json.loads(file.read_bytes()) for file in files],
        },
        repeats,
    )
    show(f"{len(files)} question files", found["ours"], found["json"])


def bench_answers(asked: dict[str, list[tuple[str, ...]]], repeats: int) -> None:
    sections = sorted({key.rpartition("/")[0] for key in asked})
    whole = student_file(asked)
    middle = whole.index(b"]], ", len(whole) // 2)
    broken = whole[:middle] + b"," + whole[middle:]

    def read(data: bytes) -> object:
        return read_bytes(data, "student", sections, asked, file="answers.json")

    found = timed(
        {
            "ours": lambda: read(whole),
            "broken": lambda: read(broken),
            "json": lambda: json.loads(whole),
        },
        repeats,
    )
    show(f"answers to all of them ({len(whole) / 1e6:.0f} MB)", found["ours"], found["json"])
    show("the same with a stray comma in the middle", found["broken"], found["json"])


def bench_check(file: Path, repeats: int) -> None:
    data = file.read_bytes()
    command = [sys.executable, "-m", "sensemaking.cli", "check", str(file)]
    found = timed(
        {
            "ours": lambda: subprocess.run(command, check=True, capture_output=True),
            "json": lambda: json.loads(data),
        },
        repeats,
    )
    show("sensemaking check, 5,000 items, a process", found["ours"], found["json"])


def bench_large(megabytes: int) -> None:
    items = ", ".join(
        f'["A question {number} of some length that goes on for a while?", "And {number}."]'
        for number in range(megabytes * 1_000_000 // 76)
    )
    large = f'{{"kind/section/questions.json": [{items}]}}'.encode()
    del items
    found = timed(
        {
            "ours": lambda: read_bytes(large, "teacher", ["kind/section"], file="questions.json"),
            "json": lambda: json.loads(large),
        },
        1,
    )
    show(f"one key of {len(large) / 1e6:.0f} MB", found["ours"], found["json"])


def show_peak() -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory so far: {peak:.0f} MiB", flush=True)


def main(n_files: int = 12_000, repeats: int = 3, megabytes: int = 200) -> None:
    print(f"{'what':44} {'median':>10} {'json.loads':>10}")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "materials"
        make_materials(root, n_files)
        bench_materials(root, repeats)
        asked = read_materials(root, "student").items or {}
        bench_answers(asked, repeats)
        small = Path(folder) / "answers.json"
        small.write_bytes(student_file(asked, 5_000))
        bench_check(small, repeats)
    show_peak()
    if megabytes:
        bench_large(megabytes)
        show_peak()


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
