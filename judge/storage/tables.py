"""Tables as those who read and write them see them: rows of one kind."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from judge.storage.engine import Engine, Statement, given

T = TypeVar("T")


class Part:
    """What reads and writes some of the tables. Writes belong in a transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine


@cache
def selecting(model: Any, column: str) -> Statement:
    """Selects the rows with the value in a column that is given under its name, by their ids."""
    return Statement(
        model.select().where(getattr(model, column) == given(column)).order_by(model.id)
    )


class Rows(Part, Generic[T]):
    """The rows of one table, as records of one kind; those of a game or a person where it refers to
    them. Reads are free; writes belong in a transaction."""

    model: ClassVar[Any]
    kind: type[T]

    def add(self, record: T) -> T:
        """Store a new one; returned with its id."""
        made: T = replace(record, id=self._engine.add(self.model, record))  # type: ignore[type-var]
        return made

    def find(self, row_id: int) -> T | None:
        """The one of that id."""
        return self._engine.record(self.kind, selecting(self.model, "id"), id=row_id)

    def of_game(self, game_id: int) -> list[T]:
        """Those of a game, in the order they came."""
        return self._of("game_id", game_id)

    def of_person(self, person_id: int) -> list[T]:
        """Those of a person, in the order they came."""
        return self._of("person_id", person_id)

    def _of(self, column: str, value: Any) -> list[T]:
        return self._engine.records(self.kind, selecting(self.model, column), **{column: value})


class Changing(Rows[T]):
    """The rows of a table whose records are changed and saved."""

    def add(self, record: T) -> T:
        """Store a new one; the same value, with its id."""
        record.id = self._engine.add(self.model, record)  # type: ignore[attr-defined]
        return record

    def save(self, record: T) -> None:
        """Store what changed about one."""
        self._engine.replace(self.model, record.id, record)  # type: ignore[attr-defined]
