"""To whom a message goes: what its line says, the seats that means, and whom an answer reaches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from judge.game.state import IN_USE, State
from judge.game.state.answers import Refused
from judge.game.visibility.readable_press import ALL, ANONYMOUS, MASTER, OBSERVERS, called
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.rules.variant import Variant
from judge.sentences.terms import listed
from judge.storage import Condition, Press, PressColor, Role, Seat

NO_FAKE = "no"

# The subjects of press messages, and their first lines.
_ANSWERED = re.compile(
    r"(?:JUDGE:\S+ -|\A\w+:) .*\b(?:Press|Broadcast) from (?P<from>\S+)(?: to .*)?\Z", re.IGNORECASE
)
COLORS = {"white": PressColor.WHITE, "grey": PressColor.GREY, "gray": PressColor.GREY}
_COLOR = "|".join(COLORS)
# Each run of blanks and signs is looked at once.
_HEAD = re.compile(
    rf"(?:(?P<color>{_COLOR})\b)?[\s,]*(?:to\b\s*:?)?\s*(?P<to>.*?)"
    rf"(?:(?<![\s,])[\s,]++(?P<behind>{_COLOR}))?\Z",
    re.IGNORECASE | re.DOTALL,
)
_FAKE = re.compile(
    r"(?:\A|(?<![\s,;])[\s,;]++)(?:(?P<no>no\s*fakes?(?:\s+broadcast)?)"
    r"|fakes?\s+(?P<all>broadcast|(?:to\s+)?(?:all|everybody|everyone))"
    r"|fakes?\s+(?:to\s+)?(?P<to>\S.*))\Z",
    re.IGNORECASE,
)
_END = " \t\n.:"
_ALL = re.compile(
    r"(?:(?:all|everybody|everyone)(?:\s+but\s+(?P<but>.+))?|-\s*(?P<minus>\S.*))\Z",
    re.IGNORECASE,
)


class PressHead(Struct, frozen=True):
    """The line that begins a press message.

    Attributes:
        color: The color it names, if any.
        to: Its recipients, as written.
        fake: The recipients that its heading is to claim, as written: ALL for a broadcast,
            `NO_FAKE` for "no fakes", "" if it says nothing.
    """

    color: PressColor | None
    to: str
    fake: str = ""

    @staticmethod
    def read(arguments: str) -> PressHead:
        """Read the arguments of PRESS."""
        fake, arguments = "", arguments.rstrip(_END)
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
        return PressHead(color, to.strip(_END), fake)

    @staticmethod
    def of_broadcast(arguments: str) -> PressHead:
        """Read the arguments of BROADCAST: a color, or else the first line of the text as `to`."""
        word = " ".join(arguments.strip(" .:").lower().split())
        first, _, rest = word.partition(" ")
        color = _color(first)
        if color is not None and rest in ("", "to all"):
            return PressHead(color, "")
        return PressHead(None, "" if word in ("", "to all", "all") else arguments)


def _color(word: str | None) -> PressColor | None:
    return COLORS.get((word or "").lower())


def all_but(words: str) -> str | None:
    """Return who is left out of `ALL BUT FG` or `-FG`: "" for ALL, None if it is neither."""
    found = _ALL.match(words)
    return None if found is None else found["but"] or found["minus"] or ""


def labels(variant: Variant, text: str) -> list[str]:
    """Read powers, masters, and observers, as letters in one word or as names. Raises Refused."""
    letters = dict(variant.letters) | {"M": MASTER, "O": OBSERVERS}
    names = Names.of(variant)
    found: list[str] = []
    pieces = [piece for piece in re.split(r"\s*(?:[,;+&]|\band\b)\s*", text) if piece]
    listed_names = [_named(names, piece) if len(piece) > 1 else None for piece in pieces]
    if len(pieces) > 1 and all(listed_names):
        # Apart like this they are names, even where they could be letters.
        return list(dict.fromkeys(filter(None, listed_names)))
    for piece in pieces:
        words = piece.split()
        whole = _named(names, piece) if len(words) > 1 else None
        parts = [piece] if whole else words
        for part in parts:
            found += _read(names, letters, part)
    if not found:
        raise Refused("press_to_whom", write="PRESS TO M")
    return list(dict.fromkeys(found))


def _read(names: Names, letters: Mapping[str, str], part: str) -> list[str]:
    """Return whom one word of a list, or one name, means."""
    if part.lower() in ("master", "gm", "moderator"):
        return [MASTER]
    if part.lower() in ("observer", "observers"):
        return [OBSERVERS]
    signs = part.upper()
    # A repeated letter is a slip, so the word is no list of letters.
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
    """Return all that `text` names, ALL and ALL BUT too, without the power `but`.

    Raises Refused.
    """
    left_out = all_but(text)
    if left_out is None:
        return labels(variant, text)
    gone = {but, *(labels(variant, left_out) if left_out else ())}
    return [power for power in variant.powers if power not in gone]


def answered(subject: str) -> str | None:
    """Return the label of who wrote the press that a message with this subject answers."""
    found = _ANSWERED.search(" ".join(subject.split()))
    return found["from"] if found else None


class Recipients(Struct, frozen=True):
    """To whom a message goes: seats, and the labels under which its readers see them.

    The writer's own label may be among them: a list without it would name who writes unsigned.
    """

    seats: tuple[Seat, ...]
    labels: tuple[str, ...]
    public: bool = False


def read_recipients(state: State, head: PressHead, sender: Sequence[Seat]) -> Recipients:
    """Find the seats of `FRG`, `France, Italy`, `M`, `ALL`, or `ALL BUT T`.

    Raises Refused, naming what is wrong, unless every recipient can be found.
    """
    left_out = all_but(head.to)
    if left_out == "":
        return everybody(state)
    if left_out is not None:
        seats = _but(state, left_out)
        return _found(state, seats, [called(state, seat) for seat in seats], sender)
    seats = []
    named = labels(state.variant, head.to)
    for each in named:
        found = holders(state, each)
        if each in state.variant.powers and state.powers.condition(each) == Condition.DUMMY:
            raise Refused("press_nobody", who=each, game=state.game.name)
        if not found:
            raise Refused("press_no_one", who=_WHO.get(each, each), game=state.game.name)
        seats += found
    return _found(state, seats, named, sender)


_WHO = {MASTER: "a master", OBSERVERS: "an observer"}


def read_claim(state: State, text: str) -> tuple[str, ...]:
    """Return the labels that a faked heading shows. Raises Refused for unknown names."""
    left_out = all_but(text)
    if left_out == "" or text == ALL:
        return (ALL,)
    if left_out is not None:
        seats = _but(state, left_out)
        return tuple(dict.fromkeys(called(state, seat) for seat in seats))
    return tuple(labels(state.variant, text))


def _but(state: State, left_out: str) -> list[Seat]:
    """Return all players but those that a list leaves out. Raises Refused for unknown names.

    Who leaves somebody out writes behind somebody's back: those who watch are named, or left out.
    """
    gone = set(labels(state.variant, left_out))
    return [
        seat
        for seat in state.seats
        if seat.state in IN_USE and seat.role is Role.PLAYER and seat.power not in gone
    ]


def holders(state: State, label: str) -> list[Seat]:
    """Return the seats that the name of a power, MASTER, or OBSERVERS means at present."""
    if label == MASTER:
        # Anyone who created an unmoderated gunboat game plays in it: a reply would name them.
        veiled = state.terms.hides_people and not state.game.moderated
        return [] if veiled else state.seats.active(Role.MASTER)
    if label == OBSERVERS:
        return state.seats.active(Role.OBSERVER)
    seat = state.seats.holder(label)
    return [seat] if seat is not None and seat.state in IN_USE else []


def _found(
    state: State, seats: Sequence[Seat], named: Iterable[str], sender: Sequence[Seat]
) -> Recipients:
    found = _without(sender, seats, named)
    if not found.seats and seats:
        raise Refused("press_to_self", who=listed(list(named)))
    if not found.seats:
        raise Refused("press_no_one", who="anybody else", game=state.game.name)
    return found


def _without(sender: Sequence[Seat], seats: Sequence[Seat], named: Iterable[str]) -> Recipients:
    mine = {seat.id for seat in sender}
    others = tuple(seat for seat in seats if seat.id not in mine)
    return Recipients(others, tuple(dict.fromkeys(named)))


def everybody(state: State) -> Recipients:
    """Return everybody in the game, observers and masters included."""
    seats = tuple(seat for seat in state.seats if seat.state in IN_USE)
    return Recipients(seats, (ALL,), public=True)


def to_writer(state: State, press: Press, sender: Sequence[Seat]) -> Recipients:
    """Return the writer of a message, under the label that its readers know. Raises Refused."""
    return _answered(state, _now(state, [press.sender_id]), [press.from_label], sender)


def to_all(state: State, press: Press, sender: Sequence[Seat]) -> Recipients:
    """Return the writer and all recipients of a message, as its heading names them; for a broadcast
    everybody. Raises Refused."""
    if press.to == [ALL]:
        return everybody(state)
    seats = _now(state, [press.sender_id, *press.seats])
    powers = set(state.variant.powers) | {MASTER, OBSERVERS}
    if set(press.to) <= powers:
        # A heading may be faked: a reply goes to whom it names.
        seats = _now(state, [press.sender_id])
        seats += [seat for each in press.to for seat in holders(state, each) if seat not in seats]
    return _answered(state, seats, [press.from_label, *press.to], sender)


def _answered(
    state: State, seats: Sequence[Seat], named: Sequence[str], sender: Sequence[Seat]
) -> Recipients:
    found = _without(sender, seats, named)
    # A failing reply must not tell whether an unsigned writer is still in the game.
    if not found.seats and ANONYMOUS not in named:
        raise Refused("press_no_one", who=listed(list(named)), game=state.game.name)
    return found


def _now(state: State, ids: Sequence[int | None]) -> list[Seat]:
    """Return the seats with these ids, or those who play their powers at present."""
    found: list[Seat] = []
    for seat in state.seats:
        if seat.id not in ids:
            continue
        now = (
            seat if seat.state in IN_USE else state.seats.player(seat.power) if seat.power else None
        )
        if now is not None and now not in found:
            found.append(now)
    return found
