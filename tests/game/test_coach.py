"""What a newcomer hears in the first year of a practice game, and nobody else."""

from __future__ import annotations

from judge.game.state import State
from judge.game.visibility.eyes import JUDGE, Eyes
from judge.language.read import read_order
from judge.messages.coach import coaching
from judge.messages.views import samples
from judge.rules.board import province_of
from judge.rules.orders import Move, place
from tests.game.play import Play, Received, flat


def practice(play: Play) -> State:
    game = play.storage.games.by_name("practice1")
    assert game is not None
    return State(play.storage, game)


def own(play: Play) -> str:
    state = practice(play)
    return next(power for power, seat in state.seats.players().items() if not seat.options.bot)


def last(letters: list[Received]) -> Received:
    return [letter for letter in letters if letter.kind in ("start", "results")][-1]


def hold(play: Play) -> list[Received]:
    """Let all units hold, the second one but walk into the first."""
    state = practice(play)
    units = state.opened.units[own(play)]
    lines = [f"{units[1]} - {units[0].province}", *(f"{u} H" for u in (units[0], *units[2:]))]
    play.answer("ann", "\n".join(lines if state.opened.phase.kind.value == "M" else ["WAIVE"] * 3))
    return play.run()


def test_the_first_year_coaches_and_then_points_to_people(play: Play) -> None:
    play.send("ann", "JOIN PRACTICE")
    start = last(play.run())
    assert "FOR YOUR FIRST YEAR" in start.text
    assert "after a fall turn" in flat(start)
    state = practice(play)
    for power in state.variant.powers:
        told = coaching(state, Eyes(state, JUDGE), [power])
        assert told is not None
        moves = [read_order(row["line"], state.variant, state.opened.phase) for row in told["near"]]
        goals = [province_of(move.to) for move in moves if isinstance(move, Move)]
        assert len(goals) == len(moves) == len(set(goals)), (power, told)
        assert moves or power in ("Italy", "England"), power
    # It waits for nobody but its one player.
    assert "take over" not in flat(start)
    assert "FIRST YEAR" in start.contents("text/html")[0]
    wrong = play.answer("ann", "A Foo - Bar")
    assert "HOW TO WRITE IT" in wrong.text
    results = last(hold(play))
    assert "was in the way and had no order to leave" in flat(results)
    assert "was in the way and had no order to leave" in results.contents("text/html")[0]
    assert "PLAY WITH PEOPLE" not in results.text
    while practice(play).opened.phase.year == 1901:
        letters = hold(play)
    over = last(letters)
    assert "PLAY WITH PEOPLE" in over.text
    assert "LIST" in over.text
    later = last(hold(play))
    assert not [word for word in ("PLAY WITH PEOPLE", "LEARN FROM IT") if word in later.text]
    assert "HOW TO WRITE IT" not in play.answer("ann", "A Foo - Bar").text


def test_it_speaks_the_languages(play: Play) -> None:
    play.send("ann", "REGISTER\nName: Ann\nLanguage: de\nEND")
    play.send("ann", "JOIN PRACTICE")
    assert "FÜR DEIN ERSTES JAHR" in last(play.run()).text


def test_games_of_people_coach_nobody(play: Play) -> None:
    start = play.start()["ann"]
    assert "FOR YOUR FIRST YEAR" not in start.text
    assert "HOW TO WRITE IT" not in play.send("ann", "A Foo - Bar").text


def test_the_examples_of_the_first_year_attack_nobody(play: Play) -> None:
    play.send("ann", "JOIN PRACTICE")
    play.run()
    state = practice(play)
    held = {center for centers in state.opened.centers.values() for center in centers}
    units = {unit.province for some in state.opened.units.values() for unit in some}
    for power in state.variant.powers:
        orders = [
            read_order(sample.line, state.variant, state.opened.phase)
            for sample in samples(Eyes(state, JUDGE).power_view(power))
        ]
        goals = {province_of(each.to) for each in orders if isinstance(each, Move)}
        assert goals, power
        assert goals.isdisjoint(held | units), (power, goals)
        places = [str(place(each)) for each in orders]
        assert len(places) == len(set(places)), power
