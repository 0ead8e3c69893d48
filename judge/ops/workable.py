"""What of a configuration cannot work here, though each of its settings is well formed."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from judge.config import Config, ImapSection, NoSecret, RelaySection

_VARIABLE = re.compile(r"\$\w+|\$\{[^}]*\}")
_BESIDE = ("", "-wal", "-shm", "-journal", ".lock")
"""How the names of SQLite's files, and of the lock of who works on one, end."""

_HERE = ("localhost", "ip6-localhost", "localhost.localdomain")


def unworkable(config: Config) -> Iterator[str]:
    """Yield what is in the way of a judge that is to run by this configuration, a line each."""
    yield from _ways(config)
    for mailbox in config.imap:
        yield from _login("imap", mailbox)
    for (host, user, folder), times in Counter(map(_mailbox, config.imap)).items():
        if times > 1:
            yield f"imap: {folder} of {user} at {host} is named {times} times; once is enough"
    if config.outgoing.relay is not None:
        yield from _login("outgoing.relay", config.outgoing.relay)
    for boards in config.judge.variants:
        if not boards.is_dir():
            yield f"judge.variants: there is no folder {boards}"
    for each in _paths(config):
        # Without a folder it is `judge backup` that makes the key, maybe as somebody else.
        if each.is_made and (each.name != "backup.key_file" or config.backup.folder):
            yield from _path(each.name, each.path, is_folder=each.is_folder)
    yield from _shared(config)
    yield from _shown(config)


def _mailbox(section: ImapSection) -> tuple[str, str, str]:
    """Return which mailbox a section names; only INBOX is the same however it is written."""
    folder = section.folder.upper()
    return section.host.lower(), section.user, folder if folder == "INBOX" else section.folder


def is_here(host: str) -> bool:
    """Return whether a host is this machine by its name or address alone."""
    try:
        address = ip_address(host)
    except ValueError:
        return host.lower() in (*_HERE, os.uname().nodename.lower())
    # A connection to no address is one to this machine.
    return address.is_loopback or address.is_unspecified


def _ways(config: Config) -> Iterator[str]:
    smtp, relay = config.smtp, config.outgoing.relay
    if not (smtp.enabled or config.imap or config.judge.pipe):
        yield (
            "no mail would come in: enable [smtp], add an [[imap]] section, or set pipe = true in"
            " [judge] where `judge mail` brings it"
        )
    same = relay is not None and (is_here(relay.host) or relay.host == smtp.host)
    if relay is not None and smtp.enabled and same and relay.port == smtp.port != 0:
        yield (
            f"outgoing.relay: port {relay.port} of this machine is the judge's own [smtp]: messages"
            " would come back; name the mail server that sends them"
        )


def _shown(config: Config) -> Iterator[str]:
    """Yield what lies where a web server shows all that is below a folder."""
    named = list(_paths(config))
    for web in named:
        for each in named if web.shown_to else ():
            here, there = each.path.resolve(), web.path.resolve()
            # Boards may be shown to anybody.
            if (
                here != there
                and here.is_relative_to(there)
                and (each.is_made or not each.is_folder)
            ):
                yield (
                    f"{each.name}: {each.path} lies in {web.path}, which is shown to {web.shown_to}"
                    " as pages; choose another folder"
                )


def _shared(config: Config) -> Iterator[str]:
    """Yield what two settings name though the judge writes there by one of them: one file would
    take the other's place, or stand where a folder is to be made."""
    found: dict[Path, _Named] = {}
    for each in _paths(config):
        ends = _BESIDE if each.name == "database.url" else ("",)
        for path in (Path(f"{each.path.resolve()}{end}") for end in ends):
            other = found.setdefault(path, each)
            if other is not each and (other.is_made or each.is_made):
                yield f"{each.name} and {other.name} both name {path}; choose another place for one"


def _login(name: str, login: ImapSection | RelaySection) -> Iterator[str]:
    if login.user is not None and login.security == "none" and not is_here(login.host):
        yield (
            f'{name}: security = "none" would send the password to {login.host} in clear; use'
            ' "tls" or "starttls"'
        )
    try:
        login.secret()
    except NoSecret as error:
        unset = _VARIABLE.search(str(login.password_file or ""))
        yield f"{name}: {f'{unset[0]} is not set in the environment' if unset else error}"


class _Named(NamedTuple):
    """A path of the configuration, and the setting that names it. `is_made`: the judge makes what
    is missing there, and writes to it; `shown_to`: for whom it is on the web, if it is."""

    name: str
    path: Path
    is_folder: bool = False
    is_made: bool = True
    shown_to: str = ""


def _paths(config: Config) -> Iterator[_Named]:
    if config.database.file is not None:
        yield _Named("database.url", config.database.file)
    yield _Named("backup.key_file", config.backup.key_file)
    if config.outgoing.relay is None:
        yield _Named("outgoing.maildir", config.outgoing.maildir, is_folder=True)
    for name, folder, shown_to in (
        ("backup.folder", config.backup.folder, ""),
        ("site.folder", config.site.folder, "everybody"),
        *((f"houses.{house.key}.pages", house.pages, "everybody") for house in config.houses),
        ("site.keeper_folder", config.site.keeper_folder, "the keeper"),
    ):
        if folder is not None:
            yield _Named(name, folder, is_folder=True, shown_to=shown_to)
    for folder in config.judge.variants:
        yield _Named("judge.variants", folder, is_folder=True, is_made=False)
    yield from _secrets(config)


def _secrets(config: Config) -> Iterator[_Named]:
    """Yield the files with certificates, keys, and passwords, which are only read."""
    relay = config.outgoing.relay
    for name, path in (
        ("smtp.certificate_file", config.smtp.certificate_file),
        ("smtp.key_file", config.smtp.key_file),
        *(("imap.password_file", each.password_file) for each in config.imap),
        ("outgoing.relay.password_file", relay.password_file if relay else None),
        *(
            (f"the key of the DKIM selector {selector}", key)
            for signed in (config.dkim, *(house.dkim for house in config.houses))
            for selector, key in (signed.signers() if signed else ())
        ),
    ):
        if path is not None:
            yield _Named(name, path, is_made=False)


def _path(name: str, path: Path, *, is_folder: bool) -> Iterator[str]:
    if variable := _VARIABLE.search(str(path)):
        yield f"{name}: {variable[0]} is not set in the environment"
        return
    if path.exists() and path.is_dir() != is_folder:
        yield f"{name}: {path} is a {'file' if is_folder else 'folder'}"
        return
    if is_folder and path.is_symlink() and not path.exists():
        yield f"{name}: {path} is a link to {path.readlink()}, which is missing"
        return
    # What is missing is made, but for folders above it: a disk may not be mounted.
    there = path if path.exists() else path.parent
    if not there.is_dir() and not path.exists():
        yield (
            f"{name}: the folder {there} is missing"
            if not there.exists()
            else (f"{name}: {there} is a file")
        )
    elif not os.access(there, os.W_OK):
        yield f"{name}: {there} may not be written by this user"
