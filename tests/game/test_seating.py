"""Fewer people than powers, fewer powers than the board has, and what decides who plays what."""

from __future__ import annotations

from collections import Counter

import pytest
from click.testing import CliRunner

from judge import variants
from judge.cli import main
from judge.game.fairness import assign_powers, read_assignment
from judge.game.state import State
from judge.storage import Role
from tests.game.play import PEOPLE, Play

STANDARD = variants.load("standard")


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def begin(play: Play, options: str, *people: str) -> None:
    play.send("max", f"CREATE ?paris standard, {options}\nSET NO DAILY")
    for who in people:
        play.send(who, "JOIN paris")
    play.judge.work()


@pytest.mark.parametrize("people", range(1, 8))
def test_powers_are_dealt_as_evenly_as_it_goes(people: int) -> None:
    sizes: Counter[int] = Counter()
    for seed in range(20):
        drawn = assign_powers(STANDARD, ["EFG"] * people, str(seed), 7)
        got = [power for powers in drawn.powers for power in powers]
        assert sorted(got) == sorted(STANDARD.powers)
        lengths = [len(powers) for powers in drawn.powers]
        assert max(lengths) - min(lengths) <= 1
        sizes[lengths.index(max(lengths))] += 1
    if 7 % people:
        # Chance says who has one more.
        assert len(sizes) > 1


def test_three_people_play_seven_powers_and_anybody_can_draw_again(play: Play) -> None:
    begin(play, "PLAYERS 3 EVENLY", "ann", "bob", "cleo")
    state = paris(play)
    assert state.game.state == "active"
    held = Counter(seat.person_id for seat in state.seats.active(Role.PLAYER))
    assert sorted(held.values()) == [2, 2, 3]
    start = next(
        each for each in play.letters() if each.kind == "start" and each.to.startswith("ann")
    )
    result = CliRunner().invoke(main, ["fair", "-"], input=start.message.as_bytes())
    assert result.exit_code == 0, result.output
    assert "The draw comes out" in result.output
    ann = play.storage.people.by_address("ann@people.example")
    assert ann is not None
    mine = [seat.power for seat in state.seats.of(ann.id)]
    assert all(f"YOUR FIRST ORDERS ({power})" in start.text for power in mine)


def test_one_person_orders_all_his_powers_and_the_start_can_be_taken_back(play: Play) -> None:
    begin(play, "PLAYERS 2 EVENLY", "ann", "bob")
    state = paris(play)
    ann = play.storage.people.by_address("ann@people.example")
    assert ann is not None
    mine = [seat.power for seat in state.seats.of(ann.id) if seat.power]
    lines = [f"{unit} H" for power in mine for unit in state.opened.units[power]]
    play.send("ann", "\n".join(lines))
    state = paris(play)
    assert all(state.sheets.of(power).complete for power in mine)
    play.sure("max", "UNSTART")
    state = paris(play)
    assert len(state.seats.active(Role.PLAYER)) == 2
    assert not any(seat.power for seat in state.seats.active(Role.PLAYER))
    play.send("max", "START")
    play.judge.work()
    assert len(paris(play).seats.active(Role.PLAYER)) == 7


def test_powers_that_are_not_in_play_are_dummies(play: Play) -> None:
    begin(play, "POWERS 2", "ann", "bob")
    state = paris(play)
    assert state.game.state == "active"
    conditions = Counter(state.powers.condition(power) for power in state.variant.powers)
    assert conditions == {"played": 2, "dummy": 5}
    assert len(state.sheets.missing()) == 2


def test_who_is_missing_leaves_his_share_to_the_caretaker(play: Play) -> None:
    begin(play, "PLAYERS 3, POWERS 6", "ann", "bob")
    play.send("max", "FORCE BEGIN")
    play.judge.work()
    state = paris(play)
    conditions = Counter(state.powers.condition(power) for power in state.variant.powers)
    assert conditions == {"played": 4, "caretaker": 2, "dummy": 1}


@pytest.mark.parametrize(
    ("options", "groups", "standing"),
    [
        ("PLAYERS 4", ["England", "Austria France", "Germany Turkey", "Italy Russia"], ""),
        ("PLAYERS 3", ["Austria England Germany", "Italy Russia", "France Turkey"], ""),
        (
            "RULES 1976, PLAYERS 3-RUSSIA",
            ["Russia", "England France Germany", "Austria Italy Turkey"],
            "",
        ),
        ("PLAYERS 2", ["England France Russia", "Austria Germany Turkey"], "Italy"),
        ("PLAYERS 2, RULES 1976", ["England France Russia", "Austria Germany Turkey"], "Italy"),
        ("PLAYERS 5", ["Austria", "England", "France", "Russia", "Turkey"], "Germany Italy"),
        ("PLAYERS 6", ["Austria", "England", "France", "Germany", "Russia", "Turkey"], "Italy"),
    ],
)
def test_the_games_of_the_books_for_fewer_players(
    options: str, groups: list[str], standing: str, play: Play
) -> None:
    begin(play, options, *PEOPLE[: len(groups)])
    state = paris(play)
    assert state.game.state == "active"
    held: dict[int | None, set[str]] = {}
    for seat in state.seats.active(Role.PLAYER):
        held.setdefault(seat.person_id, set()).add(seat.power or "")
    assert sorted(map(sorted, held.values())) == sorted(sorted(each.split()) for each in groups)
    dummies = [power for power in state.variant.powers if state.powers.condition(power) == "dummy"]
    assert sorted(dummies) == sorted(standing.split())
    assert not set(standing.split()) & set(state.sheets.missing())
    start = next(each for each in play.letters() if each.kind == "start")
    result = CliRunner().invoke(main, ["fair", "-"], input=start.message.as_bytes())
    assert result.exit_code == 0, result.output
    assert "The draw comes out" in result.output


def test_a_group_is_wished_for_by_any_of_its_powers(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, PLAYERS 3\nSET NO DAILY")
    for who, wish in (("ann", "T"), ("bob", "I"), ("cleo", "AGT")):
        play.send(who, f"JOIN paris\nSET PREFERENCE {wish}")
    play.judge.work()
    state = paris(play)
    got = {
        state.seats.person(seat).name.lower(): {
            each.power
            for each in state.seats.active(Role.PLAYER)
            if each.person_id == seat.person_id
        }
        for seat in state.seats.active(Role.PLAYER)
    }
    assert got["ann"] == {"France", "Turkey"}
    assert got["bob"] == {"Italy", "Russia"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("SET PLAYERS 3-RUSSIA", "no game called '3-RUSSIA'"),
        ("SET PLAYERS 4 PAIRS", "no game called '4 PAIRS'"),
        ("SET PLAYERS 9", "does not fit"),
    ],
)
def test_what_no_book_tells_is_refused(line: str, said: str, play: Play) -> None:
    begin(play, "MANUAL START")
    assert said in " ".join(play.send("max", line).text.split())


def test_the_rules_decide_which_lineup_it_is(play: Play) -> None:
    begin(play, "PLAYERS 2, MANUAL START")
    assert paris(play).settings.lineup == "2"
    play.send("max", "SET RULES 1976")
    assert paris(play).settings.lineup == "2-units"
    play.send("max", "SET PLAYERS 3 EVENLY")
    assert paris(play).settings.lineup is None
    play.send("max", "SET PLAYERS NONE")
    assert paris(play).terms.places == 7


@pytest.mark.parametrize(
    ("options", "told"), [("", {"max", "ann"}), (", SECRET", {"max"}), (", APPROVAL", set())]
)
def test_a_full_game_that_waits_for_its_master_says_so(
    play: Play, options: str, told: set[str]
) -> None:
    begin(play, f"PLAYERS 2 EVENLY, MANUAL START{options}", "ann", "bob")
    full = {each.to.partition("@")[0]: each.text for each in play.letters() if each.kind == "full"}
    assert set(full) == told
    if told:
        assert "Reply START to begin" in full["max"]
        assert all("when its game master says so" in full[who] for who in told - {"max"})


@pytest.mark.parametrize(
    ("option", "wishes"), [("PRFLIST", {"F", "-"}), ("PRFRAND", {"*"}), ("PRFBOTH", {"F", "*"})]
)
def test_what_counts_of_the_wishes(play: Play, option: str, wishes: set[str]) -> None:
    begin(play, f"POWERS 2, {option}, MANUAL START", "ann", "bob")
    play.send("ann", "SET PREFERENCE F")
    play.send("max", "START")
    play.judge.work()
    start = next(each for each in play.letters() if each.kind == "start")
    printed, _ = read_assignment(start.text)
    assert set(printed.preferences) == wishes


@pytest.mark.parametrize(
    "line", ["PLAYERS 8", "PLAYERS 1", "PLAYERS some", "POWERS 8", "POWERS 0", "POWERS 1"]
)
def test_numbers_must_fit_the_board_and_who_is_there(play: Play, line: str) -> None:
    begin(play, "MANUAL START", "ann", "bob")
    assert "does not fit" in play.send("max", f"SET {line}").text


def test_players_cannot_have_fewer_powers_than_there_are_of_them(play: Play) -> None:
    begin(play, "PLAYERS 5", "ann")
    text = " ".join(play.send("max", "SET POWERS 4").text.split())
    assert "he game is for 5 players, who cannot have fewer powers than that" in text
