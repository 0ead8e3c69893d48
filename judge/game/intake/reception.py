"""The first look at a mail: what the table of `answering` decides is done here."""

from __future__ import annotations

import logging

from judge.game.intake.answering import DAY, Action, Look, decide
from judge.game.intake.passwords import put_away
from judge.game.intake.returned import came_back, complained, contact, stop_watching
from judge.game.intake.trust import answered
from judge.game.post import BOUNCE, STOP, Post
from judge.game.visit import Visit
from judge.mail import bounces
from judge.mail.message import parse
from judge.storage import Game, Mail

log = logging.getLogger(__name__)

_LOOKED_AT = 20
"""Waiting mails that are looked at; behind more a game waits, whatever they are about."""


def receive(visit: Visit) -> bool:
    """Whether a mail is to be read. If not, all that is to be done with it has been."""
    look = Look(visit.mail, visit.incoming, visit.person, visit.post)
    rule = decide(look)
    mail, storage = visit.mail, visit.storage
    if rule.action is not Action.READ:
        why = visit.incoming.reason or rule.question
        log.info("mail not simply read", extra={"mail": mail.id, "why": why})
    if rule.action in (Action.READ, Action.QUIET, Action.NOTICE):
        visit.quiet = rule.action is not Action.READ
        if rule.action is Action.NOTICE:
            _no_more(visit, look)
        if visit.person is not None:
            visit.news = contact(visit.post, visit.person, visit.incoming.sender)
        return True
    if rule.action is Action.ASIDE:
        storage.mails.hold(mail.id, rule.question, visit.now)
        _tell_keeper(visit.post)
        return False
    if rule.action is Action.RETURNED:
        _returned(visit, look)
    elif rule.action is Action.STOP:
        _stop(visit, look)
    storage.mails.done(mail.id, visit.now)
    put_away(storage, mail, incoming=visit.incoming)
    return False


def holds_up(post: Post, game: Game, newest: int | None = None) -> bool:
    """Whether a mail that has come in and is still to be worked may have to do with a game; with
    `newest`, one up to that one, or one that was stored later and had come in by then.

    Not one that answers a letter of another game, unless its text names this one, too: lines for
    it could stand there behind a SIGN ON.
    """
    mails = post.storage.mails
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


def _may_concern(post: Post, mail: Mail, game: Game) -> bool:
    incoming = parse(mail.raw, mail.envelope_from, own=(post.house.address,))
    found = answered(post.storage, post.addresses, mail, incoming, post.now)
    if found is None or found.ticket.game_id in (None, game.id):
        return True
    said = f"{incoming.subject}\n{incoming.text}\n{incoming.attached}"
    return game.name.lower() in said.lower()


def may_answer(look: Look) -> bool:
    """Whether a mail may get one more answer."""
    return decide(look).action is Action.READ


def _no_more(visit: Visit, look: Look) -> None:
    """Tell the sender of one mail too many when he will be answered again."""
    facts = {
        "most": look.most,
        "until": visit.now + look.while_,
        "zone": visit.post.zone(visit.person),
        "stranger": visit.person is None,
        "keeper": visit.house.keeper,
    }
    visit.post.send(
        "limit",
        visit.incoming.sender,
        facts,
        person=visit.person,
        answers=visit.incoming,
        mail_id=visit.mail.id,
    )


def _tell_keeper(post: Post) -> None:
    keeper = post.house.keeper
    if keeper and not post.storage.letters.lately(("strangers",), post.now - DAY):
        post.send("strangers", keeper, {"most": post.house.limits.strangers})


def _returned(visit: Visit, look: Look) -> None:
    """A mail to a return path. Vacation notices come there, too, and mean nothing."""
    letter = visit.storage.letters.by_return_path([look.letters_address(BOUNCE)])
    if letter is None:
        return
    complaint = bounces.complaint(visit.mail.raw)
    failure = bounces.read(visit.mail.raw)
    if complaint:
        complained(visit.post, letter, complaint)
    elif failure is not None:
        came_back(visit.post, letter, failure)


def _stop(visit: Visit, look: Look) -> None:
    """End the part of the observer whose letter it was, and tell him, not whoever wrote."""
    found = look.written_to(STOP)
    ticket = visit.storage.tickets.find(found.number) if found else None
    if ticket is None or ticket.game_id is None or ticket.person_id is None:
        return
    was = stop_watching(visit.post, ticket.game_id, ticket.person_id, visit.incoming.sender)
    person = visit.storage.people.find(ticket.person_id)
    game = visit.storage.games.find(ticket.game_id)
    if person is None or game is None or not (was or visit.incoming.answerable):
        return
    facts = {"was": was, "game": game.name, "phase": game.phase}
    visit.post.to_person("unwatched", person, facts, mail_id=visit.mail.id)
