"""The examples of wishes that the judge has learned from: `templates/locale/*/wishes.txt`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from msgspec import Struct

from judge import variants
from judge.data import data_path
from judge.i18n import READ, word_list
from judge.intake.addressees import called
from judge.intake.lengths import DATES
from judge.language.names import Names, words_of
from judge.language.wish_model import (
    MOST,
    Classifier,
    Marks,
    Wishes,
    in_words,
    plain,
    read_examples,
    sentences,
)
from judge.rules.board import Derived
from judge.rules.variant import Variant


class Request(Struct, frozen=True):
    """What was asked for, as the command line that does it, and its lines, `first` up to `end`."""

    offer: str
    said: str
    """The sentence, or the first line of the letter, as it was written."""
    first: int
    end: int
    about: str = ""
    """The subject of a question, which the command answers."""
    block: tuple[str, ...] = ()
    """The lines of a letter, and whom it is to."""
    to: tuple[str, ...] = ()
    open: bool = False
    """Whether something is missing that its writer must say, so that it cannot be offered."""
    chance: float = 1.0
    """How likely it is what was meant; a letter is one beyond doubt."""


def examples(*, plays: bool = True) -> Iterator[tuple[str, str]]:
    """Yield what each sentence of the tables asks for, and the sentence: those of somebody who
    `plays`, who does not ask for a game by talking of one, or of anybody."""
    for wish, text in _tables():
        if wish not in _BESIDE and not (plays and wish.startswith(_A_GAME)):
            yield wish, text


def _tables() -> Iterator[tuple[str, str]]:
    for language in READ:
        path = data_path("templates") / "locale" / language / "wishes.txt"
        if path.is_file():
            yield from read_examples(path.read_text(encoding="utf-8"))


_A_GAME = "JOIN"
_BESIDE = ("doubt", "no doubt")
"""What is said beside orders: some may not be wanted, or not so; or they stand."""

_DOUBTS = ("doubt", "CANCEL", "CLEAR NOW")


@cache
def learned(*, plays: bool = True) -> Wishes:
    """Return what was learned from these, when it is first needed."""
    return Wishes(examples(plays=plays), marks(variants.load("standard")))


@cache
def _doubting() -> Classifier:
    named = marks(variants.load("standard"))
    return Classifier([(wish in _DOUBTS, in_words(text, named)) for wish, text in _tables()])


def doubted(lines: Sequence[str], variant: Variant) -> set[int]:
    """Return the numbers of those lines of ordinary text that doubt orders beside them: which may
    take some back, want them otherwise or later, or make them hang on something."""
    found: set[int] = set()
    if not any(lines):
        # Most mails say nothing beside orders: nothing is learned for them.
        return found
    known, named = _doubting(), marks(variant)
    for each in islice(sentences(lines), MOST):
        words = in_words(each.text, named)
        if known.reads(words) and known.chance(words) >= _DOUBTED:
            found.update(range(each.first, each.end))
    return found


def is_doubtful_heading(text: str, variant: Variant) -> bool:
    """Return whether a word or two above orders, known or not, probably doubt them (`Draft`)."""
    words = in_words(text, marks(variant))
    return 0 < len(words) <= _HEADING and _doubting().chance(words) >= _UNKNOWN


_HEADING, _UNKNOWN = 2, 0.5
"""Words of a heading, and how likely it must doubt orders: most that are not known head them."""

_DOUBTED = 0.4
"""How likely a sentence must be one that doubts orders: a needless question costs its reader a YES,
a doubt that is not heard a turn."""


def asks(lines: Sequence[str]) -> bool:
    """Return whether lines of ordinary text ask the judge for anything; what names a place may be
    an order instead."""
    standard = variants.load("standard")
    known, named, called_so = learned(), marks(standard), places(standard)
    return any(
        known.guesses(each.text, named)
        for each in islice(sentences(lines), MOST)
        if called_so.keys().isdisjoint(words_of(each.text))
    )


@Derived
def marks(variant: Variant) -> Marks:
    """Return how names and dates are read in the sentences of a game."""
    found = dict.fromkeys(DATES, "@d")
    found |= {name: "@v" for name in places(variant) if len(name) > SHORT}
    return found | dict.fromkeys(map(plain, called(variant)), "@p")


@Derived
def places(variant: Variant) -> Mapping[str, str]:
    """Return what the places of a game are called, as one word, each with what commands take."""
    found = {name: name for name in Names.of(variant).provinces.exact}
    for language in READ:
        for name, english in word_list(language, "provinces").items():
            if "".join(words_of(english)) in found:
                found.setdefault("".join(words_of(name)), english)
    return found


SHORT = 3
"""Letters of a name that may be an ordinary word."""


def command_of(wish: str) -> tuple[str, str]:
    """Return the command of a wish, and the subject of the question that it is, if it is one."""
    found = _SUBJECT.fullmatch(wish)
    return (found[1], found[2]) if found else (wish, "")


_SUBJECT = re.compile(r"(.+) \((\w+)\)")
