"""What stands behind the words of a command: the kinds of arguments, and whether words are such.

A command names the arguments that it takes, in their order: a kind of `KINDS`, a word in capitals
that stands for itself, or several of these with `|` between them; with `?` behind them where they
may be missing. `("game?", "FROM?", "phase?")` takes `paris from S1901M`. A slash stands between
several such orders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from judge import variants
from judge.bots.levels import LEVELS
from judge.game.press.recipients import labels
from judge.game.state.answers import Refused
from judge.i18n import find_language
from judge.language.names import Names
from judge.language.phase_names import read_condition, read_phase
from judge.language.vocabulary import LABELS
from judge.rules.variant import Variant
from judge.schedule.dates import read_date, read_home_zone, read_span
from judge.schedule.deadlines import TimeError, TimeFault, read_clock, read_hours
from judge.schedule.holidays import read_country
from judge.storage import Storage

Named = Callable[[str], bool]
"""Whether a word is what a game is called."""

GAME_NAME = re.compile(r"[a-z][a-z0-9]{1,19}\Z")
"""What a game can be called."""

_OF_ADDRESS = r"[^\s<>()\[\],;:@]"
# Where a word has none before its end, no part of that word is tried, however long it is.
ADDRESS = re.compile(rf"(?<!{_OF_ADDRESS}){_OF_ADDRESS}++@{_OF_ADDRESS}+")
"""An address in a text."""


def check_no_tournament(storage: Storage, name: str) -> None:
    """Raises Refused where a tournament's name stands first, and a game's should: the games of a
    tournament have names of their own."""
    first = name.lower().removeprefix("tournament ").strip().partition(" ")[0]
    if (found := storage.tournaments.by_name(first.strip(".,;!?"))) is not None:
        raise Refused("is_tournament", f"ENTER TOURNAMENT {found.name}", tournament=found.name)


def can_name_game(word: str) -> bool:
    """Return whether a game could be called so; `game` is what all are called."""
    return GAME_NAME.match(word.lower()) is not None and word.lower() not in LABELS["game"]


class Here(NamedTuple):
    """What can be named where a line is read: the board's names, games, and what a command reads by
    itself."""

    variant: Variant
    is_game: Named = can_name_game
    own: Callable[[str, Variant], bool] | None = None


class ArgumentKind(NamedTuple):
    """A kind of argument: which words are one, how many words it has at most, and whether people
    write "to" before it as before a value."""

    fits: Callable[[str, Here], object]
    """Say whether words are one: what is false, or an error of reading, says that they are none."""
    most: int = 1
    is_value: bool = False


def covers(arguments: Sequence[str], text: str, here: Here) -> bool:
    """Return whether arguments cover a text, every word of it."""
    words = [word for word in re.split(r"[\s,;]+", text.strip(_EDGES)) if word]
    orders = [each.split() for each in " ".join(arguments).split("/")]
    return len(words) <= _MOST_WORDS and any(_cover(each, words, here) for each in orders)


_EDGES = " \t.,;:!?"
_MOST_WORDS = 40


def _cover(arguments: Sequence[str], words: Sequence[str], here: Here) -> bool:
    if not arguments:
        return not words
    first, rest = arguments[0], arguments[1:]
    if first.endswith("?") and _cover(rest, words, here):
        return True
    return any(
        _is_one(each, " ".join(words[:count]), here) and _cover(rest, words[count:], here)
        for each in first.rstrip("?").split("|")
        for count in range(min(len(words), 1 if each.isupper() else KINDS[each].most), 0, -1)
    )


def _is_one(name: str, text: str, here: Here) -> bool:
    if name.isupper():
        return text.upper() == name
    try:
        return bool(KINDS[name].fits(text, here))
    except TimeError as error:
        # Who writes a date that is past, or reads two ways, means a date.
        return error.problem.fault not in _NO_TIME
    except (ValueError, Refused):
        return False


_NO_TIME = (
    *(TimeFault.NO_DATE, TimeFault.NO_LENGTH, TimeFault.NO_CLOCK, TimeFault.NO_ZONE),
    *(TimeFault.NO_HOLIDAYS, TimeFault.NO_PACE),
)
_SOME_DAY = datetime(2001, 1, 1, tzinfo=UTC)


def _is_time(read: Callable[..., Any], *more: object) -> Callable[[str, Here], object]:
    """Return whether words are read as a time of some kind, which may be 0."""

    def fits(text: str, _: Here) -> bool:
        read(text, *more)
        return True

    return fits


def _is_seat(text: str, here: Here) -> bool:
    """`france@paris`, `fparis`, `paris`, `?paris`."""
    part, at, game = text.lstrip("?").rpartition("@")
    if not at:
        return here.is_game(game) or here.is_game(game[1:])
    if not here.is_game(game):
        return False
    return not part or part.upper() in _ROLES or bool(Names.of(here.variant).power(part))


_ROLES = ("M", "O", "MASTER", "OBSERVER")


def _are_addresses(text: str, _: Here) -> bool:
    return all(ADDRESS.fullmatch(word.strip("<>").lstrip("+-")) for word in text.split())


_PERSON = re.compile(r"([^\W\d_a-z][\w'.-]*)( [^\W\d_a-z][\w'.-]*)*")

KINDS: Mapping[str, ArgumentKind] = {
    "own": ArgumentKind(lambda text, here: here.own and here.own(text, here.variant), _MOST_WORDS),
    "text": ArgumentKind(lambda text, here: True, _MOST_WORDS),
    "word": ArgumentKind(lambda text, here: True),
    # As people introduce themselves: `I am Ann Lee`.
    "person": ArgumentKind(lambda text, here: _PERSON.fullmatch(text), 4),
    "number": ArgumentKind(lambda text, here: text.lstrip("#").isdecimal(), is_value=True),
    # How many play, or what a board calls its game for so many: `3-russia`.
    "people": ArgumentKind(
        lambda text, here: text.isdecimal() or text.lower() in here.variant.lineups, is_value=True
    ),
    "share": ArgumentKind(lambda text, here: re.fullmatch(r"\d*\.?\d+%?", text)),
    "length": ArgumentKind(_is_time(read_hours), 6, is_value=True),
    "date": ArgumentKind(_is_time(read_date, _SOME_DAY, "UTC"), 12, is_value=True),
    "span": ArgumentKind(_is_time(read_span, _SOME_DAY, "UTC"), 24),
    "clock": ArgumentKind(_is_time(read_clock), 2, is_value=True),
    "zone": ArgumentKind(_is_time(read_home_zone), 3, is_value=True),
    "country": ArgumentKind(_is_time(read_country), 4),
    "language": ArgumentKind(lambda text, here: find_language(text), is_value=True),
    "phase": ArgumentKind(lambda text, here: read_phase(text, here.variant), 6),
    "condition": ArgumentKind(lambda text, here: read_condition(text, here.variant), _MOST_WORDS),
    "power": ArgumentKind(lambda text, here: Names.of(here.variant).power(text), 4),
    "powers": ArgumentKind(
        lambda text, here: set(labels(here.variant, text)) <= {*here.variant.powers}, _MOST_WORDS
    ),
    "seat": ArgumentKind(_is_seat, 4),
    "game": ArgumentKind(lambda text, here: here.is_game(text.lstrip("?"))),
    # What does not exist yet.
    "name": ArgumentKind(lambda text, here: can_name_game(text.lstrip("?"))),
    "board": ArgumentKind(lambda text, here: text.replace("-", "_").lower() in variants.names()),
    "level": ArgumentKind(lambda text, here: text.lower() in LEVELS),
    "address": ArgumentKind(_are_addresses),
    "addresses": ArgumentKind(_are_addresses, _MOST_WORDS),
    # Powers in the order in which somebody wants them, alike ones in brackets.
    "wishes": ArgumentKind(
        lambda text, here: set(text.upper()) <= {*here.variant.letters, *"[]*-"}, 20
    ),
    # Days of the week, as DAYS has them.
    "days": ArgumentKind(lambda text, here: re.fullmatch(r"[-smtwf]{7}", text, re.I)),
}
"""All kinds of arguments, by their names."""

FREE = frozenset(("text", "word", "person", "name"))
"""Those whose words are the writer's own, thanks included."""
