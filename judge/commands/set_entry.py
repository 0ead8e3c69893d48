"""Who may enter a game: DEDICATION, ONTIMERAT, RESRAT, LEVEL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from judge.game.people.entry import LEVELS, own_figures, passes, read_level
from judge.game.setting import BadSetting, Wanted, setting
from judge.game.state import State
from judge.i18n import say
from judge.intake.command import Command

_NONE = ("none", "no", "off", "-1")


def _share(text: str) -> float:
    """A share from 0 to 1, as `0.9` or `90%`."""
    digits = text.removesuffix("%").strip()
    try:
        value = float(digits) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ValueError(
            say("{text!r} is no share from 0 to 1; write one like 0.9, or none", text=text)
        )
    return value


def _points(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        problem = say("{text!r} is no whole number; write one like 20, or none", text=text)
        raise ValueError(problem) from None


def _level(text: str) -> str:
    found = read_level(text)
    if found is None:
        known = ", ".join(LEVELS)
        raise ValueError(
            say("{text!r} is no level; there are {levels}, or none", text=text, levels=known)
        )
    return found


def _change(name: str, read: Callable[[str], Any]) -> Callable[[Wanted], None]:
    def change(wanted: Wanted) -> None:
        text = wanted.arguments.strip(" .!=")
        person = wanted.context.sender.person
        assert person is not None
        own = own_figures(wanted.context.storage, person)[name]
        highest = f"SET {name.upper()} {own if passes(name, own, own) else 'NONE'}"
        if not text:
            raise BadSetting(say("it takes a value, or none"), highest)
        if text.lower() in _NONE:
            wanted.state.set(**{name: None})
            return
        bar = read(text)
        if not passes(name, bar, own):
            raise BadSetting(
                say("no bar may be above your own figure, and yours is {own}", own=own), highest
            )
        wanted.state.set(**{name: bar})

    return change


def _show(name: str) -> Callable[[State], str]:
    def show(state: State) -> str:
        bar = getattr(state.settings, name)
        return say("no bar") if bar is None else str(bar)

    return show


def _write(name: str) -> Callable[[State], str | None]:
    def write(state: State) -> str | None:
        bar = getattr(state.settings, name)
        return None if bar is None else str(bar)

    return write


def _bar(
    name: str, words: str, summary: str, help: str, example: str, read: Callable[[str], Any]
) -> Command:
    return setting(
        words=(f"set {name}",),
        name=words,
        summary=summary,
        help=f"{help} NONE: no bar. It cannot be above your own figure (GET DEDICATION).",
        usage="value",
        example=f"SET {name.upper()} {example}",
        change=_change(name, read),
        show=_show(name),
        write=_write(name),
    )


DEDICATION = _bar(
    "dedication",
    "least dedication of newcomers",
    "only people with so many points of dedication may enter",
    "HELP reliability says how points are counted.",
    "20",
    _points,
)
ONTIMERAT = _bar(
    "ontimerat",
    "least share of phases on time",
    "only people who are on time that often may enter",
    "A share from 0 to 1 or in percent; recent phases weigh more (HELP reliability).",
    "0.9",
    _share,
)
RESRAT = _bar(
    "resrat",
    "greatest share of games given up",
    "only people who give up no more games than that may enter",
    "The share, from 0 to 1 or in percent, of somebody's games that he resigned or abandoned.",
    "0.1",
    _share,
)
LEVEL = _bar(
    "level",
    "least level of newcomers",
    "only people of some experience may enter, by what they say themselves",
    f"What people say of themselves by REGISTER: {', '.join(LEVELS)}.",
    "amateur",
    _level,
)

COMMANDS: tuple[Command, ...] = (DEDICATION, ONTIMERAT, RESRAT, LEVEL)
