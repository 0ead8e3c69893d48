"""What a phase led to: a result for each order, and the next position."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias

from judge.rules.orders import Order
from judge.rules.outcome import Outcome, Reason
from judge.rules.phase import Constant
from judge.rules.position import Dislodged, Position, Unit


class Ending(Constant):
    """Why a game is over though nobody has won."""

    UNINHABITABLE = "uninhabitable"
    """Fewer centers are left than victory takes: everybody has lost."""
    IMPOSSIBLE = "impossible"
    """No power can get enough centers any more: a draw of all that are left."""


class Source(Protocol):
    """Anyone who can say what became of an order."""

    def outcome(self, number: int) -> Outcome:
        """Work out an outcome; `number` is the source's own for the order, below nought for what a
        unit did without one."""
        ...


class _Entry(NamedTuple):
    power: str
    unit: Unit | None
    order: Order
    reason: Reason | None
    source: Source
    number: int


class Result(tuple[object, ...]):
    """What became of one order; made `of` its fields, or at once of all values of an `_Entry`.

    `unit` is the unit on the board that was meant, None where there is none. `reason` is None
    exactly when the order succeeded. The outcome is computed when it is first asked for, by
    `source`; results are equal when their outcomes are.
    """

    __slots__ = ()  # and no constructor, which would be a call into Python for each order
    power, unit, order, reason = _Entry.power, _Entry.unit, _Entry.order, _Entry.reason
    source, number = _Entry.source, _Entry.number

    @classmethod
    def of(
        cls, power: str, unit: Unit | None, order: Order, outcome: Outcome, given: bool = True
    ) -> Result:
        """Return a result whose outcome is known; `given` as the property."""
        return cls(_Entry(power, unit, order, outcome.reason, outcome, 0 if given else -1))

    @property
    def outcome(self) -> Outcome:
        """What became of the order, with all that it depends on."""
        return self.source.outcome(self.number)

    @property
    def succeeded(self) -> bool:
        """Whether the order was carried out."""
        return self.reason is None

    @property
    def given(self) -> bool:
        """Whether a player gave the order; False for what a unit did because nobody did."""
        return self.number >= 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        return self[:4] == other[:4] and (self.given, self.outcome) == (other.given, other.outcome)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:4])

    def __repr__(self) -> str:
        values = self.power, self.unit, self.order, self.outcome, self.given
        return f"Result.of{values!r}"

    def __reduce__(self) -> tuple[object, ...]:
        return Result.of, (self.power, self.unit, self.order, self.outcome, self.given)


@dataclass(slots=True)
class ResultDraft:
    """A result that is still being found out; the fields are those of `Result`."""

    power: str
    unit: Unit | None
    order: Order
    outcome: Outcome | None = None
    given: bool = True

    @property
    def result(self) -> Result:
        """The result as it is now."""
        assert self.outcome is not None
        return Result.of(self.power, self.unit, self.order, self.outcome, self.given)


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

        Written down when it is first asked for: anyone who only plays on does not pay for it.
        """
        if callable(self._results):
            self._results = self._results()
        return self._results

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Adjudication):
            return NotImplemented
        return self._value() == other._value()

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, object]:
        self.results  # noqa: B018  the results themselves, not what would make them
        return vars(self)

    def _value(self) -> tuple[object, ...]:
        return (
            *(self.results, self.position, self.dislodged, self.contested, self.winners),
            *(self.rivals, self.ending, self.destroyed, self.vanished, dict(self.lost)),
        )
