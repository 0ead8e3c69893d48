"""What the keeper has laid down for the whole judge, and what it has still to do."""

from __future__ import annotations

import secrets

from judge.storage import models
from judge.storage.engine import Engine
from judge.storage.records import Json
from judge.storage.statements import Statement, given

_H = models.House

_QUEUE = "queued "
"""What the names of values begin with that are to be taken up one after the other."""

_NAMED = Statement(_H.select(_H.value).where(_H.name == given("name")))
_QUEUED = Statement(
    _H.select(_H.id, _H.value).where(_H.name.startswith(_QUEUE)).order_by(_H.id).limit(1)
)


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

    def queue(self, value: Json) -> None:
        """Lay a value down to be taken up later, behind all others laid down so."""
        self._engine.need_transaction()
        self._engine.add(_H, {"name": _QUEUE + secrets.token_hex(8), "value": value})

    def take(self) -> Json:
        """The value that was queued first, gone from the queue with this transaction; None where
        there is none that nobody else takes at the moment."""
        row = self._engine.row(self._engine.locked(_QUEUED, skip=True))
        if row is None:
            return None
        self._engine.run(_H.delete().where(_H.id == row["id"]))
        return row["value"]

    def queued(self) -> bool:
        """Whether anything is queued."""
        return self._engine.row(_QUEUED) is not None
