"""Names of teams and submissions in ids and file names, and the ways such a name can be read.

Both may hold underscores, which also divide them, so a name may have several readings. What is
known of the teams decides; ``sensemaking.ids`` refuses what is ambiguous.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

GENUINE = "genuine"
"""The variant of a question, or scenario of an answer, that is not adversarial."""

PRIMARY = "PRIMARY"

VARIANTS = ("W", "C", "WC", "RT", "Q")
"""Codes of the adversarial question variants."""

STANDARD_SUBMISSIONS = frozenset({PRIMARY, "SECONDARY"})
"""Submission names that any team may have without being declared."""

SHUFFLED = "SHUFFLED"
"""What stands before the code of an adversarial set."""

SCENARIO = "_SCENARIO-"
"""What stands before the scenario of a set of answers."""

TO = "_to_"
"""What stands between who answered and who asked."""

GUESSED = 3
"""The least certain grade of a reading: nothing but its last underscore speaks for it."""

# Separators of ids and paths, control and line-breaking characters, halves of surrogate pairs.
_FORBIDDEN = re.compile(r"[/\\#\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

KnownTeams = Mapping[str, Collection[str]]
"""Team to the names of its submissions, as far as they are known."""


class Reading(NamedTuple):
    """A team, its submission, and a variant: ``genuine`` or the code of an adversarial set."""

    team: str
    submission: str
    variant: str

    def __str__(self) -> str:
        """Return the reading in words."""
        of = "" if self.variant == GENUINE else f"variant {self.variant} of "
        return f"{of}team {self.team}, submission {self.submission}"


class Readings(NamedTuple):
    """The readings that are the most certain, and their grade: 0 (known) to ``GUESSED``."""

    grade: int
    best: list[Reading]


class Division(NamedTuple):
    """A place where the name of a set of answers can be divided into its two sides.

    Attributes:
        grade: How certain it is, the less certain side first; less is more certain.
        student: Who answered, as the name writes it.
        teacher: Who asked, as the name writes it.
        students: The readings of who answered.
        teachers: The readings of who asked.
    """

    grade: tuple[int, int]
    student: str
    teacher: str
    students: Readings
    teachers: Readings


def nfc(text: str) -> str:
    """Return the text in Unicode normalisation form C, in which all ids are written."""
    return unicodedata.normalize("NFC", text)


def check_name(what: str, name: str) -> None:
    """Check that an id can hold a name.

    Args:
        what: What the name is of, for the message.
        name: The name, in any normalisation form.

    Raises:
        ValueError: It is empty or has white space around it, holds a separator, a control
            character or the mark of a scenario, or begins with a combining mark, which would
            merge with the character before it.
    """
    if (
        not name
        or name != name.strip()
        or _FORBIDDEN.search(name)
        or SCENARIO in name
        or unicodedata.category(name[0]).startswith("M")
    ):
        raise ValueError(
            f"{name!r} cannot be the name of a {what}: expected at least one character, no white "
            f"space around it, none of / \\ # or control characters, no {SCENARIO}, and no "
            "combining mark at its start"
        )


def check_not_marked(team: str, submission: str) -> None:
    """Check that the name of a question set's owner does not read as that of an adversarial set.

    Raises:
        ValueError: It does.
    """
    if f"_{SHUFFLED}" in f"{team}_{submission}":
        raise ValueError(
            f"{team}_{submission} holds _{SHUFFLED}, which marks adversarial sets; expected other "
            "names of team and submission"
        )


def readings(side: str, known: KnownTeams | None, *, asks: bool) -> Readings:
    """Return how ``<TEAM>_<SUBMISSION>`` can be read, NFC.

    The best reading is one whose team is known to have the submission (grade 0), then one whose
    submission any team may have (1), then one whose team is known (2), then the one that divides
    at the last underscore (3). For an adversarial set the code is part of the reading, and all
    codes that are possible stand in the last grade.

    Args:
        side: The name, NFC.
        known: What is known of the teams.
        asks: Whether it is a Teacher's name, which may hold the code of an adversarial set.
    """
    teams: KnownTeams = known or {}
    splits = [(side[: m.start()], side[m.end() :]) for m in re.finditer("_", side)]
    coded = [split for split in splits if asks and split[1].startswith(SHUFFLED)]
    if coded:
        found = [
            Reading(team, rest.removeprefix(SHUFFLED)[len(code) :], code)
            for team, rest in coded
            for code in VARIANTS
            if rest.removeprefix(SHUFFLED).startswith(code)
        ]
    else:
        found = [Reading(team, submission, GENUINE) for team, submission in splits]
    found = [reading for reading in found if _is_allowed(reading, asks)]
    grades = (
        [r for r in found if r.submission in teams.get(r.team, ())],
        [r for r in found if r.submission in STANDARD_SUBMISSIONS],
        [r for r in found if r.team in teams and not coded],
        found if coded else found[-1:],
    )
    return next((Readings(i, best) for i, best in enumerate(grades) if best), Readings(GUESSED, []))


def divisions(body: str, known: KnownTeams | None) -> Iterator[Division]:
    """Yield the ways to divide ``<S>_<SUB>_to_<T>_<SUB>`` that leave two names.

    Args:
        body: The name without scenario, NFC.
        known: What is known of the teams.
    """
    # One underscore may end one divider and begin the next, hence the lookahead.
    for found in re.finditer(f"(?={TO})", body):
        student, teacher = body[: found.start()], body[found.start() + len(TO) :]
        left = readings(student, known, asks=False)
        right = readings(teacher, known, asks=True)
        if left.best and right.best:
            grade = (max(left.grade, right.grade), min(left.grade, right.grade))
            yield Division(grade, student, teacher, left, right)


def _is_allowed(reading: Reading, asks: bool) -> bool:
    try:
        check_name("team", reading.team)
        check_name("submission", reading.submission)
        if asks:
            check_not_marked(reading.team, reading.submission)
    except ValueError:
        return False
    return True
