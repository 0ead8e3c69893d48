"""No input makes the interchange fail in any way but its own."""

from __future__ import annotations

import copy
import json
import random
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from judge import variants
from judge.interchange import (
    InterchangeError,
    adjudicate_line,
    adjudicate_object,
    orders_object,
    position_object,
    read_question,
)
from judge.rules.adjustments import due
from judge.rules.engine import adjudicate
from judge.rules.legal_orders import legal_orders
from judge.rules.position import Position

STANDARD = variants.load("standard")

atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(["A par", "F stp/nc", "France", "stp", "S1901M", "F1901R", "A par - bur"]),
)
values = st.recursive(
    atoms,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
GOOD: dict[str, Any] = {
    "id": 1,
    "variant": "standard",
    "rules": "2023",
    "options": {"4.A.2": "c"},
    "phase": "F1901R",
    "units": {"France": ["A par"], "Italy": ["F tyn", "A bur"]},
    "centers": {"France": ["par", "bre"], "Italy": ["rom"]},
    "dislodged": {"France": [{"unit": "A bur", "attacker": "mun"}]},
    "contested": ["gas"],
    "orders": {"France": ["A bur R pic", "A par H"]},
}


def places(value: Any) -> list[list[Any]]:
    """The paths to everything in a JSON value."""
    found: list[list[Any]] = [[]]
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, inner in items:
        found += [[key, *path] for path in places(inner)]
    return found


def replaced(value: Any, path: list[Any], new: Any) -> Any:
    if not path:
        return new
    value = copy.copy(value)
    value[path[0]] = replaced(value[path[0]], path[1:], new)
    return value


@given(st.sampled_from(places(GOOD)), values)
def test_whatever_stands_in_a_field_it_is_answered_or_refused(path: list[Any], new: Any) -> None:
    data = replaced(GOOD, path, new)
    with suppress(InterchangeError):
        assert json.dumps(adjudicate_object(data))


@given(st.text(max_size=30) | st.binary(max_size=30))
def test_whatever_a_line_is_it_is_answered_or_refused(line: str | bytes) -> None:
    with suppress(InterchangeError):
        assert adjudicate_line(line)


def some_orders(position: Position, dice: random.Random) -> dict[str, list[str]]:
    """Legal orders for every power, texts as they are answered by `orders_object`."""
    data = position_object(STANDARD, position)
    orders = {}
    for power in STANDARD.powers:
        legal = orders_object(data, power)
        if position.phase.kind.value == "A":
            wanted = dice.sample(
                sorted(legal), min(len(legal), abs(due(STANDARD, position, power)))
            )
            legal = {unit: legal[unit] for unit in wanted}
        orders[power] = [dice.choice(texts) for texts in legal.values()]
    return orders


@settings(max_examples=8)
@given(st.integers(0, 10_000))
def test_games_played_through_the_format_stay_consistent(seed: int) -> None:
    """What is answered for one phase is the position of the next, and reads back as it is."""
    dice = random.Random(seed)
    data = position_object(STANDARD, STANDARD.opening)
    for _ in range(12):
        position = read_question(data).position
        data["orders"] = some_orders(position, dice)
        answer = adjudicate_object(data)
        for power, texts in data["orders"].items():
            given_ones = [result["order"] for result in answer["results"].get(power, [])]
            assert given_ones[: len(texts)] == texts
        standing = [unit.split()[1][:3] for held in answer["units"].values() for unit in held]
        assert len(standing) == len(set(standing))
        assert json.loads(adjudicate_line(json.dumps(data))) == answer
        direct = adjudicate(STANDARD, position, read_question(data).orders)
        assert {
            power: sorted(map(str, held)) for power, held in direct.position.units.items() if held
        } == {power: sorted(held) for power, held in answer["units"].items()}
        if answer["winner"]:
            break
        data = {
            "phase": answer["next_phase"],
            **{key: answer[key] for key in ("units", "centers", "contested")},
        }
        if answer["next_phase"].endswith("R"):
            data["dislodged"] = answer["dislodged"]


def test_the_legal_orders_of_the_engine_are_those_of_the_format() -> None:
    legal = legal_orders(STANDARD, STANDARD.opening, "Russia")
    assert orders_object(position_object(STANDARD, STANDARD.opening), "Russia") == {
        str(unit): list(map(str, orders)) for unit, orders in legal.items()
    }
