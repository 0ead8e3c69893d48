"""Settings in one word: rulebook, time zone, listing, the way the game starts."""

from __future__ import annotations

from judge.game.people.seating import refit
from judge.game.setting import Wanted, setting, switch
from judge.game.state import State
from judge.i18n import say
from judge.intake.command import Command
from judge.rules.rulebook import Rulebook, editions
from judge.schedule.zones import read_zone


def _rules(wanted: Wanted) -> None:
    name = wanted.arguments.strip(" .")
    if name not in editions():
        known = ", ".join(editions())
        raise ValueError(
            say("no rulebook is called {name!r}; there are {known}", name=name, known=known)
        )
    wanted.state.use_rulebook(Rulebook.edition(name))
    refit(wanted.state)


RULES = setting(
    words=("set rules",),
    name="rulebook",
    summary="which edition of the rules decides",
    help=(
        "Which edition of the rules decides, also in games for fewer players (SET PLAYERS): the "
        "rules of 1976 count units where a game is stopped at a set time, others centers."
    ),
    usage=" or ".join(editions()),
    example="SET RULES 1976",
    change=_rules,
    show=lambda state: state.game.rulebook,
    write=lambda state: state.game.rulebook,
    before_start=True,
)


def _zone(wanted: Wanted) -> None:
    wanted.state.set(zone=read_zone(wanted.arguments.strip(" .")))


ZONE = setting(
    words=("set time zone", "set zone"),
    name="time zone of the game",
    summary="the time zone in which CLOCK and DAYS are read",
    help=(
        "CLOCK and DAYS are read in it. A new game has its creator's. Every player's letters show "
        "his own."
    ),
    usage="zone",
    example="SET TIME ZONE Europe/Paris",
    change=_zone,
    show=lambda state: state.settings.zone,
    write=lambda state: state.settings.zone,
)


def _listed(state: State) -> str:
    return say("listed") if state.settings.listed else say("not listed")


LIST = switch(
    *("set list", "set public"),
    name="listing",
    summary="show the game to everybody in LIST",
    help="LIST shows the game to everybody, and a bare JOIN finds it.",
    show=_listed,
    listed=True,
)

NO_LIST = switch(
    *("set no list", "set private"),
    name="listing",
    summary="only people who know its name find the game (the default)",
    help="Only people who know its name find the game. The default.",
    show=_listed,
    listed=False,
)


def _start(state: State) -> str:
    return say("on command") if state.settings.manual_start else say("when all powers are taken")


MANUAL_START = switch(
    *("set manual start", "set no auto start"),
    name="start",
    summary="wait for START when all powers are taken",
    help="When all powers are taken the game waits for START.",
    show=_start,
    before_start=True,
    manual_start=True,
)

AUTO_START = switch(
    *("set auto start", "set no manual start"),
    name="start",
    summary="start when all powers are taken (the default)",
    help="The game starts as soon as all powers are taken. The default.",
    show=_start,
    before_start=True,
    manual_start=False,
)

COMMANDS: tuple[Command, ...] = (
    RULES,
    ZONE,
    LIST,
    NO_LIST,
    MANUAL_START,
    AUTO_START,
)
