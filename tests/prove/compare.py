"""One position through the engine and through the reference; what they say differently."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.engine import adjudicate
from judge.rules.orders import Order
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from tests.prove.reference import Outcome, resolve


def compare(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    options: Mapping[str, str] | None = None,
) -> tuple[Outcome, list[str]]:
    """The reference's outcome under the 2023 rulebook with `options`, and all differences.

    A line for each: results, units, dislodgements with their retreats, contested provinces.
    Raises `reference.TooBigError` when the reference cannot try all assignments.
    """
    expected = resolve(variant, position, orders, options)
    rulebook = Rulebook.edition("2023").with_options(options or {})
    found = adjudicate(variant, position, orders, rulebook)
    differences = []
    seen: dict[str, bool] = {}
    for results in found.results.values():
        for result in results:
            if result.unit is not None:
                seen[result.unit.province] = result.succeeded
                if result.succeeded != expected.succeeds[result.unit.province]:
                    said = "succeeds" if result.succeeded else f"fails ({result.reason})"
                    differences.append(f"{result.order}: the engine says it {said}")
    differences += [f"no result for {at}" for at in expected.succeeds if at not in seen]
    after = _sorted(found.position.units)
    if after != _sorted(expected.units):
        differences.append(f"units: engine {after}, reference {_sorted(expected.units)}")
    gone = sorted(
        (str(unit.unit), unit.attacker or "", tuple(sorted(unit.retreats)))
        for units in found.dislodged.values()
        for unit in units
    )
    fell = sorted(
        (str(unit.unit), unit.attacker or "", unit.retreats) for unit in expected.dislodged.values()
    )
    if gone != fell:
        differences.append(f"dislodged: engine {gone}, reference {fell}")
    if sorted(found.contested) != sorted(expected.contested):
        differences.append(f"contested: engine {found.contested}, reference {expected.contested}")
    return expected, differences


def _sorted(units: Mapping[str, Sequence[object]]) -> dict[str, list[str]]:
    return {power: sorted(map(str, own)) for power, own in sorted(units.items()) if own}
