"""The keeper hears once that something is wrong, and once that it is over."""

from __future__ import annotations

import shutil
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from judge.clock import SystemClock
from judge.daemon.loop import to_syslog
from judge.game.state.profile import JudgeProfile
from judge.ops import alarms
from judge.ops.alarms import Watch
from judge.ops.machine import Machine, clock_off, name_for
from judge.storage import Game, GameState, OutboundMessage, Storage, Unavailable
from tests.clocks import ManualClock
from tests.game.play import ADDRESS, KEEPER, Play, read

HOUSE = JudgeProfile(name="The Judge", address=ADDRESS, keeper=KEEPER)


class Usage(NamedTuple):
    total: int
    used: int
    free: int


class Town:
    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.clock = ManualClock()
        self.mailboxes: dict[str, str | None] = {}
        self.disconnected = False
        self.lacks: tuple[datetime, str] | None = None
        self.cries: list[str] = []
        self.watch = self.at("here")

    def at(self, machine: str, folders: tuple[Path, ...] = (), **facts: Any) -> Watch:
        return Watch(
            self.storage, HOUSE, self.clock, machine=Machine(machine, folders, **facts),
            mailboxes=lambda: self.mailboxes,
            disconnected=lambda: self.disconnected,
            lacks=lambda: self.lacks,
            cry=self.cries.append,
        )  # fmt: skip

    def letters(self) -> list[tuple[str, str, str]]:
        """The letters to the keeper: kind, subject and text."""
        found = []
        for number in range(1, 100):
            letter = self.storage.outbound.find(number)
            if letter is not None and letter.recipient == KEEPER:
                seen = read(letter)
                found.append((seen.kind, seen.subject, " ".join(seen.text.split())))
        return found

    def game(self, **facts: object) -> None:
        with self.storage.transaction():
            self.storage.games.add(
                Game(
                    name="paris", variant="standard", state=GameState.ACTIVE, phase="S1901M",
                    created_at=self.clock.now(), **facts,  # type: ignore[arg-type]
                )
            )  # fmt: skip


@pytest.fixture
def town(storage: Storage) -> Town:
    return Town(storage)


def old_letter(town: Town, kind: str = "reply") -> None:
    now = town.clock.now()
    with town.storage.transaction():
        town.storage.outbound.queue(
            OutboundMessage(
                message_id=f"<{kind}@x>", recipient="ann@x", kind=kind, subject="", raw=b"x",
                next_try=now, queued_at=now, error="451 not now", attempts=1,
            )
        )  # fmt: skip


def test_where_nothing_is_wrong_nothing_is_said(town: Town) -> None:
    town.mailboxes = {"judge on mail.example": None}
    town.watch.look()
    assert town.letters() == []
    assert town.storage.alarms.all() == []


def test_a_deadline_that_is_overdue_is_told_once_and_ended_once(town: Town) -> None:
    town.game(wake_at=town.clock.now())
    town.clock.advance(minutes=9)
    town.watch.look()
    assert town.letters() == []
    town.clock.advance(minutes=2)
    for watch in (town.watch, town.watch, town.at("there"), town.at("here")):
        watch.look()
    ((kind, subject, text),) = town.letters()
    assert (kind, subject) == ("alarm", "JUDGE - A deadline is overdue in paris")
    assert "What was due in paris ten minutes ago has not been done" in text
    game = town.storage.games.by_name("paris")
    assert game is not None
    game.wake_at = town.clock.now() + timedelta(days=1)
    with town.storage.transaction():
        town.storage.games.save(game)
    town.at("there").look()
    town.watch.look()
    assert [kind for kind, _, _ in town.letters()] == ["alarm", "all_clear"]
    assert "paris is no longer overdue." in town.letters()[1][2]
    assert [event.what for event in town.storage.events.last()] == ["all clear", "alarm"]


def test_a_deadline_that_waits_for_the_lines_is_no_alarm_of_its_own(town: Town) -> None:
    town.game(wake_at=town.clock.now())
    town.disconnected = True
    town.clock.advance(minutes=11)
    town.watch.look()
    assert town.letters() == []
    town.disconnected = False
    town.watch.look()
    # What was told is not over because there is something else.
    town.disconnected = True
    town.watch.look()
    assert [kind for kind, _, _ in town.letters()] == ["alarm"]


def test_letters_that_are_stuck_are_told_with_what_was_said(town: Town) -> None:
    old_letter(town)
    town.clock.advance(minutes=59)
    town.watch.look()
    assert town.letters() == []
    town.clock.advance(minutes=2)
    town.watch.look()
    ((_, subject, text),) = town.letters()
    assert subject == "JUDGE - Messages are not going out"
    assert "1 message waits." in text
    assert "451 not now" in text
    town.storage.outbound.sent(1, town.clock.now())
    # The letter about it is young.
    town.watch.look()
    assert [kind for kind, _, _ in town.letters()] == ["alarm", "all_clear"]


def test_mails_that_nobody_works_are_told(town: Town) -> None:
    town.storage.inbound.accept(
        b"From: ann@x\r\n\r\nhelp", door="smtp", envelope_from=None, envelope_to=[],
        received_at=town.clock.now(),
    )  # fmt: skip
    town.clock.advance(minutes=11)
    town.watch.look()
    assert [subject for _, subject, _ in town.letters()] == [
        "JUDGE - Messages are not being processed"
    ]


def test_a_held_mail_has_been_told_already_and_its_end_is(town: Town) -> None:
    town.storage.inbound.accept(
        b"From: ann@x\r\n\r\nhelp", door="smtp", envelope_from=None, envelope_to=[],
        received_at=town.clock.now(),
    )  # fmt: skip
    with town.storage.transaction():
        town.storage.inbound.hold(1, "ValueError: a bug", town.clock.now())
    town.watch.look()
    assert town.letters() == []
    assert [alarm.kind for alarm in town.storage.alarms.all()] == ["held"]
    with town.storage.transaction():
        town.storage.inbound.drop(1)
    town.watch.look()
    assert "No message is held now." in town.letters()[0][2]


def test_a_mailbox_in_trouble_is_told_after_a_while(town: Town) -> None:
    town.mailboxes = {"judge on mail.example": "LOGIN failed"}
    town.watch.look()
    town.clock.advance(seconds=599)
    town.watch.look()
    town.mailboxes = {"judge on mail.example": None}
    town.clock.advance(seconds=2)
    town.watch.look()
    assert town.letters() == []
    town.mailboxes = {"judge on mail.example": "LOGIN failed"}
    town.watch.look()
    town.clock.advance(seconds=600)
    town.watch.look()
    ((_, subject, text),) = town.letters()
    assert subject == "JUDGE - A mailbox cannot be read"
    assert "judge on mail.example" in text
    assert "LOGIN failed" in text
    # A judge on another machine reads its own mailbox well, and does not know about this one.
    other = Watch(town.storage, HOUSE, town.clock, machine=Machine("there"))
    other.look()
    assert len(town.letters()) == 1
    town.mailboxes = {"judge on mail.example": None}
    town.watch.look()
    assert "can be read again" in town.letters()[1][2]


@pytest.mark.parametrize(
    ("disk", "told"),
    [
        (Usage(10**12, 0, 2 * 10**9), 0),
        (Usage(10**12, 0, 9 * 10**8), 1),
        (Usage(10**9, 0, 6 * 10**7), 0),
        (Usage(10**9, 0, 4 * 10**7), 1),
    ],
)
def test_a_disk_that_is_nearly_full_is_told(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, disk: Usage, told: int
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: disk)
    watch = town.at("here", (tmp_path,))
    watch.look()
    watch.look()
    assert len(town.letters()) == told
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: Usage(10**12, 0, 10**11))
    watch.look()
    assert len(town.letters()) == 2 * told


def test_a_fast_clock_raises_no_alarm(storage: Storage) -> None:
    town = Town(storage)
    town.game(wake_at=town.clock.now())
    now = town.clock.now()
    fast = SystemClock(7200, now)
    real = fast.start + (fast.now() - fast.start)
    watch = Watch(storage, HOUSE, fast, machine=Machine("here"))
    assert fast.seconds_until(real + timedelta(hours=1)) < 600
    assert not watch._is_over(fast.now() - timedelta(hours=1), fast.now(), alarms.PATIENCE)
    assert watch._is_over(fast.now() - timedelta(days=100), fast.now(), alarms.PATIENCE)


def test_without_a_keeper_it_stands_in_the_status_only(town: Town) -> None:
    house = JudgeProfile(name="The Judge", address=ADDRESS, keeper=None)
    town.game(wake_at=town.clock.now())
    town.clock.advance(hours=1)
    Watch(town.storage, house, town.clock, machine=Machine("here")).look()
    assert town.storage.outbound.find(1) is None
    assert len(town.storage.alarms.all()) == 1


def test_what_the_machine_lacks_is_told_once_it_lasts(town: Town) -> None:
    town.lacks = town.clock.now(), "OSError(24, 'Too many open files')"
    town.watch.look()
    assert not town.letters()
    town.clock.advance(minutes=3)
    town.watch.look()
    town.watch.look()
    ((_, _, text),) = town.letters()
    assert "Too many open files" in text
    town.lacks = None
    town.watch.look()
    assert len(town.letters()) == 2


def test_backups_that_are_old_or_missing_are_told(town: Town, tmp_path: Path) -> None:
    watch = town.at("here", backups=tmp_path, every=timedelta(hours=24))
    watch.look()
    ((_, _, text),) = town.letters()
    assert "no backup" in text
    young = town.at("new", backups=tmp_path, every=timedelta(hours=24), started=town.clock.now())
    young.look()
    assert len(town.letters()) == 1, "the first is on its way"
    (tmp_path / name_for(town.clock.now())).touch()
    watch.look()
    town.clock.advance(hours=47)
    watch.look()
    assert [kind for kind, _, text in town.letters() if "backup" in text] == ["alarm", "all_clear"]
    town.clock.advance(hours=2)
    watch.look()
    assert "is of 2026-06-01" in town.letters()[-1][2]


def test_the_end_of_a_certificate_is_told_in_time(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, now = tmp_path / "chain.pem", town.clock.now()
    ends = {"at": now + timedelta(days=20)}
    monkeypatch.setattr(
        "judge.ops.machine.validity", lambda _: (now - timedelta(days=70), ends["at"])
    )
    watch = town.at("here", certificates=(file,))
    watch.look()
    assert not town.letters()
    town.clock.advance(days=7)
    watch.look()
    assert "chain.pem" in town.letters()[0][2]
    ends["at"] = town.clock.now() + timedelta(days=90)
    watch.look()
    assert len(town.letters()) == 2


def test_a_clock_is_judged_by_the_dates_of_mails() -> None:
    now = datetime(2026, 6, 1, tzinfo=UTC)

    def mails(*minutes: float) -> list[tuple[datetime, datetime]]:
        return [(now + timedelta(minutes=each), now) for each in minutes]

    assert clock_off(mails(0, 1, 2, 300, 900)) is None
    assert clock_off(mails(61, 62, 61, 300)) is None, "too few"
    assert clock_off(mails(-100, 61, 62, 61, 300)) == timedelta(minutes=61)
    assert clock_off(mails(-31, -30, -29, -30, 2)) == timedelta(minutes=-30)
    assert clock_off(mails(-31, 0, 1, 2, 3)) is None, "one clock alone"


def test_a_clock_that_is_off_is_told(town: Town, play: Play) -> None:
    watch = Watch(play.storage, HOUSE, play.clock, machine=Machine("here"))
    for number in range(6):
        written = format_datetime(play.clock.now() - timedelta(hours=2))
        play.send("cleo", f"REGISTER\nName: Cleo {number}\nEND", headers={"Date": written})
    play.letters()
    watch.look()
    (letter,) = [each for each in play.letters() if each.kind == "alarm"]
    assert "120 minutes ahead" in " ".join(letter.text.split())


def test_alarms_are_cried_out_even_if_nothing_can_be_written(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    town.mailboxes = {"inbox": "no"}
    town.watch.look()
    town.clock.advance(minutes=11)
    with monkeypatch.context() as broken:

        def full(*_: object) -> None:
            raise Unavailable("database or disk is full")

        broken.setattr(town.storage.alarms, "begin", full)
        for _ in range(2):
            with pytest.raises(Unavailable):
                town.watch.look()
    assert [each.partition(":")[0] for each in town.cries] == ["alarm", "alarm"]
    assert "disk is full" in town.cries[1]
    town.watch.look()
    assert town.cries[2:] == ["all clear: the database takes no writes"]


def test_syslog_gets_a_line(tmp_path: Path) -> None:
    place = str(tmp_path / "log")
    to_syslog("nobody listens", place)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listens:
        listens.bind(place)
        to_syslog("alarm: x", place)
        assert listens.recv(100) == b"<26>judge: alarm: x"
