"""docs/limits.md says every limit as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import asdict

from judge.limits import BOUNDS, Limits

PAGE = (Path(__file__).parents[1] / "docs" / "limits.md").read_text(encoding="utf-8")
PERSON, MESSAGE = PAGE.split("\n## ")[1:]


@pytest.mark.parametrize(("limits", "said"), [(Limits(), PERSON), (BOUNDS, MESSAGE)])
def test_each_limit_stands_in_the_table(limits: Limits, said: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", said, re.MULTILINE)
    assert {name: int(most.replace(",", "")) for name, most in rows} == asdict(limits)
