"""What a returned letter says: why it is lost, and whether the address is to blame.

Which letter it was never comes from here, for what a bounce says can be forged. The address it
came to tells: each letter has a return path of its own with a signed token (`judge.mail.address`;
variable envelope return paths, https://cr.yp.to/proto/verp.txt), which only the mail systems on
the way and the recipient have seen.

Codes alone mislead: a full mailbox comes as 5.1.1, a block of the judge's own host as 5.1.0, an
unknown user as 5.4.1 or 5.7.1. So words decide, and codes where no words are known.
Sources: RFC 3464 (delivery reports), RFC 3463 and RFC 5248 (their status codes), RFC 5321 section
4.2.3, RFC 5965 (complaints), and the servers' own words (tests/mail/bounces.toml).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import Message
from enum import StrEnum

from msgspec import Struct

from judge.mail import headers, safety
from judge.mail.body import texts_of
from judge.mail.safety import never_raises
from judge.mail.words import patterns

_LONGEST = 300
"""Characters kept of what the other side said."""

_LONGEST_NOTICE = 4_000
"""Characters looked at of what a mail system writes to people; the returned letter follows it."""


class BounceReason(StrEnum):
    """Why a letter was not delivered, in the classes that mail systems distinguish."""

    USER_UNKNOWN = "user unknown"
    HOST_UNKNOWN = "host unknown"
    MOVED = "moved"
    DISABLED = "disabled"
    FULL = "full"
    SIZE = "size"
    BLOCKED = "blocked"
    REPUTATION = "reputation"
    AUTHENTICATION = "authentication"
    CONTENT = "content"
    TEMPORARY = "temporary"
    OTHER = "other"


DEAD = frozenset({BounceReason.USER_UNKNOWN, BounceReason.HOST_UNKNOWN, BounceReason.MOVED})
"""Nobody has this address. Who disables one may enable it again."""

REFUSED = frozenset(
    {
        BounceReason.BLOCKED,
        BounceReason.REPUTATION,
        BounceReason.AUTHENTICATION,
        BounceReason.CONTENT,
    }
)


class Failure(Struct, frozen=True):
    """Why a letter was not delivered.

    `status` is the enhanced status code, "" where none was given; `said` what the other side said,
    as one line.
    """

    reason: BounceReason
    status: str
    said: str

    @property
    def hard(self) -> bool:
        """Whether no letter will get there, whatever it is."""
        return self.reason in DEAD

    @property
    def refused(self) -> bool:
        """Whether the other side refuses mail of this judge: its keeper must see to that."""
        return self.reason in REFUSED

    @property
    def certain(self) -> bool:
        """Whether the provider itself says that there is no such user."""
        return self.reason is BounceReason.USER_UNKNOWN


# RFC 3463 and 5248, and Exchange's own: where words are unknown.
_STATUSES = {
    "1.1": BounceReason.USER_UNKNOWN,
    "1.10": BounceReason.USER_UNKNOWN,
    "1.3": BounceReason.USER_UNKNOWN,
    "1.2": BounceReason.HOST_UNKNOWN,
    "4.4": BounceReason.HOST_UNKNOWN,
    "4.310": BounceReason.HOST_UNKNOWN,
    "1.6": BounceReason.MOVED,
    "2.1": BounceReason.DISABLED,
    "2.2": BounceReason.FULL,
    "3.1": BounceReason.FULL,
    "2.3": BounceReason.SIZE,
    "3.4": BounceReason.SIZE,
    "1.7": BounceReason.AUTHENTICATION,
    "1.8": BounceReason.AUTHENTICATION,
    "7.9": BounceReason.AUTHENTICATION,
    "7.509": BounceReason.AUTHENTICATION,
    "7.515": BounceReason.AUTHENTICATION,
    "7.7": BounceReason.CONTENT,
    **dict.fromkeys(("7.20", "7.21", "7.22"), BounceReason.AUTHENTICATION),
    **dict.fromkeys(("7.23", "7.24", "7.26", "7.27"), BounceReason.AUTHENTICATION),
}
_SUBJECTS = {"4": BounceReason.TEMPORARY, "6": BounceReason.CONTENT, "7": BounceReason.BLOCKED}
_CODES = {"551": BounceReason.MOVED, "552": BounceReason.FULL, "556": BounceReason.HOST_UNKNOWN}
_OUTRANKING = (BounceReason.AUTHENTICATION, BounceReason.CONTENT, BounceReason.SIZE)
"""What a code tells of the letter or its sender, whatever the words about the recipient."""

# None, undefined, about the address or the protocol, and what Exchange says of unknown users.
_SAYS_LITTLE = re.compile(r"\Z|[45]\.(?:[015]\.|4\.1\Z)")
_LASTING_IN_4XX = (BounceReason.FULL, BounceReason.SIZE)

_ENHANCED = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
_CODE = re.compile(r"(?<![\d.:-])([45]\d\d)(?=[\s-]|\Z)")
# In an answer of several lines each one begins with the codes, in the middle of sentences.
_REPEATED = re.compile(r"(?<![\d.:-])[45]\d\d[ -](?:#?[45]\.\d{1,3}\.\d{1,3}[ :]?)?")
# Names of hosts and people say nothing of the reason.
_NAMES = re.compile(
    r"\bhost (?:\S+ )?said:|<?[^\s<>@]{1,200}@[\w.-]{1,200}>?|\[?\d{1,3}(?:\.\d{1,3}){3}\]?"
    r"|\((?:in reply|end of)[^)]*\)"
)

# Reports on letters to addresses beyond ASCII (RFC 6533) have the same fields.
_INTERNATIONAL = re.compile(rb"^(content-type:\s*message/)global-(?=delivery-status)", re.I | re.M)

_INNER_DOT = re.compile(r"\.(?=\w)")

_COMPLAINTS = ("abuse", "fraud", "opt-out", "other", "virus")


def of_refusal(said: str) -> Failure:
    """Return the failure in a mail server's refusal, such as `550 5.1.1 No such user`."""
    status = _innermost(said)
    return Failure(_reason(status, said), status, _line(said))


@never_raises(lambda error: Failure(BounceReason.OTHER, "", ""))
def read(raw: bytes) -> Failure | None:
    """Return the failure a mail reports; None when it reports none, such as a vacation notice.

    Never raises.
    """
    if safety.refused(raw):
        return Failure(BounceReason.OTHER, "", "")
    message = message_from_bytes(_INTERNATIONAL.sub(rb"\1", raw))
    reports = list(_reports(message))
    notice = _notice(message)
    for report in reports:
        action = str(report.get("Action", "")).strip().lower()
        if not action.startswith(("delivered", "relayed", "expanded")):
            return _of_report(report, notice, delayed=action.startswith("delayed"))
    if reports or _report_type(message) not in ("", "delivery-status"):
        return None
    reason = _reason(_innermost(notice), notice)
    if not _is_bounce(message, notice, reason):
        return None
    said = _telling_line(notice, reason)
    status = _enhanced(said) or _enhanced(notice)
    if reason in DEAD and patterns("notices")["delayed"].search(notice):
        reason = BounceReason.TEMPORARY
    return Failure(reason, status, _line(said))


def _of_report(report: Message, notice: str, *, delayed: bool) -> Failure:
    """Return the failure in the fields for one recipient, below a `notice` for people."""
    status = _enhanced(str(report.get("Status", "")))
    said = str(report.get("Diagnostic-Code", "")) or status
    said = said.partition(";")[2] or said
    # A status of 5.0.0 says no more than that; what the server said may say more, there or in the
    # notice.
    if status in ("", "5.0.0", "4.0.0"):
        status = _enhanced(said) or _enhanced(notice) or status
    coded = said if _CODE.search(said) else notice
    told = _innermost(said) or status
    coded_reason = _by_codes(told, coded)
    reason = _by_words(said, told) or _by_words(notice, told) or coded_reason
    if reason is BounceReason.TEMPORARY and coded_reason in DEAD and _is_said(coded_reason, notice):
        reason = coded_reason
    if reason in DEAD and delayed:
        reason = BounceReason.TEMPORARY
    elif reason in DEAD and status.startswith("4.") and not status.startswith("4.1."):
        # What may pass, and is not about the address, stays so whatever the words.
        reason = _by_codes(told, coded)
    return Failure(reason, status, _line(said))


def _reason(status: str, said: str) -> BounceReason:
    return _by_words(said, status) or _by_codes(status, said)


def _by_words(said: str, status: str) -> BounceReason | None:
    text = _plain(said)
    found = (name for name, words in patterns("bounces").items() if words.search(text))
    reason = next(map(BounceReason, found), None)
    step = patterns("notices")
    if reason is None and _SAYS_LITTLE.match(status) and step["rejected"].search(text):
        reason = BounceReason.USER_UNKNOWN
    if reason in DEAD and (coded := _by_codes(status, "")) in _OUTRANKING:
        reason = coded
    to_sender = step["to_the_sender"].search(said) and not step["to_the_recipient"].search(said)
    if to_sender and (reason is None or reason in DEAD):
        return BounceReason.BLOCKED
    # A server that has taken the whole letter means the domain of the sender.
    after_data = reason is BounceReason.HOST_UNKNOWN and step["to_the_letter"].search(said)
    return BounceReason.AUTHENTICATION if after_data else reason


def _is_said(reason: BounceReason, said: str) -> bool:
    return patterns("bounces")[reason].search(_plain(said)) is not None


def _plain(said: str) -> str:
    """Return what is said, as one line in lower case, without what says nothing of the reason. The
    dots left in it end sentences."""
    text = _REPEATED.sub(" ", " ".join(said[:_LONGEST_NOTICE].lower().split()))
    text = _INNER_DOT.sub("·", _NAMES.sub(" ", text))
    return " ".join(text.split())


def _by_codes(status: str, said: str) -> BounceReason:
    """RFC 3463: the class, 4 for what may pass, then the subject and the detail."""
    code = _CODE.search(said)
    kind, _, detail = status.partition(".")
    if detail and detail != "0.0":
        reason = (
            _STATUSES.get(detail) or _SUBJECTS.get(detail.partition(".")[0]) or BounceReason.OTHER
        )
    else:
        kind = kind or (code[1][0] if code else "")
        reason = _CODES.get(code[1], BounceReason.OTHER) if code else BounceReason.OTHER
    return reason if kind != "4" or reason in _LASTING_IN_4XX else BounceReason.TEMPORARY


@never_raises(lambda error: "")
def complaint(raw: bytes) -> str:
    """Return what a reader complains of by a button of their mail program (RFC 5965), in lower
    case, such as `abuse`; "" where a mail is no complaint. Never raises."""
    if safety.refused(raw):
        return ""
    message = headers.whole(raw)
    if _report_type(message) != "feedback-report":
        return ""
    for part in message.walk():
        if part.get_content_type() == "message/feedback-report":
            found = _feedback(part)
            # The others praise a mail, or are about signatures (RFC 6591).
            return found if found in _COMPLAINTS else ""
    return ""


def _feedback(part: Message) -> str:
    payload = part.get_payload()
    fields = payload[0] if isinstance(payload, list) and payload else None
    return str(fields["Feedback-Type"]).strip().lower() if isinstance(fields, Message) else ""


def _notice(message: Message) -> str:
    """Return what a mail system writes to people, without the letter it returns."""
    text = texts_of(message).shown[: 2 * _LONGEST_NOTICE]
    copy = patterns("notices")["copy"].search(text)
    return text[: copy.start() if copy else _LONGEST_NOTICE][:_LONGEST_NOTICE]


def _is_bounce(message: Message, notice: str, reason: BounceReason) -> bool:
    """Return whether a mail without a report of its own returns a letter."""
    if _report_type(message) == "delivery-status" or "X-Failed-Recipients" in message:
        return True
    words = patterns("notices")
    if words["mailer"].search(headers.raw(message, "From") or ""):
        return True
    if reason is BounceReason.OTHER:
        return False
    subject = headers.text(headers.raw(message, "Subject") or "")
    return any(map(words["returned"].search, (subject, notice))) or _CODE.search(notice) is not None


def _telling_line(notice: str, reason: BounceReason) -> str:
    """Return the line that tells the reason best, for people to read."""
    lines = [line for line in notice.splitlines() if line.strip()]
    signs: tuple[Callable[[str], object], ...] = (
        lambda line: _ENHANCED.search(line) and _by_words(line, "") is reason,
        lambda line: _by_words(line, "") is reason,
        _ENHANCED.search,
        _CODE.search,
    )
    return next((line for tells in signs for line in lines if tells(line)), "")


def _reports(message: Message) -> Iterator[Message]:
    """Yield the blocks of fields, one for each recipient, of a delivery report."""
    for part in message.walk():
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            payload = part.get_payload()
            yield from (
                block
                for block in payload
                if isinstance(block, Message) and ("Action" in block or "Status" in block)
            )


def _report_type(message: Message) -> str:
    """Return the type of a report in lower case, delivery-status where it names none; ""
    otherwise."""
    if message.get_content_type() != "multipart/report":
        return ""
    return str(message.get_param("report-type", "delivery-status")).lower()


def _enhanced(text: str) -> str:
    found = _ENHANCED.search(text)
    return found[1] if found else ""


def _innermost(text: str) -> str:
    """Return the last code: what a server repeats of another stands behind its own."""
    return next(reversed(_ENHANCED.findall(text)), "")


def _line(said: str) -> str:
    return safety.cleaned(" ".join(said.split())[:_LONGEST])
