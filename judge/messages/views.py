"""What one reader of a letter may know of a game, as facts for the templates.

Everything a letter says about a game comes from here, so this is where secrets are kept: orders,
waits and votes are looked up for the reader's own powers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from judge.game.clock.absence import of as absences_of
from judge.game.endings import shared_win
from judge.game.endings.outcomes import vote_facts
from judge.game.orders import ahead, proxies
from judge.game.orders.consistency import Hint, hints
from judge.game.orders.order_context import desk_for
from judge.game.orders.warnings import misfits
from judge.game.people import nmr_timers
from judge.game.phases.game_facts import game_facts
from judge.game.state import State
from judge.game.visibility import identity, seals
from judge.i18n import Message
from judge.render import letters
from judge.rules.arsenals import earned, rights
from judge.rules.board import province_of
from judge.rules.closures import closures
from judge.rules.legal import legal_orders
from judge.rules.modules import seams
from judge.rules.orders import Build, Hold, Move, Retreat, Waive
from judge.rules.phase import Kind, Phase
from judge.rules.position import Unit
from judge.sentences import Wording
from judge.storage import GameState, Role, Seat


def reader_facts(
    state: State,
    person_id: int | None,
    zone: str,
    now: datetime,
    also: Sequence[str] = (),
) -> dict[str, Any]:
    """What the person may know: the game's facts, and those of his own parts in it.

    `also` are powers in whose place he has just acted: he sees their orders, not their votes.
    """
    seats = state.seats_of(person_id) if person_id is not None else []
    roles = [seat.role for seat in seats]
    running = state.game.state == GameState.ACTIVE
    mine = [seat for seat in seats if seat.role == Role.PLAYER]
    return game_facts(state, now, person_id) | {
        "zone": zone,
        "roles": roles,
        "mine": [
            *(_power_facts(state, seat) for seat in mine if seat.power and running),
            *(
                _power_facts(state, seat) | {"wait": False, "vote": None}
                for power in also
                if running and (seat := state.holder(power))
            ),
        ],
        "preferences": mine[0].preferences if mine else None,
        "number": identity.number_of(state, person_id),
        "overview": _overview(state) if _oversees(state, roles) else [],
        "waits": any(seat.wait for seat in seats),
        "absences": _absences(seats, now),
        "sharing": shared_win.facts(state, person_id) if running else None,
        "played": [seat.power for seat in mine if seat.power],
    }


def _absences(seats: Sequence[Seat], now: datetime) -> list[dict[str, Any]]:
    """When somebody is away, as all his seats have it."""
    return [
        {"start": each.span.start, "end": each.span.end, "approved": each.approved}
        for seat in seats[:1]
        for each in absences_of(seat, now)
    ]


def _oversees(state: State, roles: Sequence[Role]) -> bool:
    """Whether a master may see who is ready; what anybody ordered he may not."""
    return state.game.moderated and state.game.state == GameState.ACTIVE and Role.MASTER in roles


def _overview(state: State) -> list[dict[str, Any]]:
    """Each power and how far its orders are, without the orders."""
    rows = []
    for power in state.variant.powers:
        seat = state.player(power)
        sheet = state.sheet(power)
        rows.append(
            {
                "power": power,
                "played": seat is not None,
                "owes": sheet.owes,
                "missing": sheet.missing,
                "wait": seat is not None and seat.wait,
            }
        )
    return rows


def _power_facts(state: State, seat: Seat) -> dict[str, Any]:
    assert seat.power is not None
    power = seat.power
    sheet = state.sheet(power)
    position = state.opened
    return {
        "power": power,
        "sheet": sheet,
        "kind": sheet.kind.value,
        "missing": sheet.missing,
        **_patience(state, seat),
        "wait": seat.wait,
        "vote": vote_facts(state, seat),
        "out": not position.units.get(power) and not position.centers.get(power),
        "options": options(state, power),
        "limits": limits(state, power),
        "arsenals": rights(position).get(power, 0),
        "earns_arsenal": _earns_arsenal(state, power),
        "converted": converted(state, power),
        "sample": samples(state, power),
        "hints": _shown(hints(desk_for(state, (power,)), power, state.orders.get(power, ()))),
        "seal": seals.of_power(state, power).digest if state.orders.get(power) else None,
        "ahead": _ahead(state, power),
        "lent": proxies.listing(state, power),
        "dropped": state.dropped.get(power, []),
    }


def _patience(state: State, seat: Seat) -> dict[str, Any]:
    """When the power of a seat is free for others, and when the phase runs without its orders."""
    if state.game.state != GameState.ACTIVE or state.game.deadline is None:
        return {"free_at": None, "forced_at": None}
    free = nmr_timers.abandoned_at(state, seat)
    return {
        "free_at": free,
        "forced_at": max(nmr_timers.grace_of(state), free + nmr_timers.NOTICED),
    }


def _ahead(state: State, power: str) -> list[dict[str, Any]]:
    """What `power` has sent ahead, with what does not fit in it."""
    return [
        each | {"hints": _shown(misfits(state, power, Phase.read(each["phase"])))}
        for each in ahead.listing(state, power)
    ]


def _shown(found: Sequence[Hint]) -> list[dict[str, Any]]:
    """What does not fit in somebody's orders, as templates get it."""
    return [
        {
            "order": hint.order,
            "text": letters.answer(hint.answer.code, hint.answer.facts),
            "offers": hint.offers,
        }
        for hint in found
    ]


def options(state: State, power: str) -> list[dict[str, Any]]:
    """For each unit that `power` has still to order: its name, and where it can go or what can be
    built; for each of its units once all have orders.

    Movement shows single steps only; journeys by sea are explained by the help on orders.
    """
    owed = state.owed.get(power)
    if owed is None:
        return []
    position = state.opened
    board = state.variant.board

    shut = {each.province for each in closures(state.variant, position)}

    def places(locations: list[str]) -> list[dict[str, str]]:
        return [{"id": location, "name": board.name(location)} for location in locations]

    if position.phase.kind is Kind.MOVEMENT:
        return [
            {
                "unit": str(unit),
                "name": Wording(unit, state.variant),
                "places": places(
                    sorted(
                        place
                        for place in board.steps(unit.kind, unit.location)
                        if shut.isdisjoint((unit.province, province_of(place)))
                    )
                ),
            }
            for unit in _idle(state, power)
        ]
    if position.phase.kind is Kind.RETREATS:
        open_to = {each.unit: each.retreats for each in position.dislodged.get(power, ())}
        return [
            {
                "unit": str(unit),
                "name": Wording(unit, state.variant),
                "places": places(sorted(open_to.get(unit, ()))),
            }
            for unit in _idle(state, power)
        ]
    if owed.removals:
        return [
            {"unit": str(unit), "name": Wording(unit, state.variant), "places": []}
            for unit in position.units.get(power, ())
        ]
    sites = legal_orders(state.variant, position, power, state.rulebook)
    return [
        {"unit": str(unit), "name": Wording(unit, state.variant), "places": []}
        for unit in sites
        if unit not in owed.conversions
    ]


def _idle(state: State, power: str) -> list[Unit]:
    """The units that `power` has to order and has not; all of them where none is left."""
    owed = state.owed[power].units
    orders = state.orders.get(power, ())
    ordered = {order.unit for order in orders if not isinstance(order, Waive)}
    return [unit for unit in owed if unit not in ordered] or list(owed)


def converted(state: State, power: str) -> list[dict[str, Any]]:
    """The units of `power` that could be converted, each with the lines that would do it."""
    owed = state.owed.get(power)
    if owed is None or not owed.conversions:
        return []
    legal = legal_orders(state.variant, state.opened, power, state.rulebook)
    return [
        {
            "unit": str(unit),
            "name": Wording(unit, state.variant),
            "lines": [str(order) for order in legal.get(unit, ()) if isinstance(order, Build)],
        }
        for unit in owed.conversions
    ]


def limits(state: State, power: str) -> list[dict[str, Any]]:
    """How many units of each kind `power` may still build, besides what it has ordered, where that
    is limited; [] where it builds nothing."""
    owed = state.owed.get(power)
    if owed is None or not owed.builds:
        return []
    ordered = [each.unit.kind for each in state.orders.get(power, ()) if isinstance(each, Build)]
    found = []
    for kind in state.variant.board.kinds.values():
        allowed, _ = seams(state.variant).allows(state.variant, state.opened, power, kind)
        if allowed is not None and (allowed or not kind.launches):
            left = max(allowed - ordered.count(kind.letter), 0)
            found.append({"name": kind.name, "plural": kind.plural, "left": left})
    return found


def _earns_arsenal(state: State, power: str) -> bool:
    """Whether what `power` has ordered lets it build an arsenal later: that all its units hold."""
    owed = state.owed.get(power)
    if seams(state.variant).after_moves is not earned or owed is None or not owed.units:
        return False
    holding = {each.unit.province for each in state.orders.get(power, ()) if isinstance(each, Hold)}
    return all(unit.province in holding for unit in owed.units)


def samples(state: State, power: str) -> list[dict[str, object]]:
    """Lines a newcomer can copy, made of his own units, with what they mean."""
    owed = state.owed.get(power)
    if owed is None:
        return []
    position = state.opened
    variant = state.variant
    lines: list[dict[str, object]]

    def said(unit: Unit) -> Wording:
        return Wording(unit, variant)

    if position.phase.kind is Kind.MOVEMENT:
        lines = []
        units = _idle(state, power)
        mover, to, helper = _attack(state, units)
        if mover is not None:
            means: object = Wording(Move(mover, to), variant)
            lines.append({"line": f"{mover} - {to}", "means": means})
        if helper is not None:
            lines.append(
                {
                    "line": f"{helper} S {mover} - {to}",
                    "means": Message("{unit} supports that move", unit=said(helper)),
                }
            )
        if units:
            last = units[-1]
            means = Message("{unit} holds, it stays", unit=said(last))
            lines.append({"line": f"{last} H", "means": means})
        return lines
    if position.phase.kind is Kind.RETREATS:
        lines = []
        idle = _idle(state, power)
        for each in position.dislodged.get(power, ()):
            if each.retreats and each.unit in idle:
                to = each.retreats[0]
                lines.append(
                    {
                        "line": f"{each.unit} R {to}",
                        "means": Wording(Retreat(each.unit, to), variant),
                    }
                )
                lines.append({"line": f"D {each.unit}", "means": Message("or it is disbanded")})
                break
        return lines
    if owed.removals:
        unit = position.units[power][0]
        means = Message("{unit} is disbanded", unit=said(unit))
        return [{"line": f"D {unit}", "means": means}]
    if not owed.builds:
        return []
    sites = [
        unit
        for unit in legal_orders(variant, position, power, state.rulebook)
        if unit not in owed.conversions
    ]
    lines = [
        {"line": f"B {unit}", "means": Message("a new {unit}", unit=said(unit))}
        for unit in sites[:1]
    ]
    return [*lines, {"line": "WAIVE", "means": Message("builds you do not want are left out")}]


def _attack(state: State, units: list[Unit]) -> tuple[Unit | None, str, Unit | None]:
    """A move that one of the units can make, supported by another one if that is possible."""
    board = state.variant.board
    shut = {each.province for each in closures(state.variant, state.opened)}
    moves = [
        (unit, to)
        for unit in units
        for to in sorted(board.steps(unit.kind, unit.location))
        if shut.isdisjoint((unit.province, province_of(to)))
    ]
    for mover, to in moves:
        if not board.kind(mover.kind).supported:
            continue
        for helper in units:
            reach = {province_of(place) for place in board.steps(helper.kind, helper.location)}
            if helper != mover and province_of(to) in reach and helper.province != province_of(to):
                return mover, to, helper
    return (*moves[0], None) if moves else (None, "", None)
