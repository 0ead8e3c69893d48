"""What makes two stored messages the same mail."""

from __future__ import annotations

import hashlib
import re
from email.utils import parseaddr

# Headers the writer's program sets. Relays and mailboxes add their own to every copy (Received,
# Return-Path, Delivered-To, X-...), so those must not make a second delivery look new.
_WRITTEN = (b"from", b"to", b"subject", b"date", b"message-id", b"content-type")
# Bytes of a From field that are looked at: an address and a long name, several times over.
_LONGEST_FROM = 4_000
_FIELD = re.compile(rb"^([!-9;-~]+)[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.MULTILINE)


def identity(raw: bytes) -> tuple[str, str]:
    """The Message-ID of a message (empty when it has none) and the digest of its content.

    The digest is a SHA-256 in hex over the headers its writer set and the body, line ends made
    equal, so that copies of one mail that came different ways have the same one.
    """
    fields, body = _parts(raw)
    content = hashlib.sha256()
    for name in _WRITTEN:
        content.update(name + b":" + fields.get(name, b"") + b"\n")
    # Some mailboxes add or drop the last line end.
    content.update(b"\n" + body.rstrip(b"\n"))
    message_id = fields.get(b"message-id", b"").decode("utf-8", "replace")
    # RFC 5322 3.6.4: one id in angle brackets; whatever a broken program wrote is kept as it is, as
    # long as a line may be. PostgreSQL has no more than 2,704 bytes for an entry of an index.
    return message_id.encode()[:998].decode("utf-8", "ignore"), content.hexdigest()


def sender(raw: bytes) -> str:
    """The address in From as it stands there, in lower case; empty where there is none to be read.

    Mails of one sender are worked in the order they came in. Nobody is believed by it. Never
    raises: what cannot be stored would come again and again, and keep phases waiting.
    """
    fields, _ = _parts(raw)
    written = fields.get(b"from", b"")[:_LONGEST_FROM].decode("utf-8", "replace")
    try:
        address = parseaddr(written)[1].lower()[:320]
    except (ValueError, LookupError, RecursionError):
        return ""
    # PostgreSQL stores no null characters, and nobody has an address with control characters.
    return address if address.isprintable() else ""


def _parts(raw: bytes) -> tuple[dict[bytes, bytes], bytes]:
    """The fields of the head, the first of each name, and the body."""
    head, _, body = raw.replace(b"\r\n", b"\n").partition(b"\n\n")
    fields: dict[bytes, bytes] = {}
    for name, value in _FIELD.findall(head):
        fields.setdefault(name.lower(), b" ".join(value.split()))
    return fields, body
