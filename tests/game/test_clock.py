"""The clock of a game by mail: deadlines, grace, absences, more time, pauses, reminders."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from icalendar import Calendar
from msgspec.structs import replace

from tests.game.play import Play, Received, flat
from tests.game.test_phases import OPENING, everybody, paris

PACE = "MOVE NEXT 48H CLOCK 20:00 DAYS SMTWTFS GRACE 48H"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def clock(play: Play) -> tuple[datetime | None, datetime | None]:
    game = paris(play).game
    return game.deadline, game.grace_end


def master(play: Play, text: str) -> Received:
    return play.answer("max", text)


def run_phase(play: Play) -> None:
    """Let the open phase run, with everybody's units holding."""
    game = paris(play).game
    play.answer("max", f"PROCESS {game.phase}")
    play.letters()


# The clock starts on Monday 1 June 2026, 12:00 UTC; the first phase has twice the time.


def test_the_first_phase_has_a_deadline_and_a_grace_end(play: Play) -> None:
    play.start(PACE)
    assert clock(play) == (at("2026-06-05 20:00"), at("2026-06-07 20:00"))


@pytest.mark.parametrize(("pace", "deadline"), [("20:00", "20:01"), ("23:59", "23:59")])
def test_deadlines_of_one_minute_are_spread_if_the_keeper_likes(
    play: Play, pace: str, deadline: str
) -> None:
    play.answer("max", "HELP")  # so that no game is taken that was begun without
    play.judge.profile = replace(play.judge.profile, spread=10)
    play.start(f"MOVE NEXT 48H CLOCK {pace} DAYS SMTWTFS GRACE 48H")
    assert paris(play).game.id % 11 == 1
    assert clock(play) == (at(f"2026-06-05 {deadline}"), at(f"2026-06-07 {deadline}"))
    # A new time of day is as far from what it says.
    assert flat(master(play, "SET MOVE CLOCK 21:00")).count("21:01 (UTC)") == 3


def test_grace_moves_to_an_allowed_day_unless_strict(play: Play) -> None:
    play.start("MOVE NEXT 48H CLOCK 20:00 DAYS -MTWTF- GRACE 24H")
    assert clock(play) == (at("2026-06-05 20:00"), at("2026-06-08 00:00"))
    master(play, "SET STRICT GRACE")
    run_phase(play)
    # Never before the old one.
    assert clock(play) == (at("2026-06-05 20:00"), at("2026-06-08 00:00"))
    play.clock.set(at("2026-06-10 12:00"))
    run_phase(play)
    assert clock(play) == (at("2026-06-12 20:00"), at("2026-06-13 20:00"))


@pytest.mark.parametrize(
    ("line", "deadline"),
    [
        ("SET DEADLINE Sat 20:00", "2026-06-06 20:00"),
        ("SET DEADLINE Sat", "2026-06-06 20:00"),
        ("SET DEADLINE 15 Jun", "2026-06-15 20:00"),
        ("SET DEADLINE Jun 15, 2026 23:30", "2026-06-15 23:30"),
        ("SET DEADLINE 2026-06-15", "2026-06-15 20:00"),
        ("EXTEND 24H", "2026-06-06 20:00"),
        ("more time 2 days", "2026-06-07 20:00"),
        ("extend until Sun 21:00", "2026-06-07 21:00"),
    ],
)
def test_a_master_sets_a_later_deadline_which_drags_grace_along(
    play: Play, line: str, deadline: str
) -> None:
    play.start(PACE)
    answer = master(play, line)
    new = at(deadline)
    assert clock(play) == (new, new + timedelta(hours=48))
    assert f"{new:%H:%M} (UTC)" in flat(answer)
    assert "before: Friday 5 June, 20:00 (UTC)" in flat(answer)
    told = [letter for letter in play.letters() if letter.kind == "deadline"]
    assert len(told) == 7
    assert "Max has set another deadline for Spring 1901, movement in paris." in flat(told[0])
    assert "Before, it was Fri 20:00 (UTC)." in flat(told[0])


def test_the_date_is_read_in_the_writers_zone_and_told_in_each_readers(play: Play) -> None:
    play.start(PACE)
    play.send("max", "REGISTER\nTime zone: America/New_York\nEND")
    play.send("ann", "REGISTER\nTime zone: Europe/Berlin\nEND")
    answer = master(play, "SET DEADLINE Sat 20:00")
    assert clock(play)[0] == at("2026-06-07 00:00")
    assert "Saturday 6 June, 20:00 (America/New_York)" in flat(answer)
    told = {letter.to: letter for letter in play.letters() if letter.kind == "deadline"}
    ann = flat(told["ann@people.example"])
    assert "Deadline: Sun 02:00 (Berlin)" in ann


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("SET DEADLINE 03/07", "“03/07” can be read two ways"),
        ("SET DEADLINE 2020-01-01", "is past"),
        ("SET DEADLINE 1 Mar", "more than 120 days ahead"),
        ("SET DEADLINE someday", "'someday' is no date"),
        ("SET DEADLINE", "It takes a date, or a time of day"),
        ("EXTEND a lot", "is no length of time"),
        ("EXTEND 0", "not between a minute and 60 days"),
        ("SET DEADLINE Fri 20:00", "That is the deadline already"),
        ("SET DEADLINE Wed", "Friday 5 June, 20:00 (UTC) was promised"),
        ("SET GRACE Thu", "Grace cannot end before the deadline"),
        ("SET START Sat", "The phase has to be able to run at its deadline"),
    ],
)
def test_a_date_that_cannot_be_taken_changes_nothing(play: Play, line: str, said: str) -> None:
    play.start(PACE)
    before = clock(play)
    answer = master(play, line)
    assert said in flat(answer)
    assert "COULD NOT USE" in answer.text
    assert clock(play) == before
    assert [letter.kind for letter in play.letters()] == ["reply"]


def test_what_reads_two_ways_is_asked_with_both(play: Play) -> None:
    play.start(PACE)
    text = flat(master(play, "SET DEADLINE 03/07"))
    assert "SET DEADLINE 3 Jul SET DEADLINE 7 Mar" in text


def test_an_earlier_deadline_is_set_when_everybody_has_written(play: Play) -> None:
    play.start(PACE)
    everybody(play)
    master(play, "SET DEADLINE Wed 20:00")
    # Grace stays where it was.
    assert clock(play) == (at("2026-06-03 20:00"), at("2026-06-07 20:00"))


def test_grace_is_set_for_this_phase_by_a_date_and_for_all_by_a_length(play: Play) -> None:
    play.start(PACE)
    master(play, "SET GRACE Mon 20:00")
    assert clock(play) == (at("2026-06-05 20:00"), at("2026-06-08 20:00"))
    assert any(letter.kind == "clock" for letter in play.letters())
    master(play, "SET GRACE 72H")
    assert clock(play)[1] == at("2026-06-08 20:00")
    settings = paris(play).settings
    assert [settings.move.grace, settings.retreat.grace, settings.adjust.grace] == [72] * 3


def test_a_phase_does_not_run_before_the_start_date(play: Play) -> None:
    play.start(f"{PACE} MIN 0 DELAY 0")
    master(play, "SET START Thu 12:00")
    everybody(play)
    play.judge.work()
    assert paris(play).game.phase == "S1901M"
    play.clock.set(at("2026-06-04 12:00"))
    play.judge.work()
    assert paris(play).game.phase == "F1901M"
    everybody(play)
    play.judge.work()
    assert paris(play).game.phase == "S1902M"


def test_a_game_does_not_start_before_its_start_date(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    master(play, "SET START Thu 12:00")
    for who in OPENING:
        play.send(who, "JOIN paris")
    play.judge.work()
    assert paris(play).game.state == "forming"
    play.wake()
    assert paris(play).game.state == "active"
    assert play.clock.now() == at("2026-06-04 12:00")


def test_a_new_pace_leaves_the_phase_that_is_open_alone(play: Play) -> None:
    play.start(f"{PACE} DELAY 2H MIN 12H")
    master(play, "SET MIN 0, DELAY 0, NEXT 1H, GRACE 100H")
    before = clock(play)
    everybody(play)
    play.judge.work()
    assert (paris(play).game.phase, clock(play)) == ("S1901M", before)
    play.clock.advance(hours=12)
    play.judge.work()
    assert paris(play).game.phase == "F1901M"
    everybody(play)
    play.judge.work()
    assert paris(play).game.phase == "S1902M"


# Absences


def test_an_absence_holds_later_deadlines_and_never_the_running_one(play: Play) -> None:
    play.start(PACE)
    answer = play.send("cleo", "SET ABSENCE 5 Jun to 9 Jun")
    assert "You are away from Friday 5 June, 00:00 (UTC) to Tuesday 9 June, 23:59" in (flat(answer))
    assert "The deadline that is running does, and stays" in flat(answer)
    assert clock(play)[0] == at("2026-06-05 20:00")
    told = [letter for letter in play.letters() if letter.kind == "absence"]
    assert [letter.to for letter in told] == ["max@people.example"]
    assert "France is away from paris" in flat(told[0])
    run_phase(play)
    assert clock(play)[0] == at("2026-06-10 20:00")


@pytest.mark.parametrize("left", [True, False])
def test_the_absence_of_somebody_who_left_holds_no_deadline(play: Play, left: bool) -> None:
    play.start(PACE)
    play.send("cleo", "SET ABSENCE 5 Jun to 9 Jun")
    if left:
        play.sure("cleo", OPENING["cleo"] + "\nRESIGN")
        play.send("zoe", "TAKE OVER france@paris")
    play.send("max", "PROCESS S1901M")
    assert clock(play)[0] == at("2026-06-05 20:00" if left else "2026-06-10 20:00")


def test_an_absence_is_taken_back_by_any_day_in_it(play: Play) -> None:
    play.start(PACE)
    play.send("cleo", "SET HOLIDAY 5 Jun to 9 Jun\nSET VACATION 20 Jun")
    answer = play.send("cleo", "SET NO ABSENCE 7 Jun")
    assert "I canceled your absence from Friday 5 June, 00:00 (UTC)" in flat(answer)
    run_phase(play)
    assert clock(play)[0] == at("2026-06-05 20:00")
    seat = paris(play).seats.player("France")
    assert seat is not None
    assert len(seat.absence or ()) == 1


def test_the_absence_of_the_manual_in_the_absentees_zone(play: Play) -> None:
    play.clock.set(at("2026-12-20 12:00"))
    play.start(PACE)
    play.send("cleo", "REGISTER\nTime zone: Europe/Berlin\nEND")
    answer = flat(play.send("cleo", "SET ABSENCE 24 Dec to 2 Jan"))
    assert "Thursday 24 December, 00:00 (Europe/Berlin)" in answer
    assert "Saturday 2 January, 23:59 (Europe/Berlin)" in answer
    play.clock.set(at("2026-12-22 12:00"))
    run_phase(play)
    # To its end, and on to the next CLOCK time.
    assert clock(play)[0] == at("2027-01-03 20:00")
    assert "I canceled your absence" in flat(play.send("cleo", "SET NO ABSENCE 25 Dec"))
    run_phase(play)
    # Never before the old one.
    assert clock(play)[0] == at("2027-01-03 20:00")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("SET ABSENCE 5 Jun\nSET ABSENCE 4 Jun to 6 Jun", "two absences cannot overlap"),
        (
            "SET ABSENCE 5 Jun\nSET ABSENCE 6 Jun\nSET ABSENCE 7 Jun\nSET ABSENCE 8 Jun",
            "You have 3 absences already",
        ),
        ("SET NO ABSENCE 7 Jun", "You have set no absence here"),
        ("SET ABSENCE 9 Jun 2026 to 7 Jun 2026", "is past"),
        ("SET ABSENCE 03/07", "can be read two ways"),
        ("SET ABSENCE 5 Jun\nSET ABSENCE 7 Jun\nNO ABSENCE", "It takes a date"),
    ],
)
def test_absences_that_cannot_be(play: Play, lines: str, said: str) -> None:
    play.start(PACE)
    assert said in flat(play.send("cleo", lines))


@pytest.mark.parametrize(("press", "held"), [("NO PRESS", False), ("WHITE", True)])
def test_without_press_only_who_owes_orders_holds_a_deadline(
    play: Play, press: str, held: bool
) -> None:
    play.start(f"{PACE}, {press}, ADJUST NEXT 24H CLOCK 20:00 DAYS SMTWTFS")
    play.send("gwen", "A Con - Bul")
    run_phase(play)
    # France has nothing to build, and Turkey one unit.
    play.send("cleo", "SET ABSENCE 6 Jun to 12 Jun")
    play.clock.set(at("2026-06-05 12:00"))
    run_phase(play)
    assert paris(play).game.phase == "W1901A"
    assert clock(play)[0] == at("2026-06-13 20:00" if held else "2026-06-06 20:00")


@pytest.mark.parametrize(
    ("asked", "offered", "days"),
    [
        ("24 Dec to 2 Jan", "24 Dec 2026 to 2 Jan", ("24 December 2026", "2 January 2027")),
        ("10 Jun to 5 Jun", "10 Jun to 5 Jun 2027", ("10 June,", "5 June 2027")),
    ],
)
def test_the_line_offered_for_a_far_absence_is_taken(
    play: Play, asked: str, offered: str, days: tuple[str, str]
) -> None:
    play.start()
    refused = play.send("ann", f"SET ABSENCE {asked}").text
    line = refused.partition("Write for example:")[2].strip().splitlines()[0]
    assert line == f"SET ABSENCE {offered}"
    said = flat(play.send("ann", line))
    assert all(day in said for day in days)


def test_a_long_absence_is_put_to_the_master(play: Play) -> None:
    play.start(f"{PACE}, MAX ABSENCE 7")
    answer = play.send("cleo", "SET ABSENCE 4 Jun to 14 Jun")
    assert "You ask for an absence from Thursday 4 June," in flat(answer)
    asked = [letter for letter in play.letters() if letter.kind == "proposal"]
    assert [letter.to for letter in asked] == ["max@people.example"]
    assert "That is longer than 7 days" in flat(asked[0])
    run_phase(play)
    assert clock(play)[0] == at("2026-06-05 20:00")
    play.send("cleo", "SET NO ABSENCE")
    play.send("cleo", "SET ABSENCE 4 Jun to 14 Jun")
    question = next(letter for letter in play.letters() if letter.kind == "proposal")
    assert "Agreed: an absence" in flat(play.send("max", "yes", answers=question))
    decided = [letter for letter in play.letters() if letter.kind == "decided"]
    assert [letter.to for letter in decided] == ["cleo@people.example"]
    run_phase(play)
    assert clock(play)[0] == at("2026-06-15 20:00")


def test_a_long_absence_the_master_declines_does_not_count(play: Play) -> None:
    play.start(f"{PACE}, MAX ABSENCE 7")
    play.send("cleo", "SET ABSENCE 4 Jun to 14 Jun")
    question = next(letter for letter in play.letters() if letter.kind == "proposal")
    assert "Not agreed" in flat(play.send("max", "No, sorry.", answers=question))
    assert paris(play).seats.player("France").absence is None  # type: ignore[union-attr]
    assert "does not agree" in flat(next(x for x in play.letters() if x.kind == "decided"))
    again = play.send("max", "yes", answers=question)
    assert "That has been decided already" in flat(again)


def test_a_long_absence_is_asked_and_decided_before_the_game_begins(play: Play) -> None:
    play.send("max", f"CREATE ?paris hundred, {PACE}, MAX ABSENCE 2")
    play.send("cleo", "JOIN paris")
    play.letters()
    play.send("cleo", "SET ABSENCE 4 Jun to 14 Jun")
    question = next(letter for letter in play.letters() if letter.kind == "proposal")
    play.send("max", "yes", answers=question)
    decided = next(letter for letter in play.letters() if letter.kind == "decided")
    assert question.sender == "paris: Yes or no?"
    assert decided.sender == "paris: Agreed"


def test_public_holidays_are_no_days_for_deadlines(play: Play) -> None:
    play.start("MOVE NEXT 24H CLOCK 20:00 DAYS SMTWTFS, PUBLIC HOLIDAYS DE-BY")
    assert clock(play)[0] == at("2026-06-03 20:00")
    play.clock.set(at("2026-06-03 12:00"))
    run_phase(play)
    # Thursday, 4 June 2026 is Corpus Christi, and free in Bavaria.
    assert clock(play)[0] == at("2026-06-05 20:00")
    assert "now none (before: DE-BY)" in flat(master(play, "SET PUBLIC HOLIDAYS none"))


# More time, by whom it takes


def test_a_player_asks_the_master_for_more_time_and_one_reply_decides(play: Play) -> None:
    play.start(PACE)
    answer = play.send("cleo", "EXTEND 24H")
    assert "You ask for another deadline, Saturday 6 June, 20:00 (UTC)" in flat(answer)
    assert clock(play)[0] == at("2026-06-05 20:00")
    question = next(letter for letter in play.letters() if letter.kind == "proposal")
    assert question.to == "max@people.example"
    assert "France asks for another deadline" in flat(question)
    assert "Agreed: another deadline" in flat(play.send("max", "Yes", answers=question))
    assert clock(play) == (at("2026-06-06 20:00"), at("2026-06-08 20:00"))
    told = [letter for letter in play.letters() if letter.kind == "deadline"]
    assert len(told) == 7
    assert "A player asked for another deadline" in flat(told[0])


def test_the_master_says_no(play: Play) -> None:
    play.start(PACE)
    play.send("cleo", "SET DEADLINE Sat 20:00")
    question = next(letter for letter in play.letters() if letter.kind == "proposal")
    play.send("max", "no", answers=question)
    assert clock(play)[0] == at("2026-06-05 20:00")
    told = [letter for letter in play.letters() if letter.kind == "decided"]
    assert [letter.to for letter in told] == ["cleo@people.example"]
    assert "That was not agreed to" in flat(told[0])


def test_nobody_else_can_answer_for_the_master(play: Play) -> None:
    play.start(PACE)
    play.send("cleo", "EXTEND 24H")
    question = next(letter for letter in play.letters() if letter.kind == "proposal")
    play.judge.process_message(play.mail("dora", "yes", answers=question))
    assert clock(play)[0] == at("2026-06-05 20:00")


def unmoderated(play: Play, options: str = PACE) -> None:
    play.send("max", f"CREATE ?paris standard, {options}")
    for who, letter in zip(("max", "bob", "cleo", "dora", "emil", "finn", "gwen"), "AEFGIRT",
                           strict=True):  # fmt: skip
        play.send(who, f"JOIN paris\nSET PREFERENCE {letter}")
    play.judge.work()
    play.letters()


def vote(play: Play, questions: dict[str, Received], who: str, word: str) -> Received:
    return play.send(who, word, answers=questions[who])


def test_in_an_unmoderated_game_those_who_owe_orders_vote(play: Play) -> None:
    unmoderated(play)
    answer = play.send("cleo", "EXTEND 24H")
    assert "more than half of those concerned agree" in flat(answer)
    questions = {x.to.partition("@")[0]: x for x in play.letters() if x.kind == "proposal"}
    assert set(questions) == {"max", "bob", "dora", "emil", "finn", "gwen"}
    assert "Your vote is for another deadline" in flat(vote(play, questions, "bob", "yes"))
    assert "Your vote is against" in flat(vote(play, questions, "dora", "no"))
    vote(play, questions, "emil", "yes")
    assert clock(play)[0] == at("2026-06-05 20:00")
    play.letters()
    assert "Agreed" in flat(vote(play, questions, "finn", "ja"))
    assert clock(play)[0] == at("2026-06-06 20:00")
    told = [letter for letter in play.letters() if letter.kind == "deadline"]
    assert "Those who owe orders have agreed" in flat(told[0])
    assert not any(name in told[0].text for name in ("Bob", "Dora", "England"))


def test_a_vote_can_fail_and_be_changed(play: Play) -> None:
    unmoderated(play)
    play.send("cleo", "EXTEND 24H")
    questions = {x.to.partition("@")[0]: x for x in play.letters() if x.kind == "proposal"}
    for who, word in (("bob", "no"), ("dora", "no"), ("emil", "no"), ("bob", "yes")):
        vote(play, questions, who, word)
    assert clock(play)[0] == at("2026-06-05 20:00")
    vote(play, questions, "finn", "no")
    assert "Not agreed" in flat(vote(play, questions, "gwen", "no"))
    assert any(x.kind == "decided" and x.to.startswith("cleo") for x in play.letters())
    assert "decided already" in flat(vote(play, questions, "max", "yes"))


# Pause


def test_a_paused_game_stands_still_and_goes_on_with_a_fresh_deadline(play: Play) -> None:
    play.start(f"{PACE} DELAY 0 MIN 0")
    play.send("cleo", "A Par - Bur")
    assert "is paused: I take no orders" in flat(master(play, "PAUSE"))
    told = [letter for letter in play.letters() if letter.kind == "paused"]
    assert len(told) == 7
    assert "Max has paused paris" in flat(told[0])
    assert "paris is paused and takes no orders now" in flat(play.send("cleo", "A Mar - Spa"))
    play.clock.advance(days=20)
    play.judge.work()
    state = paris(play)
    assert (state.game.state, state.game.phase) == ("paused", "S1901M")
    again = [letter for letter in play.letters() if letter.kind == "still_paused"]
    assert {letter.to for letter in again} == {"max@people.example"}
    answer = master(play, "RESUME")
    now = play.clock.now()
    deadline, grace = clock(play)
    assert deadline is not None
    assert deadline >= now + timedelta(hours=96)
    assert grace == deadline + timedelta(hours=48)
    assert "paris continues. The deadline is" in flat(answer)
    resumed = {x.to: x for x in play.letters() if x.kind == "resumed"}
    assert len(resumed) == 7
    assert "A par - bur" in resumed["cleo@people.example"].text


def test_the_time_limit_stands_still_while_a_game_is_paused(play: Play) -> None:
    play.start("TIME LIMIT 30D")
    before = paris(play).settings.ends_at
    master(play, "PAUSE")
    play.clock.advance(days=40)
    play.run()
    master(play, "RESUME")
    told = [letter for letter in play.run() if letter.kind == "resumed"]
    state = paris(play)
    assert before is not None
    assert state.settings.ends_at == before + timedelta(days=40)
    assert "The game ends at" in flat(told[0])
    # What is set while it stands still is meant as it is said.
    master(play, "PAUSE")
    master(play, "SET TIME LIMIT 1 Sep 20:00 UTC")
    said = paris(play).settings.ends_at
    play.clock.advance(days=2)
    master(play, "RESUME")
    assert paris(play).settings.ends_at == said


def test_a_paused_game_is_recalled_every_three_days(play: Play) -> None:
    play.start(PACE)
    master(play, "PAUSE")
    play.letters()
    began = play.clock.now()
    for days in (3, 6):
        letters = play.wake()
        assert [letter.kind for letter in letters] == ["still_paused"]
        assert play.clock.now() == began + timedelta(days=days)


@pytest.mark.parametrize("line", ["RESUME", "SET DEADLINE Sat", "PAUSE"])
def test_a_command_for_another_state_is_refused(play: Play, line: str) -> None:
    play.start(PACE)
    if line != "RESUME":
        master(play, "SUSPEND")
    assert "paused" in flat(master(play, line))


def test_only_the_master_pauses_a_moderated_game(play: Play) -> None:
    play.start(PACE)
    assert "Only the game master of paris decides that" in flat(play.send("cleo", "PAUSE"))


def test_players_pause_an_unmoderated_game_by_vote(play: Play) -> None:
    unmoderated(play)
    play.send("cleo", "PAUSE")
    questions = {x.to.partition("@")[0]: x for x in play.letters() if x.kind == "proposal"}
    for who in ("max", "bob", "dora"):
        vote(play, questions, who, "yes")
    assert paris(play).game.state == "paused"
    play.send("bob", "RESUME")
    questions = {x.to.partition("@")[0]: x for x in play.letters() if x.kind == "proposal"}
    for who in ("max", "cleo", "dora"):
        vote(play, questions, who, "yes")
    assert paris(play).game.state == "active"


# Reminders and waits


def test_everybody_is_reminded_when_he_chose(play: Play) -> None:
    play.start(PACE)
    assert "1 day and 8 hours before" in flat(play.send("cleo", "SET REMINDER 24 8"))
    play.send("dora", "SET REMINDER NONE")
    play.send("gwen", "REGISTER\nReminders: 2D, 90M\nEND")
    got: list[tuple[float, str]] = []
    deadline, _ = clock(play)
    assert deadline is not None
    while play.clock.now() < deadline - timedelta(minutes=90):
        for letter in play.wake():
            if letter.kind == "reminder":
                hours = (deadline - play.clock.now()).total_seconds() / 3600
                got.append((hours, letter.to.partition("@")[0]))
    assert [each for each in got if each[1] in ("cleo", "dora", "gwen")] == [
        (48, "gwen"), (24, "cleo"), (8, "cleo"), (1.5, "gwen")
    ]  # fmt: skip
    assert sum(hours == 8 for hours, _ in got) == 5


def test_one_letter_for_reminders_that_are_due_together_and_none_when_all_is_in(
    play: Play,
) -> None:
    play.start(PACE)
    everybody(play, "cleo", "dora")
    play.send("cleo", "SET REMINDER 24 12 8")
    play.letters()
    play.clock.set(at("2026-06-05 13:00"))
    reminders = [x.to for x in play.run() if x.kind == "reminder"]
    assert reminders == ["cleo@people.example", "dora@people.example"]
    assert [x.kind for x in play.run()] == []


def test_another_deadline_brings_reminders_anew(play: Play) -> None:
    play.start(PACE)
    everybody(play, "cleo")
    play.clock.set(at("2026-06-05 13:00"))
    play.run()
    master(play, "EXTEND 24H")
    play.letters()
    play.clock.set(at("2026-06-06 13:00"))
    assert [x.to for x in play.run() if x.kind == "reminder"] == ["cleo@people.example"]


def test_strict_wait_is_for_those_who_owe_orders(play: Play) -> None:
    play.start(f"{PACE} DELAY 0 MIN 0, STRICT WAIT")
    assert "only who owes orders" in flat(master(play, "SET WAIT"))
    play.send("cleo", "SET WAIT")
    everybody(play)
    assert play.judge.work() == 0
    play.send("cleo", "SET NO WAIT")
    play.judge.work()
    assert paris(play).game.phase == "F1901M"


def test_a_game_that_always_waits_runs_at_its_deadline(play: Play) -> None:
    starts = play.start(f"{PACE} DELAY 0 MIN 0, ALWAYS WAIT")
    assert "A phase runs at its deadline, even if all orders are in." in flat(starts["cleo"])
    everybody(play)
    assert play.judge.work() == 0
    assert "I adjudicate the phase at its deadline." in flat(play.send("cleo", "STATUS"))
    deadline = paris(play).game.deadline
    assert deadline is not None
    play.clock.set(deadline)
    play.judge.work()
    assert paris(play).game.phase == "F1901M"


# Calendars


def entry(letter: Received) -> tuple[Any, Any]:
    part = next(letter.message.iter_attachments())
    assert isinstance(part, EmailMessage)
    assert part.get_content_type() == "text/calendar"
    content: Any = part.get_payload(decode=True)
    found: Any = Calendar.from_ical(content)
    assert part.get_param("method") == found["method"]
    return found, found.walk("VEVENT")[0]


def test_letters_that_name_a_deadline_carry_it_for_calendars_and_later_ones_move_it(
    play: Play,
) -> None:
    starts = play.start(PACE)
    play.send("cleo", "SET REMINDER 24 8")
    calendar, first = entry(starts["cleo"])
    assert calendar["method"] == "PUBLISH"
    assert first["dtstart"].dt == at("2026-06-05 20:00")
    assert first["organizer"] == "mailto:judge@judge.example"  # RFC 5546 sections 3.2.1, 3.2.5
    assert first["summary"] == "paris: deadline of Spring 1901, movement"
    assert re.fullmatch("[0-9a-f]{24}@judge.example", first["uid"])
    assert [alarm["trigger"].dt for alarm in first.walk("VALARM")] == [-timedelta(hours=8)]
    play.clock.advance(minutes=5)
    master(play, "EXTEND 24H")
    letter = next(x for x in play.letters() if x.kind == "deadline" and x.to.startswith("cleo"))
    _, moved = entry(letter)
    assert moved["uid"] == first["uid"]
    assert moved["sequence"] > first["sequence"]
    assert moved["dtstart"].dt == at("2026-06-06 20:00")
    alarms = [alarm["trigger"].dt for alarm in moved.walk("VALARM")]
    assert alarms == [-timedelta(hours=24), -timedelta(hours=8)]
    # Everybody else's entry is the same one but for his alarms, and none of it says who he is.
    _, other = entry(starts["dora"])
    assert {key: other[key] for key in ("uid", "sequence", "summary", "description")} == {
        key: first[key] for key in ("uid", "sequence", "summary", "description")
    }


def test_a_paused_game_takes_its_entry_back(play: Play) -> None:
    play.start(PACE)
    play.clock.advance(minutes=5)
    master(play, "PAUSE")
    letter = next(x for x in play.letters() if x.kind == "paused")
    calendar, event = entry(letter)
    assert (calendar["method"], event["status"]) == ("CANCEL", "CANCELLED")


def test_a_rollback_moves_the_entry(play: Play) -> None:
    play.start(PACE)
    master(play, "PROCESS S1901M")
    before = next(x for x in play.letters() if x.kind == "results" and x.to.startswith("cleo"))
    play.clock.advance(minutes=5)
    master(play, "ROLLBACK S1901M")
    after = next(x for x in play.letters() if x.kind == "rollback" and x.to.startswith("cleo"))
    (_, first), (calendar, second) = entry(before), entry(after)
    assert calendar["method"] == "PUBLISH"
    assert second["summary"] == "paris: deadline of Spring 1901, movement"
    assert (second["uid"], second["sequence"] > first["sequence"]) == (first["uid"], True)


def test_a_start_that_is_undone_takes_the_entry_back_and_the_next_brings_it(play: Play) -> None:
    starts = play.start(PACE)
    _, first = entry(starts["cleo"])
    play.clock.advance(minutes=5)
    play.sure("max", "UNSTART")
    undone = next(x for x in play.letters() if x.kind == "unstarted" and x.to.startswith("cleo"))
    calendar, gone = entry(undone)
    assert (calendar["method"], gone["status"]) == ("CANCEL", "CANCELLED")
    assert gone["organizer"] == "mailto:judge@judge.example"
    assert (gone["uid"], gone["sequence"] > first["sequence"]) == (first["uid"], True)
    assert gone["summary"] == "paris: no deadline"
    play.clock.advance(minutes=5)
    master(play, "START")
    letters = play.run()
    again = next(x for x in letters if x.kind == "start" and x.to.startswith("cleo"))
    calendar, second = entry(again)
    assert (calendar["method"], second["status"]) == ("PUBLISH", "CONFIRMED")
    assert (second["uid"], second["sequence"] > gone["sequence"]) == (first["uid"], True)


def test_observers_get_no_entry(play: Play) -> None:
    play.start(PACE)
    play.send("zoe", "OBSERVE paris")
    master(play, "EXTEND 24H")
    letter = next(x for x in play.letters() if x.kind == "deadline" and x.to.startswith("zoe"))
    assert list(letter.message.iter_attachments()) == []


# What letters say


def test_the_answer_lists_absences_and_the_results_say_what_moved_the_deadline(play: Play) -> None:
    play.start(PACE)
    assert "You are away from" not in flat(play.send("cleo", "STATUS"))
    play.send("cleo", "SET ABSENCE 5 Jun to 9 Jun")
    answer = flat(play.send("cleo", "STATUS"))
    assert "You are away from Friday 5 June, 00:00 (UTC) to Tuesday 9 June, 23:59" in answer
    assert "You are away" not in flat(play.send("dora", "STATUS"))
    play.letters()
    play.answer("max", "PROCESS S1901M")
    results = {x.to: flat(x) for x in play.letters() if x.kind == "results"}
    for text in results.values():
        assert "It is later than usual because somebody is away" in text
    assert "France is away" not in results["dora@people.example"]


def test_a_paused_game_says_so(play: Play) -> None:
    play.start(PACE)
    master(play, "PAUSE")
    assert "paris is paused: deadlines are suspended" in flat(play.send("cleo", "STATUS"))
