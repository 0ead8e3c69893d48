"""Commands in the languages of players: what they write there, as the same in English.

The words are data, `templates/locale/<language>.toml`. English is read from everybody; another
language from those whose letters are in it, and every one from strangers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import NamedTuple

from judge.data import data_directory
from judge.render.i18n import LANGUAGES, speaking

_heard: ContextVar[tuple[str, ...]] = ContextVar("heard", default=())

_MOST_BEHIND = 8
"""Words behind a command in another language; a longer line is talk."""


_NAMING = re.compile(
    r"(?:press|become|take over|sign on|dummy|revive|eject|set approved|set not approved)\b\s*",
    re.IGNORECASE,
)
"""English commands behind which powers are named."""


class _Words(NamedTuple):
    commands: re.Pattern[str]
    names: re.Pattern[str]
    english: Mapping[str, str]
    ends: Mapping[str, str]


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
    path = data_directory("templates") / "locale" / f"{language}.toml"
    read = tomllib.loads(path.read_text(encoding="utf-8"))
    commands = {_key(local): english for local, english in read["commands"].items()}
    names = {_key(local): english for local, english in (read["powers"] | read["words"]).items()}
    return _Words(_pattern(read["commands"]), _pattern(names), commands | names, read["ends"])


def _pattern(words: Mapping[str, str]) -> re.Pattern[str]:
    spelled = sorted(words, key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, each.split())) for each in spelled)
    return re.compile(rf"(?<![^\W_])({either})(?![^\W_])", re.IGNORECASE)


def _key(text: str) -> str:
    return " ".join(text.lower().split())


def in_english(line: str) -> str:
    """A line that begins with a command in a language that is heard, with its English words.

    The names of powers behind it are put into English as well, and behind English commands that
    take one. Any other line as it is.
    """
    for language in _heard.get():
        if (said := _in_english(line, language)) is not None:
            return said
        if found := _NAMING.match(line):
            return found[0] + _named(line[found.end() :], language)
    return line


def _in_english(line: str, language: str, most: int = _MOST_BEHIND) -> str | None:
    words = _words(language)
    found = words.commands.match(line)
    # A field such as Stand-in is no STAND.
    if found is None or line.startswith("-", found.end()):
        return None
    rest = line[found.end() :]
    if len(rest.split()) > most:
        return None
    return words.english[_key(found[1])].upper() + _named(rest, language)


def _named(text: str, language: str) -> str:
    words = _words(language)
    return words.names.sub(lambda name: words.english[_key(name[1])], text)


def end_in_english(mark: str) -> str:
    """A mark that ends a block, as `judge.game.intake.body.end_mark` reads it, in English."""
    for language in _heard.get():
        mark = _words(language).ends.get(mark, mark)
    return mark


def spoken_in(text: str) -> str | None:
    """The language, other than English, in whose words a line of `text` is a command."""
    for line in text.splitlines()[:50]:
        for language in LANGUAGES:
            said = None if language == "en" else _in_english(line.strip(), language, 2)
            if said is not None and said.lower() != line.strip().lower():
                return language
    return None
