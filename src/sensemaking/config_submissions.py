"""The parts of the configuration about submissions and adversarial variants."""

from typing import Annotated, Literal

from pydantic import Field

from sensemaking.config_types import Model, Place, Text

BESIDE = "auto"
"""Value of ``submissions.root`` for the folder beside the materials."""

Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Fraction = Annotated[float, Field(ge=0, le=1, strict=False, allow_inf_nan=False)]


class Submissions(Model):
    """What participants sent, and what of it counts."""

    root: Place | None = Field(
        default=BESIDE,
        description="Folder with <team>/<questions|answers|ratings>[_<SUBMISSION>].json. auto is "
        "the folder submissions beside materials.root, where there is one; null is none. A "
        "relative path is looked for as that of the materials is.",
    )
    repairs: Literal["apply", "exclude", "refuse"] = Field(
        default="apply",
        description="Repaired items: apply counts them as repaired, exclude leaves them out on "
        "all sides, refuse counts them as not given.",
    )
    undone_repairs: list[Hash] = Field(
        default=[],
        description="Hashes of repairs (results/validation/repairs) that are not wanted; what "
        "depends on them counts as not given.",
    )
    rescale: Literal["each", "reply", "none"] = Field(
        default="each",
        description="Ratings that are multiplied by 100: each that is at most 1, those of a reply "
        "(a file of answers) whose ratings are all at most 1 and not all whole, or none.",
    )
    min_valid_share: Fraction = Field(
        default=0.5,
        description="A submission with a smaller share of valid items is left out of the tables "
        "(table x1 says so).",
    )


class Adversarial(Model):
    """Adversarial variants of questions and answers."""

    sentences: Place = Field(
        default="resources/texts/unrelated_sentences.txt",
        description="List of unrelated sentences, one a line, for the variant RT. A relative path "
        "is looked for below the working directory first, then below the folder of the Snakefile.",
    )
    codes: list[Literal["W", "C", "WC", "RT", "Q"]] = Field(
        default=["W", "C", "WC", "RT", "Q"],
        description="Variants of questions: words shuffled (W), letters shuffled in each word (C), "
        "both (WC), an unrelated sentence (RT), a question of another kind (Q).",
    )
    scenarios: list[
        Literal["same-section", "shuffled-words", "swapped-section", "empty", "injection"]
    ] = Field(
        default=["same-section", "shuffled-words", "swapped-section", "empty", "injection"],
        description="Variants of answers: that to another question of the section, words "
        "shuffled, material of another section shown, no text, an appeal to the judge.",
    )
    export_sections: list[Text] = Field(
        default=["*"],
        description="Patterns with * and ? of the sections, such as popular/*, whose variants "
        "the target export_adversarial writes.",
    )
