"""The systemd unit: how much it could do if it were taken over, and that it can do its work."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).resolve().parents[2] / "judge.service"
MOST = 2.0


def settings() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        if line and line[0] not in "#[":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


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
