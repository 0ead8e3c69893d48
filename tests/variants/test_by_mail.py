"""A year and more of every board by mail: it starts, is understood, and goes on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from judge import variants
from judge.game.state import State
from judge.rules.legal import legal_orders
from judge.rules.phase import Kind, Phase
from judge.rules.position import Unit
from tests.game.play import Play

PHASES = 6


def orders(state: State, power: str, chance: random.Random) -> list[str]:
    """What a power could order, by chance: as many builds, removals and conversions as it may."""
    legal = legal_orders(state.variant, state.opened, power)
    if state.opened.phase.kind is not Kind.ADJUSTMENTS:
        return [str(chance.choice(options)) for options in legal.values()]
    owed = state.owed[power]
    if owed.removals:
        return [f"D {unit}" for unit in list(legal)[: owed.removals]]
    places: dict[str, list[Unit]] = {}
    for unit in legal:
        if unit not in owed.conversions:
            places.setdefault(unit.province, []).append(unit)
    chosen = [f"B {chance.choice(units)}" for units in list(places.values())[: owed.builds]]
    return chosen + [str(legal[unit][-1]) for unit in owed.conversions if chance.random() < 0.5]


@pytest.mark.parametrize("name", variants.names())
def test_a_game_on_this_board_goes_by_mail(name: str, tmp_path: Path) -> None:
    variant = variants.load(name)
    chance = random.Random(name)
    play = Play(tmp_path)
    play.send("max", f"CREATE ?atlas {name}, MOVE DELAY 0 MIN 0")
    players = {}
    for number, (letter, power) in enumerate(variant.letters.items()):
        players[power] = f"p{number}"
        play.send(players[power], f"JOIN atlas\nSET PREFERENCE {letter}")
    started = [letter for letter in play.run() if letter.kind == "start"]
    assert len(started) >= len(players)
    phases: list[Phase] = []
    while len(phases) < PHASES:
        game = play.storage.games.by_name("atlas")
        assert game is not None
        if game.state != "active":
            break
        state = State(play.storage, game)
        phases.append(state.opened.phase)
        for power in state.owed:
            if text := "\n".join(orders(state, power, chance)):
                reply = play.send(players[power], text)
                assert "COULD NOT USE" not in reply.text, reply.text
        play.run()
        after = play.storage.games.by_name("atlas")
        assert after is not None
        if after.state == "active" and after.phase == game.phase:
            play.wake()
    assert phases[0] == variant.start_phase
    assert len(phases) == PHASES
    play.storage.close()
