"""A world around a judge that may be killed at any moment: who writes to it, who takes its letters,
and who starts it again."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import pickle
import select
import signal
import smtplib
import socket
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from multiprocessing import parent_process
from multiprocessing.connection import Client, Listener
from pathlib import Path
from typing import Any

from judge import config
from judge.daemon import Daemon
from judge.daemon.factory import judge_of
from judge.mail.drawer import serve
from judge.mail.pictures import Apart
from judge.maps.notes import picture_of
from judge.service import Judge
from judge.storage import models
from judge.storage.columns import InstantField
from tests.clocks import ManualClock
from tests.faults.keeping import File, Keeping, Served
from tests.faults.points import Kill, Points, same_chance
from tests.faults.story import ADDRESS, Step
from tests.game.play import Play, answer_first_letters
from tests.storage.postgres import Cluster

PATIENCE = 600.0
"""Seconds for what takes a moment, so that nothing hangs on how busy a machine is."""

ALIVE = timedelta(seconds=30)
"""How long before the clock goes on the judge was last seen: a short death is no outage."""

State = dict[str, list[Any]]
Letters = Counter[tuple[str, str]]


@dataclass(frozen=True)
class Outcome:
    """How a step came out: the database, the letters that were delivered, the operations counted,
    by kind, and whether the judge was killed on the way."""

    state: State
    letters: Letters
    points: tuple[str, ...]
    work: tuple[str, ...]
    """Those of the process in which it works, where that is another."""
    killed: bool


@cache
def _warm() -> None:
    """Play a little, so that processes made from this one need not read boards and templates."""
    answer_first_letters()
    with tempfile.TemporaryDirectory() as folder:
        play = Play(Path(folder))
        play.start()
        play.send("ann", "A vie - tri")
        play.send("cleo", "PRESS TO England\nHi\nENDPRESS")
        play.send("max", "PROCESS S1901M")
        play.run()
        play.storage.close()
    gc.collect()
    gc.freeze()


class World:
    """Lets a judge live through one step after another, in processes of its own.

    `way` is relay, with a mail server that takes the letters, or maildir, both with SQLite; or
    postgresql, a database on `server`, and a mail server that takes the letters. `apart` is relay,
    and `apart-postgresql` that, with a process of its own for the work.
    """

    def __init__(self, folder: Path, way: str = "relay", server: Cluster | None = None) -> None:
        _warm()
        self.folder = folder
        self.way = way
        self.spool = folder / "spool"
        self.spool.mkdir(parents=True)
        self.now = ManualClock().now()
        self.apart = way.startswith("apart")
        if "postgresql" in way:
            assert server is not None
            self.keeping: Keeping = Served(server)
        else:
            self.keeping = File(folder)
        self._sink_port, self._sink = (0, 0) if way == "maildir" else _sink(self.spool)
        self._artist_port, self._artist = _artist()
        relay = f"[outgoing.relay]\nhost = 'localhost'\nport = {self._sink_port}\n"
        self.file = folder / "judge.toml"
        self.file.write_text(
            f"[judge]\naddress = '{ADDRESS}'\n[database]\nurl = '{self.keeping.url}'\n"
            "[smtp]\nport = 0\n[outgoing]\nmaildir = 'home/mail'\n"
            + ("" if way == "maildir" else relay + "security = 'none'\n")
        )

    def close(self) -> None:
        """End what takes the letters, and throw away the database."""
        for beside in filter(None, (self._sink, self._artist)):
            os.kill(beside, signal.SIGKILL)
            os.waitpid(beside, 0)
        self.keeping.close()

    def next_moment(self) -> datetime:
        """What the judge's clock waits for next."""
        with self.keeping.connected() as database:
            row = database.execute("SELECT min(wake_at) FROM game WHERE wake_at > 0").fetchone()
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=row[0])

    def live(self, step: Step, number: int, kill: Kill | None = None) -> Outcome:
        """Let a step happen. The judge, or its process for the work, is killed and started again;
        anybody who writes tries until the mail was taken."""
        for old in self.spool.iterdir():
            old.unlink()
        before = set(self._mailed())
        target = self.now
        if not step.sender:
            target = self.next_moment()
            self.now = target - min(ALIVE, target - self.now)
            self._seen_alive(self.now)
        taken = not step.sender
        points: list[str] = []
        work: list[str] = []
        killed = False
        while True:
            told = self.folder / "points"
            for each in (told, told.with_name("work"), told.with_name("killed")):
                each.unlink(missing_ok=True)
            self.keeping.at_rest()
            orders = Orders(told, None if killed else kill, self.apart, self._artist_port)
            life = _Life(self.keeping, self.file, self.now, orders)
            if life.port and not taken:
                taken = _handed_in(life.port, step.mail(number), step.sender)
            if life.port and self.now != target and life.say(f"clock {target.isoformat()}"):
                self.now = target
            life.say("settle")
            status = life.wait()
            if told.exists():
                points += told.read_text().splitlines()
            if told.with_name("work").exists():
                work += told.with_name("work").read_text().splitlines()
            killed = killed or told.with_name("killed").exists()
            if status == 0 and taken and self.now == target:
                break
            alone = kill is not None and kill.alone
            if status != 0 and ((killed and alone) or status != -signal.SIGKILL):
                raise RuntimeError(f"the judge failed ({status}): {life.errors()}")
            killed = killed or status != 0
        letters = self._relayed() if self._sink else self._mailed() - Counter(before)
        return Outcome(self.state(), letters, tuple(points), tuple(work), killed)

    def state(self) -> State:
        """All that stands in the database, save what says how often something was tried, and when
        the judge was last seen; and ids of orders, which begin anew where a judge that died left
        none on file."""
        found: State = {}
        with self.keeping.connected() as database:
            for model in models.ALL:
                table = model._meta.table_name
                if table == "pulse":
                    continue
                names = [field.column_name for field in model._meta.sorted_fields]
                left_out = ("attempts", "id") if table == "orders" else ("attempts",)
                kept = ", ".join(f'"{name}"' for name in names if name not in left_out)
                rows = database.execute(f'SELECT {kept} FROM "{table}" ORDER BY id').fetchall()
                found[table] = rows
        return found

    def _seen_alive(self, now: datetime) -> None:
        with self.keeping.connected() as database:
            database.execute(f"UPDATE pulse SET at = {InstantField().db_value(now)}")

    def _relayed(self) -> Letters:
        """What the mail server has taken: each letter by whom it is for and a digest."""
        return Counter(
            (path.read_text().split("\n", 1)[0], hashlib.sha256(path.read_bytes()).hexdigest())
            for path in self.spool.glob("*.eml")
        )

    def _mailed(self) -> Letters:
        mail = self.folder / "home" / "mail"
        return Counter(
            (path.parent.parent.name, hashlib.sha256(path.read_bytes()).hexdigest())
            for path in mail.glob("*/new/*")
        )


@dataclass(frozen=True)
class Orders:
    """What a life of the judge is to do: whom to kill when, and whether to work in a process of its
    own. `told` is the file in which its operations are told, `artist` the port of what draws."""

    told: Path
    kill: Kill | None
    apart: bool
    artist: int


class _Life:
    """One process of the judge, from its start to its end."""

    def __init__(self, keeping: Keeping, file: Path, now: datetime, orders: Orders) -> None:
        self._log = orders.told.with_name("log")
        hear, self._say = os.pipe()
        self._hear, say = os.pipe()
        sys.stdout.flush()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._say)
            os.close(self._hear)
            _be_the_judge(keeping, file, now, orders, hear, say, self._log)
        os.close(hear)
        os.close(say)
        said = self._read()
        self.port = int(said) if said else None

    def _read(self) -> str:
        ready, _, _ = select.select([self._hear], [], [], PATIENCE)
        return os.read(self._hear, 100).decode() if ready else ""

    def say(self, word: str) -> bool:
        """Tell the judge's process something, and wait until it has heard."""
        try:
            os.write(self._say, word.encode() + b"\n")
        except BrokenPipeError:
            return False
        return bool(self._read())

    def wait(self) -> int:
        """How it ended: 0, or minus the signal."""
        os.close(self._say)
        os.close(self._hear)
        _, status = os.waitpid(self._pid, 0)
        return os.waitstatus_to_exitcode(status)

    def errors(self) -> str:
        return self._log.read_text()[-3000:] if self._log.exists() else ""


def _be_the_judge(
    keeping: Keeping,
    file: Path,
    now: datetime,
    orders: Orders,
    hear: int,
    say: int,
    log: Path,
) -> None:
    """Live as the daemon until nothing is left to do; never returns."""
    status = 1
    try:
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        same_chance()
        kill = orders.kill
        _note(file, now)
        orders.told.with_name("orders").write_bytes(pickle.dumps(orders))
        Points(None if kill is None or kill.work else kill.at, orders.told).install()
        clock = ManualClock(now)
        artist = _apart(orders.artist)
        vars(sys.modules[Daemon.__module__])["Apart"] = lambda _, **__: artist
        daemon = Daemon(config.load(file), clock=clock)
        if orders.apart:
            daemon._make = working
        daemon.start()
        os.write(say, str(daemon.smtp_port).encode())
        words = os.fdopen(hear)
        for line in words:
            word, _, rest = line.strip().partition(" ")
            if word == "clock":
                clock.set(datetime.fromisoformat(rest))
                _note(file, clock.now())
                daemon.wake()
                os.write(say, b"ok")
            elif word == "settle":
                _settle(keeping, clock)
                daemon.stop()
                os.write(say, b"ok")
                break
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def _note(file: Path, now: datetime) -> None:
    """Tell the process for the work what time it is."""
    new = file.with_name("clock.new")
    new.write_text(now.isoformat())
    new.rename(file.with_name("clock"))


class _Told(ManualClock):
    """A clock that another process sets."""

    folder = Path()

    def now(self) -> datetime:
        return datetime.fromisoformat((self.folder / "clock").read_text())


def working(settings: config.Config, writing: AbstractContextManager[object]) -> Judge:
    """The judge in the process for the work, which is killed as it was ordered."""
    _Told.folder = folder = settings.outgoing.maildir.parent.parent
    orders: Orders = pickle.loads((folder / "orders").read_bytes())
    kill, killed = orders.kill, folder / "killed"
    at = kill.at if kill is not None and kill.work and not killed.exists() else None

    daemon = parent_process()
    assert daemon is not None

    def end() -> None:
        killed.touch()
        if kill is not None and not kill.alone:
            assert daemon.pid is not None
            os.kill(daemon.pid, signal.SIGKILL)

    same_chance()
    points = Points(at, folder / "work", end)
    points.install()
    judge = judge_of(settings, writing)
    judge.clock = _Told()
    run = judge.run_game

    def run_game(*about: Any) -> bool:
        points.doing = "game "
        try:
            return run(*about)
        finally:
            points.doing = ""

    judge.run_game = run_game  # type: ignore[assignment, method-assign]
    return judge


_BUSY = """
    SELECT EXISTS (SELECT 1 FROM mail WHERE state = 'new')
        OR EXISTS (SELECT 1 FROM game WHERE wake_at <= {now})
        OR EXISTS (SELECT 1 FROM letter WHERE state = 'queued')
"""


def _settle(keeping: Keeping, clock: ManualClock) -> None:
    """Wait until nothing is left to do."""
    busy = _BUSY.format(now=InstantField().db_value(clock.now()))
    end = time.monotonic() + PATIENCE
    with keeping.connected() as database:
        while database.execute(busy).fetchone()[0]:
            if time.monotonic() > end:
                raise RuntimeError("it does not come to rest")
            time.sleep(0.01)


def _handed_in(port: int, raw: bytes, sender: str) -> bool:
    """Whether the judge took responsibility for a mail."""
    try:
        with smtplib.SMTP("127.0.0.1", port, "players.example", timeout=PATIENCE) as server:
            server.sendmail(f"{sender}@players.example", [ADDRESS], raw)
            return True
    except (smtplib.SMTPServerDisconnected, ConnectionError):
        return False


def _apart(port: int) -> Apart:
    """The drawing process of a judge, which outlives it: to start one takes longer than a life."""
    # A picture that is not there within a minute would be left out.
    return Apart(lambda: Client(("127.0.0.1", port)), PATIENCE)


def _artist() -> tuple[int, int]:
    """What draws for one judge after another and remembers what it drew: its port, its process."""
    listener = Listener(("127.0.0.1", 0))
    port: int = listener.address[1]
    pid = os.fork()
    if pid == 0:
        draw = cache(picture_of)
        while True:
            serve(listener.accept(), draw, PATIENCE)
    listener.close()
    return port, pid


def _sink(spool: Path) -> tuple[int, int]:
    """A mail server that takes everything, in a process of its own: its port and its process."""
    listener = socket.create_server(("127.0.0.1", 0))
    port: int = listener.getsockname()[1]
    pid = os.fork()
    if pid == 0:
        try:
            _take_letters(listener, spool)
        finally:
            os._exit(1)
    listener.close()
    return port, pid


def _take_letters(listener: socket.socket, spool: Path) -> None:
    import asyncio

    from aiosmtpd.smtp import SMTP, Envelope, Session

    class Keep:
        count = 0

        async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
            self.count += 1
            head = f"{envelope.mail_from} {envelope.rcpt_tos}\n".encode()
            passing = spool / f"{self.count}.tmp"
            passing.write_bytes(head + (envelope.original_content or b""))
            passing.rename(spool / f"{self.count}.eml")
            return "250 OK"

    async def serve() -> None:
        handler = Keep()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            lambda: SMTP(handler, enable_SMTPUTF8=True), sock=listener
        )
        await server.serve_forever()

    asyncio.run(serve())


@contextlib.contextmanager
def world(folder: Path, way: str = "relay", server: Cluster | None = None) -> Iterator[World]:
    """A world that is taken away in the end."""
    made = World(folder, way, server)
    try:
        yield made
    finally:
        made.close()
