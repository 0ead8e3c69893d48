"""The ways a game ends, and who has won by each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from judge.game.state import State
from judge.i18n import say
from judge.rules.phase import Calendar, Kind, Phase, Season
from judge.storage import Condition, Ending, Outcome, Seat, Vote


def most_centers(state: State) -> tuple[str, ...]:
    """Return the powers of the players with the most centers, or units if the rulebook says so.

    A player's powers count together, and ties share. If nobody plays, all powers compete.

    2023, "Turn Limit": "the player with the most centers"; 1976, III: "the most pieces".
    """
    return _foremost(state, short_game_counts(state))


def _foremost(state: State, counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return the powers of the players that have the most, by what each power has."""
    hands = state.hands()
    played = [hand for hand in hands if any(state.player(power) for power in hand)] or hands
    totals = {hand: sum(counts[power] for power in hand) for hand in played}
    most = max(totals.values(), default=0)
    won = {power for hand, total in totals.items() for power in hand if total == most}
    return tuple(power for power in counts if power in won and counts[power])


def short_game_counts(state: State) -> dict[str, int]:
    """Return what counts when a game stops at a set time: each power's centers, or its units."""
    position = state.opened
    held = position.units if state.rulebook.short_game == "units" else position.centers
    return {power: len(held.get(power, ())) for power in state.variant.powers}


def after_phase(state: State, found: Mapping[str, Any]) -> Outcome | None:
    """Return how the game ends with the phase that has just run; None if it goes on.

    The next phase is already open; `found` are the results, with what the rules say of the game.
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
    """Return the powers of the players who are still in the game."""
    return [
        power
        for power in state.variant.powers
        if state.condition(power) != Condition.DUMMY and state.alive(power)
    ]


def _begins_year(state: State) -> bool:
    """Return whether the open phase is the first of a year."""
    return state.opened.phase[::2] == state.variant.calendar.year[0]


def eliminated(state: State) -> list[str]:
    """Return the powers whose players have lost everything, units and centers of all their
    powers."""
    return [
        power
        for hand in state.hands()
        if not any(map(state.alive, hand))
        for power in hand
        if state.condition(power) != Condition.DUMMY
    ]


def center_counts(state: State) -> dict[str, int]:
    """Return how many centers each power owns."""
    centers = state.opened.centers
    return {power: len(centers.get(power, ())) for power in state.variant.powers}


def agreed(state: State) -> Outcome | None:
    """Return the ending that the votes of this phase agree on, if any.

    Survivors vote (`State.survivors`): a power without centers, or that nobody waits for, has no
    vote and no share.
    """
    survivors = state.survivors()
    players = state.players()
    cast = {power: _ballot(players.get(power)) for power in survivors}
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
    """Return the powers of the player who owns more centers than any other; () for a tie."""
    counts = center_counts(state)
    return sole_leader({hand: sum(counts[power] for power in hand) for hand in state.hands()}) or ()


def _ballot(seat: Seat | None) -> Vote:
    return seat.draw if seat is not None and seat.draw is not None else Vote()


def _shared(
    survivors: frozenset[str], cast: Mapping[str, Vote], dias: bool
) -> frozenset[str] | None:
    """Return who shares the game by these votes; with `dias` only all survivors can."""
    shares: dict[str, frozenset[str] | None] = {
        power: survivors if ballot.every else ballot.share and ballot.share & survivors
        for power, ballot in cast.items()
    }
    if all(share is None for share in shares.values()):
        return None
    if dias:
        return survivors if all(share == survivors for share in shares.values()) else None
    return agreed_share(shares)


def vote_facts(state: State, seat: Seat) -> dict[str, object] | None:
    """Return the vote of a seat for messages to its player; None without one."""
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
    """Read a turn as settings store it: `F1907` from `F1907`, `Fall 1907`, or `1907` (its fall).

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
    """Return whether all phases of the turn `limit` (`F1907`) are before `phase`."""
    season, year = Season(limit[0]), int(limit[1:])
    last = max(
        calendar.key(Phase(season, year, kind)) for known, kind in calendar.year if known is season
    )
    return calendar.key(phase) > last


def _last_moves(calendar: Calendar) -> Season:
    return [season for season, kind in calendar.year if kind is Kind.MOVEMENT][-1]


def agreed_share(votes: Mapping[str, frozenset[str] | None]) -> frozenset[str] | None:
    """Return the largest set of powers that every voter accepts to share the game, if any.

    A list with yourself accepts every part of it that contains you; a list without yourself every
    part of it, with or without you; None only a win of your own.

    If two sets are accepted, so is their union. So the largest has every power that no list
    excludes, and is accepted if it contains everybody who insists on themselves.
    """
    allowed: frozenset[str] | None = None
    insist = set()
    for voter, share in votes.items():
        if share is None or voter in share:
            insist.add(voter)
        mine = frozenset({voter}) | (share or frozenset())
        allowed = mine if allowed is None else allowed & mine
    return allowed if allowed and insist <= allowed else None


_Who = TypeVar("_Who")


def sole_leader(counts: Mapping[_Who, int]) -> _Who | None:
    """Return who owns more than every other; None if several own the most."""
    most = max(counts.values(), default=0)
    first = [who for who, count in counts.items() if count == most]
    return first[0] if len(first) == 1 and most else None
