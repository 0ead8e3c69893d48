"""The daemon's parts one by one: the worker, the sender, the loop around them, systemd."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest

from judge.daemon import POLL, LetterSender, Loop, Watchdog, Worker, notify
from judge.daemon.sender import Connections, Refusals
from judge.mail.imap_receiver import ImapReceiver
from judge.mail.transport import PermanentFailure, TemporaryFailure, Unreachable
from judge.ops.metrics import Metrics
from judge.service import Judge
from judge.storage import Game, Lacking, OutboundMessage, Storage, Unavailable
from tests.clocks import ManualClock


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    opened = Storage.open(f"sqlite:{tmp_path}/judge.db")
    yield opened
    opened.close()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


def idle_loop() -> Loop:
    """A loop that is not started: what a step may ask of it."""
    return Loop("test", lambda loop: 0.0)


# The worker


class FakeJudge:
    """Notes what it is asked to work; each game is due until it has been run."""

    def __init__(self, storage: Storage, clock: ManualClock) -> None:
        self.storage = storage
        self.clock = clock
        self.log: list[tuple[str, int]] = []
        self.due_games: list[int] = []
        self.broken: dict[int, Exception] = {}
        self.held: list[int] = []
        self.busy: set[int] = set()
        self.players_mails: list[int] = []

    def process_message(self, mail_id: int) -> bool:
        if mail_id in self.broken:
            raise self.broken[mail_id]
        self.log.append(("mail", mail_id))
        with self.storage.transaction():
            self.storage.inbound.done(mail_id, self.clock.now())
        return True

    def hold(self, mail_id: int, problem: str, answer: bool = True) -> None:
        self.held.append(mail_id)
        with self.storage.transaction():
            self.storage.inbound.hold(mail_id, problem, self.clock.now())

    def run_game(self, game_id: int, newest: int | None, by: datetime | None) -> bool:
        if game_id in self.broken:
            raise self.broken[game_id]
        if game_id in self.busy:
            return False
        self.log.append(("game", game_id))
        self.due_games.remove(game_id)
        return True

    def awaited(self, game_id: int, newest: int, by: datetime) -> int | None:
        return self.players_mails.pop(0) if self.players_mails else None

    def keep_heartbeat(self, progress: object) -> None:
        pass

    def tidy(self, wake: datetime | None) -> None:
        pass

    def heard(self) -> datetime | None:
        return self.clock.now()

    def due(self, by: datetime) -> list[int]:
        return list(self.due_games)

    def next_wake(self) -> datetime | None:
        return self.clock.now() if self.due_games else None


@pytest.fixture
def judge(storage: Storage, clock: ManualClock) -> FakeJudge:
    return FakeJudge(storage, clock)


def worker(judge: FakeJudge, alarms: list[datetime | None] | None = None) -> Worker:
    alarm: Callable[[datetime | None], None] = (alarms if alarms is not None else []).append
    return Worker(judge.storage, cast(Judge, judge), judge.clock, alarm)


def accept(judge: FakeJudge, number: int, who: str = "a@x") -> int:
    raw = f"From: {who}\nMessage-ID: <{number}@x>\n\nhelp".encode()
    return judge.storage.inbound.accept(
        raw, door="smtp", envelope_from="a@x", envelope_to=["j"], received_at=judge.clock.now()
    ).mail_id


def test_mails_are_worked_in_order_and_before_games(judge: FakeJudge) -> None:
    judge.due_games = [7, 8]
    first, second = accept(judge, 1), accept(judge, 2)
    assert worker(judge).step(idle_loop()) == POLL
    assert judge.log == [("mail", first), ("mail", second), ("game", 7), ("game", 8)]


def test_who_writes_without_end_keeps_no_deadline_waiting(judge: FakeJudge) -> None:
    """What is there when games fall due goes first; what comes later takes turns with them."""
    first = accept(judge, 1)
    working = judge.process_message

    def flood(mail_id: int) -> bool:
        if judge.log and len(judge.log) < 40:
            accept(judge, 100 + len(judge.log))
            accept(judge, 200 + len(judge.log))
        if mail_id == first:
            judge.due_games = [7, 8, 9]
        return working(mail_id)

    judge.process_message = flood  # type: ignore[method-assign]
    second = accept(judge, 2)
    worker(judge).step(idle_loop())
    before = judge.log.index(("game", 7))
    assert [("mail", first), ("mail", second)] == judge.log[:2]
    assert before < 5
    assert [what for what, _ in judge.log[before : before + 5]] == [
        *("game", "mail", "game", "mail", "game"),
    ]


def test_a_flood_keeps_a_deadline_waiting_for_seconds_and_players_go_first(
    judge: FakeJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.daemon.worker.PATIENCE", 0.0)
    for number in range(50):
        accept(judge, number)
    players = judge.players_mails = [accept(judge, 60), accept(judge, 61)]
    judge.players_mails = list(players)
    judge.due_games = [7]
    worker(judge).step(idle_loop())
    order = [number for what, number in judge.log if what == "mail"]
    assert sorted(order) == list(range(1, 53))
    assert judge.log.index(("game", 7)) <= 6
    assert set(players) < set(order[:4])


def test_a_mail_set_aside_is_tried_last_and_its_senders_others_wait(judge: FakeJudge) -> None:
    first, second = accept(judge, 1), accept(judge, 2)
    raw = b"From: bob@y\n\nhelp"
    bobs = judge.storage.inbound.accept(
        raw, door="smtp", envelope_from="", envelope_to=[], received_at=judge.clock.now()
    ).mail_id
    with judge.storage.transaction():
        judge.storage.inbound.blame(first, "It burned.", judge.clock.now())
    worker(judge).step(idle_loop())
    assert judge.log == [("mail", bobs), ("mail", first), ("mail", second)]


def test_a_mail_set_aside_does_not_wait_without_end(judge: FakeJudge, clock: ManualClock) -> None:
    first = accept(judge, 1)
    raw = b"From: bob@y\n\nhelp"
    judge.storage.inbound.accept(
        raw, door="smtp", envelope_from="", envelope_to=[], received_at=judge.clock.now()
    )
    with judge.storage.transaction():
        judge.storage.inbound.blame(first, "It burned.", judge.clock.now())
    clock.advance(minutes=10)
    worker(judge).step(idle_loop())
    assert judge.log[0] == ("mail", first)


def test_the_pulse_is_kept_between_games(judge: FakeJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred of them may take longer than an outage."""
    judge.due_games = [7, 8, 9]
    monkeypatch.setattr(judge, "keep_heartbeat", lambda progress: judge.log.append(("pulse", 0)))
    worker(judge).step(idle_loop())
    ran = [place for place, (what, _) in enumerate(judge.log) if what == "game"]
    assert len(ran) == 3
    assert all(judge.log[place - 1] == ("pulse", 0) for place in ran)


def test_mail_is_fetched_for_what_is_due(judge: FakeJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[None] = []
    working = Worker(
        judge.storage, cast(Judge, judge), judge.clock, lambda moment: None,
        listen=lambda: asked.append(None),
    )  # fmt: skip
    working.step(idle_loop())
    assert not asked
    # Due by the clock, and not by what has been heard.
    monkeypatch.setattr(judge, "heard", lambda: judge.clock.now() - timedelta(minutes=1))
    monkeypatch.setattr(judge.storage.games, "due", lambda now: [7])
    working.step(idle_loop())
    assert asked
    assert judge.log == []


def test_a_game_that_fails_does_not_stop_the_others(
    judge: FakeJudge, caplog: pytest.LogCaptureFixture
) -> None:
    judge.due_games = [7, 8]
    judge.broken[7] = ValueError("a bug")
    alarms: list[datetime | None] = []
    working = worker(judge, alarms)
    working.step(idle_loop())
    assert judge.log == [("game", 8)]
    assert "game cannot be run" in caplog.text
    # It is left alone for a while, and no alarm rings for it.
    caplog.clear()
    working.step(idle_loop())
    assert "game cannot be run" not in caplog.text
    assert alarms == [None, None]


def test_what_the_machine_lacks_for_one_mail_stops_no_other_and_is_told(
    judge: FakeJudge, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = accept(judge, 1), accept(judge, 2, "bob@x")
    judge.broken[first] = Lacking("no descriptors")
    working = worker(judge)
    for _ in range(2):
        # It is left alone for a moment, and never held.
        working.step(idle_loop())
        assert judge.log == [("mail", second)]
        assert working.lacks == (clock.now(), "no descriptors")
        judge.broken = {}
    later = time.monotonic() + 3
    monkeypatch.setattr(time, "monotonic", lambda: later)
    working.step(idle_loop())
    assert judge.log == [("mail", second), ("mail", first)]
    assert working.lacks is None


def test_so_is_a_game(judge: FakeJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    judge.due_games, judge.broken[7] = [7, 8], Lacking("no descriptors")
    working = worker(judge)
    working.step(idle_loop())
    assert judge.log == [("game", 8)]
    assert working.lacks is not None
    judge.broken = {}
    later = time.monotonic() + 3
    monkeypatch.setattr(time, "monotonic", lambda: later)
    working.step(idle_loop())
    assert judge.log == [("game", 8), ("game", 7)]
    assert working.lacks is None


def test_a_mail_that_is_alone_with_it_is_never_held(
    judge: FakeJudge, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried once a minute, `judge mail` shows why it waits, and the keeper is told."""
    mail_id = accept(judge, 1)
    judge.broken[mail_id] = Lacking("OSError(5, 'Input/output error')")
    working = worker(judge)
    began, moment = clock.now(), time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: moment)
    for _ in range(2, 7200, 4):
        working.step(idle_loop())
        moment += 4
        clock.advance(seconds=4)
    accept(judge, 2, "bob@x")
    for _ in range(2):
        moment += 60
        working.step(idle_loop())
    assert 100 < working._missed["mail", mail_id].times < 130
    mail = judge.storage.inbound.find(mail_id)
    assert mail is not None
    assert (mail.state, mail.attempts) == ("new", 0)
    assert mail.problem is not None
    assert "Input/output error" in mail.problem
    assert (judge.held, working.lacks) == ([], (began, "OSError(5, 'Input/output error')"))


@pytest.mark.parametrize("fate", ["dropped", "processed elsewhere"])
def test_what_is_missing_for_a_mail_ends_with_the_mail(
    judge: FakeJudge, clock: ManualClock, fate: str
) -> None:
    mail_id = accept(judge, 1)
    judge.broken[mail_id] = Lacking("no descriptors")
    working = worker(judge)
    working.step(idle_loop())
    assert working.lacks is not None
    with judge.storage.transaction():
        if fate == "dropped":
            judge.storage.inbound.hold(mail_id, "by hand", clock.now())
            judge.storage.inbound.drop(mail_id)
        else:
            judge.storage.inbound.done(mail_id, clock.now())
    working.step(idle_loop())
    assert working.lacks is None


def test_what_is_missing_for_a_game_ends_when_others_run_it(judge: FakeJudge) -> None:
    judge.due_games, judge.broken[7] = [7], Lacking("no descriptors")
    working = worker(judge)
    working.step(idle_loop())
    assert working.lacks is not None
    judge.due_games = []
    working.step(idle_loop())
    assert working.lacks is None


def test_a_game_in_other_hands_is_left_alone_for_a_moment(judge: FakeJudge) -> None:
    judge.due_games = [7]
    judge.busy = {7}
    working = worker(judge)
    assert working.step(idle_loop()) == POLL
    assert judge.log == []
    judge.busy = set()
    time.sleep(POLL)
    working.step(idle_loop())
    assert judge.log == [("game", 7)]


def test_the_alarm_is_set_for_the_next_game(judge: FakeJudge, clock: ManualClock) -> None:
    soon = clock.now() + timedelta(hours=1)
    judge.next_wake = lambda: soon  # type: ignore[method-assign]
    alarms: list[datetime | None] = []
    worker(judge, alarms).step(idle_loop())
    assert alarms == [soon]


def test_a_database_out_of_reach_ends_the_step(judge: FakeJudge) -> None:
    judge.broken[accept(judge, 1)] = Unavailable("gone")
    with pytest.raises(Unavailable):
        worker(judge).step(idle_loop())


def test_a_loop_that_stops_ends_a_long_step(judge: FakeJudge) -> None:
    for number in range(5):
        accept(judge, number)
    loop = idle_loop()
    done = judge.process_message

    def last(mail_id: int) -> bool:
        loop.stop()
        return done(mail_id)

    judge.process_message = last  # type: ignore[method-assign]
    worker(judge).step(loop)
    assert len(judge.log) == 1


# The sender


class FakeTransport:
    """Takes letters, or raises what it is told to."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.failure: Exception | None = None
        self.refused: set[str] = set()

    def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
        if self.failure is not None:
            raise self.failure
        if message_id in self.refused:
            raise TemporaryFailure("450 later")
        self.taken.append(message_id)

    def close(self) -> None:
        pass


def queue(
    storage: Storage,
    clock: ManualClock,
    number: int = 1,
    recipient: str = "ann@example.org",
    game_id: int | None = None,
) -> int:
    now = clock.now()
    with storage.transaction():
        storage.outbound.queue(
            OutboundMessage(
                message_id=f"<{number}@judge>", recipient=recipient, kind="reply",
                subject="s", raw=b"x", next_try=now, queued_at=now, game_id=game_id,
            )
        )  # fmt: skip
    (queued,) = storage.outbound.answered([f"<{number}@judge>"], "", None, 1)
    return queued.id


@pytest.fixture
def transport() -> FakeTransport:
    return FakeTransport()


@pytest.fixture
def sender(storage: Storage, transport: FakeTransport, clock: ManualClock) -> LetterSender:
    def undelivered(letter: OutboundMessage, said: str) -> None:
        storage.outbound.failed(letter.id, said, None)

    return LetterSender(storage, transport, clock, undelivered)


def test_letters_are_sent_once(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    number = queue(storage, clock)
    # Who writes one wakes the sender.
    assert sender.step(idle_loop()) == POLL
    assert sender.step(idle_loop()) == POLL
    assert transport.taken == ["<1@judge>"]
    letter = storage.outbound.find(number)
    assert letter is not None
    assert letter.state == "sent"


def test_a_letter_that_was_taken_when_nothing_could_be_written_is_not_sent_again(
    sender: LetterSender,
    storage: Storage,
    transport: FakeTransport,
    clock: ManualClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    number, taken = queue(storage, clock), clock.now()

    def full(*_: object) -> None:
        raise Unavailable("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(storage.outbound, "sent", full)
        for _ in range(2):
            with pytest.raises(Unavailable):
                sender.step(idle_loop())
            clock.advance(minutes=1)
    other = LetterSender(storage, transport, clock, lambda *_: None, refusals=sender.refusals)
    other.step(idle_loop())
    letter = storage.outbound.find(number)
    assert letter is not None
    assert (letter.state, letter.sent_at) == ("sent", taken)
    assert transport.taken == ["<1@judge>"]


def test_nobody_waits_for_what_may_be_left(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    queue(storage, clock, 1)
    queue(storage, clock, 2)
    sender.at_once = 1
    # As many as were asked for.
    assert [sender.step(idle_loop()) for _ in range(3)] == [0, 0, POLL]
    assert len(transport.taken) == 2
    queue(storage, clock, 3)
    sender.at_once = 50
    transport.failure = PermanentFailure("550 no such user")
    # Somebody may be told of it by a letter.
    assert [sender.step(idle_loop()) for _ in range(2)] == [0, POLL]


def test_a_letter_refused_for_now_is_tried_less_and_less_often_and_then_given_up(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    number = queue(storage, clock)
    queued = clock.now()
    transport.failure = TemporaryFailure("450 later")
    tries = []
    while True:
        sender.step(idle_loop())
        letter = storage.outbound.find(number)
        assert letter is not None
        assert letter.error == "450 later"
        if letter.state == "failed":
            break
        tries.append(letter.next_try)
        clock.set(letter.next_try)
    pauses = [after - before for before, after in pairwise([queued, *tries])]
    assert pauses == sorted(pauses)
    assert pauses[0] == timedelta(minutes=1)
    assert timedelta(days=4) < clock.now() - queued < timedelta(days=6)


def test_while_the_way_out_is_closed_all_letters_wait_unblamed(
    sender: LetterSender,
    storage: Storage,
    transport: FakeTransport,
    clock: ManualClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    numbers = [queue(storage, clock, number) for number in range(3)]
    transport.failure = Unreachable("no route")
    assert [sender.step(idle_loop()) for _ in range(8)] == [2, 4, 8, 16, 32, 60, 60, 60]
    assert caplog.text.count("letters cannot be sent: no route") == 1
    assert sender.shut == clock.now()
    letter = storage.outbound.find(numbers[0])
    assert letter is not None
    assert (letter.state, letter.attempts) == ("queued", 0)
    transport.failure = None
    assert sender.step(idle_loop()) == POLL
    assert transport.taken == ["<0@judge>", "<1@judge>", "<2@judge>"]
    assert [sender.shut, sender.sent] == [None, clock.now()]


def people(storage: Storage, clock: ManualClock, *numbers: int) -> list[int]:
    """A letter to each of different people, and who is refused in a `FakeTransport`."""
    return [queue(storage, clock, each, f"p{each}@example.org") for each in numbers]


def test_a_relay_that_refuses_everybody_for_now_is_closed_since_the_first(
    sender: LetterSender,
    storage: Storage,
    transport: FakeTransport,
    clock: ManualClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    people(storage, clock, 1)
    transport.failure = TemporaryFailure("451 later")
    first = clock.now()
    sender.step(idle_loop())
    sender.step(idle_loop())
    assert sender.shut is None
    clock.advance(seconds=20)
    numbers = people(storage, clock, 2, 3, 4)
    # The others need not be tried to know that.
    assert sender.step(idle_loop()) == 2
    assert sender.shut == first
    assert caplog.text.count("letters cannot be sent: 451 later") == 1
    assert sender.step(idle_loop()) == 4
    found = [storage.outbound.find(each) for each in numbers]
    assert [(each.error, each.attempts) for each in found if each] == [
        ("451 later", 1), ("451 later", 0), ("451 later", 0),
    ]  # fmt: skip
    # Nothing is due, but much waits.
    sender.step(idle_loop())
    assert sender.shut == first
    transport.failure = None
    clock.advance(minutes=2)
    sender.step(idle_loop())
    assert len(transport.taken) == 4
    assert [sender.shut, sender.sent] == [None, clock.now()]


def test_before_a_relay_has_taken_anything_a_refusal_opens_no_way(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    people(storage, clock, 1, 2, 3)
    transport.failure = TemporaryFailure("451 later")
    sender.step(idle_loop())
    sender.step(idle_loop())
    opened = [sender.was_open]
    transport.failure = None
    clock.advance(minutes=2)
    sender.step(idle_loop())
    opened.append(sender.was_open)
    assert opened == [False, True]


def test_people_who_are_refused_while_others_are_not_close_no_way(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    transport.refused = {f"<{each}@judge>" for each in range(1, 5)}
    people(storage, clock, 1, 2)
    sender.step(idle_loop())
    people(storage, clock, 10)
    sender.step(idle_loop())
    # These are known by now, and a third one is not enough.
    people(storage, clock, 3)
    for _ in range(5):
        clock.advance(hours=1)
        sender.step(idle_loop())
        assert sender.shut is None
    people(storage, clock, 11)
    sender.step(idle_loop())
    people(storage, clock, 4)
    for _ in range(5):
        clock.advance(hours=1)
        sender.step(idle_loop())
        assert sender.shut is None


def test_senders_to_one_relay_find_out_together_that_it_refuses_everybody(
    storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    refusals = Refusals()
    senders = [
        LetterSender(storage, transport, clock, lambda *_: None, at_once=1, refusals=refusals)
        for _ in range(3)
    ]
    connections = Connections(clock, [], senders)
    for sender in senders:
        sender.step(idle_loop())
    transport.failure = TemporaryFailure("451 later")
    people(storage, clock, 1, 2, 3)
    found = [connections.disconnected]
    for sender in senders:
        sender.step(idle_loop())
    found.append(connections.disconnected)
    transport.failure = None
    people(storage, clock, 4)
    clock.advance(seconds=1)
    senders[0].step(idle_loop())
    found.append(connections.disconnected)
    assert found == [False, True, False]


def test_a_letter_that_is_refused_for_good_opens_no_way(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    sender.step(idle_loop())
    first = clock.now()
    people(storage, clock, 1, 2, 3)
    transport.failure = TemporaryFailure("451 later")
    sender.step(idle_loop())
    assert sender.shut == first
    clock.advance(seconds=10)
    people(storage, clock, 4)
    transport.failure = PermanentFailure("550 no such user")
    sender.step(idle_loop())
    assert sender.shut == first
    clock.advance(minutes=10)
    transport.failure = None
    sender.step(idle_loop())
    assert sender.shut is None


def test_a_relay_that_refuses_what_is_in_hand_as_it_takes_another_is_closed(
    storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    """What one sender began before another one's letter was taken does not date from before it."""
    refusals = Refusals()

    class Slow(FakeTransport):
        def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
            clock.advance(seconds=1)
            if not transport.taken:
                quick.step(idle_loop())
                transport.failure = TemporaryFailure("451 later")
                clock.advance(seconds=1)
            raise TemporaryFailure("451 later")

    slow, quick = (
        LetterSender(storage, each, clock, lambda *_: None, at_once=1, refusals=refusals)
        for each in (Slow(), transport)
    )
    connections = Connections(clock, [], [slow, quick])
    for sender in (slow, quick):
        sender.step(idle_loop())
    people(storage, clock, 1, 2, 3, 4)
    slow.step(idle_loop())
    for sender in (slow, quick):
        sender.step(idle_loop())
    assert transport.taken == ["<2@judge>"]
    assert connections.disconnected


def test_a_way_out_that_nobody_needs_any_more_is_not_closed(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    number = queue(storage, clock, 1)
    transport.failure = Unreachable("no route")
    sender.step(idle_loop())
    assert sender.shut is not None
    storage.outbound.sent(number, clock.now())
    sender.step(idle_loop())
    assert sender.shut is None


def test_a_way_out_was_open_when_somebody_took_a_letter_or_none_waited(
    storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    told: list[None] = []

    def sender() -> LetterSender:
        return LetterSender(
            storage, transport, clock, lambda letter, said: None, opened=lambda: told.append(None)
        )

    idle, working = sender(), sender()
    assert [each.was_open for each in (idle, working)] == [False, False]
    idle.step(idle_loop())
    queue(storage, clock, 1)
    with storage.outbound.claimed(clock.now()):
        # Who has it may find that it cannot be sent.
        working.step(idle_loop())
    transport.failure = Unreachable("no route")
    working.step(idle_loop())
    assert [each.was_open for each in (idle, working)] == [True, False]
    transport.failure = None
    working.step(idle_loop())
    assert working.was_open
    working.step(idle_loop())
    assert len(told) == 2


def test_a_letter_that_another_sender_tries_opens_no_way(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    """Over several connections to a relay that does not answer, it is nearly always in hand."""
    queue(storage, clock, 1)
    transport.failure = Unreachable("no route")
    sender.step(idle_loop())
    shut = sender.shut
    with storage.outbound.claimed(clock.now()) as taken:
        assert len(taken) == 1
        sender.step(idle_loop())
        assert sender.shut == shut is not None


class Door:
    """A mailbox as far as the lines ask."""

    def __init__(self, heard: datetime | None, deaf: bool = False) -> None:
        self.heard, self.deaf, self.looked = heard, deaf, 0

    def look(self) -> None:
        self.looked += 1


class Way:
    """A sender as far as they ask."""

    def __init__(
        self,
        shut: datetime | None = None,
        sent: datetime | None = None,
        was_open: bool = True,
    ) -> None:
        self.shut, self.sent, self.was_open = shut, sent, was_open


def test_what_has_been_heard_is_what_the_last_of_all_lines_has_told(clock: ManualClock) -> None:
    now = clock.now()
    early, late = Door(now - timedelta(hours=2)), Door(now - timedelta(hours=1))

    def lines(doors: list[Door], ways: list[Way]) -> Connections:
        return Connections(clock, cast(list[ImapReceiver], doors), cast(list[LetterSender], ways))

    assert lines([], []).until() == now
    assert lines([], [Way()]).until() == now
    assert lines([late, early], [Way()]).until() == early.heard
    assert lines([late, Door(None)], []).until() is None
    shut = Way(now - timedelta(hours=3))
    assert lines([late], [shut]).until() == shut.shut
    assert lines([late], [shut, Way(now)]).until() == shut.shut
    # A server that says nothing has not yet refused the others.
    assert lines([late], [shut, Way(sent=now - timedelta(hours=4))]).until() == shut.shut
    # A relay that takes one connection only takes letters.
    assert lines([], [Way(sent=now), shut]).until() == now
    assert not lines([], [Way(sent=now), shut]).disconnected
    # The last one that was taken tells.
    lately = now - timedelta(hours=5)
    assert lines([], [shut, Way(sent=lately), Way(sent=now)]).until() == now
    assert not lines([late], [Way()]).disconnected
    assert lines([late, Door(now, deaf=True)], []).disconnected
    assert lines([], [shut, Way(now)]).disconnected
    # A judge that was started anew does not know what the one before it knew.
    assert lines([], [Way(was_open=False), Way(was_open=False)]).until() is None
    assert lines([], [Way(was_open=False)]).disconnected
    assert lines([], [Way(was_open=False), Way()]).until() == now
    assert lines([], [Way(was_open=False), shut]).until() is None
    # Nobody looks for what could not be answered.
    lines([late], [Way()]).look()
    lines([early], [Way(now)]).look()
    assert (late.looked, early.looked) == (1, 0)
    # While one mailbox takes long, the others are not looked at again and again.
    lines([late, early], [Way()]).look()
    assert (late.looked, early.looked) == (1, 1)


def test_a_letter_refused_for_now_does_not_hold_up_the_others(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    for number in range(3):
        queue(storage, clock, number)
    transport.refused = {"<0@judge>"}
    assert sender.step(idle_loop()) == 0
    assert transport.taken == ["<1@judge>", "<2@judge>"]


def test_a_letter_that_gets_through_in_the_end_is_sent(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    queue(storage, clock)
    transport.failure = TemporaryFailure("450 later")
    sender.step(idle_loop())
    transport.failure = None
    sender.step(idle_loop())
    assert transport.taken == []
    clock.advance(minutes=1)
    sender.step(idle_loop())
    assert transport.taken == ["<1@judge>"]


def test_a_letter_refused_for_good_is_not_tried_again(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    number = queue(storage, clock)
    transport.failure = PermanentFailure("550 no such user")
    sender.step(idle_loop())
    letter = storage.outbound.find(number)
    assert letter is not None
    assert (letter.state, letter.error) == ("failed", "550 no such user")


@pytest.mark.parametrize("failure", [PermanentFailure, TemporaryFailure])
def test_no_address_stands_in_the_log_though_mail_servers_repeat_it(
    sender: LetterSender,
    storage: Storage,
    transport: FakeTransport,
    clock: ManualClock,
    caplog: pytest.LogCaptureFixture,
    failure: type[Exception],
) -> None:
    queue(storage, clock)
    transport.failure = failure("550 <ann@example.org>: mailbox full")
    sender.step(idle_loop())
    (record,) = caplog.records
    assert record.__dict__["error"] == "550 <its reader>: mailbox full"


def test_a_bug_in_a_transport_costs_no_letter(
    sender: LetterSender,
    storage: Storage,
    transport: FakeTransport,
    clock: ManualClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    number = queue(storage, clock)
    transport.failure = ValueError("a bug")
    sender.step(idle_loop())
    letter = storage.outbound.find(number)
    assert letter is not None
    assert letter.state == "queued"
    assert "letter made the sender fail" in caplog.text


class Counting(Metrics):
    """Notes what is counted."""

    def __init__(self) -> None:
        self.counted: list[tuple[str, str]] = []

    def count(self, name: str, what: str) -> None:
        self.counted.append((name, what))


@pytest.mark.parametrize(
    ("failure", "how", "told"),
    [
        (None, "sent", "letter sent"),
        (TemporaryFailure("450 later"), "delayed", "letter not sent"),
        (PermanentFailure("550 no"), "refused", "letter refused"),
    ],
)
def test_each_attempt_is_counted_and_logged_without_its_address(
    sender: LetterSender,
    storage: Storage,
    transport: FakeTransport,
    clock: ManualClock,
    caplog: pytest.LogCaptureFixture,
    failure: Exception | None,
    how: str,
    told: str,
) -> None:
    caplog.set_level(logging.INFO)
    metrics = sender.metrics = Counting()
    number = queue(storage, clock)
    storage.outbound.failed(number, "451 busy", clock.now())
    transport.failure = failure
    sender.step(idle_loop())
    assert metrics.counted == [("attempt", how)]
    (said,) = [each.__dict__ for each in caplog.records if each.message == told]
    assert (said["letter"], said["kind"], said["attempt"]) == (number, "reply", 2)
    assert said["who"] == storage.tickets.mark("ann@example.org")
    assert not {"game_id", "mail"} & said.keys()


def test_the_log_names_the_game_that_a_letter_is_about(
    sender: LetterSender, storage: Storage, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with storage.transaction():
        game = storage.games.add(Game(name="paris", variant="standard", created_at=clock.now()))
    queue(storage, clock, game_id=game.id)
    sender.step(idle_loop())
    assert [each.__dict__.get("game_id") for each in caplog.records] == [game.id]


@pytest.mark.parametrize("failure", [TemporaryFailure(), ValueError()])
def test_what_is_given_up_is_told_even_if_the_other_side_said_nothing(
    storage: Storage, transport: FakeTransport, clock: ManualClock, failure: Exception
) -> None:
    ended: list[tuple[int, str]] = []
    sender = LetterSender(
        storage, transport, clock, lambda letter, said: ended.append((letter.id, said))
    )
    number = queue(storage, clock)
    transport.failure = failure
    sender.step(idle_loop())
    letter = storage.outbound.find(number)
    assert letter is not None
    assert letter.error == repr(failure)
    while not ended:
        clock.set(storage.outbound.next_due() or clock.now())
        sender.step(idle_loop())
    assert ended == [(number, repr(failure))]


def test_letters_that_come_next_are_said_ahead(
    sender: LetterSender, storage: Storage, clock: ManualClock
) -> None:
    told: list[list[bytes]] = []
    sender.foresee = lambda letters: told.append(list(letters))
    queue(storage, clock)
    queue(storage, clock, 2)
    sender.step(idle_loop())
    assert told == [[b"x", b"x"]]


class Watched(Loop):
    """A loop that counts how often something went well, and stops after so many times."""

    def __init__(self, most: int = 99) -> None:
        super().__init__("test", lambda loop: 0.0)
        self.times, self.most = 0, most

    def progress(self) -> None:
        self.times += 1
        if self.times == self.most:
            self.stop()


def test_to_send_and_to_wait_for_a_relay_is_getting_on(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    people(storage, clock, 1, 2, 3)
    loop = Watched()
    sender.step(loop)
    assert loop.times == 3
    people(storage, clock, 4)
    transport.failure = Unreachable("no route")
    sender.step(loop)
    assert loop.times == 4


def test_a_sender_that_stops_begins_no_further_letter(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    people(storage, clock, 1, 2, 3)
    sender.step(Watched(2))
    assert len(transport.taken) == 2


def test_a_way_is_shut_since_the_letter_that_found_it_so(
    storage: Storage, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    class Closing(FakeTransport):
        def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
            super().deliver(raw, recipient, message_id)
            clock.advance(seconds=5)
            if len(self.taken) % 2:
                self.failure = Unreachable("no route")

    transport, began = Closing(), clock.now()
    sender = LetterSender(storage, transport, clock, lambda *_: None)
    people(storage, clock, 1, 2)
    assert sender.step(idle_loop()) == 2
    assert sender.shut == began + timedelta(seconds=5)
    assert sender.step(idle_loop()) == 4
    transport.failure = None
    sender.step(idle_loop())
    assert caplog.text.count("letters can be sent again") == 1
    # The next time it is tried as often again.
    people(storage, clock, 3, 4)
    assert sender.step(idle_loop()) == 2


def test_a_way_that_was_open_is_so_again_when_nothing_waits(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    opened: list[None] = []
    sender.opened = lambda: opened.append(None)
    numbers = people(storage, clock, 1)
    sender.step(idle_loop())
    numbers = people(storage, clock, 2, 3, 4)
    transport.failure = TemporaryFailure("451 later")
    sender.step(idle_loop())
    shut = [sender.shut is not None]
    for each in numbers:
        storage.outbound.sent(each, clock.now())
    sender.step(idle_loop())
    shut.append(sender.shut is not None)
    assert not sender.refusals
    people(storage, clock, 5)
    transport.failure = Unreachable("no route")
    sender.step(idle_loop())
    shut.append(sender.shut is not None)
    (waits,) = [each.id for each in storage.outbound.latest("p5@example.org", 1)]
    # Another sender has tried it; it is not due before an hour.
    storage.outbound.failed(waits, "451 later", clock.now() + timedelta(hours=1))
    sender.step(idle_loop())
    shut.append(sender.shut is not None)
    assert shut == [True, False, True, False]
    assert len(opened) == 1


def test_a_refusal_opens_no_way_at_once(
    sender: LetterSender, storage: Storage, transport: FakeTransport, clock: ManualClock
) -> None:
    queue(storage, clock)
    transport.failure = TemporaryFailure("451 later")
    sender.step(idle_loop())
    assert not sender.was_open


def test_refusals_count_since_somebody_else_was_taken(clock: ManualClock) -> None:
    refusals, start = Refusals(), clock.now()

    def at(minutes: int) -> datetime:
        return start + timedelta(minutes=minutes)

    for who in "abc":
        refusals.refused(who, at(1))
    refusals.refused("a", at(2))
    assert refusals.since == at(1)
    refusals.taken("d", at(10))
    assert bool(refusals) is False
    # One that was begun before counts from then.
    refusals.refused("e", at(9))
    refusals.refused("f", at(11))
    # What is known to be refused while others are not says nothing, until it has been taken.
    refusals.refused("a", at(11))
    counted = [refusals.since]
    refusals.taken("a", at(12))
    refusals.taken("g", at(11))
    for who in "ahi":
        refusals.refused(who, at(5))
    counted.append(refusals.since)
    assert counted == [None, at(12)]


# The loop


def test_a_loop_steps_until_it_is_stopped() -> None:
    stepped = threading.Event()
    steps: list[float] = []

    def step(loop: Loop) -> float:
        steps.append(time.monotonic())
        stepped.set()
        return 60

    loop = Loop("test", step)
    loop.start()
    for _ in range(3):
        assert stepped.wait(120)
        stepped.clear()
        loop.wake()
    loop.stop()
    assert loop.join(120)
    assert not loop.alive
    assert len(steps) >= 3


def test_a_step_that_fails_is_logged_and_taken_again(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = threading.Event()
    failures = iter([ValueError("a bug"), Unavailable("gone")])

    def step(loop: Loop) -> float:
        for failure in failures:
            # Cuts the pause after it short.
            loop.wake()
            raise failure
        again.set()
        return 60

    loop = Loop("test", step)
    loop.start()
    assert again.wait(120)
    loop.stop()
    assert loop.join(120)
    messages = [record.getMessage() for record in caplog.records]
    assert "step failed" in messages
    assert "database out of reach: gone" in messages


def test_a_loop_that_fails_does_not_count_as_getting_on(caplog: pytest.LogCaptureFixture) -> None:
    def step(loop: Loop) -> float:
        raise ValueError("a bug")

    loop = Loop("test", step)
    loop.start()
    time.sleep(0.3)
    assert loop.alive
    assert loop.idle >= 0.3
    loop.stop()
    assert loop.join(120)


# systemd


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], bytes]]:
    """What systemd hears, one datagram a call."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.bind(str(tmp_path / "notify"))
        channel.settimeout(0.2)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield lambda: channel.recv(100)


def test_systemd_is_told(systemd: Callable[[], bytes]) -> None:
    notify("READY=1")
    assert systemd() == b"READY=1"


def test_without_systemd_nobody_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere/at/all")
    with caplog.at_level(logging.WARNING):
        notify("READY=1")
    assert "systemd cannot be told" in caplog.text


def test_the_watchdog_is_fed_only_while_work_gets_on(
    systemd: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    watchdog = Watchdog()
    watchdog.feed(idle=0.1)
    assert systemd() == b"WATCHDOG=1"
    watchdog.feed(idle=0.1)
    with pytest.raises(TimeoutError):
        systemd()
    watchdog.feed(idle=0.4)
    with pytest.raises(TimeoutError):
        systemd()
    watchdog.feed(idle=0.1)
    assert systemd() == b"WATCHDOG=1"
