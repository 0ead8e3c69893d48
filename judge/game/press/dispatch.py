"""Press on its way: kept, worded for each reader, and sent out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from judge.events import EventKind, Reader
from judge.game.people.contact import hears
from judge.game.press.recipients import Recipients, everybody
from judge.game.press.rules import Manner
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.visibility.grey import plain
from judge.game.visibility.press import (
    ANONYMOUS,
    heading,
    is_broadcast,
    label,
    tells_truth,
    true_labels,
    writer_seat,
)
from judge.storage import Person, Press, PressColor, Role, Seat

if TYPE_CHECKING:
    from judge.intake.context import MessageContext


def deliver(
    context: MessageContext,
    state: State,
    to: Recipients,
    manner: Manner,
    lines: Sequence[str],
    subject: str = "",
    held: bool = False,
) -> dict[str, object]:
    """Send a message; the facts of the copy its sender gets, which shows what others see. Raises
    Refused when it is empty, or one too many in an hour.

    `subject` is that of the conversation, "" for one that begins. `held`: it waits for the results.
    """
    grey = manner.color == PressColor.GREY
    sender = context.cursor.seats
    text = "\n".join(lines).strip("\n")
    if grey:
        text = plain(text, _names(context, state, sender))
    if not text.strip():
        raise Refused("press_empty")
    most = context.house.limits.press
    ids = [seat.id for seat in sender]
    if context.storage.press.lately(ids, context.now - timedelta(hours=1)) >= most:
        raise Refused("press_too_often", most=most)
    seat = next((s for s in sender if s.role == Role.PLAYER), sender[0])
    who = label(state, sender)
    press = context.storage.press.add(
        Press(
            game_id=state.game.id,
            phase=state.game.phase,
            sender_id=seat.id,
            from_label=ANONYMOUS if grey else who,
            to=list(manner.shown),
            color=manner.color,
            text=text,
            public=to.public,
            sent_at=context.now,
            subject="" if grey else subject,
            seats=[each.id for each in to.seats],
            held=held,
            overseen=state.game.moderated and state.settings.all_press,
        )
    )
    if not held:
        send_out(state, press, context.mail.id, but=context.sender.person)
    return {
        "sender": who,
        "grey": grey,
        "to": list(press.to),
        "public": is_broadcast(press),
        "truth": None if tells_truth(state, press) else true_labels(state, press),
        "held": held,
        "text": text,
        "unknown": ANONYMOUS in press.to,
    }


def _names(context: MessageContext, state: State, sender: Sequence[Seat]) -> list[str]:
    """What the writer may be called, in his text or by his mail program."""
    names = [context.incoming.sender, context.incoming.sender_name or "", label(state, sender)]
    for person in {person.id: person for person in _people(context, state, sender)}.values():
        names += [person.name, *person.name.split()]
        names += [each.address for each in context.storage.people.addresses(person.id)]
    return names


def _people(context: MessageContext, state: State, sender: Sequence[Seat]) -> list[Person]:
    people = [state.person(seat) for seat in sender if seat.person_id is not None]
    return people if context.sender.person is None else [*people, context.sender.person]


def send_out(
    state: State,
    press: Press,
    mail_id: int | None = None,
    but: Person | None = None,
) -> None:
    """The letters that carry a message; none to `but`, who has just written it."""
    reached = {seat.person_id for seat in state.seats if seat.id in press.seats}
    watching = {seat.person_id for seat in state.active(Role.MASTER)} if press.overseen else set()
    for person_id in state.everybody():
        if but is not None and person_id == but.id:
            continue
        wanted = person_id in reached and hears(state, person_id, EventKind.PRESS)
        if wanted or person_id in watching:
            facts = heading(state, press, person_id) | {"copy": person_id not in reached}
            state.tell(EventKind.PRESS, facts, to=Reader(person_id), mail_id=mail_id, press=press)


def release(state: State, now: datetime) -> None:
    """Send the broadcasts that have waited for the results of a phase."""
    for press in state.storage.press.held(state.game.id):
        seats = [seat.id for seat in everybody(state).seats]
        sent = replace(press, sent_at=now, seats=seats)
        state.storage.press.release(sent)
        send_out(state, sent, but=_writer(state, sent))


def _writer(state: State, press: Press) -> Person | None:
    seat = writer_seat(state, press)
    return None if seat is None or seat.person_id is None else state.person(seat)
