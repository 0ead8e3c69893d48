"""The same positions for the PyPI package `diplomacy`, through its public API.

Its provinces and powers have names of their own; everything is translated before the clock starts,
so that neither side pays for it.
"""

from __future__ import annotations

import json
from typing import Any

from diplomacy import Game

from benchmarks.selfplay import Turn
from judge.interchange.convert import PACKAGE_NAMES, saved_order, saved_place, saved_unit
from judge.rules.board import Board


def line(turn: Turn, board: Board) -> str:
    """A turn on the standard board as one JSON object in the package's own notation."""
    position = turn.position
    units = {power: [saved_unit(u) for u in own] for power, own in position.units.items()}
    centers = {power: [saved_place(c) for c in own] for power, own in position.centers.items()}
    orders = {
        power: [saved_order(order, board) for order in own] for power, own in turn.orders.items()
    }
    data = {"name": str(position.phase), "units": units, "centers": centers, "orders": orders}
    return json.dumps({key: _upper(value) for key, value in data.items()})


def _upper(value: Any) -> Any:
    """Powers in capitals."""
    if isinstance(value, dict):
        return {power.upper(): own for power, own in value.items()}
    return value


def game(text: str, made: Game | None = None) -> Game:
    """A game in which the position stands and the orders are given: all but the processing.

    With `made`, that game is used again, which spares the package a game's building.

    Convoyed armies are marked "VIA", as the package writes it when it completes an order itself.
    """
    data = json.loads(text)
    orders = data.pop("orders")
    made = made or Game()
    made.set_state(data)
    for power, own in orders.items():
        made.set_orders(power, own)
    return made


def resolve(made: Game) -> None:
    """The package's resolver alone, with what prepares the orders for it."""
    made._determine_orders()
    made._add_coasts()
    made._resolve_moves()


def answer(text: str, made: Game) -> str:
    """From line to line in the same game: parse, set up, process, and write down what came of it,
    which is the best that can be made of the package."""
    game(text, made)
    phase = made.process()
    state = made.get_state()
    return json.dumps(
        {
            "name": state["name"],
            "results": {unit: [str(code) for code in own] for unit, own in phase.results.items()},
            "units": state["units"],
            "retreats": state["retreats"],
            "centers": state["centers"],
        }
    )


def placed(made: Game) -> dict[str, list[str]]:
    """The units left standing where they stand after processing, in our names."""
    back = {theirs: ours for ours, theirs in PACKAGE_NAMES.items()}
    after = {}
    for power, own in made.get_state()["units"].items():
        names = []
        for unit in own:
            if not unit.startswith("*"):
                kind, _, location = unit.partition(" ")
                province, slash, coast = location.partition("/")
                name = back.get(province, province.lower())
                names.append(f"{kind} {name}{slash}{coast.lower()}")
        after[power.capitalize()] = sorted(names)
    return after
