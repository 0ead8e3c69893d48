"""Roll a game back to the moment before a phase ran, and forward again while nothing has run.

The audit is the log of what game masters have done to a game, as all its players may read it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from msgspec.structs import replace

from judge.events import EventKind
from judge.game.endings import ask_again_to_share
from judge.game.fairness import coin_seal, commit_coin, settle_coin
from judge.game.orders import advance
from judge.game.people import reliability
from judge.game.phases import open_phase
from judge.game.state import State
from judge.game.visibility.identity import called
from judge.i18n import say
from judge.interchange.stored_values import position_from_json
from judge.language.read import read_order
from judge.rules.position import Position
from judge.storage import (
    GameState,
    LogEntry,
    PhaseRun,
    ProposalKind,
    ReliabilityEntry,
    Role,
    Rollback,
    SeatState,
    Snapshot,
)


def roll_back(state: State, now: datetime, phase: str, chance: Callable[[], str]) -> list[str]:
    """Open a phase that has run again, with the orders it ran with, and tell everybody.

    Later phases stay on file but do not count, for anybody's reliability either; advance orders for
    them wait again. A finished game goes on. Players who owe orders are set to WAIT, so that the
    phase does not run the same way at once. A coin that fell since will fall again, by a new seed
    from `chance`. Returns the phases undone, in the order they ran.
    """
    game, run = state.game, state.storage.history.find(state.game.id, phase)
    assert run is not None
    gone = [each for each in state.storage.history.of_game(game.id) if each.id >= run.id]
    phases = [each.phase for each in gone]
    conduct = state.storage.reliability_log.take_back(game.id, phases, reliability.OF_A_PHASE)
    kept = _snapshot(state, conduct)
    state.storage.history.roll_back(Rollback(game_id=game.id, phase=run.phase, at=now, kept=kept))
    undone = _played(gone)
    ended = game.state == GameState.ENDED
    lifted = _play_on(state, now)
    taken = [*(each.results.get("ahead", {}) for each in gone[1:]), state.game.options.ahead]
    _reopen(state, now, position_from_json(run.position), run.orders)
    commit_coin(state, chance)
    state.note(ahead=run.results.get("ahead") or {})
    advance.put_back(state, taken, now)
    state.tell(
        EventKind.ROLLBACK,
        {"undone": undone, "ended": ended, "lifted": lifted, "coin": coin_seal(state)},
    )
    ask_again_to_share(state)
    return undone


def roll_forward(state: State, now: datetime, rollback: Rollback) -> list[str]:
    """Undo a rollback: the game is as it was before, orders included.

    Orders given since are dropped, because their phase has run. Returns the phases that count
    again, in the order they ran.
    """
    game = state.game
    kept = rollback.kept
    redone = _played(state.storage.history.rolled_back(rollback.id))
    state.storage.history.restore(rollback, now)
    ended = kept.state == GameState.ENDED
    if ended:
        _leave(state)
        state.open(position_from_json(kept.position))
        settle_coin(state, now)
        game.state = GameState.ENDED
        state.note(pause=None)
        game.deadline = game.grace_end = None
        game.outcome = kept.outcome
        game.ended_at = kept.ended_at
    else:
        _reopen(state, now, position_from_json(kept.position), kept.orders)
    state.note(ahead=kept.ahead or {})
    advance.forget_past(state, over=ended)
    for entry in kept.conduct:
        state.storage.reliability_log.record(replace(entry, id=0))
    state.tell(EventKind.RESTORED, {"redone": redone, "ended": ended})
    if not ended:
        ask_again_to_share(state)
    return redone


def has_run(state: State) -> bool:
    """Return whether any phase of a game has run."""
    return state.storage.history.last(state.game.id) is not None


def played(state: State) -> list[str]:
    """Return the phases that have run in which anybody had anything to decide, oldest first."""
    return _played(state.storage.history.of_game(state.game.id))


def last_of_people(state: State) -> str:
    """Return the last phase that has run in which somebody who is no computer had anything to
    decide; the last of all where there is none."""
    people = {seat.power for seat in state.seats.active(Role.PLAYER) if not seat.options.bot}
    runs = state.storage.history.of_game(state.game.id)
    theirs = [run.phase for run in runs if not people.isdisjoint(run.results["orders"])]
    return (theirs or _played(runs))[-1]


def last_rollback(state: State) -> Rollback | None:
    """Return the last rollback of a game that can be taken back; None if there is none."""
    return state.storage.history.last_rollback(state.game.id)


def _played(runs: Sequence[PhaseRun]) -> list[str]:
    """Return the phases in which anybody had anything to decide."""
    return [run.phase for run in runs if run.results["orders"]]


def _snapshot(state: State, conduct: Sequence[ReliabilityEntry]) -> Snapshot:
    """Return the state of the game for `roll_forward`."""
    game = state.game
    return Snapshot(
        state=game.state,
        position=game.position,
        orders={power: [str(order) for order in given] for power, given in state.orders.items()},
        outcome=game.outcome,
        ended_at=game.ended_at,
        ahead=state.game.options.ahead or None,
        conduct=tuple(conduct),
    )


def _play_on(state: State, now: datetime) -> bool:
    """Resume a finished game; return whether a time limit that has passed had to be lifted."""
    game = state.game
    if game.state == GameState.ENDED:
        game.state = GameState.ACTIVE
        game.outcome = game.ended_at = None
    ends_at = state.settings.ends_at
    if ends_at is None or ends_at > now:
        return False
    state.set(ends_at=None, time_limit=None)
    return True


def _leave(state: State) -> None:
    """Drop the orders for the open phase, which is not the one to play."""
    assert state.game.phase is not None
    state.on_file.drop(state.game.phase)


def _reopen(
    state: State, now: datetime, position: Position, orders: Mapping[str, Sequence[str]]
) -> None:
    """Open the phase of `position` as if it had just begun, with these orders on file.

    Its deadline is that of a new phase, and not before the one promised last.
    """
    _leave(state)
    state.open(position)
    phase = position.phase
    _leave(state)
    for power, given in orders.items():
        read = [
            read_order(text, state.variant, phase, power, position, state.rulebook)
            for text in given
        ]
        state.file(power, read, now, None)
    game = state.game
    paused = game.options.pause if game.state == GameState.PAUSED else None
    promised = paused.deadline if paused else None
    open_phase(state, now, promised or game.deadline)
    game.last_change = now
    if paused and game.deadline:
        # The game stays paused; RESUME keeps this deadline.
        paused = replace(paused, deadline=game.deadline)
        state.note(pause=paused)
        state.game.deadline = state.game.grace_end = None
    for seat in state.seats:
        if seat.state == SeatState.ACTIVE and seat.role == Role.PLAYER and seat.power in state.owed:
            seat.wait = True
            state.seats.keep(seat)


ACTS: Mapping[str, tuple[str, ...]] = {
    "set": ("setting", "old", "new"),
    "forced start": ("missing",),
    "unstarted": (),
    "processed": ("phase",),
    "preview": ("phase",),
    "rollback": ("phase", "undone"),
    "restored": ("phase", "redone"),
    "became": ("power", "phase"),
    "acted": ("power", "phase", "lines"),
    "ejected": ("parts",),
    "promoted": ("person",),
    "approved": ("power",),
    "dummy": ("power",),
    "revived": ("power",),
    "official": ("subject",),
    "renamed": ("old", "new"),
    "revealed": (),
    "terminated": ("phase",),
    "pause": ("phase",),
    "resume": ("phase",),
    "deadline": ("new",),
    "grace_end": ("new",),
    "start": ("new",),
    **{f"granted {kind}": () for kind in ProposalKind},
    **{f"declined {kind}": () for kind in ProposalKind},
}
"""The events that are acts of game masters, and which facts of each are told."""

_TIMES = ("deadline", "grace_end", "start")
"""The acts whose new value is an instant."""

_AFTER = ("lines",)
"""Facts that are told only after the end."""


def acts(state: State) -> list[dict[str, object]]:
    """Return what masters, or players of an unmoderated game, have done: when, who, what, facts.

    Names are those of masters only, which everybody knows; addresses there are none.
    """
    return [
        _act(state, event)
        for event in state.storage.events.of_game(state.game.id)
        if event.what in ACTS and event.actor != "judge"
    ]


def _act(state: State, event: LogEntry) -> dict[str, object]:
    hidden = () if state.game.state == GameState.ENDED else _AFTER
    facts = {name: event.facts.get(name) for name in ACTS[event.what] if name not in hidden}
    if "person" in facts:
        person = state.storage.people.find(facts["person"] or 0)
        facts["person"] = person.name if person else ""
    if event.what in _TIMES:
        facts["new"] = event.facts.get("new") and datetime.fromisoformat(event.facts["new"])
    if event.what == "acted":
        facts["count"] = len(event.facts["lines"])
    if event.facts.get("keeper"):
        who: str | None = say("the keeper of the judge")
    elif event.facts.get("director"):
        who = say("the director of the tournament")
    else:
        who = _master(state, event.actor)
    return {"at": event.at, "who": who, "what": event.what, "facts": facts}


def _master(state: State, address: str) -> str | None:
    """Return the name of the game master with this address; None for anybody else."""
    person = state.storage.people.by_address(address)
    if person is None:
        return None
    runs = any(seat.role == Role.MASTER and seat.person_id == person.id for seat in state.seats)
    return called(state, person) if runs else None
