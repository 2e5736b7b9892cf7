"""Programmatic Students: honest lower bounds that need no model."""

import numpy as np

from sensemaking.baselines.content_words import search_terms


def lead_sentence(sentences: list[str], questions: list[str]) -> list[str | None]:
    """Answer every question with the first sentence; None where the text has no sentence."""
    return [sentences[0] if sentences else None for _ in questions]


def best_sentence(sentences: list[str], questions: list[str]) -> list[str | None]:
    """Answer with the sentence that is nearest to the question by BM25, or not at all.

    Terms are case-folded content words. The earliest of equally near sentences wins. A question
    that shares no term with the text gets None: no sentence is nearer than another.

    Args:
        sentences: The section's sentences.
        questions: The questions.

    Source:
        Robertson and Zaragoza 2009, The Probabilistic Relevance Framework; k1 1.5, b 0.75, in the
        Lucene form of the bm25s package.
    """
    # Not above: it takes 0.4 s where numba is installed, and most jobs have no use for it.
    import bm25s

    terms = search_terms(sentences)
    if not any(terms):
        return [None for _ in questions]
    index = bm25s.BM25()
    index.index(terms, show_progress=False)
    vocabulary = {term for sentence in terms for term in sentence}
    answers: list[str | None] = []
    for query in search_terms(questions):
        known = [term for term in query if term in vocabulary]
        if not known:
            answers.append(None)
            continue
        answers.append(sentences[int(np.argmax(index.get_scores(known)))])
    return answers
