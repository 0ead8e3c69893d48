"""Games for two through a real daemon, from CREATE to their ending."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.boards.daemon import Room
from tests.boards.tables import Table

LARGEST = 300_000
"""Bytes that no letter needs, whatever the board."""


def test_games_through_the_daemon_come_to_an_end(tmp_path: Path) -> None:
    room = Room(tmp_path)
    try:
        for table in (Table("standard", "2"), Table("era_of_empire", "2")):
            assert room.play(table, 6) is None
    finally:
        room.close()


@pytest.mark.parametrize(("board", "phases"), [("american_empire", 5), ("world_ix", 3)])
def test_the_letters_of_the_largest_boards_have_room_for_all_they_tell(
    board: str, phases: int, tmp_path: Path
) -> None:
    table = Table(board)
    room = Room(tmp_path, pictures=True)
    try:
        assert room.play(table, phases) is None
        found: dict[str, list[tuple[EmailMessage, int]]] = {"You play": [], "Results of": []}
        for letter, size in room.letters():
            assert size < LARGEST, letter["Subject"]
            body = letter.get_body(("plain",))
            text = "" if body is None else str(body.get_content()).lstrip()
            for kind, letters in found.items():
                if kind in text.partition("\n\n")[0]:
                    letters.append((letter, size))
    finally:
        room.close()
    starts, results = found.values()
    assert len(starts) == table.people
    assert len(results) >= table.people
    for letter, _ in (*starts, *results):
        assert any(part.get_content_type() == "image/png" for part in letter.walk())
