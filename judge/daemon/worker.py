"""What works mails and due games."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
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


class Worker:
    """Works mails and due games. `step` is one sweep over all there is."""

    def __init__(
        self,
        storage: Storage,
        judge: Judge,
        clock: Clock,
        alarm: Callable[[datetime | None], None],
        *,
        metrics: Metrics | None = None,
        poll: Callable[[], float] = lambda: POLL,
        wrote: Callable[[], None] = lambda: None,
        listen: Callable[[], None] = lambda: None,
    ) -> None:
        """`alarm` is told when the next game is due, None for never. `poll` says how many seconds
        from now to look for what nobody announced; `wrote` is called when there may be letters,
        `listen` when mail is to be taken in for what is due."""
        self._storage = storage
        self._judge = judge
        self._clock = clock
        self._alarm = alarm
        self._metrics = metrics or Metrics()
        self._poll = poll
        self._wrote = wrote
        self._listen = listen
        self._left: dict[int, float] = {}
        """Games not to be looked at before an instant of `time.monotonic`."""

    def step(self, loop: Loop) -> float:
        """Work everything that is there; returns the seconds until the next look.

        A mail that came before a deadline counts for it: the mails that are there when games fall
        due go first. Those that come later take turns with the games, or somebody who writes
        without end would keep all deadlines waiting.
        """
        while not loop.stopping:
            # Before anything is looked at: an outage must not make a phase run.
            self._judge.keep_heartbeat(loop.progress)
            by = self._judge.heard()
            games = self._due_games(by)
            newest = self._storage.inbound.newest() if games else None
            self._mails(loop, newest)
            more = self._judge.keep_heartbeat(loop.progress)
            self._games(loop, games, newest, by)
            if more:
                self._wrote()
                loop.progress()
            elif not games and not self._due_games(self._judge.heard()):
                break
        due = self._judge.next_wake()
        self._judge.tidy()
        # What is overdue now was left alone: the next look will do.
        self._alarm(due if due is not None and due > self._clock.now() else None)
        return self._poll()

    def _mails(self, loop: Loop, newest: int | None) -> None:
        """Work those that wait, up to one; without one, until a game falls due."""
        last: int | None = 0
        while last is not None and not loop.stopping:
            last = self._mail(loop, last, newest)
            if newest is None and self._due_games(self._judge.heard()):
                break

    def _mail(self, loop: Loop, after: int = 0, newest: int | None = None) -> int | None:
        """Work the next one behind `after`; its id."""
        with self._storage.inbound.taken(after) as mail_id, about(mail=mail_id):
            if mail_id is None or (newest is not None and mail_id > newest):
                return None
            with self._metrics.message():
                self._judge.process_message(mail_id)
            log.info("mail worked")
        self._wrote()
        self._judge.keep_heartbeat(loop.progress)
        loop.progress()
        return mail_id

    def _games(self, loop: Loop, games: list[int], newest: int | None, by: datetime | None) -> None:
        """Run them, and work a mail after each."""
        for game_id in games:
            if loop.stopping:
                break
            self._judge.keep_heartbeat(loop.progress)
            self._game(game_id, newest, by)
            loop.progress()
            self._mail(loop)

    def _due_games(self, by: datetime | None) -> list[int]:
        """Those in which something is due by what has been heard."""
        now = time.monotonic()
        self._left = {game: until for game, until in self._left.items() if until > now}
        due = [] if by is None else self._judge.due(by)
        found = [game for game in due if game not in self._left]
        if not found and set(self._storage.games.due(self._clock.now())) - set(self._left):
            self._listen()
        return found

    def _game(self, game_id: int, newest: int | None, by: datetime | None) -> None:
        try:
            with about(game_id=game_id), self._metrics.game():
                ran = self._judge.run_game(game_id, newest, by)
        except Unavailable:
            raise
        except Exception:
            log.exception("game cannot be run", extra={"game_id": game_id})
            self._left[game_id] = time.monotonic() + STUCK
        else:
            self._wrote()
            if not ran:
                log.info("game left alone", extra={"game_id": game_id})
                # Another process has it, or a mail to be worked first.
                self._left[game_id] = time.monotonic() + POLL
