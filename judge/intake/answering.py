"""What is done with a mail before a line of it is read: one table, read top to bottom.

`judge.mail.guard` says what a mail is; here it is decided what that means, and how much is
answered. Nothing that came in is thrown away, whatever is decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cached_property

from judge.events import REPLIES, EventKind
from judge.game.state.profile import JudgeProfile
from judge.mail.address import BOUNCE, STOP, Addresses, Found, delivered_to
from judge.mail.message import Kind, ParsedMessage
from judge.storage import InboundMessage, Person, Storage

_TO_STRANGERS = (EventKind.WELCOME.word, EventKind.QUESTION.word)

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


class Action(Enum):
    """What is done with a mail."""

    READ = "It is read, carried out and answered."
    QUIET = "It is read and carried out, but not answered."
    NOTICE = "It is read and carried out; the answer is that there are no more for a while."
    ASIDE = "It is kept for the keeper, who is told once a day and can have it read."
    RETURNED = "It is about a letter of ours that came back."
    STOP = "It ends the part of an observer."
    LEAVE = "Nothing: it is neither read nor answered."


@dataclass(frozen=True)
class Look:
    """What the rules look at: a mail, who it seems to be from, and what he got lately."""

    mail: InboundMessage
    incoming: ParsedMessage
    person: Person | None
    storage: Storage
    profile: JudgeProfile
    addresses: Addresses
    now: datetime

    def written_to(self, purpose: str) -> Found | None:
        """The letter of ours by whose address for that purpose the mail came."""
        return next((each for each in self._found if each.purpose == purpose), None)

    def letters_address(self, purpose: str) -> str:
        """The address for that purpose by which the mail came, as its letter was given it."""
        found = self.written_to(purpose)
        return self.addresses.make(found.number, purpose) if found else ""

    @cached_property
    def _found(self) -> list[Found]:
        to = [*self.mail.envelope_to, *delivered_to(self.mail.raw), *self.incoming.to]
        return list(self.addresses.among(to))

    @property
    def while_(self) -> timedelta:
        """For how long answers to this sender are counted."""
        return DAY if self.person is None else HOUR

    @property
    def most(self) -> int:
        """How many answers he gets in that time."""
        limits = self.profile.limits
        return limits.stranger if self.person is None else limits.hour

    def had(self, *kinds: str, anybody: bool = False) -> int:
        """How many letters of these kinds he, or anybody, got in that time."""
        recipient = None if anybody else self.incoming.sender
        since = self.now - self.while_
        return self.storage.outbound.lately(kinds, since, recipient)


@dataclass(frozen=True, slots=True)
class Rule:
    """A question to a mail, and what is done with it when the answer is yes."""

    question: str
    action: Action
    test: Callable[[Look], bool]


TABLE: tuple[Rule, ...] = (
    Rule(
        "Did it come to the return path of one of our letters?",
        Action.RETURNED,
        lambda look: look.written_to(BOUNCE) is not None,
    ),
    Rule(
        # Without that path anybody may have made it up, so it proves nothing about an address.
        "Is it a bounce, a list's, or a letter of ours?",
        Action.LEAVE,
        lambda look: look.incoming.kind in (Kind.BOUNCE, Kind.LIST, Kind.OWN),
    ),
    Rule(
        # Before automatic mail, for a mail program writes it when its button is pressed.
        "Did it come to the address that ends watching a game?",
        Action.STOP,
        lambda look: look.written_to(STOP) is not None,
    ),
    Rule(
        "Did a program write it, or nobody?",
        Action.LEAVE,
        lambda look: not look.incoming.answerable,
    ),
    Rule(
        "Has its sender been told that there are no answers for a while?",
        Action.QUIET,
        lambda look: look.had(EventKind.LIMIT.word) > 0,
    ),
    Rule(
        "Has its sender had as many answers as one gets?",
        Action.NOTICE,
        lambda look: look.had(*REPLIES) >= look.most,
    ),
    Rule(
        # Their addresses may be forged: each answer may go to somebody who never wrote to us.
        "Is he a stranger, and have strangers had as many answers as they get in a day?",
        Action.ASIDE,
        lambda look: (
            look.person is None
            and look.had(*_TO_STRANGERS, anybody=True) >= look.profile.limits.strangers
        ),
    ),
    Rule("Anything else?", Action.READ, lambda look: True),
)


def decide(look: Look) -> Rule:
    """The first rule of the table that fits."""
    return next(rule for rule in TABLE if rule.test(look))
