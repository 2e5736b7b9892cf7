"""What the baselines that ask a language model share: a section, its items, and their calls."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sensemaking.findings import Finding
from sensemaking.llm.calls import Call
from sensemaking.llm.checks import Check
from sensemaking.llm.delimiters import fenced, json_items, labels
from sensemaking.llm.layout import layout
from sensemaking.llm.prompts import Prompt
from sensemaking.llm.request import Message, make_request
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.tokens import estimate_tokens

ENGLISH: Final = "en"

Row = Mapping[str, Any]
Item = Mapping[str, Any]


@dataclass(frozen=True)
class Parsed:
    """Rows that replies gave, and what was found wrong with the replies."""

    rows: list[dict[str, Any]]
    findings: list[Finding]


@dataclass(frozen=True)
class Form:
    """How a baseline asks about items and what it wants back.

    Attributes:
        prompt: The prompt.
        list_name: The prompt's value that holds the items as JSON.
        schema: Makes the JSON schema of a reply about some labels.
        check: Makes the check of a reply about some labels.
        item_tokens: Tokens that the reply may have for an item.
        values: Further values of the prompt.
        logprobs: Whether log-probabilities are needed.
        logprobs_at: See ``sensemaking.llm.request.Logprobs``.
    """

    prompt: Prompt
    list_name: str
    schema: Callable[[Sequence[str]], Mapping[str, Any]]
    check: Callable[[Sequence[str]], Check]
    item_tokens: int
    values: Mapping[str, Any]
    logprobs: bool = False
    logprobs_at: str | None = None


def readable(section: Row) -> str | None:
    """Return a section's English text; None if it has none."""
    text = section["text_en"]
    return text if isinstance(text, str) and text.strip() else None


def room(settings: LanguageModel) -> int:
    """Return the tokens that a prompt may have."""
    return settings.usable_tokens - settings.max_tokens


def prompt_tokens(form: Form, text: str, names: Sequence[str], items: Sequence[Item]) -> int:
    """Return the tokens that a prompt may have, schema included.

    Args:
        form: How to ask.
        text: The text, or the part of it.
        names: Short ids of the items.
        items: What the prompt shows of each.
    """
    # As if there were several parts, which takes a few words more.
    asked = _messages(form, text, names, items, 98, 99)
    schema = estimate_tokens(str(form.schema(names)))
    return schema + sum(estimate_tokens(message["content"]) for message in asked)


def most_items(settings: LanguageModel, form: Form) -> int:
    """Return how many items fit into the limit of a reply, at least one."""
    return max(1, settings.max_tokens // form.item_tokens)


def make_calls(
    settings: LanguageModel,
    form: Form,
    *,
    name: str,
    section_id: str,
    text: str,
    ids: Sequence[str],
    items: Sequence[Item],
) -> list[Call]:
    """Return the calls about some items of a section: one, if it all fits into the context.

    Args:
        settings: The model's settings.
        form: How to ask.
        name: What the calls are about, unique in the shard.
        section_id: The section.
        text: Its English text.
        ids: Ids of the items.
        items: What the prompt shows of each.
    """
    contents = [text, *(str(value) for item in items for value in item.values())]
    names = labels(len(ids), contents)

    def size(part: str, positions: Sequence[int]) -> int:
        return prompt_tokens(
            form, part, [names[n] for n in positions], [items[n] for n in positions]
        )

    laid = layout(
        text,
        ENGLISH,
        len(items),
        prompt_tokens=size,
        room=room(settings),
        most_items=most_items(settings, form),
    )
    calls: list[Call] = []
    for place in laid.places:
        own = tuple(names[position] for position in place.items)
        request = make_request(
            settings,
            _messages(
                form, place.text, own, [items[n] for n in place.items], place.part, place.parts
            ),
            form.schema(own),
            logprobs=form.logprobs,
            logprobs_at=form.logprobs_at,
        )
        calls.append(
            Call(
                name=f"{name}@{len(calls)}",
                section_id=section_id,
                items=tuple(ids[position] for position in place.items),
                labels=own,
                part=place.part,
                parts=place.parts,
                prompt=form.prompt.label,
                request=request,
                expected_tokens=form.item_tokens * len(own),
                check=form.check(own),
            )
        )
    for position in laid.too_long:
        calls.append(
            Call(
                name=f"{name}@{len(calls)}",
                section_id=section_id,
                items=(ids[position],),
                labels=(names[position],),
                part=0,
                parts=1,
                prompt=form.prompt.label,
                request=None,
            )
        )
    return calls


def reply_finding(row: Row, code: str, message: str, action: str) -> Finding:
    """Return a finding about the reply of a raw row."""
    return Finding(row["call"], "", code, "warning", message, action)


def ignored_finding(row: Row, ignored: Sequence[str]) -> Finding:
    """Return a finding about ids in a reply that nobody asked for."""
    message = f"the reply has the ids {', '.join(ignored)}, which nobody asked for"
    return reply_finding(row, "unknown_id", message, "they are not used")


def _messages(
    form: Form, text: str, names: Sequence[str], items: Sequence[Item], part: int, parts: int
) -> list[Message]:
    shown = [{"id": name, **item} for name, item in zip(names, items, strict=True)]
    return form.prompt.messages(
        section=fenced(text),
        part=part + 1,
        parts=parts,
        number=len(shown),
        **{form.list_name: json_items(shown)},
        **form.values,
    )
