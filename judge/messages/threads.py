"""What mail programs and other programs know a message by: its thread, and the field X-Judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from judge.events import Event, EventKind
from judge.game.state import State
from judge.i18n import say
from judge.sentences.terms import turn_words
from judge.storage import Game, GameState, Person, phase_root

PROGRAMS = "X-Judge"
"""The field that tells programs what a message is (docs/formats.md)."""


class Thread(NamedTuple):
    """The words at the end of the subject of a thread, None where it is in none, and the Message-ID
    that it begins with."""

    words: str | None
    root: str | None


def thread_of(game: Game | None, person: Person | None) -> Thread:
    """Return the thread of a message about a game as it stands, in the language that is spoken: one
    a phase, or one a game for those who want that (SET THREADS)."""
    if game is None:
        return Thread(None, None)
    if person is not None and person.options.threads == "game":
        return Thread("", game.thread)
    if game.state == GameState.ENDED:
        return Thread(say("The end"), phase_root(game.thread, "end"))
    if game.phase is None:
        return Thread(say("Forming"), phase_root(game.thread, "forming"))
    return Thread(turn_words(game.phase), phase_root(game.thread, game.phase))


def for_programs(event: Event, state: State | None, view: Mapping[str, Any]) -> str:
    """Return what programs need to know of a message: its kind, its game, and the phase it tells
    of, which is the one that was run where it has results."""
    row = event.kind.row
    sort = "broadcast" if row.sort == "press" and view.get("public") else row.sort
    found = [f"kind={sort}"]
    game = state.game.name if state else view.get("game") if row.outside else None
    if game:
        found.append(f"game={game}")
    phase = state.game.phase if state else None
    if event.runs:
        ran = [run for run in event.runs if run.results["orders"]] or event.runs
        phase = ran[-1].phase
    elif state and event.kind is EventKind.END and state.game.outcome:
        phase = state.game.outcome.phase
    if phase:
        found.append(f"phase={phase}")
    return "; ".join(found)
