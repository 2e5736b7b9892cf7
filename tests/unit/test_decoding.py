import codecs
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sensemaking.io.decoding import UndecodableError, decode

UKRAINIAN = "Рослини поглинають світло. Її п’ять ґав; «Ні», — сказав він.\nКиїв — столиця."
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy. „Ano“ – řekl Žižka."
GERMAN = "Größe und Maß: Äpfel, Öl, Übung – „süß“."
ENGLISH = "It’s “fine” – a café."
TEXTS = {"uk": UKRAINIAN, "cs": CZECH, "de": GERMAN, "en": ENGLISH}
MARKED = ("utf-8-sig", "utf-16", "utf-32")


@pytest.mark.parametrize(
    ("data", "language", "text", "page"),
    [
        ("d0eee7e4b3eb", "uk", "Розділ", "cp1251"),
        ("50f8ed6c699a209e6c759d6f75e86bfd206bf9f2", "cs", "Příliš žluťoučký kůň", "cp1250"),
        ("4772f6df65", "de", "Größe", "cp1252"),
    ],
)
def test_a_windows_code_page_is_told_by_the_language_and_flagged(
    data: str, language: str, text: str, page: str
) -> None:
    found = decode(bytes.fromhex(data), language)
    assert (found.text, found.encoding) == (text, page)
    assert found.warning is not None
    assert found.warning.startswith("not UTF-8 (byte ")
    assert f"read as {page}" in found.warning


def test_the_warning_names_the_first_byte_that_does_not_fit() -> None:
    found = decode("ASCII, then Größe".encode("cp1252"), "de")
    assert found.warning is not None
    assert "byte 14 is 0xf6" in found.warning


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8", *MARKED])
def test_utf_8_and_anything_with_a_mark_is_certain(language: str, encoding: str) -> None:
    text = TEXTS[language]
    found = decode(text.encode(encoding), language)
    assert (found.text, found.warning) == (text, None)


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE])
def test_both_byte_orders_have_their_mark(mark: bytes) -> None:
    encoding = "utf-16-be" if mark == codecs.BOM_UTF16_BE else "utf-32-be"
    assert decode(mark + UKRAINIAN.encode(encoding), "uk").text == UKRAINIAN


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [UKRAINIAN, ENGLISH, "Київ", "Розділ"])
def test_wide_encodings_without_a_mark_are_recognised_and_flagged(encoding: str, text: str) -> None:
    # A single Ukrainian word in UTF-16 has no zero byte and is valid UTF-8 too.
    found = decode(text.encode(encoding), "uk" if text != ENGLISH else "en")
    assert (found.text, found.encoding) == (text, encoding)
    assert found.warning is not None
    assert "without a byte-order mark" in found.warning


@pytest.mark.parametrize(
    ("language", "encoding"),
    [
        ("uk", "cp1251"),
        ("uk", "mac_cyrillic"),
        ("cs", "cp1250"),
        ("cs", "mac_latin2"),
        ("de", "cp1252"),
        ("de", "mac_roman"),
        ("en", "cp1252"),
        ("en", "mac_roman"),
    ],
)
def test_the_older_encoding_that_gives_the_languages_own_letters_is_taken(
    language: str, encoding: str
) -> None:
    found = decode(TEXTS[language].encode(encoding), language)
    assert (found.text, found.encoding) == (TEXTS[language], encoding)


@pytest.mark.parametrize(
    ("language", "encoding", "text"),
    [
        ("uk", "koi8-u", "Розділ про Київ"),
        ("uk", "iso8859-5", "Розділ про світло"),
        ("uk", "cp1125", "Розділ про Київ"),
        ("cs", "iso8859-2", "Příliš žluťoučký kůň"),
        ("cs", "cp852", "Příliš žluťoučký kůň"),
        ("de", "cp850", "Größe und Übung"),
    ],
)
def test_older_encodings_of_other_systems_are_recognised(
    language: str, encoding: str, text: str
) -> None:
    assert decode(text.encode(encoding), language).text == text


def test_a_language_without_known_code_pages_is_guessed_and_says_so() -> None:
    text = "Zażółć gęślą jaźń, a potem idź spokojnie do domu wśród łąk i pól. " * 5
    found = decode(text.encode("cp1250"), "pl")
    assert found.text == text
    assert found.warning is not None
    assert "by guess" in found.warning


@pytest.mark.parametrize("cut", [1, 2])
def test_a_few_bad_bytes_cost_a_few_characters_and_not_the_whole_text(cut: int) -> None:
    data = UKRAINIAN.encode()
    broken = data[:101] + b"\xff" * cut + data[101:]
    found = decode(broken, "uk")
    assert found.text.replace("\ufffd", "") != ""
    assert found.text.startswith("Рослини поглинають світло.")
    assert found.text.endswith("Київ — столиця.")
    assert "\ufffd" in found.text
    assert found.warning is not None
    assert "replaced by U+FFFD" in found.warning


def test_a_file_is_utf_8_if_four_of_its_characters_are_for_each_that_is_not() -> None:
    found = decode("Київ".encode() + b"\xff", "uk")
    assert (found.text, found.encoding) == ("Київ\ufffd", "utf-8")
    found = decode("Киї".encode() + b"\xff", "uk")
    assert found.encoding != "utf-8"


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("uk", "Р РѕР·РґС–Р»", "UTF-8 that was read as cp1251"),
        ("cs", "PĹ™Ă\xadliĹˇ ĹľluĹĄouÄŤkĂ˝", "UTF-8 that was read as cp1250"),
        ("de", "GrÃ¶ÃŸe, Ã„pfel und Ã–l", "UTF-8 that was read as cp1252"),
        ("de", "GrÃ¶ÃŸe", "UTF-8 that was read as cp1252"),
        ("en", "It donâ€™t matter â€“ or so", "UTF-8 that was read as cp1252"),
        ("cs", "Pøíliš", "more of ø è ì ù ò ï than of ř č ě ů ň ď"),
        ("cs", "Pøíliš žluouèký kùò", "more of ø è ì ù ò ï than of ř č ě ů ň ď"),
        ("uk", "тПЪД╕М РПП йХ╖Б ЦЕ тПЪД йЦЕ", "upper and lower case are mixed"),
        ("uk", "Ð\xa0Ð¾Ð·Ð´Ñ–Ð»", "UTF-8 that was read as cp1252"),
        ("uk", "Plants absorb light.", "without a Cyrillic letter"),
        ("uk", "Rostliny pohlcují světlo.", "without a Cyrillic letter"),
    ],
)
def test_letters_that_were_lost_before_are_flagged_and_the_text_is_kept(
    language: str, text: str, words: str
) -> None:
    found = decode(text.encode(), language)
    assert found.text == unicodedata.normalize("NFC", text)
    assert found.warning is not None
    assert words in found.warning


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("uk", "Річ"),
        ("uk", "ЦІ ТІ НІ МІ"),
        ("uk", "12 345, 6 %"),
        # Abbreviations: two of them in a short text, three in a longer one.
        ("uk", "рН і мРНК"),
        ("uk", "У клітині є мРНК, рН води дорівнює семи, а лампа бере один кВт за годину."),
        ("uk", "Рис. 5: H₂O → CO₂ (Müller, 1998) та інше"),
        ("uk", "Він сказав: «Это всё». Потім пішов до річки, де ріс очерет."),
        ("cs", "Müller a Ångström přišli později, než jsme čekali."),
        ("de", "Ångström und Größe, Übung"),
        ("en", "naïve café, Dvořák, Київ"),
        ("pl", "Zażółć gęślą jaźń"),
        ("uk", ""),
    ],
)
def test_good_text_is_not_flagged(language: str, text: str) -> None:
    assert decode(text.encode(), language).warning is None


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff\x00\x00\xfe\x00",
        b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\x00\x01",
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)),
        codecs.BOM_UTF16_LE + b"a\x00b",
        codecs.BOM_UTF8 + b"\xff",
    ],
)
def test_bytes_that_are_no_text_are_refused_with_the_place(data: bytes) -> None:
    with pytest.raises(UndecodableError, match=r"byte \d+"):
        decode(data, "en")


def test_a_lost_glyph_keeps_its_place_and_is_flagged() -> None:
    found = decode(b"an o\0er for the pupils", "en")
    assert found.text == "an o\0er for the pupils"
    assert found.warning == "holds the control character U+0000 at character 4; mend the file"


def test_line_ends_become_line_feeds_and_the_text_nfc() -> None:
    decomposed = unicodedata.normalize("NFD", "йод\r\nřeka\rkonec\n")
    assert decode(decomposed.encode(), "uk").text == "йод\nřeka\nkonec\n"
    assert decode(codecs.BOM_UTF8 * 2 + b"x", "en").text == "x"


@given(st.binary(max_size=60), st.sampled_from(["uk", "cs", "de", "en", "pl"]))
def test_any_bytes_give_text_that_can_be_written_or_are_refused(data: bytes, language: str) -> None:
    try:
        found = decode(data, language)
    except UndecodableError:
        return
    assert found.text == unicodedata.normalize("NFC", found.text)
    assert "\r" not in found.text
    found.text.encode("utf-8")


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=40))
def test_utf_8_comes_back_as_it_is_but_for_the_form(text: str) -> None:
    assume(not text.startswith("\ufeff"))
    found = decode(text.encode(), "en")
    assert (found.text, found.encoding) == (unicodedata.normalize("NFC", text), "utf-8")
