"""What a board has beyond the standard game, as facts for HELP and the start message.

Everything comes from the board's data: its kinds of units, rule modules, calendar, lineups and
spaces. Which board it is is never asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from judge.game.state.boards import counting, standing
from judge.i18n import Message
from judge.rules.board import ANY_WAY, STANDARD, Board, Derived, UnitKind, province_of
from judge.rules.board_index import board_index
from judge.rules.hooks import never_converts, rule_hooks
from judge.rules.modules import conscription
from judge.rules.orders import Build, Launch, Relay, Support
from judge.rules.phase import Kind, Season
from judge.rules.position import Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.sentences import Conversion, Wording
from judge.sentences.terms import NAMED_SEASONS

_BUILDS = (
    (conscription.builds_anywhere, "any"),
    (conscription.builds_holding_home, "one"),
    (conscription.builds_at_home, "home"),
    (conscription.builds_in_any_home, "homes"),
)
YEAR = ("SM", "SR", "FM", "FR", "WA")
"""The calendar of the standard game."""


class Sample(Struct, frozen=True):
    """A line somebody can copy, and what it means."""

    line: str
    means: Wording | Message


class Point(NamedTuple):
    """One difference from the standard game: a name by which templates word it, what they say, and
    lines to copy."""

    rule: str
    facts: dict[str, object]
    samples: Sequence[Sample] = ()

    @property
    def shown(self) -> int:
        """How many of the lines HELP on the board shows; HELP on the rule has them all."""
        if self.rule in ("bombs", "bombs_own_attacks"):
            return 1
        return 0 if self.rule == "arsenals" else len(self.samples)

    @property
    def brief(self) -> bool:
        """Whether the start message says it: what a newcomer must know to begin."""
        kind = self.facts.get("kind")
        far = isinstance(kind, UnitKind) and kind.support == ANY_WAY
        return far or self.rule in _BRIEF


@Derived
def about(variant: Variant) -> dict[str, object]:
    """Return what HELP tells of a board, or of a game as it is played on it."""
    board = variant.board
    hooks = rule_hooks(variant)
    return {
        "name": variant.name,
        "title": variant.title,
        "description": Message(variant.description) if variant.description else "",
        "powers": list(variant.played),
        "provinces": len(board.provinces),
        "centers": len(board.centers),
        "victory": variant.victory,
        "counts": variant.counts,
        "counting": counting(variant),
        "start": str(variant.start_phase),
        "rulebook": Rulebook.edition(variant.rulebook).year,
        "builds": next((word for rule, word in _BUILDS if rule is hooks.can_build), "other"),
        "converts": hooks.can_convert is not never_converts,
        "carriers": [kind.plural for kind in board.kinds.values() if kind.carries],
        "carried": [kind.plural for kind in board.kinds.values() if kind.carried],
        "coasts": [each.name for each in board.provinces.values() if each.coasts],
        "points": list(points(variant)),
        "lineups": sorted({each.players for each in variant.lineups.values()}),
        "rules": list(dict.fromkeys((*variant.modules, *variant.own_modules))),
    }


def points(variant: Variant) -> Iterator[Point]:
    """Yield what differs from the standard game, what matters most first."""
    board, modules = variant.board, dict.fromkeys(variant.modules)
    if not any(variant.start.values()):
        yield Point("empty", {"first_armies": "first_armies" in modules})
    steps = tuple(f"{season.value}{kind.value}" for season, kind in variant.calendar.year)
    if steps != YEAR or variant.calendar.years > 1:
        yield Point("year", _year(variant))
    if board.kinds != STANDARD:
        yield Point("kinds", {"kinds": list(board.kinds.values())})
        for kind in board.kinds.values():
            if kind.launches or _plain(kind) not in map(_plain, STANDARD.values()):
                yield Point("kind", {"kind": kind}, list(_of_kind(variant, kind)))
    for name in modules:
        if name in _SAMPLES:
            yield Point(name, {"victory": variant.victory}, list(_SAMPLES[name](variant)))
        elif name not in variant.own_modules:
            start, lead = variant.start_phase.year, variant.lead
            facts = {"start": start, "first": 1 + max(lead - start, 0), "last": lead}
            yield Point(name, {"victory": variant.victory, **facts})
    seasonal = [
        {
            "place": board.name(place),
            "seasons": [NAMED_SEASONS[each] for each in Season if each in open_in],
        }
        for place, open_in in variant.seasonal.items()
    ]
    meeting = [list(places) for places in variant.canals.values()]
    of_places: tuple[tuple[str, dict[str, object]], ...] = (
        ("seasonal", {"places": seasonal}),
        ("canals", {"canals": list(map(str.title, variant.canals)), "meeting": meeting}),
        ("one_way", {"pairs": _names(board, variant.one_way)}),
        ("gates", {"gates": _names(board, variant.gates)}),
        ("weak", {"pairs": _names(board, sorted({(min(ends), max(ends)) for ends in board.weak}))}),
        ("impassable", {"pairs": _names(board, variant.impassable)}),
    )
    yield from (Point(rule, facts) for rule, facts in of_places if all(facts.values()))
    if variant.shared_victory:
        yield Point("shared_victory", {})
    if Rulebook.edition(variant.rulebook).twice_ordered == "a":
        yield Point("first_order", {})
    for note in variant.notes:
        yield Point("note", {"note": note})


def _names(board: Board, groups: Iterable[Iterable[str]]) -> list[list[str]]:
    return [list(map(board.name, places)) for places in groups]


def _plain(kind: UnitKind) -> UnitKind:
    """Return a kind of unit without its names, its limit, and the bombs it carries."""
    return replace(kind, letter="", name="", plural="", words=(), limit=None, bombs=0)


def _year(variant: Variant) -> dict[str, object]:
    year = variant.calendar.year
    return {
        "movements": [NAMED_SEASONS[season] for season, kind in year if kind is Kind.MOVEMENT],
        "builds": [NAMED_SEASONS[season] for season, kind in year if kind is Kind.ADJUSTMENTS],
        "years": variant.calendar.years,
    }


# -- examples -------------------------------------------------------------------------------------


def _centers(variant: Variant, terrain: str = "") -> Iterator[str]:
    """Yield the supply centers, those of the powers in their order first."""
    home = [center for owned in variant.centers.values() for center in owned]
    for center in dict.fromkeys((*home, *variant.board.centers)):
        if terrain in ("", variant.board.provinces[center].terrain):
            yield center


def _built(variant: Variant, kind: UnitKind, centers: Iterable[str]) -> Iterator[Sample]:
    """Yield a build in the first of these centers where a unit of this kind can stand."""
    possible = filter(None, (standing(variant.board, kind, each) for each in centers))
    for unit in islice(possible, 1):
        yield Sample(str(Build(unit)), Message("a new {unit}", {"unit": Wording(unit, variant)}))


def _of_kind(variant: Variant, kind: UnitKind) -> Iterator[Sample]:
    """Yield how a kind of unit is built, and what it supports from afar."""
    if kind.support >= ANY_WAY:
        yield from _built(variant, kind, _centers(variant))
    if kind.support == ANY_WAY:
        yield from _far_support(variant, kind)


def _far_support(variant: Variant, kind: UnitKind) -> Iterator[Sample]:
    board, index = variant.board, board_index(variant.board)
    afloat = next((each for each in board.kinds.values() if each.afloat), None)
    for center in _centers(variant, "land"):
        helper = standing(board, kind, center)
        if helper is None or afloat is None:
            continue
        near = {province_of(step) for step in board.steps(kind.letter, center)}
        far = [index.ids[place] for place in index.reach(helper, ANY_WAY)]
        for there in far:
            if there in near or board.provinces[there].terrain != "sea":
                continue
            for start in board.fleet.get(there, ()):
                if board.provinces[province_of(start)].terrain == "coast":
                    order = Support(helper, Unit(afloat.letter, start), there)
                    yield Sample(str(order), Message("a support from two spaces away"))
                    return


def _conscripted(variant: Variant) -> Iterator[Sample]:
    """Yield a build in a center that is nobody's home."""
    board = variant.board
    nobodys = (each for each in _centers(variant) if not board.provinces[each].home)
    yield from _built(variant, next(iter(board.kinds.values())), nobodys)


def _converted(variant: Variant) -> Iterator[Sample]:
    """Yield a fleet that becomes an army, written in both ways."""
    board = variant.board
    kinds = list(board.kinds.values())
    army = next(each for each in kinds if not each.afloat)
    fleet = next((each for each in kinds if each.afloat), None)
    for center in _centers(variant, "coast"):
        if fleet is not None and (old := standing(board, fleet, center)):
            new = Unit(army.letter, center)
            words = Wording(Conversion(old, new), variant)
            yield Sample(str(Build(new)), words)
            yield Sample(f"convert {old} to {army.letter}", words)
            return


def _bombs(variant: Variant) -> Iterator[Sample]:
    """Yield a bomb, and one that another unit carries on."""
    board, index = variant.board, board_index(variant.board)
    start = next((each for each in board.kinds.values() if each.launches), None)
    carrier = max(board.kinds.values(), key=lambda each: (not each.launches, each.bombs))
    for center in _centers(variant):
        if start is None or (source := standing(board, start, center)) is None:
            continue
        reach = [index.ids[place] for place in index.reach(source, start.bombs)]
        for between in reach:
            second = standing(board, carrier, between)
            if second is None:
                continue
            beyond = [index.ids[place] for place in index.reach(second, carrier.bombs)]
            far = [each for each in beyond if each not in (*reach, center)]
            if far:
                for order in (
                    Launch(source, min(reach, key=lambda each: len(board.name(each)))),
                    Launch(source, far[0], (between,)),
                    Relay(second, (center,), (), far[0]),
                ):
                    yield Sample(str(order), Wording(order, variant))
                return


def _arsenals(variant: Variant) -> Iterator[Sample]:
    """Yield how the right to an arsenal is earned, and used."""
    yield Sample("All units hold", Message("every unit of yours holds"))
    kind = next((each for each in variant.board.kinds.values() if each.launches), None)
    if kind is not None:
        yield from _built(variant, kind, _centers(variant))


_BRIEF = {
    *("empty", "year", "conscription", "one_home", "conversion", "no_retreats"),
    *("bombs", "bombs_own_attacks", "arsenals", "first_order", "neutral_armies", "any_home"),
    *("lead_wins", "one_way", "weak"),
}

_SAMPLES = {
    "conscription": _conscripted,
    "conversion": _converted,
    "bombs": _bombs,
    "bombs_own_attacks": _bombs,
    "arsenals": _arsenals,
}
