"""What tests of reading submissions share: sections, sets, and what a reading says."""

import json
from typing import Any

from sensemaking.io.submission_model import Role, Submission
from sensemaking.io.submissions import read_bytes

SECTION = "nmt-class/lecture01/slide01"
OTHER = "ukr-biology/Тема03"
SECTIONS = [SECTION, OTHER, "nmt-class/lecture01/slide02"]
SET = f"{SECTION}/questions_by_Blue_PRIMARY.json"
RATED = f"{SECTION}/answers_by_Red_PRIMARY_to_Blue_PRIMARY.json"
QUESTIONS = ["What is a token?", "Why are words split?", "How many merges are usual?"]
ASKED = {SET: QUESTIONS}
TO_RATE = {RATED: QUESTIONS}


def read_value(
    value: Any,
    role: Role = "teacher",
    known: Any = None,
    sections: Any = SECTIONS,
) -> Submission:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_bytes(data, role, sections, known, file="file.json")


def codes(submission: Submission, severity: str | None = None) -> set[str]:
    return {
        finding.code
        for finding in submission.findings
        if severity is None or finding.severity == severity
    }


def errors(submission: Submission) -> set[str]:
    return codes(submission, "error")


def texts(submission: Submission) -> dict[int, tuple[str, ...]]:
    return {item.position: item.texts for item in submission.items}


def answers(submission: Submission) -> dict[int, str | None]:
    return {item.position: item.answer for item in submission.items}


def ratings(submission: Submission) -> dict[int, list[float | None]]:
    return {item.position: [r.value for r in item.ratings] for item in submission.items}
