"""Sentence embeddings by sentence-transformers, with nothing cut in silence."""

import importlib.util
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from transformers.utils import logging as transformers_logging

from sensemaking.findings import Finding
from sensemaking.io.files import sha256_of
from sensemaking.text_key import text_sha256

_PACKAGE = "package:"
_WEIGHTS = "model.safetensors"


class ModelError(ValueError):
    """The embedding model cannot be found or is not the one that was pinned."""


@dataclass(frozen=True)
class Embedded:
    """An embedded text.

    Attributes:
        text_sha256: SHA-256 of the text in UTF-8, hexadecimal.
        n_tokens: Tokens of the whole text, special ones included.
        truncated: Whether the model saw only the first part of it.
        vector: The embedding, float32, length 1.
    """

    text_sha256: str
    n_tokens: int
    truncated: bool
    vector: np.ndarray


def locate(model: str) -> str:
    """Return what to load: a hub name as it is, or the folder of a local model.

    Args:
        model: A hub name, the path of a folder, or ``package:<module>/<folder>``.

    Raises:
        ModelError: The package or its folder is not there.
    """
    if not model.startswith(_PACKAGE):
        return model
    module, _, folder = model.removeprefix(_PACKAGE).partition("/")
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            f"embedding.model is {model!r}, but no package {module!r} is installed; run make, or "
            "install the package that carries the weights"
        )
    path = Path(next(iter(spec.submodule_search_locations))) / folder
    if not path.is_dir():
        raise ModelError(f"embedding.model is {model!r}, but {module} has no folder {folder!r}")
    return str(path)


def load(
    model: str, *, revision: str | None = None, sha256: str | None = None
) -> SentenceTransformer:
    """Load a model onto the CPU.

    Args:
        model: As for ``locate``.
        revision: Commit or tag of a hub model.
        sha256: Expected SHA-256 of model.safetensors, or None to trust it.

    Raises:
        ModelError: The model is not there or has another checksum.
    """
    place = locate(model)
    local = os.path.isdir(place)
    weights = Path(place) / _WEIGHTS
    if sha256 is not None and local:
        if not weights.is_file():
            raise ModelError(f"{place} has no {_WEIGHTS} to check against embedding.sha256")
        found = sha256_of(weights)
        if found != sha256:
            raise ModelError(
                f"{_WEIGHTS} of {model!r} has the SHA-256 {found}, but embedding.sha256 is "
                f"{sha256}; install the pinned release, or change the pin on purpose"
            )
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        return SentenceTransformer(
            place, device="cpu", revision=revision, local_files_only=local, trust_remote_code=False
        )
    except OSError as error:
        raise ModelError(
            f"the embedding model {model!r} cannot be loaded ({error}); expected a name on the "
            "model hub, the path of a folder, or package:<module>/<folder>"
        ) from error


def embed(
    model: SentenceTransformer, texts: Iterable[str], *, batch_size: int, threads: int
) -> list[Embedded]:
    """Embed each distinct text once, sorted by its key.

    Batches are formed from the sorted distinct texts, so the numbers depend on the set of texts,
    the batch size, the threads and the machine type, and on nothing else.

    Args:
        model: The model.
        texts: Texts; blank ones are the caller's to decide and are refused.
        batch_size: Texts encoded at once.
        threads: Threads of PyTorch, whatever the environment says.

    Raises:
        ValueError: A text is blank.
    """
    distinct = sorted(set(texts), key=lambda text: (len(text), text))
    if any(not text.strip() for text in distinct):
        raise ValueError("a blank text has no embedding; decide it before encoding")
    if not distinct:
        return []
    torch.set_num_threads(threads)
    counts = [
        len(ids) for ids in model.tokenizer(distinct, truncation=False, verbose=False)["input_ids"]
    ]
    limit = model.max_seq_length
    vectors = model.encode(
        distinct,
        batch_size=batch_size,
        normalize_embeddings=True,
        convert_to_numpy=True,
        show_progress_bar=False,
    )
    embedded = [
        Embedded(text_sha256(text), count, limit is not None and count > limit, vector)
        for text, count, vector in zip(distinct, counts, vectors, strict=True)
    ]
    return sorted(embedded, key=lambda item: item.text_sha256)


def truncation_findings(
    embedded: Iterable[Embedded], places: Mapping[str, str], limit: int | None
) -> list[Finding]:
    """Return a finding for each text of which the model saw only the first part.

    Args:
        embedded: The embedded texts.
        places: Where a text stands (an id) to the text.
        limit: The model's limit in tokens.
    """
    tokens = {item.text_sha256: item.n_tokens for item in embedded if item.truncated}
    findings = []
    for place, text in places.items():
        count = tokens.get(text_sha256(text)) if tokens else None
        if count is not None:
            message = (
                f"the text has {count} tokens, the embedding model reads {limit}; use smaller "
                "windows (windows.max_words) or a model with a greater limit"
            )
            action = f"the embedding is that of the first {limit} tokens"
            findings.append(Finding(place, "", "text_too_long", "warning", message, action))
    return findings
