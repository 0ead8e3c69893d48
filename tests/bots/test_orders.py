"""Computer players give legal orders in every phase of every board, and always the same ones."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pytest

from judge import interchange, variants
from judge.bots import PACE, orders_of, steps
from judge.bots.between import Between
from judge.bots.levels import CARETAKER, LEVELS
from judge.bots.options import Joint, Scene
from judge.bots.search import Forward
from judge.bots.worth import Worth
from judge.rules.board import province_of
from judge.rules.engine import Adjudication, adjudicate, owed
from judge.rules.orders import Build, Disband, Move, Order, Retreat, Support, Waive
from judge.rules.outcome import Reason
from judge.rules.phase import Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, with_lineup
from tests.boards.tables import GROUND
from tests.rules import globe

USELESS = {Reason.VOID, Reason.NOT_ALLOWED, Reason.SUPERSEDED}

Played = tuple[Position, dict[str, list[Order]], Adjudication]


def played(variant: Variant, phases: int, level: str, seed: int = 1) -> Iterator[Played]:
    """The first phases of a game among computer players, one of them of this level."""
    position = variant.opening
    for _ in range(phases):
        orders = {
            power: orders_of(
                variant,
                position,
                power,
                level if power == variant.powers[-1] else "easy",
                seed=seed,
                seconds=0.02,
            )
            for power in owed(variant, position)
        }
        result = adjudicate(variant, position, orders)
        yield position, orders, result
        position = result.position


def test_there_are_three_levels() -> None:
    assert LEVELS == ("easy", "normal", "hard")


def idle(order: Order, given: Iterable[Order]) -> bool:
    """Whether an order supports what another unit of the same power does not do."""
    if not isinstance(order, Support):
        return False
    moves = [each for each in given if isinstance(each, Move) and each.unit == order.target]
    goals = [province_of(each.to) for each in moves]
    return goals != ([province_of(order.to)] if order.to else [])


def faults(variant: Variant, game: Iterable[Played]) -> Iterator[str]:
    """Yield what computer players ordered that is void, and what they left out."""
    for position, orders, result in game:
        for power, needed in owed(variant, position).items():
            given = orders[power]
            where = f"{variant.name} {position.phase}: {power}"
            outcomes = [each for each in result.results.get(power, ()) if each.given]
            yield from (f"{where}: {each.order}" for each in outcomes if each.reason in USELESS)
            if position.phase.kind is Kind.ADJUSTMENTS:
                stand = {unit.province for unit in position.units.get(power, ())}
                new = [o for o in given if isinstance(o, Build) and o.unit.province not in stand]
                # Builds where a unit stands convert it.
                built = len(new)
                built += sum(order.count or 0 for order in given if isinstance(order, Waive))
                removed = sum(isinstance(order, Disband) for order in given)
                if (built, removed) != (needed.builds, needed.removals):
                    yield f"{where} has {needed}, and orders {given}"
            else:
                yield from (f"{where}: {each}" for each in given if idle(each, given))
                ordered = [getattr(order, "unit", None) for order in given]
                if len(set(ordered)) < len(ordered) or not set(needed.units) <= set(ordered):
                    yield f"{where} orders {given} for {needed.units}"


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Counter[Phase]:
    """How many steps it took to try out orders, by phase."""
    found: Counter[Phase] = Counter()
    look, settle = Forward.shares, Between.value

    def shares(self: Forward, orders: Joint) -> list[float]:
        found[self.position.phase] += steps(self.scene.variant, self.position)
        return look(self, orders)

    def value(self: Between, orders: Sequence[Order]) -> float:
        # A whole phase is computed, and what comes of it valued anew.
        position = self.scene.position
        found[position.phase] += 20 * len(self.samples) * steps(self.scene.variant, position)
        return settle(self, orders)

    monkeypatch.setattr(Forward, "shares", shares)
    monkeypatch.setattr(Between, "value", value)
    return found


@pytest.mark.parametrize("name", [*GROUND, "sengoku"])
def test_every_order_is_legal_none_is_missing_and_none_takes_long(
    name: str, taken: Counter[Phase]
) -> None:
    variant = variants.load(name)
    phases = 8 if len(variant.powers) > 20 else 16
    game = list(played(variant, phases, "hard"))
    assert list(faults(variant, game)) == []
    # A second's search is a bounded number of steps, however large the board is.
    assert max(taken.values(), default=0) < 2 * 0.02 * PACE
    if name in ("standard", "modern", "era_of_empire", "global"):
        assert {position.phase.kind for position, _, _ in game} == set(Kind)


def test_a_power_with_nothing_to_decide_orders_nothing() -> None:
    variant = variants.load("standard")
    empty = Position(variant.start_phase, {"France": ()}, {})
    assert orders_of(variant, empty, "France") == []
    assert orders_of(variant, empty, "Italy", "hard") == []


def test_the_last_unit_of_a_power_without_centers_retreats() -> None:
    variant = variants.load("standard")
    gone = {"France": (Dislodged(Unit("A", "par"), "bur"),)}
    at = Position(Phase.read("F1901R"), {"Germany": (Unit("A", "par"),)}, {}, gone)
    for level in LEVELS:
        (order,) = orders_of(variant, at, "France", level)
        assert isinstance(order, Retreat)


def test_a_beginner_stays_out_of_its_own_way_and_guards_its_centers() -> None:
    for name in ("standard", "modern"):
        variant = variants.load(name)
        for position, orders, _ in played(variant, 10, "easy"):
            assert list(clumsy(variant, position, orders)) == []


def clumsy(
    variant: Variant, position: Position, orders: Mapping[str, Sequence[Order]]
) -> Iterator[str]:
    """Yield own units that bump into each other, and centers left to who is next to them."""
    board, counted = variant.board, position.phase.season in variant.calendar.ownership
    owners = {each: power for power, held in position.centers.items() for each in held}
    for power, given in orders.items():
        moves = {o.unit.province: province_of(o.to) for o in given if isinstance(o, Move)}
        foreign = [u for other, own in position.units.items() if other != power for u in own]
        near = {province_of(to) for unit in foreign for to in board.steps(unit.kind, unit.location)}
        stays = {unit.province for unit in position.units.get(power, ())} - {*moves}
        goals = {*moves.values()}
        if len(goals) < len(moves) or goals & stays:
            yield f"{position.phase}: {power} orders {given}"
        for start, goal in moves.items():
            prize = board.provinces[goal].supply_center and owners.get(goal) != power
            if counted and owners.get(start) == power and start in near and not prize:
                yield f"{position.phase}: {power} leaves {start} for {goal}"


def middle(name: str, seed: int) -> tuple[Variant, Position]:
    variant = variants.load(name)
    *_, last = played(variant, 11, "easy", seed)
    return variant, last[0]


def test_another_seed_gives_other_orders() -> None:
    variant, position = middle("standard", 3)
    given = {
        tuple(map(str, orders_of(variant, position, power, "easy", seed=seed)))
        for power in ("France",)
        for seed in range(12)
    }
    assert len(given) > 1


@pytest.mark.parametrize("level", LEVELS)
def test_the_order_in_which_a_position_is_written_changes_nothing(level: str) -> None:
    variant, position = middle("standard", 5)
    turned = Position(
        position.phase,
        {power: units[::-1] for power, units in [*position.units.items()][::-1]},
        {power: owned[::-1] for power, owned in [*position.centers.items()][::-1]},
    )
    for power in ("Russia", "France"):
        one = orders_of(variant, position, power, level, seed=1, seconds=0.05)
        assert one == orders_of(variant, turned, power, level, seed=1, seconds=0.05)


@pytest.mark.parametrize("name", ["standard", "global"])
def test_every_process_gives_the_same_orders(name: str) -> None:
    variant, position = middle(name, 2)
    data = interchange.position_object(variant, position)
    lines = "".join(
        interchange.written(data | {"power": power, "level": level, "seed": 4}) + "\n"
        for power in variant.powers[:3]
        for level in LEVELS
    )
    # Time must not cut the search short, however busy the machine is: few trials, no clock.
    program = (
        "import sys\nfrom judge import interchange\n"
        "from judge.interchange.bot_answers import bot_object\n"
        "for line in sys.stdin:\n"
        "    data = interchange.parse(line) | {'seconds': 0.03}\n"
        "    print(bot_object(data, lambda: 0.0)['orders'])\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            input=lines,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(said) == 1
    assert len(said.pop().splitlines()) == 9


def test_a_search_ends_when_its_time_has_passed() -> None:
    variant, position = middle("standard", 1)
    now = iter(range(1_000_000))
    asked = 0

    def clock() -> float:
        nonlocal asked
        asked += 1
        return float(next(now))

    orders = orders_of(variant, position, "France", "hard", seconds=3, clock=clock)
    assert asked < 8
    assert len(orders) == len(position.units["France"])


def test_a_journey_with_its_convoys_is_found() -> None:
    variant = variants.load("standard")
    units = {
        "England": (Unit("A", "yor"), Unit("F", "edi"), Unit("F", "nth")),
        "Russia": (Unit("A", "mos"), Unit("A", "sev"), Unit("A", "ukr")),
    }
    centers = {"England": ("edi", "lon", "lvp"), "Russia": ("mos", "sev", "war")}
    position = Position(Phase.read("F1901M"), units, centers)
    orders = set(map(str, orders_of(variant, position, "England", "normal")))
    assert any(order.startswith("F nth C A yor - ") for order in orders)
    assert any("A yor - " in order for order in orders if order.startswith("A yor"))


def test_a_center_that_nobody_owns_is_worth_the_way_and_the_taking() -> None:
    variant = variants.load("france_austria")
    centers = {each.id for each in variant.board.provinces.values() if each.supply_center}
    theirs = {"vie", "bud", "tri", "gre", "bul", "rum", "con"}

    def worth(place: str, *free: str) -> float:
        """What the position is worth to France with an army there, in spring."""
        units = {"France": (Unit("A", place),), "Austria": (Unit("A", "con"),)}
        held = {"France": (*sorted(centers - theirs - {*free}),), "Austria": (*sorted(theirs),)}
        at = Position(Phase.read("S1905M"), units, held)
        found = Worth(Scene(variant, at, Rulebook.edition("2023")))
        return found.shares([at.units[power] for power in found.powers])[found.number["France"]]

    missed = [worth(place) - worth(place, "mos", "war") for place in ("bel", "ruh", "pru", "war")]
    assert missed[0] > missed[1] + 1e-4
    assert missed[2] - missed[3] > missed[0] / 3


def test_a_power_that_has_joined_somebody_builds() -> None:
    joined = with_lineup(variants.load("standard"), "2")
    held = {"Italy": ("nap", "rom", "ven")}
    winter = Position(Phase.read("W1915A"), {"Italy": ()}, held)
    assert sum(isinstance(each, Build) for each in orders_of(joined, winter, "Italy")) == 3


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_an_arsenal_bombs_others_and_neither_its_own_nor_the_last_centers(level: str) -> None:
    variant = variants.load("global")

    def bombed(phase: str, gone: list[str], **units: str) -> list[str]:
        at = globe.position(phase, units, {"RF": "yak"}, destroyed=gone)
        given = orders_of(variant, at, "United States", level, seconds=0.02)
        orders = {power: given if power == "United States" else [] for power in at.units}
        result = adjudicate(variant, at, orders)
        wrong = [each for each in result.results["United States"] if each.reason in USELESS]
        assert wrong == []
        return [str(order) for order in given if " bomb " in str(order)]

    assert bombed("W2101M", [], US="R ala", RF="A nwt, A yak") == ["R ala bomb yak"]
    assert bombed("W2101M", [], US="R ala, A sus", RF="A nwt") == ["R ala bomb nwt"]
    assert bombed("W2101M", [], US="R ala, A nwt", RF="A rus") == []
    # With few centers left another one is not destroyed.
    few = ["bra", "egy", "ind", "saf", "weu"]
    assert bombed("W2101M", few, US="R ala", RF="A yak") == []


@pytest.mark.parametrize("level", LEVELS)
def test_games_begin_as_people_begin_them_and_not_all_alike(level: str) -> None:
    variant = variants.load("standard")
    found = {
        power: Counter(
            tuple(map(str, orders_of(variant, variant.opening, power, level, seed=seed)))
            for seed in range(200)
        )
        for power in variant.powers
    }
    assert all(len(openings) >= 5 for openings in found.values())
    (often, _), *_ = found["Turkey"].most_common()
    assert often == ("A con - bul", "A smy - con", "F ank - bla")
    assert max(max(each.values()) for each in found.values()) < 150


def test_the_caretaker_opens_by_itself() -> None:
    variant = variants.load("standard")
    assert (
        len(
            {
                tuple(orders_of(variant, variant.opening, "Turkey", CARETAKER, seed=n))
                for n in range(20)
            }
        )
        == 1
    )
