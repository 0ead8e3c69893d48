"""The whole judge in one process."""

from __future__ import annotations

import logging
import secrets
import select
import shutil
import signal
import socket
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import date, datetime, timedelta
from functools import cached_property, partial
from types import FrameType

from msgspec import Struct

from judge import __version__
from judge.clock import Clock
from judge.config import Config, ImapSection
from judge.daemon import factory
from judge.daemon.factory import StartError, judge_of
from judge.daemon.fork_server import ForkServer
from judge.daemon.loop import POLL, Loop, Watchdog, notify, to_syslog
from judge.daemon.process import DRAW, WORK, Make, Shared, WorkProcess, drawing, working
from judge.daemon.sender import Connections, LetterSender, Refusals
from judge.daemon.worker import Worker
from judge.game.state.profile import JudgeProfile
from judge.mail.address import Reached, addressed
from judge.mail.headers import network
from judge.mail.imap_receiver import ImapReceiver
from judge.mail.pictures import Apart, draw_pictures
from judge.mail.quotes import packed
from judge.mail.smtp_receiver import Refusal, SmtpReceiver
from judge.mail.transport import Finishing, Transport
from judge.maps.notes import alike
from judge.memory import give_back
from judge.ops.alarms import Watch
from judge.ops.machine import machine_of
from judge.ops.metrics import Metrics
from judge.ops.status import status
from judge.schedule.waker import Waker
from judge.service import Judge
from judge.storage import Storage, StorageError, TooMuch, Unavailable, occupied, written_by

log = logging.getLogger(__name__)

HEARING_POLL = 5.0
"""The same where work is announced, and only what a judge that died has left behind is not; and
where nothing has happened for a while."""

BUSY = 60.0
"""Seconds from what happened last until a judge rests."""

LOOK = 2.0
"""Seconds between looks whether all threads live."""

ALONE, BESIDE_OTHERS = 50, 4
"""Letters taken at once by the only sender, and by each of several: the letters of one phase are
few, and are to be shared."""

WATCH = 30.0
"""Seconds between looks for what the keeper should know."""

LATELY = timedelta(minutes=15)
"""For how long a mail that could not be stored counts: by then its sender has tried again."""

PATIENCE = 15.0
"""Seconds a thread gets to finish what it is doing when the daemon stops."""


AGAIN = -1
"""What a daemon ends with that is to be started anew."""


@contextmanager
def _until_a_signal() -> Iterator[Callable[[], object]]:
    """Give what waits until there is a signal, `LOOK` at most."""
    hearing, telling = socket.socketpair()
    with hearing, telling:
        telling.setblocking(False)
        hearing.setblocking(False)
        before = signal.set_wakeup_fd(telling.fileno(), warn_on_full_buffer=False)

        def wait() -> None:
            if select.select([hearing], [], [], LOOK)[0]:
                hearing.recv(100)

        try:
            yield wait
        finally:
            signal.set_wakeup_fd(before)


def _passes(check: Callable[[], object]) -> bool:
    """Return whether a check raises nothing; what it raises is logged."""
    try:
        check()
    except Exception as error:
        said = getattr(error, "message", error)
        log.error("the configuration is wrong, so the judge goes on with the old one: %s", said)
        return False
    return True


class Shares:
    """How many bytes of strangers each network has brought in this day."""

    _NETWORK = 10
    """A network may bring as much as so many strangers."""

    def __init__(self, most: int) -> None:
        """`most` are the bytes of one stranger."""
        self._most = self._NETWORK * most
        self._day: date | None = None
        self._came: Counter[str] = Counter()

    def allow(self, network: str, size: int, day: date) -> bool:
        """Return whether a network, "" for one that is not known, may bring so much more."""
        if day != self._day:
            self._day, self._came = day, Counter()
        return not network or self._came[network] + size <= self._most

    def add(self, network: str, size: int) -> None:
        """Count what was stored."""
        self._came[network] += size


class Inbox(Struct, frozen=True, dict=True):
    """Stores what receivers take in. Safe to use from any thread. `stored` is called after each
    message."""

    storage: Storage
    clock: Clock
    metrics: Metrics
    stored: Callable[[], None]
    most: int
    """Bytes that are stored in a day of an address that is not on file."""
    servers: Sequence[str] = ()
    """The judge's own mail servers."""
    houses: Reached = {}
    """By what each house is reached."""

    @cached_property
    def _shares(self) -> Shares:
        return Shares(self.most)

    def accept(self, raw: bytes, sender: str | None, recipients: Sequence[str], door: str) -> None:
        """Store a message that came in through the receiver `door`; then it is safe. Raises
        Refusal, and what is in the way of it."""
        try:
            self._store(raw, sender, recipients, door)
        except Refusal:
            raise
        except Exception as error:
            self._failed.append((self.clock.now(), f"no mail can be stored: {error!r}"))
            del self._failed[1:-1]
            raise
        self._failed.clear()

    @cached_property
    def _failed(self) -> list[tuple[datetime, str]]:
        """When a mail could not be stored, and why: the first since one could, and the last."""
        return []

    @property
    def lacks(self) -> tuple[datetime, str] | None:
        """Since when no mail can be stored, and why; None where one could, or where it was but one
        or none of late."""
        failed = list(self._failed)
        if len(failed) < 2 or self.clock.now() - failed[-1][0] > LATELY:
            return None
        return failed[0][0], failed[-1][1]

    def _store(self, raw: bytes, sender: str | None, recipients: Sequence[str], door: str) -> None:
        now, came_from = self.clock.now(), network(raw, self.servers)
        allowed = self._shares.allow(came_from, len(raw), now.date())
        try:
            for house, own in addressed(self.houses, recipients, raw).items():
                accepted = self.storage.inbound.accept(
                    raw,
                    door=door,
                    envelope_from=sender,
                    envelope_to=own,
                    received_at=now,
                    most=self.most if allowed else 0,
                    network=came_from,
                    house=house,
                )
        except TooMuch:
            whose = "an address that is new to me" if allowed else "new addresses in your network"
            said = f"552 5.2.2 That is more than I store in a day of {whose}"
            raise Refusal(f"{said}; please write less, or tomorrow") from None
        if not allowed and not accepted.known:
            log.warning("a network brings too much of strangers: only its headers are stored")
        elif not accepted.known and not accepted.duplicate:
            self._shares.add(came_from, len(raw))
        who = self.storage.tickets.mark(written_by(raw))
        facts = {"door": door, "mail": accepted.mail_id, "bytes": len(raw), "who": who}
        self.metrics.count("stored", door)
        log.info("duplicate" if accepted.duplicate else "mail stored", extra=facts)
        self.stored()


class Daemon:
    """The whole judge in one process."""

    def __init__(
        self,
        config: Config,
        *,
        clock: Clock | None = None,
        transport: Transport | None = None,
        make: Make = judge_of,
    ) -> None:
        """`clock` and `transport` are for tests; by default they are what is configured. With a
        clock of its own the daemon processes messages itself; else a judge does that which a
        process of its own builds by `make`."""
        self._config = config
        self._make = make if clock is None and config.work.apart else None
        self._clock = clock or config.clock.clock()
        self._transport = transport
        self._signals = self._hangups = 0
        self._woken = time.monotonic()
        self._open = ExitStack()
        self._loops: list[Loop] = []
        self._metrics = Metrics()
        self._receivers: list[SmtpReceiver | ImapReceiver] = []
        self.smtp_port: int | None = None
        """The port the SMTP receiver listens on, once started; None without one."""
        self.metrics_port: int | None = None
        """The port metrics are served on, once started; None where they are not."""

    def start(self) -> None:
        """Open the database and the receivers and start all threads. Raises StartError."""
        try:
            self._start()
        except BaseException:
            self._open.close()
            raise

    def _start(self) -> None:
        self._loops = []
        factory.check(self._config)
        # Before there are threads and connections.
        server = self._fork_server()
        file = self._open.enter_context(tempfile.TemporaryFile())  # noqa: SIM115
        shared = Shared(file.fileno())
        storage = self._open_storage(shared)
        profile = factory.profile_of(self._config)
        metrics = self._metrics = self._measured(storage)
        inbox = Inbox(
            storage,
            self._clock,
            metrics,
            partial(self.wake, "worker"),
            self._config.limits.megabytes * 1_000_000,
            profile.servers,
            self._config.reached(),
        )
        mailboxes = [self._mailbox(section, inbox) for section in self._config.imap]
        senders: list[LetterSender] = []
        connections = Connections(self._clock, mailboxes, senders)
        judge = factory.house_judges(self._config, storage, self._clock, connections)
        listener = storage.listener(self._heard)

        def poll() -> float:
            hears = listener is not None and listener.connected
            rests = time.monotonic() - self._woken > BUSY
            return HEARING_POLL if hears or rests else POLL

        apart = None
        if self._make is not None:
            apart = WorkProcess(self._config, server, shared, lambda: storage.alone)
            self._open.callback(apart.close)
        waker = Waker(self._clock, partial(self.wake, "worker"))
        worker = Worker(
            storage,
            judge,
            self._clock,
            waker.set,
            apart=apart,
            metrics=metrics,
            poll=poll,
            wrote=partial(self.wake, "sender"),
            listen=connections.look,
        )
        self._add_loop("worker", worker.step)
        draw = Apart(lambda: server.fork(DRAW).pipe, alike=alike)
        senders += self._senders(storage, judge, poll, draw)
        for sender in senders:
            self._add_loop("sender", sender.step)

        def lacks() -> tuple[datetime, str] | None:
            each = (worker.lacks, inbox.lacks, *(loop.lacks for loop in self._loops))
            return next(filter(None, each), None)

        watch = self._watch(storage, profile, connections, lacks)
        self._add_loop("watch", watch)
        if (keep := factory.backups(self._config, storage)) is not None:
            self._add_loop("backups", keep)
        if (site := factory.pages(self._config, storage, self._clock)) is not None:
            self._add_loop("pages", site)
        if (page := factory.keepers_page(self._config, storage, self._clock)) is not None:
            self._add_loop("keeper's page", page)
        self._open.callback(waker.stop)
        self._open.callback(self._stop_loops)
        for each in self._loops:
            each.start()
        if listener is not None:
            listener.start()
            self._open.callback(listener.stop)
        self._open_receivers(inbox, mailboxes)
        facts = {"smtp_port": self.smtp_port, "version": __version__}
        log.info("judge started", extra=facts)

    def _fork_server(self) -> ForkServer:
        """Return what forks the processes in which pictures are drawn, and the one in which
        messages are processed, where that is not this one."""
        # Nobody can know the name, and where nothing is drawn there is no folder.
        folder = f"{tempfile.gettempdir()}/judge-shelf-{secrets.token_hex(8)}"
        self._open.callback(shutil.rmtree, folder, ignore_errors=True)
        services = {DRAW: drawing(self._config.judge.variants, folder)}
        if self._make is not None:
            services[WORK] = working(self._config, self._make)
        server = ForkServer(services)
        self._open.callback(server.close)
        return server

    def _open_storage(self, shared: Shared) -> Storage:
        """Open the database as one that works on it."""
        url = self._config.database.url
        try:
            self._open.enter_context(occupied(url))
            storage = Storage.open(url, shared)
        except (StorageError, Unavailable) as error:
            raise StartError(f"the database cannot be opened: {error}") from error
        self._open.callback(storage.close)
        if problems := list(factory.unfit(self._config, storage, self._clock.now())):
            raise StartError("\n  ".join(["the configuration does not fit:", *problems]))
        self._open.callback(self._note_stop, storage)
        return storage

    def _note_stop(self, storage: Storage) -> None:
        """Note that the judge stops, for anyone who asks how it is."""
        with suppress(Unavailable), storage.transaction():
            storage.heartbeat.stop(self._clock.now())

    def _add_loop(self, name: str, step: Callable[[Loop], float]) -> None:
        count = partial(self._metrics.count, "failure")
        self._loops.append(Loop(name, step, count, self._clock.now))

    def _mailbox(self, section: ImapSection, inbox: Inbox) -> ImapReceiver:
        """Watch a mailbox."""
        settings = factory.imap_settings(
            section, self._config.smtp.max_size, self._config.retention.days
        )
        return ImapReceiver(
            settings, partial(inbox.accept, door="imap"), self._clock.now,
            looked=partial(self.wake, "worker"),
        )  # fmt: skip

    def _senders(
        self, storage: Storage, judge: Judge, poll: Callable[[], float], draw: Apart
    ) -> list[LetterSender]:
        """Build a sender for each connection that letters go out by at a time."""
        self._open.callback(draw.close)
        transports = [
            Finishing(factory.signing(self._config, each), partial(draw_pictures, draw=draw))
            for each in self._transports()
        ]
        for transport in transports:
            self._open.callback(transport.close)
        refusals = Refusals()
        return [
            LetterSender(
                storage,
                transport,
                self._clock,
                judge.message_failed,
                metrics=self._metrics,
                poll=poll,
                at_once=ALONE if len(transports) == 1 else BESIDE_OTHERS,
                opened=partial(self.wake, "worker"),
                foresee=transport.foresee,
                refusals=refusals,
            )
            for transport in transports
        ]

    def _watch(
        self,
        storage: Storage,
        profile: JudgeProfile,
        connections: Connections,
        lacks: Callable[[], tuple[datetime, str] | None],
    ) -> Callable[[Loop], float]:
        """Build what tells the keeper of troubles, and throws away what is older than is kept."""
        watch = Watch(
            storage,
            profile,
            self._clock,
            machine=machine_of(self._config, self._clock.now()),
            mailboxes=connections.problems,
            disconnected=lambda: connections.disconnected,
            lacks=lacks,
            cry=to_syslog,
        )
        kept = self._config.retention
        letters = min((days for days in (kept.days, kept.letters) if days), default=0)

        def step(_: Loop) -> float:
            watch.look()
            now, gone = self._clock.now(), 0
            if kept.days:
                gone += storage.erasure.mails(now - timedelta(days=kept.days))
            if letters:
                gone += storage.erasure.letters(now - timedelta(days=letters), packed)
            # After a phase it is half of what this process has to itself.
            give_back()
            return 0 if gone else WATCH

        return step

    def _transports(self) -> Sequence[Transport]:
        """Build one for each letter that is sent at a time."""
        if self._transport is not None:
            return [self._transport]
        relay = self._config.outgoing.relay
        return [
            factory.transport_of(self._config) for _ in range(relay.connections if relay else 1)
        ]

    def _measured(self, storage: Storage) -> Metrics:
        """Build the counters, served by HTTP where that is configured. Raises StartError."""
        section = self._config.metrics
        if not section.enabled:
            return Metrics()
        try:
            from judge.ops.prometheus import PrometheusMetrics
        except ModuleNotFoundError as error:
            raise StartError(
                "[metrics] needs the package prometheus-client; install the extra `metrics`"
                " (pip install 'pbem-judge[metrics]'), or set enabled = false"
            ) from error
        metrics = PrometheusMetrics()
        metrics.watch(lambda: status(storage, self._clock))
        try:
            served = metrics.served(section.host, section.port)
            self.metrics_port = self._open.enter_context(served)
        except OSError as error:
            where = f"{section.host} port {section.port}"
            raise StartError(f"metrics cannot be served on {where}: {error}") from error
        return metrics

    def _open_receivers(self, inbox: Inbox, mailboxes: Sequence[ImapReceiver]) -> None:
        reached = self._config.reached().values()
        smtp = self._config.smtp
        if smtp.enabled:
            receiver = SmtpReceiver(
                smtp.host,
                smtp.port,
                partial(inbox.accept, door="smtp"),
                addresses=[address for own, _ in reached for address in own],
                patterns=[pattern for _, pattern in reached],
                hostname=self._config.judge.domain,
                max_size=smtp.max_size,
                per_minute=smtp.per_minute,
                lmtp=smtp.lmtp,
                tls=factory.certificate(self._config),
            )
            try:
                receiver.start()
            except OSError as error:
                where = f"{smtp.host} port {smtp.port}"
                raise StartError(f"the SMTP receiver cannot listen on {where}: {error}") from error
            self._open.callback(receiver.stop)
            self._receivers.append(receiver)
            self.smtp_port = receiver.port
        for mailbox in mailboxes:
            mailbox.start()
            self._open.callback(mailbox.stop)
            self._receivers.append(mailbox)

    def _stop_loops(self) -> None:
        for loop in self._loops:
            loop.stop()
        for loop in self._loops:
            if not loop.join(PATIENCE):
                log.error("thread does not end", extra={"loop": loop.name})

    def stop(self) -> None:
        """Close the receivers, let every thread finish its step, close the database."""
        self._open.close()
        log.info("judge stopped")

    def wake(self, name: str | None = None) -> None:
        """Let the threads of a name, or all, look at once: there may be something to do for them,
        or the time is another one."""
        self._woken = time.monotonic()
        for loop in self._loops:
            if name in (None, loop.name):
                loop.wake()

    def _heard(self, what: str) -> None:
        """Hear that another judge on the same database has a mail or a letter."""
        self.wake("worker" if what == "mail" else "sender")

    def healthy(self) -> bool:
        """Return whether every thread is there."""
        return all(each.alive for each in (*self._loops, *self._receivers))

    def run(self, check: Callable[[], object] = lambda: None) -> int:
        """Start, serve until SIGTERM or SIGINT, stop; the exit status. Raises StartError.

        A thread that dies ends the daemon with status 1, so that its supervisor starts a new
        one. SIGHUP ends it with `AGAIN`: anyone who runs it starts it anew, with what the
        configuration says then; where `check` raises an exception it goes on as it was.
        """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._on_signal)
        self.start()
        again = False
        # Not before the start: what is forked there would tell, too.
        pause = self._open.enter_context(_until_a_signal())
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
        try:
            notify("READY=1")
            watchdog = Watchdog()
            while not (self._signals or again):
                if not self.healthy():
                    log.critical("a thread has died")
                    return 1
                if self._hangups:
                    self._hangups = 0
                    again = _passes(check)
                    continue
                watchdog.feed(max(loop.idle for loop in self._loops))
                pause()
        finally:
            notify(
                f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}"
                if again
                else "STOPPING=1"
            )
            self.stop()
        # A signal to end it while it stops to start anew asks for no other one.
        return AGAIN if again and not self._signals else 0

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if number == signal.SIGHUP:
            self._hangups += 1
        else:
            self._signals += 1
