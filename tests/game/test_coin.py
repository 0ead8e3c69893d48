"""World War I, the game for two: Italy is nobody's until a coin says whom it joins."""

from __future__ import annotations

import itertools

import pytest
from click.testing import CliRunner

from judge.cli import main
from judge.game.fairness import coin_seal, fall, seal
from judge.game.state import State
from judge.rules.variant import JOINED
from tests.game.play import Play, Received

SIDES = ({"England", "France", "Russia"}, {"Austria", "Germany", "Turkey"})


@pytest.fixture
def two(play: Play) -> Play:
    """The game for two, just started; every seed is another one."""
    number = itertools.count()
    play.judge.seed = lambda: f"seed{next(number)}"
    play.send("max", "CREATE ?paris standard, PLAYERS 2, MOVE DELAY 0 MIN 0\nSET NO DAILY")
    for who in ("ann", "bob"):
        play.send(who, "JOIN paris")
    play.judge.work()
    return play


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def powers_of(play: Play, who: str) -> set[str]:
    person = play.storage.people.by_address(f"{who}@people.example")
    assert person is not None
    return {seat.power or "" for seat in paris(play).seats.of(person.id)}


def hold(play: Play) -> list[Received]:
    """Both order their units to hold, or leave what they may build; the letters that follow."""
    before = paris(play).game.phase
    play.letters()
    for who in ("ann", "bob"):
        state, lines = paris(play), []
        for power in powers_of(play, who) & set(state.owed):
            owed = state.owed[power]
            lines += [f"{unit} H" for unit in owed.units]
            lines += [f"{power}", "waive"] if owed.builds else []
        if lines:
            play.send(who, "\n".join(lines))
    found = play.run()
    while paris(play).game.phase == before:
        found += play.wake()
    return found


def results(letters: list[Received]) -> Received:
    return next(each for each in letters if each.kind == "results" and "ann" in each.to)


def check(letter: Received) -> str:
    outcome = CliRunner().invoke(main, ["fair", "-"], input=letter.message.as_bytes())
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def test_the_seal_of_the_coin_stands_in_the_letter_of_the_start(two: Play) -> None:
    start = next(each for each in two.letters() if each.kind == "start")
    kept = paris(two).game.options.coin
    assert kept is not None
    assert f"Seal: {seal(kept.seed)}" in start.text
    assert kept.seed not in start.text
    assert paris(two).game.phase == "S1914M"
    assert "The draw comes out" in check(start)


def test_italy_is_nobodys_until_it_joins_the_winner_of_the_toss(two: Play) -> None:
    assert powers_of(two, "ann") in SIDES
    spring = hold(two)
    assert "Coin:" not in results(spring).text
    assert JOINED not in paris(two).opened.extra
    fall = results(hold(two))
    # Nobody has anything to build, so that Spring 1915 is open already.
    state = paris(two)
    assert state.game.phase == "S1915M"
    told = check(fall)
    whom = state.opened.extra[JOINED]["Italy"]  # type: ignore[index]
    winner = "ann" if whom in powers_of(two, "ann") else "bob"
    other = "bob" if winner == "ann" else "ann"
    assert "Italy" in powers_of(two, winner)
    assert "Italy" not in powers_of(two, other)
    assert f"The coin falls for {', '.join(sorted(powers_of(two, winner) - {'Italy'}))}" in told
    assert state.powers.condition("Italy") == "played"
    # He orders it as he orders the others, and all of it in one mail.
    reply = two.send(winner, "A ven - pie\nA rom - ven\nF nap H")
    assert "COULD NOT USE" not in reply.text


def test_the_coin_falls_both_ways() -> None:
    sides = (("England",), ("Austria",))
    assert {fall(f"seed{number}", sides) for number in range(20)} == set(sides)


def test_who_writes_another_side_into_the_letter_is_found_out(two: Play) -> None:
    hold(two)
    text = results(hold(two)).text
    number = text.partition("Side: ")[2][0]
    wrong = text.replace(f"Side: {number}", f"Side: {3 - int(number)}")
    outcome = CliRunner().invoke(main, ["fair", "-"], input=wrong.encode())
    assert outcome.exit_code == 1
    assert "DOES NOT FALL so" in outcome.output
    seed = text.partition("Coin: ")[2].split()[0]
    outcome = CliRunner().invoke(main, ["fair", "-"], input=text.replace(seed, "other").encode())
    assert outcome.exit_code == 1
    assert "DOES NOT FIT" in outcome.output


def test_after_a_rollback_the_coin_falls_anew(two: Play) -> None:
    hold(two)
    hold(two)
    first = paris(two).game.options.coin
    two.letters()
    two.send("max", "ROLLBACK F1914M")
    state = paris(two)
    assert JOINED not in state.opened.extra
    assert state.powers.condition("Italy") == "dummy"
    assert "Italy" not in powers_of(two, "ann") | powers_of(two, "bob")
    fresh = state.game.options.coin
    assert first is not None
    assert fresh is not None
    assert fresh.seed != first.seed
    letters = [each for each in two.letters() if each.kind == "rollback"]
    assert all(f"Seal: {seal(fresh.seed)}" in each.text for each in letters)
    two.send("max", "RESTORE")
    state = paris(two)
    assert JOINED in state.opened.extra
    assert state.powers.condition("Italy") == "played"


def test_a_rollback_to_before_the_toss_is_restored_with_what_it_said(two: Play) -> None:
    hold(two)
    two.send("max", "ROLLBACK S1914M")
    assert coin_seal(paris(two)) is not None
    assert JOINED not in paris(two).opened.extra
