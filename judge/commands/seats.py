"""Seats given away by a code: SEATS makes them, SEAT takes one, SITTER lends one's own."""

from __future__ import annotations

import re
import secrets
from datetime import datetime, timedelta
from typing import Any

from judge.commands import admission, joining, tournament_commands
from judge.commands.names_meant import power_named, reading
from judge.events import At, Event, EventKind, Recipient
from judge.game.people.entry import digest_of
from judge.game.people.lateness import sit, sitters, take_back
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.intake.authentication import prove
from judge.intake.authorization import ensure_registered
from judge.intake.context import Cursor, Log, MessageContext, Sender
from judge.intake.lines import Line
from judge.intake.offers import Offer, to_claim
from judge.limits import BOUNDS
from judge.rules.variant import Variant
from judge.schedule.dates import numbered, read_date
from judge.storage import GameState, Role, SeatCode, Storage

_LETTERS = "bcdfghjkmnpqrstvwxz"
"""Those that nobody takes for another one, and of which no words are made."""

_HALF = 4
_VALID = timedelta(days=60)

_TO = "|".join(map(re.escape, numbered("to")))
_WHERE = re.compile(rf"(?P<address>\S+@\S+?)[\s,]+(?:(?:{_TO})\s+)?(?P<until>\S.*)", re.IGNORECASE)


def _digest(storage: Storage, code: str) -> str:
    return digest_of(storage, "seat " + "".join(filter(str.isalpha, code.lower())))


def _make(sender: Sender, storage: Storage, now: datetime, expires: datetime, **of: Any) -> str:
    """Store a code that gives a seat away, and return it; `of` is what else a `SeatCode` says."""
    halves = ("".join(secrets.choice(_LETTERS) for _ in range(_HALF)) for _ in range(2))
    code, by = "-".join(halves), sender.registered.id
    digest = _digest(storage, code)
    storage.seat_codes.add(SeatCode(digest=digest, by=by, created_at=now, expires_at=expires, **of))
    return code


def is_code(text: str, _: Variant) -> bool:
    """Return whether a text is a code, however its letters are spaced."""
    said = re.sub(r"[\s.,-]", "", text.lower())
    return len(said) == 2 * _HALF and set(said) <= set(_LETTERS)


# SEATS: codes to hand on


def give(cursor: Cursor, profile: JudgeProfile, now: datetime, log: Log, call: Line) -> Answer:
    said = call.arguments.strip(" .").split()
    words = [word for word in said if not word.isdecimal()]
    count = int(next((word for word in said if word.isdecimal()), 1))
    made = cursor.storage.seat_codes.made_by(cursor.sender.registered.id, now - timedelta(days=1))
    if not 0 < count <= BOUNDS.seat_codes - made:
        raise Refused("too_many_seats", most=max(BOUNDS.seat_codes - made, 0))
    tournament = cursor.storage.tournaments.by_name(words[0]) if words else None
    state = None
    if tournament is None:
        named = words and words[0].lower() in cursor.names()
        state = cursor.game_named(words.pop(0)) if named else cursor.here()
    power: str | None = None
    if state is None:
        assert tournament is not None
        tournament_commands.check_directs(cursor, tournament)
        name, of = tournament.name, {"tournament_id": tournament.id}
    else:
        power, count = _of_game(cursor, state, " ".join(words), count)
        prove(cursor, state, TrustLevel.TOKEN)
        name, of = state.game.name, {"game_id": state.game.id}
    until = now + _VALID
    codes = [
        _make(cursor.sender, cursor.storage, now, until, power=power, **of) for _ in range(count)
    ]
    log.of(state, "seats given", {"count": count, "power": power, "of": name})
    facts = {"codes": codes, "name": name, "power": power, "tournament": tournament is not None}
    return Answer("seats", facts | {"address": profile.address, "until": until})


def _of_game(cursor: Cursor, state: State, text: str, count: int) -> tuple[str | None, int]:
    """Return the power that is given away in a game, None for any place, and how many times."""
    mine = [seat for seat in cursor.mine() if seat.role is not Role.OBSERVER]
    if not mine:
        raise Refused("players_only", game=state.game.name, would=None)
    if state.game.state is GameState.FORMING:
        free = state.terms.free_places
        if not free:
            raise Refused("game_full", write=None, game=state.game.name, state=state.game.state)
        return None, min(count, free)
    found = state.powers.open()
    write = f"SEATS {found[0]}" if found else f"LIST {state.game.name}"
    alone = found[0] if len(found) == 1 else None
    power = power_named(state, text, write) if text else alone
    if power not in found:
        raise Refused("not_open", write=write, game=state.game.name, power=power, open=found)
    return power, 1


# SEAT: take one


def take(context: MessageContext, call: Line) -> Answer:
    """Give the sender the seat that a code stands for. Raises Refused."""
    code = "".join(filter(str.isalpha, call.arguments.lower()))[: 2 * _HALF]
    found = context.storage.seat_codes.by_digest(_digest(context.storage, code))
    if found is None or len(code) != 2 * _HALF:
        raise Refused("no_seat", write=None)
    if found.used_at is not None or found.expires_at <= context.now:
        raise Refused("seat_gone", used=found.used_at is not None)
    prove(context.cursor, None)
    new = context.sender.person is None
    ensure_registered(context)
    nameless = new and not context.incoming.sender_name.strip()
    done = _take(context, found)
    found.used_at = None if done.facts.get("did") == "in already" else context.now
    context.storage.seat_codes.save(found)
    inner = {"code": done.code, "nameless": nameless, "name": context.sender.registered.name}
    return Answer("seat", {**done.facts, "inner": inner})


def _take(context: MessageContext, found: SeatCode) -> Answer:
    if found.tournament_id is not None:
        tournament = context.storage.tournaments.claim(found.tournament_id)
        return tournament_commands.take_part(context, tournament)
    assert found.game_id is not None
    state = context.cursor.load(found.game_id)
    if found.until is not None:
        return _sit(context, state, found)
    if found.power is not None:
        return admission.take_over(context, state, found.power)
    return joining.join(context, state.game.name)


# SITTER: lend one's seat


def lend(
    cursor: Cursor, profile: JudgeProfile, now: datetime, log: Log, state: State, call: Line
) -> Answer:
    """Ask somebody to play the sender's powers until a date. Raises Refused."""
    prove(cursor, state, TrustLevel.TOKEN)
    mine = [seat for seat in cursor.playing() if seat.power]
    write = "SITTER friend@example.org until 3 Dec"
    found = _WHERE.fullmatch(call.arguments.strip(" ."))
    if not mine or any(seat in mine for seat in sitters(state)):
        raise Refused("players_only", game=state.game.name, would=None)
    if found is None and "@" in call.arguments:
        raise Refused("sitter_until", write=write)
    if found is None:
        raise Refused("bad_address", write=write, address=call.arguments)
    with reading(write):
        until = read_date(found["until"], now, cursor.sender.zone)
    address = found["address"].strip("<>,").lower()
    person = cursor.storage.people.by_address(address)
    if person is not None and person.id in state.seats.everybody():
        raise Refused("sitter_plays", game=state.game.name, address=address)
    joining.check_invited(cursor.sender, cursor.storage, now, address)
    power = mine[0].power
    of = {"game_id": state.game.id, "power": power, "until": until}
    code = _make(cursor.sender, cursor.storage, now, until, **of)
    who = None if state.terms.hides_people else cursor.sender.registered.name
    facts = _lent(power, until, asked=True) | {"game": state.game.name, "who": who}
    facts |= {"zone": profile.zone_of(person), "buttons": ("YES", "NO")}
    if not joining.will_not_be_asked(cursor.sender, cursor.storage, log, address):
        offer = to_claim([Offer(f"SEAT {code}", no="SET NO INVITATIONS")])
        to = At(address, person.id if person else None)
        told = Event(kind=EventKind.LENT, to=to, facts=facts, mail_id=cursor.mail.id, claim=offer)
        cursor.events.append(told)
    log("sitter asked", {"power": power, "until": until.isoformat()})
    return Answer("sitter", facts | {"address": address, "zone": cursor.sender.zone})


def _sit(context: MessageContext, state: State, found: SeatCode) -> Answer:
    """Let the sender sit in for the player who asked them. Raises Refused."""
    assert found.until is not None
    if state.game.state not in (GameState.ACTIVE, GameState.PAUSED):
        raise not_running(state)
    mine = state.seats.of(context.sender.registered.id)
    if any(seat.role is not Role.OBSERVER for seat in mine):
        raise Refused("already_in", game=state.game.name)
    owned = [seat for seat in state.seats.active(Role.PLAYER) if seat.person_id == found.by]
    if not owned:
        raise Refused("seat_gone", used=True)
    admission.admit(context.cursor, context.profile, context.incoming, state)
    state.seats.leave(seat for seat in mine if seat.role is Role.OBSERVER)
    seats = [
        sit(state, seat, context.sender.registered, context.now, found.until) for seat in owned
    ]
    powers = [seat.power for seat in seats if seat.power]
    context.cursor.enter(state, seats)
    context.log("sits", {"powers": powers, "person": context.sender.registered.id})
    to = Recipient(owned[0].person_id or 0)
    facts = _lent(powers[0], found.until, own=True)
    state.tell(EventKind.LENT, facts, to=to, mail_id=context.mail.id)
    sender, mail, events = context.sender, context.mail, context.events
    admission.tell_takeover(
        sender, mail, events, state, powers, None, fresh=False, until=found.until
    )
    return Answer("taken_over", {"game": state.game.name, "taken": powers})


def _lent(power: str | None, until: datetime, **how: bool) -> dict[str, object]:
    """Return what a letter says of a power that is lent: `asked` for, or one's `own`."""
    usual = {"own": False, "back": False, "asked": False}
    return {"power": power, "until": until, **usual, **how}


def take_mine_back(cursor: Cursor, now: datetime, call: Line) -> Answer:
    """Give the sender back at once what somebody sits in for, or was asked to. Raises Refused."""
    state = cursor.game_meant(call.arguments)
    prove(cursor, None, TrustLevel.TOKEN)
    before, me = len(state.events), cursor.sender.registered.id
    asked = cursor.storage.seat_codes.lent(me, state.game.id)
    for code in asked:
        code.used_at = now
        cursor.storage.seat_codes.save(code)
    if state.game.state in (GameState.ACTIVE, GameState.PAUSED):
        take_back(state, now, only=(me,))
    sat = len(state.events) > before
    if not sat and not asked:
        raise Refused("nobody_sits", game=state.game.name)
    cursor.enter(state)
    return Answer("sitter_back", {"game": state.game.name, "sat": sat})
