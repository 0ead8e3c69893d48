"""The parts of a judge as they are configured."""

from __future__ import annotations

from datetime import time as time_of_day

from judge.config import Config, ImapSection
from judge.game.house import House, Level
from judge.game.limits import Limits
from judge.mail.authenticity import Checker, dns
from judge.mail.imap_door import ImapSettings
from judge.mail.outgoing import Maildir, Relay, Transport
from judge.mail.sign import BadKey, Signer, Signing


class StartError(Exception):
    """The daemon cannot start; the message says what is in the way."""


def house_of(config: Config) -> House:
    """What letters must know of the judge that is configured."""
    digest = config.judge.digest
    return House(
        name=config.judge.name,
        address=config.judge.address,
        keeper=config.judge.keeper,
        digest=None if digest == "off" else time_of_day.fromisoformat(digest),
        zone=config.judge.zone,
        sub_addresses=config.judge.sub_addresses,
        trust=Level.named(config.trust.level),
        reply_days=config.trust.reply_days,
        limits=Limits(**config.limits.model_dump()),
    )


def transport_of(config: Config) -> Transport:
    relay = config.outgoing.relay
    if relay is None:
        return Maildir(config.outgoing.maildir)
    return Relay(
        relay.host,
        relay.port,
        security=relay.security,
        user=relay.user,
        password=relay.secret(),
        hello=config.judge.domain,
    )


def signing(config: Config, transport: Transport) -> Transport:
    """The way out, with signatures on each letter where any are configured. Raises StartError."""
    dkim = config.dkim
    if dkim is None:
        return transport
    signers = []
    for selector, file in dkim.signers():
        try:
            key = file.read_bytes()
            signers.append(Signer(dkim.domain or config.judge.domain, selector, key))
        except (OSError, BadKey) as error:
            raise StartError(f"letters cannot be signed with {file}: {error}") from error
    return Signing(transport, signers)


def checker(config: Config, house: House) -> Checker | None:
    """Tells whether a mail's domain vouches for it, where the keeper says how."""
    trust = config.trust
    if trust.authserv_id is None and not trust.check_dkim:
        return None
    lookup = dns if trust.check_dkim else None
    return Checker(trust.authserv_id, lookup, [house.address], [house.pattern])


def imap_settings(section: ImapSection, max_size: int) -> ImapSettings:
    return ImapSettings(
        host=section.host,
        port=section.port,
        user=section.user,
        password=section.secret() or "",
        security=section.security,
        folder=section.folder,
        moved_to=section.done_folder if section.when_done == "move" else None,
        poll=section.poll,
        max_size=max_size,
    )
