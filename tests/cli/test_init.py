"""`judge init --service`: what it writes and prints is all that a service needs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge import config
from judge.cli import main
from judge.ops.workable import unworkable

ASKED = ["--service", "--address", "judge@example.org", "--keeper", "you@example.org"]


def test_it_writes_a_configuration_that_works_and_a_unit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, program = tmp_path / "judge", tmp_path / "bin" / "judge"
    program.parent.mkdir()
    program.touch(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["bin/judge"])
    done = CliRunner().invoke(main, ["init", "bin/../judge", *ASKED])
    assert done.exit_code == 0, done.output
    found = config.load(folder / "judge.toml")
    assert found.database.url == "sqlite:/var/lib/judge/judge.db"
    assert found.smtp.lmtp
    assert str(found.backup.folder) == "/var/lib/judge/backups"
    relay = found.outgoing.relay
    assert relay is not None
    assert (relay.host, relay.port, relay.security, relay.user) == ("127.0.0.1", 25, "none", None)
    # All that is missing is what systemd makes.
    assert all("/var/lib/judge" in each for each in unworkable(found))
    assert sorted(each.name for each in folder.iterdir()) == ["judge.service", "judge.toml"]
    unit = (folder / "judge.service").read_text()
    assert f"\nExecStart={program} run --config {folder}/judge.toml" in unit, "systemd wants all"
    assert "\nExecStartPost=" in unit
    # What is printed can be pasted.
    lines = [each.strip() for each in done.output.splitlines() if each.startswith("    ")]
    for each in lines:
        subprocess.run(["sh", "-nc", each], check=True)
    assert "echo 'judge@example.org lmtp:inet:127.0.0.1:8025' >> /etc/postfix/transport" in lines
    assert f"systemctl enable --now {folder}/judge.service" in lines
    assert lines[-1].endswith(f" {program} check --config {folder}/judge.toml")


def test_it_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "judge.service").write_text("mine")
    done = CliRunner().invoke(main, ["init", str(tmp_path), *ASKED])
    assert done.exit_code == 1
    assert (tmp_path / "judge.service").read_text() == "mine"


@pytest.mark.systemd
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    CliRunner().invoke(main, ["init", str(tmp_path), *ASKED])
    unit = tmp_path / "judge.service"
    unit.write_text(re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text()))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "judge.service" not in done.stderr, done.stderr
