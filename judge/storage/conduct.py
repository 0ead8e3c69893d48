"""Who was on time, late, or gave up, phase by phase: what reliability is computed from."""

from __future__ import annotations

from collections.abc import Sequence

from judge.storage import models
from judge.storage.engine import Engine
from judge.storage.enums import Reliability
from judge.storage.records import Conduct
from judge.storage.statements import Statement, given

_C = models.Conduct

_OF_PERSON = Statement(_C.select().where(_C.person_id == given("id")).order_by(_C.id))
_OF_GAME = Statement(_C.select().where(_C.game_id == given("id")).order_by(_C.id))


class ConductBook:
    """What people did in rated games. Reads are free; writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, conduct: Conduct) -> None:
        """Record something; what is on record already counts once."""
        self._engine.need_transaction()
        self._engine.add_new(_C, models.values(conduct))

    def take_back(
        self, game_id: int, phases: Sequence[str], what: Sequence[Reliability]
    ) -> list[Conduct]:
        """Forget what is recorded of these kinds about phases of a game that count no longer; what
        that was."""
        self._engine.need_transaction()
        those = (_C.game_id == game_id) & _C.phase.in_(list(phases)) & _C.what.in_(list(what))
        rows = self._engine.rows(_C.select().where(those).order_by(_C.id))
        gone = [Conduct(**row) for row in rows]
        self._engine.run(_C.delete().where(those))
        return gone

    def of_person(self, person_id: int) -> list[Conduct]:
        """All that is recorded of a person, oldest first."""
        return [Conduct(**row) for row in self._engine.rows(_OF_PERSON, id=person_id)]

    def of_game(self, game_id: int) -> list[Conduct]:
        """All that is recorded of a game, oldest first."""
        return [Conduct(**row) for row in self._engine.rows(_OF_GAME, id=game_id)]
