"""The daemon: doors, one worker, one sender, an alarm clock, and the thread that watches them.

Doors store what comes in and wake the worker; the worker works mails and deadlines, each in one
transaction; the sender empties the outbox. All state is in the database, so the process may be
killed at any moment and started again.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime
from datetime import time as time_of_day
from types import FrameType

from judge.clock import Clock
from judge.commands import TABLE
from judge.config import Config, ImapSection
from judge.game.house import House, Level
from judge.game.limits import Limits
from judge.game.service import Judge
from judge.mail.authenticity import Checker, dns
from judge.mail.imap_door import ImapDoor, ImapSettings
from judge.mail.outgoing import (
    Maildir,
    PermanentFailure,
    Relay,
    TemporaryFailure,
    Transport,
    Unreachable,
    next_try,
)
from judge.mail.sign import BadKey, Signer, Signing
from judge.mail.smtp_door import SmtpDoor
from judge.schedule.waker import Waker
from judge.storage import Letter, Storage, StorageError, Unavailable, occupied

log = logging.getLogger("judge.daemon")

POLL = 1.0
"""Seconds between looks for what no wake-up announced: `judge mail`, another judge's work."""

STUCK = 60.0
"""Seconds a game that could not be run is left alone before it is tried again."""

PATIENCE = 15.0
"""Seconds a thread gets to finish what it is doing when the daemon stops."""

LONGEST_PAUSE = 60.0
"""Seconds after which an outbox that could not be emptied is tried again at the latest."""


class StartError(Exception):
    """The daemon cannot start; the message says what is in the way."""


class Worker:
    """Works mails and due games. `step` is one sweep over all there is."""

    def __init__(
        self, storage: Storage, judge: Judge, clock: Clock, alarm: Callable[[datetime | None], None]
    ) -> None:
        """`alarm` is told when the next game is due, None for never."""
        self._storage = storage
        self._judge = judge
        self._clock = clock
        self._alarm = alarm
        self._left: dict[int, float] = {}
        """Games not to be looked at before an instant of `time.monotonic`."""

    def step(self, loop: Loop) -> float:
        """Work everything that is there; returns the seconds until the next look.

        A mail that came before a deadline counts for it, so mails go before games, always.
        """
        while not loop.stopping:
            # Before anything is looked at: an outage must not make a phase run.
            self._judge.keep_pulse()
            self._mails(loop)
            self._judge.keep_pulse()
            game_id = self._due_game()
            if game_id is None:
                break
            self._game(game_id)
            loop.progress()
        due = self._judge.next_wake()
        self._judge.tidy()
        # What is overdue now was left alone: the next look will do.
        self._alarm(due if due is not None and due > self._clock.now() else None)
        return POLL

    def _mails(self, loop: Loop) -> None:
        last = 0
        while not loop.stopping and (mail_id := self._storage.mails.next_new(last)) is not None:
            self._judge.work_mail(mail_id)
            log.info("mail worked", extra={"mail": mail_id})
            last = mail_id
            self._judge.keep_pulse()
            loop.progress()

    def _due_game(self) -> int | None:
        now = time.monotonic()
        self._left = {game: until for game, until in self._left.items() if until > now}
        return next((game for game in self._judge.due() if game not in self._left), None)

    def _game(self, game_id: int) -> None:
        try:
            ran = self._judge.run_game(game_id)
        except Unavailable:
            raise
        except Exception:
            log.exception("game cannot be run", extra={"game": game_id})
            self._left[game_id] = time.monotonic() + STUCK
        else:
            log.info("game run" if ran else "game left alone", extra={"game": game_id})
            if not ran:
                # Another process has it, or a mail to be worked first.
                self._left[game_id] = time.monotonic() + POLL


class Sender:
    """Empties the outbox. `step` sends what is due."""

    def __init__(
        self,
        storage: Storage,
        transport: Transport,
        clock: Clock,
        undelivered: Callable[[Letter, str], None],
    ) -> None:
        """`transport` is used by one thread at a time. `undelivered` ends a letter that will not be
        delivered, for what the other side said last (`Judge.undelivered`)."""
        self._storage = storage
        self._transport = transport
        self._clock = clock
        self._undelivered = undelivered
        self._failures = 0

    def step(self, loop: Loop) -> float:
        """Send the letters that are due; returns the seconds until the next look.

        While the way out is closed all letters wait, and it is tried less and less often.
        """
        with self._storage.letters.claimed(self._clock.now()) as letters:
            for letter in letters:
                if loop.stopping:
                    break
                try:
                    self._send(letter)
                except Unreachable as error:
                    if not self._failures:
                        log.error("letters cannot be sent: %s", error)
                    self._failures += 1
                    # To be alive and to wait is getting on, too.
                    loop.progress()
                    return min(2.0**self._failures, LONGEST_PAUSE)
                if self._failures:
                    log.warning("letters can be sent again")
                    self._failures = 0
                loop.progress()
        return 0 if letters else POLL

    def _send(self, letter: Letter) -> None:
        """Send one, or note why not and when to try again. Raises Unreachable."""
        facts = {"letter": letter.id, "kind": letter.kind, "attempt": letter.attempts + 1}
        try:
            self._transport.deliver(
                letter.raw, letter.recipient, letter.message_id, letter.envelope_from
            )
        except Unreachable:
            raise
        except PermanentFailure as error:
            log.warning("letter refused", extra={**facts, "error": error})
            self._undelivered(letter, str(error))
        except Exception as error:
            if not isinstance(error, TemporaryFailure):
                log.exception("letter made the sender fail", extra=facts)
            pause = next_try(letter.attempts + 1)
            again = None if pause is None else self._clock.now() + pause
            log.warning("letter not sent", extra={**facts, "error": error, "again": again})
            if again is None:
                self._undelivered(letter, str(error) or repr(error))
            else:
                self._storage.letters.failed(letter.id, str(error) or repr(error), again)
        else:
            self._storage.letters.sent(letter.id, self._clock.now())
            log.info("letter sent", extra=facts)


class Loop:
    """A thread that takes one step after another until it is stopped.

    A step that fails is logged and taken again after a pause; `progress` tells how long ago
    something last went well.
    """

    def __init__(self, name: str, step: Callable[[Loop], float]) -> None:
        """`step` returns the seconds until the next one is due; `wake` cuts them short."""
        self.name = name
        self._step = step
        self._wake = threading.Event()
        self._stop = False
        self._progressed = time.monotonic()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def wake(self) -> None:
        """Take the next step now; from any thread."""
        self._wake.set()

    def stop(self) -> None:
        """Take no further step."""
        self._stop = True
        self._wake.set()

    def join(self, seconds: float) -> bool:
        """Wait for the step in progress; whether the thread has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    @property
    def stopping(self) -> bool:
        """Whether a long step should come to its end."""
        return self._stop

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    @property
    def idle(self) -> float:
        """Seconds since something last went well."""
        return time.monotonic() - self._progressed

    def progress(self) -> None:
        """Something went well."""
        self._progressed = time.monotonic()

    def _run(self) -> None:
        failures = 0
        while True:
            # Cleared before the look, so that what comes during the step is not missed.
            self._wake.clear()
            if self._stop:
                return
            try:
                pause = self._step(self)
                failures = 0
                self.progress()
            except Exception as error:
                failures += 1
                pause = min(2.0**failures, 30.0)
                facts = {"loop": self.name, "again_in": pause}
                if isinstance(error, Unavailable):
                    log.error("database out of reach: %s", error, extra=facts)
                else:
                    log.exception("step failed", extra=facts)
            if pause:
                self._wake.wait(pause)


class Daemon:
    """The whole judge in one process."""

    def __init__(
        self, config: Config, *, clock: Clock | None = None, transport: Transport | None = None
    ) -> None:
        """`clock` and `transport` are for tests; by default they are what is configured."""
        self._config = config
        self._clock = clock or config.clock.clock()
        self._transport = transport
        self._signals = 0
        self._open = ExitStack()
        self._loops: list[Loop] = []
        self._doors: list[SmtpDoor | ImapDoor] = []
        self.smtp_port: int | None = None
        """The port the SMTP door listens on, once started; None without one."""

    def start(self) -> None:
        """Open the database and the doors and start all threads. Raises StartError."""
        try:
            self._start()
        except BaseException:
            self._open.close()
            raise

    def _start(self) -> None:
        config = self._config
        try:
            self._open.enter_context(occupied(config.database.url))
            storage = Storage.open(config.database.url)
        except (StorageError, Unavailable) as error:
            raise StartError(f"the database cannot be opened: {error}") from error
        self._open.callback(storage.close)
        house = house_of(config)
        judge = Judge(storage, self._clock, house, TABLE, verify=_checker(config, house))
        waker = Waker(self._clock, lambda: worker.wake())
        worker = Loop("worker", Worker(storage, judge, self._clock, waker.set).step)
        transport = _signing(config, self._transport or _transport(config))
        self._open.callback(transport.close)
        sender = Loop("sender", Sender(storage, transport, self._clock, judge.undelivered).step)
        self._loops = [worker, sender]
        waker.start()
        self._open.callback(waker.stop)
        self._open.callback(self._stop_loops)
        for loop in self._loops:
            loop.start()

        def accept(raw: bytes, sender: str | None, recipients: Sequence[str], door: str) -> None:
            accepted = storage.mails.accept(
                raw,
                door=door,
                envelope_from=sender,
                envelope_to=list(recipients),
                received_at=self._clock.now(),
            )
            facts = {"door": door, "mail": accepted.mail_id, "bytes": len(raw)}
            log.info("duplicate" if accepted.duplicate else "mail stored", extra=facts)
            worker.wake()

        self._open_doors(accept, house)
        log.info("judge started", extra={"smtp_port": self.smtp_port})

    def _open_doors(
        self, accept: Callable[[bytes, str | None, Sequence[str], str], None], house: House
    ) -> None:
        smtp = self._config.smtp
        if smtp.enabled:
            door = SmtpDoor(
                smtp.host,
                smtp.port,
                lambda raw, sender, recipients: accept(raw, sender, recipients, "smtp"),
                addresses=[self._config.judge.address],
                patterns=[house.pattern],
                hostname=self._config.judge.domain,
                max_size=smtp.max_size,
                lmtp=smtp.lmtp,
            )
            try:
                door.start()
            except OSError as error:
                where = f"{smtp.host} port {smtp.port}"
                raise StartError(f"the SMTP door cannot listen on {where}: {error}") from error
            self._open.callback(door.stop)
            self._doors.append(door)
            self.smtp_port = door.port
        for section in self._config.imap:
            mailbox = ImapDoor(
                _imap_settings(section, smtp.max_size),
                lambda raw, sender, recipients: accept(raw, sender, recipients, "imap"),
            )
            mailbox.start()
            self._open.callback(mailbox.stop)
            self._doors.append(mailbox)

    def _stop_loops(self) -> None:
        for loop in self._loops:
            loop.stop()
        for loop in self._loops:
            if not loop.join(PATIENCE):
                log.error("thread does not end", extra={"loop": loop.name})

    def stop(self) -> None:
        """Close the doors, let every thread finish its step, close the database."""
        self._open.close()
        log.info("judge stopped")

    def healthy(self) -> bool:
        """Whether every thread is there."""
        return all(each.alive for each in (*self._loops, *self._doors))

    def run(self) -> int:
        """Start, serve until SIGTERM or SIGINT, stop; the exit status. Raises StartError.

        A thread that dies ends the daemon with status 1, so that whoever supervises it starts a
        new one.
        """
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        self.start()
        try:
            notify("READY=1")
            watchdog = Watchdog()
            while not self._signals:
                if not self.healthy():
                    log.critical("a thread has died")
                    return 1
                watchdog.feed(max(loop.idle for loop in self._loops))
                time.sleep(0.1)
            return 0
        finally:
            notify("STOPPING=1")
            self.stop()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._signals += 1


class Watchdog:
    """Tells systemd that the judge lives, as long as its threads get on (sd_notify(3))."""

    def __init__(self) -> None:
        """Reads from the environment how often systemd wants to hear."""
        self._limit = int(os.environ.get("WATCHDOG_USEC", "0")) / 1_000_000
        self._fed = 0.0

    def feed(self, idle: float) -> None:
        """`idle` is how many seconds ago the slowest thread last got on."""
        now = time.monotonic()
        if self._limit and idle < self._limit and now - self._fed > self._limit / 3:
            notify("WATCHDOG=1")
            self._fed = now


def notify(state: str) -> None:
    """Tell systemd our state, where it asked to be told (sd_notify(3)); else nothing happens."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.sendto(state.encode(), address)
    except OSError as error:
        log.warning("systemd cannot be told: %s", error)


def house_of(config: Config) -> House:
    """What letters must know of the judge that is configured."""
    digest = config.judge.digest
    return House(
        name=config.judge.name,
        address=config.judge.address,
        keeper=config.judge.keeper,
        digest=None if digest == "off" else time_of_day.fromisoformat(digest),
        zone=config.judge.zone,
        sub_addresses=config.judge.sub_addresses,
        trust=Level.named(config.trust.level),
        reply_days=config.trust.reply_days,
        limits=Limits(**config.limits.model_dump()),
    )


def _transport(config: Config) -> Transport:
    relay = config.outgoing.relay
    if relay is None:
        return Maildir(config.outgoing.maildir)
    return Relay(
        relay.host,
        relay.port,
        security=relay.security,
        user=relay.user,
        password=relay.secret(),
        hello=config.judge.domain,
    )


def _signing(config: Config, transport: Transport) -> Transport:
    """The way out, with signatures on each letter where any are configured. Raises StartError."""
    dkim = config.dkim
    if dkim is None:
        return transport
    signers = []
    for selector, file in dkim.signers():
        try:
            key = file.read_bytes()
            signers.append(Signer(dkim.domain or config.judge.domain, selector, key))
        except (OSError, BadKey) as error:
            raise StartError(f"letters cannot be signed with {file}: {error}") from error
    return Signing(transport, signers)


def _checker(config: Config, house: House) -> Checker | None:
    """Tells whether a mail's domain vouches for it, where the keeper says how."""
    trust = config.trust
    if trust.authserv_id is None and not trust.check_dkim:
        return None
    lookup = dns if trust.check_dkim else None
    return Checker(trust.authserv_id, lookup, [house.address], [house.pattern])


def _imap_settings(section: ImapSection, max_size: int) -> ImapSettings:
    return ImapSettings(
        host=section.host,
        port=section.port,
        user=section.user,
        password=section.secret() or "",
        security=section.security,
        folder=section.folder,
        moved_to=section.done_folder if section.when_done == "move" else None,
        poll=section.poll,
        max_size=max_size,
    )
