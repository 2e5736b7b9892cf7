"""Keys of submissions: paths that participants write in many ways, and the sections they mean."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from rapidfuzz import fuzz, process

from sensemaking.ids import GOLD, PRIMARY, nfc, question_set_name
from sensemaking.io.json_nodes import shown
from sensemaking.io.materials import is_material
from sensemaking.io.submission_model import Role

EXPERT_STEM = question_set_name(GOLD, PRIMARY)
_PREFIXES = frozenset({"testset", "devset"})
_ABSOLUTE = re.compile(r"^(?:/|~|[A-Za-z]:|file:)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LETTERS = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r"}
_STEM = re.compile(r"(?:\.en)?(?:\.json)?$", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"^(?:questions|answers|ratings)(?:_|\.|$)|\.(?:json|txt|pdf)$", re.IGNORECASE
)
_TO = "_to_"
_SCENARIO = "_SCENARIO-"
_NEAREST = 50
_CODE_PAGES = ("cp1251", "cp1250", "cp1252", "latin-1")


@dataclass(frozen=True)
class Located:
    """A key whose section is certain.

    Attributes:
        section_id: The section.
        stem: Name of the set without ending, in the official form where it has one; None where
            the key names the section alone.
        official: Whether the name of the file has the form that the role needs.
        other_stems: Further names that the file name can stand for, because names of teams may
            hold what also divides them.
        notes: Codes of findings about the way it is written.
    """

    section_id: str
    stem: str | None
    official: bool
    other_stems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The canonical key."""
        return canonical(self.section_id, self.stem)


@dataclass(frozen=True)
class Unlocated:
    """A key whose section is not certain.

    Attributes:
        code: Code of the finding.
    """

    code: str


def canonical(section_id: str, stem: str | None) -> str:
    """Return the canonical key of a set, or of a section where no set is named."""
    return section_id if stem is None else f"{section_id}/{stem}.json"


def official_stem(name: str, role: Role) -> tuple[str | None, bool]:
    """Return the official name of the set that a file name stands for, without ending.

    Args:
        name: The last part of a key, NFC.
        role: Whose key it is.

    Returns:
        The name (None for Teachers, who have one set a section), and whether the file name has
        the form that the role needs.
    """
    base = _STEM.sub("", name)
    if role == "teacher":
        return None, base.startswith(("questions", "answers")) or is_material(name)
    kind, _, rest = base.partition("_by_")
    if role == "evaluator":
        good = kind in ("answers", "ratings") and _TO in rest
        return (f"answers_by_{rest}" if good else base), good
    if base in ("questions", "answers"):
        return EXPERT_STEM, True
    if kind not in ("questions", "answers") or not rest:
        return base, False
    if kind == "answers" and _TO in rest:
        return f"questions_by_{rest.split(_TO, 1)[1].split(_SCENARIO, 1)[0]}", True
    return f"questions_by_{rest}", True


def _other_stems(name: str, role: Role) -> tuple[str, ...]:
    """Return what else a Student's ``answers_by_…_to_…`` can stand for."""
    rest = _STEM.sub("", name).removeprefix("answers_by_")
    if role != "student" or rest == name or _TO not in rest:
        return ()
    parts = rest.split(_SCENARIO, 1)[0].split(_TO)
    # The first division is the usual one; none at all if the Teacher's own name holds it.
    starts = [0, *range(2, len(parts))]
    return tuple(f"questions_by_{_TO.join(parts[start:])}" for start in starts)


@dataclass
class Sections:
    """The known sections, found by whatever way a key writes their path.

    Attributes:
        known: The section ids; None where the materials are not at hand, and every path is
            taken as it is.
    """

    known: frozenset[str] | None
    _folded: dict[str, list[str]] | None = field(default=None, repr=False)
    _sorted: list[str] | None = field(default=None, repr=False)
    _asked: int = 0

    @classmethod
    def of(cls, known_sections: Iterable[str] | None) -> "Sections":
        """Return the index of section ids, which may be in any normalisation form."""
        return cls(None if known_sections is None else frozenset(map(nfc, known_sections)))

    def locate(self, key: str, role: Role) -> Located | Unlocated:
        """Return the section and the set that a key stands for, or why that is not certain."""
        if not key.strip():
            return Unlocated("empty_key")
        last = Unlocated("unknown_section")
        for path, notes in _readings(key):
            if _ABSOLUTE.match(path) or path.startswith("\\"):
                last = Unlocated("absolute_path")
                continue
            parts = [part for part in path.split("/") if part not in ("", ".")]
            if ".." in parts:
                last = Unlocated("parent_path")
                continue
            if _CONTROL.search(path):
                continue
            found = self._split(parts)
            if found is not None:
                return _located(found, role, notes)
        if last.code != "unknown_section":
            return last
        for path in _respellings(key.replace("\\", "/")):
            parts = [part for part in path.split("/") if part not in ("", ".")]
            found = self._split(parts) or self._split_folded(parts)
            if found is not None and ".." not in parts:
                return _located(found, role, ("key_spelling",))
        return Unlocated("unknown_section")

    def is_anchor(self, key: str) -> bool:
        """Tell whether a text is surely a key of the outermost object."""
        for path, _ in _readings(key):
            parts = path.split("/")
            if self.known is None:
                return len(parts) > 1 and _FILE_NAME.search(parts[-1]) is not None
            if self._split(parts) is not None:
                return True
        return False

    def _split(self, parts: list[str]) -> tuple[str, str | None] | None:
        """Return section and file name of a path, or None."""
        for start in (0, 1):
            if start and (not parts or parts[0] not in _PREFIXES):
                return None
            rest = parts[start:]
            if not rest:
                return None
            whole, folder = "/".join(rest), "/".join(rest[:-1])
            is_file = len(rest) > 1 and _is_file(rest[-1])
            if self.known is None:
                if not start and parts[0] in _PREFIXES and len(parts) > 1:
                    continue
                return (folder, rest[-1]) if is_file else (whole, None)
            if whole in self.known:
                return whole, None
            if is_file and folder in self.known:
                return folder, rest[-1]
        return None

    def _split_folded(self, parts: list[str]) -> tuple[str, str | None] | None:
        if self.known is None or not parts:
            return None
        if self._folded is None:
            self._folded = {}
            for section in self.known:
                self._folded.setdefault(_fold(section), []).append(section)
        if parts[0].casefold() in _PREFIXES:
            parts = parts[1:]
        for cut, name in ((len(parts), None), (len(parts) - 1, parts[-1] if parts else None)):
            fitting = self._folded.get(_fold("/".join(parts[:cut])), [])
            if len(fitting) == 1 and (name is None or _is_file(name)):
                return fitting[0], name
        return None

    def nearest(self, key: str) -> str:
        """Return a hint that names the section nearest to an unknown one, or an empty text."""
        # Comparing each of thousands of wrong keys with each section would take minutes.
        self._asked += 1
        if not self.known or self._asked > _NEAREST:
            return ""
        path = nfc(key.replace("\\", "/"))[:500]
        first, _, rest = path.partition("/")
        wanted = rest if first in _PREFIXES else path
        candidates = [wanted, wanted.rsplit("/", 1)[0]]
        if self._sorted is None:
            self._sorted = sorted(self.known)
        found = [
            process.extractOne(candidate, self._sorted, scorer=fuzz.ratio, score_cutoff=60)
            for candidate in candidates
        ]
        best = max((match for match in found if match), key=lambda match: match[1], default=None)
        return "" if best is None else f"nearest section: {shown(best[0])}"


def known_index(
    known: Collection[str], sections: Sections, role: Role
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return canonical key to the key as known, and section to its canonical keys.

    Args:
        known: Keys of ``known_items``, in any form that a submission may have.
        sections: The sections.
        role: Whose keys.
    """
    keys: dict[str, str] = {}
    of_section: dict[str, list[str]] = {}
    for key in known:
        place = sections.locate(key, role)
        if isinstance(place, Located):
            keys[place.key] = key
            of_section.setdefault(place.section_id, []).append(place.key)
    return keys, of_section


def _located(found: tuple[str, str | None], role: Role, notes: tuple[str, ...]) -> Located:
    section, name = found
    if name is None:
        return Located(section, None, role == "teacher", notes=notes)
    stem, official = official_stem(name, role)
    return Located(section, stem, official, _other_stems(name, role), notes)


def _readings(key: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the paths that a key can stand for without any doubt, with codes of findings."""
    path = nfc(key)
    notes = () if path == key else ("decomposed_key",)
    if _CONTROL.search(path):
        # In a JSON text "kind\topic" is kind, a tab and opic: the escape swallowed the letter.
        written = _CONTROL.sub(lambda match: "\\" + _letter(match.group()), path)
        yield written.replace("\\", "/"), (*notes, "swallowed_escape")
    elif "\\" in path:
        yield path.replace("\\", "/"), (*notes, "windows_separators")
    else:
        yield path, notes


def _is_file(name: str) -> bool:
    """Tell whether the last part of a path is a file's name and not a folder's."""
    return _FILE_NAME.search(name) is not None or is_material(name)


def _letter(control: str) -> str:
    return _LETTERS.get(control, f"u{ord(control):04x}")


def _respellings(path: str) -> Iterator[str]:
    """Yield other spellings that mean one section at most: the caller looks whether they do."""
    yield nfc(path)
    if "%" in path:
        yield nfc(unquote(path))
    if not path.isascii():
        for code_page in _CODE_PAGES:
            try:
                yield nfc(path.encode(code_page).decode("utf-8"))
            except UnicodeError:
                continue


def _fold(path: str) -> str:
    """Return a path without letter case and without white space around its parts."""
    return "/".join(" ".join(part.split()) for part in path.casefold().split("/"))
