"""OFFICIAL: a notice to everybody in the master's name."""

from __future__ import annotations

from judge.events import EventKind
from judge.game.state.answers import Answer, Refused
from judge.game.visibility.press import MASTER
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import Press, Role


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    subject = " ".join(call.arguments.split())[:_LONGEST]
    text = "\n".join(call.block).strip("\n")
    if not text.strip():
        raise Refused("official_empty", write=f"OFFICIAL {subject or 'House rules'}")
    context.storage.press.add(
        Press(
            game_id=state.game.id,
            phase=state.game.phase,
            sender_id=next(
                (seat.id for seat in context.cursor.mine() if seat.role == Role.MASTER), 0
            )
            or None,
            from_label=MASTER,
            to=["All"],
            text=text,
            public=True,
            sent_at=context.now,
            subject=subject,
        )
    )
    context.log("official", {"subject": subject})
    context.tell(EventKind.OFFICIAL, {"about": subject, "text": text})
    return Answer("official", {"game": state.game.name, "about": subject, "text": text})


_LONGEST = 100
"""Characters of a subject."""

COMMAND = Command(
    words=("official",),
    who="masters",
    summary="a notice to everybody in the master's name",
    help=(
        "Its subject stands on the line, its text in the lines below, up to END or the end of the "
        "mail. HISTORY shows it like a broadcast."
    ),
    usage="subject",
    example="OFFICIAL House rules\nNo deals across games, please.\nEND",
    run=run,
    ends=("end", "endofficial"),
    group="masters",
)
