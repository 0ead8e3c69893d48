"""After an outage everybody has his time back, and is told once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from msgspec.structs import replace

from judge.clock import SystemClock
from judge.game.clock import outage
from judge.game.clock.outage import Heartbeat
from judge.storage import OutboundMessage
from tests.clocks import ManualClock, MovingClock
from tests.game.play import PEOPLE, Play, flat
from tests.game.test_clock import PACE, at, clock, master
from tests.game.test_phases import everybody, paris


def restart(play: Play) -> None:
    """Another process takes over where the last one was killed."""
    play.storage.close()
    play._open()


def test_after_a_restart_every_deadline_lies_later_by_the_time_lost(play: Play) -> None:
    play.start(PACE)
    play.judge.keep_heartbeat()
    play.clock.advance(days=3)
    restart(play)
    play.judge.keep_heartbeat()
    assert clock(play) == (at("2026-06-08 20:00"), at("2026-06-10 20:00"))


def test_the_moment_before_which_a_phase_does_not_run_lies_later_by_the_time_lost(
    play: Play,
) -> None:
    play.start(PACE)
    master(play, "SET START 2026-06-03 20:00")
    everybody(play)
    play.judge.keep_heartbeat()
    play.clock.advance(days=3)
    restart(play)
    play.judge.keep_heartbeat()
    play.clock.set(at("2026-06-06 19:59"))
    play.judge.work()
    assert paris(play).game.phase == "S1901M"
    play.clock.set(at("2026-06-06 20:00"))
    play.judge.work()
    assert paris(play).game.phase == "F1901M"


def test_a_deadline_that_passed_in_the_outage_lies_ahead_again(play: Play) -> None:
    play.start(PACE)
    play.judge.keep_heartbeat()
    play.clock.advance(days=10)
    restart(play)
    play.letters()
    play.judge.keep_heartbeat()
    play.judge.work()
    state = paris(play)
    assert state.game.phase == "S1901M"
    assert clock(play)[0] == at("2026-06-15 20:00")
    letters = play.letters()
    assert {letter.kind for letter in letters} == {"outage"}
    assert len(letters) == 8
    assert "The judge could not work for 10 days" in flat(letters[0])
    assert (
        "paris, Spring 1901, movement: now Monday 15 June, 20:00 (UTC) "
        "(before: Friday 5 June, 20:00 (UTC))"
    ) in flat(letters[0])
    # Once.
    restart(play)
    play.judge.keep_heartbeat()
    assert play.run() == []


def test_who_plays_two_games_gets_one_letter(play: Play) -> None:
    play.start(PACE)
    play.send("max", f"CREATE ?rome fleet_rome, {PACE}")
    for who in PEOPLE:
        play.send(who, "JOIN rome")
    play.judge.work()
    play.judge.keep_heartbeat()
    play.clock.advance(days=1)
    restart(play)
    play.letters()
    play.judge.keep_heartbeat()
    told = play.letters()
    assert len({letter.to for letter in told}) == len(told) == 8
    ann = next(letter for letter in told if letter.to.startswith("ann"))
    assert "paris, Spring 1901" in flat(ann)
    assert "rome, Spring 1901" in flat(ann)
    names = {part.get_filename() for part in ann.message.iter_attachments()}
    assert names == {"paris.ics", "rome.ics"}


def test_complete_orders_are_not_run_before_their_second_thoughts_are_over(play: Play) -> None:
    play.start(f"{PACE} DELAY 2H MIN 0")
    everybody(play)
    play.judge.keep_heartbeat()
    play.clock.advance(hours=10)
    restart(play)
    play.judge.keep_heartbeat()
    play.judge.work()
    assert paris(play).game.phase == "S1901M"
    play.clock.advance(hours=4)
    play.judge.work()
    assert paris(play).game.phase == "F1901M"


def test_orders_that_came_while_the_judge_was_cut_off_wait_no_longer_than_others(
    play: Play,
) -> None:
    play.start(f"{PACE} DELAY 2H MIN 0")
    play.judge.reach = line = Line(play)
    play.judge.keep_heartbeat()
    line.cut()
    play.judge.keep_heartbeat()
    play.clock.advance(days=2)
    everybody(play)
    line.disconnected = False
    play.judge.keep_heartbeat()
    play.judge.work()
    assert paris(play).game.phase == "S1901M"
    play.clock.advance(hours=4)
    play.judge.work()
    assert paris(play).game.phase == "F1901M"


def test_a_short_break_moves_nothing(play: Play) -> None:
    play.start(PACE)
    play.judge.keep_heartbeat()
    play.clock.advance(minutes=2)
    restart(play)
    play.judge.keep_heartbeat()
    assert clock(play)[0] == at("2026-06-05 20:00")
    assert not any(letter.kind == "outage" for letter in play.letters())


def test_grace_of_a_deadline_that_was_over_before_lies_later(play: Play) -> None:
    play.start(PACE)
    play.clock.set(at("2026-06-06 20:00"))
    with play.storage.transaction():
        play.storage.heartbeat.beat(play.clock.now())
    play.clock.advance(days=1)
    restart(play)
    play.judge.keep_heartbeat()
    assert clock(play) == (at("2026-06-05 20:00"), at("2026-06-08 20:00"))


@pytest.mark.parametrize("days", [1, -1])
def test_a_clock_that_jumps_by_a_day_runs_nothing_early(play: Play, days: int) -> None:
    play.start(PACE)
    play.judge.clock = machine = MovingClock(at("2026-06-05 12:00"))
    with play.storage.transaction():
        play.storage.heartbeat.beat(machine.now())
    play.judge.keep_heartbeat()
    machine.advance(days=days)
    play.judge.keep_heartbeat()
    play.judge.work()
    assert paris(play).game.phase == "S1901M"
    # Eight hours were left; as many are left at least.
    deadline = clock(play)[0]
    assert deadline is not None
    assert deadline - machine.now() >= timedelta(hours=8)
    machine.advance(days=-days)
    play.judge.keep_heartbeat()
    play.judge.work()
    assert paris(play).game.phase == "S1901M"


def test_a_judge_that_works_on_loses_no_time(play: Play) -> None:
    play.start(PACE)
    play.judge.clock = machine = MovingClock(play.clock.now())
    for _ in range(300):
        play.judge.keep_heartbeat()
        machine.advance(seconds=61)
    assert clock(play)[0] == at("2026-06-05 20:00")


class Line:
    """A line that the test holds in its hands."""

    def __init__(self, play: Play) -> None:
        self._clock = play.clock
        self.disconnected = False
        self._since: datetime | None = None

    def until(self) -> datetime | None:
        return self._since if self.disconnected else self._clock.now()

    def cut(self) -> None:
        self.disconnected, self._since = True, self._clock.now()


def test_no_phase_runs_while_the_judge_is_cut_off(play: Play) -> None:
    play.start(PACE)
    play.judge.reach = line = Line(play)
    play.clock.set(at("2026-06-05 19:55"))
    play.judge.keep_heartbeat()
    play.run()
    line.cut()
    everybody(play)
    play.letters()
    play.clock.set(at("2026-06-05 20:05"))
    play.judge.keep_heartbeat()
    assert play.run() == []
    assert paris(play).game.phase == "S1901M"
    # A few minutes are no outage: once it is back the phase runs.
    line.disconnected = False
    play.judge.keep_heartbeat()
    assert {each.kind for each in play.run()} == {"results"}


def short_of_the_deadline(play: Play) -> int:
    """A game whose phase runs at the deadline and no sooner, in which something else is due a
    minute before."""
    play.start(PACE)
    everybody(play)
    play.send("ann", "WAIT")
    game = paris(play).game
    assert game.deadline == at("2026-06-05 20:00")
    with play.storage.transaction():
        game.wake_at = at("2026-06-05 19:59")
        play.storage.games.save(game)
    return game.id


def test_a_deadline_that_passes_while_a_game_waits_for_its_turn_waits_for_its_mail(
    play: Play,
) -> None:
    """It was found to be due for something else, and many others went before it."""
    game_id = short_of_the_deadline(play)
    play.clock.set(at("2026-06-05 19:59"))
    by, newest = play.judge.heard(), play.storage.inbound.newest()
    assert by is not None
    assert play.judge.due(by) == [game_id]
    play.clock.advance(seconds=30)
    play.mail("ann", "A Par - Gas")
    play.clock.advance(seconds=31)
    play.judge.run_game(game_id, newest, by)
    assert paris(play).game.phase == "S1901M"
    play.judge.work()
    assert paris(play).game.phase == "F1901M"


def test_a_deadline_that_passed_after_the_mailbox_was_looked_at_waits(play: Play) -> None:
    short_of_the_deadline(play)
    play.judge.reach = line = Line(play)
    play.clock.set(at("2026-06-05 19:59"))
    line.cut()
    play.clock.set(at("2026-06-05 20:05"))
    play.judge.work()
    assert paris(play).game.phase == "S1901M"
    line.disconnected = False
    play.judge.work()
    assert paris(play).game.phase == "F1901M"


def test_a_mail_that_came_in_time_and_was_stored_late_counts(play: Play) -> None:
    """Between its arrival and its commit the mails were counted."""
    game_id = short_of_the_deadline(play)
    play.clock.set(at("2026-06-05 20:00"))
    by, newest = play.judge.heard(), play.storage.inbound.newest()
    play.mail("ann", "A Par - Gas")
    assert not play.judge.run_game(game_id, newest, by)
    play.judge.process_message(newest + 1)
    # What comes later keeps nobody waiting, however much it is.
    play.clock.advance(seconds=1)
    for _ in range(30):
        play.mail("bob", "HELP")
    assert play.judge.run_game(game_id, newest, by)
    assert paris(play).game.phase == "F1901M"


def test_a_judge_that_was_cut_off_gives_back_the_time(play: Play) -> None:
    play.start(PACE)
    play.judge.reach = line = Line(play)
    play.clock.set(at("2026-06-05 12:00"))
    play.judge.keep_heartbeat()
    play.run()
    line.cut()
    # It works on all the while, and is started anew in the middle.
    for hour in range(12, 36):
        play.clock.advance(hours=1)
        if hour == 20:
            restart(play)
            play.judge.reach = line
            with play.storage.transaction():
                play.storage.heartbeat.beat(play.clock.now())
        play.judge.keep_heartbeat()
        play.judge.work()
    assert play.letters() == []
    line.disconnected = False
    play.judge.keep_heartbeat()
    play.judge.work()
    assert clock(play) == (at("2026-06-06 20:00"), at("2026-06-08 20:00"))
    letters = [each for each in play.letters() if each.kind != "reminder"]
    assert {each.kind for each in letters} == {"outage"}
    assert "could not work for 1 day" in flat(letters[0])
    # Once.
    play.judge.keep_heartbeat()
    assert play.run() == []


def test_a_judge_that_never_noted_whether_it_was_cut_off_gives_back_the_time(play: Play) -> None:
    play.start(PACE)
    with play.storage.transaction():
        play.storage.heartbeat.beat(play.clock.now())
    play.judge.reach = line = Line(play)
    line.cut()
    for _ in range(120):
        play.clock.advance(minutes=1)
        play.judge.keep_heartbeat()
    line.disconnected = False
    play.judge.keep_heartbeat()
    assert clock(play)[0] == at("2026-06-05 22:00")


def test_an_outage_of_a_judge_that_was_cut_off_before_is_one(play: Play) -> None:
    play.start(PACE)
    play.judge.reach = line = Line(play)
    play.clock.set(at("2026-06-05 12:00"))
    play.judge.keep_heartbeat()
    line.cut()
    play.clock.advance(hours=2)
    play.judge.keep_heartbeat()
    play.clock.advance(hours=10)
    restart(play)
    play.judge.reach = line
    play.judge.keep_heartbeat()
    assert clock(play)[0] == at("2026-06-06 08:00")
    play.clock.advance(minutes=1)
    line.disconnected = False
    play.judge.keep_heartbeat()
    assert clock(play)[0] == at("2026-06-06 08:00")


def test_what_was_queued_by_a_clock_that_was_ahead_does_not_wait_for_it(play: Play) -> None:
    play.start(PACE)
    play.judge.keep_heartbeat()
    play.letters()
    now = play.clock.now()
    ahead = now + timedelta(days=10)
    play.clock.set(ahead)
    play.judge.keep_heartbeat()
    play.letters()
    with play.storage.transaction():
        play.storage.outbound.queue(
            OutboundMessage(
                message_id="<1@judge>", recipient="ann@people.example", kind="reply", subject="s",
                raw=b"x", next_try=ahead, queued_at=ahead,
            )
        )  # fmt: skip
    # Without what the clock of these tests does, which is to deliver what waits.
    ManualClock.set(play.clock, now + timedelta(minutes=1))
    play.judge.keep_heartbeat()
    assert play.storage.outbound.next_due() == play.clock.now()


def breaks(play: Play, line: Line, count: int, **apart: float) -> None:
    """Cut the line off for six minutes so many times."""
    for _ in range(count):
        play.clock.advance(**apart)
        play.judge.keep_heartbeat()
        line.cut()
        for _ in range(6):
            play.judge.keep_heartbeat()
            play.clock.advance(minutes=1)
        line.disconnected = False
        play.judge.keep_heartbeat()


def test_short_breaks_add_up(play: Play) -> None:
    play.start(PACE)
    play.judge.reach = line = Line(play)
    play.judge.keep_heartbeat()
    breaks(play, line, 2, minutes=2)
    assert clock(play)[0] == at("2026-06-05 20:00")
    restart(play)
    play.judge.reach = line
    breaks(play, line, 1, minutes=2)
    play.judge.keep_heartbeat()
    assert clock(play)[0] == at("2026-06-05 20:18")
    assert {each.kind for each in play.letters()} == {"outage"}
    # What was made up for is over.
    breaks(play, line, 2, minutes=2)
    assert clock(play)[0] == at("2026-06-05 20:18")


def test_short_breaks_of_different_days_are_none(play: Play) -> None:
    play.start(PACE)
    play.judge.reach = line = Line(play)
    play.judge.keep_heartbeat()
    for _ in range(4):
        # A clock that is set right is no break either, so the judge works on in between.
        for _ in range(24 * 60 // 2):
            play.clock.advance(minutes=2)
            play.judge.keep_heartbeat()
        breaks(play, line, 1, minutes=2)
    assert play.storage.keeper_settings.get("time owed") is None
    assert clock(play)[0] == at("2026-06-05 20:00")


def test_a_judge_that_is_started_anew_often_was_not_cut_off(play: Play) -> None:
    play.start(PACE)
    for _ in range(40):
        play.judge.reach = line = Line(play)
        line.cut()
        play.judge.keep_heartbeat()
        line.disconnected = False
        play.judge.keep_heartbeat()
        play.clock.advance(minutes=2)
        restart(play)
    assert clock(play)[0] == at("2026-06-05 20:00")


def test_where_another_judge_can_be_reached_nobody_loses_time(play: Play) -> None:
    play.start(PACE)
    play.judge.reach = line = Line(play)
    play.judge.keep_heartbeat()
    line.cut()
    for _ in range(20):
        play.clock.advance(minutes=1)
        play.judge.keep_heartbeat()
        with play.storage.transaction():
            play.storage.heartbeat.reach(play.clock.now())
    line.disconnected = False
    play.judge.keep_heartbeat()
    assert clock(play)[0] == at("2026-06-05 20:00")


def test_hours_of_a_fast_clock_are_no_outage(play: Play) -> None:
    play.start(PACE)
    play.judge.clock = SystemClock(3600, datetime.now(UTC))
    play.judge.keep_heartbeat()
    with play.storage.transaction():
        play.storage.heartbeat.beat(play.judge.clock.now() - timedelta(hours=5))
    play.judge.heartbeat = Heartbeat()
    play.judge.keep_heartbeat()
    assert clock(play)[0] == at("2026-06-05 20:00")


def test_a_paused_game_has_nothing_to_lose(play: Play) -> None:
    play.start(PACE)
    master(play, "PAUSE")
    play.judge.keep_heartbeat()
    play.clock.advance(days=1)
    restart(play)
    play.letters()
    play.judge.keep_heartbeat()
    assert play.letters() == []


@pytest.mark.parametrize(
    ("limit", "end"),
    [("30D", "2026-07-11 12:00"), ("2026-06-08 12:00", "2026-06-18 12:00")],
)
def test_the_end_of_a_game_lies_later_as_well(play: Play, limit: str, end: str) -> None:
    play.start(PACE)
    play.send("max", f"SET TIME LIMIT {limit}")
    play.judge.keep_heartbeat()
    play.clock.advance(days=10)
    restart(play)
    play.letters()
    play.judge.keep_heartbeat()
    play.judge.work()
    state = paris(play)
    assert state.game.state == "active"
    assert state.settings.ends_at == at(end)
    assert "at the latest." in flat(play.letters()[0])


def test_thousands_are_told_bit_by_bit_and_a_kill_in_between_forgets_nobody(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outage, "AT_ONCE", 3)
    play.start(PACE)
    play.judge.keep_heartbeat()
    play.clock.advance(days=1)
    restart(play)
    play.letters()
    steps: list[int] = []
    assert play.judge.keep_heartbeat(lambda: steps.append(1))
    # A sign of life for each game.
    assert len(steps) == 1
    moved = clock(play)
    told = [letter.to for letter in play.letters()]
    assert len(told) == 3
    # Mails are processed in between; and what is left is told by anybody who comes next.
    play.send("ann", "STATUS")
    restart(play)
    while play.judge.keep_heartbeat():
        pass
    told += [letter.to for letter in play.letters() if letter.kind == "outage"]
    assert len(told) == len(set(told)) == 8
    assert clock(play) == moved


def test_games_move_bit_by_bit_and_a_kill_in_between_moves_none_twice(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outage, "AT_ONCE", 2)
    play.start(PACE)
    first = paris(play)
    with play.storage.transaction():
        for name in ("lima", "nauru", "oslo", "quito"):
            game = play.storage.games.add(replace(first.game, id=0, name=name))
            for seat in first.seats:
                play.storage.seats.add(replace(seat, id=0, game_id=game.id))
    play.judge.keep_heartbeat()
    play.clock.advance(days=2)
    restart(play)
    play.letters()

    def moved() -> list[float]:
        deadlines = [game.deadline for game in play.storage.games.all() if game.deadline]
        return [(each - at("2026-06-05 20:00")) / timedelta(days=1) for each in deadlines]

    assert play.judge.keep_heartbeat()
    assert moved() == [2, 2, 0, 0, 0]
    # Who writes, or is due, in between finds the game moved.
    play.judge.run_game(play.storage.games.all()[3].id)
    play.send("zoe", "OBSERVE quito")
    assert moved() == [2, 2, 0, 2, 2]
    restart(play)
    while play.judge.keep_heartbeat():
        restart(play)
    assert moved() == [2, 2, 2, 2, 2]
    told = [letter.to for letter in play.letters() if letter.kind == "outage"]
    assert len(told) == len(set(told)) == 8 + 1
