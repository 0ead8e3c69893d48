"""What systemd is told (sd_notify(3))."""

from __future__ import annotations

import logging
import math
import os
import socket
import time

log = logging.getLogger(__name__)


class Watchdog:
    """Tells systemd that the judge lives, as long as its threads get on (sd_notify(3))."""

    def __init__(self) -> None:
        """Reads from the environment how often systemd wants to hear."""
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
