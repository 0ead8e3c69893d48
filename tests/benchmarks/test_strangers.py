"""The benchmark of a flood of made-up names, with a small one."""

from __future__ import annotations

from benchmarks import strangers


def test_a_game_of_friends_begins_in_a_small_flood() -> None:
    kept = [row.kept for row in strangers.rows(made_up=20, people=strangers.AT_A_GAME)]
    assert kept == [None, True, None, True]
