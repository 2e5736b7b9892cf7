"""Reading and writing Parquet artifacts, checked against ``sensemaking.schemas`` both ways."""

import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sensemaking.io.files import replacing
from sensemaking.schema_types import (
    BOOLEAN,
    BYTES,
    INTEGER,
    REAL,
    STRING,
    STRINGS,
    VECTOR,
    Artifact,
    Column,
)
from sensemaking.statuses import OK

Rows = pd.DataFrame | Iterable[Mapping[str, Any]]


class ArtifactError(ValueError):
    """A table does not fit its declaration; the message names table, column and row."""


def write(artifact: Artifact, path: str | Path, rows: Rows) -> None:
    """Check rows against their declaration and write them as Parquet, all or nothing.

    Rows are sorted by the key unless the artifact says that their order matters, so the file
    depends on the set of rows alone. None, NaN and ``pandas.NA`` become null.

    Args:
        artifact: The declaration.
        path: Where to; its folder is made.
        rows: A frame, or mappings from column name to value; there may be none.

    Raises:
        ArtifactError: A column is missing or unknown, or a value does not fit.
    """
    table = to_table(artifact, rows, place=str(path))
    if not artifact.ordered:
        table = table.sort_by([(name, "ascending") for name in artifact.key])
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def read(artifact: Artifact, paths: str | Path | Sequence[str | Path]) -> pd.DataFrame:
    """Read one file or several as one frame, checked against the declaration.

    Text columns are pandas strings with NaN for null, whole numbers ``Int64``, truth values
    ``boolean``, numbers ``float64`` and lists Python lists. Test for missing with ``pandas.isna``.

    Args:
        artifact: The declaration.
        paths: One path, or the paths of all shards.

    Raises:
        ArtifactError: A file cannot be read as Parquet, is of another schema, or holds values
            that do not fit.
    """
    shards = [paths] if isinstance(paths, str | Path) else list(paths)
    tables = [_read_one(artifact, Path(path)) for path in shards]
    table = pa.concat_tables(tables) if tables else artifact.schema.empty_table()
    if len(shards) > 1:
        _check_key(artifact, table, place=f"{len(shards)} files from {shards[0]} on")
    return to_frame(table)


def to_frame(table: pa.Table) -> pd.DataFrame:
    """Return a frame in which whole numbers and truth values stay exact beside nulls."""
    mapper = {
        STRING: pd.StringDtype(na_value=np.nan),
        INTEGER: pd.Int64Dtype(),
        BOOLEAN: pd.BooleanDtype(),
    }
    frame: pd.DataFrame = table.to_pandas(types_mapper=mapper.get)
    for field in table.schema:
        if pa.types.is_list(field.type):
            frame[field.name] = pd.Series(
                table.column(field.name).to_pylist(), index=frame.index, dtype=object
            )
    return frame


def to_table(artifact: Artifact, rows: Rows, *, place: str = "in memory") -> pa.Table:
    """Return rows as an Arrow table that fits the declaration.

    Raises:
        ArtifactError: A column is missing or unknown, or a value does not fit.
    """
    frame = rows if isinstance(rows, pd.DataFrame) else _frame_of(artifact, rows, place)
    _check_names(artifact, list(frame.columns), place)
    arrays = []
    for column in artifact.columns:
        series = frame[column.name]
        try:
            arrays.append(_FAST.get(column.type, _slow)(series, column))
        except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError, ValueError, OverflowError):
            arrays.append(_convert_slowly(artifact, column, frame, place))
    table = pa.Table.from_arrays(arrays, schema=artifact.schema)
    check(artifact, table, place=place)
    return table


def check(artifact: Artifact, table: pa.Table, *, place: str) -> None:
    """Check nulls, allowed values, ranges and the key of a table of the right types.

    Raises:
        ArtifactError: Something does not fit; the first such value is named.
    """
    for column in artifact.columns:
        values = table.column(column.name)
        if not column.nullable and values.null_count:
            _fail(artifact, column, table, pc.is_null(values), "a value, not null", place)
        if column.allowed is not None:
            known = pc.is_in(values, value_set=pa.array([*column.allowed, None], STRING))
            expected = f"one of {', '.join(column.allowed)}"
            _fail(artifact, column, table, pc.invert(known), expected, place)
        if column.type in (REAL, VECTOR):
            _fail(artifact, column, table, _not_finite(values), "finite numbers only", place)
        if column.low is not None:
            low = pc.fill_null(pc.less(values, column.low), False)
            _fail(artifact, column, table, low, f"at least {column.low:g}", place)
        if column.high is not None:
            high = pc.fill_null(pc.greater(values, column.high), False)
            _fail(artifact, column, table, high, f"at most {column.high:g}", place)
        if column.type == STRING and not column.may_be_empty:
            expected = "a text that is not empty" + (", or null" if column.nullable else "")
            _fail(artifact, column, table, pc.equal(values, ""), expected, place)
    for value_name, reason_name in artifact.explained:
        reason = table.column(reason_name)
        unexplained = pc.and_(
            pc.is_null(table.column(value_name)),
            pc.or_(pc.is_null(reason), pc.fill_null(pc.equal(reason, OK), True)),
        )
        column = next(column for column in artifact.columns if column.name == reason_name)
        expected = f"a reason, since {value_name} is null"
        _fail(artifact, column, table, unexplained, expected, place)
    _check_key(artifact, table, place=place)


def _not_finite(values: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return for each row whether it holds a NaN or an infinity."""
    if not pa.types.is_list(values.type):
        return pc.invert(pc.fill_null(pc.is_finite(values), True))
    parents, inner = pc.list_parent_indices(values), pc.list_flatten(values)
    wrong = np.zeros(len(values), dtype=bool)
    wrong[parents.filter(pc.invert(pc.is_finite(inner))).to_numpy()] = True
    return pa.chunked_array([pa.array(wrong)])


def _read_one(artifact: Artifact, path: Path) -> pa.Table:
    advice = "delete the file and run again"
    try:
        # Not as a data set, which would give meaning to the names of files and folders.
        with pq.ParquetFile(path) as file:
            table = file.read()
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise ArtifactError(
            f"{path}: not a readable Parquet file of {artifact.name} ({error}); {advice}"
        ) from error
    found, expected = table.schema.remove_metadata(), artifact.schema
    if not found.equals(expected):
        differing = next(
            (
                f"column {i} is {_field_text(a)}, expected {_field_text(b)}"
                for i, (a, b) in enumerate(zip(found, expected, strict=False))
                if not a.equals(b)
            ),
            f"{len(found)} columns, expected {len(expected)}",
        )
        raise ArtifactError(
            f"{path}: not the columns of {artifact.name}: {differing}; it was written by another "
            f"version or by hand: {advice}"
        )
    check(artifact, table, place=str(path))
    return table


def _field_text(field: pa.Field) -> str:
    return f"{field.name!r} ({field.type}{'' if field.nullable else ', never null'})"


def _frame_of(artifact: Artifact, rows: Iterable[Mapping[str, Any]], place: str) -> pd.DataFrame:
    rows = list(rows)
    expected = set(artifact.names)
    for number, row in enumerate(rows):
        if set(row) != expected:
            _check_names(artifact, list(row), f"{place}, row {number}")
    # dtype object: pandas must not turn a whole number beside a None into a float.
    columns = {
        name: pd.Series([row[name] for row in rows], dtype=object) for name in artifact.names
    }
    return pd.DataFrame(columns, columns=artifact.names)


def _check_names(artifact: Artifact, found: list[Any], place: str) -> None:
    missing = [name for name in artifact.names if name not in found]
    unknown = [str(name) for name in found if name not in artifact.names]
    twice = [name for name in artifact.names if found.count(name) > 1]
    if not missing and not unknown and not twice:
        return
    parts = [f"the column {name!r} is missing" for name in missing]
    parts += [f"the column {name!r} occurs {found.count(name)} times" for name in twice]
    for name in unknown:
        near = difflib.get_close_matches(name, artifact.names, n=1)
        parts.append(f"{name!r} is no column" + (f" (nearest: {near[0]!r})" if near else ""))
    raise ArtifactError(f"{artifact.name} ({place}): {'; '.join(parts)}")


def _fast_string(series: pd.Series, column: Column) -> pa.Array:
    # What is missing may stand among texts in any way; anything else is looked at by itself.
    texts = isinstance(series.dtype, pd.StringDtype) or (
        pd.api.types.infer_dtype(series, skipna=True) == "string"
    )
    if not texts:
        return _slow(series, column)
    return pa.array(series, type=column.type, from_pandas=True)


def _fast_integer(series: pd.Series, column: Column) -> pa.Array:
    if series.dtype.kind not in "iu":
        return _slow(series, column)
    return pa.array(series, type=column.type, from_pandas=True)


def _fast_real(series: pd.Series, column: Column) -> pa.Array:
    if series.dtype.kind not in "fiu":
        return _slow(series, column)
    return pa.array(series, type=column.type, from_pandas=True)


def _fast_boolean(series: pd.Series, column: Column) -> pa.Array:
    if series.dtype.kind != "b":
        return _slow(series, column)
    return pa.array(series, type=column.type, from_pandas=True)


def _slow(series: pd.Series, column: Column) -> pa.Array:
    return pa.array([_value(value, column) for value in series], type=column.type)


_FAST: dict[pa.DataType, Callable[[pd.Series, Column], pa.Array]] = {
    STRING: _fast_string,
    INTEGER: _fast_integer,
    REAL: _fast_real,
    BOOLEAN: _fast_boolean,
}


def _convert_slowly(
    artifact: Artifact, column: Column, frame: pd.DataFrame, place: str
) -> pa.Array:
    """Convert value by value, to name the first that does not fit."""
    values = []
    for number, value in enumerate(frame[column.name]):
        try:
            values.append(pa.scalar(_value(value, column), type=column.type))
        except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError, ValueError, OverflowError) as error:
            key = _key_text(artifact, frame.iloc[number])
            raise ArtifactError(
                f"{artifact.name}: column {column.name!r}, row {number} ({key}): found "
                f"{value!r} ({type(value).__name__}), expected {_TYPE_NAMES[column.type]}; {place}"
            ) from error
    return pa.array([value.as_py() for value in values], type=column.type)


_TYPE_NAMES: dict[pa.DataType, str] = {
    STRING: "text without halves of surrogate pairs",
    INTEGER: "a whole number",
    REAL: "a number",
    BOOLEAN: "true or false",
    STRINGS: "a list of texts",
    VECTOR: "a list of numbers",
    BYTES: "bytes",
}


def _value(value: Any, column: Column) -> Any:
    """Return a value as a plain Python one of exactly the declared type, or None if missing."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        if not pa.types.is_list(column.type):
            raise TypeError("a list")
        wanted = str if column.type.value_type == STRING else float
        if not all(isinstance(item, wanted) for item in value):
            raise TypeError("a list of other things")
        return list(value)
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    if not _fits(value, column.type):
        raise TypeError("another type")
    return float(value) if column.type == REAL else value


def _fits(value: Any, type_: pa.DataType) -> bool:
    if type_ == STRING:
        return isinstance(value, str)
    if type_ == BOOLEAN:
        return isinstance(value, bool)
    if type_ == BYTES:
        return isinstance(value, bytes)
    number = isinstance(value, int) and not isinstance(value, bool)
    if type_ == INTEGER:
        return number
    return type_ == REAL and (number or isinstance(value, float))


def _key_text(artifact: Artifact, row: Mapping[str, Any] | pd.Series) -> str:
    return ", ".join(f"{name}={row[name]!r}" for name in artifact.key)


def _fail(
    artifact: Artifact,
    column: Column,
    table: pa.Table,
    wrong: pa.ChunkedArray,
    expected: str,
    place: str,
) -> None:
    """Raise for the first row where ``wrong`` is true."""
    if not pc.any(wrong).as_py():
        return
    number = pc.index(wrong, True).as_py()
    row = {name: table.column(name)[number].as_py() for name in {*artifact.key, column.name}}
    raise ArtifactError(
        f"{artifact.name}: column {column.name!r}, row {number} ({_key_text(artifact, row)}): "
        f"found {row[column.name]!r}, expected {expected}; {place}"
    )


def _check_key(artifact: Artifact, table: pa.Table, *, place: str) -> None:
    names = list(artifact.key)
    grouped = table.select(names).group_by(names, use_threads=False)
    counts = grouped.aggregate([([], "count_all")])
    if counts.num_rows == table.num_rows:
        return
    twice = counts.filter(pc.greater(counts.column("count_all"), 1)).slice(0, 1).to_pylist()[0]
    keys = table.select(names).to_pylist()
    wanted = {name: twice[name] for name in names}
    numbers = [number for number, key in enumerate(keys) if key == wanted]
    raise ArtifactError(
        f"{artifact.name}: rows {', '.join(map(str, numbers))} have one key "
        f"({_key_text(artifact, wanted)}); a key may occur once; {place}"
    )
