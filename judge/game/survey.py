"""What the judge would make of a mail, as one JSON object (`judge read`); nothing is touched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from judge.game.command import Table
from judge.game.desk import Desk
from judge.game.hints import hints
from judge.game.lines import Line, counted, orders_by_power, read_lines
from judge.game.recipients import ALL, Head, named
from judge.mail.message import Incoming, Kind
from judge.mail.tongue import tongue
from judge.render import letters
from judge.rules.orders import Order


def survey(incoming: Incoming, table: Table, desk: Desk) -> dict[str, Any]:
    """The object that `docs/formats.md` describes for `judge read --json`."""
    reads = incoming.kind is Kind.MESSAGE
    text = counted(incoming.text, incoming.attached, table, lambda: desk)
    lines = list(read_lines(text, table, lambda: desk)) if reads else []
    by_power = orders_by_power(lines)
    return {
        "from": incoming.sender,
        "answerable": incoming.answerable,
        "kind": incoming.kind.value,
        "reason": incoming.reason,
        "language": tongue(_prose(lines), incoming.language or "en"),
        "subject": incoming.subject,
        "text": text,
        "lines": [_line(line, desk) for line in lines if line.text],
        "commands": [
            line.read
            for line in lines
            if line.kind == "command" and line.command and not line.problem
            if line.command.words[0] != "sign off"
        ],
        "orders": {
            "null" if power is None else power: orders for power, orders in by_power.items()
        },
        "press": list(_press(lines, desk)),
        "hints": _hints(lines, desk),
    }


def _prose(lines: Sequence[Line]) -> str:
    return "\n".join(line.text for line in lines if line.kind in ("text", "press"))


def _line(line: Line, desk: Desk) -> dict[str, Any]:
    return {
        "line": line.text,
        "kind": line.kind,
        "read": line.read if line.kind != "unknown" else None,
        "problem": _problem(line, desk),
        "suggestion": line.offers[0] if line.offers else None,
        "suggestions": list(line.offers),
    }


def _problem(line: Line, desk: Desk) -> str | None:
    if line.problem is None:
        return None
    said = line.problem.facts.get("problem")
    if isinstance(said, str) and said:
        return said
    return letters.answer(line.problem.code, {"game": "this game", **line.problem.facts})


def _press(lines: Sequence[Line], desk: Desk) -> list[dict[str, Any]]:
    found = []
    power = desk.powers[0] if desk.powers else None
    for line in lines:
        if line.command is None or line.call is None or line.kind != "press" or line.problem:
            continue
        head = Head.read(line.call.arguments)
        text = list(line.call.block)
        if line.command.words[0] == "press":
            to = named(desk.variant, head.to, power)
        else:
            to = [ALL]
            if head.to and head.to.lower() != "all":
                text.insert(0, head.to)
        body = "\n".join(text).strip("\n")
        if body.strip():
            found.append({"to": to, "colour": head.colour or "white", "text": body})
    return found


def _hints(lines: Sequence[Line], desk: Desk) -> list[dict[str, Any]]:
    """What does not fit in the orders of each power, had it given no others."""
    by_power: dict[str, list[Order]] = {}
    for line in lines:
        if line.kind == "order" and line.asked and not line.problem and line.asked.power:
            by_power.setdefault(line.asked.power, []).append(line.asked.order)
    return [
        {
            "power": power,
            "order": hint.order,
            "problem": letters.answer(hint.answer.code, hint.answer.facts),
            "suggestions": list(hint.offers),
        }
        for power, orders in by_power.items()
        for hint in hints(desk, power, orders)
    ]
