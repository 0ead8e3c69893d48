"""WHAT IF answers as `judge adjudicate` does."""

from __future__ import annotations

from random import Random

from judge import interchange, variants
from judge.commands.sandbox import orders_of, read_orders
from judge.game.orders.consistency import foretold
from judge.interchange import position_object
from judge.rules.orders import order_text
from judge.rules.rulebook import Rulebook
from tests.prove.generate import situation


def agrees(count: int, seed: int) -> None:
    """Compare what WHAT IF makes of orders with `judge adjudicate`, on positions by chance."""
    variant, random = variants.load("standard"), Random(seed)
    rulebook = Rulebook.edition(variant.rulebook)
    for _ in range(count):
        position, orders = situation(variant, random)
        texts = {
            power: [order_text(order, position.phase.kind) for order in given]
            for power, given in orders.items()
        }
        lines = [f"{power}: {text}" for power, given in texts.items() for text in given]
        tried = orders_of(read_orders(variant, position, rulebook, "\n".join(lines)))
        after, found, _ = foretold(variant, position, tried, rulebook)
        expected = interchange.adjudicate_object(
            position_object(variant, position) | {"orders": texts}
        )
        shown = position_object(variant, after)["units"]
        if not found["dislodged"]:
            assert shown == expected["units"], lines
        assert {
            each["unit"]: {way["id"] for way in each["retreats"]} for each in found["dislodged"]
        } == {
            each["unit"]: set(each["retreats"])
            for gone in expected["dislodged"].values()
            for each in gone
        }, lines
        reasons = {
            line["unit"]: line["reason"] for told in found["orders"].values() for line in told
        }
        for told in expected["results"].values():
            for line in told:
                # What can never be carried out is not tried: its line is answered.
                assert line["reason"] in ("void", reasons[line["unit"]]), lines
