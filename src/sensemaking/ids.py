"""Makers and parsers of the ids by which every artifact is keyed.

Ids are NFC strings made from names, never from row order or content. A parser undoes its maker.
File names of the folder layout are the same names, so they are made and read here too.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from pathlib import PurePath
from typing import NamedTuple

from slugify import slugify

GENUINE = "genuine"
"""The variant of a question, or scenario of an answer, that is not adversarial."""

GOLD = "GOLD"
"""The team of the experts; its expert set has the submission PRIMARY."""

PRIMARY = "PRIMARY"
REFERENCE = "reference"
"""The scenario of the reference answers that a Teacher gave to its own questions."""

VARIANTS = ("W", "C", "WC", "RT", "Q")
"""Codes of the adversarial question variants."""

STANDARD_SUBMISSIONS = frozenset({PRIMARY, "SECONDARY"})
"""Submission names that any team may have without being declared."""

_SHUFFLED = "SHUFFLED"
_QUESTIONS = "questions_by_"
_ANSWERS = "answers_by_"
_TO = "_to_"
_SCENARIO = "_SCENARIO-"
_FORBIDDEN_IN_NAMES = re.compile(r"[/\\#\x00-\x1f\x7f]")
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


KnownTeams = Mapping[str, Collection[str]]
"""Team to the names of its submissions, as far as they are known."""


def nfc(text: str) -> str:
    """Return the text in Unicode normalisation form C, in which all ids are written."""
    return unicodedata.normalize("NFC", text)


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
    """Return the name of a question set, which is its file's name without the ending."""
    _check_variant(variant)
    return f"{_QUESTIONS}{_side(teacher, submission, variant)}"


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
        ValueError: A name is empty or holds a separator, or the position is negative.
    """
    name = question_set_name(teacher, submission, variant)
    return f"{nfc(section_id)}/{name}#{_position(position)}"


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
    """Return the name of a set of answers, which is its file's name without the ending."""
    _check_variant(variant)
    _check_name("scenario", scenario)
    left = _side(student, student_submission)
    right = _side(teacher, teacher_submission, variant)
    for side in (left, right):
        if _TO in side or _SCENARIO in side:
            raise ValueError(f"{side!r} holds {_TO!r} or {_SCENARIO!r}, which divide answer ids")
    suffix = "" if scenario == GENUINE else f"{_SCENARIO}{nfc(scenario)}"
    return f"{_ANSWERS}{left}{_TO}{right}{suffix}"


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
        ValueError: A name is empty or holds a separator, or the position is negative.
    """
    name = answers_name(
        student, student_submission, teacher, teacher_submission, variant=variant, scenario=scenario
    )
    return f"{nfc(section_id)}/{name}#{_position(position)}"


def parse_answer_id(answer_id: str, known: KnownTeams | None = None) -> AnswerId:
    """Return the parts of an answer_id; ``known`` decides where names hold underscores.

    Raises:
        ValueError: It is not an answer_id.
        AmbiguousNameError: Several readings fit and none is known.
    """
    section, name, position = _split_id(answer_id, _ANSWERS)
    body, marked, scenario = name.removeprefix(_ANSWERS).partition(_SCENARIO)
    left, divided, right = body.partition(_TO)
    if not divided or (marked and not scenario):
        raise ValueError(f"not an answer_id: {answer_id!r}")
    student, student_submission, _ = _parse_side(left, known, allow_variant=False)
    teacher, teacher_submission, variant = _parse_side(right, known)
    return AnswerId(
        section,
        student,
        student_submission,
        teacher,
        teacher_submission,
        variant,
        scenario or GENUINE,
        position,
    )


def parse_question_set_name(name: str, known: KnownTeams | None = None) -> SetName:
    """Read ``questions_by_<TEAM>_<SUBMISSION>`` or its ``SHUFFLED<CODE>`` form.

    Team and submission may both hold underscores. Of all readings the one whose team is known to
    have the submission wins, then one whose team is known, then one whose submission is PRIMARY
    or SECONDARY, then the one that divides at the last underscore. The code of an adversarial
    set is the one that leaves a submission name that the team is known to have.

    Args:
        name: The file's name without the ending, in any normalisation form.
        known: What is known of the teams.

    Raises:
        ValueError: It is not the name of a question set.
        AmbiguousNameError: Two codes both leave a known submission, or no code leaves one.
    """
    name = nfc(name)
    if not name.startswith(_QUESTIONS):
        raise ValueError(f"not the name of a question set: {name!r}")
    return SetName(*_parse_side(name.removeprefix(_QUESTIONS), known))


def known_teams(
    set_names: Iterable[str], declared: KnownTeams | None = None
) -> dict[str, set[str]]:
    """Return what is known of teams: those declared, the experts, and those whose sets are there.

    Args:
        set_names: Names of question sets; those that are not of a genuine set are passed over.
        declared: Teams and submissions that are known beforehand.
    """
    teams = {team: set(submissions) for team, submissions in (declared or {}).items()}
    teams.setdefault(GOLD, set()).add(PRIMARY)
    fixed = {team: frozenset(submissions) for team, submissions in teams.items()}
    for name in map(nfc, set_names):
        side = name.removeprefix(_QUESTIONS)
        if side == name or f"_{_SHUFFLED}" in side or not re.search(r"[^_]_+[^_]", side):
            continue
        team, submission, _ = _parse_side(side, fixed)
        teams.setdefault(team, set()).add(submission)
    return teams


def slug(name: str) -> str:
    """Return the lower-case ASCII form of a name that stands for it in paths and wildcards.

    Raises:
        ValueError: Nothing of the name is left.
    """
    result: str = slugify(nfc(name), regex_pattern=_FORBIDDEN_IN_SLUGS)
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


def _check_name(what: str, name: str) -> None:
    if not name or name != name.strip() or _FORBIDDEN_IN_NAMES.search(name):
        raise ValueError(
            f"{name!r} cannot be the name of a {what}: expected at least one character, no white "
            "space around it, and none of / \\ # or control characters"
        )


def _check_variant(variant: str) -> None:
    if variant != GENUINE and variant not in VARIANTS:
        raise ValueError(f"unknown variant {variant!r}; known: {GENUINE}, {', '.join(VARIANTS)}")


def _side(team: str, submission: str, variant: str = GENUINE) -> str:
    _check_name("team", team)
    _check_name("submission", submission)
    code = "" if variant == GENUINE else f"{_SHUFFLED}{variant}"
    return f"{nfc(team)}_{code}{nfc(submission)}"


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


def _parse_side(
    side: str, known: KnownTeams | None, *, allow_variant: bool = True
) -> tuple[str, str, str]:
    teams: KnownTeams = known or {}
    cuts = [match.start() for match in re.finditer("_", side)]
    splits = [(side[:cut], side[cut + 1 :]) for cut in cuts if side[:cut] and side[cut + 1 :]]
    if not splits:
        raise ValueError(f"expected <TEAM>_<SUBMISSION>, found {side!r}")
    if allow_variant:
        coded = [split for split in splits if split[1].startswith(_SHUFFLED)]
        if coded:
            return _parse_shuffled(side, coded, teams)
    by_certainty = (
        [(team, name) for team, name in splits if name in teams.get(team, ())],
        [(team, name) for team, name in splits if team in teams],
        [(team, name) for team, name in splits if name in STANDARD_SUBMISSIONS],
        splits,
    )
    team, submission = next(fitting for fitting in by_certainty if fitting)[-1]
    return team, submission, GENUINE


def _parse_shuffled(
    side: str, splits: list[tuple[str, str]], teams: KnownTeams
) -> tuple[str, str, str]:
    readings = [
        (team, rest.removeprefix(_SHUFFLED)[len(code) :], code)
        for team, rest in splits
        for code in VARIANTS
        if rest.removeprefix(_SHUFFLED).startswith(code)
    ]
    readings = [reading for reading in readings if reading[1]]
    if not readings:
        raise ValueError(
            f"{side!r} names an adversarial set; expected {_SHUFFLED} and one of the codes "
            f"{', '.join(VARIANTS)} before the submission"
        )
    certain = [r for r in readings if r[1] in teams.get(r[0], ())]
    likely = [r for r in readings if r[1] in STANDARD_SUBMISSIONS]
    for fitting in (certain, likely, readings):
        if len(fitting) == 1:
            return fitting[0]
        if len(fitting) > 1:
            break
    raise AmbiguousNameError(
        f"{side!r} can be read as "
        + " or ".join(f"variant {code} of {team}_{name}" for team, name, code in fitting)
        + "; add the submission that is meant to the known ones of the team"
    )
