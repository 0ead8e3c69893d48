"""An answer to press: the text goes on as press, the orders and commands among it are followed.

A line is taken as an order only if it is one, whole, for a unit of the writer's own, that can be
carried out; as a command only if it stands there as HELP prints it. The lines about other people's
units are talk. Where a line may be an order of the writer's and may be none, nothing is sent on: an
order that was told to the others cannot be taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.game.press import recipients as press
from judge.game.press.dispatch import Manner, Writer, deliver, settle
from judge.game.press.recipients import Head, Recipients
from judge.game.state import State
from judge.game.state.answers import Answer, LineResult, Refused
from judge.game.visibility.press import ANONYMOUS, is_hidden_from
from judge.intake.authentication import prove, shown
from judge.intake.context import MessageContext
from judge.intake.fates import Fate
from judge.intake.lines import Line, meant, read_lines
from judge.intake.reading import desk_of, work_through
from judge.sentences.terms import listed
from judge.storage import GameState, Press, PressColor

MARKS = (
    *("press", "broadcast", "postal press", "diary record"),
    *("sign on", "become", "create", "register", "phase"),
)
"""Commands whose writer says himself what is what in his mail."""


@dataclass(frozen=True)
class _Told:
    """The lines of a mail told apart, by rows: press, what is for the judge, what may be either."""

    said: dict[int, str]
    ours: set[int]
    doubtful: list[str]


def answer_press(context: MessageContext, state: State, written: Press, to_all: bool) -> None:
    """Work a mail that answers press; what came of it is in `context.report.results`."""
    sheet = context.report.sheet
    if not any(map(meant, sheet.rest().splitlines())) or _is_marked(context):
        work_through(context)
        return
    told = _told(context, state, sheet.rest().splitlines())
    subject = _subject(context, state)
    if told.ours:
        work_through(context, told.ours)
    text = "\n".join(told.said.values()).strip("\n")
    if not text.strip():
        return
    facts = {"back": text, "doubtful": told.doubtful, "taken": len(told.ours)}
    if context.cursor.state is not state or not context.cursor.seats:
        # A line of it was the last of his part (RESIGN).
        return
    try:
        find = press.to_all if to_all else press.to_writer
        to = find(state, written, context.cursor.seats)
        if told.doubtful:
            line = f"PRESS TO {listed(list(to.labels))}"
            raise Refused("press_doubtful", None if ANONYMOUS in to.labels else line)
        # Whoever wrote unsigned goes on so, unless he says otherwise.
        unsigned = is_hidden_from(state, written, context.cursor.seats)
        color = PressColor.GREY if unsigned else None
        manner = settle(state, context.cursor.seats, to, Head(color, ""), context.now)
        prove(context, state, press=True)
        context.report.came.add(state.game.id)
        sent = send_press(context, state, to, manner, list(told.said.values()), subject)
    except Refused as refused:
        answer = Answer("press_refused", facts | dict(refused.facts) | {"why": refused.code})
        result = LineResult("", "refused", answer, "PRESS", refused.offers)
    else:
        result = LineResult("", "command", Answer("answered_press", facts | sent), "PRESS")
    context.report.results.append(result)
    fate = Fate.NOTHING if result.kind == "refused" else Fate.SENT
    for row, said in told.said.items():
        if said.strip():
            press_line = Line(said.strip(), "press", said.strip(), rows=range(row, row + 1))
            sheet.give(press_line, fate, result)


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
    )
    return deliver(state, writer, to, manner, lines, context.now, subject, held)


def _is_marked(context: MessageContext) -> bool:
    """Whether the writer marks his press himself, or speaks of another part."""
    lines = read_lines(context.report.sheet.rest(), context.table, lambda: desk_of(context))
    return any(
        line.command is not None
        and (line.command.group == "press" or line.command.words[0] in MARKS)
        for line in lines
    )


def _told(context: MessageContext, state: State, lines: list[str]) -> _Told:
    told = _Told({}, set(), [])
    for row, written in enumerate(lines):
        text = meant(written)
        found = list(read_lines(text, context.table, lambda: desk_of(context))) if text else []
        if any(line.command and line.command.words[0] == "sign off" for line in found):
            break
        kinds = {_kind(context, state, line) for line in found}
        if kinds == {"ours"}:
            told.ours.add(row)
        elif kinds <= {"said"}:
            told.said[row] = written
        else:
            told.said[row] = written
            told.doubtful.append(text)
    return told


def _kind(context: MessageContext, state: State, line: Line) -> str:
    """What a line is: `ours`, `said` or `doubtful`."""
    if line.command is not None:
        return "ours" if _is_plain(line) else "said"
    if line.asked is None:
        return "said"
    where = line.asked.place
    owner = desk_of(context).owner(where)
    mine = {seat.power for seat in context.cursor.playing()}
    if owner is not None and owner not in mine:
        return "said"
    if line.kind == "order" and line.problem is None and owner is not None:
        return "ours"
    if line.kind == "order" and owner is None and where is not None:
        # Nobody has a unit there now, so it is no order for now.
        return "said"
    return "doubtful" if mine and state.game.state == GameState.ACTIVE else "said"


def _is_plain(line: Line) -> bool:
    """Whether a command is written so that nobody would write it to a human being."""
    assert line.command is not None
    text = " ".join(line.text.split())
    if text.isupper():
        return True
    return (
        any(" " in words and text.lower().startswith(words) for words in line.command.words)
        and len(text.split()) <= len(line.command.words[0].split()) + 3
    )


def _subject(context: MessageContext, state: State) -> str:
    """The subject the conversation has, as its next letter bears it."""
    subject = shown(context, " ".join(context.incoming.subject.split()))
    if not subject:
        return ""
    return f"Re: {subject}" if "JUDGE:" in subject else f"JUDGE:{state.game.name} - {subject}"
