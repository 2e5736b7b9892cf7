import struct
from pathlib import Path

import numpy as np
import pytest
import torch
import whisper

from sensemaking.asr.checkpoint import openai_checkpoint, state_dict
from sensemaking.asr.weights import ModelError

STATE, HEADS, VOCABULARY = 8, 2, 51_865
SIZES = whisper.model.ModelDimensions(4, 10, STATE, HEADS, 2, VOCABULARY, 6, STATE, HEADS, 1)
TYPES = {"float32": 0, "int8": 1, "int16": 2, "int32": 3, "float16": 4}


def converted(model: whisper.model.Whisper) -> dict[str, np.ndarray]:
    """The tensors of a model by the names and in the form that CTranslate2 keeps them in."""
    state = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    result = {
        "encoder/num_heads": np.array(HEADS, np.int16),
        "decoder/num_heads": np.array(HEADS, np.int16),
        "decoder/pre_norm": np.array(1, np.int8),
        "decoder/alignment_heads": np.array([[0, 1]], np.int16),
        "decoder/embeddings/weight": state["decoder.token_embedding.weight"],
    }
    for side, layers, norm in (("encoder", 2, "ln_post"), ("decoder", 1, "ln")):
        result[f"{side}/position_encodings/encodings"] = state[f"{side}.positional_embedding"]
        for a, b in (("gamma", "weight"), ("beta", "bias")):
            result[f"{side}/layer_norm/{a}"] = state[f"{side}.{norm}.{b}"]
        for layer in range(layers):
            old, new = f"{side}.blocks.{layer}", f"{side}/layer_{layer}"
            for a, b in (("gamma", "weight"), ("beta", "bias")):
                result[f"{new}/self_attention/layer_norm/{a}"] = state[f"{old}.attn_ln.{b}"]
                result[f"{new}/ffn/layer_norm/{a}"] = state[f"{old}.mlp_ln.{b}"]
                if side == "decoder":
                    result[f"{new}/attention/layer_norm/{a}"] = state[f"{old}.cross_attn_ln.{b}"]
            for kind in ("weight", "bias"):
                result[f"{new}/ffn/linear_0/{kind}"] = state[f"{old}.mlp.0.{kind}"]
                result[f"{new}/ffn/linear_1/{kind}"] = state[f"{old}.mlp.2.{kind}"]

                def part(attention: str, name: str, kind: str = kind, old: str = old) -> np.ndarray:
                    if (name, kind) == ("key", "bias"):
                        return np.zeros(STATE, np.float32)
                    return state[f"{old}.{attention}.{name}.{kind}"]

                fused = [part("attn", name) for name in ("query", "key", "value")]
                result[f"{new}/self_attention/linear_0/{kind}"] = np.concatenate(fused)
                result[f"{new}/self_attention/linear_1/{kind}"] = part("attn", "out")
                if side == "decoder":
                    pair = [part("cross_attn", name) for name in ("key", "value")]
                    result[f"{new}/attention/linear_0/{kind}"] = part("cross_attn", "query")
                    result[f"{new}/attention/linear_1/{kind}"] = np.concatenate(pair)
                    result[f"{new}/attention/linear_2/{kind}"] = part("cross_attn", "out")
    for name in ("conv1", "conv2"):
        for kind in ("weight", "bias"):
            result[f"encoder/{name}/{kind}"] = state[f"encoder.{name}.{kind}"]
    return result


def binary(tensors: dict[str, np.ndarray], version: int = 6, spec: str = "WhisperSpec") -> bytes:
    def text(value: str) -> bytes:
        return struct.pack("<H", len(value) + 1) + value.encode() + b"\0"

    data = struct.pack("<I", version) + text(spec) + struct.pack("<II", 3, len(tensors))
    for name, array in tensors.items():
        data += text(name) + struct.pack("<B", array.ndim)
        data += struct.pack(f"<{array.ndim}I", *array.shape)
        data += struct.pack("<BI", TYPES[array.dtype.name], array.nbytes) + array.tobytes()
    return data + struct.pack("<I", 0)


@pytest.fixture(scope="module")
def model() -> whisper.model.Whisper:
    torch.manual_seed(0)
    made = whisper.model.Whisper(SIZES)
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter)
    return made


def test_every_tensor_comes_back_in_its_place(model: whisper.model.Whisper, tmp_path: Path) -> None:
    source = tmp_path / "model.bin"
    source.write_bytes(binary(converted(model)))
    loaded = whisper.load_model(str(openai_checkpoint(source)), device="cpu")
    assert loaded.dims == SIZES
    for name, tensor in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], tensor), name


def test_the_checkpoint_is_made_once_and_never_of_other_weights(
    model: whisper.model.Whisper, tmp_path: Path
) -> None:
    source = tmp_path / "model.bin"
    tensors = converted(model)
    source.write_bytes(binary(tensors))
    first = openai_checkpoint(source)
    stamp = first.stat().st_mtime_ns
    assert openai_checkpoint(source).stat().st_mtime_ns == stamp
    tensors["encoder/conv1/bias"] = tensors["encoder/conv1/bias"] + 1
    source.write_bytes(binary(tensors))
    assert openai_checkpoint(source) != first


def test_half_precision_is_read_as_it_is(model: whisper.model.Whisper) -> None:
    half = {
        name: a.astype(np.float16) if a.dtype == np.float32 else a
        for name, a in converted(model).items()
    }
    assert state_dict(half)["encoder.conv1.weight"].dtype == np.float16


def test_a_key_with_a_bias_is_refused(model: whisper.model.Whisper) -> None:
    tensors = converted(model)
    tensors["encoder/layer_0/self_attention/linear_0/bias"] = np.ones(3 * STATE, np.float32)
    with pytest.raises(ModelError, match=r"the key of encoder\.blocks\.0\.attn has a bias"):
        state_dict(tensors)


@pytest.mark.parametrize("name", ["encoder/layer_0/gate/weight", "encoder/conv1/weight_scale"])
def test_a_tensor_without_a_place_is_refused(model: whisper.model.Whisper, name: str) -> None:
    with pytest.raises(ModelError, match="no Whisper model"):
        state_dict({**converted(model), name: np.zeros(1, np.float32)})


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is cut"),
        (binary({}, version=5), "found version 5"),
        (binary({}, spec="TransformerSpec"), "of 'TransformerSpec'"),
        (binary({"encoder/conv1/bias": np.zeros(9, np.float32)})[:-30], "ends in the middle"),
    ],
)
def test_another_file_is_refused_with_what_it_is(tmp_path: Path, data: bytes, words: str) -> None:
    source = tmp_path / "model.bin"
    source.write_bytes(data)
    with pytest.raises(ModelError, match=words):
        openai_checkpoint(source)
    assert list(tmp_path.iterdir()) == [source]
