"""Who is writing: what a mail proves, and what has to be proved before a line is carried out.

A reply address opens what its letter was about and nothing else: the game, the phase and the parts
its reader had then. Whatever it opens, it opens to its reader only: somebody else's mail to it is
somebody else's mail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from judge.game.state import State, part
from judge.game.state.profile import TrustLevel
from judge.mail.address import ALL, Addresses, delivered_to
from judge.mail.message import ParsedMessage
from judge.storage import InboundMessage, Person, Seat, Storage, Ticket

if TYPE_CHECKING:
    from judge.intake.context import FailedPassword, MessageContext


class Unproved(Exception):
    """A line needs more trust than its mail has earned. Nothing of the mail may be carried out."""

    def __init__(self, needed: TrustLevel, wrong: Sequence[FailedPassword] = ()) -> None:
        """`wrong` are the wrong passwords in the mail, which count though it is not carried out."""
        super().__init__(needed.word)
        self.needed = needed
        self.wrong = tuple(wrong)


@dataclass(frozen=True)
class Answered:
    """The letter a mail answers. `to_all`: its writer answers everybody who had it. `valid`: the
    address has not expired; an old one says what is answered, and proves nothing."""

    ticket: Ticket
    to_all: bool
    valid: bool


def answered(
    storage: Storage,
    addresses: Addresses,
    mail: InboundMessage,
    incoming: ParsedMessage,
    now: datetime,
) -> Answered | None:
    """The letter of ours that a mail answers, whoever wrote it.

    By the reply address it came to; where sub-addresses are stripped, by the Message-IDs it
    refers to, which hold the same token.
    """
    to = [*mail.envelope_to, *delivered_to(mail.raw), *incoming.to]
    found = list(addresses.among(to))
    numbers = [each.number for each in found]
    numbers += _referred(addresses, incoming)
    for number in numbers:
        ticket = storage.tickets.find(number)
        if ticket is not None:
            to_all = any(each.number == number and each.purpose == ALL for each in found)
            return Answered(ticket, to_all, now < ticket.expires_at)
    return None


def _referred(addresses: Addresses, incoming: ParsedMessage) -> Iterator[int]:
    for message_id in (*incoming.in_reply_to, *reversed(incoming.references)):
        number = addresses.read_message_id(message_id)
        if number is not None:
            yield number


def is_readers(ticket: Ticket, incoming: ParsedMessage, person: Person | None) -> bool:
    """Whether a mail is from whom the letter went to: his address, or another one of his."""
    if ticket.person_id is not None:
        return person is not None and person.id == ticket.person_id
    return ticket.address == incoming.sender


def level(context: MessageContext, state: State | None, press: bool = False) -> TrustLevel:
    """What the mail proves, for something in this game, or for what is the writer's own.

    `press`: for answering press, which may be done after its phase, too.
    """
    earned = [TrustLevel.ADDRESS]
    if context.mail.proof is not None:
        earned.append(TrustLevel.named(context.mail.proof))
    if context.sender.verified:
        earned.append(TrustLevel.VERIFIED)
    if _opens(context, state, press) or _signed(context, state):
        earned.append(TrustLevel.TOKEN)
    return max(earned)


def _opens(context: MessageContext, state: State | None, press: bool) -> bool:
    """Whether the reply address this mail came to is for this."""
    found = context.sender.answered
    if found is None or not found.valid:
        return False
    if state is None:
        return True
    ticket = found.ticket
    in_time = ticket.phase == state.began or (press and ticket.press_id is not None)
    parts = {part(seat) for seat in _acting(context, state)}
    return ticket.game_id == state.game.id and in_time and parts <= set(ticket.parts)


def _signed(context: MessageContext, state: State | None) -> bool:
    """Whether the writer signed on with the password of each part he acts in."""
    if state is None:
        return False
    seats = _acting(context, state)
    return bool(seats) and all(seat.id in context.sender.signed for seat in seats)


def _acting(context: MessageContext, state: State) -> list[Seat]:
    if context.cursor.state is not state:
        return []
    return context.cursor.seats if context.cursor.became is None else context.cursor.own()


def prove(
    context: MessageContext,
    state: State | None,
    least: TrustLevel = TrustLevel.ADDRESS,
    press: bool = False,
) -> None:
    """Raise Unproved unless the mail proves enough to do something in this game, or, without a
    game, something with the writer's own affairs.

    At `least` that is the keeper's level; more where the writer's part has a password. Who makes
    a game may set it up in the same mail: nobody else is in it yet.
    """
    needed = max(context.profile.trust, least)
    if context.cursor.keeping is not None and context.cursor.state is state:
        # The keeper gets no letters of the game.
        state = None
    if state is not None:
        if state.game.id in context.report.created:
            needed = context.profile.trust
        elif any(seat.password for seat in _acting(context, state)):
            needed = max(needed, TrustLevel.TOKEN)
    where = None if state is not None and state.game.id in context.report.created else state
    if level(context, where, press) < needed:
        raise Unproved(needed, context.sender.wrong)
