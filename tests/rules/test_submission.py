"""From orders as written to orders as followed: whose unit, which unit, which of several."""

from __future__ import annotations

import pickle

import pytest

from judge.rules.engine import adjudicate, check
from judge.rules.orders import Move, Unreadable
from judge.rules.position import Unit
from judge.rules.problems import Problem, Said
from tests.rules.table import RULES, STANDARD, play, position, read, result, said, standing, told

PARIS = position("S1901M", {"France": "A par, F bre"})


def test_a_unit_without_an_order_holds_and_says_so() -> None:
    outcome = play(PARIS, {"France": "A par - bur"})
    held = result(outcome, "France", "F bre H")
    assert not held.given
    assert held.succeeded
    assert said(held) == "no order was given, so it held"


def test_the_same_order_is_followed_under_each_rulebook_it_is_played_under() -> None:
    order = Move(Unit("F", "por"), "spa")
    kept = pickle.dumps(order)
    there = position("S1901M", {"France": "F por"})
    lenient = RULES.with_options({"4.B.1": "b"})
    for rules, stands in ((RULES, "F por"), (lenient, "F spa/nc"), (RULES, "F por")):
        assert standing(adjudicate(STANDARD, there, {"France": [order]}, rules), "France") == {
            stands
        }
    assert pickle.dumps(order) == kept


def test_a_missing_letter_does_not_matter() -> None:
    outcome = adjudicate(STANDARD, PARIS, {"France": [Move(Unit("", "par"), "bur")]}, RULES)
    assert standing(outcome, "France") == {"A bur", "F bre"}


@pytest.mark.parametrize(("letter", "followed"), [("a", False), ("b", True), ("c", True)])
def test_a_wrong_letter_is_a_matter_of_choice(letter: str, followed: bool) -> None:
    outcome = play(PARIS, {"France": "F par - bur"}, {"4.C.2": letter})
    assert ("A bur" in standing(outcome, "France")) is followed


def test_under_4_c_2_c_a_right_letter_beats_a_wrong_one() -> None:
    outcome = play(PARIS, {"France": "F par - bur; A par - pic"}, {"4.C.2": "c"})
    assert told(outcome, "France")["F par - bur"] == "superseded"
    assert "A pic" in standing(outcome, "France")


@pytest.mark.parametrize(("letter", "stands"), [("a", "A bur"), ("b", "A pic"), ("c", "A par")])
def test_several_legal_orders_for_a_unit(letter: str, stands: str) -> None:
    orders = {"France": "A par - bur; A par - pic"}
    outcome = play(PARIS, orders, {"4.D.3": letter})
    assert stands in standing(outcome, "France")
    reasons = list(told(outcome, "France").values())
    assert reasons.count("superseded") == (2 if letter == "c" else 1)


def test_a_unit_that_got_several_orders_can_be_supported() -> None:
    there = position("S1901M", {"France": "A par, A gas", "Germany": "A bur, A pic"})
    orders = {
        "France": "A par - bre; A par H; A gas S A par",
        "Germany": "A bur - par; A pic S A bur - par",
    }
    outcome = play(there, orders)
    assert told(outcome, "France")["A gas S A par"] == "ok"
    assert told(outcome, "Germany")["A bur - par"] == "bounced"


def test_an_impossible_order_leaves_room_for_a_legal_one() -> None:
    outcome = play(PARIS, {"France": "A par - lon; A par - bur"})
    assert told(outcome, "France") == {"A par - lon": "void", "A par - bur": "ok", "F bre H": "ok"}


def test_the_same_order_twice_is_followed_once() -> None:
    outcome = play(PARIS, {"France": "A par - bur; A par - bur"})
    assert [r.reason.value if r.reason else "ok" for r in outcome.results["France"]] == [
        "ok",
        "superseded",
        "ok",
    ]


def test_a_misnamed_unit_in_a_doubled_support_stops_nobody_else() -> None:
    there = position("S1901M", {"France": "A par, A gas, A mar"})
    twice = "A par S F gas - bur; A par S F gas - bur; A gas - bur; A mar - spa"
    assert standing(play(there, {"France": twice}), "France") == {"A par", "A bur", "A spa"}


def test_an_unreadable_line_is_void_and_the_unit_holds() -> None:
    line = Unreadable("A par whistles", Said("that is no order"), Unit("A", "par"))
    outcome = adjudicate(STANDARD, PARIS, {"France": [line]}, RULES)
    entry = outcome.results["France"][0]
    assert (entry.unit, said(entry)) == (Unit("A", "par"), "that is no order")
    assert len(outcome.results["France"]) == 2
    assert standing(outcome, "France") == {"A par", "F bre"}


def test_orders_for_nobodys_and_for_foreign_units_are_void() -> None:
    there = position("S1901M", {"France": "A par", "Germany": "A mun"})
    outcome = play(there, {"France": "A mun - bur; A vie - bud"})
    notes = [said(entry) for entry in outcome.results["France"][:2]]
    assert notes == ["the army in Munich belongs to Germany", "there is no unit in Vienna"]
    assert result(outcome, "Germany", "A mun H").succeeded


@pytest.mark.parametrize("letter", ["a", "b"])
def test_whether_an_impossible_move_can_be_supported_in_place(letter: str) -> None:
    there = position("S1901M", {"France": "A par, A gas", "Germany": "A bur, A pic"})
    orders = {"France": "A par - lon; A gas S A par", "Germany": "A bur - par; A pic S A bur - par"}
    outcome = play(there, orders, {"4.E.1": letter})
    assert told(outcome, "France")["A gas S A par"] == ("ok" if letter == "a" else "unmatched")
    assert bool(outcome.dislodged) is (letter == "b")


def test_only_a_support_of_a_power_in_disorder_fails_under_4_d_9_a() -> None:
    there = position("S1901M", {"France": "A par", "Italy": "A gas"})
    orders = {"Italy": "A gas S A par"}
    assert told(play(there, orders), "Italy")["A gas S A par"] == "ok"
    assert told(play(there, orders, {"4.D.9": "a"}), "Italy")["A gas S A par"] == "unmatched"


def test_a_named_route_binds_but_under_4_a_6_a() -> None:
    there = position("S1901M", {"England": "A lon, F nth, F eng", "France": "F bre, F mid"})
    orders = {
        "England": "A lon - eng - bel; F nth C A lon - bel; F eng C A lon - bel",
        "France": "F bre - eng; F mid S F bre - eng",
    }
    assert "A lon" in standing(play(there, orders), "England")
    assert "A bel" in standing(play(there, orders, {"4.A.6": "a"}), "England")


# -- checking one order ahead -------------------------------------------------------------------


def _checked(text: str, power: str = "France") -> tuple[str, Problem | None, str | None]:
    there = position("S1901M", {"France": "A par, F bre, F mid", "England": "F eng"})
    (order,) = read(there, {power: text})[power]
    found = check(STANDARD, there, power, order, RULES)
    return str(found.order), found.problem, found.suggestion


def test_a_good_order_is_filled_in() -> None:
    assert _checked("par - bur") == ("A par - bur", None, None)
    assert _checked("mid - por") == ("F mid - por", None, None)


def test_of_two_coasts_none_is_suggested() -> None:
    _, problem, suggestion = _checked("F mid - spa")
    assert said(problem) == "Spain can be entered by two coasts; write spa/nc or spa/sc"
    assert suggestion is None


def test_a_support_of_the_impossible_is_a_problem() -> None:
    _, problem, _ = _checked("A par S F bre - eng")
    assert problem is not None
    assert "cannot go to the English Channel itself" in said(problem)


def test_somebody_elses_unit_is_a_problem() -> None:
    assert said(_checked("F eng - nth")[1]) == "the fleet in the English Channel belongs to England"


def test_check_of_retreats_and_builds() -> None:
    there = position(
        "S1901R", {"Italy": "A vie"}, dislodged={"Austria": {"A vie": "tri"}}, contested="bud"
    )
    (order,) = read(there, {"Austria": "A vie - bud"})["Austria"]
    found = check(STANDARD, there, "Austria", order, RULES)
    assert found.problem is not None
    assert said(found.problem).startswith(
        "Budapest was left vacant by a standoff; write A vie R boh, A vie R gal or"
    )
    assert found.suggestion is None
    there = position("W1901A", {"Russia": "A mos"}, {"Russia": "mos stp war"})
    (order,) = read(there, {"Russia": "B F stp"})["Russia"]
    found = check(STANDARD, there, "Russia", order, RULES)
    assert said(found.problem) == "the coast of St. Petersburg must be named: stp/nc or stp/sc"
