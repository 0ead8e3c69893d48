"""A real judge on this machine: its own process, folder, database and ports."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

HOST = "127.0.0.1"
ADDRESS = "judge@demo.example"

SERVER = "mx.demo.example"
"""The mail server in front of it, by the name under which it says who vouches for a message."""

PATIENCE = 30.0
"""Seconds a daemon gets to start or to stop."""

CONFIG = """\
# Written by `judge demo`. To play on by hand: judge run --config {path}
[judge]
name = "The Judge"
address = "{address}"

[database]
url = "sqlite:judge.db"

{doors}
{trust}
[outgoing]
maildir = "mail"
pictures = {pictures}

[clock]
speed = {speed}
start = {start}
"""


def vouched(message: bytes, sender: str) -> bytes:
    """Return a message as that server hands it on, which has found that its domain vouches for
    it."""
    domain = sender.rpartition("@")[2]
    field = f"Authentication-Results: {SERVER}; dmarc=pass header.from={domain}"
    return field.encode() + (b"\r\n" if b"\r\n" in message else b"\n") + message


class ServerFailed(Exception):
    """The daemon did not start or did not stay; the message says where its log is."""


class Server:
    """A daemon in a folder; it may be killed and started again at will."""

    def __init__(
        self,
        folder: Path,
        speed: float,
        doors: str | None = None,
        *,
        pictures: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        """Write a configuration into `folder`. Its clock runs `speed` times as fast from now on;
        `pictures`, which take time to draw, are for people who look. A daemon gets `patience`
        seconds to start or to stop.

        `doors` are the sections that say how mail comes in; by default an SMTP server on a free
        port of this machine.
        """
        self.folder = folder
        self._patience = patience
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            self.port: int = probe.getsockname()[1]
        self.config = folder / "judge.toml"
        self.log = folder / "judge.log"
        self.mail = folder / "mail"
        self.database = f"sqlite:{folder / 'judge.db'}"
        self.command = [sys.executable, "-m", "judge", "run", "--config", str(self.config)]
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        self.config.write_text(
            CONFIG.format(
                path=self.config,
                address=ADDRESS,
                doors=doors or f'[smtp]\nhost = "{HOST}"\nport = {self.port}\n',
                trust="" if "[trust]" in (doors or "") else f'[trust]\nauthserv_id = "{SERVER}"\n',
                speed=speed,
                pictures=str(pictures).lower(),
                start=datetime.now(UTC).isoformat(timespec="seconds"),
            )
        )

    def start(self) -> None:
        """Start the daemon and wait until it takes mail. Raises ServerFailed."""
        with self.log.open("ab") as log:
            told = log.tell()
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        limit = time.monotonic() + self._patience
        while b'"judge started"' not in self.log.read_bytes()[told:]:
            if self._process.poll() is not None:
                raise ServerFailed(f"the daemon ended at its start; see {self.log}")
            if time.monotonic() > limit:
                self.kill()
                raise ServerFailed(f"the daemon does not start; see {self.log}")
            time.sleep(0.05)

    @property
    def pid(self) -> int:
        """The number of the process; it has been started."""
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """End the daemon in the middle of whatever it does (SIGKILL)."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> int | None:
        """End the daemon gently; its exit status, None if it was not running."""
        if self._process is None or self._process.poll() is not None:
            return None
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(self._patience)
        except subprocess.TimeoutExpired:
            self.kill()
            raise ServerFailed(f"the daemon did not stop; see {self.log}") from None
