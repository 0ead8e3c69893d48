"""Talk in mails: sentences that begin with the word of a command and are none, and courtesy.

Who writes a command in capitals means it; in other letters what follows must look like what the
command takes. Courtesy is salutations, thanks, closings, and signatures. The words are data
(`chatter.toml`, `courtesy.toml`).
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from judge.game.orders.context import OrderContext
from judge.intake.addressees import MASTER, addressees, called
from judge.intake.arguments import can_name_game
from judge.intake.command import Command
from judge.rules.variant import Variant


@cache
def _words(file: str = "chatter") -> dict[str, Any]:
    path = Path(__file__).with_name(f"{file}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of that name in `chatter.toml`."""
    return _pattern(_words()["patterns"][name])


@cache
def alone(kind: str) -> frozenset[str]:
    """Return words that stand by themselves, of a kind in `chatter.toml`."""
    return frozenset(_words()["alone"][kind])


def begins_sentence(words: str) -> bool:
    """Whether what stands behind a command's words goes on as a sentence does."""
    return _pattern(rf"(?:{_words()['goes_on']})\b").match(words) is not None


def has_talk(text: str) -> bool:
    """Whether a text has a word that no argument of a command has."""
    words = "|".join(_words()["words"])
    return _pattern(rf"(?<![\w.@/-])(?:{words})(?![\w.@/-])").search(text) is not None


def is_phrase(text: str) -> bool:
    """Whether a line is a phrase that has nothing to do with its first word's command."""
    said = text.strip(" .,;!?")
    return not text.isupper() and any(
        _pattern(each).fullmatch(said) for each in _words()["phrases"]["said"]
    )


def is_chatter(command: Command, arguments: str, text: str, variant: Variant) -> bool:
    """Whether a line that begins with a command's word is a sentence to a human being.

    What follows must be wholly what the command takes, or look like that behind its own words; a
    text of the writer's own begins on the next line.
    """
    first, bare = text.split()[0], arguments.strip(" .,;!?")
    if command.words[0] == "press" and pattern("one_line").match(arguments):
        # A letter on one line, which is asked about.
        return True
    if len(first) > 1 and first.isupper():
        # What stands behind a command that takes a text is a text of the writer's own.
        ends = bool(command.ends) and command.group != "press"
        return ends and pattern("predicate").match(arguments) is not None
    if pattern("understood").match(text):
        return True
    asks = command.asks or command.harmless or command.ends
    if text.rstrip().endswith("?") and not (asks and bare):
        # Whether to, that is to be asked.
        return not asks
    if not bare:
        return False
    if is_phrase(text):
        return True
    if "text" in command.kinds and command.ends:
        long = any(" " in words and text.lower().startswith(words) for words in command.words)
        return not (long or command.resembles(bare) or text.rstrip().endswith(":"))
    if command.fits(arguments, variant, _may_be_game):
        return False
    alias = any(text.lower().startswith(words) for words in command.words[1:])
    return alias or has_talk(bare) or not command.resembles(bare)


def _may_be_game(word: str) -> bool:
    """Whether a word by itself may be what a game is called."""
    return can_name_game(word) and not has_talk(word)


def is_told(text: str) -> bool:
    """Whether a text tells somebody of orders, in sentences; a label before them is none."""
    said = text.rpartition(":")[2]
    return any(pattern(name).search(said) for name in ("person", "sentence"))


def heads_letter(text: str, desk: OrderContext, *, surely: bool = True) -> bool:
    """Whether a line heads a letter to other players; `surely` with words that only do that."""
    to = addressees(text, called(desk.variant), surely=surely)
    return not {MASTER, *(desk.powers or ())}.issuperset(to)


_LONGEST_LINE = 80
"""Characters of a line of courtesy."""

_SIGNATURE = 3
"""Lines below a closing that are a signature."""

_MOST_WORDS = 5
"""Words of a line of a signature."""

_MOST_NAMES = 3
_EDGES = " \t.,;:!?)(*_~-–—…'\""
_SIGNS = {"\N{LATIN SMALL LETTER SHARP S}": "ss", "\N{RIGHT SINGLE QUOTATION MARK}": "'"}


def courtesies(lines: Sequence[str], names: Collection[str] = ()) -> list[bool]:
    """Say of each of these lines, which follow each other, whether it is courtesy.

    `names` are words of the writer's name, in lower case. A line that is none of it ends a
    signature; one without a letter says nothing, either.
    """
    found: list[bool] = []
    below = 0
    for line in lines:
        text = _bare(line)
        if len(text) > _LONGEST_LINE:
            found.append(False)
            below = 0
            continue
        closes = _courtesy("closing").match(text) is not None and _greets(line)
        below = _SIGNATURE if closes else below
        signs = below > 0 and not closes and len(text.split()) <= _MOST_WORDS
        below -= signs
        is_name = set(text.split()) <= set(names)
        found.append(closes or signs or not text or is_name or _greets(line))
        if not found[-1]:
            below = 0
    return found


def _greets(line: str) -> bool:
    """Whether each part of a line is courtesy, a name behind a closing included."""
    closed = False
    for part in _PARTS.split(line):
        text = _bare(part)
        if text and not (_is_said(text, part) or (closed and _is_named(text, part))):
            return False
        closed = _courtesy("closing").fullmatch(text) is not None
    return True


# A run of signs is looked at once, from its first one.
_PARTS = re.compile(r"(?<![,;.!?:])[,;.!?:]+(?=\s|\Z)")


def _is_said(text: str, part: str) -> bool:
    if any(_courtesy(name).fullmatch(text) for name in ("closing", "phrases")):
        return True
    salutation = _courtesy("salutation").match(text)
    if salutation is None or text[salutation.end() : salutation.end() + 1].isalnum():
        return False
    rest = text[salutation.end() :].strip(_EDGES)
    return not rest or _is_named(rest, part)


def _is_named(text: str, line: str) -> bool:
    """Whether the end of a line, `text` in plain letters, is somebody: a name is in capitals."""
    if _courtesy("addressee").fullmatch(text) is not None:
        return True
    count = len(text.split())
    written = line.strip(_EDGES).split()[-count:]
    return 0 < count <= _MOST_NAMES and all(word[:1].isupper() for word in written)


def _bare(line: str) -> str:
    """A line in lower case, without accents, and without signs at its ends."""
    for sign, letters in _SIGNS.items():
        line = line.replace(sign, letters)
    if not line.isascii():
        whole = unicodedata.normalize("NFKD", line)
        line = "".join(each for each in whole if not unicodedata.combining(each))
    text = " ".join(line.casefold().split()).strip(_EDGES)
    return text if any(map(str.isalnum, text)) else ""


@cache
def _courtesy(name: str) -> re.Pattern[str]:
    return re.compile("|".join(_words("courtesy")[name]))
