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

from judge.daemon.fork_server import ForkServer
from tests.mail.waiting import until

LOADED = "nothing"
"""What this module holds where it was loaded anew."""


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


@pytest.fixture
def server() -> Iterator[ForkServer]:
    made = ForkServer(serve)
    yield made
    made.close()


@pytest.mark.parametrize(
    ("told", "status"), [("exit", 3), ("fail", 1), ("hang", -signal.SIGKILL), ("go", 0)]
)
def test_how_a_process_ended_is_known(server: ForkServer, told: str, status: int) -> None:
    for _ in range(2):
        forked = server.fork()
        assert forked.pipe.recv()[0] == forked.pid
        assert forked.alive
        forked.pipe.send(told)
        assert forked.end(0.2 if told == "hang" else 30) == status
        assert _gone(forked.pid)


def test_a_server_that_was_killed_is_replaced(server: ForkServer) -> None:
    forked = server.fork()
    pid, parent, _ = forked.pipe.recv()
    os.kill(parent, signal.SIGKILL)
    until(lambda: not forked.alive)
    assert forked.end() == -signal.SIGKILL
    until(lambda: _gone(pid))
    until(lambda: server._process is None or not server._process.is_alive())
    assert server.fork().pipe.recv()[1] != parent


def test_what_is_forked_has_everything_loaded_and_ends_with_who_asked() -> None:
    script = (
        "import tests.daemon.test_fork_server as test, time\n"
        "test.LOADED = 'before'\n"
        "server = test.ForkServer(test.serve)\n"
        "server.fork().end()\n"
        "print(*server.fork().pipe.recv(), flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        pid, parent, loaded = process.stdout.readline().split()
        process.kill()
    assert loaded == b"before"
    until(lambda: _gone(int(pid)) and _gone(int(parent)))


def test_what_is_not_waited_for_works_side_by_side_and_leaves_nothing_behind() -> None:
    server = ForkServer(serve, waits=False)
    try:
        lines = [server.connected(), server.connected()]
        (one, parent, _), (two, other, _) = (line.recv() for line in lines)
        assert parent == other
        assert one != two
        for line, told in zip(lines, ("exit", "hang"), strict=True):
            line.send(told)
        until(lambda: not Path(f"/proc/{one}").exists())
        os.kill(two, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{two}").exists())
        assert server.connected().recv()[1] == parent
    finally:
        server.close()


def _gone(pid: int) -> bool:
    try:
        return "State:\tZ" in Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True
