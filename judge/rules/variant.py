"""A variant: a board with everything else that is fixed before the first order; games for fewer
players: who plays which powers, and what is different about the game then; and what a phase and a
position change about it.

Rulebook 2023, "Alternate Ways to Play"; 1976, XIV.2; Era of Empire, "Alternate Ways to Play".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

from judge.rules.board import Board, Derived, province_of
from judge.rules.phase import Calendar, Kind, Phase, Season
from judge.rules.position import Position, Unit

SIDES = "sides"
"""Where a position remembers which powers win together, in games in which lots decide that."""

VICTORY = "victory"
"""Where a position remembers that victory takes more centers than the variant says."""

JOINED = "joined"
"""Where a position remembers which neutral power has joined whom: powers by the power joined."""

_Steps = frozenset[tuple[str, str]]

_T = TypeVar("_T")


class Joins(NamedTuple):
    """A neutral power that joins one of the players, whom chance chooses.

    `drawn` is the phase that opens with the draw, `since` the first one in which `power` is played.
    """

    power: str
    drawn: Phase
    since: Phase


@dataclass(frozen=True, slots=True)
class Lineup:
    """A way for fewer people to play, as a variant's file tells it.

    `groups` are the powers of each player; there are none where `lots`, the number of players, says
    that they draw lots for the powers, each for as many as the others. `standing` are powers that
    nobody plays and whose units only hold; those whose provinces are `closed` to everybody are
    neutral. `merged`: a player's
    powers are one power for all purposes; else each keeps its own centers and units, and `together`
    says whether they win together. `rulebook` is the edition that tells it, None for any.
    `start`, `victory` and `counts` (see `Variant`) are the variant's where they are None; `lost`
    are supply centers that are none. `units` are those with which a power starts, where they are
    others than in the full game.
    """

    name: str
    groups: tuple[tuple[str, ...], ...]
    standing: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    merged: bool = False
    together: bool = False
    rulebook: str | None = None
    start: Phase | None = None
    victory: int | None = None
    counts: str | None = None
    lost: tuple[str, ...] = ()
    units: Mapping[str, tuple[Unit, ...]] = field(default_factory=dict)
    joins: Joins | None = None
    lots: int = 0

    @property
    def players(self) -> int:
        """How many people play."""
        return self.lots or len(self.groups)


@dataclass(frozen=True, eq=False)
class Variant:
    """Board, powers, calendar, start and rulebook of one game, as read from `variants/`.

    `letters` are the one-letter names of powers ("A" -> "Austria"); `adjectives` how a power's
    units are called ("Austria" -> "Austrian"); `aliases` what else a power or its units are
    called ("Austria" -> "Austria-Hungary"). `rulebook` names the rules in force unless a game
    chooses others ("2023"); `modules` names what a rulebook adds beyond the standard rules, and
    `own_modules` are those that the variant brings itself, the functions by hooks.
    `unclear` are names that would fit several provinces, which it lists: nobody guesses between
    them. `shared_victory`: powers tied at the top win together; else the game goes on until one has
    more. `draw` is what a power needs to share in a draw, where its rulebook does not say that:
    `centers`, `units`, or `either`. `notes` are sentences that its players should know, beyond what
    its data tells. `impassable` are pairs of provinces that touch on the map
    without being a border; `one_way` are borders that are crossed from the first location to the
    second only.
    `gates` are borders that only the owner of a province crosses: the province, then both ends.
    `seasonal` are provinces that units enter and leave in some seasons only. `canals` are places
    where four provinces meet and each borders on the three others, by name.
    `counts` is what victory counts: centers, or units on the board.
    `standing` are powers that nobody plays and whose units only hold, as the board or the lineup
    says. `lead` is the year in which the rule module `lead_wins` lets a lead of one center win.
    `lineups` are the ways for fewer people to play, by name, and `lineup` is the one that this is
    made for (see `Lineup`): `closed` are provinces that nobody may enter, `sides`
    powers that win together.
    """

    name: str
    title: str
    board: Board
    powers: tuple[str, ...]
    letters: Mapping[str, str]
    adjectives: Mapping[str, str]
    calendar: Calendar
    start_phase: Phase
    start: Mapping[str, tuple[Unit, ...]]
    centers: Mapping[str, tuple[str, ...]]
    victory: int
    shared_victory: bool = False
    lead: int = 0
    draw: str | None = None
    notes: tuple[str, ...] = ()
    rulebook: str = "2023"
    modules: tuple[str, ...] = ()
    own_modules: Mapping[str, Mapping[str, Callable[..., object]]] = field(default_factory=dict)
    description: str = ""
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unclear: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    impassable: tuple[tuple[str, str], ...] = ()
    one_way: tuple[tuple[str, str], ...] = ()
    gates: tuple[tuple[str, str, str], ...] = ()
    seasonal: Mapping[str, frozenset[Season]] = field(default_factory=dict)
    canals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counts: str = "centers"
    lineups: Mapping[str, Lineup] = field(default_factory=dict)
    lineup: str | None = None
    standing: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    sides: tuple[tuple[str, ...], ...] = ()
    derived: dict[Derived[Any, Any], object] = field(init=False, default_factory=dict, repr=False)
    """What other modules work out from the variant once and keep with it."""

    @property
    def played(self) -> tuple[str, ...]:
        """The powers that people can play."""
        return tuple(power for power in self.powers if power not in self.standing)

    @property
    def opening(self) -> Position:
        """The position when the first phase opens."""
        return Position(phase=self.start_phase, units=self.start, centers=self.centers)


@Derived
def letters_of(variant: Variant) -> Mapping[str, str]:
    """Return the letter of each power that has one."""
    return {power: letter for letter, power in variant.letters.items()}


def lineup_of(variant: Variant) -> Lineup | None:
    """Return the lineup that `with_lineup` made the variant for."""
    return None if variant.lineup is None else variant.lineups[variant.lineup]


def fitting(variant: Variant, players: int, rulebook: str) -> list[Lineup]:
    """Return the lineups for so many people that a rulebook tells, the one that is usual first."""
    return [
        lineup
        for lineup in variant.lineups.values()
        if lineup.players == players and lineup.rulebook in (None, rulebook)
    ]


def with_lineup(variant: Variant, name: str | None) -> Variant:
    """Return the variant as it is played in one of its lineups; itself where none is named.

    Raises KeyError for a name it does not have.
    """
    if name is None:
        return variant
    lineup = variant.lineups[name]
    made = replace(
        variant,
        lineup=name,
        board=_board(variant.board, lineup),
        modules=(*variant.modules, "standing") if lineup.standing else variant.modules,
        start_phase=lineup.start or variant.start_phase,
        victory=lineup.victory or variant.victory,
        counts=lineup.counts or variant.counts,
        standing=(*variant.standing, *lineup.standing),
        closed=lineup.closed,
        sides=lineup.groups if lineup.together else (),
        start={power: lineup.units.get(power, units) for power, units in variant.start.items()},
        centers={
            power: tuple(center for center in owned if center not in lineup.lost)
            for power, owned in variant.centers.items()
        },
    )
    return _merged(made, lineup) if lineup.merged else made


def _board(board: Board, lineup: Lineup) -> Board:
    if not lineup.lost:
        return board
    provinces = {
        key: replace(province, supply_center=False) if key in lineup.lost else province
        for key, province in board.provinces.items()
    }
    return replace(board, provinces=provinces)


def _merged(variant: Variant, lineup: Lineup) -> Variant:
    """Return the variant with each group as one power, called by all its names."""
    names = {power: "-".join(group) for group in lineup.groups for power in group}
    called = {power: names.get(power, power) for power in variant.powers}
    powers = tuple(dict.fromkeys(called.values()))
    firsts = {group[0] for group in lineup.groups}
    letters = {
        letter: called[power]
        for letter, power in variant.letters.items()
        if power in firsts or called[power] == power
    }
    aliases: dict[str, tuple[str, ...]] = dict.fromkeys(powers, ())
    for power in variant.powers:
        own = variant.aliases.get(power, ())
        if called[power] != power:
            own = (power, variant.adjectives[power], *own)
        aliases[called[power]] += own
    provinces = {
        key: replace(province, home=province.home and called[province.home])
        for key, province in variant.board.provinces.items()
    }
    return replace(
        variant,
        powers=powers,
        letters=letters,
        adjectives={name: variant.adjectives.get(name, name) for name in powers},
        aliases=aliases,
        board=replace(variant.board, provinces=provinces),
        start=_joined(variant.start, called),
        centers=_joined(variant.centers, called),
    )


def _joined(
    by_power: Mapping[str, tuple[_T, ...]], called: Mapping[str, str]
) -> dict[str, tuple[_T, ...]]:
    """Return what belongs to powers, by what they are called now."""
    found: dict[str, tuple[_T, ...]] = {}
    for power, things in by_power.items():
        found[called[power]] = (*found.get(called[power], ()), *things)
    return found


def of_phase(variant: Variant, phase: Phase) -> Variant:
    """Return the variant as it is in `phase`: a power that joins somebody is neutral only until
    then."""
    lineup = lineup_of(variant)
    if lineup is None or lineup.joins is None or lineup.joins.power not in variant.standing:
        return variant
    if variant.calendar.key(phase) < variant.calendar.key(lineup.joins.since):
        return variant
    return _with_joined(variant)


@Derived
def _with_joined(variant: Variant) -> Variant:
    """Return the variant once its neutral power has joined somebody."""
    lineup = lineup_of(variant)
    assert lineup is not None
    assert lineup.joins is not None
    left = tuple(power for power in variant.standing if power != lineup.joins.power)
    return replace(variant, closed=(), standing=left)


def sides(variant: Variant, position: Position, powers: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the powers that win together, each group once: those of one player where the lineup
    says so, with a power that has joined him; else each is alone."""
    joined = position.extra.get(JOINED, {})
    assert isinstance(joined, Mapping)
    drawn = position.extra.get(SIDES, variant.sides)
    assert isinstance(drawn, Sequence)
    found = [(*side, *(power for power, whom in joined.items() if whom in side)) for side in drawn]
    taken = {power for side in found for power in side}
    return found + [(power,) for power in powers if power not in taken]


def victory(variant: Variant, position: Position) -> int:
    """Return how many centers win: the variant's number, or one above those of a tie at the top
    that the game has gone on after."""
    raised = position.extra.get(VICTORY, 0)
    assert isinstance(raised, int)
    return max(variant.victory, raised)


def in_position(variant: Variant, position: Position) -> Variant:
    """Return the variant as it is while a position is open: as `of_phase` and `passable` say."""
    return passable(of_phase(variant, position.phase), position)


def passable(variant: Variant, position: Position) -> Variant:
    """Return the variant without the borders that only the owner of a province crosses, a canal or
    a strait with forts on its shores, where they are shut to the units that stand there now.

    One who owns the province of a gate crosses it; while nobody owns it, nobody does. That no other
    unit crosses it means supports and retreats, too, for these go where a unit could move to.
    """
    if not variant.gates or position.phase.kind is Kind.ADJUSTMENTS:
        return variant
    owners = {center: power for power, own in position.centers.items() for center in own}
    standing = {
        unit.province: power for power, units in position.units.items() for unit in units
    } | {gone.unit.province: power for power, all_ in position.dislodged.items() for gone in all_}
    shut = frozenset(
        (here, there)
        for keeper, *ends in variant.gates
        for here, there in (ends, reversed(ends))
        if standing.get(province_of(here)) != owners.get(keeper, "")
    )
    known = _shut(variant)
    if shut not in known:
        board = variant.board
        known[shut] = replace(
            variant,
            gates=(),
            board=replace(
                board, army=_without(board.army, shut), fleet=_without(board.fleet, shut)
            ),
        )
    return known[shut]


def _without(steps: Mapping[str, tuple[str, ...]], shut: _Steps) -> dict[str, tuple[str, ...]]:
    return {
        here: tuple(there for there in others if (here, there) not in shut)
        for here, others in steps.items()
    }


@Derived
def _shut(variant: Variant) -> dict[_Steps, Variant]:
    return {}
