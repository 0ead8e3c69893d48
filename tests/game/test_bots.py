"""Computer players in games: practice, free places, and powers that people take over."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.game import bots
from judge.game.people import lateness
from judge.game.state import State
from judge.rules.phase import Phase
from judge.rules.position import Unit
from judge.storage import Role, SeatState, Vote
from tests.game.play import Play


def game(play: Play, name: str) -> State:
    found = play.storage.games.by_name(name)
    assert found is not None
    return State(play.storage, found)


def own(state: State, who: str) -> str:
    person = state.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    (seat,) = state.seats.of(person.id)
    assert seat.power is not None
    return seat.power


def hold(play: Play, name: str, who: str) -> None:
    """Order what changes least, and let the judge work."""
    play.send(who, hold_lines(play, name, who))
    play.run()


def hold_lines(play: Play, name: str, who: str) -> str:
    """The orders that change least."""
    state = game(play, name)
    owed = state.owed[own(state, who)]
    lines = [f"{unit} H" for unit in owed.units] if state.opened.phase.kind.value == "M" else []
    lines += [f"{unit} D" for unit in owed.units if not lines]
    lines += ["WAIVE"] if owed.builds else []
    lines += [f"D {u}" for u in state.opened.units[own(state, who)][: owed.removals]]
    return "\n".join([f"SIGN ON {own(state, who)}@{name}", *(lines or ["SET NO WAIT"])])


def play_on(play: Play, name: str, who: str, phases: int) -> None:
    for _ in range(phases):
        hold(play, name, who)


@pytest.mark.parametrize("board", ["standard", "era", "global"])
def test_a_practice_game_begins_at_once_and_waits_for_its_player_only(
    play: Play, board: str
) -> None:
    answer = play.send("ann", f"JOIN PRACTICE {board}, easy")
    assert "practice1" in answer.text
    letters = play.run()
    assert [letter.kind for letter in letters if letter.to == "ann@people.example"][-1] == "start"
    assert "Bot Ada, a computer" in letters[-1].text
    before = game(play, "practice1")
    assert before.sheets.missing() == [own(before, "ann")]
    play_on(play, "practice1", "ann", 4)
    state = game(play, "practice1")
    calendar = state.variant.calendar
    assert calendar.key(state.opened.phase) > calendar.key(before.opened.phase)
    assert {*state.sheets.missing(), *state.sheets.undecided()} == {own(state, "ann")}
    assert {letter.to for letter in play.letters()} <= {"ann@people.example"}
    assert not play.storage.reliability_log.of_game(state.game.id)


def test_what_computers_alone_decide_comes_with_the_next_phase_of_its_player(play: Play) -> None:
    play.send("ann", "JOIN PRACTICE standard, easy")
    play.run()
    play.letters()
    ran = []
    for _ in range(6):
        play.send("ann", hold_lines(play, "practice1", "ann"))
        (letter,) = [each for each in play.run() if each.kind == "results"]
        state = game(play, "practice1")
        assert own(state, "ann") in state.owed
        history = state.storage.history.of_game(state.game.id)
        ran.append([run.phase for run in history if run.results["orders"]][-1])
        assert letter.told.endswith(f"phase={ran[-1]}")
        assert "HELP fairness" not in letter.contents("text/html")[0]
    assert {each[-1] for each in ran} >= {"M", "A"}


def test_nobody_else_sees_a_practice_game_without_an_invitation(play: Play) -> None:
    play.send("ann", "JOIN PRACTICE hundred")
    play.run()
    play.send("bob", "REGISTER\nName: Bob\nEND")
    taken = own(game(play, "practice1"), "ann").lower()
    for line in (
        "OBSERVE practice1", "MONITOR practice1", "JOIN practice1", "LIST practice1",
        "WHO practice1", "MAP practice1", "HISTORY practice1",
        "SUMMARY practice1", "WHAT IF practice1",
        f"TAKE OVER {taken}@practice1", f"SIGN ON {taken}@practice1", "TAKE OVER practice1",
    ):  # fmt: skip
        text = " ".join(play.send("bob", line).text.split())
        assert "No game is called practice1" in text, line
    assert "practice1" not in play.send("bob", "LIST").text
    play.answer("ann", "INVITE bob@people.example\nINVITE lee@people.example")
    letters = play.run()
    assert "watch" in play.send("bob", "OBSERVE practice1").text
    letter = next(each for each in letters if each.to.startswith("lee"))
    assert "to watch practice1" in letter.subject
    play.send("lee", "YES", answers=letter)
    watching = [seat.role for seat in game(play, "practice1").seats.active(Role.OBSERVER)]
    assert len(watching) == 2


def test_one_practice_game_at_a_time(play: Play) -> None:
    play.send("ann", "JOIN PRACTICE hundred")
    refused = " ".join(play.send("ann", "JOIN PRACTICE").text.split())
    assert "practice1 already" in refused
    assert "RESIGN practice1" in refused
    play.send("bob", "JOIN PRACTICE hundred easy")
    assert {seat.options.bot for seat in game(play, "practice2").seats} == {None, "easy"}
    play.run()
    play.sure("bob", "SIGN ON practice2\nRESIGN")
    play.run()
    assert game(play, "practice2").game.state == "ended"
    assert "practice3" in play.send("bob", "JOIN PRACTICE hundred").text


@pytest.mark.parametrize("words", ["standard, brutal", "brutal standard"])
def test_beside_a_board_another_word_is_a_level(play: Play, words: str) -> None:
    said = " ".join(play.send("ann", f"JOIN PRACTICE {words}").text.split())
    assert "the levels are easy, normal, and hard" in said
    assert "Did you mean" not in said


def test_what_people_call_their_games_does_not_lead_astray(play: Play) -> None:
    play.send("max", "CREATE ?practice7")
    play.send("max", "CREATE ?practices")
    assert "practice8" in play.send("ann", "JOIN PRACTICE hundred").text


def test_what_is_no_board_is_refused(play: Play) -> None:
    answer = play.send("ann", "JOIN PRACTICE atlantis")
    assert "atlantis" in answer.text
    assert "HELP boards" in answer.text
    assert "Did you mean chaos" in play.send("ann", "JOIN PRACTICE choas").text
    assert play.storage.games.by_name("practice1") is None


def begin(play: Play, count: str, options: str = "hundred") -> None:
    play.send("max", f"CREATE ?paris {options}\nSET NO DAILY")
    play.send("ann", "JOIN paris")
    play.send("max", f"SET BOTS {count}")
    play.run()


def test_computers_take_places_and_leave_them(play: Play) -> None:
    begin(play, "1 hard")
    assert [seat.options.bot for seat in game(play, "paris").seats.active(Role.PLAYER)] == [
        None,
        "hard",
    ]
    assert "room for 2 computers" in play.send("max", "SET BOTS 3").text
    assert "how many" in play.send("max", "SET BOTS many").text
    play.send("max", "SET BOTS 0")
    assert len(game(play, "paris").seats.active(Role.PLAYER)) == 1
    play.send("max", "SET BOTS 2 easy")
    play.run()
    state = game(play, "paris")
    assert state.game.state == "active"
    assert state.sheets.missing() == [own(state, "ann")]
    play.sure("max", "UNSTART")
    players = game(play, "paris").seats.active(Role.PLAYER)
    assert sum(seat.options.bot is not None for seat in players) == 2


def test_a_person_takes_over_from_a_computer_with_its_orders(play: Play) -> None:
    begin(play, "2", "hundred, NO CARETAKER")
    state = game(play, "paris")
    power = next(p for p, seat in state.seats.players().items() if seat.options.bot)
    before = state.orders[power]
    play.send("bob", "REGISTER\nName: Bob\nEND")
    play.send("bob", f"TAKE OVER {power.lower()}@paris")
    state = game(play, "paris")
    assert own(state, "bob") == power
    assert state.orders[power] == before
    assert not any(seat.wait for seat in state.seats)
    assert [seat.state for seat in state.seats if seat.power == power] == [
        SeatState.REPLACED,
        SeatState.ACTIVE,
    ]


def test_computers_fill_powers_that_were_left(play: Play) -> None:
    play.send("max", "CREATE ?paris hundred\nSET NO DAILY")
    for who in ("ann", "bob", "cleo"):
        play.send(who, "JOIN paris")
    play.run()
    gone = own(game(play, "paris"), "bob")
    play.sure("bob", "RESIGN paris")
    assert "room for 1 computer" in play.send("max", "SET BOTS 2").text
    deadline = game(play, "paris").game.deadline
    assert deadline is not None
    play.clock.set(deadline - timedelta(hours=1))
    assert gone in play.send("max", "SET BOTS 1 easy").text
    # A computer has no address: nobody is told that it cannot be reached.
    assert "unreached" not in {each.kind for each in play.run()}
    state = game(play, "paris")
    assert state.seats.players()[gone].options.bot
    assert not state.powers.vacant()
    assert state.sheets.of(gone).complete


def test_a_game_without_people_ends(play: Play) -> None:
    begin(play, "2")
    assert lateness.is_played(game(play, "paris"))
    play.sure("ann", "RESIGN paris")
    assert not lateness.is_played(game(play, "paris"))
    play.run()
    assert game(play, "paris").game.state == "ended"


def test_who_writes_to_a_computer_is_told_so(play: Play) -> None:
    begin(play, "2")
    state = game(play, "paris")
    power = next(p for p, seat in state.seats.players().items() if seat.options.bot)
    text = f"SIGN ON {own(state, 'ann')}@paris\nPRESS TO {power}\nHi!\nENDPRESS"
    answer = play.send("ann", text)
    assert f"A computer plays {power}: it reads no press." in answer.text


def test_computers_agree_to_a_draw_after_three_years_unless_they_lead(play: Play) -> None:
    begin(play, "2 easy")
    state = game(play, "paris")
    first, second = (power for power, seat in state.seats.players().items() if seat.options.bot)

    def votes(year: int, centers: dict[str, tuple[str, ...]]) -> dict[str, Vote | None]:
        state = game(play, "paris")
        opened = replace(state.opened, phase=Phase.read(f"S{year}M"), centers=centers)
        state.open(opened)
        bots.file(state, play.clock.now(), [(task, ()) for task in bots.tasks(state)])
        return {power: state.seats.players()[power].draw for power in (first, second)}

    owned = {first: ("par", "tou"), second: ("dij",)}
    with play.storage.transaction():
        assert votes(1445, owned) == {first: None, second: None}
        assert votes(1455, owned) == {first: None, second: Vote("all")}


def test_years_before_christ_count_down_for_computers_too(play: Play) -> None:
    begin(play, "3 easy", "sail_ho")
    state = game(play, "paris")
    with play.storage.transaction():
        for year, votes in ((400, 0), (398, 0), (397, 3)):
            state.open(replace(state.opened, phase=Phase.read(f"S{year}M")))
            bots.file(state, play.clock.now(), [(task, ()) for task in bots.tasks(state)])
            seats = state.seats.players().values()
            assert sum(seat.draw is not None for seat in seats) == votes


def test_a_computer_that_was_cut_short_thinks_the_same_again(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    think, thought = bots.think, []

    def dies(task: bots.Task) -> list[object]:
        thought.append((task.power, think(task)))
        raise MemoryError

    monkeypatch.setattr(bots, "think", dies)
    play.send("max", "CREATE ?paris hundred\nSET NO DAILY")
    play.send("ann", "JOIN paris")
    play.send("max", "SET BOTS 2 normal")
    state = game(play, "paris")
    with pytest.raises(MemoryError):
        play.judge.run_game(state.game.id)
    state = game(play, "paris")
    assert state.game.state == "active"
    assert not state.orders
    monkeypatch.undo()
    play.run()
    (power, orders), *_ = thought
    assert game(play, "paris").orders[power] == orders


def test_a_computer_sees_what_its_power_sees(play: Play) -> None:
    begin(play, "6 easy", "standard, blind")
    state = game(play, "paris")
    power = next(p for p, seat in state.seats.players().items() if seat.options.bot)
    with play.storage.transaction():
        state.on_file.drop(str(state.opened.phase))
    tasks = {task.power: task for task in bots.tasks(game(play, "paris"))}
    seen = tasks[power].position.units
    assert seen[power] == state.opened.units[power]
    assert sum(map(len, seen.values())) < sum(map(len, state.opened.units.values()))


# Two worlds that differ in what computers must not know


KNOWN = "A Vie - Gal\nA Bud - Ser\nF Tri - Alb"
SECRETS = (
    ("ann", f"{KNOWN}\nSET WAIT\nSET DRAW"),
    ("bob", "F Lon - Nth\nPRESS TO F\nShall we hit Turkey?\nENDPRESS"),
    ("cleo", "A Par - Bur\nDIARY\nI trust no computer.\nENDDIARY\nSET CONCEDE E"),
)


def told_by_computers(folder: Path, options: str, busy: bool) -> list[object]:
    """What computers that play Russia and Turkey know, order, and answer, in one of the worlds."""
    folder.mkdir()
    play = Play(folder)
    play.send("max", f"CREATE ?paris {options}\nSET NO DAILY")
    for who, letter in zip(("ann", "bob", "cleo", "dora", "emil"), "AEFGI", strict=True):
        play.send(who, f"JOIN paris\nSET PREFERENCE {letter}")
    play.send("max", "SET BOTS 2 normal")
    play.run()
    state = game(play, "paris")
    assert sorted(state.sheets.bots_owing()) == []
    if busy:
        for who, text in SECRETS:
            play.send(who, text)
    with play.storage.transaction():
        state = game(play, "paris")
        orders = {power: state.orders[power] for power in ("Russia", "Turkey")}
        if busy and "blind" in options:
            units = {**state.opened.units, "England": (Unit("F", "nrg"), Unit("A", "wal"))}
            centers = {**state.opened.centers, "England": ("lon",), "France": ("par",)}
            state.open(replace(state.opened, units=units, centers=centers))
        for power, unit in (("Russia", "F sev"), ("Turkey", "A con")):
            # They think once more, after the others have written.
            left = [order for order in orders[power] if str(getattr(order, "unit", "")) != unit]
            state.file(power, left, play.clock.now(), None)
        state.save()
    tasks = sorted(bots.tasks(game(play, "paris")), key=lambda task: task.power)
    assert [task.power for task in tasks] == ["Russia", "Turkey"]
    thought = [(task.position, task.seed, list(map(str, bots.think(task)))) for task in tasks]
    play.letters()
    answers = play.send("dora", "PRESS TO R, T\nWhat will you do?\nENDPRESS")
    heard = [answers, *(each for each in play.letters() if each.to.startswith("dora"))]
    return [*thought, *(each.text for each in heard)]


@pytest.mark.parametrize("options", ["standard", "standard, blind", "standard, gunboat, blind"])
def test_what_others_hide_changes_nothing_of_a_computer(tmp_path: Path, options: str) -> None:
    quiet, busy = (told_by_computers(tmp_path / f"{busy}", options, busy) for busy in (False, True))
    assert quiet == busy
