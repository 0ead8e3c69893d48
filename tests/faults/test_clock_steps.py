"""The clock of the machine is set, forward and back, under a daemon that runs."""

from __future__ import annotations

import smtplib
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.demo.server import ADDRESS, HOST, Server, vouched
from judge.storage import Game, InboundState, OutboundMessage, OutboundState, Storage
from tests.faults.crashes import mails
from tests.mail.waiting import until

_RUN = (
    # libfaketime leaves the time since the start alone as we ask it to, but fails in sleeps by it.
    "import select, sys, time\n"
    "time.sleep = lambda lapse: select.select([], [], [], lapse) and None\n"
    "from judge.cli import main\n"
    "main(sys.argv[1:], prog_name='judge')\n"
)

ORDERS = [mail for mail in mails(1) if mail.phase and " - " in mail.text]


class Machine:
    """A machine with a judge, whose clock is set now and then. What counts the time since its start
    goes on as ever."""

    def __init__(self, folder: Path) -> None:
        self._offset = folder / "offset"
        self.set(timedelta(0))
        self.server = Server(folder / "judge", 1)
        said = subprocess.run(
            ["faketime", "-m", "now", "printenv", "LD_PRELOAD"],
            capture_output=True, text=True, check=True,
        ).stdout.strip()  # fmt: skip
        false = f"LD_PRELOAD={said}", f"FAKETIME_TIMESTAMP_FILE={self._offset}"
        how = "FAKETIME_NO_CACHE=1", "DONT_FAKE_MONOTONIC=1"
        run = sys.executable, "-c", _RUN, "run", "--config", str(self.server.config)
        self.server.command = ["env", *false, *how, *run]
        self.server.start()
        self.storage = Storage.open(self.server.database)
        self._count = 0

    def set(self, offset: timedelta) -> None:
        """Let the clock show so much more, or less, than the true time."""
        new = self._offset.with_name("new")
        new.write_text(f"{offset.total_seconds():+.0f}")
        new.rename(self._offset)

    def send(self, who: str, text: str) -> None:
        """Write to the judge, and wait until the message is processed."""
        message = EmailMessage()
        message["From"], message["To"] = (sender := f"{who}@players.example"), ADDRESS
        message["Message-ID"] = f"<{self._count}@players.example>"
        self._count += 1
        message.set_content(text)
        with smtplib.SMTP(HOST, self.server.port) as server:
            server.sendmail(sender, [ADDRESS], vouched(message.as_bytes(), sender))
        until(lambda: not self.storage.inbound.count(InboundState.NEW))

    @property
    def game(self) -> Game:
        found = self.storage.games.by_name("paris")
        assert found is not None
        return found

    @property
    def deadline(self) -> datetime:
        assert self.game.deadline is not None
        return self.game.deadline

    def letters(self) -> list[OutboundMessage]:
        """What was sent; nothing waits any more."""
        until(lambda: not self.storage.outbound.count(OutboundState.QUEUED))
        return [each for each in map(self.storage.outbound.find, range(1, 300)) if each]

    def told(self, kind: str) -> int:
        return Counter(each.kind for each in self.letters())[kind]


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    try:
        yield made
    finally:
        made.storage.close()
        made.server.kill()


@pytest.mark.faketime
def test_a_clock_that_is_set_forward_and_back_costs_nobody_a_deadline(machine: Machine) -> None:
    for mail in mails(0):
        machine.send(mail.sender, mail.text.replace("NEXT 720H", "NEXT 24H"))
    until(lambda: machine.game.phase == "S1901M")
    promised = machine.deadline
    for mail in ORDERS[:-1]:
        machine.send(mail.sender, mail.text)

    # Past the deadline and its grace period: everybody has the time back, and is told once.
    machine.set(timedelta(days=10))
    until(lambda: machine.told("outage") == 8)
    moved = machine.deadline
    assert timedelta(days=10) <= moved - promised < timedelta(days=10, minutes=5)
    machine.send("austria", "STATUS")

    # Set right, and then far too early: everybody is answered, and nothing is adjudicated.
    for days in (0, -10):
        machine.set(timedelta(days=days))
        machine.send("england", "STATUS")
        machine.letters()
    machine.send(ORDERS[-1].sender, ORDERS[-1].text)
    answer = machine.letters()[-1]
    # It seems to be from before the phase, and its writer is told so.
    assert b"send it again" in answer.raw
    assert (machine.deadline, machine.told("outage")) == (moved, 8)
    assert machine.storage.history.of_game(machine.game.id) == []
    machine.set(timedelta(0))
    machine.send(ORDERS[-1].sender, ORDERS[-1].text)
    until(lambda: machine.game.phase == "F1901M")
    assert machine.told("results") == 8
    assert machine.told("late") == 0
    assert machine.server.stop() == 0
    assert "Traceback" not in machine.server.log.read_text()
