"""The arena of computer players, and DumbBot in it."""

from __future__ import annotations

from random import Random

from benchmarks.arena import arena, bot, dumbbot
from benchmarks.dumbbot import DumbBot
from judge.bots.options import Scene
from judge.rules.engine import adjudicate, owed
from judge.rules.outcome import Reason
from judge.rules.rulebook import Rulebook
from judge.variants import load


def test_dumbbot_plays_without_a_void_order() -> None:
    variant = load("standard")
    position = variant.opening
    for _ in range(25):
        orders = {power: dumbbot(variant, position, power, 1) for power in owed(variant, position)}
        outcome = adjudicate(variant, position, orders)
        given = [each for results in outcome.results.values() for each in results if each.given]
        assert not [each for each in given if each.reason in (Reason.VOID, Reason.NOT_ALLOWED)]
        position = outcome.position
    assert len(set(map(len, position.centers.values()))) > 1


def test_dumbbot_opens_toward_the_centers_around_it() -> None:
    variant = load("standard")
    scene = Scene(variant, variant.opening, Rulebook.edition("2023"))
    values = DumbBot(scene, "France", Random(1)).values
    # Next to Spain and Portugal, or to Belgium and Holland; not at the edge of the board.
    assert values["army", "spa"] > values["army", "gas"] > values["army", "naf"]
    assert values["fleet", "mid"] > values["fleet", "nat"]


def test_a_game_is_measured() -> None:
    # The years of the second board go down.
    for name in ("hundred", "sail_ho"):
        games = arena(name, bot("normal"), bot("easy"), 2)
        assert all(0 <= each.share <= 1 and each.seconds > 0 for each in games)
