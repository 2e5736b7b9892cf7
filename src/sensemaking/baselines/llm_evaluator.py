"""The Evaluator baseline: a language model grades the answers of a section from 0 to 5."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

from sensemaking.baselines.llm_sections import (
    Form,
    Parsed,
    Row,
    ignored_finding,
    make_calls,
    readable,
    reply_finding,
)
from sensemaking.io.replies import JoinedRatings, Json, join_ratings
from sensemaking.llm.calls import Call
from sensemaking.llm.checks import Check, Verdict
from sensemaking.llm.grades import ExpectedGrade, expected_grades
from sensemaking.llm.prompts import Prompt, load_prompt
from sensemaking.llm.raw_rows import status_of, tokens_of, value_of
from sensemaking.llm.reply import Reply
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.statuses import (
    INVALID_ITEM,
    MISSING_ITEM,
    NO_LOGPROBS,
    SCALE_SUSPECT,
    WRONG_ITEMS,
)
from sensemaking.statuses import NO_TEXT_EN, OK

GradeFrom = Literal["reply", "expected"]

PROMPT: Final = "evaluator"
BEST: Final = 5
"""The best grade."""

POINTS: Final = 20
"""Points of the scale of 100 that a grade is worth."""

NO_QUESTION: Final = "no_question"
"""The question that was answered has no English text."""

_NEEDED: Final = ("section", "answers")
_GRADE_TOKENS: Final = 20
_DIGITS: Final = "[0-9]"
_DECIMALS: Final = 6


def evaluator_prompt(name: str, folders: Sequence[Path]) -> Prompt:
    """Return the prompt of a name; see ``load_prompt``."""
    return load_prompt(name, folders, _NEEDED)


def prepare(
    sections: Sequence[Row],
    questions: Sequence[Row],
    answers: Sequence[Row],
    settings: LanguageModel,
    prompt: Prompt,
    *,
    team: str,
    submission: str,
    grade_from: GradeFrom,
) -> list[Call]:
    """Return the calls of the Evaluator: one for each answers file of a section, if it fits.

    An answers file is what one Student answered to one question set in one scenario, so genuine
    and adversarial answers are never seen together. Where it does not fit, the answers are divided
    into groups, and the text into parts; ``parse`` puts their grades together.

    Args:
        sections: Rows of ``materials/sections``.
        questions: Rows of ``questions``.
        answers: Rows of ``answers``; only the answer that counts is graded. Those without a text,
            a question or an English section are left out; an empty text is graded.
        settings: The model's settings.
        prompt: The prompt; it uses ``section`` and ``answers``.
        team: The team it plays.
        submission: Its submission.
        grade_from: ``expected`` asks for log-probabilities, too.
    """
    form = Form(
        prompt=prompt,
        list_name="answers",
        schema=_schema,
        check=_check,
        item_tokens=_GRADE_TOKENS,
        values={"best": BEST},
        logprobs=grade_from == "expected",
        logprobs_at=_DIGITS,
    )
    texts = {section["section_id"]: readable(section) for section in sections}
    asked = {row["question_id"]: row["question"] for row in questions}
    calls: list[Call] = []
    for (name, shown), own in _files(answers).items():
        text = texts.get(shown)
        graded = [row for row in own if isinstance(asked.get(row["question_id"]), str)]
        if text is None or not graded:
            continue
        calls += make_calls(
            settings,
            form,
            name=f"{name}_rated_by_{team}_{submission}",
            section_id=shown,
            text=text,
            ids=[row["answer_id"] for row in graded],
            items=[
                {"question": asked[row["question_id"]], "answer": row["answer"]} for row in graded
            ],
        )
    return calls


def parse(
    sections: Sequence[Row],
    questions: Sequence[Row],
    answers: Sequence[Row],
    raw: Sequence[Row],
    *,
    team: str,
    submission: str,
    grade_from: GradeFrom,
) -> Parsed:
    """Return the grades in the replies, times 20, as rows of ``ratings``.

    Every answer with a text has a row. A reply with fractions or grades above 5 is on another scale
    and gives none at all (``scale_suspect``); nothing is ever rescaled. Where a text was divided,
    the best grade counts: an answer is right if one part bears it out.

    Args:
        sections: Rows of ``materials/sections``, as ``prepare`` got them.
        questions: Rows of ``questions``.
        answers: Rows of ``answers``.
        raw: Rows of ``raw/evaluator``.
        team: The team it plays.
        submission: Its submission.
        grade_from: ``reply`` takes the grade in the reply, ``expected`` the mean of all grades
            under the model's own probabilities (null without log-probabilities).
    """
    findings = []
    found: dict[str, list[tuple[float | None, str | None, str]]] = {}
    for row in raw:
        status = status_of(row)
        joined, problem = _joined(value_of(row), row["labels"])
        if status == OK and problem is not None:
            message = joined.problem or "grades that are no whole numbers from 0 to 5"
            findings.append(reply_finding(row, problem, message, "none of it is used"))
            status = problem
        if joined.ignored:
            findings.append(ignored_finding(row, joined.ignored))
        tokens = tokens_of(row)
        expected = expected_grades(tokens, row["labels"], BEST) if tokens is not None else {}
        for identifier, label in zip(row["items"], row["labels"], strict=True):
            found.setdefault(identifier, []).append(
                _read(status, joined, label, grade_from, expected.get(label))
            )
    texts = {section["section_id"]: readable(section) for section in sections}
    asked = {row["question_id"]: row["question"] for row in questions}
    rows = []
    for own in _files(answers).values():
        for row in own:
            missing = MISSING_ITEM
            if texts.get(row["shown_section_id"]) is None:
                missing = NO_TEXT_EN
            elif not isinstance(asked.get(row["question_id"]), str):
                missing = NO_QUESTION
            readings = found.get(row["answer_id"]) or [(None, None, missing)]
            rating, said, status = max(readings, key=lambda reading: _order(reading[0]))
            rows.append(
                {
                    "answer_id": row["answer_id"],
                    "evaluator": team,
                    "submission": submission,
                    "answer_index": 0,
                    "raw": said,
                    "rating": rating,
                    "rescaled": False,
                    "status": status,
                }
            )
    return Parsed(rows, findings)


def _files(answers: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return the answers that have a text by answers file and section shown, in order."""
    files: dict[tuple[str, str], list[Row]] = {}
    for row in answers:
        if isinstance(row["answer"], str):
            name = str(row["answer_id"]).rpartition("#")[0]
            files.setdefault((name, row["shown_section_id"]), []).append(row)
    return {key: sorted(files[key], key=lambda row: str(row["answer_id"])) for key in sorted(files)}


def _order(rating: float | None) -> float:
    return -1.0 if rating is None else rating


def _read(
    status: str,
    joined: JoinedRatings,
    label: str,
    grade_from: GradeFrom,
    expected: ExpectedGrade | None,
) -> tuple[float | None, str | None, str]:
    """Return rating, what was said as JSON, and status of an answer in a reply."""
    if status != OK:
        return None, None, status
    grade = joined.ratings[label]
    if grade is None:
        return None, None, INVALID_ITEM if label in joined.invalid else MISSING_ITEM
    said: dict[str, Any] = {"grade": int(grade)}
    if grade_from == "reply":
        return float(POINTS * grade), json.dumps(said), OK
    if expected is None:
        return None, json.dumps(said), NO_LOGPROBS
    said["mass"] = None if expected.mass is None else round(expected.mass, _DECIMALS)
    if expected.value is None:
        return None, json.dumps(said), expected.reason or NO_LOGPROBS
    said["expected"] = round(expected.value, _DECIMALS)
    return round(POINTS * expected.value, _DECIMALS), json.dumps(said), OK


def _schema(names: Sequence[str]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "integer", "enum": list(range(BEST + 1))} for name in names},
        "required": list(names),
        "additionalProperties": False,
    }


def _check(names: Sequence[str]) -> Check:
    def check(reply: Reply) -> Verdict:
        return _verdict(reply.data, names)

    return check


def _verdict(data: Json, names: Sequence[str]) -> Verdict:
    joined, problem = _joined(data, names)
    if problem is not None:
        return Verdict(problem, usable=False)
    missing = sum(grade is None for grade in joined.ratings.values())
    return Verdict(MISSING_ITEM, missing=missing) if missing else Verdict()


def _joined(data: Json, names: Sequence[str]) -> tuple[JoinedRatings, str | None]:
    """Return the grades by label, and why none of them can be used, or None."""
    joined = join_ratings(data, names, BEST)
    if joined.problem is not None:
        return joined, WRONG_ITEMS
    # 0.8 or 85 says that the model graded on another scale, so its 1 or 4 is on that scale, too.
    # Read as points of 100, those show themselves.
    points = join_ratings(data, names, 100)
    values = [*joined.ratings.values(), *points.ratings.values()]
    if any(value is not None and (value > BEST or value != int(value)) for value in values):
        return joined, SCALE_SUSPECT
    return joined, None
