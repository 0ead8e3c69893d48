"""What one piece of work may take, and what is said of it; no judge does the work here."""

from __future__ import annotations

import logging
import os
import resource
import select
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from judge.config import Config, parse
from judge.daemon import process
from judge.daemon.fork_server import ForkServer, Service
from judge.daemon.process import WORK, Died, NotStarted, Shared, WorkProcess
from judge.maps import shelf
from judge.service import Judge
from judge.storage import Lacking, StorageError, Unavailable
from tests.mail.waiting import until

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
SECONDS = 0.5


def config_in(folder: Path) -> Config:
    """A configuration that gives little to each message."""
    text = '[judge]\naddress = "judge@example.org"\n[work]\nmemory = 100\n'
    parsed = parse(text, folder / "judge.toml")
    return replace(parsed, work=replace(parsed.work, seconds=SECONDS))


def folder_of(config: Config) -> Path:
    """Where its database would be."""
    return Path(config.database.url.partition(":")[2]).parent


class Work:
    """A judge that does what it finds under the number of a mail."""

    def __init__(self, config: Config, turn: AbstractContextManager[object]) -> None:
        self.storage, self.turn = self, turn
        self.alone = False
        self.folder = folder_of(config)
        self.hoard: list[bytearray] = []

    def close(self) -> None:
        """As a storage is closed."""
        (self.folder / "closed").touch()

    def process_message(self, mail_id: int) -> Any:
        return MAILS[mail_id](self)

    def hold(self, mail_id: int, problem: str) -> None:
        (self.folder / "held").write_text(f"{mail_id} {problem}")

    def run_game(self, game_id: int, newest: int | None, by: datetime | None) -> bool:
        if (game_id, newest, by) == (4, 5, NOW):
            return resource.getrlimit(resource.RLIMIT_CPU)[0] == ceil(SECONDS * process.GAME + 0.1)
        return self.alone


def burn(seconds: float) -> bool:
    """Use processor time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
    return True


def fail(error: Exception) -> bool:
    """Raise it."""
    raise error


def hoard(work: Work, megabytes: int) -> bool:
    """Keep so much memory."""
    work.hoard += [bytearray(10_000_000) for _ in range(megabytes // 10)]
    return True


def limited(work: Work) -> bool:
    """Whether a message has half a second behind more than half a one, and leaves no core."""
    limits = resource.RLIMIT_CPU, resource.RLIMIT_CORE
    seconds, core = (resource.getrlimit(each)[0] for each in limits)
    return (seconds, core) == (2, 0)


def taking_turns(work: Work) -> bool:
    """Say that it waits for its turn, and what has happened when it has it."""
    (work.folder / "asked").touch()
    with work.turn:
        return (work.folder / "written").exists()


MAILS: dict[int, Callable[[Work], Any]] = {
    0: lambda work: False,
    1: lambda work: True,
    2: limited,
    3: taking_turns,
    4: lambda work: hoard(work, 20),
    5: lambda work: hoard(work, 40),
    6: lambda work: burn(0.6),
    7: lambda work: logging.getLogger().level == logging.INFO,
    10: lambda work: burn(60),
    11: lambda work: hoard(work, 1000),
    12: lambda work: os.kill(os.getpid(), signal.SIGKILL),
    13: lambda work: os._exit(7),
    17: lambda work: os._exit(0),
    14: lambda work: fail(Lacking("no room")),
    15: lambda work: fail(Unavailable("no database")),
    16: lambda work: fail(ValueError("a bug")),
    18: lambda work: time.sleep(600),
}


def made(config: Config, turn: AbstractContextManager[object]) -> Judge:
    """As `judge_of`."""
    if (folder_of(config) / "away").exists():
        raise StorageError("no such database")
    if (folder_of(config) / "dead").exists():
        os._exit(5)
    return cast(Judge, Work(config, turn))


class At(WorkProcess):
    """The process, and what the tests look at in it."""

    others = False

    def __init__(self, config: Config, server: ForkServer, shared: Shared) -> None:
        super().__init__(config, server, shared, lambda: not self.others)
        self.folder, self.shared = folder_of(config), shared

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid


@pytest.fixture
def work(tmp_path: Path) -> Iterator[At]:
    config = config_in(tmp_path)
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
    server = ForkServer({WORK: Service(partial(process._serve, config, made))})
    resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))
    with tempfile.TemporaryFile() as file:
        at = At(config, server, Shared(file.fileno()))
        yield at
        at.close()
    server.close()


@pytest.fixture
def paused(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it would have slept."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    return slept


def test_what_the_judge_says_comes_back(work: At) -> None:
    looked: list[None] = []
    work.progress = lambda: looked.append(None)
    assert work.process_message(1)
    # To wait until it is ready is getting on.
    assert looked
    pid = work.pid
    assert not work.process_message(0)
    assert work.process_message(7)
    work.hold(3, "why")
    assert (work.folder / "held").read_text() == "3 why"
    # A game may take as long as many messages.
    assert work.run_game(4, 5, NOW)
    # Nobody else needs to hear of it, as far as is known just then.
    assert work.run_game(1, None, None)
    work.others = True
    assert not work.run_game(1, None, None)
    assert work.pid == pid
    work.close()
    until((work.folder / "closed").exists)


@pytest.mark.parametrize(
    ("mail", "why"),
    [
        (10, "It took more than 0.5 seconds of processor time."),
        (11, "It needed more than 100 MB of memory."),
        (12, "It ended the process that processed it (signal 9)."),
        (13, "It ended the process that processed it (exit status 7)."),
        (17, "It ended the process that processed it (exit status 0)."),
    ],
)
def test_what_exceeds_its_budget_ends_its_process_alone(
    work: At, paused: list[float], mail: int, why: str
) -> None:
    with pytest.raises(Died) as died:
        work.process_message(mail)
    assert str(died.value) == why
    # Who kills the whole judge kills this process, too.
    assert paused == [process.GRACE]
    assert work.process_message(1)


@pytest.mark.parametrize(
    ("mail", "kind", "said"),
    [
        (14, Lacking, "no room"),
        (15, Unavailable, "no database"),
        (16, RuntimeError, "a bug"),
    ],
)
def test_what_the_judge_raises_is_raised_and_the_process_goes_on(
    work: At, mail: int, kind: type[Exception], said: str
) -> None:
    work.process_message(1)
    pid = work.pid
    with pytest.raises(kind, match=said) as raised:
        work.process_message(mail)
    assert type(raised.value) is kind
    assert work.process_message(1)
    assert work.pid == pid


def test_each_message_has_its_own_time_and_half_of_the_memory(work: At) -> None:
    assert work.process_message(6)
    assert work.process_message(2)
    pid = work.pid
    assert work.process_message(5)
    assert work.process_message(1)
    assert work.pid == pid
    # What has kept more than half of it works nothing more.
    assert work.process_message(4)
    assert work.process_message(1)
    assert work.pid != pid


def test_a_process_that_dies_without_work_is_replaced_without_a_word(work: At) -> None:
    work.start()
    work.process_message(1)
    first = work.pid
    work.start()
    assert work.pid == first
    os.kill(first, signal.SIGKILL)
    assert work.process_message(1)
    second = work.pid
    assert second != first
    os.kill(second, signal.SIGKILL)
    until(lambda: not work._process or not work._process.alive)
    work.start()
    assert work.pid not in (first, second)
    assert not work.process_message(0)
    work.renew()
    assert work.process_message(1)


def test_a_process_that_has_been_quiet_for_long_is_replaced(
    work: At, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.process_message(1)
    first = work.pid
    work.start()
    assert work.pid == first
    monkeypatch.setattr(process, "QUIET", 0)
    work.start()
    second = work.pid
    assert second != first
    # One that has not worked yet has nothing to give back.
    work.start()
    assert work.pid == second
    assert work.process_message(1)
    assert work.pid == second


def test_work_that_is_closed_ends_in_the_middle(work: At, paused: list[float]) -> None:
    with ThreadPoolExecutor(1) as other:
        asked = other.submit(work.process_message, 18)
        until(lambda: work._process is not None and work.shared.begun)
        work.close()
        assert isinstance(asked.exception(30), Died)


class Quick:
    """Waits a hundredth of what it is told to."""

    def __init__(self) -> None:
        self.real = POLL()

    def register(self, pipe: Any, what: int) -> None:
        self.real.register(pipe, what)

    def poll(self, milliseconds: int) -> Any:
        return self.real.poll(milliseconds / 100)


POLL = select.poll


def test_what_only_waits_counts_as_dead_after_a_while(
    work: At, paused: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(select, "poll", Quick)
    monkeypatch.setattr(process, "STILL", 50)
    looked: list[None] = []
    work.progress = lambda: looked.append(None)
    with pytest.raises(Died, match="signal 9"):
        work.process_message(18)
    assert len(looked) > 50
    # What uses processor time is at work.
    assert work.process_message(6)


def test_a_process_that_does_not_start_is_told(work: At) -> None:
    (work.folder / "away").touch()
    with pytest.raises(Unavailable, match="no such database"):
        work.process_message(1)
    (work.folder / "away").unlink()
    (work.folder / "dead").touch()
    work.renew()
    with pytest.raises(NotStarted, match="does not start"):
        work.process_message(1)
    (work.folder / "dead").unlink()
    assert work.process_message(1)


def test_a_server_that_cannot_fork_is_told(work: At, monkeypatch: pytest.MonkeyPatch) -> None:
    def fork(service: str) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(work._server, "fork", fork)
    with pytest.raises(NotStarted, match="no more processes"):
        work.start()


def test_one_at_a_time_writes(work: At) -> None:
    with ThreadPoolExecutor(1) as other:
        with work.shared:
            asked = other.submit(work.process_message, 3)
            until((work.folder / "asked").exists)
            (work.folder / "written").touch()
        assert asked.result(30)
    # So do threads.
    order: list[str] = []

    def second() -> None:
        with work.shared:
            order.append("second")

    thread = threading.Thread(target=second)
    with work.shared:
        thread.start()
        time.sleep(0.05)
        order.append("first")
    thread.join(30)
    assert order == ["first", "second"]


def test_a_turn_that_cannot_be_had_is_nobodys() -> None:
    with tempfile.TemporaryFile() as file:
        shared = Shared(file.fileno())
    for _ in range(2):
        with pytest.raises(OSError):
            shared.__enter__()


def test_a_limit_that_cannot_be_set_is_told(caplog: pytest.LogCaptureFixture) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    process._limit(resource.RLIMIT_NOFILE, most + 1)
    assert "cannot be set" in caplog.text


def test_what_draws_shares_a_folder_that_nobody_else_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []
    monkeypatch.setenv(shelf.FOLDER, "")
    monkeypatch.setattr("judge.daemon.process.load_drawing", lambda: done.append("loaded"))
    monkeypatch.setattr("judge.variants.configure", done.append)
    folder = tmp_path / "shelf"
    # A server that was replaced finds it there.
    for _ in range(2):
        process._load_drawing([tmp_path], str(folder))
    assert done == [[tmp_path], "loaded"] * 2
    assert folder.stat().st_mode & 0o777 == 0o700
    assert os.environ[shelf.FOLDER] == str(folder)
