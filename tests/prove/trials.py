"""WHAT IF answers as `judge adjudicate` does, in every kind of phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from judge import interchange, variants
from judge.commands.sandbox import read_orders
from judge.game.orders.consistency import foretold
from judge.interchange import position_object
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Order, order_text
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from tests.prove.generate import situation


def agrees(count: int, seed: int) -> dict[Kind, int]:
    """Compare what WHAT IF makes of orders with `judge adjudicate`, on positions by chance; return
    how many there were of each kind of phase.

    After a movement phase the retreats it leads to follow, and every fourth time the winter of
    another share of the centers.
    """
    variant, random = variants.load("standard"), Random(seed)
    done = dict.fromkeys(Kind, 0)

    def compare(position: Position, orders: Mapping[str, Sequence[Order]]) -> Position:
        done[position.phase.kind] += 1
        return _compared(variant, position, orders)

    while sum(done.values()) < count:
        position, orders = situation(variant, random)
        after = compare(position, orders)
        if after.dislodged and after.phase.kind is Kind.RETREATS:
            compare(after, _chosen(variant, after, random))
        if random.random() < 0.25:
            winter = _winter(variant, position, random)
            compare(winter, _chosen(variant, winter, random))
    return done


def _winter(variant: Variant, position: Position, random: Random) -> Position:
    """The same units, some of them gone, with all centers shared out by chance and some at home."""
    centers: dict[str, list[str]] = {power: [] for power in variant.powers}
    for power in variant.powers:
        for center in variant.centers[power]:
            centers[power if random.random() < 0.7 else random.choice(variant.powers)].append(
                center
            )
    units = {
        power: tuple(unit for unit in given if random.random() < 0.5)
        for power, given in position.units.items()
    }
    shared = {power: tuple(owned) for power, owned in centers.items()}
    return replace(
        position,
        phase=Phase.read("W1901A"),
        units=units,
        centers=shared,
        dislodged={},
        contested=(),
    )


def _chosen(variant: Variant, position: Position, random: Random) -> dict[str, list[Order]]:
    """One legal order for most of what each power decides, no more than it may."""
    found = {}
    for power in variant.powers:
        legal = legal_orders(variant, position, power).values()
        choices = [random.choice(list(each)) for each in legal]
        if position.phase.kind is Kind.ADJUSTMENTS:
            # Where a unit can be built, so can another one.
            each = {getattr(order, "unit", None): order for order in choices}
            choices = list({unit.province: each[unit] for unit in each if unit}.values())
        due = len(choices)
        if position.phase.kind is Kind.ADJUSTMENTS:
            due = abs(len(position.units.get(power, ())) - len(position.centers.get(power, ())))
        random.shuffle(choices)
        found[power] = choices[: max(due - random.choice((0, 0, 1)), 0)]
    return found


def _compared(
    variant: Variant, position: Position, orders: Mapping[str, Sequence[Order]]
) -> Position:
    """Compare the two answers, and return the position that follows."""
    rulebook = Rulebook.edition(variant.rulebook)
    texts = {
        power: [order_text(order, position.phase.kind) for order in given]
        for power, given in orders.items()
    }
    lines = [f"{power}: {text}" for power, given in texts.items() for text in given]
    _, tried = read_orders(variant, position, rulebook, "\n".join(lines))
    after, found, _ = foretold(variant, position, tried, rulebook)
    expected = interchange.adjudicate_object(position_object(variant, position) | {"orders": texts})
    if not found["dislodged"]:
        assert position_object(variant, after)["units"] == expected["units"], lines
    assert {
        each["unit"]: {way["id"] for way in each["retreats"]} for each in found["dislodged"]
    } == {
        each["unit"]: set(each["retreats"])
        for gone in expected["dislodged"].values()
        for each in gone
    }, lines
    reasons = {_line(each): each["reason"] for told in found["orders"].values() for each in told}
    for told in expected["results"].values():
        for each in told:
            # What can never be carried out is not tried: its line is answered.
            assert each["reason"] in ("void", reasons[_line(each)]), lines
    return after


def _line(told: Mapping[str, Any]) -> str:
    """What a line of results is about: a unit, or an order without one."""
    return str(told["unit"] or told["order"])
