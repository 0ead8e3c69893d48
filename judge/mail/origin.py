"""By which way a message came: from which networks, and whether by a server of the judge's own.

A mail server notes above a message from where it got it (Received, RFC 5321 section 4.4). What
stands below the line of the first server that is not the sender's can be made up, but that line
cannot: so the networks of all lines together are the way of a message, and nobody who connects from
elsewhere can write one with the same.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from functools import cache, lru_cache
from hashlib import sha256

from judge.mail import headers
from judge.mail.safety import header, never_raises

SMTP = "smtp"
"""The door at which anybody may stand; at the others a mail server of the judge's own has been."""

_LINES = 20
"""Lines that are looked at, from the top: no message passes so many servers."""

_HOST = re.compile(r"[A-Za-z0-9._:\[\]-]{1,255}")
_TRACED = re.compile(r"from (\S+) \(\[(?:IPv6:)?([^\]\s]{2,45})\]\) by ")
_ADDRESS = re.compile(r"[0-9A-Fa-f.:]{3,45}")
_LITERAL = re.compile(r"\[([0-9A-Fa-f.:]{3,45})\]")
_SAID = re.compile(r"\bhelo[= ][^\s)]*", re.IGNORECASE)
_FIELD_END = re.compile(rb"(?:\r\n|\r(?!\n)|\n)(?![ \t])")
# RFC 3848: a server to which its users sign on, from wherever they are.
_SUBMITTED = re.compile(r"\bwith\s+(?:(?:UTF8)?[EL]?SMTPS?A|HTTPS?|MAPI)\b", re.IGNORECASE)

# RFC 1918, 4193, 6598, and what never leaves a machine or a cable.
_INSIDE = (
    *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8"),
    *("169.254.0.0/16", "fc00::/7", "fe80::/10", "::1/128", "0.0.0.0/32", "::/128"),
)

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def trace(host: str, greeting: str, server: str, protocol: str) -> bytes:
    """Return the field that notes from which host a message came, and how that one called itself.

    It goes above the message and is believed there. It has no time, which is stored beside it, so
    that a message that is sent again is the same.
    """
    named = greeting if _HOST.fullmatch(greeting) else "unknown"
    literal = f"IPv6:{host}" if ":" in host else host
    line = f"Received: from {named} ([{literal}]) by {server}\r\n with {protocol}\r\n"
    return line.encode("ascii", "replace")


@never_raises(lambda error: False)
def is_own(raw: bytes, door: str, servers: Collection[str]) -> bool:
    """Return whether a message came by a mail server of the judge's own: a mailbox or a pipe, or a
    host of `servers` (addresses and networks) at the SMTP door. Never raises."""
    if door != SMTP:
        return True
    found = _TRACED.match(next(iter(_received(raw)), ""))
    address = found and address_of(found[2])
    return address is not None and _is_among(address, servers)


@never_raises(lambda error: None)
def way(raw: bytes, door: str, return_path: str | None, servers: Collection[str]) -> str | None:
    """Return a digest of the way of a message, which is the same for all that come so; None where
    it cannot be told. Never raises."""
    lines = _received(raw)
    parts = [(return_path or "").rpartition("@")[2].lower()]
    skipped = {*servers, *_INSIDE}
    if door == SMTP and (found := _TRACED.match(next(iter(lines), ""))):
        address = address_of(found[2])
        # A sender in the judge's own network is known only by the host name in HELO.
        parts += [found[1].lower()] if address and _is_among(address, _INSIDE) else []
    for number, line in enumerate(lines):
        came, by, rest = line.rpartition(" by ")
        # There is no line below that of an authenticated submission; ours is above all.
        last = number == len(lines) - 1 and (number > 0 or door != SMTP)
        if by and came.startswith("from ") and not (last and _SUBMITTED.search(rest)):
            for each in map(address_of, _ADDRESS.findall(came.replace("IPv6:", " "))):
                if each is not None and not _is_among(each, skipped):
                    parts.append(_network(each))
    return sha256(" ".join(dict.fromkeys(parts)).encode()).hexdigest()[:20]


@never_raises(lambda error: "")
def network(raw: bytes, servers: Collection[str]) -> str:
    """Return the network of the host that handed a message to the first server of the judge's own
    (`servers` and what is in its own network); "" where that cannot be told. Never raises."""
    skipped = {*servers, *_INSIDE}
    for line in _received(_above(raw)):
        came, by, _ = line.rpartition(" by ")
        # How a host calls itself is no matter; servers write its address in brackets, and last.
        told = _SAID.sub("", came).replace("IPv6:", "")
        for each in (_LITERAL.findall(told) or _ADDRESS.findall(told))[-1:] if by else ():
            address = address_of(each)
            if address is not None and not _is_among(address, skipped):
                return _network(address)
    return ""


def _above(raw: bytes) -> bytes:
    """The header of a message down to the last server's note: at the door the rest, which is most
    of it, is not taken apart."""
    head = header(raw)
    last = head.lower().rfind(b"received")
    end = _FIELD_END.search(head, last) if last >= 0 else None
    return head[: end.end()] if end else head


def _received(raw: bytes) -> list[str]:
    message = headers.of(raw)
    return [" ".join(each.split()) for each in headers.raw_all(message, "Received")[:_LINES]]


@lru_cache(1_000)
def address_of(text: str) -> Address | None:
    """Return the IP address that a text is, of IPv4 where it was mapped; None where it is none."""
    text = text.partition("%")[0]
    try:
        found = ipaddress.ip_address(text if text.count(":") > 1 else text.strip(".:"))
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def _is_among(address: Address, networks: Collection[str]) -> bool:
    return any(address in _known(each) for each in networks)


@cache
def _known(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """A network of those that are written down in the program or its configuration."""
    return ipaddress.ip_network(text, strict=False)


def _network(address: Address) -> str:
    """The network whose hosts are taken for one sender: servers of one place share the load."""
    size = 24 if address.version == 4 else 48
    return str(ipaddress.ip_network((address, size), strict=False))
