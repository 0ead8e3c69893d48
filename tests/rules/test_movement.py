"""The resolver where decisions wait for each other: knots, nested paradoxes, long chains, rings."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import pairwise

from judge.rules.board import Board, Province
from judge.rules.engine import adjudicate
from judge.rules.matching import submit
from judge.rules.movement import Resolver
from judge.rules.orders import Hold, Move, Order
from judge.rules.planner import planner
from judge.rules.position import Position, Unit
from judge.sentences.explain import argument
from tests.rules.table import RULES, STANDARD, play, position, read, result, said, standing, told

PANDIN = (
    position(
        "S1901M",
        {"England": "F lon, F wal", "France": "A bre, F eng", "Germany": "F nth, F bel"},
    ),
    {
        "England": "F lon S F wal - eng; F wal - eng",
        "France": "A bre - lon; F eng C A bre - lon",
        "Germany": "F nth S F bel - eng; F bel - eng",
    },
)


def _resolver(there: Position, orders: dict[str, str]) -> Resolver:
    sub = submit(planner(STANDARD.board, RULES), there, read(there, orders))
    resolver = Resolver(sub)
    resolver.resolve()
    return resolver


def test_pandins_paradox_silences_one_fleet() -> None:
    resolver = _resolver(*PANDIN)
    (fleets,) = resolver.paradoxes
    assert [str(resolver.sub.units[u]) for u in fleets] == ["F eng"]


def test_under_4_a_2_d_all_moves_of_the_paradox_fail() -> None:
    outcome = play(*PANDIN, {"4.A.2": "d"})
    assert standing(outcome, "France") == {"A bre", "F eng"}
    assert standing(outcome, "England") == {"F lon", "F wal"}


def test_two_paradoxes_apart_are_two_cores() -> None:
    there = position(
        "S1901M",
        {
            "England": "F lon, F wal",
            "France": "A bre, F eng, A tun, F tyn",
            "Italy": "F nap, F ion",
        },
    )
    orders = {
        "England": "F lon S F wal - eng; F wal - eng",
        "France": "A bre - lon; F eng C A bre - lon; A tun - nap; F tyn C A tun - nap",
        "Italy": "F nap S F ion - tyn; F ion - tyn",
    }
    assert len(_resolver(there, orders).paradoxes) == 2
    assert set(play(there, orders).dislodged) == {"France"}


def test_a_convoy_that_hangs_on_a_paradox_is_decided_after_it() -> None:
    # The English landing in Belgium waits for the fleet that waits for the paradox in the Channel.
    there, orders = PANDIN
    units = {**{p: ", ".join(map(str, u)) for p, u in there.units.items()}, "Russia": "A hol"}
    there = position("S1901M", units)
    outcome = play(there, {**orders, "Russia": "A hol - bel"})
    assert told(outcome, "Russia") == {"A hol - bel": "bounced"}
    assert told(outcome, "Germany")["F bel - eng"] == "bounced"


def test_a_knot_with_one_answer_is_no_paradox() -> None:
    # DATC 6.F.25: whether Holland is cut hangs on two convoys, but there is only one way out.
    there = position(
        "S1901M",
        {
            "Germany": "A ruh, A hol, A den, F ska, A fin",
            "England": "A yor, F nth, F hel, A bel",
            "Russia": "F nrg, F nwy, F swe",
        },
    )
    orders = {
        "Germany": "A ruh - bel; A hol S A ruh - bel; A den - nwy; F ska C A den - nwy;"
        " A fin S A den - nwy",
        "England": "A yor - hol; F nth C A yor - hol; F hel S A yor - hol; A bel H",
        "Russia": "F nrg - nth; F nwy S F nrg - nth; F swe - ska",
    }
    assert _resolver(there, orders).paradoxes == []


def test_a_ring_of_armies_at_sea_turns() -> None:
    there = position("S1901M", {"England": "A lon, F nth", "France": "A bel, F eng"})
    orders = {
        "England": "A lon - bel; F nth C A lon - bel",
        "France": "A bel - lon; F eng C A bel - lon",
    }
    outcome = play(there, orders)
    assert standing(outcome, "England") == {"A bel", "F nth"}
    note = said(result(outcome, "England", "A lon - bel"))
    assert note == "changed places with the French army from Belgium by convoy"


def test_the_order_of_powers_and_orders_does_not_matter() -> None:
    there, orders = PANDIN
    listed = read(there, orders)
    first = adjudicate(STANDARD, there, listed, RULES)
    turned = {power: list(reversed(lines)) for power, lines in reversed(listed.items())}
    again = adjudicate(STANDARD, there, turned, RULES)
    for power in listed:
        assert told(first, power) == told(again, power)
    assert first.position.units == again.position.units


def test_a_chain_moves_up() -> None:
    chain = ["por", "spa", "gas", "par", "bur", "mun", "boh", "gal", "war", "mos"]
    units = {"France": ", ".join(f"A {place}" for place in chain)}
    there = position("S1901M", units)
    moves = "; ".join(f"A {a} - {b}" for a, b in pairwise(chain))
    outcome = play(there, {"France": f"{moves}; A mos - stp"})
    assert all(entry.succeeded for entry in outcome.results["France"])


def test_a_procession_of_any_length_moves_up() -> None:
    length = 3000
    names = [f"p{number}" for number in range(length + 1)]
    line = Board(
        {name: Province(name, name, "land") for name in names},
        {
            name: tuple(names[k] for k in (number - 1, number + 1) if 0 <= k <= length)
            for number, name in enumerate(names)
        },
        {},
    )
    variant = replace(STANDARD, board=line)
    units = [Unit("A", name) for name in names[:-1]]
    orders: list[Order] = [Move(unit, to) for unit, to in zip(units, names[1:], strict=True)]
    there = Position(STANDARD.start_phase, {"France": tuple(units)})
    assert all(
        r.succeeded for r in adjudicate(variant, there, {"France": orders}).results["France"]
    )
    blocked = [*orders[:-1], Hold(units[-1])]
    outcome = adjudicate(variant, there, {"France": blocked})
    assert sum(r.succeeded for r in outcome.results["France"]) == 1


def test_a_nest_of_paradoxes_takes_no_longer_than_any_other_position() -> None:
    there = position(
        "S1901M",
        {
            "England": "F edi, F lon",
            "France": "A bre, F eng",
            "Germany": "F bel, F pic",
            "Russia": "A nwy, F nth",
        },
    )
    orders = read(
        there,
        {
            "England": "F edi - nth; F lon S F edi - nth",
            "France": "A bre - lon; F eng C A bre - lon",
            "Germany": "F bel S F pic - eng; F pic - eng",
            "Russia": "A nwy - bel; F nth C A nwy - bel",
        },
    )
    adjudicate(STANDARD, there, orders, RULES)
    spent = []
    for _ in range(20):
        started = time.process_time()
        adjudicate(STANDARD, there, orders, RULES)
        spent.append(time.process_time() - started)
    assert min(spent) < 0.05


# -- the argument -------------------------------------------------------------------------------


def test_an_argument_lists_strengths_supports_and_rules() -> None:
    there, orders = PANDIN
    listed = read(there, orders)
    lines = argument(STANDARD, there, listed, listed["England"][1], RULES)
    assert lines[0] == (
        "England: F wal - eng fails (bounced): bounced with the German fleet from Belgium,"
        " two against two."
    )
    assert "Attack strength of the English fleet from Wales on the English Channel: two." in lines
    assert "  The English fleet in London: its support counts." in lines
    assert any("prevent strength two" in line for line in lines)
    assert "Two is not more than two: it stays." in lines
    assert "DATC 4.A.2), here choice f" in lines[-1]
    assert "rule 3" in lines[-1]


def test_every_order_of_every_kind_has_an_argument() -> None:
    there, orders = PANDIN
    listed = read(there, orders)
    for given in listed.values():
        for order in given:
            assert len(argument(STANDARD, there, listed, order, RULES)) > 1
