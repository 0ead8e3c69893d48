"""What people prefer: messages, reminders, addresses, passwords, and powers."""

from __future__ import annotations

import re
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from judge.commands.names_meant import reading
from judge.game.clock.game_clock import read_reminders
from judge.game.fairness import read_preferences
from judge.game.phases import begin_daily, next_hour
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import TrustLevel
from judge.intake.authentication import lock, prove, words_of
from judge.intake.authorization import ensure_registered
from judge.intake.context import Cursor, Log, MessageContext
from judge.intake.lines import Line
from judge.mail.message import ParsedMessage
from judge.storage import GameState, Person

# What people wish about their own letters, or do not: an option in two commands


def _wish(context: MessageContext, **wish: Any) -> Person:
    """Store what the sender wishes, and return them."""
    person = ensure_registered(context)
    person.options = replace(person.options, **wish)
    context.storage.people.save(person)
    return person


def wish(context: MessageContext, option: str, code: str, on: bool) -> Answer:
    person = _wish(context, **{option: on})
    context.log(code, {"person": person.id, "wish": on})
    if option == "daily":
        # When a game's clock is looked at next changes with the wish.
        for game_id in context.cursor.games():
            begin_daily(context.cursor.load(game_id), person, context.now)
    return Answer(code, {"wish": on})


def pictures(context: MessageContext, call: Line) -> Answer:
    chosen = call.arguments.strip(" .").lower()
    if chosen not in ("all", "results", "none"):
        raise Refused("which_pictures", write="SET PICTURES RESULTS")
    person = _wish(context, pictures=chosen)
    context.log("pictures", {"person": person.id, "chosen": chosen})
    return Answer("pictures", {"chosen": chosen})


def threads(context: MessageContext, call: Line) -> Answer:
    chosen = call.arguments.strip(" .").lower()
    if chosen not in ("phase", "game"):
        raise Refused("which_threads", write="SET THREADS GAME")
    person = _wish(context, threads=chosen)
    context.log("threads", {"person": person.id, "chosen": chosen})
    return Answer("threads", {"chosen": chosen})


def digest(context: MessageContext, call: Line) -> Answer:
    hour, *rest = call.arguments.upper().replace(",", " ").split() or [""]
    off, at_once = hour in ("OFF", "NONE", "NO", "NEVER"), rest[:1] == ["RESULTS"]
    try:
        at = None if off else f"{time.fromisoformat(hour.strip('.').zfill(5)):%H:%M}"
    except ValueError:
        raise Refused("bad_hour", write="SET DIGEST 08:00", given=call.arguments) from None
    if rest and not at_once:
        raise Refused("which_digest", write=f"SET DIGEST {hour} RESULTS AT ONCE")
    person = _wish(context, digest=at, results_at_once=at_once)
    zone = ZoneInfo(context.sender.zone)
    moment = next_hour(context.now, zone, time.fromisoformat(at)) if at else context.now
    context.storage.outbound.move_kept(person.id, moment)
    context.log("digest chosen", {"person": person.id, "at": at})
    facts = {"next": moment if at else None, "at_once": at_once}
    return Answer("person_digest", facts)


# SET REMINDER: when players are reminded of missing orders


def reminder(context: MessageContext, call: Line) -> Answer:
    with reading("SET REMINDER 24H 8H"):
        hours = read_reminders(call.arguments)
    person = _wish(context, reminders=hours)
    # The games of this mail have looked the person up before.
    for state in context.cursor.states.values():
        state.seats.known(person)
    context.log("reminders", {"person": person.id, "hours": hours})
    return Answer("reminders", {"hours": hours})


# SET PREFERENCE: which powers a player would like to have


def preference(cursor: Cursor, state: State, call: Line) -> Answer:
    if state.game.state != GameState.FORMING:
        raise Refused("locked", name="preferences", value="dealt")
    text = call.arguments.strip().strip(".")
    if text.lower() in ("none", "-"):
        text = ""
    with reading("SET PREFERENCE E[FGR]TAI"):
        wishes = read_preferences(text, state.variant.letters, state.variant.played)
    for seat in cursor.playing():
        seat.preferences = text
        state.seats.keep(seat)
    return Answer("preference", {"wishes": wishes})


# SET ADDRESS: where letters about one game go

_NONE = ("none", "no", "default", "-")


def address(cursor: Cursor, incoming: ParsedMessage, log: Log, state: State, call: Line) -> Answer:
    # Anyone who forges an address must not send somebody's letters elsewhere.
    prove(cursor, state, TrustLevel.TOKEN)
    text = call.arguments.strip(" .<>").lower()
    known = {
        each.address: each for each in cursor.storage.people.addresses(cursor.sender.registered.id)
    }
    chosen = [] if text in _NONE else re.split(r"[\s,;<>]+", text) if text else None
    if chosen is None:
        chosen = [incoming.sender]
    strange = [each for each in chosen if each not in known or not known[each].proved]
    if strange:
        raise Refused("not_your_address", write="SET ADDRESS", addresses=strange)
    for seat in cursor.own():
        state.seats.mark(seat, addresses=tuple(chosen))
    log("address chosen", {"count": len(chosen)})
    return Answer("address_chosen", {"game": state.game.name, "addresses": chosen})


# SET PASSWORD and SET NO PASSWORD: a word without which, or a reply address, nobody acts


def set_password(cursor: Cursor, log: Log, state: State, call: Line) -> Answer:
    words = words_of(call.arguments)
    if len(words) != 1 or words[0] != call.arguments:
        for word in words:
            cursor.sender.secrets.add(word)
        raise Refused("which_password", write="SET NO PASSWORD")
    # Anyone who forges an address must not lock its owner out.
    prove(cursor, state, TrustLevel.TOKEN)
    lock(cursor.sender, cursor.seats, words[0])
    for seat in cursor.seats:
        state.seats.keep(seat)
    log("password set")
    return Answer("password_set", {"game": state.game.name, "there": True})


def set_no_password(cursor: Cursor, log: Log, state: State) -> Answer:
    prove(cursor, state, TrustLevel.TOKEN)
    for seat in cursor.seats:
        seat.password = None
        state.seats.keep(seat)
    log("password removed")
    return Answer("password_set", {"game": state.game.name, "there": False})
