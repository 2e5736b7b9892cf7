"""The chain of translation engines that the configuration names."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from sensemaking.mt.engines import Engine
from sensemaking.mt.memory import MemoryEngine


@contextmanager
def opened_engines(
    configured: Sequence[Mapping[str, Any]],
    prompts: Sequence[str] = (),
    recorded: Sequence[str] = (),
) -> Iterator[list[Engine]]:
    """Open the engines, in order of preference, while the block runs.

    Args:
        configured: The engines as the configuration names them, as plain values; the file of a
            memory is a path that can be opened. One that asks a language model also has ``llm``
            and ``journal``, the first two arguments of ``sensemaking.llm.stage.stage_session``.
        prompts: Files of the prompts, one for each engine that asks a language model, in order.
        recorded: Journals of replies that are only read.

    Yields:
        The engines. Nothing is sent before the first text is asked for.

    Raises:
        TmxError: A memory is no TMX file.
        PromptError: A prompt cannot be used.
        JournalError: The journal of a language model is in use, or cannot be written.
        OSError: A memory cannot be read.
        ValueError: There is no such engine.
    """
    prompt_of = iter(prompts)
    with ExitStack() as stack:
        yield [
            stack.enter_context(_llm(engine, next(prompt_of), recorded))
            if engine["engine"] == "llm"
            else _engine(engine)
            for engine in configured
        ]


def _engine(configured: Mapping[str, Any]) -> Engine:
    if configured["engine"] == "memory":
        return MemoryEngine(Path(configured["file"]))
    if configured["engine"] == "google":
        # Google's client takes seconds to import, and only who configures it has a use for it.
        from sensemaking.mt.google import GoogleEngine, GoogleSettings

        names = ("model", "max_bytes", "attempts", "first_wait_s", "longest_wait_s", "api_endpoint")
        return GoogleEngine(GoogleSettings(**{name: configured[name] for name in names}))
    raise ValueError(f"no translation engine {configured['engine']!r}; known: memory, google, llm")


@contextmanager
def _llm(configured: Mapping[str, Any], prompt: str, recorded: Sequence[str]) -> Iterator[Engine]:
    from sensemaking.llm.stage import stage_session
    from sensemaking.mt.llm import LlmEngine, translator_prompt

    with stage_session(configured["llm"], configured["journal"], recorded) as session:
        yield LlmEngine(session, translator_prompt(prompt, [Path()]))
