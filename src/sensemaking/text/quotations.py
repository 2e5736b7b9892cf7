"""Finds pairs of brackets and quotation marks, and those that stand inside a sentence."""

from typing import NamedTuple

import regex

_MARK = regex.compile(r"[()\[\]\"“”„«»‹›‚‘’]")
_OPENING_OF = {
    ")": "(",
    "]": "[",
    '"': '"',
    "”": "“„”",
    "“": "„“",
    "»": "«»",
    "«": "»",
    "›": "‹›",
    "‹": "›",
    "’": "‘‚",
    "‘": "‚",
}
_ALWAYS_OPENING = "([„‚"
_BEFORE_OPENING = '([{—–-/"“„«»‘‚'
_EITHER = '"“«»‹›‘'
_LONGEST = 300
_DEEPEST = 20


class Pair(NamedTuple):
    """Positions of an opening mark and of its closing mark."""

    opening: int
    closing: int


def pairs(text: str) -> list[Pair]:
    """Pair brackets and quotation marks of all four languages' styles.

    A mark that may be either (``"``, ``“``, ``»``) opens after white space, a dash or another
    mark and before anything but white space, or before a letter if it has nothing to close; else
    it closes. An apostrophe closes nothing unless a
    single quotation mark is open. Pairs of more than 300 characters are taken to be errors of
    typing, and are left out.

    Returns:
        The pairs in order of their opening marks.
    """
    found: list[Pair] = []
    open_marks: list[int] = []
    for match in _MARK.finditer(text):
        mark, position = match[0], match.start()
        if mark in _ALWAYS_OPENING or (mark not in ")]" and _opens(text, position)):
            open_marks.append(position)
            del open_marks[:-_DEEPEST]
            continue
        for index in range(len(open_marks) - 1, -1, -1):
            if text[open_marks[index]] in _OPENING_OF.get(mark, ""):
                if position - open_marks[index] <= _LONGEST:
                    found.append(Pair(open_marks[index], position))
                del open_marks[index:]
                break
        else:
            if mark in _EITHER and text[position + 1 : position + 2].isalnum():
                open_marks.append(position)
    return sorted(found)


def _opens(text: str, position: int) -> bool:
    before = text[position - 1 : position]
    after = text[position + 1 : position + 2]
    free_before = before.isspace() or before in _BEFORE_OPENING  # nothing at all is in it
    return free_before and bool(after) and not after.isspace()


def inner_spans(text: str, found: list[Pair]) -> list[Pair]:
    """Return the pairs in which no sentence may end, outermost ones only, in order.

    These are brackets that open inside a sentence, and quotations that are a part of one (a
    title: no colon, comma or dash before it, and the sentence goes on in small letters).
    """
    inner: list[Pair] = []
    for pair in found:
        if inner and pair.opening < inner[-1].closing:
            continue
        before = text[max(0, pair.opening - 20) : pair.opening].rstrip()
        if not before:
            continue
        if text[pair.opening] in "([":
            if before[-1] not in ".!?…:":
                inner.append(pair)
        elif before[-1].isalnum() and _goes_on(text, pair.closing + 1):
            inner.append(pair)
    return inner


def _goes_on(text: str, position: int) -> bool:
    after = text[position : position + 20].lstrip()
    return bool(after) and (after[0].islower() or after[0] in ",;:")
