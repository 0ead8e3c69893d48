"""Compose the judge's letters: bytes that any relay takes, and that any mail program threads.

The standard library's messages would parse every field they are given, which was most of the cost
of a letter; what a letter of ours has is little enough to be written directly.
Sources: RFC 5322 (fields), RFC 2045 and 2046 (parts), RFC 2047 (encoded words), RFC 2231 (names of
files).
"""

from __future__ import annotations

import re
from base64 import encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from email.header import Header
from email.utils import encode_rfc2231, format_datetime, quote
from functools import lru_cache
from hashlib import sha256
from textwrap import wrap

from msgspec import Struct

from judge.mail.address import deliverable
from judge.mail.headers import LOOP

# RFC 5322 2.1.1: a line may be 998 characters long and should be 78; quoted-printable is for what
# is longer, and for all that is not ASCII.
_LONGEST_LINE = 900
_LONGEST_SUBJECT = 200
_FOLDED = 76

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_NOT_IN_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_NOT_IN_BYTES = bytes([*range(0x09), *range(0x0B, 0x20), 0x7F])
_ADDRESSED = ("To", "Cc")
"""Fields that may have letters beyond ASCII (RFC 6532)."""
_NOT_IN_ADDRESS = re.compile(r"[\s\ud800-\udfff]")
_ID = re.compile(r"<[!-;=?-~]{1,980}>")
_NOT_IN_ID = re.compile(r"[^A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+")
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]*")
"""A display name that needs no quotes."""


class Mailbox(Struct, frozen=True):
    """A display name and an address."""

    name: str
    address: str


class Attachment(Struct, frozen=True):
    """A file that goes with a letter. `media_type` as in `application/json`; `parameters` stand
    beside it (`charset`, `method`). The HTML shows it by its `content_id`, if it has one,
    and tells by its `description` what it is; `width` is how many pixels such a picture has across,
    and `caption` what stands below it."""

    name: str
    media_type: str
    content: bytes
    parameters: tuple[tuple[str, str], ...] = ()
    content_id: str = ""
    description: str = ""
    width: int = 0
    caption: str = ""


_WIDEST = 608
"""CSS pixels of the widest picture: what a letter has room for."""


def shown_width(pixels: int) -> int:
    """Return how many CSS pixels a picture has at most. One that fills a phone, with two pixels for
    each, may grow on a desk, where one will do; a smaller one would not be sharp on a phone."""
    # Its border is two pixels wide.
    return _WIDEST if pixels >= _WIDEST else pixels // 2 - 2


def build(
    *,
    sender: Mailbox,
    recipient: Mailbox,
    subject: str,
    text: str,
    date: datetime,
    message_id: str,
    in_reply_to: str | None = None,
    references: Sequence[str] = (),
    automatic: str = "auto-generated",
    list_id: str | None = None,
    reply_to: Mailbox | None = None,
    cc: Sequence[Mailbox] = (),
    headers: Sequence[tuple[str, str]] = (),
    attachments: Sequence[Attachment] = (),
    html: str | None = None,
) -> bytes:
    """Return a complete letter, lines ended by CR LF.

    `date` is an aware datetime; `message_id`, `in_reply_to` and `references` have their angle
    brackets. `automatic` is auto-replied for answers, auto-generated for all else (RFC 3834
    section 5). `list_id` is the identifier alone, such as `paris.judge.example.org` (RFC 2919).
    `headers` are further fields. `attachments` follow the text in their order. `html` says what
    `text` says, for programs that show it (RFC 2046 section 5.1.4); what it shows goes with it
    (RFC 2387).

    Nothing that is passed can make a field of its own: control characters become blanks. Raises
    ValueError when an address or `message_id` is none.
    """
    fields = [
        ("From", _address(sender)),
        ("To", _address(recipient)),
        ("Cc", ",\r\n ".join(map(_address, cc))),
        ("Reply-To", "" if reply_to is None else _address(reply_to)),
        ("Subject", _unstructured("Subject", line(subject)[:_LONGEST_SUBJECT])),
        ("Date", format_datetime(date)),
        *_threading(message_id, in_reply_to, references),
        ("Auto-Submitted", line(automatic)),
        # Exchange heeds only its own field: no receipts and no out-of-office notices, please; but
        # tell us when a letter is lost (NDR). No Precedence: it is no standard, filters take bulk
        # for advertising, and the programs that heed it heed one of the fields here.
        ("X-Auto-Response-Suppress", "DR, RN, NRN, OOF, AutoReply"),
        ("List-Id", f"<{line(list_id)}>" if list_id else ""),
        (LOOP, line(sender.address)),
        *((name, _unstructured(name, line(value))) for name, value in headers),
        ("MIME-Version", "1.0"),
    ]
    head = b"".join(
        f"{name}: {value}\r\n".encode("utf-8" if name in _ADDRESSED else "ascii", "replace")
        for name, value in fields
        if value
    )
    return head + _content(text, html, attachments)


def _threading(
    message_id: str, in_reply_to: str | None, references: Sequence[str]
) -> list[tuple[str, str]]:
    """Return the fields that place a letter in its thread.

    Ids of other programs are repeated only where they are well formed: no reader could match the
    others. They are never folded within, nor encoded.
    """
    if not _ID.fullmatch(message_id):
        raise ValueError(f"{message_id!r} is no Message-ID")
    answered = in_reply_to if in_reply_to and _ID.fullmatch(in_reply_to) else ""
    thread = list(dict.fromkeys(each for each in references if _ID.fullmatch(each)))
    # The first one starts the thread, the last ones place the letter in it (RFC 5322 3.6.4).
    thread = [*thread[:1], *thread[1:][-10:]]
    return [
        ("Message-ID", message_id),
        ("In-Reply-To", answered),
        ("References", "\r\n ".join(thread)),
    ]


def _content(text: str, html: str | None, attachments: Sequence[Attachment]) -> bytes:
    """Return the text and all that goes with it, as one part with its own header."""
    clean = _clean(text.replace("\r\n", "\n").replace("\r", "\n")).rstrip(b"\n") + b"\n"
    page = None if html is None else _clean(html)
    # Lines made of the contents part them: the same words are then the same bytes, and nobody can
    # write a text that has the digest of itself in it.
    digest = sha256(clean)
    digest.update(page or b"")
    for attached in attachments:
        digest.update(attached.content)
    mark = digest.hexdigest()[:32]
    whole = text_part(clean, "plain")
    shown = [each for each in attachments if each.content_id and page is not None]
    if page is not None:
        related = text_part(page, "html")
        if shown:
            related = _multipart(
                "related", f"=2_{mark}", [related, *(_file(each, True) for each in shown)]
            )
        whole = _multipart("alternative", f"=1_{mark}", [whole, related])
    others = [each for each in attachments if each not in shown]
    if others:
        whole = _multipart("mixed", f"=0_{mark}", [whole, *(_file(each, False) for each in others)])
    return whole


def _clean(text: str) -> bytes:
    """Return the text as UTF-8, with U+FFFD for each character that no text has."""
    # Hardly ever there is one, and to look for it among bytes costs next to nothing.
    with suppress(UnicodeEncodeError):
        data = text.encode()
        if len(data.translate(None, _NOT_IN_BYTES)) == len(data):
            return data
    return _NOT_IN_TEXT.sub("\ufffd", text).encode()


def _multipart(kind: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    head = f'Content-Type: multipart/{kind};\r\n boundary="{boundary}"\r\n\r\n'
    between = f"--{boundary}".encode()
    inner = b"".join(between + b"\r\n" + part + b"\r\n" for part in parts)
    return head.encode() + inner + between + b"--\r\n"


def text_part(data: bytes, kind: str) -> bytes:
    """Return a text, whose lines end in LF, as the part of a letter: `kind` is plain or html."""
    if kind == "html" and not data.isascii():
        # In quoted-printable each "=" of a page would have three bytes.
        data = data.decode().encode("ascii", "xmlcharrefreplace")
    if data.isascii() and max(map(len, data.split(b"\n"))) <= _LONGEST_LINE:
        charset, encoding = "us-ascii", "7bit"
    else:
        lines = map(_quoted, data.splitlines(keepends=True))
        charset, encoding, data = "utf-8", "quoted-printable", b"".join(lines)
    head = (
        f'Content-Type: text/{kind}; charset="{charset}"\r\n'
        f"Content-Transfer-Encoding: {encoding}\r\n\r\n"
    )
    return head.encode() + data.replace(b"\n", b"\r\n")


@lru_cache(1024)
def _quoted(line: bytes) -> bytes:
    """Return a line encoded. Most of them stand alike in many letters."""
    return b2a_qp(line, istext=True)


@lru_cache(16)
def _file(file: Attachment, is_shown: bool) -> bytes:
    disposition = "inline" if is_shown else "attachment"
    field = f"Content-ID: <{file.content_id}>\r\n" if is_shown else ""
    name = line(file.name)
    named = f'filename="{quote(name)}"'
    if not name.isascii():
        named = f"filename*={encode_rfc2231(name, 'utf-8')}"
    parameters = "".join(f';\r\n {key}="{quote(line(value))}"' for key, value in file.parameters)
    # A picture gets the bytes that are left of a letter: of what is ASCII it takes a quarter less.
    if file.media_type == "application/json":
        encoding, data = "quoted-printable", b2a_qp(file.content, istext=False)
    else:
        encoding, data = "base64", encodebytes(file.content)
    head = (
        f"Content-Type: {file.media_type}{parameters}\r\n"
        f"Content-Transfer-Encoding: {encoding}\r\n"
        f"Content-Disposition: {disposition};\r\n {named}\r\n{field}\r\n"
    )
    return head.encode() + data.replace(b"\n", b"\r\n")


def message_id(unique: str, domain: str) -> str:
    """Return a Message-ID of our domain around a text that is unique, such as an id and a random
    part."""
    return f"<{_NOT_IN_ID.sub('.', unique).strip('.')}@{domain}>"


def line(text: str) -> str:
    """Return text as one line of a header: control characters and line ends become blanks."""
    return _CONTROL.sub(" ", text).strip()


def _unstructured(name: str, value: str) -> str:
    """Return the value of a field of words, folded and encoded as it needs."""
    # What looks like an encoded word would be decoded, and is not what was written.
    if not value.isascii() or "=?" in value:
        return Header(value, "utf-8", maxlinelen=_FOLDED, header_name=name).encode(linesep="\r\n")
    if len(name) + len(value) < _FOLDED:
        return value
    # The library would move a long first word to a line of its own, and some readers would see a
    # blank before it.
    words = wrap(
        value,
        _FOLDED,
        initial_indent=" " * len(f"{name}: "),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\r\n ".join(words).lstrip()


def _address(mailbox: Mailbox) -> str:
    address, name = deliverable(line(mailbox.address)), line(mailbox.name)
    local, at, domain = address.rpartition("@")
    if not (local and at and domain) or _NOT_IN_ADDRESS.search(mailbox.address):
        raise ValueError(f"{mailbox.address!r} is no mail address")
    if not name:
        return address
    if not name.isascii() or "=?" in name:
        name = _unstructured("From", name)
    elif not _NAME.fullmatch(name):
        name = f'"{quote(name)}"'
    return f"{name} <{address}>"
