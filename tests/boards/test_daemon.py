"""Games for two through a real daemon, from CREATE to their ending."""

from __future__ import annotations

from pathlib import Path

from tests.boards.daemon import Room
from tests.boards.tables import Table


def test_games_through_the_daemon_come_to_an_end(tmp_path: Path) -> None:
    room = Room(tmp_path)
    try:
        for table in (Table("standard", "2"), Table("era_of_empire", "2")):
            assert room.play(table, 6) is None
    finally:
        room.close()
