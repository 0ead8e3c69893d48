"""What the ending of a game is worth: the systems of tournaments, each a pure function.

A score is a whole number or a fraction, exact; who shows it rounds it. A system asks for the
centers of every power at the end of each year, and whether a win or a draw was agreed on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, Final, TypeAlias

Score: TypeAlias = int | Fraction
Scores: TypeAlias = dict[str, Score]


@dataclass(frozen=True, slots=True)
class GameEnding:
    """How a game went and ended.

    `counts` are the centers of each power by year, the earliest year first, zeros included; the
    last are those the game ended with. `first` is the first year of the game, `victory` how many
    centers win and `on_board` how many there are. `draw` are the powers in a draw that was agreed
    on, `conceded` is the power that the others let win; without them the game reached its limit.
    """

    counts: Mapping[int, Mapping[str, int]]
    first: int
    victory: int
    on_board: int
    draw: tuple[str, ...] = ()
    conceded: str | None = None

    @property
    def powers(self) -> list[str]:
        """Every power, in the order of the first year."""
        return list(next(iter(self.counts.values())))

    @property
    def last(self) -> int:
        """The last year that was played to its end."""
        return max(self.counts)

    @property
    def centers(self) -> Mapping[str, int]:
        """The centers of each power at the end."""
        return self.counts[self.last]

    @property
    def alive(self) -> list[str]:
        """The powers that own a center at the end."""
        return [power for power in self.powers if self.centers[power]]

    @property
    def top(self) -> int:
        """The most centers that a power owns at the end."""
        return max(self.centers.values())

    @property
    def leaders(self) -> list[str]:
        """The powers that own the most centers at the end."""
        return [power for power in self.powers if self.centers[power] == self.top]

    @property
    def lead(self) -> int:
        """How many centers the first power is ahead of the second, 0 where the first place is
        shared."""
        first, second = sorted(self.centers.values(), reverse=True)[:2]
        return first - second

    @property
    def on_centers(self) -> str | None:
        """The power that won by its centers, if one did."""
        return self.leaders[0] if self.top >= self.victory and len(self.leaders) == 1 else None

    def end_of(self, power: str) -> int:
        """Return the year in which a power lost its last center, or the last year if it did not."""
        if self.centers[power]:
            return self.last
        return min(
            year
            for year in self.counts
            if not any(count[power] for later, count in self.counts.items() if later >= year)
        )


_Scored: TypeAlias = Callable[[GameEnding, str | None], Scores]
"""Scores an ending that a power has won, or nobody."""


@dataclass(frozen=True, slots=True)
class System:
    """A way to score an ending.

    `source` tells whose rules these are, `score` does it. `portable`: whether it is for any board,
    rather than for 34 centers, seven powers, and 18 centers to win. `concedes`: whether a win
    that was conceded is one by its rules; elsewhere only centers win.
    """

    name: str
    title: str
    source: str
    score: _Scored
    portable: bool = False
    concedes: bool = True

    def fits(self, on_board: int, victory: int, powers: int) -> bool:
        """Return whether the system is for boards with so many centers, of which so many win."""
        return self.portable or (on_board, victory, powers) == (34, 18, 7)

    def scores(self, ending: GameEnding, *, concedes: bool | None = None) -> Scores:
        """Return what an ending is worth to each power; `concedes` says whether a concession is a
        win, None what the rules of the system say. Raises ValueError for other boards."""
        if not self.fits(ending.on_board, ending.victory, len(ending.powers)):
            raise ValueError(self.name)
        winner = ending.on_centers
        if winner is None and (self.concedes if concedes is None else concedes):
            winner = ending.conceded
        return self.score(ending, winner)


# -- places ---------------------------------------------------------------------------------------


def _shared(points: Sequence[Score], first: int, count: int) -> Score:
    """Return what each of `count` powers gets who share the places from `first` on: their mean."""
    return Fraction(sum(points[first : first + count]), count)


def _lowest(points: Sequence[Score], first: int, count: int = 1) -> Score:
    """Return what each gets who share places: the points of the lowest, none beyond the last."""
    return points[first + count - 1] if first + count <= len(points) else 0


def _placed(
    values: Mapping[str, Any],
    points: Sequence[Score],
    tied: Callable[[Sequence[Score], int, int], Score] = _shared,
) -> Scores:
    """Return the points of each power's place, the highest value first; no points for further
    places."""
    order = sorted(values.values(), reverse=True)
    return {
        power: tied(points, order.index(value), order.count(value))
        for power, value in values.items()
    }


def _by_end(ending: GameEnding) -> dict[str, tuple[int, int]]:
    """Return what orders the powers by centers, those without any by the year in which they
    ended."""
    return {power: (ending.centers[power], ending.end_of(power)) for power in ending.powers}


def _added(*parts: Mapping[str, Score]) -> Scores:
    return {power: sum(part.get(power, 0) for part in parts) for power in parts[0]}


def _each(ending: GameEnding, per_center: int, alive: Score = 0) -> Scores:
    """Return points for every center, and for having one."""
    return {
        power: per_center * count + (alive if count else 0)
        for power, count in ending.centers.items()
    }


def _of_the_dead(ending: GameEnding, per_year: Callable[[GameEnding, str], Score]) -> Scores:
    return {power: per_year(ending, power) for power in ending.powers if not ending.centers[power]}


# -- what a year is worth to who did not win ------------------------------------------------------


def _survived(ending: GameEnding, power: str, *, worth: Score = 1, with_last: int = 0) -> Score:
    """Return points for each year that a power lived through, and for the one in which it ended."""
    return worth * (ending.end_of(power) - ending.first + with_last)


def _quarters(ending: GameEnding, power: str) -> Score:
    return Fraction(min(_survived(ending, power), 8)) / 4


_played = partial(_survived, with_last=1)
_tenths_survived = partial(_survived, worth=Fraction(1, 10))
_tenths_played = partial(_played, worth=Fraction(1, 10))


def _won(
    points: int,
    limit: Callable[[GameEnding], Scores],
    others: Callable[[GameEnding, str], Score] = lambda *_: 0,
) -> _Scored:
    """Return a system that gives the winner points, and looks at the board only where nobody
    won."""

    def score(ending: GameEnding, winner: str | None) -> Scores:
        if winner is None:
            return limit(ending)
        return {
            power: points if power == winner else others(ending, power) for power in ending.powers
        }

    return score


# -- the systems ----------------------------------------------------------------------------------


def _draw_size(ending: GameEnding) -> Scores:
    drawn = ending.draw or ending.alive
    return {power: Fraction(100, len(drawn)) if power in drawn else 0 for power in ending.powers}


def _scaled(values: Mapping[str, Score], whole: int) -> Scores:
    """Return values that sum up to a whole, in the same proportions."""
    total = sum(values.values())
    return {power: Fraction(whole * value) / total for power, value in values.items()}


def _squares(ending: GameEnding) -> Scores:
    return _scaled({power: count**2 for power, count in ending.centers.items()}, 100)


def _bangkok(ending: GameEnding, shares: Sequence[Score]) -> Scores:
    held = {power: _lowest(shares, ending.top - n) for power, n in ending.centers.items()}
    return _added(
        _each(ending, 1, 3),
        _scaled(held, 12),
        _of_the_dead(ending, partial(_survived, worth=Fraction(3, 10))),
    )


def _pike(ending: GameEnding) -> Scores:
    near = {power: _lowest((4, 4, 2), ending.top - n) for power, n in ending.centers.items()}
    if ending.lead:
        near[ending.leaders[0]] = 6 + (4 if ending.lead > 1 else 0) + (2 if ending.lead > 2 else 0)
    return _added(_each(ending, 1, 3), near, _of_the_dead(ending, _tenths_played))


def _base_3(ending: GameEnding) -> Scores:
    bonus = Fraction(9, 3 ** (len(ending.leaders) - 1))
    return _added(_each(ending, 1, 3), dict.fromkeys(ending.leaders, bonus))


def _carnage(
    ending: GameEnding,
    *,
    places: Sequence[Score] = range(7000, 0, -1000),
    center: int = 1,
    lead: int = 0,
    by_end: bool = True,
) -> Scores:
    order: Mapping[str, Any] = _by_end(ending) if by_end else ending.centers
    lone_leader = dict.fromkeys(ending.leaders, lead * ending.lead)
    return _added(_each(ending, center), _placed(order, places), lone_leader)


def _c_diplo(ending: GameEnding, *, first: int, played: int = 0, namur: bool = False) -> Scores:
    table = (0, 5, 9, 12, 14, 16)
    worth = {
        power: (table[n] if n < len(table) else n + 12) if namur else n
        for power, n in ending.centers.items()
    }
    taken_part = dict.fromkeys(ending.powers, played)
    return _added(taken_part, worth, _placed(ending.centers, (first, 14, 7)))


def _detour(ending: GameEnding) -> Scores:
    raw = _added(
        _each(ending, 1, 2),
        dict.fromkeys(ending.leaders, ending.lead),
        _placed(ending.centers, (4, 3, 2, 1), _lowest),
    )
    return _added(_scaled(raw, 100), _of_the_dead(ending, _quarters))


def _haight(ending: GameEnding) -> Scores:
    return _added(
        _each(ending, 10),
        _placed(_by_end(ending), (66, 55, 44, 33, 22, 11), _lowest),
        dict.fromkeys(ending.leaders, 5 * ending.lead),
        _of_the_dead(ending, _played),
    )


def _manorcon(ending: GameEnding, *, dead: int = 16) -> Scores:
    worth = {power: n**2 + 4 * n + 16 if n else dead for power, n in ending.centers.items()}
    return _scaled(worth, 100) | _of_the_dead(ending, _tenths_survived)


def _maxonian(ending: GameEnding, winner: str | None, *, beyond: int) -> Scores:
    # Who was ahead last has the better place of two with as many centers; how they began the game
    # counts for nothing.
    years = sorted((year for year in ending.counts if year >= ending.first), reverse=True)
    past = {power: tuple(ending.counts[year][power] for year in years) for power in ending.powers}
    extra = {
        power: max(min(n, 18) - beyond, 0)
        for power, n in ending.centers.items()
        if winner in (None, power)
    }
    return _added(_placed(past, range(7, 0, -1)), extra)


def _mischief(ending: GameEnding) -> Scores:
    bonus = _lowest((5, 1), len(ending.leaders) - 1)
    return _added(ending.centers, dict.fromkeys(ending.leaders, bonus))


def _omg(ending: GameEnding) -> Scores:
    own = _added(
        {power: Fraction(3 * n, 2) + (9 if n else 0) for power, n in ending.centers.items()},
        _placed(ending.centers, (Fraction(9, 2), 3, Fraction(3, 2))),
    )
    paid: Scores = {p: -min(Fraction(ending.lead), Fraction(n) / 2) for p, n in own.items()}
    return _added(own, paid, {ending.leaders[0]: -sum(paid.values())})


def _tribute(ending: GameEnding) -> Scores:
    share = Fraction(66, len(ending.alive))
    paid = min(Fraction(max(ending.top - 6, 0)), share)
    payers = [power for power in ending.alive if power not in ending.leaders]
    return _added(
        _each(ending, 1, share),
        dict.fromkeys(payers, -paid),
        dict.fromkeys(ending.leaders, paid * len(payers) / len(ending.leaders)),
    )


def _open_tribute(ending: GameEnding) -> Scores:
    behind = {power: ending.top - count for power, count in ending.centers.items()}
    taken = sum(behind.values()) // len(ending.leaders) ** 2
    return _added(
        _each(ending, 3, 34),
        {power: -behind[power] for power in ending.alive},
        dict.fromkeys(ending.leaders, taken),
    )


def _ranked_place(points: Sequence[Score], first: int, count: int, *, second: bool) -> Score:
    """Return what sharing a place is worth in Ranked Classic, which has a table for two. `second`
    takes three and more for two on the last of their places; else each of them has the last."""
    for_two = (135, 70, 50, 35, 25, 15)
    if count == 2 or (count > 2 and second):
        return for_two[first + count - 2]
    return _lowest(points, first, count)


def _ranked(ending: GameEnding, *, second: bool = False) -> Scores:
    tied = partial(_ranked_place, second=second)
    places = _placed(ending.centers, (200, 90, 60, 40, 30, 20, 10), tied)
    living = {power: places[power] for power in ending.alive}
    return _added(_each(ending, 10, 30), living, _of_the_dead(ending, _survived))


def _southern_sun(ending: GameEnding) -> Scores:
    places = _placed(ending.centers, (130, 80, 50, 30, 20, 10, 10))
    # Halves go to the even number.
    living = {power: round(places[power]) for power in ending.alive}
    return _added(_each(ending, 10, 30), living, _of_the_dead(ending, partial(_played, worth=3)))


def _sydney(ending: GameEnding, winner: str | None) -> Scores:
    places = _carnage(ending, places=range(700, 0, -100), center=25)
    points = _added(places, _of_the_dead(ending, _played))
    if winner is None:
        return points
    halves = {power: 3 if power == winner else 1 for power in ending.powers}
    return {power: Fraction(points[power] * halves[power]) / 2 for power in ending.powers}


def _vulcan(ending: GameEnding) -> Scores:
    gaps = {
        power: sum(max(ending.centers[power] - other, 0) for other in ending.centers.values())
        for power in ending.powers
    }
    top = dict.fromkeys(ending.leaders, Fraction(10, len(ending.leaders)))
    return _added(_each(ending, 1, 5), gaps, top)


def _whipping(ending: GameEnding) -> Scores:
    return _added(
        _each(ending, 10, Fraction(60, len(ending.alive))),
        dict.fromkeys(ending.leaders, 2 * ending.top if ending.lead else 0),
        _of_the_dead(ending, _played),
    )


def _classic(ending: GameEnding, *, most: int) -> Scores:
    """World Classic; `most` leaders share the bonus, and more get none."""
    leaders = ending.leaders if len(ending.leaders) <= most else []
    bonus = {power: Fraction(48, len(leaders)) for power in leaders}
    return _added(_each(ending, 10, 30), bonus, _of_the_dead(ending, _survived))


def _your_draw_size(ending: GameEnding) -> Scores:
    steps = ((14, 105), (11, 70), (8, 42), (4, 30), (1, 21), (0, 0))
    return {
        power: next(points for least, points in steps if count >= least)
        for power, count in ending.centers.items()
    }


_center_count = partial(_carnage, places=range(7007, 0, -1001), center=500)
_duct_tape = partial(_carnage, places=(40, 24, 15, 9, 6, 3, 3))


def _system(title: str, module: str, score: _Scored, name: str = "", **more: bool) -> System:
    name = name or re.sub(r"\W+", "_", title.lower()).strip("_")
    return System(name, title, f"UEWBot/dipvis, game_scoring/{module}.py", score, **more)


_ALL: Final = (
    _system("Draw Size", "draw_size", _won(100, _draw_size), portable=True),
    _system("Solo or Bust", "solos", _won(100, partial(_each, per_center=0)), portable=True),
    _system("Sum of Squares", "sum_of_squares", _won(100, _squares), portable=True),
    _system("Bangkok", "bangkok", _won(41, partial(_bangkok, shares=(3, 2, 1)),
                 lambda ending, power: Fraction(ending.centers[power], 2))),
    _system("Olympic", "bangkok",
            _won(46, partial(_bangkok, shares=(4, Fraction(3, 2), Fraction(1, 2))))),
    _system("Bangkok Pike", "bangkok_pike", _won(60, _pike, _tenths_played)),
    _system("Base 3", "base3", _won(46, _base_3)),
    _system("Carnage with Dead Equal", "carnage", _won(28034, partial(_carnage, by_end=False))),
    _system("Carnage with Elimination Order", "carnage", _won(28034, _carnage)),
    _system("Center-count Carnage", "carnage", _won(39028, _center_count, lambda *_: 1000)),
    _system("Carnage 2023", "carnage", _won(28034, partial(_carnage, lead=300))),
    _system("C-Diplo 100", "cdiplo", _won(100, partial(_c_diplo, first=38, played=1)),
            "cdiplo_100", concedes=False),
    _system("C-Diplo 80", "cdiplo", _won(80, partial(_c_diplo, first=25)),
            "cdiplo_80", concedes=False),
    _system("C-Diplo Namur", "cdiplo_namur",
            _won(85, partial(_c_diplo, first=38, played=1, namur=True)), concedes=False),
    _system("Detour09", "detour09", _won(110, _detour, _quarters)),
    _system("Duct Tape V2", "duct_tape_v2", _won(75, partial(_duct_tape, by_end=False))),
    _system("Duct Tape V2 with Elimination Order", "duct_tape_v2", _won(75, _duct_tape)),
    _system("Haight v1.0", "haight", _won(451, _haight,
                 lambda ending, power: max(5 * ending.centers[power], _played(ending, power)))),
    _system("ManorCon", "manorcon", _won(75, _manorcon, _tenths_survived)),
    _system("Original ManorCon", "manorcon", _won(100, _manorcon, _tenths_survived)),
    _system("ManorCon v2", "manorcon", _won(100, partial(_manorcon, dead=0), _tenths_survived)),
    _system("Maxonian", "maxonian", partial(_maxonian, beyond=13)),
    _system("7Eleven", "maxonian", partial(_maxonian, beyond=11)),
    _system("Mischief", "mischief", _won(34, _mischief)),
    _system("Open Mind the Gap", "open_mind_the_gap", _won(100, _omg), "omg"),
    _system("Tribute", "tribute", _won(100, _tribute)),
    _system("OpenTribute", "open_tribute", _won(340, _open_tribute)),
    _system("Ranked Classic", "ranked_classic", _won(550, _ranked, _survived)),
    _system("Ranked Classic v2", "ranked_classic",
            _won(550, partial(_ranked, second=True), _survived)),
    _system("Southern Sun", "southern_sun", _won(500, _southern_sun)),
    _system("Sydney League", "sydney_league", _sydney),
    _system("Vulcan", "vulcan",
            _won(130, _vulcan, lambda ending, power: 5 if ending.centers[power] else 0)),
    _system("Whipping", "whipping", _won(468, _whipping, _played), concedes=False),
    _system("World Classic", "world_classic", _won(420, partial(_classic, most=7), _survived)),
    _system("Summer Classic", "world_classic", _won(420, partial(_classic, most=2), _survived)),
    _system("Your Draw Size (short games)", "your_draw_size", _won(300, _your_draw_size)),
    _system("Your Draw Size (unlimited games)", "your_draw_size", _won(320, _your_draw_size)),
)  # fmt: skip

SYSTEMS: Final[Mapping[str, System]] = {system.name: system for system in _ALL}
"""Every system by its name."""


def system_named(text: str) -> System | None:
    """Return the system with that name or title, in whatever case and with whatever marks, or the
    only one whose title begins so."""
    said = _letters(text)
    near = [each for each in _ALL if _letters(each.title).startswith(said)]
    exact = [each for each in _ALL if said in (_letters(each.title), _letters(each.name))]
    found = exact or near
    return found[0] if len(found) == 1 else None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
