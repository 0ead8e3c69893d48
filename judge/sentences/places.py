"""Provinces in the language that is spoken.

Boards name them in English. Those of the standard board have names in other languages, the words by
which players may call them there (`templates/locale/<language>.toml`); the first one of each is
what letters say. A name without one is the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from judge.i18n import Message, language, word_lists

COASTS = {
    "north coast": Message("north coast"),
    "south coast": Message("south coast"),
    "east coast": Message("east coast"),
    "west coast": Message("west coast"),
}

_COAST = re.compile(rf"(.+) \(({'|'.join(COASTS)})\)")


def placed(name: str) -> str:
    """Return a province's name, with its coast where it names one: "Sankt Petersburg (Südküste)".

    Args:
        name: As the board has it, in English.
    """
    if language() == "en":
        return name
    if found := _COAST.fullmatch(name):
        return f"{placed(found[1])} ({COASTS[found[2]]})"
    return _names(language()).get(name, name)


@cache
def _names(language: str) -> Mapping[str, str]:
    names: dict[str, str] = {}
    for local, english in word_lists(language)["provinces"].items():
        if local != english:
            names.setdefault(english, local)
    return names
