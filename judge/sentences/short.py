"""What became of orders in a few words, for lists with one line an order: `bounced, Russian A sev
2:2`. The sentences in `judge.sentences.outcome_words` say all of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from judge.i18n import DEFAULT_LANGUAGE, language, sentences
from judge.rules import outcome as outcomes
from judge.rules.orders import Order
from judge.rules.outcome import Dislodgement, Meeting, Outcome, Piece, Removal
from judge.rules.result import Result
from judge.rules.variant import Variant
from judge.sentences.outcome_words import Fight
from judge.sentences.terms import clauses, kept_by_language, named, place


@dataclass(frozen=True, slots=True)
class ShortResult:
    """What became of an order in a few words, or of its unit alone where that `fell`: `str()`
    speaks the language of that moment."""

    result: Result
    variant: Variant
    fell: bool = False

    def __str__(self) -> str:
        fall = self.result.outcome.dislodged
        if self.fell and fall is not None:
            return _Shortly(self.result, self.variant).fight("fell", fall, [fall.by])
        return short_words(self.result, self.variant)

    @property
    def bare(self) -> str:
        """The same without whose units they are, for lists in which all units stand."""
        return short_words(self.result, self.variant, bare=True)


def short_order(text: str) -> str:
    """Return an order in canonical form as a list has it: `A ser S A bud-rum`."""
    return text.replace(" - ", "-")


def short_words(result: Result, variant: Variant, *, bare: bool = False) -> str:
    """Return what became of an order in a few words, "" where it just succeeded; `bare`: units of
    others by their codes alone."""
    outcome, shortly = result.outcome, _Shortly(result, variant, bare=bare)
    told = [] if result.given or _tells_unordered(outcome) else [_say("unordered")]
    told.append(shortly.words())
    fall = outcome.dislodged
    if fall is not None and not _begins_with_fall(outcome):
        told.append(shortly.fight("fell", fall, [fall.by]))
    if outcome.destroyed is not None:
        told.append(_say("bombed_too", place=place(outcome.destroyed, variant.board)))
    return clauses(*filter(None, told))


def _tells_unordered(outcome: Outcome) -> bool:
    return isinstance(outcome, outcomes.Disbanded | outcomes.Waived)


def _begins_with_fall(outcome: Outcome) -> bool:
    if isinstance(outcome, outcomes.Cut):
        return outcome.lost
    return isinstance(outcome, outcomes.Held | outcomes.ConvoyFailed)


@kept_by_language
def _say(key: str, **pieces: object) -> str:
    text: str = sentences("short", language())[key]
    return text.format_map(pieces)


class _Shortly:
    """Says in a few words what became of one order."""

    def __init__(self, result: Result, variant: Variant, *, bare: bool = False) -> None:
        self.result = result
        self.variant = variant
        self.bare = bare

    def who(self, units: Iterable[Piece]) -> str:
        """Return units by their codes, those of others with whose they are."""
        return ", ".join(map(self._one, units))

    def _one(self, piece: Piece) -> str:
        if piece.power == self.result.power:
            return _say("own", unit=str(piece.unit))
        if self.bare:
            return str(piece.unit)
        english = language() == DEFAULT_LANGUAGE
        nation = self.variant.adjectives.get(piece.power, piece.power) if english else piece.power
        return _say("piece", nation=named(nation), unit=str(piece.unit))

    def fight(self, key: str, fight: Fight, who: Iterable[Piece]) -> str:
        """Say what has the strengths of an attack and of the defense in it."""
        return _say(key, who=self.who(who), attack=fight.attack, defense=fight.defense)

    def words(self) -> str:
        """Return what became of an order, but for what befell its unit besides."""
        outcome = self.result.outcome
        match outcome:
            case outcomes.Held(dislodged=Dislodgement() as fall):
                return self.fight("fell", fall, [fall.by])
            case outcomes.Held(against=units) if units:
                return _say("held_against", who=self.who(units))
            case outcomes.Held():
                return "" if self.result.given else _say("held")
            case outcomes.Moved(ring=True):
                return _say("ring")
            case outcomes.ChangedPlaces(other=unit):
                return _say("changed_places", who=self.who([unit]))
            case outcomes.DroveOut(other=unit):
                return self.fight("drove_out", outcome, [unit])
            case outcomes.GotAhead(rivals=units):
                return self.fight("got_ahead", outcome, units)
            case outcomes.Bounced():
                return self._bounced(outcome)
            case outcomes.OwnUnit(unit=unit):
                return _say("own_unit", who=self.who([unit]))
            case outcomes.NoConvoy():
                return _say("no_convoy")
            case outcomes.ConvoyBroken(lost=lost) if lost:
                return _say("convoy_lost", who=self.who(each.fleet for each in lost))
            case outcomes.ConvoyBroken():
                return _say("convoy_broken")
        return self._helped(outcome)

    def _bounced(self, outcome: outcomes.Bounced) -> str:
        head_on = outcome.meeting is Meeting.HEAD_ON
        if outcome.by.power == self.result.power and outcome.meeting is not Meeting.RIVAL:
            return _say("own_head_on" if head_on else "own_stayed", who=self.who([outcome.by]))
        return self.fight("head_on" if head_on else "bounced", outcome, [outcome.by])

    def _helped(self, outcome: Outcome) -> str:
        match outcome:
            case outcomes.Supported(own=Piece() as unit):
                return _say("in_vain", who=self.who([unit]))
            case outcomes.Cut(dislodged=Dislodgement() as fall) if outcome.lost:
                return self.fight("fell", fall, [fall.by])
            case outcomes.Cut(by=units):
                return _say("cut", who=self.who(units))
            case outcomes.StoodReady(army=unit, why=outcomes.Idle.NOT_ARRIVED):
                return _say("not_arrived", who=self.who([unit]))
            case outcomes.StoodReady():
                return _say("not_needed")
            case outcomes.ConvoyFailed(dislodged=Dislodgement() as fall):
                return self.fight("fell", fall, [fall.by])
            case outcomes.ConvoyFailed():
                return _say("convoy_broken")
            case outcomes.Unmatched(unit=unit, ordered=None):
                return _say("unmatched_unordered", who=self.who([unit]))
            case outcomes.Unmatched(ordered=order):
                return _say("unmatched", order=_code(order))
            case outcomes.BombNotCarried(ordered=None, carrier=unit):
                return _say("unmatched_unordered", who=self.who([unit]))
            case outcomes.BombNotCarried(ordered=order):
                return _say("unmatched", order=_code(order))
        return self._otherwise(outcome)

    def _otherwise(self, outcome: Outcome) -> str:
        match outcome:
            case outcomes.Void():
                return _say("void")
            case outcomes.NotAllowed():
                return _say("not_allowed")
            case outcomes.Superseded():
                return _say("superseded")
            case outcomes.Bombed(target=target):
                return _say("bombed", place=place(target, self.variant.board))
            case outcomes.NoBomb():
                return _say("no_bomb")
            case outcomes.BombStopped():
                return _say("bomb_stopped")
            case outcomes.RetreatClash(others=units):
                return _say("clash", who=self.who(units))
            case outcomes.NowhereToGo() | outcomes.Disbanded(why=Removal.NOWHERE):
                return _say("destroyed")
            case outcomes.Disbanded(why=Removal.UNORDERED):
                return clauses(_say("unordered"), _say("disbanded"))
            case outcomes.Disbanded(why=Removal.FARTHEST | Removal.FARTHEST_FROM_HOME):
                return _say("removed")
            case outcomes.Waived():
                return _say("unused")
        return ""


def _code(order: Order | None) -> str:
    return short_order(str(order))
