"""Codes of what can be wrong with the lists, items, texts and ratings of a submission."""

from sensemaking.io.submission_code import KEPT, LEFT_OUT, LIST, MISSING, Code, error, info, warning

ITEM_CODES: dict[str, Code] = {
    # Values of keys.
    "wrong_value": error(
        "a value under a path that is no list, nor anything that means one",
        LIST,
        LEFT_OUT,
        "write a list with one element for each question",
    ),
    "empty_list": warning(
        "an empty list, an empty object or null under a path",
        "at least one item",
        "nothing is read",
        "complete the list",
    ),
    "value_for_list": warning(
        "a single text, number or item under a path",
        LIST,
        "it is read as the only item",
        "put it into a list",
    ),
    "numbered_object": warning(
        "an object with numbers as keys",
        LIST,
        "the values are read in the order of the numbers",
        "write a list",
    ),
    "wrapped_list": warning(
        'an object around the content, such as {"answers": …}',
        LIST,
        "the list in it is read",
        "put the list under the path",
    ),
    "parallel_lists": warning(
        "a list of questions beside a list of answers, as long",
        LIST,
        "they are joined item by item",
        "write one list of pairs",
    ),
    "questions_as_keys": warning(
        "an object from questions to answers",
        LIST,
        "the keys are read as questions",
        "write a list",
    ),
    "extra_nesting": warning(
        "a list in a list with nothing beside it",
        LIST,
        "the inner list is read",
        "take one pair of brackets away",
    ),
    # Items.
    "wrong_item": error(
        "an element of a list that is no item of the track",
        "an item in one of the forms of the track",
        LEFT_OUT,
        "correct it",
    ),
    "unknown_field": info(
        "a field that no form has",
        "only fields of the form",
        "it is passed over",
        "no need to do it",
    ),
    "field_name": warning(
        "a field in another spelling",
        "the field as documented",
        "it is read as that field",
        "rename it",
    ),
    "text_for_item": warning(
        "a Student's answer without its question",
        "a list with the question first",
        "it is read as the answer",
        "give the question too",
    ),
    "value_for_ratings": warning(
        "a rating that is not in a list",
        "a list of ratings for each item",
        "it is read as the only one",
        "put it into a list",
    ),
    "nested_texts": warning(
        "answers in a list behind the question",
        "texts one after another",
        "the texts of the inner list are read",
        "take brackets away",
    ),
    # Texts.
    "null_text": warning(
        "null, or nothing, where a text belongs", "a text", MISSING, "give a text"
    ),
    "blank_text": warning("a text without a visible character", "a text", MISSING, "give a text"),
    "wrong_text": error(
        "true, false, NaN, a list or an object where a text belongs",
        "a text",
        MISSING,
        "write it as a text",
    ),
    "number_for_text": warning(
        "a number where a text belongs", "a text", "its digits are the text", "put it in quotes"
    ),
    "lone_surrogate": warning(
        "half a character, as programs make it when they cut texts",
        "whole characters",
        "the broken ones become U+FFFD",
        "write the file as UTF-8",
    ),
    "undecodable_text": error(
        "a text with bytes that are no UTF-8", "UTF-8", MISSING, "save the file as UTF-8"
    ),
    "markup": warning(
        "HTML, Markdown or HTML entities in a text",
        "plain text",
        KEPT,
        "take the markup out unless it is meant",
    ),
    "repeated_question": info(
        "a Teacher asks the same twice in a section",
        "different questions",
        KEPT,
        "no need to do anything",
    ),
    "no_references": info(
        "a Teacher's questions without reference answers",
        "reference answers",
        "the questions are read without",
        "add them if the track wants them",
    ),
    # Ratings.
    "rating_as_text": warning(
        'a rating in a text, such as "85", "85/100" or "85 %"',
        "a number",
        "the number in it is read",
        "write the number",
    ),
    "invalid_rating": error(
        "a rating below 0, above 100, or no number",
        "a number from 0 to 100",
        MISSING,
        "correct the rating",
    ),
    "null_rating": warning(
        "null, or nothing, where a rating belongs",
        "a number from 0 to 100",
        MISSING,
        "give a rating",
    ),
    # Matching with the questions that were asked.
    "count_mismatch": error(
        "another number of items than of questions, or another order, and items that do not give "
        "their question",
        "one item for each question",
        "items without a question's text are left out",
        "give one item for each question, or the questions' texts",
    ),
    "unknown_question": error(
        "an item whose question is none of the set; the nearest is named",
        "a question of the set, word for word",
        LEFT_OUT,
        "copy the question as it was sent",
    ),
    "ambiguous_question": error(
        "an item whose question stands in the set several times, without items for all of them",
        "one item for each of the equal questions",
        LEFT_OUT,
        "give all items in order",
    ),
    "question_twice": error(
        "two items about one question, with different content",
        "one item for each question",
        "none of them is read",
        "keep one of them",
    ),
    "repeated_item": warning(
        "two items about one question that say the same, or one of which says nothing",
        "one item for each question",
        "one is read: they are equal",
        "keep one of them",
    ),
    "question_spelling": info(
        "a question in another spelling (case, punctuation, white space, HTML entities)",
        "the question word for word",
        "it is recognised",
        "no need to do anything",
    ),
    "missing_items": warning(
        "questions of a set without an item",
        "one item for each question",
        "the others count as not given",
        "complete the list",
    ),
}
"""Code to what it means."""
