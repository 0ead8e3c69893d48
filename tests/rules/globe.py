"""Positions and orders of Global Diplomacy as text, the powers by their initials."""

from __future__ import annotations

from collections.abc import Mapping

from judge import variants
from judge.rules import engine
from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Launch,
    Move,
    Order,
    Relay,
    Retreat,
    Support,
    Waive,
)
from judge.rules.outcome import Adjudication, Result
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant

GLOBAL = variants.load("global")
RULES = Rulebook.edition(GLOBAL.rulebook)
POWERS = dict(zip(("US", "RF", "SA", "EU", "GA", "PR"), GLOBAL.powers, strict=True))
SHORT = {power: short for short, power in POWERS.items()}


def unit(text: str) -> Unit:
    """`AF isr` as a value."""
    kind, location = text.split()
    return Unit(kind, location)


def position(
    phase: str,
    units: Mapping[str, str],
    centers: Mapping[str, str] | None = None,
    dislodged: Mapping[str, Mapping[str, str | None]] | None = None,
    **extra: object,
) -> Position:
    """A position from texts: `{"US": "R sus, N nat"}`; `extra` is what it remembers."""
    return Position(
        Phase.read(phase),
        {POWERS[power]: tuple(map(unit, text.split(", "))) for power, text in units.items()},
        {POWERS[power]: tuple(text.split()) for power, text in (centers or {}).items()},
        {
            POWERS[power]: tuple(Dislodged(unit(text), attacker) for text, attacker in gone.items())
            for power, gone in (dislodged or {}).items()
        },
        extra=extra,
    )


def order(text: str) -> Order:
    """An order in canonical form as a value."""
    words = text.split()
    match words:
        case ["B", kind, place]:
            return Build(Unit(kind, place))
        case ["D", kind, place]:
            return Disband(Unit(kind, place))
        case ["WAIVE"]:
            return Waive()
    mine, rest = Unit(*words[:2]), words[2:]
    match rest:
        case ["H"]:
            return Hold(mine)
        case ["D"]:
            return Disband(mine)
        case ["R", place]:
            return Retreat(mine, place)
        case ["-", place]:
            return Move(mine, place)
        case ["S", kind, place]:
            return Support(mine, Unit(kind, place))
        case ["S", kind, place, "-", to]:
            return Support(mine, Unit(kind, place), to)
        case ["C", kind, place, "-", to]:
            return Convoy(mine, Unit(kind, place), to)
        case ["bomb", to]:
            return Launch(mine, to)
    assert rest[0] == "bomb"
    named = list(zip(rest[1::2], rest[2::2], strict=True))
    origins, via, goals = (
        tuple(place for word, place in named if word == sought) for sought in ("from", "via", "to")
    )
    if not origins:
        return Launch(mine, goals[0], via)
    return Relay(mine, origins, via, goals[0] if goals else None)


def play(there: Position, orders: Mapping[str, str], variant: Variant = GLOBAL) -> Adjudication:
    """What the orders, written with `;` between them, lead to."""
    read = {
        POWERS[power]: [order(text) for text in lines.split("; ") if text]
        for power, lines in orders.items()
    }
    for power, listed in read.items():
        assert "; ".join(map(str, listed)) == orders[SHORT[power]]
    return engine.adjudicate(variant, there, read)


def result(outcome: Adjudication, text: str) -> Result:
    """The result of the order written so."""
    return next(r for results in outcome.results.values() for r in results if str(r.order) == text)


def told(outcome: Adjudication, text: str) -> tuple[str, str]:
    """What became of an order: "ok" or the reason, and the sentence."""
    found = result(outcome, text)
    return (found.reason.value if found.reason else "ok"), found.note


def standing(outcome: Adjudication) -> str:
    """All units afterwards, in alphabetical order."""
    units = outcome.position.units.values()
    return ", ".join(sorted(str(each) for held in units for each in held))
