"""Processes that work are forked from one that has loaded everything, and told apart by how they
end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from judge.daemon.fork_server import ForkServer, Service
from tests.mail.waiting import until

LOADED = "nothing"
"""What this module holds where it was loaded anew."""

PREPARED: list[int] = []
"""The processes that have loaded what a service needs."""


def serve(pipe: Connection) -> None:
    """Do what one is told to."""
    pipe.send((os.getpid(), os.getppid(), LOADED))
    match pipe.recv():
        case "exit":
            os._exit(3)
        case "fail":
            raise ValueError
        case "hang":
            time.sleep(600)


def prepared(pipe: Connection) -> None:
    """Say who has loaded what is needed."""
    pipe.send((os.getppid(), PREPARED))


def prepare() -> None:
    """Note that this process has loaded it, and fail behind that."""
    PREPARED.append(os.getpid())
    raise ValueError


SERVICES = {"told": Service(serve), "prepared": Service(prepared, prepare)}


@pytest.fixture
def server() -> Iterator[ForkServer]:
    made = ForkServer(SERVICES)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("told", "status"), [("exit", 3), ("fail", 1), ("hang", -signal.SIGKILL), ("go", 0)]
)
def test_how_a_process_ended_is_known(server: ForkServer, told: str, status: int) -> None:
    for _ in range(2):
        forked = server.fork("told")
        assert forked.pipe.recv()[0] == forked.pid
        assert forked.alive
        forked.pipe.send(told)
        assert forked.end(0.2 if told == "hang" else 30) == status
        assert _gone(forked.pid)


def test_a_server_that_was_killed_is_replaced(server: ForkServer) -> None:
    forked = server.fork("told")
    pid, parent, _ = forked.pipe.recv()
    os.kill(parent, signal.SIGKILL)
    until(lambda: not forked.alive)
    assert forked.end() == -signal.SIGKILL
    until(lambda: _gone(pid))
    until(lambda: server._process is None or not server._process.is_alive())
    assert server.fork("told").pipe.recv()[1] != parent


def test_what_is_forked_has_everything_loaded_and_ends_with_who_asked() -> None:
    script = (
        "import tests.daemon.test_fork_server as test, time\n"
        "test.LOADED = 'before'\n"
        "server = test.ForkServer(test.SERVICES)\n"
        "server.fork('told').end()\n"
        "print(*server.fork('told').pipe.recv(), flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        pid, parent, loaded = process.stdout.readline().split()
        process.kill()
    assert loaded == b"before"
    until(lambda: _gone(int(pid)) and _gone(int(parent)))


def test_processes_work_side_by_side_and_leave_nothing_behind(server: ForkServer) -> None:
    forked = [server.fork("told"), server.fork("told")]
    (one, parent, _), (two, other, _) = (each.pipe.recv() for each in forked)
    assert parent == other
    assert one != two
    for each, told in zip(forked, ("exit", "hang"), strict=True):
        each.pipe.send(told)
    until(lambda: not Path(f"/proc/{one}").exists())
    assert [each.alive for each in forked] == [False, True]
    # Nobody is there any more to be told how it ends.
    forked[1]._ended.close()
    os.kill(two, signal.SIGKILL)
    until(lambda: not Path(f"/proc/{two}").exists())
    assert server.fork("told").pipe.recv()[1] == parent
    assert forked[0].end() == 3


def test_what_a_service_shares_is_loaded_once_where_it_is_forked(server: ForkServer) -> None:
    for _ in range(2):
        parent, who = server.fork("prepared").pipe.recv()
        assert who == [parent]


def _gone(pid: int) -> bool:
    try:
        return "State:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True


HALF_ASKED = """
import os
from judge.daemon.fork_server import ForkServer, Service

server = ForkServer({"told": Service(print)})
print(server._process.pid, flush=True)
server._pipe.send("told")
os.kill(os.getpid(), 9)
"""


def test_a_server_ends_with_who_is_killed_while_asking() -> None:
    command = [sys.executable, "-c", HALF_ASKED]
    told = subprocess.run(command, stdout=subprocess.PIPE, check=False, timeout=10)
    until(lambda: _gone(int(told.stdout)), 10)
