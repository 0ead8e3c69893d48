"""One click on "unsubscribe" in a mail program (RFC 8058), which a web server takes."""

from __future__ import annotations

from datetime import datetime
from email.utils import format_datetime

from judge.events import EventKind
from judge.game.state.profile import JudgeProfile
from judge.storage import Storage


def unsubscribe(storage: Storage, profile: JudgeProfile, token: str, now: datetime) -> bool:
    """Store the mail that the same button writes where there is no web server, and return whether
    the token is ours. Nothing is done here: who plays is asked by mail, as the mail would have them
    asked."""
    found = profile.addresses(storage.tickets.secret).clicked(token)
    ticket = storage.tickets.find(found.number) if found else None
    if found is None or ticket is None or not ticket.address:
        return False
    stop = next((each.row.stop for each in EventKind if each.word == ticket.kind), "unsubscribe")
    fields = {
        "From": ticket.address,
        "To": found.address,
        "Subject": "unsubscribe",
        "Date": format_datetime(now),
        "Message-ID": profile.new_message_id(),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    storage.inbound.accept(
        f"{head}\r\n{stop}\r\n".encode(),
        door="pipe",
        envelope_from=ticket.address,
        envelope_to=[found.address],
        received_at=now,
    )
    return True
