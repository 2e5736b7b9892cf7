"""The words of the ``status`` columns that more than one stage uses.

``ok`` says that the value is there. Every other word says why it is not.
"""

OK = "ok"

NO_ANSWER = "no_answer"
"""The Student gave no answer."""

BLANK = "blank"
INVALID_ITEM = "invalid_item"
"""Something was given that could not be read as what it should be."""

REPAIR_REFUSED = "repair_refused"
"""It could be read only with a repair that is not wanted."""

NOT_GIVEN = frozenset({NO_ANSWER, BLANK, INVALID_ITEM, REPAIR_REFUSED})
"""Statuses of an answer that a participant did not give in usable form. Only these count as 0,
and only in tables 6, 7 and 9."""

REPAIR_EXCLUDED = "repair_excluded"
"""It could be read only with a repair, and such items are left out on all sides."""

NEVER_ASKED = NOT_GIVEN | {REPAIR_EXCLUDED, OK}
"""Statuses of a question without a text that was never asked. Any other status says that a call of
our own failed, or was not made."""

NO_TEXT_EN = "no_text_en"
"""There is no English text of the section to work on."""

NOT_TRANSLATED = "not_translated"
"""There is an original but no English version of it."""
