"""The reference by itself: DATC chapter 6, the rule documents, and its own definition."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from judge.language.read import read_order
from judge.rules.orders import Unreadable
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.variants import load
from tests.prove.boards import ARCHIPELAGO
from tests.prove.generate import situation
from tests.prove.reference import CHOICES, Situation, TooBigError, consistent, resolve

STANDARD = load("standard")
CASES = Path(__file__).parents[1] / "datc" / "cases"


def cases() -> Iterator[Any]:
    """The movement phases of all cases under choices that the reference knows."""
    for path in sorted(CASES.glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            variant = load(case.get("variant", "standard"))
            variations = [(case["phases"], case.get("options", {}), case["rulebook"])]
            variations += [
                (choice["phases"], case.get("options", {}) | choice["options"], case["rulebook"])
                for choice in case.get("choices", ())
            ]
            for expected, options, edition in variations:
                if not _known(edition, options):
                    continue
                for number, given in enumerate(case["phases"]):
                    if given["phase"].endswith("M") and not _ordered_twice(given):
                        letters = " ".join(f"{issue}={to}" for issue, to in options.items())
                        name = f"{case['id']} {number} {letters}".strip()
                        yield pytest.param(
                            variant, given, expected[number], edition, options, id=name
                        )


def _known(edition: str, options: dict[str, str]) -> bool:
    chosen = Rulebook.edition(edition).with_options(options).options
    default = Rulebook.edition("2023").options
    return all(
        letter in CHOICES.get(issue, default[issue])
        for issue, letter in chosen.items()
        if not issue.startswith("4.D")
    )


def _ordered_twice(given: Any) -> bool:
    """Whether some unit has two orders; which of them counts is not the reference's business."""
    for lines in given["orders"].values():
        ordered = [" ".join(line.split()[1:3]) for line in lines]
        if len(set(ordered)) < len(ordered):
            return True
    return False


def _units(by_power: dict[str, str]) -> dict[str, tuple[Unit, ...]]:
    return {
        power: tuple(Unit(*unit.split()) for unit in text.split(", "))
        for power, text in by_power.items()
    }


@pytest.mark.parametrize(("variant", "given", "expected", "edition", "options"), list(cases()))
def test_case(
    variant: Variant, given: Any, expected: Any, edition: str, options: dict[str, str]
) -> None:
    phase = Phase.read(given["phase"])
    position = Position(phase, _units(given["units"]))
    orders = {
        power: [read_order(line[2:], variant, phase, power) for line in lines]
        for power, lines in given["orders"].items()
    }
    chosen = Rulebook.edition(edition).with_options(options).options
    outcome = resolve(variant, position, orders, {issue: chosen[issue] for issue in CHOICES})
    own = {unit.province: power for power, units in position.units.items() for unit in units}
    for power, lines in expected["orders"].items():
        for line, order in zip(lines, orders[power], strict=True):
            unit = getattr(order, "unit", None)
            succeeds = (
                unit is not None
                and not isinstance(order, Unreadable)
                and own.get(unit.province) == power
                and outcome.succeeds[unit.province]
            )
            assert (line[0] == "+", line) == (succeeds, line)
    assert {power: set(units) for power, units in outcome.units.items()} == {
        power: set(units) for power, units in _units(expected["then"]).items()
    }
    if "dislodged" in expected:
        wanted = [gone for all_gone in expected["dislodged"].values() for gone in all_gone]
        assert {(gone.unit, gone.attacker) for gone in outcome.dislodged.values()} == {
            (Unit(*gone["unit"].split()), gone["from"]) for gone in wanted
        }
        for gone in wanted:
            if "open" in gone:
                found = outcome.dislodged[gone["unit"].split()[1].partition("/")[0]]
                assert set(found.retreats) == set(gone["open"].split())
    if "contested" in expected:
        assert list(outcome.contested) == sorted(expected["contested"].split())


def test_most_cases_are_within_reach_of_the_reference() -> None:
    assert len(list(cases())) > 290


@pytest.mark.parametrize("board", ["standard", "archipelago"])
def test_where_the_equations_have_one_answer_it_is_taken(board: str) -> None:
    # `consistent` tries all assignments to the moves, plainly; `resolve` goes core by core.
    variant = STANDARD if board == "standard" else ARCHIPELAGO.variant
    single = several = 0
    for seed in range(75):
        position, orders = situation(variant, Random(seed))
        outcome = resolve(variant, position, orders)
        situated = Situation(variant, position, orders)
        try:
            answers = consistent(situated)
        except TooBigError:
            continue
        moves = {piece.at: outcome.succeeds[piece.at] for piece in situated.moves()}
        if len(answers) == 1:
            single += 1
            assert answers == [moves]
            assert not outcome.paradoxes
        else:
            several += 1
            assert outcome.paradoxes or outcome.circles
            assert outcome.paradoxes or moves in answers
    assert single > 40
    assert several > 2


def test_all_answers_of_a_circle_are_found() -> None:
    units = {"Turkey": (Unit("F", "ank"), Unit("A", "con"), Unit("A", "smy"))}
    position = Position(STANDARD.start_phase, units)
    written = ("F ank - con", "A con - smy", "A smy - ank")
    orders = {"Turkey": [read_order(text, STANDARD, position.phase) for text in written]}
    answers = consistent(Situation(STANDARD, position, orders))
    assert [set(answer.values()) for answer in answers] == [{False}, {True}]
    assert resolve(STANDARD, position, orders).circles == [("ank", "con", "smy")]
