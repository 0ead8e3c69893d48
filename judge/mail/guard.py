"""What kind of message this is, and whether it may be answered: one table, read top to bottom.

Sources: RFC 3834 (automatic responses), RFC 2919 (List-Id), RFC 3464 (delivery reports), and the
habits of programs that know none of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from email.message import Message
from enum import Enum

from judge.mail import headers

LOOP = "X-Loop"
"""The field every letter of ours carries, with the judge's address as its value."""


class Kind(Enum):
    """What a message is. Only `MESSAGE` and `UNREADABLE` may be answered."""

    MESSAGE = "message"
    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    LIST = "list"
    OWN = "own"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Look:
    """What the rules look at."""

    message: Message
    sender: str
    subject: str
    envelope_from: str | None
    own: frozenset[str]

    def field(self, name: str) -> str:
        """The field's value in lower case, empty when there is none."""
        return (headers.raw(self.message, name) or "").strip().lower()

    def has(self, *names: str) -> bool:
        """Whether there is a field of one of these names."""
        return any(headers.raw(self.message, name) is not None for name in names)


@dataclass(frozen=True, slots=True)
class Rule:
    """A question to a message, and what it is when the answer is yes."""

    question: str
    kind: Kind
    test: Callable[[Look], bool]


# Local parts that belong to programs (RFC 2142, RFC 3834 section 2, and custom).
_PROGRAMS = re.compile(
    r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply|daemon|root|majordomo|listserv|listproc"
    r"|mailman|bounces?|.*-bounces?|.*-request|owner-.*|.*-owner|auto-?reply)(\+.*)?@.*"
)

# How vacation notices begin that are not marked as such.
_AWAY = re.compile(
    r"(auto(matic|matische|mated)?[ -]?(reply|response|antwort)|autoreply|out of (the )?office|ooo:"
    r"|abwesenheits(notiz|agent)|abwesend:|réponse automatique|respuesta automática"
    r"|risposta automatica|resposta automática|automatisch antwoord|afwezig|autosvar|automaattinen"
    r"|odpowiedź automatyczna|automatická odpověď|自动回复|自動回覆|自動返信|автоответ|自動応答)",
    re.IGNORECASE,
)

RULES: tuple[Rule, ...] = (
    Rule("Is it a letter of ours that came back?", Kind.OWN, lambda look: _is_ours(look)),
    Rule(
        "Is it a delivery report?",
        Kind.BOUNCE,
        lambda look: (
            (
                look.message.get_content_type() == "multipart/report"
                and "disposition-notification" not in look.field("Content-Type")
            )
            or look.has("X-Failed-Recipients")
        ),
    ),
    Rule(
        "Does a mail system write?",
        Kind.BOUNCE,
        lambda look: (
            look.sender.startswith(("mailer-daemon@", "postmaster@"))
            or _null_path(look, "delivery", "undeliver", "returned", "failure", "unzustellbar")
        ),
    ),
    Rule(
        "Does it say that it is automatic (RFC 3834)?",
        Kind.AUTO_REPLY,
        lambda look: look.field("Auto-Submitted") not in ("", "no"),
    ),
    Rule(
        "Is it from a mailing list (RFC 2919, RFC 2369)?",
        Kind.LIST,
        lambda look: (
            look.has("List-Id", "List-Post", "List-Help", "Mailing-List", "X-Mailing-List")
            or look.field("Precedence") == "list"
        ),
    ),
    Rule(
        "Is it sent in bulk?",
        Kind.AUTO_REPLY,
        lambda look: look.field("Precedence") in ("bulk", "junk", "auto_reply"),
    ),
    Rule(
        "Has another robot been here?",
        Kind.AUTO_REPLY,
        lambda look: (
            look.has(LOOP, "X-Autoreply", "X-Auto-Reply", "X-Autorespond", "X-Autoresponse")
            or look.has("X-Mail-Autoreply", "X-Autoreply-From", "X-FC-MachineGenerated")
        ),
    ),
    Rule(
        "Does its sender want no automatic answer (Exchange)?",
        Kind.AUTO_REPLY,
        lambda look: any(
            word in ("all", "autoreply")
            for word in re.split(r"[\s,]+", look.field("X-Auto-Response-Suppress"))
        ),
    ),
    Rule("Does nobody want it back?", Kind.AUTO_REPLY, lambda look: _null_path(look)),
    Rule(
        "Is it a receipt or an invitation?",
        Kind.AUTO_REPLY,
        lambda look: look.message.get_content_type() in ("multipart/report", "text/calendar"),
    ),
    Rule(
        "Does a program write?",
        Kind.AUTO_REPLY,
        lambda look: _PROGRAMS.fullmatch(look.sender) is not None,
    ),
    Rule(
        "Does it read like a vacation notice?",
        Kind.AUTO_REPLY,
        lambda look: _AWAY.match(look.subject) is not None,
    ),
)


def judge_kind(
    message: Message,
    sender: str,
    subject: str,
    envelope_from: str | None,
    own: Collection[str],
) -> tuple[Kind, str]:
    """The kind of a message, and the question that decided it (empty for an ordinary one).

    `sender` is its address in lower case, `envelope_from` the return path ("" the null path, None
    not known), `own` the judge's own addresses in lower case.
    """
    look = Look(message, sender, subject, envelope_from, frozenset(own))
    for rule in RULES:
        if rule.test(look):
            return rule.kind, rule.question
    return Kind.MESSAGE, ""


def _is_ours(look: Look) -> bool:
    loops = {value.strip().lower() for value in headers.raw_all(look.message, LOOP)}
    return bool(loops & look.own) or look.sender in look.own


def _null_path(look: Look, *subjects: str) -> bool:
    """Whether it came with the null return path, and with one of `subjects` where any are given."""
    path = look.envelope_from
    if path is None and look.has("Return-Path"):
        path = look.field("Return-Path").strip("<> ")
    if path != "":
        return False
    return not subjects or any(word in look.subject.lower() for word in subjects)
