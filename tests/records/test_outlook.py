"""What a position promises each power, on any board, and the tool that fits it."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from judge.records import outlook
from judge.records.outlook import counted, promised
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant
from judge.variants import load
from tools.outlook import compare, fitted, play, sample


def expected(
    variant: Variant, position: Position, before: dict[str, int] | None = None
) -> dict[str, float]:
    rulebook = Rulebook.edition(variant.rulebook)
    counts = {power: len(held) for power, held in position.centers.items()}
    return promised(variant, position, before or counts, rulebook)


@pytest.mark.parametrize("name", ["standard", "hundred", "colonial", "pure"])
def test_it_shares_out_the_whole_game_on_any_board(name: str) -> None:
    variant = load(name)
    found = expected(variant, variant.opening)
    assert sum(found.values()) == pytest.approx(1)
    assert all(0 < each < 0.6 for each in found.values())


def test_who_has_more_is_promised_more_and_who_has_nothing_nothing() -> None:
    variant = load("standard")
    start = variant.opening
    before = expected(variant, start)
    centers = {**start.centers, "France": (*start.centers["France"], *start.centers["Germany"])}
    gone = replace(
        start,
        units={**start.units, "Germany": ()},
        centers={**centers, "Germany": ()},
    )
    after = expected(variant, gone)
    assert after["France"] > 1.5 * before["France"]
    assert "Germany" not in after
    assert sum(after.values()) == pytest.approx(1)


def test_centers_count_as_units_stand_in_fall_and_a_win_is_everything() -> None:
    variant = load("standard")
    start = variant.opening
    there = {**start.units, "France": (*start.units["France"][:2], Unit("A", "mun"))}
    there["Germany"] = start.units["Germany"][:2]
    fall = replace(start, phase=Phase.read("F1901R"), units=there)
    spring = replace(fall, phase=Phase.read("S1901R"))
    rulebook = Rulebook.edition(variant.rulebook)
    assert "mun" in counted(variant, fall, rulebook)[0].centers["France"]
    assert "mun" not in counted(variant, spring, rulebook)[0].centers["France"]
    beside = {**there, "France": (*start.units["France"][:2], Unit("A", "bur"))}
    taken, kept = expected(variant, fall), expected(variant, replace(fall, units=beside))
    assert taken["France"] > 1.1 * kept["France"]
    assert taken["Germany"] < kept["Germany"]
    every = tuple(variant.board.centers)
    near = replace(fall, units={"France": there["France"]}, centers={"France": every[:18]})
    assert expected(variant, near) == {"France": 1.0}


def test_the_tool_fits_what_games_are_like(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    variant = load("hundred")
    games = [play(variant, seed) for seed in range(3)]
    assert games[0] == play(variant, 0)
    for game in games:
        assert sum(game["shares"].values()) == pytest.approx(1)
    file = tmp_path / "games.gz"
    with gzip.open(file, "wt") as out:
        out.writelines(json.dumps(game) + "\n" for game in games)
    known = sample(games)
    weights = fitted(known)
    nothing = np.zeros(len(outlook.MEASURES))
    assert known.loss(known.expected(weights)).mean() < known.loss(known.expected(nothing)).mean()
    compare(None, known, weights)
    assert "centers now" in capsys.readouterr().out
