"""The key of an endpoint: read from the environment, and kept out of everything that is stored."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import quote

from sensemaking.llm.errors import CREDENTIALS, ModelStoppedError
from sensemaking.llm.settings import LanguageModel

HIDDEN: Final = "[key]"
NO_KEY: Final = "no-key"
"""What an endpoint that needs no key is sent."""

_SHORTEST: Final = 8
"""Characters of the shortest text that may be a secret; "none" or "EMPTY" are mere words."""


class Redactor:
    """Takes a key out of what an endpoint says, since some repeat it."""

    def __init__(self, key: str | None) -> None:
        """Take the key; None for none."""
        forms: set[str] = set()
        if key and len(key) >= _SHORTEST:
            forms = {key, json.dumps(key)[1:-1], quote(key, safe="")}
        # The longest first, since one may hold another.
        self._forms = sorted(forms, key=len, reverse=True)

    def text(self, text: str) -> str:
        """Return a text without the key."""
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return text

    def found_in(self, texts: Iterable[str]) -> bool:
        """Tell whether texts, one behind the other, hold the key."""
        joined = "".join(texts)
        return any(form in joined for form in self._forms)

    def value(self, value: Any) -> Any:
        """Return a tree of JSON without the key in any of its texts."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(inner) for inner in value]
        if isinstance(value, Mapping):
            return {self.text(str(name)): self.value(inner) for name, inner in value.items()}
        return value


def key_of(settings: LanguageModel, environment: Mapping[str, str]) -> str | None:
    """Return the key of a model's endpoint, or None where none is needed.

    Args:
        settings: The model's settings.
        environment: The environment variables.

    Raises:
        ModelStoppedError: There is no key, or it cannot be sent. The key is never in the message.
    """
    name = settings.api_key_env
    key = environment.get(name, "").strip() if name else ""
    if not key:
        if name is None or settings.on_this_machine:
            return None
        raise ModelStoppedError(
            CREDENTIALS,
            f"no key for {settings.id!r} ({settings.endpoint_name}): the environment variable "
            f"{name} is not set; set it, or api_key_env: null if the endpoint needs none",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ModelStoppedError(
            CREDENTIALS,
            f"the environment variable {name} holds white space or characters that are not ASCII "
            "within the key; set it to the bare key",
        )
    return key
