"""Press on its way: stored, and told to each of its readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

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


@dataclass(frozen=True, kw_only=True)
class Writer:
    """Who writes press, in which message.

    Attributes:
        seats: As whom they write.
        person: Who they are, if they are on file.
        names: What their mail program calls them, addresses among it.
        mail_id: The message it came in.
        most: How many messages their seats may send in an hour.
    """

    seats: Sequence[Seat]
    person: Person | None
    names: Sequence[str]
    mail_id: int
    most: int


def deliver(
    state: State,
    writer: Writer,
    to: Recipients,
    manner: Manner,
    lines: Sequence[str],
    now: datetime,
    subject: str = "",
    held: bool = False,
) -> dict[str, object]:
    """Send a press message, and return the facts of its sender's copy, which shows what others see.

    `subject` is that of the conversation, "" for one that begins. A `held` one waits for the
    results. Raises Refused when it is empty, or one too many in an hour.
    """
    grey = manner.color == PressColor.GREY
    sender = writer.seats
    text = "\n".join(lines).strip("\n")
    if grey:
        text = plain(text, _names(state, writer))
    if not text.strip():
        raise Refused("press_empty")
    ids = [seat.id for seat in sender]
    if state.storage.press.lately(ids, now - timedelta(hours=1)) >= writer.most:
        raise Refused("press_too_often", most=writer.most)
    seat = next((s for s in sender if s.role == Role.PLAYER), sender[0])
    who = label(state, sender)
    press = state.storage.press.add(
        Press(
            game_id=state.game.id,
            phase=state.game.phase,
            sender_id=seat.id,
            from_label=ANONYMOUS if grey else who,
            to=list(manner.shown),
            color=manner.color,
            text=text,
            public=to.public,
            sent_at=now,
            subject="" if grey else subject,
            seats=[each.id for each in to.seats],
            held=held,
            overseen=state.game.moderated and state.settings.all_press,
        )
    )
    if not held:
        send_out(state, press, writer.mail_id, but=writer.person)
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


def _names(state: State, writer: Writer) -> list[str]:
    """Return what the writer may be called, in the text or by a mail program."""
    names = [*writer.names, label(state, writer.seats)]
    people = [state.person(seat) for seat in writer.seats if seat.person_id is not None]
    if writer.person is not None:
        people.append(writer.person)
    for person in {person.id: person for person in people}.values():
        names += [person.name, *person.name.split()]
        names += [each.address for each in state.storage.people.addresses(person.id)]
    return names


def send_out(
    state: State,
    press: Press,
    mail_id: int | None = None,
    but: Person | None = None,
) -> None:
    """Tell everyone a message is for, except `but`, who has just written it."""
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
    """Send the broadcasts that were held for the results of a phase."""
    for press in state.storage.press.held(state.game.id):
        seats = [seat.id for seat in everybody(state).seats]
        sent = replace(press, sent_at=now, seats=seats)
        state.storage.press.release(sent)
        send_out(state, sent, but=_writer(state, sent))


def _writer(state: State, press: Press) -> Person | None:
    seat = writer_seat(state, press)
    return None if seat is None or seat.person_id is None else state.person(seat)
