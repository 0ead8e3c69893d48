"""The one object through which the judge reaches its database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import peewee

from judge.storage import transfer
from judge.storage.databases import Listener, open_engine
from judge.storage.erasure import Erasure
from judge.storage.errors import StorageError
from judge.storage.games import Diaries, Events, Files, Games, History, Orders, PressMessages, Seats
from judge.storage.inbound import InboundMessages
from judge.storage.keeper import Alarms, Pulse
from judge.storage.outbound import Bounces, OutboundMessages, Tickets
from judge.storage.ownership import RowsOfHouses
from judge.storage.person_rows import KeeperSettings, People, ReliabilityLog
from judge.storage.queries import Engine
from judge.storage.statistics import QueueMetrics, Statistics
from judge.storage.tournament_rows import Boards, Entrants, SeatCodes, Tournaments
from judge.storage.traces import Traces
from judge.storage.transfer import migrate

_MOVED = "moved_to"
"""In the house's book: where everything has gone."""


class Storage:
    """An open database, its schema up to date. Safe to share by threads.

    What is read and written stands in its parts, each named by what it holds: the inbox
    (`inbound`), the outbox (`outbound`, `bounces`, `tickets`), games (`games`, `seats`, `orders`,
    `history`, `press`, `diaries`), people (`people`, `reliability_log`), events, and what the
    keeper has.

    Reads are free. Writes raise RuntimeError outside of `transaction`, in which everything happens
    or nothing does; a few commit by themselves and say so, above all `inbound.accept` and
    `outbound.sent`. `inbound.claim`, `games.claim` and `outbound.claimed` give a row to one worker
    at a time, of all judges on a database. What cannot be reached raises Unavailable, and nothing
    is done. `tests/storage/test_contract.py` holds all of this.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        own = engine.of(engine.house or "")
        self.name = engine.name
        """Where the database is, without a password."""
        self.transaction = engine.transaction
        """`with storage.transaction():`, as `Engine.transaction` says."""
        self.is_served = engine.is_served
        """Return whether a judge works on it right now: it holds a lock that ends with it."""
        self.server_time = engine.server_time
        """What time the database's machine says it is; None for SQLite, which is on this one."""
        self.inbound = InboundMessages(engine)
        self.outbound = OutboundMessages(engine)
        self.bounces = Bounces(engine)
        self.people = People(engine)
        self.games = Games(engine)
        self.seats = Seats(engine)
        self.orders = partial(Orders, engine)
        """The orders that the game of an id has on file."""
        self.history = History(engine)
        self.press = PressMessages(engine)
        self.diaries = Diaries(engine)
        self.files = Files(engine)
        self.events = Events(engine)
        self.tickets = Tickets(engine)
        self.reliability_log = ReliabilityLog(engine)
        self.heartbeat = Pulse(own)
        self.keeper_settings = KeeperSettings(own)
        self.statistics = Statistics(engine)
        self.alarms = Alarms(engine)
        self.queue_metrics = QueueMetrics(engine)
        self.erasure = Erasure(engine)
        self.traces = Traces(engine)
        self.tournaments = Tournaments(engine)
        self.entrants = Entrants(engine)
        self.boards = Boards(engine)
        self.seat_codes = SeatCodes(engine)
        self.houses = RowsOfHouses(engine)

    def __repr__(self) -> str:
        return f"Storage({self._engine.name})"

    @staticmethod
    def open(url: str, writing: AbstractContextManager[object] | None = None) -> Storage:
        """Open `sqlite:/path/to/judge.db` or `postgresql://user:password@host:port/name`; `writing`
        is the turn to write, where another process of this judge has it open, too.

        Migrations not yet applied are, in order. Raises StorageError for a URL of another form,
        for a file that is no database, and for a database that a newer judge has migrated;
        Unavailable when it is out of reach.
        """
        engine = open_engine(url, writing)
        try:
            migrate(engine)
        except peewee.DatabaseError as error:
            opened = not engine.database.is_closed()
            engine.close()
            if opened:
                raise
            raise StorageError(f"{engine.name} cannot be opened: {engine.said(error)}") from error
        except BaseException:
            engine.close()
            raise
        storage = Storage(engine)
        moved = storage.keeper_settings.get(_MOVED)
        if moved is not None:
            storage.close()
            raise StorageError(
                f"{engine.name} was moved to {moved}, and is not to be used any more; name that one"
                " in [database] url (docs/keeper.md says how to go back)"
            )
        return storage

    @staticmethod
    def beside(url: str, writing: AbstractContextManager[object]) -> Storage:
        """Open a database that another process of this judge has open, too; `writing` is its turn
        to write. Raises StorageError, Unavailable."""
        return Storage(open_engine(url, writing))

    @property
    def house(self) -> str | None:
        """The house whose rows alone are read and written; None for those of all."""
        return self._engine.house

    def of(self, house: str) -> Storage:
        """Return the same database with what belongs to one house alone; "" is the main one. What
        others have is not found, by no name and no id, and their names are free."""
        return Storage(self._engine.of(house))

    @property
    def alone(self) -> bool:
        """Whether other judges need not hear of mails and letters: there are none, or who asks for
        the work here tells them."""
        return self._engine.alone

    @alone.setter
    def alone(self, is_so: bool) -> None:
        self._engine.alone = is_so

    def listener(self, heard: Callable[[str], None]) -> Listener | None:
        """Return what hears from other judges on this database that there is a mail or a letter,
        still to be started; None for SQLite, which has one judge."""
        return self._engine.listener(heard)

    # The whole of it

    def write_file(self, path: Path) -> None:
        """Write all there is at one instant into a new SQLite database at `path`, while others go
        on using this one. Raises StorageError, Unavailable."""
        transfer.write_file(self._engine.whole, path)

    def copy_to(self, target: Storage) -> None:
        """Copy everything into a database with nothing in it, and compare. Raises StorageError."""
        transfer.copy(self._engine.whole, target._engine.whole)

    def leave_for(self, target: Storage) -> None:
        """Refuse to be opened from now on: what counts is in `target`."""
        with self.transaction():
            self.keeper_settings.put(_MOVED, target._engine.name)

    def digests(self) -> dict[str, str]:
        """Return of each table the number of its rows and a digest, equal for equal content."""
        return transfer.digests(self._engine.whole)

    def close(self) -> None:
        """Close the connections of all threads."""
        self._engine.close()
