"""What the keeper has laid down for the whole judge, and the alarms they have been told of."""

from __future__ import annotations

import secrets

from judge.storage import models
from judge.storage.engine import Engine
from judge.storage.records import Alarm, Json
from judge.storage.sql import Statement, given

_H = models.KeeperSetting

_QUEUE = "queued "
"""What the names of values begin with that are to be taken up one after the other."""

_NAMED = Statement(_H.select(_H.value).where(_H.name == given("name")))
_QUEUED = Statement(
    _H.select(_H.id, _H.value).where(_H.name.startswith(_QUEUE)).order_by(_H.id).limit(1)
)


class KeeperSettings:
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


_A = models.Alarm


class Alarms:
    """The alarms that are on. Reads are free; writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def all(self) -> list[Alarm]:
        """Those that are on, oldest first."""
        return self._engine.records(Alarm, _A.select().order_by(_A.id))

    def begin(self, alarm: Alarm) -> bool:
        """Note one; False where one of that name is on already."""
        self._engine.need_transaction()
        return self._engine.add_new(_A, models.values(alarm)) is not None

    def end(self, name: str) -> bool:
        """Note that one is over; False where none of that name was on."""
        self._engine.need_transaction()
        return bool(self._engine.run(_A.delete().where(_A.name == name)))
