"""A checkpoint for openai-whisper, made from the CTranslate2 form of the same model.

Layout of the binary file, version 6 (CTranslate2's model specification): version, name, revision,
number of variables; then for each its name, rank, sizes, type and bytes; last the aliases. Numbers
are little endian; a text is its length as u16, the closing NUL counted, and its bytes.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from sensemaking.asr.weights import ModelError
from sensemaking.io.files import replacing, sha256_of

_VERSION = 6
_TYPES = {0: "<f4", 1: "<i1", 2: "<i2", 3: "<i4", 4: "<f2"}
_NORM = {"gamma": "weight", "beta": "bias"}
_PLACES = {
    "conv1": "conv1",
    "conv2": "conv2",
    "embeddings": "token_embedding",
}
_BLOCK_PLACES = {
    ("self_attention", "layer_norm"): "attn_ln",
    ("attention", "layer_norm"): "cross_attn_ln",
    ("ffn", "layer_norm"): "mlp_ln",
    ("ffn", "linear_0"): "mlp.0",
    ("ffn", "linear_1"): "mlp.2",
    ("self_attention", "linear_1"): "attn.out",
    ("attention", "linear_2"): "cross_attn.out",
}
_FUSED = {
    ("self_attention", "linear_0"): ("attn", ("query", "key", "value")),
    ("attention", "linear_0"): ("cross_attn", ("query",)),
    ("attention", "linear_1"): ("cross_attn", ("key", "value")),
}
"""Linear layers that hold several projections, one below the other."""

Tensors = dict[str, NDArray[Any]]


def openai_checkpoint(model_bin: Path, target: Path | None = None) -> Path:
    """Make a checkpoint that ``whisper.load_model`` reads, once, and return its path.

    Args:
        model_bin: ``model.bin`` of a Whisper model in CTranslate2 form, not quantised.
        target: Where to keep the checkpoint; beside the file if None, under a name that holds
            the checksum of the file.

    Raises:
        ModelError: The file is no such model.
    """
    path = target or model_bin.with_name(f"openai-{sha256_of(model_bin)[:12]}.pt")
    if path.is_file():
        return path
    tensors = dict(_variables(model_bin))
    state = state_dict(tensors)
    checkpoint = {
        "dims": dimensions(tensors, state),
        "model_state_dict": {name: torch.from_numpy(a.copy()) for name, a in state.items()},
    }
    with replacing(path) as temporary:
        torch.save(checkpoint, temporary)
    return path


def state_dict(tensors: Tensors) -> Tensors:
    """Return the tensors by the names that openai-whisper gives them.

    The fused projections are taken apart; the key has no bias there, and here a bias of zeros.

    Args:
        tensors: Name to array, as in the CTranslate2 file.

    Raises:
        ModelError: A key has a bias, or a tensor has no place.
    """
    result: Tensors = {}
    for name, array in tensors.items():
        side, *places, kind = name.split("/")
        if not places and side in ("encoder", "decoder"):
            continue  # Settings of the runtime.
        kind = _NORM.get(kind, kind)
        if kind not in ("weight", "bias", "encodings"):
            raise ModelError(f"no Whisper model, or a quantised one: unknown tensor {name!r}")
        if places == ["position_encodings"]:
            result[f"{side}.positional_embedding"] = array
        elif places == ["layer_norm"]:
            result[f"{side}.{'ln_post' if side == 'encoder' else 'ln'}.{kind}"] = array
        elif len(places) == 1 and places[0] in _PLACES:
            result[f"{side}.{_PLACES[places[0]]}.{kind}"] = array
        elif places[0].startswith("layer_") and len(places) == 3:
            block = f"{side}.blocks.{places[0].removeprefix('layer_')}"
            result.update(_block(block, (places[1], places[2]), kind, array))
        else:
            raise ModelError(f"no Whisper model: the tensor {name!r} has no place in it")
    return result


def dimensions(tensors: Tensors, state: Tensors) -> dict[str, int]:
    """Return the sizes that openai-whisper builds a model from."""
    n_vocab, n_text_state = state["decoder.token_embedding.weight"].shape
    n_audio_state, n_mels, _ = state["encoder.conv1.weight"].shape
    layers = {
        side: 1 + max(int(n.split(".")[2]) for n in state if n.startswith(f"{side}.blocks."))
        for side in ("encoder", "decoder")
    }
    return {
        "n_mels": n_mels,
        "n_audio_ctx": state["encoder.positional_embedding"].shape[0],
        "n_audio_state": n_audio_state,
        "n_audio_head": int(tensors["encoder/num_heads"]),
        "n_audio_layer": layers["encoder"],
        "n_vocab": n_vocab,
        "n_text_ctx": state["decoder.positional_embedding"].shape[0],
        "n_text_state": n_text_state,
        "n_text_head": int(tensors["decoder/num_heads"]),
        "n_text_layer": layers["decoder"],
    }


def _block(block: str, place: tuple[str, str], kind: str, array: NDArray[Any]) -> Tensors:
    if place in _BLOCK_PLACES:
        return {f"{block}.{_BLOCK_PLACES[place]}.{kind}": array}
    if place not in _FUSED:
        raise ModelError(f"no Whisper model: {block} has no part {'/'.join(place)!r}")
    attention, parts = _FUSED[place]
    result: Tensors = {}
    for part, piece in zip(parts, np.split(array, len(parts)), strict=True):
        if part == "key" and kind == "bias":
            if np.any(piece):
                raise ModelError(f"no Whisper model: the key of {block}.{attention} has a bias")
            continue
        result[f"{block}.{attention}.{part}.{kind}"] = piece
    return result


def _variables(path: Path) -> Iterator[tuple[str, NDArray[Any]]]:
    with open(path, "rb") as file:

        def number(form: str) -> int:
            size = struct.calcsize(form)
            data = file.read(size)
            if len(data) < size:
                raise ModelError(f"{path}: ends in the middle of a tensor; the file is cut")
            return int(struct.unpack(f"<{form}", data)[0])

        def text() -> str:
            return file.read(number("H")).rstrip(b"\0").decode()

        version = number("I")
        name = text() if version == _VERSION else ""
        if name != "WhisperSpec":
            raise ModelError(
                f"{path}: expected a Whisper model in CTranslate2 form, version {_VERSION}; found "
                f"version {version} of {name!r}"
            )
        number("I")
        for _ in range(number("I")):
            name = text()
            shape = [number("I") for _ in range(number("B"))]
            code = number("B")
            size = number("I")
            if code not in _TYPES:
                raise ModelError(f"{path}: the tensor {name!r} has the unknown type {code}")
            data = file.read(size)
            if len(data) < size:
                raise ModelError(f"{path}: ends in the middle of {name!r}; the file is cut")
            yield name, np.frombuffer(data, dtype=_TYPES[code]).reshape(shape)
