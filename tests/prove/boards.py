"""Made-up boards of four to six provinces, small enough to try every combination of orders.

Each has units placed so that one kind of trouble is in reach: rings, head-to-head battles,
beleaguered garrisons, convoys along one or two routes, paradoxes, split coasts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.rules.board import Board, Province
from judge.rules.phase import Calendar, Kind, Phase, Season
from judge.rules.position import Position, Unit
from judge.rules.variant import Variant

CALENDAR = Calendar(
    (
        (Season.SPRING, Kind.MOVEMENT),
        (Season.SPRING, Kind.RETREATS),
        (Season.FALL, Kind.MOVEMENT),
        (Season.FALL, Kind.RETREATS),
        (Season.WINTER, Kind.ADJUSTMENTS),
    )
)
POWERS = ("Ash", "Birch", "Cedar", "Dogwood", "Elm")
START = Phase.read("S1901M")


@dataclass(frozen=True)
class Small:
    """A board and the placements to try on it."""

    variant: Variant
    positions: tuple[Position, ...]


def _both_ways(pairs: str) -> dict[str, tuple[str, ...]]:
    steps: dict[str, list[str]] = {}
    for pair in pairs.split():
        one, other = pair.split("-")
        steps.setdefault(one, []).append(other)
        steps.setdefault(other, []).append(one)
    return {name: tuple(sorted(around)) for name, around in steps.items()}


def make(
    name: str, army: str, fleet: str, placements: Sequence[str], sea: str = "", weak: str = ""
) -> Small:
    """A board from pairs of neighbors ("p-q q-r").

    `sea` are the waters; whatever a fleet can reach besides them is a coast, the rest is land. A
    placement is a list of units with the first letter of their powers: "A:A p, B:F s".
    """
    walks, sails = _both_ways(army), _both_ways(fleet)
    waters = set(sea.split())
    coasts: dict[str, list[str]] = {}
    for location in sorted(sails):
        province, _, coast = location.partition("/")
        coasts.setdefault(province, []).extend([coast] if coast else [])
    provinces = {}
    for province in sorted({*walks, *coasts}):
        terrain = "sea" if province in waters else "coast" if province in coasts else "land"
        provinces[province] = Province(
            province,
            province.upper(),
            terrain,  # type: ignore[arg-type]
            coasts=tuple(coasts.get(province, ())),
        )
    variant = Variant(
        name=name,
        title=name,
        board=Board(
            provinces,
            walks,
            sails,
            weak=frozenset(
                (here, there) for here, others in _both_ways(weak).items() for there in others
            ),
        ),
        powers=POWERS,
        letters={power[0]: power for power in POWERS},
        adjectives={power: power for power in POWERS},
        calendar=CALENDAR,
        start_phase=START,
        start={},
        centers={},
        victory=99,
    )
    return Small(variant, tuple(_placement(text) for text in placements))


def _placement(text: str) -> Position:
    units: dict[str, list[Unit]] = {}
    for item in text.split(","):
        letter, _, unit = item.strip().partition(":")
        kind, _, location = unit.partition(" ")
        power = next(power for power in POWERS if power[0] == letter)
        units.setdefault(power, []).append(Unit(kind, location))
    return Position(START, {power: tuple(standing) for power, standing in units.items()})


ARCHIPELAGO = make(
    "archipelago",
    "a-b b-c c-d d-a e-f f-g g-h h-e i-j",
    " ".join(
        [
            "s-t s-u s-w t-u t-w u-w a-b e-f i-j",
            *(
                f"{coast}-{sea}"
                for coast in "abcdefghij"
                for sea in "stuw"
                if (coast, sea)
                not in {("a", "s"), ("b", "t"), ("c", "u"), ("d", "w"), ("e", "t"), ("f", "s")}
            ),
        ]
    ),
    [],
    sea="s t u w",
)
"""Four waters that all touch, and ten coasts on most of them: convoys get at each other easily."""

BOARDS = (
    make(
        "ring",
        "a-b b-c c-a c-d",
        "",
        ["A:A a, B:A b, A:A c, C:A d", "A:A a, A:A b, B:A c, B:A d"],
    ),
    make(
        "garrison",
        "m-a m-b m-c m-d a-b",
        "",
        ["A:A m, B:A a, B:A b, C:A c, A:A d", "A:A m, A:A a, B:A b, C:A c, C:A d"],
    ),
    make(
        "strait",  # an army that may walk or sail, and the simplest paradox
        "p-q q-r",
        "s-p s-q p-q t-q t-r s-t",
        [
            "A:A p, A:F s, B:F q, B:F t",
            "A:A p, B:F s, B:F q, C:F t",
            "A:A p, B:F s, C:A q, B:F t",
            "A:A p, A:F s, B:A q, C:A r",
        ],
        sea="s t",
    ),
    make(
        "two-ways",  # two routes to one coast
        "p-x q-y",
        "s-p s-q t-p t-q s-w w-y q-w",
        [
            "A:A p, A:F s, B:F t, C:F q, C:F w",
            "A:A p, B:F s, B:F t, B:F q, C:F w",
        ],
        sea="s t w",
    ),
    make(
        "long-way",  # a chain of two fleets, and back
        "p-q",
        "s-p s-t t-r t-q q-r",
        [
            "A:A p, A:F s, B:F t, C:A r, B:A q",
            "A:A p, B:F s, A:F t, C:F r, C:A q",
        ],
        sea="s t",
    ),
    make(
        "crossing",  # two armies that land on each other's supporters
        "p-x q-x",
        "s-p s-q t-p t-q s-t",
        [
            "A:A p, A:F s, B:F t, B:A q, C:A x",
            "A:F p, A:F s, B:F t, B:A q, B:A x",
        ],
        sea="s t",
    ),
    make(
        "fords",  # weak borders, with a rival, a supporter and a circle at hand
        "p-q q-r r-p q-x p-x",
        "",
        ["A:A p, A:A x, B:A q, C:A r", "A:A p, B:A x, B:A r", "A:A p, B:A q, C:A x, C:A r"],
        weak="p-q",
    ),
    make(
        "ford-and-ferry",  # the same by land and by sea
        "p-q q-r p-x x-q",
        "s-p s-q s-x",
        ["A:A p, A:F s, B:A q, B:A x", "A:A p, B:F s, B:A q, A:A r"],
        sea="s",
        weak="p-q q-x",
    ),
    make(
        "two-coasts",
        "c-d d-e",
        "n-c/nc s-c/sc n-d d-c/nc s-e e-c/sc n-s",
        [
            "A:F n, B:F s, C:F c/nc, A:A d",
            "A:F n, B:F s, B:A c, C:F e",
            "A:F n, A:F s, B:F d, C:F e",
        ],
        sea="n s",
    ),
)
