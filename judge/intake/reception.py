"""The first look at a message: one row of questions, from top to bottom, says what is done with it.

`judge.mail.message` says what a message is; here it is decided what that means, and how much is
answered. Nothing that came in is thrown away, whatever is decided.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import Enum
from functools import cached_property

from msgspec.structs import replace

from judge.events import REPLIES, At, Event, EventKind, HouseKeeper, Recipient
from judge.game.people.contact import address_of
from judge.game.people.entry import INVITED, digest_of
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.intake.authentication import answered, is_readers, put_away, tokens
from judge.intake.context import UNSURE, Cursor, MessageContext, Sender, said
from judge.intake.offers import said_yes
from judge.intake.returned import ReturnedMail
from judge.limits import BOUNDS, Limits
from judge.mail import bounces
from judge.mail.address import BOUNCE, STOP, Found
from judge.mail.message import MailKind, ParsedMessage, header, parse
from judge.mail.quotes import words_of
from judge.storage import Game, GameState, InboundMessage, InboundState, Role, SeatState, Storage

log = logging.getLogger(__name__)

_LOOKED_AT = 20
"""Mails of one sender that are looked at; for more that wait a game waits, whatever they say."""

LONGEST = timedelta(hours=24)
"""For how long what is due in a game waits for a mail that is held."""

_HERE = (SeatState.ACTIVE, SeatState.ABANDONED)


FIRST = "Is nothing said of it until its sender answers the first letter they had?"
GUESSED = "Is nothing offered for its words until its sender answers the first letter they had?"
FORGOTTEN = "Did its sender never answer the first letter they had?"
REMEMBERED = timedelta(days=30)
"""For how long it is known that a stranger has had a letter."""


class FirstMail(Exception):
    """A stranger's mail would have the judge write at length to somebody who may never have written
    here. Nothing of it may be carried out before they answer a short letter."""


def may_be_made_up(
    storage: Storage, sender: Sender, incoming: ParsedMessage, now: datetime
) -> bool:
    """Return whether the answer may reach somebody who has never heard of us: nothing vouches for
    the address, and nobody has had an answer there."""
    if sender.person is not None or sender.sure or sender.keeper:
        return False
    if sender.named is not None and sender.named.proves:
        return False
    return not storage.outbound.lately(_FIRST, now - REMEMBERED, incoming.sender)


_FIRST = tuple(kind.word for kind in (EventKind.ANSWERED, EventKind.WELCOME, EventKind.INVITATION))
"""Letters that strangers get."""


def receive(context: MessageContext) -> bool:
    """Return whether a mail is to be read. If not, all that is to be done with it has been."""
    look = Look(context)
    action, question = decide(look)
    mail, storage = context.mail, context.storage
    why = None if action is Action.READ else context.incoming.reason or question
    if why is not None:
        log.info("mail not simply read", extra={"mail": mail.id, "why": why})
    if action in (Action.READ, Action.QUIET, Action.NOTICE):
        context.report.quiet, context.report.why = action is not Action.READ, why
        context.report.again = look.in_a_row >= SAME
        if action is Action.NOTICE:
            facts = {
                "most": look.most,
                "until": context.now + look.while_,
                "zone": context.sender.zone,
                "stranger": context.sender.person is None,
                "keeper": context.profile.keeper,
            }
            context.answer(EventKind.LIMIT, facts)
        if look.lets_in() and not _says_more(context.incoming.text):
            storage.inbound.done(mail.id, context.now)
            return False
        if action is not Action.QUIET:
            look.count()
        person, sender = context.sender.person, context.incoming.sender
        if person is not None and storage.bounces.concern(person.id):
            context.report.news = ReturnedMail(
                context.storage, context.events, context.now
            ).contact(person, sender)
        return True
    if action in (Action.ASIDE, Action.ASK):
        storage.inbound.hold(mail.id, question, context.now)
        if action is Action.ASK:
            look.ask()
        return False
    if action is Action.POSTMASTER:
        incoming = context.incoming
        facts = {"mail_id": mail.id, "sender": incoming.sender, "subject": incoming.subject}
        facts["text"] = incoming.body[:_LONGEST_SENT_ON]
        context.events.append(Event(kind=EventKind.POSTMASTER, to=HouseKeeper(), facts=facts))
    elif action is Action.RETURNED:
        _returned(context.storage, context.mail, context.now, context.events, look)
    elif action is Action.STOP:
        _stop(context.cursor, context.incoming, context.now, look)
    storage.inbound.done(mail.id, context.now, why=why)
    put_away(storage, mail, incoming=context.incoming)
    return False


def _says_more(text: str) -> bool:
    """Return whether a reply says anything but yes."""
    said = said_yes(text.strip())
    return bool(words_of(said[1] if said and said[0] else text))


def awaited(
    storage: Storage, profile: JudgeProfile, game: Game, at: datetime, newest: int | None = None
) -> InboundMessage | None:
    """Return a mail that a game has to wait for: one of its players or masters, which had come in
    by `at` and is still to be processed; with `newest`, also one up to that one.

    One on which the judge failed is waited for until the keeper has seen to it or its sender has
    written again, but no longer than `LONGEST` after the deadline. One that answers a letter of
    another game counts only if it names this one, too: lines for it could stand there behind a SIGN
    ON. Nobody waits here for what others wrote.
    """
    mails = storage.inbound
    held = [each for each in mails.failed() if each.state is InboundState.HELD]
    if not held and mails.next_new() is None:
        return None
    for address in _writers(storage, game):
        for place, (mail_id, received) in enumerate(mails.waiting_of(address, _LOOKED_AT), 1):
            # What lay in a mailbox in time is received a little later.
            counts = received <= at or (newest is not None and mail_id <= newest)
            mail = mails.find(mail_id) if counts else None
            if mail and (place == _LOOKED_AT or _may_concern(storage, profile, mail, game, at)):
                return mail
        for mail in held:
            counts = mail.sender == address and _still_counts(storage, mail, game, at)
            if counts and _may_concern(storage, profile, mail, game, at):
                return mail
    return None


def _still_counts(storage: Storage, mail: InboundMessage, game: Game, at: datetime) -> bool:
    """Return whether a game waits for a mail on which the judge failed, if it concerns it."""
    return (
        mail.received_at >= (game.opened_at or game.created_at)
        and at < (game.deadline or game.wake_at or at) + LONGEST
        and not storage.inbound.has_written_since(str(mail.sender), mail.worked_at or at)
    )


def waiting_for(storage: Storage, mail: InboundMessage) -> list[dict[str, object]]:
    """Return the games that wait for a held mail, each with the instant until which they do."""
    person = storage.people.by_address(mail.sender or "")
    games = [] if person is None else storage.games.of_person(person.id, (GameState.ACTIVE,))
    return [
        {"game": game.name, "until": game.deadline + LONGEST}
        for game in games
        if game.deadline and mail.sender in set(_writers(storage, game))
    ]


def _writers(storage: Storage, game: Game) -> Iterator[str]:
    """Yield the addresses of those who play in a game or run it."""
    for seat in storage.seats.of_game(game.id):
        plays = seat.role is not Role.OBSERVER and seat.state in _HERE
        if plays and seat.person_id is not None:
            for address in storage.people.addresses(seat.person_id):
                yield address.address


def _may_concern(
    storage: Storage, profile: JudgeProfile, mail: InboundMessage, game: Game, now: datetime
) -> bool:
    # What made the judge fail is not taken apart again.
    seen = replace(mail, raw=header(mail.raw)) if mail.attempts else mail
    incoming = parse(seen.raw, seen.envelope_from, own=(profile.address,))
    addresses = profile.addresses(storage.tickets.secret)
    found = answered(storage, addresses, seen, incoming, now)
    if found is None or found.ticket.game_id in (None, game.id):
        return True
    said = f"{incoming.subject}\n{incoming.text}\n{incoming.attached}".lower()
    raw = mail.raw.lower() if mail.attempts else b""
    return game.name.lower() in said or game.name.lower().encode() in raw or b"base64" in raw


def may_answer(context: MessageContext) -> bool:
    """Return whether a mail may get one more answer."""
    return decide(Look(context))[0] is Action.READ


def _returned(
    storage: Storage, mail: InboundMessage, now: datetime, events: list[Event], look: Look
) -> None:
    """Take a mail to a return path. Vacation notices come there, too, and mean nothing."""
    found = look.written_to(BOUNCE)
    letter = storage.outbound.by_return_path([found.address] if found else [])
    if letter is None:
        return
    complaint = bounces.complaint(mail.raw)
    failure = bounces.read(mail.raw)
    if complaint:
        ReturnedMail(storage, events, now).complained(letter, complaint)
    elif failure is not None:
        ReturnedMail(storage, events, now).came_back(letter, failure)


def _stop(cursor: Cursor, incoming: ParsedMessage, now: datetime, look: Look) -> None:
    """Remove the observer whose message it was, and tell them, not the writer."""
    found = look.written_to(STOP)
    ticket = cursor.storage.tickets.find(found.number) if found else None
    if ticket is None or ticket.game_id is None or ticket.person_id is None:
        return
    sender = incoming.sender
    was = ReturnedMail(cursor.storage, cursor.events, now).stop_watching(
        ticket.game_id, ticket.person_id, sender
    )
    person = cursor.storage.people.find(ticket.person_id)
    game = cursor.storage.games.find(ticket.game_id)
    if person is None or game is None or not (was or incoming.answerable):
        return
    address, told = address_of(cursor.storage, person, now), EventKind.UNWATCHED.word
    if not was and cursor.storage.outbound.lately((told,), now - DAY, address):
        # No matter who else has that message could have them told without end.
        return
    facts = {"was": was, "game": game.name, "phase": game.phase}
    cursor.events.append(
        Event(
            kind=EventKind.UNWATCHED, to=Recipient(person.id), facts=facts, mail_id=cursor.mail.id
        )
    )


_LONGEST_SENT_ON = 5_000
"""Characters of such a mail."""

INVITATION = timedelta(days=14)
"""For how long somebody who was invited is no stranger."""
SHORTLY = timedelta(minutes=5)
"""For how long replies to strangers are counted."""
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

SAME = 2
"""Mails that may say the same in a row; the next is told that it does, and sends no press."""

_WORDS = 4
"""Words of such a mail at least: commands, and what people say again and again, have fewer."""


_SHORT = 8
"""Words of a text in which numbers matter."""

_WORD = re.compile(r"[^\W\d_]+")


def _spoken(text: str) -> list[str]:
    """Return the words of a text, of a long one without numbers, which programs count up."""
    words = _WORD.findall(text)
    return words if len(words) > _SHORT else text.split()


STRANGER = "stranger"
"""What the log says of each reply to one, by domain and by network."""

MANY = "Is the sender a stranger, and have those of that domain or network had all replies?"
"""The question that sets mails aside for a while."""


VOUCHED = "vouched"
"""What the log says of a domain that vouches for a stranger who writes from it."""
_FORGET = timedelta(days=365)
"""For how long that is believed."""

_UNKNOWN = 10
"""How many networks mails come from whose network cannot be told, at least."""


def take_up(storage: Storage, limits: Limits, now: datetime) -> int:
    """Put mails of strangers that were set aside back to work, now that there is room for some:
    the newest of each domain, the newest of all first; how many. Inside the caller's transaction.
    """
    return storage.inbound.take_up(MANY, now - SHORTLY, now - DAY, limits.strangers)


class Action(Enum):
    """What is done with a mail."""

    READ = "It is read, carried out and answered."
    QUIET = "It is read and carried out, but not answered."
    NOTICE = "It is read and carried out; the answer is that there are no more for a while."
    ASIDE = "It is kept for the keeper, who is told and can have it read."
    ASK = "It is kept for a while, and its sender is asked to answer a letter."
    POSTMASTER = "It is sent on to the keeper."
    RETURNED = "It is about a letter of ours that came back."
    STOP = "It ends the part of an observer."
    LEAVE = "Nothing: it is neither read nor answered."


class Look:
    """What the questions look at: a message, who it seems to be from, and what they got lately."""

    def __init__(self, context: MessageContext) -> None:
        """Look at the message of a context."""
        limits = context.profile.limits
        self.context, self.incoming = context, context.incoming
        self.person = context.sender.person
        """Who it seems to be from; None for a stranger."""
        self.while_ = DAY if self.person is None else HOUR
        """For how long answers to this sender are counted."""
        self.most = limits.stranger if self.person is None else limits.hour
        """The number of replies in that time."""

    def written_to(self, purpose: str) -> Found | None:
        """Return the letter of ours by whose address for that purpose the mail came."""
        return next((each for each in self._found if each.purpose == purpose), None)

    @cached_property
    def _found(self) -> list[Found]:
        return tokens(self.context.addresses, self.context.mail, self.incoming)

    def for_postmaster(self) -> bool:
        """Return whether it came to the postmaster's address and to no other one here."""
        mail, postmaster = self.context.mail, self.context.profile.postmaster
        to = mail.envelope_to or self.incoming.to
        return bool(to) and all(each.lower() == postmaster for each in to)

    def is_sent_on(self) -> bool:
        """Return whether it is for the postmaster, and the keeper has not had too many such
        mails."""
        context, kind = self.context, EventKind.POSTMASTER.word
        return (
            self.for_postmaster()
            and context.profile.keeper is not None
            and context.storage.outbound.lately((kind,), context.now - HOUR) < BOUNDS.sent_on
        )

    def was_told_unsure(self) -> bool:
        """Return whether nothing shows that this is from its sender, and within a day they got an
        answer to such a mail. A stranger is answered where a mail says something else, and one who
        is on file as often as others while nothing is known of how their mail comes.
        """
        context = self.context
        if context.sender.sure or context.sender.keeper or self._answers():
            # Few have a letter of theirs.
            return False
        mailbox = context.sender.mailbox
        if mailbox is not None and not mailbox.ways:
            return False
        sender = self.incoming.sender
        told = context.storage.events.lately(UNSURE, context.now - DAY, actor=sender)
        mark = said(self.incoming)
        return any(self.person is not None or each.facts.get("said") == mark for each in told)

    @cached_property
    def in_a_row(self) -> int:
        """How many of its sender's last mails said the same (`_spoken`), if the letter that this
        one answers was written after the first. So does a program that answers by itself what the
        judge writes to it, and what another one makes it send on; who writes the same to several
        people answers letters that were there."""
        context, found = self.context, self.context.sender.named
        if found is None or len(words_of(self.incoming.text)) < _WORDS:
            return 0
        same, before, first = 0, context.mail.id, context.now
        for _ in range(_LOOKED_AT):
            last = context.storage.inbound.last_of(self.incoming.sender, context.now - DAY, before)
            if last is None or not self._is_same(last[2]):
                break
            same, before, first = same + 1, last[0], last[1]
        return same if first <= found.ticket.created_at else 0

    def _is_same(self, raw: bytes) -> bool:
        # Most need not be taken apart.
        begins = self._first_word
        may = not begins.isascii() or begins.encode() in raw or b"base64" in raw
        return may and _spoken(parse(raw).text) == self._text

    @cached_property
    def _first_word(self) -> str:
        return next(iter(_spoken(self.incoming.text)), "")

    @cached_property
    def _text(self) -> list[str]:
        """What the mail says without a look at the letter that it answers."""
        return _spoken(parse(self.context.mail.raw).text)

    @cached_property
    def made_up(self) -> bool:
        """Whether anybody could have written this in the name of a stranger: no domain vouches for
        it, and it answers no letter of ours to that address."""
        if self.person is not None or self.context.sender.sure or self.context.sender.keeper:
            return False
        # Somebody who plays here may have written for a letter to them.
        events, since = self.context.storage.events, self.context.now - INVITATION
        digest = digest_of(self.context.storage, self.incoming.sender)
        invited = any(each.facts.get("to") == digest for each in events.lately(INVITED, since))
        return not (invited or self._answers())

    def _answers(self) -> bool:
        """Return whether it answers a letter of ours to its sender."""
        found = self.context.sender.named
        return bool(found and found.proves and is_readers(found.ticket, self.incoming, self.person))

    def are_many(self) -> bool:
        """Return whether strangers of this domain, or from this network, have just had all their
        replies. Each has a share of its own, so that nobody uses up that of others."""
        events, since = self.context.storage.events, self.context.now - SHORTLY
        return any(
            events.count(STRANGER, since, whose) >= most for whose, most in self._shares.items()
        )

    def ask(self) -> None:
        """Ask the writer to answer a letter, which shows that the address is theirs: once a
        day at one address, so that nobody's flood keeps out who reads their mail. Where a domain
        vouches for those who write from it, somebody else wrote this. The keeper hears of it."""
        context, kind = self.context, EventKind.STRANGERS
        if not self.had(EventKind.KNOCK.word) and not self._vouched(_FORGET):
            to = At(self.incoming.sender, None, self.incoming)
            asks, told = EventKind.KNOCK, {"slight": True}
            context.events.append(Event(kind=asks, to=to, facts=told, mail_id=context.mail.id))
        if not context.storage.outbound.lately((kind.word,), context.now - DAY):
            facts = {"most": context.profile.limits.strangers}
            context.events.append(Event(kind=kind, to=HouseKeeper(), facts=facts))

    def lets_in(self) -> bool:
        """Put what waits of a stranger back to work if this shows that the address is theirs, but
        not what this says again, nor guesses where it says more than yes; note whether their
        domain vouches for them. Whether anything was put back."""
        context, sender = self.context, self.incoming.sender
        if self.person is None and context.sender.verified and not self._vouched(_FORGET / 2):
            context.storage.events.log(context.now, VOUCHED, {}, actor=self._host)
        if self.person is not None or not self._answers():
            return False
        # A stranger needs no more, and what others wrote in their name has to prove the rest.
        earned = TrustLevel.VERIFIED if context.sender.verified else TrustLevel.TOKEN
        proof, since = min(context.profile.trust, earned).word, context.now - REMEMBERED
        last = context.storage.inbound.last_of(sender, since, context.mail.id)
        again = last is not None and self._is_same(last[2])
        more = _says_more(self.incoming.text)
        waits = (MANY,) if again else (MANY, FIRST) if more else (MANY, FIRST, GUESSED)
        return context.storage.inbound.let_in(waits, sender, since, proof) > 0

    def _vouched(self, lately: timedelta) -> bool:
        """Return whether the domain of the sender has vouched for a stranger lately."""
        return self.context.storage.events.count(VOUCHED, self.context.now - lately, self._host) > 0

    @property
    def _host(self) -> str:
        """The domain of the sender, as the log has it."""
        return f"@{self.incoming.sender.rpartition('@')[2]}"

    def count(self) -> None:
        """Count the reply that a stranger gets, if it counts."""
        if self.made_up:
            for whose in self._shares:
                self.context.storage.events.log(self.context.now, STRANGER, {}, actor=whose)

    @property
    def _shares(self) -> dict[str, int]:
        """The domain and the network of the sender, as the log has them, and the replies of each.
        Many networks are taken for one where they cannot be told."""
        network, most = self.context.mail.lane, self.context.profile.limits.strangers
        return {self._host: most, f"network {network}": most if network else _UNKNOWN * most}

    def had(self, *kinds: str) -> int:
        """Return the number of messages of these kinds to them in that time."""
        return sum(self._had.get(kind, 0) for kind in kinds)

    @cached_property
    def _had(self) -> dict[str, int]:
        since = self.context.now - self.while_
        return self.context.storage.outbound.kinds_lately(since, self.incoming.sender)


def rules(look: Look) -> Iterator[tuple[Action, str, bool]]:
    """Yield what is done with a mail if the answer to a question is yes, the question, and the
    answer. The first yes decides."""
    returned = look.written_to(BOUNCE) is not None
    yield Action.RETURNED, "Did it come to the return path of one of our letters?", returned
    # Without that path anybody may have made it up, so it proves nothing about an address.
    unasked = look.incoming.kind in (MailKind.BOUNCE, MailKind.LIST, MailKind.OWN)
    yield Action.LEAVE, "Is it a bounce, a list's, or a letter of ours?", unasked
    # That others write by programs here is the rule.
    yield Action.POSTMASTER, "Is it for the postmaster, and may be sent on?", look.is_sent_on()
    yield Action.ASIDE, "Is it for the postmaster?", look.for_postmaster()
    # Before automatic mail, for a mail program writes it when its button is pressed.
    stops = look.written_to(STOP) is not None
    yield Action.STOP, "Did it come to the address that ends watching a game?", stops
    people = look.incoming.kind in (MailKind.MESSAGE, MailKind.UNREADABLE)
    yield Action.LEAVE, "Did a program write it?", not people
    question = "Does it say nowhere at which address its sender can be answered?"
    yield Action.ASIDE, question, not look.incoming.answerable
    told = look.had(EventKind.LIMIT.word) > 0
    yield Action.QUIET, "Has its sender been told that there are no answers for a while?", told
    question = "Does it say once more what was answered as often as a program's mail is?"
    yield Action.QUIET, question, look.in_a_row > SAME
    full = look.had(*REPLIES) >= look.most
    yield Action.NOTICE, "Has its sender had as many answers as one gets?", full
    # Nobody is to get letters for what others write in their name.
    question = (
        "Does nothing show that it is from its sender, and had they an answer to such a mail?"
    )
    yield Action.QUIET, question, look.was_told_unsure()
    # Their addresses may be forged: each answer may go to somebody who never wrote to us.
    yield Action.ASK, MANY, look.made_up and look.are_many()
    yield Action.READ, "Anything else?", True


def decide(look: Look) -> tuple[Action, str]:
    """Return what is done with a mail, and the question that decides it."""
    return next((action, question) for action, question, yes in rules(look) if yes)
