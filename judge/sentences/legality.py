"""Why the rules do not allow an order, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from judge.i18n import gettext
from judge.language.problems import Misreading
from judge.rules.board import COASTS, Board
from judge.rules.phase import Season
from judge.rules.problems import Code, Illegal, Problem, Said
from judge.sentences.pieces import (
    N_,
    armies,
    kind_name,
    listed,
    one,
    place,
    power_name,
    raw_kind,
    unit_there,
)
from judge.sentences.problems import misreading_words
from judge.sentences.terms import clauses


def illegal_words(problem: Illegal | Said, board: Board) -> str:
    """Return what the rules object to, as a clause: no capital at its beginning, no full stop."""
    if isinstance(problem, Said):
        return problem.text
    text = _TEXTS[problem.code]
    if isinstance(text, tuple):
        text = text[0 if problem.count == 1 else 1]
    words = gettext(text).format_map(_pieces(problem, board))
    if not problem.write or "{lines}" in text:
        return words
    return clauses(words, gettext(WRITE).format(lines=_lines(problem)))


def problem_clause(problem: Problem, board: Board) -> str:
    """Return any problem of the rules or of reading as a clause."""
    if isinstance(problem, Misreading):
        return misreading_words(problem, board)
    assert isinstance(problem, Illegal | Said)
    return illegal_words(problem, board)


def _lines(problem: Illegal) -> str:
    return listed(problem.write, "or")


def _pieces(problem: Illegal, board: Board) -> Mapping[str, object]:
    """Return what stands in the places of the texts below."""
    found: dict[str, object] = {"lines": _lines(problem), "word": problem.word}
    if problem.kind is not None:
        found |= {"kind": raw_kind(problem.kind, board), "one": one(problem.kind, board)}
        found["armies"] = armies((problem.kind,), board)
    if problem.unit is not None:
        unit = problem.unit
        found |= {"kind": kind_name(unit.kind, board), "place": place(unit.location, board)}
        found["who"] = unit_there(unit, board)
    if problem.place is not None:
        found["place"] = place(problem.place, board)
    if problem.goal is not None:
        found["place2"] = place(problem.goal, board)
    if problem.other_kind is not None:
        found["kind2"] = kind_name(problem.other_kind, board)
    if problem.kinds:
        found["ones"] = listed([one(kind, board) for kind in problem.kinds], "or")
        found["armies"] = armies(problem.kinds, board)
    if problem.coast is not None:
        found["word"] = gettext(COASTS.get(problem.coast, problem.coast))
    if problem.other_coast is not None:
        found["word2"] = gettext(COASTS.get(problem.other_coast, problem.other_coast))
    if problem.season is not None:
        found["season"] = gettext(SEASONS[problem.season])
    if problem.because is not None:
        found["clause"] = problem_clause(problem.because, board)
    return found | {
        "places": listed([place(each, board) for each in problem.places]),
        "power": power_name(problem.power or ""),
        "power2": power_name(problem.other_power or ""),
        "count": problem.count,
        "count2": problem.ordered,
    }


WRITE: Final = N_("write {lines}")

SEASONS: Final[Mapping[Season, str]] = {
    Season.SPRING: N_("spring"),
    Season.SUMMER: N_("summer"),
    Season.FALL: N_("fall"),
    Season.WINTER: N_("winter"),
}

_TEXTS: Final[Mapping[Code, str | tuple[str, str]]] = {
    Code.NO_PROVINCE: N_("there is no province '{word}' on this board"),
    Code.NO_LOCATION: N_("there is no location '{word}' on this board"),
    Code.NO_SUCH_COAST: N_("{place} has no such coast"),
    Code.NOT_FOR_MOVEMENT: N_("this order is not valid in a movement phase"),
    Code.NOT_FOR_RETREATS: N_("this order is not valid in a retreat phase"),
    Code.NOT_FOR_ADJUSTMENTS: N_("this order is not valid in an adjustment phase"),
    Code.NO_PLAYER: N_("{power} has no player, its units hold"),
    Code.OWN_PROXY: N_("{power} orders it itself"),
    Code.NO_UNIT: N_("there is no unit in {place}"),
    Code.FOREIGN_UNIT: N_("the {kind} in {place} belongs to {power}"),
    Code.KIND_MISSING: N_("it is not said whether the unit in {place} is {ones}"),
    Code.WRONG_KIND: N_("there is no {kind} in {place}, but one {kind2}"),
    Code.WRONG_COAST: N_("the {kind} is in {place}, not at {word}"),
    Code.WRONG_NATION: N_("the {kind} in {place} belongs to {power}, not to {power2}"),
    Code.NATION_MISSING: N_("it is not said that the {kind} in {place} belongs to {power}"),
    Code.COAST_MISSING: N_("the coast of {place} must be named"),
    Code.NOT_MOVING: N_("a unit cannot move to the province it is in"),
    Code.NEVER_MOVES: N_("{one} never moves"),
    Code.UNREACHABLE: N_("{place} cannot be reached from {place2}"),
    Code.NOT_TO_SEA: N_("{one} cannot go to sea, and {place} is water"),
    Code.NOT_INLAND: N_("{one} cannot go inland, and {place} has no coast"),
    Code.NOT_TO_A_COAST: N_("{one} is not ordered to a coast"),
    Code.COAST_UNREACHABLE: N_("{who} cannot reach the {word} of {place}, only the {word2}"),
    Code.COAST_OUT_OF_REACH: N_("the {word} of {place} is out of its reach"),
    Code.TWO_COASTS: N_("{place} can be entered by two coasts"),
    Code.OUT_OF_SEASON: N_("no unit can enter or leave {place} in {season}"),
    Code.NEUTRAL: N_("{place} is neutral, and no unit can enter it"),
    Code.DESTROYED: N_("{place} is destroyed"),
    Code.SELF_SUPPORT: N_("a unit cannot support itself"),
    Code.IMPOSSIBLE_MOVE: N_("it supports an impossible move: {clause}"),
    Code.NOT_SUPPORTED: N_("{one} cannot be given support"),
    Code.GIVES_NO_SUPPORT: N_("{one} cannot give support"),
    Code.SUPPORT_TOO_FAR: N_("{place} is more than two spaces away from {who}"),
    Code.CANNOT_GO_THERE: N_("{who} cannot go to {place} itself, so it cannot support there"),
    Code.CANNOT_CONVOY: N_("only {ones} can convoy"),
    Code.CONVOY_ON_COAST: N_("{one} in a coastal province cannot convoy"),
    Code.CONVOY_TO_ITSELF: N_("{one} cannot be convoyed to the province it is in"),
    Code.CONVOY_INLAND: N_("a convoy goes from a coastal province to another one"),
    Code.NOT_CONVOYED: N_("only {armies} are convoyed"),
    Code.NO_CONVOY_THERE: N_("no convoy can take {one} to {place}"),
    Code.NO_ARMY: N_("the unit in {place} is no army, and only armies are convoyed"),
    Code.NO_CARGO: N_("the unit in {place} is {one}, and only {armies} are convoyed"),
    Code.NEEDLESS_FLEET: N_("no route from {place} to {place2} needs this fleet"),
    Code.NO_OTHER_FLEET: N_("no other fleet could carry {who} to {place}"),
    Code.NO_FLEET: N_("no fleet stands in {place}"),
    Code.NO_FLEETS: N_("no fleet stands where it could carry {one} from {place} to {place2}"),
    Code.ROUTE_MISSING: N_("the waters on the way from {place} to {place2} must be named"),
    Code.NO_ROUTE: N_("no way leads from {place} over {places} to {place2}"),
    Code.CANNOT_LAUNCH: N_("only {ones} launches a bomb"),
    Code.CARRIES_NO_BOMB: N_("{one} cannot carry a bomb"),
    Code.BOMB_TWICE: N_("no unit carries a bomb twice"),
    Code.BOMB_UNCLEAR: N_("it does not say where the bomb comes from and where it goes"),
    Code.BOMB_TOO_FAR: N_("{who} cannot take a bomb to {place}"),
    Code.NO_BOMB_CARRIER: N_("there is no unit in {place} that could carry a bomb"),
    Code.NO_LAUNCHER: N_("there is nobody who could launch a bomb"),
    Code.FOREIGN_RETREAT: N_("the dislodged unit from {place} is not yours"),
    Code.NOT_DISLODGED: N_("no unit of yours was dislodged from {place}"),
    Code.NO_RETREAT_ORDER: N_("a dislodged unit can only retreat or disband"),
    Code.RETREAT_COAST: N_("the coast must be named ({lines})"),
    Code.NOT_ADJACENT: N_("{place} is not one step away from {place2}"),
    Code.ATTACKER_CAME_FROM: N_("its attacker came from {place}"),
    Code.STANDOFF: N_("{place} was left vacant by a standoff"),
    Code.NOWHERE: N_("there was nowhere to retreat to, so it was destroyed"),
    Code.OCCUPIED: N_("{place} is occupied"),
    Code.THAT_COAST_OUT_OF_REACH: N_("that coast of {place} is out of its reach"),
    Code.BUILD_KIND: N_("write whether {ones} is to be built in {place}"),
    Code.UNKNOWN_KIND: N_("a unit of the kind '{word}' cannot be built"),
    Code.BUILD_INLAND: N_("{one} cannot be built inland, and {place} has no coast"),
    Code.BUILD_ON_COAST: N_("{one} is not built on a coast"),
    Code.BUILD_COAST: N_("the coast of {place} must be named: {lines}"),
    Code.NO_CENTER: N_("{place} is not a supply center"),
    Code.FOREIGN_CENTER: N_("{place} belongs to {power}"),
    Code.NOT_OWNED: N_("{place} is not yours"),
    Code.NOT_HOME: N_("{place} is not a center of your home country"),
    Code.NO_WAIVING: N_("these rules do not allow waiving builds"),
    Code.NONE_TO_WAIVE: N_("no build is left to be waived"),
    Code.NO_BUILD_DUE: N_("no build is due: as many units as centers"),
    Code.FEW_BUILDS_DUE: (N_("only 1 build is due"), N_("only {count} builds are due")),
    Code.TOO_MANY_BUILDS: (
        N_("{count2} builds were ordered and 1 build is due, so none is made"),
        N_("{count2} builds were ordered and {count} builds are due, so none is made"),
    ),
    Code.NO_REMOVAL_DUE: N_("no removal is due"),
    Code.REMOVALS_DUE: (
        N_("no build is due, but 1 removal is due"),
        N_("no build is due, but {count} removals are due"),
    ),
    Code.FEW_REMOVALS_DUE: (N_("only 1 removal is due"), N_("only {count} removals are due")),
    Code.NOT_STANDING: N_("no unit of yours stands in {place}"),
    Code.KIND_LIMIT: N_("no more than {count} {armies} are allowed"),
    Code.ARSENAL_LIMIT: N_(
        "{one} can be built once after each turn in which all units were ordered to hold"
    ),
    Code.ALREADY_THAT_KIND: N_("{place} is occupied by {one} already"),
    Code.CONVERT_TO_WHAT: N_("write what {one} in {place} is to become"),
    Code.REMOVED_FIRST: N_("the unit was disbanded, because too few removals were ordered"),
}
