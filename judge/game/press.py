"""Press: who may write to whom, and the letters that carry it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from judge.game.command import Refused
from judge.game.state import State
from judge.game.visit import Visit
from judge.language.names import NameProblem, Names
from judge.render.words import listed
from judge.storage import Press, Seat

MASTER = "Master"
OBSERVER = "Observer"
ALL = "All"


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
    words = text.strip().strip(":.").strip()
    mine = {seat.id for seat in sender}
    if found := re.match(r"all(?:\s+but\s+(?P<but>.+))?\Z", words, re.IGNORECASE):
        left_out = set(_labels(state, found["but"])) if found["but"] else set()
        seats = [
            seat
            for seat in state.active("player")
            if seat.id not in mine and seat.power not in left_out
        ]
        labels = [seat.power for seat in seats if seat.power] or [ALL]
        return _found(state, seats, labels)
    seats = []
    labels = list(dict.fromkeys(_labels(state, words)))
    for label in labels:
        if label == MASTER:
            masters = state.active("master")
            if not masters:
                raise Refused("press_no_one", who="a master", game=state.game.name)
            seats += masters
            continue
        seat = state.player(label)
        if seat is None:
            raise Refused("press_no_one", who=label, game=state.game.name)
        seats.append(seat)
    others = [seat for seat in seats if seat.id not in mine]
    return _found(state, others, labels)


def _found(state: State, seats: Sequence[Seat], labels: Sequence[str]) -> Recipients:
    if not seats:
        raise Refused("press_no_one", who="anybody else", game=state.game.name)
    return Recipients(tuple(seats), tuple(labels))


def _labels(state: State, text: str) -> list[str]:
    """Powers and the master, as letters in one word or as names. Raises Refused."""
    letters = dict(state.variant.letters) | {"M": MASTER}
    names = Names.of(state.variant)
    parts = [part for part in re.split(r"\s*(?:[,;+&]|\band\b|\s)\s*", text) if part]
    found = []
    for part in parts:
        as_letters = [letters[sign] for sign in part.upper() if sign in letters]
        if len(as_letters) != len(part):
            as_letters = []
        if part.lower() in ("master", "gm", "moderator"):
            found.append(MASTER)
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
    return found


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


def deliver(visit: Visit, state: State, to: Recipients, lines: Sequence[str]) -> dict[str, object]:
    """Send a message; the facts of the copy its sender gets. Raises Refused when it is empty."""
    text = "\n".join(lines).strip("\n")
    if not text.strip():
        raise Refused("press_empty")
    sender = visit.seats
    seat = next((s for s in sender if s.role == "player"), sender[0])
    who = label(state, sender)
    visit.storage.press.add(
        Press(
            game_id=state.game.id,
            phase=state.game.phase,
            sender_id=seat.id,
            from_label=who,
            to=list(to.labels),
            text=text,
            public=to.public,
            sent_at=visit.now,
        )
    )
    facts: dict[str, object] = {
        "sender": who,
        "sender_name": state.person(seat).name,
        "to": list(to.labels),
        "public": to.public,
        "text": text,
    }
    me = visit.person.id if visit.person else None
    reached = {each.person_id for each in to.seats} - {me, None}
    for person_id in state.everybody():
        person = visit.storage.people.find(person_id)
        if person_id in reached and person is not None:
            visit.post.to_person("press", person, facts, state, visit.mail.id)
    return facts


def everybody(state: State) -> Recipients:
    """Everybody in the game, observers and masters included."""
    seats = tuple(seat for seat in state.seats if seat.state == "active")
    return Recipients(seats, (ALL,), public=True)
