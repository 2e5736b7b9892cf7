"""The chain of translation engines that the configuration names."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sensemaking.mt.engines import Engine
from sensemaking.mt.memory import MemoryEngine


def engines_of(configured: Sequence[Mapping[str, Any]]) -> list[Engine]:
    """Return the engines in order of preference.

    Args:
        configured: The engines as the configuration names them, as plain values; the file of a
            memory is a path that can be opened.

    Raises:
        TmxError: A memory is no TMX file.
        OSError: A memory cannot be read.
        ValueError: There is no such engine.
    """
    return [_engine(engine) for engine in configured]


def _engine(configured: Mapping[str, Any]) -> Engine:
    if configured["engine"] == "memory":
        return MemoryEngine(Path(configured["file"]))
    if configured["engine"] == "google":
        # Google's client takes seconds to import, and only who configures it has a use for it.
        from sensemaking.mt.google import GoogleEngine, GoogleSettings

        names = ("model", "max_bytes", "attempts", "first_wait_s", "longest_wait_s", "api_endpoint")
        return GoogleEngine(GoogleSettings(**{name: configured[name] for name in names}))
    raise ValueError(f"no translation engine {configured['engine']!r}; known: memory, google")
