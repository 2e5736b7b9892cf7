"""Makes resources/demo/memory.tmx, the demo's translation memory, from its own translations.

Sentences of each text (or of the transcript of a recording that has no text) are paired with those
of its English version, questions and reference answers with theirs. Where a paragraph has more
sentences in English, neighbours are joined so that lengths fit best; where it has fewer, the
paragraph is one unit. Run it again after a change of the demo's texts:
python tools/make_demo_memory.py
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import yaml

from sensemaking.config import validate
from sensemaking.io.decoding import decode
from sensemaking.io.materials import (
    EXPERT_SET,
    EXPERT_SET_EN,
    TEXT,
    TEXT_EN,
    TRANSCRIPT,
    Folder,
    scan,
)
from sensemaking.mt.tmx import write_tmx
from sensemaking.mt.units import text_units
from sensemaking.text.languages import canonical

ROOT = Path(__file__).parents[1]
ENGLISH = "en"


def main(materials: Path, config: Path, memory: Path) -> int:
    """Write the memory and say which paragraphs could not be paired sentence by sentence."""
    units: dict[tuple[str, str, str], dict[str, str]] = {}
    unpaired: list[str] = []
    for kind in validate(yaml.safe_load(config.read_text(encoding="utf-8"))).kinds:
        language = canonical(kind.language)
        question_language = canonical(kind.question_language or kind.language)
        for folder in scan(materials, kind.id).folders:
            pairs = []
            if language != ENGLISH:
                pairs += [(language, *pair) for pair in _texts(folder, language, unpaired)]
            if question_language != ENGLISH:
                found = _questions(folder, question_language)
                pairs += [(question_language, *pair) for pair in found]
            for code, source, target in pairs:
                units.setdefault((code, source, target), {code: source, ENGLISH: target})
    write_tmx(memory, units.values())
    print(f"{memory.name}: {len(units)} units")
    for line in unpaired:
        print(f"not paired by sentence: {line}", file=sys.stderr)
    return 0


def _texts(folder: Folder, language: str, unpaired: list[str]) -> Iterator[tuple[str, str]]:
    name = TEXT if TEXT in folder.files else TRANSCRIPT
    if name not in folder.files or TEXT_EN not in folder.files:
        return
    paragraphs = _paragraphs(decode(folder.files[name].read_bytes(), language).text)
    english = _paragraphs(decode(folder.files[TEXT_EN].read_bytes(), ENGLISH).text)
    if len(paragraphs) != len(english):
        unpaired.append(
            f"{folder.section_id}: {len(paragraphs)} paragraphs, {len(english)} in English"
        )
        yield "\n\n".join(paragraphs), "\n\n".join(english)
        return
    for number, (source, target) in enumerate(zip(paragraphs, english, strict=True), 1):
        sources, targets = _sentences(source, language), _sentences(target, ENGLISH)
        if len(sources) <= len(targets):
            yield from zip(sources, joined(sources, targets), strict=True)
        else:
            unpaired.append(
                f"{folder.section_id}, paragraph {number}: {len(sources)} sentences, "
                f"{len(targets)} in English"
            )
            yield source, target


def joined(sources: Sequence[str], targets: Sequence[str]) -> list[str]:
    """Return as many targets as sources, made by joining neighbours.

    The sum of squared differences between the length of each and that of its source, scaled to the
    length of all targets, is the least there can be.
    """
    scale = len(" ".join(targets)) / len(" ".join(sources))
    best: list[dict[int, tuple[float, list[str]]]] = [{0: (0.0, [])}]
    for number, source in enumerate(sources, 1):
        row: dict[int, tuple[float, list[str]]] = {}
        last = len(targets) - (len(sources) - number)
        for begin, (cost, groups) in best[-1].items():
            for end in range(begin + 1, last + 1):
                group = " ".join(targets[begin:end])
                total = cost + (len(group) - scale * len(source)) ** 2
                if end not in row or total < row[end][0]:
                    row[end] = (total, [*groups, group])
        best.append(row)
    return best[-1][len(targets)][1]


def _questions(folder: Folder, language: str) -> Iterator[tuple[str, str]]:
    if EXPERT_SET not in folder.files or EXPERT_SET_EN not in folder.files:
        return
    original = json.loads(decode(folder.files[EXPERT_SET].read_bytes(), language).text)
    english = json.loads(decode(folder.files[EXPERT_SET_EN].read_bytes(), ENGLISH).text)
    for item, item_en in zip(original, english, strict=True):
        texts = [item] if isinstance(item, str) else item
        texts_en = [item_en] if isinstance(item_en, str) else item_en
        for source, target in zip(texts, texts_en, strict=True):
            yield source.strip(), target.strip()


def _paragraphs(text: str) -> list[str]:
    return [paragraph.strip() for paragraph in text.split("\n\n") if paragraph.strip()]


def _sentences(text: str, language: str) -> list[str]:
    return [unit.source.strip() for unit in text_units("", text, language)]


if __name__ == "__main__":
    demo = ROOT / "resources" / "demo"
    sys.exit(main(demo / "materials", ROOT / "config.yaml", demo / "memory.tmx"))
