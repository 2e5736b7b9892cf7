"""Opening the session of a job of the workflow, from the plain values of its params."""

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sensemaking.llm.sessions import Session, session
from sensemaking.llm.settings import LanguageModel

_LOG = logging.getLogger(__name__)


@contextmanager
def stage_session(
    choices: Mapping[str, Any], journal: str | Path, recorded: Iterable[str | Path]
) -> Iterator[Session]:
    """Open the session of a job, and log what it did when the block ends.

    Args:
        choices: ``model`` (the settings as plain values), ``mode`` and ``strict``.
        journal: The job's own journal; it need not exist.
        recorded: Journals that are only read.

    Raises:
        ModelStoppedError, NotRecordedError, JournalError: See ``Session.ask``.
    """
    settings = LanguageModel.model_validate(choices["model"])
    with session(
        settings,
        journal=journal,
        recorded=recorded,
        mode=choices["mode"],
        strict=choices["strict"],
    ) as opened:
        try:
            yield opened
        finally:
            tally = opened.tally()
            statuses = ", ".join(f"{word} {number}" for word, number in tally.statuses.items())
            _LOG.info(
                "%s: %d items, %d from journals, %d asked for, %d not recorded, %d calls sent; %s",
                settings.id,
                tally.items,
                tally.from_journal,
                tally.asked,
                tally.not_recorded,
                tally.sent,
                statuses or "no items",
            )
