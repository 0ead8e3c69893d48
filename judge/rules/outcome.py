"""What became of each order, and why: values that can be compared, stored and put into words.

Nothing here is a sentence; `judge.sentences` makes those, in every language.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar, NamedTuple

from judge.rules.orders import Order
from judge.rules.phase import Constant
from judge.rules.position import Unit
from judge.rules.problems import Problem, compact


class Reason(Constant):
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


class Piece(NamedTuple):
    """A unit of a power, as an outcome names it; `moving` when it followed an order to move."""

    power: str
    unit: Unit
    moving: bool = False


class Dislodgement(NamedTuple):
    """Who dislodged a unit, with the strength of the attack and of the defense."""

    by: Piece
    attack: int
    defense: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an order.

    `dislodged` and `destroyed` are what befell its unit besides: a dislodgement, and the province
    by whose bombing it was destroyed.
    """

    failure: ClassVar[Reason | None] = None
    """Why the order failed; None when it succeeded."""
    stands_or_falls: ClassVar[bool] = False
    """Whether an order like this has failed when its unit was dislodged."""

    _: KW_ONLY
    dislodged: Dislodgement | None = None
    destroyed: str | None = None

    def __init_subclass__(cls, failure: Reason | None = None, falls: bool = False) -> None:
        # A class with slots is made twice, the second time without these words.
        if failure is not None:
            cls.failure = failure
        if falls:
            cls.stands_or_falls = True

    @property
    def reason(self) -> Reason | None:
        """Why the order failed; None when it succeeded."""
        if self.stands_or_falls and self.dislodged is not None:
            return Reason.DISLODGED
        return self.failure

    def outcome(self, number: int) -> Outcome:
        """This one: a result whose outcome is known has it from there."""
        return self

    def __repr__(self) -> str:
        return compact(self)


# -- movement -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Held(Outcome, falls=True):
    """The unit stayed where it was; `against` are those that moved there and did not get in."""

    against: tuple[Piece, ...] = ()

    @property
    def reason(self) -> Reason | None:
        """Why it was not there in the end; None when it was."""
        if self.dislodged is not None:
            return Reason.DISLODGED
        return None if self.destroyed is None else Reason.DESTROYED


@dataclass(frozen=True, slots=True)
class Moved(Outcome):
    """The unit got where it was ordered to; `ring`: in a circular movement of three or more."""

    by_sea: bool = False
    ring: bool = False


@dataclass(frozen=True, slots=True)
class ChangedPlaces(Outcome):
    """The unit got to where another came from that went the other way."""

    other: Piece
    by_sea: bool = False


@dataclass(frozen=True, slots=True)
class DroveOut(Outcome):
    """The unit arrived and dislodged `other`."""

    other: Piece
    attack: int
    defense: int
    by_sea: bool = False


@dataclass(frozen=True, slots=True)
class GotAhead(Outcome):
    """The unit arrived where `rivals` wanted to go as well; `defense` is the strongest of them."""

    rivals: tuple[Piece, ...]
    attack: int
    defense: int
    by_sea: bool = False


class Meeting(Constant):
    """How a move met the unit that stopped it."""

    RIVAL = "rival"
    """It wanted to go to the same province."""
    HEAD_ON = "head_on"
    """It came the other way."""
    STUCK = "stuck"
    """It wanted to leave and could not."""
    STANDING = "standing"
    """It stayed there."""


@dataclass(frozen=True, slots=True)
class Bounced(Outcome, failure=Reason.BOUNCED):
    """A move that was not strong enough against `by`.

    `uncounted` is the power whose support did not count, being against a unit of its own.
    """

    by: Piece
    meeting: Meeting
    attack: int
    defense: int
    uncounted: str | None = None


@dataclass(frozen=True, slots=True)
class OwnUnit(Outcome, failure=Reason.OWN_UNIT):
    """A move that would have dislodged a unit of its own power, which stayed or was `stuck`."""

    unit: Piece
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class NoConvoy(Outcome, failure=Reason.NO_CONVOY):
    """A move by sea without a route; `fleets` were ordered to carry it and make up none."""

    fleets: tuple[Piece, ...] = ()


class LostFleet(NamedTuple):
    """A fleet that was dislodged while it was to convoy."""

    fleet: Piece
    dislodged: Dislodgement


@dataclass(frozen=True, slots=True)
class ConvoyBroken(Outcome, failure=Reason.CONVOY_DISRUPTED):
    """A move by sea whose route was broken: by the loss of fleets, or because fleets were kept
    `silent` by the rule on convoy paradoxes."""

    lost: tuple[LostFleet, ...] = ()
    silent: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Supported(Outcome):
    """A support that was given to `unit`.

    `own` is a unit of the supporter's power against which it did not count. `spared` landed at the
    supporter's and did not cut the support, `never_landed` were to land there.
    """

    unit: Piece
    own: Piece | None = None
    spared: tuple[Piece, ...] = ()
    never_landed: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut(Outcome, failure=Reason.CUT, falls=True):
    """A support that was undone by the attacks of `by`, or by the dislodgement of its unit."""

    by: tuple[Piece, ...] = ()

    @property
    def lost(self) -> bool:
        """Whether it is the dislodgement that undid the support."""
        return self.dislodged is not None and (not self.by or self.dislodged.by in self.by)


@dataclass(frozen=True, slots=True)
class Convoyed(Outcome):
    """A fleet carried `army`."""

    army: Piece


class Idle(Constant):
    """Why a fleet that stood ready did not carry its army."""

    BY_LAND = "by_land"
    OTHER_ROUTE = "other_route"
    NOT_ARRIVED = "not_arrived"


@dataclass(frozen=True, slots=True)
class StoodReady(Outcome):
    """A fleet that was not dislodged, but did not carry `army`; the order was followed."""

    army: Piece
    why: Idle


@dataclass(frozen=True, slots=True)
class ConvoyFailed(Outcome, failure=Reason.CONVOY_DISRUPTED, falls=True):
    """A fleet that carried nobody: it was dislodged, or the rule on paradoxes kept it silent."""

    army: Piece


@dataclass(frozen=True, slots=True)
class Unmatched(Outcome, failure=Reason.UNMATCHED):
    """A support or a convoy for what `unit` was not ordered to do.

    `ordered` is what it was ordered. `immovable`: it had an impossible move (DATC 4.E.1 b).
    """

    unit: Piece
    ordered: Order | None = None
    immovable: bool = False


# -- orders that were not followed ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Void(Outcome, failure=Reason.VOID):
    """An order that could never be carried out from this position.

    `reach` are provinces it could have named, when it named one out of reach. `disbanded`: its unit
    had to retreat and did not.
    """

    problem: Problem
    reach: tuple[str, ...] = ()
    disbanded: bool = False


@dataclass(frozen=True, slots=True)
class NotAllowed(Outcome, failure=Reason.NOT_ALLOWED):
    """A retreat or an adjustment that the rules do not allow here; `disbanded` as in `Void`."""

    problem: Problem
    disbanded: bool = False


class Precedence(Constant):
    """Why one order for a unit or a place gave way to others."""

    REPEATED = "repeated"
    """The same order was given before."""
    FOLLOWED = "followed"
    """Another one was followed."""
    NAMED = "named"
    """Another one names the unit properly."""
    SEVERAL = "several"
    """There were several, so none was followed and the unit held."""
    SEVERAL_RETREATS = "several_retreats"
    """There were several, so none was followed and the unit was disbanded."""
    SAME_PLACE = "same_place"
    """Another build was ordered in the same place."""
    DISBANDED = "disbanded"
    """The unit is disbanded already."""
    EARLIER = "earlier"
    """Another order for the unit came first."""


@dataclass(frozen=True, slots=True)
class Superseded(Outcome, failure=Reason.SUPERSEDED):
    """One of several orders that is not the one followed; `by` is that, where it is known."""

    why: Precedence
    by: Order | None = None


# -- bombs ----------------------------------------------------------------------------------------


class Leg(Constant):
    """The part of a unit in a bomb's way."""

    LAUNCHED = "launched"
    PASSED_ON = "passed_on"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Bombed(Outcome, falls=True):
    """A bomb that fell on the province `target`; `to` is where it was passed on to."""

    target: str
    leg: Leg = Leg.LAUNCHED
    to: str | None = None


@dataclass(frozen=True, slots=True)
class NoBomb(Outcome, failure=Reason.UNMATCHED, falls=True):
    """A unit was to carry a bomb from `origin` to `to`, and none was sent that way."""

    origin: str
    to: str


@dataclass(frozen=True, slots=True)
class BombNotCarried(Outcome, failure=Reason.UNMATCHED, falls=True):
    """A bomb that `carrier` was not ordered to carry on; `ordered` is its order."""

    carrier: Piece
    ordered: Order | None = None


@dataclass(frozen=True, slots=True)
class BombStopped(Outcome, failure=Reason.CUT, falls=True):
    """A bomb that was stopped by attacks on `carrier`, None for the unit itself."""

    by: tuple[Piece, ...]
    carrier: Piece | None = None


# -- retreats and adjustments ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Retreated(Outcome):
    """The unit found a place at the location `to`."""

    to: str


@dataclass(frozen=True, slots=True)
class RetreatClash(Outcome, failure=Reason.RETREAT_CLASH):
    """The unit was disbanded, because `others` were ordered to retreat to `to` as well."""

    to: str
    others: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class NowhereToGo(Outcome, failure=Reason.DESTROYED):
    """A retreat was ordered, but there was nowhere to retreat to."""


class Removal(Constant):
    """Why a unit was taken off the board."""

    ORDERED = "ordered"
    UNORDERED = "unordered"
    """Nobody ordered it to retreat."""
    NOWHERE = "nowhere"
    """Nobody ordered it, and there was nowhere to retreat to."""
    FARTHEST = "farthest"
    """Too few removals were ordered: it is the farthest from a center of its power."""
    FARTHEST_FROM_HOME = "farthest_from_home"
    """The same under DATC 4.D.8 a: from a center of its home country."""


@dataclass(frozen=True, slots=True)
class Disbanded(Outcome):
    """The unit was taken off the board."""

    why: Removal = Removal.ORDERED


@dataclass(frozen=True, slots=True)
class Built(Outcome):
    """A new unit was raised."""


@dataclass(frozen=True, slots=True)
class Waived(Outcome):
    """So many builds were left unused."""

    count: int


@dataclass(frozen=True, slots=True)
class Converted(Outcome):
    """The unit `old` became another one."""

    old: Unit
