"""What became of orders, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Final, TypeAlias

from judge.i18n import gettext
from judge.rules import outcome as outcomes
from judge.rules.board import province_of
from judge.rules.orders import Convoy, Move, Order, Support
from judge.rules.outcome import (
    Dislodgement,
    Idle,
    Leg,
    Meeting,
    Outcome,
    Piece,
    Precedence,
    Removal,
)
from judge.rules.result import Result
from judge.rules.variant import Variant
from judge.sentences.legality import problem_clause
from judge.sentences.pieces import (
    N_,
    everyone,
    kind_name,
    listed,
    one,
    own,
    place,
    power_name,
    strength,
    who,
)
from judge.sentences.terms import clauses


def result_words(result: Result, variant: Variant) -> str:
    """Return what happened to an order and who caused it, as a clause without a full stop."""
    return _Telling(result, variant).words()


def fall_words(fall: Dislodgement, variant: Variant) -> str:
    """Return how a unit was dislodged: `dislodged by ..., two against one`."""
    text = gettext("dislodged by {who}, {attack} against {defense}")
    return text.format(who=who(fall.by, variant), **score(fall))


def score(fight: Fight) -> dict[str, str]:
    """Return the strengths of an attack and of the defense, in words."""
    return {"attack": strength(fight.attack), "defense": strength(fight.defense)}


class _Telling:
    """Words one result."""

    __slots__ = ("board", "given", "order", "outcome", "power", "unit", "variant")

    def __init__(self, result: Result, variant: Variant) -> None:
        self.variant = variant
        self.board = variant.board
        self.power = result.power
        self.unit = result.unit
        self.order = result.order
        self.given = result.given
        self.outcome = result.outcome

    def words(self) -> str:
        outcome = self.outcome
        told = _words(outcome, self)
        fall = outcome.dislodged
        if not self.given:
            told = self._unordered(told)
        elif fall is not None and not isinstance(outcome, _FALLS):
            told = clauses(told, self.say("it was {clause}", clause=self.fall(fall)))
        if outcome.destroyed is not None:
            place = self.place(outcome.destroyed)
            bombed = self.say("it was destroyed by the bomb on {place}", place=place)
            told = clauses(told, bombed)
        return told

    def _unordered(self, told: str) -> str:
        """Return what is said of a unit that nobody ordered."""
        fall = self.outcome.dislodged
        match self.outcome:
            case outcomes.Held():
                if fall is None:
                    return gettext("no order was given, so it held")
                return clauses(gettext("no order was given"), self.fall(fall))
            case outcomes.Disbanded():
                return told
            case outcomes.Waived():
                return gettext("no order was given, so the build is left unused")
        implied = gettext("no order was given, but others of its power implied it")
        if fall is not None:
            told = clauses(told, self.say("it was {clause}", clause=self.fall(fall)))
        return clauses(implied, told)

    def fall(self, fall: Dislodgement) -> str:
        """Return `dislodged by ..., two against one`."""
        return fall_words(fall, self.variant)

    def say(self, message: str, **pieces: object) -> str:
        return gettext(message).format(**pieces)

    def who(self, piece: Piece | tuple[Piece, ...]) -> str:
        """Return a unit or several, with their powers."""
        return (
            who(piece, self.variant) if isinstance(piece, Piece) else everyone(piece, self.variant)
        )

    def place(self, location: str) -> str:
        return place(location, self.board)

    @property
    def goal(self) -> str:
        """Where the order leads to."""
        order = self.order
        assert isinstance(order, Move | Support | Convoy)
        return self.place(province_of(order.to or ""))


Fight: TypeAlias = Dislodgement | outcomes.DroveOut | outcomes.GotAhead | outcomes.Bounced

_FALLS: Final = outcomes.Held, outcomes.Cut, outcomes.ConvoyFailed
"""Outcomes that tell of a dislodgement themselves."""


def begins_with_fall(outcome: Outcome) -> bool:
    """Whether the sentence on a given order begins with who dislodged its unit."""
    if isinstance(outcome, outcomes.Cut):
        return outcome.lost
    return outcome.dislodged is not None and isinstance(outcome, _FALLS)


@singledispatch
def _words(outcome: Outcome, t: _Telling) -> str:
    raise TypeError(f"no words for {outcome!r}")


# -- movement -------------------------------------------------------------------------------------


@_words.register
def _held(outcome: outcomes.Held, t: _Telling) -> str:
    if outcome.dislodged is not None:
        return t.fall(outcome.dislodged)
    if outcome.against:
        return t.say("held against {who}", who=t.who(outcome.against))
    return gettext("held")


@_words.register
def _moved(outcome: outcomes.Moved, t: _Telling) -> str:
    if outcome.by_sea and outcome.ring:
        return t.say("moved to {place} by convoy in a circular movement", place=t.goal)
    if outcome.by_sea:
        return t.say("moved to {place} by convoy", place=t.goal)
    if outcome.ring:
        return t.say("moved to {place} in a circular movement", place=t.goal)
    return t.say("moved to {place}", place=t.goal)


@_words.register
def _changed_places(outcome: outcomes.ChangedPlaces, t: _Telling) -> str:
    other = t.who(outcome.other)
    if outcome.by_sea:
        return t.say("changed places with {who} by convoy", who=other)
    return t.say("changed places with {who}", who=other)


@_words.register
def _drove_out(outcome: outcomes.DroveOut, t: _Telling) -> str:
    other, strengths = t.who(outcome.other), score(outcome)
    if outcome.by_sea:
        return t.say(
            "arrived by convoy and dislodged {who}, {attack} against {defense}",
            who=other,
            **strengths,
        )
    return t.say("arrived and dislodged {who}, {attack} against {defense}", who=other, **strengths)


@_words.register
def _got_ahead(outcome: outcomes.GotAhead, t: _Telling) -> str:
    rivals, strengths = t.who(outcome.rivals), score(outcome)
    if outcome.by_sea:
        return t.say(
            "arrived by convoy ahead of {who}, {attack} against {defense}", who=rivals, **strengths
        )
    return t.say("arrived ahead of {who}, {attack} against {defense}", who=rivals, **strengths)


_BOUNCED: Final[Mapping[Meeting, str]] = {
    Meeting.RIVAL: N_("bounced with {who}, {attack} against {defense}"),
    Meeting.HEAD_ON: N_("met {who} head to head, {attack} against {defense}"),
    Meeting.STUCK: N_("bounced off {who}, which could not leave, {attack} against {defense}"),
    Meeting.STANDING: N_("bounced off {who}, {attack} against {defense}"),
}


@_words.register
def _bounced(outcome: outcomes.Bounced, t: _Telling) -> str:
    if outcome.by.power == t.power and outcome.meeting is not Meeting.RIVAL:
        other = own(outcome.by, t.variant)
        if outcome.meeting is Meeting.HEAD_ON:
            return t.say("{who} came the other way, and they could not trade places", who=other)
        return t.say("{who} did not leave", who=other)
    told = t.say(_BOUNCED[outcome.meeting], who=t.who(outcome.by), **score(outcome))
    if outcome.uncounted is None:
        return told
    power = power_name(outcome.uncounted)
    idle = t.say("support of {power} does not count against its own unit", power=power)
    return clauses(told, idle)


@_words.register
def _own_unit(outcome: outcomes.OwnUnit, t: _Telling) -> str:
    unit = own(outcome.unit, t.variant)
    if outcome.stuck:
        return t.say("no power dislodges its own unit, here {who}, which could not leave", who=unit)
    return t.say("no power dislodges its own unit, here {who}", who=unit)


@_words.register
def _no_convoy(outcome: outcomes.NoConvoy, t: _Telling) -> str:
    if not outcome.fleets:
        return t.say("no fleet was ordered to convoy it to {place}", place=t.goal)
    fleets = t.who(outcome.fleets)
    return t.say("{who} alone could not carry it to {place}", who=fleets, place=t.goal)


@_words.register
def _convoy_broken(outcome: outcomes.ConvoyBroken, t: _Telling) -> str:
    if outcome.silent and not outcome.lost:
        return t.say(
            "a convoyed attack cannot decide its own convoy, so {who} did not carry it"
            " (a convoy paradox)",
            who=t.who(outcome.silent),
        )
    lost = [
        t.say("{who} was {clause}", who=t.who(each.fleet), clause=t.fall(each.dislodged))
        for each in outcome.lost
    ]
    told = t.say("the convoy was broken: {clause}", clause=listed(lost))
    if not outcome.silent:
        return told
    return clauses(told, gettext("the landing could not prevent that (a convoy paradox)"))


@_words.register
def _supported(outcome: outcomes.Supported, t: _Telling) -> str:
    unit = t.who(outcome.unit)
    if isinstance(t.order, Support) and t.order.to is None:
        told = t.say("supported {who}", who=unit)
    elif outcome.own is None:
        told = t.say("supported {who} to {place}", who=unit, place=t.goal)
    else:
        told = t.say(
            "supported {who} to {place}, but it did not count against {who2}",
            who=unit,
            place=t.goal,
            who2=own(outcome.own, t.variant),
        )
    if outcome.spared:
        landed = t.who(outcome.spared)
        told += "; " + t.say("the landing of {who} did not cut it", who=landed)
    if outcome.never_landed:
        lost = t.who(outcome.never_landed)
        told += "; " + t.say("{who} never landed to cut it", who=lost)
    return told


@_words.register
def _cut(outcome: outcomes.Cut, t: _Telling) -> str:
    fall = outcome.dislodged
    if fall is not None and outcome.lost:
        return t.say(
            "dislodged by {who}, {attack} against {defense}, so its support was lost",
            who=t.who(fall.by),
            **score(fall),
        )
    told = t.say("cut by {who}", who=t.who(outcome.by))
    return told if fall is None else clauses(told, t.say("it was {clause}", clause=t.fall(fall)))


@_words.register
def _convoyed(outcome: outcomes.Convoyed, t: _Telling) -> str:
    return t.say("convoyed {who} to {place}", who=t.who(outcome.army), place=t.goal)


_READY: Final[Mapping[Idle, str]] = {
    Idle.BY_LAND: N_("was ready to convoy, but {who} moved to {place} overland"),
    Idle.OTHER_ROUTE: N_("was ready to convoy, but {who} went to {place} by another route"),
    Idle.NOT_ARRIVED: N_("was ready to convoy {who} to {place}, which did not arrive"),
}


@_words.register
def _stood_ready(outcome: outcomes.StoodReady, t: _Telling) -> str:
    return t.say(_READY[outcome.why], who=t.who(outcome.army), place=t.goal)


@_words.register
def _convoy_failed(outcome: outcomes.ConvoyFailed, t: _Telling) -> str:
    fall = outcome.dislodged
    if fall is not None:
        return t.say(
            "dislodged by {who}, {attack} against {defense}, so it carried nobody",
            who=t.who(fall.by),
            **score(fall),
        )
    return t.say(
        "a convoyed attack cannot decide its own convoy, so this fleet did not carry {who}"
        " (a convoy paradox)",
        who=t.who(outcome.army),
    )


@_words.register
def _unmatched(outcome: outcomes.Unmatched, t: _Telling) -> str:
    unit, ordered = t.who(outcome.unit), outcome.ordered
    if isinstance(t.order, Support) and t.order.to is None:
        if ordered is None:
            return t.say("the power of {who} gave no orders", who=unit)
        if outcome.immovable:
            return t.say("{who} was ordered to move, though it could not", who=unit)
        return t.say(
            "{who} was ordered to move ({order}), so it cannot be supported in place",
            who=unit,
            order=ordered,
        )
    if ordered is None:
        return t.say("{who} was not ordered to {place} (it had no order)", who=unit, place=t.goal)
    return t.say(
        "{who} was not ordered to {place} (its order was {order})",
        who=unit,
        place=t.goal,
        order=ordered,
    )


# -- orders that were not followed ----------------------------------------------------------------


@_words.register
def _void(outcome: outcomes.Void, t: _Telling) -> str:
    told = problem_clause(outcome.problem, t.board)
    if outcome.disbanded:
        told = t.say("{clause}, so it was disbanded", clause=told)
    if not outcome.reach:
        return told
    near = listed(sorted(map(t.place, outcome.reach)), "or")
    if isinstance(t.order, Move):
        return clauses(told, t.say("it could go to {places}", places=near))
    return clauses(told, t.say("it could support in {places}", places=near))


@_words.register
def _not_allowed(outcome: outcomes.NotAllowed, t: _Telling) -> str:
    told = problem_clause(outcome.problem, t.board)
    return t.say("{clause}, so it was disbanded", clause=told) if outcome.disbanded else told


_SUPERSEDED: Final[Mapping[Precedence, str]] = {
    Precedence.REPEATED: N_("the same order was given before"),
    Precedence.FOLLOWED: N_("the order followed was {order}"),
    Precedence.NAMED: N_("another order names the unit properly"),
    Precedence.SEVERAL: N_("the unit was given several orders, so it followed none and held"),
    Precedence.SEVERAL_RETREATS: N_(
        "the unit was given several orders, so it followed none and was disbanded"
    ),
    Precedence.SAME_PLACE: N_("another build was ordered in the same place"),
    Precedence.DISBANDED: N_("the unit is disbanded already"),
    Precedence.EARLIER: N_("another order for the unit came first"),
}


@_words.register
def _superseded(outcome: outcomes.Superseded, t: _Telling) -> str:
    return t.say(_SUPERSEDED[outcome.why], order=outcome.by)


# -- bombs ----------------------------------------------------------------------------------------


@_words.register
def _bombed(outcome: outcomes.Bombed, t: _Telling) -> str:
    target = t.place(outcome.target)
    if outcome.leg is Leg.LAUNCHED:
        return t.say("bombed {place}, which is destroyed", place=target)
    if outcome.leg is Leg.DROPPED:
        return t.say("dropped the bomb on {place}, which is destroyed", place=target)
    after = t.place(outcome.to or "")
    return t.say(
        "passed the bomb on to {place}, and {place2} is destroyed", place=after, place2=target
    )


@_words.register
def _no_bomb(outcome: outcomes.NoBomb, t: _Telling) -> str:
    return t.say(
        "no bomb was sent from {place} by way of this unit to {place2}",
        place=t.place(outcome.origin),
        place2=t.place(outcome.to),
    )


@_words.register
def _bomb_not_carried(outcome: outcomes.BombNotCarried, t: _Telling) -> str:
    return t.say(
        "the bomb did not get through: {clause}",
        clause=not_ordered_to_carry(outcome.carrier, outcome.ordered, t.variant),
    )


def not_ordered_to_carry(carrier: Piece, ordered: Order | None, variant: Variant) -> str:
    """Return that a unit was not ordered to carry a bomb, and what it was ordered."""
    unit = who(carrier, variant)
    if ordered is None:
        return gettext("{who} was not ordered to carry it (it had no order)").format(who=unit)
    text = gettext("{who} was not ordered to carry it (its order was {order})")
    return text.format(who=unit, order=ordered)


@_words.register
def _bomb_stopped(outcome: outcomes.BombStopped, t: _Telling) -> str:
    attackers = t.who(outcome.by)
    if outcome.carrier is None:
        return t.say("the bomb was stopped by the attack of {who}", who=attackers)
    return t.say(
        "the bomb was stopped by the attack of {who} on {who2}",
        who=attackers,
        who2=t.who(outcome.carrier),
    )


# -- retreats and adjustments ---------------------------------------------------------------------


@_words.register
def _retreated(outcome: outcomes.Retreated, t: _Telling) -> str:
    return t.say("retreated to {place}", place=t.place(outcome.to))


@_words.register
def _clash(outcome: outcomes.RetreatClash, t: _Telling) -> str:
    others, goal = t.who(outcome.others), t.place(outcome.to)
    if len(outcome.others) == 1:
        return t.say(
            "disbanded, because {who} was ordered to retreat to {place} as well",
            who=others,
            place=goal,
        )
    return t.say(
        "disbanded, because {who} were ordered to retreat to {place} as well",
        who=others,
        place=goal,
    )


@_words.register
def _nowhere(outcome: outcomes.NowhereToGo, t: _Telling) -> str:
    return gettext(NOWHERE)


NOWHERE: Final = N_("there was nowhere to retreat to, so it was destroyed")
_FARTHEST: Final[Mapping[Removal, str]] = {
    Removal.FARTHEST: N_(
        "the unit farthest from a center of its own goes first, a fleet before an army, then by"
        " name"
    ),
    Removal.FARTHEST_FROM_HOME: N_(
        "the unit farthest from a home center goes first, a fleet before an army, then by name"
    ),
}


@_words.register
def _disbanded(outcome: outcomes.Disbanded, t: _Telling) -> str:
    if outcome.why is Removal.ORDERED:
        return gettext("disbanded as ordered")
    if outcome.why is Removal.UNORDERED:
        return gettext("no order was given, so it was disbanded")
    if outcome.why is Removal.NOWHERE:
        return gettext(NOWHERE)
    return clauses(gettext("no removal was ordered for it"), gettext(_FARTHEST[outcome.why]))


@_words.register
def _built(outcome: outcomes.Built, t: _Telling) -> str:
    assert t.unit is not None
    return t.say("built in {place}", place=t.place(t.unit.location))


@_words.register
def _waived(outcome: outcomes.Waived, t: _Telling) -> str:
    return t.say("{count} left unused", count=outcome.count)


@_words.register
def _converted(outcome: outcomes.Converted, t: _Telling) -> str:
    assert t.unit is not None
    return t.say(
        "the {kind} in {place} is {one} now",
        kind=kind_name(outcome.old.kind, t.board),
        place=t.place(outcome.old.province),
        one=one(t.unit.kind, t.board),
    )
