"""What a message says: bytes in, values out, and never an exception."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from judge.mail import headers, safety
from judge.mail.body import Texts, texts_of
from judge.mail.guard import Kind, judge_kind
from judge.mail.reply import Reply, written
from judge.mail.safety import cleaned, never_raises

__all__ = ["Kind", "ParsedMessage", "answering", "delivered_to", "parse"]

_LANGUAGE = re.compile(r"\s*([a-z]{2,3})(?![a-z])", re.IGNORECASE)
_FOR = re.compile(r"\bfor (<[^<>\s]+>)")
_SUB = re.compile(r"\+[^@]*@")
_FORWARDED = r"(?:fwd?|wg|tr|rv|enc|i|vb|vl|pd|doorst|轉寄|转发)\s?[:：]"
_PREFIX = re.compile(
    r"(?:(?:re|aw|antw|sv|vs|rif|r|rép|vá|odp|ynt|yan|res|ref|bls|atb|απ|σχετ|fwd?|wg|tr|rv|enc|i|vb"
    r"|vl|pd|doorst|回复|答复|回覆|답장|轉寄|转发)(?:\s?\[\d+\]|\s?\(\d+\))?\s?[:：]\s*)+",
    re.IGNORECASE,
)
# A letter of ours that is forwarded is no order: all its result lines would be.
_OURS = re.compile(rf"\A(?:{_FORWARDED}\s*)+JUDGE:", re.IGNORECASE)
_FORWARD = re.compile(_FORWARDED, re.IGNORECASE)


_NOTHING = Texts("", (), False)


@dataclass(frozen=True, slots=True)
class ParsedMessage:
    """A message as the judge reads it.

    `sender` is the address it claims to be from, in lower case, empty when there is none;
    `to` the addresses in To and Cc, in lower case. `subject` is without the Re: and Fwd: that
    pile up. `message_id`, `in_reply_to` and `references` keep their angle brackets. `text` holds
    the lines its sender wrote (`judge.mail.reply`), `typed` what they typed into lines they quote;
    `attached` what they wrote in texts and mails that they attached, `texts` all of it with quotes;
    `date` is when it says it was sent,
    in UTC. `language` is the code of the language that its header names, empty when there is none.
    `kind` is what it is, `reason` the question that decided so when it is no ordinary message
    (`judge.mail.guard`).
    """

    sender: str = ""
    sender_name: str = ""
    reply_to: str = ""
    to: tuple[str, ...] = ()
    subject: str = ""
    message_id: str = ""
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    text: str = ""
    typed: tuple[tuple[str, ...], ...] = ()
    attached: str = ""
    texts: Texts = _NOTHING
    date: datetime | None = None
    language: str = ""
    kind: Kind = Kind.UNREADABLE
    reason: str = ""

    @property
    def answerable(self) -> bool:
        """Whether a letter may go back: a person wrote it, and said where to."""
        return self.kind in (Kind.MESSAGE, Kind.UNREADABLE) and bool(self.sender)

    @property
    def body(self) -> str:
        """The whole text, quotes and attached texts included."""
        return "\n".join((self.texts.shown, *self.texts.attached))

    @property
    def answer_to(self) -> str:
        """The address its sender wants answers at."""
        return self.reply_to or self.sender


def _unreadable(error: Exception) -> ParsedMessage:
    return ParsedMessage(kind=Kind.UNREADABLE, reason=f"It cannot be read: {error!r}")


# The promise to the inbox, whatever the libraries do: a mail that cannot be read is still a mail,
# and its sender may hear so.
@never_raises(_unreadable)
def parse(raw: bytes, envelope_from: str | None = None, own: Collection[str] = ()) -> ParsedMessage:
    """Read a message.

    `envelope_from` is the return path it came with ("" the null path, None when not known), `own`
    the judge's addresses. Never raises: what cannot be taken apart is `Kind.UNREADABLE`.
    """
    refused = safety.refused(raw)
    message = headers.of(raw) if refused else message_from_bytes(raw, policy=compat32)
    sender_name, sender = _sender(message, envelope_from)
    subject = headers.text(headers.raw(message, "Subject") or "")
    texts = _NOTHING if refused else texts_of(message, sender)
    forwarded = _FORWARD.match(subject) is not None and not _OURS.search(subject)
    text = written(texts.shown, forwarded=forwarded)
    kind, reason = judge_kind(
        message, sender, subject, text.text, envelope_from, {address.lower() for address in own}
    )
    if refused and kind is Kind.MESSAGE:
        kind, reason = Kind.UNREADABLE, refused
    if kind is Kind.MESSAGE and texts.closed and not texts.attached:
        kind, reason = Kind.UNREADABLE, texts.closed
    recipients = headers.addresses(headers.raw_all(message, "To") + headers.raw_all(message, "Cc"))
    reply_to = headers.addresses(headers.raw_all(message, "Reply-To")[:1])
    incoming = ParsedMessage(
        sender=sender,
        sender_name=sender_name,
        reply_to=reply_to[0][1].lower() if reply_to else "",
        to=tuple(dict.fromkeys(address.lower() for _, address in recipients)),
        subject=_PREFIX.sub("", subject, count=1) if _PREFIX.match(subject) else subject,
        message_id=next(iter(headers.message_ids(headers.raw(message, "Message-ID"))), ""),
        in_reply_to=headers.message_ids(headers.raw(message, "In-Reply-To")),
        references=headers.message_ids(" ".join(headers.raw_all(message, "References"))),
        texts=texts,
        date=headers.date(headers.raw(message, "Date")),
        language=_language(message),
        kind=kind,
        reason=reason,
    )
    return _with_text(incoming, text)


def header(raw: bytes) -> bytes:
    """Return the header of a message, as much of it as is ever looked at."""
    return safety.header(raw)


def typed(sender: str, text: str) -> ParsedMessage:
    """Return what somebody types here, without characters that nobody sees, as a message."""
    return ParsedMessage(sender=sender, text=cleaned(text), kind=Kind.MESSAGE)


def answering(incoming: ParsedMessage, letters: frozenset[int]) -> ParsedMessage:
    """Return a message with the quotes of letters of ours cut out of its text, which are known by
    their digests (`judge.mail.quotes`)."""
    if not letters or incoming.kind is not Kind.MESSAGE:
        return incoming
    return _cut(incoming, letters) or incoming


@never_raises(lambda error: None)
def _cut(incoming: ParsedMessage, letters: frozenset[int]) -> ParsedMessage | None:
    reply = written(incoming.texts.shown, letters)
    return _with_text(incoming, reply, letters) if reply.quotes else None


def _with_text(
    incoming: ParsedMessage, reply: Reply, letters: frozenset[int] = frozenset()
) -> ParsedMessage:
    attached = "\n".join(written(each, letters).text for each in incoming.texts.attached)
    text = reply.text or attached
    return replace(incoming, text=text, typed=reply.typed, attached=attached if reply.text else "")


@never_raises(lambda error: set[str]())
def delivered_to(raw: bytes) -> set[str]:
    """Return the addresses that a mail was delivered to, sub-addresses cut, as far as it says so
    itself.

    For those who do not know the judge's address; the daemon does.
    """
    message = headers.of(raw)
    values = [
        value
        for name in ("Delivered-To", "X-Original-To", "Envelope-To", "Resent-To")
        for value in headers.raw_all(message, name)
    ]
    values += _FOR.findall(" ".join(headers.raw_all(message, "Received")))
    found = {address for _, address in headers.addresses(values)}
    to = headers.addresses(headers.raw_all(message, "To") + headers.raw_all(message, "Cc"))
    if len(to) == 1:
        # Whoever writes to one address only and is seen here wrote to this one.
        found.add(to[0][1])
    return {_SUB.sub("@", address.lower()) for address in found}


def _language(message: Message) -> str:
    found = _LANGUAGE.match(headers.raw(message, "Content-Language") or "")
    return found[1].lower() if found else ""


def _sender(message: Message, envelope_from: str | None) -> tuple[str, str]:
    """Name and address of who wrote: From, else Sender, else the return path."""
    for field in ("From", "Sender"):
        found = headers.addresses(headers.raw_all(message, field)[:1])
        if found:
            return found[0][0], found[0][1].lower()
    path = (envelope_from or "").strip("<> ")
    return "", path.lower() if headers.is_address(path) else ""
