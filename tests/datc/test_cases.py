"""Every test case of chapter 6 of the DATC, and every example of the rule documents, as data.

The files in `cases/` hold one case after the other, on the standard board unless a `variant` is
named. A phase of a case has the position (`phase`,
`units`, `centers`, `retreating` units with the province their attacker came from, provinces
`closed` by a standoff) and its `orders`, each with + for one that succeeds or - for one that fails;
then what it leads to: the units standing `then`, who is `dislodged`, from where and with which
retreats `open`, the provinces `contested`, the `owners` of centers and the `next` phase. Of a case
with several phases, a phase starts where the one before ended. `choices` repeat a case under other
options; `also` names a rulebook that must come to the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from judge import variants
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.orders import Order
from judge.rules.phase import Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from tests.rules.table import said

CASES = Path(__file__).with_name("cases")


def _cases() -> Iterator[Any]:
    for path in sorted(CASES.glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            variant = variants.load(case.get("variant", "standard"))
            rules = Rulebook.edition(case["rulebook"]).with_options(case.get("options", {}))
            yield pytest.param(variant, case["phases"], case["phases"], rules, id=case["id"])
            for choice in case.get("choices", ()):
                letters = ",".join(f"{issue}={to}" for issue, to in choice["options"].items())
                yield pytest.param(
                    variant,
                    case["phases"],
                    choice["phases"],
                    rules.with_options(choice["options"]),
                    id=f"{case['id']} {letters}",
                )
                if "also" in choice:
                    yield pytest.param(
                        variant,
                        case["phases"],
                        choice["phases"],
                        Rulebook.edition(choice["also"]),
                        id=f"{case['id']} {choice['also']}",
                    )


@pytest.mark.parametrize(("variant", "inputs", "expected", "rulebook"), list(_cases()))
def test_case(variant: Variant, inputs: list[Any], expected: list[Any], rulebook: Rulebook) -> None:
    before: Adjudication | None = None
    for given, wanted in zip(inputs, expected, strict=True):
        position = _position(given, before)
        orders = {
            power: [read_order(line[2:], variant, position.phase, power) for line in lines]
            for power, lines in given["orders"].items()
        }
        before = engine.adjudicate(variant, position, orders, rulebook)
        _compare(before, position, orders, wanted)
        _compare_next(variant, before, wanted)


def test_nothing_is_missing() -> None:
    numbers = {param.id.split(" ")[0] for param in _cases()}
    assert len([number for number in numbers if number.startswith("6.")]) == 165
    assert len([number for number in numbers if number.startswith("era/")]) == 64
    assert len([number for number in numbers if not number.startswith(("6.", "era/"))]) == 149


def _unit(text: str) -> Unit:
    kind, location = text.split()
    return Unit(kind, location)


def _units(by_power: Mapping[str, str]) -> dict[str, tuple[Unit, ...]]:
    return {power: tuple(map(_unit, text.split(", "))) for power, text in by_power.items()}


def _position(given: Mapping[str, Any], before: Adjudication | None) -> Position:
    phase = Phase.read(given["phase"])
    position = Position(
        phase,
        _units(given["units"]),
        {power: tuple(text.split()) for power, text in given.get("centers", {}).items()},
        {
            power: tuple(Dislodged(_unit(gone["unit"]), gone["from"]) for gone in all_gone)
            for power, all_gone in given.get("retreating", {}).items()
        },
        tuple(given.get("closed", "").split()),
    )
    if before is None:
        return position
    assert _standing(position.units) == _standing(before.position.units)
    if phase.kind is Kind.RETREATS:
        assert set(before.contested) == set(position.contested)
        return before.position
    return position


def _standing(units: Mapping[str, tuple[Unit, ...]]) -> dict[str, set[Unit]]:
    return {power: set(standing) for power, standing in units.items() if standing}


def _compare(
    result: Adjudication,
    position: Position,
    orders: Mapping[str, list[Order]],
    wanted: Mapping[str, Any],
) -> None:
    for power, lines in wanted["orders"].items():
        results = result.results[power][: len(lines)]
        assert [entry.order for entry in results] == orders[power]
        signs = ["+" if entry.succeeded else "-" for entry in results]
        assert list(zip(signs, orders[power], strict=True)) == list(
            zip([line[0] for line in lines], orders[power], strict=True)
        )
        assert all(said(entry) for entry in results)
    assert _standing(result.position.units) == _standing(_units(wanted["then"]))
    if "dislodged" in wanted:
        retreats = {
            gone.unit: set(gone.retreats)
            for gone_of in result.dislodged.values()
            for gone in gone_of
        }
        assert {
            (power, gone.unit, gone.attacker)
            for power, all_gone in result.dislodged.items()
            for gone in all_gone
        } == {
            (power, _unit(gone["unit"]), gone["from"])
            for power, all_gone in wanted["dislodged"].items()
            for gone in all_gone
        }
        for all_gone in wanted["dislodged"].values():
            for gone in all_gone:
                if "open" in gone:
                    assert retreats[_unit(gone["unit"])] == set(gone["open"].split())
    if "contested" in wanted:
        assert set(result.contested) == set(wanted["contested"].split())
    # Every unit has exactly one order that was followed or that says what is wrong.
    for power, standing in position.units.items():
        if position.phase.kind is Kind.MOVEMENT:
            told = {entry.unit for entry in result.results[power]}
            assert set(standing) <= told


def _compare_next(variant: Variant, result: Adjudication, wanted: Mapping[str, Any]) -> None:
    """What the sample games say about the phase that is played next and the centers owned then."""
    position = result.position
    while position.phase.kind is Kind.RETREATS and not position.dislodged:
        position = engine.adjudicate(variant, position, {}).position
    if "next" in wanted:
        assert str(position.phase) == wanted["next"]
    if "owners" in wanted:
        assert {power: set(owned) for power, owned in position.centers.items() if owned} == {
            power: set(text.split()) for power, text in wanted["owners"].items()
        }
