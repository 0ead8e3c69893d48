"""A real judge on a machine with 512 MB: no process of it may have more."""

from __future__ import annotations

import os
import resource
import smtplib
import socket
import subprocess
import sys
from pathlib import Path

from tests.mail.waiting import until

GAMES, MEMORY = 50, 512 * 1024 * 1024


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def test_fifty_games_begin_on_a_machine_of_512_mb(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "judge.toml").write_text(
        '[judge]\naddress = "judge@example.org"\n[database]\nurl = "sqlite:judge.db"\n'
        f'[smtp]\nport = {port}\n[outgoing]\nmaildir = "mail"\n'
    )
    log = tmp_path / "log"
    with log.open("w") as said:
        judge = subprocess.Popen(
            [sys.executable, "-m", "judge", "run"],
            cwd=tmp_path,
            stdout=said,
            stderr=said,
            preexec_fn=limit,
            # Each thread reserves 64 MB of addresses otherwise, which take no memory.
            env={**os.environ, "MALLOC_ARENA_MAX": "1"},
        )
    try:
        until(lambda: "judge started" in log.read_text(), 60)
        for number in range(GAMES):
            who = f"p{number}@people.example"
            mail = f"From: {who}\r\nTo: judge@example.org\r\nMessage-ID: <{who}>\r\n\r\n"
            with smtplib.SMTP("127.0.0.1", port, timeout=60) as door:
                door.sendmail(who, ["judge@example.org"], mail + "JOIN PRACTICE\r\n")
        # Each gets an answer and a start with its picture.
        until(lambda: log.read_text().count("letter sent") == 2 * GAMES, 120)
        assert "ERROR" not in log.read_text()
        sent = [each.read_bytes() for each in (tmp_path / "mail").rglob("new/*")]
        assert sum(b"image/png" in each for each in sent) >= GAMES
    finally:
        judge.terminate()
        judge.wait(30)
