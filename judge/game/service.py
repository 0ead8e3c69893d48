"""The judge at work. Here are its only two transactions: one mail, and one step of one game."""

from __future__ import annotations

import logging
import secrets
import traceback
from collections.abc import Callable
from datetime import datetime

from judge.clock import Clock
from judge.game import phases
from judge.game.announce import announce
from judge.game.command import Table
from judge.game.house import House
from judge.game.locate import locate
from judge.game.post import Post
from judge.game.reading import work_through
from judge.game.reply import reply
from judge.game.state import State
from judge.game.visit import Visit
from judge.mail.message import Incoming, parse
from judge.storage import AlreadyRun, Event, Mail, Stale, Storage, Unavailable

log = logging.getLogger(__name__)

MOST_ATTEMPTS = 5
"""A mail that took the whole process down this often is held without another try."""


class Judge:
    """Works mails and deadlines. Every method may be called at any time, again, and by several
    processes on one database: the database decides what is still to be done."""

    def __init__(
        self,
        storage: Storage,
        clock: Clock,
        house: House,
        table: Table,
        seed: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        """`table` is `judge.commands.TABLE`; `seed` is where chance comes from: it is asked once
        whenever powers are dealt, and what it says is recorded."""
        self.storage = storage
        self.clock = clock
        self.house = house
        self.table = table
        self.seed = seed

    def work_mail(self, mail_id: int) -> bool:
        """Work one mail of the inbox: all of it, its reply included, or nothing.

        Whether there was anything to do. A mail that makes the judge fail is held with its
        traceback, its sender and the keeper are told; only Unavailable is passed on, for then the
        same can be tried again later.
        """
        storage = self.storage
        attempts = storage.mails.begin(mail_id)
        try:
            if attempts > MOST_ATTEMPTS:
                raise RuntimeError(f"work on it began {attempts} times and never came to an end")
            with storage.transaction():
                mail = storage.mails.claim(mail_id)
                if mail is None:
                    return False
                self._work(mail)
        except Unavailable:
            raise
        except Exception:
            log.exception("mail %d is held", mail_id)
            with storage.transaction():
                mail = storage.mails.claim(mail_id)
                if mail is not None:
                    self._hold(mail, traceback.format_exc())
        return True

    def run_game(self, game_id: int) -> bool:
        """Do what is due in a game: start it, run its phase, remind, or end it; whether it did.

        A phase waits for mails that came in before now and have not been worked: they count. It
        can be called at any time; what is not due is not done, and a phase runs once.

        Raises what went wrong inside; nothing was done then, and the keeper is told once a phase.
        """
        try:
            with self.storage.transaction():
                game = self.storage.games.claim(game_id)
                if game is None or self._mail_waiting():
                    return False
                state = State(self.storage, game)
                post = Post(self.storage, self.house, self.clock.now())
                return phases.work(state, post, self.seed)
        except (AlreadyRun, Stale) as error:
            log.warning("game %d was worked elsewhere: %s", game_id, error)
            return False
        except Unavailable:
            raise
        except Exception:
            with self.storage.transaction():
                self._stuck(game_id, traceback.format_exc())
            raise

    def due(self) -> list[int]:
        """The ids of games in which something is due now, the longest overdue first."""
        return self.storage.games.due(self.clock.now())

    def next_wake(self) -> datetime | None:
        """When `due` next has something, which may be in the past; None: not before a mail."""
        return self.storage.games.next_wake()

    def work(self) -> int:
        """Work all mails and all that is due until nothing is left; how many steps that took.

        For tests and the command line; the daemon takes the same steps one by one.
        """
        steps = 0
        while True:
            mail_id = self.storage.mails.next_new()
            if mail_id is not None:
                self.work_mail(mail_id)
                steps += 1
                continue
            ran = [game_id for game_id in self.due() if self.run_game(game_id)]
            if not ran:
                return steps
            steps += len(ran)

    # One mail

    def _work(self, mail: Mail) -> None:
        now = self.clock.now()
        incoming = self._read(mail)
        if not incoming.answerable:
            log.info("mail %d is not answered: %s", mail.id, incoming.reason)
            self.storage.mails.done(mail.id, now)
            return
        visit = self._visit(mail, incoming, now)
        locate(visit)
        work_through(visit)
        for state in visit.states.values():
            phases.reschedule(state, now)
            state.save()
        announce(visit)
        reply(visit)
        self.storage.mails.done(
            mail.id,
            now,
            game_id=visit.state.game.id if visit.state else None,
            person_id=visit.person.id if visit.person else None,
        )

    def _visit(self, mail: Mail, incoming: Incoming, now: datetime) -> Visit:
        person = self.storage.people.by_address(incoming.sender)
        return Visit(
            storage=self.storage,
            house=self.house,
            table=self.table,
            mail=mail,
            incoming=incoming,
            now=now,
            person=person,
            post=Post(self.storage, self.house, now),
            known_before=person is not None,
        )

    def _hold(self, mail: Mail, problem: str) -> None:
        """Keep a mail aside and say so: to its sender the first time, to the keeper always."""
        now = self.clock.now()
        self.storage.mails.hold(mail.id, problem, now)
        post = Post(self.storage, self.house, now)
        if self.house.keeper:
            post.send(
                "held",
                self.house.keeper,
                {"mail_id": mail.id, "problem": problem, "zone": self.house.zone},
                mail_id=mail.id,
            )
        if any(letter.kind == "trouble" for letter in self.storage.letters.of_mail(mail.id)):
            return
        incoming = self._read(mail)
        if incoming.answerable:
            post.send("trouble", incoming.sender, {}, answers=incoming, mail_id=mail.id)

    def _stuck(self, game_id: int, problem: str) -> None:
        """Tell the keeper that a game cannot go on, once for each phase."""
        game = self.storage.games.find(game_id)
        if game is None:
            return
        for event in self.storage.events.of_game(game_id):
            if event.what == "stuck" and event.facts["phase"] == game.phase:
                return
        now = self.clock.now()
        facts = {"game": game.name, "phase": game.phase, "problem": problem}
        self.storage.events.add(
            Event(at=now, game_id=game_id, actor="judge", what="stuck", facts=facts)
        )
        if self.house.keeper:
            Post(self.storage, self.house, now).send("stuck", self.house.keeper, facts)

    def _read(self, mail: Mail) -> Incoming:
        # Only SMTP says for certain that a return path is empty; pipes and mailboxes may not know.
        path = mail.envelope_from or ("" if mail.door in ("smtp", "lmtp") else None)
        return parse(mail.raw, path, own=(self.house.address,))

    def _mail_waiting(self) -> bool:
        """Whether a mail that came in before now is still to be worked."""
        mail_id = self.storage.mails.next_new()
        mail = None if mail_id is None else self.storage.mails.find(mail_id)
        return mail is not None and mail.received_at <= self.clock.now()
