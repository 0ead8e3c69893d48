"""An answer to press: the text goes on as press, the orders and commands among it are followed.

Which line is which says `judge.intake.gate`. What may be meant for the judge is kept back, and its
writer is told how to send it as press.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from judge.game.orders.interpret import OrderContext
from judge.game.press import recipients as press
from judge.game.press.dispatch import Manner, Writer, deliver, settle
from judge.game.press.recipients import Head, Recipients
from judge.game.state import State
from judge.game.state.answers import Answer, LineResult, Refused
from judge.game.visibility.press import ANONYMOUS, is_hidden_from
from judge.intake.authentication import prove, shown
from judge.intake.context import Fate, MessageContext
from judge.intake.gate import Told, ends_press, is_marked, press_lines, tell_apart
from judge.intake.lines import meant
from judge.intake.offers import offer
from judge.intake.reading import desk_of, work_through
from judge.storage import GameState, Press, PressColor, Seat

Find = Callable[[State, Press, Sequence[Seat]], Recipients]


def answer_press(context: MessageContext, state: State, written: Press, to_all: bool) -> None:
    """Work a mail that answers press; what came of it is in `context.report`."""
    text = context.report.sheet.rest()

    def desk() -> OrderContext:
        return desk_of(context)

    if not any(map(meant, text.splitlines())) or is_marked(text, context.table, desk):
        work_through(context)
        return
    plays = state.game.state == GameState.ACTIVE and bool(context.cursor.playing())
    find = press.to_all if to_all else press.to_writer
    to: tuple[str, ...] = ()
    with suppress(Refused):
        found = find(state, written, context.cursor.seats)
        # Where it goes to some, and they are known.
        to = () if found.public or ANONYMOUS in found.labels else found.labels
    told = tell_apart(text.splitlines(), context.table, desk, plays, to)
    # The subject that the conversation has, as its next letter bears it.
    subject = shown(context, " ".join(context.incoming.subject.split()))
    if subject:
        begun = "JUDGE:" in subject
        subject = f"Re: {subject}" if begun else f"JUDGE:{state.game.name} - {subject}"
    if told.ours:
        work_through(context, told.ours)
    else:
        # Press has no attachments: the reply names what went nowhere.
        context.report.sheet.add(context.incoming.attached)
    if context.cursor.state is not state or not context.cursor.seats:
        # A line of it ended their seat (RESIGN).
        return
    _settle(context, told.sent, lambda: _send(context, state, find, written, told, subject))
    _settle(context, told.kept, lambda: _keep(context, state, find, written, told))


def _settle(
    context: MessageContext, rows: Mapping[int, str], act: Callable[[], tuple[Fate, LineResult]]
) -> None:
    """Do something with rows that have text, and give them the fate that came of it."""
    if not (lines := list(press_lines(rows))):
        return
    fate, result = act()
    context.report.results.append(result)
    for line in lines:
        context.report.sheet.give(line, fate, result)


def _send(
    context: MessageContext, state: State, find: Find, written: Press, told: Told, subject: str
) -> tuple[Fate, LineResult]:
    lines = list(told.sent.values())
    facts: dict[str, object] = {"taken": len(told.ours)}
    try:
        to = find(state, written, context.cursor.seats)
        # Replies to unsigned press stay unsigned unless the writer says otherwise.
        unsigned = is_hidden_from(state, written, context.cursor.seats)
        color = PressColor.GREY if unsigned else None
        manner = settle(state, context.cursor.seats, to, Head(color, ""), context.now)
        prove(context, state, press=True)
        context.report.came.add(state.game.id)
        sent = send_press(context, state, to, manner, lines, subject)
    except Refused as refused:
        facts = {"back": "\n".join(lines).strip("\n"), "why": refused.code, **refused.facts}
        answer = Answer("press_refused", facts)
        return Fate.NOTHING, LineResult("", "refused", answer, "PRESS", refused.offers)
    return Fate.SENT, LineResult("", "command", Answer("answered_press", facts | sent), "PRESS")


def _keep(
    context: MessageContext, state: State, find: Find, written: Press, told: Told
) -> tuple[Fate, LineResult]:
    """Keep back what may be meant for the judge, and ask whether to send it as press."""
    text = "\n".join(each for each in told.kept.values() if not ends_press(each)).strip("\n")
    facts = told.facts | {"to": [], "back": text}
    try:
        to = find(state, written, context.cursor.seats)
    except Refused as refused:
        answer = Answer("press_refused", facts | {"why": refused.code, **refused.facts})
        return Fate.NOTHING, LineResult("", "refused", answer, "PRESS", refused.offers)
    if ANONYMOUS in to.labels:
        # No line of press names them.
        return Fate.NOTHING, LineResult("", "refused", Answer("kept_back", facts), "PRESS")
    grey = "GREY " if is_hidden_from(state, written, context.cursor.seats) else ""
    head = f"BROADCAST {grey}" if to.public else f"PRESS {grey}TO {', '.join(to.labels)}"
    answer = Answer("kept_back", {**told.facts, "to": to.labels, "text": text})
    lines = f"{head.strip()}\n{text}\nENDPRESS"
    return Fate.ASKED, offer(context, lines, answer=answer, lasting=True)


def send_press(
    context: MessageContext,
    state: State,
    to: Recipients,
    manner: Manner,
    lines: Sequence[str],
    subject: str = "",
    held: bool = False,
) -> dict[str, object]:
    """Send press from the sender's seats, as `judge.game.press.dispatch.deliver` does."""
    incoming = context.incoming
    writer = Writer(
        seats=context.cursor.seats,
        person=context.sender.person,
        names=(incoming.sender, incoming.sender_name or ""),
        mail_id=context.mail.id,
        most=context.profile.limits.press,
        most_letters=context.profile.limits.letters,
    )
    return deliver(state, writer, to, manner, lines, context.now, subject, held)
