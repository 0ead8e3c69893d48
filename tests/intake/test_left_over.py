"""What is left over of a line with orders: what may change their meaning bars them."""

from __future__ import annotations

import pytest

from tests.language.measure import done, france, proposed, read_as

# A line; the orders that are filed, and those that are offered.
LINES = [
    ("A Par - Bur and set wait", [], ["A par - bur"]),
    ("A Par - Bur, then RESIGN for me", [], ["A par - bur"]),
    ("A Par - Bur (legal I hope)", [], ["A par - bur"]),
    ("A Par - Bur k", ["A par - bur"], []),
    # A name of several words.
    ("par to burgundee. north sea lol. mar to spain", [], ["A par - bur", "A mar - spa"]),
]


@pytest.mark.parametrize(("line", "filed", "offered"), LINES)
def test_words_beside_orders(line: str, filed: list[str], offered: list[str]) -> None:
    read = read_as(line, france())
    assert done(read) == filed
    assert proposed(read) == set(offered or filed[1:])
