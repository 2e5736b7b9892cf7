"""Translation memories in TMX."""

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.mt.engines import NOT_IN_MEMORY
from sensemaking.mt.memory import Match, MemoryEngine, normalise_segment
from sensemaking.mt.tmx import TmxError, read_tmx, write_tmx
from sensemaking.mt.translate import Translation, translate

HEAD = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'


def tmx(tmp_path: Path, units: str, header: str = 'datatype="plaintext"', head: str = HEAD) -> Path:
    path = tmp_path / "memory.tmx"
    path.write_text(
        f'{head}<tmx version="1.4"><header {header}/><body>{units}</body></tmx>', encoding="utf-8"
    )
    return path


def tu(source: str, target: str, language: str = "uk", marks: str = "") -> str:
    return (
        f'<tu {marks}><tuv xml:lang="{language}"><seg>{source}</seg></tuv>'
        f'<tuv xml:lang="en"><seg>{target}</seg></tuv></tu>'
    )


def test_an_exact_match_wins_over_a_normalised_one(tmp_path: Path) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("ДІМ", "HOUSE") + tu("Дім", "House")))
    assert memory.lookup("Дім", "uk", "en") == Match("House", "exact")
    assert memory.lookup("дім", "uk", "en") == Match("HOUSE", "normalised")


@pytest.mark.parametrize(
    "text",
    [
        "сім'я  любить\u00a0ліс - «Бір»...",
        "Сімʼя любить ліс – „Бір“…",
        'Сім’я лю\u00adбить ліс — "Бір"\u200b…',
    ],
)
def test_how_a_text_is_written_makes_no_difference(tmp_path: Path, text: str) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("Сім’я любить ліс — “Бір”…", "The family")))
    assert memory.lookup(text, "uk", "en") == Match("The family", "normalised")


@pytest.mark.parametrize("text", ["Йде дощ?", "Йде дощ", "Йдe дощ.", "Не йде дощ."])
def test_what_a_text_says_does(tmp_path: Path, text: str) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("Йде дощ.", "It is raining.")))
    assert memory.lookup(text, "uk", "en") is None


def test_decomposed_letters_match_composed_ones(tmp_path: Path) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("Příliš", "Too", "cs")))
    assert memory.lookup("Pr\u030ci\u0301lis\u030c", "cs", "en") == Match("Too", "normalised")


def test_a_text_is_put_together_from_its_sentences_only_if_all_are_known(tmp_path: Path) -> None:
    memory = MemoryEngine(
        tmx(tmp_path, tu("Йде дощ.", "It rains.") + tu("Дме вітер.", "It blows."))
    )
    assert memory.lookup("Йде дощ.\n\nДме вітер.", "uk", "en") == Match(
        "It rains.\n\nIt blows.", "sentences"
    )
    assert memory.lookup("Йде дощ. Падає сніг.", "uk", "en") is None


def test_what_is_not_in_the_memory_is_null_with_a_status(tmp_path: Path) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("Дім", "House")))
    assert translate(["Дім", "Сад", " "], "uk", "en", [memory]) == [
        Translation("Дім", "House", "memory", "ok"),
        Translation("Сад", None, None, NOT_IN_MEMORY),
        Translation(" ", " ", None, "ok"),
    ]


def test_an_entry_that_repeats_its_source_does_not_pass_for_english(tmp_path: Path) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("Дім", "Дім")))
    assert translate(["Дім"], "uk", "en", [memory])[0].target is None


def test_the_first_of_several_translations_is_taken_and_their_number_reported(
    tmp_path: Path,
) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("Дім", "House") + tu("Дім", "Home")))
    assert memory.lookup("Дім", "uk", "en") == Match("House", "exact")
    assert [finding.code for finding in memory.findings] == ["memory_ambiguous"]


def test_a_memory_without_the_language_says_so(tmp_path: Path) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("Дім", "House")))
    assert memory.lookup("Haus", "de", "en") is None
    assert [finding.message for finding in memory.findings] == ["it holds nothing from de into en"]


def test_a_memory_serves_both_directions_and_any_code(tmp_path: Path) -> None:
    path = tmx(tmp_path, tu("Dům", "House", "cs-CZ") + tu("Дім", "Home", "ua"))
    memory = MemoryEngine(path)
    assert memory.lookup("Dům", "cs", "en") == Match("House", "exact")
    assert memory.lookup("Home", "en", "uk") == Match("Дім", "exact")


def test_units_of_three_languages_serve_each_pair(tmp_path: Path) -> None:
    unit = "".join(
        f'<tuv xml:lang="{code}"><seg>{text}</seg></tuv>'
        for code, text in (("de", "Haus"), ("cs", "Dům"), ("en", "House"))
    )
    memory = MemoryEngine(tmx(tmp_path, f"<tu>{unit}</tu>"))
    assert memory.lookup("Haus", "de", "en") == Match("House", "exact")
    assert memory.lookup("Dům", "cs", "de") == Match("Haus", "exact")


@pytest.mark.parametrize(
    ("units", "header"),
    [
        (tu("Це", "It&amp;#39;s &amp;amp;lt;b&amp;amp;gt;", marks='datatype="html"'), ""),
        (tu("Це", "It&amp;#39;s &amp;amp;lt;b&amp;amp;gt;"), 'datatype="html"'),
        (
            '<tu><tuv xml:lang="uk"><seg>Це</seg></tuv><tuv xml:lang="en" datatype="HTML">'
            "<seg>It&amp;#39;s &amp;amp;lt;b&amp;amp;gt;</seg></tuv></tu>",
            "",
        ),
    ],
)
def test_entries_marked_as_html_are_unescaped_once(tmp_path: Path, units: str, header: str) -> None:
    memory = MemoryEngine(tmx(tmp_path, units, header))
    assert memory.lookup("Це", "uk", "en") == Match("It's &lt;b&gt;", "exact")
    assert [finding.code for finding in memory.findings] == ["memory_html"]


def test_entries_not_marked_are_left_alone_and_reported(tmp_path: Path) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("Пишіть", "Write &amp;lt;b&amp;gt; &amp; AT&amp;T")))
    assert memory.lookup("Пишіть", "uk", "en") == Match("Write &lt;b&gt; & AT&T", "exact")
    assert [finding.code for finding in memory.findings] == ["memory_entities"]


def test_formatting_codes_are_left_out_and_highlighted_text_is_kept(tmp_path: Path) -> None:
    seg = 'A <bpt i="1">&lt;b&gt;</bpt><hi>big</hi><ept i="1">&lt;/b&gt;</ept><ph><sub>x</sub></ph>'
    memory = MemoryEngine(tmx(tmp_path, tu("Це", f" {seg} one<!-- note --> more ")))
    assert memory.lookup("Це", "uk", "en") == Match("A big one more", "exact")


def test_unusable_units_are_left_out_and_counted(tmp_path: Path) -> None:
    units = (
        tu("Дім", "")
        + "<tu><tuv><seg>Дім</seg></tuv><tuv xml:lang='en'><seg>House</seg></tuv></tu>"
        + tu("Дім", "House", "xx")
        + "<tu/>"
        + tu("Сад", "Garden")
    )
    memory = read_tmx(tmx(tmp_path, units))
    assert memory.units == ({"uk": "Сад", "en": "Garden"},)
    assert {finding.code: finding.message for finding in memory.findings} == {
        "memory_unit": "4 units have no text in two known languages",
        "memory_language": "variants have no xml:lang or unknown ones (xx); expected an ISO 639 "
        "code",
    }


def test_the_language_attribute_of_old_files_is_read_and_the_first_variant_counts(
    tmp_path: Path,
) -> None:
    unit = "".join(
        f'<tuv lang="{code}"><seg>{text}</seg></tuv>'
        for code, text in (("de", "Farbe"), ("en-GB", "Colour"), ("en-US", "Color"))
    )
    assert read_tmx(tmx(tmp_path, f"<tu>{unit}</tu>")).units == ({"de": "Farbe", "en": "Colour"},)


def test_other_encodings_and_the_namespace_of_tmx_2_are_read(tmp_path: Path) -> None:
    path = tmp_path / "memory.tmx"
    body = f'<tmx xmlns="http://www.lisa.org/tmx20" version="2.0"><body>{tu("Дім", "House")}</body>'
    path.write_bytes(f'<?xml version="1.0" encoding="utf-16"?>{body}</tmx>'.encode("utf-16"))
    assert read_tmx(path).units == ({"uk": "Дім", "en": "House"},)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not even XML"),
        (b"not XML", "not even XML"),
        (b"<tmx><body><tu>", "not even XML"),
        (b"<html/>", "expected the element tmx"),
    ],
)
def test_what_is_no_tmx_is_refused_with_its_name(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "memory.tmx"
    path.write_bytes(data)
    with pytest.raises(TmxError, match=f"memory.tmx.*{message}"):
        read_tmx(path)


def test_no_file_is_read_through_an_entity(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    head = f'<?xml version="1.0"?><!DOCTYPE tmx [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    path = tmx(tmp_path, tu("Дім", "&x;"), head=head)
    with pytest.raises(TmxError, match="entity &x;"):
        read_tmx(path)


def test_entities_that_grow_without_end_are_not_expanded(tmp_path: Path) -> None:
    entities = '<!ENTITY a0 "aaaaaaaaaa">' + "".join(
        f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)
    )
    path = tmx(tmp_path, tu("Дім", "&a9;"), head=f"<!DOCTYPE tmx [{entities}]>")
    with pytest.raises(TmxError):
        read_tmx(path)


def test_what_is_written_is_read_back_and_the_bytes_do_not_change(tmp_path: Path) -> None:
    units = [{"uk": "Дім & <сад>", "en": "House"}, {"de": "Haus\nund", "en": "House\nand"}]
    first, second = tmp_path / "a.tmx", tmp_path / "b.tmx"
    write_tmx(first, units)
    write_tmx(second, units)
    assert first.read_bytes() == second.read_bytes()
    assert read_tmx(first).units == tuple(units)
    assert read_tmx(first).findings == ()


def test_characters_that_xml_cannot_hold_are_left_out_and_the_text_still_matches(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.tmx"
    write_tmx(path, [{"uk": "Шлунок \x07другий\uffff", "en": "Second\x00 stomach"}])
    memory = MemoryEngine(path)
    assert memory.lookup("Шлунок \x07другий", "uk", "en") == Match("Second stomach", "normalised")


@given(st.text(max_size=30))
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalise_segment(text)
    assert normalise_segment(once) == once


def test_signs_alone_do_not_match_by_being_nothing(tmp_path: Path) -> None:
    memory = MemoryEngine(tmx(tmp_path, tu("\u00ad\u00ad", "hyphens")))
    assert memory.lookup("\u200b\u200b", "uk", "en") is None


def test_a_country_code_in_a_memory_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="sensemaking")
    read_tmx(tmx(tmp_path, tu("Дім", "House", "ua")))
    assert "the country code in 'ua' is read as the language 'uk'" in caplog.messages
