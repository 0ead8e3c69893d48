"""A game from its start to its deletion: START, PROCESS, ROLLBACK, RENAME, REVEAL, PURGE."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence, Sized
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from judge.commands.admission import awaited
from judge.commands.names_meant import must_name, phase_named
from judge.events import EventKind, Everybody
from judge.game import phases
from judge.game.fairness import seed_seal
from judge.game.orders.consistency import preview
from judge.game.people.seating import unseat_players
from judge.game.rollbacks import (
    has_run,
    last_of_people,
    last_rollback,
    played,
    roll_back,
    roll_forward,
)
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.game.state.boards import with_words
from judge.game.state.profile import JudgeProfile
from judge.game.visibility.eyes import ANYBODY, Eyes, ShownPhase, reader_of
from judge.intake.arguments import can_name_game
from judge.intake.context import Cursor, Log
from judge.intake.lines import Line
from judge.storage import FormerName, GameState, Role, StoredEnding, StoredOutcome

# START: begin a game whose start is manual


def start(cursor: Cursor, now: datetime, log: Log, state: State) -> Answer:
    free = state.terms.free_places
    if free:
        raise Refused("seats_free", game=state.game.name, free=free, listed=state.settings.listed)
    state.set(manual_start=False, muster=False)
    log("start", {})
    return Answer("starting", awaited(cursor, now, state))


# FORCE BEGIN and UNSTART: start without the players who are missing, and begin anew


def force_begin(cursor: Cursor, now: datetime, log: Log, state: State) -> Answer:
    game = state.game
    if not state.seats.active(Role.PLAYER):
        raise Refused("nobody_to_begin", game=game.name)
    missing = state.terms.free_places
    state.set(forced=True, manual_start=False)
    log("forced start", {"missing": missing})
    facts = {"missing": missing, "shared": state.settings.people is not None}
    return Answer("forced", awaited(cursor, now, state) | facts)


def unstart(cursor: Cursor, seed: Callable[[], str], log: Log, state: State) -> Answer:
    game = state.game
    _check_started(cursor, state)
    if game.state == GameState.ENDED or has_run(state):
        raise Refused("begun", game=game.name, state=game.state, phase=game.phase)
    cursor.sender.confirm("unstarting", game=game.name)
    log("unstarted", {"phase": game.phase})
    state.close()
    state.note(pause=None, proposals={}, coin=None)
    # Everybody knows the seed of the first draw.
    state.note(seed=seed())
    settings = state.settings
    ends_at = None if settings.time_limit is not None else settings.ends_at
    state.set(manual_start=True, forced=False, ends_at=ends_at)
    unseat_players(state)
    cursor.tell(EventKind.UNSTARTED, {"seal": seed_seal(state)})
    return Answer("unstarted", {"game": game.name})


# PROCESS: the master runs a phase now


def process(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    game = state.game
    assert game.phase is not None
    cursor.check_in_time(state)
    write = f"PROCESS {game.phase}"
    named = "" if call.arguments.strip(" .!").upper() == "NOW" else call.arguments
    if not (named or state.terms.of_one):
        raise Refused("name_the_phase", write=write, phase=game.phase)
    phase = phase_named(state, named or game.phase, write)
    if phase != game.phase:
        raise Refused("other_phase", write=write, named=phase, phase=game.phase)
    if (missing := state.sheets.missing()) and not state.terms.of_one:
        cursor.sender.confirm("processing", phase=phase, missing=missing, game=game.name)
    log("processed", {"phase": phase})
    phases.run(state, now)
    facts: dict[str, object] = {"phase": phase, "now_open": game.phase, "report": None}
    facts["undo"] = None if state.terms.of_one else f"ROLLBACK {phase}"
    facts["state"] = game.state
    run = cursor.eyes(state).past(phase) if state.terms.private else None
    told: Collection[Sized] = ()
    if run is not None:
        facts["report"] = report = _ordered(state, run)
        told = report["orders"].values()
        if _says_all(cursor, state, EventKind.RESULTS):
            facts["board"] = run.left(cursor.sender.registered)
    facts |= _standing(cursor, state, told)
    return Answer("processed", facts)


def _says_all(cursor: Cursor, state: State, kind: EventKind) -> bool:
    """Leave anyone who steps through a game with themselves out of a letter that everybody in it is
    to get, since the answer says the same; whether there was one."""
    if not _steps(cursor, state):
        return False
    me, said = cursor.sender.person_id, False
    for place, each in enumerate(cursor.events):
        if each.kind is kind:
            cursor.events[place] = replace(each, to=Everybody((me,) if me is not None else ()))
            said = True
    return said


def _steps(cursor: Cursor, state: State) -> bool:
    """Return whether the writer steps through a game of their own."""
    return state.terms.private and cursor.keeping is None


def _standing(
    cursor: Cursor, state: State, orders: Iterable[Sized] | None = None
) -> dict[str, object]:
    """Return whether the writer steps through a game, and where all units stand then."""
    steps = _steps(cursor, state)
    seen = Eyes(state, reader_of(cursor.sender.person_id))
    return {"steps": steps, "standing": untold_standings(seen, orders) if steps else ()}


def untold_standings(seen: Eyes, orders: Iterable[Sized] | None = None) -> Sequence[object]:
    """Return where all units stand; nothing if the orders of powers, or those that the reader has
    on file, say it of most."""
    told = [seen.power_view(power).orders for power in seen.powers] if orders is None else orders
    units = sum(map(len, seen.opened.units.values()))
    return () if sum(map(len, told)) > units / 2 else seen.standings()


def _ordered(state: State, run: ShownPhase) -> dict[str, Any]:
    """Return the results of a phase in words, of units that had orders, with the centers that
    changed hands in those after it in which nobody had anything to decide."""
    orders = {
        power: [line for line in lines if line["given"] or not line["done"]]
        for power, lines in run.report["orders"].items()
    }
    given = {power: lines for power, lines in orders.items() if lines}
    taken = [each for phase in (run, *run.later()) for each in phase.report["taken"]]
    return with_words({**run.report, "orders": given, "taken": taken}, state.variant)


# PREDICT: what would come of the orders that are there, for the masters only


def predict(cursor: Cursor, profile: JudgeProfile, log: Log, state: State) -> Answer:
    game = state.game
    keeps = cursor.keeping is not None
    # Where the keeper runs a game without a master, anyone who made it may play in it.
    masters = [
        seat.person_id for seat in state.seats.active(Role.MASTER) if seat.person_id is not None
    ]
    if keeps:
        # The command line has no sender.
        keeper = cursor.storage.people.by_address(profile.keeper or "")
        if keeper is None:
            raise Refused("keeper_unknown")
        masters = [keeper.id]
    preview(state, masters)
    log("preview", {"phase": game.phase})
    return Answer("previewed", {"phase": game.phase, "keeps": keeps})


# ROLLBACK and RESTORE: the master takes phases back, and takes that back


def rollback(
    cursor: Cursor, now: datetime, seed: Callable[[], str], log: Log, state: State, call: Line
) -> Answer:
    _check_started(cursor, state)
    game = state.game
    ran = played(state)
    if not ran:
        raise Refused("nothing_ran", game=game.name, phase=game.phase)
    write = f"ROLLBACK {ran[-1]}"
    if not (call.arguments or state.terms.of_one):
        raise Refused("rollback_to_what", write=write, ran=ran[-_SHOWN:], game=game.name)
    phase = phase_named(state, call.arguments or last_of_people(state), write)
    if phase not in ran:
        raise Refused("never_ran", write=write, named=phase, ran=ran[-_SHOWN:], game=game.name)
    undone = roll_back(state, now, phase, seed)
    log("rollback", {"phase": phase, "undone": undone})
    _says_all(cursor, state, EventKind.ROLLBACK)
    facts = {"phase": phase, "undone": undone, "game": game.name, "private": state.terms.private}
    facts |= _standing(cursor, state)
    return Answer("rolled_back", facts)


def back(
    cursor: Cursor, now: datetime, seed: Callable[[], str], log: Log, state: State, call: Line
) -> Answer:
    """Take the last phase back where one person plays; elsewhere, one who writes is back by it."""
    if state.terms.of_one:
        return rollback(cursor, now, seed, log, state, call)
    return Answer("is_back", {"game": state.game.name})


def restore(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    _check_started(cursor, state)
    game = state.game
    last = last_rollback(state)
    if last is None:
        raise Refused("nothing_to_restore", game=game.name)
    if call.arguments:
        write = f"RESTORE {last.phase}"
        phase = phase_named(state, call.arguments, write)
        if phase != last.phase:
            raise Refused("other_rollback", write=write, named=phase, phase=last.phase)
    redone = roll_forward(state, now, last)
    log("restored", {"phase": last.phase, "redone": redone})
    return Answer(
        "restored",
        {"redone": redone, "now_open": game.phase, "state": game.state, "game": game.name},
    )


_SHOWN = 6
"""Phases that a refusal names."""


def _check_started(cursor: Cursor, state: State) -> None:
    """Raise Refused unless a game has begun; a mail from before its phase does nothing."""
    if state.phase is None:
        raise not_running(state)
    cursor.check_in_time(state)


# RENAME, PURGE and REVEAL: a game's name, a game nobody joined, and who it was that played


def rename(cursor: Cursor, log: Log, state: State, call: Line) -> Answer:
    old = state.game.name
    new = call.arguments.lstrip("? ").strip(" .!").lower()
    if not can_name_game(new):
        raise Refused("bad_game_name", write="RENAME rome", name=new)
    if cursor.storage.games.by_name(new) is not None:
        raise Refused("name_taken", write=f"RENAME {new}2", name=new)
    if state.phase is not None:
        former = FormerName(state.game.phase, state.sheets.sealed_as)
        state.note(sealed_as=former)
    state.game.name = new
    log("renamed", {"old": old, "new": new})
    cursor.tell(EventKind.RENAMED, {"old": old})
    return Answer("renamed", {"old": old, "new": new})


def purge(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    game = state.game
    if call.arguments:
        must_name(state, call.arguments, "PURGE")
    if game.state != GameState.FORMING:
        raise Refused("has_started", game=game.name)
    me = cursor.sender.person_id
    if any(person_id != me for person_id in state.seats.everybody()):
        raise Refused("people_in_it", write=f"TERMINATE {game.name}", game=game.name)
    name = game.name
    cursor.sender.confirm("purging", game=name)
    log("purged", {"name": name})
    game.state = GameState.ENDED
    game.ended_at = now
    game.outcome = StoredOutcome(StoredEnding.PURGED, ())
    # What was ever done stays on file, under a name that nobody can write.
    game.name = f"{name} {game.id}"
    state.set(listed=False)
    state.seats.leave(state.seats)
    cursor.leave(call.text)
    return Answer("purged", {"game": name})


def reveal(cursor: Cursor, log: Log, state: State) -> Answer:
    if state.game.state != GameState.ENDED:
        raise Refused("not_over", game=state.game.name)
    cursor.sender.confirm("revealing", game=state.game.name)
    state.note(revealed=True)
    people = Eyes(state, ANYBODY).people()["people"]
    log("revealed")
    cursor.tell(EventKind.REVEALED, {})
    return Answer("revealed", {"game": state.game.name, "people": people})
