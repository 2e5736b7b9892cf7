"""What was found wrong with a file, and what was done about it."""

from dataclasses import asdict, dataclass
from typing import Literal

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, order=True)
class Finding:
    """One row of ``validation/findings``.

    Attributes:
        file: The file, as a path below the root it was found under.
        json_pointer: The place in it (RFC 6901); empty for the whole file.
        code: A stable name of the kind of thing found.
        severity: ``error`` (something was left out), ``warning`` or ``info``.
        message: What was found, what was expected and what to do.
        action: What was done about it.
    """

    file: str
    json_pointer: str
    code: str
    severity: Severity
    message: str
    action: str

    def row(self) -> dict[str, str]:
        """Return the finding as a row of the artifact."""
        return asdict(self)
