"""What the coach says of an order that failed is so: computers play against somebody who orders at
random, and what each lesson says is tried on the position.

`JUDGE_COACH=2000 pytest tests/game/test_coach_is_true.py` looks at as many phases.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from judge import variants
from judge.bots import orders_of
from judge.language.read import read_order
from judge.messages.coach import Lesson, Orders, lessons_of
from judge.rules.board import province_of
from judge.rules.engine import adjudicate, owed
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Hold, Move, Order, Support, place
from judge.rules.phase import Kind
from judge.rules.position import Position, read_unit
from judge.rules.rulebook import Rulebook

PHASES = int(os.environ.get("JUDGE_COACH", "60"))
YEARS = 4
STANDARD = variants.load("standard")
BOOK = Rulebook.edition(STANDARD.rulebook)


def at_random(position: Position, power: str, random: Random) -> list[Order]:
    """Orders as somebody may give them who begins: many moves, some into each other."""
    legal = legal_orders(STANDARD, position, power, BOOK)
    return [random.choice(legal[unit]) for unit in position.units.get(power, ()) if unit in legal]


def phases() -> Iterator[tuple[Position, Mapping[str, Sequence[Order]], str]]:
    """Movement phases of games, with all orders, and the power that orders at random."""
    seen = 0
    for game in range(PHASES):
        random, position = Random(game), STANDARD.opening
        power = STANDARD.powers[game % len(STANDARD.powers)]
        while position.phase.year < STANDARD.start_phase.year + YEARS:
            orders = {
                each: orders_of(STANDARD, position, each, "easy", seed=game)
                for each in owed(STANDARD, position)
            }
            if position.phase.kind is Kind.MOVEMENT:
                orders[power] = at_random(position, power, random)
                yield position, orders, power
                seen += 1
                if seen == PHASES:
                    return
            position = adjudicate(STANDARD, position, orders, BOOK).position


def succeeds(position: Position, orders: Orders, power: str, text: str, instead: Order) -> bool:
    """Whether an order succeeds if another unit of its power does something else."""
    mine = [each for each in orders[power] if place(each) != place(instead)]
    found = adjudicate(STANDARD, position, {**orders, power: [*mine, instead]}, BOOK)
    return any(str(each.order) == text and each.reason is None for each in found.results[power])


def check(position: Position, orders: Orders, power: str, lesson: Lesson) -> None:
    """Fail where a lesson says what is not so."""
    order: Any = read_order(lesson.order, STANDARD, position.phase, power)
    mine: dict[str, Any] = {str(each): each for each in orders[power]}
    assert lesson.order in mine
    legal = legal_orders(STANDARD, position, power, BOOK)
    if lesson.line:
        helping: Any = read_order(lesson.line, STANDARD, position.phase, power)
        assert helping in legal[helping.unit]
        assert succeeds(position, orders, power, lesson.order, helping)
    elif lesson.code in ("bounced", "dislodged") and not isinstance(order, Support):
        supports = [
            each
            for unit in legal
            for each in legal[unit]
            if isinstance(each, Support) and each.target == order.unit and unit != order.unit
        ]
        if lesson.code == "bounced":
            assert not any(succeeds(position, orders, power, lesson.order, s) for s in supports)
    if lesson.unit:
        other = next(each for each in mine.values() if str(each.unit) == lesson.unit)
        assert isinstance(order, Move)
        goal = province_of(order.to)
        if lesson.code == "own_stays":
            assert other.unit.province == goal
            assert not isinstance(other, Move)
        elif lesson.code == "own_stuck":
            assert other.unit.province == goal
            assert isinstance(other, Move)
            assert not succeeds(position, orders, power, str(other), order)
        elif lesson.code == "own_swap":
            assert isinstance(other, Move)
            assert (other.unit.province, province_of(other.to)) == (goal, order.unit.province)
        else:
            assert lesson.code == "own_rival"
            assert isinstance(other, Move)
            assert province_of(other.to) == goal
            assert succeeds(position, orders, power, lesson.order, Hold(other.unit))


def test_each_lesson_is_true() -> None:
    for position, orders, power in phases():
        for lesson in lessons_of(STANDARD, BOOK, position, orders, power):
            check(position, orders, power, lesson)


@pytest.mark.parametrize(
    ("france", "germany", "code", "line", "unit"),
    [
        ("A par - bur, A mar H, F bre H", "A mun - bur", "bounced", "A mar S A par - bur", ""),
        ("A par - bur, A mar S A par - bur", "A mun - bur, A ruh S A mun - bur", "bounced", "", ""),
        ("A par - bur, A mar - bur, F bre H", "A mun H", "own_rival", "", "A mar"),
        ("A par - bre, F bre H, A mar H", "A mun H", "own_stays", "", "F bre"),
        ("A par - bre, F bre - pic, A mar H", "A bel - pic", "own_stuck", "", "F bre"),
        ("A par - pic, A mar H, F bre - pic", "A mun H", "own_rival", "", "F bre"),
    ],
)
def test_what_is_said_of_one_order(
    france: str, germany: str, code: str, line: str, unit: str
) -> None:
    position = replace(STANDARD.opening, units=UNITS)
    orders = {
        power: [read_order(each, STANDARD, position.phase, power) for each in said.split(", ")]
        for power, said in (("France", france), ("Germany", germany))
    }
    lesson = next(lessons_of(STANDARD, BOOK, position, orders, "France"))
    check(position, orders, "France", lesson)
    assert (lesson.code, lesson.line, lesson.unit) == (code, line, unit)


UNITS = {
    **STANDARD.opening.units,
    "Germany": tuple(map(read_unit, ("A mun", "A ruh", "A bel"))),
}
