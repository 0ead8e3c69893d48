"""One message a day for whoever wants one (SET DIGEST): what was kept for it, and what is owed.

What would come too late by then is not kept: a message about a deadline goes at once where that
deadline is before the next digest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, time
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from judge.events import Event, EventKind
from judge.game.phases import next_hour
from judge.game.state import State
from judge.game.state.profile import JudgeProfile
from judge.mail.compose import Attachment
from judge.mail.pictures import NOTE
from judge.storage import OutboundMessage, Person

_SAID = (EventKind.REMINDER.word, EventKind.LATE.word)
"""What these say is what is owed, which the digest says as it is when it goes out."""

_ROWS = re.compile(r'<tr><td class="top".*(?=<tr><td class="foot")', re.DOTALL)
_PICTURE = re.compile(r"<p[^>]*>(<a [^>]*>)?<img [^>]*>(</a>)?</p>")


def kept_until(
    event: Event, person: Person | None, state: State | None, now: datetime, profile: JudgeProfile
) -> datetime | None:
    """Return when the digest comes that a message waits for; None for what goes out at once."""
    row = event.kind.row
    if person is None or person.options.digest is None or not row.waits:
        return None
    if row.essential and person.options.results_at_once:
        return None
    zone = ZoneInfo(profile.zone_of(person))
    moment = next_hour(now, zone, time.fromisoformat(person.options.digest))
    deadline = state.game.deadline if state and row.clock else None
    return None if deadline is not None and deadline <= moment else moment


def owes(view: Mapping[str, Any]) -> bool:
    """Return whether orders of the reader's are missing in a game, as `reader_facts` has it."""
    return any(each["sheet"].owes and not each["sheet"].complete for each in view["mine"])


def entries(letters: Sequence[OutboundMessage]) -> list[dict[str, object]]:
    """Return what messages that were kept say: when, as `text`, as `rows` of the HTML, and where a
    reply to press goes."""
    return [_entry(each) for each in letters if each.kind not in _SAID]


def _entry(letter: OutboundMessage) -> dict[str, object]:
    message = _parsed(letter)
    plain, page = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    found = _ROWS.search(str(page.get_content())) if page is not None else None
    return {
        "at": letter.queued_at,
        "text": str(plain.get_content()).strip("\n"),
        # Our own HTML, in which all that people wrote is escaped.
        "reply_to": message["Reply-To"].addresses[0].addr_spec
        if letter.kind == EventKind.PRESS.word
        else None,
        "rows": found and Markup(_PICTURE.sub("", found[0])),  # noqa: S704
    }


def files(letters: Sequence[OutboundMessage]) -> list[Attachment]:
    """Return what goes with the messages but for pictures: of each file the last."""
    found: dict[str, Attachment] = {}
    for part in (part for letter in letters for part in _parsed(letter).walk()):
        name, content = part.get_filename(), part.get_payload(decode=True)
        if name and isinstance(content, bytes) and part.get_content_type() != NOTE:
            parameters = tuple((key, str(value)) for key, value in (part.get_params() or [])[1:])
            found[name] = Attachment(name, part.get_content_type(), content, parameters)
    return list(found.values())


def _parsed(letter: OutboundMessage) -> EmailMessage:
    message = message_from_bytes(letter.raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message
