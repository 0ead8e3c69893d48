"""What a returned letter says: whether it is lost, and whether the address is to blame.

Which letter it was never comes from here, for what a bounce says can be forged. The address it
came to tells: each letter has a return path of its own with a signed token (`judge.mail.address`;
variable envelope return paths, https://cr.yp.to/proto/verp.txt), which only the mail systems on
the way and the recipient have seen.
Sources: RFC 3464 (delivery reports), RFC 3463 (their status codes), RFC 5321 section 4.5.5,
RFC 5965 (complaints).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from flufl.bounce import all_failures

from judge.mail import safety
from judge.mail.body import texts_of
from judge.mail.safety import never_raises

_LONGEST = 300
"""Characters kept of what the other side said."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a letter was not delivered.

    `hard`: nobody has this address, so no letter will get there. What may pass is soft: a full
    mailbox, a server out of reach, mail taken for spam. `status` is the enhanced status code,
    "" where none was given; `said` what the other side said, as one line.
    """

    hard: bool
    status: str
    said: str


# RFC 3463: the address (5.1), the mailbox (5.2), the system and the route (5.3, 5.4) are about
# where a letter goes; the protocol, the content and the policy (5.5, 5.6, 5.7) are about this
# letter, and another one may get through. So may one when the mailbox is no longer full (5.2.2)
# or the letter shorter (5.2.3, 5.3.4).
_HARD = re.compile(r"5\.(?:[0-4])\.\d{1,3}")
_SOFT = ("5.2.2", "5.2.3", "5.3.4", "5.4.6")

_ENHANCED = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
_REPLY = re.compile(r"(?<![\d.])(?:smtp;?\s*)?([45])\d\d(?=[\s-])")
_POLICY = re.compile(r"spam|blocked|policy|reputation|blacklist|blocklist|denied|quota|full", re.I)

_COMPLAINTS = ("abuse", "fraud", "opt-out", "other", "virus")

_log = logging.getLogger("flufl.bounce")
_log.addHandler(logging.NullHandler())
# The library reports each detector that fails on odd mail with a traceback; none matters.
_log.propagate = False


def of_refusal(said: str) -> Failure:
    """The failure in a mail server's refusal, such as `550 5.1.1 No such user`."""
    status = _enhanced(said)
    first = _REPLY.match(f"{said} ")
    return Failure(_is_hard(status, said, first is None or first[1] == "5"), status, _line(said))


@never_raises(lambda error: Failure(hard=False, status="", said=""))
def read(raw: bytes) -> Failure | None:
    """The failure a mail reports; None when it reports none, such as a vacation notice.

    Never raises.
    """
    if safety.refused(raw):
        return Failure(hard=False, status="", said="")
    return _read(message_from_bytes(raw, policy=compat32))


@never_raises(lambda error: "")
def complaint(raw: bytes) -> str:
    """What a reader complains of by a button of his mail program (RFC 5965), in lower case, such
    as `abuse`; "" where a mail is no complaint. Never raises."""
    if safety.refused(raw):
        return ""
    message = message_from_bytes(raw, policy=compat32)
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


def _read(message: Message) -> Failure | None:
    reports = list(_reports(message))
    for report in reports:
        action = report.get("Action", "").strip().lower()
        if action not in ("failed", "delayed"):
            continue
        status = _enhanced(str(report.get("Status", "")))
        said = str(report.get("Diagnostic-Code", "")) or status
        # A status of 5.0.0 says no more than that; what the server said may say more.
        if status in ("", "5.0.0", "4.0.0"):
            status = _enhanced(said) or status
        hard = action == "failed" and _is_hard(status, said, lost=True)
        return Failure(hard, status, _line(said.partition(";")[2] or said))
    if reports:
        return None
    if _report_type(message) not in ("", "delivery-status"):
        return None
    try:
        temporary, permanent = all_failures(message)
    except Exception:  # its detectors trip over odd fields
        temporary, permanent = frozenset(), frozenset()
    text = texts_of(message).shown
    said = next((line for line in text.splitlines() if _ENHANCED.search(line)), "") or next(
        (line for line in text.splitlines() if _REPLY.search(line)), ""
    )
    status = _enhanced(said)
    if permanent:
        return Failure(_is_hard(status, said or text[:2000], lost=True), status, _line(said))
    if temporary or _report_type(message) == "delivery-status" or _mailer(message):
        return Failure(hard=False, status=status, said=_line(said))
    return None


def _reports(message: Message) -> Iterator[Message]:
    """The blocks of fields, one for each recipient, of a delivery report."""
    for part in message.walk():
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            payload = part.get_payload()
            yield from (
                block
                for block in payload
                if isinstance(block, Message) and ("Action" in block or "Status" in block)
            )


def _report_type(message: Message) -> str:
    """Of a report, its type in lower case, delivery-status where it names none; "" otherwise."""
    if message.get_content_type() != "multipart/report":
        return ""
    return str(message.get_param("report-type", "delivery-status")).lower()


def _mailer(message: Message) -> bool:
    sender = str(message.get("From", "")).lower()
    return "mailer-daemon" in sender or "postmaster" in sender


def _is_hard(status: str, said: str, lost: bool) -> bool:
    """Whether the address is to blame. `lost`: the letter is given up, whatever the code."""
    if status:
        return (
            _HARD.fullmatch(status) is not None
            and status not in _SOFT
            and not (status == "5.0.0" and _POLICY.search(said))
        )
    return lost and _POLICY.search(said) is None


def _enhanced(text: str) -> str:
    found = _ENHANCED.search(text)
    return found[1] if found else ""


def _line(said: str) -> str:
    return " ".join(said.split())[:_LONGEST]
