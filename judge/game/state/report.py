"""What a phase led to, as JSON values: stored in the history, worded by the templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from judge.i18n import speaking
from judge.render.words import NAMED_SEASONS as NAMED
from judge.render.words import unit_name
from judge.rules import engine
from judge.rules.orders import Move, Order, Retreat
from judge.rules.outcome import Adjudication, Result
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.variant import Variant
from judge.sentences import Wording


def report(variant: Variant, before: Position, adjudication: Adjudication) -> dict[str, Any]:
    """The results of the phase that opened with `before`.

    `orders` by power with an outcome each, `dislodged` units with where they may go, `taken`
    centers with old and new owner, and what everybody owns afterwards.
    """
    after = adjudication.position
    return {
        "phase": str(before.phase),
        "orders": {
            power: [_line(variant, result) for result in results]
            for power, results in adjudication.results.items()
            if results
        },
        "dislodged": [
            {
                "power": power,
                "unit": str(each.unit),
                "name": unit_name(each.unit, variant),
                "retreats": [
                    {"id": place, "name": variant.board.name(place)} for place in each.retreats
                ],
            }
            for power in variant.powers
            for each in adjudication.dislodged.get(power, ())
        ],
        "taken": _taken(variant, before, after),
        "destroyed": _named(variant, adjudication.destroyed),
        "vanished": _named(variant, adjudication.vanished),
        "lost": [
            {"power": power, "unit": str(unit), "name": unit_name(unit, variant)}
            for power, units in adjudication.lost.items()
            for unit in units
        ],
        "units": {power: [str(unit) for unit in units] for power, units in after.units.items()},
        "centers": {power: list(centers) for power, centers in after.centers.items()},
    }


def tells(found: Mapping[str, Any]) -> bool:
    """Whether the results of a phase say anything: nobody may have had an order to give, and
    centers have changed hands all the same."""
    return bool(found["orders"] or found["taken"] or found.get("vanished"))


def _line(variant: Variant, result: Result) -> dict[str, Any]:
    return {
        "unit": None if result.unit is None else str(result.unit),
        "name": None if result.unit is None else unit_name(result.unit, variant),
        "order": str(result.order),
        "words": _in_english(result.order, variant),
        "done": result.succeeded,
        "reason": None if result.reason is None else result.reason.value,
        "note": result.note,
        "telling": _tells_more(result),
        "given": result.given,
    }


def _in_english(order: Order, variant: Variant) -> str:
    with speaking("en"):
        return str(Wording(order, variant))


_REPEATS = ("supported ", "convoyed ", "disbanded as ordered", "built in ")


def _tells_more(result: Result) -> bool:
    """Whether the note says more than the order itself does, to whom knows that it succeeded."""
    if result.reason is not None or not result.given:
        return True
    if isinstance(result.order, Move | Retreat):
        return not result.note.startswith(("moved to ", "retreated to ")) or "," in result.note
    return result.note != "held" and not result.note.startswith(_REPEATS)


def _named(variant: Variant, places: Sequence[str]) -> list[dict[str, str]]:
    return [{"id": place, "name": variant.board.name(place)} for place in places]


def _taken(variant: Variant, before: Position, after: Position) -> list[dict[str, Any]]:
    owner = {center: power for power, centers in before.centers.items() for center in centers}
    return [
        {
            "id": center,
            "name": variant.board.name(center),
            "from": owner.get(center),
            "to": power,
        }
        for power in variant.powers
        for center in after.centers.get(power, ())
        if owner.get(center) != power
    ]


def standings(variant: Variant, position: Position) -> list[dict[str, Any]]:
    """Each power's units and centers, and in an adjustment phase what it builds or removes."""
    owed: Mapping[str, engine.Owed] = (
        engine.owed(variant, position) if position.phase.kind is Kind.ADJUSTMENTS else {}
    )
    rows = []
    for power in variant.powers:
        units = position.units.get(power, ())
        centers = position.centers.get(power, ())
        mine = owed.get(power)
        rows.append(
            {
                "power": power,
                "units": [unit_name(unit, variant) for unit in units],
                "short": [str(unit) for unit in units],
                "centers": [variant.board.name(center) for center in sorted(centers)],
                "count": len(centers),
                "builds": mine.builds if mine else 0,
                "removals": mine.removals if mine else 0,
                "out": not units and not centers and not position.dislodged.get(power),
            }
        )
    return rows


def counting(variant: Variant) -> list[str]:
    """The seasons after which centers change hands, in the order of the year."""
    seasons = dict.fromkeys(season for season, _ in variant.calendar.year)
    return [str(NAMED[each]) for each in seasons if each in variant.calendar.ownership]


def abbreviations(variant: Variant) -> dict[str, str]:
    """Up to three letters for each power, to stand above a column: those it is known by, or else
    those it begins with."""
    return {
        power: next(
            (name for name in variant.aliases.get(power, ()) if name.isupper() and len(name) < 4),
            power[:3],
        )
        for power in variant.powers
    }
