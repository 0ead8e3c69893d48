"""How many people play how many powers, and how these are dealt: PLAYERS, POWERS, PRFLIST."""

from __future__ import annotations

import re

from judge import variants
from judge.game.people.seating import choose, offered
from judge.game.setting import Wanted, setting, switch
from judge.game.state import State
from judge.i18n import say, say_n
from judge.rules.lineup import lineup_of
from judge.storage import Role

_NONE = ("none", "all", "off", "-1")


_EVENLY = re.compile(r"[\s,]*(?:evenly|even|by lots?)\Z", re.IGNORECASE)
_BY_LOT = re.compile(r"[\s,]+by lots?\Z", re.IGNORECASE)
_NAMED = re.compile(r"(\d+)[\s-]+(\w+)\Z")


def _number(wanted: Wanted, most: int, text: str) -> int | None:
    """The number that a text is, None for as many as there are. Raises ValueError."""
    if text.lower() in _NONE:
        return None
    there = len(wanted.state.active(Role.PLAYER))
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
    powers = len(variants.load(state.game.variant).powers)
    text = wanted.arguments.strip(" .=")
    bare = _EVENLY.sub("", text)
    named = _NAMED.match(_BY_LOT.sub("-lots", text)) or _NAMED.match(bare)
    most = state.settings.in_play or powers
    people = _number(wanted, most, named[1] if named else bare)
    found = [] if people is None else offered(state, people)
    if named:
        wish = "-".join(named.groups()).lower()
        found = [lineup for lineup in found if lineup.name == wish]
        if not found and bare != text and not _NAMED.match(bare):
            choose(state, people, None)
            return
        if not found:
            raise ValueError(_no_lineup(state, text))
    elif bare != text or state.settings.in_play is not None:
        found = []
    choose(state, people, found[0] if found else None)


def _no_lineup(state: State, text: str) -> str:
    known = [
        lineup.name
        for lineup in variants.load(state.game.variant).lineups.values()
        if lineup.rulebook in (None, state.game.rulebook)
    ]
    return say(
        "this board has no game called {text!r} for fewer players; there are {known}",
        text=text,
        known=", ".join(known) or "0",
    )


def _show_players(state: State) -> str:
    lineup = lineup_of(state.variant)
    if lineup is None:
        return str(state.places)
    groups = "; ".join(map(", ".join, lineup.groups))
    if lineup.lots:
        return say("{count} (lots are drawn for the powers)", count=lineup.players)
    if not lineup.standing:
        return say("{count} ({groups})", count=lineup.players, groups=groups)
    standing = ", ".join(lineup.standing)
    if lineup.closed:
        return say(
            "{count} ({groups}; {standing} is neutral)",
            count=lineup.players,
            groups=groups,
            standing=standing,
        )
    return say(
        "{count} ({groups}; nobody plays {standing})",
        count=lineup.players,
        groups=groups,
        standing=standing,
    )


def _write_players(state: State) -> str | None:
    people, lineup = state.settings.people, state.settings.lineup
    if people is None or lineup is not None:
        return lineup
    return f"{people} EVENLY" if offered(state, people) else str(people)


def _powers(wanted: Wanted) -> None:
    state = wanted.state
    powers = len(variants.load(state.game.variant).powers)
    number = _number(wanted, powers, wanted.arguments.strip(" .="))
    people = state.settings.people
    if number is not None and people is not None and people > number:
        raise ValueError(say_n(
            "the game is for {count} player, who cannot have fewer powers than that",
            "the game is for {count} players, who cannot have fewer powers than that",
            people,
        ))  # fmt: skip
    choose(state, people, None)
    state.set(in_play=number)


def _show_powers(state: State) -> str:
    return str(state.settings.in_play or len(state.variant.powers))


PLAYERS = setting(
    words=("set players",),
    name="number of players",
    summary="fewer people than powers: each plays several",
    help=(
        "The game for so many people that the rulebook of the board tells: which powers each has, "
        "and whose units only hold. 3-RUSSIA is the other game for three of the rules of 1976. "
        "BY LOT behind the number: lots are drawn for the powers. EVENLY behind it, or where there "
        "is no such game: all powers are dealt as evenly as it goes, and chance says who has one "
        "more. NONE: one person for each power."
    ),
    usage="number [by lot or evenly]",
    example="SET PLAYERS 5",
    change=_players,
    show=_show_players,
    write=_write_players,
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
