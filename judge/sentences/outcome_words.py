"""What became of orders, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from judge.i18n import language, sentences
from judge.rules import outcome as outcomes
from judge.rules.board import province_of
from judge.rules.orders import Move, Order, Support
from judge.rules.outcome import Dislodgement, Meeting, Outcome, Piece
from judge.rules.result import Result
from judge.rules.variant import Variant
from judge.sentences.problem_words import problem_words
from judge.sentences.terms import (
    clauses,
    everyone,
    kept_by_language,
    kind_words,
    listed,
    named,
    one,
    own,
    place,
    strength,
    who,
)


def result_words(result: Result, variant: Variant) -> str:
    """Return what happened to an order and who caused it, as a clause without a full stop."""
    outcome = result.outcome
    told = _OutcomeWording(result, variant).words()
    fall = outcome.dislodged
    if not result.given:
        told = _unordered(outcome, told, variant)
    elif fall is not None and not isinstance(outcome, _FALLS):
        told = _and_fell(told, fall, variant)
    if outcome.destroyed is not None:
        told = clauses(told, _say("bombed_too", place=place(outcome.destroyed, variant.board)))
    return told


def fall_words(fall: Dislodgement, variant: Variant) -> str:
    """Return how a unit was dislodged: `dislodged by ..., two against one`."""
    return _fight("fell", fall, who(fall.by, variant))


_FALLS: Final = outcomes.Held, outcomes.Cut, outcomes.ConvoyFailed
"""Outcomes that tell of a dislodgement themselves."""


def begins_with_fall(outcome: Outcome) -> bool:
    """Return whether the sentence on a given order begins with who dislodged its unit."""
    if isinstance(outcome, outcomes.Cut):
        return outcome.lost
    return outcome.dislodged is not None and isinstance(outcome, _FALLS)


def _unordered(outcome: Outcome, told: str, variant: Variant) -> str:
    """Return what is said of a unit that nobody ordered."""
    fall = outcome.dislodged
    match outcome:
        case outcomes.Held():
            if fall is None:
                return _say("unordered_held")
            return clauses(_say("unordered"), told)
        case outcomes.Disbanded():
            return told
        case outcomes.Waived():
            return _say("unordered_waived")
        case outcomes.Built():
            return clauses(_say("unordered"), told)
    return clauses(_say("implied"), told if fall is None else _and_fell(told, fall, variant))


def _and_fell(told: str, fall: Dislodgement, variant: Variant) -> str:
    return clauses(told, _say("and_fell", clause=fall_words(fall, variant)))


@kept_by_language
def _say(key: str, **pieces: object) -> str:
    text: str = sentences("outcomes", language())[key]
    return text.format_map(pieces)


Fight: TypeAlias = Dislodgement | outcomes.DroveOut | outcomes.GotAhead | outcomes.Bounced


def _fight(key: str, fight: Fight, other: str) -> str:
    """Say what has the strengths of an attack and of the defense in it."""
    return _say(key, who=other, attack=strength(fight.attack), defense=strength(fight.defense))


def not_ordered_to_carry(carrier: Piece, ordered: Order | None, variant: Variant) -> str:
    """Return that a unit was not ordered to carry a bomb, and what it was ordered."""
    key = "not_carrying_unordered" if ordered is None else "not_carrying"
    return _say(key, who=who(carrier, variant), order=ordered)


class _OutcomeWording:
    """Says what became of one order."""

    def __init__(self, result: Result, variant: Variant) -> None:
        self.result = result
        self.variant = variant
        order = result.order
        self.in_place = isinstance(order, Support) and order.to is None

    def who(self, unit: Piece) -> str:
        return who(unit, self.variant)

    def all(self, units: Iterable[Piece]) -> str:
        return everyone(units, self.variant)

    def own(self, unit: Piece) -> str:
        return own(unit, self.variant)

    def place(self, location: str | None) -> str:
        return place(location or "", self.variant.board)

    def goal(self) -> str:
        """Return the place that the order leads to."""
        return self.place(province_of(self.result.order.to))  # type: ignore[union-attr]

    def words(self) -> str:
        """Return what became of an order in a movement phase, or of any other one."""
        outcome = self.result.outcome
        by_sea = "_by_sea" if getattr(outcome, "by_sea", False) else ""
        match outcome:
            case outcomes.Held(dislodged=None, against=()):
                return _say("held")
            case outcomes.Held(dislodged=None, against=units):
                return _say("held_against", who=self.all(units))
            case outcomes.Held(dislodged=fall) if fall is not None:
                return fall_words(fall, self.variant)
            case outcomes.Moved(ring=ring):
                return _say(f"moved{by_sea}{'_in_a_ring' if ring else ''}", place=self.goal())
            case outcomes.ChangedPlaces(other=unit):
                return _say(f"changed_places{by_sea}", who=self.who(unit))
            case outcomes.DroveOut(other=unit):
                return _fight(f"drove_out{by_sea}", outcome, self.who(unit))
            case outcomes.GotAhead(rivals=units):
                return _fight(f"got_ahead{by_sea}", outcome, self.all(units))
            case outcomes.Bounced():
                return self._bounced(outcome)
            case outcomes.OwnUnit(unit=unit, stuck=stuck):
                return _say("own_unit_stuck" if stuck else "own_unit", who=self.own(unit))
            case outcomes.NoConvoy(fleets=units):
                key = "no_convoy" if units else "no_convoy_ordered"
                return _say(key, place=self.goal(), who=self.all(units))
            case outcomes.ConvoyBroken():
                return self._convoy_broken(outcome)
        return self._helped(outcome)

    def _helped(self, outcome: outcomes.Outcome) -> str:
        """Return what became of an order to support or to convoy, or of any other one."""
        match outcome:
            case outcomes.Supported():
                return self._supported(outcome)
            case outcomes.Cut(by=units, dislodged=fall):
                if fall is not None and outcome.lost:
                    return _fight("support_lost", fall, self.who(fall.by))
                told = _say("cut", who=self.all(units))
                return told if fall is None else _and_fell(told, fall, self.variant)
            case outcomes.Convoyed(army=unit):
                return _say("convoyed", place=self.goal(), who=self.who(unit))
            case outcomes.StoodReady(army=unit, why=why):
                return _say(f"ready_{why.value}", place=self.goal(), who=self.who(unit))
            case outcomes.ConvoyFailed(army=unit, dislodged=None):
                return _say("convoy_failed", who=self.who(unit))
            case outcomes.ConvoyFailed(dislodged=fall) if fall is not None:
                return _fight("convoy_lost", fall, self.who(fall.by))
            case outcomes.Unmatched():
                return self._unmatched(outcome)
        return self._otherwise(outcome)

    def _bounced(self, outcome: outcomes.Bounced) -> str:
        meeting, unit = outcome.meeting, outcome.by
        if unit.power == self.result.power and meeting is not Meeting.RIVAL:
            key = "own_head_on" if meeting is Meeting.HEAD_ON else "own_stayed"
            return _say(key, who=self.own(unit))
        told = _fight(f"bounced_{meeting.value}", outcome, self.who(unit))
        if outcome.uncounted is None:
            return told
        return clauses(told, _say("uncounted", power=named(outcome.uncounted)))

    def _convoy_broken(self, outcome: outcomes.ConvoyBroken) -> str:
        if outcome.silent and not outcome.lost:
            return _say("paradox", who=self.all(outcome.silent))
        lost = [
            _say("fleet_lost", who=self.who(fleet), clause=fall_words(fall, self.variant))
            for fleet, fall in outcome.lost
        ]
        told = _say("convoy_broken", clause=listed(lost))
        return clauses(told, _say("paradox_too")) if outcome.silent else told

    def _supported(self, outcome: outcomes.Supported) -> str:
        unit = self.who(outcome.unit)
        if self.in_place:
            told = _say("supported_in_place", who=unit)
        elif outcome.own is None:
            told = _say("supported", place=self.goal(), who=unit)
        else:
            idle = self.own(outcome.own)
            told = _say("supported_in_vain", place=self.goal(), who=unit, who2=idle)
        if outcome.spared:
            told = clauses(told, _say("spared", who=self.all(outcome.spared)))
        if outcome.never_landed:
            told = clauses(told, _say("never_landed", who=self.all(outcome.never_landed)))
        return told

    def _unmatched(self, outcome: outcomes.Unmatched) -> str:
        unit, ordered = self.who(outcome.unit), outcome.ordered
        if not self.in_place:
            key = "unmatched_unordered" if ordered is None else "unmatched"
            return _say(key, place=self.goal(), who=unit, order=ordered)
        if ordered is None:
            return _say("unmatched_lawless", who=unit)
        key = "unmatched_immovable" if outcome.immovable else "unmatched_in_place"
        return _say(key, who=unit, order=ordered)

    def _otherwise(self, outcome: Outcome) -> str:
        """Return what became of an order that was not followed, of a bomb, or of a retreat, a build
        or a removal."""
        match outcome:
            case outcomes.Void() | outcomes.NotAllowed():
                return self._refused(outcome)
            case outcomes.Superseded(why=why, by=order):
                return _say(f"superseded_{why.value}", order=order)
            case outcomes.Bombed(target=target, leg=leg, to=to):
                places = {"place": self.place(target), "place2": self.place(to)}
                return _say(f"bombed_{leg.value}", **places)
            case outcomes.NoBomb(origin=origin, to=to):
                return _say("no_bomb", place=self.place(origin), place2=self.place(to))
            case outcomes.BombNotCarried(carrier=unit, ordered=order):
                return _say("bomb_lost", clause=not_ordered_to_carry(unit, order, self.variant))
            case outcomes.BombStopped(by=units, carrier=None):
                return _say("bomb_stopped", who=self.all(units))
            case outcomes.BombStopped(by=units, carrier=carrier) if carrier is not None:
                return _say("bomb_stopped_on", who=self.all(units), who2=self.who(carrier))
            case outcomes.Retreated(to=to):
                return _say("retreated", place=self.place(to))
            case outcomes.RetreatClash(others=units, to=to):
                key = "clash" if len(units) == 1 else "clash_of_several"
                return _say(key, who=self.all(units), place=self.place(to))
            case outcomes.NowhereToGo():
                return _say("disbanded_nowhere")
            case outcomes.Disbanded(why=removal):
                return _say(f"disbanded_{removal.value}")
            case outcomes.Waived(count=count):
                return _say("waived", count=count)
        built, board = self.result.unit, self.variant.board
        assert built is not None
        if isinstance(outcome, outcomes.Built):
            return _say("built", place=self.place(built.location))
        assert isinstance(outcome, outcomes.Converted)
        kind, where = kind_words(outcome.old.kind, board), self.place(outcome.old.province)
        return _say("converted", kind=kind, place=where, one=one(built.kind, board))

    def _refused(self, outcome: outcomes.Void | outcomes.NotAllowed) -> str:
        told = problem_words(outcome.problem, self.variant.board)
        if outcome.disbanded:
            told = _say("disbanded_too", clause=told)
        if isinstance(outcome, outcomes.NotAllowed) or not outcome.reach:
            return told
        near = listed(sorted(map(self.place, outcome.reach)), "or")
        key = "could_go" if isinstance(self.result.order, Move) else "could_support"
        return clauses(told, _say(key, places=near))
