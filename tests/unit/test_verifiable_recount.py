"""Recounting from the texts alone, and every kind of tampering."""

import copy
import json
import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.verifiable import UnusableDataError, generate, recount, verify
from sensemaking.verifiable.statements import FACTS, FILLERS, sentences

SOUND = generate(documents=2)
Tamper = Callable[[dict], None]


def bare(data: dict) -> dict:
    """The same data without counts, seed and format."""
    return {
        "documents": [
            {
                "document": one["document"],
                "source": one["source"],
                "summaries": [{k: s[k] for k in ("item", "text")} for s in one["summaries"]],
            }
            for one in data["documents"]
        ]
    }


def codes(data: dict) -> set[str]:
    return {found.code for found in verify(data)}


def summary(data: dict, document: int = 0, place: int = 0) -> dict:
    return data["documents"][document]["summaries"][place]


def changed(tamper: Tamper, data: dict = SOUND) -> dict:
    copied = copy.deepcopy(data)
    tamper(copied)
    assert copied != data
    return copied


def test_sound_data_have_no_mismatch_with_and_without_counts_and_seed():
    assert verify(SOUND) == []
    assert verify(bare(SOUND)) == []


def test_counts_come_from_the_texts_and_not_from_what_is_stored():
    assert recount(bare(SOUND)) == recount(SOUND)
    lying = changed(lambda data: summary(data).update(n_mentioned=16, n_wrong=0))
    assert recount(lying) == recount(SOUND)


def test_a_small_report_counted_by_hand():
    data = copy.deepcopy(bare(SOUND))
    one = data["documents"][0]
    true = [line for line in sentences(one["source"].split("\n\n")[1]) if line not in FILLERS]
    founded = next(line for line in true if FACTS[0].pattern.fullmatch(line))
    false = re.sub("[0-9]{4}", "1777", founded)
    summary(data)["text"] = " ".join([true[3], false, true[5]])
    first = recount(data)[0]
    assert (first.document, first.item, first.n_mentioned, first.n_wrong) == ("D1", "D1S01", 3, 1)


@pytest.mark.parametrize("strip", [False, True])
def test_every_changed_digit_of_a_document_is_found(strip):
    data = bare(SOUND) if strip else copy.deepcopy(SOUND)
    data["documents"] = data["documents"][:1]
    one = data["documents"][0]
    places = [(one, "source"), *((s, "text") for s in one["summaries"])]
    tried = 0
    for holder, key in places:
        text = holder[key]
        for match in re.finditer("[0-9]", text):
            other = str((int(match[0]) + 1 + tried % 9) % 10)
            holder[key] = text[: match.start()] + other + text[match.end() :]
            assert verify(data), (holder.get("item", "source"), match.start(), other)
            tried += 1
        holder[key] = text
    assert tried > 200
    assert verify(data) == []


def a_digit(data: dict) -> None:
    summary(data)["text"] = re.sub("[0-9]", "7", summary(data)["text"], count=1)


def exchange_with_another_document(data: dict) -> None:
    mine = sentences(summary(data)["text"])
    other = sentences(data["documents"][1]["source"].split("\n\n")[1])
    index, line = next(
        (i, line)
        for i, old in enumerate(mine)
        for line in other
        for fact in FACTS
        if fact.pattern.fullmatch(old) and fact.pattern.fullmatch(line) and old != line
    )
    mine[index] = line
    summary(data)["text"] = " ".join(mine)


def exchange_between_summaries(data: dict) -> None:
    a, b = sentences(summary(data, 0, 0)["text"]), sentences(summary(data, 0, 1)["text"])
    true = set(sentences(data["documents"][0]["source"]))
    keys = [
        {f.key for f in FACTS for line in lines if f.pattern.fullmatch(line)} for lines in (a, b)
    ]
    only = [
        next(
            i
            for i, line in enumerate(lines)
            for f in FACTS
            if f.pattern.fullmatch(line) and f.key not in others and line in true
        )
        for lines, others in ((a, keys[1]), (b, keys[0]))
    ]
    a[only[0]], b[only[1]] = b[only[1]], a[only[0]]
    summary(data, 0, 0)["text"], summary(data, 0, 1)["text"] = " ".join(a), " ".join(b)


def add_a_true_sentence(data: dict) -> None:
    item = next(s for s in data["documents"][0]["summaries"] if len(sentences(s["text"])) < 16)
    present = set(sentences(item["text"]))
    source = sentences(data["documents"][0]["source"].split("\n\n")[1])
    item["text"] += " " + next(line for line in source if line not in present | set(FILLERS))


def add_a_filler(data: dict) -> None:
    summary(data)["text"] += " " + FILLERS[0]


def add_words(data: dict) -> None:
    summary(data)["text"] += " And more"


def repeat_a_sentence(data: dict) -> None:
    summary(data)["text"] += " " + sentences(summary(data)["text"])[0]


def remove_a_sentence(data: dict) -> None:
    summary(data)["text"] = " ".join(sentences(summary(data)["text"])[1:])


def remove_a_filler(data: dict) -> None:
    one = data["documents"][0]
    one["source"] = one["source"].replace(
        next(filler for filler in FILLERS if filler in one["source"]), ""
    )


def exchange_a_filler(data: dict) -> None:
    one = data["documents"][0]
    present = next(filler for filler in FILLERS if filler in one["source"])
    absent = next(filler for filler in FILLERS if filler not in one["source"])
    one["source"] = one["source"].replace(present, absent)


def exchange_two_summaries(data: dict) -> None:
    a, b = summary(data, 0, 0), summary(data, 0, 1)
    a["item"], b["item"] = b["item"], a["item"]


def exchange_two_reports(data: dict) -> None:
    a, b = data["documents"]
    a["source"], b["source"] = b["source"], a["source"]


def repeat_a_document(data: dict) -> None:
    data["documents"][1] = json.loads(json.dumps(data["documents"][0]).replace('"D1', '"D2'))


def remove_a_summary(data: dict) -> None:
    del data["documents"][0]["summaries"][3]


def repeat_a_summary(data: dict) -> None:
    data["documents"][0]["summaries"].append(copy.deepcopy(summary(data)))


def remove_the_first_document(data: dict) -> None:
    del data["documents"][0]


def remove_a_fact_of_the_report(data: dict) -> None:
    one = data["documents"][0]
    one["source"] = one["source"].replace(sentences(one["source"])[4], "")


def repeat_a_fact_of_the_report(data: dict) -> None:
    one = data["documents"][0]
    one["source"] += " " + next(
        line for line in sentences(one["source"]) if FACTS[3].pattern.fullmatch(line)
    )


def contradict_a_fact_of_the_report(data: dict) -> None:
    one = data["documents"][0]
    stated = next(line for line in sentences(one["source"]) if FACTS[3].pattern.fullmatch(line))
    one["source"] += " " + re.sub("[0-9]+", "1234", stated)


def add_a_sentence_to_the_report(data: dict) -> None:
    data["documents"][0]["source"] += " Everything else is secret."


def name_two_institutes_in_the_report(data: dict) -> None:
    one = data["documents"][0]
    one["source"] = re.sub(r"The [A-Z][a-z]+ ", "The Another ", one["source"], count=1)


def name_two_titles_in_the_report(data: dict) -> None:
    one = data["documents"][0]
    one["source"] += " " + sentences(one["source"])[0]


def rename_the_institute_in_one_summary(data: dict) -> None:
    item = next(s for s in data["documents"][0]["summaries"] if " Institute " in s["text"])
    item["text"] = re.sub(r"The [A-Z][a-z]+ ", "The Another ", item["text"])


def take_another_digit_sign(data: dict) -> None:
    item = next(s for s in data["documents"][0]["summaries"] if re.search("[0-9]{4}", s["text"]))
    item["text"] = re.sub("[0-9](?= million|[.])", "٣", item["text"], count=1)


def empty_a_summary(data: dict) -> None:
    summary(data)["text"] = ""


def empty_a_report(data: dict) -> None:
    data["documents"][0]["source"] = " "


@pytest.mark.parametrize("strip", [False, True], ids=["with counts", "texts alone"])
@pytest.mark.parametrize(
    ("tamper", "code"),
    [
        (a_digit, "value"),
        (exchange_with_another_document, "text"),
        (exchange_between_summaries, "text"),
        (add_a_true_sentence, "counts"),
        (add_a_filler, "sentence"),
        (add_words, "sentence"),
        (repeat_a_sentence, "fact_twice"),
        (remove_a_sentence, "counts"),
        (remove_a_filler, "report_filler"),
        (exchange_a_filler, "text"),
        (exchange_two_summaries, "text"),
        (exchange_two_reports, "text"),
        (repeat_a_document, "text"),
        (remove_a_summary, "summaries"),
        (repeat_a_summary, "summaries"),
        (remove_the_first_document, "documents"),
        (remove_a_fact_of_the_report, "report_fact"),
        (repeat_a_fact_of_the_report, "report_fact"),
        (contradict_a_fact_of_the_report, "report_fact"),
        (add_a_sentence_to_the_report, "report_sentence"),
        (name_two_institutes_in_the_report, "report_names"),
        (name_two_titles_in_the_report, "report_title"),
        (rename_the_institute_in_one_summary, "names"),
        (take_another_digit_sign, "sentence"),
        (empty_a_summary, "text"),
        (empty_a_report, "report_title"),
    ],
)
def test_tampering_is_found_and_named(tamper, code, strip):
    assert code in codes(changed(tamper, bare(SOUND) if strip else SOUND))


def test_every_exchange_of_two_sentences_of_two_summaries_is_found():
    data = bare({"documents": SOUND["documents"][:1]})
    rng = random.Random(1)
    for _ in range(60):
        first, second = rng.sample(range(12), 2)
        a = sentences(summary(data, 0, first)["text"])
        b = sentences(summary(data, 0, second)["text"])
        i, j = rng.randrange(len(a)), rng.randrange(len(b))
        if a[i] != b[j]:
            a[i], b[j] = b[j], a[i]
            other = copy.deepcopy(data)
            summary(other, 0, first)["text"] = " ".join(a)
            summary(other, 0, second)["text"] = " ".join(b)
            assert verify(other)


@pytest.mark.parametrize("name", ["n_mentioned", "n_wrong"])
def test_a_wrong_stored_count_is_found_where_it_stands(name):
    data = changed(lambda data: summary(data, 1, 4).update({name: summary(data, 1, 4)[name] + 1}))
    found = verify(data)
    assert [(one.code, one.json_pointer) for one in found] == [
        ("count", f"/documents/1/summaries/4/{name}")
    ]
    assert f"recounted {summary(SOUND, 1, 4)[name]}" in found[0].message


def test_another_seed_in_the_file_is_found():
    assert codes(changed(lambda data: data.update(seed=1))) == {"seed"}


def test_another_format_is_found():
    assert codes(changed(lambda data: data.update(format="other 2"))) == {"format"}


@given(st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_the_order_of_documents_summaries_and_sentences_is_free(rng):
    data = copy.deepcopy(SOUND)
    rng.shuffle(data["documents"])
    for one in data["documents"]:
        rng.shuffle(one["summaries"])
        title, body = one["source"].split("\n\n")
        for holder, key, text, prefix in (
            (one, "source", body, title + "\n\n"),
            *((s, "text", s["text"], "") for s in one["summaries"]),
        ):
            lines = sentences(text)
            rng.shuffle(lines)
            holder[key] = prefix + "  ".join(lines)
    assert verify(data) == []
    assert sorted(recount(data)) == sorted(recount(SOUND))


@pytest.mark.parametrize(
    ("data", "pointer"),
    [
        ({}, "/documents"),
        ([], ""),
        ({"documents": [{"document": "D1", "source": "x"}]}, "/documents/0/summaries"),
        ({"documents": [], "sed": 1}, "/sed"),
        ({"documents": [], "seed": "1"}, "/seed"),
        ({"documents": "D1"}, "/documents"),
    ],
)
def test_data_of_another_form_are_refused_with_the_place(data, pointer):
    assert pointer in [found.json_pointer for found in verify(data)]
    with pytest.raises(UnusableDataError, match="no verifiable data") as caught:
        recount(data)
    assert pointer in [found.json_pointer for found in caught.value.mismatches]


def test_no_documents_are_a_mismatch():
    assert codes({"documents": []}) == {"documents"}


@pytest.mark.parametrize("tamper", [add_words, add_a_filler, rename_the_institute_in_one_summary])
def test_a_sentence_that_states_no_fact_of_the_report_cannot_be_counted(tamper):
    with pytest.raises(UnusableDataError, match="/documents/0/summaries/"):
        recount(changed(tamper))
