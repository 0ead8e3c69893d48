"""The daemon as a process of its own: it starts, works, says why it cannot, and stops gently."""

from __future__ import annotations

import os
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.demo.server import ADDRESS, HOST, Server
from judge.storage import Storage


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    made = Server(tmp_path, speed=1)
    yield made
    made.kill()


def start(server: Server, *, environment: dict[str, str] | None = None) -> subprocess.Popen[str]:
    """`judge run`, with what it says on standard error to be read."""
    return subprocess.Popen(
        [sys.executable, "-m", "judge", "run", "--config", str(server.config)],
        stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def letter(text: str = "help") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ann <ann@example.org>"
    message["To"] = ADDRESS
    message["Message-ID"] = "<1@example.org>"
    message.set_content(text)
    return message


def mailbox(server: Server, count: int) -> list[Path]:
    """The letters to ann, when there are `count` of them."""
    box = server.mail / "ann@example.org" / "new"
    limit = time.monotonic() + 120
    while len(found := list(box.glob("*"))) < count:
        assert time.monotonic() < limit, server.log.read_text()
        time.sleep(0.05)
    return found


def test_a_mail_is_answered_and_a_copy_of_it_is_not(server: Server) -> None:
    server.start()
    for _ in range(2):
        with smtplib.SMTP(HOST, server.port) as smtp:
            smtp.send_message(letter())
    mailbox(server, 1)
    time.sleep(0.5)
    assert len(mailbox(server, 1)) == 1


def test_a_mail_that_came_by_the_pipe_is_worked_within_seconds(server: Server) -> None:
    server.start()
    command = [sys.executable, "-m", "judge", "mail", "--config", str(server.config)]
    done = subprocess.run(command, input=letter().as_bytes(), check=False)
    assert done.returncode == 0
    mailbox(server, 1)


def test_mail_that_waited_while_the_judge_was_away_is_worked_at_its_start(server: Server) -> None:
    storage = Storage.open(server.database)
    storage.inbound.accept(
        letter().as_bytes(), door="pipe", envelope_from=None, envelope_to=[],
        received_at=datetime.now(UTC),
    )  # fmt: skip
    storage.close()
    server.start()
    mailbox(server, 1)


def asked_how_it_is(server: Server, *arguments: str) -> int:
    command = [sys.executable, "-m", "judge", "status", *arguments, "--config", str(server.config)]
    return subprocess.run(command, capture_output=True, check=False).returncode


def test_who_looks_after_a_judge_hears_at_once_whether_it_lives(server: Server) -> None:
    server.start()
    assert asked_how_it_is(server, "--alive") == 0
    assert asked_how_it_is(server, "--ready") == 0
    server.stop()
    assert asked_how_it_is(server, "--ready") == 1
    server.start()
    assert asked_how_it_is(server, "--alive") == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_gently(server: Server, number: signal.Signals) -> None:
    server.start()
    assert server._process is not None
    server._process.send_signal(number)
    assert server._process.wait(120) == 0
    assert '"judge stopped"' in server.log.read_text()
    assert asked_how_it_is(server, "--alive") == 1
    assert "Traceback" not in server.log.read_text()


def test_systemd_hears_when_it_is_ready_and_that_it_lives(server: Server, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(str(tmp_path / "notify"))
        channel.settimeout(20)
        environment = {
            **os.environ,
            "NOTIFY_SOCKET": str(tmp_path / "notify"),
            "WATCHDOG_USEC": "3000000",
        }
        process = start(server, environment=environment)
        try:
            assert channel.recv(100) == b"READY=1"
            assert channel.recv(100) == b"WATCHDOG=1"
            assert channel.recv(100) == b"WATCHDOG=1"
            process.terminate()
            while (said := channel.recv(100)) == b"WATCHDOG=1":
                pass
            assert said == b"STOPPING=1"
        finally:
            process.kill()
            process.communicate()


def test_a_port_that_is_taken_is_one_clear_line(server: Server) -> None:
    with socket.socket() as other:
        other.bind((HOST, server.port))
        other.listen()
        process = start(server)
        _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert f"Error: the SMTP receiver cannot listen on {HOST} port {server.port}" in said
    assert "Traceback" not in said


def test_a_database_that_cannot_be_opened_is_one_clear_line(server: Server) -> None:
    (server.folder / "judge.db").write_bytes(b"no database at all" * 1000)
    process = start(server)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "Error: the database cannot be opened" in said
    assert "Traceback" not in said


def test_a_configuration_that_cannot_be_used_names_every_fault(server: Server) -> None:
    server.config.write_text('[judge]\naddress = "judge"\n[smtp]\nport = 70000\n')
    process = start(server)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "judge.address" in said
    assert "smtp.port" in said


def test_the_log_holds_no_secret(server: Server) -> None:
    server.config.write_text(
        server.config.read_text()
        + "[outgoing.relay]\nhost = '127.0.0.1'\nport = 1\nsecurity = 'none'\n"
        + "user = 'judge'\npassword = 'hunter2'\n[log]\nlevel = 'debug'\n"
    )
    server.start()
    with smtplib.SMTP(HOST, server.port) as smtp:
        smtp.send_message(letter("help\nJOIN paris sesame"))
    limit = time.monotonic() + 120
    while "letters cannot be sent" not in (log := server.log.read_text()):
        assert time.monotonic() < limit, log
        time.sleep(0.05)
    server.stop()
    log = server.log.read_text()
    for secret in ("hunter2", "sesame"):
        assert secret not in log
