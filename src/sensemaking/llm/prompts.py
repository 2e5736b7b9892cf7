"""Prompts: files with a version, a system message and a user message.

A file begins with a head in YAML between two lines of ``---`` (``version``, ``purpose``) and has
the two messages under the headings ``# System`` and ``# User``, as Jinja templates. A prompt is
named in the configuration by its name (the file's, without ``.md``) or by the path of the user's
own file.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import yaml
from jinja2 import StrictUndefined, Template, TemplateError, meta
from jinja2.sandbox import SandboxedEnvironment

from sensemaking.llm.request import Message

_HEAD: Final = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
_PARTS: Final = re.compile(
    r"\A\s*(?:# System[ \t]*\n(?P<system>.*?)\n)?# User[ \t]*\n(?P<user>.*)\Z", re.DOTALL
)
_ENVIRONMENT: Final = SandboxedEnvironment(
    undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
)


class PromptError(ValueError):
    """A prompt cannot be used; the message names the file and what to do."""


@dataclass(frozen=True)
class Prompt:
    """A prompt.

    Attributes:
        name: The file's name without the ending.
        version: Its version; goes up with every change of wording.
        system: Template of the system message; None for none.
        user: Template of the user message.
        sha256: SHA-256 of the file.
    """

    name: str
    version: str
    system: str | None
    user: str
    sha256: str

    @property
    def label(self) -> str:
        """Name and version, as reports show them."""
        return f"{self.name} v{self.version}"

    def messages(self, **values: Any) -> list[Message]:
        """Return the messages with values in their places.

        Values are put in as they are; what looks like a template in them stays text.

        Raises:
            PromptError: The prompt uses a value that there is none of.
        """
        templates = [("system", self.system), ("user", self.user)]
        try:
            return [
                {"role": role, "content": _template(text).render(values).strip()}
                for role, text in templates
                if text is not None
            ]
        except TemplateError as error:
            raise PromptError(f"the prompt {self.name}: {error}") from error


@lru_cache(maxsize=64)
def _template(text: str) -> Template:
    return _ENVIRONMENT.from_string(text)


def load_prompt(name: str, folders: Sequence[Path], needed: Sequence[str] = ()) -> Prompt:
    """Return the prompt of a name.

    Args:
        name: Its name, or the path of a file ending in ``.md``.
        folders: Where files are looked for, in order.
        needed: Values that the prompt must use, such as the section's text.

    Raises:
        PromptError: There is no such file, or it is no prompt, or lacks something needed.
    """
    file = name if name.endswith(".md") else f"{name}.md"
    tried = [Path(folder) / file for folder in folders]
    path = next((path for path in tried if path.is_file()), None)
    if path is None:
        known = sorted({p.stem for folder in folders for p in Path(folder).glob("*.md")})
        raise PromptError(
            f"no prompt {name!r}; looked for {', '.join(map(str, tried)) or 'nothing'}; known: "
            f"{', '.join(known) or 'none'}"
        )
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise PromptError(f"{path} is not UTF-8: {error}") from None
    return _parsed(path, text, hashlib.sha256(data).hexdigest(), needed)


def _parsed(path: Path, text: str, sha256: str, needed: Sequence[str]) -> Prompt:
    head = _HEAD.match(text)
    if head is None:
        raise PromptError(f"{path} has no head; expected --- with version: before the messages")
    try:
        values = yaml.safe_load(head[1])
    except yaml.YAMLError as error:
        raise PromptError(f"the head of {path} is no YAML: {error}") from None
    if not isinstance(values, Mapping) or values.get("version") is None:
        raise PromptError(f"the head of {path} has no version; expected version: 1")
    parts = _PARTS.match(text[head.end() :])
    if parts is None:
        raise PromptError(f"{path} has no heading # User; the message stands below it")
    prompt = Prompt(path.stem, str(values["version"]), parts["system"], parts["user"], sha256)
    missing = [value for value in needed if value not in _used(path, prompt)]
    if missing:
        raise PromptError(
            f"{path} does not use {', '.join(f'{{{{ {value} }}}}' for value in missing)}, without "
            "which the model cannot know what it is asked"
        )
    return prompt


def _used(path: Path, prompt: Prompt) -> set[str]:
    try:
        return {
            name
            for text in (prompt.system, prompt.user)
            if text is not None
            for name in meta.find_undeclared_variables(_ENVIRONMENT.parse(text))
        }
    except TemplateError as error:
        raise PromptError(f"{path} is no template: {error}") from error
