"""What one picture shows: as much of a position and its orders as its readers may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from judge.rules.adjustments import builds, due, sites
from judge.rules.board_index import destroyed
from judge.rules.orders import Order, Waive
from judge.rules.outcome import Outcome, StoodReady
from judge.rules.phase import Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.result import Adjudication
from judge.rules.variant import Variant


class ShownOrder(NamedTuple):
    """An order in a picture.

    `done` is None as long as nobody knows what comes of it (a player's own orders before the phase
    has run); `reason` says why it failed, as the interchange format has it ("bounced"), or why a
    fleet that stood ready carried nobody (`judge.rules.outcome.Idle`).
    """

    power: str
    order: Order
    done: bool | None = None
    reason: str | None = None


@dataclass(frozen=True)
class View:
    """What a picture shows. Keys are powers.

    `units` stand where they stood when the phase opened. `unseen` are provinces of which the
    reader knows nothing (blind games). `gone` are provinces that are destroyed, `contested` those
    that a standoff left empty, `beaten` those whose units the orders dislodge. `game` is the name
    above the picture. `owed` is what powers have to build, or as negative numbers to remove, and
    `sites` are where they can build. `then` is what the phase left, as far as the reader sees it:
    a picture shows that, with the orders that led to it.
    """

    variant: Variant
    phase: Phase
    units: Mapping[str, Sequence[Unit]]
    centers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dislodged: Mapping[str, Sequence[Dislodged]] = field(default_factory=dict)
    orders: Sequence[ShownOrder] = ()
    unseen: frozenset[str] = frozenset()
    gone: Sequence[str] = ()
    game: str = ""
    contested: Sequence[str] = ()
    beaten: Sequence[str] = ()
    owed: Mapping[str, int] = field(default_factory=dict)
    sites: Mapping[str, Sequence[str]] = field(default_factory=dict)
    then: View | None = None

    @property
    def board(self) -> View:
        """What stands on the board: what the phase left, where that is told."""
        return self.then or self


def position_view(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]] | None = None,
    *,
    game: str = "",
    unseen: frozenset[str] = frozenset(),
) -> View:
    """Return a position, with the orders that a reader may see before they are carried out."""
    told = [
        ShownOrder(power, order)
        for power, given in (orders or {}).items()
        for order in given
        if not isinstance(order, Waive)
    ]
    return _view(variant, position, told, game, unseen)


def results_view(
    variant: Variant,
    position: Position,
    outcome: Adjudication,
    *,
    game: str = "",
) -> View:
    """Return a phase with what became of all orders; `position` is the one it opened with."""
    told = [
        ShownOrder(power, result.order, result.succeeded, why(result.outcome))
        for power, results in outcome.results.items()
        for result in results
        if not isinstance(result.order, Waive)
    ]
    beaten = [each.unit.province for held in outcome.dislodged.values() for each in held]
    then = position_view(variant, outcome.position, game=game)
    return replace(_view(variant, position, told, game, frozenset(), beaten), then=then)


def why(outcome: Outcome) -> str | None:
    """Return the `reason` of a shown order with this outcome."""
    if isinstance(outcome, StoodReady):
        return outcome.why.value
    return outcome.reason and outcome.reason.value


def _view(
    variant: Variant,
    position: Position,
    told: Sequence[ShownOrder],
    game: str,
    unseen: frozenset[str],
    beaten: Sequence[str] = (),
) -> View:
    owed: dict[str, int] = {}
    if position.phase.kind is Kind.ADJUSTMENTS and not unseen:
        for power in variant.powers:
            count = min(due(variant, position, power), 0) or builds(variant, position, power)
            owed |= {power: count} if count else {}
    return View(
        variant=variant,
        phase=position.phase,
        units=position.units,
        centers=position.centers,
        dislodged=position.dislodged,
        orders=tuple(told),
        unseen=unseen,
        gone=destroyed(position),
        game=game,
        contested=position.contested,
        beaten=beaten,
        owed=owed,
        sites={power: sites(variant, position, power) for power in owed if owed[power] > 0},
    )
