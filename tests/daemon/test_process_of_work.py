"""Messages are processed in a process of its own, and what exceeds its budget ends that alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from judge.daemon import Daemon
from judge.storage import InboundMessage, InboundState, Storage
from tests.daemon.nasty import nasty
from tests.daemon.test_daemon import JudgeProfile, Out
from tests.mail.waiting import until

BUDGET = "[work]\nseconds = 1\nmemory = 200\n"


class House(JudgeProfile):
    """A daemon with a clock that runs, whose work is done in a process of its own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, BUDGET)
        self.folder = folder
        self.out = Out()
        self.daemon = Daemon(self.config, transport=self.out, make=nasty)
        self.daemon.start()
        self.storage = Storage.open(self.config.database.url)

    def tries(self) -> list[tuple[int, int]]:
        """Each beginning of work: on which mail, in which process."""
        file = self.folder / "tries"
        lines = file.read_text().splitlines() if file.exists() else []
        return [(int(mail), int(pid)) for mail, pid in map(str.split, lines)]

    def mail(self, mail_id: int) -> InboundMessage:
        found = self.storage.inbound.find(mail_id)
        assert found is not None
        return found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.daemon.stop()
    made.storage.close()


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("burn", "It took more than 1 seconds of processor time."),
        ("hog", "It needed more than 200 MB of memory."),
        ("die", "It ended the process that processed it (signal 9)."),
    ],
)
def test_a_mail_that_ends_its_process_is_tried_once_more_alone_and_then_held(
    house: House, what: str, why: str
) -> None:
    house.write("eve", f"do: {what}")
    house.write("ann", "help")
    house.write("eve", "help")
    house.out.wait("ann@example.com")
    told = " ".join(house.out.wait("keeper@example.org").split())
    assert why in told
    assert "judge held retry 1" in told
    assert "I keep it" in " ".join(house.out.wait("eve@example.com").split())
    mail = house.mail(1)
    assert (mail.state, mail.attempts, mail.problem) == (InboundState.HELD, 2, why)
    # What its sender wrote later keeps its order.
    house.out.wait("eve@example.com", "I run Diplomacy games")
    tries = house.tries()
    # Ann's may have its turn first.
    assert [mail for mail, _ in tries] in ([1, 2, 1, 3], [2, 1, 1, 3])
    # Ended and alone: no other is processed in these processes afterwards.
    first, again = [pid for mail, pid in tries if mail == 1]
    assert [mail for mail, pid in tries if pid == again] == [1]
    assert next(pid for mail, pid in tries if mail == 3) not in (first, again)
    assert house.daemon.healthy()


def test_a_process_that_is_killed_from_outside_costs_nobody_anything(house: House) -> None:
    house.write("ann", "do: wait")
    until(lambda: bool(house.tries()))
    os.kill(house.tries()[0][1], signal.SIGKILL)
    until(lambda: house.mail(1).attempts == 1)
    (house.folder / "go").touch()
    house.out.wait("ann@example.com")
    # Between two mails it is not even noticed.
    house.write("bob", "help")
    house.out.wait("bob@example.com")
    os.kill(house.tries()[-1][1], signal.SIGKILL)
    house.write("cleo", "help")
    house.out.wait("cleo@example.com")
    assert [house.mail(each).attempts for each in (1, 2, 3)] == [1, 0, 0]


def test_a_judge_that_is_killed_while_it_works_blames_nobody(tmp_path: Path) -> None:
    house = JudgeProfile(tmp_path, BUDGET)
    storage = Storage.open(house.config.database.url)
    raw = b"From: ann@example.com\r\nMessage-ID: <1@x>\r\n\r\ndo: wait\r\n"
    storage.inbound.accept(
        raw, door="smtp", envelope_from=None, envelope_to=[], received_at=house.clock.now()
    )
    tries = tmp_path / "tries"
    for number in range(1, 5):
        judge = subprocess.Popen([sys.executable, "-m", "tests.daemon.nasty", str(house.file)])
        try:
            until(partial(_began, tries, number))
            mail = storage.inbound.find(1)
            assert mail is not None
            assert (mail.state, mail.attempts) == (InboundState.NEW, 0)
            if number == 4:
                (tmp_path / "go").touch()
                until(lambda: storage.inbound.count(InboundState.DONE) == 1)
        finally:
            judge.kill()
            judge.wait()
        # Its other process ends with it.
        until(partial(_gone, int(tries.read_text().split()[-1])))
    storage.close()


def _began(tries: Path, number: int) -> bool:
    return tries.exists() and tries.read_text().count("\n") == number


def _gone(pid: int) -> bool:
    try:
        return "State:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True
