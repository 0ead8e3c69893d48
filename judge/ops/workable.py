"""What of a configuration cannot work here, though each of its settings is well formed."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path

from judge.config import Config, ImapSection, NoSecret, RelaySection

_VARIABLE = re.compile(r"\$\w+|\$\{[^}]*\}")
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
    for name, path, is_folder in _paths(config):
        yield from _path(name, path, is_folder=is_folder)
    yield from _shown_to_all(config)


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
            f"outgoing.relay: port {relay.port} of this machine is the judge's own [smtp]: letters"
            " would come back; name the mail server that sends them"
        )


def _shown_to_all(config: Config) -> Iterator[str]:
    """Yield what must not be where public pages are: a web server shows all below a folder to
    everybody. Nor may these be in the keeper's folder."""
    own = config.site.keeper_folder
    private = {"backup.key_file": config.backup.key_file}
    private |= {name: path for name, path, _ in _paths(config) if not name.startswith("site.")}
    for public in (each.site.folder for each in config.by_house().values()):
        if public is None:
            continue
        there = public.resolve()
        for name, path in private.items():
            if path.resolve().is_relative_to(there):
                yield (
                    f"{name}: {path} lies in {public}, whose pages are public: everybody could read"
                    " it; choose another folder"
                )
        if own is not None:
            here = own.resolve()
            if here.is_relative_to(there) or there.is_relative_to(here):
                yield (
                    f"site.keeper_folder: {own} and the public pages in {public} lie one in the"
                    " other: everybody would see what is for the keeper; choose another folder"
                )


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


def _paths(config: Config) -> Iterator[tuple[str, Path, bool]]:
    """Yield what must be there or can be made: the setting, the path, and whether it is a
    folder."""
    if config.database.file is not None:
        yield "database.url", config.database.file, False
    if config.outgoing.relay is None:
        yield "outgoing.maildir", config.outgoing.maildir, True
    for name, folder in (
        ("backup.folder", config.backup.folder),
        ("site.folder", config.site.folder),
        ("site.keeper_folder", config.site.keeper_folder),
    ):
        if folder is not None:
            yield name, folder, True
    if config.backup.folder is not None:
        yield "backup.key_file", config.backup.key_file, False


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
