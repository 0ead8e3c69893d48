"""What a letter must know of the judge itself, and how much the judge writes."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import time
from enum import IntEnum
from typing import Literal

from judge.mail import compose
from judge.mail.address import Addresses
from judge.storage import Person


class Level(IntEnum):
    """How sure the judge is who wrote a mail; more is better."""

    ADDRESS = 1
    """The address in From is on file."""
    TOKEN = 2
    """He had a letter of ours: he wrote to its reply address, or confirmed the mail by return."""
    VERIFIED = 3
    """The mail server of his domain vouches for the address (DKIM and DMARC)."""

    @staticmethod
    def named(name: str) -> Level:
        """The level called `address`, `token` or `verified`."""
        return Level[name.upper()]

    @property
    def word(self) -> str:
        """What it is called in the configuration and in the database."""
        return self.name.lower()


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Numbers of answers. Whoever reaches one is told so once; his mails count all the same.

    `hour`: to one person on file in an hour. `stranger`: to one address that is not, in a day.
    `strangers`: to all such addresses together in a day; what comes after that is kept for the
    keeper. `nothing`: to one person in a day for mails with nothing in them for the judge, which
    is what a robot writes that could not be told from a person. `press` is how many letters to the
    others one part in a game may send in an hour; more are refused. `questions` is how many may
    wait for an answer from one address; mails that would cause one more are kept without a word.
    `passwords` is how many wrong ones a person may give in an hour for his part in one game; then
    even the right one is refused for that hour.
    """

    hour: int = 60
    stranger: int = 10
    strangers: int = 200
    nothing: int = 5
    questions: int = 3
    press: int = 100
    passwords: int = 5


@dataclass(frozen=True, kw_only=True)
class House:
    """This judge: the name and address its letters come from, and who looks after it.

    `keeper` is the keeper's address, None where nobody is to be told; `digest` the time of day at
    which he is told what happened, None for never; `zone` the IANA time zone
    of people who named none. `sub_addresses` is the address with a `*` where sub-addresses go,
    `judge+*@example.org` where nothing is said. `trust` is how sure the judge must be who wrote
    before a game is changed; an answer is taken for `reply_days` days. `limits` are how much the
    judge answers. `pictures`: how letters show the board.
    """

    name: str = "The Judge"
    address: str
    keeper: str | None = None
    digest: time | None = None
    zone: str = "UTC"
    sub_addresses: str | None = None
    trust: Level = Level.ADDRESS
    reply_days: float = 60
    pictures: Literal["animated", "still", "off"] = "animated"
    limits: Limits = field(default_factory=Limits)

    def zone_of(self, person: Person | None) -> str:
        """The time zone in which this person reads times."""
        return (person and person.time_zone) or self.zone

    def addresses(self, secret: bytes) -> Addresses:
        """Return what makes and reads the judge's reply addresses, signed with `secret`."""
        return Addresses(self.pattern, secret, self.domain)

    def new_message_id(self) -> str:
        """Return a Message-ID in angle brackets that was never used and cannot be guessed."""
        return compose.message_id(secrets.token_hex(16), self.domain)

    @property
    def domain(self) -> str:
        """The part of the address behind the @, where our Message-IDs belong."""
        return self.address.rpartition("@")[2]

    @property
    def pattern(self) -> str:
        """Where sub-addresses are, the `*` standing for what tells one from the other."""
        local, _, domain = self.address.rpartition("@")
        return self.sub_addresses or f"{local}+*@{domain}"
