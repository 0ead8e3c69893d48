"""A mail from its first line to its last: each one a command, an order, press, or left alone."""

from __future__ import annotations

import re

from judge.game.body import end_mark, lines_of, meant
from judge.game.command import Answer, Call, Command, Refused
from judge.game.orders import looks_like_order, take
from judge.game.rights import allow
from judge.game.visit import Item, Visit
from judge.language.names import Names
from judge.mail.message import Kind

MOST_LINES = 1000
"""Lines of a mail that are read; nobody plays with more."""

MOST_TEXT = 200_000
"""Characters of a mail that are read."""

MOST_CHARACTERS = 1000
"""A longer line is prose, save in press."""

SIGN_OFF = "signoff"

_SET = re.compile(r"set\b\s*", re.IGNORECASE)


def work_through(visit: Visit) -> None:
    """Carry out a mail line by line; what came of each is in `visit.items`.

    A line that fails changes nothing and spoils no other one.
    """
    if visit.incoming.kind is Kind.UNREADABLE:
        facts = {"reason": visit.incoming.reason}
        visit.items.append(Item("", "refused", Answer("unreadable_mail", facts)))
        return
    lines = list(lines_of(visit.incoming.text[:MOST_TEXT]))
    _read(visit, lines[:MOST_LINES])
    if len(lines) > MOST_LINES or len(visit.incoming.text) > MOST_TEXT:
        visit.items.append(Item("", "refused", Answer("too_long", {"lines": MOST_LINES})))


def _read(visit: Visit, lines: list[str]) -> None:
    place = 0
    while place < len(lines):
        line = meant(lines[place])
        place += 1
        if not line or len(line) > MOST_CHARACTERS:
            continue
        parts = _parts(visit, line)
        if not parts:
            _other(visit, line)
        for text, command, arguments in parts:
            if command is None:
                _no_command(visit, text)
                continue
            block: list[str] = []
            if command.ends:
                place, block = _block(command, lines, place)
            call = Call(text, arguments, tuple(block))
            if _carry_out(visit, command, call):
                return


def _parts(visit: Visit, line: str) -> list[tuple[str, Command | None, str]]:
    """The commands of a line: one, or several settings with commas; None for what is none of them.

    [] when the line is no command at all.
    """
    head = _SET.match(line)
    if head is None:
        found = visit.table.find(line)
        return [(line, *found)] if found else []
    parts: list[tuple[str, Command | None, str]] = []
    for piece in line[head.end() :].split(","):
        text = "SET " + _SET.sub("", piece.strip())
        found = visit.table.find(text)
        before = parts[-1] if parts else None
        if found is not None:
            parts.append((text, *found))
        elif before is not None and before[1] is not None and before[1].usage:
            # No setting of its own: the comma belongs to the arguments before it.
            parts[-1] = (f"{before[0]},{piece}", before[1], f"{before[2]},{piece}")
        else:
            parts.append((text, None, ""))
    return parts


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
        _no_command(visit, line)


def _no_command(visit: Visit, line: str) -> None:
    """A line that was meant as a command, and is none."""
    near = visit.table.near(line)
    command = visit.table.find_words(near) if near else None
    if near is None or command is None:
        visit.items.append(Item(line, "refused", Answer("no_command"), write="HELP"))
        return
    answer = Answer("near_command", {"near": near.upper(), "summary": command.summary})
    form = f"{near.upper()} {command.usage}".rstrip()
    visit.items.append(Item(line, "refused", answer, write=form))


_ORDERLY = re.compile(
    r"(?:[af]|army|fleet)\s+\S+.*(?:[-–—→>]|\b(?:[hsc]|holds?|supports?|convoys?)\b)|\w{3}\s*[-–—→]+>?\s*\w{3}\b",
    re.IGNORECASE,
)


def _orderly(line: str) -> bool:
    """Whether a line looks like an order, no board being known to ask."""
    return len(line.split()) <= 12 and bool(_ORDERLY.match(line))
