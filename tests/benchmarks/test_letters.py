"""The weight of letters, which is the same on every machine."""

from __future__ import annotations

import pytest

from benchmarks.letters import letters


@pytest.mark.parametrize("board", ["standard", "modern"])
def test_letters_weigh_no_more_than_was_promised(board: str) -> None:
    missed = [row for row in letters((board,), phases=2) if not row.kept]
    assert missed == []
