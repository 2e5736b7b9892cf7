"""Translation memories in TMX 1.4 (Translation Memory eXchange): reading and writing.

The XML is read entry by entry with lxml. No document type, no external entity and nothing from a
network is loaded.
"""

import html
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lxml import etree

from sensemaking.findings import Finding
from sensemaking.io.files import replacing
from sensemaking.text.languages import UnknownLanguageError, canonical

_XML_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_CODES: Final = frozenset({"bpt", "ept", "ph", "it", "ut"})
"""Elements of a segment whose content is formatting codes, not text."""
_REFERENCE: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|amp|lt|gt|quot|apos|nbsp);")

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class TmxError(ValueError):
    """A file is no translation memory; the message names file, line and what was expected."""


@dataclass(frozen=True)
class TranslationMemory:
    """What a TMX file holds.

    Attributes:
        units: Its units in order, each a mapping from ISO 639-1 code to text.
        findings: What of it could not be used, and what is doubtful.
    """

    units: tuple[Mapping[str, str], ...]
    findings: tuple[Finding, ...]


def read_tmx(path: str | Path) -> TranslationMemory:
    """Read a translation memory.

    Texts are those of the segments without formatting codes, white space around them removed.
    Variants that are marked as HTML (``datatype="html"`` on the variant, its unit or the header)
    had their entities escaped by who made them; they are unescaped once.

    Args:
        path: The file.

    Raises:
        TmxError: The file is no TMX.
        OSError: It cannot be read.
    """
    path = Path(path)
    units: list[dict[str, str]] = []
    counts = {"html": 0, "entities": 0, "no_language": 0, "unusable": 0}
    unknown: set[str] = set()
    datatype = ""
    root_seen = False
    with open(path, "rb") as file:
        try:
            for event, element in _elements(file):
                name = _name(element)
                if name == "tmx":
                    root_seen = True
                elif name == "header":
                    datatype = element.get("datatype", "")
                elif event == "end":
                    unit = _unit(element, datatype, counts, unknown)
                    if len(unit) > 1:
                        units.append(unit)
                    else:
                        counts["unusable"] += 1
                    _forget(element)
        except etree.XMLSyntaxError as error:
            raise TmxError(f"{path}: no TMX file, not even XML: {error.msg}") from error
    if not root_seen:
        raise TmxError(f"{path}: no TMX file; expected the element tmx")
    return TranslationMemory(tuple(units), tuple(_findings(path, counts, unknown)))


def write_tmx(
    path: str | Path, units: Iterable[Mapping[str, str]], *, source_language: str = "*all*"
) -> None:
    """Write a translation memory, all or nothing; the same units give the same bytes.

    Characters that XML cannot hold, such as controls from PDF files, are left out.

    Args:
        path: Where to.
        units: Units, each a mapping from ISO 639-1 code to text.
        source_language: The language that all were translated from; ``*all*`` if it differs.
    """
    root = etree.Element("tmx", version="1.4")
    header = {
        "creationtool": "sensemaking",
        "creationtoolversion": "1",
        "segtype": "sentence",
        "o-tmf": "text",
        "adminlang": "en",
        "srclang": source_language,
        "datatype": "plaintext",
    }
    etree.SubElement(root, "header", header)
    body = etree.SubElement(root, "body")
    for unit in units:
        element = etree.SubElement(body, "tu")
        for language, text in unit.items():
            variant = etree.SubElement(element, "tuv", {_XML_LANG: language})
            etree.SubElement(variant, "seg").text = _NOT_XML.sub("", text)
    data: bytes = etree.tostring(root, encoding="utf-8", xml_declaration=True, pretty_print=True)
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def _elements(file: Any) -> Any:
    return etree.iterparse(
        file,
        events=("start", "end"),
        tag=("{*}tmx", "{*}header", "{*}tu"),
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
    )


def _name(element: Any) -> str:
    return str(etree.QName(element).localname)


def _forget(element: Any) -> None:
    """Free what was read, so that memories of any size can be."""
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def _unit(
    element: Any, header_datatype: str, counts: dict[str, int], unknown: set[str]
) -> dict[str, str]:
    unit: dict[str, str] = {}
    for variant in element.iterchildren("{*}tuv"):
        given = variant.get(_XML_LANG) or variant.get("lang")
        if not given:
            counts["no_language"] += 1
            continue
        try:
            language = canonical(given)
        except UnknownLanguageError:
            unknown.add(given)
            continue
        segment = next(variant.iterchildren("{*}seg"), None)
        text = "" if segment is None else _text(segment).strip()
        marked = variant.get("datatype") or element.get("datatype") or header_datatype
        if marked.lower() == "html":
            unescaped = html.unescape(text)
            counts["html"] += unescaped != text
            text = unescaped
        elif _REFERENCE.search(text):
            counts["entities"] += 1
        # Of two variants of one language, en-GB and en-US, the first is the one.
        if text and language not in unit:
            unit[language] = text
    return unit


def _text(element: Any) -> str:
    parts = [element.text or ""]
    for child in element:
        if child.tag is etree.Entity:
            raise TmxError(
                f"line {child.sourceline}: the entity {child.text} is not one of XML's own; "
                "write the character itself"
            )
        if isinstance(child.tag, str) and _name(child) not in _CODES:
            parts.append(_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _findings(path: Path, counts: Mapping[str, int], unknown: Iterable[str]) -> Iterable[Finding]:
    def finding(code: str, severity: Any, message: str, action: str) -> Finding:
        return Finding(path.name, "", code, severity, message, action)

    if counts["unusable"]:
        yield finding(
            "memory_unit",
            "warning",
            f"{counts['unusable']} units have no text in two known languages",
            "they are left out",
        )
    if counts["no_language"] or unknown:
        codes = f" or unknown ones ({', '.join(sorted(unknown))})" if unknown else ""
        yield finding(
            "memory_language",
            "warning",
            f"variants have no xml:lang{codes}; expected an ISO 639 code",
            "they are left out",
        )
    if counts["html"]:
        yield finding(
            "memory_html",
            "info",
            f"{counts['html']} variants are marked as HTML and hold entities",
            "unescaped once",
        )
    if counts["entities"]:
        yield finding(
            "memory_entities",
            "warning",
            f"{counts['entities']} variants hold entities such as &#39; but are not marked as "
            'HTML; if they were made in HTML mode, set datatype="html" on them',
            "read as they are",
        )
