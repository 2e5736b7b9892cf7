"""What the models of the configuration are made of: the base class and the types of values."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from sensemaking.ids import nfc
from sensemaking.text.languages import canonical

# Codes such as ua and cz are read as the languages that are meant, with a warning in the log.
# Before the type is checked, since YAML reads no, the code of Norwegian, as a truth value.
Language = Annotated[str, BeforeValidator(canonical)]
# Ids are NFC, so the names that they are compared with are too.
Text = Annotated[str, AfterValidator(nfc)]
Name = Annotated[str, Field(min_length=1), AfterValidator(nfc)]
# Of the disk, which may use another form.
Place = Annotated[str, Field(min_length=1)]
# Lax, because YAML 1.1 reads 1e-9 as a text.
Share = Annotated[float, Field(gt=0, lt=1, strict=False, allow_inf_nan=False)]
Finite = Annotated[float, Field(strict=False, allow_inf_nan=False)]
Ratio = Annotated[float, Field(gt=0, strict=False, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0, strict=False, allow_inf_nan=False)]
Temperature = Annotated[float, Field(gt=0, le=1, strict=False, allow_inf_nan=False)]


class Model(BaseModel):
    """A part of the configuration: no unknown keys, no conversions, never changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def check_unique(what: str, names: list[str]) -> None:
    """Refuse a list in which a name occurs twice.

    Raises:
        ValueError: The message says what the names are of, and which one it is.
    """
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{what}: {name!r} occurs twice; each may occur once")
