"""Questions the judge asks by letter, what a yes to them does, and the mails that wait.

What a mail does not prove is kept, and the person whose name it bears is asked, once, and about one
mail a day: about the next when they answer. Their yes lets it count as of when it came; the same
letter asks whether an address is somebody's. A question is answered once, and for two weeks.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec.structs import replace

from judge.events import At, Event, EventKind
from judge.game.people.contact import address_of
from judge.game.state.answers import Answer, LineResult
from judge.game.state.profile import TrustLevel
from judge.intake import authentication
from judge.intake.authentication import Unproved
from judge.intake.context import Answered, MessageContext
from judge.intake.offers import said_yes
from judge.intake.outward import shown
from judge.mail.message import ParsedMessage, parse
from judge.storage import GameState, InboundMessage, Person, Storage, Ticket

OPEN_FOR = timedelta(days=14)
"""How long a question can be answered."""

AGAIN = timedelta(days=1)
"""For how long no other question goes to an address, unless one of them is answered."""

_LINES = 12

_DENIED = "denied"

ANSWERS = (
    *("confirmed", "denied", "address_taken"),
    *("question_answered", "question_expired", "question_open", "question_elsewhere"),
)
"""What a mail that answers a question can be told."""


def ask_writer(context: MessageContext, unproved: Unproved) -> None:
    """Hold a message that proves too little, and ask its claimed sender to confirm it."""
    storage, mail, person = context.storage, context.mail, context.sender.person
    person_id = context.person_id
    if mail.proof is not None:
        # The sender's word is not enough: their mail server must sign.
        facts = {"subject": authentication.blanked(context.incoming.subject) if person else ""}
        context.answer(EventKind.UNVERIFIED, facts)
        storage.inbound.done(mail.id, context.now, person_id=person_id)
        authentication.put_away(storage, mail)
        return
    storage.inbound.ask(mail.id, context.now, person_id=person_id)
    _ask_about(context, mail, context.incoming, person, unproved.needed is TrustLevel.VERIFIED)


def _ask_about(
    context: MessageContext,
    mail: InboundMessage,
    incoming: ParsedMessage,
    person: Person | None,
    verified: bool,
    again: bool = False,
) -> None:
    to = At(incoming.sender, person.id if person else None, incoming)
    facts = _quoted(context, incoming, person) | {"about": "mail", "verified": verified}
    _ask(context, to, person, facts, mail=mail, again=again)


def ask_adoption(context: MessageContext, owner: Person) -> None:
    """Keep a mail that came to `owner`'s reply address from an address nobody knows, and ask him
    whether that is his, too."""
    context.storage.inbound.ask(context.mail.id, context.now)
    if not context.report.quiet:
        context.answer(EventKind.KEPT, {})
    address = address_of(context.storage, owner, context.now)
    if address is not None:
        facts = _quoted(context, context.incoming, owner) | {"about": "mail"}
        to, claim = At(address, owner.id), context.incoming.sender
        _ask(context, to, owner, facts, mail=context.mail, claim=claim)


def ask_address(context: MessageContext, owner: Person, address: str, claim: str) -> bool:
    """Ask at `address` whether `claim` is an address of `owner`, too; whether it could be asked."""
    facts = _quoted(context, context.incoming, None) | {"about": "address"}
    return _ask(context, At(address, owner.id), owner, facts, claim=claim)


def _ask(
    context: MessageContext,
    to: At,
    person: Person | None,
    facts: Mapping[str, object],
    *,
    mail: InboundMessage | None = None,
    claim: str | None = None,
    again: bool = False,
) -> bool:
    """Ask `person` at an address about a `mail` or an address they `claim`, `again` because they
    answered the last question; whether it was."""
    tickets, address, now = context.storage.tickets, to.address, context.now
    if mail is not None and tickets.asked_about(mail.id) is not None:
        return False
    if tickets.open_questions(address, now) >= context.profile.limits.questions:
        return False
    theirs = again or (context.sender.sure and address == context.incoming.sender)
    if not theirs and _was_bothered(context, address):
        return False
    ticket = Ticket(
        kind=EventKind.QUESTION.word,
        address=address,
        person_id=person.id if person else None,
        mail_id=mail.id if mail else None,
        claim=claim,
        created_at=now,
        expires_at=now + OPEN_FOR,
    )
    known = {
        "received": (mail or context.mail).received_at,
        "claim": claim,
        "verified": False,
        "name": person.name if person else "",
        "zone": context.profile.zone_of(person),
        "address": address,
        "expires": ticket.expires_at,
        "keeper": context.profile.keeper,
        "once": not theirs,
    }
    context.events.append(
        Event(
            kind=EventKind.QUESTION,
            to=to,
            facts={**known, **facts},
            mail_id=(mail or context.mail).id,
            ticket=ticket,
        )
    )
    return True


def _was_bothered(context: MessageContext, address: str) -> bool:
    """Whether the last question there in a day may have been caused by anybody: it was not
    answered, or by NO."""
    since = context.now - AGAIN
    denied = context.storage.events.lately(_DENIED, since, actor=address)
    return context.storage.tickets.asked_since(address, since) or bool(denied)


def _quoted(
    context: MessageContext, incoming: ParsedMessage, person: Person | None
) -> dict[str, object]:
    """Return what the person asked may see of a message, to recognize it.

    A stranger sees nothing: nobody may use a forged address to write to them through us.
    """
    if person is None:
        return {"subject": "", "lines": [], "more": False, "doubled": incoming.doubled}
    written = filter(str.strip, incoming.text.splitlines())
    lines = [authentication.blanked(line)[:120] for line in shown(context, written)]
    return {
        "subject": authentication.blanked("".join(shown(context, [incoming.subject]))),
        "lines": lines[:_LINES],
        "more": len(lines) > _LINES,
        "doubled": incoming.doubled,
    }


# Answers


def take_answer(context: MessageContext, found: Answered) -> bool:
    """Follow a mail that answers a question; whether there is more in it to be read."""
    sheet = context.report.sheet
    row, first = sheet.first()
    said = said_yes(first)
    ticket = found.ticket
    facts = {"claim": ticket.claim, "address": ticket.address, "mail": ticket.mail_id is not None}
    person, incoming = context.sender.person, context.incoming
    asked = ticket.address == incoming.sender or authentication.is_readers(ticket, incoming, person)
    if not asked:
        # Whoever it was forwarded to is not whom it asks.
        _answer(context, first if person else "", Answer("question_elsewhere", {}))
    elif ticket.used_at is not None:
        _answer(context, first, Answer("question_answered", facts))
    elif not found.valid:
        _answer(context, first, Answer("question_expired", facts))
    elif said is None and first:
        # A vacation notice is no yes.
        _answer(context, first if context.sender.person else "", Answer("question_open", facts))
        return True
    else:
        context.storage.tickets.use(ticket.id, context.now)
        _ask_next(context, ticket)
        refuses = said is not None and not said[0]
        answer = (_refuse if refuses else _confirm)(context, ticket, facts)
        if answer.code == "confirmed" and authentication.is_readers(ticket, incoming, person):
            context.mail = replace(context.mail, proof=TrustLevel.TOKEN.word)
        _answer(context, first, answer, taken=True)
    if said is not None:
        sheet.begin(row, len(first) - len(said[1]))
    return bool(sheet.rest().strip()) and context.sender.person is not None


def _ask_next(context: MessageContext, answered: Ticket) -> None:
    """Ask about the next mail of whoever answered that nobody was asked about: there were too many
    questions open when it came."""
    storage, whose = context.storage, answered.person_id
    for mail in storage.inbound.asked():
        theirs = mail.sender == answered.address or (whose is not None and mail.person_id == whose)
        if theirs and storage.tickets.asked_about(mail.id) is None:
            person = storage.people.find(mail.person_id) if mail.person_id else None
            verified = context.profile.trust is TrustLevel.VERIFIED
            _ask_about(context, mail, parse(mail.raw), person, verified, again=True)
            return


def _answer(context: MessageContext, line: str, answer: Answer, taken: bool = False) -> None:
    context.report.results.append(
        LineResult(line, "command" if taken else "refused", answer, "YES", asks=True)
    )


def _confirm(context: MessageContext, ticket: Ticket, facts: Mapping[str, object]) -> Answer:
    storage = context.storage
    person_id = ticket.person_id
    storage.people.prove(ticket.address)
    authentication.remember(context)
    if ticket.claim is not None and person_id is not None:
        other = storage.people.by_address(ticket.claim)
        if other is None:
            storage.people.add_address(person_id, ticket.claim, context.now, proved=True)
        elif other.id != person_id:
            if storage.games.of_person(other.id, GameState):
                return Answer("address_taken", facts)
            storage.people.move_address(ticket.claim, person_id)
            storage.people.prove(ticket.claim)
        context.log_in(None, "address added", {"person": person_id, "address": ticket.claim})
    mail = storage.inbound.find(ticket.mail_id or 0)
    if mail is not None and mail.sender is not None:
        storage.people.remember(mail.sender, authentication.way_of(context.profile, mail))
    if ticket.mail_id is not None:
        proof = TrustLevel.VERIFIED if context.sender.verified else TrustLevel.TOKEN
        storage.inbound.confirm(ticket.mail_id, proof.word)
        context.log_in(None, "confirmed", {"mail": ticket.mail_id, "proof": proof.word})
    return Answer("confirmed", facts)


def _refuse(context: MessageContext, ticket: Ticket, facts: Mapping[str, object]) -> Answer:
    if ticket.mail_id is not None and drop(context.storage, ticket.mail_id):
        context.log_in(None, _DENIED, {"mail": ticket.mail_id})
    return Answer("denied", facts)


def drop(storage: Storage, mail_id: int) -> bool:
    """Be done with a mail that waited for its sender's word, its passwords blanked; whether it
    did wait. Inside the caller's transaction."""
    mail = storage.inbound.find(mail_id)
    if mail is None or not storage.inbound.drop(mail_id):
        return False
    authentication.put_away(storage, mail)
    return True


def lapse(storage: Storage, now: datetime) -> int:
    """Drop the mails about which nobody said anything in time; how many.

    Nobody gets a message: the person asked knew the time limit, and may have been forged.
    """
    old = storage.inbound.asked(before=now - OPEN_FOR)
    for mail in old:
        drop(storage, mail.id)
        storage.events.log(now, "lapsed", {"mail": mail.id})
    return len(old)


# Mails that wait, as keepers see them: held, or asked about


def all_waiting(storage: Storage) -> list[dict[str, object]]:
    """All that wait, oldest first."""
    mails = sorted([*storage.inbound.held(), *storage.inbound.asked()], key=lambda mail: mail.id)
    return [_facts(storage, mail) for mail in mails]


def waiting_mail(storage: Storage, mail_id: int) -> dict[str, object] | None:
    """A mail, whether it waits or not; None where there is none."""
    mail = storage.inbound.find(mail_id)
    return None if mail is None else _facts(storage, mail)


def message_of(storage: Storage, mail_id: int) -> str:
    """The message of a mail, its passwords blanked."""
    mail = storage.inbound.find(mail_id)
    return (
        "" if mail is None else authentication.without(mail.raw).decode("utf-8", "backslashreplace")
    )


def _facts(storage: Storage, mail: InboundMessage) -> dict[str, object]:
    """What is told of a mail; `asked` is None where nobody was, `why` the last line of what
    happened to a held one."""
    question = storage.tickets.asked_about(mail.id)
    asked = None
    if question is not None:
        asked = {
            "address": question.address,
            "at": question.created_at,
            "until": question.expires_at,
        }
    return {
        "id": mail.id,
        "state": mail.state,
        "door": mail.door,
        "received_at": mail.received_at,
        "from": mail.envelope_from,
        "to": mail.envelope_to,
        "bytes": len(mail.raw),
        "attempts": mail.attempts,
        "problem": mail.problem,
        "why": (mail.problem or "").strip().rpartition("\n")[2],
        "asked": asked,
    }
