"""Which house of several a row belongs to: what anyone who works for all of them asks first."""

from __future__ import annotations

from typing import Any

from judge.storage import models
from judge.storage.queries import TableGroup


class RowsOfHouses(TableGroup):
    """The houses of rows, by their ids; None where there is no such row. Only reads."""

    def of_game(self, game_id: int) -> str | None:
        """Return the house of a game."""
        return self._of(models.GameRow, game_id)

    def of_mail(self, mail_id: int) -> str | None:
        """Return the house of a mail."""
        return self._of(models.InboundRow, mail_id)

    def of_letter(self, letter_id: int) -> str | None:
        """Return the house of a letter."""
        return self._of(models.OutboundRow, letter_id)

    def all(self) -> set[str]:
        """Return the houses that anything was ever written for."""
        rows = (models.AddressRow, models.GameRow, models.InboundRow, models.HouseRow)
        chosen = (model.select(model.house).distinct() for model in rows)
        return {house for query in chosen for (house,) in self._engine.tuples(query)}

    def _of(self, model: Any, row_id: int) -> str | None:
        house: str | None = self._engine.column(model, "house", id=row_id)
        return house
