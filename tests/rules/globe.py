"""Positions and orders of Global Diplomacy as text, the powers by their initials."""

from __future__ import annotations

from collections.abc import Mapping

from judge import variants
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.orders import Order
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.result import Adjudication, Result
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from tests.rules.table import said

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


def order(text: str, there: Position, power: str) -> Order:
    """The order that a player of `power` writes so."""
    return read_order(text, GLOBAL, there.phase, POWERS[power], there, RULES)


def play(there: Position, orders: Mapping[str, str], variant: Variant = GLOBAL) -> Adjudication:
    """What the orders, written with `;` between them, lead to."""
    read = {
        POWERS[power]: [order(text, there, power) for text in lines.split("; ") if text]
        for power, lines in orders.items()
    }
    return engine.adjudicate(variant, there, read)


def result(outcome: Adjudication, text: str) -> Result:
    """The result of the order written so."""
    return next(r for results in outcome.results.values() for r in results if str(r.order) == text)


def told(outcome: Adjudication, text: str) -> tuple[str, str]:
    """What became of an order: "ok" or the reason, and the sentence."""
    found = result(outcome, text)
    return (found.reason.value if found.reason else "ok"), said(found, GLOBAL)


def standing(outcome: Adjudication) -> str:
    """All units afterwards, in alphabetical order."""
    units = outcome.position.units.values()
    return ", ".join(sorted(str(each) for held in units for each in held))
