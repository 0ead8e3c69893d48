"""The first look at a mail: what the table of `judge.game.answering` decides is done here."""

from __future__ import annotations

import logging

from judge.game.answering import DAY, Action, Look, decide
from judge.game.passwords import put_away
from judge.game.post import BOUNCE, STOP, Post
from judge.game.returned import came_back, contact
from judge.game.state import State
from judge.game.visit import Visit
from judge.mail import bounces
from judge.storage import Ticket

log = logging.getLogger(__name__)


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
    put_away(storage, mail)
    return False


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
    failure = bounces.read(visit.mail.raw)
    if letter is None or failure is None:
        return
    came_back(visit.post, letter, failure)


def _stop(visit: Visit, look: Look) -> None:
    """End the part of the observer whose letter it was, and tell him, not whoever wrote."""
    found = look.written_to(STOP)
    ticket = visit.storage.tickets.find(found.number) if found else None
    if ticket is None or ticket.game_id is None or ticket.person_id is None:
        return
    was = _end_watching(visit, ticket)
    person = visit.storage.people.find(ticket.person_id)
    game = visit.storage.games.find(ticket.game_id)
    if person is None or game is None or not (was or visit.incoming.answerable):
        return
    facts = {"was": was, "game": game.name, "phase": game.phase}
    visit.post.to_person("unwatched", person, facts, mail_id=visit.mail.id)


def _end_watching(visit: Visit, ticket: Ticket) -> bool:
    """Whether the person watched the game until now."""
    game = visit.storage.games.claim(ticket.game_id or 0)
    if game is None:
        return False
    state = State(visit.storage, game)
    seats = [seat for seat in state.seats_of(ticket.person_id or 0) if seat.role == "observer"]
    for seat in seats:
        seat.state = "resigned"
        state.seat(seat)
    visit.state = state
    if seats:
        visit.log("stopped watching", {"person": ticket.person_id})
    return bool(seats)
