"""Words of mail programs, kept as data beside the code: `<name>.toml`; and a mark of our own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

CUT = "\ue000"
"""Stands in rendered HTML where a mail program put the mail that is answered; what follows is the
writer's only as far as that mail does not have it. A private character, so that nobody can type it
by accident."""


@cache
def word_lists(name: str) -> Mapping[str, list[str]]:
    """Return the lists in a file of this folder, in their order. Long entries stand in several
    lines, whose ends count for nothing."""
    path = Path(__file__).with_name(f"{name}.toml")
    found = tomllib.loads(path.read_text(encoding="utf-8"))
    return {key: [entry.replace("\n", "") for entry in listed] for key, listed in found.items()}


@cache
def patterns(name: str) -> Mapping[str, re.Pattern[str]]:
    """Return one pattern for each list of regular expressions in a file of this folder; case does
    not matter, and a dot is any character."""
    lists = word_lists(name).items()
    return {key: re.compile("|".join(each), re.IGNORECASE | re.DOTALL) for key, each in lists}
