"""The same positions for the PyPI package `diplomacy`, through its public API.

Its provinces and powers have names of their own; everything is translated before the clock starts,
so that neither side pays for it.
"""

from __future__ import annotations

import json
from typing import Any

from diplomacy import Game

from benchmarks.selfplay import Turn
from judge.rules.orders import Convoy, Hold, Move, Order, Support
from judge.rules.position import Unit

NAMES = {"mid": "MAO", "nat": "NAO", "nrg": "NWG", "tyn": "TYS", "gol": "LYO"}


def _place(location: str) -> str:
    province, slash, coast = location.partition("/")
    return NAMES.get(province, province.upper()) + slash + coast.upper()


def _unit(unit: Unit) -> str:
    return f"{unit.kind} {_place(unit.location)}"


def _order(order: Order) -> str:
    match order:
        case Hold():
            return f"{_unit(order.unit)} H"
        case Move():
            return f"{_unit(order.unit)} - {_place(order.to)}" + (" VIA" if order.via else "")
        case Support(to=None):
            return f"{_unit(order.unit)} S {_unit(order.target)}"
        case Support(to=str(to)):
            return f"{_unit(order.unit)} S {_unit(order.target)} - {_place(to)}"
        case Convoy():
            return f"{_unit(order.unit)} C {_unit(order.army)} - {_place(order.to)}"
    raise ValueError(f"not an order for a movement phase: {order}")


def line(turn: Turn) -> str:
    """A turn as one JSON object in the package's own notation."""
    position = turn.position
    units = {power: [_unit(u) for u in own] for power, own in position.units.items()}
    centers = {power: [_place(c) for c in own] for power, own in position.centers.items()}
    orders = {power: [_order(order) for order in own] for power, own in turn.orders.items()}
    data = {"name": str(position.phase), "units": units, "centers": centers, "orders": orders}
    return json.dumps({key: _upper(value) for key, value in data.items()})


def _upper(value: Any) -> Any:
    """Powers in capitals."""
    if isinstance(value, dict):
        return {power.upper(): own for power, own in value.items()}
    return value


def game(text: str) -> Game:
    """A game in which the position stands and the orders are given: all but the processing.

    Convoyed armies are marked "VIA", as the package writes it when it completes an order itself.
    """
    data = json.loads(text)
    orders = data.pop("orders")
    made = Game()
    made.set_state(data)
    for power, own in orders.items():
        made.set_orders(power, own)
    return made


def resolve(made: Game) -> None:
    """The package's resolver alone, with what prepares the orders for it."""
    made._determine_orders()
    made._add_coasts()
    made._resolve_moves()


def answer(text: str) -> str:
    """From line to line: parse, set up, process, and write down what came of it."""
    made = game(text)
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
    back = {theirs: ours for ours, theirs in NAMES.items()}
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
