"""From the question sets in the folder of a kind to rows of ``questions`` and ``answers``."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sensemaking.answers import answer_to
from sensemaking.findings import Finding
from sensemaking.ids import (
    GENUINE,
    GOLD,
    PRIMARY,
    REFERENCE,
    AmbiguousNameError,
    KnownTeams,
    SetName,
    is_guess,
    known_teams,
    parse_question_set_name,
    question_id,
)
from sensemaking.io.materials import EXPERT_SET, EXPERT_SET_EN, Folder
from sensemaking.io.question_files import BLANK, INVALID, Item, QuestionSet, parse
from sensemaking.statuses import NOT_TRANSLATED, OK

ENGLISH = "en"
COUNT_MISMATCH = "english_count_mismatch"

_PREFIX = "questions_by_"
_JSON = ".json"
_ENGLISH_JSON = ".en.json"
_GOLD_SET = SetName(GOLD, PRIMARY, GENUINE)


@dataclass(frozen=True)
class ReadQuestions:
    """Rows of ``questions`` and what was found wrong while they were made."""

    rows: list[dict[str, Any]]
    findings: list[Finding]


def read_questions(
    folders: Sequence[Folder], language: str, declared: KnownTeams | None = None
) -> ReadQuestions:
    """Return a row of ``questions`` for each item of each set in the folders.

    Args:
        folders: The sections of a kind.
        language: Language of the sets that are not ``.en.json``.
        declared: Teams and submissions that the configuration names.
    """
    places = {_stem(file): f"{f.section_id}/{file}" for f in folders for file in f.names(_PREFIX)}
    known = known_teams(places, declared)
    findings = list(_guesses(places, known_teams(places, declared, guess=False)))
    rows: list[dict[str, Any]] = []
    for folder in folders:
        for name, (original, english) in _sets(folder, known, findings).items():
            rows += _rows(folder, name, original, english, language, findings)
    return ReadQuestions(rows, sorted(set(findings)))


def reference_answers(questions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the golden answers and the Teachers' own reference answers as rows of ``answers``.

    The experts' first reference is the golden answer, of student GOLD; that of another Teacher
    has the Teacher as its student and the scenario ``reference``. Further references are its
    alternatives. Questions without a reference or without a text, and adversarial ones, give no
    row.

    Args:
        questions: Rows of ``questions``.
    """
    return [
        answer_to(
            row,
            row["teacher"],
            row["submission"],
            answer=row["references"][0],
            alternatives=row["references"][1:],
            status=OK,
            scenario=_reference_scenario(row["teacher"], row["submission"]),
        )
        for row in questions
        if row["variant"] == GENUINE and len(row["references"]) and isinstance(row["question"], str)
    ]


def question_row(
    section_id: str,
    name: SetName,
    position: int,
    *,
    question: str | None,
    references: Sequence[str],
    status: str = OK,
    question_original: str | None = None,
    references_original: Sequence[str] = (),
    language: str = ENGLISH,
) -> dict[str, Any]:
    """Return a row of ``questions``; by default one that was asked in English."""
    origin = None
    if name.variant in ("W", "C", "WC"):
        # The other variants are not made from the question at the same place.
        origin = question_id(section_id, name.teacher, name.submission, position)
    return {
        "question_id": question_id(
            section_id, name.teacher, name.submission, position, name.variant
        ),
        "section_id": section_id,
        "teacher": name.teacher,
        "submission": name.submission,
        "variant": name.variant,
        "origin_question_id": origin,
        "position": position,
        "question": question,
        "references": list(references),
        "question_original": question if language == ENGLISH else question_original,
        "references_original": list(references if language == ENGLISH else references_original),
        "language": language,
        "status": status,
    }


def _reference_scenario(teacher: str, submission: str) -> str:
    return GENUINE if (teacher, submission) == (GOLD, PRIMARY) else REFERENCE


def _stem(file: str) -> str:
    return file.removesuffix(_ENGLISH_JSON if file.endswith(_ENGLISH_JSON) else _JSON)


def _guesses(places: Mapping[str, str], sure: KnownTeams) -> Iterator[Finding]:
    """Yield a finding for each name of a set that is only guessed to be divided where it is.

    Args:
        places: Name of a set to the path of a file of that name.
        sure: What is known of the teams without guessing.
    """
    for name, place in places.items():
        try:
            guessed = is_guess(name, sure)
        except ValueError:
            # It gets a finding for each of its files.
            continue
        if guessed:
            team, submission, _ = parse_question_set_name(name, sure)
            message = (
                f"{name} is read as the submission {submission!r} of the team {team!r}, divided "
                "at the last underscore; if that is wrong, name team and submission under systems"
            )
            yield Finding(place, "", "guessed_name", "warning", message, "it is read")


def _sets(
    folder: Folder, known: KnownTeams, findings: list[Finding]
) -> dict[SetName, tuple[str | None, str | None]]:
    """Return for each set the names of its file and of its English version's file."""
    sets: dict[SetName, tuple[str | None, str | None]] = {}
    if EXPERT_SET in folder.files or EXPERT_SET_EN in folder.files:
        sets[_GOLD_SET] = (
            EXPERT_SET if EXPERT_SET in folder.files else None,
            EXPERT_SET_EN if EXPERT_SET_EN in folder.files else None,
        )
    for file in folder.names(_PREFIX):
        english, stem = file.endswith(_ENGLISH_JSON), _stem(file)
        place = f"{folder.section_id}/{file}"
        try:
            name = parse_question_set_name(stem, known)
        except AmbiguousNameError as error:
            findings.append(_left_out(place, "ambiguous_name", str(error)))
            continue
        except ValueError as error:
            findings.append(_left_out(place, "bad_name", str(error)))
            continue
        before = sets.get(name, (None, None))
        if before[english] is not None:
            other = before[english]
            message = f"the folder has this set already as {other}; keep one of the two files"
            findings.append(_left_out(place, "set_twice", message))
            continue
        sets[name] = (before[0], file) if english else (file, before[1])
        if name.submission not in known.get(name.teacher, ()):
            message = (
                f"an adversarial set of {name.teacher}/{name.submission}, of which no genuine set "
                "is known; check the file's name"
            )
            findings.append(
                Finding(place, "", "unknown_submission", "warning", message, "it is read")
            )
    return dict(sorted(sets.items()))


def _rows(
    folder: Folder,
    name: SetName,
    original_file: str | None,
    english_file: str | None,
    language: str,
    findings: list[Finding],
) -> list[dict[str, Any]]:
    original = _parse(folder, original_file, findings)
    english = _parse(folder, english_file, findings)
    if language == ENGLISH:
        # Two English files would be two opinions of one set; the plain one is the set.
        asked = original if original is not None else english
        if original is not None and english_file is not None:
            message = f"the sets are in English, so {original_file} is read, and this file is not"
            place = f"{folder.section_id}/{english_file}"
            findings.append(Finding(place, "", "superfluous_file", "info", message, "none"))
        return [
            question_row(
                folder.section_id,
                name,
                position,
                question=item.question,
                references=item.references,
                status=item.status,
            )
            for position, item in enumerate(asked or ())
        ]
    if original is None:
        return [
            question_row(
                folder.section_id,
                name,
                position,
                question=item.question,
                references=item.references,
                status=item.status,
                language=language,
            )
            for position, item in enumerate(english or ())
        ]
    status = NOT_TRANSLATED
    if english is not None and len(english) != len(original):
        message = (
            f"{len(english)} items, but {original_file} has {len(original)}; the English version "
            "must have one for each, in the same order"
        )
        findings.append(_left_out(f"{folder.section_id}/{english_file}", COUNT_MISMATCH, message))
        english, status = None, COUNT_MISMATCH
    return [
        question_row(
            folder.section_id,
            name,
            position,
            **_english_of(item, english[position] if english is not None else None, status),
            question_original=item.question,
            references_original=item.references,
            language=language,
        )
        for position, item in enumerate(original)
    ]


def _english_of(item: Item, english: Item | None, otherwise: str) -> dict[str, Any]:
    if english is None:
        status = item.status if item.status in (BLANK, INVALID) else otherwise
        return {"question": None, "references": (), "status": status}
    status = english.status
    if status == BLANK and item.status == OK:
        status = NOT_TRANSLATED
    return {"question": english.question, "references": english.references, "status": status}


def _parse(folder: Folder, file: str | None, findings: list[Finding]) -> tuple[Item, ...] | None:
    if file is None:
        return None
    place = f"{folder.section_id}/{file}"
    try:
        data = folder.files[file].read_bytes()
    except OSError as error:
        message = f"the file cannot be opened ({error.strerror}); let it be read"
        findings.append(_left_out(place, "unreadable", message))
        return None
    parsed: QuestionSet = parse(data, place)
    findings.extend(parsed.findings)
    return parsed.items


def _left_out(file: str, code: str, message: str) -> Finding:
    return Finding(file, "", code, "error", message, "the file is left out")


def declared_teams(teams: Iterable[Sequence[str]]) -> dict[str, set[str]]:
    """Return team to submissions from (team, submission) pairs."""
    declared: dict[str, set[str]] = {}
    for team, submission in teams:
        declared.setdefault(team, set()).add(submission)
    return declared
