"""Finding the folders and files that the configuration names."""

from collections.abc import Sequence
from pathlib import Path

from sensemaking.ids import nfc


def resolve(name: str, bases: Sequence[Path], *, key: str, is_file: bool = False) -> Path:
    """Return the absolute path of a folder, or a file, that the configuration names.

    Args:
        name: An absolute path, one that starts with ``~``, or one relative to one of the bases; in
            any normalisation form.
        bases: Where to look for a relative path, in order.
        key: The configuration key, for the message.
        is_file: Whether it names a file.

    Raises:
        FileNotFoundError: There is no such folder or file, or none that the workflow can read
            from; the message says where it was looked for.
    """
    what = "file" if is_file else "folder"
    path = Path(name).expanduser()
    tried = [path] if path.is_absolute() else [base.absolute() / path for base in bases]
    for candidate in tried:
        found = on_disk(candidate, is_file=is_file)
        if found is not None and ("{" in str(found) or "}" in str(found)):
            raise FileNotFoundError(
                f"{key}: the path {str(found)!r} holds {{ or }}, which the workflow would read "
                f"as a pattern; rename the {what}"
            )
        if found is not None:
            return found
    places = " and ".join(str(candidate) for candidate in dict.fromkeys(tried))
    raise FileNotFoundError(f"{key}: no {what} {name!r}; looked for {places}; correct {key}")


def on_disk(path: Path, *, is_file: bool) -> Path | None:
    """Return a path by the names that the disk gives to it and the folders above.

    Args:
        path: An absolute path, in any normalisation form.
        is_file: Whether it names a file.

    Returns:
        The path, or None if there is no such folder or file.
    """
    found = Path(path.anchor)
    for part in path.parts[1:]:
        if not (found / part).exists() and found.is_dir():
            forms = [entry.name for entry in found.iterdir() if nfc(entry.name) == nfc(part)]
            if len(forms) == 1:
                part = forms[0]
        found /= part
    there = found.is_file() if is_file else found.is_dir()
    return found.resolve() if there else None
