"""Convoy routes on the numbered board, against looking at every chain of fleets."""

from __future__ import annotations

import time
from itertools import pairwise, permutations
from random import Random

from judge.rules.geometry import geometry
from tests.rules.table import STANDARD

SEAS = geometry(STANDARD.board)
WATERS = [place for place, sea in enumerate(SEAS.sea) if sea]
COASTS = [place for place, coastal in enumerate(SEAS.coastal) if coastal]


def _chains(start: int, end: int, fleets: list[int]) -> set[frozenset[int]]:
    """Every chain of fleets from coast to coast that breaks when one of them is left out."""
    found = set()
    for length in range(1, len(fleets) + 1):
        for chain in permutations(fleets, length):
            links = pairwise(chain)
            if (
                chain[0] in SEAS.waters[start]
                and chain[-1] in SEAS.waters[end]
                and all(beyond in SEAS.waters[here] for here, beyond in links)
            ):
                found.add(frozenset(chain))
    return {chain for chain in found if not any(other < chain for other in found)}


def test_connections_and_needed_fleets_agree_with_all_chains() -> None:
    random = Random(1901)
    connected = needed = 0
    for _ in range(150):
        hub = random.choice(WATERS)
        near = {hub, *SEAS.waters[hub]}
        for water in SEAS.waters[hub]:
            near.update(SEAS.waters[water])
        fleets = random.sample(sorted(near), min(6, len(near)))
        shore = [coast for coast in COASTS if near.intersection(SEAS.waters[coast])]
        start, end = random.sample(shore, 2)
        chains = _chains(start, end, fleets)
        assert SEAS.connected(start, end, fleets) == bool(chains)
        connected += bool(chains)
        for water in fleets:
            expected = any(water in chain for chain in chains)
            assert SEAS.needed(water, start, end, frozenset(fleets)) == expected
            needed += expected
    assert connected > 30
    assert needed > 50


def test_a_sea_full_of_fleets_is_searched_in_no_time() -> None:
    started = time.perf_counter()
    for start in COASTS[::5]:
        for end in COASTS[::7]:
            if start != end:
                joined = SEAS.connected(start, end, WATERS)
                assert joined == any(SEAS.needed(water, start, end, WATERS) for water in WATERS)
    assert time.perf_counter() - started < 5
