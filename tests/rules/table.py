"""A position and orders as text, so that a test reads like the rulebook's examples."""

from __future__ import annotations

from collections.abc import Mapping

from judge import variants
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.orders import Order
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.problems import Problem
from judge.rules.result import Adjudication, Result
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.sentences.outcome_words import result_words
from judge.sentences.problem_words import problem_words

STANDARD = variants.load("standard")
RULES = Rulebook.edition("2023")


def unit(text: str) -> Unit:
    """`A par` as a value."""
    kind, location = text.split()
    return Unit(kind, location)


def position(
    phase: str,
    units: Mapping[str, str],
    centers: Mapping[str, str] | None = None,
    dislodged: Mapping[str, Mapping[str, str | None]] | None = None,
    contested: str = "",
) -> Position:
    """A position from texts: `{"France": "A par, F bre"}`, `{"France": "par bre"}`,
    `{"France": {"A par": "bur"}}` for a unit dislodged from Burgundy."""
    return Position(
        Phase.read(phase),
        {power: tuple(map(unit, text.split(", "))) for power, text in units.items() if text},
        {power: tuple(text.split()) for power, text in (centers or {}).items()},
        {
            power: tuple(Dislodged(unit(text), attacker) for text, attacker in gone.items())
            for power, gone in (dislodged or {}).items()
        },
        tuple(contested.split()),
    )


def read(there: Position, orders: Mapping[str, str]) -> dict[str, list[Order]]:
    """Orders by power, written with `;` between them."""
    return {
        power: [
            read_order(text, STANDARD, there.phase, power) for text in lines.split("; ") if text
        ]
        for power, lines in orders.items()
    }


def play(
    there: Position, orders: Mapping[str, str], options: Mapping[str, str] | None = None
) -> Adjudication:
    """What the orders lead to."""
    rules = RULES.with_options(options or {})
    return engine.adjudicate(STANDARD, there, read(there, orders), rules)


def said(told: Result | Problem | None, variant: Variant = STANDARD) -> str:
    """Return a result or a problem in English."""
    if isinstance(told, Result):
        return result_words(told, variant)
    assert told is not None
    return problem_words(told, variant.board)


def told(adjudication: Adjudication, power: str) -> dict[str, str]:
    """`{"A par - bur": "bounced"}`, with "ok" for success."""
    return {
        str(result.order): result.reason.value if result.reason else "ok"
        for result in adjudication.results[power]
    }


def result(adjudication: Adjudication, power: str, order: str) -> Result:
    """The result of the order written so."""
    return next(r for r in adjudication.results[power] if str(r.order) == order)


def standing(adjudication: Adjudication, power: str) -> set[str]:
    """The units a power has afterwards."""
    return {str(there) for there in adjudication.position.units.get(power, ())}
