"""judge backup, restore, verify and move at the command line."""

from __future__ import annotations

import json
from pathlib import Path

from judge import config
from judge.storage import Game, Outward, Person, Storage
from tests.cli.conftest import Call
from tests.cli.test_keeping import NOW


def add(storage: Storage) -> None:
    with storage.transaction():
        storage.games.add(Game(name="paris", variant="standard", created_at=NOW))


def test_a_backup_is_made_and_restored(home: Path, storage: Storage, call: Call) -> None:
    add(storage)
    made = call("backup", str(home / "backups"), "--keep", "2")
    assert made.exit_code == 0, made.output
    assert f"Made the key {home / 'backup.key'}. Keep a copy elsewhere" in made.output
    (file,) = (home / "backups").iterdir()
    refused = call("restore", str(file))
    assert refused.exit_code == 1
    assert "is not empty" in refused.stderr
    storage.close()
    (home / "judge.db").rename(home / "old.db")
    for leftover in home.glob("judge.db-*"):
        leftover.unlink()
    restored = call("restore", str(file))
    assert restored.exit_code == 0, restored.output
    assert "judge verify" in restored.output
    assert [each["name"] for each in json.loads(call("game", "list", "--json").output)] == ["paris"]


def test_the_folder_of_the_judges_own_backups_is_never_a_file(home: Path, call: Call) -> None:
    file = home / "judge.toml"
    file.write_text(file.read_text().replace("\n[backup]\n", '\n[backup]\nfolder = "mine"\n'))
    made = call("backup", str(home / "mine"))
    assert made.exit_code == 0, made.output
    assert len(list((home / "mine").glob("*.judge-backup"))) == 1


def test_a_backup_overwrites_nothing(home: Path, call: Call) -> None:
    (home / "b").write_text("mine")
    result = call("backup", str(home / "b"))
    assert result.exit_code == 1
    assert "is there already" in result.stderr


def test_another_key_is_said(home: Path, call: Call) -> None:
    call("backup", str(home / "b"))
    (home / "backup.key").write_text("A" * 43 + "=\n")
    (home / "judge.db").unlink()
    result = call("restore", str(home / "b"))
    assert result.exit_code == 1
    assert "another key" in result.stderr


def test_verify_counts_and_says_what_is_wrong(home: Path, storage: Storage, call: Call) -> None:
    add(storage)
    assert call("verify").output == "1 game, 0 phases: all as on file.\n"
    assert json.loads(call("verify", "--json").output) == [
        {"game": "paris", "phases": 0, "faults": []}
    ]
    assert "there is no game rome" in call("verify", "rome").stderr


def test_a_judge_is_moved(home: Path, storage: Storage, call: Call) -> None:
    add(storage)
    url = config.load(home / "judge.toml").database.url
    storage.close()
    result = call("move", url, f"sqlite:{home}/new.db")
    assert result.exit_code == 0, result.output
    assert "Moved and compared" in result.output
    again = call("game", "list")
    assert again.exit_code == 1
    assert "was moved to sqlite:" in again.stderr


def test_a_player_is_forgotten_after_a_question(home: Path, storage: Storage, call: Call) -> None:
    with storage.transaction():
        ann = storage.people.add(Person(name=Outward("Ann"), created_at=NOW))
        storage.people.add_address(ann.id, "ann@example.org", NOW)
    kept = call("player", "forget", "ann@example.org", input="n\n")
    assert kept.exit_code == 1
    assert storage.people.by_address("ann@example.org") is not None
    assert call("player", "forget", "ann@example.org", "--yes").output == "Forgotten.\n"
    assert storage.people.by_address("ann@example.org") is None
    again = call("player", "forget", "ann@example.org", "--yes")
    assert "nobody has the address" in again.stderr
