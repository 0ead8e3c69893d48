"""Keep the orders of a message that are for later phases."""

from __future__ import annotations

from judge.game.orders import advance
from judge.game.orders.interpret import InterpretedOrder
from judge.game.orders.later import LaterLine, Path, path_text
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.intake.authentication import prove
from judge.intake.context import Cursor, Report
from judge.intake.lines import Line
from judge.limits import BOUNDS
from judge.rules.phase import Kind, Phase
from judge.sentences import Wording
from judge.storage import InboundMessage


def keep_order(
    cursor: Cursor, report: Report, state: State, line: Line, asked: InterpretedOrder
) -> Answer:
    """Keep an order for a later phase, and say so. Raises Refused."""
    assert line.later is not None
    if asked.power is None:
        raise Refused("whose_order")
    prove(cursor, state)
    _add(
        report, cursor.mail, state, asked.power, line.later, LaterLine(asked.read or "", line.path)
    )
    facts = {
        "words": Wording(asked.order, state.variant),
        "power": asked.power,
        "phase": str(line.later),
        "condition": path_text(line.path),
    }
    return Answer("order_ahead", facts)


def keep_wait(cursor: Cursor, report: Report, call: Line, wait: bool) -> Answer | None:
    """SET WAIT or SET NO WAIT below PHASE; None where it is for the phase that is open. Raises
    Refused."""
    if call.later is None:
        return None
    state = cursor.here()
    powers = cursor.powers()
    if not powers:
        raise Refused("players_only", game=state.game.name)
    for power in powers:
        if wait:
            _add(report, cursor.mail, state, power, call.later, LaterLine(advance.WAIT, call.path))
        else:
            kept = [
                row for row in advance.rows(state, power, call.later) if row.text != advance.WAIT
            ]
            _put(cursor.mail, state, power, call.later, kept)
    return Answer("wait_ahead", {"wait": wait, "phase": str(call.later)})


def clear(cursor: Cursor, mail: InboundMessage, state: State, phase: Phase | None) -> int:
    """Drop what the writer's powers have sent ahead, for one phase or for all; how many lines."""
    count = 0
    for seat in cursor.playing():
        assert seat.power is not None
        for later, kept in state.sheets.ahead(seat.power).items():
            if phase in (None, later):
                count += len(kept)
                _put(mail, state, seat.power, later, [])
    return count


def _put(
    mail: InboundMessage, state: State, power: str, phase: Phase, kept: list[LaterLine]
) -> None:
    """Make these all that a power has on file for a later phase."""
    texts = [str(row) for row in kept]
    state.on_file.replace(str(phase), power, texts, arrived_at=mail.received_at, mail_id=mail.id)


def _add(
    report: Report, mail: InboundMessage, state: State, power: str, phase: Phase, row: LaterLine
) -> None:
    """Add a row. A mail that names a unit says all there is to say about it in that phase; a mail
    with builds or removals, all there is to say about the phase. Raises Refused."""
    where = advance.row_place(state, row, phase)
    kept = advance.rows(state, power, phase)
    adjusts = phase.kind is Kind.ADJUSTMENTS and where != advance.WAIT
    begun = (state.game.id, power, str(phase), "" if adjusts else where)
    if begun not in report.renewed:
        report.renewed.add(begun)
        kept = [
            each
            for each in kept
            if not (adjusts and each.text != advance.WAIT)
            and advance.row_place(state, each, phase) != where
        ]
    rivals = [each for each in kept if advance.row_place(state, each, phase) == where]
    if where not in (None, advance.WAIT) and advance.first_counts(state):
        for each in rivals:
            if _is_within(row.path, each.path):
                if each.text == row.text:
                    return
                raise Refused("first_counts", earlier=each.text)
    else:
        gone = [each for each in rivals if _is_within(each.path, row.path)]
        kept = [each for each in kept if each not in gone]
    if len(kept) >= BOUNDS.ahead:
        raise Refused("too_many_ahead", most=BOUNDS.ahead)
    _put(mail, state, power, phase, [*kept, row])


def _is_within(path: Path, outer: Path) -> bool:
    """Return whether what stands in `path` counts only where what stands in `outer` does."""
    return path[: len(outer)] == outer
