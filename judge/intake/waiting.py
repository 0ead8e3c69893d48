"""Mails that wait, as keepers see them: held, or asked about."""

from __future__ import annotations

from judge.intake.authentication import without
from judge.intake.questions import drop
from judge.storage import InboundMessage, Storage

__all__ = ["all_of", "drop", "one", "shown"]


def all_of(storage: Storage) -> list[dict[str, object]]:
    """All that wait, oldest first."""
    mails = sorted([*storage.inbound.held(), *storage.inbound.asked()], key=lambda mail: mail.id)
    return [_facts(storage, mail) for mail in mails]


def one(storage: Storage, mail_id: int) -> dict[str, object] | None:
    """A mail, whether it waits or not; None where there is none."""
    mail = storage.inbound.find(mail_id)
    return None if mail is None else _facts(storage, mail)


def shown(storage: Storage, mail_id: int) -> str:
    """The message of a mail, its passwords blanked."""
    mail = storage.inbound.find(mail_id)
    return "" if mail is None else without(mail.raw).decode("utf-8", "backslashreplace")


def _facts(storage: Storage, mail: InboundMessage) -> dict[str, object]:
    """What is told of a mail; `asked` is None where nobody was, `why` the last line of what
    happened to a held one."""
    question = storage.tickets.asked_about(mail.id)
    asked = None
    if question is not None:
        asked = {
            "address": question.address,
            "at": question.created_at,
            "until": question.expires_at,
        }
    return {
        "id": mail.id,
        "state": mail.state,
        "door": mail.door,
        "received_at": mail.received_at,
        "from": mail.envelope_from,
        "to": mail.envelope_to,
        "bytes": len(mail.raw),
        "attempts": mail.attempts,
        "problem": mail.problem,
        "why": (mail.problem or "").strip().rpartition("\n")[2],
        "asked": asked,
    }
