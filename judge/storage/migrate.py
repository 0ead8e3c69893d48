"""Brings a database's schema up to date; the steps are the numbered files in `migrations/`."""

from __future__ import annotations

from pathlib import Path

from playhouse.migrations import Runner

from judge.storage.engine import Engine
from judge.storage.errors import StorageError

_STEPS = Path(__file__).parent / "migrations"


def migrate(engine: Engine) -> None:
    """Apply the steps that are missing, all in one transaction; several judges may start at once.

    Raises StorageError if the database has had steps this judge does not know: migrations do not
    run backwards.
    """
    with engine.rebuilding_tables(), engine.transaction():
        engine.serialize("migrate")
        runner = Runner(engine.database, str(_STEPS))
        unknown = [step.name for step in runner.status() if step.path is None]
        if unknown:
            raise StorageError(
                f"{engine.name} was migrated by a newer judge ({', '.join(unknown)});"
                " run that version, or restore a backup made before it"
            )
        if runner.up():
            engine.check_references()
