import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from sensemaking.ids import (
    GENUINE,
    VARIANTS,
    AmbiguousNameError,
    AnswerId,
    QuestionId,
    SetName,
    answer_id,
    answers_name,
    check_name,
    is_guess,
    known_teams,
    parse_answer_id,
    parse_question_id,
    parse_question_set_name,
    question_id,
    question_set_name,
    section_id,
    slug,
    unique_slugs,
)

NFD = unicodedata.normalize("NFD", "Лекція_йод")
NFC = unicodedata.normalize("NFC", NFD)
ANY_TEXT = st.text(min_size=1, max_size=8)
# Names made of the very pieces that ids are divided by.
TRICKY = st.lists(
    st.sampled_from(
        ["_", "to", "_to_", "W", "C", "RT", "Q", "SHUFFLED", "PRIMARY", "GOLD", "a", "й", "й", "#0"]
    ),
    min_size=1,
    max_size=5,
).map("".join)


def is_legal(name: str) -> bool:
    try:
        check_name("team", name)
    except ValueError:
        return False
    return True


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


NAMES = (TRICKY | ANY_TEXT).filter(is_legal)
SECTIONS = st.lists(
    ANY_TEXT.filter(lambda part: "/" not in part and part not in (".", "..")),
    min_size=1,
    max_size=3,
).map("/".join)
POSITIONS = st.integers(0, 20_000)
SCENARIOS = st.sampled_from([GENUINE, "reference", "shuffled-words", "empty", "a_to_b"])


def test_a_question_id_is_written_as_the_design_says() -> None:
    made = question_id("popular/video 1", "Blue", "PRIMARY", 7)
    assert made == "popular/video 1/questions_by_Blue_PRIMARY#007"
    made = question_id("popular/video 1", "Blue", "Qwen", 1234, "WC")
    assert made == "popular/video 1/questions_by_Blue_SHUFFLEDWCQwen#1234"


def test_an_answer_id_is_written_as_the_design_says() -> None:
    made = answer_id("s", "Red", "PRIMARY", "Blue", "SECONDARY", 0, scenario="swapped-section")
    assert made == "s/answers_by_Red_PRIMARY_to_Blue_SECONDARY_SCENARIO-swapped-section#000"
    made = answer_id("s", "Red", "PRIMARY", "Blue", "PRIMARY", 12, variant="RT")
    assert made == "s/answers_by_Red_PRIMARY_to_Blue_SHUFFLEDRTPRIMARY#012"


@settings(deadline=None)
@given(SECTIONS, NAMES, NAMES, POSITIONS, st.sampled_from((GENUINE, *VARIANTS)))
@example("a#000/b", "W", "CPRIMARY", 0, "W")
@example("s", "A", "_x", 999, "Q")
@example("s", "й", "й", 1000, GENUINE)
def test_a_question_id_is_read_back_as_it_was_made(
    section: str, teacher: str, submission: str, position: int, variant: str
) -> None:
    if "_SHUFFLED" in f"{teacher}_{submission}":
        # The only names that are legal by themselves and refused here.
        with pytest.raises(ValueError, match="marks adversarial sets"):
            question_id(section, teacher, submission, position, variant)
        return
    made = question_id(section, teacher, submission, position, variant)
    assert made == nfc(made)
    known = {nfc(teacher): {nfc(submission)}}
    assert parse_question_id(made, known) == (
        *(nfc(section), nfc(teacher), nfc(submission)),
        *(variant, position),
    )


@settings(deadline=None)
@given(SECTIONS, NAMES, NAMES, NAMES, NAMES, POSITIONS, SCENARIOS)
@example("s", "road_to_rome", "PRIMARY", "GPT", "PRIMARY", 0, GENUINE)
@example("s", "GPT", "PRIMARY", "road_to_rome", "PRIMARY", 0, "reference")
def test_an_answer_id_is_read_back_as_it_was_made_or_refused_as_ambiguous(
    section: str, student: str, s_sub: str, teacher: str, t_sub: str, position: int, scenario: str
) -> None:
    assume("_SHUFFLED" not in f"{teacher}_{t_sub}")
    made = answer_id(section, student, s_sub, teacher, t_sub, position, scenario=scenario)
    known: dict[str, set[str]] = {nfc(student): {nfc(s_sub)}}
    known.setdefault(nfc(teacher), set()).add(nfc(t_sub))
    wanted = AnswerId(
        *(nfc(section), nfc(student), nfc(s_sub), nfc(teacher), nfc(t_sub)),
        *(GENUINE, scenario, position),
    )
    try:
        found = parse_answer_id(made, known)
    except AmbiguousNameError:
        # Only names that hold the divider can be divided at another place.
        assert made.count("_to_") > 1 or "_" in student + s_sub + teacher + t_sub
    else:
        assert found == wanted


def test_ids_are_nfc_whatever_form_the_names_have() -> None:
    assert NFD != NFC
    assert question_id(NFD, NFD, "PRIMARY", 0) == question_id(NFC, NFC, "PRIMARY", 0)
    assert section_id(NFD) == NFC
    assert parse_question_set_name(f"questions_by_{NFD}_PRIMARY").teacher == NFC
    assert known_teams([f"questions_by_{NFD}_PRIMARY"], {NFD: {NFD}})[NFC] == {"PRIMARY", NFC}


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("Blue_PRIMARY", {}, ("Blue", "PRIMARY", GENUINE)),
        ("GOLD_PRIMARY", {}, ("GOLD", "PRIMARY", GENUINE)),
        # The name of smk-01 is divided by what is known, wherever that is.
        ("blue_team_student_v2", {"blue_team": {"student_v2"}}, ("blue_team", "student_v2")),
        ("blue_team_student_v2", {"blue": {"team_student_v2"}}, ("blue", "team_student_v2")),
        ("blue_team_student_v2", {"blue_team_student": {"v2"}}, ("blue_team_student", "v2")),
        # A team that is known, though not for this submission.
        ("blue_team_student_v2", {"blue_team": {"PRIMARY"}}, ("blue_team", "student_v2")),
        # Any team may have a PRIMARY or SECONDARY submission.
        ("blue_team_student_PRIMARY", {"blue": {"PRIMARY"}}, ("blue_team_student", "PRIMARY")),
        ("blue_team_SECONDARY", {}, ("blue_team", "SECONDARY")),
        # Nothing is known: the last underscore divides.
        ("blue_team_student_v2", {}, ("blue_team_student", "v2")),
        ("Blue_GPT-4.1 mini", {}, ("Blue", "GPT-4.1 mini")),
    ],
)
def test_a_name_with_underscores_is_divided_by_what_is_known(
    name: str, known: dict[str, set[str]], expected: tuple[str, ...]
) -> None:
    found = parse_question_set_name(f"questions_by_{name}", known)
    assert found[: len(expected)] == expected
    assert found.variant == GENUINE


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("Blue_SHUFFLEDWCPRIMARY", {}, ("Blue", "PRIMARY", "WC")),
        ("Blue_SHUFFLEDWCPRIMARY", {"Blue": {"PRIMARY"}}, ("Blue", "PRIMARY", "WC")),
        ("Blue_SHUFFLEDWCPRIMARY", {"Blue": {"CPRIMARY"}}, ("Blue", "CPRIMARY", "W")),
        ("Blue_SHUFFLEDCQwen", {"Blue": {"Qwen"}}, ("Blue", "Qwen", "C")),
        ("Blue_SHUFFLEDCQwen", {}, ("Blue", "Qwen", "C")),
        ("Blue_SHUFFLEDWCQwen", {"Blue": {"Qwen"}}, ("Blue", "Qwen", "WC")),
        ("Blue_SHUFFLEDWCQwen", {"Blue": {"CQwen"}}, ("Blue", "CQwen", "W")),
        ("Blue_SHUFFLEDQQwen", {"Blue": {"Qwen"}}, ("Blue", "Qwen", "Q")),
        ("Blue_SHUFFLEDRTRT", {"Blue": {"RT"}}, ("Blue", "RT", "RT")),
        ("Blue_SHUFFLEDCCPRIMARY", {"Blue": {"CPRIMARY"}}, ("Blue", "CPRIMARY", "C")),
        ("Blue_SHUFFLEDWSECONDARY", {}, ("Blue", "SECONDARY", "W")),
        ("blue_team_SHUFFLEDRTPRIMARY", {}, ("blue_team", "PRIMARY", "RT")),
        ("blue_team_SHUFFLEDWmy_run", {}, ("blue_team", "my_run", "W")),
    ],
)
def test_the_code_of_an_adversarial_set_is_the_one_that_leaves_a_known_submission(
    name: str, known: dict[str, set[str]], expected: tuple[str, str, str]
) -> None:
    assert parse_question_set_name(f"questions_by_{name}", known) == SetName(*expected)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        # Two codes, both submissions known or neither.
        ("Blue_SHUFFLEDWCPRIMARY", {"Blue": {"PRIMARY", "CPRIMARY"}}),
        ("Blue_SHUFFLEDWCnew", {}),
        ("Blue_SHUFFLEDWCnew", {"Blue": {"PRIMARY"}}),
        # Two teams that both have such a submission, or both none.
        ("a_b_PRIMARY", {"a": {"b_PRIMARY"}, "a_b": {"PRIMARY"}}),
        ("a_b_new", {"a": {"PRIMARY"}, "a_b": {"PRIMARY"}}),
    ],
)
def test_a_name_that_can_be_read_in_two_ways_is_refused_and_both_are_named(
    name: str, known: dict[str, set[str]]
) -> None:
    with pytest.raises(AmbiguousNameError, match=r"can be read as .* or as .*; add the submission"):
        parse_question_set_name(f"questions_by_{name}", known)


@pytest.mark.parametrize(
    "name",
    [
        "questions_by_Blue",
        "questions_by_",
        "questions_by__PRIMARY",
        "questions_by_Blue_",
        "questions_by_Blue_SHUFFLEDPRIMARY",
        "questions_by_Blue_SHUFFLEDW",
        "questions_by_Blue_SHUFFLEDW_SHUFFLEDQPRIMARY",
        "questions_by_Blue _PRIMARY",
        "questions_by_Blue_ PRIMARY",
        "questions_by_Bl#ue_PRIMARY",
        "questions_by_Blue_x\\y",
        "questions_by_Blue_\u0301x",
        "answers_by_Blue_PRIMARY",
        "Blue_PRIMARY",
    ],
)
def test_a_name_whose_parts_no_id_can_hold_is_refused(name: str) -> None:
    with pytest.raises(ValueError):
        parse_question_set_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", " Blue", "Blue ", "a/b", "a\\b", "a#b", "a\nb", "a\x7fb", "a\u2028b", "\ud800"),
        *("\u0301a", "x_SCENARIO-y"),
    ],
)
@pytest.mark.parametrize("what", ["team", "submission"])
def test_no_id_is_made_of_such_a_name(name: str, what: str) -> None:
    team, submission = (name, "PRIMARY") if what == "team" else ("Blue", name)
    with pytest.raises(ValueError, match=f"cannot be the name of a {what}"):
        question_set_name(team, submission)
    with pytest.raises(ValueError, match=f"cannot be the name of a {what}"):
        answers_name(team, submission, "GOLD", "PRIMARY")


@pytest.mark.parametrize(
    ("team", "submission"), [("a_SHUFFLEDW", "PRIMARY"), ("a", "SHUFFLEDx"), ("a", "b_SHUFFLEDWc")]
)
def test_no_genuine_set_can_have_a_name_that_reads_as_an_adversarial_one(
    team: str, submission: str
) -> None:
    with pytest.raises(ValueError, match="marks adversarial sets"):
        question_id("s", team, submission, 0)
    with pytest.raises(ValueError, match="marks adversarial sets"):
        answer_id("s", "GOLD", "PRIMARY", team, submission, 0)


def test_answers_of_a_student_to_shuffled_names_keep_them() -> None:
    # On the Student's side the mark is part of the submission's name and is not lost.
    made = answer_id("s", "Red", "SHUFFLEDWPRIMARY", "Blue", "PRIMARY", 0)
    assert parse_answer_id(made).student_submission == "SHUFFLEDWPRIMARY"


def test_an_answer_id_is_divided_at_the_right_to() -> None:
    made = answer_id("s", "road_to_rome", "PRIMARY", "Zero_to_Hero", "SECONDARY", 3)
    found = parse_answer_id(made)
    assert (found.student, found.teacher) == ("road_to_rome", "Zero_to_Hero")
    ambiguous = answer_id("s", "a", "b_to_c_d", "e", "f", 0)
    with pytest.raises(AmbiguousNameError, match="team a, submission b to team c"):
        parse_answer_id(ambiguous)
    known = {"a": {"b_to_c_d"}, "e": {"f"}}
    assert parse_answer_id(ambiguous, known)[1:5] == ("a", "b_to_c_d", "e", "f")


@pytest.mark.parametrize(
    "identifier",
    [
        "s/questions_by_A_PRIMARY",
        "s/questions_by_A_PRIMARY#1",
        "s/questions_by_A_PRIMARY#0001",
        "s/questions_by_A_PRIMARY#-01",
        "s/questions_by_A_PRIMARY#٠٠١",
        "questions_by_A_PRIMARY#000",
        "/questions_by_A_PRIMARY#000",
        "s/answers_by_A_PRIMARY_to_B_PRIMARY#000",
        "",
    ],
)
def test_what_no_maker_makes_is_no_question_id(identifier: str) -> None:
    with pytest.raises(ValueError):
        parse_question_id(identifier)


@pytest.mark.parametrize(
    "identifier",
    [
        "s/answers_by_A_PRIMARY#000",
        "s/answers_by_A_to_B#000",
        "s/answers_by_A_PRIMARY_to_B_PRIMARY_SCENARIO-#000",
        # The maker leaves the genuine scenario out, so one answer would have two ids.
        "s/answers_by_A_PRIMARY_to_B_PRIMARY_SCENARIO-genuine#000",
        "s/questions_by_A_PRIMARY#000",
    ],
)
def test_what_no_maker_makes_is_no_answer_id(identifier: str) -> None:
    with pytest.raises(ValueError, match="not an answer_id"):
        parse_answer_id(identifier)


def test_makers_refuse_impossible_positions_sections_and_variants() -> None:
    with pytest.raises(ValueError, match="a position is 0 or more, not -1"):
        question_id("s", "A", "PRIMARY", -1)
    for section in ("", "/s", "s/", "a//b"):
        with pytest.raises(ValueError, match="not a section_id"):
            question_id(section, "A", "PRIMARY", 0)
    with pytest.raises(ValueError, match=r"unknown variant 'X'; known: genuine, W, C, WC, RT, Q"):
        question_id("s", "A", "PRIMARY", 0, "X")


def test_positions_of_four_digits_stay_unique_and_readable() -> None:
    ids = [question_id("s", "A", "PRIMARY", n) for n in (0, 99, 999, 1000, 12_345)]
    assert [parse_question_id(i).position for i in ids] == [0, 99, 999, 1000, 12_345]
    assert parse_question_id(ids[-1]) == QuestionId("s", "A", "PRIMARY", GENUINE, 12_345)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (PurePosixPath("kind/source/my user's папка"), "kind/source/my user's папка"),
        (PureWindowsPath(r"kind\section"), "kind/section"),
        ("kind\\section", "kind/section"),
        ("./kind//section/", "kind/section"),
    ],
)
def test_a_section_id_is_the_path_with_slashes(path: str, expected: str) -> None:
    assert section_id(path) == expected


@pytest.mark.parametrize("path", ["", ".", "/abs", "../x", "a/../../x", "C:/x", "C:\\x"])
def test_a_path_outside_the_root_is_no_section_id(path: str) -> None:
    with pytest.raises(ValueError, match="not a path below the materials root"):
        section_id(path)


def test_teams_are_learnt_from_their_sets_whatever_the_order() -> None:
    names = [
        "questions_by_a_b_v_2",
        "questions_by_a_b_PRIMARY",
        "questions_by_Blue_SHUFFLEDWPRIMARY",
        "questions_by_Red_Qwen",
        "questions_by_nonsense",
        "other",
    ]
    expected = {"GOLD": {"PRIMARY"}, "a_b": {"PRIMARY", "v_2"}, "Red": {"Qwen"}}
    assert known_teams(names) == expected
    assert known_teams(reversed(names)) == expected
    declared = {"Blue": {"x"}}
    assert known_teams([], declared) == {"GOLD": {"PRIMARY"}, "Blue": {"x"}}
    assert declared == {"Blue": {"x"}}


def test_what_is_only_guessed_can_be_told_and_left_out() -> None:
    assert is_guess("questions_by_a_b_c")
    assert not is_guess("questions_by_a_b_c", {"a": {"PRIMARY"}})
    assert not is_guess("questions_by_a_b_PRIMARY")
    assert not is_guess("questions_by_a_b")
    assert not is_guess("questions_by_a_b_SHUFFLEDWc")
    names = ["questions_by_a_b_c", "questions_by_d_PRIMARY"]
    assert known_teams(names, guess=False) == {"GOLD": {"PRIMARY"}, "d": {"PRIMARY"}}


def test_slugs_are_lower_case_ascii_of_letters_and_digits() -> None:
    assert slug("Best sentence (BM25)") == "best-sentence-bm25"
    assert slug("Größe_ü") == "grosse-u"
    assert slug("лекція") == slug(unicodedata.normalize("NFD", "лекція")) == "lektsiia"
    assert slug("007") == "007"
    assert slug("NA") == "na"


@given(st.text(max_size=12))
def test_a_slug_can_stand_in_a_path_and_in_a_wildcard(name: str) -> None:
    try:
        made = slug(name)
    except ValueError:
        return
    assert made.isascii()
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert slug(made) == made


def test_names_without_a_slug_or_with_one_slug_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="'!!!' has no letter or digit"):
        slug("!!!")
    with pytest.raises(ValueError, match="'c_s' and 'C s' both become 'c-s'"):
        unique_slugs(["x", "c_s", "C s"])
    assert list(unique_slugs(["c++_intro", "a.b", "9-2"]).items()) == [
        ("c-intro", "c++_intro"),
        ("a-b", "a.b"),
        ("9-2", "9-2"),
    ]
