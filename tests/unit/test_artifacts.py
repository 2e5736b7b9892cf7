import hashlib
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking import schemas
from sensemaking.io import artifacts
from sensemaking.io.artifacts import ArtifactError
from sensemaking.schema_types import BYTES
from sensemaking.schemas import (
    ARTIFACTS,
    BOOLEAN,
    EMBEDDINGS,
    FINDINGS,
    INTEGER,
    QUESTIONS,
    REAL,
    STRING,
    STRINGS,
    SYSTEMS,
    TABLES,
    VECTOR,
    WINDOWS,
    Artifact,
    Column,
)

TEAMS = ["NA", "null", "None", "nan"]
EVERY = Artifact(
    "test/every",
    "a row with each type",
    (
        Column("id", STRING, "key"),
        Column("number", INTEGER, "key", low=0, high=2**60),
        Column("text", STRING, "a text", nullable=True, may_be_empty=True),
        Column("whole", INTEGER, "a whole number", nullable=True),
        Column("real", REAL, "a number", nullable=True),
        Column("share", REAL, "a number", nullable=True, low=0, high=1),
        Column("truth", BOOLEAN, "a truth value", nullable=True),
        Column("texts", STRINGS, "a list"),
        Column("vector", VECTOR, "a list"),
        Column("status", STRING, "ok, or why text is null"),
        Column("kind", STRING, "a or b", allowed=("a", "b")),
        Column("data", BYTES, "bytes, of a file for instance", nullable=True),
    ),
    key=("id", "number"),
    explained=(("text", "status"),),
)
GOOD: dict[str, Any] = {
    "id": "x",
    "number": 0,
    "text": "t",
    "whole": 1,
    "real": 0.5,
    "share": 0.5,
    "truth": True,
    "texts": ["a"],
    "vector": [0.5],
    "status": "ok",
    "kind": "a",
    "data": b"\xff\x00",
}
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
FLOAT32 = st.floats(allow_nan=False, allow_infinity=False, width=32)
ROW = st.fixed_dictionaries(
    {
        "id": TEXT.filter(bool) | st.sampled_from([*TEAMS, "007", "й", "й"]),
        "number": st.integers(0, 2**60),
        "text": st.none() | TEXT,
        "whole": st.none() | st.integers(-(2**63), 2**63 - 1),
        "real": st.none() | st.floats(allow_nan=False, allow_infinity=False) | st.integers(-9, 9),
        "share": st.none() | st.floats(0, 1),
        "truth": st.none() | st.booleans(),
        "texts": st.lists(TEXT, max_size=3),
        "vector": st.lists(FLOAT32, max_size=3),
        "status": st.sampled_from(["missing", "nan"]),
        "kind": st.sampled_from(["a", "b"]),
        "data": st.none() | st.binary(max_size=3),
    }
)
ROWS = st.lists(ROW, max_size=6, unique_by=lambda row: (row["id"], row["number"]))


def plain(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows with None for whatever pandas takes for missing."""
    return [
        {k: None if not isinstance(v, list) and pd.isna(v) else v for k, v in row.items()}
        for row in frame.to_dict("records")
    ]


def one(**values: Any) -> list[dict[str, Any]]:
    return [{**GOOD, **values}]


def system(**values: Any) -> dict[str, Any]:
    row = dict.fromkeys(SYSTEMS.names, "x") | {"role": "student", "origin": "baseline"}
    return {**row, **values}


@settings(deadline=None, max_examples=50)
@given(ROWS)
def test_rows_come_back_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    path = tmp_path_factory.mktemp("a") / "rows.parquet"
    artifacts.write(EVERY, path, rows)
    frame = artifacts.read(EVERY, path)
    expected = sorted(rows, key=lambda row: (row["id"].encode(), row["number"]))
    assert plain(frame) == expected
    for row in plain(frame):
        assert row["real"] is None or isinstance(row["real"], float)
        assert row["whole"] is None or isinstance(row["whole"], int)


@settings(deadline=None, max_examples=50)
@given(ROWS, st.randoms())
def test_the_bytes_depend_on_the_set_of_rows_alone(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]], source: random.Random
) -> None:
    folder = tmp_path_factory.mktemp("b")
    artifacts.write(EVERY, folder / "1", rows)
    shuffled = [dict(source.sample(list(row.items()), len(row))) for row in rows]
    source.shuffle(shuffled)
    artifacts.write(EVERY, folder / "2", iter(shuffled))
    artifacts.write(EVERY, folder / "3", artifacts.read(EVERY, folder / "1")[::-1])
    hashes = {hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in "123"}
    assert len(hashes) == 1


def test_rows_whose_order_matters_keep_it_and_still_need_a_key_each(tmp_path: Path) -> None:
    rows = [
        {
            **dict.fromkeys(("value", "sd", "ci_low", "ci_high"), 1.0),
            **dict.fromkeys(("published", "published_sd"), 1.0),
            **dict.fromkeys(("table", "column_id", "column_label", "statistic"), "x"),
            **dict.fromkeys(("n", "n_missing"), 1),
            "row_id": row,
            "row_label": row,
            "reason": None,
        }
        for row in ("b", "a")
    ]
    artifacts.write(TABLES, tmp_path / "t", rows)
    assert list(artifacts.read(TABLES, tmp_path / "t")["row_id"]) == ["b", "a"]
    with pytest.raises(ArtifactError, match="rows 0, 1 have one key"):
        artifacts.to_table(TABLES, [rows[0], rows[0]])


# pq-01


@pytest.mark.parametrize(
    ("column", "values", "row", "expected"),
    [
        ("real", [85, "90", 77.5], 1, "expected a number"),
        ("texts", [["a"], "b"], 1, "expected a list of texts"),
        ("texts", [["a"], ["b", None]], 1, "expected a list of texts"),
        ("texts", [["a"], [["b"]]], 1, "expected a list of texts"),
        ("truth", [True, 1, 0], 1, "expected true or false"),
        ("text", [{"a": 1}, {"b": 2}], 0, "expected text"),
        ("text", [{}, {}], 0, "expected text"),
        ("text", ["a", 1], 1, "expected text"),
        ("text", ["a", b"a"], 1, "expected text"),
        ("text", ["a", "\ud800"], 1, "expected text without halves of surrogate pairs"),
        ("text", ["a", ["b"]], 1, "expected text"),
        ("whole", [1, 2.0], 1, "expected a whole number"),
        ("whole", [1, "2"], 1, "expected a whole number"),
        ("whole", [1, True], 1, "expected a whole number"),
        ("whole", [1, 2**63], 1, "expected a whole number"),
        ("real", [1.0, True], 1, "expected a number"),
        ("real", [1.0, 10**400], 1, "expected a number"),
        ("vector", [[1.0], [1]], 1, "expected a list of numbers"),
        ("data", [b"a", "a"], 1, "expected bytes"),
        ("data", [b"a", None, bytearray(b"a")], 2, "expected bytes"),
        ("vector", [[1.0], ["1"]], 1, "expected a list of numbers"),
    ],
)
def test_a_value_of_another_type_is_named_with_table_column_and_row(
    column: str, values: list[Any], row: int, expected: str
) -> None:
    rows = [{**GOOD, "number": n, column: value} for n, value in enumerate(values)]
    with pytest.raises(ArtifactError) as caught:
        artifacts.to_table(EVERY, rows, place="results/x.parquet")
    message = str(caught.value)
    assert message.startswith(
        f"test/every: column {column!r}, row {row} (id='x', number={row}): found "
    )
    assert expected in message
    assert message.endswith("results/x.parquet")


def test_whole_numbers_are_numbers_and_become_real_exactly() -> None:
    table = artifacts.to_table(EVERY, one(real=85))
    assert table.column("real").to_pylist() == [85.0]


# pq-02


def test_whole_numbers_beside_a_missing_one_stay_whole_and_exact(tmp_path: Path) -> None:
    rows = [{**GOOD, "number": n, "whole": v} for n, v in enumerate([9007199254740993, None, 3])]
    artifacts.write(EVERY, tmp_path / "w", rows)
    assert pq.read_schema(tmp_path / "w").field("whole").type == pa.int64()
    frame = artifacts.read(EVERY, tmp_path / "w")
    assert str(frame["whole"].dtype) == "Int64"
    assert [None if pd.isna(v) else v for v in frame["whole"]] == [9007199254740993, None, 3]
    assert frame["whole"].to_csv(index=False, header=False).split("\n")[2] == "3"
    # The way through a default frame, which has lost a digit before, is refused.
    lossy = pd.DataFrame({**{k: [v] * 2 for k, v in GOOD.items()}, "number": [0, 1]})
    lossy["whole"] = [9007199254740993, None]
    with pytest.raises(ArtifactError, match="expected a whole number"):
        artifacts.to_table(EVERY, lossy)


# pq-03


def test_missing_text_is_told_by_isna_and_is_never_the_word_nan(tmp_path: Path) -> None:
    given = ["CC", None, "NN", "nan", float("nan"), pd.NA]
    rows = [{**GOOD, "number": n, "text": t, "status": "missing"} for n, t in enumerate(given)]
    artifacts.write(EVERY, tmp_path / "t", rows)
    frame = artifacts.read(EVERY, tmp_path / "t")
    assert list(frame["text"].isna()) == [False, True, False, False, True, True]
    assert pq.read_table(tmp_path / "t").column("text").to_pylist() == [
        *("CC", None, "NN", "nan", None, None),
    ]
    text = frame["text"].to_json(orient="values")
    assert text == '["CC",null,"NN","nan",null,null]'


@pytest.mark.parametrize(
    "dtype", ["object", "str", pd.StringDtype("python"), pd.StringDtype("pyarrow", na_value=pd.NA)]
)
def test_any_kind_of_text_column_is_written_alike(dtype: Any) -> None:
    frame = pd.DataFrame(
        {"id": ["a", "b"], "number": [0, 0], "text": ["x", None]}
        | {name: [GOOD[name]] * 2 for name in EVERY.names[3:]}
    )
    frame["status"] = "missing"
    frame["text"] = pd.Series(["x", None], dtype=dtype)
    assert artifacts.to_table(EVERY, frame).column("text").to_pylist() == ["x", None]


# pq-04


@pytest.mark.parametrize("artifact", ARTIFACTS.values(), ids=lambda artifact: artifact.name)
def test_a_file_without_rows_has_the_declared_types(artifact: Artifact, tmp_path: Path) -> None:
    artifacts.write(artifact, tmp_path / "empty", [])
    assert pq.read_schema(tmp_path / "empty").equals(artifact.schema)
    frame = artifacts.read(artifact, tmp_path / "empty")
    assert (len(frame), list(frame.columns)) == (0, artifact.names)


def test_parts_with_an_all_null_column_and_without_rows_are_read_together(tmp_path: Path) -> None:
    for name, texts in {"a": [None, None], "b": ["timeout", None], "c": []}.items():
        rows = [
            {**GOOD, "id": name, "number": n, "text": t, "status": "missing"}
            for n, t in enumerate(texts)
        ]
        artifacts.write(EVERY, tmp_path / name, rows)
        assert pq.read_schema(tmp_path / name).field("text").type == pa.string()
    frame = artifacts.read(EVERY, [tmp_path / name for name in "abc"])
    assert len(frame) == 4
    assert frame["text"].isna().sum() == 3


# sub-06


def test_teams_with_the_names_of_missing_values_keep_their_rows_and_ids_their_zeros(
    tmp_path: Path,
) -> None:
    rows = [system(system=f"00{n}", team=team, label=team) for n, team in enumerate(TEAMS, 7)]
    artifacts.write(SYSTEMS, tmp_path / "s", rows)
    frame = artifacts.read(SYSTEMS, tmp_path / "s")
    assert list(frame["system"]) == ["0010", "007", "008", "009"]
    assert sorted(frame["team"]) == sorted(TEAMS)
    assert sorted(frame.groupby("team").size().index) == sorted(TEAMS)
    assert not frame["team"].isna().any()
    assert sorted(frame.merge(frame, on="team")["team"]) == sorted(TEAMS)
    artifacts.write(SYSTEMS, tmp_path / "again", frame)
    assert (tmp_path / "again").read_bytes() == (tmp_path / "s").read_bytes()


# Checks of values


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"id": None}, r"column 'id', row 0 .* found None, expected a value, not null"),
        ({"id": ""}, r"column 'id', row 0 .* expected a text that is not empty"),
        ({"status": ""}, r"column 'status', row 0 .* expected a text that is not empty"),
        ({"kind": "c"}, r"column 'kind', row 0 .* found 'c', expected one of a, b"),
        ({"share": 1.5}, r"column 'share', row 0 .* found 1\.5, expected at most 1"),
        ({"share": -0.1}, r"column 'share', row 0 .* expected at least 0"),
        ({"number": -1}, r"column 'number', row 0 .* expected at least 0"),
        ({"real": math.inf}, r"column 'real', row 0 .* found inf, expected finite numbers only"),
        ({"vector": [1.0, math.nan]}, r"column 'vector', row 0 .* expected finite numbers only"),
        ({"vector": [1e300]}, r"column 'vector', row 0 .* expected finite numbers only"),
        ({"texts": None}, r"column 'texts', row 0 .* expected a value, not null"),
        ({"text": None}, r"column 'status', row 0 .* found 'ok', expected a reason, since text"),
    ],
)
def test_a_value_that_does_not_fit_is_named(values: dict[str, Any], expected: str) -> None:
    with pytest.raises(ArtifactError, match=expected):
        artifacts.to_table(EVERY, one(**values))


def test_the_row_that_is_named_is_the_one_that_is_wrong() -> None:
    rows = [{**GOOD, "number": n} for n in range(5)]
    rows[3]["vector"] = [0.0, math.inf]
    rows[2]["vector"] = []
    with pytest.raises(ArtifactError, match=r"row 3 \(id='x', number=3\)"):
        artifacts.to_table(EVERY, rows)


@pytest.mark.parametrize("missing", [None, math.nan, np.nan, np.float32("nan"), pd.NA])
@pytest.mark.parametrize("column", ["text", "whole", "real", "share", "truth"])
def test_every_way_to_write_a_missing_value_becomes_null(column: str, missing: Any) -> None:
    table = artifacts.to_table(EVERY, one(**{column: missing, "status": "missing"}))
    assert table.column(column).to_pylist() == [None]


def test_values_of_numpy_count_as_those_of_python() -> None:
    given = one(
        number=np.int32(3),
        whole=np.uint8(7),
        real=np.float32(0.5),
        truth=np.bool_(True),
        text=np.str_("t"),
        vector=np.array([0.25, 0.5], dtype=np.float32),
        texts=np.array(["a", "b"]),
    )
    assert artifacts.to_table(EVERY, given).to_pylist() == one(
        number=3, whole=7, vector=[0.25, 0.5], texts=["a", "b"]
    )


def test_what_is_missing_is_never_an_empty_text() -> None:
    base: dict[str, Any] = {
        **dict.fromkeys(QUESTIONS.names, "x"),
        "variant": "genuine",
        "position": 0,
        "references": [],
        "references_original": [],
        "status": "ok",
    }
    artifacts.to_table(QUESTIONS, [base])
    for name in ("question", "question_original", "origin_question_id", "language"):
        with pytest.raises(ArtifactError, match=f"column '{name}'.*not empty"):
            artifacts.to_table(QUESTIONS, [{**base, name: ""}])
    # An empty JSON pointer means the whole file.
    finding = dict.fromkeys(FINDINGS.names, "x") | {"severity": "error", "json_pointer": ""}
    assert artifacts.to_table(FINDINGS, [finding]).num_rows == 1


def test_two_rows_with_one_key_are_both_named() -> None:
    rows = [{**GOOD, "number": n} for n in (4, 5, 4)]
    with pytest.raises(ArtifactError, match=r"rows 0, 2 have one key \(id='x', number=4\)"):
        artifacts.to_table(EVERY, rows)


def test_two_shards_with_one_key_are_told(tmp_path: Path) -> None:
    for name in "ab":
        artifacts.write(EVERY, tmp_path / name, one())
    with pytest.raises(ArtifactError, match="one key"):
        artifacts.read(EVERY, [tmp_path / "a", tmp_path / "b"])


# Columns


def test_a_missing_and_an_unknown_column_are_named_with_the_nearest() -> None:
    row = {**GOOD, "tekst": 1}
    del row["text"]
    with pytest.raises(ArtifactError) as caught:
        artifacts.to_table(EVERY, [GOOD, row])
    assert "row 1" in str(caught.value)
    assert "the column 'text' is missing" in str(caught.value)
    assert "'tekst' is no column (nearest: 'text')" in str(caught.value)
    with pytest.raises(ArtifactError, match="the column 'text' is missing"):
        artifacts.to_table(EVERY, pd.DataFrame([row]))


def test_a_column_that_occurs_twice_in_a_frame_is_told() -> None:
    frame = pd.DataFrame([GOOD])
    twice = pd.concat([frame, frame[["text"]]], axis="columns")
    with pytest.raises(ArtifactError, match="the column 'text' occurs 2 times"):
        artifacts.to_table(EVERY, twice)


# Files


def test_a_failed_write_keeps_the_file_that_was_there(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "x.parquet"
    artifacts.write(EVERY, path, one())
    before = path.read_bytes()
    with pytest.raises(ArtifactError):
        artifacts.write(EVERY, path, one(kind="c"))
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["x.parquet"]


def write_parquet(**columns: Any) -> Callable[[Path], None]:
    return lambda path: pq.write_table(pa.table(columns), path)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda path: path.write_bytes(b""), "not a readable Parquet file of test/every"),
        (lambda path: path.write_bytes(b"PAR1 and then nothing"), "not a readable Parquet file"),
        (write_parquet(other=[1]), r"not the columns of test/every: column 0 is 'other' \(int64\)"),
        (lambda path: path.mkdir(), "not a readable Parquet file"),
    ],
)
def test_a_file_that_is_no_such_artifact_is_named_with_what_to_do(
    tmp_path: Path, make: Callable[[Path], None], expected: str
) -> None:
    path = tmp_path / "x.parquet"
    make(path)
    with pytest.raises(ArtifactError, match=expected) as caught:
        artifacts.read(EVERY, path)
    assert str(path) in str(caught.value)
    assert "delete the file and run again" in str(caught.value)


def test_a_file_with_columns_missing_or_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    artifacts.write(EVERY, path, one())
    whole = pq.read_table(path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ArtifactError, match="not a readable"):
        artifacts.read(EVERY, path)
    pq.write_table(whole.drop_columns(["data"]), path)
    with pytest.raises(ArtifactError, match="11 columns, expected 12"):
        artifacts.read(EVERY, path)


def test_values_are_checked_on_reading_too(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    artifacts.write(EVERY, path, one())
    table = pq.read_table(path)
    wrong = table.set_column(EVERY.names.index("kind"), EVERY.schema.field("kind"), pa.array(["c"]))
    pq.write_table(wrong, path)
    with pytest.raises(ArtifactError, match="column 'kind', row 0"):
        artifacts.read(EVERY, path)


def test_a_missing_file_is_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        artifacts.read(EVERY, tmp_path / "nothing.parquet")


@pytest.mark.parametrize("folder", ["kind=demo", "_hidden", "my user's папка ř", "a:b", "{x}"])
def test_the_names_of_folders_have_no_meaning(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "_x.parquet"
    artifacts.write(EVERY, path, one())
    assert plain(artifacts.read(EVERY, path)) == one()


def test_no_shards_are_an_empty_typed_frame() -> None:
    frame = artifacts.read(WINDOWS, [])
    assert list(frame.columns) == WINDOWS.names
    assert str(frame["n_words"].dtype) == "Int64"


def test_lists_are_lists_of_python(tmp_path: Path) -> None:
    row = {"text_sha256": "a", "n_tokens": 3, "truncated": False, "vector": np.ones(4, np.float32)}
    artifacts.write(EMBEDDINGS, tmp_path / "e", [row])
    (vector,) = artifacts.read(EMBEDDINGS, tmp_path / "e")["vector"]
    assert vector == [1.0] * 4
    assert isinstance(vector, list)


# Declarations


@pytest.mark.parametrize("artifact", ARTIFACTS.values(), ids=lambda artifact: artifact.name)
def test_every_declaration_is_consistent(artifact: Artifact) -> None:
    columns = {column.name: column for column in artifact.columns}
    assert len(columns) == len(artifact.columns)
    for name in artifact.key:
        assert not columns[name].nullable
    for value, why in artifact.explained:
        assert columns[value].nullable
        assert columns[why].type == STRING
    for column in artifact.columns:
        assert column.meaning
        assert column.allowed is None or column.type == STRING
        assert (column.low, column.high) == (None, None) or column.type in (INTEGER, REAL)
        assert not column.may_be_empty or column.type == STRING
        assert column.type in (STRING, STRINGS, INTEGER, REAL, BOOLEAN, VECTOR, BYTES)


def test_every_artifact_is_listed_under_its_name() -> None:
    assert all(name == artifact.name for name, artifact in ARTIFACTS.items())
    declared = {value for value in vars(schemas).values() if isinstance(value, Artifact)}
    assert declared == set(ARTIFACTS.values())
