"""Which files of answers Evaluators rate, and which item of a file belongs to which answer."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from sensemaking.findings import Finding
from sensemaking.io.release import Released, is_of_answers
from sensemaking.released_answers import AnswerFile, ReleasedAnswers
from sensemaking.statuses import NO_ANSWER
from sensemaking.submission_rows import STALE_RELEASE, RatedSet, answers_key, rated_sets

Row = Mapping[str, Any]


def whole_rated_sets(answers: Iterable[Row], questions: Iterable[Row]) -> dict[str, RatedSet]:
    """Return the files of answers as they are sent out: with a place for every question.

    A question without an answer keeps its place, so that ratings can be counted, but has nothing
    to rate.

    Args:
        answers: Rows of ``answers``.
        questions: Rows of ``questions``, of which the answers are.
    """
    sets: dict[str, list[Row]] = defaultdict(list)
    for question in questions:
        sets[_set_of(question["question_id"])].append(question)
    given = list(answers)
    places: dict[tuple[str, str], set[str]] = defaultdict(set)
    first: dict[tuple[str, str], Row] = {}
    for row in given:
        key = (answers_key(row)[0], _set_of(row["question_id"]))
        places[key].add(row["question_id"])
        first[key] = row
    blank = [
        {
            **first[key],
            "answer_id": f"{_set_of(first[key]['answer_id'])}#{question['position']:03d}",
            "question_id": question["question_id"],
            "answer": None,
            "status": NO_ANSWER,
        }
        for key, there in places.items()
        for question in sets[key[1]]
        if question["question_id"] not in there
    ]
    found = rated_sets([*given, *blank], [row for rows in sets.values() for row in rows])
    return {
        key: replace(
            one,
            answer_ids=tuple(
                name if n else None for name, n in zip(one.answer_ids, one.n_answers, strict=True)
            ),
        )
        for key, one in found.items()
    }


def rated_files(
    released: ReleasedAnswers, rated: Mapping[str, RatedSet], manifest: Iterable[Released]
) -> dict[str, RatedSet]:
    """Return what Evaluators rate, with the items of released files in the order of the files.

    Places of a released file that belong to no answer of the run have nothing to rate, so that an
    Evaluator is never blamed for them. The same holds for files that are not there any more.

    Args:
        released: The released files.
        rated: Key to file of answers, as they would be sent out now.
        manifest: The files that the release names.
    """
    places = {
        name: (questions, n)
        for one in rated.values()
        for questions, name, n in zip(one.questions, one.answer_ids, one.n_answers, strict=True)
        if name is not None
    }
    result = dict(rated)
    for file in manifest:
        if is_of_answers(file) and file.path not in rated:
            n = file.n_items
            result[file.path] = RatedSet(((),) * n, (None,) * n, (0,) * n)
    for key, names in released.items.items():
        found = [places.get(name) if name is not None else None for name in names]
        result[key] = RatedSet(
            tuple(one[0] if one else () for one in found),
            tuple(name if one else None for name, one in zip(names, found, strict=True)),
            tuple(one[1] if one else 0 for one in found),
        )
    return result


def missing_files(
    manifest: Iterable[Released], files: Iterable[AnswerFile], kinds: Collection[str]
) -> list[Finding]:
    """Return a finding for each released file of answers that is not there any more.

    Args:
        manifest: The files that the release names.
        files: The files of answers that are there.
        kinds: The kinds of the run; files of others are not looked for.
    """
    there = {f"{file.section_id}/{file.name}.json" for file in files}
    message = (
        "the manifest names this file, and it is not there; put back what was sent, else ratings "
        "of it belong to nothing"
    )
    return [
        Finding(file.path, "", STALE_RELEASE, "error", message, "its ratings are not joined")
        for file in manifest
        if is_of_answers(file) and file.path not in there and file.path.partition("/")[0] in kinds
    ]


def _set_of(identifier: str) -> str:
    return str(identifier).rpartition("#")[0]
