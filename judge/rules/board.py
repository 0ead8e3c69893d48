"""The board: provinces, and the steps that armies and fleets can make between them."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from judge.rules.derived import Derived
from judge.rules.kinds import STANDARD, UNNAMED, UnitKind

Terrain = Literal["land", "coast", "sea"]


@lru_cache(maxsize=8192)
def province_of(location: str) -> str:
    """The province of a location: `stp` for `stp/nc`, `par` for `par`."""
    return location.partition("/")[0]


@lru_cache(maxsize=8192)
def name_key(text: str) -> str:
    """What counts when two names are compared: letters and digits, lower case, accents dropped."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text)
    return "".join(char for char in text.casefold() if char.isalnum())


@dataclass(frozen=True, slots=True)
class Province:
    """One space of the board; `id` is its abbreviation in lower case.

    `home` is the power whose home country it belongs to, center or not (Bohemia is Austria's).
    `position` is where its middle lies for drawing a map: degrees of longitude and latitude.
    """

    id: str
    name: str
    terrain: Terrain
    supply_center: bool = False
    home: str | None = None
    coasts: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    position: tuple[float, float] | None = None

    @property
    def locations(self) -> tuple[str, ...]:
        """Where a fleet can stand here: the coasts of a split province, else the province."""
        return tuple(f"{self.id}/{coast}" for coast in self.coasts) or (self.id,)


@dataclass(frozen=True, eq=False)
class Board:
    """Provinces by id, and for every location the locations one step away.

    `army` is keyed by province id; `fleet` by location, with the coast named where a province
    has several (`stp/sc`). Both are symmetric; the loader has checked that. `kinds` are the kinds
    of units by their letters, in the order in which they are listed for players.
    """

    provinces: Mapping[str, Province]
    army: Mapping[str, tuple[str, ...]]
    fleet: Mapping[str, tuple[str, ...]]
    kinds: Mapping[str, UnitKind] = field(default_factory=lambda: STANDARD)
    derived: dict[Derived[Any, Any], object] = field(init=False, default_factory=dict, repr=False)
    """What other modules work out from the board once and keep with it."""

    def steps(self, kind: str, location: str) -> tuple[str, ...]:
        """Where a unit of `kind` (its letter) at `location` can go in one step."""
        moves = self.kind(kind).moves
        if moves == "fleet":
            return self.fleet.get(location, ())
        return self.army.get(province_of(location), ()) if moves == "army" else ()

    def kind(self, letter: str) -> UnitKind:
        """The kind of unit that has this letter; a nameless one where none has."""
        return self.kinds.get(letter, UNNAMED)

    def stands(self, kind: str, location: str) -> bool:
        """Whether a unit of `kind` (its letter) can stand at `location`: on land by its province,
        afloat with the coast named where there are several."""
        return location in (self.fleet if self.kind(kind).afloat else self.army)

    @lru_cache(maxsize=8192)  # noqa: B019 - bounded, and boards are few
    def name(self, location: str) -> str:
        """The full name of a location, with its coast in words where it has one."""
        province, _, coast = location.partition("/")
        name = self.provinces[province].name
        return f"{name} ({COASTS.get(coast, coast)})" if coast else name

    def spoken(self, location: str) -> str:
        """The name as it stands within a sentence: `the North Sea`, `Spain (south coast)`."""
        name = self.name(location)
        at_sea = self.provinces[province_of(location)].terrain == "sea"
        return f"the {name}" if at_sea else name


COASTS = {"nc": "north coast", "sc": "south coast", "ec": "east coast", "wc": "west coast"}
