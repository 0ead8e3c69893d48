"""What each player of a blind game sees of the board, and of what happens on it.

A power sees the provinces where it has a unit or owns a center, and those one step away, by land or
sea. Of a past phase it sees the orders of units in provinces it saw; of an order that leads out of
them, only the unit. It learns whether its own orders worked, as far as they stayed in its view, and
whether its units moved, but never who did that from out of view. Game masters see everything,
observers nothing. When the game is over, everybody sees everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from msgspec import structs

from judge.game.state import State
from judge.game.state.boards import Standings
from judge.game.state.boards import standings as standings_of
from judge.game.visibility.identity import knows_all
from judge.game.visibility.readers import Reader, id_of
from judge.interchange.stored_values import position_from_json, position_to_json
from judge.language.read import read_order
from judge.rules.board import Board, borders, province_of
from judge.rules.board_index import DESTROYED
from judge.rules.board_index import destroyed as destroyed_in
from judge.rules.modules.arsenals import RIGHTS, rights
from judge.rules.modules.destruction import CUT_OFF, VANISHED, no_centers
from judge.rules.orders import Convoy, Order, Support, Unreadable
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit, read_unit
from judge.rules.variant import Variant
from judge.storage import PhaseRun, Role


def sees_all(state: State, reader: Reader) -> bool:
    """Return whether the reader may see the whole board."""
    return not state.terms.blind or knows_all(state, reader)


def eyes(state: State, reader: Reader) -> tuple[str, ...]:
    """Return the powers whose units show the reader the board."""
    seats = state.seats.of(id_of(reader))
    return tuple(seat.power for seat in seats if seat.role == Role.PLAYER and seat.power)


def around(board: Board, places: Iterable[str]) -> frozenset[str]:
    """Return provinces with all that an army or a fleet reaches from them in one step."""
    seen = frozenset(places)
    return seen.union(*map(borders(board).__getitem__, seen))


def seen(variant: Variant, position: Position, powers: Sequence[str]) -> frozenset[str]:
    """Return the provinces that powers see."""
    places: set[str] = set()
    for power in powers:
        places |= {unit.province for unit in position.units.get(power, ())}
        places |= {each.unit.province for each in position.dislodged.get(power, ())}
        places |= {province_of(center) for center in position.centers.get(power, ())}
    return around(variant.board, places)


def part_of(position: Position, provinces: frozenset[str], powers: Sequence[str]) -> Position:
    """Return the part of a position that lies in these provinces, which these powers see: where
    others' units can retreat to, and what they may build, is out of their view."""
    ruins = (DESTROYED, VANISHED, CUT_OFF)
    extra: dict[str, Any] = {
        key: kept for key, kept in position.extra.items() if key not in (*ruins, RIGHTS)
    }
    for key in ruins:
        kept: Any = position.extra.get(key)
        if kept is not None:
            near = [place for place in kept if province_of(place) in provinces]
            extra[key] = {each: kept[each] for each in near} if key == CUT_OFF else near
    if RIGHTS in position.extra:
        extra[RIGHTS] = {
            power: count for power, count in rights(position).items() if power in powers
        }
    return replace(
        position,
        units={
            power: tuple(unit for unit in units if unit.province in provinces)
            for power, units in position.units.items()
        },
        centers={
            power: tuple(center for center in centers if province_of(center) in provinces)
            for power, centers in position.centers.items()
        },
        dislodged={
            power: tuple(
                each if power in powers else Dislodged(each.unit, None)
                for each in gone
                if each.unit.province in provinces
            )
            for power, gone in position.dislodged.items()
        },
        extra=extra,
        contested=tuple(place for place in position.contested if province_of(place) in provinces),
    )


def of_powers(position: Position, powers: Sequence[str]) -> Position:
    """Return what belongs to these powers in a position."""
    return replace(
        position,
        units={power: position.units.get(power, ()) for power in powers},
        centers={power: position.centers.get(power, ()) for power in powers},
    )


def position_for(state: State, powers: Sequence[str]) -> Position:
    """Return the open position as far as powers see it."""
    if not state.terms.blind:
        return state.opened
    return part_of(state.opened, seen(state.variant, state.opened, powers), powers)


def visible(state: State, position: Position, reader: Reader) -> frozenset[str]:
    """Return the provinces that the reader sees in a position."""
    if sees_all(state, reader):
        return frozenset(state.variant.board.provinces)
    return seen(state.variant, position, eyes(state, reader))


def known_to(state: State, position: Position, reader: Reader) -> tuple[Position, frozenset[str]]:
    """Return a position as far as the reader sees it, and the provinces where they see nothing."""
    if sees_all(state, reader):
        return position, frozenset()
    mine, known = eyes(state, reader), visible(state, position, reader)
    return part_of(position, known, mine), frozenset(state.variant.board.provinces) - known


def standings(state: State, reader: Reader, position: Position | None = None) -> Standings:
    """Return units, centers, and adjustments of every power as far as the reader sees them.

    `position` is the open one by default. How many centers others own is out of view.
    """
    position = position or state.position
    if position is None:
        return Standings()
    if sees_all(state, reader):
        opened = position is state.position
        return state.standings if opened else standings_of(state.variant, position)
    mine = eyes(state, reader)
    rows = standings_of(state.variant, known_to(state, position, reader)[0])
    hidden = {"count": None, "builds": 0, "removals": 0, "out": False}
    return Standings(row if row["power"] in mine else row | hidden for row in rows)


def neutral(state: State, reader: Reader, position: Position | None = None) -> list[str]:
    """Return the names of unowned centers in a position (the open one) that the reader sees."""
    position = position or state.position
    if position is None:
        return []
    board = state.variant.board
    owned = {center for centers in position.centers.values() for center in centers}
    owned |= no_centers(position.extra)
    shown = visible(state, position, reader) - owned
    return sorted(board.name(place) for place in shown if board.provinces[place].supply_center)


def destroyed(state: State, reader: Reader, position: Position | None = None) -> list[str]:
    """Return the names of provinces destroyed in a position (the open one), as far as the reader
    saw what became of them."""
    position = position or state.position
    if position is None:
        return []
    shown = visible(state, position, reader).intersection(destroyed_in(position))
    return sorted(map(state.variant.board.name, shown))


def armed(state: State, reader: Reader, position: Position | None = None) -> list[str]:
    """Return the powers that may build arsenals in a position (the open one), for readers who see
    all."""
    position = position or state.position
    if position is None or not sees_all(state, reader):
        return []
    return [power for power in state.variant.powers if rights(position).get(power)]


def years(
    state: State, reader: Reader, rows: Sequence[Mapping[str, Any]]
) -> tuple[list[str], Sequence[Mapping[str, Any]]]:
    """Return the powers whose centers by year the reader may see, and the rows, with theirs."""
    if sees_all(state, reader):
        return list(state.variant.powers), rows
    mine = list(eyes(state, reader))
    kept = ({power: row["counts"][power] for power in mine} for row in rows)
    shown = [{**row, "counts": counts} for row, counts in zip(rows, kept, strict=True)]
    return mine, shown if mine else ()


def report(state: State, run: PhaseRun, reader: Reader) -> dict[str, Any]:
    """Return the results of a phase as far as the reader sees them."""
    found: dict[str, Any] = run.results
    if sees_all(state, reader):
        return found
    mine = eyes(state, reader)
    known = seen(state.variant, position_from_json(run.position), mine)
    later = known | around(state.variant.board, _held_after(found, mine))
    orders = {
        power: list(_lines(state, run, power, lines, known, own=power in mine))
        for power, lines in found["orders"].items()
    }

    def near(name: str) -> list[dict[str, Any]]:
        """Return what became of provinces in view, and of units there or of one's own."""
        return [
            each
            for each in found.get(name, ())
            if each.get("power") in mine
            or (each.get("id") or read_unit(each.get("unit", "")).province) in later
        ]

    return found | {
        "orders": {power: lines for power, lines in orders.items() if lines},
        **{name: near(name) for name in ("taken", "destroyed", "vanished", "lost")},
        "dislodged": [
            each if each["power"] in mine else each | {"retreats": None}
            for each in near("dislodged")
        ],
        "armed": [],
        "rivals": [],
        "units": {
            power: [unit for unit in units if read_unit(unit).province in later]
            for power, units in found["units"].items()
        },
        "centers": {
            power: [center for center in centers if province_of(center) in later]
            for power, centers in found["centers"].items()
        },
        "winners": [],
        "seals": {power: each for power, each in found.get("seals", {}).items() if power in mine},
    }


def record_of(state: State, run: PhaseRun, reader: Reader) -> PhaseRun:
    """Return a phase as its JSON file may show it to the reader: their own orders, and position and
    results as far as they see them."""
    if sees_all(state, reader):
        return run
    mine = eyes(state, reader)
    before = position_from_json(run.position)
    known = seen(state.variant, before, mine)
    return structs.replace(
        run,
        position=position_to_json(part_of(before, known, mine)),
        orders={power: given for power, given in run.orders.items() if power in mine},
        results=report(state, run, reader),
    )


def _held_after(found: Mapping[str, Any], powers: Sequence[str]) -> Iterator[str]:
    """Yield the provinces where these powers have something after the phase."""
    for power in powers:
        yield from (read_unit(unit).province for unit in found["units"].get(power, ()))
        yield from (province_of(center) for center in found["centers"].get(power, ()))
    for each in found["dislodged"]:
        if each["power"] in powers:
            yield read_unit(each["unit"]).province


def _lines(
    state: State,
    run: PhaseRun,
    power: str,
    lines: Sequence[Mapping[str, Any]],
    known: frozenset[str],
    own: bool,
) -> Iterator[dict[str, Any]]:
    """Yield the visible results of one power, without what they say of others."""
    phase = Phase.read(run.phase)
    for line in lines:
        order = read_order(line["order"], state.variant, phase, power)
        inside = _places(order) <= known and not isinstance(order, Unreadable)
        felt = line["reason"] in ("dislodged", "destroyed", "cut")
        plain = dict(line) | {"outcome": None, "veil": None}
        if own and not inside and isinstance(order, Support | Convoy) and not felt:
            yield plain | {"veil": "outcome", "done": None, "reason": None}
        elif own:
            yield plain if inside or felt else plain | {"reason": None}
        elif line["unit"] is None or read_unit(line["unit"]).province not in known:
            continue
        elif inside:
            yield plain
        else:
            yield plain | {"order": line["unit"], "veil": "order", "done": None, "reason": None}


def _places(order: Order) -> set[str]:
    """Return the provinces that an order names."""
    found = set()
    for each in fields(order):
        value = getattr(order, each.name)
        if isinstance(value, Unit):
            found.add(value.province)
        elif isinstance(value, tuple):
            found |= {province_of(place) for place in value}
        elif each.name == "to" and value:
            found.add(province_of(value))
    return found
