"""Judge and PostgreSQL die at times by chance in one game.

`python -m tests.faults crashes` lets them die more often, and compares with an undisturbed game.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from judge.demo import sample
from tests.faults.crashes import Life, blows, mails
from tests.game.play import REPLIES
from tests.storage.postgres import cluster


@pytest.mark.postgres
def test_a_judge_and_a_server_that_die_in_one_game_lose_and_double_nothing(tmp_path: Path) -> None:
    written = mails(phases=1)
    with cluster() as server:
        life = Life(tmp_path / "judge", server, "judge", written)
        found = life.play(blows(Random(3), 1, 1, len(written)))
    assert found.wrong == []
    (phase, orders, _), _ = found.phases
    assert phase == "S1901M"
    assert {power: len(each) for power, each in orders.items()} == {
        power: len(each) for power, each in sample.phases()[0].orders.items()
    }
    assert set(found.letters.values()) == {1}
    answers = Counter(answered for _, kind, _, answered in found.letters if kind in REPLIES)
    assert answers == {f"<{number}@players.example>": 1 for number in range(len(written))}
    results = [each for each in found.letters if each[1] == "results"]
    assert len(results) == 8
