"""What a model's reply surely says: JSON in it, a rating in it, ratings joined by id.

Nothing is guessed. Where a reply can be read in two ways, or not at all, the result is None.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from sensemaking.io.json_nodes import NotJson, Number, Refused
from sensemaking.io.json_reading import Document, read_json
from sensemaking.io.json_tokens import closing

Json = dict[str, Any] | list[Any] | str | int | float | bool | None

_THOUGHT = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"^\s*<(?:think|thinking|reasoning)>", re.IGNORECASE)
_FENCE = re.compile(r"```[ \t]*[A-Za-z0-9_-]*[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.DOTALL)
_FENCED = re.compile(r"```[ \t]*[A-Za-z0-9_-]*[ \t]*\r?\n(.*)\n[ \t]*```", re.DOTALL)
_SURE_MENDING = frozenset(
    {"trailing_comma", "invalid_escape", "control_character", "comment", "repeated_key"}
)
_TRIES = 20
_BRACKET = re.compile(r"[\[{]")

_VALUE = r"[0-9]+(?:\.[0-9]+)?"
_BEFORE = r"(?<![0-9.,/+−–—-])(?<![0-9] )"
_WHOLE = re.compile(
    rf"[\s\"'`*_(\[]*([-+]?{_VALUE}(?:[eE][+-]?[0-9]+)?)\s*(%|points?|pts?\.?|percent)?[\s\"'`*_.)\]]*",
    re.IGNORECASE,
)
_OF_SCALE = re.compile(
    rf"{_BEFORE}([-−+]?{_VALUE})\s*[*_`\"']*\s*(?:/|\bout\s+of\b|\bof\b|\bfrom\b)\s*[*_`\"']*\s*({_VALUE})"
    r"(?![0-9]|[.,][0-9]|\s*[/%])",
    re.IGNORECASE,
)
_OTHER_NOUN = re.compile(
    r"\s+(?!points?\b|pts\b|marks?\b|for\b|because\b|since\b|as\b|overall\b|in\s+total\b|to\b"
    r"|and\b|but\b|on\b|is\b|here\b|with\b|due\b|given\b)[A-Za-z]",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"\b(?:ratings?|scores?|grades?|marks?|points?)\b[\s\"'`*_]*"
    rf"(?:(?P<mark>[:=]|\bis\b|–|—|-(?=\s))[\s\"'`*_(]*)?([-−+]?{_VALUE})(?![0-9]|[.,][0-9])(?!\w)",
    re.IGNORECASE,
)
_AFTER_LABELLED = re.compile(
    rf"[\s\"'`*_]*(?:(/|\(?\s*out\s+of\b|\bof\b)[\s*_]*({_VALUE})?|(-|–|—|\.\.|\bto\b|\bor\b|\band\b"
    r"|,)\s*[0-9])",
    re.IGNORECASE,
)
_RANGE_BEFORE = re.compile(
    r"(?:[0-9]%?\s*(?:-|–|—|−|\.\.|\bto\b|\bor\b|\band\b)|\bbetween\b|[<>≤≥]=?|\b(?:less|more|fewer"
    r"|greater|lower|higher)\s+than|\b(?:under|over|below|above|not|at\s+least|at\s+most|up\s+to))"
    r"\s*[*_`\"']*$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class JoinedRatings:
    """Ratings of a reply, each joined to the thing it rates by the thing's id.

    Attributes:
        ratings: A rating for each id, in the order given; None where the reply has no valid one.
            All are None where the reply was rejected.
        problem: Why the reply was rejected as a whole, or None.
        ignored: Ids in the reply that nobody asked for.
        invalid: Ids whose value is no rating on the scale.
    """

    ratings: dict[str, float | None]
    problem: str | None
    ignored: tuple[str, ...] = ()
    invalid: tuple[str, ...] = ()


def parse_json(reply_text: str | None) -> Json:
    """Return the JSON value in a reply, or None where none is sure.

    Read are a reply that is JSON, the JSON in the code fence of a reply (in all of them, if they
    are equal), and the one object or list in a reply of prose. A thought before it
    (``<think>…</think>``) is passed over. Trailing commas, comments, line breaks in texts and
    backslashes that escape nothing are mended. A reply that was cut, that has a key twice with
    different values, or two different candidates gives None. ``NaN`` and ``Infinity`` become
    None, numbers too large for a double too.

    Args:
        reply_text: The text of the reply; None where the model gave none.
    """
    if reply_text is None:
        return None
    text = _THOUGHT.sub("", reply_text.removeprefix("\ufeff"), count=1).strip()
    if not text or _OPEN_THOUGHT.match(text):
        return None
    wrapped = _FENCED.fullmatch(text)
    whole = _sure(text) or (_sure(wrapped[1]) if wrapped else None)
    if whole is not None:
        return _plain(whole.value)
    if text.startswith(("{", "[")) and not _one_value(text):
        return None
    fenced = [found for block in _FENCE.findall(text) if (found := _sure(block.strip()))]
    if text.count("```") > 1 and len(fenced) != len(_FENCE.findall(text)):
        return None
    candidates = fenced or _embedded(text)
    if not candidates or any(other.value != candidates[0].value for other in candidates[1:]):
        return None
    return _plain(candidates[0].value)


def parse_rating(value_or_text: object, scale: float) -> float | None:
    """Return the rating that a value or text surely states, from 0 to ``scale``, or None.

    Nothing is rescaled or clamped: 0.85 stays 0.85, "8/10" on a scale of 100 is None, so is 120.
    A text counts if it is a number and nothing else ("85", "85.", "**85**", "85 points"), states
    the scale ("72 out of 100", "85/100"), or has a label ("Rating: 85"). A per cent sign states
    the scale 100, behind a label or where nothing else is said. Ranges, comparisons, two different
    statements and numbers in mere prose give None. true and false are no ratings.

    Args:
        value_or_text: A number, a text, or anything else.
        scale: The best rating.

    Raises:
        ValueError: The scale is not a finite number above 0.
    """
    if not math.isfinite(scale) or scale <= 0:
        raise ValueError(f"the scale must be a finite number above 0, not {scale}")
    if isinstance(value_or_text, bool) or value_or_text is None:
        return None
    if isinstance(value_or_text, Real):
        number: Any = value_or_text
        # Compared before it becomes a float: a whole number may be too large for one.
        return abs(float(number)) if 0 <= number <= scale else None
    if not isinstance(value_or_text, str):
        return None
    text = value_or_text
    whole = _WHOLE.fullmatch(text)
    if whole:
        if whole[2] and whole[2].casefold() in ("%", "percent") and scale != 100:
            return None
        return parse_rating(float(whole[1]), scale)
    found = [*_of_scale(text, scale), *_labelled(text, scale)]
    if not found or any(value != found[0] for value in found):
        return None
    return None if found[0] is None else parse_rating(found[0], scale)


def join_ratings(reply: Json, ids: Sequence[str], scale: float) -> JoinedRatings:
    """Join the ratings of a reply to the ids that were asked for, never by guessing.

    Read are ``[{"id": …, "rating": …}, …]``, ``{id: rating, …}``, either of them as the only
    list or object under a key such as ``ratings``, and a plain list of ratings if there is one
    for each id. Values are numbers or texts that ``parse_rating`` reads. The reply is rejected
    if an id occurs twice, if a plain list has another length, or if its scale is doubtful: on a
    scale of 10 or more, all ratings at most 1, and not all of them 0. One rating out of range
    does not touch the others.

    Args:
        reply: The value that ``parse_json`` gave.
        ids: Ids of the things rated, all different.
        scale: The best rating.
    """
    nothing: dict[str, float | None] = dict.fromkeys(ids)
    pairs = _pairs(reply, ids)
    if isinstance(pairs, str):
        return JoinedRatings(nothing, pairs)
    given = [name for name, _ in pairs]
    twice = sorted({name for name in given if given.count(name) > 1})
    if twice:
        return JoinedRatings(nothing, f"{', '.join(twice)} twice")
    ignored = tuple(name for name in given if name not in nothing)
    joined = dict(nothing)
    invalid = []
    for name, value in pairs:
        if name in joined:
            joined[name] = parse_rating(value, scale)
            if joined[name] is None and value is not None:
                invalid.append(name)
    valid = [value for value in joined.values() if value is not None]
    if scale >= 10 and valid and max(valid) <= 1 and any(valid) and not invalid:
        whole = all(value in (0.0, 1.0) for value in valid)
        reason = "ambiguous: all are 0 or 1" if whole else "suspect: all are at most 1"
        return JoinedRatings(nothing, f"scale {reason}", ignored)
    return JoinedRatings(joined, None, ignored, tuple(invalid))


def _pairs(reply: Json, ids: Sequence[str]) -> list[tuple[str, Any]] | str:
    if isinstance(reply, dict) and not set(reply) & set(ids):
        inner = [value for value in reply.values() if isinstance(value, list | dict)]
        if len(inner) != 1:
            return "no list of ratings"
        reply = inner[0]
    if isinstance(reply, dict):
        return list(reply.items())
    if not isinstance(reply, list):
        return "no list of ratings"
    if all(isinstance(entry, dict) and "id" in entry for entry in reply):
        pairs = []
        for entry in reply:
            values = [v for k, v in entry.items() if k in ("rating", "score", "grade")]
            name = entry["id"]
            is_id = isinstance(name, str | int) and not isinstance(name, bool)
            if len(values) != 1 or not is_id:
                return "an entry without one id and one rating"
            pairs.append((str(name), values[0]))
        return pairs
    if any(isinstance(entry, dict | list) for entry in reply):
        return "a list of other things than ratings"
    if len(reply) != len(ids):
        return f"{len(reply)} values for {len(ids)} ids"
    return list(zip(ids, reply, strict=True))


def _of_scale(text: str, scale: float) -> list[float | None]:
    """Return the numbers that a text states out of the scale; None for an unsure one."""
    found: list[float | None] = []
    for match in _OF_SCALE.finditer(text):
        if float(match[2]) != scale:
            continue
        if match[1][0] in "-−+" or _RANGE_BEFORE.search(text, 0, match.start()):
            found.append(None)
        elif not _OTHER_NOUN.match(text, match.end()):
            found.append(float(match[1]))
    return found


def _labelled(text: str, scale: float) -> list[float | None]:
    """Return the numbers that stand behind a label; None for an unsure one."""
    found: list[float | None] = []
    for match in _LABELLED.finditer(text):
        value = None if match[2][0] in "-−" else float(match[2].lstrip("+"))
        after = text[match.end() :]
        follows = _AFTER_LABELLED.match(after)
        if follows and follows[1]:
            # With its own scale it is read by _of_scale, or it is on another one.
            if follows[2] is None or float(follows[2]) != scale:
                continue
        elif follows or (re.match(r"\s*%", after) and scale != 100):
            value = None
        elif not match["mark"] and not re.match(r"[\s\"'`*_]*(?:%\s*)?(?:[.;\n}]|$)", after):
            # A grade is also a class at school: "grade 3 pupils".
            value = None
        elif re.match(r"[ \t]+[a-z]", after) and _OTHER_NOUN.match(after):
            value = None
        found.append(value)
    return found


def _sure(text: str) -> Document | None:
    """Return the document if the text is JSON, but for slips that leave no doubt."""
    document = read_json(text)
    mended = all(problem.code in _SURE_MENDING for problem in document.problems)
    return document if document.readable and mended else None


def _embedded(text: str) -> list[Document]:
    """Return the objects and lists in prose; numbers in brackets are often references."""
    found: list[Document] = []
    position = tries = 0
    while match := _BRACKET.search(text, position):
        start, end = match.start(), closing(text, match.start())
        if end is None:
            return []
        document = _sure(text[start:end])
        if document is not None:
            if not _is_flat_list(document.value) or _stands_alone(text, start, end):
                found.append(document)
            position = end
        elif match.group() == "[" and tries < _TRIES:
            # Brackets of prose; each try costs a walk to their end.
            tries += 1
            position = start + 1
        else:
            return []
    return found


def _is_flat_list(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(inner, list | dict) for inner in value)


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Tell whether a part of a text is a line of its own, or its end behind a colon."""
    before = text[text.rfind("\n", 0, start) + 1 : start].rstrip()
    after = text[end:].split("\n", 1)[0].strip()
    return not after and (not before or before.endswith((":", "=")))


def _one_value(text: str) -> bool:
    """Tell whether a text that starts with a bracket ends that value before its own end."""
    end = closing(text, 0)
    return end is not None and end < len(text)


def _plain(value: Any) -> Json:
    """Return a tree of plain Python values."""
    if isinstance(value, Number):
        number = value.value
        if not math.isfinite(number):
            return None
        return int(value.literal) if re.fullmatch(r"-?[0-9]+", value.literal) else number
    if isinstance(value, NotJson | Refused):
        return None
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value if isinstance(value, str | bool) else None
