"""What a metric is: the facts that tables, docs and artifacts state about it."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Metric:
    """The declaration of a metric, kept beside the function that computes it.

    There is no register of all metrics on purpose: a stage imports the metrics it uses, so a
    change of one metric makes only the results of that metric stale.

    Attributes:
        name: The value of the column ``metric`` in artifacts; lower-case words and digits joined
            by underscores.
        label: What a table header shows.
        unit: The unit of the value as the function returns it, such as ``"bits"``.
        range: The least and the greatest possible value; None for a side without a bound.
        higher_is_better: None where neither direction is better.
        version: Goes up by one whenever the same input may give another value.
        citation: Where the definition comes from.
        description: What it measures, in one sentence.

    Raises:
        ValueError: The name has another form, a text is empty, the version is below 1 or the
            range is empty.
    """

    name: str
    label: str
    unit: str
    range: tuple[float | None, float | None]
    higher_is_better: bool | None
    version: int
    citation: str
    description: str

    def __post_init__(self) -> None:
        """Check the declaration where it is written, not where it is first shown."""
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", self.name):
            raise ValueError(
                f"the name of a metric must be lower-case words joined by underscores, "
                f"found {self.name!r}"
            )
        for field in ("label", "unit", "citation", "description"):
            if not str(getattr(self, field)).strip():
                raise ValueError(f"metric {self.name}: {field} must not be empty")
        if self.version < 1:
            raise ValueError(f"metric {self.name}: version must be 1 or more, not {self.version}")
        low, high = self.range
        if low is not None and high is not None and low >= high:
            raise ValueError(f"metric {self.name}: the range {self.range} is empty")
