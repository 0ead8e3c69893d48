"""Whole databases: brought up to date, copied from one engine to the other, compared."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import peewee
from playhouse.migrations import Runner

from judge.storage import models
from judge.storage.databases import open_engine
from judge.storage.errors import StorageError, Unavailable
from judge.storage.queries import Engine, Row

log = logging.getLogger(__name__)

_BATCH = 100
"""Rows read and written at a time: mails and letters can be large."""


def empty(engine: Engine) -> bool:
    """Return whether nothing is kept in a database but what its migrations put there."""
    return not any(
        engine.exists(model.select(model.id))
        for model in models.ALL
        if model is not models.SecretRow
    )


def copy(source: Engine, target: Engine) -> None:
    """Copy all rows as they are, ids included, into a database with nothing in it.

    Both are at the newest schema. What is copied is the source at one instant; others may go on
    using it. All of it arrives or nothing does. Raises StorageError where `target` is not empty, or
    where what has arrived is not what was there.
    """
    with source.snapshot():
        before = digests(source)
        with target.transaction():
            if not empty(target):
                raise StorageError(f"{target.name} is not empty; name a new database")
            target.run(models.SecretRow.delete())
            for model in models.ALL:
                for rows in _rows(source, model):
                    target.run(_storing(model, rows))
                target.count_on(model)
            wrong = [name for name, each in digests(target).items() if each != before[name]]
            if wrong:
                raise StorageError(f"{', '.join(wrong)} did not arrive as they were; nothing moved")


def digests(engine: Engine) -> dict[str, str]:
    """Return of each table how many rows it has, and a SHA-256 over all of them: equal for equal
    content, whichever engine holds it."""
    return {model._meta.table_name: _digest(engine, model) for model in models.ALL}


def write_file(engine: Engine, path: Path) -> None:
    """Write all there is at one instant into a new SQLite database at `path`, while others go on
    using it. Raises StorageError, Unavailable."""
    try:
        _write(engine, path)
    except (sqlite3.OperationalError, peewee.OperationalError) as error:
        # A full disk, above all.
        raise Unavailable(f"{path}: {error}") from error


def _write(engine: Engine, path: Path) -> None:
    if not engine.save_as(path):
        with closing(open_engine(f"sqlite:{path}")) as made:
            migrate(made)
            copy(engine, made)


def check_file(path: Path) -> None:
    """Raise StorageError if the SQLite database at `path` is damaged."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as file:
        try:
            found = [row[0] for row in file.execute("PRAGMA integrity_check(5)")]
        except sqlite3.DatabaseError as error:
            found = [str(error)]
    if found != ["ok"]:
        raise StorageError(f"{path} is damaged: {'; '.join(found)}")


def _rows(engine: Engine, model: Any) -> Iterator[list[Row]]:
    """Yield rows in the order of their ids, as databases have them, the same from both engines."""
    fields = model._meta.sorted_fields
    flags = [field.name for field in fields if isinstance(field, peewee.BooleanField)]
    as_they_are = [field.coerce(False) for field in fields]
    last = -1
    while True:
        query = model.select(*as_they_are).where(model.id > last).order_by(model.id).limit(_BATCH)
        rows = engine.rows(query)
        if not rows:
            return
        for row in rows:
            row |= {name: bool(row[name]) for name in flags}
        yield rows
        last = rows[-1]["id"]


def _storing(model: Any, rows: Sequence[Row]) -> Any:
    """Insert rows as databases have them."""
    fields = model._meta.sorted_fields
    values = [[peewee.Value(row[field.name], converter=False) for field in fields] for row in rows]
    return model.insert_many(values, fields=fields).as_rowcount()


def _digest(engine: Engine, model: Any) -> str:
    found = hashlib.sha256()
    count = 0
    for rows in _rows(engine, model):
        for row in rows:
            count += 1
            found.update(repr(row).encode("utf-8", "surrogatepass"))
    return f"{count}:{found.hexdigest()}"


_STEPS = Path(__file__).parent / "migrations"


def migrate(engine: Engine) -> None:
    """Add what the schema lacks, and take the steps that change what is stored, all in one
    transaction; several judges may start at once.

    Raises StorageError if the database has had steps this judge does not know: migrations do not
    run backwards.
    """
    with engine.transaction():
        engine.serialize("migrate")
        if _taken(engine) == {path.stem for path in _STEPS.glob("[0-9]*.py")}:
            return
        runner = Runner(engine.database, str(_STEPS))
        steps = runner.status()
        newest = max(step.name for step in steps if step.path)
        unknown = [step.name for step in steps if step.name > newest]
        if unknown:
            raise StorageError(
                f"{engine.name} was migrated by a newer judge ({', '.join(unknown)});"
                " run that version, or restore a backup made before it"
            )
        if not all(step.applied for step in steps):
            models.bring_up(engine)
            runner.up()
            if any(step.applied for step in steps):
                taken = ", ".join(step.name for step in steps if not step.applied)
                log.info("database brought up to date", extra={"steps": taken})


def _taken(engine: Engine) -> set[str]:
    """Return the steps that a database has had, as playhouse notes them."""
    database = engine.database
    if not database.table_exists("schema_migration"):
        return set()
    return {name for (name,) in database.execute_sql("SELECT name FROM schema_migration")}
