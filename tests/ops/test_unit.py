"""The systemd unit: how much it could do if it were taken over, and that it can do its work."""

from __future__ import annotations

import re
import smtplib
import subprocess
import sys
from pathlib import Path

import pytest

from judge.demo.server import ADDRESS, HOST, Server, vouched
from tests.mail.waiting import until
from tests.ops.confined import UNIT, settings

MOST = 2.0


@pytest.mark.systemd
def test_the_unit_exposes_little() -> None:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNIT)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"Overall exposure level for judge\.service: ([\d.]+)", done.stdout)
    assert found, done.stderr
    assert float(found[1]) <= MOST


@pytest.mark.systemd
def test_systemd_understands_every_line(tmp_path: Path) -> None:
    unit = tmp_path / "judge.service"
    unit.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", UNIT.read_text(), flags=re.M))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "judge.service" not in done.stderr, done.stderr


def test_it_is_watched_started_again_and_has_a_place_to_write() -> None:
    found = settings()
    assert found["Type"] == ["notify"]
    assert int(found["WatchdogSec"][0]) >= 60
    assert found["Restart"] == ["always"]
    assert found["StateDirectory"] == ["judge"]
    assert "LoadCredential" in UNIT.read_text()
    # Mail goes over the Internet, and systemd is told over a local socket.
    assert set(found["RestrictAddressFamilies"][0].split()) == {"AF_INET", "AF_INET6", "AF_UNIX"}


CONFINED = [sys.executable, "-m", "tests.ops.confined"]


@pytest.mark.systemd
def test_within_the_limits_of_the_unit_a_game_begins(tmp_path: Path) -> None:
    server = Server(tmp_path, speed=1, pictures=True)
    server.command = [*CONFINED, *server.command]
    server.start()
    try:
        for number, text in enumerate(["CREATE ?paris", *["JOIN paris"] * 7]):
            who = f"p{number}@players.example"
            mail = f"From: {who}\r\nTo: {ADDRESS}\r\nMessage-ID: <{number}@x>\r\n\r\n{text}\r\n"
            with smtplib.SMTP(HOST, server.port) as smtp:
                smtp.sendmail(who, [ADDRESS], vouched(mail.encode(), who))

        def drawn() -> int:
            letters = [path.read_bytes() for path in server.mail.glob("p[1-7]@*/new/*")]
            return sum(b"image/png" in each for each in letters)

        until(lambda: drawn() == 7, 60)
        assert server.stop() == 0
    finally:
        server.kill()
    assert "Traceback" not in server.log.read_text()


@pytest.mark.systemd
@pytest.mark.parametrize(
    "forbidden",
    [
        "import os; os.setpriority(os.PRIO_PROCESS, 0, 5)",
        "import socket; socket.socket(socket.AF_NETLINK)",
    ],
)
def test_those_limits_are_limits(forbidden: str) -> None:
    done = subprocess.run(
        [*CONFINED, sys.executable, "-c", forbidden], capture_output=True, text=True, check=False
    )
    assert "Operation not permitted" in done.stderr
