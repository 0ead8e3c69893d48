"""Backups, restores and moves: all of it, between both engines, and compared."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from judge.clock import SystemClock
from judge.ops import backup
from judge.storage import Game, Storage, StorageError, Unavailable, occupied, transfer
from judge.storage.queries import Row
from judge.storage.transfer import check_file
from tests.faults.disks import full, small_disk
from tests.game.play import Play

KEY = bytes(32)


@pytest.fixture
def filled(played: Play, url: str) -> str:
    """Where everything of a game that is being played lies, on either engine."""
    target = Storage.open(url)
    played.storage.copy_to(target)
    target.close()
    return url


@pytest.fixture
def there(new_url: Callable[..., str]) -> str:
    return new_url()


def digests(url: str) -> dict[str, str]:
    storage = Storage.open(url)
    try:
        return storage.digests()
    finally:
        storage.close()


def write(url: str, path: Path) -> None:
    storage = Storage.open(url)
    try:
        backup.write(storage, path, KEY)
    finally:
        storage.close()


def test_a_backup_brings_all_back_on_either_engine(filled: str, there: str, tmp_path: Path) -> None:
    path = tmp_path / "b.judge-backup"
    write(filled, path)
    backup.restore(path, KEY, there)
    assert digests(there) == digests(filled)
    other = f"sqlite:{tmp_path}/other.db"
    backup.restore(path, KEY, other)
    assert digests(other) == digests(filled)


@pytest.mark.mount
def test_a_disk_that_is_full_leaves_the_backups_there_are_and_no_part_of_another(
    filled: str, there: str
) -> None:
    with small_disk(8) as disk:
        write(filled, disk / "a.judge-backup")
        with full(disk):
            with pytest.raises((OSError, StorageError, Unavailable)):
                write(filled, disk / "b.judge-backup")
            assert {path.name for path in disk.iterdir()} == {"a.judge-backup", "ballast"}
        write(filled, disk / "b.judge-backup")
        backup.restore(disk / "b.judge-backup", KEY, there)
    assert digests(there) == digests(filled)


def test_a_restored_judge_goes_on(filled: str, there: str, tmp_path: Path, played: Play) -> None:
    path = tmp_path / "b.judge-backup"
    write(filled, path)
    backup.restore(path, KEY, there)
    storage = Storage.open(there)
    played.storage.close()
    played.judge.storage = played.storage = storage
    # Ids go on behind those restored, and answers to letters sent before are known.
    reply = played.answer("max", "PROCESS F1901M")
    assert "F1901M" in reply.text
    assert reply.kind == "reply"


def test_the_file_shows_nothing_and_nothing_is_left_beside_it(filled: str, tmp_path: Path) -> None:
    path = tmp_path / "to" / "b.judge-backup"
    path.parent.mkdir()
    write(filled, path)
    raw = path.read_bytes()
    storage = Storage.open(filled)
    secret = storage.tickets.secret
    storage.close()
    for shown in (secret, b"people.example", b"SQLite", b"Austria"):
        assert shown not in raw
    assert list(path.parent.iterdir()) == [path]


def test_a_backup_beside_a_writing_judge_is_of_one_instant(url: str, tmp_path: Path) -> None:
    storage = Storage.open(url)
    stop = threading.Event()

    def busy() -> None:
        # Two games a transaction: a backup that holds one of them is of no instant.
        number = 0
        while not stop.is_set():
            number += 1
            now = SystemClock().now()
            with storage.transaction():
                for name in ("a", "b"):
                    storage.games.add(Game(name=f"{name}{number}", variant="x", created_at=now))

    thread = threading.Thread(target=busy)
    thread.start()
    try:
        for number in range(5):
            backup.write(storage, tmp_path / f"{number}", KEY)
    finally:
        stop.set()
        thread.join()
        storage.close()
    for number in range(5):
        backup.restore(tmp_path / f"{number}", KEY, f"sqlite:{tmp_path}/{number}.db")
        found = Storage.open(f"sqlite:{tmp_path}/{number}.db")
        assert len(found.games.all()) % 2 == 0
        found.close()


def test_nothing_is_restored_over_a_judge(filled: str, tmp_path: Path) -> None:
    path = tmp_path / "b"
    write(filled, path)
    before = digests(filled)
    with pytest.raises(StorageError, match="is not empty"):
        backup.restore(path, KEY, filled)
    assert digests(filled) == before


def test_nothing_is_restored_or_moved_under_a_running_judge(
    filled: str, there: str, tmp_path: Path
) -> None:
    path = tmp_path / "b"
    write(filled, path)
    with occupied(there):
        with pytest.raises(StorageError, match="judge runs on"):
            backup.restore(path, KEY, there)
        with pytest.raises(StorageError, match="judge runs on"):
            backup.move(filled, there)
    with occupied(filled), pytest.raises(StorageError, match="judge runs on"):
        backup.move(filled, there)


def test_a_backup_of_a_newer_judge_is_refused(played: Play, there: str, tmp_path: Path) -> None:
    storage = played.storage
    storage._engine.database.execute_sql(
        "INSERT INTO schema_migration (name, applied) VALUES ('9999_cars', '2099-01-01')"
    )
    backup.write(storage, tmp_path / "b", KEY)
    with pytest.raises(StorageError, match=r"newer judge .*9999_cars"):
        backup.restore(tmp_path / "b", KEY, there)


def test_a_damaged_backup_is_refused(filled: str, there: str, tmp_path: Path) -> None:
    path = tmp_path / "b"
    write(filled, path)
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    with pytest.raises(backup.EncryptionError):
        backup.restore(path, KEY, there)


def test_a_damaged_database_is_noticed(tmp_path: Path) -> None:
    Storage.open(f"sqlite:{tmp_path}/x.db").close()
    raw = bytearray((tmp_path / "x.db").read_bytes())
    raw[4096:8192] = bytes(4096)
    (tmp_path / "x.db").write_bytes(raw)
    with pytest.raises(StorageError, match="damaged"):
        check_file(tmp_path / "x.db")


def test_a_judge_moves_and_leaves_a_note(filled: str, there: str, tmp_path: Path) -> None:
    before = digests(filled)
    found = backup.move(filled, there)
    assert found == before == digests(there)
    with pytest.raises(StorageError, match=r"was moved to .*not to be used"):
        Storage.open(filled)


@pytest.mark.postgres
@pytest.mark.parametrize("there_and_back", [True, False])
def test_a_judge_moves_between_engines_both_ways(
    played: Play, postgres_url: str, tmp_path: Path, there_and_back: bool
) -> None:
    before = played.storage.digests()
    played.storage.close()
    backup.move(f"sqlite:{played.file}", postgres_url)
    assert digests(postgres_url) == before
    if there_and_back:
        backup.move(postgres_url, f"sqlite:{tmp_path}/back.db")
        assert digests(f"sqlite:{tmp_path}/back.db") == before


def test_what_does_not_arrive_as_it_was_does_not_arrive(
    filled: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    storing = transfer._storing

    def lying(model: Any, rows: Sequence[Row]) -> Any:
        wrong = [{k: "no" if v == "active" else v for k, v in row.items()} for row in rows]
        return storing(model, wrong)

    monkeypatch.setattr(transfer, "_storing", lying)
    with pytest.raises(StorageError, match="did not arrive"):
        backup.move(filled, there)
    monkeypatch.undo()
    storage = Storage.open(there)
    assert storage.games.all() == []
    storage.close()
    # The old one can be used as before.
    Storage.open(filled).close()


def test_only_the_newest_backups_are_kept(tmp_path: Path) -> None:
    for day in range(1, 6):
        (tmp_path / f"2026-06-0{day}T000000Z.judge-backup").touch()
    (tmp_path / "other").touch()
    assert len(backup.thin_out(tmp_path, 2)) == 3
    assert sorted(each.name[:10] for each in tmp_path.iterdir()) == [
        "2026-06-04",
        "2026-06-05",
        "other",
    ]
