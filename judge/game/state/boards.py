"""The board of a game, and what a phase led to, as the database keeps it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from judge.i18n import Message
from judge.interchange.stored_values import outcome_from_json, to_json
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.board import Board, UnitKind
from judge.rules.modules.arsenals import rights
from judge.rules.orders import Order, carried_out
from judge.rules.outcome import (
    Built,
    Converted,
    Convoyed,
    Disbanded,
    Held,
    Moved,
    Retreated,
    Supported,
)
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position, Unit, read_unit
from judge.rules.result import Adjudication, Result
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.sentences import Conversion, Wording
from judge.sentences.outcome_words import begins_with_fall
from judge.sentences.short import ShortResult, short_order
from judge.sentences.terms import NAMED_SEASONS as NAMED
from judge.sentences.terms import named


def report(variant: Variant, before: Position, adjudication: Adjudication) -> dict[str, object]:
    """Return the results of the phase that opened with `before`.

    `orders` by power with an outcome each, `dislodged` units with where they may go, `taken`
    centers with old and new owner, and what everybody owns afterwards.
    """
    after = adjudication.position
    return {
        "phase": str(before.phase),
        "orders": {
            power: [_line(result) for result in results]
            for power, results in adjudication.results.items()
            if results
        },
        "dislodged": [
            {
                "power": power,
                "unit": str(each.unit),
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
        "armed": [
            power
            for power in variant.powers
            if rights(after).get(power, 0) > rights(before).get(power, 0)
        ],
        "lost": [
            {"power": power, "unit": str(unit)}
            for power, units in adjudication.lost.items()
            for unit in units
        ],
        "units": {power: [str(unit) for unit in units] for power, units in after.units.items()},
        "centers": {power: list(centers) for power, centers in after.centers.items()},
    }


def play(
    variant: Variant, before: Position, orders: Mapping[str, Sequence[Order]], rulebook: Rulebook
) -> tuple[Position, dict[str, object]]:
    """Return the position to which a phase leads, and its results as the history stores them."""
    adjudication = engine.adjudicate(variant, before, carried_out(orders), rulebook)
    return adjudication.position, results(variant, before, adjudication)


def results(variant: Variant, before: Position, adjudication: Adjudication) -> dict[str, object]:
    """Return the results of a phase as the history stores them, with what they say of the game."""
    return report(variant, before, adjudication) | {
        "winners": list(adjudication.winners),
        "rivals": list(adjudication.rivals),
        "ending": adjudication.ending and adjudication.ending.value,
    }


def tells(found: Mapping[str, Any]) -> bool:
    """Return whether the results of a phase say anything.

    Centers may change hands in a phase in which nobody had an order to give.
    """
    return bool(found["orders"] or found["taken"] or found.get("vanished"))


def _line(result: Result) -> dict[str, object]:
    return {
        "unit": None if result.unit is None else str(result.unit),
        "order": str(result.order),
        "done": result.succeeded,
        "reason": None if result.reason is None else result.reason.value,
        "given": result.given,
        "outcome": to_json(result.outcome),
    }


def with_words(found: Mapping[str, Any], variant: Variant) -> dict[str, object]:
    """Return the results of a phase with all that is printed of them.

    A line gets the `name` of its unit, its order in `words` and as a `code`, and what became of it
    in a `note` and in `brief`, all worded when they are printed; `telling` says that the note adds
    something to the order, `fallen` that it begins with who dislodged the unit. `said` keeps what
    templates say of all of it, and of each line.
    """
    phase = Phase.read(found["phase"])
    return {
        **found,
        "orders": {
            power: [line_with_words(line, power, phase, variant) | {"said": {}} for line in lines]
            for power, lines in found["orders"].items()
        },
        "dislodged": [_with_name(each, variant) for each in found["dislodged"]],
        "lost": [_with_name(each, variant) for each in found.get("lost", ())],
        "said": {},
    }


def _with_name(each: Mapping[str, Any], variant: Variant) -> dict[str, object]:
    return {**each, "name": Wording(read_unit(each["unit"]), variant)}


def line_with_words(
    line: Mapping[str, Any], power: str, phase: Phase, variant: Variant
) -> dict[str, object]:
    """Return a line of results with all that is printed of it (see `with_words`)."""
    unit = None if line["unit"] is None else read_unit(line["unit"])
    name = None if unit is None else Wording(unit, variant)
    if line.get("veil") == "order":
        unseen = {"note": "", "brief": "", "fall": "", "telling": False, "fallen": False}
        return {**line, "name": name, "words": name, "code": line["unit"], **unseen}
    order = read_order(line["order"], variant, phase, power)
    outcome = outcome_from_json(line["outcome"]) if line.get("outcome") else None
    words = Wording(order, variant)
    if isinstance(outcome, Converted) and unit is not None:
        words = Wording(Conversion(outcome.old, unit), variant)
    # In blind games a unit without an order is told like one that was to hold.
    unordered = not line["given"] and (outcome is not None or line.get("note"))
    code = short_order(str(unit) if unordered and unit else line["order"])
    shown = {
        **line, "name": name, "words": words, "code": code, "brief": "", "fall": "",
        "telling": False, "fallen": False,
    }  # fmt: skip
    if outcome is None:
        # Out of sight, or from before outcomes were on file: then there may be an English sentence.
        note = line.get("note", "")
        return {**shown, "note": note, "telling": bool(note) and line.get("telling", True)}
    result = Result.of(power, unit, order, outcome, line["given"])
    return {
        **shown,
        "note": Wording(result, variant),
        "brief": ShortResult(result, variant),
        "fall": ShortResult(result, variant, fell=True),
        "telling": _tells_more(result),
        "fallen": result.given and begins_with_fall(outcome),
    }


def _tells_more(result: Result) -> bool:
    """Return whether the note says more than the order itself does, to whom knows that it
    succeeded."""
    if result.reason is not None or not result.given:
        return True
    match result.outcome:
        case Moved(ring=ring, destroyed=destroyed):
            return ring or destroyed is not None
        case Held(against=against):
            return bool(against)
        case Supported() | Convoyed() | Disbanded() | Built() | Converted() | Retreated():
            return False
    return True


def _named(variant: Variant, places: Sequence[str]) -> list[dict[str, str]]:
    return [{"id": place, "name": variant.board.name(place)} for place in places]


def _taken(variant: Variant, before: Position, after: Position) -> list[dict[str, object]]:
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


class Standings(list[dict[str, Any]]):
    """What each power has, as readers see it; `said` keeps what templates say of all of it."""

    def __init__(self, rows: Iterable[dict[str, Any]] = ()) -> None:
        super().__init__(rows)
        self.said: dict[object, str] = {}


def standings(variant: Variant, position: Position) -> Standings:
    """Return each power's units and centers, and in an adjustment phase its builds or removals."""
    owed: Mapping[str, engine.Owed] = (
        engine.owed(variant, position) if position.phase.kind is Kind.ADJUSTMENTS else {}
    )
    rows = Standings()
    for power in variant.powers:
        units = position.units.get(power, ())
        centers = position.centers.get(power, ())
        mine = owed.get(power)
        rows.append(
            {
                "power": power,
                "units": [Wording(unit, variant) for unit in units],
                "short": [str(unit) for unit in units],
                "centers": [variant.board.name(center) for center in sorted(centers)],
                "codes": sorted(centers),
                "count": len(centers),
                "builds": mine.builds if mine else 0,
                "removals": mine.removals if mine else 0,
                "out": not units and not centers and not position.dislodged.get(power),
            }
        )
    return rows


def counting(variant: Variant) -> list[Message]:
    """Return the seasons after which centers change hands, in the order of the year."""
    seasons = dict.fromkeys(season for season, _ in variant.calendar.year)
    return [NAMED[each] for each in seasons if each in variant.calendar.ownership]


def standing(board: Board, kind: UnitKind, province: str) -> Unit | None:
    """Return a unit of this kind in a province, if one can stand there."""
    places = board.provinces[province].locations if kind.afloat else (province,)
    letter = kind.letter
    return next((Unit(letter, each) for each in places if board.stands(letter, each)), None)


def abbreviations(variant: Variant) -> dict[str, str]:
    """Return up to three letters for each power, as column headings: an alias, or its first."""
    return {
        power: next(
            (name for name in variant.aliases.get(power, ()) if name.isupper() and len(name) < 4),
            str(named(power))[:3],
        )
        for power in variant.powers
    }
