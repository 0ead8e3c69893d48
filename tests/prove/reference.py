"""A slow resolver of movement that owes nothing to the engine.

It takes the rules as equations (DATC chapter 5.B) between two kinds of decisions, each yes or no:

- `move`: the unit ordered to move arrives;
- `convoy`: the fleet ordered to convoy carries, that is, it is not dislodged.

Everything else (supports, strengths, dislodgements, paths) is computed from those. An outcome is
consistent when every equation holds. All assignments are looked at: the value of an expression is
kept for all of them at once, as a truth table in one long integer, bit i for assignment i, so
nothing is pruned or guessed.

Where the equations leave not exactly one outcome the backup rules speak (DATC 4.A.2 f, 5.C).
Decisions that depend on each other mutually, and on nothing else that is open, are a core:

- one consistent outcome: that is it;
- several, and no convoy in the core: a circular movement, all move;
- none or several, with convoys in the core: a paradox; Szykman's rule makes the fleets of the core
  hold, that is, none of them carries.

Then the rest is looked at again, so that a paradox which hangs on another one is resolved after it.

Of the disputable issues of DATC 4 it knows the choices that `CHOICES` lists, the first of each as
default; all others are as under the 2023 rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

from judge.rules.board import Board, province_of
from judge.rules.orders import Convoy, Hold, Move, Order, Support
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.variant import Variant

CHOICES = {
    "4.A.1": "ba",  # a route of several lost: harmless, or the end of the convoy
    "4.A.2": "fbc",  # Szykman; 1982; 2000/2023 to the letter, Szykman where that has no answer
    "4.A.3": "cbe",  # by sea if an own fleet convoys or "via convoy" is said; only if that is said
    "4.A.4": "ab",  # a landing cuts no support against where it comes from; it does
    "4.A.5": "ba",  # retreat to where a convoyed attacker came from: allowed, barred
    "4.A.7": "ba",  # dislodged from its goal, a unit is without effect there: head to head, always
}


AFLOAT = ("F", "N")
CONVOYED = ("A", "AF")
UNSUPPORTED = ("AF", "R")
"""Units by what they can do: fleets and navies, armies, air forces, arsenals."""


class Var(NamedTuple):
    """A decision: `kind` is "move" or "convoy", `at` the province of the unit."""

    kind: str
    at: str


class TooBigError(Exception):
    """The position hangs together in too many open decisions to try them all."""


LARGEST = 20
"""Open decisions tried at once, at most: 2**20 assignments."""


@dataclass
class Piece:
    """A unit with the order it follows; `order` is a Hold where nothing legal was ordered."""

    power: str
    unit: Unit
    order: Order
    legal: bool = True
    by_sea: bool = False
    routes: tuple[tuple[str, ...], ...] = ()
    """Chains of fleets ordered to carry this army, each a tuple of provinces."""

    @property
    def at(self) -> str:
        return self.unit.province

    @property
    def target(self) -> str | None:
        """The province a moving unit is going to."""
        return province_of(self.order.to) if isinstance(self.order, Move) else None


@dataclass
class Outcome:
    """What became of a movement phase, by province of the units at its start."""

    succeeds: dict[str, bool]
    dislodged: dict[str, Dislodged]
    units: dict[str, tuple[Unit, ...]]
    contested: tuple[str, ...]
    paradoxes: list[tuple[str, ...]] = field(default_factory=list)
    circles: list[tuple[str, ...]] = field(default_factory=list)


# -- the board ----------------------------------------------------------------------------------


def _touches(board: Board, sea: str, province: str) -> bool:
    """Whether a fleet in the water `sea` could sail to `province`."""
    return any(province_of(step) == province for step in board.fleet.get(sea, ()))


def _reaches(board: Board, unit: Unit, province: str) -> bool:
    """Whether the unit could step into the province, whatever the coast."""
    return any(province_of(step) == province for step in board.steps(unit.kind, unit.location))


def _helps_in(board: Board, unit: Unit, province: str) -> bool:
    """Whether the unit could support in the province: an air force two borders away, an arsenal
    nowhere, others where they could step in any season."""
    if unit.kind == "AF":
        near = _around(board, unit.province)
        return province != unit.province and any(
            province == space or province in _around(board, space) for space in near
        )
    return unit.kind != "R" and _reaches(board, unit, province)


def _around(board: Board, province: str) -> set[str]:
    """The provinces with a border to this one, for armies or for fleets."""
    locations = (province, *board.provinces[province].locations)
    steps = [step for place in locations for step in board.fleet.get(place, ())]
    return set(map(province_of, (*steps, *board.army.get(province, ()))))


def routes(board: Board, fleets: Iterable[str], start: str, end: str) -> list[tuple[str, ...]]:
    """All chains of different `fleets` (provinces at sea) that link two coastal provinces."""
    waters = sorted(fleets)
    found: list[tuple[str, ...]] = []

    def extend(chain: tuple[str, ...]) -> None:
        if _touches(board, chain[-1], end):
            found.append(chain)
        for water in waters:
            if water not in chain and _touches(board, chain[-1], water):
                extend((*chain, water))

    for water in waters:
        if _touches(board, water, start):
            extend((water,))
    return found


def needed(chains: Sequence[tuple[str, ...]]) -> list[frozenset[str]]:
    """The chains that would break if any of their fleets were left out."""
    sets = {frozenset(chain) for chain in chains}
    return [chain for chain in sets if not any(other < chain for other in sets)]


# -- reading the orders against the position ----------------------------------------------------


class Situation:
    """A position with the orders the units follow, illegal ones taken away (DATC 4.E.1 a)."""

    def __init__(
        self,
        variant: Variant,
        position: Position,
        orders: Mapping[str, Sequence[Order]],
        options: Mapping[str, str] | None = None,
    ) -> None:
        self.board = variant.board
        self.weak = variant.board.weak
        season = position.phase.season
        self.closed = {
            space for space, open_in in variant.seasonal.items() if season not in open_in
        }
        self.rules = {issue: letters[0] for issue, letters in CHOICES.items()} | dict(options or {})
        assert all(letter in CHOICES[issue] for issue, letter in self.rules.items())
        self.pieces: dict[str, Piece] = {}
        for power, units in position.units.items():
            for unit in units:
                self.pieces[unit.province] = Piece(power, unit, Hold(unit))
        self.waters = {
            at
            for at, piece in self.pieces.items()
            if self.board.provinces[at].terrain == "sea" and piece.unit.kind in AFLOAT
        }
        written: dict[str, Order] = {}
        for power, given in orders.items():
            for order in given:
                if not isinstance(order, Hold | Move | Support | Convoy):
                    continue
                piece = self.pieces.get(order.unit.province)
                if piece is not None and piece.power == power:
                    written[piece.at] = order
        for at, order in written.items():
            piece = self.pieces[at]
            followed = self.followed(piece, order)
            piece.legal = followed is not None
            if followed is not None:
                piece.order = followed
        for piece in self.pieces.values():
            if isinstance(piece.order, Move):
                self._choose_way(piece, piece.order)

    def moves(self) -> list[Piece]:
        return [piece for piece in self.pieces.values() if piece.target is not None]

    def _chains(self, start: str, end: str, without: str = "") -> list[tuple[str, ...]]:
        return routes(self.board, self.waters - {without}, start, end)

    def _can_go(self, unit: Unit, to: str, without: str = "") -> bool:
        """Whether the unit could go to the province, an army also by sea (without one fleet)."""
        if self.board.provinces[to].terrain == "sea" and unit.kind not in AFLOAT:
            return False
        if to == unit.province or unit.kind == "R" or self.closed & {to, unit.province}:
            return False
        if _reaches(self.board, unit, to):
            return True
        return unit.kind in CONVOYED and bool(self._chains(unit.province, to, without))

    def followed(self, piece: Piece, order: Order) -> Order | None:
        """The order as it is followed, None when it is illegal in this position."""
        unit = piece.unit
        match order:
            case Hold():
                return Hold(unit)
            case Move():
                return self._move(unit, order)
            case Support(target=aim):
                target = self.pieces.get(aim.province)
                to = None if order.to is None else province_of(order.to)
                place = aim.province if to is None else to
                if target is None or target is piece or not _helps_in(self.board, unit, place):
                    return None
                if (unit.province, place) in self.weak and unit.kind != "AF":
                    return None
                if target.unit.kind in UNSUPPORTED:
                    return None
                if to is not None and not self._can_go(target.unit, to, without=piece.at):
                    return None
                return Support(unit, target.unit, order.to if target.unit.kind in AFLOAT else to)
            case Convoy(army=aim):
                army = self.pieces.get(aim.province)
                to = province_of(order.to)
                if army is None or army.unit.kind not in CONVOYED or piece.at not in self.waters:
                    return None
                if self.closed & {army.at, to}:
                    return None
                if army.at == to or self.board.provinces[to].terrain == "sea":
                    return None
                chains = needed(self._chains(army.at, to))
                if not any(piece.at in chain for chain in chains):
                    return None
                return Convoy(unit, army.unit, to)
            case _:
                return None

    def _move(self, unit: Unit, order: Move) -> Move | None:
        to = province_of(order.to)
        by_sea = order.via is True or bool(order.path)
        if unit.kind in AFLOAT:
            if by_sea or self.closed & {unit.province, to}:
                return None
            steps = [s for s in self.board.fleet[unit.location] if province_of(s) == to]
            if order.to != to or not self.board.provinces[to].coasts:
                steps = [step for step in steps if step == order.to]
            return Move(unit, steps[0]) if len(steps) == 1 else None
        if not self._can_go(unit, to):
            return None
        if by_sea and not self._chains(unit.province, to):
            return None
        return Move(unit, to, via=True if by_sea else None)

    def _choose_way(self, piece: Piece, move: Move) -> None:
        """By land or by sea (DATC 4.A.3 c), and by which fleets."""
        if piece.unit.kind not in CONVOYED:
            return
        carriers = [
            fleet
            for fleet in self.pieces.values()
            if isinstance(fleet.order, Convoy)
            and fleet.order.army.province == piece.at
            and fleet.order.to == move.to
        ]
        piece.by_sea = (
            not _reaches(self.board, piece.unit, move.to)
            or move.via is True
            or (
                self.rules["4.A.3"] != "e" and any(fleet.power == piece.power for fleet in carriers)
            )
        )
        if piece.by_sea:
            names = {fleet.at for fleet in carriers}
            piece.routes = tuple(routes(self.board, names, piece.at, move.to))

    def carries(self, fleet: Piece) -> bool:
        """Whether some army's way depends on this fleet."""
        return any(fleet.at in route for piece in self.moves() for route in piece.routes)

    def matched(self, piece: Piece) -> bool:
        """Whether a support or convoy order fits what the other unit was ordered."""
        match piece.order:
            case Support(target=target, to=None):
                return self.pieces[target.province].target is None
            case Support(target=target, to=str(to)):
                move = self.pieces[target.province].order
                if not isinstance(move, Move):
                    return False
                return to == move.to or to == province_of(move.to)
            case Convoy(army=army, to=to):
                return self.pieces[army.province].target == to
        return False


# -- the equations ------------------------------------------------------------------------------

Strength = list[int]
"""Entry k is the truth table of "the strength is more than k"."""


class Equations:
    """The equations of a situation over truth tables of a given width.

    `value` gives the table of a decision, `all_` the table that is true everywhere.
    """

    def __init__(self, situation: Situation, value: Callable[[Var], int], all_: int) -> None:
        self.situation = situation
        self.value = value
        self.all = all_

    def not_(self, table: int) -> int:
        return self.all ^ table

    def of(self, var: Var) -> int:
        """The right-hand side of the equation for a decision."""
        piece = self.situation.pieces[var.at]
        return self.arrives(piece) if var.kind == "move" else self.not_(self.dislodged(piece))

    def moved(self, piece: Piece) -> int:
        return 0 if piece.target is None else self.value(Var("move", piece.at))

    def attackers(self, province: str) -> list[Piece]:
        return [move for move in self.situation.moves() if move.target == province]

    def dislodged(self, piece: Piece) -> int:
        entered = 0
        for attacker in self.attackers(piece.at):
            entered |= self.moved(attacker)
        return entered & self.not_(self.moved(piece))

    def path(self, move: Piece, without: str = "") -> int:
        """The way is open, for a convoyed army also without the fleet in one water."""
        if not move.by_sea:
            return self.all
        routes = [route for route in move.routes if without not in route]
        if self.situation.rules["4.A.1"] == "a" and routes:
            whole = self.all
            for water in {water for chain in needed(routes) for water in chain}:
                whole &= self.value(Var("convoy", water))
            return whole
        open_ = 0
        for route in routes:
            whole = self.all
            for water in route:
                whole &= self.value(Var("convoy", water))
            open_ |= whole
        return open_

    def undone(self, support: Piece, attacker: Piece) -> int:
        """The attack cuts the support or dislodges the supporter."""
        order = support.order
        rules = self.situation.rules
        assert isinstance(order, Support)
        aim = order.target.province if order.to is None else province_of(order.to)
        if attacker.power == support.power:
            return 0
        if self.weakly(attacker) and not self.supports(attacker):
            return 0
        against = self.situation.pieces.get(aim)
        if attacker.by_sea and against is not None and isinstance(against.order, Convoy):
            # Where the books of 1982 and 2023 shelter a support, it outlives its unit (6.F.17).
            if rules["4.A.2"] == "b" and support.unit.kind in AFLOAT:
                if self.situation.matched(against):
                    return 0
            elif rules["4.A.2"] == "c" and order.to is not None:
                carries = any(aim in route for route in attacker.routes)
                return self.path(attacker, without=aim) if carries else self.path(attacker)
        if attacker.at == aim and not (attacker.by_sea and rules["4.A.4"] == "b"):
            return self.moved(attacker) & self.not_(self.moved(support))
        return self.path(attacker)

    def given(self, support: Piece) -> int:
        """The support is matched, not cut, and its unit not dislodged."""
        order = support.order
        assert isinstance(order, Support)
        if not self.situation.matched(support):
            return 0
        stands = self.all
        for attacker in self.attackers(support.at):
            stands &= self.not_(self.undone(support, attacker))
        return stands

    def weakly(self, move: Piece) -> bool:
        """Whether the unit crosses a border across which only its supports count."""
        return not move.by_sea and (move.at, move.target) in self.situation.weak

    def _with_supports(self, supports: Iterable[Piece], weakly: bool = False) -> Strength:
        """Two for the unit itself, one where only supports count, and one for each support given;
        so that the weakest move is still more than nothing."""
        strength = [self.all] if weakly else [self.all, self.all]
        for support in supports:
            counts = self.given(support)
            strength = [
                more | (counts & less)
                for more, less in zip([*strength, 0], [self.all, *strength], strict=True)
            ]
        return strength

    def supports(self, piece: Piece) -> list[Piece]:
        """The support orders for what the piece was ordered."""
        return [
            other
            for other in self.situation.pieces.values()
            if isinstance(other.order, Support)
            and other.order.target.province == piece.at
            and self.situation.matched(other)
        ]

    def opponent(self, move: Piece) -> Piece | None:
        """The unit that this one meets head to head."""
        other = self.situation.pieces.get(move.target or "")
        if other is None or other.target != move.at or other.by_sea or move.by_sea:
            return None
        return other

    def attack(self, move: Piece) -> Strength:
        occupant = self.situation.pieces.get(move.target or "")
        weakly = self.weakly(move)
        alone = self._with_supports(self.supports(move), weakly)
        if occupant is None:
            return self._if(self.path(move), alone, [])
        leaves = 0 if self.opponent(move) else self.moved(occupant)
        against: Strength = []
        if occupant.power != move.power:
            against = self._with_supports(
                (support for support in self.supports(move) if support.power != occupant.power),
                weakly,
            )
        return self._if(self.path(move), self._if(leaves, alone, against), [])

    def prevent(self, move: Piece) -> Strength:
        opponent = self.opponent(move)
        lost = self.moved(opponent) if opponent else 0
        if self.situation.rules["4.A.7"] == "a":
            for attacker in self.attackers(move.at):
                if attacker.at == move.target:
                    lost |= self.moved(attacker) & self.not_(self.moved(move))
        counts = self.path(move) & self.not_(lost)
        strength = self._with_supports(self.supports(move), self.weakly(move))
        return self._if(counts, strength, [])

    def hold(self, province: str) -> Strength:
        occupant = self.situation.pieces.get(province)
        if occupant is None:
            return []
        if occupant.target is not None:
            return self._if(self.moved(occupant), [], [self.all, self.all])
        return self._with_supports(self.supports(occupant))

    def arrives(self, move: Piece) -> int:
        assert move.target is not None
        attack = self.attack(move)
        opponent = self.opponent(move)
        if opponent is None:
            wins = self._more(attack, self.hold(move.target))
        else:
            wins = self._more(attack, self._with_supports(self.supports(opponent)))
        for rival in self.attackers(move.target):
            if rival is not move:
                wins &= self._more(attack, self.prevent(rival))
        return wins

    def _if(self, condition: int, yes: Strength, no: Strength) -> Strength:
        other = self.not_(condition)
        return [(condition & a) | (other & b) for a, b in zip_longest(yes, no, fillvalue=0)]

    def _more(self, one: Strength, other: Strength) -> int:
        """Where `one` is greater than `other`."""
        wins = 0
        for a, b in zip_longest(one, other, fillvalue=0):
            wins |= a & self.not_(b)
        return wins


# -- trying all assignments ---------------------------------------------------------------------


def projections(count: int) -> tuple[list[int], int]:
    """The truth tables of `count` free decisions, and the table true everywhere."""
    if count > LARGEST:
        raise TooBigError(f"{count} decisions hang together")
    size = 1 << count
    everywhere = (1 << size) - 1
    tables = []
    for index in range(count):
        block = 1 << index
        # `block` zeros, then `block` ones, over and over.
        table = ((1 << block) - 1) << block
        width = 2 * block
        while width < size:
            table |= table << width
            width *= 2
        tables.append(table)
    return tables, everywhere


def consistent(situation: Situation) -> list[dict[str, bool]]:
    """Every consistent outcome, plainly: all assignments to all moves, no backup rule.

    A convoying fleet carries when it is not dislodged.
    """
    moves = [piece.at for piece in situation.moves()]
    tables, everywhere = projections(len(moves))
    values = dict(zip(moves, tables, strict=True))

    def value(var: Var) -> int:
        if var.kind == "move":
            return values[var.at]
        return equations.not_(equations.dislodged(situation.pieces[var.at]))

    equations = Equations(situation, value, everywhere)
    good = everywhere
    for at in moves:
        good &= equations.not_(values[at] ^ equations.of(Var("move", at)))
    return [
        {at: bool(assignment >> index & 1) for index, at in enumerate(moves)}
        for assignment in _members(good)
    ]


def _members(table: int) -> Iterable[int]:
    while table:
        lowest = table & -table
        yield lowest.bit_length() - 1
        table ^= lowest


class Solver:
    """Decides everything, with the backup rules where the equations do not."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.known: dict[Var, bool] = {}
        self.paradoxes: list[tuple[str, ...]] = []
        self.circles: list[tuple[str, ...]] = []
        self.open = [Var("move", piece.at) for piece in situation.moves()]
        self.open += [
            Var("convoy", piece.at)
            for piece in situation.pieces.values()
            if isinstance(piece.order, Convoy) and situation.carries(piece)
        ]

    def solve(self) -> None:
        while self.open:
            if not self._decide_the_plain():
                self._decide_a_core()

    def _settle(self, var: Var, result: bool) -> None:
        self.known[var] = result
        self.open.remove(var)

    def _table(self, var: Var, inputs: Sequence[Var]) -> tuple[int, list[int], int]:
        """The equation of `var` as a truth table over `inputs`."""
        tables, everywhere = projections(len(inputs))
        values = dict(zip(inputs, tables, strict=True))
        for known, result in self.known.items():
            values[known] = everywhere if result else 0
        equations = Equations(self.situation, values.__getitem__, everywhere)
        return equations.of(var), tables, everywhere

    def _inputs(self, var: Var) -> list[Var]:
        """The open decisions that the equation of `var` mentions."""
        seen: dict[Var, None] = {}

        def value(other: Var) -> int:
            if other not in self.known:
                seen[other] = None
            return 0

        Equations(self.situation, value, 1).of(var)
        return list(seen)

    def _depends(self, var: Var) -> tuple[bool | None, set[Var]]:
        """The result of a decision as far as it is fixed, and the open decisions that matter."""
        inputs = self._inputs(var)
        table, tables, everywhere = self._table(var, inputs)
        if table in (0, everywhere):
            return bool(table), set()
        matter = set()
        for index, other in enumerate(inputs):
            without = everywhere ^ tables[index]
            if (table >> (1 << index) ^ table) & without:
                matter.add(other)
        return None, matter

    def _decide_the_plain(self) -> bool:
        """Settle the decisions whose equation comes out the same whatever is still open."""
        before = len(self.open)
        for var in list(self.open):
            result, _ = self._depends(var)
            if result is not None:
                self._settle(var, result)
        return len(self.open) < before

    def _decide_a_core(self) -> None:
        graph = {var: self._depends(var)[1] for var in self.open}
        core = _core(graph)
        tables, everywhere = projections(len(core))
        good = everywhere
        for index, var in enumerate(core):
            table, _, _ = self._table(var, core)
            good &= everywhere ^ table ^ tables[index]
        outcomes = list(_members(good))
        fleets = [var for var in core if var.kind == "convoy"]
        if len(outcomes) == 1:
            for index, var in enumerate(core):
                self._settle(var, bool(outcomes[0] >> index & 1))
        elif fleets:
            self.paradoxes.append(tuple(sorted(var.at for var in fleets)))
            for var in fleets:
                self._settle(var, False)
        else:
            all_move = (1 << len(core)) - 1
            if all_move not in outcomes:
                raise AssertionError(f"no circle: {core} has the outcomes {outcomes}")
            self.circles.append(tuple(sorted(var.at for var in core)))
            for var in core:
                self._settle(var, True)


def _core(graph: Mapping[Var, set[Var]]) -> list[Var]:
    """Decisions that depend on each other, all of them, and on no other open one."""
    reach = {}
    for var in graph:
        seen: set[Var] = set()
        todo = list(graph[var])
        while todo:
            other = todo.pop()
            if other not in seen:
                seen.add(other)
                todo.extend(graph[other])
        reach[var] = seen
    cores = [var for var in graph if all(var in reach[other] for other in reach[var])]
    first = min(cores)
    return sorted(reach[first])


def resolve(
    variant: Variant,
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    options: Mapping[str, str] | None = None,
) -> Outcome:
    """Resolve a movement phase under `options` (see `CHOICES`). The last order for a unit counts.

    Raises `TooBigError` when more than `LARGEST` decisions hang together.
    """
    situation = Situation(variant, position, orders, options)
    solver = Solver(situation)
    solver.solve()
    known = solver.known
    equations = Equations(situation, lambda var: int(known[var]), 1)
    return _outcome(situation, equations, solver)


def _outcome(situation: Situation, equations: Equations, solver: Solver) -> Outcome:
    pieces = situation.pieces
    held = {at for core in solver.paradoxes for at in core}
    dislodged = {at for at, piece in pieces.items() if equations.dislodged(piece)}
    arrived = {piece.target: piece for piece in situation.moves() if equations.moved(piece)}
    units: dict[str, list[Unit]] = {}
    for at, piece in pieces.items():
        if isinstance(piece.order, Move) and arrived.get(piece.target) is piece:
            place = piece.order.to
        elif at not in dislodged:
            place = piece.unit.location
        else:
            continue
        units.setdefault(piece.power, []).append(Unit(piece.unit.kind, place))
    occupied = {unit.province for standing in units.values() for unit in standing}
    contested = {
        target
        for piece in situation.moves()
        if (target := piece.target)
        and target not in occupied
        and equations.prevent(piece)[1:2] == [1]
    }
    succeeds = {}
    for at, piece in pieces.items():
        match piece.order:
            case Move():
                succeeds[at] = arrived.get(piece.target) is piece
            case Support():
                succeeds[at] = bool(equations.given(piece))
            case Convoy():
                succeeds[at] = situation.matched(piece) and at not in dislodged and at not in held
            case _:
                succeeds[at] = piece.legal and at not in dislodged
    return Outcome(
        succeeds,
        {
            at: _dislodged(situation, pieces[at], arrived[at], occupied | contested)
            for at in dislodged
        },
        {power: tuple(standing) for power, standing in units.items()},
        tuple(sorted(contested)),
        solver.paradoxes,
        solver.circles,
    )


def _dislodged(situation: Situation, piece: Piece, attacker: Piece, closed: set[str]) -> Dislodged:
    origin: str | None = attacker.at
    if attacker.by_sea:
        # Who sailed is named only where that closes a retreat.
        closes = situation.rules["4.A.5"] == "a" and _reaches(
            situation.board, piece.unit, attacker.at
        )
        origin = attacker.at if closes else None
    steps = situation.board.steps(piece.unit.kind, piece.unit.location)
    if piece.unit.kind == "R" or piece.at in situation.closed:
        steps = ()
    closed = closed | situation.closed
    retreats = [
        step for step in steps if province_of(step) not in closed and province_of(step) != origin
    ]
    return Dislodged(piece.unit, origin, tuple(sorted(retreats)))
