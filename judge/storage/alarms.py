"""What is wrong at the moment, as the keeper has been told."""

from __future__ import annotations

from judge.storage import models
from judge.storage.engine import Engine
from judge.storage.records import Alarm

_A = models.Alarm


class Alarms:
    """The alarms that are on. Reads are free; writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def all(self) -> list[Alarm]:
        """Those that are on, oldest first."""
        return [Alarm(**row) for row in self._engine.rows(_A.select().order_by(_A.id))]

    def begin(self, alarm: Alarm) -> bool:
        """Note one; False where one of that name is on already."""
        self._engine.need_transaction()
        return self._engine.add_new(_A, models.values(alarm)) is not None

    def end(self, name: str) -> bool:
        """Note that one is over; False where none of that name was on."""
        self._engine.need_transaction()
        return bool(self._engine.run(_A.delete().where(_A.name == name)))
