"""To whom a piece of press is to go, as far as its line says so."""

from __future__ import annotations

import re
from dataclasses import dataclass

from judge.game.command import Refused
from judge.language.names import NameProblem, Names
from judge.render.words import listed
from judge.rules.variant import Variant

MASTER = "Master"
ALL = "All"
OBSERVERS = "Observers"

# What our press letters call themselves in their subjects.
_ANSWERED = re.compile(
    r"JUDGE:\S+ - .*\b(?:Press|Broadcast) from (?P<from>\S+)(?: to .*)?\Z", re.IGNORECASE
)
_HEAD = re.compile(
    r"(?:(?P<colour>white|grey|gray)\b)?\s*(?:to\b\s*:?)?\s*(?P<to>.*)\Z", re.IGNORECASE | re.DOTALL
)
_ALL = re.compile(r"(?:all|everybody|everyone)(?:\s+but\s+(?P<but>.+))?\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Head:
    """The line that begins a piece of press: its colour ("" where none is named), and to whom."""

    colour: str
    to: str

    @staticmethod
    def read(arguments: str) -> Head:
        """From what stands behind PRESS."""
        found = _HEAD.match(arguments)
        assert found is not None
        colour = (found["colour"] or "").lower().replace("gray", "grey")
        return Head(colour, found["to"].strip().strip(":.").strip())


def all_but(words: str) -> str | None:
    """Who is left out of `ALL BUT ...`: "" for ALL, None where it is neither."""
    found = _ALL.match(words)
    return None if found is None else found["but"] or ""


def labels(variant: Variant, text: str) -> list[str]:
    """Powers, the master and the observers, as letters in one word or as names. Raises Refused."""
    letters = dict(variant.letters) | {"M": MASTER, "O": OBSERVERS}
    names = Names.of(variant)
    parts = [part for part in re.split(r"\s*(?:[,;+&]|\band\b|\s)\s*", text) if part]
    found = []
    for part in parts:
        as_letters = [letters[sign] for sign in part.upper() if sign in letters]
        if len(as_letters) != len(part):
            as_letters = []
        if part.lower() in ("master", "gm", "moderator"):
            found.append(MASTER)
            continue
        if part.lower() in ("observer", "observers"):
            found.append(OBSERVERS)
            continue
        try:
            named = None if len(part) == 1 else names.power(part)
        except NameProblem:
            named = None
        if named and as_letters:
            raise Refused(
                "press_unclear",
                write=f"PRESS TO {named}",
                text=part,
                named=named,
                letters=listed(as_letters),
            )
        if not named and not as_letters:
            raise Refused("press_unknown", text=part, letters=letters)
        found += [named] if named else as_letters
    if not found:
        raise Refused("press_to_whom", write="PRESS TO M")
    return list(dict.fromkeys(found))


def named(variant: Variant, text: str, but: str | None = None) -> list[str]:
    """All that `text` names, ALL and ALL BUT included, without the power `but`. Raises Refused."""
    left_out = all_but(text)
    if left_out is None:
        return labels(variant, text)
    gone = {but, *(labels(variant, left_out) if left_out else ())}
    return [power for power in variant.powers if power not in gone]


def answered(subject: str) -> str | None:
    """Who wrote the press that a mail with this subject answers, as its readers know him."""
    found = _ANSWERED.search(" ".join(subject.split()))
    return found["from"] if found else None
