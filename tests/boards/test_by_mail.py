"""A game on every board by mail, from CREATE to its ending, with orders by chance.

The full game of each board that stands for others, and those for two and four on the boards whose
rulebooks tell them; `python -m tests.boards` plays those of all, through a real daemon.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from judge.game.state import State
from tests.boards.tables import GROUND, TABLES, Table, lines
from tests.game.play import Play, Received
from tests.sampled import FULL

PHASES = 6
"""A year and a bit."""
BOOKS = ("standard", "era_of_empire", "global")
PLAYED = [
    table
    for table in TABLES
    # Chaos, whose 34 players write as many letters as all others, has its own test.
    if (table.board in GROUND and table.lineup is None and table.board != "chaos")
    or (table.board in BOOKS and (FULL or table.people in (2, 4)))
]


def atlas(play: Play) -> State:
    game = play.storage.games.by_name("atlas")
    assert game is not None
    return State(play.storage, game)


@pytest.mark.parametrize("table", PLAYED, ids=str)
def test_a_game_on_this_board_is_played_to_its_end(table: Table, tmp_path: Path) -> None:
    chance = random.Random(str(table))
    play = Play(tmp_path)
    limit = table.limit(PHASES)
    play.send("max", f"CREATE ?atlas {table.options}, END AFTER {limit}, MOVE DELAY 0 MIN 0")
    people = [f"p{number}" for number in range(table.people)]
    for who in people:
        play.send(who, "JOIN atlas")
    started = [letter for letter in play.run() if letter.kind == "start"]
    assert {letter.to.partition("@")[0] for letter in started} == {"max", *people}
    state = atlas(play)
    assert state.variant.lineup == table.lineup
    assert state.opened.phase == table.variant.start_phase
    letters: list[Received] = []
    phases = []
    while state.game.state == "active":
        phases.append(state.game.phase)
        for who in people:
            person = play.storage.people.by_address(f"{who}@people.example")
            assert person is not None
            if text := "\n".join(lines(atlas(play), person.id, chance)):
                reply = play.send(who, text)
                assert "COULD NOT USE" not in reply.text, reply.text
        letters += play.run()
        after = atlas(play)
        if after.game.state == "active" and after.game.phase == state.game.phase:
            letters += play.wake()
            after = atlas(play)
        assert (after.game.state, after.game.phase) != ("active", state.game.phase)
        state = after
    assert len(phases) > 1
    assert state.game.outcome is not None
    assert state.game.outcome.ending == "turn limit"
    ended = [letter for letter in letters if letter.kind == "end"]
    assert sorted(letter.to.partition("@")[0] for letter in ended) == sorted(["max", *people])
    play.storage.close()


def test_in_chaos_a_silent_player_begins_with_an_army(tmp_path: Path) -> None:
    play = Play(tmp_path)
    play.send("max", "CREATE ?atlas chaos, NMR, ADJUST NEXT 24H GRACE 24H")
    for number in range(34):
        play.send(f"p{number}", "JOIN atlas")
    letters = play.run()
    late: list[Received] = []
    while atlas(play).game.phase == "W1900A":
        late += play.wake()
    assert all(
        len(units) == 1 and units[0].kind == "A" for units in atlas(play).opened.units.values()
    )
    assert any(
        "what is built then is Army" in " ".join(each.text.split()) for each in late + letters
    )
    results = next(each for each in late if each.kind == "results")
    assert "A ank  no order" in results.text
