"""Settings about the clock besides the pace: absences, public holidays, strict grace and wait."""

from __future__ import annotations

import re

from judge.game.setting import Wanted, setting, switch
from judge.game.state import State
from judge.i18n import say
from judge.intake.command import Command
from judge.render.words import plural
from judge.schedule.holidays import read_country

_NONE = ("none", "no", "off", "")


def _max_absence(wanted: Wanted) -> None:
    found = re.fullmatch(r"(\d{1,3})\s*(?:d|days?)?", wanted.arguments.strip(" ."))
    if found is None or not 0 <= int(found[1]) <= 366:
        text = wanted.arguments.strip()
        raise ValueError(say("{text!r} is no number of days from 0 to 366", text=text))
    wanted.state.set(max_absence=int(found[1]))


MAX_ABSENCE = setting(
    words=("set max absence",),
    name="longest absence",
    summary="how many days somebody may be away without asking",
    help="A longer absence is put to the master. 15 days where nothing is set.",
    usage="days",
    example="SET MAX ABSENCE 15",
    change=_max_absence,
    show=lambda state: plural(state.settings.max_absence, "day"),
    write=lambda state: str(state.settings.max_absence),
)


def _grace(state: State) -> str:
    return say("on any day") if state.settings.strict_grace else say("on an allowed day")


STRICT_GRACE = switch(
    "set strict grace",
    name="end of grace",
    summary="the end of grace may fall on any day",
    help="The end of grace is GRACE after the deadline, also on a day that DAYS forbid.",
    show=_grace,
    strict_grace=True,
)

NO_STRICT_GRACE = switch(
    "set no strict grace",
    name="end of grace",
    summary="the end of grace moves to an allowed day (the default)",
    help="The end of grace is GRACE after the deadline, moved on to a day that DAYS allow.",
    show=_grace,
    strict_grace=False,
)


def _wait(state: State) -> str:
    return say("who owes orders") if state.settings.strict_wait else say("everybody")


STRICT_WAIT = switch(
    "set strict wait",
    name="who may wait",
    summary="only who owes orders may keep a phase from running",
    help="SET WAIT of people who have nothing to order in a phase does not hold it.",
    show=_wait,
    strict_wait=True,
)

NO_STRICT_WAIT = switch(
    "set no strict wait",
    name="who may wait",
    summary="everybody may keep a phase from running before its deadline (the default)",
    help="SET WAIT of every player and master holds a phase until its deadline.",
    show=_wait,
    strict_wait=False,
)


def _holidays(wanted: Wanted) -> None:
    text = wanted.arguments.strip(" .")
    wanted.state.set(holidays=None if text.lower() in _NONE else read_country(text))


def _show_holidays(state: State) -> str:
    return state.settings.holidays or say("none")


HOLIDAYS = setting(
    words=("set public holidays", "set holidays"),
    name="public holidays",
    summary="no deadline falls on the public holidays of a country",
    help=(
        "A country, its code, or one of its parts: Germany, US, DE-BY. NONE takes it back. "
        "Deadlines that are set from then on, and ends of grace, move on to the next allowed day."
    ),
    usage="country",
    example="SET PUBLIC HOLIDAYS DE",
    change=_holidays,
    show=_show_holidays,
    write=lambda state: state.settings.holidays,
)

COMMANDS: tuple[Command, ...] = (
    MAX_ABSENCE,
    STRICT_GRACE,
    NO_STRICT_GRACE,
    STRICT_WAIT,
    NO_STRICT_WAIT,
    HOLIDAYS,
)
