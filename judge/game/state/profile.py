"""The judge itself: its name and addresses, whom it trusts, how much it answers, and what its
keeper tells everybody."""

from __future__ import annotations

import secrets
from datetime import time
from enum import IntEnum

from msgspec import Struct, field
from msgspec.structs import replace

from judge.i18n import DEFAULT_LANGUAGE
from judge.limits import Limits
from judge.mail import compose
from judge.mail.address import Addresses
from judge.storage import Person, Storage


class TrustLevel(IntEnum):
    """How strongly a message proves its sender, weakest first."""

    ADDRESS = 1
    """The address in From is on file."""
    KNOWN = 2
    """It came as messages of this address have come before, or there was none, or they confirmed
    that it is theirs."""
    TOKEN = 3
    """The same, and they had a message of ours: they wrote to its reply address, or confirmed
    theirs by reply."""
    VERIFIED = 4
    """The mail server of their domain vouches for the address (DKIM and DMARC)."""

    @staticmethod
    def named(name: str) -> TrustLevel:
        """Return the level called `address`, `known`, ... Raises KeyError."""
        return TrustLevel[name.upper()]

    @property
    def word(self) -> str:
        """What the configuration and the database call it."""
        return self.name.lower()


class JudgeProfile(Struct, frozen=True, kw_only=True):
    """This judge: the name and address its messages come from, and who hosts it.

    Attributes:
        keeper: The keeper's address; None if there is nobody to tell.
        digest: The time of day, in `zone`, of the keeper's daily message; None for never.
        zone: The IANA time zone of people who named none.
        spread: Minutes over which deadlines that games have at one time of day are spread.
        sub_addresses: The address with a `*` where sub-addresses go; None for
            `judge+*@example.org`.
        trust: What a message must prove before it changes a game.
        servers: The addresses and networks of the judge's own mail servers.
        reply_days: For how many days a message can be replied to.
        pictures: Whether messages show the board.
        archive: The folder of the archive that the pages have; "" without one.
        web: Where the pages of public games are served; "" where they are not.
        language: That of anyone who writes in none that is known.
        members: Patterns of the addresses of those who may come in; none for everybody.
        hosts: The addresses of those who see all that is in its games.
        settings: Those of new games, each as behind CREATE.
        unsubscribe: The start of the web address that takes one click, which a token completes.
    """

    name: str = "The Judge"
    address: str
    keeper: str | None = None
    digest: time | None = None
    zone: str = "UTC"
    spread: int = 0
    sub_addresses: str | None = None
    trust: TrustLevel = TrustLevel.KNOWN
    servers: tuple[str, ...] = ()
    reply_days: float = 60
    pictures: bool = True
    archive: str = ""
    web: str = ""
    unsubscribe: str | None = None
    language: str = DEFAULT_LANGUAGE
    members: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    def zone_of(self, person: Person | None) -> str:
        """Return the IANA time zone in which this person reads times."""
        return (person and person.time_zone) or self.zone

    def addresses(self, secret: bytes) -> Addresses:
        """Return what makes and reads the judge's reply addresses, signed with `secret`."""
        return Addresses(self.pattern, secret, self.domain)

    def new_message_id(self) -> str:
        """Return a Message-ID in angle brackets that was never used and cannot be guessed."""
        return compose.message_id(secrets.token_hex(16), self.domain)

    @property
    def postmaster(self) -> str | None:
        """The address that every domain with mail has (RFC 5321 section 4.5.1), mail to which goes
        to the keeper; None where that would come back here."""
        address = f"postmaster@{self.domain}"
        return None if (self.keeper or "").lower() == address.lower() else address

    @property
    def domain(self) -> str:
        """The part of the address after the @, where our Message-IDs belong."""
        return self.address.rpartition("@")[2]

    @property
    def pattern(self) -> str:
        """The pattern of sub-addresses: `*` stands for what tells one from the other."""
        local, _, domain = self.address.rpartition("@")
        return self.sub_addresses or f"{local}+*@{domain}"


HOUSE_RULES = "rules"
"""The name of the house rules among what the keeper has set."""

_MOTD = "motd"
"""The name of the message of the day, with its number: a changed text is shown again."""


def house_rules(storage: Storage) -> str | None:
    """Return the house rules, if there are any."""
    text: str | None = storage.keeper_settings.get(HOUSE_RULES)
    return text


def message_of_the_day(storage: Storage) -> str | None:
    """Return the message of the day, if there is one."""
    kept = storage.keeper_settings.get(_MOTD)
    return kept["text"] if kept else None


def say_today(storage: Storage, text: str | None, number: int) -> None:
    """Set or remove the message of the day; `number` tells it from earlier ones."""
    storage.keeper_settings.put(_MOTD, None if text is None else {"text": text, "number": number})


def new_message_of_the_day(storage: Storage, person: Person) -> str | None:
    """Return the message of the day if a person has not seen it, and note that they have."""
    kept = storage.keeper_settings.get(_MOTD)
    if not kept or person.options.motd == kept["number"]:
        return None
    fresh = storage.people.find(person.id)
    if fresh is None:
        return None
    fresh.options = person.options = replace(fresh.options, motd=kept["number"])
    storage.people.save(fresh)
    text: str = kept["text"]
    return text
