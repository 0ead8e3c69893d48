"""WHAT IF, games with oneself, and boards made of a past phase."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from judge.bots import orders_of
from judge.game.state import State
from judge.limits import Limits
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Support
from judge.rules.position import Unit
from tests.game.play import Play, Received, flat
from tests.prove.trials import agrees


def game(play: Play, name: str = "paris") -> State:
    found = play.storage.games.by_name(name)
    assert found is not None
    return State(play.storage, found)


TRIAL = "WHAT IF\nFrance: A Par - Bur\nA Mun - Bur\nF Kie - Den\nA Foo - Bar\nThank you,\nAnn"


def test_orders_for_anybody_are_tried_out_and_nothing_changes(play: Play) -> None:
    start = play.start()["ann"]
    before = game(play).game
    letter = play.send("ann", TRIAL, answers=start)
    assert "A par-bur bounced, German A mun 1:1 Bounced with the German army" in flat(letter)
    assert "F kie-den ok" in flat(letter)
    assert "F den" in letter.text
    assert "> A Foo - Bar No province is called Foo." in flat(letter)
    assert "> Thank you" not in letter.text
    assert structs.replace(game(play).game, version=before.version) == before
    assert not any(game(play).orders.values())


def test_every_line_of_a_trial_has_a_fate(play: Play) -> None:
    play.start()
    lines = "Hi judge,\nA Par - Bur\n\nand then the fleet follows\nSTATUS\n\nThank you,\nAnn"
    letter = play.send("ann", f"WHAT IF\n{lines}")
    said_of = [line.strip() for line in letter.text.splitlines() if line.startswith("  > ")]
    assert said_of[1:] == ["> and then the fleet follows", "> STATUS"]


def test_the_picture_shows_where_they_were_given(play: Play) -> None:
    start = play.start()["ann"]
    letter = play.send("ann", TRIAL, answers=start)
    names = [part.get_filename() for part in letter.message.walk() if part.get_filename()]
    assert names == ["paris-S1901M.png"]


def test_a_game_and_a_past_phase_can_be_named(play: Play) -> None:
    play.start()
    play.send("cleo", "A Par - Bur")
    play.send("max", "PROCESS S1901M")
    now = play.send("dora", "WHAT IF paris\nA Bur - Mun\nENDIF\nSTATUS")
    assert "A bur-mun bounced" in flat(now)
    then = play.send("dora", "WHAT IF paris S1901M\nA Par - Pic")
    assert "A par-pic ok" in flat(then)
    one_line = play.send("dora", "WHAT IF A Bur - Pic")
    assert "A bur-pic ok" in flat(one_line)


def test_talk_is_no_trial(play: Play) -> None:
    play.start()
    letter = play.send("ann", "What if you move A Par - Bur?\nA Vie - Gal")
    assert "what these orders would lead to" not in flat(letter)
    assert [str(order) for order in game(play).orders["Austria"]] == ["A vie - gal"]


def test_why_no_order_can_be_tried_is_folded_once(play: Play) -> None:
    play.start("BLANK BOARD")
    text = play.send("ann", "WHAT IF\nA Par - Bur").text
    problem = text.partition("      > A Par - Bur\n")[2].partition("\n    Write")[0]
    lines = problem.splitlines()
    assert len(lines) > 1
    assert all(len(line) > 45 for line in lines[:-1])


def test_a_trial_needs_orders_and_a_day_has_so_many(play: Play) -> None:
    play.start()
    assert "no order below WHAT IF" in flat(play.send("ann", "WHAT IF\nA Foo - Bar"))
    play.judge.profile = structs.replace(play.judge.profile, limits=Limits(what_if=2))
    for _ in range(2):
        assert "A vie-" in flat(play.send("ann", "WHAT IF\nA Vie - Gal"))
    assert "2 answers to WHAT IF" in flat(play.send("ann", "WHAT IF\nA Vie - Gal"))
    assert "A vie-" in flat(play.send("bob", "WHAT IF\nA Vie - Gal"))
    play.clock.advance(days=1, seconds=1)
    assert "A vie-" in flat(play.send("ann", "WHAT IF\nA Vie - Gal"))


def _move_out_of_sight(play: Play) -> None:
    """Let units and centers be others, where Austria sees nothing."""
    state = game(play)
    units = {**state.opened.units, "England": (Unit("F", "nrg"), Unit("A", "wal"))}
    units["France"] = (*units["France"], Unit("A", "pic"))
    centers = {**state.opened.centers, "England": ("lon",), "France": ("par",)}
    state.open(replace(state.opened, units=units, centers=centers))
    state.save()


@pytest.mark.parametrize("options", ["", "BLIND"])
def test_what_others_hide_changes_no_byte(tmp_path: Path, options: str) -> None:
    letters = []
    for world in "ab":
        (tmp_path / world).mkdir()
        play = Play(tmp_path / world)
        start = play.start(options)["ann"]
        lines = {"a": "F Lon - Nth\nA Lvp H", "b": "F Lon - Eng\nA Lvp - Wal\nSET WAIT"}[world]
        play.send("bob", lines)
        if options and world == "b":
            with play.storage.transaction():
                _move_out_of_sight(play)
        lines = "A Vie - Tyr\nA Ven - Tri\nF Lon - Nth\nA Par - Bur\nA Pic H\nA Mun S A Par - Bur"
        letters.append(play.send("ann", f"WHAT IF\n{lines}", answers=start))
    if options:
        assert "Army Paris" not in letters[0].text
        assert "A ven-tri" in flat(letters[0])
    assert letters[0].raw == letters[1].raw


def test_who_sees_nothing_of_a_blind_game_tries_nothing(play: Play) -> None:
    play.start("BLIND")
    play.send("zoe", "REGISTER\nName: Zoe\nEND")
    assert "Only players of paris" in flat(play.send("zoe", "WHAT IF paris\nA Vie - Gal"))
    assert "Only players of paris" in flat(play.send("zoe", "FORK paris"))
    assert not [each for each in play.storage.games.all() if each.name.startswith("solo")]


def test_it_adjudicates_as_judge_adjudicate_does() -> None:
    done = agrees(60, seed=3)
    assert min(done.values()) >= 5, done


# Games of one person


def test_one_person_plays_all_powers_and_steps_forward_and_back(play: Play) -> None:
    assert "is yours alone" in flat(play.send("eve", "CREATE ?lab SOLO"))
    play.send("bob", "REGISTER\nName: Bob\nEND")
    for line in ("MAP lab", "OBSERVE lab", "HISTORY lab", "WHAT IF lab\nA Par - Bur", "JOIN lab"):
        assert "No game is called lab" in flat(play.send("bob", line)), line
    (start,) = [letter for letter in play.run() if letter.kind == "start"]
    assert "ou play Austria, England, France" in flat(start)
    assert not game(play, "lab").settings.listed
    reply = play.send("eve", "A Par - Bur\nA Mun - Bur")
    assert "NO ORDER YET" in reply.text
    assert "where each can go" not in reply.text
    assert len(reply.raw) < 40_000
    play.run()
    assert game(play, "lab").game.phase == "S1901M"
    play.send("eve", "PROCESS")
    state = game(play, "lab")
    assert state.game.phase == "F1901M"
    assert Unit("A", "par") in state.opened.units["France"]
    play.send("eve", "ROLLBACK")
    play.run()
    state = game(play, "lab")
    assert state.game.phase == "S1901M"
    assert [str(order) for order in state.orders["France"]] == ["A par - bur"]
    play.send("eve", "\n".join(["A Mun H", "PROCESS"]))
    assert Unit("A", "bur") in game(play, "lab").opened.units["France"]
    lines = [f"{unit} H" for units in game(play, "lab").opened.units.values() for unit in units]
    play.send("eve", "\n".join(lines))
    play.run()
    assert game(play, "lab").game.phase == "S1902M"
    assert not play.storage.reliability_log.of_game(state.game.id)


def test_a_board_of_ones_own_takes_settings_and_nobody_else(play: Play) -> None:
    play.send("eve", "CREATE ?lab hundred, SOLO, BLIND")
    play.run()
    state = game(play, "lab")
    assert (state.game.variant, state.settings.blind, len(state.seats)) == ("hundred", True, 3)
    play.send("bob", "JOIN lab")
    assert len(game(play, "lab").seats) == 3


def test_who_shares_a_game_does_not_step_through_it(play: Play) -> None:
    play.send("eve", "CREATE ?duo, PLAYERS 2\nJOIN duo")
    play.send("bob", "JOIN duo")
    play.run()
    phase = game(play, "duo").game.phase
    play.send("eve", f"PROCESS {phase}")
    assert game(play, "duo").game.phase == phase


def test_a_game_for_one_player_starts(play: Play) -> None:
    play.send("max", "CREATE ?lab, PLAYERS 1")
    play.send("eve", "JOIN lab")
    letters = play.run()
    start = next(letter for letter in letters if letter.kind == "start" and "eve" in letter.to)
    assert "PRESS TO" not in start.text
    assert "PRESS TO" not in start.contents("text/html")[0]
    play.send("eve", "A Par - Bur")
    play.send("eve", "PROCESS NOW")
    assert game(play, "lab").game.phase == "S1901M"
    play.send("max", "PROCESS S1901M")
    assert Unit("A", "bur") in game(play, "lab").opened.units["France"]


def test_a_board_of_a_past_phase_leaves_the_game_as_it_was(play: Play) -> None:
    play.start("BLIND")
    play.send("cleo", "A Par - Bur")
    play.send("max", "PROCESS S1901M")
    play.send("max", "PROCESS F1901M")
    play.sure("max", "TERMINATE paris")
    play.run()
    before = game(play).game
    assert "Name the phase of paris" in flat(play.send("zoe", "FORK paris"))
    forked = play.send("zoe", "FORK paris F1901M")
    name = next(each.name for each in play.storage.games.all() if each.name.startswith("solo"))
    assert name in forked.text
    state = game(play, name)
    assert state.game.phase == "F1901M"
    assert Unit("A", "bur") in state.opened.units["France"]
    assert {seat.power for seat in state.seats} == set(state.variant.powers)
    play.send("zoe", f"SIGN ON {name}\nA Bur - Mun\nPROCESS")
    assert game(play, name).game.phase == "S1902M"
    play.send("zoe", f"SIGN ON {name}\nROLLBACK")
    assert game(play, name).game.phase == "F1901M"
    assert structs.replace(game(play).game, version=before.version) == before


def forks(play: Play) -> list[State]:
    """The games that began with a phase of another one."""
    names = [each.name for each in play.storage.games.all() if each.name.startswith("solo")]
    return [game(play, name) for name in names]


@pytest.mark.parametrize("options", ["", "BLIND", "GUNBOAT"])
def test_a_board_of_a_running_game_has_nothing_that_others_hide(
    tmp_path: Path, options: str
) -> None:
    told = []
    for world in "ab":
        (tmp_path / world).mkdir()
        play = Play(tmp_path / world)
        start = play.start(options)["ann"]
        play.send("ann", "A Vie - Gal", answers=start)
        bob = {"a": "F Lon - Nth\nA Lvp H", "b": "F Lon - Eng\nPHASE F1901M\nF Eng - Bel\nSET WAIT"}
        play.send("bob", bob[world])
        move, word = {"a": ("A Par - Bur", "Brest"), "b": ("A Par H", "Burgundy")}[world]
        play.send("cleo", f"{move}\nPRESS TO England\nI think of {word}.\nENDPRESS")
        if options == "BLIND" and world == "b":
            with play.storage.transaction():
                _move_out_of_sight(play)
        play.letters()
        reply = play.send("ann", "FORK\nMAP\nSTATUS", answers=start)
        (fork,) = forks(play)
        play.run()
        letters = [each.raw for each in play.letters() if "ann" in each.to and "solo" in each.text]
        told.append((reply.raw, letters, fork.opened, fork.orders, fork.game.settings))
    assert told[0] == told[1]
    (_, _, opened, orders, _) = told[0]
    assert not any(orders.values())
    assert bool(opened.units["France"]) is (options != "BLIND")
    assert len(opened.units["Austria"]) == 3


def test_a_board_begins_where_a_running_game_stands_and_leaves_it_alone(play: Play) -> None:
    start = play.start()["ann"]
    play.send("cleo", "A Par - Bur")
    play.send("max", "PROCESS S1901M")
    play.send("ann", "A Vie - Gal", answers=start)
    before = game(play).game
    play.letters()
    assert "begins with Fall 1901" in flat(play.send("ann", "FORK\nA Bur - Mun", answers=start))
    (board,) = [each for each in play.letters() if each.kind == "start"]
    assert "France: F bre, A mar, A bur" in board.text
    (fork,) = forks(play)
    assert fork.game.phase == "F1901M"
    assert [str(order) for order in fork.orders["France"]] == ["A bur - mun"]
    assert {seat.person_id for seat in fork.seats} == {fork.seats[0].person_id}
    assert structs.replace(game(play).game, version=before.version) == before
    assert [str(order) for order in game(play).orders["Austria"]] == ["A vie - gal"]
    assert not game(play).orders.get("France")
    assert f"No game is called {fork.game.name}" in flat(play.send("bob", f"MAP {fork.game.name}"))


def test_a_board_of_a_blind_game_can_be_played_on(play: Play) -> None:
    start = play.start("BLIND")["ann"]
    assert "nothing but what you see" in flat(play.send("ann", "FORK", answers=start))
    (fork,) = forks(play)
    assert not fork.opened.units["England"]
    for phase in ("F1901M", "S1902M"):
        play.send("ann", f"SIGN ON {fork.game.name}\nPROCESS")
        assert game(play, fork.game.name).game.phase == phase


def test_who_has_nothing_left_in_a_blind_game_has_no_board_of_it(play: Play) -> None:
    start = play.start("BLIND")["ann"]
    with play.storage.transaction():
        state = game(play)
        none: dict[str, tuple[str, ...]] = {"Austria": ()}
        units = {**state.opened.units, "Austria": ()}
        state.open(replace(state.opened, units=units, centers={**state.opened.centers, **none}))
        state.save()
    assert "You see no unit" in flat(play.send("ann", "FORK", answers=start))
    assert not forks(play)


def test_what_is_alike_for_several_powers_is_said_once(play: Play) -> None:
    play.send("ann", "CREATE ?box solo")
    start = next(letter for letter in play.run() if letter.kind == "start")
    assert len(start.text) <= 2500
    # A board would have more than that by itself: MAP brings it.
    assert len(start.raw) <= 45_000
    assert "cid:" not in start.contents("text/html")[0]
    assert start.text.count("for example:") == 1
    assert "Seal" not in start.text
    answer = play.answer("ann", "A vie - gal\nA mun - bur")
    assert len(answer.text) <= 1200
    assert "[!] 20 orders are missing." in answer.text
    assert "F bre" not in answer.text
    assert "Seal" not in answer.text
    for html in (start.contents("text/html")[0], answer.contents("text/html")[0]):
        assert "Nobody sees" not in html
    processed = play.answer("ann", "PROCESS")
    assert len(processed.text) <= 1200
    assert "22 orders are missing" in processed.text
    assert "Austria: A vie-gal" in processed.text
    assert "held" not in processed.text
    back = play.answer("ann", "BACK")
    assert len(back.text) <= 1200
    assert game(play, "box").game.phase == "S1901M"
    assert "BACK" not in play.answer("ann", "what now?").text


def test_answers_to_who_plays_all_powers_stay_short(play: Play) -> None:
    """In a fall and its winter, too, when there is most to tell."""
    play.send("ann", "CREATE ?box solo")
    play.run()
    lines: list[str] = []
    while (state := game(play, "box")).game.phase != "S1902M":
        assert state.game.phase is not None
        for power in state.owed:
            lines += map(str, orders_of(state.variant, state.opened, power, "easy", seed=4))
        said = [("\n".join([*lines, "PROCESS"]), True)]
        said += [("BACK", False), ("STATUS", False), ("what now?", False), ("PROCESS", True)]
        for text, steps in said:
            play.clock.advance(hours=1)
            answer = play.answer("ann", text)
            assert len(answer.text) <= 1200, answer.text
            assert "which is over" not in answer.text
            assert steps == ("I adjudicated" in answer.text)
            assert not (steps and "> A " in answer.text), "the results say what was ordered"
        lines = []


def test_orders_that_are_changed_are_shown_once(play: Play) -> None:
    play.send("ann", "CREATE ?box solo\nSET WAIT")
    play.run()
    state = game(play, "box")
    units = [unit for held in state.opened.units.values() for unit in held]
    play.answer("ann", "SET WAIT\n" + "\n".join(f"{unit} H" for unit in units))
    legal = {
        unit: orders
        for power in state.owed
        for unit, orders in legal_orders(state.variant, state.opened, power).items()
    }
    answer = play.answer("ann", "\n".join(str(legal[unit][-1]) for unit in units))
    assert len(answer.text) <= 1200, answer.text
    for unit in units:
        assert str(legal[unit][-1]) in flat(answer)


def test_supports_that_do_not_fit_are_named_once_however_many_they_are(play: Play) -> None:
    play.send("ann", "CREATE ?box solo")
    play.run()
    lines = [
        "A bud S A vie - tri",
        "A vie S A bud - tri",
        "F edi S F lon - yor",
        "A par S A mar - gas",
    ]
    answer = play.answer("ann", "\n".join(lines))
    assert answer.text.count("Look again") == 1
    assert "Likewise 2 more orders" in answer.text
    assert len(answer.text) <= 1200


@pytest.mark.parametrize("board", ["modern", "colonial"])
def test_a_long_list_of_orders_that_do_not_fit_is_short_too(play: Play, board: str) -> None:
    play.send("ann", f"CREATE ?box {board} solo")
    play.run()
    (game,) = play.storage.games.all()
    state = State(play.storage, game)
    lines = [
        str(next(each for each in orders if isinstance(each, Support) and each.to))
        for power in state.variant.played
        for orders in legal_orders(state.variant, state.opened, power).values()
        if any(isinstance(each, Support) and each.to for each in orders)
    ]
    for text in ("\n".join(lines), "STATUS"):
        answer = play.answer("ann", text)
        assert "Likewise" in answer.text
        assert len(answer.text) <= 1200, answer.text


def test_back_leads_to_a_phase_in_which_there_was_something_to_decide(play: Play) -> None:
    play.send("ann", "JOIN PRACTICE")
    play.run()
    while game(play, "practice1").game.phase != "S1902M":
        play.answer("ann", "PROCESS")
    ran = play.storage.history.last(game(play, "practice1").game.id)
    assert ran is not None
    assert ran.phase == "W1901A"
    play.answer("ann", "BACK")
    assert game(play, "practice1").game.phase == "F1901M"
    play.answer("ann", "BACK")
    assert game(play, "practice1").game.phase == "S1901M"


def reminded(play: Play) -> Received:
    """The next reminder."""
    while True:
        for letter in play.wake():
            if letter.kind == "reminder":
                return letter


@pytest.mark.parametrize("line", ["JOIN PRACTICE", "CREATE ?box solo"])
def test_where_nobody_waits_calendars_tell_no_deadline_and_reminders_are_short(
    play: Play, line: str
) -> None:
    play.send("ann", line)
    letters = [*play.run(), *play.wake(), *play.wake()]
    quiet = [each for each in letters if each.kind in ("reminder", "abandoned")]
    assert len(quiet) == 2
    for letter in quiet:
        assert len(letter.text) <= 1200
        assert len(letter.raw) <= 12_000
    assert not [each for letter in letters for each in letter.contents("text/calendar")]


def test_a_reminder_of_a_sandbox_says_what_is_ordered_and_what_is_left(play: Play) -> None:
    play.send("ann", "CREATE ?box solo")
    play.run()
    play.answer("ann", "A par - bur")
    reminder = reminded(play)
    for part in (reminder.text, *reminder.contents("text/html")):
        assert "A par - bur" in part
        assert "A mar" in part
        assert "LEGAL MOVES" in part
    play.answer("ann", "PROCESS")
    play.answer("ann", "A bur - bel\nPROCESS")
    reminder = reminded(play)
    for part in (reminder.text, *reminder.contents("text/html")):
        assert "B A par" in part


def test_the_end_of_a_sandbox_speaks_of_one_player_and_no_computers(play: Play) -> None:
    play.send("ann", "CREATE ?box solo")
    play.run()
    play.answer("ann", "PROCESS")
    letters = play.run()
    while not [each for each in letters if each.kind == "end"]:
        letters = play.wake()
    (end,) = [each for each in letters if each.kind == "end"]
    for part in (end.text, *end.contents("text/html")):
        assert "You played all powers." in part
        assert "another game against computers" not in " ".join(part.split())
    assert end.text.count("Ann") == 0


def test_a_board_of_many_powers_has_a_short_start_and_status(play: Play) -> None:
    play.send("ann", "CREATE ?box chaos solo")
    start = next(letter for letter in play.run() if letter.kind == "start")
    assert len(start.raw) <= 45_000
    status = play.answer("ann", "STATUS")
    assert status.text.count("Build 1 unit") == 1
    assert "no unit on the board" in status.text
    assert len(status.text) <= 1200
    assert "when you send PROCESS" in flat(play.answer("ann", "SET WAIT"))


@pytest.mark.parametrize("words", ["solo hundred", "hundred, SOLO"])
def test_the_board_of_ones_own_game_may_stand_anywhere(play: Play, words: str) -> None:
    play.send("ann", f"CREATE ?box {words}")
    assert [each.kind for each in play.run() if each.kind == "start"] == ["start"]
    assert "A dij" in play.answer("ann", "STATUS").text, "it tells where all stand"


def test_who_plays_all_powers_hears_of_a_step_in_one_letter(play: Play) -> None:
    play.send("ann", "CREATE ?box solo")
    play.run()
    steps = (
        (
            "A vie - tri\nF tri - adr\nF kie - den\nPROCESS",
            "Austria: A vie-tri, F tri-adr",
            "Austria: A bud, F adr",
        ),
        ("PROCESS", "Denmark to Germany", "B A kie"),
        ("B A kie\nPROCESS", "Germany: B A kie", "Germany: A ber, F den, A mun, A kie"),
        ("BACK", "Winter 1901", "Germany: A ber, F den, A mun"),
    )
    for lines, *told in steps:
        answer = play.answer("ann", lines)
        assert [each for each in told if each not in answer.text] == [], answer.text
        assert [each.kind for each in play.run()] == ["reply"], lines
        pictures = [
            part for part in answer.message.walk() if part.get_filename("").endswith(".png")
        ]
        assert len(pictures) == (lines != "BACK")
    play.send("ann", "SET NO HTML")
    assert not list(play.answer("ann", "PROCESS").message.iter_attachments())


def test_who_plays_against_computers_hears_of_a_step_in_one_letter_with_the_lesson(
    play: Play,
) -> None:
    play.send("ann", "JOIN PRACTICE")
    play.run()
    mine = game(play, "practice1").sheets.missing()[0]
    units = game(play, "practice1").opened.units[mine]
    answer = play.answer("ann", "\n".join([*(f"{unit} H" for unit in units[1:]), "PROCESS"]))
    assert [each.kind for each in play.run()] == ["reply"]
    assert "WHAT TO LEARN FROM IT" in answer.text
    assert f"{mine}: {units[1]}" in answer.text
    assert f"{units[0]}, " in answer.text.partition("where each can go")[2]
    assert len(answer.text) <= 1200
    assert "results are on their way" not in answer.text
    play.answer("ann", "BACK")
    assert [each.kind for each in play.run()] == ["reply"]
    assert game(play, "practice1").game.phase == "S1901M"


@pytest.mark.parametrize("line", ["JOIN PRACTICE", "CREATE ?box solo"])
def test_orders_that_are_right_at_once_are_answered_in_few_bytes(play: Play, line: str) -> None:
    play.send("ann", line)
    (start,) = [letter for letter in play.run() if letter.kind == "start"]
    state = game(play, "box" if "box" in line else "practice1")
    mine = [unit for power in state.sheets.missing() for unit in state.opened.units[power]]
    answer = play.send("ann", "\n".join(f"{unit} H" for unit in mine), answers=start)
    assert "all orders are in" in answer.text.lower()
    assert len(answer.raw) <= 6_000
    if "box" not in line:
        assert "the results are on their way" in flat(answer)
        assert "the results are on their way" in " ".join(answer.contents("text/html")[0].split())


def test_practice_shows_no_seals_and_hides_orders_from_nobody(play: Play) -> None:
    play.send("ann", "JOIN PRACTICE")
    start = next(letter for letter in play.run() if letter.kind == "start")
    for word in ("Seal", "Nobody sees your orders", "TALK TO OTHER PLAYERS"):
        assert word not in start.text
        assert word not in start.contents("text/html")[0]
