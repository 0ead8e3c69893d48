"""A judge with a game that has been played for a while, on either engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.game.play import Play
from tests.storage.conftest import new_url, storage, url

__all__ = ["new_url", "storage", "url"]


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    (tmp_path / "play").mkdir()
    made = Play(tmp_path / "play")
    yield made
    made.storage.close()


@pytest.fixture
def played(play: Play) -> Play:
    """A game with orders, press, a rollback and a phase still open."""

    def make() -> None:
        play.start()
        play.send("ann", "A vie - tri\nF tri - alb\nA bud - ser")
        play.send("cleo", "PRESS TO Austria\nShall we? \N{SNOWMAN}\nENDPRESS")
        play.send("max", "PROCESS S1901M")
        play.send("ann", "F alb - gre")
        play.send("max", "PROCESS F1901M")
        play.send("max", "ROLLBACK F1901M")
        play.judge.work()

    play.begin("played", make=make)
    return play
