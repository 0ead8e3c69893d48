"""What the keeper has been told, and when the judge was last seen alive."""

from __future__ import annotations

from datetime import datetime

from judge.storage import models
from judge.storage.queries import TableGroup
from judge.storage.records import Alarm

_A = models.AlarmRow


class Alarms(TableGroup):
    """The alarms that are on. Reads are free; writes belong in a transaction."""

    def all(self) -> list[Alarm]:
        """Return those that are on, oldest first."""
        return self._engine.records(Alarm, _A.select().order_by(_A.id))

    def begin(self, alarm: Alarm) -> bool:
        """Note one; False where one of that name is on already."""
        return self._engine.add_new(_A, alarm) is not None

    def end(self, name: str) -> bool:
        """Note that one is over; False where none of that name was on."""
        return bool(self._engine.run(_A.delete().where(_A.name == name)))


_P = models.PulseRow
_NAME = "judge"
_REACHED = "reached"
_DIGEST = "digest"
_STOPPED = "stopped"
_TRIED = "tried"


class Pulse(TableGroup):
    """An instant each. Reads are free; writes belong in a transaction."""

    def last(self) -> datetime | None:
        """Return when it was last noted that the judge works; None: never."""
        return self._at(_NAME)

    def alone(self) -> None:
        """Let no other judge find out, until this transaction ends, that none processed."""
        self._engine.serialize("pulse")

    def beat(self, now: datetime) -> None:
        """Note that the judge works at `now`."""
        self._note(_NAME, now)

    def stopped(self) -> datetime | None:
        """Return when a judge was last stopped as it should be; None: never."""
        return self._at(_STOPPED)

    def stop(self, now: datetime) -> None:
        """Note that a judge stops at `now`."""
        self._note(_STOPPED, now)

    def try_out(self, now: datetime) -> None:
        """Write something, to see whether that can be done."""
        self._note(_TRIED, now)

    def reached(self) -> datetime | None:
        """Return when it was last noted that players could reach the judge and it them; None:
        never."""
        return self._at(_REACHED)

    def reach(self, now: datetime) -> None:
        """Note that they can at `now`."""
        self._note(_REACHED, now)

    def digest(self) -> datetime | None:
        """Return up to when the keeper has been told what happened; None: never."""
        return self._at(_DIGEST)

    def begin_digest(self, now: datetime) -> bool:
        """Begin to count what the keeper is to be told; whether nobody had."""
        return self._engine.add_new(_P, {"name": _DIGEST, "at": now}) is not None

    def advance_digest(self, last: datetime, now: datetime) -> bool:
        """Note that the keeper is told what happened up to `now`; False where another judge has
        noted something since it was read that they knew up to `last`."""
        known = (_P.name == _DIGEST) & (_P.at == last)
        return bool(self._engine.run(_P.update(at=now).where(known)))

    def _note(self, name: str, now: datetime) -> None:
        if not self._engine.run(_P.update(at=now).where(_P.name == name)):
            self._engine.add_new(_P, {"name": name, "at": now})

    def _at(self, name: str) -> datetime | None:
        found: datetime | None = self._engine.column(_P, "at", name=name)
        return found
