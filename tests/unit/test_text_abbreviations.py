import unicodedata
from itertools import combinations

import pytest

from sensemaking.text.abbreviations import LANGUAGES

RULES = [pytest.param(rules, id=code) for code, rules in LANGUAGES.items()]
ABBREVIATIONS = ("before", "numbered", "closing", "dated")
LOWER = (
    *("figures", "starters", "never_first", "letter_labels", "before_ordinal", "after_ordinal"),
    *("in_reference", "time_openers", "speech"),
)


@pytest.mark.parametrize("rules", RULES)
def test_entries_are_composed_and_written_without_the_last_stop(rules):
    for name in ABBREVIATIONS:
        for entry in getattr(rules, name):
            assert entry == unicodedata.normalize("NFC", entry), (name, entry)
            assert not entry.endswith("."), (name, entry)
            assert all(entry.split(".")), (name, entry)


@pytest.mark.parametrize("rules", RULES)
def test_words_that_are_compared_in_lower_case_are_in_lower_case(rules):
    for name in LOWER:
        assert {entry for entry in getattr(rules, name) if entry != entry.lower()} == set(), name


@pytest.mark.parametrize("rules", RULES)
def test_an_abbreviation_is_of_one_kind(rules):
    for one, other in combinations(("before", "numbered", "closing"), 2):
        assert getattr(rules, one) & getattr(rules, other) == set(), (one, other)


@pytest.mark.parametrize("rules", RULES)
def test_an_abbreviation_of_a_figure_takes_a_number(rules):
    kinds = {rules.kinds.get(entry, rules.kinds.get(entry.title())) for entry in rules.figures}
    assert kinds == {"numbered"}


@pytest.mark.parametrize("rules", RULES)
def test_what_continues_after_an_abbreviation_opens_no_sentence(rules):
    assert rules.never_first & rules.starters == set()
