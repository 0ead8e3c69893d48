"""The parts of a judge as they are configured."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day

from judge.clock import Clock
from judge.commands import TABLE
from judge.commands.setting_commands import why_not
from judge.config import Config, ImapSection, NoSecret, RelaySection
from judge.daemon.loop import Loop, Stopping
from judge.game.clock.outage import Connectivity
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.houses import Houses
from judge.mail.authenticity import Checker, Dns
from judge.mail.dkim_signing import BadKey, Signer, signed
from judge.mail.imap_receiver import ImapSettings
from judge.mail.transport import Finishing, Maildir, RelayServer, Transport, token_by
from judge.ops import backup, keeper_page
from judge.ops.machine import last_backup, machine_of
from judge.ops.status import status
from judge.ops.workable import unworkable
from judge.service import Judge
from judge.site import Site
from judge.storage import Storage, written_by

log = logging.getLogger(__name__)

BACKUPS = 600.0
"""Seconds between looks for whether a backup is due, at most."""

PAGES = 60.0
"""Seconds between looks for what the pages do not tell yet."""


class StartError(Exception):
    """The daemon cannot start; the message says what is in the way."""


def check(config: Config) -> None:
    """Raise StartError with all that is in the way of a judge that is to run by this."""
    if problems := list(unworkable(config)):
        raise StartError("\n  ".join(["the configuration cannot work here:", *problems]))


def profile_of(config: Config) -> JudgeProfile:
    """Return what letters must know of the judge that is configured."""
    digest = config.judge.digest
    return JudgeProfile(
        name=config.judge.name,
        address=config.judge.address,
        keeper=config.judge.keeper,
        language=config.judge.language,
        members=config.judge.members,
        hosts=config.judge.hosts,
        settings=config.judge.settings,
        digest=None if digest == "off" else time_of_day.fromisoformat(digest),
        zone=config.judge.zone,
        spread=config.judge.spread,
        sub_addresses=config.judge.sub_addresses,
        trust=TrustLevel.named(config.trust.level),
        servers=config.trust.servers,
        reply_days=config.trust.reply_days,
        limits=config.limits,
        pictures=config.outgoing.pictures,
        archive=str(config.site.folder / "archive") if config.site.folder else "",
        web=config.site.address.rstrip("/"),
        unsubscribe=config.outgoing.unsubscribe,
    )


def judge_of(config: Config, writing: AbstractContextManager[object]) -> Judge:
    """Return the judge that is configured, in another process than the daemon's; `writing` is its
    turn to write. Raises StorageError, Unavailable."""
    storage = Storage.beside(config.database.url, writing)
    return house_judges(config, storage, config.clock.clock())


def house_judges(
    config: Config, storage: Storage, clock: Clock, reach: Connectivity | None = None
) -> Judge:
    """Return the judge of all houses that are configured; `reach` as `Judge` has it."""

    def judge(each: Config, rows: Storage) -> Judge:
        profile = profile_of(each)
        return Judge(rows, clock, profile, TABLE, verify=checker(each, profile), reach=reach)

    if not config.houses:
        return judge(config, storage)
    found = {key: judge(each, storage.of(key)) for key, each in config.by_house().items()}
    return Houses(storage, found)


def unfit(config: Config, storage: Storage, now: datetime) -> Iterator[str]:
    """Yield what is in the way where no new game could have the settings of a house, or where the
    database has houses that are not configured: nobody would process their mail, and the main house
    must not see it."""
    for key, each in config.by_house().items():
        for text in each.judge.settings:
            if problem := why_not(text, TABLE, storage, now):
                yield f"{key or 'judge'}: settings: {text!r} cannot be used: {problem}"
    for key in sorted(storage.houses.all() - config.by_house().keys()):
        yield f'the database has a house {key!r}; it needs its [[houses]] with key = "{key}"'


def transport_of(config: Config) -> RelayServer | Maildir:
    """Return the way out that is configured. Raises StartError."""
    relay = config.outgoing.relay
    if relay is None:
        return Maildir(config.outgoing.maildir)
    return RelayServer(
        relay.host,
        relay.port,
        security=relay.security,
        user=relay.user,
        password=_password(relay, "outgoing.relay"),
        token=_token(relay),
        hello=config.judge.domain,
    )


def _password(section: ImapSection | RelaySection, name: str) -> str | None:
    try:
        return section.secret()
    except NoSecret as error:
        raise StartError(f"{name}: {error}") from error


def _token(section: ImapSection | RelaySection) -> Callable[[], str] | None:
    command = section.token_command
    return None if command is None else lambda: token_by(command)


def signers_of(config: Config) -> list[tuple[str, str, Signer]]:
    """Return the keys letters are signed with: domain, selector and signer. Raises StartError."""
    dkim = config.dkim
    found = []
    for selector, file in dkim.signers() if dkim else ():
        domain = (dkim.domain if dkim else None) or config.judge.domain
        try:
            found.append((domain, selector, Signer(domain, selector, file.read_bytes())))
        except (OSError, BadKey) as error:
            raise StartError(f"letters cannot be signed with {file}: {error}") from error
    return found


def pages(config: Config, storage: Storage, clock: Clock) -> Callable[[Loop], float] | None:
    """Build what keeps the folders of pages up to date, step by step; None where there are none."""
    houses = {key: each for key, each in config.by_house().items() if each.site.folder}

    def step(loop: Loop) -> float:
        # The first build, which draws every board, takes longer than anybody waits for a stop.
        with suppress(Stopping):
            for key, each in houses.items():
                judge, section = each.judge, each.site
                assert section.folder is not None
                rows = storage.of(key) if config.houses else storage
                Site(
                    rows, section.folder, judge.name, judge.address, clock.now(), section.language,
                    section.address, loop.go_on,
                ).build()  # fmt: skip
        return PAGES

    return step if houses else None


def keepers_page(config: Config, storage: Storage, clock: Clock) -> Callable[[Loop], float] | None:
    """Build what keeps the keeper's page up to date; None where there is none."""
    folder = config.site.keeper_folder
    if folder is None:
        return None

    def step(_: Loop) -> float:
        now = status(storage, clock, machine_of(config))
        keeper_page.write(storage, now, folder, config.judge.name)
        return PAGES

    return step


def backups(config: Config, storage: Storage) -> Callable[[Loop], float] | None:
    """Build what makes a backup when one is due by the clock outside; None where the keeper makes
    them."""
    section = config.backup
    if section.folder is None:
        return None
    folder, every = section.folder, timedelta(hours=section.every)

    def step(_: Loop) -> float:
        now = datetime.now(UTC)
        last = last_backup(folder)
        if last is None or now - last >= every:
            made = backup.make(storage, folder, section.key_file, section.keep, now)
            log.info("backup made", extra={"file": str(made), "bytes": made.stat().st_size})
            last = now
        return min(BACKUPS, max(1.0, (last + every - now).total_seconds()))

    return step


def signing(config: Config, transport: Transport) -> Transport:
    """Return the way out, with signatures on each letter where any are configured. Raises
    StartError."""
    signers, *others = [
        (each.judge.domain.lower(), [signer for _, _, signer in signers_of(each)])
        for each in config.by_house().values()
    ]
    if not any(keys for _, keys in (signers, *others)):
        return transport
    # A signature of the main house would tell of that. Houses of one domain have its keys.
    by_domain = dict(reversed((signers, *others)))

    def finish(raw: bytes) -> bytes:
        domain = written_by(raw).rpartition("@")[2] if others else signers[0]
        keys = by_domain.get(domain, signers[1])
        return signed(raw, keys) if keys else raw

    return Finishing(transport, finish)


def checker(config: Config, profile: JudgeProfile) -> Checker | None:
    """Build what tells whether a mail's domain vouches for it, where the keeper says how."""
    trust = config.trust
    if trust.authserv_id is None and not trust.check_dkim:
        return None
    lookup = Dns() if trust.check_dkim else None
    return Checker(trust.authserv_id, lookup, [profile.address], [profile.pattern], trust.servers)


def certificate(config: Config) -> ssl.SSLContext | None:
    """Return the TLS context of the SMTP receiver; None where it is in clear. Raises StartError."""
    smtp = config.smtp
    if smtp.certificate_file is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(smtp.certificate_file, smtp.key_file)
    except OSError as error:
        # ssl.SSLError, which is one, names no file.
        named = f"{smtp.certificate_file} and its key"
        raise StartError(f"{named} cannot be used for the SMTP receiver: {error}") from error
    return context


def imap_settings(section: ImapSection, max_size: int, keep_days: int = 0) -> ImapSettings:
    """Return the mailbox that is configured; `keep_days` is how long it keeps what was taken in, 0
    for ever. Raises StartError."""
    return ImapSettings(
        host=section.host,
        port=section.port,
        user=section.user,
        password=_password(section, "imap") or "",
        token=_token(section),
        security=section.security,
        folder=section.folder,
        moved_to=section.done_folder if section.when_done == "move" else None,
        keep_days=keep_days,
        poll=section.poll,
        max_size=max_size,
    )
