"""What a message says, and what kind it is: bytes in, values out, and never an exception.

Of which kind it is, and so whether it may be answered, say the questions of `answers`.
Sources: RFC 3834 (automatic responses), RFC 2919 (List-Id), RFC 3464 (delivery reports), and the
habits of programs that know none of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from email.message import Message
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from judge.mail import address, headers, safety
from judge.mail.body import Texts, texts_of
from judge.mail.own_text import Reply, written
from judge.mail.safety import cleaned, never_raises
from judge.mail.words import patterns


class MailKind(Enum):
    """What a message is. Only `MESSAGE` and `UNREADABLE` may be answered."""

    MESSAGE = "message"
    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    LIST = "list"
    OWN = "own"
    UNREADABLE = "unreadable"


class MailFacts(Struct, frozen=True):
    """What the questions look at; `sender` and `own` are in lower case, and so are the names in
    `fields`."""

    message: Message
    fields: Mapping[str, list[str]]
    sender: str
    subject: str
    text: str
    envelope_from: str | None
    own: frozenset[str]

    def field(self, name: str) -> str:
        """Return the field's value in lower case, empty when there is none."""
        return self.fields.get(name.lower(), [""])[0].strip().lower()

    def has(self, *names: str) -> bool:
        """Return whether there is a field of one of these names, which are in lower case."""
        return not self.fields.keys().isdisjoint(names)


# Fields that programs write which answer by themselves, or report abuse; `X-Loop` is among them.
_ROBOT = re.compile(
    r"x-(?!auto-response-suppress).*(auto-?(repl|resp|gen|sent)|loop|vacation|out-?of-?office|spamcop"
    r"|machinegenerated)|x-x?arf|feedback-type|x-cron-env"
)

# Calendar programs answer invitations, and send some, by these (RFC 5546); what this judge
# publishes may come back with any reply.
_SCHEDULING = ("reply", "counter", "declinecounter", "refresh", "request", "add", "cancel")
_METHOD = re.compile(rb"^METHOD:[ \t]*([A-Z]+)", re.MULTILINE | re.IGNORECASE)

# Pictures, the signs that shape and join them, and what stands between them; no letters or digits.
_EMOJI = re.compile(
    "[\u00a9\u00ae\u200d\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff"
    "\u3297\u3299\ufe0f\U0001f000-\U0001faff\U000e0020-\U000e007f\\s]+"
)

_LONGEST_NOTE = 1_500
"""Characters of what a program sends on that somebody has pressed a button."""


def answers(look: MailFacts) -> Iterator[tuple[str, MailKind, bool]]:
    """Yield questions to a message, the kind that it has if the answer to one is yes, and the
    answer. The first yes decides."""
    content = look.message.get_content_type()
    words = patterns("automatic")
    yield "Is it a letter of ours that came back?", MailKind.OWN, _is_ours(look)
    receipt = "disposition-notification" in look.field("Content-Type")
    report = (content == "multipart/report" and not receipt) or look.has("x-failed-recipients")
    yield "Is it a delivery report?", MailKind.BOUNCE, report
    system = words["systems"].match(look.sender) is not None
    returned = _null_path(look, "delivery", "undeliver", "returned", "failure", "unzustellbar")
    yield "Does a mail system write?", MailKind.BOUNCE, system or returned

    automatic = look.field("Auto-Submitted") not in ("", "no")
    yield "Does it say that it is automatic (RFC 3834)?", MailKind.AUTO_REPLY, automatic

    precedence = look.field("Precedence")
    listed = look.has("list-id", "list-post", "list-help", "mailing-list", "x-mailing-list")
    listed = listed or precedence == "list"
    yield "Is it from a mailing list (RFC 2919, RFC 2369)?", MailKind.LIST, listed
    bulk = precedence in ("bulk", "junk", "auto_reply")
    yield "Is it sent in bulk?", MailKind.AUTO_REPLY, bulk

    yield "Has another robot been here?", MailKind.AUTO_REPLY, any(map(_ROBOT.match, look.fields))
    unwanted = re.split(r"[\s,]+", look.field("X-Auto-Response-Suppress"))
    suppressed = not {"all", "autoreply"}.isdisjoint(unwanted)
    yield "Does its sender want no automatic answer (Exchange)?", MailKind.AUTO_REPLY, suppressed
    yield "Does nobody want it back?", MailKind.AUTO_REPLY, _null_path(look)

    receipt = content in ("multipart/report", "text/calendar") or _answers_invitation(look)
    yield "Is it a receipt or an invitation?", MailKind.AUTO_REPLY, receipt
    yield "Is it a reaction to a message?", MailKind.AUTO_REPLY, _is_reaction(look)

    program = words["programs"].fullmatch(look.sender) is not None
    yield "Does a program write?", MailKind.AUTO_REPLY, program
    titled = words["subjects"].match(look.subject.lower()) is not None or _heads_ours(look)
    yield "Does its subject read like a vacation notice or a report?", MailKind.AUTO_REPLY, titled


def _is_ours(look: MailFacts) -> bool:
    loops = {value.strip().lower() for value in look.fields.get(headers.LOOP.lower(), ())}
    # Answers to the address of an answer would come back.
    return bool(loops & look.own) or address.is_one_of(look.sender, look.own, ())


def _null_path(look: MailFacts, *subjects: str) -> bool:
    """Return whether it came with the null return path, and with one of `subjects` where any are
    given."""
    path = look.envelope_from
    if path is None and look.has("return-path"):
        path = look.field("Return-Path").strip("<> ")
    if path != "":
        return False
    return not subjects or any(word in look.subject.lower() for word in subjects)


def _schedules(part: Message) -> bool:
    """Return whether a part of a mail is a calendar program's question or answer."""
    if part.get_content_type() != "text/calendar":
        return False
    method = str(part.get_param("method", ""))
    if not method:
        data = part.get_payload(decode=True)
        found = _METHOD.search(data[:20_000] if isinstance(data, bytes) else b"")
        method = found[1].decode() if found else ""
    return method.lower() in _SCHEDULING


def _answers_invitation(look: MailFacts) -> bool:
    """Return whether a calendar program answers, with no more words than such programs write by
    themselves: a part for calendars may come along with what a person wrote."""
    said = patterns("automatic")["calendar"].match(look.subject.lower()) is not None
    words = look.text.split()
    return (
        (said or any(map(_schedules, look.message.walk())))
        and len(words) <= _FEW
        and _OWN_WORDS.search(look.text) is None
    )


_FEW = 8
"""Words that a calendar program writes: who has accepted."""

_OWN_WORDS = re.compile(r"[\d?>–-]")
"""What orders, times and questions have, and such words have not."""


def _heads_ours(look: MailFacts) -> bool:
    """Return whether words of absence or of a receipt stand before the subject of a letter of
    ours."""
    found = patterns("automatic")["before_ours"].match(look.subject.lower())
    return found is not None and _OUR_SUBJECT.search(look.subject, found.end() - 1) is not None


def _is_reaction(look: MailFacts) -> bool:
    """Return whether somebody has only pressed a button below a message."""
    text = look.text.strip()
    types = (part.get_content_type() for part in look.message.walk())
    return (
        any("reaction" in kind for kind in types)
        or (bool(text) and _EMOJI.fullmatch(text) is not None)
        or patterns("automatic")["reactions"].fullmatch(text[:_LONGEST_NOTE].lower()) is not None
    )


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
_OUR_SUBJECT = re.compile(r"[:：].*\bJUDGE\b")


class ParsedMessage(Struct, frozen=True):
    """A message as the judge reads it.

    `sender` is the address it claims to be from, in lower case, empty when there is none;
    `to` the addresses in To and Cc, in lower case. `subject` is without the Re: and Fwd: that
    pile up. `message_id`, `in_reply_to` and `references` keep their angle brackets. `text` holds
    the lines its sender wrote (`judge.mail.own_text`), `typed` what they typed into lines they
    quote; `attached` what they wrote in texts and mails that they attached, `texts` all of it with
    quotes;
    `date` is when it says it was sent, in UTC, and `offset` how far its writer's clock was ahead of
    UTC then, None where it says nothing but UTC. `doubled` names fields of which it has more than
    it may have (`judge.mail.headers.doubled`): it proves nothing. `language` is the code of the
    language that its header names, empty when there is none.
    `kind` is what it is, `reason` the question that decided so when it is no ordinary message
    (`answers`).
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
    texts: Texts = Texts()
    date: datetime | None = None
    offset: timedelta | None = None
    doubled: tuple[str, ...] = ()
    language: str = ""
    kind: MailKind = MailKind.UNREADABLE
    reason: str = ""

    @property
    def answerable(self) -> bool:
        """Whether a letter may go back: a person wrote it, and said where to."""
        return self.kind in (MailKind.MESSAGE, MailKind.UNREADABLE) and bool(self.sender)

    @property
    def body(self) -> str:
        """The whole text, quotes and attached texts included."""
        return "\n".join((self.texts.shown, *self.texts.attached))

    @property
    def answer_to(self) -> str:
        """The address its sender wants answers at."""
        return self.reply_to or self.sender


def _unreadable(error: Exception) -> ParsedMessage:
    return ParsedMessage(kind=MailKind.UNREADABLE, reason=f"It cannot be read: {error!r}")


# The promise to the inbox, whatever the libraries do: a mail that cannot be read is still a mail,
# and its sender may hear so.
@never_raises(_unreadable)
def parse(raw: bytes, envelope_from: str | None = None, own: Collection[str] = ()) -> ParsedMessage:
    """Read a message.

    `envelope_from` is the return path it came with ("" the null path, None when not known), `own`
    the judge's addresses. Never raises: what cannot be taken apart is `MailKind.UNREADABLE`.
    """
    refused = safety.refused(raw)
    message = headers.of(raw) if refused else headers.whole(raw)
    sender_name, sender = _sender(message, envelope_from)
    subject = headers.text(headers.raw(message, "Subject") or "")
    texts = Texts() if refused else texts_of(message, sender)
    forwarded = _FORWARD.match(subject) is not None and not _OURS.search(subject)
    text = _own(texts, forwarded=forwarded)
    ours = frozenset(map(str.lower, own))
    fields = headers.by_name(message)
    look = MailFacts(message, fields, sender, subject, text.text, envelope_from, ours)
    told = ((kind, question) for question, kind, yes in answers(look) if yes)
    kind, reason = next(told, (MailKind.MESSAGE, ""))
    if refused and kind is MailKind.MESSAGE:
        kind, reason = MailKind.UNREADABLE, refused
    if kind is MailKind.MESSAGE and texts.closed and not texts.attached:
        kind, reason = MailKind.UNREADABLE, texts.closed
    recipients = headers.addresses(headers.raw_all(message, "To") + headers.raw_all(message, "Cc"))
    reply_to = headers.addresses(headers.raw_all(message, "Reply-To")[:1])
    incoming = ParsedMessage(
        sender=sender,
        sender_name=sender_name,
        reply_to=reply_to[0][1].lower() if reply_to else "",
        to=tuple(dict.fromkeys(each.lower() for _, each in recipients)),
        subject=_PREFIX.sub("", subject, count=1) if _PREFIX.match(subject) else subject,
        message_id=next(iter(headers.message_ids(headers.raw(message, "Message-ID"))), ""),
        in_reply_to=headers.message_ids(headers.raw(message, "In-Reply-To")),
        references=headers.message_ids(" ".join(headers.raw_all(message, "References"))),
        texts=texts,
        date=headers.date(headers.raw(message, "Date")),
        offset=headers.offset(headers.raw(message, "Date")),
        doubled=headers.doubled(message),
        language=_language(message),
        kind=kind,
        reason=reason,
    )
    begins = not (refused or incoming.in_reply_to or _PREFIX.match(subject))
    if begins and not (incoming.body.strip() or text.text):
        # Who writes nothing below it has said it in the subject.
        text = replace(text, text=incoming.subject)
    return _with_text(incoming, text)


def header(raw: bytes) -> bytes:
    """Return the header of a message, as much of it as is ever looked at."""
    return safety.header(raw)


def typed(sender: str, text: str) -> ParsedMessage:
    """Return what somebody types here, without characters that nobody sees, as a message."""
    return ParsedMessage(sender=sender, text=cleaned(text), kind=MailKind.MESSAGE)


def answering(incoming: ParsedMessage, letters: frozenset[int]) -> ParsedMessage:
    """Return a message with the quotes of letters of ours cut out of its text, which are known by
    their digests (`judge.mail.quotes`)."""
    if not letters or incoming.kind is not MailKind.MESSAGE:
        return incoming
    return _cut(incoming, letters) or incoming


@never_raises(lambda error: None)
def _cut(incoming: ParsedMessage, letters: frozenset[int]) -> ParsedMessage | None:
    reply = _own(incoming.texts, letters)
    return _with_text(incoming, reply, letters) if reply.quotes else None


def _own(texts: Texts, letters: frozenset[int] = frozenset(), *, forwarded: bool = False) -> Reply:
    """Return what the writer wrote in a text, or else in the HTML beside it."""
    reply = written(texts.shown, letters, forwarded=forwarded)
    if reply.text or reply.typed or not (beside := texts.beside()):
        return reply
    return replace(reply, text=written(beside, letters).text)


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
    values = headers.raw_all(message, "Resent-To")
    values += _FOR.findall(" ".join(headers.raw_all(message, "Received")))
    found = {*address.delivered_to(raw), *(each for _, each in headers.addresses(values))}
    to = headers.addresses(headers.raw_all(message, "To") + headers.raw_all(message, "Cc"))
    if len(to) == 1:
        # Anyone who writes to one address only and is seen here wrote to this one.
        found.add(to[0][1])
    return {_SUB.sub("@", each.lower()) for each in found}


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
