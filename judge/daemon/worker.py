"""What works mails and due games."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import datetime

from judge.clock import Clock
from judge.daemon.loop import POLL, Loop
from judge.game.service import Judge
from judge.logs import about
from judge.ops.metrics import Metrics
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
    ) -> None:
        """`alarm` is told when the next game is due, None for never. `poll` says how many seconds
        from now to look for what nobody announced; `wrote` is called when there may be letters."""
        self._storage = storage
        self._judge = judge
        self._clock = clock
        self._alarm = alarm
        self._metrics = metrics or Metrics()
        self._poll = poll
        self._wrote = wrote
        self._left: dict[int, float] = {}
        """Games not to be looked at before an instant of `time.monotonic`."""

    def step(self, loop: Loop) -> float:
        """Work everything that is there; returns the seconds until the next look.

        A mail that came before a deadline counts for it, so mails go before games, always.
        """
        while not loop.stopping:
            # Before anything is looked at: an outage must not make a phase run.
            self._judge.keep_pulse(loop.progress)
            self._mails(loop)
            more = self._judge.keep_pulse(loop.progress)
            game_id = self._due_game()
            if game_id is not None:
                self._game(game_id)
            elif not more:
                break
            else:
                self._wrote()
            loop.progress()
        due = self._judge.next_wake()
        self._judge.tidy()
        # What is overdue now was left alone: the next look will do.
        self._alarm(due if due is not None and due > self._clock.now() else None)
        return self._poll()

    def _mails(self, loop: Loop) -> None:
        last = 0
        while not loop.stopping:
            with self._storage.mails.taken(last) as mail_id, about(mail=mail_id):
                if mail_id is None:
                    break
                with self._metrics.worked.time():
                    self._judge.work_mail(mail_id)
                log.info("mail worked")
            self._wrote()
            last = mail_id
            self._judge.keep_pulse(loop.progress)
            loop.progress()

    def _due_game(self) -> int | None:
        now = time.monotonic()
        self._left = {game: until for game, until in self._left.items() if until > now}
        return next((game for game in self._judge.due() if game not in self._left), None)

    def _game(self, game_id: int) -> None:
        try:
            with about(game_id=game_id), self._metrics.games.time():
                ran = self._judge.run_game(game_id)
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
