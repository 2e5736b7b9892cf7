"""Makers and parsers of the ids by which every artifact is keyed.

Ids are NFC strings made from names, never from row order or content. A parser undoes its maker.
File names of the folder layout are the same names, so they are made and read here too.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from pathlib import PurePath
from typing import NamedTuple

from slugify import slugify

from sensemaking.name_readings import GENUINE as GENUINE
from sensemaking.name_readings import (
    GUESSED,
    SCENARIO,
    SHUFFLED,
    TO,
    Reading,
    check_not_marked,
    divisions,
    readings,
)
from sensemaking.name_readings import PRIMARY as PRIMARY
from sensemaking.name_readings import STANDARD_SUBMISSIONS as STANDARD_SUBMISSIONS
from sensemaking.name_readings import VARIANTS as VARIANTS
from sensemaking.name_readings import KnownTeams as KnownTeams
from sensemaking.name_readings import check_name as check_name
from sensemaking.name_readings import nfc as nfc

GOLD = "GOLD"
"""The team of the experts; its expert set has the submission PRIMARY."""

REFERENCE = "reference"
"""The scenario of the reference answers that a Teacher gave to its own questions."""

_QUESTIONS = "questions_by_"
_ANSWERS = "answers_by_"
_FORBIDDEN_IN_SLUGS = re.compile(r"[^a-z0-9]+")


class SetName(NamedTuple):
    """Whose question set it is: team, submission, and variant (``genuine`` or a code)."""

    teacher: str
    submission: str
    variant: str


class QuestionId(NamedTuple):
    """The parts of a question_id."""

    section_id: str
    teacher: str
    submission: str
    variant: str
    position: int


class AnswerId(NamedTuple):
    """The parts of an answer_id."""

    section_id: str
    student: str
    student_submission: str
    teacher: str
    teacher_submission: str
    variant: str
    scenario: str
    position: int


class AmbiguousNameError(ValueError):
    """A name can be read in more than one way and nothing known decides between them."""


def section_id(path: str | PurePath) -> str:
    """Return the id of the section in a folder.

    Args:
        path: The folder's path below the materials root, as the disk gives it.

    Raises:
        ValueError: The path is absolute, empty or leaves the root.
    """
    text = path.as_posix() if isinstance(path, PurePath) else path.replace("\\", "/")
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if not parts or ".." in parts or text.startswith("/") or re.match(r"^[A-Za-z]:/", text):
        raise ValueError(f"not a path below the materials root: {str(path)!r}")
    return nfc("/".join(parts))


def question_set_name(teacher: str, submission: str, variant: str = GENUINE) -> str:
    """Return the name of a question set, which is its file's name without the ending.

    Raises:
        ValueError: The variant is unknown, or a name is not allowed (``check_name``) or holds the
            mark of an adversarial set.
    """
    return f"{_QUESTIONS}{_asking_side(teacher, submission, variant)}"


def question_id(
    section_id: str, teacher: str, submission: str, position: int, variant: str = GENUINE
) -> str:
    """Return ``<section_id>/questions_by_<TEACHER>_<SUBMISSION>#<position>``.

    Args:
        section_id: The section that the question is about.
        teacher: The team that asked it.
        submission: The team's submission.
        position: Its place in the set, from 0; written with at least three digits.
        variant: ``genuine``, or the code of an adversarial variant.

    Raises:
        ValueError: A name is not allowed (``check_name``), the section_id is none, or the
            position is negative.
    """
    name = question_set_name(teacher, submission, variant)
    return f"{_section(section_id)}/{name}#{_position(position)}"


def parse_question_id(question_id: str, known: KnownTeams | None = None) -> QuestionId:
    """Return the parts of a question_id; ``known`` decides where names hold underscores.

    Raises:
        ValueError: It is not a question_id.
        AmbiguousNameError: Several readings fit and none is known.
    """
    section, name, position = _split_id(question_id, _QUESTIONS)
    return QuestionId(section, *parse_question_set_name(name, known), position)


def answers_name(
    student: str,
    student_submission: str,
    teacher: str,
    teacher_submission: str,
    *,
    variant: str = GENUINE,
    scenario: str = GENUINE,
) -> str:
    """Return the name of a set of answers, which is its file's name without the ending.

    Raises:
        ValueError: As ``question_set_name``.
    """
    check_name("scenario", scenario)
    left = _side(student, student_submission)
    right = _asking_side(teacher, teacher_submission, variant)
    suffix = "" if scenario == GENUINE else f"{SCENARIO}{nfc(scenario)}"
    return f"{_ANSWERS}{left}{TO}{right}{suffix}"


def answer_id(
    section_id: str,
    student: str,
    student_submission: str,
    teacher: str,
    teacher_submission: str,
    position: int,
    *,
    variant: str = GENUINE,
    scenario: str = GENUINE,
) -> str:
    """Return ``<section_id>/answers_by_<S>_<SUB>_to_<T>_<SUB>[_SCENARIO-x]#<position>``.

    Args:
        section_id: The section that the question is about.
        student: The team that answered.
        student_submission: Its submission.
        teacher: The team that asked.
        teacher_submission: Its submission.
        position: The question's place in its set, from 0.
        variant: The question's variant: ``genuine`` or a code.
        scenario: The answer's scenario: ``genuine``, ``reference`` or an adversarial one.

    Raises:
        ValueError: A name is not allowed (``check_name``), the section_id is none, or the
            position is negative.
    """
    name = answers_name(
        student, student_submission, teacher, teacher_submission, variant=variant, scenario=scenario
    )
    return f"{_section(section_id)}/{name}#{_position(position)}"


def parse_answer_id(answer_id: str, known: KnownTeams | None = None) -> AnswerId:
    """Return the parts of an answer_id; ``known`` decides where names hold underscores or ``_to_``.

    Raises:
        ValueError: It is not an answer_id.
        AmbiguousNameError: Several readings fit and none is known.
    """
    section, name, position = _split_id(answer_id, _ANSWERS)
    body, marked, scenario = name.removeprefix(_ANSWERS).partition(SCENARIO)
    if marked and scenario in ("", GENUINE):
        raise ValueError(f"not an answer_id: {answer_id!r}")
    pairs: dict[tuple[int, int], list[tuple[Reading, Reading]]] = {}
    for one in divisions(body, known):
        pairs.setdefault(one.grade, []).extend(product(one.students.best, one.teachers.best))
    if not pairs:
        raise ValueError(f"not an answer_id: {answer_id!r}")
    best = pairs[min(pairs)]
    if len(best) > 1:
        raise _ambiguous(name, [f"{student} to {teacher}" for student, teacher in best])
    student, teacher = best[0]
    return AnswerId(
        section,
        student.team,
        student.submission,
        teacher.team,
        teacher.submission,
        teacher.variant,
        scenario or GENUINE,
        position,
    )


def parse_question_set_name(name: str, known: KnownTeams | None = None) -> SetName:
    """Read ``questions_by_<TEAM>_<SUBMISSION>`` or its ``SHUFFLED<CODE>`` form.

    Team and submission may both hold underscores. Of all readings the one whose team is known to
    have the submission wins, then the one whose submission is PRIMARY or SECONDARY, then the one
    whose team is known, then the one that divides at the last underscore (a guess, see
    ``is_guess``). The code of an adversarial set is the one that leaves a submission name that
    the team is known to have.

    Args:
        name: The file's name without the ending, in any normalisation form.
        known: What is known of the teams.

    Raises:
        ValueError: It is not the name of a question set.
        AmbiguousNameError: Several readings are equally well known, or two codes are possible
            and neither leaves a known submission.
    """
    return SetName(*_read_set(name, known)[1])


def is_guess(name: str, known: KnownTeams | None = None) -> bool:
    """Tell whether only its last underscore decides how the name of a genuine set is read.

    Raises:
        ValueError: It is not the name of a question set, or it is ambiguous.
    """
    grade, reading = _read_set(name, known)
    several = nfc(name).removeprefix(_QUESTIONS).count("_") > 1
    return several and grade == GUESSED and reading.variant == GENUINE


def known_teams(
    set_names: Iterable[str], declared: KnownTeams | None = None, *, guess: bool = True
) -> dict[str, set[str]]:
    """Return what is known of teams: those declared, the experts, and those whose sets are there.

    Args:
        set_names: Names of question sets; those that are not of a genuine set, or are ambiguous,
            are passed over.
        declared: Teams and submissions that are known beforehand.
        guess: Whether names that only their last underscore divides count (``is_guess``).
    """
    teams: dict[str, set[str]] = {GOLD: {PRIMARY}}
    for team, submissions in (declared or {}).items():
        teams.setdefault(nfc(team), set()).update(map(nfc, submissions))
    pending = sorted({nfc(name) for name in set_names})
    # What is surer helps to read the others. The order of the names must not matter, so each
    # round looks only at what the rounds before have found.
    for accepted in (GUESSED - 1, GUESSED)[: 1 + guess]:
        before = {team: frozenset(submissions) for team, submissions in teams.items()}
        for name in pending:
            try:
                grade, reading = _read_set(name, before)
            except ValueError:
                continue
            if reading.variant == GENUINE and grade <= accepted:
                teams.setdefault(reading.team, set()).add(reading.submission)
    return teams


def slug(name: str) -> str:
    """Return the lower-case ASCII form of a name that stands for it in paths and wildcards.

    Raises:
        ValueError: Nothing of the name is left.
    """
    result: str = slugify(name, regex_pattern=_FORBIDDEN_IN_SLUGS)
    if not result:
        raise ValueError(f"the name {name!r} has no letter or digit to make a slug of")
    return result


def unique_slugs(names: Iterable[str]) -> dict[str, str]:
    """Return slug to name, in the order given.

    Raises:
        ValueError: Two names have one slug; the message names both.
    """
    result: dict[str, str] = {}
    for name in names:
        key = slug(name)
        if key in result:
            raise ValueError(
                f"the names {result[key]!r} and {name!r} both become {key!r} in paths; "
                "rename one of them"
            )
        result[key] = name
    return result


@lru_cache(maxsize=4096)  # few names, in each of many ids
def _side(team: str, submission: str, code: str = "") -> str:
    check_name("team", team)
    check_name("submission", submission)
    return f"{nfc(team)}_{code}{nfc(submission)}"


@lru_cache(maxsize=4096)
def _asking_side(team: str, submission: str, variant: str) -> str:
    check_not_marked(team, submission)
    if variant == GENUINE:
        return _side(team, submission)
    if variant not in VARIANTS:
        raise ValueError(f"unknown variant {variant!r}; known: {GENUINE}, {', '.join(VARIANTS)}")
    return _side(team, submission, f"{SHUFFLED}{variant}")


def _section(identifier: str) -> str:
    if not all(identifier.split("/")):
        raise ValueError(f"not a section_id: {identifier!r}; expected a path below the root")
    return nfc(identifier)


def _position(position: int) -> str:
    if position < 0:
        raise ValueError(f"a position is 0 or more, not {position}")
    return f"{position:03d}"


def _split_id(identifier: str, prefix: str) -> tuple[str, str, int]:
    head, hashed, digits = nfc(identifier).rpartition("#")
    section, slashed, name = head.rpartition("/")
    good = hashed and slashed and section and name.startswith(prefix)
    if not good or not re.fullmatch(r"[0-9]{3}|[1-9][0-9]{3,}", digits):
        kind = "a question_id" if prefix == _QUESTIONS else "an answer_id"
        raise ValueError(f"not {kind}: {identifier!r}")
    return section, name, int(digits)


def _read_set(name: str, known: KnownTeams | None) -> tuple[int, Reading]:
    name = nfc(name)
    if not name.startswith(_QUESTIONS):
        raise ValueError(f"not the name of a question set: {name!r}")
    side = name.removeprefix(_QUESTIONS)
    found = readings(side, known, asks=True)
    if not found.best:
        if f"_{SHUFFLED}" in side:
            raise ValueError(
                f"{side!r} names an adversarial set; expected {SHUFFLED} and one of the codes "
                f"{', '.join(VARIANTS)} before the submission"
            )
        raise ValueError(f"expected <TEAM>_<SUBMISSION>, found {side!r}")
    if len(found.best) > 1:
        raise _ambiguous(name, [str(reading) for reading in found.best])
    return found.grade, found.best[0]


def _ambiguous(name: str, found: list[str]) -> AmbiguousNameError:
    return AmbiguousNameError(
        f"{name!r} can be read as {' or as '.join(found)}; "
        "add the submission that is meant to the known ones of the team"
    )
