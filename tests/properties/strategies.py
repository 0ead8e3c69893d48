"""Positions and orders of every shape the engine may be given."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from judge.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Unreadable,
    Waive,
)
from judge.rules.phase import Kind, Phase, Season
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.problems import Said
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.variants import load
from tests.prove.boards import ARCHIPELAGO
from tests.prove.generate import Orders, muddle, situation

STANDARD = load("standard")
LOCATIONS = sorted({*STANDARD.board.provinces, *STANDARD.board.fleet})
CENTERS = sorted(p.id for p in STANDARD.board.provinces.values() if p.supply_center)

seeds = st.integers(min_value=0, max_value=2**32)
variants = st.sampled_from([STANDARD, ARCHIPELAGO.variant])

places = st.sampled_from(LOCATIONS) | st.sampled_from(["xyz", "", "spa/wc", "par/nc", "a/b/c"])
names = st.builds(Unit, st.sampled_from(["A", "F", "", "N", "AF"]), places)
waters = st.lists(places, max_size=2).map(tuple)

any_orders: st.SearchStrategy[Order] = st.one_of(
    st.builds(Hold, names),
    st.builds(Move, names, places, st.sampled_from([None, True, False]), waters),
    st.builds(Support, names, names, st.none() | places),
    st.builds(Convoy, names, names, places),
    st.builds(Retreat, names, places),
    st.builds(Disband, names),
    st.builds(Build, names),
    st.builds(Waive, st.none() | st.integers(0, 5)),
    st.builds(Unreadable, st.text(max_size=10), st.just(Said("no order")), st.none() | names),
)

rulebooks = st.builds(
    lambda name, letters: Rulebook.edition(name).with_options(letters),
    st.sampled_from(["2023", "1976"]),
    st.fixed_dictionaries(
        {},
        optional={
            issue: st.sampled_from(letters)
            for issue, letters in {
                "4.A.1": "ab",
                "4.A.2": "abcdf",
                "4.A.3": "abcde",
                "4.A.4": "ab",
                "4.A.5": "ab",
                "4.A.7": "ab",
                "4.B.1": "ab",
                "4.B.2": "ab",
                "4.B.3": "ab",
                "4.B.4": "abc",
                "4.B.5": "ab",
                "4.B.6": "ab",
                "4.C.1": "abc",
                "4.C.2": "abc",
                "4.D.3": "abc",
                "4.D.4": "abc",
                "4.D.5": "abc",
                "4.D.6": "abc",
                "4.D.7": "ab",
                "4.D.8": "abc",
                "4.D.9": "ab",
                "4.E.1": "ab",
            }.items()
        },
    ),
)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Variant, Position, Orders]:
    """A crowded movement phase with orders that get in each other's way, some of them nonsense."""
    variant = draw(variants)
    make = draw(st.sampled_from([situation, muddle]))
    position, orders = make(variant, Random(draw(seeds)))
    return variant, position, orders


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position of any phase: units scattered, centers shared out, some units dislodged."""
    provinces = draw(st.permutations(sorted(STANDARD.board.provinces)))
    count = draw(st.integers(0, 20))
    units = {power: list[Unit]() for power in STANDARD.powers}
    for name in provinces[:count]:
        units[draw(st.sampled_from(STANDARD.powers))].append(draw(_unit_in(name)))
    phase = draw(
        st.sampled_from(
            [
                Phase(Season.SPRING, 1902, Kind.MOVEMENT),
                Phase(Season.FALL, 1905, Kind.MOVEMENT),
                Phase(Season.SPRING, 1903, Kind.RETREATS),
                Phase(Season.FALL, 1903, Kind.RETREATS),
                Phase(Season.WINTER, 1904, Kind.ADJUSTMENTS),
            ]
        )
    )
    centers = {power: list[str]() for power in STANDARD.powers}
    for center in CENTERS:
        owner = draw(st.sampled_from([*STANDARD.powers, None]))
        if owner is not None:
            centers[owner].append(center)
    dislodged: dict[str, tuple[Dislodged, ...]] = {}
    contested: tuple[str, ...] = ()
    if phase.kind is Kind.RETREATS:
        for name in provinces[count : count + draw(st.integers(0, 4))]:
            power = draw(st.sampled_from(STANDARD.powers))
            attacker = draw(st.none() | st.sampled_from(provinces))
            gone = Dislodged(draw(_unit_in(name)), attacker)
            dislodged[power] = (*dislodged.get(power, ()), gone)
        contested = tuple(draw(st.lists(st.sampled_from(provinces[30:]), max_size=4, unique=True)))
    return Position(
        phase,
        {power: tuple(own) for power, own in units.items()},
        {power: tuple(own) for power, own in centers.items()},
        dislodged,
        contested,
    )


@st.composite
def _unit_in(draw: st.DrawFn, name: str) -> Unit:
    province = STANDARD.board.provinces[name]
    kinds = {"sea": "F", "land": "A", "coast": "AF"}[province.terrain]
    kind = draw(st.sampled_from(kinds))
    return Unit(kind, name if kind == "A" else draw(st.sampled_from(province.locations)))


def reordered(variant: Variant, random: Random) -> Variant:
    """The same variant with its provinces, and each one's neighbors, in another order."""
    from dataclasses import replace

    from judge.rules.board import Board

    board = variant.board
    names = list(board.provinces)
    random.shuffle(names)
    provinces = {name: board.provinces[name] for name in names}

    def steps(old: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        keys = list(old)
        random.shuffle(keys)
        return {key: tuple(random.sample(old[key], k=len(old[key]))) for key in keys}

    mixed = Board(provinces, steps(dict(board.army)), steps(dict(board.fleet)))
    return replace(variant, board=mixed)
