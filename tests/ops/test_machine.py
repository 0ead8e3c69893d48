"""What a machine has wrong is found when it is asked, and backups are made when they are due."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme
from click.testing import CliRunner

from judge import config
from judge.cli import main
from judge.daemon.factory import backups
from judge.daemon.loop import Loop
from judge.ops.backup import read_key, restore
from judge.ops.machine import Machine, last_backup, machine_of, name_for, validity
from tests.game.play import Play


def configured(folder: Path, more: str = "") -> config.Config:
    file = folder / "judge.toml"
    file.write_text(
        '[judge]\naddress = "judge@judge.example"\n'
        f'[database]\nurl = "sqlite:play/judge.db"\n{more}'
    )
    return config.load(file)


def test_a_certificate_tells_its_end(tmp_path: Path) -> None:
    authority, end = trustme.CA(), datetime.now(UTC) + timedelta(days=3)
    issued = authority.issue_cert("judge.example", not_after=end)
    file = tmp_path / "chain.pem"
    for pem in issued.cert_chain_pems:
        pem.write_to_path(str(file), append=True)
    found = validity(file)
    assert found is not None
    assert abs(found[1] - end) < timedelta(seconds=2)
    assert [each.kind for each in Machine("here", (), (file,)).troubles(datetime.now(UTC))] == [
        "certificate"
    ]
    file.write_text("none")
    assert validity(file) is None


def test_backups_are_made_when_they_are_due_and_thinned_out(play: Play, tmp_path: Path) -> None:
    play.start()
    here = configured(tmp_path, '[backup]\nfolder = "kept"\nevery = 24\nkeep = 2\n')
    step, loop = backups(here, play.storage), Loop("backups", lambda _: 0.0)
    assert step is not None
    folder = tmp_path / "kept"
    step(loop)
    (first,) = folder.iterdir()
    restore(first, read_key(here.backup.key_file), f"sqlite:{tmp_path}/again.db")
    step(loop)
    assert list(folder.iterdir()) == [first], "not due yet"
    now = datetime.now(UTC)
    first.rename(folder / name_for(now - timedelta(days=3)))
    (folder / name_for(now - timedelta(days=2))).touch()
    step(loop)
    left = [each.name for each in sorted(folder.iterdir())]
    assert len(left) == 2
    assert left[0] == name_for(now - timedelta(days=2))
    assert folder.stat().st_mode & 0o077 == 0


def test_status_looks_at_the_machine_itself(play: Play, tmp_path: Path) -> None:
    here = configured(tmp_path, '[backup]\nfolder = "kept"\n')
    assert machine_of(here).every == timedelta(hours=24)
    asked = ["status", "--json", "--config", str(tmp_path / "judge.toml")]
    found = json.loads(CliRunner().invoke(main, asked).output)
    assert [each["kind"] for each in found["alarms"]] == ["backup"]
    step = backups(here, play.storage)
    assert step is not None
    step(Loop("backups", lambda _: 0.0))
    found = json.loads(CliRunner().invoke(main, asked).output)
    assert found["alarms"] == []
    assert last_backup(tmp_path / "kept") == datetime.fromisoformat(found["backup"])
