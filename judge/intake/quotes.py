"""What of a mail is a quote: by the letters of ours that it answers.

What was typed into a quote counts as far as it is an order, a sheet that was filled in or a line
that was changed, or a command beyond doubt. Everything else there may be some program's doing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from judge.game.orders.interpret import OrderContext
from judge.intake.command import Table
from judge.intake.context import Answered
from judge.intake.gate import is_certain
from judge.intake.lines import Line, read_lines
from judge.mail.message import Kind, ParsedMessage, answering
from judge.mail.quotes import packed, unpacked
from judge.storage import OutboundMessage, Person, Storage

_MOST_LETTERS = 10
"""Letters by which a mail is cut."""

_MOST = 100
"""Lines of a quote in which something was typed."""

_MOST_ASKED = 5
"""Commands typed into a quote that are asked about."""

_LONGEST = 200
"""Characters of a line that may be an order."""


def without_quotes(
    storage: Storage, incoming: ParsedMessage, person: Person | None, named: Answered | None
) -> ParsedMessage:
    """Return a mail without what it quotes of the letters that it answers; where it names none, of
    the last ones to its sender, who is `person`. `named` is the one whose address it came to."""
    if incoming.kind is not Kind.MESSAGE:
        return incoming
    address, at = (named.ticket.address, named.ticket.created_at) if named else ("", None)
    ids = [*incoming.in_reply_to, *incoming.references]
    letters = [
        letter
        for letter in storage.outbound.answered(ids, address, at, _MOST_LETTERS)
        # What is cut would tell what stands in another one's letter.
        if letter.recipient == incoming.sender
        or (person is not None and letter.person_id == person.id)
    ]
    if not (names := bool(letters)):
        letters = storage.outbound.latest(person.id if person else incoming.sender, _MOST_LETTERS)
    cut = answering(incoming, frozenset().union(*(_digests(storage, each) for each in letters)))
    # Whoever says again what a reply repeated quotes nothing.
    return cut if names or cut.text.strip() else incoming


def _digests(storage: Storage, letter: OutboundMessage) -> frozenset[int]:
    """The digests of a letter, which are kept from the first time on that it may be quoted."""
    stored = letter.digests
    if letter.raw and not stored:
        stored = packed(letter.raw)
        storage.outbound.keep_digests(letter.id, stored)
    return unpacked(stored)


def typed_lines(
    typed: Sequence[Sequence[str]], table: Table, desk: Callable[[], OrderContext], press: bool
) -> tuple[list[str], list[Line]]:
    """Return what counts of that which was typed into a quote, and what is asked about.

    Orders for the writer's own units count, those that cannot be carried out, too, save in answers
    to press; so do commands that only ask. Other commands are asked about.
    """
    found: dict[str, None] = {}
    asked: dict[str, Line] = {}
    for readings in typed[:_MOST]:
        read = [list(read_lines(said, table, desk)) for said in readings if len(said) <= _LONGEST]
        if (command := next(filter(None, map(_command, read)), None)) is not None:
            assert command.command is not None
            if command.command.asks or command.command.harmless:
                found[command.text] = None
            else:
                # It stands in no row of the writer's own text.
                asked[command.text] = replace(command, rows=range(0))
            continue
        right = [lines for lines in read if lines and all(_is_own(line, desk()) for line in lines)]
        good = [lines for lines in right if not any(line.problem for line in lines)]
        lines = next(iter(good if good or press else right), [])
        found |= dict.fromkeys(line.text for line in lines)
    return list(found), list(asked.values())[:_MOST_ASKED]


def _command(lines: Sequence[Line]) -> Line | None:
    """The one command that lines are, beyond doubt and complete."""
    command = lines[0].command if len(lines) == 1 and lines[0].kind == "command" else None
    if command is None or command.ends or command.frames or command.stops or command.enters:
        return None
    return lines[0] if is_certain(lines[0]) else None


def _is_own(line: Line, desk: OrderContext) -> bool:
    """Whether a line is an order for a unit of the writer's own, as far as that is known."""
    if line.kind not in ("order", "unknown") or line.asked is None:
        return False
    owner = desk.owner(line.asked.place)
    return not desk.powers or owner in desk.powers
