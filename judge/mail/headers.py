"""Header fields as people's programs really write them, read without ever failing.

The parser's own structured reading (`email.policy.default`) raises on some malformed fields and
takes quadratic time on long ones, so fields are taken raw and read here.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import getaddresses, parsedate_to_datetime
from functools import lru_cache

from judge.mail.charsets import decode, guess
from judge.mail.safety import cleaned, header

# No field a person wrote is longer; decoding takes more than linear time.
_LONGEST = 8_000

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,996}>")
# RFC 5321 4.5.3.1 allows 64 characters before the @ and 255 behind it; return paths of lists have
# more. Without a limit the search takes quadratic time.
_ADDRESS = re.compile(
    r"[^\s\0-\x1f\x7f@<>\"(),:;\\\[\]]{1,256}@[^\s\0-\x1f\x7f@<>\"(),:;\\]{1,255}"
)
_BRACKETED = re.compile(rf"<\s*({_ADDRESS.pattern})\s*>")
_AS_NAME = re.compile(rf"({_ADDRESS.pattern})\s*(?=<)")
_BLANKS = re.compile(r"\s+")


def of(raw: bytes) -> Message:
    """Return the header of a mail, as much of it as is ever looked at; nobody may change it."""
    return _parsed(header(raw))


@lru_cache(4)
def _parsed(head: bytes) -> Message:
    # One mail is asked for its header in several places.
    return BytesHeaderParser(policy=compat32).parsebytes(head)


def raw(message: Message, name: str) -> str | None:
    """Return the first field of that name, unfolded, 8-bit characters read as best they can be."""
    wanted = name.lower()
    for key, value in message.raw_items():
        if key.lower() == wanted:
            return _unfold(str(value))
    return None


def raw_all(message: Message, name: str) -> list[str]:
    """Return all fields of that name, as `raw` reads them; no more than a hundred."""
    wanted = name.lower()
    found = [str(value) for key, value in message.raw_items() if key.lower() == wanted]
    return [_unfold(value) for value in found[:100]]


def by_name(message: Message) -> dict[str, list[str]]:
    """Return all fields by their names in lower case, as `raw` reads them."""
    found: dict[str, list[str]] = {}
    for key, value in message.raw_items():
        found.setdefault(key.lower(), []).append(_unfold(str(value)))
    return found


def _unfold(value: str) -> str:
    value = value[:_LONGEST]
    if value.isascii():
        return value.replace("\r", "").replace("\n", "")
    # The parser keeps bytes that are not ASCII as surrogates.
    written = value.encode("utf-8", "surrogateescape")
    return guess(written).replace("\r", "").replace("\n", "")


def text(value: str) -> str:
    """Unstructured text with its encoded words (RFC 2047) decoded, blanks made single, without
    characters that nobody sees."""
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
    # An address as a display name without quotes is common, and is not the sender's.
    values = [value if '"' in value else _AS_NAME.sub(r'"\1" ', value) for value in values]
    try:
        pairs = getaddresses(values)
    except Exception:  # the standard library promises nothing for malformed fields
        pairs = []
    good = [(text(name), address) for name, address in pairs if is_address(address)]
    if good:
        return good
    # Too broken to be taken apart: what stands in brackets, else what looks like an address.
    bracketed = [("", match) for value in values for match in _BRACKETED.findall(value)]
    return bracketed or [("", match) for value in values for match in _ADDRESS.findall(value)]


def is_address(text: str) -> bool:
    """Return whether this is one plain address, local part and domain."""
    return len(text) <= 320 and _ADDRESS.fullmatch(text) is not None


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
