"""The journal of paid translations: append-only JSON Lines, so that nothing is paid for twice.

Each line is one translation with the key that it was asked by. A run that is killed while it
writes leaves a half line; it is set aside, not read and not lost.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sensemaking.findings import Finding
from sensemaking.io.files import replacing

SET_ASIDE: Final = ".set-aside"
"""Ending of the file beside the journal that keeps lines that cannot be read."""

_TEXTS: Final = ("key", "engine", "source_language", "target_language", "source", "target")


@dataclass(frozen=True)
class Question:
    """What a translation was asked by: all that can change it.

    Attributes:
        engine: Name of the engine.
        settings: The engine's settings.
        source_language: Language of the text, ISO 639-1 code.
        target_language: Language to translate into, ISO 639-1 code.
        source: The text.
    """

    engine: str
    settings: Mapping[str, str]
    source_language: str
    target_language: str
    source: str

    @property
    def key(self) -> str:
        """SHA-256 in hexadecimal of all of it."""
        parts = [
            self.engine,
            sorted(self.settings.items()),
            self.source_language,
            self.target_language,
            self.source,
        ]
        data = json.dumps(parts, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(data.encode("ascii")).hexdigest()


class Journal:
    """Translations by key, kept in a file.

    Attributes:
        path: The file.
        findings: Lines that could not be read and were set aside when the journal was opened.
    """

    def __init__(self, path: str | Path) -> None:
        """Open a journal, which need not exist yet, and set unreadable lines aside.

        Args:
            path: The file, ``journals/mt/<shard>.jsonl``.

        Raises:
            OSError: The file cannot be read, or the repaired one not be written.
        """
        self.path = Path(path)
        self.findings: list[Finding] = []
        self._targets: dict[str, str] = {}
        if self.path.exists():
            self._load()

    def __len__(self) -> int:
        """Return the number of translations."""
        return len(self._targets)

    def get(self, question: Question) -> str | None:
        """Return the translation that was given to a question, or None if it was not asked."""
        return self._targets.get(question.key)

    def add(self, answers: Iterable[tuple[Question, str]]) -> None:
        """Append translations and return only when they are on the disk.

        Args:
            answers: Questions and the service's translations, as they came.
        """
        lines = []
        for question, target in answers:
            key = question.key
            self._targets[key] = target
            lines.append(_line(key, question, target))
        if not lines:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "ab") as file:
            file.write("".join(lines).encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())

    def _load(self) -> None:
        data = self.path.read_bytes()
        lines = data.split(b"\n")
        good: list[bytes] = []
        bad: list[tuple[int, bytes, str]] = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                key, target = _read(line)
            except ValueError as error:
                bad.append((number, line, str(error)))
                continue
            self._targets[key] = target
            good.append(line)
        if bad:
            self._set_aside(bad)
        if bad or (data and not data.endswith(b"\n")):
            with replacing(self.path) as temporary:
                temporary.write_bytes(b"".join(line + b"\n" for line in good))

    def _set_aside(self, bad: list[tuple[int, bytes, str]]) -> None:
        aside = self.path.with_name(self.path.name + SET_ASIDE)
        with open(aside, "ab") as file:
            file.write(b"".join(line + b"\n" for _, line, _ in bad))
            file.flush()
            os.fsync(file.fileno())
        for number, line, reason in bad:
            self.findings.append(
                Finding(
                    self.path.name,
                    "",
                    "journal_line",
                    "warning",
                    f"line {number} ({len(line)} bytes) {reason}; a run that is killed while it "
                    "writes leaves such a line",
                    f"it was moved to {aside.name}; its text is asked for again",
                )
            )


def _line(key: str, question: Question, target: str) -> str:
    row = {
        "key": key,
        "engine": question.engine,
        "settings": dict(sorted(question.settings.items())),
        "source_language": question.source_language,
        "target_language": question.target_language,
        "source": question.source,
        "target": target,
    }
    return json.dumps(row, ensure_ascii=False) + "\n"


def _read(line: bytes) -> tuple[str, str]:
    """Return key and translation of a line.

    Raises:
        ValueError: The line is not one that ``_line`` writes.
    """
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError("is no JSON") from error
    if not isinstance(row, dict) or not all(isinstance(row.get(name), str) for name in _TEXTS):
        raise ValueError("is not a translation")
    settings = row.get("settings")
    if not isinstance(settings, dict):
        raise ValueError("has no settings")
    question = Question(
        row["engine"], settings, row["source_language"], row["target_language"], row["source"]
    )
    if question.key != row["key"]:
        raise ValueError("has a key that is not that of its text")
    target: str = row["target"]
    return question.key, target
