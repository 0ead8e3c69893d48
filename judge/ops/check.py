"""Everything the judge needs to work, tried out once, beside a running judge."""

from __future__ import annotations

import ctypes
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from email import message_from_bytes
from email.policy import compat32
from email.utils import formatdate
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from judge.config import Config
from judge.mail import headers
from judge.mail.authenticity import results
from judge.mail.dkim_signing import Signer
from judge.mail.headers import LOOP, is_own
from judge.mail.imap_receiver import ImapSettings, in_words, probe
from judge.mail.lookup import Lookup, ask
from judge.mail.starttls import Probe, try_starttls
from judge.mail.transport import (
    Maildir,
    PermanentFailure,
    RelayServer,
    TemporaryFailure,
    Unreachable,
)
from judge.ops.dns_advice import advise
from judge.ops.findings import CheckResult, advice, bad, good
from judge.ops.machine import validity
from judge.ops.spf import Address
from judge.ops.workable import unworkable
from judge.records.signing import public_key
from judge.storage import InboundMessage, Storage, StorageError, Unavailable

_AHEAD = timedelta(minutes=2)

PATIENCE = 20.0
"""Seconds a letter of the judge to itself gets to come back."""

_FORGED = "forged results"


class Parts(Struct, frozen=True):
    """What is tried: the ways in and out as the daemon would use them."""

    mailboxes: list[ImapSettings]
    relay: RelayServer | Maildir
    signers: Mapping[str, list[tuple[str, str, Signer]]]
    """The keys of each house, by its own."""


def check(
    config: Config,
    path: Path,
    parts: Parts,
    lookup: Lookup = ask,
    leaves: Sequence[Address] = (),
    probe: Probe | None = try_starttls,
) -> Iterator[CheckResult]:
    """Look at everything, one finding each; no mail is taken, and no letter sent but to the judge
    itself. `leaves` are the addresses from which letters leave, where the keeper knows; `probe`
    tries the server that takes the domain's mail."""
    yield _configuration(config, path)
    for problem in unworkable(config):
        yield bad("configuration", problem, "the judge does not start until it is mended")
    yield from _database(config, parts)
    for settings in parts.mailboxes:
        yield _mailbox(settings)
    if not parts.mailboxes and not config.smtp.enabled and config.judge.pipe:
        yield advice("mail in", "only by `judge mail`", "enable [smtp] or add an [[imap]] section")
    yield from _door(config)
    yield _way_out(config, parts)
    relay = config.outgoing.relay
    host = relay.host if relay else None
    seen = set[str]()
    for key, house in config.by_house().items():
        domain, keys = house.judge.domain, parts.signers.get(key, [])
        if domain.lower() not in seen:
            for each in advise(domain, host, keys, lookup, leaves, probe, way_out=not key):
                yield each if not key else replace(each, subject=f"{each.subject} ({key})")
        seen.add(domain.lower())
    yield from _clock(config)


def _configuration(config: Config, path: Path) -> CheckResult:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & stat.S_IROTH and config.has_secrets():
        return advice(
            "configuration", f"{path} holds a password and everybody can read it",
            f"chmod o= {path}, or use password_file",
        )  # fmt: skip
    if config.judge.keeper is None:
        return advice(
            "configuration", f"{path} names no keeper, who would be told what goes wrong",
            'set keeper = "you@example.org" in [judge]',
        )  # fmt: skip
    return good("configuration", f"{path} can be used")


def _database(config: Config, parts: Parts) -> Iterator[CheckResult]:
    file = config.database.file
    if file is not None and not file.exists():
        # To look makes none, which would belong to anyone who looks.
        said = f"there is no database {file} yet"
        yield bad("database", said, "start the judge, as the user who is to own it")
        return
    try:
        storage = Storage.open(config.database.url)
    except StorageError as error:
        yield bad("database", str(error), "see [database] url in the configuration")
        return
    except Unavailable as error:
        yield bad("database", str(error), "start the server, or look at the disk and the rights")
        return
    try:
        with storage.transaction():
            seen = storage.heartbeat.last()
        yield good("database", f"{storage.name} can be read and written")
        yield good("game files", f"signed by the key {public_key(storage.tickets.secret)}")
        relay = parts.relay if isinstance(parts.relay, RelayServer) else None
        yield from _try_forged(config, relay, storage)
        now = config.clock.clock().now()
        if seen is not None and seen - now > _AHEAD:
            yield bad(
                "clock", f"the judge has noted {seen:%Y-%m-%d %H:%M} UTC; it is {now:%H:%M} now",
                "set the machine's clock; until then no deadline passes",
            )  # fmt: skip
        there = storage.server_time()
        if there is not None and abs(there - now) > _AHEAD and config.clock.speed == 1:
            yield advice(
                "clock", f"the database's machine says {there:%Y-%m-%d %H:%M:%S} UTC",
                "set the clocks of both machines by NTP",
            )  # fmt: skip
    except Unavailable as error:
        yield bad("database", str(error), "look at the disk and the rights of the files")
    finally:
        storage.close()


def _try_forged(
    config: Config, relay: RelayServer | None, storage: Storage
) -> Iterator[CheckResult]:
    """Send the judge a letter with forged results, by the relay or else by its own SMTP receiver,
    and yield what came of it; nothing where no server's results are believed."""
    server, own = config.trust.authserv_id, config.judge.address
    if server is None:
        return
    way = relay or RelayServer(config.smtp.host, config.smtp.port, timeout=PATIENCE)
    sign, domain = secrets.token_hex(8), config.judge.domain
    message_id = f"<check.{sign}@{domain}>"
    raw = (
        f'Authentication-Results: {server}; dmarc=pass reason="{sign}" header.from={domain}\r\n'
        f"From: {own}\r\nTo: {own}\r\nSubject: judge check\r\nDate: {formatdate()}\r\n"
        f"Message-ID: {message_id}\r\nAuto-Submitted: auto-generated\r\n{LOOP}: {own}\r\n\r\n"
        "judge check tries whether forged results of a mail server are believed.\r\n"
    )
    try:
        way.deliver(raw.encode(), own, message_id, own)
    except (TemporaryFailure, PermanentFailure) as error:
        yield advice(_FORGED, f"not tried: {error}", "run `judge check` while the judge runs")
        return
    finally:
        way.close()
    mail = _wait(lambda: storage.inbound.by_message_id(message_id), PATIENCE)
    if mail is None:
        said = f"a message to {own} has not come back within {PATIENCE:g} s"
        yield advice(_FORGED, said, "run `judge check` while the judge runs")
        return
    message = message_from_bytes(mail.raw, policy=compat32)
    topmost = next(iter(headers.raw_all(message, "Authentication-Results")), "")
    believed = sign in topmost and results(message, server) is not None
    if believed and is_own(mail.raw, mail.door, config.trust.servers):
        yield bad(
            _FORGED, f"anyone who writes that {server} has checked a mail is believed",
            "let that server remove such fields from what comes in (RFC 8601 section 5), "
            "and see servers in [trust]",
        )  # fmt: skip
        return
    yield good(_FORGED, f"forged results of {server} are not believed")


def _wait(look: Callable[[], InboundMessage | None], patience: float) -> InboundMessage | None:
    until = time.monotonic() + patience
    while (found := look()) is None and time.monotonic() < until:
        time.sleep(0.2)
    return found


def _mailbox(settings: ImapSettings) -> CheckResult:
    name = f"mailbox {settings.user} on {settings.host}"
    try:
        found = probe(settings)
    except Exception as error:  # whatever the server or the library says is what is to be told
        return bad(name, in_words(error), _mend(str(error), "[[imap]]"))
    if not found.idle:
        said = f"can be read, but announces nothing; it is looked at every {settings.poll:g} s"
        return good(name, said)
    return good(name, f"can be read; mails waiting there: {found.waiting}")


def _door(config: Config) -> Iterator[CheckResult]:
    """Yield whether mail comes in in clear over the network."""
    door = config.smtp
    # LMTP is for the mail server beside the judge alone (RFC 2033 section 5).
    if not door.enabled or door.lmtp or _is_near(door.host):
        return
    if door.certificate_file is None:
        yield advice(
            "TLS", f"mail comes in at {door.host} port {door.port} in clear",
            "name a certificate for the judge's mail server, certificate_file in [smtp]",
        )  # fmt: skip
    elif (times := validity(door.certificate_file)) is None:
        said = f"{door.certificate_file} cannot be read as a certificate"
        yield advice("TLS", said, "see certificate_file in [smtp]")
    elif times[1] < config.clock.clock().now():
        said = f"{door.certificate_file} was good until {times[1]:%Y-%m-%d}"
        yield advice("TLS", said, "have it renewed, and reload the judge")
    else:
        said = f"mail can come in by TLS; the certificate is good until {times[1]:%Y-%m-%d}"
        yield good("TLS", said)


def _way_out(config: Config, parts: Parts) -> CheckResult:
    relay = parts.relay
    if isinstance(relay, Maildir):
        folder = config.outgoing.maildir
        there = next(each for each in (folder, *folder.parents) if each.exists())
        if not os.access(there, os.W_OK):
            return bad("letters", f"{there} cannot be written", f"give the judge rights to {there}")
        said = f"messages go into Maildirs under {folder}, and to nobody's mailbox"
        return advice("letters", said, "name a mail server in [outgoing.relay]")
    try:
        said = relay.probe()
    except Unreachable as error:
        return bad("relay", str(error), _mend(str(error), "[outgoing.relay]"))
    finally:
        relay.close()
    section = config.outgoing.relay
    if section is not None and section.security == "none" and not _is_near(section.host):
        return advice("relay", said, 'set security = "starttls" or "tls"')
    return good("relay", said)


def _is_near(host: str) -> bool:
    """Return whether a host is this machine, or named by an address of the machine's own network,
    such as that of its containers; all addresses together (0.0.0.0) are not."""
    address = headers.address_of(host)
    inside = address is not None and not address.is_global and not address.is_unspecified
    return host == "localhost" or inside


_UNREACHED = re.compile(
    r"connection refused|timed out|unreachable|no route|name resolution|not known|no address", re.I
)
_CERTIFICATE = re.compile(r"certificate", re.I)
_LOGIN = re.compile(r"auth|login|credentials|\b535\b", re.I)


def _mend(said: str, section: str) -> str:
    # Where nobody was reached, words of the server's name say nothing: it may be called auth.
    if _UNREACHED.search(said):
        return f"see host, port and security in {section}, and firewalls in between"
    if _CERTIFICATE.search(said):
        return f"host in {section} must be the name in the server's certificate"
    if _LOGIN.search(said):
        return f"see user and password in {section}; some servers want a password for programs"
    return f"see {section} in the configuration"


def _clock(config: Config) -> Iterator[CheckResult]:
    if config.clock.speed != 1:
        yield advice("clock", "it is a fast one, for demonstrations", "leave out [clock]")
        return
    if _synchronized():
        yield good("clock", "the machine's clock is kept right")
    else:
        yield advice(
            "clock", "nothing keeps the machine's clock right",
            "run an NTP client, such as systemd-timesyncd or chrony",
        )  # fmt: skip


def _synchronized() -> bool:
    """Return whether the kernel knows its clock to be right (adjtimex(2), STA_UNSYNC)."""
    try:
        # The structure has less than 256 bytes on every architecture; modes, its first field, is 0:
        # only look. TIME_ERROR (5) is the state of a clock that is not synchronized.
        state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(256))
    except (OSError, AttributeError):
        return True
    return 0 <= int(state) < 5
