"""What a translation by language models would send; nothing is sent."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from sensemaking.llm.calls import Call
from sensemaking.llm.plan import Plan, plan
from sensemaking.llm.prompts import Prompt
from sensemaking.llm.sessions import Session, session
from sensemaking.llm.settings import LanguageModel
from sensemaking.llm.tokens import typical_tokens
from sensemaking.mt.engines import Engine, Target, Untranslated
from sensemaking.mt.llm import LlmEngine, translator_prompt
from sensemaking.mt.memory import MemoryEngine
from sensemaking.statuses import NOT_TRANSLATED


class PlanningEngine(LlmEngine):
    """Translates nothing and notes the calls that it would make.

    Attributes:
        id: Its id in the configuration.
        calls: The calls so far, those that journals hold among them.
    """

    def __init__(self, identifier: str, session: Session, prompt: Prompt) -> None:
        """Take the id, a session that replays, and the prompt."""
        super().__init__(session, prompt)
        self.id = identifier
        self.calls: list[Call] = []

    def translate(
        self, texts: Sequence[str], source: str, target: str
    ) -> Iterator[Sequence[Target]]:
        """Yield for each text that it is not translated; see ``LlmEngine.translate``."""
        for group in self.groups(texts, source, target):
            self.calls.append(
                Call(
                    name=f"{self.id}@{len(self.calls)}",
                    section_id="",
                    items=tuple(group),
                    labels=(),
                    part=0,
                    parts=1,
                    prompt=self.prompt.label,
                    request=self.request(group, source, target),
                    expected_tokens=sum(typical_tokens(text) for text in group),
                )
            )
            yield [Untranslated(NOT_TRANSLATED)] * len(group)

    def plan(self) -> Plan:
        """Return what a live run would send of the calls so far."""
        return plan(self.session, self.calls)


@contextmanager
def planning_engines(
    configured: Sequence[Mapping[str, Any]], prompts: Sequence[str], recorded: Sequence[str]
) -> Iterator[list[Engine]]:
    """Open the engines of a chain for a plan, while the block runs.

    A translation memory is asked as always. Google is left out, so what it would translate before a
    language model is counted as asked of that.

    Args:
        configured: See ``sensemaking.mt.chain.opened_engines``.
        prompts: See there.
        recorded: Journals of replies that are only read.
    """
    prompt_of = iter(prompts)
    chain: list[Engine] = []
    with ExitStack() as stack:
        for engine in configured:
            if engine["engine"] == "memory":
                chain.append(MemoryEngine(engine["file"]))
            elif engine["engine"] == "llm":
                choices = engine["llm"]
                # Replay never sends; live would ask for what journals hold, too.
                own = [engine["journal"]] if Path(engine["journal"]).is_file() else []
                known = [] if choices["mode"] == "live" else [*recorded, *own]
                settings = LanguageModel.model_validate(choices["model"])
                replay = stack.enter_context(session(settings, recorded=known))
                prompt = translator_prompt(next(prompt_of), [Path()])
                chain.append(PlanningEngine(engine["id"], replay, prompt))
        yield chain
