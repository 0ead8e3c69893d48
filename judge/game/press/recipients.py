"""To whom a piece of press is to go, as far as its line says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from judge.game.state.answers import Refused
from judge.language.names import Names
from judge.language.problems import ReadError
from judge.rules.variant import Variant
from judge.sentences.units import listed
from judge.storage import Press, PressColor

MASTER = "Master"
ALL = "All"
OBSERVERS = "Observers"
ANONYMOUS = "Anonymous"
"""What readers of grey press are told of its writer."""

NO_FAKE = "no"

# What our press letters call themselves in their subjects.
_ANSWERED = re.compile(
    r"JUDGE:\S+ - .*\b(?:Press|Broadcast) from (?P<from>\S+)(?: to .*)?\Z", re.IGNORECASE
)
_COLORS = {"white": PressColor.WHITE, "grey": PressColor.GREY, "gray": PressColor.GREY}
_COLOR = "|".join(_COLORS)
_HEAD = re.compile(
    rf"(?:(?P<color>{_COLOR})\b)?[\s,]*(?:to\b\s*:?)?\s*(?P<to>.*?)"
    rf"(?:[\s,]+(?P<behind>{_COLOR}))?\s*\Z",
    re.IGNORECASE | re.DOTALL,
)
_FAKE = re.compile(
    r"(?:\A|[\s,;]+)(?:(?P<no>no\s*fakes?(?:\s+broadcast)?)"
    r"|fakes?\s+(?P<all>broadcast|(?:to\s+)?(?:all|everybody|everyone))"
    r"|fakes?\s+(?:to\s+)?(?P<to>\S.*?))[\s.:]*\Z",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"(?:(?:all|everybody|everyone)(?:\s+but\s+(?P<but>.+))?|-\s*(?P<minus>\S.*))\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Head:
    """The line that begins a piece of press.

    `color` is None where it names none, `to` are its recipients, and `fake` those that its heading
    is to claim: words like those of `to`, ALL for a broadcast, `NO_FAKE` where it says that there
    are none, "" where it says nothing.
    """

    color: PressColor | None
    to: str
    fake: str = ""

    @staticmethod
    def read(arguments: str) -> Head:
        """From what stands behind PRESS."""
        fake = ""
        if claim := _FAKE.search(arguments):
            fake = NO_FAKE if claim["no"] else ALL if claim["all"] else claim["to"]
            arguments = arguments[: claim.start()]
        found = _HEAD.match(arguments)
        assert found is not None
        color = _color(found["color"])
        to = found["to"]
        if color and found["behind"]:
            to = f"{to} {found['behind']}"
        color = color or _color(found["behind"])
        return Head(color, to.strip().strip(":.").strip(), fake)

    @staticmethod
    def of_broadcast(arguments: str) -> Head:
        """From what stands behind BROADCAST: a color, or else `to` is the text's first line."""
        word = " ".join(arguments.strip(" .:").lower().split())
        first, _, rest = word.partition(" ")
        color = _color(first)
        if color is not None and rest in ("", "to all"):
            return Head(color, "")
        return Head(None, "" if word in ("", "to all", "all") else arguments)


def _color(word: str | None) -> PressColor | None:
    return _COLORS.get((word or "").lower())


def several(press: Press) -> bool:
    """Whether the heading of a message says that more than one person got it."""
    in_one = len(press.to) == 1 and press.to[0] in (MASTER, OBSERVERS)
    return press.to == [ALL] or len(press.to) > 1 or (in_one and len(press.seats) > 1)


def all_but(words: str) -> str | None:
    """Who is left out of `ALL BUT FG` or `-FG`: "" for ALL, None where it is neither."""
    found = _ALL.match(words)
    return None if found is None else found["but"] or found["minus"] or ""


def labels(variant: Variant, text: str) -> list[str]:
    """Powers, the master and the observers, as letters in one word or as names. Raises Refused."""
    letters = dict(variant.letters) | {"M": MASTER, "O": OBSERVERS}
    names = Names.of(variant)
    found: list[str] = []
    for piece in re.split(r"\s*(?:[,;+&]|\band\b)\s*", text):
        words = piece.split()
        whole = _named(names, piece) if len(words) > 1 else None
        parts = [piece] if whole else words
        for part in parts:
            found += _read(names, letters, part)
    if not found:
        raise Refused("press_to_whom", write="PRESS TO M")
    return list(dict.fromkeys(found))


def _read(names: Names, letters: Mapping[str, str], part: str) -> list[str]:
    """Whom one word of a list, or one name, means."""
    if part.lower() in ("master", "gm", "moderator"):
        return [MASTER]
    if part.lower() in ("observer", "observers"):
        return [OBSERVERS]
    signs = part.upper()
    # A letter that stands there twice is a slip, so that the word is no list.
    spelled = set(signs) <= set(letters) and len(set(signs)) == len(signs)
    as_letters = [letters[sign] for sign in signs] if spelled else []
    called = None if len(part) == 1 else _named(names, part)
    if called and as_letters:
        raise Refused(
            "press_unclear",
            write=f"PRESS TO {called}",
            text=part,
            named=called,
            letters=listed(as_letters),
        )
    if not called and not as_letters:
        raise Refused("press_unknown", text=part, letters=letters)
    return [called] if called else as_letters


def _named(names: Names, text: str) -> str | None:
    try:
        return names.power(text)
    except ReadError:
        return None


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
