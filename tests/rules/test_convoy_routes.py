"""Convoy routes on the numbered board, against looking at every set of fleets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from random import Random

import pytest

from benchmarks.boards import tripled
from judge.rules.board import Board, Province
from judge.rules.board_index import BoardIndex, board_index, places
from judge.rules.convoy_routes import ConvoyRoutes
from tests.rules.table import STANDARD

SEAS = board_index(STANDARD.board)
WATERS = [place for place, sea in enumerate(SEAS.sea) if sea]
COASTS = [place for place, coastal in enumerate(SEAS.coastal) if coastal]


def _mask(waters: Iterable[int]) -> int:
    return sum(1 << water for water in waters)


def _links(seas: BoardIndex, start: int, end: int, fleets: int) -> bool:
    """Whether an army gets from coast to coast over exactly these waters or some of them."""
    reached: set[int] = set()
    ahead = [water for water in places(fleets) if seas.near[start] >> water & 1]
    while ahead:
        water = ahead.pop()
        if water not in reached:
            reached.add(water)
            ahead += [other for other in places(fleets) if seas.near[water] >> other & 1]
    return any(seas.near[end] >> water & 1 for water in reached)


def _needed(seas: BoardIndex, start: int, end: int, fleets: Sequence[int]) -> set[int]:
    """The fleets of all routes that are none any more without any one of their fleets."""
    found: set[int] = set()
    for size in range(1, len(fleets) + 1):
        for some in combinations(fleets, size):
            every = _mask(some)
            if _links(seas, start, end, every) and not any(
                _links(seas, start, end, every & ~(1 << one)) for one in some
            ):
                found.update(some)
    return found


def _agree(seas: BoardIndex, start: int, end: int, fleets: Sequence[int], random: Random) -> int:
    """Compare all answers for one journey; how many fleets are needed."""
    convoy_routes = ConvoyRoutes(seas, _mask(fleets))
    expected = _needed(seas, start, end, fleets)
    asked = list(fleets)
    random.shuffle(asked)
    for water in asked:
        assert convoy_routes.needed(water, start, end) == (water in expected), (water, fleets)
        left = _mask(fleets) & ~(1 << water)
        assert convoy_routes.joined(start, end, water) == _links(seas, start, end, left)
    assert not convoy_routes.needed(start, start, end)
    joined = bool(expected)
    assert convoy_routes.joined(start, end) == joined
    assert seas.connected(start, end, _mask(fleets)) == joined
    shortest = seas.shortest(start, end, _mask(fleets))
    assert bool(shortest) == joined
    if joined:
        assert set(shortest) <= set(fleets)
        assert seas.leads(start, end, shortest)
    return len(expected)


def _board(waters: int, edges: Iterable[tuple[int, int]], coasts: Sequence[int]) -> BoardIndex:
    """A made-up sea: waters, which of them touch, and those that touch each of the coasts."""
    names = [f"w{water}" for water in range(waters)]
    provinces = {name: Province(name, name, "sea") for name in names}
    around: dict[str, set[str]] = {name: set() for name in names}
    pairs = [(names[one], names[other]) for one, other in edges]
    for number, touched in enumerate(coasts):
        coast = f"c{number}"
        provinces[coast] = Province(coast, coast, "coast")
        around[coast] = set()
        pairs += [(coast, names[water]) for water in places(touched)]
    for one, other in pairs:
        around[one].add(other)
        around[other].add(one)
    fleet = {name: tuple(sorted(steps)) for name, steps in around.items()}
    return BoardIndex(Board(provinces, {}, fleet))


def _every_sea(waters: int) -> Iterator[BoardIndex]:
    pairs = list(combinations(range(waters), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        edges = [pair for pair, there in zip(pairs, chosen, strict=True) if there]
        for start, end in product(range(1 << waters), repeat=2):
            if start <= end:
                yield _board(waters, edges, (start, end))


@pytest.mark.parametrize("waters", [1, 2, 3])
def test_every_sea_of_a_few_waters(waters: int) -> None:
    random = Random(waters)
    everywhere = list(range(waters))
    assert sum(_agree(seas, waters, waters + 1, everywhere, random) for seas in _every_sea(waters))


def test_made_up_seas() -> None:
    # Five to nine waters, from strings of them to all but open sea: bays, straits, islands.
    random = Random(4)
    needed = unneeded = 0
    for _ in range(600):
        waters = random.randint(5, 9)
        dense = random.choice((0.25, 0.35, 0.5, 0.7))
        pairs = combinations(range(waters), 2)
        edges = [pair for pair in pairs if random.random() < dense]
        coasts = [_mask(random.sample(range(waters), random.randint(1, 3))) for _ in "ab"]
        seas = _board(waters, edges, coasts)
        fleets = random.sample(range(waters), random.randint(waters - 2, waters))
        found = _agree(seas, waters, waters + 1, fleets, random)
        needed += found
        unneeded += len(fleets) - found
    assert needed > 500
    assert unneeded > 500


def test_the_standard_seas() -> None:
    random = Random(1901)
    joined = needed = 0
    for _ in range(150):
        hub = random.choice(WATERS)
        near = {hub, *places(SEAS.near[hub])}
        for water in places(SEAS.near[hub]):
            near.update(places(SEAS.near[water]))
        fleets = random.sample(sorted(near), min(6, len(near)))
        shore = [coast for coast in COASTS if SEAS.near[coast] & _mask(near)]
        start, end = random.sample(shore, 2)
        found = _agree(SEAS, start, end, fleets, random)
        joined += found > 0
        needed += found
    assert joined > 30
    assert needed > 50


def test_what_is_known_of_one_journey_says_nothing_of_another() -> None:
    random = Random(6)
    for _ in range(40):
        fleets = random.sample(WATERS, 8)
        convoy_routes = ConvoyRoutes(SEAS, _mask(fleets))
        for _ in range(12):
            start, end = random.sample(COASTS, 2)
            water = random.choice(fleets)
            fresh = ConvoyRoutes(SEAS, _mask(fleets))
            expected = fresh.needed(water, start, end)
            assert convoy_routes.needed(water, start, end) == expected
            assert convoy_routes.needed(water, end, start) == expected


def test_seas_full_of_fleets() -> None:
    # Every fleet of a journey asked about in turn; a search over routes would never end.
    for seas in (SEAS, board_index(tripled(STANDARD).board)):
        waters = [place for place, sea in enumerate(seas.sea) if sea]
        coasts = [place for place, coastal in enumerate(seas.coastal) if coastal]
        convoy_routes = ConvoyRoutes(seas, _mask(waters))
        for start, end in product(coasts[::5], coasts[::7]):
            if start != end:
                needed = [convoy_routes.needed(water, start, end) for water in waters]
                assert any(needed) == convoy_routes.joined(start, end)
