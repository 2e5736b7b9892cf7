"""Cutting a long section into parts: by outline, chapter marks, slide changes or length."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from sensemaking.findings import Finding
from sensemaking.sectioning.length import cut_by_length
from sensemaking.sectioning.marks import Mark, find_marks, outermost
from sensemaking.sectioning.outline import OutlineEntry, locate_entries
from sensemaking.sectioning.slides import Slide, SpokenSegment, cut_at_slides
from sensemaking.text.words import words

Rule = Literal["outline", "marks", "slides", "length"]
RULES: Final[tuple[Rule, ...]] = ("outline", "marks", "slides", "length")


@dataclass(frozen=True)
class Settings:
    """How sections of a kind are cut.

    Attributes:
        rules: The rules in order of preference: the first that finds two parts is used. With
            ``length`` among them, parts that are too long are cut on.
        max_words: Most words of a part, where ``length`` is among the rules.
        min_words: A part by outline or marks with fewer words is put to the one after it, so that
            a heading or an entry of a table of contents is no part. Slides may be short.

    Raises:
        ValueError: A rule is unknown or given twice, or the numbers are not 0 ≤ min_words <
            max_words.
    """

    rules: tuple[Rule, ...] = RULES
    max_words: int = 1500
    min_words: int = 30

    def __post_init__(self) -> None:
        """Refuse what cannot be followed."""
        if (
            not self.rules
            or not set(self.rules) <= set(RULES)
            or len(set(self.rules)) < len(self.rules)
        ):
            raise ValueError(
                f"rules must be some of {', '.join(RULES)}, each once; found {self.rules}"
            )
        if not 0 <= self.min_words < self.max_words:
            raise ValueError(
                f"expected 0 ≤ min_words < max_words, found {self.min_words} and {self.max_words}"
            )


@dataclass(frozen=True)
class Sources:
    """What is known of a section besides its text.

    Attributes:
        outline: The outline of its PDF.
        page_starts: Offset in the text of each page of the PDF; see ``find_page_starts``.
        segments: The segments of its recording's transcript that are in the text.
        slides: The slides that were shown.
    """

    outline: Sequence[OutlineEntry] = ()
    page_starts: Sequence[int] = ()
    segments: Sequence[SpokenSegment] = ()
    slides: Sequence[Slide] = ()


class Part(NamedTuple):
    """A part of a section.

    Attributes:
        section_id: Its id, ``<parent_id>/~part-001`` and so on.
        parent_id: The section that it was cut from.
        text: Its text; the parts' texts joined are the text that was cut.
        title: The heading or slide that it begins with, or None.
        rule: The rule that its beginning was found by.
    """

    section_id: str
    parent_id: str
    text: str
    title: str | None
    rule: Rule


@dataclass(frozen=True)
class Cutting:
    """The outcome of cutting a section.

    Attributes:
        parts: The parts in order; none if the section stays whole.
        findings: What the rules could not use.
    """

    parts: list[Part]
    findings: list[Finding] = field(default_factory=list)


class _Cut(NamedTuple):
    offset: int
    title: str | None
    rule: Rule


def part_id(parent_id: str, number: int) -> str:
    """Return the id of a part.

    Args:
        parent_id: The section that is cut.
        number: The part's number, from 1; written with at least three digits.

    Raises:
        ValueError: The number is below 1.
    """
    if number < 1:
        raise ValueError(f"parts are numbered from 1, not {number}")
    return f"{parent_id}/~part-{number:03d}"


def may_be_cut(file_names: Iterable[str]) -> bool:
    """Tell whether a section may be cut: not if its folder has a file of questions or answers.

    Their positions and ids belong to the section as a whole.

    Args:
        file_names: Names of the files in the folder.
    """
    return not any(
        name.endswith(".json") and name.startswith(("questions", "answers")) for name in file_names
    )


def cut_section(
    section_id: str,
    text: str,
    language: str,
    settings: Settings,
    sources: Sources | None = None,
) -> Cutting:
    """Cut a section into parts.

    The parts' texts joined are exactly the text. White space at a cut belongs to the part before.

    Args:
        section_id: The section.
        text: Its text in the original language.
        language: The language, ISO 639-1 code.
        settings: The rules.
        sources: What else is known of the section.
    """
    sources = sources or Sources()
    findings: list[Finding] = []
    marks: list[Mark] = []
    cuts: list[_Cut] = []
    for rule in settings.rules:
        if rule == "slides":
            cuts = _by_slides(section_id, text, sources, findings)
        elif rule in ("outline", "marks"):
            marks = (
                _by_outline(section_id, text, sources, findings)
                if rule == "outline"
                else find_marks(text)
            )
            cuts = _merged(text, _at_marks(marks, rule), settings.min_words)
        else:
            cuts = [_Cut(0, None, rule)]
            break
        if len(cuts) > 1:
            break
        marks = []
    if not cuts or not text.strip():
        return Cutting([], findings)
    if "length" in settings.rules:
        cuts = _shortened(section_id, text, language, cuts, marks, settings, findings)
    if len(cuts) < 2:
        return Cutting([], findings)
    ends = [cut.offset for cut in cuts[1:]] + [len(text)]
    parts = [
        Part(part_id(section_id, number), section_id, text[cut.offset : end], cut.title, cut.rule)
        for number, (cut, end) in enumerate(zip(cuts, ends, strict=True), 1)
    ]
    return Cutting(parts, findings)


def _at_marks(marks: Sequence[Mark], rule: Rule) -> list[_Cut]:
    return [_Cut(mark.offset, mark.title or None, rule) for mark in outermost(marks)]


def _merged(text: str, cuts: Sequence[_Cut], min_words: int, start: int = 0) -> list[_Cut]:
    """Return cuts that begin at the start of the text and leave no part with too few words.

    A part that is too short goes to the next, which keeps its own title; the last one to the one
    before it. Text before the first mark is the first part, or goes to it.
    """
    if not cuts:
        return []
    pending = list(cuts) if cuts[0].offset == start else [_Cut(start, None, cuts[0].rule), *cuts]
    ends = [cut.offset for cut in pending[1:]] + [len(text)]
    kept: list[_Cut] = []
    carried: int | None = None
    for cut, end in zip(pending, ends, strict=True):
        begin = cut.offset if carried is None else carried
        if len(words(text[begin:end])) < max(min_words, 1):
            carried = begin
            continue
        kept.append(_Cut(begin, cut.title, cut.rule))
        carried = None
    return kept


def _shortened(
    section_id: str,
    text: str,
    language: str,
    cuts: Sequence[_Cut],
    marks: Sequence[Mark],
    settings: Settings,
    findings: list[Finding],
) -> list[_Cut]:
    """Return the cuts and further ones: at inner headings, then by length, where it is needed."""
    result: list[_Cut] = []
    inside = 0
    ends = [cut.offset for cut in cuts[1:]] + [len(text)]
    for cut, end in zip(cuts, ends, strict=True):
        inner = [mark for mark in marks if cut.offset < mark.offset < end]
        long = len(words(text[cut.offset : end])) > settings.max_words
        deeper = _inner(text[:end], cut, inner, settings.min_words) if long else []
        if deeper:
            result += _shortened(
                section_id, text[:end], language, deeper, inner, settings, findings
            )
            continue
        result.append(cut)
        if long:
            found = cut_by_length(text[cut.offset : end], language, settings.max_words)
            result += [_Cut(cut.offset + offset, cut.title, "length") for offset in found.offsets]
            inside += found.inside_sentences
    if inside:
        message = (
            f"{inside} cuts lie inside sentences, because no sentence ends within "
            f"{settings.max_words} words; check the text's punctuation"
        )
        findings.append(_finding(section_id, "cut_inside_sentence", message))
    return result


def _inner(text: str, cut: _Cut, marks: Sequence[Mark], min_words: int) -> list[_Cut]:
    """Return cuts at the outermost level of inner headings that gives two parts, or none."""
    while marks:
        chosen = outermost(marks)
        cuts = _merged(text, _at_marks(marks, cut.rule), min_words, start=cut.offset)
        if len(cuts) > 1:
            first = cuts[0] if cuts[0].title else cuts[0]._replace(title=cut.title)
            return [first, *cuts[1:]]
        deepest = max(mark.level for mark in chosen)
        marks = [mark for mark in marks if mark.level > deepest]
    return []


def _by_outline(
    section_id: str, text: str, sources: Sources, findings: list[Finding]
) -> list[Mark]:
    located = locate_entries(text, sources.outline, sources.page_starts)
    if located.missing:
        message = (
            f"{len(located.missing)} of {len(sources.outline)} entries of the outline have no "
            f"place in the text, the first is {located.missing[0]!r}"
        )
        findings.append(_finding(section_id, "outline_not_in_text", message))
    if located.by_page:
        message = (
            f"{len(located.by_page)} of {len(sources.outline)} titles of the outline are not on "
            f"their page, the first is {located.by_page[0]!r}; the page's beginning is taken"
        )
        findings.append(_finding(section_id, "outline_by_page", message))
    return located.marks


def _by_slides(section_id: str, text: str, sources: Sources, findings: list[Finding]) -> list[_Cut]:
    if not sources.slides:
        return []
    if not sources.segments:
        message = (
            "there are slide changes but no transcript with times, so they have no place in the "
            "text; the next rule is used"
        )
        findings.append(_finding(section_id, "slides_without_times", message))
        return []
    try:
        found = cut_at_slides(text, sources.segments, sources.slides)
    except ValueError as error:
        message = f"the transcript's segments are not the section's text: {error}"
        findings.append(_finding(section_id, "segments_not_text", message))
        return []
    if found.silent:
        first = found.silent[0]
        message = (
            f"nothing is said during {len(found.silent)} of {len(sources.slides)} slides, the "
            f"first from {first.start_s:g} s on; they give no part"
        )
        findings.append(_finding(section_id, "silent_slides", message))
    return [
        _Cut(offset, slide.title, "slides")
        for offset, slide in zip(found.offsets, found.slides, strict=True)
    ]


def _finding(section_id: str, code: str, message: str) -> Finding:
    return Finding(section_id, "", code, "warning", message, "cut as said")
