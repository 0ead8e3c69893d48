"""Games for fewer players: standing and neutral powers, powers as one, and who wins."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge import variants
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Move, Order
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook
from judge.rules.variant import JOINED, Variant, fitting, of_phase, with_lineup
from tests.rules.table import said

STANDARD = variants.load("standard")
ERA = variants.load("era_of_empire")


def at(phase: str, centers: dict[str, str] | None = None, **units: str) -> Position:
    """A position: units as `A ven, F nap` by power, centers as `ven rom`."""
    standing = {
        power.replace("_", "-"): tuple(
            Unit(kind, place) for kind, place in (unit.split() for unit in text.split(", "))
        )
        for power, text in units.items()
    }
    owned = {power: tuple(text.split()) for power, text in (centers or {}).items()}
    return Position(Phase.read(phase), standing, owned)


def run(variant: Variant, position: Position, **orders: str) -> Adjudication:
    given = {
        power.replace("_", "-"): [
            read_order(text, variant, position.phase, power.replace("_", "-"), position)
            for text in lines.split("; ")
        ]
        for power, lines in orders.items()
    }
    return engine.adjudicate(variant, position, given)


def goals(legal: dict[Unit, list[Order]]) -> set[str]:
    """Where units could go, or be carried."""
    orders = [order for options in legal.values() for order in options]
    return {order.to for order in orders if isinstance(order, Move | Convoy)}


@pytest.mark.parametrize(
    ("rulebook", "players", "names"),
    [
        ("2023", 6, ["6"]),
        ("2023", 5, ["5"]),
        ("2023", 4, ["4"]),
        ("2023", 3, ["3"]),
        ("2023", 2, ["2"]),
        ("1976", 6, ["6"]),
        ("1976", 5, ["5"]),
        ("1976", 4, ["4"]),
        ("1976", 3, ["3", "3-russia"]),
        ("1976", 2, ["2-units", "2"]),
        ("2023", 7, []),
    ],
)
def test_the_books_know_games_for_two_to_six(rulebook: str, players: int, names: list[str]) -> None:
    assert [lineup.name for lineup in fitting(STANDARD, players, rulebook)] == names


def test_a_standing_power_follows_no_orders_and_supports_nobody() -> None:
    six = with_lineup(STANDARD, "6")
    position = at("S1901M", Italy="A ven, A rom", Austria="A tyr, A tri")
    assert legal_orders(six, position, "Italy") == {}
    assert "Italy" not in engine.owed(six, position)
    done = run(six, position, Italy="A rom S A ven", Austria="A tyr - ven; A tri S A tyr - ven")
    assert done.dislodged["Italy"][0].unit == Unit("A", "ven")
    assert [result.succeeded for result in done.results["Italy"]][:1] == [False]
    assert "no player" in said(done.results["Italy"][0])


def test_players_support_a_standing_unit_where_it_holds() -> None:
    six = with_lineup(STANDARD, "6")
    position = at("S1901M", Italy="A ven", Austria="A tyr, A tri", France="A pie")
    done = run(six, position, Austria="A tyr - ven; A tri S A tyr - ven", France="A pie S A ven")
    assert not done.dislodged


def test_a_standing_unit_that_is_dislodged_is_disbanded_at_once() -> None:
    six = with_lineup(STANDARD, "6")
    position = at("F1901M", Italy="A ven", Austria="A tyr, A tri")
    done = run(six, position, Austria="A tyr - ven; A tri S A tyr - ven")
    assert done.dislodged["Italy"][0].retreats == ()
    assert not done.position.dislodged
    # In the game for seven it could have gone to many places.
    seven = run(STANDARD, position, Austria="A tyr - ven; A tri S A tyr - ven")
    assert seven.dislodged["Italy"][0].retreats


def test_a_standing_power_raises_nothing_and_loses_units_as_in_civil_disorder() -> None:
    six = with_lineup(STANDARD, "6")
    more = at("W1901A", {"Italy": "ven rom nap"}, Italy="A ven")
    assert engine.owed(six, more) == {}
    assert run(six, more).position.units["Italy"] == (Unit("A", "ven"),)
    assert run(six, more, Italy="B A rom").position.units["Italy"] == (Unit("A", "ven"),)
    less = at("W1901A", {"Italy": "ven"}, Italy="A ven, A rom")
    assert engine.owed(six, less) == {}
    assert run(six, less).position.units["Italy"] == (Unit("A", "ven"),)


def test_nobody_enters_italy_before_it_joins() -> None:
    two = with_lineup(STANDARD, "2")
    position = at("F1914M", Italy="A ven, A rom, F nap", Austria="A tyr, A tri, F alb, F ion")
    for order in ("A tyr - ven", "A tyr - pie", "A tri - ven", "F alb - apu", "F ion - nap"):
        [result] = run(two, position, Austria=order).results["Austria"][:1]
        assert not result.succeeded, order
    legal = legal_orders(two, position, "Austria")
    italy = {"apu", "nap", "pie", "rom", "tus", "ven"}
    assert not goals(legal) & italy
    later = replace(position, phase=Phase.read("S1915M"))
    assert run(two, later, Austria="A tyr - pie").results["Austria"][0].succeeded
    assert legal_orders(two, later, "Italy")
    assert of_phase(two, Phase.read("S1916M")) is of_phase(two, Phase.read("S1915M"))


def test_nobody_is_carried_to_a_closed_coast_or_retreats_there() -> None:
    two = with_lineup(STANDARD, "2")
    position = at("F1914M", Austria="A alb, F ion, F adr", France="A boh, A mun")
    [result] = run(two, position, Austria="A alb - apu; F ion C A alb - apu").results["Austria"][:1]
    assert not result.succeeded
    closed = engine.check(two, position, "Austria", result.order)
    assert closed.problem is not None
    position = at("F1914M", Austria="A tyr", France="A boh, A mun")
    done = run(two, position, France="A boh - tyr; A mun S A boh - tyr")
    assert set(done.dislodged["Austria"][0].retreats) == {"tri", "vie"}


def test_who_may_not_be_entered_is_said() -> None:
    two = with_lineup(STANDARD, "2")
    position = at("F1914M", Austria="A tyr")
    order = read_order("A tyr - ven", two, position.phase, "Austria", position)
    problem = engine.check(two, position, "Austria", order).problem
    assert said(problem) == "Venice is neutral, and no unit can enter it"


def test_twenty_four_centers_of_one_player_win() -> None:
    two = with_lineup(STANDARD, "2")
    assert engine.victory(two, two.opening) == 24
    owned = {
        "England": "lon edi lvp nwy swe den bel hol",
        "France": "par bre mar spa por mun ber kie",
        "Russia": "mos war sev stp rum bud vie",
        "Turkey": "con ank smy",
    }
    short = at("F1915R", owned, England="A pic", Turkey="A con")
    assert run(two, short).winners == ()
    enough = at("F1915R", owned | {"Russia": owned["Russia"] + " tri"}, England="A pic")
    assert set(run(two, enough).winners) == {"England", "France", "Russia"}
    # What Italy owns counts for whom it has joined.
    italy = at("F1915R", owned | {"Italy": "rom"}, England="A pic")
    italy = replace(italy, extra={JOINED: {"Italy": "England"}})
    assert set(run(two, italy).winners) == {"England", "France", "Russia", "Italy"}


def test_the_older_book_wants_twenty_four_units_on_the_board() -> None:
    two = with_lineup(STANDARD, "2-units")
    provinces = [key for key, each in STANDARD.board.provinces.items() if each.terrain == "land"]
    provinces += [key for key, each in STANDARD.board.provinces.items() if each.terrain == "coast"]
    free = [key for key in provinces if key not in ("lon", "edi", "lvp")]
    armies = ", ".join(f"A {key}" for key in free[:23])
    owned = {
        "France": " ".join(
            key for key in STANDARD.board.provinces if STANDARD.board.provinces[key].supply_center
        )
    }
    # 34 centers are no victory, but the 24th unit is.
    fall = at("F1915R", owned, France=armies)
    assert run(two, fall).winners == ()
    winter = at("W1915A", owned | {"England": "lon"}, France=armies, England="F nth")
    assert set(run(two, winter).winners) == {"England", "France", "Russia"}
    short = at("W1915A", owned | {"England": "lon"}, France=armies)
    assert run(two, short).winners == ()


def test_one_power_of_three_needs_its_eighteen_alone() -> None:
    three = with_lineup(STANDARD, "3")
    assert engine.victory(three, three.opening) == 18
    owned = {"Austria": "bud vie tri", "Germany": "ber mun kie", "England": "lon edi lvp"}
    more = {"Germany": owned["Germany"] + " hol bel den nwy swe par bre"}
    assert run(three, at("F1905R", owned | more, England="F nth")).winners == ()


def test_the_rules_of_1976_count_units_where_a_game_is_stopped() -> None:
    assert Rulebook.edition("1976").short_game == "units"
    assert Rulebook.edition("2023").short_game == "centers"
    assert Rulebook.edition("1976").with_options({"4.A.2": "c"}).short_game == "units"


# -- Era of Empire: a player's powers are one ---------------------------------------------------


def test_pairs_of_powers_are_one_power_for_all_purposes() -> None:
    four = with_lineup(ERA, "4")
    assert four.powers == ("France-Britain", "Turkey-China", "Netherlands-Japan", "Russia")
    assert len(four.start["Turkey-China"]) == 6
    assert set(four.centers["Netherlands-Japan"]) == {"bor", "jav", "sum", "tok", "kyu", "kyo"}
    assert four.board.provinces["pek"].home == "Turkey-China"
    # No self-dislodgement: what was Turkey's does not dislodge what was China's.
    own = at("S1870M", Turkey_China="A per, A afg, A kar")
    done = run(four, own, Turkey_China="A per - afg; A kar S A per - afg")
    assert not done.dislodged
    # Adjustments are owed for all centers together.
    winter = at("W1870A", {"Turkey-China": "ang bag con pek"}, Turkey_China="A pek")
    assert engine.owed(four, winter)["Turkey-China"].builds == 3
    # And 22 centers of both together win.
    neutral = [key for key, each in ERA.board.provinces.items() if each.supply_center]
    rich = at("F1875R", {"Turkey-China": " ".join(neutral[:22])}, Turkey_China="A afg")
    assert run(four, rich).winners == ("Turkey-China",)


def test_each_name_of_a_pair_names_it() -> None:
    four = with_lineup(ERA, "4")
    position = at("S1870M", Turkey_China="A per", Russia="A afg")
    for name in ("Turkish", "Chinese", "Turkey", "China", "Turkey-China"):
        text = f"A afg S {name} A per"
        order = read_order(text, four, position.phase, "Russia", position)
        assert "A per" in str(order), (name, order)


def test_china_stands_in_the_game_for_six() -> None:
    six = with_lineup(ERA, "6")
    assert six.standing == ("China",)
    assert [unit.location for unit in six.start["China"]] == ["pek", "sha", "sin"]
    winter = at("W1870A", {"China": "pek sha sin"}, China="A pek")
    assert engine.owed(six, winter) == {}


def test_russia_may_not_be_entered_by_two() -> None:
    two = with_lineup(ERA, "2")
    name = "Turkey-China-Netherlands"
    position = at("S1870M", Turkey_China_Netherlands="A mon, F bs, A arm")
    closed = {"mos", "irk", "vla", "ode", "bak", "bok", "kir", "oms", "ore"}
    entered = goals(legal_orders(two, position, name))
    assert not entered & closed
    assert entered & {"pek", "man", "lan"}
