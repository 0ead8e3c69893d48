"""Every board that is shipped: its orders are read as written, and games on it hold together."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from judge import variants
from judge.language.names import Names
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.engine import adjudicate
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build, Order, Waive
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant
from judge.sentences import in_words, order_words
from tests.boards.tables import GROUND
from tests.sampled import some

NAMES = GROUND


def chosen(
    variant: Variant, position: Position, chance: random.Random
) -> dict[str, Sequence[Order]]:
    """An order by chance for every unit that needs one, now and then none."""
    orders: dict[str, Sequence[Order]] = {}
    for power in dict.fromkeys((*position.units, *position.centers, *position.dislodged)):
        legal = legal_orders(variant, position, power)
        given = [chance.choice(options) for options in legal.values() if chance.random() < 0.95]
        chance.shuffle(given)
        orders[power] = given
    return orders


def played(variant: Variant, phases: int, seed: int) -> Iterator[tuple[Position, Position]]:
    """A game of orders by chance: each phase's position and the one it led to."""
    chance = random.Random(seed)
    position = variant.opening
    for _ in range(phases):
        before = position
        outcome = engine.adjudicate(variant, before, chosen(variant, before, chance))
        position = outcome.position
        yield before, position
        if outcome.winners:
            return


def units_of(position: Position) -> list[Unit]:
    return [unit for standing in position.units.values() for unit in standing]


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_orders_by_chance_holds_together(name: str) -> None:
    variant = variants.load(name)
    every = {p.id for p in variant.board.provinces.values() if p.supply_center}
    owned_before: set[str] = set()
    for before, after in played(variant, some(16, 40), seed=1):
        standing = units_of(after)
        assert len({unit.province for unit in standing}) == len(standing)
        for unit in standing:
            assert variant.board.stands(*unit)
        owned = [center for held in after.centers.values() for center in held]
        assert len(set(owned)) == len(owned)
        assert owned_before <= set(owned) <= every
        owned_before = set(owned)
        if before.phase.kind is Kind.ADJUSTMENTS:
            for power, held in after.units.items():
                assert len(held) <= len(after.centers.get(power, ()))


@pytest.mark.parametrize("name", NAMES)
def test_every_legal_order_is_read_as_it_is_written(name: str) -> None:
    variant = variants.load(name)
    chance = random.Random(2)
    for position, _ in played(variant, some(6, 12), seed=2):
        for power in position.units:
            options = [
                order
                for orders in legal_orders(variant, position, power).values()
                for order in chance.sample(orders, min(some(4, 6), len(orders)))
            ]
            for order in options:
                for text in (str(order), order_words(order, variant.board)):
                    assert read_order(text, variant, position.phase, power, position) == order, text
                assert engine.check(variant, position, power, order).problem is None


@pytest.mark.parametrize("name", NAMES)
def test_names_that_are_printed_are_understood(name: str) -> None:
    variant = variants.load(name)
    names = Names.of(variant)
    for province in variant.board.provinces.values():
        for text in (province.id, province.id.upper(), province.name, *province.aliases):
            assert names.location(text) == province.id
    for power in variant.powers:
        assert names.power(power) == power
        assert names.power(variant.adjectives[power]) == power
    for letter, power in variant.letters.items():
        assert names.power(letter) == power


@pytest.mark.parametrize("name", NAMES)
def test_each_says_what_it_is(name: str) -> None:
    variant = variants.load(name)
    assert variant.title
    assert variant.description.endswith(".")
    head = (variants.directory() / f"{name}.toml").read_text(encoding="utf-8").split("title =")[0]
    assert "Source" in head or "reconstruction" in head or "not at hand" in head


# -- the boards one by one ------------------------------------------------------------------------


def units(variant: Variant, power: str) -> str:
    return ", ".join(map(str, variant.start[power]))


def test_fleet_rome() -> None:
    rome, standard = variants.load("fleet_rome"), variants.load("standard")
    assert units(rome, "Italy") == "F nap, F rom, A ven"
    assert rome.powers == standard.powers
    for power in set(rome.powers) - {"Italy"}:
        assert rome.start[power] == standard.start[power]
    assert rome.centers == standard.centers
    assert rome.letters == standard.letters
    assert rome.board.army == standard.board.army
    assert rome.board.fleet == standard.board.fleet


def test_winter_1900_begins_with_builds_at_home() -> None:
    variant = variants.load("winter_1900")
    opening = variant.opening
    assert str(opening.phase) == "W1900A"
    assert units_of(opening) == []
    owed = engine.owed(variant, opening)
    assert {power: each.builds for power, each in owed.items()} == {
        power: 4 if power == "Russia" else 3 for power in variant.powers
    }
    order = read_order("build fleet rome", variant, opening.phase, "Italy", opening)
    outcome = engine.adjudicate(variant, opening, {"Italy": [order]})
    assert outcome.position.units["Italy"] == (Unit("F", "rom"),)
    assert str(outcome.position.phase) == "S1901M"
    assert outcome.winners == ()


def test_chaos_has_a_power_for_every_center() -> None:
    variant = variants.load("chaos")
    assert len(variant.powers) == 34
    assert sorted(center for owned in variant.centers.values() for center in owned) == sorted(
        province.id for province in variant.board.provinces.values() if province.supply_center
    )
    assert all(len(owned) == 1 for owned in variant.centers.values())
    assert {each.builds for each in engine.owed(variant, variant.opening).values()} == {1}
    assert len(variant.letters) == 34


def test_in_chaos_who_orders_no_first_build_gets_an_army() -> None:
    variant = variants.load("chaos")
    orders: dict[str, list[Order]] = {
        "Ankara": [Build(Unit("F", "ank"))],
        "Belgium": [Waive()],
        "Berlin": [Build(Unit("F", "mun"))],
    }
    outcome = adjudicate(variant, variant.opening, orders)
    units = outcome.position.units
    assert units["Ankara"] == (Unit("F", "ank"),)
    assert units.get("Belgium", ()) == ()
    assert units["Berlin"] == (Unit("A", "ber"),)
    assert units["Trieste"] == (Unit("A", "tri"),)
    (told,) = outcome.results["Trieste"]
    assert not told.given
    assert in_words(told, variant) == "no order was given; built in Trieste"
    # Later builds that nobody orders are left out, as everywhere.
    later = replace(
        outcome.position,
        phase=Phase.read("W1901A"),
        centers={**outcome.position.centers, "Trieste": ("tri", "vie"), "Vienna": ()},
        units={**outcome.position.units, "Vienna": ()},
    )
    assert adjudicate(variant, later, {}).position.units["Trieste"] == (Unit("A", "tri"),)


def test_in_chaos_and_build_anywhere_units_are_built_in_every_center() -> None:
    for name, power in (("chaos", "Vienna"), ("build_anywhere", "Austria")):
        variant = variants.load(name)
        opening = variant.opening
        there = Position(opening.phase._replace(kind=Kind.ADJUSTMENTS), {}, {power: ("vie", "ser")})
        legal = legal_orders(variant, there, power)
        assert set(legal) == {Unit("A", "vie"), Unit("A", "ser")}


@pytest.mark.parametrize(
    ("name", "powers"),
    [("france_austria", ("Austria", "France")), ("germany_italy", ("Germany", "Italy"))],
)
def test_games_for_two_leave_the_others_empty(name: str, powers: tuple[str, ...]) -> None:
    variant, standard = variants.load(name), variants.load("standard")
    assert variant.powers == powers
    assert {power: variant.start[power] for power in powers} == variant.start
    assert all(variant.start[power] == standard.start[power] for power in powers)
    homes = {province.home for province in variant.board.provinces.values()}
    assert homes == {None, *powers}


def test_the_hawes_setup() -> None:
    variant = variants.load("era_hawes")
    assert {power: len(owned) for power, owned in variant.centers.items()} == {
        "Britain": 6,
        "China": 4,
        "France": 3,
        "Japan": 4,
        "Netherlands": 3,
        "Russia": 5,
        "Turkey": 3,
    }
    assert units(variant, "Britain") == "A mad, A del, F bom, F hk, F sig, F ade"
    assert units(variant, "China") == "A pek, A can, A sin, A sha"
    assert units(variant, "Japan") == "A kyo, F kyu, F ota, F tok"
    assert units(variant, "Russia") == "A mos, A vla, A irk, F ode, F pa"
    for power, standing in variant.start.items():
        assert {unit.province for unit in standing} == set(variant.centers[power])
    assert variant.modules == variants.load("era_of_empire").modules
    assert variant.victory == 22


def test_hundred_counts_by_decades() -> None:
    variant = variants.load("hundred")
    phases = [variant.start_phase]
    while len(phases) < 7:
        phases.append(variant.calendar.next(phases[-1]))
    assert " ".join(map(str, phases)) == "S1425M S1425R F1425M F1425R W1425A S1435M S1435R"


def test_in_hundred_france_must_take_a_center_or_lose_a_unit() -> None:
    variant = variants.load("hundred")
    assert len(variant.start["France"]) == len(variant.centers["France"]) + 1
    winter = Position(
        variant.start_phase._replace(kind=Kind.ADJUSTMENTS), variant.start, variant.centers
    )
    assert engine.owed(variant, winter)["France"].removals == 1
    assert units(variant, "England") == "F lon, F dev, A cal, A guy, A nom"


def test_in_hundred_london_and_calais_are_neighbors() -> None:
    board = variants.load("hundred").board
    for steps in (board.army, board.fleet):
        assert "cal" in steps["lon"]
    assert board.provinces["not"].coasts == ("ec", "wc")
    assert board.provinces["ara"].coasts == ("nc", "sc")
    assert set(board.fleet["ara/sc"]) == {"cas", "med", "tou"}


def test_modern_and_pure() -> None:
    modern = variants.load("modern")
    assert len(modern.powers) == 10
    assert modern.victory == 33
    assert sum(map(len, modern.centers.values())) == 38
    assert set(modern.board.fleet["irn/nc"]) == {"aze", "cas", "kaz"}
    pure = variants.load("pure")
    assert all(len(steps) == 6 for steps in pure.board.army.values())
    assert pure.board.fleet == {}
