"""Retreats, adjustments, ownership and victory: what the DATC leaves to the rulebook's text."""

from __future__ import annotations

import pytest

from judge.rules.engine import Owed, adjudicate, owed
from tests.rules.table import RULES, STANDARD, play, position, result, said, standing, told

# -- ownership and victory ----------------------------------------------------------------------


def test_centers_change_hands_after_fall_with_its_retreats() -> None:
    there = position(
        "F1901R",
        {"France": "A bel", "Germany": "A bur"},
        {"France": "par", "Germany": "mun"},
        {"France": {"A mar": "bur"}},
    )
    after = play(there, {"France": "A mar - spa"}).position
    assert str(after.phase) == "W1901A"
    assert after.centers == {"France": ("par", "bel", "spa"), "Germany": ("mun",)}


def test_centers_do_not_change_hands_in_spring() -> None:
    there = position("S1901R", {"France": "A bel"}, {"France": "par"})
    assert play(there, {}).position.centers == {"France": ("par",)}


def test_a_center_somebody_else_entered_is_lost() -> None:
    there = position("F1901R", {"Germany": "A par"}, {"France": "par bre", "Germany": "mun"})
    assert play(there, {}).position.centers == {"France": ("bre",), "Germany": ("mun", "par")}


@pytest.mark.parametrize(("count", "winners"), [(17, ()), (18, ("Turkey",))])
def test_eighteen_centers_win(count: int, winners: tuple[str, ...]) -> None:
    board = STANDARD.board.provinces.values()
    centers = [province.id for province in board if province.supply_center and province.id != "ank"]
    there = position(
        "F1907R", {"Turkey": "A ank"}, {"Turkey": " ".join(centers[: count - 1]), "Italy": ""}
    )
    assert play(there, {}).winners == winners


# -- retreats -----------------------------------------------------------------------------------


def test_a_unit_without_a_retreat_order_is_disbanded() -> None:
    there = position("S1901R", {"Italy": "A vie"}, dislodged={"Austria": {"A vie": "tri"}})
    outcome = play(there, {})
    entry = outcome.results["Austria"][0]
    assert not entry.given
    assert said(entry) == "no order was given, so it was disbanded"
    assert standing(outcome, "Austria") == set()


def test_a_unit_can_disband_instead_and_leave_the_place_to_another() -> None:
    there = position(
        "S1901R",
        {"Germany": "A boh", "Russia": "A vie"},
        dislodged={"Italy": {"A boh": "sil"}, "Austria": {"A vie": "gal"}},
    )
    outcome = play(there, {"Italy": "A boh - tyr", "Austria": "A vie D"})
    assert standing(outcome, "Italy") == {"A tyr"}


def test_two_coasts_of_a_province_clash() -> None:
    there = position(
        "S1901R",
        {"Italy": "F gas, F gol"},
        dislodged={"France": {"F gas": "bre"}, "Germany": {"F gol": "pie"}},
    )
    outcome = play(there, {"France": "F gas - spa/nc", "Germany": "F gol - spa/sc"})
    assert told(outcome, "France") == {"F gas R spa/nc": "retreat_clash"}
    assert "German fleet from the Gulf of Lyon" in said(outcome.results["France"][0])


def test_powers_owe_retreats_only_for_units_that_have_somewhere_to_go() -> None:
    there = position(
        "S1901R",
        {"Russia": "F por, F mid, A spa"},
        dislodged={"France": {"F por": "mid"}, "Italy": {"A spa": "por"}},
    )
    assert set(owed(STANDARD, there)) == {"Italy"}


# -- builds and removals ------------------------------------------------------------------------


def test_builds_owed_are_those_that_can_be_made() -> None:
    there = position(
        "W1901A",
        {"France": "A par, A mar", "Germany": "A mun", "Italy": "A rom, A nap, A tun"},
        {"France": "bre mar par spa por", "Germany": "mun", "Italy": "rom nap"},
    )
    assert owed(STANDARD, there) == {"France": Owed(builds=1), "Italy": Owed(removals=1)}


@pytest.mark.parametrize(
    ("order", "letter", "built"),
    [
        ("B mos", "c", "A mos"),
        ("B stp/nc", "c", "F stp/nc"),
        ("B sev", "c", None),
        ("B mos", "b", "A mos"),
        ("B stp/nc", "b", None),
        ("B mos", "a", None),
    ],
)
def test_builds_without_a_letter(order: str, letter: str, built: str | None) -> None:
    there = position("W1901A", {"Russia": "A war"}, {"Russia": "mos sev stp war"})
    outcome = play(there, {"Russia": order}, {"4.C.3": letter})
    assert standing(outcome, "Russia") == {"A war"} | ({built} if built else set())


@pytest.mark.parametrize(("letter", "built"), [("a", set()), ("b", {"A bre"}), ("c", {"F bre"})])
def test_two_kinds_built_in_one_place(letter: str, built: set[str]) -> None:
    there = position("W1901A", {"France": "A par"}, {"France": "bre mar par"})
    outcome = play(there, {"France": "B A bre; B F bre"}, {"4.D.5": letter})
    assert standing(outcome, "France") == {"A par"} | built


def test_waiving_may_be_forbidden() -> None:
    there = position("W1901A", {"France": "A par"}, {"France": "bre par"})
    assert told(play(there, {"France": "waive"}), "France") == {"WAIVE": "ok"}
    forbidden = told(play(there, {"France": "waive"}, {"4.D.7": "b"}), "France")
    assert forbidden["WAIVE"] == "not_allowed"


def test_a_build_nobody_ordered_is_waived_and_says_so() -> None:
    there = position("W1901A", {"France": "A par"}, {"France": "bre mar par"})
    outcome = play(there, {"France": "B A bre"})
    assert told(outcome, "France") == {"B A bre": "ok", "WAIVE 1": "ok"}
    assert not outcome.results["France"][1].given


def test_a_removal_nobody_ordered_names_its_rule() -> None:
    there = position("W1901A", {"Russia": "A lvn, A ukr"}, {"Russia": "mos"})
    entry = play(there, {}).results["Russia"][0]
    assert str(entry.order) == "D A lvn"
    assert "farthest from a center of its own goes first" in said(entry)


def test_builds_while_removals_are_due_are_not_allowed() -> None:
    there = position("W1901A", {"Russia": "A lvn, A ukr"}, {"Russia": "mos"})
    outcome = play(there, {"Russia": "B A mos; D A ukr"})
    assert told(outcome, "Russia") == {"B A mos": "not_allowed", "D A ukr": "ok"}
    assert said(result(outcome, "Russia", "B A mos")) == "no build is due, but 1 removal is due"


def test_the_next_phase_follows_whether_or_not_anybody_has_to_decide() -> None:
    there = STANDARD.opening
    seen = []
    for _ in range(5):
        there = adjudicate(STANDARD, there, {}, RULES).position
        seen.append(str(there.phase))
    assert seen == ["S1901R", "F1901M", "F1901R", "W1901A", "S1902M"]


def test_a_phase_the_calendar_does_not_have_is_refused() -> None:
    with pytest.raises(KeyError):
        play(position("U1901M", {}), {})
