"""The proof that games went as they should: every phase runs again from its stored orders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from judge.game.phases import rules_of
from judge.game.state import State, settings
from judge.game.state.boards import play
from judge.interchange.stored_values import position_from_json, position_to_json
from judge.language.read import read_order
from judge.rules.rulebook import Rulebook
from judge.storage import Game, PhaseRun, Storage


class Replayed(Struct, frozen=True):
    """A game that was played again: how many phases, those rolled back included, and what came out
    otherwise than it is on file, a line each."""

    game: str
    phases: int
    faults: tuple[str, ...]


def replay(storage: Storage, names: Sequence[str] = ()) -> Iterator[Replayed]:
    """Play all games again, or those of these names. Nothing is changed.

    What ran while it looks may be missing, never half there. Raises LookupError for a name that
    no game has.
    """
    games = storage.games.all()
    unknown = set(names) - {game.name for game in games}
    if unknown:
        raise LookupError(f"there is no game {min(unknown)}")
    for game in games:
        if not names or game.name in names:
            yield _game(storage, game)


def _game(storage: Storage, game: Game) -> Replayed:
    state = State(storage, game)
    counting = storage.history.of_game(game.id)
    faults: list[str] = []
    expected: Any = None
    for number, run in enumerate(counting):
        if number == 0:
            expected = position_to_json(_variant(state, run).opening)
        if run.position != expected:
            faults.append(f"{run.phase} did not open where the phase before it led")
        expected = _run(state, run, faults)
    # Read again where the game went on in between: a phase that ran since is not looked at.
    current = storage.games.find(game.id)
    went_on = current is None or current.version != game.version
    if game.position is not None and not went_on and counting and game.position != expected:
        faults.append(f"{game.phase} did not open where the phase before it led")
    undone = storage.history.undone(game.id)
    for run in undone:
        _run(state, run, faults)
    return Replayed(game.name, len(counting) + len(undone), tuple(faults))


def _run(state: State, run: PhaseRun, faults: list[str]) -> Any:
    """Run a phase again; the position it leads to, as JSON."""
    rules = _rules(state, run)
    rulebook = Rulebook.edition(rules["rulebook"]).with_options(rules.get("datc", {}))
    variant = _variant(state, run)
    before = position_from_json(run.position)
    orders = {
        power: [read_order(text, variant, before.phase, power, before, rulebook) for text in given]
        for power, given in run.orders.items()
    }
    after, found = play(variant, before, orders, rulebook)
    faults += [
        f"{run.phase}: {what} came out otherwise than on file"
        for what, (now, then) in _differences(found, run.results).items()
        if now != then
    ]
    return json.loads(json.dumps(position_to_json(after)))


def _rules(state: State, run: PhaseRun) -> Mapping[str, Any]:
    # A phase that ran under an older judge is taken to have had the rules its game has now.
    return run.results.get("rules") or rules_of(state)


def _variant(state: State, run: PhaseRun) -> Any:
    rules = _rules(state, run)
    kept = {key: rules[key] for key in rules if key not in ("variant", "rulebook", "datc")}
    return settings.played(rules["variant"], replace(state.settings, **kept))


def _differences(found: Mapping[str, Any], filed: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return what decides about a game, as it came out and as it is on file; its wording does
    not."""
    essence = _essence(json.loads(json.dumps(found))), _essence(filed)
    return {name: (essence[0][name], essence[1][name]) for name in essence[0]}


def _essence(results: Mapping[str, Any]) -> dict[str, object]:
    return {
        "phase": results["phase"],
        "orders": {
            power: [[line[key] for key in ("unit", "order", "done", "reason")] for line in lines]
            for power, lines in results["orders"].items()
        },
        "dislodged": [
            [each["power"], each["unit"], [place["id"] for place in each["retreats"]]]
            for each in results["dislodged"]
        ],
        "taken": [[each["id"], each["from"], each["to"]] for each in results["taken"]],
        "units": results["units"],
        "centers": results["centers"],
        "winners": results["winners"],
    }
