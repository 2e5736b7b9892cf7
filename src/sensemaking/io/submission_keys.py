"""Keys of submissions: paths that participants write in many ways, and the sections they mean."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

from rapidfuzz import fuzz, process

from sensemaking.ids import GOLD, PRIMARY, KnownTeams, nfc, question_set_name
from sensemaking.io.json_nodes import shown
from sensemaking.io.materials import is_material
from sensemaking.io.submission_model import Role
from sensemaking.name_readings import SCENARIO, TO, divisions

EXPERT_STEM = question_set_name(GOLD, PRIMARY)
_PREFIXES = frozenset({"testset", "devset"})
_ABSOLUTE = re.compile(r"^(?:/|~|[A-Za-z]:|file:)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_LETTERS = {"\b": "b", "\t": "t", "\n": "n", "\f": "f", "\r": "r"}
_STEM = re.compile(r"(?:\.en)?(?:\.json)?$", re.IGNORECASE)
_FILE_NAME = re.compile(
    r"^(?:questions|answers|ratings)(?:_|\.|$)|\.(?:json|txt|pdf)$", re.IGNORECASE
)
_NEAREST = 50
_CODE_PAGES = ("cp1251", "cp1250", "cp1252", "latin-1")


class Meaning(NamedTuple):
    """A set that the name of a file can stand for.

    Attributes:
        stem: The set's official name without ending; None for Teachers, who have one a section.
        student: Who answered it if the name is divided so, as the name writes it, else None.
        grade: How certain it is that this is the name of a Student, from 0 to ``GUESSED``; None
            if it cannot be one.
    """

    stem: str | None
    student: str | None = None
    grade: int | None = None


class Meanings(NamedTuple):
    """What the name of a file can stand for.

    Attributes:
        likely: The most certain sets; several where names of teams hold what divides them, and
            nothing decides.
        all: All that are possible.
        official: Whether the name has the form that the role needs.
    """

    likely: tuple[str | None, ...]
    all: tuple[Meaning, ...]
    official: bool


@dataclass(frozen=True)
class Located:
    """A key whose section is certain.

    Attributes:
        section_id: The section.
        meanings: The sets that it can stand for; None where the key names the section alone.
        official: Whether the name of the file has the form that the role needs.
        notes: Codes of findings about the way it is written.
    """

    section_id: str
    meanings: Meanings | None
    official: bool
    notes: tuple[str, ...] = ()

    @property
    def stem(self) -> str | None:
        """Name of the set, in the official form where it has one; a likely one of several."""
        return None if self.meanings is None else self.meanings.likely[0]

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


def meanings_of(
    name: str, role: Role, own: str | None = None, teams: KnownTeams | None = None
) -> Meanings:
    """Return the sets that the name of a file can stand for.

    Args:
        name: The last part of a key, NFC.
        role: Whose key it is.
        own: ``<TEAM>_<SUBMISSION>`` of who wrote the key, where that is known.
        teams: What is known of the teams.
    """
    base = _STEM.sub("", name)
    if role == "teacher":
        official = base.startswith(("questions", "answers")) or is_material(name)
        return _only(None, official)
    kind, _, rest = base.partition("_by_")
    if role == "evaluator":
        good = kind in ("answers", "ratings") and TO in rest
        return _only(f"answers_by_{rest}" if good else base, good)
    if base in ("questions", "answers"):
        return _only(EXPERT_STEM, True)
    if kind not in ("questions", "answers") or not rest:
        return _only(base, False)
    if kind == "questions" or TO not in rest:
        return _only(f"questions_by_{rest}", True)
    return _divided(rest.partition(SCENARIO)[0], own, teams)


def _divided(body: str, own: str | None, teams: KnownTeams | None) -> Meanings:
    """Return what a Student's ``answers_by_<body>`` can stand for."""
    # Without a Student's name in it, it is the name of the question file with another first word.
    graded = list(divisions(body, teams))
    grades = {one.student: one.students.grade for one in graded}
    found = [Meaning(f"questions_by_{body}")]
    for place in re.finditer(f"(?={TO})", body):
        student, teacher = body[: place.start()], body[place.start() + len(TO) :]
        found.append(Meaning(f"questions_by_{teacher}", student, grades.get(student)))
    mine = [one for one in graded if one.student == own]
    best = min((one.grade for one in graded), default=None)
    likely = [one.teacher for one in mine or graded if mine or one.grade == best]
    stems = dict.fromkeys(f"questions_by_{teacher}" for teacher in likely or [body])
    return Meanings(tuple(stems), tuple(found), True)


def _only(stem: str | None, official: bool) -> Meanings:
    return Meanings((stem,), (Meaning(stem),), official)


@dataclass
class Sections:
    """The known sections, found by whatever way a key writes their path.

    Attributes:
        known: The section ids; None where the materials are not at hand, and every path is
            taken as it is.
        own: ``<TEAM>_<SUBMISSION>`` of who wrote the keys, where that is known.
        teams: What is known of the teams.
    """

    known: frozenset[str] | None
    own: str | None = None
    teams: KnownTeams | None = None
    _folded: dict[str, list[str]] | None = field(default=None, repr=False)
    _sorted: list[str] | None = field(default=None, repr=False)
    _asked: int = 0

    @classmethod
    def of(
        cls,
        known_sections: Iterable[str] | None,
        own: str | None = None,
        teams: KnownTeams | None = None,
    ) -> "Sections":
        """Return the index of section ids, which may be in any normalisation form."""
        known = None if known_sections is None else frozenset(map(nfc, known_sections))
        return cls(known, own, teams)

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
                return self._located(found, role, notes)
        if last.code != "unknown_section":
            return last
        for path in _respellings(key.replace("\\", "/")):
            parts = [part for part in path.split("/") if part not in ("", ".")]
            found = self._split(parts) or self._split_folded(parts)
            if found is not None and ".." not in parts:
                return self._located(found, role, ("key_spelling",))
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

    def _located(
        self, found: tuple[str, str | None], role: Role, notes: tuple[str, ...]
    ) -> Located:
        section, name = found
        if name is None:
            return Located(section, None, role == "teacher", notes)
        meanings = meanings_of(name, role, self.own, self.teams)
        return Located(section, meanings, meanings.official, notes)

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
