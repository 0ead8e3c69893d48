"""The demo's players write as their mail programs do, and are read as they meant it."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage

import pytest

from judge.demo import clients
from judge.demo.clients import Client, ComposedMail
from judge.demo.mail_programs import Received
from judge.demo.players import CAST
from judge.mail.message import parse

TYPED = "Dear Judge,\n\nA Par - Bur\nF Bre – Mid\n\nMany thanks"
MESSAGE = EmailMessage()
MESSAGE["From"] = "The Judge <judge@demo.example>"
MESSAGE["Subject"] = "JUDGE:sample - S1901M Start"
MESSAGE["Date"] = datetime(2026, 11, 20, 14, 3, tzinfo=UTC)
MESSAGE["Message-ID"] = "<letter@demo.example>"
MESSAGE["References"] = "<thread@demo.example>"
MESSAGE.set_content(
    "The game sample has started.\n\n  A par, Army Paris: bur Burgundy, gas Gascony\n\n"
    "Answer this letter with one line for each unit, for example:\n\n  A par - gas\n"
)
LETTER = Received(MESSAGE)
CLIENTS = (
    clients.gmail,
    clients.outlook,
    clients.iphone,
    clients.proton,
    clients.k9,
    clients.mutt,
    clients.thunderbird,
)


def written(client: Client, answers: Received | None, subject: str = "") -> bytes:
    now = datetime(2026, 11, 20, 15, 0, tzinfo=UTC)
    draft = ComposedMail(
        "Chloé", "chloe@players.example", "judge+r7@demo.example", subject, TYPED, now, answers
    )
    return client(draft).replace("\n", "\r\n").encode()


def test_no_two_players_have_the_same_program() -> None:
    assert {clients.CLIENTS[each["client"]] for each in CAST.values()} == set(CLIENTS)
    assert len(CAST) == len(CLIENTS)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
@pytest.mark.parametrize("answers", [LETTER, None], ids=["answer", "new"])
def test_what_was_typed_is_read_and_nothing_else(client: Client, answers: Received | None) -> None:
    incoming = parse(written(client, answers, "" if answers else "Hello"))
    assert [line for line in incoming.text.split("\n") if line] == [
        line for line in TYPED.split("\n") if line
    ]
    assert incoming.sender == "chloe@players.example"
    assert incoming.sender_name == "Chloé"
    assert incoming.subject == (LETTER.subject if answers else "Hello")
    assert incoming.answerable


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_an_answer_refers_to_its_letter(client: Client) -> None:
    incoming = parse(written(client, LETTER))
    assert LETTER.message_id in incoming.references
