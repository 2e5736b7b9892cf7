"""Reading JSON whose syntax is damaged: mend what has one meaning only, keep what is whole.

Mended are slips that leave no doubt (a trailing comma, a backslash that escapes nothing, a line
break inside a text, a comment, ``None`` for ``null``, text around the JSON, several objects one
after another, a comma missing between closed brackets). At any other fault the value being read is
cut there, and reading goes on at the next key that is surely one of the outermost object. Nothing
is guessed: no quote, bracket, digit or word is ever added.
"""

from collections.abc import Callable, Iterator
from typing import Any

from sensemaking.io.json_cursor import Cursor, FaultError, Problem
from sensemaking.io.json_nodes import (
    MAX_DEPTH,
    CutList,
    CutObject,
    DoubtfulList,
    Refused,
    members,
    pointer,
    shortened,
    shown,
)
from sensemaking.io.json_tokens import (
    KEY_OF_CONTAINER,
    MORE_OF_A_LIST,
    PLAIN,
    STRAY_QUOTE,
    closing,
    matched,
    scalar,
    unescaped,
)

_START, _NEXT, _AFTER = "start", "next", "after"


class _Frame:
    """An object or list that is open."""

    __slots__ = ("container", "is_object", "key", "state")

    def __init__(self, is_object: bool, container: list[Any]) -> None:
        self.is_object = is_object
        # Elements of a list; pairs of key and value of an object.
        self.container = container
        self.key: str | None = None
        self.state = _START

    def value(self) -> Any:
        return members(self.container) if self.is_object else self.container

    def cut_value(self) -> Any:
        if not self.is_object:
            return CutList(self.container)
        if self.key is not None:
            self.container.append((self.key, Refused("not_json")))
        return CutObject(members(self.container))


def parse_damaged(
    text: str, is_anchor: Callable[[str], bool] | None = None
) -> tuple[Any, list[Problem], bool]:
    """Return the tree of a text, what is wrong with it, and whether there is a tree at all.

    Args:
        text: The text.
        is_anchor: Tells whether a string is surely a key of the outermost object.
    """
    parser = _Parser(text, is_anchor)
    value, readable = parser.parse()
    return value, parser.problems, readable


class _Parser(Cursor):
    def __init__(self, text: str, is_anchor: Callable[[str], bool] | None) -> None:
        super().__init__(text)
        self.is_anchor = is_anchor
        self.stack: list[_Frame] = []
        self._resume_at = 0
        self._colon_is_missing = False
        self._just_closed = False

    def place(self, *, here: bool) -> str:
        return pointer(_parts(self.stack if here else self.stack[:-1]))

    def parse(self) -> tuple[Any, bool]:
        try:
            root = self._open_root()
        except FaultError as fault:
            self._report(fault)
            return None, False
        whole = True
        while root is not None:
            self.stack = [root]
            cut = self._read_all()
            whole = whole and not cut
            following = self._rest(root) if not cut else None
            if following is None:
                break
            root = following
        assert root is not None
        if whole:
            return root.value(), True
        return root.cut_value(), True

    def _read_all(self) -> bool:
        """Read until the outermost value ends; return whether its end is missing."""
        while True:
            try:
                while self.stack:
                    self._step()
                return False
            except FaultError as fault:
                self._report(fault)
                self._doubt_last(fault)
                anchor = self._next_anchor(self._resume_at)
                self._unwind()
                if anchor is None:
                    self.pos = len(self.text)
                    return True
                root = self.stack[0]
                if root.key is not None:
                    root.container.append((root.key, Refused("not_json")))
                    root.key = None
                root.state = _NEXT
                self._just_closed = False
                self.pos = anchor

    def _doubt_last(self, fault: FaultError) -> None:
        """Refuse, or mark as doubtful, the value before a fault that may be a part of it."""
        frame = self.stack[-1]
        if fault.code != "not_json" or not frame.container:
            return
        last = frame.container[-1]
        value = last[1] if frame.is_object else last
        char = self.text[self.pos : self.pos + 1]
        if frame.is_object and self._belongs_to_list(frame, char):
            # The list before has ended too early, for want of a bracket.
            doubtful: Any = DoubtfulList(value) if isinstance(value, list) else Refused("not_json")
        elif self._just_closed:
            alone = len(frame.container) == 1 or not all(
                isinstance(one, list | dict) for one in frame.container
            )
            runs_on = char.isalnum() or char == "-" or (char == "}" and alone)
            if frame.is_object or frame.state != _AFTER or not runs_on:
                return
            # Its end may be that of what is around it, or have come too early.
            doubtful = Refused("not_json")
        elif frame.state == _AFTER or STRAY_QUOTE.match(self.text, self.pos):
            # The text before may have ended too early, at a quote inside it.
            doubtful = Refused("not_json")
            if char == ":" and len(frame.container) > 1 and not frame.is_object:
                # It is a key: the object before it has ended too early.
                frame.container[-2] = doubtful
        else:
            return
        frame.container[-1] = (last[0], doubtful) if frame.is_object else doubtful

    def _belongs_to_list(self, frame: _Frame, char: str) -> bool:
        """Tell whether what stands where a key or a comma belongs looks like more of a list."""
        if frame.state == _AFTER:
            return char == "]"
        if self._colon_is_missing:
            return MORE_OF_A_LIST.match(self.text, self.pos) is not None
        return char in ("[", "{")

    def _open_root(self) -> _Frame:
        char = self.peek()
        if not char:
            raise FaultError("empty_file", "an empty file" if not self.text else "no JSON")
        if char not in "{[":
            anchor = self._next_anchor(self.pos)
            brace = self.text.find("{", self.pos)
            start = brace if brace >= 0 else self.text.find("[", self.pos)
            if anchor is not None and (brace < 0 or anchor < brace):
                self.note("not_json", f"no {{ before the first key ({self.line(anchor)})")
                self.pos = anchor
                return _Frame(True, [])
            if start < 0:
                word = shown(self.text[self.pos : self.pos + 80].strip(), 40)
                raise FaultError("not_json", f"{word}, no JSON value ({self.line(self.pos)})")
            before = self.text[self.pos : start].strip()
            self.note("text_around_json", f"{shown(before)} before the JSON", before, "")
            self.pos = start
            char = self.text[start]
        self.pos += 1
        return _Frame(char == "{", [])

    def _rest(self, root: _Frame) -> _Frame | None:
        """Look at what follows the outermost value; return a frame if it goes on."""
        try:
            char = self.peek()
            start = self.pos
            if char == "," and root.is_object:
                self.pos += 1
                if self.peek() == "{":
                    char = "{"
                else:
                    self.pos = start
        except FaultError as fault:
            self._report(fault)
            return None
        if not char:
            return None
        if char == "{" and root.is_object:
            if not any(problem.code == "several_objects" for problem in self.problems):
                found = f"another object after the first ({self.line(start)})"
                self.note("several_objects", found, "}{", ",")
            self.pos += 1
            return _Frame(True, root.container)
        anchor = self._next_anchor(start) if root.is_object else None
        if anchor is not None:
            found = f"{shown(self.text[start : start + 40], 20)} ({self.line(start)}) after the end"
            self.note("not_json", f"{found} of the object, and further keys behind it")
            self.pos = anchor
            return _Frame(True, root.container)
        rest = self.text[start:].strip()
        self.note(
            "text_around_json", f"{shown(rest)} after the JSON ({self.line(start)})", rest, ""
        )
        return None

    def _step(self) -> None:
        frame = self.stack[-1]
        char = self.peek()
        if not char:
            raise FaultError("truncated", f"the end of the file ({self.line(len(self.text))})")
        closes = char == ("}" if frame.is_object else "]")
        if frame.state == _AFTER:
            self._after_value(frame, char, closes)
            return
        if closes:
            if frame.state == _NEXT:
                self.note(
                    "trailing_comma",
                    f"a comma before {char} ({self.line(self.pos)})",
                    f",{char}",
                    char,
                    here=False,
                )
            self._close()
            return
        if frame.is_object:
            char = self._key(frame, char)
        if char in "{[":
            self._open(frame, char)
            return
        value = self._string(frame) if char == '"' else self._scalar(char)
        self._attach(frame, value)
        self._just_closed = False

    def _after_value(self, frame: _Frame, char: str, closes: bool) -> None:
        if closes:
            self._close()
        elif char == ",":
            self.pos += 1
            frame.state = _NEXT
        elif self._just_closed and char in ('"' if frame.is_object else '"[{'):
            found = f"no comma before {char} ({self.line(self.pos)})"
            self.note("missing_comma", found, char, f",{char}", here=False)
            frame.state = _START
            self._just_closed = False
        else:
            closer = "}" if frame.is_object else "]"
            raise FaultError(
                "not_json",
                f"{shown(self.text[self.pos : self.pos + 20], 20)} where a comma or {closer} "
                f"belongs ({self.line(self.pos)})",
            )

    def _key(self, frame: _Frame, char: str) -> str:
        """Read a key and the colon behind it; return the character after these."""
        self._colon_is_missing = False
        if char != '"':
            hint = "; keys stand in double quotes" if char == "'" or char.isalpha() else ""
            found = f"{shown(self.text[self.pos : self.pos + 20], 20)} where a key belongs"
            raise FaultError("not_json", f"{found} ({self.line(self.pos)}){hint}")
        key = self._string(frame, is_key=True)
        colon = self.peek()
        self._colon_is_missing = colon != ":"
        if colon and colon != ":":
            found = f"{shown(self.text[self.pos : self.pos + 20], 20)} where a colon belongs"
            raise FaultError("not_json", f"{found} ({self.line(self.pos)})")
        frame.key = key
        self.pos += 1
        value = self.peek() if colon else ""
        if not value:
            raise FaultError("truncated", f"the end of the file ({self.line(len(self.text))})")
        return value

    def _open(self, frame: _Frame, char: str) -> None:
        if len(self.stack) < MAX_DEPTH:
            self.pos += 1
            self._just_closed = False
            self.stack.append(_Frame(char == "{", []))
            return
        start = self.pos
        end = closing(self.text, start)
        if end is None:
            raise FaultError("truncated", f"the end of the file ({self.line(len(self.text))})")
        found = f"more than {MAX_DEPTH} lists and objects inside one another"
        self.note("too_deep", f"{found} ({self.line(start)})")
        self.pos = end
        self._attach(frame, Refused("too_deep"))
        self._just_closed = True

    def _close(self) -> None:
        self.pos += 1
        frame = self.stack.pop()
        if self.stack:
            self._attach(self.stack[-1], frame.value())
        self._just_closed = True

    def _attach(self, frame: _Frame, value: Any) -> None:
        if frame.is_object:
            frame.container.append((frame.key, value))
            frame.key = None
        else:
            frame.container.append(value)
        frame.state = _AFTER

    def _unwind(self) -> None:
        """Close all that is open but the outermost, each as cut."""
        while len(self.stack) > 1:
            frame = self.stack.pop()
            self._attach(self.stack[-1], frame.cut_value())

    def _string(self, frame: _Frame, *, is_key: bool = False) -> str:
        text, start = self.text, self.pos
        # A string before a fault may begin with the last quote of another one, and so end with
        # the first quote of a key. A key itself is not looked at twice.
        self._resume_at = start + 1 if is_key else start
        end = matched(PLAIN, text, start + 1)
        if text.startswith('"', end):
            self.pos = end + 1
            return text[start + 1 : end]
        value, last, wrong = unescaped(text, start + 1)
        if last is None:
            raise FaultError("truncated", f"a text without an end ({self.line(start)})")
        self.pos = last
        if is_key:
            frame.key = value
        raw = shortened(text[start:last])
        for code, what in wrong:
            self.note(code, f"{what} in {shown(raw)} ({self.line(start)})", raw, value)
        if is_key:
            frame.key = None
        return value

    def _scalar(self, char: str) -> Any:
        start = self.pos
        found = scalar(self.text, start)
        if found.code == "truncated":
            raise FaultError("truncated", f"{shown(found.literal)} at the end of the file")
        if found.code == "not_json":
            what = shown(self.text[start : start + 20], 20)
            hint = 'a quote inside a text is written \\"' if found.literal else "expected a value"
            if char == "'":
                hint = "texts stand in double quotes"
            raise FaultError("not_json", f"{what} ({self.line(start)}); {hint}")
        self.pos = start + len(found.literal)
        if found.code is not None:
            what = f"{shortened(found.literal)} ({self.line(start)})"
            self.note(found.code, what, found.literal, found.mended)
        return found.value

    def _next_anchor(self, start: int) -> int | None:
        if self.is_anchor is None or (self.stack and not self.stack[0].is_object):
            return None
        for match in KEY_OF_CONTAINER.finditer(self.text, start):
            key, _, _ = unescaped(self.text, match.start() + 1)
            if self.is_anchor(key):
                return match.start()
        return None

    def _report(self, fault: FaultError) -> None:
        self.note(fault.code, fault.found)


def _parts(frames: list[_Frame]) -> Iterator[str | int]:
    for frame in frames:
        if not frame.is_object:
            yield len(frame.container)
        elif frame.key is not None:
            yield frame.key
