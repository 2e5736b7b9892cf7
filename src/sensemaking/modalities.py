"""Which file gives a section's text, which recordings are transcribed and which PDFs are read.

Decided by names alone, so that the workflow can plan its jobs before it opens any file.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Literal

from sensemaking.ids import slug
from sensemaking.io.materials import PDF, RECORDINGS, TEXT, TEXT_EN, TRANSCRIPT, Folder
from sensemaking.sectioning.cutting import may_be_cut

Measure = Literal["none", "reference", "all"]

_ENGLISH = "en"
_NO_CHAPTER = "sections"
_LONGEST_SLUG = 100
"""Characters; file names may have 255 bytes."""


def recording_of(files: Collection[str]) -> str | None:
    """Return the name of the recording among the files of a section, the preferred one, or None."""
    return next((name for name in RECORDINGS if name in files), None)


def source_of_text(files: Collection[str], text_from: Sequence[str], language: str) -> str | None:
    """Return the name of the file that gives a section's text, or None.

    Args:
        files: Names of the files in its folder.
        text_from: Sources (text, audio, pdf) in order of preference; the first that is there.
        language: Language of the kind. One in English may have its text in the English version.
    """
    for source in text_from:
        if source == "text":
            found = TEXT if TEXT in files else None
            if found is None and language == _ENGLISH and TEXT_EN in files:
                found = TEXT_EN
        else:
            found = recording_of(files) if source == "audio" else PDF if PDF in files else None
        if found is not None:
            return found
    return None


def chapter_shard(section_id: str) -> str:
    """Return the name of the shard of recordings that a section belongs to.

    It is made of the folders between kind and section. Chapters whose names become one in
    lower-case ASCII share a shard, which is no harm: rows are told apart by their sections.
    """
    chapter = "/".join(section_id.split("/")[1:-1])
    try:
        return slug(chapter)[:_LONGEST_SLUG].strip("-")
    except ValueError:
        return _NO_CHAPTER


def recordings_to_transcribe(
    folders: Sequence[Folder], text_from: Sequence[str], language: str, measure: Measure
) -> dict[str, list[Folder]]:
    """Return shard to the sections whose recordings are transcribed, sorted; no shard is empty.

    Args:
        folders: The sections of a kind.
        text_from: Sources of a text in order of preference.
        language: Language of the kind.
        measure: Which recordings are transcribed though another file gives the text: none, those
            with a human transcript, or all.
    """
    shards: dict[str, list[Folder]] = defaultdict(list)
    for folder in folders:
        recording = recording_of(folder.files)
        if recording is None:
            continue
        if (
            source_of_text(folder.files, text_from, language) == recording
            or measure == "all"
            or (measure == "reference" and TRANSCRIPT in folder.files)
        ):
            shards[chapter_shard(folder.section_id)].append(folder)
    return dict(sorted(shards.items()))


def shards_with_texts(
    folders: Sequence[Folder], text_from: Sequence[str], language: str
) -> list[str]:
    """Return the shards of recordings that give a section its text, sorted."""
    return list(recordings_to_transcribe(folders, text_from, language, "none"))


def pdfs_to_read(
    folders: Sequence[Folder],
    text_from: Sequence[str],
    language: str,
    rules: Collection[str] = (),
) -> list[Folder]:
    """Return the sections whose PDF gives the text, or an outline to cut the section at.

    Args:
        folders: The sections of a kind.
        text_from: Sources of a text in order of preference.
        language: Language of the kind.
        rules: The rules by which sections of the kind are cut; none if they are not.
    """
    return [
        folder
        for folder in folders
        if PDF in folder.files
        and (
            source_of_text(folder.files, text_from, language) == PDF
            or ("outline" in rules and may_be_cut(folder.files))
        )
    ]
