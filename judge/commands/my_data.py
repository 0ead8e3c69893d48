"""MY DATA: all the judge knows of whoever asks."""

from __future__ import annotations

from datetime import timedelta

from judge.commands import personal_data
from judge.events import Event, EventKind, Reader
from judge.game.people.contact import address_of
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext

_AGAIN = timedelta(days=1)


def run(context: MessageContext, call: Call) -> Answer:
    person = context.sender.person
    if person is None or not person.id:
        raise Refused("nothing_known")
    address = address_of(context.storage, person, context.now)
    since = context.now - _AGAIN
    if address is None or context.storage.outbound.lately((EventKind.DATA.word,), since, address):
        raise Refused("data_sent")
    file = personal_data.attached(context.storage, person)
    context.events.append(
        Event(kind=EventKind.DATA, to=Reader(person.id), mail_id=context.mail.id, files=(file,))
    )
    return Answer("data", {"address": address})


COMMAND = Command(
    words=("my data", "export data"),
    who="anybody",
    summary="all that the judge knows of you, as a file",
    help=(
        "It comes in a letter of its own, to your own address, once a day at most: who you are, "
        "what you played, ordered and wrote, and which letters you were sent. To be forgotten, "
        "write to the keeper."
    ),
    example="MY DATA",
    bare=True,
    run=run,
    asks=True,
    group="information",
)
