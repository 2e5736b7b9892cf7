"""Translating lists of texts: what is asked, what comes from the journal, what stays null."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from sensemaking.mt.checks import EMPTY_TARGET, ENGLISH, is_blank, target_status
from sensemaking.mt.engines import (
    NOT_IN_MEMORY,
    WRONG_REPLY,
    Engine,
    EngineStoppedError,
    Untranslated,
)
from sensemaking.mt.journal import Journal, Question
from sensemaking.statuses import NOT_TRANSLATED, OK
from sensemaking.text.languages import canonical

Mode = Literal["replay", "live-missing", "live"]

NO_SOURCE: Final = "no_source"
NOT_RECORDED: Final = "not_recorded"


@dataclass(frozen=True)
class Translation:
    """The translation of one text.

    Attributes:
        source: The text; None if there was none.
        target: Its translation; None if there is none, and then ``status`` says why.
        engine: The engine that translated it; None if there is no translation, or none was
            needed because the text is blank or in the target language.
        status: ``ok``; ``no_source``; ``not_recorded`` (replay, and the journal does not hold
            it); ``not_in_memory``; a status of ``sensemaking.mt.checks``; or why a language model
            gave none, a status of ``sensemaking.llm.statuses``.
    """

    source: str | None
    target: str | None
    engine: str | None
    status: str


class _Piece(NamedTuple):
    """A piece of a text, as it is sent, with the white space around it."""

    before: str
    bare: str
    after: str


class _Pair(NamedTuple):
    source: str
    target: str


class _Found(NamedTuple):
    """Translations by text, and why others have none, where the engine says so."""

    targets: dict[str, str]
    reasons: dict[str, str]


_UNSENDABLE: Final = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\ud800-\udfff]")
"""Control characters, soft hyphens and halves of surrogate pairs, which are no text."""
_SENTENCE_END: Final = re.compile(r"[.!?…][\"'»”’)\]]*$")


def translate(
    texts: Sequence[str | None],
    source: str,
    target: str,
    engines: Sequence[Engine],
    journal: Journal | None = None,
    mode: Mode = "live-missing",
) -> list[Translation]:
    """Translate texts, each by the first engine that can.

    Blank texts are given back byte for byte and never sent, and so is white space around texts.
    Control characters and soft hyphens, which texts from PDF files hold, are left out.
    A text that occurs twice is sent once; one that is too long for an engine is sent in pieces,
    cut at the ends of sentences, and put together again. Each request's translations are in the
    journal before the next request is made, and what the journal holds is not asked for again.

    Args:
        texts: The texts; None for one that is missing.
        source: Their language, in any form that ``canonical`` reads.
        target: The language to translate into.
        engines: The engines, the preferred first; one that does not know a text leaves it to the
            next.
        journal: Where paid translations are kept. Needed by engines that keep one.
        mode: ``replay`` asks no engine that keeps a journal and takes what the journal has, or
            what the engine itself has recorded; ``live-missing`` asks for what it does not have;
            ``live`` asks for all of it.

    Returns:
        A translation for each text, in the same order.

    Raises:
        UnknownLanguageError: A language code is unknown; nothing has been sent then.
        TypeError: ``texts`` is one text, which would be translated letter by letter.
        ValueError: There is no engine, or an engine needs a journal and there is none.
        EngineStoppedError: An engine cannot go on. What was finished is in the journal; the same
            call, made again, sends only the rest.
    """
    source_code, target_code = canonical(source), canonical(target)
    if isinstance(texts, str):
        raise TypeError("texts must be a list of texts, found one text; see translate_text")
    if not engines:
        raise ValueError("there is no engine to translate with; expected at least one")
    for engine in engines:
        if engine.keeps_journal and journal is None:
            raise ValueError(f"the engine {engine.name} needs a journal, so nothing is paid twice")
    pair = _Pair(source_code, target_code)
    done: dict[str, Translation] = {}
    open_texts = [
        text
        for text in dict.fromkeys(texts)
        if text is not None and not is_blank(text) and source_code != target_code
    ]
    for engine in engines:
        if not open_texts:
            break
        done |= _by_engine(open_texts, pair, engine, journal, mode)
        open_texts = [text for text in open_texts if done[text].target is None]
    return [
        Translation(None, None, None, NO_SOURCE)
        if text is None
        else done.get(text, Translation(text, text, None, OK))
        for text in texts
    ]


def translate_text(
    text: str,
    source: str,
    target: str,
    engines: Sequence[Engine],
    journal: Journal | None = None,
    mode: Mode = "live-missing",
) -> Translation:
    """Translate one text; see ``translate``."""
    return translate([text], source, target, engines, journal, mode)[0]


def join_targets(targets: Iterable[str]) -> str:
    """Return translations of consecutive pieces as one text.

    White space comes with the pieces. Where there is none between two sentences, as in scripts
    that put none, a space is added.

    Args:
        targets: The translations, each with its white space.
    """
    joined = ""
    for target in targets:
        runs_on = bool(joined and target) and not (joined[-1].isspace() or target[0].isspace())
        joined += f" {target}" if runs_on and _SENTENCE_END.search(joined[-5:]) else target
    return joined


def _by_engine(
    texts: Sequence[str], pair: _Pair, engine: Engine, journal: Journal | None, mode: Mode
) -> dict[str, Translation]:
    """Return the translation of each text by one engine; all are given, some without target."""
    divided = {text: _divided(text, pair.source, engine) for text in texts}
    wanted = dict.fromkeys(
        piece.bare for pieces in divided.values() for piece in pieces if not is_blank(piece.bare)
    )
    paid = journal if engine.keeps_journal else None
    found = _Found({}, {})
    if paid is not None and mode != "live":
        for text in wanted:
            kept = paid.get(_question(text, pair, engine))
            if kept is not None:
                found.targets[text] = kept
    missing = NOT_TRANSLATED if engine.keeps_journal else NOT_IN_MEMORY
    left = [text for text in wanted if text not in found.targets]
    if paid is None or mode != "replay":
        _ask(left, pair, engine, paid, found)
    elif engine.replays:
        # Replay writes nothing.
        _ask(left, pair, engine, None, found)
    else:
        missing = NOT_RECORDED
    return {
        text: _put_together(text, pieces, found, pair, engine.name, missing)
        for text, pieces in divided.items()
    }


def _divided(text: str, language: str, engine: Engine) -> list[_Piece]:
    before, bare, after = _bare(text)
    pieces = [_bare(piece) for piece in engine.pieces(bare, language)]
    pieces[0] = pieces[0]._replace(before=before + pieces[0].before)
    pieces[-1] = pieces[-1]._replace(after=pieces[-1].after + after)
    return pieces


def _bare(text: str) -> _Piece:
    left = len(text) - len(text.lstrip())
    right = len(text.rstrip())
    # A blank piece is all "before".
    return _Piece(text[:left], _UNSENDABLE.sub("", text[left:right]), text[max(left, right) :])


def _question(text: str, pair: _Pair, engine: Engine) -> Question:
    return Question(engine.name, engine.settings, pair.source, pair.target, text)


def _ask(
    texts: Sequence[str], pair: _Pair, engine: Engine, journal: Journal | None, found: _Found
) -> None:
    """Ask the engine, and keep each request's replies before the next request is made."""
    answered = 0
    for targets in engine.translate(texts, pair.source, pair.target):
        asked = texts[answered : answered + len(targets)]
        if len(asked) != len(targets):
            raise EngineStoppedError(
                WRONG_REPLY,
                f"{engine.name} gave {answered + len(targets)} translations or more for "
                f"{len(texts)} texts",
            )
        new = {}
        for text, target in zip(asked, targets, strict=True):
            if isinstance(target, Untranslated):
                found.reasons[text] = target.status
            elif target is not None:
                new[text] = target
        if journal is not None:
            journal.add((_question(text, pair, engine), target) for text, target in new.items())
        found.targets.update(new)
        answered += len(targets)
    if answered != len(texts):
        raise EngineStoppedError(
            WRONG_REPLY, f"{engine.name} gave {answered} translations for {len(texts)} texts"
        )


def _put_together(
    text: str,
    pieces: Sequence[_Piece],
    found: _Found,
    pair: _Pair,
    engine: str,
    missing: str,
) -> Translation:
    targets: list[str] = []
    for piece in pieces:
        if is_blank(piece.bare):
            targets.append(piece.before + piece.bare + piece.after)
            continue
        target = found.targets.get(piece.bare)
        if target is None:
            return Translation(text, None, None, found.reasons.get(piece.bare, missing))
        status = EMPTY_TARGET if is_blank(target) else OK
        if status == OK and pair.target == ENGLISH:
            status = target_status(piece.bare, target, pair.source)
        if status != OK:
            return Translation(text, None, None, status)
        targets.append(f"{piece.before}{target.strip()}{piece.after}")
    return Translation(text, join_targets(targets), engine, OK)
