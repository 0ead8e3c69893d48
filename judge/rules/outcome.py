"""What became of each order, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias

from judge.rules.orders import Order
from judge.rules.position import Dislodged, Position, Unit


class Reason(Enum):
    """Why an order failed; the values are those of the interchange format."""

    BOUNCED = "bounced"
    DISLODGED = "dislodged"
    CUT = "cut"
    UNMATCHED = "unmatched"
    NO_CONVOY = "no_convoy"
    CONVOY_DISRUPTED = "convoy_disrupted"
    OWN_UNIT = "own_unit"
    VOID = "void"
    SUPERSEDED = "superseded"
    RETREAT_CLASH = "retreat_clash"
    NOT_ALLOWED = "not_allowed"
    DESTROYED = "destroyed"


class Ending(Enum):
    """Why a game is over though nobody has won."""

    UNINHABITABLE = "uninhabitable"
    """Fewer centers are left than victory takes: everybody has lost."""
    IMPOSSIBLE = "impossible"
    """No power can get enough centers any more: a draw of all that are left."""


class Teller(Protocol):
    """Whoever can say what became of an order."""

    def tell(self, number: int) -> str:
        """One sentence for the player; `number` is the teller's own for the order, below nought
        for what a unit did without one."""
        ...


class Result(NamedTuple):
    """What became of one order.

    `reason` is None exactly when the order succeeded. `unit` is the unit on the board that was
    meant, None where there is none. `teller` has the sentence for the player, or makes it when
    somebody asks; `number` is what the teller calls the order.
    """

    power: str
    unit: Unit | None
    order: Order
    reason: Reason | None
    teller: Teller | str = ""
    number: int = 0

    @property
    def succeeded(self) -> bool:
        """Whether the order was carried out."""
        return self.reason is None

    @property
    def given(self) -> bool:
        """Whether a player gave the order; False for what a unit did because nobody did."""
        return self.number >= 0

    @property
    def note(self) -> str:
        """One plain sentence on what happened and who caused it."""
        teller = self.teller
        return teller if isinstance(teller, str) else teller.tell(self.number)


@dataclass(slots=True)
class Draft:
    """A result that is still being found out; the fields are those of `Result`."""

    power: str
    unit: Unit | None
    order: Order
    reason: Reason | None
    given: bool = True
    note: str = ""

    def say(self, note: str) -> None:
        """Set the sentence for the player."""
        self.note = note

    @property
    def result(self) -> Result:
        """The result as it is now."""
        number = 0 if self.given else -1
        return Result(self.power, self.unit, self.order, self.reason, self.note, number)


Results: TypeAlias = Mapping[str, list[Result]]


class Adjudication:
    """What a phase led to.

    `position` is the next phase's opening position, whether or not anybody has to decide anything
    in it. `dislodged` lists every dislodged unit, also those destroyed for want of a retreat.
    `winners` are the powers that have won with this phase (usually none), `rivals` several that
    have enough centers, so that none of them has won. `ending` says that the game is over without
    a winner. `destroyed` are the provinces destroyed in this phase and `vanished` the centers that
    disappeared though their provinces stand; `lost` are units destroyed with a province.
    """

    # What is seldom so is set where it is.
    ending: Ending | None = None
    destroyed: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    lost: Mapping[str, tuple[Unit, ...]] = MappingProxyType({})

    def __init__(
        self,
        results: Results | Callable[[], Results],
        position: Position,
        dislodged: Mapping[str, tuple[Dislodged, ...]],
        contested: tuple[str, ...],
        winners: tuple[str, ...] = (),
        rivals: tuple[str, ...] = (),
    ) -> None:
        self._results = results
        self.position = position
        self.dislodged = dislodged
        self.contested = contested
        self.winners = winners
        self.rivals = rivals

    @property
    def results(self) -> Results:
        """What became of each order, by power, in the order they came in, units without one last.

        Written down when it is first asked for: whoever only plays on does not pay for it.
        """
        if callable(self._results):
            self._results = self._results()
        return self._results
