"""What a mail, a phase, LIST and JOIN read does not grow with the house, nor with who writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmarks.scale.town import HOUSE, Town, town
from judge.storage import InboundState
from judge.storage.queries import Engine

FEW, MANY = 30, 600
"""Games of two houses."""


class Reading:
    """How many statements a path runs, and how many rows and about how many bytes they return."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.statements = self.rows = self.bytes = 0
        for name in ("tuples", "rows", "records", "columns"):
            self._count(patch, name)

    def _count(self, patch: pytest.MonkeyPatch, name: str) -> None:
        asked = getattr(Engine, name)

        def counted(engine: Engine, *arguments: Any, **named: Any) -> list[Any]:
            found: list[Any] = asked(engine, *arguments, **named)
            self.statements += 1
            self.rows += len(found)
            self.bytes += len(repr(found))
            return found

        patch.setattr(Engine, name, counted)


@contextmanager
def house(path: Path, games: int) -> Iterator[Town]:
    """A house of so many public games that have begun, and one that forms."""
    with town(f"sqlite:{path / f'{games}.db'}", games, plain=True) as made:
        listed = """UPDATE game SET listed = TRUE,
            settings = replace(settings, '"listed":false', '"listed":true')"""
        made.storage._engine.database.execute_sql(listed)
        say(made, "master@players.example", "CREATE ?open PUBLIC")
        say(made, "reader@players.example", "REGISTER Ann Reader")
        yield made


def say(made: Town, sender: str, text: str) -> None:
    """Let somebody say something in a mail of their own."""
    say.number = number = getattr(say, "number", 0) + 1  # type: ignore[attr-defined]
    raw = f"From: {sender}\r\nMessage-ID: <{number}@growth.example>\r\n\r\n{text}\r\n"
    made.judge.process_message(accepted(made, raw, sender))


def accepted(made: Town, raw: str, sender: str) -> int:
    """Take a mail in; its id."""
    return made.storage.inbound.accept(
        raw.encode(),
        door="smtp",
        envelope_from=sender,
        envelope_to=[HOUSE.address],
        received_at=made.clock.now(),
    ).mail_id


def read(made: Town) -> dict[str, Reading]:
    """What each path reads; what is read once and kept has been read before."""
    found = {}

    def measure(name: str, work: Any) -> None:
        work()
        with pytest.MonkeyPatch.context() as patch:
            reading = Reading(patch)
            work()
        found[name] = reading

    orders = (made.write(5, "France", number) for number in range(2))
    measure("an order mail", lambda: made.judge.process_message(next(orders)))
    measure("LIST", lambda: say(made, "reader@players.example", "LIST"))
    measure("a page of LIST", lambda: say(made, "reader@players.example", "LIST 2"))
    joiners = (f"joiner{number}@players.example" for number in range(10))
    for joiner in ("one", "two"):
        say(made, f"{joiner}@players.example", f"REGISTER Some {joiner}")
    joins = iter(("one", "two"))
    measure("JOIN", lambda: say(made, f"{next(joins)}@players.example", "JOIN open"))
    measure("a stranger's question", lambda: say(made, next(joiners), "HELP"))
    dues = iter((7, 8))

    def phase() -> None:
        number = next(dues)
        made.fall_due([number], made.clock.now())
        (game,) = made.judge.due()
        made.judge.run_game(game)

    measure("a phase", phase)
    measure("the daily summaries", made.judge.tidy)
    assert not made.storage.inbound.count(InboundState.HELD)
    return found


def test_no_path_reads_more_in_a_larger_house(tmp_path: Path) -> None:
    with house(tmp_path, FEW) as small, house(tmp_path, MANY) as large:
        few, many = read(small), read(large)
    for path, less in few.items():
        more = many[path]
        assert (less.statements, less.rows) == (more.statements, more.rows), path
        # Numbers and names are longer where there are more.
        assert more.bytes < 1.05 * less.bytes + 100, (path, less.bytes, more.bytes)
        assert less.statements
    assert few["LIST"].rows > 20


def test_a_writer_s_past_makes_no_mail_dearer(tmp_path: Path) -> None:
    """10 mails and 1,500: rows as those of a mail that was processed and of its answer."""
    with house(tmp_path, 2) as made:
        copies = {
            "mail": ("message_id", "message_id || '.' || k"),
            "letter": ("message_id", "'<' || k || '.' || substr(message_id, 2)"),
        }
        database, sender = made.storage._engine.database, "reader@players.example"
        say(made, sender, "HELP")

        def copy(first: int, last: int) -> None:
            for table, (unique, marked) in copies.items():
                names = [each.name for each in database.get_columns(table) if each.name != "id"]
                values = [marked if each == unique else f'"{each}"' for each in names]
                whose = "sender" if table == "mail" else "recipient"
                database.execute_sql(
                    f"WITH RECURSIVE copies(k) AS (SELECT {first} UNION ALL SELECT k + 1 FROM"
                    f" copies WHERE k < {last}) INSERT INTO {table} ({', '.join(names)})"
                    f" SELECT {', '.join(values)} FROM copies, (SELECT * FROM {table} WHERE"
                    f" {whose} = '{sender}' ORDER BY id DESC LIMIT 1)"
                )

        found = []
        for first, last in ((1, 10), (11, 1500)):
            copy(first, last)
            made.clock.advance(hours=2)
            say(made, sender, "LIST")
            with pytest.MonkeyPatch.context() as patch:
                reading = Reading(patch)
                say(made, sender, "LIST")
            found.append(reading)
        ten, many = found
        assert (ten.statements, ten.rows) == (many.statements, many.rows)
        assert many.bytes < 1.05 * ten.bytes
        assert not made.storage.inbound.count(InboundState.HELD)
