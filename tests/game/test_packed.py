"""Letters take little room, and those of older judges are read as they are."""

from __future__ import annotations

import pytest
from peewee import SQL

from judge.storage import Storage
from judge.storage.columns import PackedField
from judge.storage.models import OutboundRow
from tests.game.play import Play


@pytest.mark.parametrize("raw", [b"", b"x", b"From: a@b\r\n" * 500, b"\0z not packed", bytes(300)])
def test_what_is_packed_is_read_again(raw: bytes) -> None:
    field = PackedField()
    assert field.load(field.dump(raw)) == raw
    assert len(field.dump(raw)) <= len(raw) + 20
    if not raw.startswith(b"\0z"):
        assert field.load(raw) == raw, "as judges before kept it"


def test_letters_are_packed_where_they_lie_and_read_whole(play: Play) -> None:
    play.start()
    storage: Storage = play.storage
    kept = storage._engine.value(OutboundRow.select(SQL("sum(length(raw))")))
    letters = [each for number in range(1, 100) if (each := storage.outbound.find(number))]
    assert all(each.raw.startswith(b"From: ") for each in letters)
    assert kept < sum(len(each.raw) for each in letters) / 2
