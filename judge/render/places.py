"""Provinces in the language that is spoken.

Boards name them in English. Those of the standard board have names in other languages, the words by
which players may call them there (`templates/locale/<language>.toml`); the first one of each is
what letters say. A name without one is the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from judge.i18n import Marked, language
from judge.render.heard import provinces

COASTS = {
    "north coast": Marked("north coast"),
    "south coast": Marked("south coast"),
    "east coast": Marked("east coast"),
    "west coast": Marked("west coast"),
}

_COAST = re.compile(rf"(.+) \(({'|'.join(COASTS)})\)")


def placed(name: str) -> str:
    """A province, with its coast where one is named: "Sankt Petersburg (Südküste)"."""
    if language() == "en":
        return name
    if found := _COAST.fullmatch(name):
        return f"{placed(found[1])} ({COASTS[found[2]]})"
    return _names(language()).get(name, name)


@cache
def _names(language: str) -> Mapping[str, str]:
    names: dict[str, str] = {}
    for local, english in provinces(language).items():
        if local != english:
            names.setdefault(english, local)
    return names
