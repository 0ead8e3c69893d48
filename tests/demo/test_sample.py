"""The demo's check: it agrees with the engine, and it finds every kind of difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from judge import variants
from judge.demo import sample
from judge.game.state.boards import report
from judge.interchange.stored_values import position_to_json
from judge.language.read import read_order
from judge.rules import engine
from judge.storage import Game, PhaseRun

NOW = datetime(2026, 6, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def played() -> tuple[Game, list[PhaseRun]]:
    """The sample game as the engine plays the book's orders."""
    variant = variants.load("standard")
    given = {each.phase: each.orders for each in sample.phases()}
    position = variant.opening
    runs = []
    while str(position.phase) != sample.phases()[-1].next:
        phase = position.phase
        orders = {
            power: [read_order(text, variant, phase, power, position) for text in texts]
            for power, texts in given.get(str(phase), {}).items()
        }
        found = engine.adjudicate(variant, position, orders)
        runs.append(
            PhaseRun(
                game_id=1, phase=str(phase), position=position_to_json(position), orders={},
                results=report(variant, position, found), processed_at=NOW,
            )
        )  # fmt: skip
        position = found.position
    game = Game(name="demo", variant="standard", created_at=NOW, phase=str(position.phase))
    game.position = position_to_json(position)
    return game, runs


def test_the_engine_plays_the_sample_game_as_the_book_does(
    played: tuple[Game, list[PhaseRun]],
) -> None:
    found = sample.check(*played)
    assert list(found) == [
        "S1901M", "F1901M", "W1901A", "S1902M", "F1902M", "F1902R", "W1902A",
    ]  # fmt: skip
    assert [each for differences in found.values() for each in differences] == []


def test_only_phases_left_behind_are_checked(played: tuple[Game, list[PhaseRun]]) -> None:
    _, runs = played
    early = Game(name="demo", variant="standard", created_at=NOW)
    early.phase, early.position = (
        "F1901M",
        next(run.position for run in runs if run.phase == "F1901M"),
    )
    assert list(sample.check(early, runs[:2])) == ["S1901M"]


Change = Callable[[dict[str, Any]], None]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda book: book["orders"]["France"].append("A gas - spa"), "the book has A gas - spa"),
        (lambda book: book["orders"]["France"].pop(0), "the judge has A bur - bel"),
        (lambda book: book["fail"].pop("Italy"), "Italy: the book has A pie - mar (succeeds)"),
        (lambda book: book["dislodged"].pop("France"), "dislodged in the book"),
        (lambda book: book["dislodged"]["France"]["A bur"].pop(), "dislodged in the book"),
        (lambda book: book["units"]["Turkey"].pop(), "Turkey: units in the book"),
        (lambda book: book["centers"]["Russia"].remove("rum"), "Russia: centers in the book"),
    ],
)
def test_every_difference_is_found(
    change: Change, said: str, played: tuple[Game, list[PhaseRun]]
) -> None:
    phase = next(each for each in sample.phases() if each.phase == "F1902M")
    book: dict[str, Any] = {
        what: {power: _copy(each) for power, each in getattr(phase, what).items()}
        for what in ("orders", "fail", "dislodged", "units", "centers")
    }
    change(book)
    _, runs = played
    by_phase = {run.phase: run for run in runs}
    found = sample.differences(
        replace(phase, **book), by_phase["F1902M"], by_phase["F1902R"].position
    )
    assert any(said in each for each in found), found


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return list(value)
