"""What became of orders, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

from judge.i18n import language, sentences
from judge.rules import outcome as outcomes
from judge.rules.board import Board, province_of
from judge.rules.orders import Move, Order, Support
from judge.rules.outcome import Dislodgement, Meeting, Outcome, Piece
from judge.rules.result import Result
from judge.rules.variant import Variant
from judge.sentences.problems import problem_words
from judge.sentences.terms import (
    clauses,
    everyone,
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
    told = _WORDS[type(outcome)](outcome, result, variant)
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
    """Whether the sentence on a given order begins with who dislodged its unit."""
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


def _say(key: str, **pieces: object) -> str:
    return _said(key, language(), **pieces)


# The same is said of phase after phase.
@lru_cache(maxsize=8192)
def _said(key: str, spoken: str, **pieces: object) -> str:
    text: str = sentences("outcomes", spoken)[key]
    return text.format_map(pieces)


Fight: TypeAlias = Dislodgement | outcomes.DroveOut | outcomes.GotAhead | outcomes.Bounced


def _fight(key: str, fight: Fight, other: str) -> str:
    """Say what has the strengths of an attack and of the defense in it."""
    return _fought(key, other, fight.attack, fight.defense, language())


@lru_cache(maxsize=8192)
def _fought(key: str, other: str, attack: int, defense: int, spoken: str) -> str:
    return _say(key, who=other, attack=strength(attack), defense=strength(defense))


def _say_where(key: str, result: Result, variant: Variant, **pieces: object) -> str:
    """Say what has the place in it that the order leads to."""
    to: str = result.order.to  # type: ignore[union-attr, assignment]
    return _said_where(key, to, variant.board, language(), **pieces)


@lru_cache(maxsize=8192)
def _said_where(key: str, to: str, board: Board, spoken: str, **pieces: object) -> str:
    return _said(key, spoken, place=place(province_of(to), board), **pieces)


# -- movement -------------------------------------------------------------------------------------


def _held(outcome: outcomes.Held, result: Result, variant: Variant) -> str:
    if outcome.dislodged is not None:
        return fall_words(outcome.dislodged, variant)
    if outcome.against:
        return _say("held_against", who=everyone(outcome.against, variant))
    return _say("held")


def _moved(outcome: outcomes.Moved, result: Result, variant: Variant) -> str:
    key = "moved_by_sea" if outcome.by_sea else "moved"
    return _say_where(key + "_in_a_ring" if outcome.ring else key, result, variant)


def _changed_places(outcome: outcomes.ChangedPlaces, result: Result, variant: Variant) -> str:
    key = "changed_places_by_sea" if outcome.by_sea else "changed_places"
    return _say(key, who=who(outcome.other, variant))


def _drove_out(outcome: outcomes.DroveOut, result: Result, variant: Variant) -> str:
    key = "drove_out_by_sea" if outcome.by_sea else "drove_out"
    return _fight(key, outcome, who(outcome.other, variant))


def _got_ahead(outcome: outcomes.GotAhead, result: Result, variant: Variant) -> str:
    key = "got_ahead_by_sea" if outcome.by_sea else "got_ahead"
    return _fight(key, outcome, everyone(outcome.rivals, variant))


_BOUNCED: Final = {meeting: f"bounced_{meeting.value}" for meeting in Meeting}


def _bounced(outcome: outcomes.Bounced, result: Result, variant: Variant) -> str:
    if outcome.by.power == result.power and outcome.meeting is not Meeting.RIVAL:
        key = "own_head_on" if outcome.meeting is Meeting.HEAD_ON else "own_stayed"
        return _say(key, who=own(outcome.by, variant))
    told = _fight(_BOUNCED[outcome.meeting], outcome, who(outcome.by, variant))
    if outcome.uncounted is None:
        return told
    return clauses(told, _say("uncounted", power=named(outcome.uncounted)))


def _own_unit(outcome: outcomes.OwnUnit, result: Result, variant: Variant) -> str:
    key = "own_unit_stuck" if outcome.stuck else "own_unit"
    return _say(key, who=own(outcome.unit, variant))


def _no_convoy(outcome: outcomes.NoConvoy, result: Result, variant: Variant) -> str:
    key = "no_convoy" if outcome.fleets else "no_convoy_ordered"
    return _say_where(key, result, variant, who=everyone(outcome.fleets, variant))


def _convoy_broken(outcome: outcomes.ConvoyBroken, result: Result, variant: Variant) -> str:
    if outcome.silent and not outcome.lost:
        return _say("paradox", who=everyone(outcome.silent, variant))
    lost = [
        _say("fleet_lost", who=who(fleet, variant), clause=fall_words(fall, variant))
        for fleet, fall in outcome.lost
    ]
    told = _say("convoy_broken", clause=listed(lost))
    return clauses(told, _say("paradox_too")) if outcome.silent else told


def _supported(outcome: outcomes.Supported, result: Result, variant: Variant) -> str:
    unit = who(outcome.unit, variant)
    if isinstance(result.order, Support) and result.order.to is None:
        told = _say("supported_in_place", who=unit)
    elif outcome.own is None:
        told = _say_where("supported", result, variant, who=unit)
    else:
        idle = own(outcome.own, variant)
        told = _say_where("supported_in_vain", result, variant, who=unit, who2=idle)
    if outcome.spared:
        told = clauses(told, _say("spared", who=everyone(outcome.spared, variant)))
    if outcome.never_landed:
        told = clauses(told, _say("never_landed", who=everyone(outcome.never_landed, variant)))
    return told


def _cut(outcome: outcomes.Cut, result: Result, variant: Variant) -> str:
    fall = outcome.dislodged
    if fall is not None and outcome.lost:
        return _fight("support_lost", fall, who(fall.by, variant))
    told = _say("cut", who=everyone(outcome.by, variant))
    return told if fall is None else _and_fell(told, fall, variant)


def _about_army(
    key: str, outcome: outcomes.Convoyed | outcomes.StoodReady, result: Result, variant: Variant
) -> str:
    return _say_where(key, result, variant, who=who(outcome.army, variant))


def _convoy_failed(outcome: outcomes.ConvoyFailed, result: Result, variant: Variant) -> str:
    fall = outcome.dislodged
    if fall is not None:
        return _fight("convoy_lost", fall, who(fall.by, variant))
    return _say("convoy_failed", who=who(outcome.army, variant))


def _unmatched(outcome: outcomes.Unmatched, result: Result, variant: Variant) -> str:
    unit, ordered = who(outcome.unit, variant), outcome.ordered
    if isinstance(result.order, Support) and result.order.to is None:
        if ordered is None:
            return _say("unmatched_lawless", who=unit)
        key = "unmatched_immovable" if outcome.immovable else "unmatched_in_place"
        return _say(key, who=unit, order=ordered)
    key = "unmatched_unordered" if ordered is None else "unmatched"
    return _say_where(key, result, variant, who=unit, order=ordered)


# -- orders that were not followed ----------------------------------------------------------------


def _refused(outcome: outcomes.Void | outcomes.NotAllowed, result: Result, variant: Variant) -> str:
    told = problem_words(outcome.problem, variant.board)
    return _say("disbanded_too", clause=told) if outcome.disbanded else told


def _void(outcome: outcomes.Void, result: Result, variant: Variant) -> str:
    told = _refused(outcome, result, variant)
    if not outcome.reach:
        return told
    near = listed(sorted(place(each, variant.board) for each in outcome.reach), "or")
    key = "could_go" if isinstance(result.order, Move) else "could_support"
    return clauses(told, _say(key, places=near))


# -- bombs ----------------------------------------------------------------------------------------


def _bombed(outcome: outcomes.Bombed, result: Result, variant: Variant) -> str:
    target, after = place(outcome.target, variant.board), place(outcome.to or "", variant.board)
    return _say(f"bombed_{outcome.leg.value}", place=target, place2=after)


def _no_bomb(outcome: outcomes.NoBomb, result: Result, variant: Variant) -> str:
    origin, to = place(outcome.origin, variant.board), place(outcome.to, variant.board)
    return _say("no_bomb", place=origin, place2=to)


def _bomb_not_carried(outcome: outcomes.BombNotCarried, result: Result, variant: Variant) -> str:
    clause = not_ordered_to_carry(outcome.carrier, outcome.ordered, variant)
    return _say("bomb_lost", clause=clause)


def not_ordered_to_carry(carrier: Piece, ordered: Order | None, variant: Variant) -> str:
    """Return that a unit was not ordered to carry a bomb, and what it was ordered."""
    key = "not_carrying_unordered" if ordered is None else "not_carrying"
    return _say(key, who=who(carrier, variant), order=ordered)


def _bomb_stopped(outcome: outcomes.BombStopped, result: Result, variant: Variant) -> str:
    attackers = everyone(outcome.by, variant)
    if outcome.carrier is None:
        return _say("bomb_stopped", who=attackers)
    return _say("bomb_stopped_on", who=attackers, who2=who(outcome.carrier, variant))


# -- retreats and adjustments ---------------------------------------------------------------------


def _clash(outcome: outcomes.RetreatClash, result: Result, variant: Variant) -> str:
    others, goal = everyone(outcome.others, variant), place(outcome.to, variant.board)
    return _say("clash" if len(outcome.others) == 1 else "clash_of_several", who=others, place=goal)


def _converted(outcome: outcomes.Converted, result: Result, variant: Variant) -> str:
    assert result.unit is not None
    board, old = variant.board, outcome.old
    kind, where = kind_words(old.kind, board), place(old.province, board)
    return _say("converted", kind=kind, place=where, one=one(result.unit.kind, board))


_WORDS: Final[Mapping[type[Outcome], Callable[[Any, Result, Variant], str]]] = {
    outcomes.Held: _held,
    outcomes.Moved: _moved,
    outcomes.ChangedPlaces: _changed_places,
    outcomes.DroveOut: _drove_out,
    outcomes.GotAhead: _got_ahead,
    outcomes.Bounced: _bounced,
    outcomes.OwnUnit: _own_unit,
    outcomes.NoConvoy: _no_convoy,
    outcomes.ConvoyBroken: _convoy_broken,
    outcomes.Supported: _supported,
    outcomes.Cut: _cut,
    outcomes.Convoyed: lambda o, r, v: _about_army("convoyed", o, r, v),
    outcomes.StoodReady: lambda o, r, v: _about_army(f"ready_{o.why.value}", o, r, v),
    outcomes.ConvoyFailed: _convoy_failed,
    outcomes.Unmatched: _unmatched,
    outcomes.Void: _void,
    outcomes.NotAllowed: _refused,
    outcomes.Superseded: lambda o, r, v: _say(f"superseded_{o.why.value}", order=o.by),
    outcomes.Bombed: _bombed,
    outcomes.NoBomb: _no_bomb,
    outcomes.BombNotCarried: _bomb_not_carried,
    outcomes.BombStopped: _bomb_stopped,
    outcomes.Retreated: lambda o, r, v: _say("retreated", place=place(o.to, v.board)),
    outcomes.RetreatClash: _clash,
    outcomes.NowhereToGo: lambda o, r, v: _say("disbanded_nowhere"),
    outcomes.Disbanded: lambda o, r, v: _say(f"disbanded_{o.why.value}"),
    outcomes.Built: lambda o, r, v: _say("built", place=place(r.unit.location, v.board)),  # type: ignore[union-attr]
    outcomes.Waived: lambda o, r, v: _say("waived", count=o.count),
    outcomes.Converted: _converted,
}
