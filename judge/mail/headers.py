"""Header fields as people's programs really write them, read without ever failing.

The parser's own structured reading (`email.policy.default`) raises on some malformed fields and
takes quadratic time on long ones, so fields are taken raw and read here.

They also tell by which way a message came: from which networks, and whether by a server of the
judge's own. A mail server notes above a message from where it got it (Received, RFC 5321 section
4.4). What stands below the line of the first server that is not the sender's can be made up, but
that line cannot: so the networks of all lines together are the way of a message, and nobody who
connects from elsewhere can write one with the same.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses, parsedate_to_datetime
from functools import cache, lru_cache
from hashlib import sha256
from itertools import islice

from judge.mail.safety import cleaned, decode, guess, header, never_raises

LOOP = "X-Loop"
"""The field every letter of ours carries, with the judge's address as its value."""

# No field a person wrote is longer; decoding takes more than linear time.
_LONGEST = 8_000

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,996}>")
# RFC 5321 4.5.3.1 allows 64 characters before the @ and 255 behind it; return paths of lists have
# more. Without a limit the search takes quadratic time.
ADDRESS = re.compile(r"[^\s\0-\x1f\x7f@<>\"(),:;\\\[\]]{1,256}@[^\s\0-\x1f\x7f@<>\"(),:;\\]{1,255}")
_BRACKETED = re.compile(rf"<\s*({ADDRESS.pattern})\s*>")
_AS_NAME = re.compile(r"((?:\A|[,;:])\s*)([^\"<>(),;:]{0,200}@[^\"<>(),;:]{0,200}?)\s*(?=<)")
_SIMPLE = r"[a-z0-9.+=-]+@[a-z0-9-]+\.[a-z0-9.-]+"
_PLAIN = re.compile(rf"((?:[a-z0-9]+ )*)<({_SIMPLE})>|({_SIMPLE})", re.ASCII | re.IGNORECASE)
"""A field as nearly all are: a name, if any, and an address that needs no grammar."""

_BLANKS = re.compile(r"\s+")
_BEFORE_COLON = re.compile(rb"^([!-9;-~]{1,76})[ \t]+:", re.MULTILINE)


_whole: tuple[bytes, Message] = (b"", Message())
"""The mail that was taken apart last, and what it is then."""


def whole(raw: bytes) -> Message:
    """Return a mail taken apart, which `safety.refused` has nothing against; nobody may change
    it."""
    global _whole
    head = header(raw)
    _whole = raw, message_from_bytes(_without_blanks(head) + raw[len(head) :])
    return _whole[1]


def of(raw: bytes) -> Message:
    """Return the header of a mail, as much of it as is ever looked at; nobody may change it."""
    known, message = _whole
    return message if known is raw else _parsed(header(raw))


@lru_cache(4)
def _parsed(head: bytes) -> Message:
    # One mail is asked for its header in several places.
    return BytesHeaderParser().parsebytes(_without_blanks(head))


def _without_blanks(head: bytes) -> bytes:
    """Return a header without blanks before its colons (RFC 5322 section 4.5), at which the parser
    ends it."""
    return _BEFORE_COLON.sub(rb"\1:", head)


def raw(message: Message, name: str) -> str | None:
    """Return the first field of that name, unfolded, 8-bit characters read as best they can be."""
    return next(_values(message, name), None)


def raw_all(message: Message, name: str) -> list[str]:
    """Return all fields of that name, as `raw` reads them; no more than a hundred."""
    return list(islice(_values(message, name), 100))


def _values(message: Message, name: str) -> Iterator[str]:
    wanted = name.lower()
    return (_unfold(str(value)) for key, value in message.raw_items() if key.lower() == wanted)


def by_name(message: Message) -> dict[str, list[str]]:
    """Return all fields by their names in lower case, as `raw` reads them."""
    found: dict[str, list[str]] = {}
    for key, value in message.raw_items():
        found.setdefault(key.lower(), []).append(_unfold(str(value)))
    return found


# RFC 5322 section 3.6. Programs differ in which of two they show.
_ONCE = ("From", "Sender", "Date", "Message-ID", "In-Reply-To")


def doubled(message: Message) -> tuple[str, ...]:
    """Return the names of fields that tell who wrote a message and when, and of which it has more
    than the one that may be: then none of them does."""
    return tuple(name for name in _ONCE if len(message.get_all(name, ())) > 1)


def _unfold(value: str) -> str:
    value = value[:_LONGEST]
    if value.isascii():
        return value.replace("\r", "").replace("\n", "")
    # The parser keeps bytes that are not ASCII as surrogates.
    written = value.encode("utf-8", "surrogateescape")
    return guess(written).replace("\r", "").replace("\n", "")


def text(value: str) -> str:
    """Return unstructured text with its encoded words (RFC 2047) decoded, blanks made single,
    without characters that nobody sees."""
    try:
        parts = decode_header(value)
    except Exception:  # malformed base64 raises several kinds
        parts = [(value, None)]
    decoded = "".join(
        part if isinstance(part, str) else decode(part, charset or "ascii")
        for part, charset in parts
    )
    return cleaned(_BLANKS.sub(" ", decoded)).strip()


def addresses(values: list[str]) -> list[tuple[str, str]]:
    """Return pairs of display name and address from address fields; what is no address is left out.

    Names are decoded after the fields were taken apart, so that an encoded word cannot smuggle
    an address in.
    """
    plain = [_PLAIN.fullmatch(value) for value in values]
    if all(each is not None and is_address(each[2] or each[3]) for each in plain):
        return [((each[1] or "").strip(), each[2] or each[3]) for each in plain if each]
    # An address as a display name without quotes is common, and is not the sender's.
    values = [value if '"' in value else _AS_NAME.sub(r'\1"\2" ', value) for value in values]
    try:
        pairs = getaddresses(values)
    except Exception:  # the standard library promises nothing for malformed fields
        pairs = []
    good = [(text(name), address) for name, address in pairs if is_address(address)]
    if good:
        return good
    # Too broken to be taken apart: what stands in brackets, else what looks like an address.
    bracketed = [("", match) for value in values for match in _BRACKETED.findall(value)]
    return bracketed or [("", match) for value in values for match in ADDRESS.findall(value)]


def is_address(text: str) -> bool:
    """Return whether this is one plain address, local part and domain."""
    return len(text) <= 320 and ADDRESS.fullmatch(text) is not None


def message_ids(value: str | None) -> tuple[str, ...]:
    """Return the Message-IDs in a field, angle brackets included, in order; no more than a
    hundred."""
    return tuple(_MESSAGE_ID.findall(value or "")[:100])


def date(value: str | None) -> datetime | None:
    """Return the instant a Date field names, in UTC; None when it names none."""
    try:
        found = parsedate_to_datetime(value or "")
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except Exception:  # ValueError, TypeError, OverflowError, IndexError
        return None


def offset(value: str | None) -> timedelta | None:
    """Return how far ahead of UTC the clock was by which a Date field was written; None where it
    names none, and where it is UTC: many programs write that wherever they are."""
    try:
        return parsedate_to_datetime(value or "").utcoffset() or None
    except Exception:  # as above
        return None


SMTP = "smtp"
"""The door at which anybody may stand; at the others a mail server of the judge's own has been."""

_LINES = 20
"""Lines that are looked at, from the top: no message passes so many servers."""

_HOST = re.compile(r"[A-Za-z0-9._:\[\]-]{1,255}")
_TRACED = re.compile(r"from (\S+) \(\[(?:IPv6:)?([^\]\s]{2,45})\]\) by ")
_IP = re.compile(r"[0-9A-Fa-f.:]{3,45}")
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
    it cannot be told, or the message does not say who wrote it. Never raises."""
    if doubled(of(raw)):
        return None
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
            for each in map(address_of, _IP.findall(came.replace("IPv6:", " "))):
                if each is not None and not _is_among(each, skipped):
                    parts.append(_network(each))
    return sha256(" ".join(dict.fromkeys(parts)).encode()).hexdigest()[:20]


def network(raw: bytes, servers: Collection[str]) -> str:
    """Return the network of the host that handed a message to the first server of the judge's own
    (`servers` and what is in its own network); "" where that cannot be told. Never raises."""
    return _network_of(_above(raw), tuple(servers))


@lru_cache(8)
@never_raises(lambda error: "")
def _network_of(above: bytes, servers: tuple[str, ...]) -> str:
    # Servers that bring many messages say the same above each.
    skipped = {*servers, *_INSIDE}
    for line in _received(above):
        came, by, _ = line.rpartition(" by ")
        # How a host calls itself is no matter; servers write its address in brackets, and last.
        told = _SAID.sub("", came).replace("IPv6:", "")
        for each in (_LITERAL.findall(told) or _IP.findall(told))[-1:] if by else ():
            address = address_of(each)
            if address is not None and not _is_among(address, skipped):
                return _network(address)
    return ""


def _above(raw: bytes) -> bytes:
    """Return the header of a message down to the last server's note: at the door the rest, which is
    most of it, is not taken apart."""
    head = header(raw)
    last = head.lower().rfind(b"received")
    end = _FIELD_END.search(head, last) if last >= 0 else None
    return head[: end.end()] if end else head


def _received(raw: bytes) -> list[str]:
    return [" ".join(each.split()) for each in raw_all(of(raw), "Received")[:_LINES]]


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
    """Return a network of those that are written down in the program or its configuration."""
    return ipaddress.ip_network(text, strict=False)


def _network(address: Address) -> str:
    """Return network whose hosts are taken for one sender: servers of one place share the load."""
    size = 24 if address.version == 4 else 48
    return str(ipaddress.ip_network((address, size), strict=False))
