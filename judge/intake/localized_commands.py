"""Commands in the languages of players: what they write there, as the same in English.

The words are data, `templates/locale/<language>.toml`. English is read from everybody; another
language from those whose letters are in it, and every one from strangers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import NamedTuple

from judge.i18n import LANGUAGES, speaking, word_lists

_heard: ContextVar[tuple[str, ...]] = ContextVar("heard", default=())

_MOST_BEHIND = 8
"""Words behind a command in another language; a longer line is talk."""


_MOST_ELSEWHERE = 4
"""The same in a language that is not the writer's."""

_MOST_IN_CONDITION = 40
"""The same behind a word for IF."""

_NAMING = re.compile(
    r"(?:press|become|take over|sign on|dummy|revive|eject|set approved|set not approved)\b\s*",
    re.IGNORECASE,
)
"""English commands behind which powers are named."""


_OPENS = re.compile(r"(?:if|else\s*if|phase)\b\s*", re.IGNORECASE)
_TIMES = re.compile(
    r"(?:phase|process|roll\s*back|restore|clear|map|history|set\s+end\s+after)\b\s*", re.IGNORECASE
)
_PACE = re.compile(
    r"set\s+(?:move|retreat|adjust|pace|days|next|min|delay|clock|grace)\b\s*", re.IGNORECASE
)


_TAKING = (_NAMING, _OPENS, _TIMES, _PACE)
"""English commands behind which words of another language may stand."""


class _Dictionary(NamedTuple):
    """Words of a language, as they are found in a text and as they are in English."""

    pattern: re.Pattern[str]
    english: Mapping[str, str]

    def translate(self, text: str) -> str:
        """The text with each of these words in English."""
        return self.pattern.sub(lambda found: self.english[_key(found[1])], text)


class _Words(NamedTuple):
    commands: re.Pattern[str]
    english: Mapping[str, str]
    ends: Mapping[str, str]
    names: _Dictionary
    phases: _Dictionary
    pace: _Dictionary
    conditions: _Dictionary
    orders: _Dictionary


@contextmanager
def hearing(language: str, *more: str) -> Iterator[None]:
    """Inside, commands are read in `language`, which letters are worded in, and in `more`."""
    before = _heard.set(tuple(dict.fromkeys(each for each in (language, *more) if each != "en")))
    try:
        with speaking(language):
            yield
    finally:
        _heard.reset(before)


@cache
def _words(language: str) -> _Words:
    read = word_lists(language)
    commands = {_key(local): english for local, english in read["commands"].items()}
    on_board = read["powers"] | read["provinces"]
    conditions = {word: read["orders"][word] for word in _units(read["orders"])} | on_board
    return _Words(
        _pattern(read["commands"]),
        commands,
        read["ends"],
        names=_dictionary(read["powers"] | read["words"]),
        phases=_dictionary(read["phases"]),
        pace=_dictionary(read["pace"]),
        conditions=_dictionary(conditions | read["conditions"]),
        orders=_dictionary(read["orders"] | on_board),
    )


def _units(orders: Mapping[str, str]) -> list[str]:
    return [word for word, english in orders.items() if english in ("A", "F")]


def _dictionary(words: Mapping[str, str]) -> _Dictionary:
    """These words, also as they are written where a keyboard lacks their letters."""
    spelled = {
        _key(each): english for local, english in words.items() for each in _spellings(local)
    }
    return _Dictionary(_pattern(spelled), spelled)


def _spellings(word: str) -> Iterator[str]:
    """A word without its accents (`Boheme`, `Munchen`), with two letters for an umlaut
    (`Muenchen`), without an elided article (`mer Irlande`), and as it is."""
    whole = word.lower()
    for text in (_ELIDED.sub("", whole), whole):
        plain = unicodedata.normalize("NFD", text)
        if len(text) > _SHORT:
            yield "".join(sign for sign in plain if not unicodedata.combining(sign))
        yield text.translate(_UMLAUTS)
        yield text.replace("ß", "ss")
        yield text


_SHORT = 3
"""Letters of a word that could be another one without its accents."""

_ELIDED = re.compile(r"\b[dl]['’]", re.IGNORECASE)
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


def _pattern(words: Mapping[str, str]) -> re.Pattern[str]:
    spelled = sorted(words, key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, each.split())) for each in spelled if each)
    return re.compile(rf"(?<![^\W_])({either})(?![^\W_])", re.IGNORECASE)


def _key(text: str) -> str:
    return " ".join(text.lower().split())


def command_in_english(line: str) -> str:
    """A line that begins with a command in a language that is heard, with its English words.

    The names of powers behind it are put into English as well, and behind English commands that
    take one. Any other line as it is.
    """
    for language in _heard.get():
        if (said := _in_english(line, language)) is not None:
            return said
        if found := next(filter(None, (each.match(line) for each in _TAKING)), None):
            return found[0] + _behind(found[0], line[found.end() :], _words(language))
    elsewhere = said_elsewhere(line)
    # Whoever wants another language says so in it.
    if elsewhere is not None and elsewhere.sets_language:
        return elsewhere.english
    return line


class Elsewhere(NamedTuple):
    """A line in a language that is not heard, and what it is in English."""

    language: str
    english: str

    @property
    def sets_language(self) -> bool:
        """Whether it asks for a language."""
        return self.english.lower().startswith("set language")


def said_elsewhere(line: str) -> Elsewhere | None:
    """What a line is that begins with a command in a language that is not heard; None for others.

    A word that opens a condition is none here: it opens sentences as well.
    """
    for language in LANGUAGES:
        if language == "en" or language in _heard.get():
            continue
        said = _in_english(line.strip(), language, _MOST_ELSEWHERE)
        if said is None or _OPENS.match(said) or said.lower() == line.strip().lower():
            continue
        return Elsewhere(language, said)
    return None


def orders_in_english(line: str) -> Iterator[str]:
    """An order line with the words of orders and the provinces of each language that is heard in
    English, where there are any: for lines that cannot be read in English."""
    for language in _heard.get():
        said = _words(language).orders.translate(_ELIDED.sub("", line))
        if said != line:
            yield " ".join(said.split())


def _behind(command: str, text: str, words: _Words) -> str:
    """What stands behind an English command, in English as far as it takes such words."""
    if _PACE.match(command):
        return words.pace.translate(text)
    if _OPENS.match(command) and not command.lower().startswith("phase"):
        return words.conditions.translate(_ELIDED.sub("", text))
    if _TIMES.match(command):
        return words.phases.translate(text)
    return words.names.translate(text)


def _in_english(line: str, language: str, most: int = _MOST_BEHIND) -> str | None:
    words = _words(language)
    found = words.commands.match(line)
    # A field such as Stand-in is no STAND.
    if found is None or line.startswith("-", found.end()):
        return None
    rest = line[found.end() :]
    english = words.english[_key(found[1])]
    opens = _OPENS.match(english) is not None
    if len(rest.split()) > (_MOST_IN_CONDITION if opens else most):
        return None
    # A word that opens a sentence as well is a command in capitals only.
    command = english.upper() if found[1].isupper() or not opens else english
    return command + _behind(english, rest, words)


def end_in_english(mark: str) -> str:
    """A mark that ends a block, as `judge.intake.blocks.end_mark` reads it, in English."""
    for language in _heard.get():
        mark = _words(language).ends.get(mark, mark)
    return mark


def spoken_in(text: str) -> str | None:
    """The language, other than English, in whose words a line of `text` is a command."""
    for line in text.splitlines()[:50]:
        for language in LANGUAGES:
            said = None if language == "en" else _in_english(line.strip(), language, 2)
            if said is None or _OPENS.match(said):
                continue
            if said.lower() != line.strip().lower():
                return language
    return None
