"""Kinds of units: what each is called, and what it can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

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
