"""What has been transcribed already, one file for each recording, so that it is never done twice.

A record's name is the hash of all that can change it: the bytes of the recording, the engine with
its version, the weights, the options and the language. Files get their names only when they are
complete; a job that is killed loses the recording that it was at and no other.
"""

import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sensemaking.io.files import write_text

_FORMAT = 1
"""Goes up when what makes a record changes: how sound is decoded, when windows are tried again."""
_LOG = logging.getLogger(__name__)


class Journal:
    """The records of one shard."""

    def __init__(self, folder: str | Path) -> None:
        """Open the journal in a folder, which is made with the first record."""
        self._folder = Path(folder)

    def get(self, key: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the record of a key, or None. A record that cannot be read counts as none."""
        path = self._path(key)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            _LOG.warning("%s cannot be read and is made again: %s", path, error)
            return None
        if not isinstance(content, dict) or content.get("key") != _plain(key):
            _LOG.warning("%s holds another record than its name says and is made again", path)
            return None
        record = content.get("record")
        return record if isinstance(record, dict) else None

    def put(self, key: Mapping[str, Any], record: Mapping[str, Any]) -> None:
        """Keep a record, all or nothing.

        Raises:
            ValueError: The record holds NaN or infinity, which JSON has no form for.
        """
        content = {"key": _plain(key), "record": record}
        text = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)
        write_text(self._path(key), text + "\n")

    def _path(self, key: Mapping[str, Any]) -> Path:
        text = json.dumps(_plain(key), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return self._folder / f"{hashlib.sha256(text.encode()).hexdigest()}.json"


def _plain(key: Mapping[str, Any]) -> dict[str, Any]:
    """Return a key as JSON gives it back, with the format's number."""
    plain: dict[str, Any] = json.loads(json.dumps({**key, "format": _FORMAT}))
    return plain
