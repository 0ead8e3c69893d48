"""What only one of the engines can show: locks between processes, lost servers, full disks."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import judge.storage.databases
from judge.storage import (
    Game,
    InboundState,
    OutboundMessage,
    OutboundState,
    Outward,
    Person,
    Storage,
    StorageError,
    Turn,
    Unavailable,
)
from tests.storage.postgres import Cluster, cluster
from tests.storage.test_contract import MAIL, accept, add_game, letter, queue

NOW = datetime(2026, 6, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("mysql://here/judge", "mysql:... is no database the judge knows"),
        ("sqlite:", "is no database the judge knows; write sqlite:/path"),
        ("judge.db", "is no database"),
        ("sqlite:/no/such/folder/judge.db", "/no/such/folder is no directory"),
        (f"sqlite:{__file__}", "test_engines.py cannot be opened: file is not a database"),
        ("postgresql://me:50%off@here/judge", "here/judge cannot be opened: write % as %25"),
        ("postgresql://[here/judge", r"\[here/judge cannot be opened"),
    ],
)
def test_a_url_that_names_no_database_is_refused(url: str, problem: str) -> None:
    with pytest.raises(StorageError, match=problem):
        Storage.open(url)


def test_a_commit_survives_the_death_of_the_process(tmp_path: Path) -> None:
    url = f"sqlite:{tmp_path}/judge.db"
    child = (
        "import os, signal, sys; from datetime import *; from judge.storage import *\n"
        f"s = Storage.open({url!r}); now = datetime.now(UTC)\n"
        "with s.transaction(): s.games.add(Game(name='kept', variant='x', created_at=now))\n"
        "with s.transaction():\n"
        "    s.games.add(Game(name='lost', variant='x', created_at=now))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    root = str(Path(judge.__file__).parent.parent)
    done = subprocess.run([sys.executable, "-c", child], cwd=root)
    assert done.returncode == -signal.SIGKILL
    storage = Storage.open(url)
    assert [game.name for game in storage.games.all()] == ["kept"]
    storage.close()


class TestSqlite:
    @pytest.fixture
    def storage(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Storage]:
        monkeypatch.setattr(judge.storage.databases, "_BUSY_SECONDS", 0.2)
        storage = Storage.open(f"sqlite:{tmp_path}/judge.db")
        yield storage
        storage.close()

    def test_every_connection_is_durable_and_checks_references(self, storage: Storage) -> None:
        found: list[tuple[object, ...]] = []

        def look() -> None:
            database = storage._engine.database
            found.append((database.journal_mode, database.synchronous, database.foreign_keys))

        look()
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        assert found == [("wal", 2, 1)] * 2

    def test_only_that_a_letter_was_sent_does_not_wait_for_the_disk(self, storage: Storage) -> None:
        database, waits = storage._engine.database, list[int]()
        storage.outbound.sent(1, NOW)
        waits.append(database.synchronous)
        accept(storage, MAIL)
        waits.append(database.synchronous)
        storage.outbound.sent(1, NOW)
        with storage.transaction():
            waits.append(database.synchronous)
        assert waits == [1, 2, 2]

    def test_only_its_owner_may_read_the_file(self, storage: Storage, tmp_path: Path) -> None:
        for path in tmp_path.glob("judge.db*"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path

    def test_to_open_it_again_shows_no_other_process_that_nobody_uses_it(
        self, storage: Storage, tmp_path: Path
    ) -> None:
        accept(storage)
        judge.storage.databases.open_engine(f"sqlite:{tmp_path}/judge.db")
        log = (tmp_path / "judge.db-wal").stat()
        # Who closes it last throws the log away, which others may still write.
        look = (
            "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('VACUUM'); d.close()"
        )
        command = [sys.executable, "-c", look, str(tmp_path / "judge.db")]
        subprocess.run(command, check=True, timeout=60)
        assert (tmp_path / "judge.db-wal").stat().st_ino == log.st_ino

    def test_a_lock_that_another_process_keeps_makes_it_unavailable(
        self, storage: Storage, tmp_path: Path
    ) -> None:
        other = Storage.open(f"sqlite:{tmp_path}/judge.db")
        with other.transaction(), pytest.raises(Unavailable, match="locked"):
            accept(storage)
        accept(storage)
        other.close()

    def test_a_full_disk_makes_it_unavailable_and_loses_nothing(self, storage: Storage) -> None:
        kept = accept(storage)
        pages = storage._engine.database.pragma("page_count")
        storage._engine.database.pragma("max_page_count", pages)
        with pytest.raises(Unavailable, match="full"):
            accept(storage, MAIL + b"x" * 100_000)
        storage._engine.database.pragma("max_page_count", 1_000_000)
        assert storage.inbound.next_new(after=kept) is None
        assert accept(storage, MAIL + b"x" * 100_000) > kept

    def test_a_rollback_sqlite_did_by_itself_does_not_hide_what_happened(
        self, storage: Storage
    ) -> None:
        def work() -> None:
            with storage.transaction():
                storage._engine.database.execute_sql("ROLLBACK")
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            work()
        accept(storage)

    def test_a_mistake_of_ours_is_not_called_unavailable(self, storage: Storage) -> None:
        storage._engine.database.execute_sql("DROP TABLE press")
        with pytest.raises(Exception, match="no such table") as raised:
            storage.press.of_game(1)
        assert not isinstance(raised.value, Unavailable)


@pytest.mark.postgres
class TestPostgresql:
    @pytest.fixture
    def storage(self, postgres_url: str) -> Iterator[Storage]:
        storage = Storage.open(postgres_url)
        yield storage
        storage.close()

    @pytest.fixture
    def other(self, storage: Storage, postgres_url: str) -> Iterator[Storage]:
        other = Storage.open(postgres_url)
        yield other
        other.close()

    def test_a_password_shows_nowhere(self) -> None:
        with pytest.raises(Unavailable) as raised:
            Storage.open("postgresql://judge:s3cret@127.0.0.1:1/judge")
        assert "s3cret" not in str(raised.value)
        engine = judge.storage.databases.open_engine("postgresql://judge:s3cret@127.0.0.1:1/judge")
        assert "s3cret" not in repr(Storage(engine))

    def test_several_may_start_at_once(self, postgres_cluster: Cluster) -> None:
        url = postgres_cluster.create("several")
        opened: list[Storage] = []
        threads = [
            threading.Thread(target=lambda: opened.append(Storage.open(url))) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert len(opened) == 4
        for storage in opened:
            storage.close()

    def test_a_mail_or_game_in_work_is_left_to_its_worker(
        self, storage: Storage, other: Storage
    ) -> None:
        mail_id, paris = accept(storage), add_game(storage)
        with storage.transaction(), other.transaction():
            assert storage.inbound.claim(mail_id) is not None
            assert storage.games.claim(paris.id) is not None
            assert other.inbound.claim(mail_id) is None
            assert other.games.claim(paris.id, wait=False) is None
        with other.transaction():
            assert other.inbound.claim(mail_id) is not None
            assert other.games.claim(paris.id, wait=False) is not None

    def test_two_senders_never_have_the_same_letter(self, storage: Storage, other: Storage) -> None:
        first, second = queue(storage, letter(1), letter(2))
        with storage.outbound.claimed(NOW.replace(year=2027), limit=1) as mine:
            with other.outbound.claimed(NOW.replace(year=2027)) as theirs:
                assert ([each.id for each in mine], [each.id for each in theirs]) == (
                    [first.id],
                    [second.id],
                )
                other.outbound.sent(second.id, NOW)
            storage.outbound.sent(first.id, NOW)
        with other.outbound.claimed(NOW.replace(year=2027)) as theirs:
            assert theirs == []

    def test_what_is_kept_is_taken_by_one_judge(
        self, storage: Storage, other: Storage, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with storage.transaction():
            ann = storage.people.add(Person(name=Outward("Ann"), created_at=NOW)).id
        kept = [letter(each, person_id=ann, state=OutboundState.KEPT) for each in range(3)]
        queue(storage, *kept)
        engine, taken = other.outbound._engine, list[OutboundMessage]()
        read = engine.records

        def late(kind: Any, query: Any) -> Any:
            found = read(kind, query)
            with storage.transaction():
                taken.extend(storage.outbound.take_kept(ann))
            return found

        with other.transaction():
            monkeypatch.setattr(engine, "records", late)
            assert other.outbound.take_kept(ann) == []
        assert len(taken) == 3

    def test_a_letter_is_sent_by_another_when_its_sender_dies(
        self, storage: Storage, other: Storage, postgres_url: str
    ) -> None:
        (only,) = queue(storage, letter(1))
        child = (
            "from time import sleep; from datetime import datetime, UTC\n"
            "from judge.storage import Storage\n"
            f"s = Storage.open({postgres_url!r})\n"
            "with s.outbound.claimed(datetime(2027, 1, 1, tzinfo=UTC)) as due:\n"
            "    print(len(due), flush=True); sleep(60)\n"
        )
        root = str(Path(judge.__file__).parent.parent)
        process = subprocess.Popen(
            [sys.executable, "-c", child], cwd=root, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        with process:
            assert process.stdout.readline() == "1\n"
            with other.outbound.claimed(NOW.replace(year=2027)) as due:
                assert due == []
            os.kill(process.pid, signal.SIGKILL)
        got: list[OutboundMessage] = []
        end = time.monotonic() + 120
        while not got and time.monotonic() < end:
            with other.outbound.claimed(NOW.replace(year=2027)) as got:
                time.sleep(0.05)
        assert got == [only]

    def test_what_is_asked_all_the_time_is_planned_once(self, storage: Storage) -> None:
        for _ in range(30):
            list(storage.inbound.turns(Turn()))
            storage.games.due(NOW)
        plans = (
            "SELECT sum(generic_plans), sum(custom_plans) FROM pg_prepared_statements"
            " WHERE statement LIKE '%%lane%%' OR statement LIKE '%%wake_at%%'"
        )
        generic, custom = storage._engine.database.execute_sql(plans).fetchone()
        assert generic > custom

    def test_a_letter_that_was_taken_is_noted_though_the_server_was_restarted_meanwhile(
        self,
    ) -> None:
        with cluster() as server:
            storage = Storage.open(server.create("judge"))
            (only,) = queue(storage, letter(1))
            server.stop()
            server.start()
            storage.outbound.sent(only.id, NOW)
            assert storage.outbound.count(OutboundState.SENT) == 1
            storage.close()

    def test_a_server_that_goes_away_as_a_transaction_begins_is_out_of_reach(self) -> None:
        with cluster() as server:
            storage = Storage.open(server.create("judge"))

            def begun() -> None:
                with storage.transaction():
                    server.stop()
                    storage.heartbeat.alone()

            with pytest.raises(Unavailable):
                begun()
            server.start()
            assert storage.inbound.count(InboundState.NEW) == 0
            storage.close()

    def test_a_restarted_server_is_found_again(self) -> None:
        with cluster() as server:
            storage = Storage.open(server.create("judge"))
            accept(storage)
            server.stop()
            with pytest.raises(Unavailable):
                accept(storage, MAIL + b"1")
            with pytest.raises(Unavailable):
                storage.inbound.next_new()
            server.start()
            accept(storage, MAIL + b"2")
            # Between two uses: the dead connection is noticed and replaced without a word.
            server.stop()
            server.start()
            assert storage.inbound.count(InboundState.NEW) == 2
            server.stop()
            server.start()
            accept(storage, MAIL + b"3")

            # In the middle of a transaction nothing of it may count.
            def interrupted() -> None:
                with storage.transaction():
                    storage.games.add(Game(name="paris", variant="standard", created_at=NOW))
                    server.stop()
                    server.start()
                    storage.games.add(Game(name="rome", variant="standard", created_at=NOW))

            with pytest.raises(Unavailable):
                interrupted()
            assert storage.games.all() == []
            assert storage.inbound.count(InboundState.NEW) == 3
            storage.close()
