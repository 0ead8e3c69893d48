"""Everything the judge needs to work, tried out once, beside a running judge."""

from __future__ import annotations

import ctypes
import os
import re
import stat
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from judge.config import Config
from judge.mail.imap_receiver import ImapSettings, in_words, probe
from judge.mail.lookup import Lookup, ask
from judge.mail.signing import Signer
from judge.mail.transport import Maildir, Relay, Unreachable
from judge.ops.check_results import CheckResult, advice, bad, good
from judge.ops.dns_advice import advise
from judge.storage import Storage, StorageError, Unavailable

_AHEAD = timedelta(minutes=2)


class Parts:
    """What is tried: the ways in and out as the daemon would use them."""

    def __init__(
        self,
        mailboxes: list[ImapSettings],
        relay: Relay | Maildir,
        signers: list[tuple[str, str, Signer]],
    ) -> None:
        self.mailboxes = mailboxes
        self.relay = relay
        self.signers = signers


def check(config: Config, path: Path, parts: Parts, lookup: Lookup = ask) -> Iterator[CheckResult]:
    """Look at everything, one finding each; no letter is sent and no mail is taken."""
    yield _configuration(config, path)
    yield from _database(config)
    for settings in parts.mailboxes:
        yield _mailbox(settings)
    if not parts.mailboxes and not config.smtp.enabled:
        yield advice("mail in", "only by `judge mail`", "enable [smtp] or add an [[imap]] section")
    yield _way_out(config, parts)
    relay = config.outgoing.relay
    host = relay.host if relay else None
    yield from advise(config.judge.domain, host, parts.signers, lookup)
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


def _database(config: Config) -> Iterator[CheckResult]:
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


def _mailbox(settings: ImapSettings) -> CheckResult:
    name = f"mailbox {settings.user} on {settings.host}"
    try:
        found = probe(settings)
    except Exception as error:  # whatever the server or the library says is what is to be told
        return bad(name, in_words(error), _mend(str(error), "[[imap]]"))
    if not found.idle:
        said = f"can be read, but announces nothing; it is looked at every {settings.poll:g} s"
        return good(name, said)
    return good(name, f"can be read; {found.waiting} mails wait there")


def _way_out(config: Config, parts: Parts) -> CheckResult:
    relay = parts.relay
    if isinstance(relay, Maildir):
        folder = config.outgoing.maildir
        there = next(each for each in (folder, *folder.parents) if each.exists())
        if not os.access(there, os.W_OK):
            return bad("letters", f"{there} cannot be written", f"give the judge rights to {there}")
        said = f"letters go into Maildirs under {folder}, and to nobody's mailbox"
        return advice("letters", said, "name a mail server in [outgoing.relay]")
    try:
        said = relay.probe()
    except Unreachable as error:
        return bad("relay", str(error), _mend(str(error), "[outgoing.relay]"))
    finally:
        relay.close()
    section = config.outgoing.relay
    if section is not None and section.security == "none" and section.host not in _LOCAL:
        return advice("relay", f"{said}, in clear", 'set security = "starttls" or "tls"')
    return good("relay", said)


_LOCAL = ("localhost", "127.0.0.1", "::1")
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
    """Whether the kernel knows its clock to be right (adjtimex(2), STA_UNSYNC)."""
    try:
        # The structure has less than 256 bytes on every architecture; modes, its first field, is 0:
        # only look. TIME_ERROR (5) is the state of a clock that is not synchronized.
        state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(256))
    except (OSError, AttributeError):
        return True
    return 0 <= int(state) < 5
