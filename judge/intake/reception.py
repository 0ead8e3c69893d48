"""The first look at a mail: what the table of `answering` decides is done here."""

from __future__ import annotations

import logging
from datetime import datetime

from judge.events import Event, EventKind, Keeper, Reader
from judge.game.state.profile import JudgeProfile
from judge.intake.answering import DAY, Action, Look, decide
from judge.intake.authentication import answered
from judge.intake.context import MessageContext
from judge.intake.passwords import put_away
from judge.intake.returned import came_back, complained, contact, stop_watching
from judge.mail import bounces
from judge.mail.address import BOUNCE, STOP
from judge.mail.message import parse
from judge.storage import Game, InboundMessage, Storage

log = logging.getLogger(__name__)

_LOOKED_AT = 20
"""Waiting mails that are looked at; behind more a game waits, whatever they are about."""


def receive(context: MessageContext) -> bool:
    """Whether a mail is to be read. If not, all that is to be done with it has been."""
    look = _look(context)
    rule = decide(look)
    mail, storage = context.mail, context.storage
    if rule.action is not Action.READ:
        why = context.incoming.reason or rule.question
        log.info("mail not simply read", extra={"mail": mail.id, "why": why})
    if rule.action in (Action.READ, Action.QUIET, Action.NOTICE):
        context.report.quiet = rule.action is not Action.READ
        if rule.action is Action.NOTICE:
            _no_more(context, look)
        if context.sender.person is not None:
            context.report.news = contact(
                context.storage,
                context.events,
                context.now,
                context.sender.person,
                context.incoming.sender,
            )
        return True
    if rule.action is Action.ASIDE:
        storage.inbound.hold(mail.id, rule.question, context.now)
        _tell_keeper(context)
        return False
    if rule.action is Action.RETURNED:
        _returned(context, look)
    elif rule.action is Action.STOP:
        _stop(context, look)
    storage.inbound.done(mail.id, context.now)
    put_away(storage, mail, incoming=context.incoming)
    return False


def holds_up(
    storage: Storage, profile: JudgeProfile, game: Game, now: datetime, newest: int | None = None
) -> bool:
    """Whether a mail that has come in and is still to be worked may have to do with a game; with
    `newest`, one up to that one, or one that was stored later and had come in by then.

    Not one that answers a letter of another game, unless its text names this one, too: lines for
    it could stand there behind a SIGN ON.
    """
    mails = storage.inbound
    since = mails.waiting_since()
    if since is None or (newest is None and since > now):
        return False
    last = 0
    for _ in range(_LOOKED_AT):
        mail_id = mails.next_new(last)
        if mail_id is None:
            return False
        last = mail_id
        mail = mails.find(mail_id)
        if mail is None:
            continue
        # What lay in a mailbox in time is received a little later.
        counts = mail.received_at <= now or (newest is not None and mail_id <= newest)
        if counts and _may_concern(storage, profile, mail, game, now):
            return True
    return newest is None or last <= newest


def _may_concern(
    storage: Storage, profile: JudgeProfile, mail: InboundMessage, game: Game, now: datetime
) -> bool:
    incoming = parse(mail.raw, mail.envelope_from, own=(profile.address,))
    addresses = profile.addresses(storage.tickets.secret)
    found = answered(storage, addresses, mail, incoming, now)
    if found is None or found.ticket.game_id in (None, game.id):
        return True
    said = f"{incoming.subject}\n{incoming.text}\n{incoming.attached}"
    return game.name.lower() in said.lower()


def may_answer(context: MessageContext) -> bool:
    """Whether a mail may get one more answer."""
    return decide(_look(context)).action is Action.READ


def _look(context: MessageContext) -> Look:
    return Look(
        mail=context.mail,
        incoming=context.incoming,
        person=context.sender.person,
        storage=context.storage,
        profile=context.profile,
        addresses=context.addresses,
        now=context.now,
    )


def _no_more(context: MessageContext, look: Look) -> None:
    """Tell the sender of one mail too many when he will be answered again."""
    facts = {
        "most": look.most,
        "until": context.now + look.while_,
        "zone": context.zone,
        "stranger": context.sender.person is None,
        "keeper": context.profile.keeper,
    }
    context.answer(EventKind.LIMIT, facts)


def _tell_keeper(context: MessageContext) -> None:
    kind = EventKind.STRANGERS
    if not context.storage.outbound.lately((kind.word,), context.now - DAY):
        facts = {"most": context.profile.limits.strangers}
        context.events.append(Event(kind=kind, to=Keeper(), facts=facts))


def _returned(context: MessageContext, look: Look) -> None:
    """A mail to a return path. Vacation notices come there, too, and mean nothing."""
    letter = context.storage.outbound.by_return_path([look.letters_address(BOUNCE)])
    if letter is None:
        return
    complaint = bounces.complaint(context.mail.raw)
    failure = bounces.read(context.mail.raw)
    if complaint:
        complained(context.storage, context.events, context.now, letter, complaint)
    elif failure is not None:
        came_back(context.storage, context.events, context.now, letter, failure)


def _stop(context: MessageContext, look: Look) -> None:
    """End the part of the observer whose letter it was, and tell him, not whoever wrote."""
    found = look.written_to(STOP)
    ticket = context.storage.tickets.find(found.number) if found else None
    if ticket is None or ticket.game_id is None or ticket.person_id is None:
        return
    was = stop_watching(
        context.storage, ticket.game_id, ticket.person_id, context.incoming.sender, context.now
    )
    person = context.storage.people.find(ticket.person_id)
    game = context.storage.games.find(ticket.game_id)
    if person is None or game is None or not (was or context.incoming.answerable):
        return
    facts = {"was": was, "game": game.name, "phase": game.phase}
    context.events.append(
        Event(kind=EventKind.UNWATCHED, to=Reader(person.id), facts=facts, mail_id=context.mail.id)
    )
