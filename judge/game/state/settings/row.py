"""How a setting is declared: one row says its words, values, default, lock and help.

The rows are the fields of `judge.game.state.settings.Settings`. From a row follow the forms of SET
and CREATE, what HELP and docs/commands.md say, what messages call the setting and its values, and
how it is stored. `judge.commands.settings` makes the commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class Choice(NamedTuple):
    """One value of a setting: how messages word it, what HELP says it does, and the words behind
    SET that choose it."""

    shown: str
    effect: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Setting:
    """One row of the table of settings.

    `called` is its name in messages. `choices` are its values that are set by words of their own;
    where there are none, `words` take a value, written like `usage`. `effect` is one line of
    HELP, `help` the rest. `none` words the value None. `locked` are the choices that cannot be set
    once the game has started, `before_start` locks all values. `in_entry`: the entry of a game in
    LIST shows it in any case, so its list of what is special leaves it out. `ends` are the lines
    that end the block of lines that it takes. `longest`: how many characters a text may have.
    `decode` turns its JSON value into its own type.
    """

    called: str
    default: Any = None
    choices: Mapping[Any, Choice] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    usage: str = ""
    effect: str = ""
    help: str = ""
    example: str = ""
    none: str = ""
    before_start: bool = False
    locked: tuple[Any, ...] = ()
    in_entry: bool = False
    ends: tuple[str, ...] = ()
    longest: int | None = None
    decode: Callable[[Any], Any] | None = None


_ROW = "setting"
"""Where the metadata of a dataclass field has its row."""


def row(default: T, **said: Any) -> T:
    """Declare a dataclass field with this default as a `Setting`. Type checkers see the value."""
    made: T = field(default=default, metadata={_ROW: Setting(default=default, **said)})
    return made


def rows(settings: Any) -> dict[str, Setting]:
    """Return the rows of a dataclass of settings by the names of its fields, in their order."""
    return {each.name: each.metadata[_ROW] for each in fields(settings) if _ROW in each.metadata}


def switch(
    default: T,
    words: str,
    called: str,
    yes: tuple[str, str],
    no: tuple[str, str],
    help: str = "",
    yes_words: Iterable[str] = (),
    no_words: Iterable[str] = (),
    **more: Any,
) -> T:
    """Declare a setting that is on or off: `SET words` and `SET NO words`.

    `yes` and `no` are how messages word it and what it does then; `yes_words` and `no_words` are
    other words for it. `more` as in `Setting`.
    """
    choices = {
        True: Choice(*yes, (words, *yes_words)),
        False: Choice(*no, (f"no {words}", *no_words)),
    }
    return row(default, called=called, choices=choices, help=help, **more)


def one_of(
    default: T, called: str, choices: Mapping[Any, Choice], help: str = "", **more: Any
) -> T:
    """Declare a setting that has one of these values of an enum; `more` as in `Setting`."""
    decode = optional(type(next(iter(choices))))
    return row(default, called=called, choices=choices, help=help, decode=decode, **more)


def value(
    default: T,
    words: tuple[str, ...],
    called: str,
    usage: str,
    effect: str,
    help: str,
    example: str,
    **more: Any,
) -> T:
    """Declare a setting that takes a value behind its words; `more` as in `Setting`.

    `judge.commands.setting_values` reads the value. NONE gives None where `none` is given.
    """
    return row(
        default,
        words=words,
        called=called,
        usage=usage,
        effect=effect,
        help=help,
        example=example,
        **more,
    )


def optional(decode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return `decode` for values that can be None."""
    return lambda value: None if value is None else decode(value)
