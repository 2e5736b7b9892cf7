"""From the folder of a kind to rows of ``materials/sections``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from sensemaking.findings import Finding
from sensemaking.ids import nfc
from sensemaking.io.decoding import Decoded, UndecodableError, decode
from sensemaking.io.files import sha256_of
from sensemaking.io.materials import PDF, RECORDINGS, TEXT_EN, Folder
from sensemaking.modalities import source_of_text
from sensemaking.statuses import NOT_TRANSLATED, OK
from sensemaking.text.words import words

_T = TypeVar("_T")

ENGLISH = "en"
ORIGINAL = "original"

NO_TEXT = "no_text"
EMPTY_TEXT = "empty_text"
NOT_READ = {**dict.fromkeys(RECORDINGS, "recording_not_transcribed"), PDF: "pdf_not_read"}
"""File that another stage reads to the status of a section if none has read it."""
UNDECODABLE = "undecodable"
UNREADABLE = "unreadable"
NAME_COLLISION = "name_collision"


@dataclass(frozen=True)
class KindRules:
    """What of a kind's configuration decides how its sections are read.

    Attributes:
        kind: The kind.
        language: Language of its texts.
        text_from: Sources of a text, in order of preference.
        sub_kinds: Sub-kind to its folder patterns, in order.
    """

    kind: str
    language: str
    text_from: tuple[str, ...]
    sub_kinds: Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Extracted:
    """What another stage made of a recording or a PDF.

    Attributes:
        text: Its text, or None.
        status: ``ok``, or why there is none.
        origin: What ``text_origin`` shows: the file, or the engine that recognised the speech.
        sha256: SHA-256 of the file; None if it could not be read.
    """

    text: str | None
    status: str
    origin: str
    sha256: str | None


@dataclass(frozen=True)
class Read:
    """Rows and what was found wrong while they were made."""

    rows: list[dict[str, Any]]
    findings: list[Finding]


@dataclass(frozen=True)
class _Text:
    text: str | None
    status: str
    origin: str | None = None
    sha256: str | None = None


def read_sections(
    folders: Sequence[Folder],
    rules: KindRules,
    extracted: Mapping[tuple[str, str], Extracted] | None = None,
) -> Read:
    """Return a row of ``materials/sections`` for each folder.

    A section whose text cannot be had keeps its row, with null texts and a status that says why.

    Args:
        folders: The sections of the kind.
        rules: The kind's rules.
        extracted: What was made of recordings and PDFs, by section_id and name of the file. The
            stages that made it have reported what is wrong with these files.
    """
    findings: list[Finding] = []
    rows = [_row(folder, rules, extracted or {}, findings) for folder in folders]
    return Read(rows, findings)


def place_of(section_id: str) -> tuple[str | None, str | None]:
    """Return source and chapter of ``<kind>/[<source>/][<chapter>/]<section>``.

    One folder between kind and section is the chapter; of several the first is the source and the
    others together are the chapter.
    """
    between = section_id.split("/")[1:-1]
    if not between:
        return None, None
    if len(between) == 1:
        return None, between[0]
    return between[0], "/".join(between[1:])


def sub_kind_of(section_id: str, sub_kinds: Mapping[str, Sequence[str]]) -> str | None:
    """Return the first sub-kind with a pattern that a folder below the kind fits, or None.

    Args:
        section_id: The section.
        sub_kinds: Sub-kind to patterns, in which only ``*`` and ``?`` have a meaning.
    """
    folders = section_id.split("/")[1:]
    for sub_kind, patterns in sub_kinds.items():
        # Brackets are common in folder names, so they stand for themselves.
        literal = [nfc(pattern).replace("[", "[[]") for pattern in patterns]
        if any(fnmatchcase(folder, pattern) for pattern in literal for folder in folders):
            return sub_kind
    return None


def modality_of(folder: Folder) -> str:
    """Return what the section is a record of: video or audio, else a PDF, else text."""
    for name, modality in RECORDINGS.items():
        if name in folder.files:
            return modality
    return "pdf" if PDF in folder.files else "text"


def _row(
    folder: Folder,
    rules: KindRules,
    extracted: Mapping[tuple[str, str], Extracted],
    findings: list[Finding],
) -> dict[str, Any]:
    original = _original(folder, rules, extracted, findings)
    english = _english(folder, rules, original, findings)
    source, chapter = place_of(folder.section_id)
    status = original.status if original.text is None else english.status
    return {
        "section_id": folder.section_id,
        "kind": rules.kind,
        "sub_kind": sub_kind_of(folder.section_id, rules.sub_kinds),
        "source": source,
        "chapter": chapter,
        "parent_id": None,
        "language": rules.language,
        "modality": modality_of(folder),
        "text": original.text,
        "text_en": english.text,
        "n_words_en": None if english.text is None else len(words(english.text)),
        "text_origin": original.origin,
        "text_en_origin": english.origin,
        "source_sha256": original.sha256,
        "status": status,
    }


def _original(
    folder: Folder,
    rules: KindRules,
    extracted: Mapping[tuple[str, str], Extracted],
    findings: list[Finding],
) -> _Text:
    if folder.collides:
        return _Text(None, NAME_COLLISION)
    name = source_of_text(folder.files, rules.text_from, rules.language)
    if name is None:
        wanted = ", ".join(rules.text_from)
        message = f"the folder has no file that gives a text; expected one of: {wanted}"
        findings.append(_finding(folder, "", NO_TEXT, message, "warning"))
        return _Text(None, NO_TEXT)
    if name not in NOT_READ:
        language = ENGLISH if name == TEXT_EN else rules.language
        return _read_text(folder, name, language, findings)
    found = extracted.get((folder.section_id, name))
    if found is None:
        message = f"the section's text would come from {name}, which no stage has read"
        findings.append(_finding(folder, name, NOT_READ[name], message, "warning"))
        return _Text(None, NOT_READ[name], sha256=_read(sha256_of, folder, name, findings))
    if found.text is None:
        return _Text(None, found.status, sha256=found.sha256)
    return _Text(found.text, OK, found.origin, found.sha256)


def _english(folder: Folder, rules: KindRules, original: _Text, findings: list[Finding]) -> _Text:
    if folder.collides:
        return _Text(None, NAME_COLLISION)
    if rules.language == ENGLISH:
        if TEXT_EN in folder.files and original.origin != TEXT_EN:
            message = "the kind is in English, so its text needs no English version"
            findings.append(_finding(folder, TEXT_EN, "superfluous_file", message, "info"))
        return _Text(original.text, original.status, ORIGINAL if original.text else None)
    if TEXT_EN not in folder.files:
        return _Text(None, NOT_TRANSLATED)
    english = _read_text(folder, TEXT_EN, ENGLISH, findings)
    return english if english.text is not None else _Text(None, f"english_{english.status}")


def _read_text(folder: Folder, name: str, language: str, findings: list[Finding]) -> _Text:
    data = _read(Path.read_bytes, folder, name, findings)
    if data is None:
        return _Text(None, UNREADABLE)
    try:
        decoded: Decoded = decode(data, language)
    except UndecodableError as error:
        findings.append(_finding(folder, name, UNDECODABLE, str(error), "error"))
        return _Text(None, UNDECODABLE)
    if decoded.warning is not None:
        findings.append(_finding(folder, name, "doubtful_encoding", decoded.warning, "warning"))
    if not words(decoded.text):
        message = "the file holds no word; expected the section's text"
        findings.append(_finding(folder, name, EMPTY_TEXT, message, "error"))
        return _Text(None, EMPTY_TEXT)
    return _Text(decoded.text, OK, name, sha256(data).hexdigest())


def _read(
    how: Callable[[Path], _T], folder: Folder, name: str, findings: list[Finding]
) -> _T | None:
    try:
        return how(folder.files[name])
    except OSError as error:
        message = f"the file cannot be opened ({error.strerror}); let it be read"
        findings.append(_finding(folder, name, UNREADABLE, message, "error"))
        return None


def _finding(folder: Folder, name: str, code: str, message: str, severity: Any) -> Finding:
    file = f"{folder.section_id}/{name}" if name else folder.section_id
    action = "none" if severity == "info" else "read" if code == "doubtful_encoding" else "no text"
    return Finding(file, "", code, severity, message, action)
