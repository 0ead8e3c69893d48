"""MY DATA: all the judge knows of whoever asks."""

from __future__ import annotations

from datetime import timedelta

from judge.game.command import Answer, Call, Command, Refused
from judge.game.people import personal_data
from judge.game.visit import Visit

_KIND = "data"
_AGAIN = timedelta(days=1)


def run(visit: Visit, call: Call) -> Answer:
    person = visit.person
    if person is None or not person.id:
        raise Refused("nothing_known")
    address = visit.post.address(person)
    since = visit.now - _AGAIN
    if address is None or visit.storage.letters.lately((_KIND,), since, address):
        raise Refused("data_sent")
    file = personal_data.attached(visit.storage, person)
    visit.post.to_person(_KIND, person, {}, mail_id=visit.mail.id, attachments=[file])
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
