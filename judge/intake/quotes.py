"""Orders that somebody typed into the letter he quotes, where nothing counts.

A quote may be of any letter, old or new, in any shape that mail programs give it, so an order in it
is never carried out. But whoever wrote one there must learn that it did not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.policy import default

from judge.game.orders.order_context import OrderContext
from judge.game.state.answers import Answer, LineResult
from judge.intake.context import MessageContext
from judge.intake.lines import read_lines

_QUOTED_ONCE = re.compile(r"\s*>\s?(?!\s*>)(.*)")
_WORD = re.compile(r"\w+|[-/]")

_MOST = 8
"""Lines that are told."""

_LONGEST = 120
"""Characters of a line that may be an order somebody typed."""


def not_counted(context: MessageContext, desk: Callable[[], OrderContext]) -> Iterator[LineResult]:
    """The orders that the writer put into the quote of the letter he answers, as lines that could
    not be used: they read as orders, and do not stand in that letter."""
    quoted = map(_QUOTED_ONCE.match, context.incoming.body.splitlines())
    lines = [match[1] for match in quoted if match]
    if not lines or context.cursor.state is None:
        return
    incoming = context.incoming
    ids = [*incoming.in_reply_to, *reversed(incoming.references)]
    letter = context.storage.outbound.by_message_id(ids)
    if letter is None or letter.person_id != (context.sender.person and context.sender.person.id):
        return
    sent = _words(_text(letter.raw))
    added = [line for line in lines if 2 < len(line) <= _LONGEST and _words(line) not in sent]
    taken = {item.read for item in context.report.results}
    found = 0
    for line in read_lines("\n".join(added), context.table, desk) if added else ():
        if line.kind == "order" and line.problem is None and line.read not in taken:
            found += 1
            if found <= _MOST:
                write = (line.read,) if line.read else ()
                yield LineResult(line.text, "refused", Answer("in_quote"), line.read, write)


def _text(raw: bytes) -> str:
    """The plain text of one of our letters."""
    part = message_from_bytes(raw, policy=default).get_body(("plain",))
    return "" if part is None else str(part.get_content())


def _words(text: str) -> str:
    """A text as its words alone, since mail programs break lines anew and mark what was bold."""
    return f" {' '.join(_WORD.findall(text.replace('_', ' ')))} ".casefold()
