"""Tournaments, who takes part in them, their games, and seats that are given away by a code."""

from __future__ import annotations

from datetime import datetime

from judge.storage import models
from judge.storage.queries import Changing, Waking
from judge.storage.records import Entrant, SeatCode, Tournament, TournamentBoard
from judge.storage.values import RUNS, EntrantRole, EntrantState

_T = models.TournamentRow
_E = models.EntrantRow
_B = models.TournamentBoardRow
_C = models.SeatCodeRow
_G = models.GameRow


class Tournaments(Waking[Tournament]):
    """The tournaments. Reads are free; writes belong in a transaction."""

    model, kind = _T, Tournament

    def claim(self, tournament_id: int) -> Tournament:
        """Return the one of that id, locked for this transaction. Anyone who needs games as well
        claims those first."""
        query = self._engine.locked(_T.select().where(_T.id == tournament_id))
        found = self._engine.record(Tournament, query)
        assert found is not None
        return found

    def all(self) -> list[Tournament]:
        """Return all of them, the newest first."""
        return self._engine.records(Tournament, _T.select().order_by(_T.id.desc()))


class Entrants(Changing[Entrant]):
    """Who takes part in tournaments, in the order they entered."""

    model, kind = _E, Entrant

    def of_tournament(self, tournament_id: int) -> list[Entrant]:
        """Return those of one."""
        return self._having(tournament_id=tournament_id)

    def runs(self, tournament_id: int, person_id: int | None) -> bool:
        """Return whether somebody directs one, or is a director's deputy."""
        mine = [] if person_id is None else self.of_person(person_id)
        return any(each.tournament_id == tournament_id and each.role in RUNS for each in mine)

    def substitutes(self, tournament_id: int) -> list[int]:
        """Return the ids of people who play where somebody is missing in one."""
        which = {"state": EntrantState.ACTIVE, "role": EntrantRole.SUBSTITUTE}
        return [each.person_id for each in self._having(tournament_id=tournament_id, **which)]


class Boards(Changing[TournamentBoard]):
    """The games of tournaments, in the order of rounds and boards."""

    model, kind = _B, TournamentBoard

    def of_tournament(self, tournament_id: int) -> list[TournamentBoard]:
        """Return those of one."""
        return self._having(tournament_id=tournament_id)

    def directed_by(self, person_id: int) -> list[str]:
        """Return the names of the games that are not over of tournaments that somebody directs."""
        # Asked with each mail: nearly nobody directs any.
        mine = self._engine.columns(_E, ("tournament_id",), person_id=person_id, role=(*RUNS,))
        if not (runs := [key for (key,) in mine]):
            return []
        boards = _B.select(_B.game_id).where(_B.tournament_id.in_(runs), ~_B.ended)
        query = _G.select(_G.name).where(_G.id.in_(boards)).order_by(_G.name)
        return [name for (name,) in self._engine.tuples(query)]


class SeatCodes(Changing[SeatCode]):
    """The codes that give seats away."""

    model, kind = _C, SeatCode

    def by_digest(self, digest: str) -> SeatCode | None:
        """Return the code that a digest stands for, locked for this transaction."""
        query = self._engine.locked(_C.select().where(_C.digest == digest))
        return self._engine.record(SeatCode, query)

    def made_by(self, person_id: int, since: datetime) -> int:
        """Return how many somebody has given away after an instant."""
        return self._engine.count(_C, (_C.by == person_id) & (_C.created_at > since))

    def lent(self, person_id: int, game_id: int) -> list[SeatCode]:
        """Return those by which somebody has asked for a sitter in a game, who has not come yet."""
        mine = (_C.by == person_id) & (_C.game_id == game_id) & _C.used_at.is_null()
        return self._engine.records(SeatCode, _C.select().where(mine & _C.until.is_null(False)))
