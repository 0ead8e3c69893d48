"""What the keeper has laid down for the whole judge."""

from __future__ import annotations

from judge.storage import models
from judge.storage.engine import Engine
from judge.storage.records import Json
from judge.storage.statements import Statement, given

_H = models.House

_NAMED = Statement(_H.select(_H.value).where(_H.name == given("name")))


class HouseBook:
    """Values by name. Reads are free; writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, name: str) -> Json:
        """The value of that name; None where nothing was laid down."""
        row = self._engine.row(_NAMED, name=name)
        return None if row is None else row["value"]

    def put(self, name: str, value: Json) -> None:
        """Lay a value down; None forgets it."""
        self._engine.need_transaction()
        if value is None:
            self._engine.run(_H.delete().where(_H.name == name))
        elif not self._engine.run(_H.update(value=value).where(_H.name == name)):
            self._engine.add_new(_H, {"name": name, "value": value})
