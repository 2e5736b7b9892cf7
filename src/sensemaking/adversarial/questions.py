"""Adversarial questions: variants of genuine ones that a good Evaluator must tell from them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from sensemaking.adversarial.choosing import Pool
from sensemaking.adversarial.shuffling import shuffle_both, shuffle_letters, shuffle_words
from sensemaking.ids import GENUINE, VARIANTS, SetName, nfc, question_id
from sensemaking.questions import ENGLISH, question_row
from sensemaking.seeds import generator
from sensemaking.statuses import BLANK, OK

UNCHANGED = "unchanged"
"""Status of a variant that is the question itself, because it has no other order."""

NO_OTHER_KIND = "no_other_kind"
"""Status where the Teacher has no question of another kind to put in."""

NO_OTHER_SENTENCE = "no_other_sentence"
"""Status where the list of sentences holds nothing but the question."""

SHUFFLES = {"W": shuffle_words, "C": shuffle_letters, "WC": shuffle_both}
"""Code of a variant that keeps the question's words or letters, to what makes it."""

Row = Mapping[str, Any]


def question_variants(
    questions: Iterable[Row],
    kinds: Mapping[str, str],
    sentences: Sequence[str],
    seed: int,
    codes: Sequence[str] = VARIANTS,
) -> list[dict[str, Any]]:
    """Return the adversarial variants of genuine questions as rows of ``questions``.

    Each knows the question that it stands for (``origin_question_id``). W, C and WC keep its
    reference answers, since they ask for the same thing; RT and Q have none, since nothing in the
    section answers them. A question without an English text keeps its place in the set, null with
    its own status.

    Args:
        questions: Rows of ``questions``; other than genuine ones are passed over.
        kinds: Section id to kind, for every section that is asked about.
        sentences: The unrelated sentences of RT.
        seed: The run's seed.
        codes: The variants wanted.

    Raises:
        ValueError: A code is unknown, or RT is wanted and there are no sentences.
    """
    unknown = [code for code in codes if code not in VARIANTS]
    if unknown:
        raise ValueError(f"unknown variant {unknown[0]!r}; known: {', '.join(VARIANTS)}")
    if "RT" in codes and not sentences:
        raise ValueError("the variant RT needs unrelated sentences; found none")
    genuine = sorted(
        (row for row in questions if row["variant"] == GENUINE), key=lambda row: row["question_id"]
    )
    unrelated = Pool(sentences)
    foreign = _Foreign(genuine, kinds, seed) if "Q" in codes else None
    # A text that stands in a set already is taken again only where no other is left, because
    # answers find their questions by text.
    used: dict[tuple[str, SetName], set[str]] = defaultdict(set)
    rows = []
    for row in genuine:
        for code in codes:
            text, status = None, row["status"]
            if isinstance(row["question"], str):
                rng = generator(seed, f"adversarial question {code}", row["question_id"])
                taken = used[_set_of(row, code)]
                text, status = _variant(row, code, rng, unrelated, foreign, taken)
                taken.add(text or "")
            references = row["references"] if code in SHUFFLES and text is not None else ()
            rows.append(_row(row, code, text, references, status))
    return rows


def with_origins(released: Iterable[Row], genuine: Iterable[Row]) -> list[dict[str, Any]]:
    """Return released adversarial questions with their origins and reference answers.

    Released files hold the questions alone. The origin is the question at the same place of the
    genuine set, if both sets are of one length; else it is not known and stays null. Variants
    W, C and WC get the references of their origin; those that a file gives itself win.

    Args:
        released: Rows of ``questions`` of adversarial variants, as read from their files.
        genuine: Rows of ``questions`` of the genuine sets.
    """
    released = list(released)
    origins = {row["question_id"]: row for row in genuine if row["variant"] == GENUINE}
    lengths: dict[tuple[str, SetName], int] = defaultdict(int)
    for row in (*origins.values(), *released):
        lengths[_set_of(row, row["variant"])] += 1
    rows = []
    for row in released:
        identifier = question_id(
            row["section_id"], row["teacher"], row["submission"], row["position"]
        )
        origin = origins.get(identifier)
        agree = lengths[_set_of(row, row["variant"])] == lengths[_set_of(row, GENUINE)]
        if origin is None or not agree:
            rows.append({**row, "origin_question_id": None})
            continue
        # Read from Parquet a list may come as an array.
        references, originals = list(row["references"]), list(row["references_original"])
        language, asked = row["language"], row["question_original"]
        if origin["language"] == ENGLISH and not isinstance(asked, str):
            # The file is an English version of nothing: the set was asked in English.
            language, asked = ENGLISH, row["question"]
        if row["variant"] in SHUFFLES and isinstance(row["question"], str) and not references:
            references = list(origin["references"])
            if language == ENGLISH:
                originals = list(references)
        rows.append(
            {
                **row,
                "question_original": asked,
                "language": language,
                "origin_question_id": identifier,
                "references": references,
                "references_original": originals,
                "status": _status_of_released(row, origin),
            }
        )
    return rows


def _status_of_released(row: Row, origin: Row) -> str:
    """Return why a variant is null, which a file cannot say, or that it is the question itself."""
    status = str(row["status"])
    if status == OK and row["question"] == origin["question"]:
        return UNCHANGED
    if status != BLANK or isinstance(row["question"], str):
        return status
    if not isinstance(origin["question"], str):
        return str(origin["status"])
    return {"RT": NO_OTHER_SENTENCE, "Q": NO_OTHER_KIND}.get(row["variant"], status)


def adversarial_questions(
    questions: Sequence[Row],
    kinds: Mapping[str, str],
    sentences: Sequence[str],
    seed: int,
    codes: Sequence[str] = VARIANTS,
) -> list[Row]:
    """Return the adversarial questions of a run: those in the materials, and variants of the rest.

    Args:
        questions: Rows of ``questions``, genuine ones and those that were released.
        kinds: Section id to kind, for every section that is asked about.
        sentences: The unrelated sentences of RT.
        seed: The run's seed.
        codes: The variants wanted.

    Raises:
        ValueError: As ``question_variants``.
    """
    released = with_origins([row for row in questions if row["variant"] != GENUINE], questions)
    return prefer_released(question_variants(questions, kinds, sentences, seed, codes), released)


def prefer_released(made: Iterable[Row], released: Iterable[Row]) -> list[Row]:
    """Return the released rows, and of the made ones those whose set was not released.

    Args:
        made: Rows of ``questions`` that were made here.
        released: Rows of ``questions`` that were read from released files.
    """
    released = list(released)
    there = {_set_of(row, row["variant"]) for row in released}
    return [*released, *(row for row in made if _set_of(row, row["variant"]) not in there)]


def _set_of(row: Row, variant: str) -> tuple[str, SetName]:
    return row["section_id"], SetName(row["teacher"], row["submission"], variant)


def _variant(
    row: Row,
    code: str,
    rng: np.random.Generator,
    unrelated: Pool,
    foreign: "_Foreign | None",
    taken: set[str],
) -> tuple[str | None, str]:
    question: str = row["question"]
    if code in SHUFFLES:
        # Letters of some scripts join when they meet in a new order.
        text = nfc(SHUFFLES[code](question, rng))
        return text, UNCHANGED if text == question else OK
    if code == "RT":
        sentences = (unrelated.ids[index] for index in unrelated.ranked(rng))
        sentence = _first_new(sentences, question, taken)
        return (None, NO_OTHER_SENTENCE) if sentence is None else (sentence, OK)
    other = _first_new(foreign.candidates(row, rng), question, taken) if foreign else None
    return (None, NO_OTHER_KIND) if other is None else (other, OK)


def _row(
    row: Row, code: str, text: str | None, references: Sequence[str], status: str
) -> dict[str, Any]:
    made = question_row(
        row["section_id"],
        SetName(row["teacher"], row["submission"], code),
        row["position"],
        question=text,
        references=references,
        status=status,
        language=row["language"],
    )
    return {**made, "origin_question_id": row["question_id"]}


def _first_new(texts: Iterable[str], question: str, taken: set[str]) -> str | None:
    """Return the first text that is neither the question nor taken, else one that is taken."""
    again = None
    for text in texts:
        if text == question:
            continue
        if text not in taken:
            return text
        again = again or text
    return again


class _Foreign:
    """The questions of each Teacher, to choose one of another kind from: a section, then one."""

    def __init__(self, genuine: Sequence[Row], kinds: Mapping[str, str], seed: int) -> None:
        self._kinds = kinds
        self._seed = seed
        by_set: dict[tuple[str, str], dict[str, dict[str, str]]] = defaultdict(dict)
        for row in genuine:
            if isinstance(row["question"], str):
                sections = by_set[row["teacher"], row["submission"]]
                own = sections.setdefault(row["section_id"], {})
                own[row["question_id"]] = row["question"]
        self._questions = by_set
        self._sections = {name: Pool(list(sections)) for name, sections in by_set.items()}
        self._pools = {
            (name, section): Pool(list(own))
            for name, sections in by_set.items()
            for section, own in sections.items()
        }
        self._other = {
            name: {
                kind: np.array([kinds[section] != kind for section in pool.ids], dtype=np.bool_)
                for kind in {kinds[section] for section in pool.ids}
            }
            for name, pool in self._sections.items()
        }

    def candidates(self, row: Row, rng: np.random.Generator) -> Iterator[str]:
        name = (row["teacher"], row["submission"])
        sections = self._sections[name]
        kind = self._kinds[row["section_id"]]
        for index in sections.ranked(rng, self._other[name][kind]):
            section = sections.ids[index]
            pool = self._pools[name, section]
            # A draw of its own for each section, so that one that is added moves no other.
            draw = generator(
                self._seed, "adversarial question Q", f"{row['question_id']} {section}"
            )
            for question in pool.ranked(draw):
                yield self._questions[name][section][pool.ids[question]]
