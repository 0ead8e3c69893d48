"""What works mails and due games."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime

from judge.clock import Clock
from judge.daemon.loop import POLL, Loop
from judge.logs import about
from judge.ops.metrics import Metrics
from judge.service import Judge
from judge.storage import Storage, Unavailable

log = logging.getLogger(__name__)

STUCK = 60.0
"""Seconds a game that could not be run is left alone before it is tried again."""


@dataclass
class Worker:
    """Works mails and due games. `step` is one sweep over all there is.

    `alarm` is told when the next game is due, None for never. `poll` says how many seconds from now
    to look for what nobody announced; `wrote` is called when there may be letters, `listen` when
    mail is to be taken in for what is due.
    """

    storage: Storage
    judge: Judge
    clock: Clock
    alarm: Callable[[datetime | None], None]
    _: KW_ONLY
    metrics: Metrics = field(default_factory=Metrics)
    poll: Callable[[], float] = lambda: POLL
    wrote: Callable[[], None] = lambda: None
    listen: Callable[[], None] = lambda: None

    _left: dict[int, float] = field(default_factory=dict, init=False)
    """Games not to be looked at before an instant of `time.monotonic`."""

    def step(self, loop: Loop) -> float:
        """Work everything that is there; returns the seconds until the next look.

        A mail that came before a deadline counts for it: the mails that are there when games fall
        due go first. Those that come later take turns with the games, or somebody who writes
        without end would keep all deadlines waiting.
        """
        while not loop.stopping:
            # Before anything is looked at: an outage must not make a phase run.
            self.judge.keep_heartbeat(loop.progress)
            by = self.judge.heard()
            games = self._due_games(by)
            newest = self.storage.inbound.newest() if games else None
            self._mails(loop, newest)
            more = self.judge.keep_heartbeat(loop.progress)
            self._games(loop, games, newest, by)
            if more:
                self.wrote()
                loop.progress()
            elif not games and not self._due_games(self.judge.heard()):
                break
        due = self.judge.next_wake()
        self.judge.tidy()
        # What is overdue now was left alone: the next look will do.
        self.alarm(due if due is not None and due > self.clock.now() else None)
        return self.poll()

    def _mails(self, loop: Loop, newest: int | None) -> None:
        """Work those that wait, up to one; without one, until a game falls due."""
        last: int | None = 0
        while last is not None and not loop.stopping:
            last = self._mail(loop, last, newest)
            if newest is None and self._due_games(self.judge.heard()):
                break

    def _mail(self, loop: Loop, after: int = 0, newest: int | None = None) -> int | None:
        """Work the next one behind `after`; its id."""
        with self.storage.inbound.taken(after) as mail_id, about(mail=mail_id):
            if mail_id is None or (newest is not None and mail_id > newest):
                return None
            with self.metrics.message():
                self.judge.process_message(mail_id)
            log.info("mail worked")
        self.wrote()
        self.judge.keep_heartbeat(loop.progress)
        loop.progress()
        return mail_id

    def _games(self, loop: Loop, games: list[int], newest: int | None, by: datetime | None) -> None:
        """Run them, and work a mail after each."""
        for game_id in games:
            if loop.stopping:
                break
            self.judge.keep_heartbeat(loop.progress)
            self._game(game_id, newest, by)
            loop.progress()
            self._mail(loop)

    def _due_games(self, by: datetime | None) -> list[int]:
        """Those in which something is due by what has been heard."""
        now = time.monotonic()
        self._left = {game: until for game, until in self._left.items() if until > now}
        due = [] if by is None else self.judge.due(by)
        found = [game for game in due if game not in self._left]
        if not found and set(self.storage.games.due(self.clock.now())) - set(self._left):
            self.listen()
        return found

    def _game(self, game_id: int, newest: int | None, by: datetime | None) -> None:
        try:
            with about(game_id=game_id), self.metrics.game():
                ran = self.judge.run_game(game_id, newest, by)
        except Unavailable:
            raise
        except Exception:
            log.exception("game cannot be run", extra={"game_id": game_id})
            self._left[game_id] = time.monotonic() + STUCK
        else:
            self.wrote()
            if not ran:
                log.info("game left alone", extra={"game_id": game_id})
                # Another process has it, or a mail to be worked first.
                self._left[game_id] = time.monotonic() + POLL
