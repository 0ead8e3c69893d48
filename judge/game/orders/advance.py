"""Orders sent ahead of their phase: kept, listed, and read when it opens.

They stand in the table of orders under the name of their phase, each as `guards` writes
it. When the phase opens they are read like a mail that has just come in, in the same transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from judge.events import EventKind, reader
from judge.game.orders.interpret import ask
from judge.game.orders.later import LaterLine, block, is_so, read_row
from judge.game.orders.order_context import OrderContext, order_context
from judge.game.state import State
from judge.game.state.answers import Answer
from judge.i18n import Message
from judge.language.read import read_order
from judge.rules.orders import Order, order_text, place
from judge.rules.phase import Phase
from judge.sentences import Wording
from judge.storage import Ahead
from judge.storage import Order as Kept

WAIT = "SET WAIT"

Lines: TypeAlias = list[Mapping[str, Any]]
"""The lines that were sent ahead, each with what became of it, for the letter about them."""


# What is kept


def rows(state: State, power: str, phase: Phase) -> list[LaterLine]:
    """Return what `power` has sent ahead for a phase, in the order in which it will be read."""
    kept = state.on_file.of_power(power).get(str(phase), ())
    return [read_row(each.text, state.variant) for each in kept]


def first_counts(state: State) -> bool:
    """Return whether of several orders for a unit in one mail the first counts (4.D.3 a), not the
    last."""
    return state.rulebook.twice_ordered == "a"


def row_place(state: State, row: LaterLine, phase: Phase) -> str | None:
    """Return the province whose unit a row is for; WAIT for that, None for what names no unit."""
    if row.text == WAIT:
        return WAIT
    return place(read_order(row.text, state.variant, phase))


# The phase opens


def take_up(state: State, now: datetime) -> dict[str, Lines]:
    """Put on file what was sent ahead for the phase that has just opened; how it was read, by
    power.

    What was for phases that there never were is dropped and noted in `state.dropped`.
    """
    phase = state.opened.phase
    calendar = state.variant.calendar
    for power in state.variant.powers:
        for name, kept in state.on_file.of_power(power).items():
            if calendar.key(Phase.read(name)) < calendar.key(phase):
                _drop(state, power, name, kept, now)
    found = state.on_file.of_phase(str(phase))
    for power, kept in found.items():
        _note(state, power, str(phase), kept)
    return {power: _take(state, power, kept, now) for power, kept in found.items()}


def pass_over(state: State, now: datetime) -> None:
    """Drop what was sent ahead for the phase whose turn it is, since nobody has anything to decide
    in it; it is noted in `state.dropped`."""
    phase = str(state.opened.phase)
    for power, kept in state.on_file.of_phase(phase).items():
        _drop(state, power, phase, kept, now)


def _drop(state: State, power: str, name: str, kept: Sequence[Kept], now: datetime) -> None:
    _note(state, power, name, kept)
    state.on_file.replace(name, power, (), arrived_at=now)
    state.dropped.setdefault(power, []).append(name)


def _note(state: State, power: str, name: str, kept: Sequence[Kept]) -> None:
    noted = state.game.options.ahead
    mine = {**noted.get(power, {}), name: [each.text for each in kept]}
    state.note(ahead={**noted, power: mine})


def put_back(state: State, all_taken: Iterable[Ahead], now: datetime) -> None:
    """Let what was sent ahead wait for its phase again where that is still to come; of several
    versions the last one."""
    key = state.variant.calendar.key
    for taken in all_taken:
        for power, by_phase in taken.items():
            for name, lines in by_phase.items():
                if key(Phase.read(name)) > key(state.opened.phase):
                    state.on_file.replace(name, power, lines, arrived_at=now)


def _take(state: State, power: str, kept: Sequence[Kept], now: datetime) -> Lines:
    turn = order_context(state, (power,))
    lines: Lines = []
    filed: list[Order] = []
    for line in block([read_row(each.text, state.variant) for each in kept]):
        so = is_so(line.path, state.opened)
        if line.row is None:
            said = {"kind": "end"} if line.text == "ENDIF" else {"kind": "if", "so": so}
        elif not so:
            said = {"kind": "skipped"}
        elif line.text == WAIT:
            said = {"kind": "wait"}
        else:
            said = _read(state, turn, line.text, filed)
        lines.append({"line": str(line), **said})
    last = max(kept, key=lambda each: each.arrived_at)
    state.file(power, filed, last.arrived_at, last.mail_id)
    waits = any(each["kind"] == "wait" for each in lines)
    if waits and (seat := state.seats.player(power)):
        seat.wait = True
        state.seats.keep(seat)
    if filed or waits:
        state.game.last_change = now
    return lines


def _read(state: State, turn: OrderContext, text: str, filed: list[Order]) -> dict[str, Any]:
    """Read an order against the position that is open, into those `filed`; what became of it."""
    found = ask(text, turn, turn.mine[0])
    asked = found[0] if len(found) == 1 else None
    if asked is None or asked.problem is not None:
        unread = Answer("unreadable_order", {"problem": Message("it cannot be read any more")})
        problem = asked.problem if asked and asked.problem else unread
        why = Answer(problem.code, {"earlier": None, **problem.facts})
        return {"kind": "refused", "why": why, "offers": asked.offers if asked else ()}
    gone = place(asked.order)
    first = next((each for each in filed if place(each) == gone), None)
    if first is not None and gone is not None and first_counts(state):
        # All that is kept for one unit came in one mail.
        earlier = {"earlier": order_text(first, state.opened.phase.kind)}
        return {"kind": "refused", "why": Answer("first_counts", earlier), "offers": ()}
    filed[:] = [*(each for each in filed if place(each) != gone), asked.order]
    return {"kind": "taken", "words": Wording(asked.order, state.variant)}


def tell(state: State, taken: Mapping[str, Lines]) -> None:
    """Tell each player how their orders were read."""
    for power, lines in taken.items():
        if seat := state.seats.player(power):
            facts = {"power": power, "lines": lines}
            state.tell(EventKind.AHEAD, facts, to=reader(seat))


def forget(state: State, now: datetime, ran: bool) -> None:
    """Drop all that was sent ahead: the game is over.

    `ran`: it ended as a phase ran, so that what there is for the next one was sent ahead, too.
    """
    if ran:
        pass_over(state, now)
    for power in state.variant.powers:
        for name, kept in state.on_file.of_power(power).items():
            if Phase.read(name) in state.sheets.ahead(power):
                _note(state, power, name, kept)
                state.on_file.replace(name, power, (), arrived_at=now)


def forget_past(state: State, over: bool) -> None:
    """Drop what waits for phases before the open one, which count again, without a word: it was
    read as they opened. `over`: so is the game, and nothing waits for any phase."""
    key = state.variant.calendar.key
    for power in state.variant.powers:
        for name in state.on_file.of_power(power):
            if over or key(Phase.read(name)) < key(state.opened.phase):
                state.on_file.drop(name)
