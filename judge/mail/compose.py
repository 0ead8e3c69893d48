"""Letters of the judge as bytes ready for any relay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from email.utils import format_datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any

from judge.mail.guard import LOOP

# RFC 5322 2.1.1: a line may be 998 characters long; quoted-printable is for what is longer, and
# for all that is not ASCII.
_LONGEST_LINE = 900
_LONGEST_SUBJECT = 200

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_NOT_IN_TEXT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_ID = re.compile(r"<[!-;=?-~]{1,980}>")
_NOT_IN_ID = re.compile(r"[^A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+")


class _IdHeader(UnstructuredHeader):
    """A field of Message-IDs, addresses to write to, or words of ours: broken between them only.

    The library takes such a field apart into letters, breaks long words up and encodes them, and
    no mail program can use them then.
    """

    @classmethod
    def parse(cls, value: str, kwds: dict[str, Any]) -> None:
        kwds.update(parse_tree=None, decoded=value)

    def fold(self, *, policy: EmailPolicy[EmailMessage]) -> str:
        ids = str(self).split()
        name: str = self.name  # type: ignore[attr-defined]  # the registry mixes BaseHeader in
        return f"{name}: " + f"{policy.linesep} ".join(ids) + policy.linesep


class _Registry(HeaderRegistry):
    """Makes a class for each field once; the library does for each header of each message."""

    def __init__(self) -> None:
        super().__init__()
        self._made: dict[str, type[BaseHeader]] = {}

    def __getitem__(self, name: str) -> type[BaseHeader]:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = super().__getitem__(name)
        return made


_REGISTRY = _Registry()
for _name in (
    *("message-id", "in-reply-to", "references", "list-unsubscribe"),
    *("auto-submitted", "list-id", LOOP),
):
    _REGISTRY.map_to_type(_name, _IdHeader)  # type: ignore[arg-type]  # typeshed wants it mixed


class _Policy(EmailPolicy):
    """Reads and folds fields that come in every letter once: they are most of a letter's cost."""

    def header_store_parse(self, name: str, value: Any) -> tuple[str, Any]:
        return (
            _stored(name, value) if type(value) is str else _PLAIN.header_store_parse(name, value)
        )

    def fold_binary(self, name: str, value: Any) -> bytes:
        return _folded(name, value)


@lru_cache(1024)
def _stored(name: str, value: str) -> tuple[str, Any]:
    return _PLAIN.header_store_parse(name, value)


@lru_cache(1024)
def _folded(name: str, value: Any) -> bytes:
    return _PLAIN.fold_binary(name, value)


_PLAIN = SMTP.clone(header_factory=_REGISTRY, cte_type="7bit")
_POLICY = _Policy(linesep=_PLAIN.linesep, header_factory=_REGISTRY, cte_type=_PLAIN.cte_type)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A display name and an address."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a letter. `media_type` as in `application/json`; `parameters` stand
    beside it (`charset`, `method`). The HTML shows it by its `content_id`, if it has one,
    and tells by its `description` what it is."""

    name: str
    media_type: str
    content: bytes
    parameters: tuple[tuple[str, str], ...] = ()
    content_id: str = ""
    description: str = ""


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
    """A complete letter, lines ended by CR LF.

    `date` is an aware datetime; `message_id`, `in_reply_to` and `references` have their angle
    brackets. `automatic` is auto-replied for answers, auto-generated for all else (RFC 3834
    section 5). `list_id` is the identifier alone, such as `paris.judge.example.org` (RFC 2919).
    `headers` are further fields. `attachments` follow the text in their order. `html` says what
    `text` says, for programs that show it (RFC 2046 section 5.1.4); what it shows goes with it
    (RFC 2387).

    Nothing that is passed can make a field of its own: control characters become blanks. Raises
    ValueError when an address or `message_id` is none.
    """
    if not _ID.fullmatch(message_id):
        raise ValueError(f"{message_id!r} is no Message-ID")
    letter = EmailMessage(policy=_POLICY)
    letter["From"] = _address(sender)
    letter["To"] = _address(recipient)
    if cc:
        letter["Cc"] = [_address(each) for each in cc]
    if reply_to is not None:
        letter["Reply-To"] = _address(reply_to)
    letter["Subject"] = line(subject)[:_LONGEST_SUBJECT]
    letter["Date"] = format_datetime(date)
    letter["Message-ID"] = message_id
    # Ids of other programs are repeated only where they are well formed: no reader could match
    # the others.
    answered = in_reply_to if in_reply_to and _ID.fullmatch(in_reply_to) else None
    if answered:
        letter["In-Reply-To"] = answered
    thread = list(dict.fromkeys(each for each in references if _ID.fullmatch(each)))
    if thread:
        # The first one starts the thread, the last ones place the letter in it (RFC 5322 3.6.4).
        letter["References"] = " ".join([*thread[:1], *thread[1:][-10:]])
    letter["Auto-Submitted"] = line(automatic)
    # Exchange heeds only its own field: no receipts and no out-of-office notices, please; but
    # tell us when a letter is lost (NDR). No Precedence: it is no standard, filters take bulk for
    # advertising, and the programs that heed it heed one of the fields here.
    letter["X-Auto-Response-Suppress"] = "DR, RN, NRN, OOF, AutoReply"
    if list_id:
        letter["List-Id"] = f"<{line(list_id)}>"
    letter[LOOP] = line(sender.address)
    for name, value in headers:
        letter[name] = line(value)
    clean = _NOT_IN_TEXT.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    clean = clean.rstrip("\n") + "\n"
    plain = clean.isascii() and all(len(each) <= _LONGEST_LINE for each in clean.split("\n"))
    letter.set_content(
        clean,
        charset="us-ascii" if plain else "utf-8",
        cte="7bit" if plain else "quoted-printable",
    )
    if html is not None:
        _add_html(letter, html, [each for each in attachments if each.content_id])
    for attached in attachments:
        if attached.content_id and html is not None:
            continue
        kind, _, subtype = attached.media_type.partition("/")
        letter.add_attachment(
            attached.content,
            maintype=kind,
            subtype=subtype,
            filename=line(attached.name),
            params=dict(attached.parameters),
        )
    _bound(letter, (clean, html or "", *(each.content for each in attachments)))
    return letter.as_bytes()


def _bound(letter: EmailMessage, contents: Iterable[str | bytes]) -> None:
    """Part the letter at lines made of its contents: the same words are then the same bytes, and
    nobody can write a text that has the digest of itself in it."""
    digest = sha256()
    for content in contents:
        digest.update(content if isinstance(content, bytes) else content.encode(errors="replace"))
    for number, part in enumerate(each for each in letter.walk() if each.is_multipart()):
        part.set_boundary(f"={number}_{digest.hexdigest()[:32]}")


def _add_html(letter: EmailMessage, html: str, shown: Sequence[Attachment]) -> None:
    letter.add_alternative(
        _NOT_IN_TEXT.sub("\ufffd", html), subtype="html", charset="utf-8", cte="quoted-printable"
    )
    parts = letter.get_payload()
    assert isinstance(parts, list)
    page = parts[-1]
    assert isinstance(page, EmailMessage)
    for each in shown:
        kind, _, subtype = each.media_type.partition("/")
        page.add_related(
            each.content,
            maintype=kind,
            subtype=subtype,
            cid=f"<{each.content_id}>",
            filename=line(each.name),
            disposition="inline",
        )


def message_id(unique: str, domain: str) -> str:
    """A Message-ID of our domain around a text that is unique, such as an id and a random part."""
    return f"<{_NOT_IN_ID.sub('.', unique).strip('.')}@{domain}>"


def line(text: str) -> str:
    """Text as one line of a header: control characters and line ends become blanks."""
    return _CONTROL.sub(" ", text).strip()


def _address(mailbox: Mailbox) -> Address:
    local, at, domain = line(mailbox.address).rpartition("@")
    if not (local and at and domain) or not mailbox.address.isascii():
        raise ValueError(f"{mailbox.address!r} is no mail address")
    return Address(display_name=line(mailbox.name), username=local, domain=domain)
