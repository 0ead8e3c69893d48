"""What became of each order, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeAlias

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


class Teller(Protocol):
    """Whoever can say what became of an order; `number` is the teller's own for it."""

    def tell(self, number: int) -> str:
        """One sentence for the player."""
        ...


@dataclass(slots=True)
class Result:
    """What became of one order.

    `reason` is None exactly when the order succeeded. `given` is False for the order a unit got
    because its player gave none. `unit` is the unit on the board that was meant, None where there
    is none. The sentence for the player is made only when somebody asks for it.
    """

    power: str
    unit: Unit | None
    order: Order
    reason: Reason | None
    given: bool = True
    _teller: Teller | str = field(default="", repr=False, compare=False)
    _number: int = field(default=0, repr=False, compare=False)

    @property
    def succeeded(self) -> bool:
        """Whether the order was carried out."""
        return self.reason is None

    @property
    def note(self) -> str:
        """One plain sentence on what happened and who caused it."""
        if not isinstance(self._teller, str):
            self._teller = self._teller.tell(self._number)
        return self._teller

    def say(self, note: str) -> None:
        """Set the sentence, for results whose sentence is known at once."""
        self._teller = note


Results: TypeAlias = Mapping[str, list[Result]]


class Adjudication:
    """What a phase led to.

    `position` is the next phase's opening position, whether or not anybody has to decide anything
    in it. `dislodged` lists every dislodged unit, also those destroyed for want of a retreat.
    `winners` are the powers that have won with this phase (usually none).
    """

    __slots__ = ("_results", "contested", "dislodged", "position", "winners")

    def __init__(
        self,
        results: Results | Callable[[], Results],
        position: Position,
        dislodged: Mapping[str, tuple[Dislodged, ...]],
        contested: tuple[str, ...],
        winners: tuple[str, ...] = (),
    ) -> None:
        self._results = results
        self.position = position
        self.dislodged = dislodged
        self.contested = contested
        self.winners = winners

    @property
    def results(self) -> Results:
        """What became of each order, by power, in the order they came in, units without one last.

        Written down when it is first asked for: whoever only plays on does not pay for it.
        """
        if callable(self._results):
            self._results = self._results()
        return self._results
