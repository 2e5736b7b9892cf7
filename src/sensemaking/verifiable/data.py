"""The form of verifiable data, as a JSON file holds it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

Natural = Annotated[int, Field(ge=0)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SummaryData(_Strict):
    """A summary; its counts may be left out."""

    item: str
    text: str
    n_mentioned: Natural | None = None
    n_wrong: Natural | None = None


class DocumentData(_Strict):
    """A report with its summaries."""

    document: str
    source: str
    summaries: list[SummaryData]


class VerifiableData(_Strict):
    """Reports and summaries; format and seed may be left out."""

    format: str | None = None
    seed: Natural | None = None
    documents: list[DocumentData]


@dataclass(frozen=True, order=True)
class Mismatch:
    """Something in verifiable data that is not as it must be.

    Attributes:
        json_pointer: Where (RFC 6901).
        code: A stable name of the kind of thing found.
        message: What was found and what was expected.
    """

    json_pointer: str
    code: str
    message: str


class UnusableDataError(ValueError):
    """The data cannot be counted.

    Attributes:
        mismatches: Why, place by place.
    """

    def __init__(self, mismatches: list[Mismatch]) -> None:
        """Name the first ones in the message."""
        shown = "; ".join(
            f"{m.json_pointer or '(whole file)'}: {m.message}" for m in mismatches[:5]
        )
        more = f"; and {len(mismatches) - 5} more" if len(mismatches) > 5 else ""
        super().__init__(f"these are no verifiable data that can be counted: {shown}{more}")
        self.mismatches = mismatches


def parse(data: Mapping[str, Any]) -> VerifiableData:
    """Check the form of verifiable data.

    Args:
        data: What a JSON file holds; see :func:`sensemaking.verifiable.generate`.

    Raises:
        UnusableDataError: A key is missing or unknown, or a value of the wrong type.
    """
    try:
        return VerifiableData.model_validate(data)
    except ValidationError as error:
        raise UnusableDataError(
            [
                Mismatch("".join(f"/{part}" for part in found["loc"]), "form", found["msg"].lower())
                for found in error.errors()
            ]
        ) from error


@dataclass(frozen=True)
class Document:
    """What a judge is shown, or may only be said to have been shown.

    Attributes:
        document: The document's id.
        items: The K ids of its summaries, in the order that tables of pairs follow.
        source: The report; None in a data set that came without texts.
        texts: The K summaries; None in a data set that came without texts.
    """

    document: str
    items: tuple[str, ...]
    source: str | None = None
    texts: tuple[str, ...] | None = None


def documents(data: Mapping[str, Any]) -> list[Document]:
    """Return the documents of verifiable data, without the counts.

    Args:
        data: What a JSON file holds; see :func:`sensemaking.verifiable.generate`.

    Raises:
        UnusableDataError: As :func:`parse`.
    """
    return [
        Document(
            document=found.document,
            items=tuple(summary.item for summary in found.summaries),
            source=found.source,
            texts=tuple(summary.text for summary in found.summaries),
        )
        for found in parse(data).documents
    ]
