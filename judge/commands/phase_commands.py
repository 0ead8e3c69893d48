"""The open phase and those to come: LEGAL MOVES, WHO IS LATE, STATUS, SET WAIT, IF, and CLEAR."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from judge.commands.lifecycle import untold_standings
from judge.game import phases
from judge.game.orders.order_context import OrderContext, order_context
from judge.game.orders.possible import goal, order_named, told
from judge.game.people.lateness import is_late
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.i18n import in_all_languages
from judge.intake.ahead import keep_wait
from judge.intake.blocks import phase_named
from judge.intake.command import summary
from judge.intake.context import Cursor, Report
from judge.intake.lines import Line
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.language.read import read_order
from judge.language.vocabulary import Vocabulary
from judge.rules.board import province_of
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build, Disband, Hold, Move, Retreat, Unreadable
from judge.rules.variant import Variant
from judge.sentences import Wording
from judge.storage import GameState, Role

# LEGAL MOVES: where units can go


def moves(cursor: Cursor, state: State, call: Line) -> Answer:
    powers = cursor.powers()
    if not powers:
        raise Refused("players_only", game=state.game.name, would=summary("legal moves"))
    turn = order_context(state, powers)
    text = call.arguments.strip(" .?!")
    assert turn.position is not None
    # Those by which a unit goes somewhere, or is built or removed.
    kinds = (Move, Retreat, Build, Disband, Hold)
    legal = {
        unit: [order for order in possible if isinstance(order, kinds)]
        for power in turn.mine
        for unit, possible in legal_orders(
            turn.variant, turn.position, power, turn.rulebook
        ).items()
    }
    facts: dict[str, object] = {"phase": str(state.phase), "to": None, "order": None}
    facts |= {"rows": [], "kind": None}
    if text and (asked := order_named(text, turn)) is not None and goal(asked[1]) is not None:
        return Answer("moves", facts | told(turn, *asked))
    if text:
        there = place_named(text, turn)
        standing = {unit: orders for unit, orders in legal.items() if unit.province == there}
        if not standing:
            facts["to"] = turn.variant.board.name(there)
            facts["kind"] = kind = Vocabulary.of(turn.variant.board).kind(text.split()[:1])
            legal = {
                unit: [order for order in orders if goal(order) == there]
                for unit, orders in legal.items()
                if kind in (None, unit.kind)
            }
        legal = standing or {unit: orders for unit, orders in legal.items() if orders}
    rows = [
        {"unit": Wording(unit, turn.variant), "orders": [str(order) for order in orders]}
        for unit, orders in legal.items()
    ]
    return Answer("moves", facts | {"rows": rows})


def is_place(text: str, variant: Variant) -> bool:
    """Return whether a text names a place, with the word for a unit or without, or an order."""
    if not isinstance(read_order(text, variant, variant.start_phase), Unreadable):
        return True
    return bool(place_named(text, OrderContext(variant)))


def place_named(text: str, turn: OrderContext) -> str:
    """Return province that a text names, with the word for a unit or without. Raises Refused."""
    names, kinds = Names.of(turn.variant), Vocabulary.of(turn.variant.board).kinds
    words = text.split()
    while len(words) > 1 and (words[0].lower() in kinds or words[0].lower() in _BEFORE):
        del words[0]
    try:
        return province_of(names.location(" ".join(words)))
    except ReadError as error:
        problem = Wording(error.problem, turn.variant)
    example = str(
        next(iter(turn.position.units.get(turn.mine[0], ())), "") if turn.position else ""
    )
    raise Refused("bad_setting", write=f"LEGAL MOVES {example}".strip(), problem=problem)


_BEFORE = frozenset(" ".join(in_all_languages("before_places")).split())


# WHO IS LATE


def late_command(cursor: Cursor, state: State) -> Answer:
    owing, powers = cursor.eyes(state).owing, cursor.powers()
    missing = state.sheets.missing()
    # Everybody was told of these.
    late = [
        power for power in missing if (seat := state.seats.holder(power)) and is_late(state, seat)
    ]
    # After the deadline the rest has sent; before it that is nobody's business.
    told = late and not state.settings.quiet
    facts = {
        "phase": str(state.phase),
        "deadline": state.game.deadline,
        "late": late if owing and not state.settings.quiet else [],
        "owing": owing,
        "sent": [each for each in owing if told and each not in missing],
        "mine": [power for power in powers if power in missing],
        "missing": bool(missing),
        "private": state.terms.private,
        "waiting": state.sheets.waiting(),
        "quiet": state.settings.quiet,
    }
    return Answer("who_is_late", facts)


# SET WAIT and SET NO WAIT: not before the deadline


def set_wait(cursor: Cursor, report: Report, now: datetime, call: Line, wait: bool) -> Answer:
    if (kept := keep_wait(cursor, report, call, wait)) is not None:
        return kept
    state = cursor.here()
    if state.game.state != GameState.ACTIVE:
        raise not_running(state)
    seats = [seat for seat in cursor.seats if seat.role != Role.OBSERVER]
    if not seats:
        raise Refused(
            "players_only",
            game=state.game.name,
            would=summary("set wait" if wait else "set no wait"),
        )
    strict = state.settings.strict_wait
    if wait and strict and not any(seat.power and state.powers.owes(seat.power) for seat in seats):
        raise Refused("strict_wait", game=state.game.name)
    asked = state.sheets.undecided()
    for seat in seats:
        says = not wait and seat.power in asked
        if cursor.eyes(state).waits(seat) != wait or says:
            seat.wait = wait
            if says:
                seat.options = replace(seat.options, content=str(state.phase))
            state.seats.keep(seat)
            state.game.last_change = now
    late = state.game.deadline is not None and state.game.deadline <= now
    facts = {
        "wait": wait,
        "game": state.game.name,
        "phase": state.game.phase,
        "private": state.terms.private,
        "late": late,
    }
    return Answer("wait", facts)


# PHASE, and IF below it: orders for phases to come


def phase_command(cursor: Cursor, call: Line) -> Answer:
    state = active(cursor)
    later = phase_named(call.arguments, OrderContext(state.variant, cursor.eyes(state).opened))
    return Answer("phase", {"phase": str(later or state.game.phase), "now": later is None})


def condition(call: Line) -> Answer:
    return Answer("condition", {"read": call.read, "later": call.later is not None})


# CLEAR: take back orders, of this phase or sent ahead for later ones


def active(cursor: Cursor) -> State:
    """Return the game of these lines, if it takes orders now. Raises Refused."""
    state = cursor.here()
    if state.game.state != GameState.ACTIVE:
        raise Refused("no_orders_now", game=state.game.name, state=state.game.state)
    return state


def status(cursor: Cursor, state: State) -> Answer:
    """Tell a keeper how a game goes; its people find that in the rest of the reply."""
    found: dict[str, object] = {"game": state.game.name, "rows": (), "standing": ()}
    if state.terms.alone and state.phase is not None:
        found["standing"] = untold_standings(cursor.eyes(state))
    if cursor.keeping is not None and state.phase is not None:
        there = filter(state.powers.alive, state.variant.powers)
        rows = [phases.how_far(state, power) for power in there]
        found |= {"rows": rows, "phase": state.game.phase, "deadline": state.game.deadline}
    return Answer("status", found | {"zone": cursor.sender.zone})
