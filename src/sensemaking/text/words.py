"""Words of a text in any script, and how alike two texts are in the words they use."""

import unicodedata

import regex

# A word joiner or a soft hyphen is no part of what is read: "co\u00adoperate" is one word.
_INVISIBLE = str.maketrans("", "", "\u00ad\u2060\ufeff")
_ZERO_WIDTH_SPACE = "\u200b"
_APOSTROPHES = str.maketrans(dict.fromkeys("’ʼ‘`´", "'"))
# ʼ (U+02BC) counts as a letter in Unicode; here it only joins, as the other apostrophes do.
_PART = r"(?!ʼ)[\p{L}\p{N}](?:(?!ʼ)[\p{L}\p{M}\p{N}\u200c\u200d])*+"
_WORD = regex.compile(rf"{_PART}(?:(?:['’ʼ‘`´‐‑-]|(?<=\p{{Nd}})[.,](?=\p{{Nd}})){_PART})*+")


def normalise(text: str) -> str:
    """Return the form of a text by which two spellings of the same words are equal.

    Unicode NFC, case folded, runs of white space as one space without any at the ends, every
    apostrophe as ``'``, and without soft hyphens and other invisible joiners. Case is folded, not
    lowered: that makes "Straße" equal "STRASSE" and a final sigma equal any other, and it does not
    depend on the position in the word. Accents, punctuation, powers and fractions stay, since
    they make a difference. Doing it twice changes nothing.
    """
    # One step can bring up what another one changes (ŉ folds to ʼn, U+0345 composes and then
    # folds), so they are repeated until nothing changes.
    while (changed := _normalise_once(text)) != text:
        text = changed
    return text


def _normalise_once(text: str) -> str:
    # Folding what is decomposed first is caseless matching of the Unicode Standard, 3.13, D145.
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    plain = folded.translate(_INVISIBLE).replace(_ZERO_WIDTH_SPACE, " ").translate(_APOSTROPHES)
    return " ".join(unicodedata.normalize("NFC", plain).split())


def words(text: str) -> list[str]:
    """Return the words of a text in order, as written, in NFC.

    A word is a run of letters, digits and combining marks of any script. Apostrophes (' ’ ʼ ‘) and
    hyphens inside it join: "об'єкт", "well-known". A full stop or a comma joins between digits
    alone: "3.5" and "83,000" are one word each, "quality.First" is two. Other punctuation and
    signs are no words and no parts of words. A run of Chinese, Japanese or Thai letters counts as
    one word, since these scripts do not write spaces.
    """
    composed = unicodedata.normalize("NFC", text.translate(_INVISIBLE))
    return [str(word) for word in _WORD.findall(composed)]


def jaccard(a: str, b: str) -> float | None:
    """Return the Jaccard index of the word forms of two texts, |A ∩ B| / |A ∪ B|.

    A and B are the sets of word types, compared as :func:`normalise` makes them, so regardless of
    case and of the kind of apostrophe.

    Returns:
        From 0 (no word in common) to 1 (the same types); None if neither text has a word, where
        the ratio is undefined. One text without words gives 0.
    """
    types_a = {normalise(word) for word in words(a)}
    types_b = {normalise(word) for word in words(b)}
    union = types_a | types_b
    return len(types_a & types_b) / len(union) if union else None
