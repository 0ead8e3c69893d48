"""The whole judge in one process."""

from __future__ import annotations

import logging
import signal
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from types import FrameType

from judge.clock import Clock
from judge.commands import TABLE
from judge.config import Config
from judge.daemon.lines import Lines
from judge.daemon.loop import POLL, Loop
from judge.daemon.parts import (
    StartError,
    certificate,
    checker,
    drawing,
    house_of,
    imap_settings,
    pages,
    signing,
    transport_of,
)
from judge.daemon.sender import Sender
from judge.daemon.systemd import Watchdog, notify
from judge.daemon.worker import Worker
from judge.game.state.profile import JudgeProfile
from judge.mail.imap_receiver import ImapReceiver
from judge.mail.smtp_receiver import SmtpReceiver
from judge.mail.transport import Transport
from judge.ops import status
from judge.ops.alarms import Watch
from judge.ops.metrics import Metrics
from judge.schedule.waker import Waker
from judge.service import Judge
from judge.storage import Storage, StorageError, Unavailable, occupied

log = logging.getLogger(__name__)

HEARING_POLL = 5.0
"""The same where work is announced: only what a judge that died has left behind is not."""

ALONE, BESIDE_OTHERS = 50, 4
"""Letters taken at once by the only sender, and by each of several: the letters of one phase are
few, and are to be shared."""

WATCH = 30.0
"""Seconds between looks for what the keeper should know."""

PATIENCE = 15.0
"""Seconds a thread gets to finish what it is doing when the daemon stops."""


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
        self._doors: list[SmtpReceiver | ImapReceiver] = []
        self.smtp_port: int | None = None
        """The port the SMTP receiver listens on, once started; None without one."""
        self.metrics_port: int | None = None
        """The port metrics are served on, once started; None where they are not."""

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
        profile = house_of(config)
        metrics = self._measured(storage)

        def accept(raw: bytes, sender: str | None, recipients: Sequence[str], door: str) -> None:
            accepted = storage.inbound.accept(
                raw,
                door=door,
                envelope_from=sender,
                envelope_to=list(recipients),
                received_at=self._clock.now(),
            )
            facts = {"door": door, "mail": accepted.mail_id, "bytes": len(raw)}
            metrics.stored.labels(door).inc()
            log.info("duplicate" if accepted.duplicate else "mail stored", extra=facts)
            worker.wake()

        mailboxes = [
            ImapReceiver(
                imap_settings(section, config.smtp.max_size, config.retention.days),
                lambda raw, sender, recipients: accept(raw, sender, recipients, "imap"),
                self._clock.now,
                looked=lambda: worker.wake(),
            )
            for section in config.imap
        ]
        outgoing: list[Sender] = []
        lines = Lines(self._clock, mailboxes, outgoing)
        judge = Judge(
            storage, self._clock, profile, TABLE, verify=checker(config, profile), reach=lines
        )
        listener = storage.listener(lambda what: worker.wake() if what == "mail" else wrote())

        def poll() -> float:
            return HEARING_POLL if listener is not None and listener.connected else POLL

        def wrote() -> None:
            for each in senders:
                each.wake()

        waker = Waker(self._clock, lambda: worker.wake())
        ways_out = [drawing(signing(config, each)) for each in self._ways_out()]
        for transport in ways_out:
            self._open.callback(transport.close)

        def loop(name: str, step: Callable[[Loop], float]) -> Loop:
            return Loop(name, step, lambda name: metrics.failures.labels(name).inc())

        worker = loop(
            "worker",
            Worker(
                storage,
                judge,
                self._clock,
                waker.set,
                metrics=metrics,
                poll=poll,
                wrote=wrote,
                listen=lines.look,
            ).step,
        )
        outgoing += [
            Sender(
                storage,
                transport,
                self._clock,
                judge.undelivered,
                metrics=metrics,
                poll=poll,
                at_once=ALONE if len(ways_out) == 1 else BESIDE_OTHERS,
                opened=worker.wake,
            )
            for transport in ways_out
        ]
        senders = [loop("sender", each.step) for each in outgoing]
        watch = Watch(
            storage,
            profile,
            self._clock,
            machine=socket.gethostname(),
            mailboxes=lines.problems,
            disconnected=lambda: lines.disconnected,
            folders=self._folders(),
        )

        def watching(_: Loop) -> float:
            watch.look()
            days = config.retention.days
            if days and storage.erasure.texts(self._clock.now() - timedelta(days=days)):
                return 0
            return WATCH

        self._loops = [worker, *senders, loop("watch", watching)]
        if (keeping := pages(config, storage, self._clock)) is not None:
            self._loops.append(loop("pages", keeping))
        waker.start()
        self._open.callback(waker.stop)
        self._open.callback(self._stop_loops)
        for each in self._loops:
            each.start()
        if listener is not None:
            listener.start()
            self._open.callback(listener.stop)

        self._open_doors(accept, profile, mailboxes)
        log.info("judge started", extra={"smtp_port": self.smtp_port})

    def _ways_out(self) -> Sequence[Transport]:
        """One for each letter that is sent at a time."""
        if self._transport is not None:
            return [self._transport]
        relay = self._config.outgoing.relay
        return [transport_of(self._config) for _ in range(relay.connections if relay else 1)]

    def _measured(self, storage: Storage) -> Metrics:
        """What is counted, and told to whoever asks where that is configured."""
        metrics, section = Metrics(), self._config.metrics
        if not section.enabled:
            return metrics
        metrics.watch(lambda: status.picture(storage, self._clock))
        try:
            server = metrics.serve(section.host, section.port)
        except OSError as error:
            where = f"{section.host} port {section.port}"
            raise StartError(f"metrics cannot be served on {where}: {error}") from error
        self._open.callback(server.stop)
        self.metrics_port = server.port
        return metrics

    def _folders(self) -> list[Path]:
        """Where the judge writes to disk itself."""
        scheme, _, path = self._config.database.url.partition(":")
        folders = [Path(path).parent] if scheme == "sqlite" else []
        if self._config.outgoing.relay is None:
            folders.append(self._config.outgoing.maildir)
        return folders

    def _open_doors(
        self,
        accept: Callable[[bytes, str | None, Sequence[str], str], None],
        profile: JudgeProfile,
        mailboxes: Sequence[ImapReceiver],
    ) -> None:
        smtp = self._config.smtp
        if smtp.enabled:
            door = SmtpReceiver(
                smtp.host,
                smtp.port,
                lambda raw, sender, recipients: accept(raw, sender, recipients, "smtp"),
                addresses=[self._config.judge.address],
                patterns=[profile.pattern],
                hostname=self._config.judge.domain,
                max_size=smtp.max_size,
                per_minute=smtp.per_minute,
                lmtp=smtp.lmtp,
                tls=certificate(self._config),
            )
            try:
                door.start()
            except OSError as error:
                where = f"{smtp.host} port {smtp.port}"
                raise StartError(f"the SMTP receiver cannot listen on {where}: {error}") from error
            self._open.callback(door.stop)
            self._doors.append(door)
            self.smtp_port = door.port
        for mailbox in mailboxes:
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

    def wake(self) -> None:
        """Let every thread look at once: the time is another one."""
        for loop in self._loops:
            loop.wake()

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
