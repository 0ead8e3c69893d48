"""The ways a game ends, and who has won by each.

Where the rules ask it, two players who both have enough centers to win are asked to share (Global
Diplomacy, II): they decide whether the game ends as a two-way draw between them. It goes on unless
both want the draw, and they are asked again whenever centers are counted and both have enough. The
question stays open for the next phase, which does not run before its deadline unless both have
replied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from judge.events import EventKind, Recipient
from judge.game.state import State
from judge.i18n import say
from judge.rules.hooks import rule_hooks
from judge.rules.phase import Calendar, Kind, Phase, Season
from judge.rules.winning import alone_wins
from judge.storage import (
    Condition,
    GameState,
    Person,
    Seat,
    SharingQuestion,
    StoredEnding,
    StoredOutcome,
    Vote,
)


def most_centers(state: State) -> tuple[str, ...]:
    """Return the powers of the players with the most centers, or units if the rulebook says so.

    A player's powers count together, and ties share. If nobody plays, all powers compete.

    2023, "Turn Limit": "the player with the most centers"; 1976, III: "the most pieces".
    """
    return _foremost(state, short_game_counts(state))


def _foremost(state: State, counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return the powers of the players that have the most, by what each power has."""
    hands = state.powers.hands()
    played = [hand for hand in hands if any(state.seats.player(power) for power in hand)] or hands
    totals = {hand: sum(counts[power] for power in hand) for hand in played}
    most = max(totals.values(), default=0)
    won = {power for hand, total in totals.items() for power in hand if total == most}
    return tuple(power for power in counts if power in won and counts[power])


def short_game_counts(state: State) -> dict[str, int]:
    """Return what counts when a game stops at a set time: each power's centers, or its units."""
    position = state.opened
    held = position.units if state.rulebook.short_game == "units" else position.centers
    return {power: len(held.get(power, ())) for power in state.variant.powers}


def is_one(state: State) -> bool:
    """Return whether several powers have won that one player plays."""
    winners = state.game.outcome.winners if state.game.outcome else ()
    return len(winners) > 1 and any(set(winners) <= set(hand) for hand in state.powers.hands())


def outdone(state: State) -> bool:
    """Return whether a power that nobody played has as much at the end as those that won."""
    winners = state.game.outcome.winners if state.game.outcome else ()
    if not winners:
        return False
    counts = short_game_counts(state)
    had = [counts[power] for power in winners]
    most = sum(had) if is_one(state) else max(had)
    return any(counts[power] >= most for power in counts if power not in winners)


def after_phase(state: State, found: Mapping[str, Any]) -> StoredOutcome | None:
    """Return how the game ends with the phase that has just run; None if it goes on.

    The next phase is already open; `found` are the results, with what the rules say of the game.
    """
    if found["winners"]:
        return StoredOutcome(StoredEnding.VICTORY, tuple(found["winners"]))
    if found["ending"] is not None:
        ending = StoredEnding(found["ending"])
        return StoredOutcome(
            ending, tuple(_left(state)) if ending is StoredEnding.IMPOSSIBLE else ()
        )
    limit = state.settings.turn_limit
    if limit is not None and past_limit(state.variant.calendar, state.opened.phase, limit):
        return StoredOutcome(StoredEnding.TURN_LIMIT, most_centers(state))
    new_year = state.opened.phase[::2] == state.variant.calendar.year[0]
    if state.settings.elimination_ends and new_year and eliminated(state):
        return StoredOutcome(StoredEnding.ELIMINATION, _foremost(state, center_counts(state)))
    return None


def _left(state: State) -> list[str]:
    """Return the powers of the players who are still in the game."""
    return [
        power
        for power in state.variant.powers
        if state.powers.condition(power) != Condition.DUMMY and state.powers.alive(power)
    ]


def eliminated(state: State) -> list[str]:
    """Return the powers whose players have lost everything, units and centers of all their
    powers."""
    return [
        power
        for hand in state.powers.hands()
        if not any(map(state.powers.alive, hand))
        for power in hand
        if state.powers.condition(power) != Condition.DUMMY
    ]


def center_counts(state: State) -> dict[str, int]:
    """Return how many centers each power owns."""
    centers = state.opened.centers
    return {power: len(centers.get(power, ())) for power in state.variant.powers}


def agreed(state: State) -> StoredOutcome | None:
    """Return the ending that the votes of this phase agree on, if any.

    Survivors vote (`State.survivors`): a power without centers, or that nobody waits for, has no
    vote and no share.
    """
    survivors = state.powers.survivors()
    players = state.seats.players()
    cast = {power: _ballot(players.get(power)) for power in survivors}
    share = _shared(frozenset(survivors), cast, state.settings.dias)
    if share and (len(share) > 1 or state.settings.dias):
        return StoredOutcome(
            StoredEnding.DRAW, tuple(power for power in survivors if power in share)
        )
    if share and state.settings.concessions:
        return StoredOutcome(StoredEnding.CONCESSION, tuple(share))
    first = leader(state)
    others = [power for power in survivors if power not in first]
    if not (state.settings.concessions and set(first) & set(survivors) and others):
        return None
    if all(cast[power].concede in first for power in others):
        return StoredOutcome(
            StoredEnding.CONCESSION, tuple(power for power in survivors if power in first)
        )
    return None


def leader(state: State) -> tuple[str, ...]:
    """Return the powers of the player who owns more centers than any other; () for a tie."""
    counts = center_counts(state)
    return (
        sole_leader({hand: sum(counts[power] for power in hand) for hand in state.powers.hands()})
        or ()
    )


def _ballot(seat: Seat | None) -> Vote:
    return seat.draw if seat is not None and seat.draw is not None else Vote()


def _shared(
    survivors: frozenset[str], cast: Mapping[str, Vote], dias: bool
) -> frozenset[str] | None:
    """Return who shares the game by these votes; with `dias` only all survivors can."""
    wishes = {
        power: survivors if vote.share == "all" else vote.share for power, vote in cast.items()
    }
    shares = {power: wish and wish & survivors for power, wish in wishes.items()}
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
    every = ballot.share == "all"
    named = () if every else ballot.share or ()
    listed = [power for power in state.variant.powers if power in named]
    return {
        "power": seat.power,
        "every": every,
        "draw": ballot.share is not None,
        "with_me": seat.power in listed,
        "others": [power for power in listed if power != seat.power],
        "concede": ballot.concede,
    }


_UNSEATED = (Condition.CARETAKER, Condition.DISORDER, Condition.DUMMY)
"""Conditions of powers that have no vote and no share in a draw."""


def unseated(state: State) -> dict[str, str]:
    """Return the powers on the board that have no vote and no share in a draw, as nobody plays
    them, and in which condition they are."""
    return {each: found for each, found in unplayed(state).items() if found in _UNSEATED}


def unplayed(state: State) -> dict[str, str]:
    """Return the powers on the board that nobody plays, and in which condition they are."""
    if state.game.state not in (GameState.ACTIVE, GameState.PAUSED):
        return {}
    conditions = {power: state.powers.condition(power) for power in state.variant.powers}
    return {
        power: condition
        for power, condition in conditions.items()
        if condition is not Condition.PLAYED and state.powers.alive(power)
        if power not in state.variant.standing
    }


def draw_line(state: State, ballot: Vote) -> str:
    """Return the line that casts a vote for a draw."""
    if ballot.share is None or ballot.share == "all":
        return "SET DRAW"
    letters = state.variant.letters
    return f"SET DRAW {''.join(key for key, name in letters.items() if name in ballot.share)}"


def read_limit(calendar: Calendar, text: str) -> str:
    """Read a turn as settings store it: `F1907` from `F1907`, `Fall 1907`, or `1907` (its fall).

    Raises ValueError, quoting `text`, when it names none.
    """
    words = text.replace(",", " ").split()
    if len(words) == 1:
        season, year = (words[0][:1].upper(), words[0][1:])
        if words[0].isdecimal():
            moves = [each for each, kind in calendar.year if kind is Kind.MOVEMENT]
            season, year = moves[-1].value, words[0]
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


def put_sharing(state: State, rivals: Sequence[str]) -> list[Person]:
    """Open the question to the players of these powers for the open phase; return whom to ask.

    That is nobody if one of the powers has no player, or there is nothing to decide.
    """
    seats = [state.seats.player(power) for power in rivals]
    people = {seat.person_id: state.seats.person(seat) for seat in seats if seat is not None}
    asks = rule_hooks(state.variant).winners is alone_wins and None not in seats and len(people) > 1
    question = SharingQuestion(state.game.phase, tuple(rivals)) if asks else None
    state.note(sharing=question)
    return list(people.values()) if asks else []


def ask_again_to_share(state: State) -> None:
    """Ask again after a rollback to a phase in which the question was open."""
    rivals: Sequence[str] = ()
    for run in reversed(state.storage.history.of_game(state.game.id)):
        rivals = rivals or run.results.get("rivals") or ()
        if run.results["orders"]:
            break
    ask_to_share(state, put_sharing(state, rivals))


def ask_to_share(state: State, people: Sequence[Person]) -> None:
    """Ask these players, each of whom can reply YES or NO."""
    for person in people:
        asked = sharing_facts(state, person.id) or {}
        state.tell(EventKind.SHARING, asked, to=Recipient(person.id), claim=state.game.phase)


def _open(state: State) -> SharingQuestion | None:
    kept = state.game.options.sharing
    return kept if kept is not None and kept.phase == state.game.phase else None


def _rivals(state: State) -> list[int]:
    """Return the ids of the players who have the choice."""
    kept = _open(state)
    seats = [state.seats.player(power) for power in kept.powers] if kept else []
    people = dict.fromkeys(seat.person_id for seat in seats if seat is not None)
    return [person_id for person_id in people if person_id is not None]


def undecided(state: State) -> list[int]:
    """Return the ids of players who have not replied; none once the game goes on for sure."""
    kept = _open(state)
    if kept is None or kept.no:
        return []
    return [person_id for person_id in _rivals(state) if person_id not in kept.yes]


def agreed_to_share(state: State) -> StoredOutcome | None:
    """Return the draw of the two, if both want it."""
    kept, rivals = _open(state), _rivals(state)
    if kept is None or len(rivals) < 2 or not set(rivals) <= set(kept.yes):
        return None
    return StoredOutcome(StoredEnding.SHARED, kept.powers)


def sharing_facts(state: State, person_id: int | None) -> dict[str, object] | None:
    """Return the question as one of the two reads it, with their answer; None for others."""
    kept = _open(state)
    if kept is None or person_id not in _rivals(state):
        return None
    mine = [power for power in kept.powers if power in state.seats.parts_of(person_id or 0)]
    return {
        "own": mine,
        "others": [power for power in kept.powers if power not in mine],
        "answer": "yes" if person_id in kept.yes else "no" if person_id in kept.no else None,
    }


def answer_sharing(state: State, claim: str, person_id: int, yes: bool) -> bool:
    """Take the answer of one of the two, and return whether the question was still open.

    They may change it as long as the phase `claim` is open. Raises LookupError for anybody else.
    """
    kept = _open(state)
    if kept is None or kept.phase != claim or state.game.state == GameState.ENDED:
        return False
    if person_id not in _rivals(state):
        raise LookupError("not one of the two")
    said_yes, said_no = (
        tuple(each for each in said if each != person_id) + ((person_id,) if mine else ())
        for said, mine in ((kept.yes, yes), (kept.no, not yes))
    )
    state.note(sharing=replace(kept, yes=said_yes, no=said_no))
    return True
