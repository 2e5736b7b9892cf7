"""The findings that reading a submission can give: one entry for each code."""

from sensemaking.io.submission_code import Code
from sensemaking.io.submission_file_codes import FILE_CODES
from sensemaking.io.submission_item_codes import ITEM_CODES

CODES: dict[str, Code] = {**FILE_CODES, **ITEM_CODES}
"""Code to what it means, in the order of the page for participants. A meaning never changes."""
