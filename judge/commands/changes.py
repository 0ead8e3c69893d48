"""Orders changed by what was there before: CANCEL, SAME AS LAST TIME, UNDO, and CLEAR NOW."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from judge.commands.names_meant import reading
from judge.commands.phase_commands import active, place_named
from judge.game.orders.again import repeated
from judge.game.orders.interpret import InterpretedOrder, ask
from judge.game.orders.order_context import OrderContext, order_context
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.sheet import worded
from judge.intake import ahead
from judge.intake.authentication import prove
from judge.intake.context import Cursor, Report
from judge.intake.lines import Line
from judge.intake.reading import put_on_file, refile
from judge.language.phase_names import read_phase
from judge.rules.orders import Order, Unreadable, order_text, place
from judge.rules.variant import Variant
from judge.storage import InboundMessage


def clear_now(cursor: Cursor, report: Report, now: datetime, call: Line) -> Answer:
    state = active(cursor)
    count = 0
    for power in cursor.powers():
        count += len(cursor.eyes(state).power_view(power).orders)
        refile(report, cursor.mail, now, state, power, [])
    return Answer("cleared", {"phase": state.game.phase, "count": count})


def clear_later(cursor: Cursor, report: Report, now: datetime, call: Line) -> Answer:
    state = active(cursor)
    phase = None
    if call.arguments.strip(" ."):
        with reading("CLEAR F1903M", state.variant):
            phase = read_phase(call.arguments, state.variant)
        if phase == state.open_phase:
            return clear_now(cursor, report, now, call)
    count = ahead.clear(cursor, cursor.mail, state, phase)
    return Answer("cleared_ahead", {"phase": phase and str(phase), "count": count})


def are_orders(text: str, variant: Variant) -> bool:
    """Return whether a text is an order, or several."""
    found = ask(text, OrderContext(variant))
    return bool(found) and all(each.kind == "order" for each in found)


def _open(cursor: Cursor, call: Line) -> State:
    """Return the game of a line whose orders for the open phase can be changed. Raises Refused."""
    state = active(cursor)
    if call.later is not None:
        raise Refused("not_for_later", write=f"CLEAR {call.later}", phase=str(call.later))
    cursor.check_in_time(state)
    prove(cursor, state)
    return state


# CANCEL: one order off the file


def cancel(cursor: Cursor, report: Report, now: datetime, call: Line) -> Answer:
    state, powers = _open(cursor, call), cursor.powers()
    turn, text, kind = order_context(state, powers), call.arguments, state.open_phase.kind
    order: Order | None = None
    try:
        where: str | None = place_named(text, turn)
    except Refused as unknown:
        order = next(_read(text, state, powers), None)
        if order is None:
            raise unknown from None
        where = place(order)
    for power in powers:
        on_file = cursor.eyes(state).power_view(power)
        for there in on_file.orders:
            if place(there) != where or (where is None and there != order):
                continue
            if order is not None and order != there:
                said = order_text(there, kind)
                raise Refused("other_on_file", write=f"CANCEL {said}", order=said)
            kept = [each for each in on_file.orders if each != there]
            refile(report, cursor.mail, now, state, power, kept)
            report.ordered.pop((state.game.id, power, where or ""), None)
            words = worded(state.variant, there, on_file.owed)
            return Answer("cancelled", {"words": words})
    raise Refused("nothing_on_file", write="STATUS")


def _read(text: str, state: State, powers: tuple[str, ...]) -> Iterator[Order]:
    """Yield what a text orders in the open phase, if it can be read."""
    for power in powers:
        order = state.order_of(power, text)
        if not isinstance(order, Unreadable):
            yield order


# SAME AS LAST TIME: what is on file stays, or the last phase's orders are given again


def same(cursor: Cursor, report: Report, now: datetime, call: Line) -> Answer:
    state, powers = _open(cursor, call), cursor.powers()
    instead = _instead(state, powers, call.arguments)
    facts: dict[str, object] = {"phase": None, "count": 0, "gone": []}
    if not any(cursor.eyes(state).power_view(power).orders for power in powers):
        facts |= _again(report, cursor.mail, now, state, powers)
    for each in instead:
        put_on_file(cursor, report, now, state, each)
    views = {power: cursor.eyes(state).power_view(power) for power in powers}
    facts["instead"] = [
        worded(state.variant, each.order, views[each.power].owed if each.power in views else None)
        for each in instead
    ]
    return Answer("same", facts)


def _instead(state: State, powers: tuple[str, ...], text: str) -> list[InterpretedOrder]:
    """Return the orders behind BUT. Raises Refused where one of them cannot be given."""
    word, _, rest = text.strip(" ,.;:!").partition(" ")
    text = rest if word.lower().strip(",") in ("but", "except", "with") else text
    if not text.strip(" .!"):
        return []
    found = ask(text, order_context(state, powers))
    if found and all(each.kind == "order" and not each.problem for each in found):
        return found
    problem = next((each.problem for each in found if each.problem), None)
    why = problem and problem.facts.get("problem")
    raise Refused("unread_instead", write="SAME AS LAST TIME", text=text, problem=why)


def _again(
    report: Report, mail: InboundMessage, now: datetime, state: State, powers: tuple[str, ...]
) -> dict[str, object]:
    """Give the orders of the last phase of this kind again, as far as they can be given."""
    found = repeated(state, powers)
    if found is None:
        raise Refused("no_last_time")
    for power, good in found.orders.items():
        refile(report, mail, now, state, power, good)
    count = sum(map(len, found.orders.values()))
    return {"phase": found.phase, "count": count, "gone": found.gone}


# UNDO: what was on file before the last message that changed it


def undo(cursor: Cursor, report: Report, now: datetime, call: Line) -> Answer:
    state, powers = _open(cursor, call), cursor.powers()
    kept = state.game.options.earlier
    before = {
        power: found
        for power in powers
        if (found := kept.get(power)) and found.phase == state.game.phase
    }
    if not before:
        raise Refused("nothing_to_undo", write="STATUS")
    last = max(each.mail for each in before.values())
    count = 0
    for power, found in before.items():
        if found.mail != last:
            continue
        read = [state.order_of(power, text) for text in found.orders]
        count += len(read)
        refile(report, cursor.mail, now, state, power, read)
        for key in [key for key in report.ordered if key[:2] == (state.game.id, power)]:
            del report.ordered[key]
    return Answer("undone", {"count": count, "phase": state.game.phase})
