"""Which letters show the board, and who likes letters that show anything."""

from __future__ import annotations

from collections.abc import Sequence

from judge.mail.compose import Attachment
from judge.storage import Person

WISH = "html"
"""The name among a person's options of whether his letters also come as HTML; where it is missing,
they do."""


def likes_html(person: Person | None) -> bool:
    """Whether letters to somebody have an HTML part beside the plain one."""
    return person is None or bool(person.options.get(WISH, True))


def shown_in(attachments: Sequence[Attachment]) -> dict[str, str] | None:
    """What the HTML of a letter shows of its attachments, None where there is no picture."""
    for each in attachments:
        if each.content_id:
            return {"cid": each.content_id, "alt": each.name}
    return None
