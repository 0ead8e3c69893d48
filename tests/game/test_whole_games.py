"""Whole games of random legal orders, by mail, until they end: every letter along the way."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from judge.game.state import State
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Build
from judge.rules.phase import Kind
from judge.storage import Ending, Outcome
from tests.game.play import PEOPLE, Play, Received

POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
PLAYERS = dict(zip(POWERS, PEOPLE, strict=True))
WIDTH = 76


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def random_orders(state: State, power: str, chance: random.Random) -> list[str]:
    """Legal orders for most of the units of a power."""
    owed = state.owed[power]
    legal = legal_orders(state.variant, state.opened, power)
    if state.opened.phase.kind is not Kind.ADJUSTMENTS:
        return [str(chance.choice(orders)) for orders in legal.values() if chance.random() < 0.95]
    units = chance.sample(list(legal), len(legal))
    if owed.removals:
        return [f"D {unit}" for unit in units[: owed.removals]]
    sites = {unit.province: str(Build(unit)) for unit in units}
    return ["WAIVE"] if chance.random() < 0.1 else list(sites.values())[: owed.builds]


def check(letters: list[Received]) -> None:
    for letter in letters:
        long = [line for line in letter.text.splitlines() if len(line) > WIDTH]
        assert long == [], letter.subject
        assert letter.subject.startswith("JUDGE:paris - ")


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_of_legal_orders_runs_to_its_end(play: Play, seed: int) -> None:
    chance = random.Random(seed)
    play.start("END AFTER F1904, MOVE DELAY 0 MIN 0")
    phases: Counter[str] = Counter()
    while (state := paris(play)).game.state == "active":
        for power in state.owed:
            answer = play.send(PLAYERS[power], "\n".join(random_orders(state, power, chance)))
            assert "COULD NOT USE" not in answer.text
        letters = play.run()
        if paris(play).game.phase == state.game.phase:
            letters += play.wake()
        check(letters)
        for letter in letters:
            phases[letter.kind] += letter.kind == "results"
        after = paris(play)
        for power, units in after.opened.units.items():
            assert len({unit.province for unit in units}) == len(units), power

    state = paris(play)
    runs = play.storage.history.of_game(state.game.id)
    assert runs[0].phase == "S1901M"
    assert runs[-1].phase == "F1904R"
    assert len({run.phase for run in runs}) == len(runs) == 3 * 5 + 4
    # Every phase that anybody had to decide in brought each of the eight people one letter.
    told = [run for run in runs if any(run.results["orders"].values())]
    assert phases["results"] == 8 * len(told)
    most = max(len(centers) for centers in state.opened.centers.values())
    winners = [p for p in POWERS if len(state.opened.centers.get(p, ())) == most]
    assert state.game.outcome == Outcome(Ending.TURN_LIMIT, tuple(winners), "F1904R")
