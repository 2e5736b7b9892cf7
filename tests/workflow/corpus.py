"""A tiny corpus for workflow tests: two kinds, foreign text, spaces and Cyrillic in names."""

import json
from pathlib import Path

TEXTS = {
    "english/chapter one/s1": (
        "Bees collect nectar from many flowers every day. They carry the nectar to the hive in a "
        "small stomach. Worker bees turn it into honey by evaporating the water. The honey feeds "
        "the colony during the cold winter months."
    ),
    "english/chapter one/s2": (
        "A lighthouse warns ships of dangerous rocks near the coast. Its lamp turns slowly and "
        "sends a bright beam over the sea. Keepers once lived in the tower and trimmed the wicks. "
        "Today most lamps are switched by automatic sensors."
    ),
    "українська/книга/розділ 1": "Рослини поглинають світло і виробляють кисень.",
}
ENGLISH = "Plants absorb light with green leaves. They release oxygen into the air during the day."

QUESTIONS = {
    "english/chapter one/s1": [
        ["What do bees collect from flowers?", "nectar"],
        ["What feeds the colony in winter?", "The honey", "honey"],
        ["Which quantum numbers describe electrons?", "none of these"],
    ],
    "english/chapter one/s2": [["What does a lighthouse warn of?", "dangerous rocks"]],
}

CONFIG = {
    "materials": {"root": "materials"},
    "kinds": [
        {"id": "english", "language": "en"},
        {"id": "українська", "language": "uk"},
    ],
    "systems": [
        {"id": "cloze", "role": "teacher", "engine": "cloze", "questions_per_section": 2},
        {"id": "lead", "role": "teacher", "engine": "lead", "questions_per_section": 2},
        {"id": "best-sentence", "role": "student", "engine": "best-sentence"},
        {"id": "lead-sentence", "role": "student", "engine": "lead-sentence"},
        {"id": "overlap", "role": "evaluator", "engine": "overlap"},
    ],
    "intervals": {"draws": 200},
}


def write_corpus(folder: Path) -> Path:
    """Write the corpus and its overlay into a run folder; return the overlay's path."""
    for section, text in TEXTS.items():
        path = folder / "materials" / section
        path.mkdir(parents=True)
        (path / "text.txt").write_text(text, encoding="utf-8")
    (folder / "materials" / "українська/книга/розділ 1" / "text.en.txt").write_text(
        ENGLISH, encoding="utf-8"
    )
    for section, questions in QUESTIONS.items():
        write_json(folder / "materials" / section / "questions.json", questions)
    return write_overlay(folder, CONFIG)


def write_overlay(folder: Path, config: object) -> Path:
    """Write a configuration (JSON is YAML) and return its path."""
    return write_json(folder / "overlay.yaml", config)


def write_json(path: Path, value: object) -> Path:
    """Write JSON and return its path."""
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path
