"""CSV files of counts and of recorded answers: every fault with its line."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.io import artifacts
from sensemaking.io.judgement_files import RecordedAnswers, TruthError, read_answers, read_counts
from sensemaking.schemas import FINDINGS
from sensemaking.verifiable import Answer, Count, Document

DOCUMENTS = [Document("D1", ("x", "y", "z")), Document("D2", ("u", "v"))]
GOOD = """doc,dim,a,b,q_ab,q_ba
D1,accuracy,x,y,0.97,1e-6
D1,accuracy,z,x,0,1
D1,accuracy,y,z,.5,0.5
D1,completeness,x,y,1.0,0
D1,completeness,x,z,1,0
D1,completeness,y,z,1,0
D2,accuracy,u,v,1,0
D2,completeness,u,v,1,0
"""


def read(tmp_path: Path, text: str | bytes) -> RecordedAnswers:
    path = tmp_path / "answers.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_answers(path, DOCUMENTS, name="answers.csv")


def codes(found: RecordedAnswers) -> list[tuple[str, str]]:
    return [(finding.json_pointer, finding.code) for finding in found.findings]


def test_answers_are_read_as_they_stand_with_pairs_either_way_round(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD)
    assert found.findings == ()
    assert found.statuses == {}
    assert len(found.answers) == 8
    assert found.answers[:3] == (
        Answer("D1", "accuracy", "x", "y", 0.97, 1e-6),
        Answer("D1", "accuracy", "z", "x", 0.0, 1.0),
        Answer("D1", "accuracy", "y", "z", 0.5, 0.5),
    )


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\n\n"),
        GOOD.replace(",", " , "),
        GOOD.replace("doc,dim", "document,criterion"),
        GOOD.rstrip("\n"),
        "\n".join(f'{line},"a, note"' for line in GOOD.splitlines()),
        "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in GOOD.splitlines()),
    ],
)
def test_the_form_of_the_file_makes_no_difference(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == read(tmp_path, GOOD)


@pytest.mark.parametrize(
    ("line", "by", "code", "said"),
    [
        ("x,y,0.97,1e-6", "x,y,1.0001,0", "invalid_answer", "q_ab is '1.0001'"),
        ("x,y,0.97,1e-6", "x,y,0,-1e-9", "invalid_answer", "q_ba is '-1e-9'"),
        ("x,y,0.97,1e-6", "x,y,97%,0", "invalid_answer", "q_ab is '97%'"),
        ("x,y,0.97,1e-6", "x,y,inf,0", "invalid_answer", "q_ab is 'inf'"),
        ("x,y,0.97,1e-6", "x,y,A,0", "invalid_answer", "q_ab is 'A'"),
        ("x,y,0.97,1e-6", "x,y,0_9,0", "invalid_answer", "q_ab is '0_9'"),
        ("x,y,0.97,1e-6", "x,y,٠,0", "invalid_answer", "q_ab is '٠'"),
        ("x,y,0.97,1e-6", "x,y,1e999,0", "invalid_answer", "q_ab is '1e999'"),
        ("x,y,0.97,1e-6", "x,y,NaN,0", "no_answer_given", "q_ab is 'NaN'"),
        ("x,y,0.97,1e-6", "x,y,0.9,", "no_answer_given", "q_ba is ''"),
        ("x,y,0.97,1e-6", "x,y,0.9,null", "no_answer_given", "q_ba is 'null'"),
        ("x,y,0.97,1e-6", "x,w,0.9,0", "unknown_item", "D1 has no item 'w'; it has x, y, z"),
        ("x,y,0.97,1e-6", "x,u,0.9,0", "unknown_item", "D1 has no item 'u'"),
        ("x,y,0.97,1e-6", ",y,0.9,0", "unknown_item", "no item ''"),
        ("x,y,0.97,1e-6", "x,x,0.9,0", "same_item", "x is compared with itself"),
        ("x,y,0.97,1e-6", "x,y,0.9", "cells", "5 cells, expected 6"),
        ("x,y,0.97,1e-6", "x,y,0,9,0", "cells", "7 cells, expected 6"),
        ("D1,accuracy,x,y", "D7,accuracy,x,y", "unknown_document", "no document 'D7'"),
        ("D1,accuracy,x,y", "D1,Accuracy,x,y", "unknown_criterion", "no question 'Accuracy'"),
    ],
)
def test_a_fault_costs_its_pair_and_is_told_with_its_line(
    tmp_path: Path, line: str, by: str, code: str, said: str
) -> None:
    found = read(tmp_path, GOOD.replace(line, by))
    first = found.findings[0]
    assert (first.json_pointer, first.code) == ("/2", code)
    assert first.message.startswith("line 2: ")
    assert said in first.message
    key = ("D1", "accuracy", frozenset(("x", "y")))
    if code in ("invalid_answer", "no_answer_given"):
        assert len(found.findings) == 1
        assert found.statuses == {key: code}
        (own,) = (
            a for a in found.answers if (a.document, a.criterion, a.a) == ("D1", *key[1:2], "x")
        )
        assert None in (own.q_ab, own.q_ba)
    else:
        assert found.statuses == {}
        assert codes(found)[1:] == [("", "not_recorded")]
        assert "1 of 3 pairs have no row: x–y" in found.findings[1].message
        assert len(found.answers) == 7


def test_a_pair_that_stands_there_twice_is_left_out_either_way_round(tmp_path: Path) -> None:
    for again in ("D1,accuracy,x,y,0.97,1e-6", "D1,accuracy,y,x,0.2,0.3"):
        found = read(tmp_path, GOOD + again + "\n")
        assert codes(found) == [("/2", "duplicate_pair"), ("/10", "duplicate_pair")]
        assert "stands in the lines 2, 10" in found.findings[0].message
        assert found.statuses == {("D1", "accuracy", frozenset("xy")): "duplicate_pair"}
        assert len(found.answers) == 7


def test_an_answer_in_one_order_only_keeps_what_was_said(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD.replace("x,y,0.97,1e-6", "x,y,0.97,"))
    assert found.answers[0] == Answer("D1", "accuracy", "x", "y", 0.97, None)


def test_lines_are_counted_as_an_editor_does(tmp_path: Path) -> None:
    text = GOOD.replace("doc,", "note,doc,").replace("\nD", '\n"two\nlines",D')
    found = read(tmp_path, text.replace("D2,accuracy,u,v,1,0", "D2,accuracy,u,v,2,0"))
    assert codes(found) == [("/14", "invalid_answer")]


@pytest.mark.parametrize(
    ("content", "pointer", "code", "said"),
    [
        ("", "", "empty", "expected a head: doc, dim, a, b, q_ab, q_ba"),
        ("\n \n", "", "empty", "the file is empty"),
        (GOOD.replace("q_ba", "q_bc"), "/1", "columns", "no column q_ba, expected one"),
        (GOOD.replace("a,b", "a,a"), "/1", "columns", "2 columns a, expected one"),
        (GOOD.replace(",", ";"), "/1", "columns", "found 'doc;dim;a;b;q_ab;q_ba'"),
        (GOOD.replace("doc,dim", "doc,document"), "/1", "columns", "2 columns doc or document"),
        (b"\x00\x01\xff\xfe\x00", "", "undecodable", "no text file"),
        (GOOD.replace("D2,accuracy,u", 'D2,accuracy,"u"u'), "/8", "not_csv", "was not read"),
    ],
)
def test_a_file_that_is_no_table_of_answers_is_told_and_its_pairs_are_missing(
    tmp_path: Path, content: str | bytes, pointer: str, code: str, said: str
) -> None:
    found = read(tmp_path, content)
    assert codes(found)[0] == (pointer, code)
    assert said in found.findings[0].message
    missing = [f for f in found.findings if f.code == "not_recorded"]
    assert len(missing) == (2 if code == "not_csv" else 4)
    assert len(found.answers) == (6 if code == "not_csv" else 0)


@given(text=st.text(st.sampled_from('D1xy,"\n\r0.5;accuracy\x00é'), max_size=60))
def test_whatever_the_file_holds_findings_fit_their_artifact(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    found = read(folder, "doc,dim,a,b,q_ab,q_ba\n" + text)
    artifacts.write(FINDINGS, folder / "f.parquet", [finding.row() for finding in found.findings])
    assert len(found.findings) >= 3


# Counts

COUNTS = "doc,id,n_mentioned,n_wrong\nD2,v,8,1\nD2,u,5,5\nD1,y,16,0\nD1,x,5,0\n"


def counts(tmp_path: Path, text: str | bytes) -> list[Count]:
    path = tmp_path / "truth.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_counts(path)


def test_counts_keep_the_order_of_the_file(tmp_path: Path) -> None:
    expected = [
        Count("D2", "v", 8, 1),
        Count("D2", "u", 5, 5),
        Count("D1", "y", 16, 0),
        Count("D1", "x", 5, 0),
    ]
    assert counts(tmp_path, COUNTS) == expected
    assert counts(tmp_path, COUNTS.replace("doc,id", "document,item")) == expected
    assert counts(tmp_path, "\ufeff" + COUNTS.replace("\n", "\r\n")) == expected


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("D2,u,5,5", "D2,u,5,6", "line 3: 6 wrong facts of 5 mentioned"),
        ("D2,u,5,5", "D2,u,5.0,5", "line 3: n_mentioned is '5.0', expected a whole number"),
        ("D2,u,5,5", "D2,u,5,-1", "line 3: n_wrong is '-1'"),
        ("D2,u,5,5", "D2,u,5,", "line 3: n_wrong is ''"),
        ("D2,u,5,5", "D2,u,5,٣", "line 3: n_wrong is '٣'"),
        ("D2,u,5,5", "D2,u,5,99999999999999999999", "line 3: n_wrong is '9999"),
        ("D2,u,5,5", "D2,u,5", "line 3: 3 cells, expected 4"),
        ("D2,u,5,5", "D2,,5,5", "line 3: the document or the item is empty"),
        ("D2,u,5,5", "D2,v,8,1", "line 3: D2 v stands in line 2 already"),
        ("D2,u,5,5\n", "", "line 2: D2 has one item only"),
        ("n_wrong", "wrong", "line 1: no column n_wrong"),
        (COUNTS, "", "the file is empty"),
        (COUNTS, "doc,id,n_mentioned,n_wrong\n", "no row of counts"),
        ("D1,x", '"D1"x,x', "line 5: not CSV"),
    ],
)
def test_a_fault_in_the_counts_stops_with_its_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    with pytest.raises(TruthError, match="all figures rest on it") as error:
        counts(tmp_path, COUNTS.replace(old, new))
    assert said in str(error.value)
    assert "truth.csv: " in str(error.value)


def test_all_faults_of_the_counts_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(TruthError) as error:
        counts(tmp_path, COUNTS.replace("8,1", "8,x").replace("16,0", "0,1"))
    assert "line 2: n_wrong is 'x'" in str(error.value)
    assert "line 4: 1 wrong facts of 0 mentioned" in str(error.value)
    with pytest.raises(TruthError, match="no text file"):
        counts(tmp_path, b"\x00\x01\xff\xfe\x00")
