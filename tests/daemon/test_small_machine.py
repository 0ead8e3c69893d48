"""A real judge on a machine with 512 MB: no process of it may have more, and all of them take what
the keeper's guide says."""

from __future__ import annotations

import email
import os
import re
import resource
import smtplib
import socket
import subprocess
import sys
import threading
from email.policy import default
from pathlib import Path

from benchmarks.scale.meter import memory
from tests.mail.waiting import until

GAMES, MEMORY = 50, 512 * 1024 * 1024
GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "keeper.md").read_text()
SAID = re.search(
    r"needs (\d+) MB when it has started,\s+(\d+) MB while fifty games begin and have a\s+phase",
    GUIDE,
)
ROOM = 1.15
"""What another machine, or another Python, may need more."""


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def write(port: int, who: str, text: str, to: str = "judge@example.org") -> None:
    mail = f"From: {who}\r\nTo: {to}\r\nMessage-ID: <{hash(to)}.{who}>\r\n\r\n{text}\r\n"
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as door:
        door.sendmail(who, [to], mail)


def test_fifty_games_are_played_on_a_machine_of_512_mb(tmp_path: Path) -> None:
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
    most, over = [0.0], threading.Event()

    def look() -> None:
        while not over.wait(0.5):
            most[0] = max(most[0], memory(judge.pid))

    looks = threading.Thread(target=look)
    try:
        until(lambda: "judge started" in log.read_text(), 60)
        began = memory(judge.pid)
        looks.start()
        for number in range(GAMES):
            write(port, f"p{number}@people.example", "JOIN PRACTICE")
        # Each gets an answer and a start with its picture.
        until(lambda: log.read_text().count("letter sent") == 2 * GAMES, 120)
        starts = [
            read
            for each in (tmp_path / "mail").rglob("new/*")
            if b"image/png" in (read := each.read_bytes())
        ]
        assert len(starts) >= GAMES
        for each in starts:
            start = email.message_from_bytes(each, policy=default)
            write(port, str(start["To"]), "HOLD ALL", str(start["Reply-To"]))
        until(lambda: log.read_text().count("opens=F1901M") == GAMES, 240)
        assert "ERROR" not in log.read_text()
    finally:
        over.set()
        judge.terminate()
        judge.wait(30)
    looks.join()
    assert SAID is not None
    assert began < ROOM * int(SAID[1])
    assert most[0] < ROOM * int(SAID[2])
