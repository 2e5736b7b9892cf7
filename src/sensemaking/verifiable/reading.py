"""Recounting verifiable data from the texts alone, and finding what was changed in them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sensemaking.verifiable.data import (
    DocumentData,
    Mismatch,
    SummaryData,
    UnusableDataError,
    VerifiableData,
    parse,
)
from sensemaking.verifiable.generator import (
    FORMAT,
    MENTIONED,
    SUMMARIES,
    WRONG,
    make_report,
    make_summaries,
    make_wrong_values,
)
from sensemaking.verifiable.statements import (
    FACTS,
    FILLERS,
    TITLE,
    Report,
    sentence_pattern,
    sentences,
)

_TITLE = sentence_pattern(TITLE)


@dataclass(frozen=True, order=True)
class Count:
    """The two truths about a summary.

    Attributes:
        document: Its document.
        item: Its id.
        n_mentioned: How many facts of the report it mentions.
        n_wrong: How many of them it gives another value than the report.
    """

    document: str
    item: str
    n_mentioned: int
    n_wrong: int


@dataclass
class _Reading:
    """What sentences state: values by fact, the two names, and what could not be read."""

    values: dict[str, list[str]] = field(default_factory=dict)
    institutes: set[str] = field(default_factory=set)
    prizes: set[str] = field(default_factory=set)
    others: list[str] = field(default_factory=list)


def _read(lines: list[str]) -> _Reading:
    reading = _Reading()
    for line in lines:
        for fact in FACTS:
            if match := fact.pattern.fullmatch(line):
                names = match.groupdict()
                reading.values.setdefault(fact.key, []).append(names["value"])
                reading.institutes |= {names["institute"]} if "institute" in names else set()
                reading.prizes |= {names["prize"]} if "prize" in names else set()
                break
        else:
            reading.others.append(line)
    return reading


def recount(data: Mapping[str, Any]) -> list[Count]:
    """Count mentioned and wrong facts by reading the reports and the summaries.

    Counts and seed that the data hold are not looked at. Each sentence of a summary is matched with
    the sentences of :mod:`sensemaking.verifiable.statements` and its value compared with the
    report's.

    Args:
        data: What a JSON file holds; see :func:`sensemaking.verifiable.generate`.

    Returns:
        The counts in the order of the data.

    Raises:
        UnusableDataError: The data have another form, a report does not state each fact once, or a
            sentence of a summary states no fact of its report.
    """
    counts: list[Count] = []
    mismatches: list[Mismatch] = []
    for pointer, found in _located(parse(data)):
        report, wrong = _read_report(found.source, f"{pointer}/source")
        mismatches += wrong
        if report:
            for place, summary in enumerate(found.summaries):
                count, wrong = _count(
                    found.document, summary, report, f"{pointer}/summaries/{place}/text"
                )
                mismatches += wrong
                counts.append(count)
    if mismatches:
        raise UnusableDataError(mismatches)
    return counts


def verify(data: Mapping[str, Any]) -> list[Mismatch]:
    """Return all that is not as it must be; nothing if the data are sound.

    The texts are enough for it: the report determines its summaries, so that a changed, exchanged,
    added or missing sentence shows even where both counts stay right. The order of documents, of
    summaries and of sentences is free. Counts that the data hold must be those of :func:`recount`,
    and a seed that they hold must give these reports; without them nothing else changes.

    Args:
        data: What a JSON file holds; see :func:`sensemaking.verifiable.generate`.
    """
    try:
        parsed = parse(data)
    except UnusableDataError as error:
        return error.mismatches
    found = list(_of_the_whole(parsed))
    for pointer, document in _located(parsed):
        report, wrong = _read_report(document.source, f"{pointer}/source")
        found += wrong
        if report:
            found += _of_a_document(document, report, pointer)
            if parsed.seed is not None:
                found += _of_the_seed(parsed.seed, document, report, pointer)
    return found


def _located(data: VerifiableData) -> Iterator[tuple[str, DocumentData]]:
    for place, document in enumerate(data.documents):
        yield f"/documents/{place}", document


def _read_report(text: str, pointer: str) -> tuple[Report | None, list[Mismatch]]:
    lines = sentences(text)
    reading = _read(lines)
    fillers = [line for line in reading.others if line in FILLERS]
    titles = [match for line in reading.others if (match := _TITLE.fullmatch(line))]
    strange = [
        line for line in reading.others if line not in FILLERS and not _TITLE.fullmatch(line)
    ]
    institutes = reading.institutes | {match["institute"] for match in titles}
    wrong = [
        Mismatch(pointer, "report_sentence", f"no report holds the sentence {line!r}")
        for line in strange
    ]
    for fact in FACTS:
        if (n := len(reading.values.get(fact.key, []))) != 1:
            wrong.append(
                Mismatch(
                    pointer, "report_fact", f"the report states {fact.key} {n} times, not once"
                )
            )
    if len(titles) != 1 or _TITLE.fullmatch(lines[0]) is None:
        wrong.append(Mismatch(pointer, "report_title", "the first sentence must be the only title"))
    if len(fillers) != 3 or len(set(fillers)) != 3:
        wrong.append(
            Mismatch(
                pointer,
                "report_filler",
                f"the report holds {len(fillers)} sentences without a fact, not 3 different ones",
            )
        )
    if len(institutes) != 1 or len(reading.prizes) != 1:
        wrong.append(
            Mismatch(
                pointer,
                "report_names",
                f"the report names {sorted(institutes)} and {sorted(reading.prizes)}, "
                "not one institute and one prize",
            )
        )
    if wrong:
        return None, wrong
    values = {key: stated[0] for key, stated in reading.values.items()}
    return Report(institutes.pop(), reading.prizes.pop(), values, tuple(sorted(fillers))), []


def _count(
    document: str, summary: SummaryData, report: Report, pointer: str
) -> tuple[Count, list[Mismatch]]:
    reading = _read(sentences(summary.text))
    wrong = [
        Mismatch(pointer, "sentence", f"{line!r} states no fact of the report")
        for line in reading.others
    ]
    foreign = (reading.institutes - {report.institute}) | (reading.prizes - {report.prize})
    if foreign:
        wrong.append(Mismatch(pointer, "names", f"the report does not speak of {sorted(foreign)}"))
    n_wrong = sum(
        any(value != report.values[key] for value in stated)
        for key, stated in reading.values.items()
    )
    return Count(document, summary.item, len(reading.values), n_wrong), wrong


def _of_the_whole(data: VerifiableData) -> Iterator[Mismatch]:
    if data.format not in (None, FORMAT):
        yield Mismatch("/format", "format", f"found {data.format!r}, expected {FORMAT!r}")
    names = [document.document for document in data.documents]
    expected = [f"D{number}" for number in range(1, len(names) + 1)]
    if not names or sorted(names) != sorted(expected):
        yield Mismatch(
            "/documents", "documents", f"found {', '.join(names) or 'none'}, expected D1, D2, …"
        )


def _of_a_document(document: DocumentData, report: Report, pointer: str) -> Iterator[Mismatch]:
    wrong_values = make_wrong_values(document.document, report)
    determined = {summary.item: summary for summary in make_summaries(document.document, report)}
    counts = []
    for place, summary in enumerate(document.summaries):
        here = f"{pointer}/summaries/{place}"
        count, wrong = _count(document.document, summary, report, f"{here}/text")
        counts.append(count)
        yield from wrong
        yield from _of_the_values(summary, report, wrong_values, f"{here}/text")
        for name in ("n_mentioned", "n_wrong"):
            stored, counted = getattr(summary, name), getattr(count, name)
            if stored is not None and stored != counted:
                yield Mismatch(f"{here}/{name}", "count", f"found {stored}, recounted {counted}")
        if summary.item not in determined:
            yield Mismatch(f"{here}/item", "item", f"the document has no summary {summary.item!r}")
            continue
        expected = Counter(determined[summary.item].sentences)
        present = Counter(sentences(summary.text))
        if present != expected:
            added = ", ".join(repr(line) for line in (present - expected).elements()) or "nothing"
            gone = ", ".join(repr(line) for line in (expected - present).elements()) or "nothing"
            yield Mismatch(
                f"{here}/text",
                "text",
                f"the report determines another summary: here are {added} and missing {gone}",
            )
    items = [summary.item for summary in document.summaries]
    if len(items) != SUMMARIES or len(set(items)) != SUMMARIES:
        yield Mismatch(
            f"{pointer}/summaries",
            "summaries",
            f"found {len(items)} summaries with {len(set(items))} ids, expected {SUMMARIES}",
        )
    for name, pattern in (("n_mentioned", MENTIONED), ("n_wrong", WRONG)):
        numbers = sorted(getattr(count, name) for count in counts)
        if numbers != sorted(pattern):
            yield Mismatch(
                f"{pointer}/summaries",
                "counts",
                f"the summaries' {name} are {numbers}, expected {sorted(pattern)}",
            )


def _of_the_values(
    summary: SummaryData, report: Report, wrong_values: dict[str, str], pointer: str
) -> Iterator[Mismatch]:
    for key, stated in _read(sentences(summary.text)).values.items():
        if len(stated) > 1:
            yield Mismatch(pointer, "fact_twice", f"{key} is stated {len(stated)} times")
        for value in stated:
            if value not in (report.values[key], wrong_values[key]):
                yield Mismatch(
                    pointer,
                    "value",
                    f"{key} is given as {value}, which is neither the report's "
                    f"{report.values[key]} nor its wrong value {wrong_values[key]}",
                )


def _of_the_seed(
    seed: int, document: DocumentData, report: Report, pointer: str
) -> Iterator[Mismatch]:
    expected, text = make_report(seed, document.document)
    if Counter(sentences(document.source)) != Counter(sentences(text)):
        differing = [
            fact.key for fact in FACTS if report.values[fact.key] != expected.values[fact.key]
        ]
        yield Mismatch(
            f"{pointer}/source",
            "seed",
            f"the seed {seed} gives another report: {', '.join(differing) or 'other names'} differ",
        )
