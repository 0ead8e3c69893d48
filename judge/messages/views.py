"""What one reader of a message may know of a game, as facts for the templates.

Everything a message says about a game comes from here, so this is where secrets are kept: orders,
waits, and votes are looked up for the reader's own powers only, and orders for hosts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import combinations, islice

from msgspec import Struct
from msgspec.structs import asdict

from judge.game.clock.game_clock import absences_of
from judge.game.endings import sharing_facts, vote_facts
from judge.game.orders.again import makes_sense
from judge.game.orders.consistency import hints, misfits
from judge.game.orders.later import block, read_row
from judge.game.orders.order_context import order_context
from judge.game.people import lateness
from judge.game.phases import game_facts, how_far
from judge.game.state import State
from judge.game.state.about import Sample
from judge.game.visibility.eyes import Eyes, PowerView, reader_of
from judge.i18n import Message
from judge.maps import badge_colors
from judge.messages.coach import coaching
from judge.render import Facts
from judge.rules.board import ANY_WAY, province_of
from judge.rules.board_index import board_index, closed_provinces, destroyed
from judge.rules.hooks import rule_hooks
from judge.rules.legal_orders import legal_orders
from judge.rules.modules.arsenals import earned, rights
from judge.rules.orders import Build, Hold, Launch, Move, Retreat, Waive, place
from judge.rules.phase import Kind
from judge.rules.position import Unit
from judge.rules.variant import letters_of
from judge.sentences import Conversion, Wording
from judge.sentences.terms import place_words
from judge.storage import GameState, Role, Seat


def reader_facts(
    state: State,
    person_id: int | None,
    zone: str,
    now: datetime,
    also: Sequence[str] = (),
) -> Facts:
    """Return what a person may know: the facts of the game, and those of their own seats in it.

    `also` are powers they have just acted for: they see those powers' orders, not their votes.
    """
    seen, seats = Eyes(state, reader_of(person_id), also), state.seats.of(person_id)
    roles = [seat.role for seat in seats]
    running = state.game.state == GameState.ACTIVE
    mine = [seat for seat in seats if seat.role == Role.PLAYER]
    played = [seat.power for seat in mine if seat.power]
    return game_facts(state, now, seen) | {
        "zone": zone,
        "roles": roles,
        "mine": _said_once(
            [
                *(
                    _power_facts(seen, seen.power_view(seat.power), seat)
                    for seat in mine
                    if seat.power and running
                ),
                *(
                    _power_facts(seen, seen.power_view(power), seat) | {"wait": False, "vote": None}
                    for power in also
                    if running and (seat := state.seats.holder(power))
                ),
            ]
        ),
        "badges": _badges(state, played),
        "preferences": seen.wish,
        "number": seen.number if state.game.state is GameState.FORMING else None,
        "overview": [how_far(state, power) for power in state.variant.powers]
        if running and seen.runs_it
        else [],
        "sheets": seen.sheets() if running else {},
        "waits": any(map(seen.waits, seats)),
        # All seats of somebody have the same.
        "absences": [asdict(each) for seat in seats[:1] for each in absences_of(seat, now)],
        "sharing": sharing_facts(state, person_id)
        if running and state.game.options.sharing is not None
        else None,
        "played": played,
        "coach": coaching(state, seen, played),
    }


def _badges(state: State, powers: Sequence[str]) -> list[dict[str, str]]:
    """Return the letter and the colors of powers, as the board shows them; of three at most."""
    colors = badge_colors(state.variant) if powers else {}
    letters = letters_of(state.variant)
    return [
        {"letter": letters.get(power, power[:1]), "fill": fill, "ink": ink}
        for power in powers[:3]
        for fill, ink in [colors[power]]
    ]


def _power_facts(seen: Eyes, view: PowerView, seat: Seat) -> Facts:
    state, power, sheet = view.state, view.power, view.sheet
    position = view.position
    known = {
        "power": power,
        "sheet": sheet,
        "kind": sheet.kind.value,
        "missing": sheet.missing,
        "wait": seen.waits(seat),
        "vote": vote_facts(state, seat) if seen.vote(seat) is not None else None,
        "out": not position.units.get(power) and not position.centers.get(power),
        "arsenals": rights(position).get(power, 0) if position.extra else 0,
        "earns_arsenal": _earns_arsenal(view),
        "dropped": state.dropped.get(power, []),
        "lapsed": state.lapsed.get(power),
        "undecided": power in state.sheets.undecided(),
        "each": False,
    }
    return Facts(
        known,
        free_at=lambda: _free_at(state, seat),
        forced_at=lambda: _forced_at(state, seat),
        leaving=lambda: _leaving(view),
        taps=lambda: taps(view),
        steps=lambda: steps(view),
        keeps=lambda: keeps(view, seat),
        options=lambda: options(view),
        limits=lambda: limits(view),
        converted=lambda: converted(view),
        sample=lambda: samples(view),
        by_default=lambda: [Wording(unit, state.variant) for unit in _by_default(view)],
        several=lambda: seat.person_id is not None and len(state.seats.of(seat.person_id)) > 1,
        hints=lambda: hints(order_context(state, (power,)), power, view.orders),
        seal=lambda: view.seal,
        ahead=lambda: _ahead(view),
        lent=lambda: _lent(view),
    )


def _said_once(mine: list[Facts]) -> list[Facts]:
    """Return what somebody may know of their powers, with what they may all build said of the last
    one alone."""
    building = [at for at, each in enumerate(mine) if each["sheet"].builds]
    others = [mine[at]["limits"] for at in building[1:]]
    if not others or any(each != mine[building[0]]["limits"] for each in others):
        return mine
    for at in building[:-1]:
        mine[at] |= {"limits": []}
    mine[building[-1]] |= {"each": True}
    return mine


def _leaving(view: PowerView) -> list[str]:
    """Return the dislodged units without an order, as titles name them: "A Burgundy"."""
    if view.position.phase.kind is not Kind.RETREATS or view.owed is None:
        return []
    board = view.variant.board
    return [f"{each.kind} {place_words(each.location, board)}" for each in _idle(view)]


class Tap(Struct, frozen=True):
    """A choice that is made by one tap: what stands on its button, and the mail it writes;
    `waives` is the line in it that waives, if one does."""

    label: str | Message
    body: str
    waives: str = ""


_MOST_TAPS = 24


def taps(view: PowerView) -> list[Tap]:
    """Return the choices of `power` where they are few: each retreat, and each way to build or
    remove all that is still due or, where these are too many, each of the next unit. A mail has
    what is on file, too, which it would replace else. There are none for movement, nor where there
    would be too many."""
    if view.owed is None or view.position.phase.kind is Kind.MOVEMENT:
        return []
    found = []
    if view.position.phase.kind is Kind.RETREATS:
        for unit, places in _targets(view).items():
            found += [Tap(f"{unit}-{to}", f"{unit} R {to}") for to in places]
            found.append(Tap(Message("{unit} disbands", {"unit": str(unit)}), f"D {unit}"))
        return found if len(found) <= _MOST_TAPS else []
    kept = [str(order) for order in view.orders]
    letter = "D" if view.due.removals else "B"
    for units in _chosen(view):
        lines = [f"{letter} {unit}" for unit in units]
        found.append(Tap(" + ".join(map(str, units)), "\n".join([*kept, *lines])))
    if found and view.due.builds and view.rulebook.waiving != "b":
        waives = _waiving(view)
        found.append(Tap(Message("waive"), "\n".join([*kept, waives]), waives))
    return found if len(found) <= _MOST_TAPS else []


def _chosen(view: PowerView) -> Sequence[Sequence[Unit]]:
    """Return the units that one tap builds or removes: all that are due, or the next of them."""
    ordered = set(map(place, view.orders))
    units = [unit for unit in _targets(view) if unit.province not in ordered]
    count = view.sheet.missing
    combined = [
        each
        for each in islice(combinations(units, count), _MOST_COMBINED)
        if len({unit.province for unit in each}) == count
    ]
    few = len(combined) < _MOST_TAPS and len(combined) * count <= 2 * _MOST_TAPS
    return combined if few else [(unit,) for unit in units]


def steps(view: PowerView) -> bool:
    """Return whether a tap leaves something to be built or removed, which the reply offers."""
    if view.position.phase.kind is not Kind.ADJUSTMENTS or view.sheet.missing < 2:
        return False
    return any(len(units) < view.sheet.missing for units in _chosen(view))


def _waiving(view: PowerView) -> str:
    """Return the line that waives; who plays several powers has to say whose."""
    whose = f"{view.power} " if len(view.state.powers.hand(view.power)) > 1 else ""
    return f"{whose}WAIVE"


_MOST_COMBINED = 200


def keeps(view: PowerView, seat: Seat) -> Tap | None:
    """Return how somebody who owes orders for movement says that all is to be as it is: what is on
    file stays and the other units hold, or where nothing is, the orders of last time are given
    again; None where these make no sense, or who plays several powers would mean them all."""
    state = view.state
    if view.position.phase.kind is not Kind.MOVEMENT or view.owed is None:
        return None
    if view.sheet.complete or len(state.seats.of(seat.person_id)) > 1:
        return None
    if view.orders:
        holding = [f"{unit} H" for unit in _idle(view)]
        return Tap(Message("Same orders as on file, the rest holds"), "\n".join((_SAME, *holding)))
    return (
        Tap(Message("Same orders as last time"), _SAME) if makes_sense(state, view.power) else None
    )


_SAME = "SAME AS LAST TIME"


def _free_at(state: State, seat: Seat) -> datetime | None:
    """Return when others can take over the power of a seat."""
    if state.game.state != GameState.ACTIVE or state.game.deadline is None:
        return None
    return lateness.abandoned_at(state, seat)


def _forced_at(state: State, seat: Seat) -> datetime | None:
    """Return when the phase is adjudicated without the orders of a seat."""
    free = _free_at(state, seat)
    return None if free is None else max(lateness.grace_of(state), free + lateness.NOTICED)


def _ahead(view: PowerView) -> list[dict[str, object]]:
    """Return the advance orders of `power`, with what does not fit in them: for its player only."""
    return [
        {
            "phase": str(phase),
            "lines": list(map(str, block([read_row(text, view.variant) for text in kept]))),
            "hints": misfits(view.state, view.power, phase),
        }
        for phase, kept in view.ahead().items()
    ]


def _lent(view: PowerView) -> list[dict[str, object]]:
    """Return the units of others that `power` may order, with its orders; for its player only."""
    return [
        {
            "owner": owner,
            "unit": str(unit),
            "name": Wording(unit, view.variant),
            "order": str(order) if order else None,
            "words": Wording(order, view.variant) if order else None,
        }
        for owner, unit, order in view.lent()
    ]


class UnitChoice(Struct, frozen=True):
    """A unit somebody can order, by its code and its name, and where it can go.

    `far`: whether it supports two spaces away; `bombs` is where a bomb goes that starts with it.
    """

    unit: str
    name: Wording
    places: Sequence[Place] = ()
    far: bool = False
    bombs: Sequence[Place] = ()


class Place(Struct, frozen=True):
    """A place on the board, by its code and its name."""

    id: str
    name: str


def options(view: PowerView) -> list[UnitChoice]:
    """Return the units that `power` has still to order, where each can go, or what it can build.

    Once all have orders, these are all its units. Movement shows single steps only; the help on
    orders explains convoyed moves.
    """
    if view.owed is None:
        return []
    variant, moving = view.variant, view.position.phase.kind is Kind.MOVEMENT
    board, targets = variant.board, _targets(view)
    bombed = _bombed(view, targets) if moving else {}

    def listed(places: Sequence[str]) -> list[Place]:
        return [Place(place, board.name(place)) for place in sorted(places)]

    return [
        UnitChoice(
            str(unit),
            Wording(unit, variant),
            listed(places),
            moving and board.kind(unit.kind).support == ANY_WAY,
            listed(bombed.get(unit, ())),
        )
        for unit, places in targets.items()
    ]


def _bombed(view: PowerView, units: Iterable[Unit]) -> dict[Unit, list[str]]:
    """Return the spaces that bombs of these units destroy without anybody's help, by those that can
    launch one."""
    board, gone = view.variant.board, destroyed(view.position)
    carriers = {unit: kind for unit in units if (kind := board.kind(unit.kind)).launches}
    index = board_index(board)
    return {
        unit: [
            place
            for each in index.reach(unit, kind.bombs)
            if (place := index.ids[each]) not in gone
        ]
        for unit, kind in carriers.items()
    }


def _targets(view: PowerView) -> Mapping[Unit, Sequence[str]]:
    """Return where each unit that `power` has to order can go; units to remove or build go
    nowhere."""
    owed, position = view.due, view.position
    if position.phase.kind is Kind.MOVEMENT:
        return _steps(view, _idle(view))
    if position.phase.kind is Kind.RETREATS:
        retreats = {each.unit: each.retreats for each in position.dislodged.get(view.power, ())}
        return {unit: retreats.get(unit, ()) for unit in _idle(view)}
    if owed.removals:
        return dict.fromkeys(position.units.get(view.power, ()), ())
    return dict.fromkeys(_builds(view), ())


def _steps(view: PowerView, units: Sequence[Unit]) -> dict[Unit, list[str]]:
    """Return where each unit can move in one step, closed provinces left out."""
    steps = view.variant.board.steps
    shut = {each.province for each in closed_provinces(view.variant, view.position)}
    near = {unit: steps(unit.kind, unit.location) for unit in units}
    return {
        unit: [place for place in places if shut.isdisjoint((unit.province, province_of(place)))]
        for unit, places in near.items()
    }


def _idle(view: PowerView) -> list[Unit]:
    """Return the units that `power` has to order and has not; all of them where none is left."""
    owed = view.due.units
    ordered = {order.unit for order in view.orders if not isinstance(order, Waive)}
    return [unit for unit in owed if unit not in ordered] or list(owed)


def _builds(view: PowerView) -> list[Unit]:
    """Return the units that `power` can build."""
    legal = legal_orders(view.variant, view.position, view.power, view.rulebook)
    return [unit for unit in legal if unit not in view.due.conversions]


def _by_default(view: PowerView) -> Sequence[Unit]:
    """Return the units that are built if `power` orders none."""
    if view.position.phase.kind is not Kind.ADJUSTMENTS:
        return ()
    return rule_hooks(view.variant).default_builds(view.variant, view.position, view.power)


def converted(view: PowerView) -> list[dict[str, object]]:
    """Return the units of `power` that could be converted, each with the lines that would do it."""
    owed = view.owed
    if owed is None or not owed.conversions:
        return []
    ordered = set(map(place, view.orders))
    legal = legal_orders(view.variant, view.position, view.power, view.rulebook)
    return [
        {
            "unit": str(unit),
            "name": Wording(unit, view.variant),
            "lines": [str(order) for order in legal.get(unit, ()) if isinstance(order, Build)],
        }
        for unit in owed.conversions
        if unit.province not in ordered
    ]


def limits(view: PowerView) -> list[dict[str, object]]:
    """Return how many more units of each limited kind `power` may build, besides those it has
    ordered."""
    owed = view.owed
    if owed is None or not owed.builds:
        return []
    ordered = [each.unit.kind for each in view.orders if isinstance(each, Build)]
    found = []
    variant, limit = view.variant, rule_hooks(view.variant).build_limit
    for kind in variant.board.kinds.values():
        allowed, _ = limit(variant, view.position, view.power, kind)
        if allowed is not None and (allowed or not kind.launches):
            left = max(allowed - ordered.count(kind.letter), 0)
            found.append({"name": kind.name, "plural": kind.plural, "left": left})
    return found


def _earns_arsenal(view: PowerView) -> bool:
    """Return whether what `power` has ordered lets it build an arsenal later: that all its units
    hold."""
    owed = view.owed
    if rule_hooks(view.variant).after_moves is not earned or owed is None or not owed.units:
        return False
    holding = {each.unit.province for each in view.orders if isinstance(each, Hold)}
    return all(unit.province in holding for unit in owed.units)


def samples(view: PowerView) -> list[Sample]:
    """Return lines a newcomer can copy, made of their own units, with what they mean."""
    owed = view.owed
    if owed is None:
        return []
    position, variant = view.position, view.variant
    if position.phase.kind is Kind.MOVEMENT:
        return _sample_moves(view, _idle(view))
    if position.phase.kind is Kind.RETREATS:
        idle = _idle(view)
        for each in position.dislodged.get(view.power, ()):
            if each.retreats and each.unit in idle:
                to = each.retreats[0]
                retreat = Wording(Retreat(each.unit, to), variant)
                return [
                    Sample(f"{each.unit} R {to}", retreat),
                    Sample(f"D {each.unit}", Message("or it disbands")),
                ]
        return []
    if owed.removals:
        ordered = set(map(place, view.orders))
        return [
            Sample(f"D {unit}", Message("{unit} is disbanded", {"unit": Wording(unit, variant)}))
            for unit in position.units[view.power]
            if unit.province not in ordered
        ][:1]
    changes = _sample_conversions(view)
    if not owed.builds:
        return changes
    builds = [
        Sample(f"B {unit}", Message("a new {unit}", {"unit": Wording(unit, variant)}))
        for unit in _one_of_each_kind(_builds(view))[: owed.builds]
    ]
    if taps(view):  # which tell how to waive
        return [*builds, *changes]
    waive = Sample(_waiving(view), Message("builds you do not want are left out"))
    return [*builds, *changes, waive]


def _one_of_each_kind(units: Sequence[Unit]) -> list[Unit]:
    """Return the first unit of each kind, each in a place of its own where that can be."""
    found: dict[str, Unit] = {}
    for unit in units:
        taken = {each.province for each in found.values()}
        if unit.kind not in found and unit.province not in taken:
            found[unit.kind] = unit
    return list(found.values())


def _sample_conversions(view: PowerView) -> list[Sample]:
    """Return a line that converts one of the units that can be converted."""
    legal = legal_orders(view.variant, view.position, view.power, view.rulebook)
    ordered = set(map(place, view.orders))
    for unit in view.due.conversions:
        for order in legal.get(unit, ()):
            if isinstance(order, Build) and unit.province not in ordered:
                return [Sample(str(order), Wording(Conversion(unit, order.unit), view.variant))]
    return []


def _sample_moves(view: PowerView, units: Sequence[Unit]) -> list[Sample]:
    variant = view.variant
    lines = []
    mover, to, helper = _attack(view, units)
    if mover is not None:
        lines.append(Sample(f"{mover} - {to}", Wording(Move(mover, to), variant)))
    if helper is not None:
        means = Message("{unit} supports that move", {"unit": Wording(helper, variant)})
        lines.append(Sample(f"{helper} S {mover} - {to}", means))
    lines += _sample_bomb(view, units)
    others = [unit for unit in units if unit not in (mover, helper)] or units[-1:]
    if others:
        means = Message("{unit} holds, it stays", {"unit": Wording(others[-1], variant)})
        lines.append(Sample(f"{others[-1]} H", means))
    return lines


def _sample_bomb(view: PowerView, units: Sequence[Unit]) -> list[Sample]:
    """Return a bomb that one of the units can launch, not on its own power's units and centers."""
    position, variant = view.position, view.variant
    for unit, targets in _bombed(view, units).items():
        mine = {each.province for each in position.units.get(view.power, ())}
        mine.update(position.centers.get(view.power, ()))
        for target in targets:
            if target not in mine:
                bomb = Launch(unit, target)
                return [Sample(str(bomb), Wording(bomb, variant))]
    return []


def _attack(view: PowerView, units: Sequence[Unit]) -> tuple[Unit | None, str, Unit | None]:
    """Return the move of one of the units that is worth most, supported by another one if
    possible."""
    board = view.variant.board
    steps = {unit: sorted(places) for unit, places in _steps(view, units).items()}
    moves = [(_worth(view, unit, to), unit, to) for unit in steps for to in steps[unit]]
    most = max((worth for worth, *_ in moves), default=0)
    best = [(unit, to) for worth, unit, to in moves if worth == most]
    for mover, to in best:
        if not board.kind(mover.kind).supported:
            continue
        for helper in units:
            reach = {province_of(place) for place in board.steps(helper.kind, helper.location)}
            if helper != mover and province_of(to) in reach and helper.province != province_of(to):
                return mover, to, helper
    return (*best[0], None) if best else (None, "", None)


def _worth(view: PowerView, unit: Unit, to: str) -> int:
    """Return how much a move is worth, as far as everybody in the game knows: most into a center
    that nobody owns, and least onto a unit or, in the first year, into a center of another."""
    board, position, variant = view.variant.board, view.position, view.variant
    power, blind = view.power, view.state.settings.blind
    seen = [power] if blind else variant.powers
    taken = {each.province for one in seen for each in position.units.get(one, ())}
    owned = {center for one in seen for center in position.centers.get(one, ())}
    if province_of(to) in taken:
        return 0
    if province_of(to) not in board.centers or blind:
        further = {province_of(place) for place in board.steps(unit.kind, to)}
        return 2 + (not further.isdisjoint(set(board.centers) - owned))
    if province_of(to) not in owned:
        return 5
    foreign = province_of(to) not in position.centers.get(power, ())
    return 1 if not foreign or position.phase.year == variant.start_phase.year else 4
