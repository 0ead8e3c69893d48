"""Disputable choices beyond the corpus: nationalities, named routes, implied orders, refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from judge.language.read import read_order
from judge.rules.engine import adjudicate, check
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Move, Support
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook, RulebookError
from judge.sentences.explain import argument
from tests.rules.table import RULES, STANDARD, position, result, said, standing, told


def play(
    there: Position, orders: Mapping[str, str], options: Mapping[str, str] | None = None
) -> Adjudication:
    """What the orders lead to, read as the rules in force want them read."""
    rules = RULES.with_options(options or {})
    given = {
        power: [
            read_order(text, STANDARD, there.phase, power, there, rules)
            for text in lines.split("; ")
        ]
        for power, lines in orders.items()
    }
    return adjudicate(STANDARD, there, given, rules)


# -- 4.C.5 and 4.C.6: nationalities ---------------------------------------------------------------

ATTACK = position("S1901M", {"Germany": "A mun", "Austria": "A tyr", "Italy": "A ven"})
"""Germany can help Austria into Venice's neighbor Piedmont or hold Tyrolia."""


@pytest.mark.parametrize(
    ("issue", "order", "letter", "reason"),
    [
        ("4.C.5", "A mun S A tyr", "a", "void"),
        ("4.C.5", "A mun S A tyr", "b", "ok"),
        ("4.C.5", "A mun S A tyr", "c", "ok"),
        ("4.C.5", "A mun S Austrian A tyr", "a", "ok"),
        ("4.C.5", "A mun S Italian A tyr", "a", "ok"),
        ("4.C.6", "A mun S Italian A tyr", "a", "void"),
        ("4.C.6", "A mun S Italian A tyr", "b", "ok"),
        ("4.C.6", "A mun S Italian A tyr", "c", "ok"),
        ("4.C.6", "A mun S Austrian A tyr", "a", "ok"),
        ("4.C.6", "A mun S A tyr", "a", "ok"),
    ],
)
def test_the_nationality_of_a_supported_unit(
    issue: str, order: str, letter: str, reason: str
) -> None:
    outcome = play(ATTACK, {"Germany": order, "Austria": "A tyr H"}, {issue: letter})
    assert list(told(outcome, "Germany").values()) == [reason]


@pytest.mark.parametrize(("letter", "arrives"), [("a", False), ("b", True), ("c", True)])
def test_the_nationality_of_a_convoyed_army(letter: str, arrives: bool) -> None:
    there = position("S1901M", {"England": "F nth", "Germany": "A hol"})
    orders = {"England": "F nth C A hol - nwy", "Germany": "A hol - nwy"}
    outcome = play(there, orders, {"4.C.5": letter})
    assert ("A nwy" in standing(outcome, "Germany")) is arrives
    named = {**orders, "England": "F nth C German A hol - nwy"}
    assert "A nwy" in standing(play(there, named, {"4.C.5": letter}), "Germany")


def test_an_own_unit_needs_no_nationality() -> None:
    there = position("S1901M", {"Germany": "A mun, A ber"})
    outcome = play(there, {"Germany": "A mun S A ber; A ber H"}, {"4.C.5": "a"})
    assert told(outcome, "Germany")["A mun S A ber"] == "ok"


def test_an_own_unit_called_foreign_is_called_wrong() -> None:
    there = position("S1901M", {"Germany": "A mun, A ber"})
    outcome = play(there, {"Germany": "A mun S Russian A ber; A ber H"}, {"4.C.6": "a"})
    wrong = result(outcome, "Germany", "A mun S Russia A ber")
    assert said(wrong).startswith("the army in Berlin belongs to Germany, not to Russia")


@pytest.mark.parametrize(
    ("issue", "bad"), [("4.C.5", "A mun S A tyr"), ("4.C.6", "A mun S Italian A tyr")]
)
def test_under_c_an_order_with_the_right_nationality_puts_the_other_aside(
    issue: str, bad: str
) -> None:
    orders = {"Germany": f"{bad} - ven; A mun S Austrian A tyr", "Austria": "A tyr H"}
    outcome = play(ATTACK, orders, {issue: "c"})
    assert list(told(outcome, "Germany").values()) == ["superseded", "ok"]
    assert said(outcome.results["Germany"][0]) == "another order names the unit properly"


def test_the_same_support_with_and_without_nationality_counts_once() -> None:
    orders = {"Germany": "A mun S A tyr; A mun S Austrian A tyr", "Austria": "A tyr H"}
    outcome = play(ATTACK, orders, {"4.C.6": "a"})
    assert list(told(outcome, "Germany").values()) == ["ok", "superseded"]


def test_a_missing_nationality_is_told_when_the_order_is_given() -> None:
    rules = RULES.with_options({"4.C.5": "a"})
    order = Support(Unit("A", "mun"), Unit("A", "tyr"))
    checked = check(STANDARD, ATTACK, "Germany", order, rules)
    assert said(checked.problem) == "it is not said that the army in Tyrolia belongs to Austria"
    assert checked.suggestion == "A mun S Austria A tyr"


@pytest.mark.parametrize(
    "order",
    [
        Support(Unit("A", "mun"), Unit("A", "tyr"), None, "Austria"),
        Support(Unit("A", "mun"), Unit("A", "tyr"), "ven", "Austria"),
        Convoy(Unit("F", "nth"), Unit("A", "lon"), "nwy", "England"),
    ],
)
def test_an_order_that_remembers_a_nationality_is_read_back(order: Support | Convoy) -> None:
    strict = RULES.with_options({"4.C.5": "a"})
    again = read_order(str(order), STANDARD, ATTACK.phase, "Germany", ATTACK, strict)
    assert again == order
    usual = read_order(str(order), STANDARD, ATTACK.phase, "Germany", ATTACK, RULES)
    assert usual == replace(order, owner=None)


def test_legal_orders_name_foreign_units_where_they_must() -> None:
    rules = RULES.with_options({"4.C.5": "a"})
    for orders in legal_orders(STANDARD, ATTACK, "Germany", rules).values():
        for order in orders:
            assert check(STANDARD, ATTACK, "Germany", order, rules).problem is None
            if isinstance(order, Support):
                assert order.target in ATTACK.units[order.owner or ""]


# -- 4.A.6: the route in the army's order ---------------------------------------------------------

VOYAGE = position(
    "S1901M",
    {"England": "A lon, F eng, F nth", "France": "F bre, F mid", "Germany": "A hol"},
)


@pytest.mark.parametrize(("letter", "arrives"), [("a", True), ("b", False), ("c", False)])
def test_a_named_route_is_the_only_one(letter: str, arrives: bool) -> None:
    """The Channel named is lost; the North Sea could carry the army as well."""
    orders = {
        "England": "A lon - eng - bel; F eng C A lon - bel; F nth C A lon - bel",
        "France": "F bre - eng; F mid S F bre - eng",
    }
    outcome = play(VOYAGE, orders, {"4.A.6": letter})
    assert ("A bel" in standing(outcome, "England")) is arrives
    if not arrives:
        assert told(outcome, "England")["A lon - eng - bel"] == "convoy_disrupted"


@pytest.mark.parametrize("letter", ["a", "b", "c"])
def test_a_named_route_that_stands_carries(letter: str) -> None:
    orders = {"England": "A lon - nth - bel; F eng C A lon - bel; F nth C A lon - bel"}
    outcome = play(VOYAGE, orders, {"4.A.6": letter})
    assert "A bel" in standing(outcome, "England")
    used = said(result(outcome, "England", "F eng C A lon - bel"))
    assert ("another route" in used) is (letter != "a")


@pytest.mark.parametrize(("letter", "arrives"), [("a", True), ("b", True), ("c", False)])
def test_a_route_left_out(letter: str, arrives: bool) -> None:
    orders = {"England": "A lon - bel; F nth C A lon - bel"}
    outcome = play(VOYAGE, orders, {"4.A.6": letter})
    assert ("A bel" in standing(outcome, "England")) is arrives
    if not arrives:
        move = result(outcome, "England", "A lon - bel")
        assert move.reason is not None
        assert move.reason.value == "void"
        assert said(move).startswith("the waters on the way from London to Belgium must be named")


def test_a_route_that_leads_nowhere_is_impossible() -> None:
    orders = {"England": "A lon - nth - mid - bel; F nth C A lon - bel"}
    outcome = play(VOYAGE, orders, {"4.A.6": "b"})
    move = outcome.results["England"][0]
    assert said(move).startswith("no way leads from London over the North Sea and the Mid-Atlantic")
    assert "A bel" in standing(play(VOYAGE, orders, {"4.A.6": "a"}), "England")


def test_a_named_water_without_a_fleet_is_impossible() -> None:
    there = position("S1901M", {"England": "A lon, F nth"})
    outcome = play(there, {"England": "A lon - eng - bel; F nth C A lon - bel"}, {"4.A.6": "b"})
    assert said(outcome.results["England"][0]).startswith("no fleet stands in the English Channel")


@pytest.mark.parametrize(("letter", "by_sea"), [("a", True), ("b", True), ("c", False)])
def test_next_door_an_army_that_names_no_route_walks_where_one_is_required(
    letter: str, by_sea: bool
) -> None:
    there = position("S1901M", {"England": "A bel, F nth", "France": "A hol"})
    orders = {"England": "A bel - hol; F nth C A bel - hol", "France": "A hol - bel"}
    outcome = play(there, orders, {"4.A.6": letter})
    assert ("A hol" in standing(outcome, "England")) is by_sea


def test_legal_journeys_name_a_way_where_one_is_required() -> None:
    rules = RULES.with_options({"4.A.6": "c"})
    journeys = [
        order
        for order in legal_orders(STANDARD, VOYAGE, "England", rules)[Unit("A", "lon")]
        if isinstance(order, Move) and order.via
    ]
    assert {str(order) for order in journeys} >= {"A lon - nth - nwy", "A lon - eng - pic"}
    for order in journeys:
        assert order.path
        assert check(STANDARD, VOYAGE, "England", order, rules).problem is None


# -- 4.E.3: implied orders ------------------------------------------------------------------------

PAIR = position("S1901M", {"France": "A par, A mar", "Germany": "A bur"})


@pytest.mark.parametrize(("letter", "moves"), [("a", True), ("b", False)])
def test_a_support_may_imply_the_move(letter: str, moves: bool) -> None:
    outcome = play(PAIR, {"France": "A mar S A par - bur"}, {"4.E.3": letter})
    assert ("A bur" in standing(outcome, "France")) is moves
    if moves:
        implied = result(outcome, "France", "A par - bur")
        assert not implied.given
        assert said(implied).startswith("no order was given, but others of its power implied it; ")
        assert told(outcome, "France")["A mar S A par - bur"] == "ok"


def test_an_order_of_its_own_rules_out_an_implied_one() -> None:
    for own in ("A par H", "A par - lon"):
        outcome = play(PAIR, {"France": f"A mar S A par - bur; {own}"}, {"4.E.3": "a"})
        assert "A par" in standing(outcome, "France")


def test_nobody_implies_orders_for_foreign_units() -> None:
    there = position("S1901M", {"France": "A mar", "Italy": "A par", "Germany": "A bur"})
    outcome = play(there, {"France": "A mar S A par - bur"}, {"4.E.3": "a"})
    assert "A par" in standing(outcome, "Italy")


def test_a_convoy_may_imply_the_journey() -> None:
    there = position("S1901M", {"England": "A lon, F nth"})
    outcome = play(there, {"England": "F nth C A lon - nwy"}, {"4.E.3": "a"})
    assert standing(outcome, "England") == {"A nwy", "F nth"}


def test_orders_that_imply_different_moves_imply_none() -> None:
    there = position("S1901M", {"France": "A par, A mar, A bre"})
    orders = {"France": "A mar S A par - bur; A bre S A par - pic"}
    assert "A par" in standing(play(there, orders, {"4.E.3": "a"}), "France")


def test_an_implied_order_can_be_explained() -> None:
    rules = RULES.with_options({"4.E.3": "a"})
    orders = {"France": [Support(Unit("A", "mar"), Unit("A", "par"), "bur")]}
    lines = argument(STANDARD, PAIR, orders, Move(Unit("A", "par"), "bur"), rules)
    assert lines[0].startswith("France: A par - bur succeeds: no order was given, but others")


# -- letters that cannot be chosen ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("issue", "letters", "why"),
    [
        ("4.A.2", "e", "precise"),
        ("4.D.1", "bcd", "combined"),
        ("4.D.2", "a", "sequence"),
        ("4.E.2", "b", "guessed"),
        ("4.E.4", "a", "one phase"),
        ("4.E.5", "ab", "consent"),
    ],
)
def test_a_letter_that_cannot_be_followed_is_refused_with_the_reason(
    issue: str, letters: str, why: str
) -> None:
    for letter in letters:
        with pytest.raises(RulebookError) as error:
            Rulebook.edition("2023").with_options({issue: letter})
        assert f"{issue}: choice '{letter}' is not available: " in str(error.value)
        assert why in str(error.value)


def test_every_other_letter_of_the_documented_issues_can_be_chosen() -> None:
    chosen = {
        "4.A.1": "ab",
        "4.A.2": "abcdf",
        "4.A.3": "abcde",
        "4.A.4": "ab",
        "4.A.5": "ab",
        "4.A.6": "abc",
        "4.A.7": "ab",
        "4.B.1": "ab",
        "4.B.2": "ab",
        "4.B.3": "ab",
        "4.B.4": "abc",
        "4.B.5": "ab",
        "4.B.6": "ab",
        "4.B.7": "ab",
        "4.C.1": "abc",
        "4.C.2": "abc",
        "4.C.3": "abc",
        "4.C.4": "ab",
        "4.C.5": "abc",
        "4.C.6": "abc",
        "4.D.1": "a",
        "4.D.2": "b",
        "4.D.3": "abc",
        "4.D.4": "abc",
        "4.D.5": "abc",
        "4.D.6": "abc",
        "4.D.7": "ab",
        "4.D.8": "abc",
        "4.D.9": "ab",
        "4.E.1": "ab",
        "4.E.2": "a",
        "4.E.3": "ab",
        "4.E.4": "b",
        "4.E.5": "c",
    }
    for issue, letters in chosen.items():
        for letter in letters:
            assert Rulebook.edition("2023").with_options({issue: letter}).options[issue] == letter
