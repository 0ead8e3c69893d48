"""The first look at a mail: what the table of `answering` decides is done here."""

from __future__ import annotations

import logging

from judge.game.post import BOUNCE, STOP, Post
from judge.intake.answering import DAY, Action, Look, decide
from judge.intake.authentication import answered
from judge.intake.context import MessageContext
from judge.intake.passwords import put_away
from judge.intake.returned import came_back, complained, contact, stop_watching
from judge.mail import bounces
from judge.mail.message import parse
from judge.storage import Game, InboundMessage

log = logging.getLogger(__name__)

_LOOKED_AT = 20
"""Waiting mails that are looked at; behind more a game waits, whatever they are about."""


def receive(context: MessageContext) -> bool:
    """Whether a mail is to be read. If not, all that is to be done with it has been."""
    look = Look(context.mail, context.incoming, context.sender.person, context.post)
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
                context.post, context.sender.person, context.incoming.sender
            )
        return True
    if rule.action is Action.ASIDE:
        storage.inbound.hold(mail.id, rule.question, context.now)
        _tell_keeper(context.post)
        return False
    if rule.action is Action.RETURNED:
        _returned(context, look)
    elif rule.action is Action.STOP:
        _stop(context, look)
    storage.inbound.done(mail.id, context.now)
    put_away(storage, mail, incoming=context.incoming)
    return False


def holds_up(post: Post, game: Game, newest: int | None = None) -> bool:
    """Whether a mail that has come in and is still to be worked may have to do with a game; with
    `newest`, one up to that one, or one that was stored later and had come in by then.

    Not one that answers a letter of another game, unless its text names this one, too: lines for
    it could stand there behind a SIGN ON.
    """
    mails = post.storage.inbound
    since = mails.waiting_since()
    if since is None or (newest is None and since > post.now):
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
        counts = mail.received_at <= post.now or (newest is not None and mail_id <= newest)
        if counts and _may_concern(post, mail, game):
            return True
    return newest is None or last <= newest


def _may_concern(post: Post, mail: InboundMessage, game: Game) -> bool:
    incoming = parse(mail.raw, mail.envelope_from, own=(post.house.address,))
    found = answered(post.storage, post.addresses, mail, incoming, post.now)
    if found is None or found.ticket.game_id in (None, game.id):
        return True
    said = f"{incoming.subject}\n{incoming.text}\n{incoming.attached}"
    return game.name.lower() in said.lower()


def may_answer(look: Look) -> bool:
    """Whether a mail may get one more answer."""
    return decide(look).action is Action.READ


def _no_more(context: MessageContext, look: Look) -> None:
    """Tell the sender of one mail too many when he will be answered again."""
    facts = {
        "most": look.most,
        "until": context.now + look.while_,
        "zone": context.post.zone(context.sender.person),
        "stranger": context.sender.person is None,
        "keeper": context.house.keeper,
    }
    context.post.send(
        "limit",
        context.incoming.sender,
        facts,
        person=context.sender.person,
        answers=context.incoming,
        mail_id=context.mail.id,
    )


def _tell_keeper(post: Post) -> None:
    keeper = post.house.keeper
    if keeper and not post.storage.outbound.lately(("strangers",), post.now - DAY):
        post.send("strangers", keeper, {"most": post.house.limits.strangers})


def _returned(context: MessageContext, look: Look) -> None:
    """A mail to a return path. Vacation notices come there, too, and mean nothing."""
    letter = context.storage.outbound.by_return_path([look.letters_address(BOUNCE)])
    if letter is None:
        return
    complaint = bounces.complaint(context.mail.raw)
    failure = bounces.read(context.mail.raw)
    if complaint:
        complained(context.post, letter, complaint)
    elif failure is not None:
        came_back(context.post, letter, failure)


def _stop(context: MessageContext, look: Look) -> None:
    """End the part of the observer whose letter it was, and tell him, not whoever wrote."""
    found = look.written_to(STOP)
    ticket = context.storage.tickets.find(found.number) if found else None
    if ticket is None or ticket.game_id is None or ticket.person_id is None:
        return
    was = stop_watching(context.post, ticket.game_id, ticket.person_id, context.incoming.sender)
    person = context.storage.people.find(ticket.person_id)
    game = context.storage.games.find(ticket.game_id)
    if person is None or game is None or not (was or context.incoming.answerable):
        return
    facts = {"was": was, "game": game.name, "phase": game.phase}
    context.post.to_person("unwatched", person, facts, mail_id=context.mail.id)
