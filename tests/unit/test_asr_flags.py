import pytest
from asr_files import said
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.asr.engines import RawSegment
from sensemaking.asr.flags import (
    Thresholds,
    compression_ratio,
    flags,
    is_wrong_language,
    overlap,
    repeated,
)

LOOP = "Дякую за увагу. " * 40
LOOP_OF_LETTERS = "и и и и и " * 30
REAL = [
    "Ні, ні, ні, я так не думаю.",
    "Děkuji. Děkuji. Děkuji. ",
    "The cell has a wall. The cell has a core. The cell has a skin.",
]
ENGLISH = "When the rain falls, the river rises and the fields are wet."


def flag(segment: RawSegment, language: str = "en", **options) -> str | None:
    return flags([segment], language, **options)[0]


def test_compression_ratio_is_that_of_whisper() -> None:
    assert round(compression_ratio(LOOP), 4) == 22.8571
    assert round(compression_ratio(LOOP_OF_LETTERS), 4) == 28.125
    assert [round(compression_ratio(text), 4) for text in REAL] == [0.9778, 1.35, 1.4419]


def test_text_on_silence_is_dropped_though_its_ratio_is_low() -> None:
    invented = RawSegment(0.0, 10.0, " Thanks for watching!", -1.4, 0.97, 0.0)
    assert round(compression_ratio(invented.text), 4) == 0.7241  # with the space before it
    assert flag(invented, duration_s=10.0) == "no_speech"


@pytest.mark.parametrize("text", [" Thanks for watching!", " Дякую за перегляд!", " Untertitel"])
def test_the_same_words_are_kept_where_they_are_said(text: str) -> None:
    assert flag(said(text, logprob=-0.3, silence=0.02)) != "no_speech"
    assert flag(said(text, logprob=-1.4, silence=0.02)) != "no_speech"
    assert flag(said(text, logprob=-0.3, silence=0.97)) != "no_speech"


def test_likely_words_where_no_voice_is_found_are_dropped() -> None:
    # Whisper base on 10 s of zeros, language uk: nothing but voice activity gives it away.
    invented = said(" Ви не вимагаєте, що це", 0.0, 10.0, logprob=-0.21, silence=0.739)
    assert flag(invented, "uk") is None
    assert flag(invented, "uk", speech=[]) == "no_speech"
    assert flag(invented, "uk", speech=[(12.0, 20.0)]) == "no_speech"
    assert flag(invented, "uk", speech=[(8.0, 20.0)]) is None


def test_plain_speech_that_the_detector_of_voices_misses_is_kept() -> None:
    assert flag(said(" So what is our goal here?", logprob=-0.3, silence=0.1), speech=[]) is None


def test_a_loop_where_no_voice_is_found_is_dropped_not_looked_at() -> None:
    loop = said(" Ich bin ein Gast." * 12, 0.0, 10.0, logprob=-0.2, silence=0.3)
    assert flag(loop, "de", speech=[(20.0, 30.0)]) == "no_speech"
    assert flag(loop, "de", speech=[(0.0, 9.0)]) == "repetition"


def test_times_may_be_off_by_a_little_when_voices_are_asked() -> None:
    segment = said(" Yes, it is so.", 5.0, 6.0, silence=0.9)
    assert flag(segment, speech=[(0.0, 4.8)]) is None
    assert flag(segment, speech=[(0.0, 4.6)]) == "no_speech"


def test_text_after_the_end_of_the_recording_is_dropped() -> None:
    assert flag(said(" And so on it goes.", 35.0, 37.0), duration_s=34.0) == "no_speech"
    assert flag(said(" And so on it goes.", 33.0, 37.0), duration_s=34.0) is None


@pytest.mark.parametrize("text", [" ...", " ♪", " ", " —", " [", " !!!"])
def test_text_without_words_is_no_speech(text: str) -> None:
    assert flag(said(text)) == "no_speech"


@pytest.mark.parametrize("text", [LOOP, LOOP_OF_LETTERS])
def test_loops_are_found(text: str) -> None:
    assert flag(said(text), "uk") == "repetition"


@pytest.mark.parametrize("text", REAL)
def test_what_speakers_really_repeat_is_no_loop(text: str) -> None:
    assert repeated([said(text)]) == set()


def test_a_loop_after_an_honest_sentence_is_found() -> None:
    text = (
        "The inner bank of the bend is where the sand of the river is laid down, "
        "while the outer one is eaten away year after year. " + "thank you very much " * 6
    )
    assert compression_ratio(text) > 1.7
    assert compression_ratio(text) < 2.4
    assert repeated([said(text)]) == {0}


def test_a_loop_over_many_segments_is_found_and_what_is_beside_it_is_not() -> None:
    loop = [said(" Дякую за увагу.")] * 20
    around = [said(" Перше речення тут."), *loop, said(" Останнє речення тут.")]
    assert repeated(around) == set(range(1, 21))


def test_two_segments_in_turn_are_a_loop() -> None:
    assert repeated([said(" Ich bin ein"), said(" Gast im Haus.")] * 12) == set(range(24))


def test_the_same_segment_a_few_times_is_no_loop() -> None:
    assert repeated([said(" Děkuji.")] * 3) == set()
    assert repeated([said(" Thank you very much indeed, all of you.")] * 3) == set()


def test_dense_prose_in_cyrillic_is_no_loop() -> None:
    # In UTF-8 its ratio is above 2.4, since every letter takes two bytes.
    text = (
        "Розвиток з неповним перетворенням передбачає такі стадії: яйце, личинка, доросла комаха. "
        "Розвиток з повним перетворенням передбачає такі стадії: яйце, личинка, лялечка, доросла "
        "комаха. Личинка при неповному перетворенні схожа на дорослу комаху, личинка при повному "
        "перетворенні не схожа на дорослу комаху."
    )
    assert compression_ratio(text) > 2.4
    assert repeated([said(text)]) == set()


@pytest.mark.parametrize("language", ["cs", "de", "uk"])
def test_english_text_under_another_language_is_flagged(language: str) -> None:
    assert flag(said(ENGLISH), language) == "wrong_language"
    assert flag(said(ENGLISH), "en") is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("uk", "Спасибо за просмотр, подписывайтесь на мой канал"),
        ("cs", "Ďakujem vám pekne za pozornosť a dovidenia nabudúce"),
        ("en", "Wir werfen einen Eiswürfel in ein Glas Wasser, und er schwimmt."),
        ("de", "Коли йде дощ, річка піднімається і поля стають мокрими."),
    ],
)
def test_text_in_a_close_or_other_language_is_flagged(language: str, text: str) -> None:
    assert flag(said(text), language) == "wrong_language"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("cs", "Když prší, řeka stoupá a pole jsou mokrá."),
        ("de", "Wenn der Regen fällt, steigt der Fluss und die Felder sind nass."),
        ("uk", "Коли йде дощ, річка піднімається і поля мокрі."),
        ("de", "Wow, das ist super, oder?"),
        ("de", "Machine Translation und Deep Learning."),
        ("de", "Das Paper heißt Attention Is All You Need."),
        ("cs", "OK."),
        ("cs", "Thank you."),
        ("uk", "IBM, BLEU, METEOR"),
        ("sk", "Keď prší, rieka stúpa a polia sú mokré."),
    ],
)
def test_text_in_its_language_short_text_and_borrowed_words_are_not(
    language: str, text: str
) -> None:
    assert flag(said(text), language) is None


def test_a_language_that_cannot_be_told_is_not_judged() -> None:
    assert not is_wrong_language(ENGLISH, "xx")


def test_of_several_faults_the_first_is_told() -> None:
    loop = "When the rain falls the river rises. " * 20
    assert flag(said(loop), "cs") == "repetition"
    assert flag(said(loop, logprob=-2.0, silence=0.9), "cs") == "no_speech"


def test_thresholds_can_be_set() -> None:
    segment = said(" Thanks for watching!", logprob=-0.8, silence=0.5)
    assert flag(segment) is None
    assert flag(segment, thresholds=Thresholds(no_speech=0.4, logprob=-0.7)) == "no_speech"
    assert repeated([said("no " * 9)], Thresholds(compression_ratio=1.1)) == {0}


def test_overlap_counts_seconds() -> None:
    assert overlap((1.0, 5.0), [(0.0, 2.0), (3.0, 4.0), (4.5, 9.0)]) == 2.5
    assert overlap((1.0, 5.0), [(5.0, 9.0)]) == 0


@given(st.lists(st.text(max_size=60), max_size=6), st.sampled_from(["cs", "de", "en", "uk"]))
def test_any_texts_get_one_flag_each(texts: list[str], language: str) -> None:
    assert len(flags([said(text) for text in texts], language)) == len(texts)


@given(st.text("abcdefghij", min_size=3, max_size=12), st.integers(12, 40))
def test_any_word_said_often_enough_is_a_loop_whatever_stands_before_it(word: str, n: int) -> None:
    text = "an honest sentence about rivers and lakes " + f"{word} {word[::-1]}x " * n
    assert repeated([said(text)]) == {0}
