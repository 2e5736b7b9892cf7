"""The engine ``llm``: a language model translates, through its session and journal.

Texts travel as JSON by id, several in a call, so that neighbours explain each other. What the reply
does not surely translate has a status in place of a translation; where a group of texts brings no
usable reply, its halves are asked for, so that one text cannot keep the others from being
translated.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from babel import Locale

from sensemaking.llm.checks import Check, Verdict
from sensemaking.llm.delimiters import json_items, labels
from sensemaking.llm.errors import CREDENTIALS, NO_CREDIT, NOT_FOUND, ModelStoppedError
from sensemaking.llm.joining import join
from sensemaking.llm.pool import each
from sensemaking.llm.prompts import Prompt, load_prompt
from sensemaking.llm.reply import Reply
from sensemaking.llm.request import Message, Request, make_request
from sensemaking.llm.sessions import Session
from sensemaking.llm.splitting import item_groups
from sensemaking.llm.statuses import (
    BAD_REQUEST,
    CONTENT_FILTER,
    CONTEXT_TOO_LONG,
    FAILED_CALLS,
    MISSING_ITEM,
    WRONG_ITEMS,
)
from sensemaking.llm.tokens import estimate_tokens
from sensemaking.mt.batching import pieces
from sensemaking.mt.engines import (
    CONFIGURATION,
    UNAVAILABLE,
    EngineStoppedError,
    Target,
    Untranslated,
)

_LOG = logging.getLogger(__name__)

PROMPT: Final = "translator"
_NEEDED: Final = ("texts", "source_language", "target_language")
_MOST_TEXTS: Final = 20
"""Texts in a call; with more of them models begin to leave some out."""

_GROWTH: Final = 1.5
"""Tokens of a translation for a token of the text, ids included, at most."""

_PIECE_SHARE: Final = 0.5
"""Share of the limit of a reply that the translation of a single piece may take."""

_LANGUAGES: Final = Locale("en").languages
"""English names of languages by their codes."""

_STATUS: Final[Mapping[str, str]] = {
    CREDENTIALS: CONFIGURATION,
    NO_CREDIT: CONFIGURATION,
    NOT_FOUND: CONFIGURATION,
}


def translator_prompt(name: str, folders: Sequence[Path]) -> Prompt:
    """Return the prompt of a name; see ``load_prompt``."""
    return load_prompt(name, folders, _NEEDED)


class LlmEngine:
    """A language model as a translation engine.

    Attributes:
        name: ``llm``.
        keeps_journal: True: the journal of translations keeps what was translated, so only what is
            missing there is asked for; the session's journal keeps the raw replies.
        session: The session to ask through.
        prompt: The prompt.
    """

    name = "llm"
    keeps_journal = True

    def __init__(self, session: Session, prompt: Prompt) -> None:
        """Prepare the engine; nothing is sent.

        Args:
            session: The session to ask through.
            prompt: The prompt; it uses ``texts``, ``source_language`` and ``target_language``.
        """
        self.session = session
        self.prompt = prompt

    @property
    def replays(self) -> bool:
        """Whether the session only takes what is recorded."""
        return self.session.mode == "replay"

    @property
    def settings(self) -> Mapping[str, str]:
        """Model, sampling and prompt: with the languages and the text, what fixes a translation."""
        request = make_request(self.session.settings, [{"role": "user", "content": "-"}])
        fixed = request.as_json()
        names = ("endpoint", "model", "revision", "temperature", "top_p", "seed", "extra")
        return {**{name: str(fixed[name]) for name in names}, "prompt": self.prompt.sha256}

    def pieces(self, text: str, language: str) -> list[str]:
        """Return the text, or pieces of it of which each fits into a call."""
        model = self.session.settings
        bare = self._messages(["x"], "en", "en")
        room = model.usable_tokens - model.max_tokens - _tokens(bare)
        most = int(min(room, _PIECE_SHARE * model.max_tokens / _GROWTH))
        # Bytes with escapes are at least those of UTF-8, on which tokens are estimated.
        return pieces(text, language, max(3 * most, 64))

    def translate(
        self, texts: Sequence[str], source: str, target: str
    ) -> Iterator[Sequence[Target]]:
        """Yield the translations, as many at a time as were asked for at the same time.

        Args:
            texts: The texts or pieces.
            source: Their language, ISO 639-1 code.
            target: The language to translate into, ISO 639-1 code.

        Yields:
            Translations of the next texts; the reason for one without a sure translation.

        Raises:
            EngineStoppedError: No call can succeed.
            NotRecordedError, JournalError: See ``Session.ask``.
        """
        groups = self.groups(texts, source, target)
        at_a_time = self.session.settings.concurrency
        for begin in range(0, len(groups), at_a_time):
            together = groups[begin : begin + at_a_time]
            try:
                found = each(
                    self.session, together, lambda group: self._group(group, source, target)
                )
            except ModelStoppedError as error:
                status = _STATUS.get(error.reason, UNAVAILABLE)
                raise EngineStoppedError(status, str(error)) from None
            yield from found

    def groups(self, texts: Sequence[str], source: str, target: str) -> list[list[str]]:
        """Return the texts as they are asked for, call by call."""
        return item_groups(texts, lambda group: self._fits(group, source, target))

    def request(self, group: Sequence[str], source: str, target: str) -> Request:
        """Return the request of a call."""
        schema = _schema(labels(len(group), group))
        return self.session.request(self._messages(group, source, target), schema)

    def _fits(self, group: Sequence[str], source: str, target: str) -> bool:
        if len(group) == 1:
            return True
        model = self.session.settings
        asked = _tokens(self._messages(group, source, target))
        reply = _GROWTH * sum(estimate_tokens(text) for text in group)
        return (
            len(group) <= _MOST_TEXTS
            and asked <= model.usable_tokens - model.max_tokens
            and reply <= model.max_tokens
        )

    def _group(self, group: Sequence[str], source: str, target: str) -> list[Target]:
        names = labels(len(group), group)
        reply = self.session.ask_request(self.request(group, source, target), _check(names))
        targets: list[Target] = [Untranslated(reply.status)] * len(group)
        if reply.ok:
            joined = join(reply.data, names)
            targets = [_text(joined.items[name]) or Untranslated(MISSING_ITEM) for name in names]
        left = [n for n, found in enumerate(targets) if isinstance(found, Untranslated)]
        if len(group) == 1 or not left or reply.status in _HOPELESS:
            if left:
                why = MISSING_ITEM if reply.ok else reply.status
                _LOG.warning("texts that were not translated: %d (%s)", len(left), why)
            return targets
        middle = len(left) // 2 if len(left) == len(group) else len(left)
        for half in filter(None, (left[:middle], left[middle:])):
            again = self._group([group[n] for n in half], source, target)
            for position, found in zip(half, again, strict=True):
                targets[position] = found
        return targets

    def _messages(self, group: Sequence[str], source: str, target: str) -> list[Message]:
        shown = [
            {"id": name, "text": text}
            for name, text in zip(labels(len(group), group), group, strict=True)
        ]
        return self.prompt.messages(
            texts=json_items(shown),
            number=len(shown),
            source_language=_LANGUAGES.get(source, source),
            target_language=_LANGUAGES.get(target, target),
        )


_HOPELESS: Final = FAILED_CALLS - {BAD_REQUEST, CONTENT_FILTER, CONTEXT_TOO_LONG}
"""Statuses that say nothing about the texts, so that smaller groups would not help."""


def _tokens(messages: Sequence[Message]) -> int:
    return sum(estimate_tokens(message["content"]) for message in messages)


def _schema(names: Sequence[str]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": list(names),
        "additionalProperties": False,
    }


def _check(names: Sequence[str]) -> Check:
    def check(reply: Reply) -> Verdict:
        joined = join(reply.data, names)
        if joined.problem is not None:
            return Verdict(WRONG_ITEMS, usable=False)
        missing = sum(_text(joined.items[name]) is None for name in names)
        return Verdict(MISSING_ITEM, missing=missing) if missing else Verdict()

    return check


def _text(item: Any) -> str | None:
    """Return the translation in an item of a reply, or None."""
    if isinstance(item, Mapping):
        texts = [value for name, value in item.items() if name in ("translation", "text")]
        item = texts[0] if len(texts) == 1 else None
    return item.strip() if isinstance(item, str) and item.strip() else None
