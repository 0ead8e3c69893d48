"""When the judge was last seen alive."""

from __future__ import annotations

from datetime import datetime

from judge.storage import models
from judge.storage.engine import Engine

_P = models.Pulse
_NAME = "judge"


class Pulse:
    """One instant. Reads are free; writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def last(self) -> datetime | None:
        """When it was last noted that the judge works; None: never."""
        row = self._engine.row(_P.select(_P.at).where(_P.name == _NAME))
        return None if row is None else row["at"]

    def beat(self, now: datetime) -> None:
        """Note that the judge works at `now`."""
        self._engine.need_transaction()
        if not self._engine.run(_P.update(at=now).where(_P.name == _NAME)):
            self._engine.add_new(_P, {"name": _NAME, "at": now})
