"""The ways a game ends, and who has won by each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.game.endings import votes
from judge.game.state import State
from judge.i18n import say
from judge.rules.phase import Calendar, Kind, Phase, Season
from judge.storage import Condition, Ending, Outcome, Seat, Vote


def most_centers(state: State) -> tuple[str, ...]:
    """The powers of the players with the most centers, all of a player's counted together, or with
    the most units where the rulebook says so; ties share. Where nobody plays, of all powers.

    2023, "Turn Limit": "the player with the most centers"; 1976, III: "the most pieces".
    """
    return _foremost(state, short_game_counts(state))


def _foremost(state: State, counts: Mapping[str, int]) -> tuple[str, ...]:
    """The powers of the players that have most, by what each power has."""
    hands = state.hands()
    played = [hand for hand in hands if any(state.player(power) for power in hand)] or hands
    totals = {hand: sum(counts[power] for power in hand) for hand in played}
    most = max(totals.values(), default=0)
    won = {power for hand, total in totals.items() for power in hand if total == most}
    return tuple(power for power in counts if power in won and counts[power])


def short_game_counts(state: State) -> dict[str, int]:
    """What counts in a game that is stopped at a set time: the centers of each power, or its
    units."""
    position = state.opened
    held = position.units if state.rulebook.short_game == "units" else position.centers
    return {power: len(held.get(power, ())) for power in state.variant.powers}


def after_phase(state: State, found: Mapping[str, Any]) -> Outcome | None:
    """How the game ends with the phase that has just run; None: it goes on.

    The next phase is open already; `found` are the results, with what the rules say of the game.
    """
    if found["winners"]:
        return Outcome(Ending.VICTORY, tuple(found["winners"]))
    if found["ending"] is not None:
        ending = Ending(found["ending"])
        return Outcome(ending, tuple(_left(state)) if ending is Ending.IMPOSSIBLE else ())
    limit = state.settings.turn_limit
    if limit is not None and past_limit(state.variant.calendar, state.opened.phase, limit):
        return Outcome(Ending.TURN_LIMIT, most_centers(state))
    if state.settings.elimination_ends and _begins_year(state) and eliminated(state):
        return Outcome(Ending.ELIMINATION, _foremost(state, center_counts(state)))
    return None


def _left(state: State) -> list[str]:
    """The powers of the players who are still in the game."""
    return [
        power
        for power in state.variant.powers
        if state.condition(power) != Condition.DUMMY and state.alive(power)
    ]


def _begins_year(state: State) -> bool:
    """Whether the phase that is open is the first of a year."""
    return state.opened.phase[::2] == state.variant.calendar.year[0]


def eliminated(state: State) -> list[str]:
    """The powers whose players have lost everything: no unit and no center, in none of their
    powers."""
    return [
        power
        for hand in state.hands()
        if not any(map(state.alive, hand))
        for power in hand
        if state.condition(power) != Condition.DUMMY
    ]


def center_counts(state: State) -> dict[str, int]:
    """How many centers each power owns."""
    return {power: len(state.opened.centers.get(power, ())) for power in state.variant.powers}


def agreed(state: State) -> Outcome | None:
    """The ending that the votes of this phase come to, None where they come to none.

    Who has a say are the survivors (`State.survivors`): a power without centers, and one for which
    nobody waits, has no vote and no share.
    """
    survivors = state.survivors()
    cast = {power: _ballot(state, power) for power in survivors}
    share = _shared(frozenset(survivors), cast, state.settings.dias)
    if share and (len(share) > 1 or state.settings.dias):
        return Outcome(Ending.DRAW, tuple(power for power in survivors if power in share))
    if share and state.settings.concessions:
        return Outcome(Ending.CONCESSION, tuple(share))
    first = leader(state)
    others = [power for power in survivors if power not in first]
    if not (state.settings.concessions and set(first) & set(survivors) and others):
        return None
    if all(cast[power].concede in first for power in others):
        return Outcome(Ending.CONCESSION, tuple(power for power in survivors if power in first))
    return None


def leader(state: State) -> tuple[str, ...]:
    """The powers of the player who owns more centers than any other; () where several own the
    most."""
    counts = center_counts(state)
    return (
        votes.leader({hand: sum(counts[power] for power in hand) for hand in state.hands()}) or ()
    )


def _ballot(state: State, power: str) -> Vote:
    seat = state.player(power)
    return seat.draw if seat is not None and seat.draw is not None else Vote()


def _shared(
    survivors: frozenset[str], cast: Mapping[str, Vote], dias: bool
) -> frozenset[str] | None:
    """Who shares the game by these votes; `dias`: only all survivors can."""
    shares: dict[str, frozenset[str] | None] = {
        power: survivors if ballot.every else ballot.share and ballot.share & survivors
        for power, ballot in cast.items()
    }
    if all(share is None for share in shares.values()):
        return None
    if dias:
        return survivors if all(share == survivors for share in shares.values()) else None
    return votes.agreed(shares)


def vote_facts(state: State, seat: Seat) -> dict[str, Any] | None:
    """The vote of this seat for letters to its player; None where he has none."""
    ballot = seat.draw
    if seat.power is None or ballot is None:
        return None
    listed = [power for power in state.variant.powers if power in (ballot.share or ())]
    return {
        "power": seat.power,
        "every": ballot.every,
        "with_me": seat.power in listed,
        "others": [power for power in listed if power != seat.power],
        "concede": ballot.concede,
    }


def read_limit(calendar: Calendar, text: str) -> str:
    """The turn that `text` names, as settings keep it: `F1907`, `Fall 1907`, `1907` (its fall).

    Raises ValueError, quoting `text`, when it names none.
    """
    words = text.replace(",", " ").split()
    if len(words) == 1:
        season, year = (words[0][:1].upper(), words[0][1:])
        if words[0].isdecimal():
            season, year = _last_moves(calendar).value, words[0]
    elif len(words) == 2:
        season, year = words[0].upper(), words[1]
    else:
        season, year = "", ""
    for known in {step[0] for step in calendar.year}:
        if season in (known.value, known.name) and year.isdecimal():
            return f"{known.value}{int(year)}"
    raise ValueError(say("{text!r} names no turn; write one like F1907 or Fall 1907", text=text))


def past_limit(calendar: Calendar, phase: Phase, limit: str) -> bool:
    """Whether all phases of the turn `limit` (`F1907`) lie before `phase`."""
    season, year = Season(limit[0]), int(limit[1:])
    last = max(
        calendar.key(Phase(season, year, kind)) for known, kind in calendar.year if known is season
    )
    return calendar.key(phase) > last


def _last_moves(calendar: Calendar) -> Season:
    return [season for season, kind in calendar.year if kind is Kind.MOVEMENT][-1]
