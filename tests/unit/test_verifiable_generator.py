"""The generated data: what they hold, and that nothing but the seed moves them."""

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

import sensemaking.verifiable
from sensemaking.verifiable import generate, recount, truth_correlation, verify
from sensemaking.verifiable import generator as generator_module
from sensemaking.verifiable.draws import Draws
from sensemaking.verifiable.statements import FACTS, FILLERS, sentences

DIGEST = "b16fd1e29b247a7fd1a39204e40e290571aa867a2e7b09960618d05177e1e880"
"""SHA-256 of the default data as JSON; it may only change with the format's number."""


def digest(data: dict) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


@pytest.fixture(scope="module")
def data() -> dict:
    return generate()


def test_the_default_data_are_the_same_on_every_machine(data):
    assert digest(data) == DIGEST


def test_another_process_with_another_hash_seed_and_global_random_state_gives_the_same(data):
    code = (
        "import random, numpy, json, hashlib; random.seed(7); numpy.random.seed(7)\n"
        "from sensemaking.verifiable import generate\n"
        "print(hashlib.sha256(json.dumps(generate(), sort_keys=True).encode()).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "3"},
    )
    assert done.stdout.strip() == DIGEST


def test_draws_are_those_of_sha256_by_hand():
    key = hashlib.sha256(b"a\x1f1").digest()
    words = [
        int.from_bytes(hashlib.sha256(key + bytes(7) + bytes([counter])).digest()[:8], "big")
        for counter in range(3)
    ]
    draws = Draws("a", 1)
    assert [draws.below(1000) for _ in range(3)] == [word % 1000 for word in words]
    assert Draws("a", 1).between(5, 6) == 5 + words[0] % 2


def test_draws_are_even_and_samples_put_nothing_back():
    draws = Draws("even")
    counts = Counter(draws.below(6) for _ in range(6000))
    assert set(counts) == set(range(6))
    assert all(850 < n < 1150 for n in counts.values())
    places = Counter(draws.sample("abcd", 2)[1] for _ in range(4000))
    assert all(850 < places[letter] < 1150 for letter in "abcd")
    assert sorted(draws.shuffled(range(9))) == list(range(9))
    assert draws.choice(["only"]) == "only"
    hits = sum(draws.happens(1, 4) for _ in range(4000))
    assert 850 < hits < 1150


def test_words_that_would_make_small_numbers_likelier_are_drawn_again(monkeypatch):
    # 2^64 = 10 · 1844674407370955161 + 6, so the last six words are left over for below(10).
    words = iter([2**64 - 1, 2**64 - 6, 2**64 - 7])
    draws = Draws("x")
    monkeypatch.setattr(draws, "_word", lambda: next(words))
    assert draws.below(10) == (2**64 - 7) % 10


def test_draws_out_of_nothing_are_refused():
    with pytest.raises(ValueError, match="no whole number"):
        Draws("x").below(0)
    with pytest.raises(ValueError, match="cannot draw 3 of 2"):
        Draws("x").sample([1, 2], 3)


def test_a_document_has_twelve_summaries_with_each_count_as_often_as_it_must(data):
    assert [one["document"] for one in data["documents"]] == [f"D{n}" for n in range(1, 7)]
    for one in data["documents"]:
        summaries = one["summaries"]
        name = one["document"]
        assert [s["item"] for s in summaries] == [f"{name}S{n:02d}" for n in range(1, 13)]
        assert sorted(s["n_mentioned"] for s in summaries) == list(range(5, 17))
        assert sorted(s["n_wrong"] for s in summaries) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def test_the_stored_counts_are_those_of_the_texts(data):
    stored = [
        (one["document"], s["item"], s["n_mentioned"], s["n_wrong"])
        for one in data["documents"]
        for s in one["summaries"]
    ]
    counted = [(c.document, c.item, c.n_mentioned, c.n_wrong) for c in recount(data)]
    assert counted == stored


def test_a_report_states_each_of_sixteen_facts_once_with_three_fillers(data):
    assert len(FACTS) == len({fact.key for fact in FACTS}) == 16
    for one in data["documents"]:
        title, body = one["source"].split("\n\n")
        assert re.fullmatch(r"Report on the [A-Z][a-z]+ [A-Z][a-z]+ Institute\.", title)
        lines = sentences(body)
        assert len(lines) == len(set(lines)) == 19
        assert sum(line in FILLERS for line in lines) == 3
        for fact in FACTS:
            assert sum(fact.pattern.fullmatch(line) is not None for line in lines) == 1


def test_no_sentence_can_be_read_as_two_facts(data):
    for one in data["documents"]:
        texts = [one["source"].split("\n\n")[1], *(s["text"] for s in one["summaries"])]
        for line in {line for text in texts for line in sentences(text)} - set(FILLERS):
            assert sum(fact.pattern.fullmatch(line) is not None for fact in FACTS) == 1


def test_only_plain_digits_are_read_as_numbers():
    for fact in FACTS:
        if fact.kind in ("year", "number", "percent"):
            line = fact.sentence.format(value="{}", institute="Ba Do Institute", prize="Ki Prize")
            assert fact.pattern.fullmatch(line.format("1954" if fact.kind == "year" else "19"))
            for value in ("195٤", "1٩", "019", "1.9", "-19", "1,954", "¹9"):
                assert fact.pattern.fullmatch(line.format(value)) is None


@pytest.mark.parametrize("syllables", [None, ("ba", "do", "ki")])
def test_a_fact_has_one_wrong_value_in_a_document_and_names_are_never_shared(
    syllables, monkeypatch
):
    if syllables:
        monkeypatch.setattr(generator_module, "SYLLABLES", syllables)
    for one in generate(seed=5, documents=40)["documents"]:
        values: dict[str, set[str]] = {}
        for text in (one["source"], *(s["text"] for s in one["summaries"])):
            for line in sentences(text):
                for fact in FACTS:
                    if match := fact.pattern.fullmatch(line):
                        values.setdefault(fact.key, set()).add(match["value"])
        assert all(len(found) <= 2 for found in values.values())
        names = [
            word
            for fact in FACTS
            if fact.kind in ("place", "person")
            for value in values[fact.key]
            for word in value.split()
        ]
        assert len(names) == len(set(names))


def test_wrong_numbers_are_clearly_wrong_and_possible():
    for one in generate(seed=6, documents=60)["documents"]:
        for fact in FACTS:
            if fact.kind in ("year", "number", "percent"):
                true = int(
                    next(
                        m["value"]
                        for m in map(fact.pattern.fullmatch, sentences(one["source"]))
                        if m
                    )
                )
                assert fact.low <= true <= fact.high
                stated = {
                    int(match["value"])
                    for s in one["summaries"]
                    for match in map(fact.pattern.fullmatch, sentences(s["text"]))
                    if match
                }
                for wrong in stated - {true}:
                    assert abs(wrong - true) >= {"year": 3, "percent": 8, "number": 2}[fact.kind]
                    assert wrong >= 2
                    assert fact.kind != "percent" or wrong <= 99


def test_more_documents_leave_the_first_ones_as_they_are(data):
    assert generate(documents=8)["documents"][:6] == data["documents"]
    assert generate(documents=1)["documents"] == data["documents"][:1]


def test_another_seed_gives_other_reports(data):
    other = generate(seed=20260924)
    assert not {one["source"] for one in data["documents"]} & {
        one["source"] for one in other["documents"]
    }


def test_any_seed_gives_sound_data():
    for seed in (0, 1, 2**64, 10**30):
        assert verify(generate(seed=seed, documents=2)) == []


def test_the_two_truths_are_independent():
    correlations = [
        truth_correlation(recount(generate(seed=seed, documents=6))).value for seed in range(30)
    ]
    # 72 independent pairs: a standard deviation of about 0.12, and 0.02 for the mean of 30.
    assert abs(np.mean(correlations)) < 0.08
    assert 0.06 < np.std(correlations) < 0.2


def test_facts_are_mentioned_and_wrong_about_equally_often():
    n_mentioned: Counter[str] = Counter()
    n_wrong: Counter[str] = Counter()
    for one in generate(seed=9, documents=30)["documents"]:
        true = set(sentences(one["source"]))
        for s in one["summaries"]:
            for line in sentences(s["text"]):
                key = next(fact.key for fact in FACTS if fact.pattern.fullmatch(line))
                n_mentioned[key] += 1
                n_wrong[key] += line not in true
    # 30 × 12 summaries that mention 10.5 of 16 and have 2.5 wrong: 236 and 56 of each fact.
    assert all(200 < n_mentioned[fact.key] < 275 for fact in FACTS)
    assert all(28 < n_wrong[fact.key] < 90 for fact in FACTS)


@pytest.mark.parametrize(
    ("seed", "documents", "error"),
    [(-1, 6, ValueError), (1, 0, ValueError), (True, 6, TypeError), (1, 2.0, TypeError)],
)
def test_unusable_settings_are_refused_by_name(seed, documents, error):
    with pytest.raises(error, match=r"seed|documents"):
        generate(seed=seed, documents=documents)


def test_the_data_survive_a_round_trip_through_json(data):
    assert json.loads(json.dumps(data)) == data


def test_the_package_gives_functions_and_never_modules():
    assert callable(sensemaking.verifiable.generate)
    assert callable(sensemaking.verifiable.recount)
    assert callable(sensemaking.verifiable.facts)
