"""Questions the judge asks by letter, what a yes to them does, and the mails that wait.

What a mail does not prove is kept, and the person whose name it bears is asked: in one letter a day
at most, which lists all that wait, and about what came meanwhile when they answer. Mails that came
by one way stand together: one yes lets them count as of when they came, and what else comes that
way. The same letter asks whether an address is somebody's. It can be answered for two weeks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from judge.events import At, Event, EventKind
from judge.game.people.contact import address_of
from judge.game.people.entry import addresses_of
from judge.game.state.answers import Answer, LineResult
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.intake import authentication
from judge.intake.authentication import Unproved
from judge.intake.context import Answered, Cursor, MessageContext, Report
from judge.intake.offers import chosen, said_yes
from judge.intake.outward import shown
from judge.intake.reception import FIRST, FORGOTTEN, REMEMBERED
from judge.mail.message import ParsedMessage, parse
from judge.storage import GameState, InboundMessage, InboundState, Person, Storage, Ticket

OPEN_FOR = timedelta(days=14)
"""How long a question can be answered."""

AGAIN = timedelta(days=1)
"""For how long no other question about mails goes to an address, unless one is answered."""

_LINES, _FEW_LINES = 12, 3
"""Lines of a mail that a question shows, and of one of several."""

_MOST_WAYS, _MOST_MAILS = 20, 10
"""Ways in one question, and mails of each that it shows."""

_DENIED = "denied"

ANSWERS = (
    *("confirmed", "denied", "address_taken", "question_which"),
    *("question_answered", "question_expired", "question_open", "question_elsewhere"),
)
"""What a mail that answers a question can be told."""


class Heap(Struct, frozen=True):
    """Mails that wait and came by one way, all from one address: one answer decides about them.
    `claim` is that address where it is none of the person's who is asked."""

    mails: tuple[InboundMessage, ...]
    claim: str | None = None

    @classmethod
    def of(cls, address: str, mails: Sequence[InboundMessage]) -> Heap:
        """Return the mails as they are for anyone who has an address."""
        claim = mails[0].sender
        return cls(tuple(mails), None if claim in (address, None) else claim)


def ask_writer(context: MessageContext, unproved: Unproved) -> None:
    """Hold a message that proves too little, and ask its claimed sender to confirm it."""
    storage, mail, person = context.storage, context.mail, context.sender.person
    person_id = context.sender.person_id
    for wrong in unproved.wrong:
        authentication.wrong_password(storage, wrong, context.incoming.sender, context.now)
    if context.sender.proof is not None:
        # The sender's word is not enough: their mail server must sign.
        facts = {"subject": authentication.blanked(context.incoming.subject) if person else ""}
        context.answer(EventKind.UNVERIFIED, facts)
        storage.inbound.done(mail.id, context.now, person_id=person_id)
        authentication.put_away(storage, mail)
        return
    address = context.incoming.sender
    storage.inbound.ask(mail.id, context.now, address, person_id)
    context.events += _ask_about(
        storage, context.profile, context.now, address, person, answers=context.incoming
    )


def ask_adoption(context: MessageContext, owner: Person) -> None:
    """Keep a stranger's mail to `owner`'s reply address, and ask him whether that is his, too."""
    storage = context.storage
    storage.inbound.ask(context.mail.id, context.now, context.incoming.sender, owner.id)
    if not context.report.quiet:
        context.answer(EventKind.KEPT, {})
    address = address_of(storage, owner, context.now)
    if address is not None:
        context.events += _ask_about(storage, context.profile, context.now, address, owner)


def ask_waiting(storage: Storage, profile: JudgeProfile, now: datetime) -> list[Event]:
    """Ask about mails that wait and that nobody was told of: too much came in one day."""
    found: list[Event] = []
    for sender, person_id in storage.inbound.asked_of_whom():
        person = storage.people.find(person_id) if person_id else None
        own = person is None or sender in addresses_of(storage, person)
        address = sender if own or person is None else address_of(storage, person, now)
        found += _ask_about(storage, profile, now, address, person) if address else []
    return found


def _ask_about(
    storage: Storage,
    profile: JudgeProfile,
    now: datetime,
    address: str,
    person: Person | None,
    *,
    answers: ParsedMessage | None = None,
    again: bool = False,
) -> list[Event]:
    """Ask at an address about all mails that wait for its owner: once a day, or `again`."""
    told = storage.tickets.told(address, now)
    heaps = _waiting(storage, profile, address, person)
    if all(mail.id in told for heap in heaps for mail in heap.mails):
        return []
    since, tickets = now - AGAIN, storage.tickets
    asked = not again and tickets.asked_since(address, since, mails=True)
    if asked or (not again and storage.events.lately(_DENIED, since, actor=address)):
        # Anybody may have caused the last question, which had no answer, or a NO.
        return []
    heaps = heaps[:_MOST_WAYS]
    lines = _LINES if sum(len(heap.mails) for heap in heaps) == 1 else _FEW_LINES
    facts = {
        "about": "mail",
        "heaps": [
            {
                "claim": heap.claim,
                "count": len(heap.mails),
                "mails": [
                    _quoted(profile, storage, mail, person, lines)
                    for mail in heap.mails[:_MOST_MAILS]
                ],
            }
            for heap in heaps
        ],
        "new_way": authentication.way_of(profile, heaps[0].mails[0])
        not in storage.people.ways(address),
        "buttons": (*(f"YES {number}" for number in range(1, len(heaps) + 1)), "NO")
        if len(heaps) > 1
        else EventKind.QUESTION.row.buttons,
        "verified": profile.trust is TrustLevel.VERIFIED,
    }
    about = [" ".join(str(mail.id) for mail in heap.mails) for heap in heaps]
    to, first = At(address, person.id if person else None, answers), heaps[0].mails[0].id
    return [_question(profile, now, to, person, facts, mail_id=first, parts=about)]


def ask_address(
    cursor: Cursor, profile: JudgeProfile, now: datetime, owner: Person, address: str, claim: str
) -> bool:
    """Ask at `address` whether `claim` is an address of `owner`, too; whether it could be asked."""
    storage = cursor.storage
    tickets, most = storage.tickets, profile.limits.questions
    if tickets.open_questions(address, now) >= most or tickets.asked_since(address, now - AGAIN):
        return False
    facts = {"about": "address", "claim": claim, "verified": False}
    asked = _question(profile, now, At(address, owner.id), owner, facts, claim=claim)
    cursor.events.append(replace(asked, mail_id=cursor.mail.id))
    return True


def _question(
    profile: JudgeProfile,
    now: datetime,
    to: At,
    person: Person | None,
    facts: Mapping[str, object],
    **about: Any,
) -> Event:
    """Return a question to somebody; `about` says in its ticket which mails or address it is of."""
    ticket = Ticket(
        kind=EventKind.QUESTION.word,
        address=to.address,
        person_id=to.person_id,
        created_at=now,
        expires_at=now + OPEN_FOR,
        **about,
    )
    known: dict[str, object] = {
        "claim": None,
        "name": person.name if person else "",
        "zone": profile.zone_of(person),
        "address": to.address,
        "expires": ticket.expires_at,
        "keeper": profile.keeper,
    }
    mail_id = ticket.mail_id
    if to.answers is not None and ticket.parts:
        # The letter is the reply to the mail that came last.
        mail_id = max(int(each) for about in ticket.parts for each in about.split())
    known |= facts
    return Event(kind=EventKind.QUESTION, to=to, facts=known, mail_id=mail_id, ticket=ticket)


def _waiting(
    storage: Storage, profile: JudgeProfile, address: str, owner: Person | None
) -> list[Heap]:
    """Return what waits for the word of anyone who has an address, the oldest first; before others
    what came to a reply address of ours, which nobody guesses."""
    mine = addresses_of(storage, owner) if owner else ()
    heaps: dict[tuple[str | None, str | int], list[InboundMessage]] = {}
    for mail in storage.inbound.asked_by(address, owner.id if owner else None):
        if mail.sender == address or mail.sender not in mine:
            way = authentication.way_of(profile, mail)
            heaps.setdefault((mail.sender, way or mail.id), []).append(mail)
    addresses = profile.addresses(storage.tickets.secret)

    def rank(mails: Sequence[InboundMessage]) -> tuple[bool, int]:
        written = (to for mail in mails for to in mail.envelope_to)
        return not any(addresses.among(written)), mails[0].id

    return [Heap.of(address, mails) for mails in sorted(heaps.values(), key=rank)]


def _quoted(
    profile: JudgeProfile, storage: Storage, mail: InboundMessage, person: Person | None, most: int
) -> dict[str, object]:
    """Return what the person asked may see of a message, to recognize it. A stranger sees nothing:
    nobody may use a forged address to write to them through us."""
    incoming = parse(mail.raw, mail.envelope_from)
    known = {"received": mail.received_at, "doubled": incoming.doubled}
    if person is None:
        return known | {"subject": "", "lines": [], "more": False}
    addresses, own = profile.addresses(storage.tickets.secret), profile.address
    written = filter(str.strip, incoming.text.splitlines())
    lines = [authentication.blanked(line)[:120] for line in shown(addresses, own, written)]
    subject = "".join(shown(addresses, own, [incoming.subject]))
    return known | {
        "subject": authentication.blanked(subject),
        "lines": lines[:most],
        "more": len(lines) > most,
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
    rest = said[1] if said else ""
    if not asked:
        # Somebody whom it was forwarded to is not whom it asks.
        _answer(context.report, first if person else "", Answer("question_elsewhere", {}))
    elif ticket.used_at is not None:
        _answer(context.report, first, Answer("question_answered", facts))
    elif not found.valid:
        _answer(context.report, first, Answer("question_expired", facts))
    elif said is None and first:
        # A vacation notice is no yes.
        problem = Answer("question_open", facts)
        _answer(context.report, first if context.sender.person else "", problem)
        return True
    else:
        _, numbers, every = chosen(first) or (True, (), False)
        if numbers or every:
            rest = ""
        yes = said is None or said[0]
        answer = _follow(context, ticket, facts, yes, numbers, every)
        if answer.code == "confirmed" and authentication.is_readers(ticket, incoming, person):
            context.sender.proof = TrustLevel.TOKEN.word
        _answer(context.report, first, answer, taken=answer.code != "question_which")
    if said is not None:
        sheet.begin(row, len(first) - len(rest))
    return bool(sheet.rest().strip()) and context.sender.person is not None


def _answer(report: Report, line: str, answer: Answer, taken: bool = False) -> None:
    report.results.append(
        LineResult(line, "command" if taken else "refused", answer, "YES", asks=True)
    )


def _follow(
    context: MessageContext,
    ticket: Ticket,
    facts: Mapping[str, object],
    yes: bool,
    numbers: Sequence[int],
    every: bool,
) -> Answer:
    """Do what a YES or NO says to a question: about the mails of these numbers, or of all."""
    storage = context.storage
    heaps = list(_asked_about(storage, ticket))
    if yes and len(heaps) > 1 and not (numbers or every):
        return Answer("question_which", {})
    picked = [heap for number, heap in enumerate(heaps, 1) if not numbers or number in numbers]
    if yes:
        answer = _confirm(context, ticket, picked, facts)
    else:
        answer = Answer("denied", facts)
        for mail in (mail for heap in picked for mail in heap.mails):
            if drop(storage, mail.id):
                context.log.of(None, _DENIED, {"mail": mail.id})
    if not any(_waits(mail) for heap in _asked_about(storage, ticket) for mail in heap.mails):
        storage.tickets.use(ticket.id, context.now)
        owner = storage.people.find(ticket.person_id) if ticket.person_id else None
        address, now = ticket.address, context.now
        context.events += _ask_about(storage, context.profile, now, address, owner, again=True)
    return answer


def _asked_about(storage: Storage, ticket: Ticket) -> Iterator[Heap]:
    """Yield the mails that a question lists, as they stand in it."""
    for about in ticket.parts:
        mails = list(filter(None, map(storage.inbound.find, map(int, about.split()))))
        if mails:
            yield Heap.of(ticket.address, mails)


def _waits(mail: InboundMessage) -> bool:
    return mail.state is InboundState.ASKED


def _confirm(
    context: MessageContext, ticket: Ticket, heaps: Sequence[Heap], facts: Mapping[str, object]
) -> Answer:
    """Let mails count, and give their reader the addresses that they say are theirs; remember by
    which ways they came, and let count what came so since, as far as that is enough."""
    storage, sender, owner = context.storage, context.sender, ticket.person_id
    storage.people.prove(ticket.address)
    authentication.look_again(sender, storage, context.incoming)
    authentication.remember(sender, storage, context.incoming)
    claims = [ticket.claim, *(heap.claim for heap in heaps)]
    for claim in dict.fromkeys(filter(None, claims)):
        if owner is None:
            break
        other = storage.people.by_address(claim)
        if other is None:
            storage.people.add_address(owner, claim, context.now, proved=True)
        elif other.id != owner:
            if storage.games.of_person(other.id, GameState):
                # Somebody else plays by it.
                return Answer("address_taken", {**facts, "claim": claim})
            storage.people.move_address(claim, owner)
            storage.people.prove(claim)
        context.log.of(None, "address added", {"person": owner, "address": claim})
    proof = TrustLevel.VERIFIED if sender.verified else TrustLevel.TOKEN
    for heap in heaps:
        for mail in filter(_waits, heap.mails):
            storage.inbound.confirm(mail.id, proof.word)
            context.log.of(None, "confirmed", {"mail": mail.id, "proof": proof.word})
        address, way = heap.mails[0].sender, authentication.way_of(context.profile, heap.mails[0])
        if address is None or way is None:
            continue
        storage.people.remember(address, way)
        known = context.profile.trust <= TrustLevel.KNOWN
        for mail in storage.inbound.asked_by(address, None) if known else ():
            if authentication.way_of(context.profile, mail) == way:
                storage.inbound.confirm(mail.id, None)
    authentication.look_again(sender, storage, context.incoming)
    return Answer("confirmed", {**facts, "claim": next(filter(None, claims), None)})


def drop(storage: Storage, mail_id: int) -> bool:
    """Be done with a mail that waited for its sender's word, its passwords blanked; whether it
    did wait. Inside the caller's transaction."""
    mail = storage.inbound.find(mail_id)
    if mail is None or not storage.inbound.drop(mail_id):
        return False
    authentication.put_away(storage, mail)
    return True


def lapse(storage: Storage, now: datetime) -> int:
    """Drop the mails about which nobody said anything in time; how many. Nobody gets a message: the
    person asked knew the time limit, and may have been forged."""
    old = storage.inbound.asked(before=now - OPEN_FOR)
    for mail in old:
        drop(storage, mail.id)
        storage.events.log(now, "lapsed", {"mail": mail.id})
    until = now - REMEMBERED
    for mail in storage.inbound.passed_over(FIRST, until - OPEN_FOR, until):
        # It kept its passwords for the answer to the first letter, which did not come.
        authentication.put_away(storage, mail)
        storage.inbound.done(mail.id, now, why=FORGOTTEN)
    return len(old)


# Mails that wait, as keepers see them: held, or asked about


def all_waiting(storage: Storage) -> list[dict[str, object]]:
    """Return all that wait, oldest first."""
    mails = sorted([*storage.inbound.held(), *storage.inbound.asked()], key=lambda mail: mail.id)
    return [facts_of(storage, mail) for mail in mails]


def message_of(mail: InboundMessage) -> str:
    """Return the message of a mail, its passwords blanked."""
    return authentication.without(mail.raw).decode("utf-8", "backslashreplace")


def facts_of(storage: Storage, mail: InboundMessage) -> dict[str, object]:
    """Return what is told of a mail: whom it `asked`, the last line of `why` it is held."""
    asked, about = None, storage.tickets.asked_about(mail.id, mail.sender or "")
    if about is not None:
        asked = {"address": about.address, "at": about.created_at, "until": about.expires_at}
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
