"""What stands behind SIGN ON and JOIN: `france@paris`, `united states@globe`."""

from __future__ import annotations

import re

from judge.intake.context import MessageContext

_PART = re.compile(r"\s*\??\s*([^@]*\S)@(\w+)(?=\s|[.,;!]|\Z)")


def words(context: MessageContext, text: str) -> list[str]:
    """The words of `text`; a power's name with blanks is one word with the game behind it.

    Where the first word names a game, what follows is a password, whatever stands in it.
    """
    found, split = _PART.match(text), text.split()
    if found is None or len(found[1].split()) < 2 or _is_game(context, split[0]):
        return split
    if context.storage.games.by_name(found[2].lower()) is None:
        return split
    return [f"{found[1]}@{found[2]}", *text[found.end() :].strip(" .,;!").split()]


def _is_game(context: MessageContext, word: str) -> bool:
    """Whether a word names a game, alone or behind the letter of a part."""
    name = word.strip("?.,;").lower()
    games = context.storage.games
    return games.by_name(name) is not None or games.by_name(name[1:]) is not None
