"""What declarations of artifacts are made of: column types, ``Column`` and ``Artifact``."""

from dataclasses import dataclass

import pyarrow as pa

STRING = pa.string()
STRINGS = pa.list_(pa.string())
INTEGER = pa.int64()
REAL = pa.float64()
BOOLEAN = pa.bool_()
VECTOR = pa.list_(pa.float32())
BYTES = pa.binary()


@dataclass(frozen=True)
class Column:
    """A column of an artifact.

    Attributes:
        name: Its name.
        type: Its Arrow type; lists hold no nulls, and numbers are finite.
        meaning: What a value says, with unit.
        nullable: Whether a value may be missing.
        may_be_empty: Whether a text may be empty; elsewhere what is missing is null.
        allowed: The only values there may be, where they are few.
        low: The least value of a number.
        high: The greatest value of a number.
    """

    name: str
    type: pa.DataType
    meaning: str
    nullable: bool = False
    may_be_empty: bool = False
    allowed: tuple[str, ...] | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Artifact:
    """A Parquet artifact.

    Attributes:
        name: Its name, which is its place below ``results/``.
        row: What one row is.
        columns: Its columns in order, the key first.
        key: Names of the columns that are unique together; rows are sorted by them.
        explained: Pairs of columns (value, why): where the value is null, ``why`` must hold a
            word other than ``ok``.
        ordered: Whether the order of the rows says something; they are then not sorted.
    """

    name: str
    row: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    explained: tuple[tuple[str, str], ...] = ()
    ordered: bool = False

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema."""
        return pa.schema(
            [
                pa.field(column.name, column.type, nullable=column.nullable)
                for column in self.columns
            ]
        )

    @property
    def names(self) -> list[str]:
        """The column names in order."""
        return [column.name for column in self.columns]


def status_column(meaning: str = "ok, or why something is missing") -> Column:
    """Return the column that says ok, or why something is missing."""
    return Column("status", STRING, meaning)


SECTION_ID = Column("section_id", STRING, "path of the section's folder below the materials root")


def score_artifact(name: str, row: str, *key: Column) -> Artifact:
    """Return the declaration of scores of items: the item's key, then metric, value and status."""
    return Artifact(
        name,
        row,
        (
            *key,
            Column("metric", STRING, "name of the metric"),
            Column("metric_version", STRING, "version of its definition"),
            Column("value", REAL, "the score in the metric's unit", nullable=True),
            status_column("ok, or why the score is undefined or missing"),
        ),
        key=(*(column.name for column in key), "metric"),
        explained=(("value", "status"),),
    )


def estimate_artifact(
    name: str, row: str, *key: Column, clusters: str = "sections", sd_ddof: int = 1
) -> Artifact:
    """Return the declaration of estimates: the key of a group, then metric, mean and the rest.

    Args:
        name: The artifact's name.
        row: What a row is.
        key: The columns that name the group.
        clusters: What is drawn for the intervals.
        sd_ddof: The divisor of the variance is n minus this.
    """
    return Artifact(
        name,
        row,
        (
            *key,
            Column("metric", STRING, "name of the metric"),
            Column("mean", REAL, "the mean, or the statistic that metric names", nullable=True),
            Column(
                "sd",
                REAL,
                f"standard deviation of the items (ddof {sd_ddof})",
                nullable=True,
                low=0,
            ),
            Column("n", INTEGER, "items that count", low=0),
            Column("n_missing", INTEGER, "items left out: their score is missing", low=0),
            Column("n_imputed", INTEGER, "items counted as 0: no answer was given", low=0),
            Column("n_clusters", INTEGER, f"{clusters} that the items come from", low=0),
            Column("ci_low", REAL, "lower end of the 95 % interval", nullable=True),
            Column("ci_high", REAL, "upper end of the 95 % interval", nullable=True),
            Column("reason", STRING, "why mean, sd or interval is null", nullable=True),
        ),
        key=(*(column.name for column in key), "metric"),
        explained=(("mean", "reason"),),
    )
