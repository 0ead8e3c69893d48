"""Why an order cannot be read or carried out, as values."""

from __future__ import annotations

from dataclasses import KW_ONLY, MISSING, dataclass, fields
from typing import Any

from judge.rules.phase import Constant, Season
from judge.rules.position import Unit


class Problem:
    """What is wrong with an order: the base of frozen values that hold all that a sentence needs.

    `judge.sentences` words them in the reader's language.
    """

    __slots__ = ()


class Code(Constant):
    """What the rules object to in an order."""

    NO_PROVINCE = "no_province"
    NO_LOCATION = "no_location"
    NO_SUCH_COAST = "no_such_coast"
    NOT_FOR_MOVEMENT = "not_for_movement"
    NOT_FOR_RETREATS = "not_for_retreats"
    NOT_FOR_ADJUSTMENTS = "not_for_adjustments"
    NO_PLAYER = "no_player"
    OWN_PROXY = "own_proxy"
    # Whose unit it is, and how it was named (DATC 4.B, 4.C).
    NO_UNIT = "no_unit"
    FOREIGN_UNIT = "foreign_unit"
    KIND_MISSING = "kind_missing"
    WRONG_KIND = "wrong_kind"
    WRONG_COAST = "wrong_coast"
    WRONG_NATION = "wrong_nation"
    NATION_MISSING = "nation_missing"
    COAST_MISSING = "coast_missing"
    # Moves.
    NOT_MOVING = "not_moving"
    NEVER_MOVES = "never_moves"
    UNREACHABLE = "unreachable"
    NOT_TO_SEA = "not_to_sea"
    NOT_INLAND = "not_inland"
    NOT_TO_A_COAST = "not_to_a_coast"
    COAST_UNREACHABLE = "coast_unreachable"
    COAST_OUT_OF_REACH = "coast_out_of_reach"
    TWO_COASTS = "two_coasts"
    OUT_OF_SEASON = "out_of_season"
    NEUTRAL = "neutral"
    DESTROYED = "destroyed"
    # Supports.
    SELF_SUPPORT = "self_support"
    IMPOSSIBLE_MOVE = "impossible_move"
    NOT_SUPPORTED = "not_supported"
    GIVES_NO_SUPPORT = "gives_no_support"
    SUPPORT_TOO_FAR = "support_too_far"
    CANNOT_GO_THERE = "cannot_go_there"
    WEAK_SUPPORT = "weak_support"
    # Convoys.
    CANNOT_CONVOY = "cannot_convoy"
    CONVOY_ON_COAST = "convoy_on_coast"
    CONVOY_TO_ITSELF = "convoy_to_itself"
    CONVOY_INLAND = "convoy_inland"
    NOT_CONVOYED = "not_convoyed"
    NO_CONVOY_THERE = "no_convoy_there"
    NO_ARMY = "no_army"
    NO_CARGO = "no_cargo"
    NEEDLESS_FLEET = "needless_fleet"
    NO_OTHER_FLEET = "no_other_fleet"
    NO_FLEET = "no_fleet"
    NO_FLEETS = "no_fleets"
    ROUTE_MISSING = "route_missing"
    NO_ROUTE = "no_route"
    # Bombs.
    CANNOT_LAUNCH = "cannot_launch"
    CARRIES_NO_BOMB = "carries_no_bomb"
    BOMB_TWICE = "bomb_twice"
    BOMB_UNCLEAR = "bomb_unclear"
    BOMB_TOO_FAR = "bomb_too_far"
    NO_BOMB_CARRIER = "no_bomb_carrier"
    NO_LAUNCHER = "no_launcher"
    # Retreats.
    FOREIGN_RETREAT = "foreign_retreat"
    NOT_DISLODGED = "not_dislodged"
    NO_RETREAT_ORDER = "no_retreat_order"
    RETREAT_COAST = "retreat_coast"
    NOT_ADJACENT = "not_adjacent"
    ATTACKER_CAME_FROM = "attacker_came_from"
    STANDOFF = "standoff"
    NOWHERE = "nowhere"
    OCCUPIED = "occupied"
    THAT_COAST_OUT_OF_REACH = "that_coast_out_of_reach"
    # Builds, removals, conversions.
    BUILD_KIND = "build_kind"
    UNKNOWN_KIND = "unknown_kind"
    BUILD_INLAND = "build_inland"
    BUILD_ON_COAST = "build_on_coast"
    BUILD_COAST = "build_coast"
    NO_CENTER = "no_center"
    FOREIGN_CENTER = "foreign_center"
    NOT_OWNED = "not_owned"
    NOT_HOME = "not_home"
    NO_WAIVING = "no_waiving"
    NONE_TO_WAIVE = "none_to_waive"
    NO_BUILD_DUE = "no_build_due"
    FEW_BUILDS_DUE = "few_builds_due"
    TOO_MANY_BUILDS = "too_many_builds"
    NO_REMOVAL_DUE = "no_removal_due"
    REMOVALS_DUE = "removals_due"
    FEW_REMOVALS_DUE = "few_removals_due"
    NOT_STANDING = "not_standing"
    KIND_LIMIT = "kind_limit"
    ARSENAL_LIMIT = "arsenal_limit"
    ALREADY_THAT_KIND = "already_that_kind"
    CONVERT_TO_WHAT = "convert_to_what"
    NO_CONVERSION = "no_conversion"
    REMOVED_FIRST = "removed_first"


@dataclass(frozen=True, slots=True)
class Illegal(Problem):
    """An order that the rules do not allow; the fields are what the sentence of its code names.

    Places are locations, kinds letters of unit kinds; `word` is what was written, where that is no
    place or kind of this board. `because` is what is wrong with the move that a support is for.
    `write` are orders or locations one of which would do.
    """

    _: KW_ONLY
    code: Code
    unit: Unit | None = None
    place: str | None = None
    goal: str | None = None
    places: tuple[str, ...] = ()
    coast: str | None = None
    other_coast: str | None = None
    kind: str | None = None
    other_kind: str | None = None
    kinds: tuple[str, ...] = ()
    power: str | None = None
    other_power: str | None = None
    season: Season | None = None
    count: int | None = None
    ordered: int | None = None
    word: str | None = None
    because: Problem | None = None
    write: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return compact(self)


def compact(value: Any) -> str:
    """Return the `repr` of a dataclass without the fields that have their defaults."""
    said = []
    for each in fields(value):
        held = getattr(value, each.name)
        if each.default is MISSING or held != each.default:
            said.append(f"{each.name}={held!r}")
    return f"{type(value).__name__}({', '.join(said)})"


@dataclass(frozen=True, slots=True)
class Said(Problem):
    """An objection of a rule module from outside, in its own words and only in those."""

    text: str
