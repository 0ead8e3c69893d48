"""Every outcome can be worded in every language, stored, and pasted back."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from judge import variants
from judge.i18n import LANGUAGES, sentences, speaking
from judge.interchange.stored_values import outcome_from_json, to_json
from judge.language import misreadings as misreadings
from judge.language.read import read_order
from judge.rules import engine, orders, outcome, position, problems, result
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build, Convoy, Hold, Launch, Move, Order, Retreat, Support
from judge.rules.outcome import BombStopped, NowhereToGo, Outcome, Piece
from judge.rules.phase import Kind, Season
from judge.rules.position import Position, Unit
from judge.rules.result import Result
from judge.rules.variant import Variant
from judge.sentences.outcome_words import result_words
from judge.sentences.short import short_words
from tests.datc.test_cases import _cases, _position

MODULES = outcome, orders, position, problems, misreadings, result
NAMES = {name: value for module in MODULES for name, value in vars(module).items()}


@cache
def results() -> list[tuple[Variant, Result]]:
    """The results of all test cases, and of a game with bombs."""
    return [*_of_test_cases(), *_of_bombs(), *_seldom()]


def _seldom() -> Iterator[tuple[Variant, Result]]:
    """What neither of the others comes to."""
    arsenal, attacker = Unit("R", "waf"), Piece("Russian Federation", Unit("A", "mie"), True)
    stopped = BombStopped((attacker,), Piece("Global Alliance", arsenal))
    for each in (stopped, BombStopped((attacker,))):
        yield variants.load("global"), Result.of("GA", arsenal, Launch(arsenal, "egy"), each)
    army = Unit("A", "vie")
    nowhere = Result.of("Austria", army, Retreat(army, "boh"), NowhereToGo())
    yield variants.load("standard"), nowhere


def _of_test_cases() -> Iterator[tuple[Variant, Result]]:
    for case in _cases():
        variant, inputs, _, rulebook = case.values
        before = None
        for given in inputs:
            there = _position(given, before)
            read = {
                power: [read_order(line[2:], variant, there.phase, power) for line in lines]
                for power, lines in given["orders"].items()
            }
            before = engine.adjudicate(variant, there, read, rulebook)
            for listed in before.results.values():
                yield from ((variant, each) for each in listed)


def _of_bombs() -> Iterator[tuple[Variant, Result]]:
    globe, chance = variants.load("global"), random.Random(7)
    armed = replace(globe.opening, extra={"arsenals": dict.fromkeys(globe.powers, 2)})
    there = armed
    for _ in range(150):
        given = {
            power: _some_orders(globe, there, power, chance)
            for power in globe.powers
            if there.units.get(power) or there.centers.get(power)
        }
        after = engine.adjudicate(globe, there, given)
        for listed in after.results.values():
            yield from ((globe, each) for each in listed)
        there = after.position
        if after.winners or after.ending or there.phase.year > 2102:
            there = armed


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


def _leaves(kind: type) -> set[str]:
    below: list[type] = kind.__subclasses__()
    return set().union(*map(_leaves, below)) if below else {kind.__name__}


def test_every_kind_of_outcome_is_looked_at() -> None:
    assert {type(each.outcome).__name__ for _, each in results()} == _leaves(Outcome)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_outcome_has_words(language: str) -> None:
    with speaking(language):
        for variant, each in results():
            words = result_words(each, variant)
            assert words, each
            assert words == words.strip(), each
            assert not {"{", "}", "  "} & set(words), each
            assert "None" not in words, each


def test_other_languages_leave_no_english() -> None:
    alike = set()
    for variant, each in results():
        english = result_words(each, variant)
        for language in ("de", "fr"):
            with speaking(language):
                if result_words(each, variant) == english:
                    alike.add(english)
    assert alike == set()


def test_every_objection_has_words() -> None:
    assert set(sentences("illegal", "en")) == {code.value for code in problems.Code} | {"write"}


def test_outcomes_are_stored_as_json() -> None:
    for _, each in results():
        stored = json.loads(json.dumps(to_json(each.outcome)))
        assert outcome_from_json(stored) == each.outcome


def test_a_result_can_be_pasted_back() -> None:
    for _, each in results():
        assert eval(repr(each), {**NAMES, "Season": Season}) == each


def test_the_reason_is_that_of_the_outcome() -> None:
    for _, each in results():
        assert each.reason is each.outcome.reason


@pytest.mark.parametrize(("other", "said"), [("bel", "own A lon did not arrive"), ("pic", "")])
def test_a_convoy_whose_army_bounced_is_not_called_needless(other: str, said: str) -> None:
    standard = variants.load("standard")
    units = {"England": (Unit("A", "lon"), Unit("F", "nth")), "France": (Unit("A", other),)}
    opened = replace(standard.opening, units=units)
    given = {
        "England": [
            read_order(text, standard, opened.phase, "England")
            for text in ("A lon - bel", "F nth C A lon - bel")
        ]
    }
    found = engine.adjudicate(standard, opened, given).results
    (fleet,) = [each for each in found["England"] if isinstance(each.order, Convoy)]
    assert short_words(fleet, standard) == said
