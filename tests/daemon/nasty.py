"""A judge that does what mails of the tests say: `python -m tests.daemon.nasty FILE` runs it."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path

from judge.config import Config, load
from judge.daemon import Daemon
from judge.daemon.factory import judge_of
from judge.service import Judge
from judge.storage import InboundMessage


def nasty(config: Config, writing: AbstractContextManager[object]) -> Judge:
    """A judge that does what a mail of these tests says, in its process, and notes each beginning
    in the file `tries` beside its database."""
    judge, folder = judge_of(config, writing), Path(config.database.url.partition(":")[2]).parent
    work = judge._work

    def obey(mail: InboundMessage, verified: bool, first: bool = False) -> None:
        what = re.search(rb"do: (\w+)", mail.raw)
        with (folder / "tries").open("a") as tries:
            tries.write(f"{mail.id} {os.getpid()}\n")
        if what is not None:
            _do(what[1].decode(), folder)
        work(mail, verified, first)

    judge._work = obey  # type: ignore[method-assign]
    return judge


def _do(what: str, folder: Path) -> None:
    if what == "burn":
        while True:
            pass
    if what == "hog":
        hoard = []
        while True:
            hoard.append(bytearray(10_000_000))
    if what == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    while what == "wait" and not (folder / "go").exists():
        time.sleep(0.05)


if __name__ == "__main__":
    from tests.daemon.nasty import nasty as make

    Daemon(load(Path(sys.argv[1])), make=make).run()
