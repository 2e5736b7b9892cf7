"""The engine ``memory``: a translation memory, by exact and by normalised match."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

from sensemaking.findings import Finding
from sensemaking.io.files import sha256_of
from sensemaking.mt.tmx import read_tmx
from sensemaking.sectioning.spans import sentence_spans

_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b-\u200d\u2060\ufeff]"
)
_VARIANTS: Final = str.maketrans(
    dict.fromkeys("’‘‛ʼʹ´`′", "'")
    | dict.fromkeys("“”„‟«»″", '"')
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"…": "..."}
)


class Match(NamedTuple):
    """What a translation memory knows of a text.

    Attributes:
        target: The translation.
        how: ``exact``; ``normalised``; or ``sentences``, put together from matches of each.
    """

    target: str
    how: Literal["exact", "normalised", "sentences"]


class _Index(NamedTuple):
    exact: dict[str, str]
    normalised: dict[str, str]


def normalise_segment(text: str) -> str:
    """Return the form in which texts are equal that differ only in how they are written.

    Unicode form, white space, case, kinds of quotation mark, apostrophe, dash and ellipsis, soft
    hyphens, controls and zero-width characters make no difference; every other sign does.

    Args:
        text: The text.
    """
    bare = _INVISIBLE.sub("", unicodedata.normalize("NFC", text)).translate(_VARIANTS)
    return " ".join(bare.casefold().split())


class MemoryEngine:
    """A translation memory in TMX.

    Attributes:
        name: ``memory``.
        keeps_journal: False, since looking up costs nothing.
        replays: False, since it is asked anyway.
        findings: What of the file could not be used, and what is doubtful.
    """

    name = "memory"
    keeps_journal = False
    replays = False

    def __init__(self, path: str | Path) -> None:
        """Read the memory.

        Args:
            path: A TMX file.

        Raises:
            TmxError: It is none.
            OSError: It cannot be read.
        """
        memory = read_tmx(path)
        self.findings: list[Finding] = list(memory.findings)
        self._units = memory.units
        self._path = Path(path)
        self._sha256 = sha256_of(path)
        self._indices: dict[tuple[str, str], _Index] = {}

    @property
    def settings(self) -> Mapping[str, str]:
        """The hash of the file."""
        return {"sha256": self._sha256}

    def pieces(self, text: str, language: str) -> list[str]:
        """Return the text as it is: no length is too long to look up."""
        return [text]

    def translate(
        self, texts: Sequence[str], source: str, target: str
    ) -> Iterator[Sequence[str | None]]:
        """Yield what the memory knows of the texts; see ``Engine.translate``."""
        matches = [self.lookup(text, source, target) for text in texts]
        yield [None if match is None else match.target for match in matches]

    def lookup(self, text: str, source: str, target: str) -> Match | None:
        """Return the translation of a text, or of all of its sentences, or None.

        Of several translations of one text the first in the file is taken.

        Args:
            text: The text.
            source: Its language, ISO 639-1 code.
            target: The language to translate into, ISO 639-1 code.
        """
        index = self._index(source, target)
        whole = _find(index, text)
        if whole is not None:
            return whole
        pieces = [text[span.start : span.end] for span in sentence_spans(text, source)]
        if len(pieces) < 2:
            return None
        targets = []
        for piece in pieces:
            bare = piece.strip()
            found = _find(index, bare)
            if found is None:
                return None
            before, after = piece.split(bare, 1)
            targets.append(f"{before}{found.target}{after}")
        return Match("".join(targets), "sentences")

    def _index(self, source: str, target: str) -> _Index:
        pair = (source, target)
        if pair not in self._indices:
            exact: dict[str, str] = {}
            normalised: dict[str, str] = {}
            others: dict[str, set[str]] = defaultdict(set)
            for unit in self._units:
                if source in unit and target in unit:
                    text = unit[source]
                    others[text].add(unit[target])
                    exact.setdefault(text, unit[target])
                    normalised.setdefault(normalise_segment(text), unit[target])
            self._indices[pair] = _Index(exact, normalised)
            self._note(pair, sum(len(targets) > 1 for targets in others.values()), len(exact))
        return self._indices[pair]

    def _note(self, pair: tuple[str, str], ambiguous: int, entries: int) -> None:
        source, target = pair
        file = self._path.name
        if not entries:
            message = f"it holds nothing from {source} into {target}"
            action = "no text of this language is translated by it"
            self.findings.append(Finding(file, "", "memory_pair", "warning", message, action))
        if ambiguous:
            message = f"{ambiguous} texts have several translations from {source} into {target}"
            self.findings.append(
                Finding(file, "", "memory_ambiguous", "warning", message, "the first is taken")
            )


def _find(index: _Index, text: str) -> Match | None:
    if text in index.exact:
        return Match(index.exact[text], "exact")
    form = normalise_segment(text)
    # Signs that make no difference are nothing to look up by themselves.
    if form and form in index.normalised:
        return Match(index.normalised[form], "normalised")
    return None
