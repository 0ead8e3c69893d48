"""Press: to whom a piece of it goes, and whom an answer to it reaches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judge.game.press.recipients import ALL, ANONYMOUS, MASTER, OBSERVERS, Head, all_but, labels
from judge.game.state import IN_USE, State
from judge.game.state.answers import Refused
from judge.game.visibility import identity
from judge.sentences.units import listed
from judge.storage import Press, PressColor, Role, Seat

OBSERVER = "Observer"


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


def called(state: State, seat: Seat) -> str:
    """What the heading of a letter calls who gets it."""
    if seat.role == Role.PLAYER:
        return seat.power or identity.name_of(state, seat)
    return MASTER if seat.role == Role.MASTER else OBSERVERS


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


def label(state: State, seats: Sequence[Seat]) -> str:
    """As whom these seats write."""
    for seat in seats:
        if seat.role == Role.PLAYER:
            return called(state, seat)
    return MASTER if any(seat.role == Role.MASTER for seat in seats) else OBSERVER


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


def is_hidden_from(state: State, press: Press, sender: Sequence[Seat]) -> bool:
    """Whether a message may answer grey press of these seats: who wrote it knows them by no name,
    or by one among others."""
    if ANONYMOUS not in press.to:
        return False
    mine = {seat.id for seat in sender}
    said = state.storage.press.of_game(state.game.id)
    wrote = any(each.sender_id in mine and each.color == PressColor.GREY for each in said)
    return wrote or label(state, sender) not in press.to


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
