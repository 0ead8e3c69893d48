"""To whom a message goes: what its line says, the seats that means, and whom an answer reaches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from judge.game.state import IN_USE, State
from judge.game.state.answers import Refused
from judge.game.visibility import identity
from judge.game.visibility.press import ALL, ANONYMOUS, MASTER, OBSERVERS, called
from judge.language.names import Names
from judge.language.problems import ReadError
from judge.rules.variant import Variant
from judge.sentences.units import listed
from judge.storage import Press, PressColor, Role, Seat

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


@dataclass(frozen=True)
class Recipients:
    """To whom a message goes: seats, and the labels under which its readers see them.

    The writer's own label may be among them: a list of all but one would name who writes unsigned.
    """

    seats: tuple[Seat, ...]
    labels: tuple[str, ...]
    public: bool = False


def read_recipients(state: State, head: Head, sender: Sequence[Seat]) -> Recipients:
    """Read `FRG`, `France, Italy`, `M`, `ALL`, `ALL BUT T`. Raises Refused, naming what is wrong.

    Nothing is sent unless every recipient can be found.
    """
    left_out = all_but(head.to)
    if left_out == "":
        return everybody(state)
    if left_out is not None:
        gone = set(labels(state.variant, left_out))
        seats = [seat for seat in state.seats if seat.state in IN_USE and _among(seat) not in gone]
        return _found(state, seats, [called(state, seat) for seat in seats], sender)
    seats = []
    named = labels(state.variant, head.to)
    for each in named:
        found = holders(state, each)
        if not found:
            raise Refused("press_no_one", who=_WHO.get(each, each), game=state.game.name)
        seats += found
    return _found(state, seats, named, sender)


_WHO = {MASTER: "a master", OBSERVERS: "an observer"}


def read_claim(state: State, text: str) -> tuple[str, ...]:
    """The labels that a faked heading is to show. Raises Refused for what nobody is called."""
    left_out = all_but(text)
    if left_out == "" or text == ALL:
        return (ALL,)
    if left_out is not None:
        gone = set(labels(state.variant, left_out))
        seats = [seat for seat in state.seats if seat.state in IN_USE and _among(seat) not in gone]
        return tuple(dict.fromkeys(called(state, seat) for seat in seats))
    return tuple(labels(state.variant, text))


def _among(seat: Seat) -> str | None:
    """Under which label a list leaves somebody out."""
    return {Role.MASTER: MASTER, Role.OBSERVER: OBSERVERS}.get(seat.role, seat.power)


def holders(state: State, label: str) -> list[Seat]:
    """Who is meant by the name of a power, MASTER or OBSERVERS now."""
    if label == MASTER:
        # Whoever made an unmoderated gunboat game plays in it: an answer of his would name him.
        veiled = identity.is_hidden(state) and not state.game.moderated
        return [] if veiled else state.active(Role.MASTER)
    if label == OBSERVERS:
        return state.active(Role.OBSERVER)
    seat = state.holder(label)
    return [seat] if seat is not None and seat.state in IN_USE else []


def _found(
    state: State, seats: Sequence[Seat], named: Iterable[str], sender: Sequence[Seat]
) -> Recipients:
    mine = {seat.id for seat in sender}
    others = tuple(seat for seat in seats if seat.id not in mine)
    if not others:
        raise Refused("press_no_one", who="anybody else", game=state.game.name)
    return Recipients(others, tuple(dict.fromkeys(named)))


def everybody(state: State) -> Recipients:
    """Everybody in the game, observers and masters included."""
    seats = tuple(seat for seat in state.seats if seat.state in IN_USE)
    return Recipients(seats, (ALL,), public=True)


def to_writer(state: State, press: Press, sender: Sequence[Seat]) -> Recipients:
    """Who wrote a message, under the label that its readers know him by. Raises Refused."""
    return _answered(state, _now(state, _writer(press)), [press.from_label], sender)


def to_all(state: State, press: Press, sender: Sequence[Seat]) -> Recipients:
    """Everybody who had a message as its heading says, and who wrote it; to a broadcast,
    everybody. Raises Refused."""
    if press.to == [ALL]:
        return everybody(state)
    seats = _now(state, [*_writer(press), *press.seats])
    powers = set(state.variant.powers) | {MASTER, OBSERVERS}
    if set(press.to) <= powers:
        # A heading may be faked: what is answered is what it says.
        seats = _now(state, _writer(press))
        seats += [seat for each in press.to for seat in holders(state, each) if seat not in seats]
    return _answered(state, seats, [press.from_label, *press.to], sender)


def _writer(press: Press) -> list[int]:
    return [] if press.sender_id is None else [press.sender_id]


def _answered(
    state: State, seats: Sequence[Seat], named: Sequence[str], sender: Sequence[Seat]
) -> Recipients:
    mine = {seat.id for seat in sender}
    others = tuple(seat for seat in seats if seat.id not in mine)
    if not others and ANONYMOUS not in named:
        raise Refused("press_no_one", who=listed(list(named)), game=state.game.name)
    # Whether who wrote unsigned is still in the game must not be told by an answer that fails.
    return Recipients(others, tuple(dict.fromkeys(named)))


def _now(state: State, ids: Sequence[int]) -> list[Seat]:
    """The seats of those ids, or whoever plays their powers now."""
    found: list[Seat] = []
    for seat in state.seats:
        if seat.id not in ids:
            continue
        now = seat if seat.state in IN_USE else state.player(seat.power) if seat.power else None
        if now is not None and now not in found:
            found.append(now)
    return found
