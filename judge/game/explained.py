"""EXPLAIN GAME: where a game that is over turned, and on which orders, as facts for its readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.visibility.eyes import Eyes
from judge.interchange.stored_values import position_from_json
from judge.language.read import read_order
from judge.records.turning import (
    OtherOrder,
    Played,
    ShareChange,
    TurningPoint,
    least,
    turning_points,
)
from judge.rules.orders import carried_out
from judge.rules.phase import Kind, Phase
from judge.rules.variant import of_phase
from judge.sentences.short import short_order
from judge.storage import GameState, PhaseRun

MOST: Final = 1_500_000
"""Steps of looking for other orders (`turning_points`); a second is enough for 200,000."""


def explained(state: State, seen: Eyes, most: int = MOST) -> dict[str, object]:
    """Return the turning points of a game, found in so many steps. Raises Refused for a game that
    is not over, and to whom may not see all of it."""
    game = state.game
    if game.state != GameState.ENDED or not seen.all:
        raise Refused("explained_when_over", game=game.name)
    runs = state.storage.history.of_game(game.id)
    moved = [at for at, run in enumerate(runs) if Phase.read(run.phase).kind is Kind.MOVEMENT]
    if not moved or state.position is None:
        raise Refused("nothing_to_explain", game=game.name)
    found = turning_points(
        state.variant,
        state.rulebook,
        [_played(state, runs[at]) for at in moved],
        state.position,
        runs[-1].winners or (),
        most,
    )
    until = dict(zip(moved, [*moved[1:], len(runs)], strict=True))
    spans = {runs[at].phase: runs[at:end] for at, end in until.items()}
    told = [_told(state, turn, spans[str(turn.phase)]) for turn in found]
    return {"game": game.name, "turns": told}


def _played(state: State, run: PhaseRun) -> Played:
    position = position_from_json(run.position)
    variant = of_phase(state.variant, position.phase)
    orders = {
        power: [read_order(text, variant, position.phase, power) for text in lines]
        for power, lines in run.orders.items()
    }
    return Played(position, carried_out(orders))


def _told(state: State, turn: TurningPoint, runs: Sequence[PhaseRun]) -> dict[str, object]:
    """Return a turning point for a template; `runs` are its phases, up to the next movements."""
    results: list[Mapping[str, Any]] = [run.results for run in runs]
    taken: dict[str, list[str]] = {}
    for each in (each for found in results for each in found["taken"]):
        taken.setdefault(each["to"], []).append(each["name"])
    (main, *rest), enough = turn.changes, least(state.variant)
    return {
        "phase": str(turn.phase),
        "changes": [_change(main), *(_change(each) for each in rest if abs(each.gain) >= enough)],
        "taken": taken,
        "dislodged": [each for found in results for each in found["dislodged"]],
        "tried": turn.tried,
        "made": [_other(each) for each in turn.made],
        "better": [_other(each) for each in turn.better],
        "standoffs": [
            {"place": state.variant.board.name(place), **_other(without)}
            for place, without in turn.standoffs
        ],
    }


def _change(change: ShareChange) -> dict[str, object]:
    """Return a change in percent."""
    return {"power": change.power, "old": round(100 * change.old), "new": round(100 * change.new)}


def _other(other: OtherOrder) -> dict[str, object]:
    return {
        "owner": other.power,
        "given": short_order(str(other.given)),
        "instead": short_order(str(other.instead)),
        **_change(other.change),
    }
