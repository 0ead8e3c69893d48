"""What binds others asks first; what a slip of the hand set can be taken back."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import unquote

import pytest

from judge.game.state import State
from judge.storage import Condition, GameState
from tests.game.play import PEOPLE, Play, Received


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def flat(letter: Received) -> str:
    return " ".join(letter.text.split())


@pytest.fixture
def started(play: Play) -> Play:
    play.start("MOVE NEXT 48H CLOCK 20:00 GRACE 24H")
    return play


def deadline(play: Play) -> str:
    found = paris(play).game.deadline
    assert found is not None
    return f"{found:%Y-%m-%d %H:%M}"


# Deadlines


def test_a_deadline_far_beyond_the_pace_is_asked_about(started: Play) -> None:
    before = deadline(started)
    asked = started.ask("max", "SET DEADLINE 1 Jan 2035")
    assert "far longer" in flat(asked)
    assert deadline(started) == before
    started.ask("max", "YES", answers=asked)
    assert deadline(started).startswith("2035-01-0")


def test_who_changed_a_deadline_takes_that_back_for_an_hour(started: Play) -> None:
    before, grace = deadline(started), paris(started).game.grace_end
    changed = flat(started.ask("max", "EXTEND 5D"))
    assert deadline(started) != before
    started.clock.advance(minutes=50)
    line = re.search(r"SET DEADLINE \d+ \w+ \d\d:\d\d", changed)
    assert line is not None
    started.ask("max", line[0])
    assert (deadline(started), paris(started).game.grace_end) == (before, grace)


def test_two_changes_in_a_row_are_taken_back_together(started: Play) -> None:
    before = deadline(started)
    kept = paris(started).game.deadline
    assert kept is not None
    started.ask("max", "EXTEND 2D")
    started.clock.advance(minutes=40)
    started.ask("max", "EXTEND 2D")
    started.clock.advance(minutes=40)
    started.ask("max", f"SET DEADLINE {kept:%d %b %H:%M}")
    assert deadline(started) == before


def test_after_an_hour_the_new_deadline_is_a_promise(started: Play) -> None:
    kept = paris(started).game.deadline
    assert kept is not None
    started.ask("max", "EXTEND 5D")
    started.clock.advance(minutes=61)
    assert "was promised" in flat(started.ask("max", f"SET DEADLINE {kept:%d %b %H:%M}"))
    assert paris(started).game.deadline == kept + timedelta(days=5)


@pytest.mark.parametrize("relying", ["SET ABSENCE 20 Jun", "CLEAR NOW"])
def test_what_somebody_has_relied_on_is_not_taken_back(started: Play, relying: str) -> None:
    started.send("cleo", "A Par - Bur, A Mar H, F Bre H".replace(", ", "\n"))
    kept = paris(started).game.deadline
    assert kept is not None
    started.ask("max", "EXTEND 5D")
    started.clock.advance(minutes=10)
    started.send("cleo", relying)
    assert "was promised" in flat(started.ask("max", f"SET DEADLINE {kept:%d %b %H:%M}"))


def test_the_keeper_takes_a_deadline_back_at_any_time(started: Play) -> None:
    kept, grace = paris(started).game.deadline, paris(started).game.grace_end
    assert kept is not None
    started.sure("max", "SET DEADLINE 1 Jan 2035")
    started.clock.advance(hours=5)
    (said,) = started.judge.keep([f"SET DEADLINE {kept:%d %b %H:%M}"], "paris")
    assert said["kind"] == "command"
    assert (paris(started).game.deadline, paris(started).game.grace_end) == (kept, grace)


def test_nobody_is_left_without_an_hour(started: Play) -> None:
    kept = paris(started).game.deadline
    assert kept is not None
    started.clock.set(kept - timedelta(minutes=30))
    started.ask("max", "EXTEND 5D")
    soon = started.clock.now() + timedelta(minutes=31)
    assert "was promised" in flat(started.ask("max", f"SET DEADLINE {soon:%d %b %H:%M}"))


def test_the_end_of_grace_is_taken_back_alike(started: Play) -> None:
    kept = paris(started).game.grace_end
    assert kept is not None
    started.ask("max", f"SET GRACE {kept + timedelta(days=3):%d %b %H:%M}")
    assert paris(started).game.grace_end == kept + timedelta(days=3)
    started.ask("max", f"SET GRACE {kept:%d %b %H:%M}")
    assert paris(started).game.grace_end == kept


# What asks


def test_process_names_whose_orders_are_missing_and_asks(started: Play) -> None:
    started.send("cleo", "A Par - Bur\nA Mar H\nF Bre H")
    asked = flat(started.ask("max", "PROCESS S1901M"))
    assert "England" in asked
    assert "France" not in asked.partition("YES")[0].partition("adjudicate")[2]
    assert paris(started).game.phase == "S1901M"


def test_who_has_adjudicated_a_phase_is_told_how_to_take_it_back(started: Play) -> None:
    done = started.sure("max", "PROCESS S1901M")
    assert "ROLLBACK S1901M" in done.text
    started.ask("max", "ROLLBACK S1901M")
    assert paris(started).game.phase == "S1901M"


def test_process_does_not_ask_where_nothing_is_missing(started: Play) -> None:
    started.send("max", "SET NO CARETAKER")
    for power in ("austria", "england", "france", "germany", "italy", "russia", "turkey"):
        started.sure("max", f"DUMMY {power}")
    started.ask("max", "PROCESS S1901M")
    assert paris(started).game.phase != "S1901M"


@pytest.mark.parametrize("line", ["DUMMY germany", "DUMMY germny", "PROMOTE zoe@people.example"])
def test_nothing_is_done_before_the_yes(started: Play, line: str) -> None:
    started.send("zoe", "REGISTER\nOBSERVE paris")
    asked = started.ask("max", line)
    assert "YES" in asked.text
    if line.startswith("DUMMY"):
        assert "Germany" in flat(asked)
        assert paris(started).powers.condition("Germany") == Condition.PLAYED
        started.ask("max", "YES", answers=asked)
        assert paris(started).powers.condition("Germany") == Condition.DUMMY
    else:
        assert len([seat for seat in paris(started).seats if seat.role == "master"]) == 1


def test_conceding_asks_for_this_phase_only(started: Play) -> None:
    started.send("max", "SET CONCESSIONS")
    asked = started.ask("cleo", "SET CONCEDE R")
    assert "YES" in asked.text
    assert not any(seat.draw for seat in paris(started).seats)
    started.send("max", "PROCESS S1901M")
    started.ask("cleo", "YES", answers=asked)
    assert not any(seat.draw for seat in paris(started).seats)


def test_a_misspelled_power_is_offered_as_it_is_spelled(started: Play) -> None:
    started.sure("max", "DUMMY germany")
    assert "REVIVE germany" in flat(started.ask("max", "REVIVE germny"))
    assert paris(started).powers.condition("Germany") == Condition.DUMMY


@pytest.mark.parametrize(
    "line", ["SET MOVE NEXT 24H", "SET PACE 10 minutes", "SET CLOCK NONE DAYS -M-W-F-", "SET MIN 6"]
)
def test_what_takes_a_change_of_the_pace_back_stands_in_its_answer(
    started: Play, line: str
) -> None:
    def paces() -> list[object]:
        found = paris(started).settings
        return [found.move, found.retreat, found.adjust]

    before = paces()
    changed = started.ask("max", line).text
    assert paces() != before
    back = changed.partition("take it back")[2]
    lines = re.findall(r"^\s*(SET (?:MOVE|RETREAT|ADJUST) .*)$", back, re.M)
    started.ask("max", "\n".join(lines))
    assert paces() == before


# Pauses


def test_a_pause_with_an_end_ends_by_itself(started: Play) -> None:
    reply = started.ask("max", "PAUSE 3 days")
    assert "until" in flat(reply)
    paused = started.clock.now()
    assert paris(started).game.state == GameState.PAUSED
    while paris(started).game.state == GameState.PAUSED:
        told = started.wake()
    assert started.clock.now() == paused + timedelta(days=3)
    assert {each.to.partition("@")[0] for each in told if each.kind == "resumed"} >= set(PEOPLE)


def test_players_end_a_pause_of_the_master_that_has_no_end(started: Play) -> None:
    started.ask("max", "PAUSE")
    for who in PEOPLE[:4]:
        started.send(who, "RESUME")
    assert paris(started).game.state == GameState.ACTIVE


def test_they_only_ask_the_master_where_it_has_one(started: Play) -> None:
    started.ask("max", "PAUSE 3 days")
    for who in PEOPLE[:4]:
        started.ask(who, "RESUME")
    assert paris(started).game.state == GameState.PAUSED


# Reminders, time zones, and what goes with a pace


def test_a_master_reminds_those_whose_orders_are_missing(started: Play) -> None:
    started.send("cleo", "A Par - Bur\nA Mar H\nF Bre H")
    started.letters()
    started.ask("max", "REMIND")
    reminded = {each.to.partition("@")[0] for each in started.letters() if each.kind == "reminder"}
    assert reminded == set(PEOPLE) - {"cleo"}
    assert "last hour" in flat(started.ask("max", "REMIND"))


def taps(letter: Received) -> list[str]:
    (page,) = letter.contents("text/html")
    written = re.findall(r'href="mailto:[^"]*[?&](?:amp;)?body=([^"&]*)', page)
    return [unquote(each).strip().partition("\n")[0].strip() for each in written]


def test_each_letter_of_a_master_has_what_they_do_most_often(play: Play) -> None:
    starts = play.start("MOVE NEXT 48H CLOCK 20:00 GRACE 24H")
    five = ["STATUS", "EXTEND 24H", "PAUSE", "REMIND", "PROCESS S1901M"]
    late = [each for each in play.wake() + play.wake() if each.kind == "late"]
    (mine,) = [each for each in late if each.to.startswith("max@")]
    for letter in (starts["max"], mine, play.ask("max", "STATUS")):
        assert taps(letter)[-5:] == five
    assert taps(play.ask("max", "PAUSE"))[-2:] == ["STATUS", "RESUME"]
    for letter in (starts["cleo"], play.ask("cleo", "STATUS")):
        assert not {"REMIND", "PROCESS S1901M"} & set(taps(letter))


def test_letters_that_may_mean_several_time_zones_are_asked_about_in_register(play: Play) -> None:
    asked = play.send("zoe", "REGISTER\nName: Zoe Lee\nTime zone: IST\nEND")
    zoe = play.storage.people.by_address("zoe@people.example")
    assert zoe is not None
    assert (zoe.name, zoe.time_zone) == ("Zoe Lee", None)
    play.send("zoe", "YES", answers=asked)
    zoe = play.storage.people.by_address("zoe@people.example")
    assert zoe is not None
    assert (zoe.name, zoe.time_zone) == ("Zoe Lee", "Asia/Kolkata")


@pytest.mark.parametrize(("said", "likely"), [("EST", "New_York"), ("cst", "Chicago")])
def test_letters_that_mean_several_zones_are_a_question(
    started: Play, said: str, likely: str
) -> None:
    before = paris(started).settings.zone
    asked = started.ask("max", f"SET TIME ZONE {said}")
    assert likely in asked.text
    assert paris(started).settings.zone == before
    started.ask("max", "YES", answers=asked)
    assert paris(started).settings.zone == f"America/{likely}"


def test_grace_min_and_delay_go_with_the_pace_from_days_to_minutes_and_back(play: Play) -> None:
    play.start("MOVE NEXT 72H MIN 6H GRACE 36H")
    slow = paris(play).settings.move
    play.send("max", "SET MOVE NEXT 10M")
    fast = paris(play).settings.move
    assert (fast.min, fast.delay, fast.grace) == (0, 0, fast.next)
    play.send("max", "SET MOVE NEXT 48H")
    back = paris(play).settings.move
    assert (back.min, back.delay, back.grace) == (slow.min, slow.delay, slow.grace)
    play.send("max", "SET MOVE NEXT 10M GRACE 1H")
    assert paris(play).settings.move.grace == 1
