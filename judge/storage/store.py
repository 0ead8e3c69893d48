"""The one object through which the judge reaches its database."""

from __future__ import annotations

from contextlib import AbstractContextManager

from judge.storage.bounces import Bounces
from judge.storage.conduct import ConductBook
from judge.storage.diaries import Diaries
from judge.storage.engine import Engine
from judge.storage.games import Events, Games, History, Orders, PressBook, Seats
from judge.storage.house import HouseBook
from judge.storage.letters import Letters
from judge.storage.mails import Mails
from judge.storage.migrate import migrate
from judge.storage.people import People
from judge.storage.pulse import Pulse
from judge.storage.tally import Tally
from judge.storage.tickets import Tickets


class Storage:
    """An open database, its schema up to date. Safe to share by threads.

    What is read and written stands in its parts, each named by what it holds.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.mails = Mails(engine)
        self.letters = Letters(engine)
        self.bounces = Bounces(engine)
        self.people = People(engine)
        self.games = Games(engine)
        self.seats = Seats(engine)
        self.orders = Orders(engine)
        self.history = History(engine)
        self.press = PressBook(engine)
        self.diaries = Diaries(engine)
        self.events = Events(engine)
        self.tickets = Tickets(engine)
        self.conduct = ConductBook(engine)
        self.pulse = Pulse(engine)
        self.house = HouseBook(engine)
        self.tally = Tally(engine)

    def __repr__(self) -> str:
        return f"Storage({self._engine.name})"

    @staticmethod
    def open(url: str) -> Storage:
        """Open `sqlite:/path/to/judge.db` or `postgresql://user:password@host:port/name`.

        Migrations not yet applied are, in order. Raises StorageError for a URL of another form
        and for a database that a newer judge has migrated, Unavailable when it is out of reach.
        """
        engine = Engine(url)
        try:
            migrate(engine)
        except BaseException:
            engine.close()
            raise
        return Storage(engine)

    def transaction(self) -> AbstractContextManager[None]:
        """Everything inside happens or nothing does; durable once the block is left.

        Any exception rolls back. Flat: raises RuntimeError inside another one. Raises Unavailable
        when the database is out of reach; then nothing happened and the same may be tried later.
        """
        return self._engine.transaction()

    def close(self) -> None:
        """Close the connections of all threads."""
        self._engine.close()
