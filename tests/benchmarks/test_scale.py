"""The benchmark of a judge's scale still runs on next to nothing; its figures are not looked at."""

from __future__ import annotations

import pytest

from benchmarks.scale import scale
from benchmarks.scale.sizes import TINY


@pytest.mark.parametrize(
    "part",
    [
        pytest.param("door", marks=pytest.mark.postfix),
        pytest.param("letters", marks=pytest.mark.postfix),
        "mails",
        "due",
        "whole",
        "keeper",
        "site",
        "house",
        "flood",
    ],
)
def test_each_part_runs(part: str) -> None:
    rows = list(scale(TINY, [part], ["SQLite"]))
    assert len(rows) >= 3
    assert all(row.value for row in rows)


@pytest.mark.postgres
def test_two_judges_share_the_work() -> None:
    rows = {row.what: row for row in scale(TINY, ["together"], ["PostgreSQL"])}
    assert rows["PostgreSQL: two processes, times one"].target == ">= 1.7"
