"""What one picture shows, as much of a position and its orders as its readers may know; and the
same in words, for readers who cannot see it, and where images are not loaded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from judge.i18n import Message, language, say, sentences
from judge.rules.adjustments import builds, due, sites
from judge.rules.board_index import destroyed
from judge.rules.orders import Order, Waive
from judge.rules.outcome import Outcome, StoodReady
from judge.rules.phase import Kind, Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.result import Adjudication
from judge.rules.variant import Variant
from judge.sentences import Wording
from judge.sentences.terms import listed, named, phase_words, placed


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


@dataclass(frozen=True, slots=True)
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

    @property
    def owners(self) -> dict[str, str]:
        """The powers that centers belong to."""
        return {center: power for power, held in self.centers.items() for center in held}


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
        owed=owed,
        sites={power: sites(variant, position, power) for power in owed if owed[power] > 0},
    )


def results_view(
    variant: Variant, position: Position, outcome: Adjudication, *, game: str = ""
) -> View:
    """Return a phase with what became of all orders; `position` is the one it opened with."""
    told = [
        ShownOrder(power, result.order, result.succeeded, why(result.outcome))
        for power, results in outcome.results.items()
        for result in results
        if not isinstance(result.order, Waive)
    ]
    beaten = [each.unit.province for held in outcome.dislodged.values() for each in held]
    opened, then = (
        position_view(variant, each, game=game) for each in (position, outcome.position)
    )
    if outcome.winners or outcome.ending:
        then = decided(then)
    return replace(opened, orders=tuple(told), beaten=beaten, then=then)


def decided(view: View) -> View:
    """Return a view of a game that is over: nothing in it is to be decided any more."""
    lost = {
        power: [each._replace(retreats=()) for each in held]
        for power, held in view.dislodged.items()
    }
    return replace(view, dislodged=lost, owed={}, sites={})


def why(outcome: Outcome) -> str | None:
    """Return the `reason` of a shown order with this outcome."""
    if isinstance(outcome, StoodReady):
        return outcome.why.value
    return outcome.reason and outcome.reason.value


# The same in words


def heading(view: View) -> str:
    """Return what the picture is, in one line: game, board, phase."""
    facts = {"board": view.variant.title, "phase": phase_words(view.phase)}
    if view.game:
        return say("{game}: {board}, {phase}", game=view.game, **facts)
    return say("{board}, {phase}", **facts)


def describe(view: View) -> str:
    """Return all that the picture shows, as sentences in the language that is spoken."""
    return "\n".join((heading(view) + ".", *_powers(view), *_places(view), *_orders(view)))


def _powers(view: View) -> Iterator[str]:
    variant = view.variant
    name = variant.board.name
    for power in variant.powers:
        units = [str(Wording(unit, variant)) for unit in view.units.get(power, ())]
        centers = sorted(placed(name(center)) for center in view.centers.get(power, ()))
        lost = view.dislodged.get(power, ())
        if not units and not centers and not lost:
            continue
        facts = {"power": named(power)}
        if units:
            yield say("{power} has {units}.", units=listed(units), **facts)
        if centers:
            yield say("Centers of {power}: {centers}.", centers=listed(centers), **facts)
        for each in lost:
            unit = Wording(each.unit, variant)
            if each.retreats:
                places = listed([placed(name(place)) for place in each.retreats], "or")
                yield say("{unit} must retreat, to {places}.", unit=unit, places=places)
            else:
                yield say("{unit} is dislodged and has nowhere to go.", unit=unit)


def _places(view: View) -> Iterator[str]:
    """Yield what is not as usual with provinces."""
    owned = {center for held in view.centers.values() for center in held}
    centers = view.variant.board.centers
    neutral = [key for key in centers if key not in owned and key not in view.unseen]
    closed = [
        key for key, seasons in view.variant.seasonal.items() if view.phase.season not in seasons
    ]
    for places, words in (
        (neutral, Message("Centers that nobody owns: {places}.")),
        (view.contested, Message("Left empty by a standoff: {places}.")),
        (view.gone, Message("Destroyed: {places}.")),
        (closed, Message("Closed this season: {places}.")),
    ):
        if places:
            names = [placed(view.variant.board.name(place)) for place in places]
            yield str(words).format(places=listed(names))
    if view.unseen:
        yield say("Part of the board is out of sight.")


def _orders(view: View) -> Iterator[str]:
    for power in dict.fromkeys(told.power for told in view.orders):
        mine = [_told(view, told) for told in view.orders if told.power == power]
        yield say("{power}: {orders}.", power=named(power), orders="; ".join(mine))


def _told(view: View, told: ShownOrder) -> str:
    words = str(Wording(told.order, view.variant))
    if told.done is not False:
        return words
    why = sentences("reasons", language()).get(told.reason or "", say("fails"))
    return say("{order} ({why})", order=words, why=why)


def clipped(text: str, most: int) -> str:
    """Return a name short enough for the space it has."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


Sign = tuple[str, Unit, bool]
"""A sign of a picture: its power, the unit, and whether that is dislodged."""


def signs(view: View) -> Iterator[Sign]:
    """Yield all units of a view."""
    for power, held in view.units.items():
        for unit in held:
            yield power, unit, False
    for power, lost in view.dislodged.items():
        for each in lost:
            yield power, each.unit, True
