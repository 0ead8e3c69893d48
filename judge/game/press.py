"""Press: who may write to whom, and the letters that carry it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from judge.game.command import Refused
from judge.game.recipients import ALL, MASTER, OBSERVERS, all_but, labels
from judge.game.state import IN_USE, State
from judge.game.visit import Visit
from judge.render.words import listed
from judge.storage import Press, Seat

OBSERVER = "Observer"


@dataclass(frozen=True)
class Recipients:
    """To whom a message goes: seats, and the labels under which its readers see them."""

    seats: tuple[Seat, ...]
    labels: tuple[str, ...]
    public: bool = False


def read_recipients(state: State, text: str, sender: Sequence[Seat]) -> Recipients:
    """Read `FRG`, `France, Italy`, `M`, `ALL`, `ALL BUT T`. Raises Refused, naming what is wrong.

    Nothing is sent unless every recipient can be found.
    """
    mine = {seat.id for seat in sender}
    left_out = all_but(text)
    if left_out is not None:
        gone = labels(state.variant, left_out) if left_out else []
        seats = [
            seat
            for seat in state.seats
            if seat.role == "player" and seat.state in IN_USE
            if seat.id not in mine and seat.power not in gone
        ]
        return _found(state, seats, [seat.power for seat in seats if seat.power] or [ALL])
    seats = []
    named = labels(state.variant, text)
    for label in named:
        if label == MASTER:
            masters = state.active("master")
            if not masters:
                raise Refused("press_no_one", who="a master", game=state.game.name)
            seats += masters
            continue
        if label == OBSERVERS:
            observers = state.active("observer")
            if not observers:
                raise Refused("press_no_one", who="an observer", game=state.game.name)
            seats += observers
            continue
        seat = state.holder(label)
        if seat is None or seat.state not in IN_USE:
            raise Refused("press_no_one", who=label, game=state.game.name)
        seats.append(seat)
    others = [seat for seat in seats if seat.id not in mine]
    return _found(state, others, named)


def _found(state: State, seats: Sequence[Seat], called: Sequence[str]) -> Recipients:
    if not seats:
        raise Refused("press_no_one", who="anybody else", game=state.game.name)
    return Recipients(tuple(seats), tuple(called))


def label(state: State, seats: Sequence[Seat]) -> str:
    """As whom these seats write."""
    for seat in seats:
        if seat.role == "player":
            return seat.power or state.person(seat).name
    return MASTER if any(seat.role == "master" for seat in seats) else OBSERVER


def allow(state: State, sender: Sequence[Seat], to: Recipients) -> None:
    """Raise Refused unless the game's press settings let these seats write to those.

    Always allowed: anything by a master, and letters to masters alone.
    """
    if any(seat.role == "master" for seat in sender) and state.game.moderated:
        return
    if to.labels == (MASTER,):
        return
    # Before the start and after the end people may always talk.
    if state.settings.press == "none" and state.game.state == "active":
        raise Refused("press_none", game=state.game.name, moderated=state.game.moderated)


def deliver(
    visit: Visit, state: State, to: Recipients, lines: Sequence[str], subject: str = ""
) -> dict[str, object]:
    """Send a message; the facts of the copy its sender gets. Raises Refused when it is empty,
    or one too many in an hour.

    `subject` is that of the conversation, "" for one that begins.
    """
    text = "\n".join(lines).strip("\n")
    if not text.strip():
        raise Refused("press_empty")
    sender = visit.seats
    most = visit.house.limits.press
    ids = [seat.id for seat in sender]
    if visit.storage.press.lately(ids, visit.now - timedelta(hours=1)) >= most:
        raise Refused("press_too_often", most=most)
    seat = next((s for s in sender if s.role == "player"), sender[0])
    who = label(state, sender)
    press = visit.storage.press.add(
        Press(
            game_id=state.game.id,
            phase=state.game.phase,
            sender_id=seat.id,
            from_label=who,
            to=list(to.labels),
            text=text,
            public=to.public,
            sent_at=visit.now,
            subject=subject,
            seats=[each.id for each in to.seats],
        )
    )
    facts: dict[str, object] = {
        "sender": who,
        "sender_name": state.person(seat).name,
        "to": list(to.labels),
        "public": to.public,
        "text": text,
        "subject": subject,
        "several": to.public or len(to.seats) > 1,
    }
    me = visit.person.id if visit.person else None
    reached = {each.person_id for each in to.seats} - {me, None}
    for person_id in state.everybody():
        person = visit.storage.people.find(person_id)
        if person_id in reached and person is not None:
            visit.post.to_person("press", person, facts, state, visit.mail.id, press)
    return facts


def everybody(state: State) -> Recipients:
    """Everybody in the game, observers and masters included."""
    seats = tuple(seat for seat in state.seats if seat.state in IN_USE)
    return Recipients(seats, (ALL,), public=True)


def to_writer(state: State, press: Press, sender: Sequence[Seat]) -> Recipients:
    """Who wrote a message, under the label that its readers know him by. Raises Refused."""
    seats = _now(state, [press.sender_id] if press.sender_id is not None else [])
    return _answered(state, seats, [press.from_label], sender)


def to_all(state: State, press: Press, sender: Sequence[Seat]) -> Recipients:
    """Everybody who had a message, and who wrote it; to a broadcast, everybody. Raises Refused."""
    if press.public:
        return everybody(state)
    me = label(state, sender)
    called = [each for each in (press.from_label, *press.to) if each != me]
    ids = [press.sender_id] if press.sender_id is not None else []
    return _answered(state, _now(state, [*ids, *press.seats]), called, sender)


def _answered(
    state: State, seats: Sequence[Seat], called: Sequence[str], sender: Sequence[Seat]
) -> Recipients:
    mine = {seat.id for seat in sender}
    others = [seat for seat in seats if seat.id not in mine]
    if not others:
        raise Refused("press_no_one", who=listed(list(called)), game=state.game.name)
    return Recipients(tuple(others), tuple(called))


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
