"""A thread that takes one step after another, whatever happens in them; what systemd is told."""

from __future__ import annotations

import logging
import math
import os
import socket
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

from judge.storage import Unavailable, is_of_machine

log = logging.getLogger(__name__)

POLL = 1.0
"""Seconds between looks for what no wake-up announced: `judge mail`, another judge's work."""


class Stopping(Exception):
    """A long step is to end where it is: the next one does what it leaves."""


class Loop:
    """A thread that takes one step after another until it is stopped.

    A step that fails is logged and taken again after a pause; `progress` tells how long ago
    something last went well.
    """

    def __init__(
        self,
        name: str,
        step: Callable[[Loop], float],
        failed: Callable[[str], None] = lambda name: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`step` returns the seconds until the next one is due; `wake` cuts them short. `failed` is
        called with the name after a step that failed."""
        self.lacks: tuple[datetime, str] | None = None
        """Since when the machine has lacked what its steps need, and what it was last; None where
        it does not."""
        self._now = now
        self.name = name
        self._step = step
        self._failed = failed
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
        """Seconds since something last went well, or since the next step was due."""
        return max(0.0, time.monotonic() - self._progressed)

    def progress(self) -> None:
        """Note that something went well."""
        self._progressed = time.monotonic()

    def go_on(self) -> None:
        """Note that a long step gets on. Raises Stopping where it should come to its end."""
        self.progress()
        if self._stop:
            raise Stopping

    def _run(self) -> None:
        failures = 0
        while True:
            # Cleared before the look, so that what comes during the step is not missed.
            self._wake.clear()
            if self._stop:
                return
            try:
                pause = self._step(self)
                failures, self.lacks = 0, None
                # A thread that rests until its next step is due is not late before that.
                self._progressed = time.monotonic() + pause
            except Exception as error:
                failures += 1
                self._failed(self.name)
                pause = min(2.0**failures, 30.0)
                facts = {"loop": self.name, "again_in": pause}
                if is_of_machine(error):
                    self.lacks = (self.lacks[0] if self.lacks else self._now()), str(error)
                if isinstance(error, Unavailable):
                    log.error("database out of reach: %s", error, extra=facts)
                else:
                    log.exception("step failed", extra=facts)
            if pause:
                self._wake.wait(pause)


class Watchdog:
    """Tells systemd that the judge lives, as long as its threads get on (sd_notify(3))."""

    def __init__(self) -> None:
        """Read from the environment how often systemd wants to hear."""
        self._limit = int(os.environ.get("WATCHDOG_USEC", "0")) / 1_000_000
        self._fed = -math.inf

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


def to_syslog(line: str, place: str = "/dev/log") -> None:
    """Send a line to this machine's log (RFC 3164), as of a daemon, critical; where there is none,
    nothing happens: it stands in the judge's own log as well."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.setblocking(False)
            channel.sendto(f"<26>judge: {line}".encode(), place)
    except OSError as error:
        log.debug("no syslog: %s", error)
