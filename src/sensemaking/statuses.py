"""The words of the ``status`` columns that more than one stage uses.

``ok`` says that the value is there. Every other word says why it is not.
"""

OK = "ok"

NO_ANSWER = "no_answer"
"""The Student gave no answer. Only this one counts as 0, and only in tables 6, 7 and 9."""

NO_TEXT_EN = "no_text_en"
"""There is no English text of the section to work on."""

NOT_TRANSLATED = "not_translated"
"""There is an original but no English version of it."""
