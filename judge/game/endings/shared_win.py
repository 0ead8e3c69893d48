"""The question to two players who both have enough centers to win, where the rules ask it.

Global Diplomacy, II: they decide whether the game ends as a two-way draw between them. It goes on
unless both want the draw, and they are asked again whenever centers are counted and both have
enough. The question stays open for the next phase, which does not run before its deadline unless
both have replied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.events import EventKind, Reader
from judge.game.state import State
from judge.rules.hooks import rule_hooks
from judge.rules.winning import alone_wins
from judge.storage import Ending, GameState, Outcome, Person, SharingQuestion


def put(state: State, rivals: Sequence[str]) -> list[Person]:
    """Open the question to the players of these powers for the open phase; return whom to ask.

    That is nobody if one of the powers has no player, or there is nothing to decide.
    """
    seats = [state.player(power) for power in rivals]
    people = {seat.person_id: state.person(seat) for seat in seats if seat is not None}
    asks = rule_hooks(state.variant).winners is alone_wins and None not in seats and len(people) > 1
    question = SharingQuestion(state.game.phase, tuple(rivals)) if asks else None
    state.game.options = replace(state.game.options, sharing=question)
    return list(people.values()) if asks else []


def again(state: State) -> None:
    """Ask again after a rollback to a phase in which the question was open."""
    rivals: Sequence[str] = ()
    for run in reversed(state.storage.history.of_game(state.game.id)):
        rivals = rivals or run.results.get("rivals") or ()
        if run.results["orders"]:
            break
    ask(state, put(state, rivals))


def ask(state: State, people: Sequence[Person]) -> None:
    """Ask these players, each of whom can reply YES or NO."""
    for person in people:
        asked = facts(state, person.id) or {}
        state.tell(EventKind.SHARING, asked, to=Reader(person.id), claim=state.game.phase)


def _open(state: State) -> SharingQuestion | None:
    kept = state.game.options.sharing
    return kept if kept is not None and kept.phase == state.game.phase else None


def _rivals(state: State) -> list[int]:
    """Return the ids of the players who have the choice."""
    kept = _open(state)
    seats = [state.player(power) for power in kept.powers] if kept else []
    people = dict.fromkeys(seat.person_id for seat in seats if seat is not None)
    return [person_id for person_id in people if person_id is not None]


def undecided(state: State) -> list[int]:
    """Return the ids of players who have not replied; none once the game goes on for sure."""
    kept = _open(state)
    if kept is None or kept.no:
        return []
    return [person_id for person_id in _rivals(state) if person_id not in kept.yes]


def agreed(state: State) -> Outcome | None:
    """Return the draw of the two, if both want it."""
    kept, rivals = _open(state), _rivals(state)
    if kept is None or len(rivals) < 2 or not set(rivals) <= set(kept.yes):
        return None
    return Outcome(Ending.SHARED, kept.powers)


def facts(state: State, person_id: int | None) -> dict[str, object] | None:
    """Return the question as one of the two reads it, with their answer; None for others."""
    kept = _open(state)
    if kept is None or person_id not in _rivals(state):
        return None
    mine = [power for power in kept.powers if power in state.parts_of(person_id or 0)]
    return {
        "own": mine,
        "others": [power for power in kept.powers if power not in mine],
        "answer": "yes" if person_id in kept.yes else "no" if person_id in kept.no else None,
    }


def answer(state: State, claim: str, person_id: int, yes: bool) -> bool:
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
    state.game.options = replace(
        state.game.options, sharing=replace(kept, yes=said_yes, no=said_no)
    )
    return True
