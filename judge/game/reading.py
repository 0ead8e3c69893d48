"""A mail from its first line to its last: each one a command, an order, press, or left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from judge.game.body import end_mark, lines_of, meant
from judge.game.command import Answer, Call, Command, Refused
from judge.game.orders import looks_like_order, take
from judge.game.rights import allow
from judge.game.visit import Item, Visit
from judge.language.names import Names

MOST_LINES = 1000
"""Lines of a mail that are read; nobody plays with more."""

SIGN_OFF = "signoff"

_SET = re.compile(r"set\b\s*", re.IGNORECASE)


def work_through(visit: Visit) -> None:
    """Carry out a mail line by line; what came of each is in `visit.items`.

    A line that fails changes nothing and spoils no other one.
    """
    lines = list(lines_of(visit.incoming.text))[:MOST_LINES]
    place = 0
    while place < len(lines):
        line = meant(lines[place])
        place += 1
        if not line:
            continue
        parts = list(_parts(visit, line))
        if not parts:
            _other(visit, line)
        for text, command, arguments in parts:
            block: list[str] = []
            if command.ends:
                place, block = _block(command, lines, place)
            call = Call(text, arguments, tuple(block))
            if _carry_out(visit, command, call):
                return


def _parts(visit: Visit, line: str) -> Iterator[tuple[str, Command, str]]:
    """The commands of a line: one, or several settings with commas."""
    head = _SET.match(line)
    if head is None:
        found = visit.table.find(line)
        if found:
            yield line, *found
        return
    pieces: list[str] = []
    for piece in line[head.end() :].split(","):
        text = "set " + _SET.sub("", piece.strip())
        if pieces and visit.table.find(text) is None:
            # No setting of its own: the comma belongs to the one before it.
            pieces[-1] += f", {piece.strip()}"
        else:
            pieces.append(text)
    for text in pieces:
        found = visit.table.find(text)
        if found:
            yield "SET" + text[3:], *found


def _block(command: Command, lines: list[str], place: int) -> tuple[int, list[str]]:
    """The lines that belong to a command, and where reading goes on."""
    block: list[str] = []
    while place < len(lines):
        line = lines[place]
        mark = end_mark(line)
        if mark == SIGN_OFF:
            # It ends the mail as well, so it is left to be read.
            return place, block
        if mark in command.ends:
            return place + 1, block
        if command.takes is not None and not command.takes(line):
            return place, block
        block.append(line)
        place += 1
    return place, block


def _carry_out(visit: Visit, command: Command, call: Call) -> bool:
    """Run a command; whether reading ends with it."""
    try:
        allow(visit, command)
        answer = command.run(visit, call)
    except Refused as refused:
        answer = Answer(refused.code, refused.facts)
        visit.items.append(Item(call.line, "refused", answer, command.form, refused.write))
        return False
    visit.items.append(Item(call.line, "command", answer, command.name, asks=command.asks))
    return answer.ends


def _other(visit: Visit, line: str) -> None:
    """A line that begins with no command: orders, something meant for us but wrong, or prose."""
    items = take(visit, line)
    if items:
        visit.items += items
        return
    state = visit.state
    if state is not None and looks_like_order(line, Names.of(state.variant)):
        if state.game.state != "active":
            facts = {"game": state.game.name, "state": state.game.state}
            visit.items.append(Item(line, "refused", Answer("no_orders_now", facts)))
        elif not visit.playing():
            facts = {"game": state.game.name}
            visit.items.append(Item(line, "refused", Answer("players_only", facts)))
        else:
            visit.items.append(Item(line, "refused", Answer("no_order", {})))
        return
    if state is None and _orderly(line):
        try:
            visit.here()
        except Refused as refused:
            answer = Answer(refused.code, refused.facts)
            visit.items.append(Item(line, "refused", answer, write=refused.write))
        return
    near = visit.table.near(line)
    if near is not None and len(line.split()) <= len(near.split()) + 3:
        command = visit.table.find_words(near)
        assert command is not None
        answer = Answer("no_command", {"near": near.upper(), "summary": command.summary})
        form = f"{near.upper()} {command.usage}".rstrip()
        visit.items.append(Item(line, "refused", answer, write=form))


_ORDERLY = re.compile(
    r"(?:[af]|army|fleet)\s+\S+.*(?:[-–—→>]|\b(?:[hsc]|holds?|supports?|convoys?)\b)|\w{3}\s*[-–—→]+>?\s*\w{3}\b",
    re.IGNORECASE,
)


def _orderly(line: str) -> bool:
    """Whether a line looks like an order, no board being known to ask."""
    return len(line.split()) <= 12 and bool(_ORDERLY.match(line))
