"""Two judges on one PostgreSQL: they share the work, and when one is killed the other goes on."""

from __future__ import annotations

import itertools
import smtplib
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.demo.server import ADDRESS, HOST, Server, vouched
from judge.storage import InboundState, OutboundState, Storage

pytestmark = pytest.mark.postgres

ROUND = 20
"""Mails after which it is looked whether both have processed."""

PATIENCE = 120.0
"""Seconds in which whatever is waited for must happen."""

_numbers = itertools.count(1)


class Two:
    def __init__(self, folder: Path, url: str) -> None:
        self.url = url
        self.servers = [self._server(folder / name, folder / "mail") for name in ("a", "b")]
        self.storage = Storage.open(url)

    def _server(self, folder: Path, mail: Path) -> Server:
        server = Server(folder, speed=1)
        text = server.config.read_text().replace('"sqlite:judge.db"', f'"{self.url}"')
        server.config.write_text(text.replace('maildir = "mail"', f'maildir = "{mail}"'))
        server.start()
        return server

    def write(self, server: Server, who: str, text: str) -> None:
        message = EmailMessage()
        message["From"] = sender = f"{who}@players.example"
        message["To"] = ADDRESS
        message["Message-ID"] = f"<{next(_numbers)}@players.example>"
        message.set_content(text)
        with smtplib.SMTP(HOST, server.port) as smtp:
            smtp.sendmail(sender, [ADDRESS], vouched(message.as_bytes(), sender))

    def settled(self, processed: int = 0) -> None:
        """Wait until nothing waits, and so many mails have been logged as processed."""
        limit = time.monotonic() + PATIENCE
        while self.busy() or sum(self.processed()) < processed:
            assert time.monotonic() < limit, self.logs()
            time.sleep(0.05)

    def busy(self) -> bool:
        storage = self.storage
        # In the order in which one leads to the next.
        waits = storage.inbound.count(InboundState.NEW) or storage.games.due(datetime.now(UTC))
        return bool(waits or storage.outbound.count(OutboundState.QUEUED))

    def processed(self) -> list[int]:
        """How many mails each has processed so far."""
        return [server.log.read_text().count('"mail processed"') for server in self.servers]

    def logs(self) -> str:
        return "\n".join(server.log.read_text()[-3000:] for server in self.servers)


@pytest.fixture
def two(tmp_path: Path, postgres_url: str) -> Iterator[Two]:
    made = Two(tmp_path, postgres_url)
    yield made
    for server in made.servers:
        server.kill()
    made.storage.close()


def test_both_work_and_no_mail_is_worked_twice(two: Two) -> None:
    # How many one of them works before the other is awake is the machine's business.
    limit, written = time.monotonic() + PATIENCE, 0
    while min(two.processed()) == 0 and time.monotonic() < limit:
        for number in range(written, written + ROUND):
            two.write(two.servers[number % 2], f"p{number}", "REGISTER\nname: Somebody\nHELP")
        written += ROUND
        two.settled(processed=written)
    assert min(two.processed()) > 0
    assert sum(two.processed()) == written
    letters = [len(two.storage.outbound.of_mail(mail_id)) for mail_id in range(1, written + 1)]
    assert letters == [1] * written


def test_when_one_is_killed_the_other_takes_up_its_work_within_seconds(two: Two) -> None:
    first, second = two.servers
    two.write(second, "mia", "CREATE ?paris\nSET NO DAILY")
    two.settled()
    for number, power in enumerate("AEFGIRT"):
        two.write(two.servers[number % 2], power.lower(), f"JOIN paris\nSET PREFERENCE {power}")
    # In the middle of it one of them is killed, whatever it has in hand.
    time.sleep(0.15)
    first.kill()
    two.settled()
    game = two.storage.games.by_name("paris")
    assert game is not None
    assert game.phase == "S1901M"
    players = [seat for seat in two.storage.seats.of_game(game.id) if seat.role == "player"]
    assert sorted(str(seat.power)[0] for seat in players) == sorted("AEFGIRT")
    # Each of one sender's mails counted, in their order; the last word on a unit stands.
    orders = ["A par - bur", "A par - gas", "A par H", "A par - pic"]
    for number, order in enumerate(orders):
        two.write(second, "f", order)
        if number == 1:
            first.start()
        if number == 2:
            first.kill()
    two.settled()
    filed = two.storage.orders(game.id).of_phase("S1901M")["France"]
    assert [order.text for order in filed] == ["A par - pic"]
    starts = [each for each in two.storage.outbound.of_game(game.id) if each.kind == "start"]
    assert len(starts) == len({each.recipient for each in starts}) == 8
