"""A disk that is full, a database that goes away, a mail server that lies, a clock that jumps: in
the end all is as if nothing had been."""

from __future__ import annotations

import contextlib
import smtplib
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from judge import config
from judge.daemon import Daemon
from judge.mail.transport import RelayServer
from judge.storage import InboundState, OutboundMessage, OutboundState, Storage
from tests.clocks import ManualClock
from tests.faults.disks import full, small_disk
from tests.faults.post import Post
from tests.faults.story import ADDRESS, Step, story
from tests.mail.cutting import Cutting
from tests.mail.dovecot import PASSWORD, USER, dovecot, mailbox
from tests.mail.waiting import until
from tests.storage.postgres import cluster

STEPS = story()[:9]


class JudgeProfile:
    """A judge in this process, and senders that keep what it does not take."""

    def __init__(
        self, folder: Path, port: int, url: str | None = None, doors: str = "[smtp]\nport = 0\n"
    ) -> None:
        file = folder / "judge.toml"
        url = url or f"sqlite:{folder}/judge.db"
        file.write_text(f"[judge]\naddress = '{ADDRESS}'\n[database]\nurl = '{url}'\n{doors}")
        self.clock = ManualClock()
        self.relay = RelayServer("127.0.0.1", port, timeout=5)
        self.daemon = Daemon(config.load(file), clock=self.clock, transport=self.relay)
        self.daemon.start()
        self.storage = Storage.open(url)
        self.refused = 0

    def send(self, number: int) -> bool:
        """Whether the judge took the mail of a step."""
        step = STEPS[number]
        return self.hand_in(f"{step.sender}@players.example", step.mail(number))

    def hand_in(self, sender: str, raw: bytes) -> bool:
        """Whether the judge took a mail; none is refused for good."""
        assert self.daemon.smtp_port is not None
        with smtplib.SMTP("127.0.0.1", self.daemon.smtp_port, timeout=60) as server:
            try:
                server.sendmail(sender, [ADDRESS], raw)
            except smtplib.SMTPDataError as error:
                if error.smtp_code >= 500:
                    raise
                self.refused += 1
                return False
        return True

    def deliver(self, number: int) -> None:
        until(lambda: self.send(number), 60)

    def settle(self) -> None:
        """Wait for all to be done, and let time go on for letters that are to be tried again."""
        end = time.monotonic() + 90
        while time.monotonic() < end:
            busy = self.storage.inbound.count(InboundState.NEW) or self.storage.games.due(
                self.clock.now()
            )
            if not busy and not self.storage.outbound.count(OutboundState.QUEUED):
                return
            if not busy:
                due = self.storage.outbound.next_due()
                if due is not None and due > self.clock.now():
                    self.clock.set(due)
            self.daemon.wake()
            time.sleep(0.05)
        raise AssertionError("it does not come to rest")

    def close(self) -> None:
        self.storage.close()
        self.daemon.stop()


@pytest.fixture
def post() -> Iterator[Post]:
    made = Post()
    yield made
    made.close()


def play(house: JudgeProfile) -> None:
    for number in range(len(STEPS)):
        house.deliver(number)
        house.settle()


def check(house: JudgeProfile, post: Post, duplicates: int = 0) -> None:
    """The game has started once, everybody has every letter, and none is there twice that was not
    taken twice by the post itself, under one Message-ID."""
    game = house.storage.games.by_name("paris")
    assert game is not None
    assert game.phase == "S1901M"
    filed = house.storage.orders(game.id).of_phase("S1901M")
    assert [order.text for order in filed["Austria"]] == STEPS[8].text.splitlines()
    assert house.storage.inbound.held() == []
    queued = [each for each in map(house.storage.outbound.find, range(1, 100)) if each]
    assert {(each.recipient, each.message_id) for each in queued} == set(post.kept)
    assert sum(Counter(post.kept).values()) == len(queued) + duplicates
    assert {each.state for each in queued} == {"sent"}


@contextlib.contextmanager
def house_at(folder: Path, post: Post, *how: str) -> Iterator[JudgeProfile]:
    made = JudgeProfile(folder, post.port, *how)
    try:
        yield made
    finally:
        made.close()


@pytest.mark.parametrize(
    ("ways", "duplicates"),
    [
        (
            [
                *("closed", "garbage", "dropped, closed", "451 try later", "250 OK", "452 full"),
                *("421 going down", "garbled", "not kept, silence", "dropped, closed"),
            ],
            0,
        ),
        (["kept, then closed", "kept, then silence", "250 OK", "kept, then closed"], 3),
    ],
)
def test_a_mail_server_in_trouble_costs_no_letter(
    tmp_path: Path, post: Post, ways: list[str], duplicates: int
) -> None:
    post.ways = list(ways)
    with house_at(tmp_path, post) as house:
        play(house)
        check(house, post, duplicates)
    assert post.ways == []


def test_a_letter_that_is_refused_for_good_costs_no_other(tmp_path: Path, post: Post) -> None:
    post.ways = ["554 no"]
    with house_at(tmp_path, post) as house:
        play(house)
        first = house.storage.outbound.find(1)
        assert first is not None
        assert (first.state, first.error) == ("failed", "554 no")
        assert house.storage.outbound.count(OutboundState.SENT) == len(post.kept)
        game = house.storage.games.by_name("paris")
        assert game is not None
        assert game.phase == "S1901M"


BIG = b"From: Eve <eve@strangers.example>\r\nMessage-ID: <big@x>\r\n\r\n" + b"spam\r\n" * 100_000


@pytest.mark.mount
@pytest.mark.parametrize(
    "engine", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)]
)
def test_a_disk_that_is_full_for_a_while_costs_nothing(
    tmp_path: Path, post: Post, engine: str
) -> None:
    with ExitStack() as stack:
        disk = stack.enter_context(small_disk(4 if engine == "sqlite" else 120))
        url = f"sqlite:{disk}/judge.db"
        if engine == "postgresql":
            url = stack.enter_context(cluster(within=disk)).create("judge")
        house = stack.enter_context(house_at(tmp_path, post, url))
        house.deliver(0)
        house.settle()
        with full(disk):
            assert not house.hand_in("eve@strangers.example", BIG)
            # What there is room for may be taken, and may have to wait.
            for number in range(1, 8):
                house.send(number)
            time.sleep(0.5)
        play(house)
        check(house, post)


@pytest.mark.postgres
def test_a_database_that_goes_away_and_comes_back_costs_nothing(tmp_path: Path, post: Post) -> None:
    with cluster() as server:
        url = server.create("judge")
        with house_at(tmp_path, post, url) as house:
            house.deliver(0)
            house.settle()
            server.stop()
            assert not house.send(1)
            time.sleep(1)
            server.start()
            for number in range(1, 5):
                house.deliver(number)
            # Whatever is in hand just now.
            server.stop()
            server.start()
            until(lambda: _settled(house), 120)
            play(house)
            check(house, post)
            assert house.refused > 0


@pytest.mark.dovecot
def test_a_mailbox_whose_line_breaks_anywhere_costs_nothing(
    tmp_path: Path, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the login, in the middle of a mail, between a commit and putting the mail aside."""
    monkeypatch.setattr("judge.mail.imap_receiver._PAUSES", (0.05,))
    with dovecot() as server, Cutting(server.port, list(range(150, 4000, 350))) as line:
        doors = (
            "[smtp]\nenabled = false\n[[imap]]\nhost = '127.0.0.1'\nsecurity = 'none'\n"
            f"port = {line.port}\nuser = '{USER}'\npassword = '{PASSWORD}'\n"
        )
        url = f"sqlite:{tmp_path}/judge.db"
        with house_at(tmp_path, post, url, doors) as house:
            for number, step in enumerate(STEPS):
                with mailbox(server) as client:
                    client.append("INBOX", step.mail(number))
                until(lambda number=number: house.storage.inbound.find(number + 1), 60)  # type: ignore[misc]
                house.settle()
            with mailbox(server) as client:
                until(lambda: client.folder_status("INBOX", "MESSAGES")[b"MESSAGES"] == 0)
                assert client.folder_status("judge-done", "MESSAGES")[b"MESSAGES"] == len(STEPS)
            check(house, post)
        assert line.cut >= 5


@pytest.mark.dovecot
def test_orders_in_a_mailbox_count_though_nobody_has_looked_or_could(
    tmp_path: Path, post: Post, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mailbox that announces nothing is looked at before a phase runs; one that is out of reach
    is waited for, and everybody has his time back."""
    monkeypatch.setattr("judge.mail.imap_receiver._PAUSES", (0.05,))
    with dovecot(capability="IMAP4rev1 SASL-IR LITERAL+") as server:
        doors = (
            "[smtp]\nport = 0\n[[imap]]\nhost = '127.0.0.1'\nsecurity = 'none'\npoll = 3600\n"
            f"port = {server.port}\nuser = '{USER}'\npassword = '{PASSWORD}'\n"
            # Their first mail came another way.
            "[trust]\nlevel = 'address'\n"
        )
        url = f"sqlite:{tmp_path}/judge.db"
        with house_at(tmp_path, post, url, doors) as house:
            play(house)
            game = house.storage.games.by_name("paris")
            assert game is not None
            assert game.deadline is not None
            orders = [each for each in story()[9:17] if "orders in" in each.name]
            with mailbox(server) as client:
                for number, step in enumerate(orders, 100):
                    client.append("INBOX", step.mail(number))
            house.clock.set(game.deadline + timedelta(seconds=1))
            house.daemon.wake()
            until(lambda: _phase(house) == "F1901M", 120)
            kinds = Counter(each.kind for each in _letters(house))
            assert kinds["late"] == 0
            ran = house.storage.games.by_name("paris")
            assert ran is not None
            assert ran.deadline is not None

            server.stop()
            for hours in (0, 30):
                house.clock.set(ran.deadline + timedelta(hours=hours))
                for _ in range(10):
                    house.daemon.wake()
                    time.sleep(0.1)
            assert Counter(each.kind for each in _letters(house)) == kinds
            server.start()
            until(lambda: Counter(each.kind for each in _letters(house))["outage"] == 8, 120)
            moved = house.storage.games.by_name("paris")
            assert moved is not None
            assert moved.phase == "F1901M"
            assert moved.deadline is not None
            assert moved.deadline - house.clock.now() >= ran.deadline - game.deadline
            assert Counter(each.kind for each in _letters(house))["late"] == 0


@pytest.mark.parametrize("trouble", ["shut", "hang", "451 try later"])
def test_while_nobody_takes_letters_no_deadline_passes(
    tmp_path: Path, post: Post, caplog: pytest.LogCaptureFixture, trouble: str
) -> None:
    with house_at(tmp_path, post) as house:
        play(house)
        game = house.storage.games.by_name("paris")
        assert game is not None
        assert game.deadline is not None
        if trouble == "shut":
            post.shut = True
        else:
            post.always = trouble
        # That one is refused tells nothing of the others.
        people = ("austria", "england", "france") if trouble.startswith("4") else ("austria",)
        house.relay.timeout = 0.5
        house.relay.close()
        for number, person in enumerate(people, 100):
            house.hand_in(f"{person}@players.example", Step("help", person, "HELP").mail(number))
        until(lambda: "letters cannot be sent" in caplog.text)
        for hours in (0, 30):
            house.daemon.wake()
            time.sleep(0.5)
            house.clock.set(game.deadline + timedelta(hours=hours))
        house.daemon.wake()
        time.sleep(1)
        assert house.storage.outbound.count(OutboundState.QUEUED) == len(people)
        post.shut, post.always = False, ""

        def told() -> bool:
            due = house.storage.outbound.next_due()
            if due is not None and due > house.clock.now():
                house.clock.set(due)
            house.daemon.wake()
            return Counter(each.kind for each in _letters(house))["outage"] == 8

        until(told, 120)
        moved = house.storage.games.by_name("paris")
        assert moved is not None
        assert moved.deadline is not None
        assert moved.deadline - house.clock.now() >= timedelta(days=1)
        house.settle()
        check(house, post)


def test_a_judge_that_is_started_anew_tries_its_way_out_before_a_phase_runs(
    tmp_path: Path, post: Post, caplog: pytest.LogCaptureFixture
) -> None:
    with house_at(tmp_path, post) as house:
        play(house)
        game = house.storage.games.by_name("paris")
        assert game is not None
        assert game.deadline is not None
        house.clock.set(game.deadline - timedelta(seconds=30))
        house.daemon.wake()
        until(lambda: house.storage.heartbeat.reached() == house.clock.now())
        # So late that no time has to be given back.
        post.shut = True
        house.hand_in("austria@players.example", Step("help", "austria", "HELP").mail(100))
        until(lambda: "letters cannot be sent" in caplog.text)
        house.daemon.stop()
        house.clock.set(game.deadline + timedelta(seconds=30))
        relay = RelayServer("127.0.0.1", post.port, timeout=5)
        house.daemon = Daemon(
            config.load(tmp_path / "judge.toml"), clock=house.clock, transport=relay
        )
        house.daemon.start()
        time.sleep(2)
        assert Counter(each.kind for each in _letters(house))["late"] == 0
        post.shut = False
        until(lambda: Counter(each.kind for each in _letters(house))["late"] > 0, 120)


def _phase(house: JudgeProfile) -> str | None:
    game = house.storage.games.by_name("paris")
    return game.phase if game is not None else None


def _letters(house: JudgeProfile) -> list[OutboundMessage]:
    return [each for each in map(house.storage.outbound.find, range(1, 200)) if each]


def _settled(house: JudgeProfile) -> bool:
    try:
        house.settle()
    except Exception:
        return False
    return True


@pytest.mark.parametrize("days", [1, -1])
def test_a_clock_that_jumps_and_is_set_right_runs_no_phase_early_and_none_twice(
    tmp_path: Path, post: Post, days: int
) -> None:
    with house_at(tmp_path, post) as house:
        play(house)
        game = house.storage.games.by_name("paris")
        assert game is not None
        assert game.deadline is not None
        promised = game.deadline
        for jump in (timedelta(days=days), timedelta(days=-days)):
            house.clock.set(house.clock.now() + jump)
            house.daemon.wake()
            time.sleep(0.5)
            house.settle()
        assert house.storage.history.of_game(game.id) == []
        house.clock.set(promised - timedelta(minutes=1))
        house.settle()
        assert house.storage.history.of_game(game.id) == []
        now = house.storage.games.by_name("paris")
        assert now is not None
        assert now.deadline is not None
        assert now.deadline >= promised
