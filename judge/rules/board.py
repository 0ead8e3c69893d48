"""The board: provinces, kinds of units, and the steps that units can make between provinces."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, update_wrapper
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from judge.rules.position import Unit


class Owning(Protocol):
    """What keeps the values derived from it, by what made them."""

    @property
    def derived(self) -> dict[Derived[Any, Any], object]:
        """The values kept; empty in a copy that differs in anything."""
        ...


Owner = TypeVar("Owner", bound=Owning)
Value = TypeVar("Value")


class Derived(Generic[Owner, Value]):
    """A function of a board or a variant whose value is kept with its argument."""

    def __init__(self, make: Callable[[Owner], Value]) -> None:
        self.make = make
        update_wrapper(self, make, updated=())

    def __call__(self, owner: Owner) -> Value:
        """Return the value, made when it is first asked for."""
        known = owner.derived.get(self)
        if known is None:
            known = owner.derived[self] = self.make(owner)
        return known  # type: ignore[return-value]  # a cast would be a call


Ways = Literal["army", "fleet", "none"]

ANY_WAY: Final = 2
"""The range of a unit that reaches two spaces away by any route, over land and water."""


@dataclass(frozen=True, slots=True)
class UnitKind:
    """One kind of unit; `letter` is how orders name it ("A", "AF").

    `name` and `plural` are its words, `words` further ones that people write (lower case; letters
    of other kinds, too: a navy is also called "f"). `moves` says which borders it crosses.
    `carries`: convoys others when it is on the high sea; `carried`: can be convoyed.
    `support` is how far away it supports: 0 nowhere, 1 where it could go itself, 2 up to two spaces
    by any route. `supported`: can be given support. `retreats`: else it is destroyed when
    dislodged. `limit` is how many of them a power may have. `bombs` is how far it carries a bomb,
    as `support`; `launches` that a bomb starts with it.
    """

    letter: str
    name: str
    plural: str
    words: tuple[str, ...] = ()
    moves: Ways = "army"
    carries: bool = False
    carried: bool = False
    support: int = 1
    supported: bool = True
    retreats: bool = True
    limit: int | None = None
    bombs: int = 0
    launches: bool = False

    @property
    def one(self) -> str:
        """The word with its article: `an army`."""
        article = "an" if self.name[:1] in "aeiou" else "a"
        return f"{article} {self.name}"

    @property
    def afloat(self) -> bool:
        """Whether it goes as a fleet, and stands on coasts and waters."""
        return self.moves == "fleet"


ARMY: Final = UnitKind("A", "army", "armies", carried=True)
FLEET: Final = UnitKind("F", "fleet", "fleets", moves="fleet", carries=True)

STANDARD: Final[Mapping[str, UnitKind]] = {kind.letter: kind for kind in (ARMY, FLEET)}
"""The kinds of all variants that name no others."""

UNNAMED: Final = UnitKind("", "unit", "units")
"""A unit written without its letter, or with one that no kind has. It is taken for one that walks
until it is known what stands there."""


Terrain = Literal["land", "coast", "sea"]


@lru_cache(maxsize=8192)
def province_of(location: str) -> str:
    """Return the province of a location: `stp` for `stp/nc`, `par` for `par`."""
    return location.partition("/")[0]


@lru_cache(maxsize=8192)
def name_key(text: str) -> str:
    """Return what counts when two names are compared: letters and digits, lower case, accents
    dropped."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    return "".join(char for char in text.casefold() if char.isalnum())


@dataclass(frozen=True, slots=True)
class Province:
    """One space of the board; `id` is its abbreviation in lower case.

    `home` is the power whose home country it belongs to, center or not (Bohemia is Austria's).
    `position` is where its middle lies for drawing a map: degrees of longitude and latitude.
    `convoys`: a fleet convoys here though it is a coast (an island, Gibraltar).
    """

    id: str
    name: str
    terrain: Terrain
    supply_center: bool = False
    home: str | None = None
    coasts: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    position: tuple[float, float] | None = None
    convoys: bool = False

    @property
    def carries(self) -> bool:
        """Whether a fleet convoys here."""
        return self.terrain == "sea" or self.convoys

    @property
    def locations(self) -> tuple[str, ...]:
        """Where a fleet can stand here: the coasts of a split province, else the province."""
        return tuple(f"{self.id}/{coast}" for coast in self.coasts) or (self.id,)


@dataclass(frozen=True, eq=False)
class Board:
    """Provinces by id, and for every location the locations one step away.

    `army` is keyed by province id; `fleet` by location, with the coast named where a province
    has several (`stp/sc`). Both are symmetric but for
    borders that are said to go one way; the loader has checked that. `kinds` are the kinds
    of units by their letters, in the order in which they are listed for players. `weak` are pairs
    of provinces, each in both directions, whose border a unit crosses with the strength of its
    supports only, and across which none is given.
    """

    provinces: Mapping[str, Province]
    army: Mapping[str, tuple[str, ...]]
    fleet: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, UnitKind] = field(default_factory=lambda: STANDARD)
    weak: frozenset[tuple[str, str]] = frozenset()
    derived: dict[Derived[Any, Any], object] = field(init=False, default_factory=dict, repr=False)
    """What other modules work out from the board once and keep with it."""

    @cached_property
    def centers(self) -> tuple[str, ...]:
        """The supply centers."""
        return tuple(each.id for each in self.provinces.values() if each.supply_center)

    def steps(self, kind: str, location: str) -> tuple[str, ...]:
        """Return where a unit of `kind` (its letter) at `location` can go in one step."""
        moves = self.kind(kind).moves
        if moves == "fleet":
            return self.fleet.get(location, ())
        return self.army.get(province_of(location), ()) if moves == "army" else ()

    def provinces_near(self, units: Iterable[Unit]) -> set[str]:
        """Return the provinces to which these units can go in one step."""
        return {province_of(to) for unit in units for to in self.steps(unit.kind, unit.location)}

    def kind(self, letter: str) -> UnitKind:
        """Return the kind of unit that has this letter; a nameless one where none has."""
        return self.kinds.get(letter, UNNAMED)

    def stands(self, kind: str, location: str) -> bool:
        """Return whether a unit of `kind` (its letter) can stand at `location`: on land by its
        province, afloat with the coast named where there are several."""
        return location in (self.fleet if self.kind(kind).afloat else self.army)

    @lru_cache(maxsize=8192)  # noqa: B019 - bounded, and boards are few
    def name(self, location: str) -> str:
        """Return the full name of a location, with its coast in words where it has one."""
        province, _, coast = location.partition("/")
        name = self.provinces[province].name
        return f"{name} ({COASTS.get(coast, coast)})" if coast else name

    def spoken(self, location: str) -> str:
        """Return name as it stands within a sentence: `the North Sea`, `Spain (south coast)`."""
        name = self.name(location)
        at_sea = self.provinces[province_of(location)].terrain == "sea"
        return f"the {name}" if at_sea else name


@Derived
def borders(board: Board) -> dict[str, set[str]]:
    """Return for each province those that have a border with it, for armies or for fleets."""
    found: dict[str, set[str]] = {province: set() for province in board.provinces}
    for steps in (board.army, board.fleet):
        for here, there in steps.items():
            found[province_of(here)].update(map(province_of, there))
    return found


def distances(
    steps: Mapping[str, Iterable[str]], start: Iterable[str], closed: Collection[str] = ()
) -> dict[str, int]:
    """Return how many steps each place is away from the nearest of some, which are 0 away; those
    out of reach are left out. No way leads over `closed` provinces."""
    away = dict.fromkeys(start, 0)
    ahead = list(away)
    for here in ahead:
        for there in steps.get(here, ()):
            if there not in away and province_of(there) not in closed:
                away[there] = away[here] + 1
                ahead.append(there)
    return away


COASTS = {"nc": "north coast", "sc": "south coast", "ec": "east coast", "wc": "west coast"}
