"""Nothing the judge does for a mail, a deadline, each minute or each day reads a whole table."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from judge.game import keeper_report
from judge.mail.quotes import packed
from judge.ops.alarms import Watch
from judge.ops.machine import Machine
from judge.ops.status import status
from judge.storage.queries import Engine
from tests.game.play import Play

SMALL = ("alarm", "house", "schema_migration")
"""Tables that do not grow."""


class Plans:
    """SQLite's plans for all that is asked (https://sqlite.org/eqp.html)."""

    def __init__(self, engine: Engine) -> None:
        self._execute = engine.database.execute_sql
        self.whole: dict[str, list[str]] = {}
        self.asked: set[str] = set()

    def query(self, sql: str, parameters: Any = None) -> Any:
        """In place of what runs a query."""
        self._explain(sql, parameters)
        return self._execute(sql, parameters)

    def _explain(self, sql: str, parameters: Any) -> None:
        if sql not in self.asked and sql.split()[0] in ("SELECT", "UPDATE", "DELETE"):
            self.asked.add(sql)
            plan = self._execute(f"EXPLAIN QUERY PLAN {sql}", parameters).fetchall()
            # Rows of an index are small, and few where the index has a condition.
            scans = [row[3] for row in plan if row[3].startswith("SCAN") and "INDEX" not in row[3]]
            if scans and not any(f'"{table}"' in sql for table in SMALL):
                self.whole[sql] = scans


def test_nothing_that_is_done_often_reads_a_whole_table(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.start(preferences="FAEGIRT")
    engine = play.storage._engine
    plans = Plans(engine)
    monkeypatch.setattr(engine.database, "execute_sql", plans.query)
    play.answer("ann", "A par - bur\nPRESS TO England\nHello\nENDPRESS")
    play.send("bob", "STATUS\nHISTORY\nSUMMARY\nVERSION\nLIST paris\nWHO IS paris")
    play.send("zoe", "JOIN paris")
    play.sure("cleo", "RESIGN", answers=None)
    play.lapse()
    now, storage, house = play.clock.now(), play.storage, play.judge.profile
    Watch(storage, house, play.clock, machine=Machine("here")).look()
    status(storage, play.clock)
    keeper_report.facts(storage, now - timedelta(days=1), now)
    storage.erasure.mails(now)
    storage.erasure.letters(now, packed)
    assert len(plans.asked) > 50
    assert plans.whole == {}
