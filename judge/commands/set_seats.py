"""How many people play how many powers, and how these are dealt: PLAYERS, POWERS, PRFLIST."""

from __future__ import annotations

from judge.game.setting import Wanted, setting, switch
from judge.game.state import State
from judge.render.i18n import say, say_n

_NONE = ("none", "all", "off", "-1")


def _number(wanted: Wanted, most: int) -> int | None:
    """The number behind the words, None for as many as there are. Raises ValueError."""
    text = wanted.arguments.strip(" .=")
    if text.lower() in _NONE:
        return None
    there = len(wanted.state.active("player"))
    if not text.isdecimal() or not max(there, 1) <= int(text) <= most:
        raise ValueError(
            say(
                "{text!r} does not fit: {there} players have joined, and there can be {most}",
                text=text,
                there=there,
                most=most,
            )
        )
    return int(text)


def _players(wanted: Wanted) -> None:
    state = wanted.state
    most = state.settings.in_play or len(state.variant.powers)
    state.set(people=_number(wanted, most))


def _powers(wanted: Wanted) -> None:
    state = wanted.state
    number = _number(wanted, len(state.variant.powers))
    people = state.settings.people
    if number is not None and people is not None and people > number:
        raise ValueError(say_n(
            "the game is for {count} player, who cannot have fewer powers than that",
            "the game is for {count} players, who cannot have fewer powers than that",
            people,
        ))  # fmt: skip
    state.set(in_play=number)


def _show_powers(state: State) -> str:
    return str(state.settings.in_play or len(state.variant.powers))


PLAYERS = setting(
    words=("set players",),
    name="number of players",
    summary="fewer people than powers: each plays several",
    help=(
        "The powers are dealt to so many people, as evenly as it goes; chance says who has one "
        "more. NONE: one person for each power."
    ),
    usage="number",
    example="SET PLAYERS 5",
    change=_players,
    show=lambda state: str(state.places),
    write=lambda state: None if state.settings.people is None else str(state.settings.people),
    before_start=True,
)

POWERS = setting(
    words=("set powers",),
    name="powers in play",
    summary="fewer powers: the others are neutral",
    help=(
        "Only so many powers are dealt, by the players' wishes. Nobody plays the others: their "
        "units hold, and nobody waits for them. NONE: all powers of the board."
    ),
    usage="number",
    example="SET POWERS 5",
    change=_powers,
    show=_show_powers,
    write=lambda state: None if state.settings.in_play is None else str(state.settings.in_play),
    before_start=True,
)


def _dealt(state: State) -> str:
    told = {
        "list": say("by wishes"),
        "random": say("by lot"),
        "both": say("by wishes, and by lot to who has none"),
    }
    return told[state.settings.preferences]


PREFERENCES = (
    switch(
        *("set prflist", "set preference list"),
        name="dealing of powers",
        summary="powers are dealt by the players' wishes (the default)",
        help="All wishes together are met best; chance decides between equals (SET PREFERENCE).",
        show=_dealt,
        before_start=True,
        preferences="list",
    ),
    switch(
        *("set prfrand", "set preference random"),
        name="dealing of powers",
        summary="powers are dealt by lot, whatever players wish",
        help="Chance alone deals the powers.",
        show=_dealt,
        before_start=True,
        preferences="random",
    ),
    switch(
        *("set prfboth", "set preference both"),
        name="dealing of powers",
        summary="powers are dealt by wishes, and by lot to who has none",
        help="Who has no wishes draws by lot, before all others' wishes are met.",
        show=_dealt,
        before_start=True,
        preferences="both",
    ),
)

COMMANDS = (PLAYERS, POWERS, *PREFERENCES)
