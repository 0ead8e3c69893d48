"""What might be, or might have been: WHAT IF tries orders out, EXPLAIN GAME looks for better ones,
CREATE ... SOLO and FORK make private boards."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge import render
from judge.commands.information import past_named
from judge.commands.joining import alone_settings
from judge.commands.names_meant import new_game
from judge.events import EventKind
from judge.game import phases
from judge.game.explained import explained
from judge.game.orders.consistency import foretold
from judge.game.orders.order_context import OrderContext
from judge.game.people import lateness
from judge.game.rollbacks import played
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import JudgeProfile
from judge.game.state.settings import of_board
from judge.game.visibility.eyes import Eyes
from judge.intake.authorization import check_welcome, ensure_registered
from judge.intake.command import CommandTable, summary
from judge.intake.context import Cursor, Fate, Log, MessageContext, Report
from judge.intake.lines import Line, is_talk, read_lines
from judge.intake.second_thoughts import counting
from judge.language.misreadings import ReadError
from judge.language.phase_names import read_phase
from judge.rules.orders import Order
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, of_phase
from judge.storage import Condition, GameState, Storage

# WHAT IF: orders for anybody, tried out in what the reader knows

_TRIED = "what if"
"""What the log says of one; that is how they are counted."""


def what_if(context: MessageContext, call: Line) -> Answer:
    state, phase, more = _game_and_phase(context.cursor, context.storage, call.arguments)
    seen = context.cursor.eyes(state)
    blind = not seen.all
    position = _seen_by(state, phase, seen, _TRIED)
    variant = of_phase(state.variant, position.phase)
    written = "\n".join([more, *call.block])
    lines, orders = read_orders(variant, position, state.rulebook, written)
    unread = _unread(context.report, lines)
    if not orders:
        raise Refused("nothing_tried", write="WHAT IF A Par - Bur", problems=unread)
    _count(context.cursor, context.profile, context.now, context.log)
    after, report, found = foretold(variant, position, orders, state.rulebook)
    told = {
        power: [line for line in given if line["given"] or not line["done"]]
        for power, given in report["orders"].items()
    }
    report["orders"] = {power: given for power, given in told.items() if given}
    board = seen.trial(position, after, report["orders"])
    facts = {"game": state.game.name, "phase": str(position.phase), "problems": unread}
    return Answer("what_if", facts | found | {"blind": blind, "board": board})


def _game_and_phase(cursor: Cursor, storage: Storage, text: str) -> tuple[State, str, str]:
    """Return the game and the phase that stand behind WHAT IF, and what follows: an order."""
    name, _, rest = text.strip(" .?!:").partition(" ")
    if name and storage.games.by_name(name) is not None:
        state, text = cursor.game_named(name), rest
    else:
        state = cursor.here()
    try:
        read_phase(text.strip(" .?!:"), state.variant)
    except ReadError:
        return state, "", text
    return state, text, ""


def _seen_by(state: State, phase: str, seen: Eyes, command: str) -> Position:
    """Return a position of a game, the open one by default, as far as the reader sees it. Raises
    Refused where they see nothing, or it has no such phase."""
    if not seen.all and not seen.powers:
        raise Refused("players_only", game=state.game.name, would=summary(command))
    past = past_named(state, seen, phase)
    position = past.position if past else seen.opened
    known = seen.known(position)
    # What others build or remove depends on centers out of sight.
    hides = known is not position and position.phase.kind is Kind.ADJUSTMENTS
    return seen.own(known) if hides else known


def read_orders(
    variant: Variant, position: Position, rulebook: Rulebook | None, text: str
) -> tuple[list[Line], dict[str, list[Order]]]:
    """Read orders for all powers in a position, as orders in a message are read; return the lines,
    and by power those that can be carried out, the last one of each unit."""
    powers = tuple(variant.powers)
    turn = OrderContext(variant, position, rulebook, powers, conditions=False, proxies=False)
    lines = list(read_lines(text, CommandTable(()), lambda: turn)) if text.strip() else []
    counted = counting(lines).items()
    asked = {power: [each.asked.order for each in given if each.asked] for power, given in counted}
    return lines, {power: orders for power, orders in asked.items() if power}


def _unread(report: Report, lines: Sequence[Line]) -> list[dict[str, object]]:
    """Return the lines that are no orders, and why; courtesies need no word."""
    talk = [line for line in lines if is_talk(line)]
    fates = report.sheet.fates_of(talk)
    unread = {id(line) for line, fate in zip(talk, fates, strict=True) if fate is Fate.NOTHING}
    return [
        {
            "line": line.text,
            "text": render.answer(line.problem.code, line.problem.facts) if line.problem else "",
            "write": line.offers,
        }
        for line in lines
        if line.problem is not None or id(line) in unread
    ]


def _count(cursor: Cursor, profile: JudgeProfile, now: datetime, log: Log) -> None:
    """Count an answer of this person. Raises Refused where there were enough in a day."""
    me, most = cursor.sender.person, profile.limits.what_if
    assert me is not None
    lately = cursor.storage.events.lately(_TRIED, now - timedelta(days=1))
    if sum(each.facts["by"] == me.id for each in lately) >= most:
        raise Refused("too_many_tried", most=most)
    log.of(None, _TRIED, {"by": me.id})


# EXPLAIN GAME: where a game turned


def explain_game(
    cursor: Cursor, profile: JudgeProfile, now: datetime, log: Log, call: Line
) -> Answer:
    state = cursor.game_meant(call.arguments)
    # First, as it takes long to find an answer.
    _count(cursor, profile, now, log)
    return Answer("explained", explained(state, cursor.eyes(state)))


# FORK: play on alone from a phase of a game


def fork(context: MessageContext, call: Line) -> Answer:
    old, phase, _ = _game_and_phase(context.cursor, context.storage, call.arguments)
    if old.game.state == GameState.ENDED and not phase:
        ran = played(old)
        write = f"FORK {old.game.name} {ran[-1] if ran else old.game.phase}"
        raise Refused("fork_of_what", write=write, game=old.game.name, ran=ran)
    # Nothing but a position goes along: no orders on file, no press, nobody who plays.
    position = _seen_by(old, phase, context.cursor.eyes(old), "fork")
    there = (position.units, position.dislodged, position.centers)
    if not any(any(each.values()) for each in there):
        raise Refused("nothing_to_fork", game=old.game.name)
    check_welcome(context.cursor, context.profile, context.incoming)
    blind = not context.cursor.eyes(old).all
    state = _alone_from(context, old, position)
    facts = {"phase": str(position.phase), "old": old.game.name, "blind": blind}
    return Answer("forked", {"game": state.game.name, **facts})


def _alone_from(context: MessageContext, old: State, position: Position) -> State:
    """Return a game of the sender alone that begins with a position of another one."""
    person, secret = ensure_registered(context), context.storage.tickets.secret
    number = hmac.new(secret, f"fork {context.mail.id}".encode(), hashlib.sha256).hexdigest()
    settings = replace(alone_settings(context.sender.zone), **of_board(old.settings))
    # Anyone who knows the name of a game can look at it: nobody else is to guess this one.
    state = new_game(
        context.cursor,
        context.profile,
        context.now,
        context.seed,
        f"solo{number[:8]}",
        old.game.variant,
        settings,
    )
    game = state.game
    game.rulebook, game.state, game.started_at = old.game.rulebook, GameState.ACTIVE, context.now
    for power in state.variant.powers:
        if power in state.variant.standing:
            lateness.vacate(state, power, Condition.DUMMY, context.now)
        else:
            lateness.succeed(state, power, person, context.now)
    state.open(position)
    phases.open_phase(state, context.now, None)
    state.tell(EventKind.START, {"draw": None, "numbers": []})
    context.cursor.enter(state)
    context.log("forked", {"from": old.game.name, "phase": str(position.phase)})
    return state
