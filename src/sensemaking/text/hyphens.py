"""Joins the lines of a text from a PDF, and the words that were divided at line ends."""

from collections import Counter

import regex

_SPACES = regex.compile(r"\s++")
_LINE_BREAK = regex.compile(r"\r\n?+|[\n\x85\u2028]")
_SOFT_HYPHEN = regex.compile(
    r"(?<lower>[\p{L}\p{M}]\u00ad++\s{0,20}+(?=\p{Ll}))|(?<upper>\p{Lu}\p{M}*\u00ad++\s{0,20}+(?=\p{Lu}))"
    r"|\u00ad"
)
_TOKEN = regex.compile(r"[\p{L}\p{M}]++(?:[-‐][\p{L}\p{M}]++)*+")
_LEFT = regex.compile(r"[\p{L}\p{M}\p{N}'’ʼ‐./:@-]{0,60}[\p{L}\p{N}]\p{M}{0,4}$", regex.REVERSE)
_RIGHT = regex.compile(r"[\p{L}\p{N}][\p{L}\p{M}\p{N}'’ʼ‐-]{0,60}")
_LIST_MARK = regex.compile(r"(?:[•‣▪●◦∙*–—-]|\d{1,3}[.)])[^\S\r\n\x85\u2028\u2029]{1,20}+\S")
_REPEATED = regex.compile(r"[-‐](?=\p{L})")
_ADDRESS = regex.compile(r"://|www\.|@")
# "Vor- und Nachteile": the hyphen stands for the rest of a word. Left out are words that are
# syllables as well ("та", "či", "to"): they end divided words more often.
_AFTER_SUSPENDED = frozenset(
    {"und", "oder", "bzw", "sowie", "and", "or", "a", "i", "nebo", "і", "й"}
)
_UNITS = frozenset({"one", "two", "three", "four", "five", "six", "seven", "eight", "nine"})
_TENS = frozenset({"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"})
_NOT_AFTER_SELF = frozenset({"ish", "ishly", "ishness", "less", "lessly", "lessness"})


def join_lines(text: str) -> str:
    """Join the lines of each paragraph, and the parts of words divided by a hyphen at a line end.

    Blank lines stay as one blank line, the items of a list stay on lines of their own, and every
    other line break becomes a space. A hyphen at the end of a line is decided on in this order:

    1. Before a conjunction it stands for the rest of a word: it stays, with a space ("Vor- und
       Nachteile").
    2. Beside a digit, or before a capital, it stays ("1990-1995", "Nord-Süd"); before a capital
       it goes if the rest of the text has the word without it more often.
    3. Before a small letter: what is more frequent in the rest of the text, with or without the
       hyphen. If neither occurs, it stays in a word that has another hyphen ("end-to-end"), after
       "well" and "self", and in numbers ("twenty-one"); otherwise it goes ("exam-ple").

    A hyphen that is repeated on the next line, as Czech does it, is written once. Without a
    dictionary a compound that occurs once and is divided at its own hyphen is written as
    one word. Soft hyphens (U+00AD) go, with the white space that may follow inside a
    word. Letters, digits and all other characters stay as they are, in order.
    """
    text = _SOFT_HYPHEN.sub(_without_soft_hyphen, text)
    known = Counter(match[0].replace("‐", "-").casefold() for match in _TOKEN.finditer(text))
    parts: list[str] = []
    done = 0
    for match in _SPACES.finditer(text):
        breaks = len(_LINE_BREAK.findall(match[0])) + 2 * match[0].count("\u2029")
        if not breaks:
            continue
        start, end = match.span()
        keep, gap = start, " "
        if start == 0 or end == len(text):
            gap = ""
        elif breaks > 1:
            gap = "\n\n"
        elif _LIST_MARK.match(text, end):
            gap = "\n"
        elif text[start - 1] in "-‐" and _REPEATED.match(text, end):
            keep, gap = (start - 1, "") if text[start - 2 : start - 1].isalnum() else (start, " ")
        elif text[start - 1] in "-‐":
            stays, gap = _decide(text, start - 1, end, known)
            keep = start if stays else start - 1
        elif (
            text[start - 1] == "–" and text[start - 2 : start - 1].isdigit() and text[end].isdigit()
        ):
            gap = ""
        parts.extend((text[done:keep], gap))
        done = end
    parts.append(text[done:])
    return "".join(parts)


def _without_soft_hyphen(match: regex.Match[str]) -> str:
    joined = match["lower"] or match["upper"]
    if joined is None or _breaks_paragraph(joined):
        return str(match[0]).replace("\u00ad", "")
    return str(joined).rstrip().replace("\u00ad", "")


def _breaks_paragraph(text: str) -> bool:
    return len(_LINE_BREAK.findall(text)) > 1 or "\u2029" in text


def _decide(text: str, hyphen: int, end: int, known: Counter[str]) -> tuple[bool, str]:
    """Return whether a hyphen at a line end stays, and what comes in place of the line break."""
    left_match = _LEFT.search(text, max(0, hyphen - 60), hyphen)
    right_match = _RIGHT.match(text, end)
    if left_match is None or right_match is None:
        return True, " "
    left, right = str(left_match[0]), str(right_match[0])
    if right.casefold() in _AFTER_SUSPENDED:
        return True, " "
    if _ADDRESS.search(left) or left[-1].isdecimal() or right[0].isdecimal():
        return True, ""
    left = left.rsplit(".", 1)[-1].replace("‐", "-")
    with_hyphen = known[f"{left}-{right}".casefold()]
    without = known[f"{left}{right}".casefold()]
    if not right[0].islower():
        return with_hyphen >= without, ""
    if with_hyphen or without:
        return with_hyphen > without, ""
    return _is_compound(left.casefold(), right), ""


def _is_compound(left: str, right: str) -> bool:
    if "-" in left or "-" in right.rstrip("-"):
        return True
    if left == "self":
        return right not in _NOT_AFTER_SELF
    return (left == "well" and right != "ness") or (left in _TENS and right in _UNITS)
