from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.game.play import Play


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    play = Play(tmp_path)
    yield play
    play.storage.close()
