"""The same picture in words: for readers who cannot see it, and where images are not loaded."""

from __future__ import annotations

from collections.abc import Iterator

from judge.i18n import Message, say
from judge.maps.view import ShownOrder, View
from judge.sentences import Wording
from judge.sentences.terms import listed, named, phase_words, placed

WHY = {
    "bounced": Message("bounced"),
    "dislodged": Message("dislodged"),
    "cut": Message("cut"),
    "unmatched": Message("not matched"),
    "no_convoy": Message("no convoy"),
    "convoy_disrupted": Message("convoy disrupted"),
    "own_unit": Message("own unit in the way"),
    "void": Message("not possible"),
    "superseded": Message("replaced by another order"),
    "retreat_clash": Message("retreats clashed"),
    "not_allowed": Message("not allowed"),
    "destroyed": Message("destroyed"),
}
"""Why an order failed, in a word or two."""


def phase_line(view: View) -> str:
    """Return the phase as it stands above the picture."""
    return phase_words(view.phase)


def heading(view: View) -> str:
    """Return what the picture is, in one line: game, board, phase."""
    facts = {"board": view.variant.title, "phase": phase_line(view)}
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
    """What is not as usual with provinces."""
    name = view.variant.board.name

    def names(places: object) -> str:
        assert isinstance(places, list | tuple)
        return listed([placed(name(place)) for place in places])

    owned = {center for held in view.centers.values() for center in held}
    neutral = [
        key
        for key, place in view.variant.board.provinces.items()
        if place.supply_center and key not in owned and key not in view.unseen
    ]
    closed = [
        key for key, seasons in view.variant.seasonal.items() if view.phase.season not in seasons
    ]
    if neutral:
        yield say("Centers that nobody owns: {places}.", places=names(neutral))
    if view.contested:
        yield say("Left empty by a standoff: {places}.", places=names(tuple(view.contested)))
    if view.gone:
        yield say("Destroyed: {places}.", places=names(tuple(view.gone)))
    if closed:
        yield say("Closed this season: {places}.", places=names(closed))
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
    why = str(WHY[told.reason]) if told.reason in WHY else say("fails")
    return say("{order} ({why})", order=words, why=why)


def clipped(text: str, most: int) -> str:
    """Return a name short enough for the space it has."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
