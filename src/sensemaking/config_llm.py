"""The part of the configuration about language models: which there are, and how they are asked."""

from collections.abc import Sequence

from pydantic import Field, model_validator

from sensemaking.config_submissions import BESIDE
from sensemaking.config_types import Model, Place
from sensemaking.ids import unique_slugs
from sensemaking.llm.settings import LanguageModel, Mode


class Llm(Model):
    """Language models, and how they are asked."""

    mode: Mode = Field(
        default="replay",
        description="replay asks for nothing and takes what was recorded, live-missing asks for "
        "what is in no journal, live asks for everything anew.",
    )
    strict: bool = Field(
        default=False,
        description="Whether a reply that was not recorded stops a replay; if not, it is counted.",
    )
    recorded: Place | None = Field(
        default=BESIDE,
        description="Folder with journals that are only read, <stage>/<system>.jsonl. auto is the "
        "folder journals beside materials.root, where there is one; null is none. A relative path "
        "is looked for as that of the materials is. In replay a system without a journal is left "
        "out.",
    )
    models: list[LanguageModel] = Field(default=[], description="The language models.")

    @model_validator(mode="after")
    def _names_are_unique(self) -> "Llm":
        try:
            unique_slugs([model.id for model in self.models])
        except ValueError as error:
            raise ValueError(f"models: {error}") from None
        return self

    def model_of(self, identifier: str) -> LanguageModel:
        """Return the model of an id.

        Raises:
            KeyError: There is none; a valid configuration never names one that is not there.
        """
        return {model.id: model for model in self.models}[identifier]


def check_known(where: str, who: str, wanted: str | None, known: Sequence[str]) -> None:
    """Refuse a language model that the configuration does not have.

    Args:
        where: Key of the list that names it.
        who: Id of what names it.
        wanted: Its id, or None.
        known: The ids that there are.

    Raises:
        ValueError: The message names both and what is known.
    """
    if wanted is not None and wanted not in known:
        raise ValueError(
            f"{where}: {who!r} has the language_model {wanted!r}; expected one of llm.models: "
            f"{', '.join(known) or 'none is configured'}"
        )
