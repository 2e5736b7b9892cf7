"""The demo corpus keeps its promises: kinds, languages, forms, formats and sizes."""

import json
import re
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from sensemaking.asr.audio import decode as decode_recording
from sensemaking.io import pdf

REPOSITORY = Path(__file__).resolve().parents[2]
DEMO = REPOSITORY / "resources" / "demo"
ROOT = DEMO / "materials"

LANGUAGES = {
    "demagog-statements-public": "cs",
    "flat-earth-book": "en",
    "nmt-book": "en",
    "nmt-class": "en",
    "popular": "de",
    "ukr-biology": "uk",
    "world-history": "en",
}
SUB_KINDS = {
    "statement-w-explanation": r"id\d+",
    "determine-statement": r"explanation_only_id\d+",
    "determine-explanation": r"statement_only_id\d+",
}
VERDICTS = {"pravda": "true", "nepravda": "false", "neověřitelné": "unknowable"}
CLOSING = {
    "statement-w-explanation": "Answer with the verdict (true, false or unknowable).",
    "determine-statement": (
        "Answer with the letter of the statement and the verdict (true, false or unknowable)."
    ),
    "determine-explanation": (
        "Answer with the letter of the explanation and the verdict (true, false or unknowable)."
    ),
}
RECORDINGS = {"source.mp3", "source.ogg"}
# Adversarial questions and answers that were sent to participants, and their manifest.
RELEASED = re.compile(r"(?:questions|answers)_by_.*\.json")
MANIFEST = "release.json"
NAMES = {
    *("text.txt", "text.en.txt", "questions.json", "questions.en.json"),
    *("source.pdf", "reference.txt", *RECORDINGS),
}
LETTERS = {"cs": "áčďéěíňóřšťúůýž", "de": "äöüß", "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"}

Item = str | list[str]


@cache
def sections() -> dict[str, Path]:
    """Map each section's path below the root, with slashes, to its folder."""
    folders = {path.parent for path in ROOT.rglob("*/*") if path.is_file()}
    return {folder.relative_to(ROOT).as_posix(): folder for folder in sorted(folders)}


def kind_of(section: str) -> str:
    return section.split("/")[0]


def language_of(section: str) -> str:
    return LANGUAGES[kind_of(section)]


def sub_kind_of(section: str) -> str:
    name = section.rsplit("/", 1)[-1]
    found = [sub for sub, pattern in SUB_KINDS.items() if re.fullmatch(pattern, name)]
    assert len(found) == 1, f"{section}: the folder name fits {found}"
    return found[0]


def read(section: str, name: str) -> str:
    return (sections()[section] / name).read_bytes().decode("utf-8")


def original_text(section: str) -> str:
    """What a section says in its own language, by a person: of a recording, what was said."""
    there = (sections()[section] / "text.txt").exists()
    return read(section, "text.txt" if there else "reference.txt")


def english_text(section: str) -> str:
    return original_text(section) if language_of(section) == "en" else read(section, "text.en.txt")


def with_file(*names: str) -> list[str]:
    return [s for s, folder in sections().items() if any((folder / n).exists() for n in names)]


def items(section: str, name: str) -> list[Item] | None:
    if not (sections()[section] / name).exists():
        return None
    loaded: Any = json.loads(read(section, name))
    assert isinstance(loaded, list), f"{section}/{name}: not a list"
    return loaded


def own_sets(folder: Path) -> list[Path]:
    return [p for p in folder.glob("questions*.json") if not RELEASED.fullmatch(p.name)]


def english_items(section: str) -> list[Item] | None:
    en = language_of(section) == "en"
    return items(section, "questions.json" if en else "questions.en.json")


def question(item: Item) -> str:
    return item if isinstance(item, str) else item[0]


def references(item: Item) -> list[str]:
    return [] if isinstance(item, str) else item[1:]


def fact_checks(*subs: str) -> list[str]:
    found = [s for s in sections() if kind_of(s) == "demagog-statements-public"]
    return [s for s in found if not subs or sub_kind_of(s) in subs]


def sub_kind_or_none(section: str) -> str | None:
    return sub_kind_of(section) if section in fact_checks() else None


def verdict_item(section: str, name: str = "questions.en.json") -> Item:
    found = items(section, name)
    assert found, f"{section}: no {name}"
    return found[0]


def offered(text: str) -> dict[str, str]:
    return dict(re.findall(r"^([A-Z])\) (.+)$", text, flags=re.MULTILINE))


def n_words(text: str) -> int:
    return sum(any(c.isalnum() for c in token) for token in text.split())


def jaccard(a: str, b: str) -> float:
    first, second = (set(re.findall(r"[^\W_]+", text.lower())) for text in (a, b))
    return len(first & second) / len(first | second)


def verdict_phrase(text: str) -> list[str]:
    return re.findall(r"\bas (true|untrue)\b", text)


# --- layout ----------------------------------------------------------------------------


def test_the_corpus_has_exactly_the_seven_kinds() -> None:
    assert {p.name for p in ROOT.iterdir()} == {*LANGUAGES, MANIFEST}


def test_every_kind_and_every_sub_kind_has_at_least_two_sections() -> None:
    per_kind = Counter(kind_of(s) for s in sections())
    assert min(per_kind[kind] for kind in LANGUAGES) >= 2, per_kind
    per_sub_kind = Counter(sub_kind_of(s) for s in fact_checks())
    assert min(per_sub_kind[sub] for sub in SUB_KINDS) >= 2, per_sub_kind


def test_a_section_holds_a_text_or_what_gives_one_and_no_unknown_file() -> None:
    for section, folder in sections().items():
        found = {p.name for p in folder.iterdir() if not RELEASED.fullmatch(p.name)}
        assert found & {"text.txt", "source.pdf", *RECORDINGS}, section
        assert found <= NAMES, section
        # What a person wrote down stands beside each recording, and each PDF without a text.
        if found & RECORDINGS or ("source.pdf" in found and "text.txt" not in found):
            assert "reference.txt" in found, section


def test_sections_lie_one_to_three_levels_below_their_kind() -> None:
    assert {len(s.split("/")) - 1 for s in sections()} == {1, 2, 3}
    depths = {len(s.split("/")) - 1 for s in sections() if kind_of(s) == "world-history"}
    assert depths == {3}


def test_paths_are_in_normal_form_c_and_at_most_200_bytes_long() -> None:
    for path in DEMO.rglob("*"):
        name = path.relative_to(REPOSITORY).as_posix()
        assert unicodedata.is_normalized("NFC", name), name
        assert len(name.encode()) <= 200, name
        assert not set(name) & set('{}\\:*?"<>|'), name


def test_a_ukrainian_folder_name_has_cyrillic_letters_a_space_and_an_apostrophe() -> None:
    names = [s for s in sections() if language_of(s) == "uk"]
    assert any("'" in n and " " in n and "ґ" in n for n in names)
    assert any("й" in n for n in names)
    assert any("ї" in n for n in names)


# --- texts -----------------------------------------------------------------------------


def test_every_section_has_150_to_350_english_words_and_a_recorded_one_80_or_more() -> None:
    counts = {s: n_words(english_text(s)) for s in sections()}
    recorded = with_file(*RECORDINGS)
    least = {s: 80 if s in recorded else 150 for s in counts}
    assert {s: n for s, n in counts.items() if not least[s] <= n <= 350} == {}


def test_foreign_texts_have_an_english_version_and_english_ones_have_none() -> None:
    for section, folder in sections().items():
        foreign = language_of(section) != "en"
        assert (folder / "text.en.txt").exists() == foreign, section
        has_set = (folder / "questions.json").exists()
        assert (folder / "questions.en.json").exists() == (foreign and has_set), section


def test_text_files_hold_one_paragraph_a_line_with_blank_lines_between() -> None:
    for section, folder in sections().items():
        for path in folder.glob("*.txt"):
            text = read(section, path.name)
            assert re.fullmatch(r"\S[^\n]*\S(\n\n\S[^\n]*\S)*\n", text), path
            assert "  " not in text, path
            assert not set(text) & set("\ufeff\r\t\u00a0\u00ad\u200b"), path


def test_an_english_version_has_as_many_paragraphs_as_its_original() -> None:
    for section in sections():
        if language_of(section) != "en":
            original = original_text(section).count("\n\n")
            assert english_text(section).count("\n\n") == original, section


def test_all_texts_are_utf_8_in_normal_form_c() -> None:
    for path in (p for p in DEMO.rglob("*") if p.suffix in (".txt", ".json", ".md", ".tmx")):
        assert unicodedata.is_normalized("NFC", path.read_bytes().decode("utf-8")), path


def test_foreign_texts_show_the_letters_of_their_language() -> None:
    seen: dict[str, str] = defaultdict(str)
    for section in sections():
        language = language_of(section)
        if language == "en":
            continue
        text = original_text(section).lower()
        seen[language] += text
        letters = [c for c in text if c.isalpha() and c != "ʼ"]
        share = sum(c in LETTERS[language] for c in letters) / len(letters)
        floor = {"cs": 0.08, "de": 0.01, "uk": 0.99}[language]
        assert share >= floor, f"{section}: {share:.3f}"
    assert {lang: set(LETTERS[lang]) - set(text) for lang, text in seen.items()} == {
        "cs": set(),
        "de": set(),
        "uk": set(),
    }
    assert {"ʼ", "'"} <= set(seen["uk"])


def test_english_versions_are_not_the_originals() -> None:
    for section in sections():
        assert not re.search("[а-яґєії]", english_text(section).lower()), section
        if language_of(section) != "en":
            assert jaccard(english_text(section), original_text(section)) < 0.4, section


def test_no_text_and_no_question_occurs_twice() -> None:
    texts = Counter(
        " ".join(read(section, path.name).lower().split())
        for section, folder in sections().items()
        for path in folder.glob("text*.txt")
    )
    assert [t[:60] for t, n in texts.items() if n > 1] == []
    paragraphs = Counter(p for t in sections() for p in english_text(t).strip().split("\n\n"))
    assert [p[:60] for p, n in paragraphs.items() if n > 1] == []
    questions = Counter(
        question(item)
        for section in sections()
        for position, item in enumerate(english_items(section) or [])
        if position or sub_kind_or_none(section) != "statement-w-explanation"
    )
    assert [q for q, n in questions.items() if n > 1] == []


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ["e.g.", "i.e.", "Dr. ", "Mr. ", "Fig. 3", "Fig. 4.2", "et al. (", "3.57"]),
        ("cs", ["např. ", "tj. ", "č. 3", "Ing. ", "Ph.D.", "14. února", "ve 2. patře", "71,4"]),
        ("de", ["z. B. ", "21. Dezember", "0,92", "−21 °C"]),
        ("uk", ["1665 р. ", "рис. 5", "напр. ", "§ 3. ", "0,01–0,1", "4 млн "]),
    ],
)
def test_texts_hold_dots_and_numbers_that_end_no_sentence(language: str, forms: list[str]) -> None:
    text = "\n".join(original_text(s) for s in sections() if language_of(s) == language)
    assert [form for form in forms if form not in text] == []


# --- recordings and pdfs ---------------------------------------------------------------


def test_there_are_recordings_and_pdfs_with_and_without_a_text_beside() -> None:
    with_text = set(with_file("text.txt"))
    recorded, printed = with_file(*RECORDINGS), with_file("source.pdf")
    assert [(s in with_text, language_of(s)) for s in recorded] == [
        (False, "en"),
        (True, "de"),
        (False, "de"),
    ]
    assert [s in with_text for s in printed] == [True, False]


def test_the_recordings_are_short_and_take_less_than_a_megabyte_together() -> None:
    paths = [sections()[s] / n for s in with_file(*RECORDINGS) for n in RECORDINGS]
    paths = [path for path in paths if path.exists()]
    assert len(paths) == 3
    assert sum(path.stat().st_size for path in paths) < 1_000_000
    for path in paths:
        audio = decode_recording(path)
        assert 20 <= audio.decoded_s <= 60, path
        assert audio.warnings == (), path


def test_a_text_beside_a_recording_is_what_is_said() -> None:
    for section in with_file(*RECORDINGS):
        assert original_text(section) == read(section, "reference.txt")


def test_a_pdf_holds_the_text_word_for_word() -> None:
    for section in with_file("source.pdf"):
        found = pdf.read(sections()[section] / "source.pdf")
        assert found.warnings == ()
        assert found.text is not None
        title, _, text = found.text.partition("\n\n")
        assert re.match(r"\d\.\d ", title)
        assert text.split() == original_text(section).split()


def test_one_pdf_is_set_in_two_columns() -> None:
    columns = []
    for section in with_file("source.pdf"):
        text = pypdfium2.PdfDocument(sections()[section] / "source.pdf")[0].get_textpage()
        lefts = [text.get_rect(number)[0] for number in range(text.count_rects())]
        # Many lines begin at the left edge of a column; the second one's is at 219 points.
        edges = [sum(edge <= left < edge + 6 for left in lefts) for edge in (36, 219)]
        columns.append(sum(count >= 10 for count in edges))
    assert columns == [1, 2]


# --- questions -------------------------------------------------------------------------


def test_question_files_are_written_in_one_fixed_form() -> None:
    for section, folder in sections().items():
        for path in own_sets(folder):
            text = read(section, path.name)
            again = json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n"
            assert text == again, path


def test_question_sets_have_four_to_eight_items_of_a_valid_form() -> None:
    for section, folder in sections().items():
        for path in own_sets(folder):
            found = items(section, path.name)
            assert found is not None
            assert 4 <= len(found) <= 8, path
            assert len({type(item) for item in found}) == 1, f"{path}: two forms in one set"
            for item in found:
                strings = [item] if isinstance(item, str) else item
                assert all(isinstance(s, str) and s and s == s.strip() for s in strings), path
                assert isinstance(item, str) or 2 <= len(item) <= 4, f"{path}: {item[0]}"
                assert len(set(strings)) == len(strings), f"{path}: {strings}"


def test_both_languages_of_a_question_set_agree_item_by_item() -> None:
    for section in sections():
        english = items(section, "questions.en.json")
        if english is None:
            continue
        original = items(section, "questions.json")
        assert original is not None, section
        shapes = [[len(references(item)) for item in found] for found in (original, english)]
        assert shapes[0] == shapes[1], section
        assert not {question(i) for i in original} & {question(i) for i in english}, section


def test_one_section_has_no_expert_set_and_one_has_questions_without_answers() -> None:
    sets = {section: items(section, "questions.json") for section in sections()}
    assert [s for s, found in sets.items() if found is None] == [
        "nmt-class/lecture03-evaluation/screen06-slide07"
    ]
    plain = [s for s, found in sets.items() if found and isinstance(found[0], str)]
    assert [kind_of(s) for s in plain] == ["ukr-biology"]


def test_at_least_six_kinds_have_expert_questions_with_references() -> None:
    with_references = {
        kind_of(s) for s in sections() if any(references(i) for i in english_items(s) or [])
    }
    assert len(with_references) >= 6


# --- fact-checks -----------------------------------------------------------------------


def test_verdict_answers_have_the_documented_form_and_agree_in_both_languages() -> None:
    for section in fact_checks():
        lettered = sub_kind_of(section) != "statement-w-explanation"
        letter = "([A-E]), " if lettered else "()"
        english = re.fullmatch(
            letter + "(true|false|unknowable)", references(verdict_item(section))[0]
        )
        czech = re.fullmatch(
            letter + "(pravda|nepravda|neověřitelné)",
            references(verdict_item(section, "questions.json"))[0],
        )
        assert english, section
        assert czech, section
        assert english[1] == czech[1], section
        assert english[2] == VERDICTS[czech[2]], section


def test_only_the_first_question_of_a_fact_check_asks_for_a_verdict() -> None:
    for section in fact_checks():
        found = english_items(section)
        assert found is not None
        assert question(found[0]).endswith(CLOSING[sub_kind_of(section)]), section
        assert not any("unknowable" in " ".join(item) for item in found[1:]), section


def test_the_full_reference_repeats_letter_and_verdict_of_the_short_one() -> None:
    for section in fact_checks("determine-statement", "determine-explanation"):
        short, full = references(verdict_item(section))
        letter, verdict = short.split(", ")
        assert re.search(rf"\b{letter}\b.* is {verdict}\.$", full), section


def test_five_distinct_candidates_stand_in_the_question_in_both_languages() -> None:
    for section in fact_checks("determine-statement", "determine-explanation"):
        for name in ("questions.json", "questions.en.json"):
            candidates = offered(question(verdict_item(section, name)))
            assert "".join(candidates) == "ABCDE", f"{section}/{name}"
            assert len(set(candidates.values())) == 5, f"{section}/{name}"
            text = read(section, name.replace("questions", "text").replace("json", "txt"))
            assert not any(c in text for c in candidates.values()), f"{section}/{name}"


def test_candidates_are_of_like_length_so_that_length_gives_nothing_away() -> None:
    longest = []
    for section in fact_checks("determine-statement", "determine-explanation"):
        item = verdict_item(section)
        lengths = {k: n_words(v) for k, v in offered(question(item)).items()}
        assert max(lengths.values()) <= 3 * min(lengths.values()), f"{section}: {lengths}"
        longest.append(max(lengths, key=lengths.__getitem__) == references(item)[0][0])
    assert sum(longest) < len(longest), longest


@pytest.mark.parametrize("sub", ["determine-statement", "determine-explanation"])
def test_the_right_letter_varies(sub: str) -> None:
    letters = [references(verdict_item(s))[0][0] for s in fact_checks(sub)]
    assert len(set(letters)) == len(letters)


def test_all_three_verdicts_occur_and_no_verdict_rules() -> None:
    verdicts = Counter(references(verdict_item(s))[0].split()[-1] for s in fact_checks())
    assert set(verdicts) == {"true", "false", "unknowable"}
    assert max(verdicts.values()) <= 0.6 * verdicts.total(), verdicts


def test_determine_statement_has_right_statements_with_high_and_with_low_overlap() -> None:
    high = []
    for section in fact_checks("determine-statement"):
        item = verdict_item(section)
        overlap = {
            letter: jaccard(candidate, english_text(section))
            for letter, candidate in offered(question(item)).items()
        }
        right = overlap.pop(references(item)[0][0])
        high.append(right >= 1.5 * max(overlap.values()))
    assert Counter(high) == {True: 2, False: 2}


def test_the_verdict_phrase_occurs_in_some_right_explanations_and_tells_the_truth() -> None:
    with_phrase: dict[str, list[bool]] = defaultdict(list)
    for section in fact_checks("determine-statement", "determine-explanation"):
        item = verdict_item(section)
        letter, verdict = references(item)[0].split(", ")
        candidates = offered(question(item))
        sub = sub_kind_of(section)
        if sub == "determine-statement":
            explanation, others = english_text(section), "\n".join(candidates.values())
        else:
            explanation, others = candidates.pop(letter), english_text(section)
        found = verdict_phrase(explanation)
        assert found in ([], [{"true": "true", "false": "untrue"}.get(verdict, "")]), section
        assert verdict_phrase(others) == [], section
        if not found:
            assert verdict_phrase(question(item)) == [], section
        with_phrase[sub].append(bool(found))
    assert all(set(values) == {True, False} for values in with_phrase.values()), with_phrase


# --- the page about it -----------------------------------------------------------------


def test_the_readme_counts_what_is_there_and_states_the_answer_format() -> None:
    counted: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for section in sections():
        found = english_items(section) or []
        row = counted[kind_of(section), sub_kind_or_none(section) or ""]
        row[0] += 1
        row[1] += n_words(english_text(section))
        row[2] += len(found)
        row[3] += sum(len(references(item)) for item in found)
    page = (DEMO / "README.md").read_text(encoding="utf-8")
    printed = {
        (cells[0], cells[1]): [int(cells[i]) for i in (2, 4, 5, 6)]
        for line in page.splitlines()
        if len(cells := [c.strip() for c in line.strip("|").split("|")]) == 7 and cells[2].isdigit()
    }
    assert printed == dict(counted)
    total = re.search(r"(\d+) short sections", page)
    assert total
    assert int(total[1]) == len(sections())
    needed = ["`B, false`", "`B, nepravda`", "MIT", "invented", "reference.txt", "`A) `"]
    assert [form for form in needed if form not in page] == []
