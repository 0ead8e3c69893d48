"""Questions the judge asks by letter, and what a yes to them does.

What a mail does not prove is kept, and the person whose name it bears is asked, once. His yes lets
it count as of when it came; the same letter asks whether an address is somebody's. A question is
answered once, and for two weeks.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from judge.game.post import Post
from judge.game.state.answers import Answer, LineResult
from judge.game.state.profile import Level
from judge.intake.authentication import Answered, Unproved, is_readers
from judge.intake.context import MessageContext
from judge.intake.passwords import blanked, put_away
from judge.mail.message import ParsedMessage, parse
from judge.storage import QUESTION, Event, GameState, InboundMessage, Person, Storage, Ticket

OPEN_FOR = timedelta(days=14)
"""How long a question can be answered."""

_LINES = 12

ANSWERS = (
    "confirmed", "denied", "address_taken", "question_answered", "question_expired", "question_open"
)  # fmt: skip
"""What a mail that answers a question can be told."""

_YES = re.compile(
    r"(?:yes|y|yep|yeah|ok|okay|sure|confirm(?:ed)?|i confirm|(?:that|it) was me|ja|jawohl|oui"
    r"|sí|si|sim|tak|ano|igen|evet|да|так|はい|是|是的|对)\b[\s.,!:;]*",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?:no|n|nope|not me|that was not me|it was not me|cancel|nein|non|não|nie|nee|hayır|нет|ні"
    r"|いいえ|不|不是)\b[\s.,!:;]*",
    re.IGNORECASE,
)


def said_yes(line: str) -> bool | None:
    """Whether a line begins with a yes or with a no; None where it does with neither."""
    if _YES.match(line):
        return True
    return False if _NO.match(line) else None


def ask_writer(
    post: Post, mail: InboundMessage, incoming: ParsedMessage, unproved: Unproved
) -> None:
    """Keep a mail that proves too little, and ask its claimed sender whether it is his."""
    storage = post.storage
    person = storage.people.by_address(incoming.sender)
    if mail.proof is not None:
        # He said so, and it is not enough: his mail server would have to.
        facts = {"subject": blanked(incoming.subject) if person else ""}
        post.send("unverified", incoming.sender, facts, person=person, answers=incoming,
                  mail_id=mail.id)  # fmt: skip
        storage.inbound.done(mail.id, post.now, person_id=person.id if person else None)
        put_away(storage, mail)
        return
    _keep(post, mail, person)
    _ask_about(post, mail, incoming, person, unproved.needed is Level.VERIFIED)


def _ask_about(
    post: Post, mail: InboundMessage, incoming: ParsedMessage, person: Person | None, verified: bool
) -> None:
    facts = _quoted(incoming, person) | {
        "about": "mail",
        "received": mail.received_at,
        "claim": None,
        "verified": verified,
    }
    _ask(post, incoming.sender, person, facts, mail=mail, answers=incoming)


def ask_adoption(context: MessageContext, owner: Person) -> None:
    """Keep a mail that came to `owner`'s reply address from an address nobody knows, and ask him
    whether that is his, too."""
    post, mail, incoming = context.post, context.mail, context.incoming
    _keep(post, mail, None)
    post.send("kept", incoming.sender, {}, answers=incoming, mail_id=mail.id)
    address = post.address(owner)
    if address is None:
        return
    facts = _quoted(incoming, owner) | {
        "about": "mail",
        "received": mail.received_at,
        "claim": incoming.sender,
        "verified": False,
    }
    _ask(post, address, owner, facts, mail=mail, claim=incoming.sender)


def ask_address(context: MessageContext, owner: Person, address: str, claim: str) -> bool:
    """Ask at `address` whether `claim` is an address of `owner`, too; whether it could be asked."""
    post = context.post
    facts = _quoted(context.incoming, None) | {
        "about": "address",
        "received": context.mail.received_at,
        "claim": claim,
        "verified": False,
    }
    return _ask(post, address, owner, facts, claim=claim, mail_id=context.mail.id)


def _keep(post: Post, mail: InboundMessage, person: Person | None) -> None:
    post.storage.inbound.ask(mail.id, post.now, person_id=person.id if person else None)


def _ask(
    post: Post,
    address: str,
    person: Person | None,
    facts: dict[str, Any],
    *,
    mail: InboundMessage | None = None,
    claim: str | None = None,
    answers: ParsedMessage | None = None,
    mail_id: int | None = None,
) -> bool:
    tickets = post.storage.tickets
    if mail is not None and tickets.asked_about(mail.id) is not None:
        return False
    left = post.house.limits.questions - tickets.open_questions(address, post.now)
    if left < 1:
        return False
    ticket = Ticket(
        kind=QUESTION,
        address=address,
        person_id=person.id if person else None,
        mail_id=mail.id if mail else None,
        claim=claim,
        created_at=post.now,
        expires_at=post.now + OPEN_FOR,
    )
    known = {
        "name": person.name if person else "",
        "zone": post.zone(person),
        "address": address,
        "expires": ticket.expires_at,
        "keeper": post.house.keeper,
        "last": left == 1,
    }
    post.send(QUESTION, address, known | facts, person=person, answers=answers,
              mail_id=mail.id if mail else mail_id, ticket=ticket)  # fmt: skip
    return True


def _quoted(incoming: ParsedMessage, person: Person | None) -> dict[str, Any]:
    """What of a mail the person asked is shown, so that he can tell whether it is his.

    A stranger is shown nothing: whoever forged his address must not write to him through us.
    """
    if person is None:
        return {"subject": "", "lines": [], "more": False}
    lines = [blanked(line)[:120] for line in incoming.text.splitlines() if line.strip()]
    return {
        "subject": blanked(incoming.subject),
        "lines": lines[:_LINES],
        "more": len(lines) > _LINES,
    }


# Answers


def take_answer(context: MessageContext, found: Answered) -> bool:
    """Follow a mail that answers a question; whether there is more in it to be read."""
    first, _, rest = context.incoming.text.lstrip().partition("\n")
    yes, no = _YES.match(first), _NO.match(first)
    empty = not context.incoming.text.strip()
    ticket = found.ticket
    facts = {"claim": ticket.claim, "address": ticket.address, "mail": ticket.mail_id is not None}
    if ticket.used_at is not None:
        _answer(context, first, Answer("question_answered", facts))
    elif not found.valid:
        _answer(context, first, Answer("question_expired", facts))
    elif not (yes or no or empty):
        # A vacation notice is no yes.
        _answer(context, first if context.sender.person else "", Answer("question_open", facts))
        return True
    else:
        context.storage.tickets.use(ticket.id, context.now)
        _ask_next(context, ticket)
        answer = (_refuse if no else _confirm)(context, ticket, facts)
        if answer.code == "confirmed" and is_readers(
            ticket, context.incoming, context.sender.person
        ):
            context.mail = replace(context.mail, proof=Level.TOKEN.word)
        _answer(context, first, answer, taken=True)
    said = yes or no
    text = f"{first[said.end() :]}\n{rest}" if said else rest
    context.incoming = replace(context.incoming, text=text.strip("\n"))
    return bool(text.strip()) and context.sender.person is not None


def _ask_next(context: MessageContext, answered: Ticket) -> None:
    """Ask about the next mail of whoever answered that nobody was asked about: there were too many
    questions open when it came."""
    if answered.person_id is None:
        return
    storage = context.storage
    for mail in storage.inbound.asked():
        if mail.person_id == answered.person_id and storage.tickets.asked_about(mail.id) is None:
            incoming = parse(mail.raw)
            verified = context.house.trust is Level.VERIFIED
            _ask_about(context.post, mail, incoming, storage.people.find(mail.person_id), verified)
            return


def _answer(context: MessageContext, line: str, answer: Answer, taken: bool = False) -> None:
    context.report.results.append(
        LineResult(line, "command" if taken else "refused", answer, "YES", asks=True)
    )


def _confirm(context: MessageContext, ticket: Ticket, facts: dict[str, Any]) -> Answer:
    storage = context.storage
    person_id = ticket.person_id
    storage.people.prove(ticket.address)
    if ticket.claim is not None and person_id is not None:
        other = storage.people.by_address(ticket.claim)
        if other is None:
            storage.people.add_address(person_id, ticket.claim, context.now, proved=True)
        elif other.id != person_id:
            if storage.games.of_person(other.id, GameState):
                return Answer("address_taken", facts)
            storage.people.move_address(ticket.claim, person_id)
            storage.people.prove(ticket.claim)
        _log(context, "address added", {"person": person_id, "address": ticket.claim})
    if ticket.mail_id is not None:
        proof = Level.VERIFIED if context.sender.verified else Level.TOKEN
        storage.inbound.confirm(ticket.mail_id, proof.word)
        _log(context, "confirmed", {"mail": ticket.mail_id, "proof": proof.word})
    return Answer("confirmed", facts)


def _refuse(context: MessageContext, ticket: Ticket, facts: dict[str, Any]) -> Answer:
    if ticket.mail_id is not None and drop(context.storage, ticket.mail_id):
        _log(context, "denied", {"mail": ticket.mail_id})
    return Answer("denied", facts)


def drop(storage: Storage, mail_id: int) -> bool:
    """Be done with a mail that waited for its sender's word, its passwords blanked; whether it
    did wait. Inside the caller's transaction."""
    mail = storage.inbound.find(mail_id)
    if mail is None or not storage.inbound.drop(mail_id):
        return False
    put_away(storage, mail)
    return True


def lapse(storage: Storage, now: datetime) -> int:
    """Drop the mails about which nobody said anything in time; how many.

    Nobody is written to: who was asked was told until when, and his name may have been forged.
    """
    old = storage.inbound.asked(before=now - OPEN_FOR)
    for mail in old:
        drop(storage, mail.id)
        facts = {"mail": mail.id}
        storage.events.add(Event(at=now, game_id=None, actor="judge", what="lapsed", facts=facts))
    return len(old)


def _log(context: MessageContext, what: str, facts: dict[str, Any]) -> None:
    context.storage.events.add(
        Event(at=context.now, game_id=None, actor=context.incoming.sender, what=what, facts=facts)
    )
