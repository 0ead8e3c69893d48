"""Letters that came back."""

from __future__ import annotations

from dataclasses import replace

from judge.storage import models
from judge.storage.engine import Engine
from judge.storage.people import normal
from judge.storage.records import Bounce
from judge.storage.statements import Statement, given

_B = models.Bounce

_OF = Statement(_B.select().where(_B.address == given("address")).order_by(_B.id))


class Bounces:
    """What came back from which address. Reads are free; writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, bounce: Bounce) -> Bounce:
        """Store one; returned with its id."""
        self._engine.need_transaction()
        kept = replace(bounce, address=normal(bounce.address))
        return replace(kept, id=self._engine.add(_B, models.values(kept)))

    def of(self, address: str) -> list[Bounce]:
        """What came back from an address since it last worked, oldest first."""
        return [Bounce(**row) for row in self._engine.rows(_OF, address=normal(address))]

    def told(self, address: str) -> None:
        """Note that the person behind an address has heard of what came back so far."""
        self._engine.need_transaction()
        self._engine.run(_B.update(told=True).where(_B.address == normal(address)))

    def forget(self, address: str) -> None:
        """The address works: what came back from it no longer counts."""
        self._engine.need_transaction()
        self._engine.run(_B.delete().where(_B.address == normal(address)))
