"""Codes of what can be wrong with a submission's file and its keys."""

from sensemaking.io.submission_code import (
    DUMP,
    KEPT,
    LEFT_OUT,
    NOT_NAMED,
    Code,
    error,
    info,
    warning,
)

FILE_CODES: dict[str, Code] = {
    # The file.
    "unreadable": error(
        "the file cannot be opened",
        "a readable file",
        "nothing is read",
        "check the path and its rights",
    ),
    "too_large": error(
        "the file is larger than the limit (512 MiB)",
        "a file within the limit",
        "nothing is read",
        "send only what was asked",
    ),
    "empty_file": error(
        "the file holds nothing", "a JSON object", "nothing is read", "send the file again"
    ),
    "not_utf8": error(
        "bytes that are no UTF-8 (or whatever the byte-order mark says); the first is named",
        "UTF-8",
        "texts that hold such bytes are left out",
        "save the file as UTF-8",
    ),
    "encoding": info("the file is UTF-16 or UTF-32", "UTF-8", "it is read", "UTF-8 is safer"),
    "byte_order_mark": info(
        "the file begins with a byte-order mark",
        "UTF-8 without a mark",
        "it is read",
        "no need to do anything",
    ),
    "not_json": error(
        "a place where the JSON breaks off; line and column are named",
        "JSON",
        "what it belongs to is left out",
        DUMP,
    ),
    "truncated": error(
        "the file ends in the middle of a value",
        "a file that ends with }",
        "the last value is left out",
        "the file was cut: send it again",
    ),
    "too_deep": error(
        "more than 64 lists and objects inside one another",
        "four levels at most",
        LEFT_OUT,
        "write the lists as documented",
    ),
    "trailing_comma": warning(
        "a comma before a closing bracket", "no comma at the end", "the comma is passed over", DUMP
    ),
    "missing_comma": warning(
        "no comma between two values, the first of which ends with a bracket",
        "a comma between values",
        "a comma is read",
        DUMP,
    ),
    "comment": warning(
        "a comment, as in JavaScript", "JSON without comments", "it is passed over", "take it out"
    ),
    "stray_character": warning(
        "an invisible character between values, such as a no-break space",
        "white space",
        "it is passed over",
        DUMP,
    ),
    "number_form": warning(
        "a number such as 007, +5 or .5",
        "a number as JSON writes it",
        "it is read as a number",
        DUMP,
    ),
    "python_word": warning(
        "True, False or None", "true, false or null", "it is read as such", DUMP
    ),
    "invalid_escape": warning(
        "a backslash that escapes nothing, as in a Windows path",
        "\\\\ for a backslash",
        "it is read as a backslash",
        DUMP,
    ),
    "control_character": warning(
        "a control character in a text",
        "texts without control characters",
        KEPT,
        "look whether an escape is meant, as in \\n",
    ),
    "text_around_json": warning(
        "text before or after the JSON, such as a Markdown fence",
        "the JSON alone",
        "the text is passed over",
        "take it out",
    ),
    "several_objects": warning(
        "several objects one after another, as in JSON Lines",
        "one object",
        "they are read as one",
        "join them to one",
    ),
    "list_of_objects": warning(
        "a list of objects, each from paths to lists",
        "one object",
        "they are read as one",
        "join them to one",
    ),
    "double_encoded": warning(
        "a text that holds the JSON", "an object", "the JSON in the text is read", "encode it once"
    ),
    "not_an_object": error(
        "the file is JSON, but no object from paths to lists",
        "an object from paths to lists",
        "nothing is read",
        "see the form of the track",
    ),
    "duplicate_key": error(
        "a key twice in one object, with different values (also if only the Unicode form differs)",
        "each key once",
        "none of the values is read",
        "keep one of them, or join them",
    ),
    "repeated_key": warning(
        "a key twice in one object, with equal values",
        "each key once",
        "one is read: the values are equal",
        "keep one",
    ),
    "not_checked": info(
        "there are no materials to compare with, or they hold only some of the files",
        "the materials",
        "numbers of items and texts of questions are not checked",
        "check again with the materials",
    ),
    "missing_keys": warning(
        "sets (for Teachers: sections) that the file does not name",
        "every set that was asked for",
        "its items count as not given",
        "complete the file",
    ),
    # Keys.
    "empty_key": error(
        "an empty key", "the path of a section or file", NOT_NAMED, "name the section"
    ),
    "absolute_path": error(
        "a key that begins with /, ~, a drive letter or a server",
        "a path below the root",
        NOT_NAMED,
        "write the path from the kind's folder on",
    ),
    "parent_path": error(
        "a key with .. in it", "a path without ..", NOT_NAMED, "write the path without .."
    ),
    "unknown_section": error(
        "a key that is the path of no section; the nearest is named",
        "the path of a section of the materials",
        NOT_NAMED,
        "correct the path",
    ),
    "kind_not_run": info(
        "keys of sections of a kind that the configuration leaves out; they are counted",
        "sections of the kinds of the run",
        "they count for nothing",
        "no need to do anything",
    ),
    "windows_separators": warning(
        "a key with \\ between folders", "/ between folders", "\\ is read as /", "write /"
    ),
    "swallowed_escape": warning(
        "a key with a control character where \\n, \\t, \\b, \\f or \\r was read as an escape",
        "/ between folders",
        "the escape is read as \\ and its letter",
        "write /",
    ),
    "key_spelling": warning(
        "a key that means exactly one section or set in another spelling (letter case, spaces, "
        "%20, a wrong code page)",
        "the path as the materials have it",
        "it is read as that section",
        "correct the path",
    ),
    "decomposed_key": info(
        "a key in Unicode form NFD, as file names from a Mac are",
        "Unicode form NFC",
        "it is read",
        "no need to do anything",
    ),
    "nested_folders": warning(
        "objects inside one another, one for each folder",
        "the whole path in one key",
        "the keys are joined by /",
        "join them",
    ),
    "unusual_name": warning(
        "a key whose last part is no name of a file of the track",
        "the name of a file of the section",
        "it is read; it may not find its set later",
        "name the file that was asked for",
    ),
    "no_set_name": warning(
        "a key that names the section alone",
        "the path of a file",
        "the section's only set is taken",
        "name the file",
    ),
    "unknown_set": error(
        "a set that nobody asked about; those that the section has are named",
        "a set that the section has",
        NOT_NAMED,
        "correct the name, or fetch the materials again",
    ),
    "ambiguous_set": error(
        "a name of an answers file that can mean several sets, because names of teams hold what "
        "divides them; the sets are named",
        "a name that means one set",
        NOT_NAMED,
        "write the path of the question file",
    ),
    "same_set_twice": error(
        "two keys that mean the same set, with different values",
        "each set once",
        "none of them is read",
        "keep one of the keys",
    ),
    "repeated_set": warning(
        "two keys that mean the same set, with equal values",
        "each set once",
        "one is read: the values are equal",
        "keep one",
    ),
}
"""Code to what it means."""
