"""How people are asked into a game: INVITE and REPLACE, and SET NO INVITATIONS against them."""

from __future__ import annotations

import hashlib
import hmac
import re
from datetime import timedelta

from judge.commands.admission import end_part
from judge.commands.named import power_named
from judge.events import At, Event, EventKind
from judge.game.people.entry import is_barred
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.game.state.profile import TrustLevel
from judge.game.visibility.identity import is_hidden
from judge.intake.authentication import prove
from judge.intake.command import Call, commands, example, summary
from judge.intake.context import MessageContext
from judge.intake.offers import Offer, to_claim
from judge.storage import GameState, Role

_ADDRESS = re.compile(
    r"(?P<power>.*?)\s*\b(?:with|by)?\s*<?(?P<address>[^\s<>,;:@]+@[^\s<>,;:@]+)>?", re.IGNORECASE
)

MOST = 10
"""Invitations of one person in a day: each may go to somebody who never wrote to us."""

_INVITED = "invited"
"""What the log says of one; the address stands in it as a digest."""

_UNWILLING = "uninvited"
"""The keeper's list of those who want no invitations, as digests."""


def _read(text: str, write: str) -> tuple[str, str]:
    """Return the power and the address in a line. Raises Refused."""
    found = _ADDRESS.fullmatch(text.strip(" .!")[:_LONGEST])
    if found is None:
        raise Refused("bad_address", write=write, address=text)
    return found["power"], found["address"].lower()


_LONGEST = 200


def _digest(context: MessageContext, address: str) -> str:
    """Return an address as what stays on file of it, by which nobody can be found."""
    secret = context.storage.tickets.secret
    return hmac.new(secret, address.encode(), hashlib.sha256).hexdigest()[:32]


def _check(context: MessageContext, state: State, address: str) -> None:
    """Raise Refused where no invitation may go to an address any more."""
    assert context.sender.person is not None
    events, me = context.storage.events, context.sender.person.id
    lately = events.lately(_INVITED, context.now - timedelta(days=1))
    if sum(each.facts["by"] == me for each in lately) >= MOST:
        raise Refused("too_many_invited", most=MOST)
    digest = _digest(context, address)
    if any(
        each.what == _INVITED and each.facts["to"] == digest
        for each in events.of_game(state.game.id)
    ):
        raise Refused("was_invited", address=address, game=state.game.name)


def _write(context: MessageContext, state: State, address: str, power: str | None) -> None:
    """Invite somebody to a game, or to play a power in it, unless they may not or will not come."""
    assert context.sender.person is not None
    digest = _digest(context, address)
    context.log(_INVITED, {"by": context.sender.person.id, "to": digest})
    person = context.storage.people.by_address(address)
    unwilling = context.storage.keeper_settings.get(_UNWILLING) or ()
    if digest in unwilling or is_barred(context.storage, [address]):
        return
    if person is not None and state.seats_of(person.id):
        return
    name = state.game.name
    line = f"JOIN {name}" if power is None else f"TAKE OVER {power.lower()}@{name}"
    facts = {
        "who": None if is_hidden(state) else context.sender.person.name,
        "game": name,
        "title": state.variant.title,
        "places": state.places,
        "settings": state.settings,
        "power": power,
        "line": line,
        "zone": context.profile.zone_of(person),
    }
    context.events.append(
        Event(
            kind=EventKind.INVITATION,
            to=At(address, person.id if person else None),
            facts=facts,
            mail_id=context.mail.id,
            claim=to_claim([Offer(line, no="SET NO INVITATIONS")]),
        )
    )


def _invite(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    _, address = _read(call.arguments, example("invite"))
    if state.game.state != GameState.FORMING:
        raise Refused("has_started", game=state.game.name)
    if not any(seat.role != Role.OBSERVER for seat in context.cursor.mine()):
        raise Refused("players_only", game=state.game.name, would=summary("invite"))
    prove(context, state, TrustLevel.TOKEN)
    _check(context, state, address)
    _write(context, state, address, None)
    return Answer("invited", {"address": address, "game": state.game.name, "power": None})


def _replace(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state not in (GameState.ACTIVE, GameState.PAUSED):
        raise not_running(state)
    word, address = _read(call.arguments, example("replace"))
    power = power_named(state, word, example("replace"))
    _check(context, state, address)
    seat = state.player(power)
    if seat is not None and seat.person_id is not None:
        who = state.person(seat).name
        context.confirm("replacing", game=state.game.name, who=who, power=power, address=address)
        end_part(context, state, [each for each in state.seats_of(seat.person_id) if each.power])
    elif power not in state.open_powers():
        raise Refused("nobody_plays", game=state.game.name, power=power)
    else:
        prove(context, state, TrustLevel.TOKEN)
    _write(context, state, address, power)
    return Answer("invited", {"address": address, "game": state.game.name, "power": power})


def _refuse_all(context: MessageContext, call: Call) -> Answer:
    return _list(context, wanted=False)


def _allow_all(context: MessageContext, call: Call) -> Answer:
    return _list(context, wanted=True)


def _list(context: MessageContext, wanted: bool) -> Answer:
    mine = _digest(context, context.incoming.sender.lower())
    kept = [each for each in context.storage.keeper_settings.get(_UNWILLING) or () if each != mine]
    context.storage.keeper_settings.put(_UNWILLING, (kept if wanted else [*kept, mine]) or None)
    return Answer("invitations", {"wanted": wanted})


COMMANDS = commands(
    {
        "invite": _invite,
        "replace": _replace,
        "set no invitations": _refuse_all,
        "set invitations": _allow_all,
    }
)
