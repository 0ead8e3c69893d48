"""A judge behind a Postfix that is set up as docs/keeper.md says: LMTP in, relay out."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from judge.cli.init import OF_SERVICE
from judge.demo.server import ADDRESS, HOST, Server
from judge.storage import InboundMessage, Storage
from tests.installing import told
from tests.mail.postfix import Postfix, free_port, postfix
from tests.mail.waiting import until

DOMAIN = ADDRESS.partition("@")[2]
ANN, BEN, GONE = (f"{name}@players.example" for name in ("ann", "ben", "gone"))

pytestmark = [pytest.mark.postfix, pytest.mark.root]


class Sink:
    """The mail server of the players: it knows all of them but one."""

    def __init__(self) -> None:
        self.got: list[tuple[str, str, EmailMessage]] = []
        """Return path, recipient, and message of each delivery."""
        self.port = free_port()
        self._controller = Controller(self, HOST, self.port)
        self._controller.start()

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address == GONE:
            return "550 5.1.1 nobody is called that here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        message = message_from_bytes(envelope.original_content or b"", policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.got += [(envelope.mail_from or "", each, message) for each in envelope.rcpt_tos]
        return "250 OK"

    def close(self) -> None:
        self._controller.stop()


class Busy(Controller):
    """What a judge says that cannot store anything."""

    def factory(self) -> SMTP:
        return LMTP(self.handler)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        return "451 4.3.0 Please try again later"


class Way:
    """The Postfix, what comes out of it, and the judge behind it."""

    def __init__(self, server: Postfix, sink: Sink, port: int) -> None:
        self.postfix, self.sink, self.port = server, sink, port

    def judge(self, folder: Path, more: str = "") -> Server:
        """A judge that is configured as a service is, but for the ports; nothing has come yet."""
        self.sink.got.clear()
        doors = f"[smtp]\nport = {self.port}\n"
        doors += "".join(f"{key} = {value}\n" for at, key, value in OF_SERVICE if at == "smtp")
        doors += "[outgoing.relay]\n"
        doors += "".join(
            f"{key} = {value}\n" for at, key, value in OF_SERVICE if at == "outgoing.relay"
        )
        server = Server(folder, 1, doors.replace("port = 25", f"port = {self.postfix.port}"))
        text = server.config.read_text()
        server.config.write_text(text.replace("[judge]\n", f"[judge]\n{more}"))
        return server

    def send(self, number: int, text: str, to: str = ADDRESS, sender: str = ANN) -> None:
        """Hand a message to the Postfix, as other mail servers do."""
        message = EmailMessage()
        message["From"], message["To"], message["Message-ID"] = sender, to, f"<{number}@x>"
        message.set_content(text)
        with smtplib.SMTP(HOST, self.postfix.port) as server:
            server.sendmail(sender, [to], message.as_bytes(policy=policy.SMTP))

    def answers(self, number: int) -> list[tuple[str, EmailMessage]]:
        """The answers to a message so far: their return paths, and themselves."""
        return [
            (path, each) for path, _, each in self.sink.got
            if each["In-Reply-To"] == f"<{number}@x>"
        ]  # fmt: skip

    def answer(self, number: int) -> tuple[str, EmailMessage]:
        """Wait for the answer to a message."""
        until(lambda: self.answers(number), 60)
        (answer,) = self.answers(number)
        return answer


@pytest.fixture(scope="module")
def way() -> Iterator[Way]:
    port = free_port()
    sink = Sink()
    lines = [line for block in told("Postfix") for line in block]
    lines = [each.replace("example.org", DOMAIN).replace("8025", str(port)) for each in lines]
    route = f"players.example smtp:[{HOST}]:{sink.port}"
    lines.append(f"echo '{route}' >> /etc/postfix/transport")
    try:
        with postfix(lines) as server:
            yield Way(server, sink, port)
    finally:
        sink.close()


def messages(storage: Storage) -> list[InboundMessage]:
    found = (storage.inbound.find(number) for number in range(1, 20))
    return [each for each in found if each is not None]


def test_messages_and_bounces_come_in_by_lmtp_and_go_out_by_the_relay(
    way: Way, tmp_path: Path
) -> None:
    server = way.judge(tmp_path)
    server.start()
    storage = Storage.open(server.database)
    try:
        way.send(1, "HELP")
        path, answer = way.answer(1)
        assert re.fullmatch(rf"judge\+\w+@{re.escape(DOMAIN)}", path)
        # What is written to a reply address gets there.
        way.send(2, "LIST", to=answer["Reply-To"].addresses[0].addr_spec)
        way.answer(2)
        # It brings what the first message asked for, too.
        until(lambda: len(way.answers(1)) == 2, 60)
        # A message that reaches nobody comes back, with an empty return path.
        way.send(3, "HELP", sender=GONE)
        until(lambda: storage.bounces.of(GONE), 60)
        bounce = messages(storage)[-1]
        assert bounce.envelope_from == ""
        assert re.fullmatch(rf"judge\+\w+@{re.escape(DOMAIN)}", bounce.envelope_to[0])
        with pytest.raises(smtplib.SMTPRecipientsRefused):
            way.send(4, "HELP", to=f"unknown@{DOMAIN}")
        assert server.stop() == 0
    finally:
        storage.close()
        server.kill()
    assert way.postfix.waiting() == 0
    assert [recipient for _, recipient, _ in way.sink.got] == [ANN] * 3


def test_what_comes_while_a_judge_with_a_whole_domain_is_down_is_answered_once(
    way: Way, tmp_path: Path
) -> None:
    server = way.judge(tmp_path, f'sub_addresses = "*@games.{DOMAIN}"\n')
    busy = Busy(None, HOST, way.port)
    busy.handler = busy
    busy.start()
    try:
        way.send(11, "HELP")
        until(lambda: "451 4.3.0" in way.postfix.log(), 60)
    finally:
        busy.stop()
    way.send(12, "HELP", sender=BEN)
    until(lambda: "Connection refused" in way.postfix.log(), 60)
    assert way.postfix.waiting() == 2
    server.start()
    try:
        way.postfix.run("postqueue -f")
        way.answer(11)
        path, answer = way.answer(12)
        assert path.endswith(f"@games.{DOMAIN}")
        way.send(13, "LIST", to=answer["Reply-To"].addresses[0].addr_spec, sender=BEN)
        way.answer(13)
        until(lambda: len(way.answers(12)) == 2, 60)
        until(lambda: way.postfix.waiting() == 0, 60)
        assert server.stop() == 0
    finally:
        server.kill()
    # The reply brought what Ben's first message asked for.
    assert [len(way.answers(number)) for number in (11, 12)] == [1, 2]
