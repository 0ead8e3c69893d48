"""Every sentence the rules and the reading of orders say is known again and can be translated."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from judge import variants
from judge.i18n import speaking
from judge.language.read import read_order
from judge.render import told
from judge.rules import engine
from judge.rules.legal import legal_orders
from judge.rules.orders import Build, Convoy, Hold, Launch, Move, Order, Support, Unreadable
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.variant import Variant
from tests.datc.test_cases import _cases, _position


def _is_known(sentence: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(told, "gettext", lambda pattern: f"«{pattern}»")
    with speaking("de"):
        return all(each.startswith("«") for each in told.told(sentence).split("; "))


def test_every_result_of_the_test_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = set()
    for case in _cases():
        variant, inputs, _, rulebook = case.values
        before = None
        for given in inputs:
            position = _position(given, before)
            orders = {
                power: [read_order(line[2:], variant, position.phase, power) for line in lines]
                for power, lines in given["orders"].items()
            }
            before = engine.adjudicate(variant, position, orders, rulebook)
            for results in before.results.values():
                unknown |= {
                    each.note
                    for each in results
                    if not isinstance(each.order, Unreadable)
                    and not _is_known(each.note, monkeypatch)
                }
    assert unknown == set()


def test_every_result_of_a_game_with_bombs(monkeypatch: pytest.MonkeyPatch) -> None:
    globe, chance = variants.load("global"), random.Random(7)
    armed = replace(globe.opening, extra={"arsenals": dict.fromkeys(globe.powers, 2)})
    position = armed
    notes: set[str] = set()
    for _ in range(150):
        orders = {
            power: _some_orders(globe, position, power, chance)
            for power in globe.powers
            if position.units.get(power) or position.centers.get(power)
        }
        outcome = engine.adjudicate(globe, position, orders)
        for results in outcome.results.values():
            notes |= {each.note for each in results}
        position = outcome.position
        if outcome.winners or outcome.ending or position.phase.year > 2102:
            position = armed
    assert any("which is destroyed" in note for note in notes)
    unknown = {note for note in notes if not _is_known(note, monkeypatch)}
    assert unknown == set()


def _some_orders(
    variant: Variant, position: Position, power: str, chance: random.Random
) -> list[Order]:
    """Orders by chance, some of them for what cannot be: of other powers' legal orders, too."""
    legal = legal_orders(variant, position, power)
    if position.phase.kind is Kind.MOVEMENT and chance.random() < 0.2:
        return [Hold(unit) for unit in legal]
    orders = [chance.choice(options) for options in legal.values()]
    bombs = [[each for each in options if isinstance(each, Launch)] for options in legal.values()]
    launches = [chance.choice(options) for options in bombs if options]
    wrong = [
        replace(order, unit=unit)
        for order in orders
        for unit in list(legal)[:2]
        if isinstance(order, Move | Support | Convoy | Build) and chance.random() < 0.3
    ]
    if position.phase.kind is Kind.ADJUSTMENTS:
        chance.shuffle(orders)
    return [*(launches if chance.random() < 0.7 else ()), *wrong, *orders]


@pytest.mark.parametrize(
    "sentence",
    [
        "no more than 5 air forces are allowed",
        "an arsenal can be built once after each turn in which all units were ordered to hold",
        "no unit can enter or leave the Polar Arctic in winter",
        "an air force cannot be given support",
        "the North Sea is destroyed",
        "the bomb was stopped by the attack of its own army in Tibet on the Asian army in India",
        "the unit in Egypt is an arsenal, and only armies and air forces are convoyed",
        "write whether an army, a navy, an air force or an arsenal is to be built in Spain",
        "it is not said whence the bomb comes and where it goes",
        "the bomb did not get through: the American navy in the North Sea was not ordered to carry"
        " it (its order was N nos H)",
    ],
)
def test_every_sentence_on_further_kinds_of_units(
    sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _is_known(sentence, monkeypatch)
    for language in ("de", "fr"):
        monkeypatch.undo()
        with speaking(language):
            said = told.told(sentence)
        assert " is " not in said
        assert "{" not in said
        assert "cannot" not in said
