"""The one door out: what somebody wrote becomes what others read here and nowhere else.

Nothing goes through it that holds an address of the judge, a token or the proof of anything, or
that quotes a letter of the judge to its writer. Addresses and tokens prove themselves, and letters
are known by the digests of their words, so it matters neither which program quoted one, nor how,
nor in which language it says so. What the writer or somebody else wrote stands in letters, too, and
may be said again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from judge.game.state.answers import Refused
from judge.game.visibility.identity import plain
from judge.intake import letters
from judge.intake.command import CommandTable
from judge.intake.context import Cursor, MessageContext
from judge.intake.lines import read_lines
from judge.language.names import words_of
from judge.language.wish_model import sentences
from judge.mail import quotes
from judge.mail.address import Addresses
from judge.mail.message import ParsedMessage, answering, parse
from judge.mail.own_text import without_announcement
from judge.mail.redact import REDACTED
from judge.storage import InboundMessage, Outward, Quotable, Storage

_MOST = 30
"""Letters to the writer that are looked for, those aside that the mail answers."""

_LINE = 4
"""Words of a line that is known to be one of a letter. An order may have as many."""

_RUN = 8
"""Words in a row that a text has in common with a letter, in whole lines, if it quotes it."""

_LONG = 12
"""The same, where there are other words in a line."""


class Passed(NamedTuple):
    """What goes out, and the line from which on the rest stays behind, "" where all goes: it
    `quotes` a letter, or has an address in it."""

    text: Outward
    cut: str = ""
    quotes: bool = False


def passed(context: MessageContext, lines: Sequence[str]) -> Passed:
    """Return what may go out of lines of somebody's: all, or what stands above the first line with
    something of the judge's. Raises Refused where nothing does."""
    text = "\n".join(lines)
    for secret in context.sender.secrets:
        text = text.replace(secret, REDACTED) if len(secret) > _LINE else text
    lines = text.split("\n")
    place = context.addresses.first_in(text, context.profile.address)
    named = len(lines) if place is None else text.count("\n", 0, place)
    quoted = _quote(context.cursor, context.table, context.incoming, lines[:named])
    first = min(named, quoted)
    if first == len(lines):
        return Passed(Outward(text.strip("\n")))
    kept = without_announcement([line.rstrip() for line in lines[:first]])
    # A name above its address announces a quote, too, where a program broke the line between.
    while kept and kept[-1].strip() in ("", context.profile.name):
        del kept[-1]
    left = "\n".join(kept).strip("\n")
    if not left.strip(" \t\n>|*_-="):
        raise Refused("outward", line=lines[first].strip(), quotes=quoted < named)
    return Passed(Outward(left), lines[first].strip(), quoted < named)


def whole(context: MessageContext, text: str) -> Outward:
    """Return a text as it may go out. Raises Refused where anything in it may not."""
    found = passed(context, text.split("\n"))
    if found.cut:
        raise Refused("outward", line=found.cut, quotes=found.quotes)
    return found.text


def bare(context: MessageContext, text: str, instead: str = "") -> Outward:
    """Return a text as it may go out, and where it may not or is none, what is said `instead`."""
    for each in filter(None, (text, instead)):
        with suppress(Refused):
            return whole(context, each)
    return Outward("")


def ours(text: str) -> Outward:
    """Return words of the judge's own as what others may read."""
    return Outward(text)


def unsigned(text: Outward, names: Sequence[str]) -> Outward:
    """Return a text without what tells who wrote it, who goes by these names."""
    return Outward(plain(text, names))


def shown(addresses: Addresses, own: str, lines: Iterable[str]) -> list[Outward]:
    """Return the lines of anybody's message that others may read; `own` is the judge's address."""
    return [Outward(line) for line in lines if addresses.first_in(line, own) is None]


def _quote(cursor: Cursor, table: CommandTable, mail: ParsedMessage, lines: Sequence[str]) -> int:
    """Return the number of the first line that quotes a letter to the writer, else of all."""
    person, storage = cursor.sender.person, cursor.storage
    if person is None:
        return len(lines)
    answered = letters.answered(storage, mail, person, cursor.sender.named)
    latest = storage.outbound.latest(person.id, _MOST)
    known = {each.id: each for each in (*answered, *latest)}
    found = sorted(known.values(), key=lambda letter: letter.id)
    first = _first_of_letter(cursor, table, lines, letters.digests_of(storage, found))
    if first < len(lines):
        # What people said is read only where it matters: to take their mails apart takes a while.
        said = _said_by_judge(storage, cursor.mail, found)
        first = _first_of_letter(cursor, table, lines, said)
    return first


def _said_by_judge(storage: Storage, mail: InboundMessage, sent: list[Quotable]) -> frozenset[int]:
    """Return the digests of letters, oldest first, without those of what people had written."""
    ours, theirs, seen = set[int](), set[int](), {mail.id}
    for letter in sent:
        found = storage.inbound.find(letter.mail_id) if letter.mail_id else None
        if found is not None and found.id not in seen:
            seen.add(found.id)
            read = answering(parse(found.raw, found.envelope_from), frozenset(ours))
            # A sentence, and what stands behind a label, may be offered by itself.
            labels = read.text.replace(":", ":\n")
            parts = (each.text for each in sentences(labels.split("\n")))
            said = (read.text, read.attached, labels, *parts)
            theirs |= quotes.digests_of_text("\n".join(said))
        ours |= letters.digests_of(storage, [letter]) - theirs
    return frozenset(ours)


def _first_of_letter(
    cursor: Cursor, table: CommandTable, lines: Sequence[str], known: frozenset[int]
) -> int:
    """Return the number of the first line of the first quote; how many lines there are where there
    is none. Orders that stand alone are none: people tell each other theirs."""
    rows = quotes.rows_of(lines, quotes.depths(list(lines)), known)
    start, count, talk = 0, 0, False
    for number, row in enumerate(rows):
        if not row.words:
            continue
        # A long line has rows of its own: without them somebody's words end just there.
        if not (all(row.known) or (row.whole and len(row.words) < _LINE)):
            if row.longest >= _LONG:
                return number
            count, talk = 0, False
            continue
        if not count:
            start = number
        count += len(row.words)
        enough = count >= _RUN or (row.whole and len(row.words) >= _LINE)
        read = list(read_lines(row.bare, table, cursor.turn))
        orders = " ".join(each.read for each in read if each.kind == "order" and each.read)
        # An order as the judge prints it, and not a word more, is no talk.
        talk = talk or not orders or words_of(orders) != words_of(row.bare)
        if enough and talk:
            return start
    return len(lines)
