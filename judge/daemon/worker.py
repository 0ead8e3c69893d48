"""What decides which message or game is processed next, and sees to what fails."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime, timedelta

from msgspec import Struct

from judge.clock import Clock
from judge.daemon.loop import POLL, Loop
from judge.daemon.process import Died, WorkProcess
from judge.logs import about
from judge.ops.metrics import Metrics
from judge.service import Judge
from judge.storage import InboundMessage, InboundState, Lacking, Storage, Turn, Unavailable

log = logging.getLogger(__name__)

STUCK = 60.0
"""Seconds a game that could not be run is left alone, at least, before it is tried again."""

PATIENCE = 3.0
"""Seconds a game that is due waits for messages of people who do not play in it."""

LAST = timedelta(minutes=10)
"""For how long a message that ended its process lets others go first."""


LONGEST_PAUSE = 60.0
"""Seconds after which a mail is tried again at the latest that the machine lacked something for."""


class Missed(Struct, frozen=True):
    """What the machine lacked for a piece of work, how often, and until when it is left alone, by
    `time.monotonic`."""

    said: str
    times: int
    until: float


class Due(Struct, frozen=True):
    """What a game was found to be due by, which message was the newest then, and until when it
    waits for strangers, by `time.monotonic`."""

    by: datetime
    newest: int
    until: float


@dataclass
class Worker:
    """Works mails and due games. `step` is one sweep over all there is.

    `alarm` is told when the next game is due, None for never. `apart` is the process in which the
    work is done, by default this one. `poll` says how many seconds from now to look for what nobody
    announced; `wrote` is called when there may be letters, `listen` when mail is to be taken in for
    what is due.
    """

    storage: Storage
    judge: Judge
    clock: Clock
    alarm: Callable[[datetime | None], None]
    _: KW_ONLY
    apart: WorkProcess | None = None
    metrics: Metrics = field(default_factory=Metrics)
    poll: Callable[[], float] = lambda: POLL
    wrote: Callable[[], None] = lambda: None
    listen: Callable[[], None] = lambda: None

    _turn: Turn = field(default_factory=Turn, init=False)
    _due: dict[int, Due] = field(default_factory=dict, init=False)
    _left: dict[int, float] = field(default_factory=dict, init=False)
    """Games not to be looked at before an instant of `time.monotonic`."""
    _missed: dict[tuple[str, int], Missed] = field(default_factory=dict, init=False)
    """Mails and games for which the machine lacked something, by kind and id."""
    _missed_since: datetime | None = field(default=None, init=False)
    _aside: list[InboundMessage] = field(default_factory=list, init=False)
    _look_aside: float = field(default=0.0, init=False)
    """When to look again, by `time.monotonic`, for what was set aside by others."""

    def step(self, loop: Loop) -> float:
        """Process everything that is there; return the seconds until the next look.

        A mail that came before a deadline counts for it: those that are there when a game falls
        due go first, but strangers' ones for no longer than `PATIENCE`, for somebody might write
        without end. After each game comes a mail.
        """
        # Before anything is looked at: an outage must not make a phase run.
        self.judge.keep_heartbeat(loop.progress)
        if self.apart is not None:
            self.apart.progress = loop.progress
            self.apart.start()
        processed = more = True
        while (processed or more) and not loop.stopping:
            self._find_due()
            processed = self._games(loop)
            processed = self._next_mail(loop) or processed
            more = self.judge.keep_heartbeat(loop.progress)
            if more:
                self.wrote()
                loop.progress()
        self._forget_what_is_done()
        due = self.judge.next_wake()
        self.judge.tidy(due)
        # What is overdue now was left alone: the next look will do.
        self.alarm(due if due is not None and due > self.clock.now() else None)
        return POLL if self._due else self.poll()

    # What the machine lacks

    @property
    def lacks(self) -> tuple[datetime, str] | None:
        """Since when the machine lacks something, and what it was last; None where it does not."""
        missed = list(self._missed.values())
        if not missed or self._missed_since is None:
            return None
        return self._missed_since, missed[-1].said

    def _miss(self, kind: str, number: int, said: str) -> Missed:
        """Note what the machine lacked for a piece of work, which is left alone for a while."""
        now = time.monotonic()
        before = self._missed.pop((kind, number), Missed("", 0, now))
        pause = min(2.0 ** (before.times + 1), LONGEST_PAUSE)
        log.error("the machine lacks something: %s", said, extra={"kind": kind, "again_in": pause})
        if not self._missed and not before.times:
            self._missed_since = self.clock.now()
        missed = Missed(said, before.times + 1, now + pause)
        self._missed[kind, number] = missed
        return missed

    def _miss_mail(self, mail_id: int, said: str) -> None:
        """Note it where `judge mail` shows it, too."""
        missed = self._miss("mail", mail_id, said)
        problem = f"The machine lacks something for this message (tried {missed.times} times): "
        problem += said
        with suppress(Unavailable), self.storage.transaction():
            self.storage.inbound.note_problem(mail_id, problem)

    def _forget_what_is_done(self) -> None:
        """Forget what was missed of mails that the keeper gave up and of what others have done."""
        for kind, number in list(self._missed):
            waits = number in self._due
            if kind == "mail":
                waits = self.storage.inbound.waiting(number) is not None
            if not waits:
                del self._missed[kind, number]

    def _is_missing(self, kind: str, number: int) -> bool:
        """Return whether a piece of work is left alone since the machine lacked something for
        it."""
        missed = self._missed.get((kind, number))
        return missed is not None and missed.until > time.monotonic()

    # Mails

    def _next_mail(self, loop: Loop) -> bool:
        """Process the mail whose turn it is; return whether there was one.

        One that ended its process is tried again when no other waits, and keeps back those its
        sender wrote later.
        """
        if (moment := time.monotonic()) >= self._look_aside:
            failed = self.storage.inbound.failed()
            self._aside = [each for each in failed if each.state is InboundState.NEW]
            self._look_aside = moment + POLL
        aside, now = self._aside, self.clock.now()
        if not any(now - (each.worked_at or now) >= LAST for each in aside):
            slow = {each.sender for each in aside}
            for mail_id, sender in self.storage.inbound.turns(self._turn):
                if loop.stopping:
                    return False
                if sender not in slow and self._mail(loop, mail_id):
                    return True
        return any(self._alone(loop, each) for each in aside[:1])

    def _alone(self, loop: Loop, mail: InboundMessage) -> bool:
        """Process a mail in a process that has processed nothing else."""
        if self.apart is not None:
            self.apart.renew()
        processed = self._mail(loop, mail.id)
        self._look_aside = 0.0
        if self.apart is not None:
            self.apart.renew()
        return processed

    def _mail(self, loop: Loop, mail_id: int) -> bool:
        """Process a mail; return whether there was anything to do."""
        if self._is_missing("mail", mail_id):
            return False
        with about(mail=mail_id):
            try:
                with self.metrics.time("message"):
                    processed = (self.apart or self.judge).process_message(mail_id)
            except Died as died:
                if loop.stopping:
                    return False
                self._ended(mail_id, str(died))
                processed = True
            except Lacking as lacking:
                self._miss_mail(mail_id, str(lacking))
                return False
            self._missed.pop(("mail", mail_id), None)
            if not processed:
                return False
            log.info("mail processed")
        self.wrote()
        loop.progress()
        return True

    def _ended(self, mail_id: int, problem: str) -> None:
        """Set a mail aside that ended its process, or hold it if that was the second time."""
        log.error("mail ended its process: %s", problem)
        self._look_aside = 0.0
        if self.judge.blame(mail_id, problem):
            self._hold(mail_id, problem)

    def _hold(self, mail_id: int, problem: str) -> None:
        """Keep a mail for the keeper."""
        try:
            (self.apart or self.judge).hold(mail_id, problem)
        except (Died, RuntimeError, Lacking) as error:
            log.error("nobody can be told by the mail itself: %s", error)
            self.judge.hold(mail_id, problem, answer=False)

    # Games

    def _find_due(self) -> None:
        """Note in which games something is due by what has been heard."""
        moment, by = self.clock.now(), self.judge.heard()
        found = [] if by is None else self.judge.due(by)
        now = time.monotonic()
        self._left = {game: until for game, until in self._left.items() if until > now}
        new = set(found) - set(self._due)
        if new and by is not None:
            due = Due(by, self.storage.inbound.newest(), now + PATIENCE)
            self._due |= dict.fromkeys(new, due)
        self._due = {game: self._due[game] for game in found}
        deaf = by is None or by < moment
        late = set(found) - set(self._left)
        if deaf and not late and set(self.storage.games.due(moment)) - set(self._left):
            self.listen()

    def _games(self, loop: Loop) -> bool:
        """Run those that need not wait, and process a mail after each; return whether there was
        anything to do."""
        processed = False
        for game_id, due in list(self._due.items()):
            if loop.stopping:
                break
            waiting = self.storage.inbound.next_new() or due.newest + 1
            if game_id in self._left or (waiting <= due.newest and time.monotonic() < due.until):
                continue
            self.judge.keep_heartbeat(loop.progress)
            first = self.judge.awaited(game_id, due.newest, due.by)
            if first is None or not self._mail(loop, first):
                self._game(game_id, due)
            loop.progress()
            self._next_mail(loop)
            processed = True
        return processed

    def _game(self, game_id: int, due: Due) -> None:
        begun = time.monotonic()
        try:
            with about(game_id=game_id), self.metrics.time("game"):
                ran = (self.apart or self.judge).run_game(game_id, due.newest, due.by)
        except Lacking as lacking:
            self._left[game_id] = self._miss("game", game_id, str(lacking)).until
        except Unavailable:
            raise
        except Exception as error:
            log.exception("game cannot be run", extra={"game_id": game_id})
            if isinstance(error, Died):
                self.judge.game_failed(game_id, str(error))
            # What takes long is tried less often: others wait for it.
            now = time.monotonic()
            self._left[game_id] = now + max(STUCK, 10 * (now - begun))
        else:
            self._missed.pop(("game", game_id), None)
            self.wrote()
            if ran:
                del self._due[game_id]
                return
            log.info("game left alone", extra={"game_id": game_id})
            # Another process has it, or a mail to be processed first.
            self._left[game_id] = time.monotonic() + POLL
            if game_id not in self.judge.due(due.by):
                del self._due[game_id]
