"""Who is writing: what a message proves, and what has to be proved before a line is carried out.

A reply address opens what its message was about and nothing else: the game, the phase and the
seats its reader had then. It shows that anyone who writes had that message, which may have been
forwarded, and not who they are: that shows the domain, or the way by which mail of theirs came
before. By another way they are asked once. Whatever it opens, it opens to its reader only:
somebody else's message to it is somebody else's message.

Passwords are optional, kept as hashes (argon2, RFC 9106), and blanked wherever a message is shown.
A seat with a password is acted in by who gives it, or who replies to a message to that seat; the
address alone is not enough then. The message that holds one is stored without it as soon as it has
been processed.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from judge import variants
from judge.game.state import State, part
from judge.game.state.answers import Refused
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.game.state.settings import CALLED_PACES, TABLE
from judge.intake.command import rows
from judge.intake.context import Answered, Cursor, FailedPassword, Report, Sender
from judge.mail.address import ALL, Addresses, Found, delivered_to
from judge.mail.headers import way
from judge.mail.message import ParsedMessage, parse
from judge.mail.redact import REDACTED, UNREADABLE, redact
from judge.rules.rulebook import editions
from judge.storage import InboundMessage, Person, Seat, Storage, Ticket


class Unproved(Exception):
    """A line needs more trust than its mail has earned. Nothing of the mail may be carried out."""

    def __init__(self, needed: TrustLevel, wrong: Sequence[FailedPassword] = ()) -> None:
        """`wrong` are the wrong passwords in the mail, which count though it is not carried out."""
        super().__init__(needed.word)
        self.needed = needed
        self.wrong = tuple(wrong)


def tokens(addresses: Addresses, mail: InboundMessage, incoming: ParsedMessage) -> list[Found]:
    """Return what of ours the addresses name that a mail went to."""
    return list(addresses.among([*mail.envelope_to, *delivered_to(mail.raw), *incoming.to]))


def answered(
    storage: Storage,
    addresses: Addresses,
    mail: InboundMessage,
    incoming: ParsedMessage,
    now: datetime,
) -> Answered | None:
    """Return the letter of ours that a mail answers, no matter who wrote it. By the reply address
    it came to; where sub-addresses are stripped, by the Message-IDs it refers to, which hold a
    token, too, but prove nothing."""
    found = tokens(addresses, mail, incoming)
    numbers = [each.number for each in found]
    referred = (*incoming.in_reply_to, *reversed(incoming.references))
    for number in filter(None, (*numbers, *map(addresses.read_message_id, referred))):
        ticket = storage.tickets.find(number)
        if ticket is not None:
            to_all = any(each.number == number and each.purpose == ALL for each in found)
            proves = number in numbers and not incoming.doubled
            return Answered(ticket, to_all, now < ticket.expires_at, proves)
    return None


def is_readers(ticket: Ticket, incoming: ParsedMessage, person: Person | None) -> bool:
    """Return whether a message is from the recipient of ours, by any of their addresses."""
    if ticket.person_id is not None:
        return person is not None and person.id == ticket.person_id
    return ticket.address == incoming.sender


def is_keeper(storage: Storage, profile: JudgeProfile, sender: str, person: Person | None) -> bool:
    """Return whether a message claims to be from the keeper, by any of their addresses."""
    if profile.keeper is None:
        return False
    if sender.lower() == profile.keeper.lower():
        return True
    if person is None:
        return False
    known = storage.people.by_address(profile.keeper)
    return known is not None and known.id == person.id


def way_of(profile: JudgeProfile, mail: InboundMessage) -> str | None:
    """By which way a mail came; None if that cannot be told."""
    return way(mail.raw, mail.door, mail.envelope_from, profile.servers)


def remember(
    sender: Sender, storage: Storage, incoming: ParsedMessage, *, proved: bool = False
) -> None:
    """Note by which way mail of the sender comes, who has shown to be its owner; and, if `proved`,
    that they read mail sent to its address. Where the domain vouches, no way is noted: what it does
    not vouch for is not the usual way."""
    way = None if sender.verified else sender.way
    if sender.mailbox is None:
        # They may have been put on file a moment ago.
        look_again(sender, storage, incoming)
    if sender.mailbox is not None and (proved or way is not None):
        storage.people.note_way(sender.mailbox, way, proved=proved)


def look_again(sender: Sender, storage: Storage, incoming: ParsedMessage) -> None:
    """Read what is on file about the address of the sender, where it may have changed."""
    sender.mailbox = storage.people.mailbox(incoming.sender)


def is_surely(sender: Sender) -> bool:
    """Return whether a mail, which need not have been read yet, is from its alleged sender: they
    confirmed it, its domain vouches for it, or its way is one of theirs."""
    if sender.proof is not None or sender.verified:
        return True
    mailbox, way = sender.mailbox, sender.way
    return mailbox is not None and way is not None and way in mailbox.ways


def level(cursor: Cursor, state: State | None, press: bool = False) -> TrustLevel:
    """Return what the mail proves, for something in this game, or for what is the writer's own.
    `press`: for answering press, which may be done after its phase, too."""
    sender = cursor.sender
    earned = [TrustLevel.ADDRESS]
    if sender.proof is not None:
        earned.append(TrustLevel.named(sender.proof))
    if sender.verified:
        earned.append(TrustLevel.VERIFIED)
    acting = _acting(cursor, state)
    signed = bool(acting) and all(seat.id in sender.signed for seat in acting)
    if sender.confirmed or signed:
        # With the password of each seat they act in.
        earned.append(TrustLevel.TOKEN)
    # Who was not on file has nothing to lose.
    if not sender.known_before or is_surely(sender):
        earned.append(TrustLevel.TOKEN if _opens(cursor, state, press) else TrustLevel.KNOWN)
    return max(earned)


def _opens(cursor: Cursor, state: State | None, press: bool) -> bool:
    """Return whether the reply address this mail came to is for this."""
    found = cursor.sender.answered
    if found is None or not found.proves:
        return False
    if state is None:
        return True
    ticket = found.ticket
    in_time = ticket.phase == state.began or (press and ticket.press_id is not None)
    # What a line above has given them, it gave by this proof.
    parts = {part(seat) for seat in _acting(cursor, state) if seat.id in state.seats.at_first}
    return ticket.game_id == state.game.id and in_time and parts <= set(ticket.parts)


def _acting(cursor: Cursor, state: State | None) -> list[Seat]:
    if cursor.state is not state:
        return []
    return cursor.seats if cursor.became is None else cursor.own()


def prove(
    cursor: Cursor, state: State | None, least: TrustLevel = TrustLevel.ADDRESS, press: bool = False
) -> None:
    """Raise Unproved unless the mail proves enough to do something in this game, or, without a
    game, something with the writer's own affairs.

    At `least` that is the keeper's level; more where the writer's part has a password. Who makes
    a game may set it up in the same mail: nobody else is in it yet.
    """
    needed = max(cursor.sender.needed, least)
    if cursor.keeping is not None and cursor.state is state:
        # The keeper gets no letters of the game.
        state = None
    if state is not None:
        if state.game.id in cursor.created:
            needed = cursor.sender.needed
        elif any(seat.password for seat in _acting(cursor, state)):
            needed = max(needed, TrustLevel.TOKEN)
    where = None if state is not None and state.game.id in cursor.created else state
    if level(cursor, where, press) < needed:
        raise Unproved(needed, cursor.sender.wrong)


LONGEST = 200

WRONG = "wrong password"
"""What the log says of one."""

_LEAST = 4

_WRONG = timedelta(hours=1)
"""For how long wrong passwords are counted."""

# Where a password can stand: behind what a sign-on or a sign-up names, and behind SET PASSWORD.
_OPTIONS = {words.split()[0] for row in TABLE.values() for words in row.all_words}
_BOARDS = {*variants.names(), *(name.replace("_", " ") for name in variants.names())}
_WORDS = {"solo", *editions(), *CALLED_PACES, *_OPTIONS, *_BOARDS}
_KNOWN = "|".join(map(re.escape, sorted(_WORDS, reverse=True)))
_OTHERS = "|".join(words.partition(" ")[2] for words in rows() if words.startswith("join "))
_PLACE = (
    r"(?P<head>(?:(?:s[igmn]{2,3}\s*on|log\s*in)\s+\S+"
    rf"|join\s+(?!(?:{_KNOWN}|{_OTHERS})\b)\S+"
    rf"|create\s+(?!tournament\b)\S+(?=\s+(?!(?:{_KNOWN}|\d\d?)\b)\S*[^\s,;]\s+[^\s,;]+)"
    r"|(?P<set>set\s*password)|password))(?P<gap>\s+)"
    r"(?P<word>(?(set)\S(?:.*\S)?|[^\s,;]+))"
)
_WRITTEN = re.compile(rf"\b{_PLACE}", re.IGNORECASE)
_COMMAND = re.compile(rf"[\W_]*{_PLACE}", re.IGNORECASE)


def blanked(line: str) -> str:
    """Return a line of a mail with what stands where a password can blanked."""
    found = _COMMAND.match(line)
    if found is None:
        return line
    begin, end = found.span("word")
    return f"{line[:begin]}{REDACTED}{line[end:]}"


def blanked_anywhere(line: str) -> str:
    """Return a line that may repeat one of a mail anywhere, blanked likewise."""
    return _WRITTEN.sub(rf"\g<head>\g<gap>{REDACTED}", line)


def put_away(
    storage: Storage,
    mail: InboundMessage,
    words: Collection[str] = (),
    incoming: ParsedMessage | None = None,
) -> None:
    """Store a mail that is not to be processed again without the passwords in it: `words`, and what
    stands where one can in its lines, quoted ones included. `incoming` is the mail, if it has been
    read already. Of one from which a word cannot be taken only a note is left."""
    raw = without(mail.raw, words, incoming)
    if raw != mail.raw:
        storage.inbound.rewrite(mail.id, raw)


def without(
    raw: bytes, words: Collection[str] = (), incoming: ParsedMessage | None = None
) -> bytes:
    """Return a message as `put_away` stores it."""
    read = incoming or parse(raw)
    lines = (read.subject, *read.text.splitlines(), *read.body.splitlines())
    found = {*words, *(word for line in lines for word in words_of(blanked_words(line)))}
    found -= {REDACTED} - set(words)
    if not found:
        return raw
    new = redact(raw, found) if len(found) <= _MOST_PASSWORDS else UNREADABLE
    left = parse(new)
    said = "\n".join((left.subject, left.text, left.body))
    return UNREADABLE if any(re.search(_alone(word), said) for word in found) else new


_MOST_PASSWORDS = 30
"""Words that are taken out of a mail one by one; of one with more only the note is left."""


def words_of(password: str) -> list[str]:
    """Return the words of what was written as a password, which are blanked one by one."""
    return [word for word in re.split(r"[\s,;]+", password) if word]


def blanked_words(line: str) -> str:
    """Return what `blanked` would blank in a line; "" for nothing."""
    found = _COMMAND.match(line)
    return "" if found is None else found["word"]


def _alone(word: str) -> str:
    """Return a word where nothing adjoins it."""
    return rf"(?<!\S){re.escape(word)}(?![^\s,;])"


def give(
    cursor: Cursor,
    profile: JudgeProfile,
    incoming: ParsedMessage,
    now: datetime,
    seats: Sequence[Seat],
    password: str,
) -> None:
    """Sign on to `seats` with a password; one that they do not need is overlooked. Raises Refused
    when it is none of theirs, and for an hour after too many that were not: then nobody learns
    whether one is right."""
    cursor.sender.secrets.add(password)
    locked = [seat for seat in seats if seat.password is not None]
    most = profile.limits.passwords
    if locked and _wrong_ones(cursor, now) >= most:
        raise Refused("passwords_locked", most=most, now=False)
    cursor.sender.hashed += sum(seat.id not in cursor.sender.signed for seat in locked)
    right = [seat for seat in locked if seat.id in cursor.sender.signed or _fits(seat, password)]
    if not locked and cursor.sender.tried < most:
        # As long as with one, so that it cannot be told where there is something to be guessed;
        # but not for a hundred lines, for that is long.
        cursor.sender.tried += 1
        cursor.sender.hashed += 1
        _fits(None, password)
    if not locked or right:
        cursor.sender.signed.update(seat.id for seat in right)
        return
    wrong = FailedPassword(cursor.here().game.id, seats[0].person_id)
    cursor.sender.wrong.append(wrong)
    wrong_password(cursor.storage, wrong, incoming.sender, now)
    if _wrong_ones(cursor, now) >= most:
        raise Refused("passwords_locked", most=most, now=True)
    raise Refused("wrong_password")


def wrong_password(storage: Storage, wrong: FailedPassword, sender: str, now: datetime) -> None:
    """Count a wrong password; also one in a mail whose transaction was undone."""
    facts = {"person": wrong.person_id}
    storage.events.log(now, WRONG, facts, actor=sender, game_id=wrong.game_id)


def _wrong_ones(cursor: Cursor, now: datetime) -> int:
    """Return how many wrong passwords came for this person and game lately, by any address."""
    me = cursor.sender.person_id
    lately = cursor.storage.events.lately(WRONG, now - _WRONG, cursor.here().game.id)
    return sum(event.facts.get("person") == me for event in lately)


def lock(sender: Sender, seats: Sequence[Seat], password: str) -> None:
    """Give `seats` a password; saving them is the caller's. Raises Refused for one too short."""
    sender.secrets.add(password)
    if len(password) < _LEAST:
        raise Refused("short_password", least=_LEAST)
    sender.hashed += len(seats)
    for seat in seats:
        seat.password = _hasher().hash(password[:LONGEST])
        if seat.id:
            sender.signed.add(seat.id)


def note_offers(sender: Sender, report: Report) -> None:
    """Note the passwords in lines that were misspelled, which show in what is offered instead."""
    for item in report.results:
        for offer in item.write:
            for found in _WRITTEN.finditer(offer):
                sender.secrets.update(words_of(found["word"]))


def shown(sender: Sender, line: str) -> str:
    """Return a line of the mail as it may be repeated to its writer."""
    for secret in sender.secrets:
        line = re.sub(_alone(secret), REDACTED, line)
    return blanked(line)


def _fits(seat: Seat | None, password: str) -> bool:
    """Return whether it is this part's password; it takes as long for no part, which has none."""
    known = seat.password if seat is not None else None
    try:
        _hasher().verify(known or _nobodys(), password[:LONGEST])
    except (Argon2Error, InvalidHashError):
        return False
    return known is not None


@cache
def _hasher() -> PasswordHasher:

    # What OWASP asks for at least; the library's own choice takes five times as long.
    return PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@cache
def _nobodys() -> str:
    return _hasher().hash(secrets.token_hex())
