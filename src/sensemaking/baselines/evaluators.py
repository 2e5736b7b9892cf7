"""A programmatic Evaluator: an honest lower bound that needs no model."""

import numpy as np

from sensemaking.metrics.rouge import rouge_l_recall


def overlap(texts: list[str], answers: list[str]) -> np.ndarray:
    """Rate each answer by how much of it stands in the section, in order.

    The rating is 100 times LCS(section, answer) / |answer|, the ROUGE-L precision of the answer
    against the section: the share of its tokens that the section has in the same order.

    Args:
        texts: The text of the section shown with each answer.
        answers: The answers, as many.

    Returns:
        Ratings from 0 to 100, of the length of ``answers``; NaN where an answer has no token.
    """
    # The precision of an answer against a text is the recall of the answer in that text.
    return 100 * rouge_l_recall([[answer] for answer in answers], texts)
