"""Programmatic Teachers: honest lower bounds that need no model.

Both ask in English, from text_en alone, and give one reference answer with each question.
"""

from dataclasses import dataclass

import regex

from sensemaking.baselines.content_words import content_words, is_content_word
from sensemaking.seeds import generator
from sensemaking.text.words import words

_LEAST_WORDS = 6
_LEAST_LETTERS = 4
_TOPIC_WORDS = 3
_BLANK = "____"


@dataclass(frozen=True)
class Asked:
    """A question with its reference answer."""

    question: str
    reference: str


def cloze(sentences: list[str], number: int, seed: int, section_id: str) -> list[Asked]:
    """Blank a content word of a sentence and ask for it.

    Sentences are drawn without replacement among those with at least six words, one of them a
    content word of at least four letters; the questions follow the order of the text. A section
    with fewer such sentences gets fewer questions.

    Args:
        sentences: The section's sentences.
        number: How many questions are wanted.
        seed: The run's seed.
        section_id: The section, so that no other section moves its draws.
    """
    usable = [
        number_
        for number_, sentence in enumerate(sentences)
        if len(words(sentence)) >= _LEAST_WORDS and _blankable(sentence)
    ]
    order = generator(seed, "cloze sentences", section_id).permutation(len(usable))
    chosen = sorted(usable[index] for index in order[:number])
    asked = []
    for index in chosen:
        places = _blankable(sentences[index])
        draw = generator(seed, "cloze word", f"{section_id}#{index}").integers(len(places))
        start, end = places[int(draw)]
        blanked = f"{sentences[index][:start]}{_BLANK}{sentences[index][end:]}"
        asked.append(
            Asked(
                f"Which word is missing where the line is? {blanked}",
                sentences[index][start:end],
            )
        )
    return asked


def lead(sentences: list[str], number: int) -> list[Asked]:
    """Ask about the first content words of each of the first sentences; the sentence answers.

    Sentences without a content word are passed over.

    Args:
        sentences: The section's sentences.
        number: How many questions are wanted.
    """
    asked = []
    for sentence in sentences:
        topic = list(dict.fromkeys(content_words(sentence)))[:_TOPIC_WORDS]
        if topic:
            asked.append(Asked(f"What is said about {_listed(topic)}?", sentence))
        if len(asked) == number:
            break
    return asked


def _listed(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _blankable(sentence: str) -> list[tuple[int, int]]:
    """Return start and end of each word that may be blanked: letters only, no stop word."""
    return [
        match.span()
        for match in regex.finditer(
            r"(?<![\p{L}\p{M}\p{N}'’-])\p{L}+(?![\p{L}\p{M}\p{N}'’-])", sentence
        )
        if len(match.group()) >= _LEAST_LETTERS and is_content_word(match.group())
    ]
