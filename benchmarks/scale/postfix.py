"""Postfix's pair of programs that send and take mail as fast as a machine can: the ceiling."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.scale.places import HOST, Child
from tests.mail.postfix import free_port

MISSING = "Postfix's smtp-source and smtp-sink are not installed (Debian: postfix)"


def program(name: str) -> str | None:
    """Where one of them is; Debian keeps them from the paths of ordinary users."""
    beside = Path("/usr/sbin", name)
    return shutil.which(name) or (str(beside) if beside.exists() else None)


def installed() -> bool:
    """Whether both are there."""
    return bool(program("smtp-source") and program("smtp-sink"))


def send(port: int, count: int, size: int, sessions: int, to: str, *, keep: bool = False) -> float:
    """Seconds in which `smtp-source` has `count` mails of `size` bytes taken, over so many
    connections at once; with `keep`, each is used for all its mails."""
    found = program("smtp-source")
    assert found is not None, MISSING
    numbers = {"-s": sessions, "-l": size, "-m": count}
    options = [text for name, number in numbers.items() for text in (name, str(number))]
    options += ["-f", "somebody@players.example", "-t", to, *(["-d"] if keep else [])]
    begun = time.perf_counter()
    subprocess.run([found, *options, f"{HOST}:{port}"], check=True)
    return time.perf_counter() - begun


@contextmanager
def sink() -> Iterator[int]:
    """The port of something that takes mail and keeps none: `smtp-sink`, or a sink in Python."""
    found = program("smtp-sink")
    if found is None:
        with Child("sink") as child:
            yield child.ready["port"]
        return
    port = free_port()
    # It will not serve as root.
    become = ["-u", "nobody"] if os.getuid() == 0 else []
    process = subprocess.Popen([found, *become, f"{HOST}:{port}", "100"])
    try:
        _wait(port)
        yield port
    finally:
        process.kill()
        process.wait()


def _wait(port: int) -> None:
    limit = time.monotonic() + 10
    while True:
        try:
            with socket.create_connection((HOST, port)):
                return
        except OSError:
            if time.monotonic() > limit:
                raise
            time.sleep(0.05)
