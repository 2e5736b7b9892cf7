"""A place in a JSON text that moves on, and the problems noted on the way."""

from dataclasses import dataclass

from sensemaking.io.json_nodes import clean, shortened, shown
from sensemaking.io.json_tokens import SPACE, STRAY, matched


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the syntax.

    Attributes:
        code: The code of the finding.
        pointer: Where, as a JSON pointer.
        found: What was found.
        before: What stood there, where it was mended.
        after: What it was read as, or None where it was not mended.
    """

    code: str
    pointer: str
    found: str
    before: str = ""
    after: str | None = None


class FaultError(Exception):
    """The text cannot be read on from here."""

    def __init__(self, code: str, found: str) -> None:
        """Take the code of the finding and what was found."""
        super().__init__(found)
        self.code = code
        self.found = found


class Cursor:
    """A place in a text.

    Attributes:
        text: The text.
        pos: The place.
        problems: What was noted.
    """

    def __init__(self, text: str) -> None:
        """Begin at the start of a text."""
        self.text = text
        self.pos = 0
        self.problems: list[Problem] = []
        self._counted = (0, 1, 0)

    def place(self, *, here: bool) -> str:
        """Return the JSON pointer of the value being read (``here``) or of what it stands in."""
        raise NotImplementedError

    def peek(self) -> str:
        """Skip white space and comments; return the next character, empty at the end."""
        text = self.text
        while True:
            self.pos = matched(SPACE, text, self.pos)
            char = text[self.pos : self.pos + 1]
            if char == "/" and text.startswith(("//", "/*"), self.pos):
                self._comment()
                continue
            stray = STRAY.match(text, self.pos)
            if stray is None:
                return char
            code = ", ".join(f"U+{ord(c):04X}" for c in dict.fromkeys(stray.group()))
            found = f"the character {code} ({self.line(self.pos)})"
            self.note("stray_character", found, stray.group(), "", here=False)
            self.pos = stray.end()

    def _comment(self) -> None:
        start = self.pos
        ending = "\n" if self.text.startswith("//", start) else "*/"
        end = self.text.find(ending, start + 2)
        if end < 0:
            end = len(self.text) - len(ending)
        comment = shortened(self.text[start : end + len(ending)].strip())
        found = f"the comment {shown(comment)} ({self.line(start)})"
        self.note("comment", found, comment, "", here=False)
        self.pos = end + len(ending)

    def note(
        self, code: str, found: str, before: str = "", after: str | None = None, here: bool = True
    ) -> None:
        """Note a problem with the value being read, or (not ``here``) with what it stands in."""
        place = self.place(here=here)
        after = None if after is None else clean(after)
        self.problems.append(Problem(code, place, clean(found), clean(before), after))

    def line(self, offset: int) -> str:
        """Return line and column of a place, counted on from the last one asked for."""
        last, line, line_start = self._counted
        if offset < last:
            last, line, line_start = 0, 1, 0
        line += self.text.count("\n", last, offset)
        found = self.text.rfind("\n", last, offset)
        line_start = found + 1 if found >= 0 else line_start
        self._counted = (offset, line, line_start)
        return f"line {line}, column {offset - line_start + 1}"
