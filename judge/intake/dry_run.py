"""What the judge would make of a mail, as one JSON object (`judge read`); nothing is touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace

from judge import i18n, render
from judge.clock import SystemClock
from judge.game.orders.consistency import Hint, hints
from judge.game.orders.later import LaterLine
from judge.game.orders.order_context import OrderContext
from judge.game.press.recipients import PressHead, answered, named
from judge.game.state.answers import Answer
from judge.game.visibility.readable_press import ALL
from judge.intake.command import CommandTable
from judge.intake.context import Fate, Fated, ReplySheet, names_of
from judge.intake.doubts import held_back, in_doubt, is_in_doubt
from judge.intake.gate import Told, is_marked, press_lines, tell_apart
from judge.intake.lines import Line, acts, is_talk, meant, read_lines
from judge.intake.reading import typed_lines
from judge.intake.second_thoughts import counting
from judge.intake.talk import asked_by, fate_of
from judge.intake.wishes import Request
from judge.language.read import Reader
from judge.mail.detect_language import detect_language
from judge.mail.message import MailKind, ParsedMessage, answering, parse
from judge.mail.quotes import digests, quoted_above
from judge.storage import PressColor


def dry_run(
    incoming: ParsedMessage,
    table: CommandTable,
    turn: OrderContext,
    letters: Sequence[bytes] = (),
    *,
    why: bool = False,
) -> dict[str, Any]:
    """Return object that `docs/formats.md` describes for `judge read --json`; `letters` are those
    of ours that the mail may answer. `why`: each line says which rule read each piece of it."""
    reads = incoming.kind is MailKind.MESSAGE
    turn = replace(turn, commands=table.names)
    incoming = answering(incoming, frozenset[int]().union(*map(digests, letters)))
    to = _writer_answered(incoming, letters)
    typed, offered = typed_lines(incoming.typed, table, lambda: turn, press=to is not None)
    text = "\n".join([*typed, *([""] if typed else []), incoming.text])
    if incoming.attached.strip() and not acts(text, table, lambda: turn):
        text = f"{text}\n{incoming.attached}".strip("\n")
    sheet = ReplySheet(names=names_of(incoming))
    for line in offered:
        sheet.give(line, Fate.ASKED)
    if reads:
        sheet.add(text)
    told = None
    if to is not None and not is_marked(text, table, lambda: turn):
        told = tell_apart(
            sheet.rows, table, lambda: turn, True, (to,) if to in turn.variant.powers else ()
        )
    asks = reads and not (told and (told.sent or told.kept) and not told.ours)
    ours = sheet.rest(told.ours if told else None)
    lines = list(read_lines(ours, table, lambda: turn)) if asks else []
    above = quoted_above(ours.splitlines(), incoming.texts.shown)
    taken = in_doubt(lines, turn, ours.splitlines(), above)
    lines = [held_back(line, taken) for line in lines]
    misfits = _misfits(lines, turn)
    lines = _surplus(lines, misfits)
    asked = _asked(lines, incoming, turn) if told is None else {}
    _settle(sheet, lines, asked, told, to, turn)
    # What an answer to press says to anyone who wrote that, orders and commands left out.
    said = "\n".join(told.sent.values()).strip("\n") if told is not None else ""
    answer = [{"to": [to], "colour": "white", "text": said}] if said.strip() else []
    told_of = [each for each in sheet.fated if each.line.text]
    return _head(incoming, sheet) | {
        "text": text,
        "lines": [
            _line(each, asked) | (_why(each, sheet, table, turn) if why else {}) for each in told_of
        ],
        **_carried_out(lines),
        "press": [*answer, *_press(lines, turn)],
        "hints": [
            {
                "power": power,
                "order": hint.order,
                "problem": render.answer(hint.answer.code, hint.answer.facts),
                "suggestions": list(hint.offers),
            }
            for power, hint in misfits
        ],
        **_asked_for(asked),
    }


def _head(incoming: ParsedMessage, sheet: ReplySheet) -> dict[str, Any]:
    """Return who wrote what kind of mail, and in which language."""
    prose = "\n".join(each.line.text for each in sheet.fated if each.line.kind in ("text", "press"))
    return {
        "from": incoming.sender,
        "answerable": incoming.answerable,
        "kind": incoming.kind.value,
        "reason": incoming.reason,
        "language": detect_language(prose, incoming.language or i18n.DEFAULT_LANGUAGE),
        "subject": incoming.subject,
    }


def _carried_out(lines: Sequence[Line]) -> dict[str, Any]:
    """Return the commands and the orders of lines that would be carried out."""
    return {
        "commands": [
            line.read
            for line in lines
            if line.kind == "command" and line.command and not line.problem
            if not line.command.stops
        ],
        "orders": {
            "null" if power is None else power: [line.read or "" for line in given]
            for power, given in counting(lines).items()
        },
        "ahead": _ahead(lines),
    }


def _asked_for(asked: Mapping[Request, Sequence[Line]]) -> dict[str, Any]:
    """Return what plain words wish and ask, with the line that says so."""
    return {
        "wishes": [
            {"line": said[0].text, "offer": each.offer, "text": "\n".join(each.block) or None}
            for each, said in asked.items()
            if not each.about
        ],
        "questions": [
            {"line": said[0].text, "about": each.about, "read": each.offer}
            for each, said in asked.items()
            if each.about
        ],
    }


def _writer_answered(incoming: ParsedMessage, letters: Sequence[bytes]) -> str | None:
    """Return who wrote the press that a mail answers, by the letter it names or its subject."""
    named = {*incoming.in_reply_to, *incoming.references}
    read = [parse(letter) for letter in letters]
    found = [letter for letter in read if letter.message_id in named]
    if not found and len(read) == 1:
        found = read
    first = " ".join(found[0].text.partition("\n\n")[0].split()) if found else ""
    return answered(first) or answered(found[0].subject if found else incoming.subject)


def _asked(
    lines: Sequence[Line], incoming: ParsedMessage, turn: OrderContext
) -> dict[Request, Sequence[Line]]:
    """Return what plain words ask for, each with its lines."""
    found: dict[Request, Sequence[Line]] = {}
    now = incoming.date or SystemClock().now()
    for talk, group in groupby(lines, is_talk):
        each = list(group) if talk else []
        for asked in asked_by(each, turn.variant, now, "UTC", found):
            found[asked] = each[asked.first : asked.end]
    return found


def _fate_of(line: Line, turn: OrderContext) -> tuple[Line, Fate]:
    """Return a line that is no talk with what is wrong with it, and what would become of it."""
    done = Fate.SENT if line.kind == "press" else Fate.DONE
    if line.command is not None and (line.command.confirm or line.doubt):
        done = Fate.ASKED
    empty = line.kind == "press" and not line.doubt and not any(_press([line], turn))
    if line.command and line.command.refuses(line):
        line = replace(line, problem=Answer(line.command.empty))
    if line.doubt and line.doubt.facts["private"]:
        line = replace(line, problem=line.doubt)
    fate = Fate.NOTHING if line.problem or empty else done
    if is_in_doubt(line):
        assert line.problem is not None
        problem = line.problem.facts.get("problem")
        if isinstance(problem, Answer):
            # Beside the question it says what is wrong.
            return replace(line, problem=problem), Fate.NOTHING
        fate = Fate.ASKED
    return replace(line, problem=line.problem or line.doubt), fate


def _settle(
    sheet: ReplySheet,
    lines: Sequence[Line],
    asked: Mapping[Request, Sequence[Line]],
    told: Told | None,
    to: str | None,
    turn: OrderContext,
) -> None:
    """Say what would become of each line, those included that are not read."""
    fate = Fate.NOTHING
    asking = {line.rows: fate_of(each) for each, said in asked.items() for line in said}
    for talks, group in groupby(lines, is_talk):
        if talks:
            talk = list(group)
            for line, each in zip(talk, sheet.fates_of(talk), strict=True):
                sheet.give(line, Fate.ASKED if is_in_doubt(line) else asking.get(line.rows, each))
            continue
        for line in group:
            if not line.below:
                line, fate = _fate_of(line, turn)
            sheet.give(line, fate)
    if told is not None:
        for line in press_lines(told.sent):
            sheet.give(line, Fate.SENT)
        question = Answer(
            "kept_back",
            told.facts
            | {"to": [to], "text": "\n".join(told.kept.values()), "command": "", "first": True},
        )
        for line in press_lines(told.kept):
            sheet.give(replace(line, problem=question), Fate.ASKED)
    sheet.close()


def _line(fated: Fated, asked: Mapping[Request, Sequence[Line]]) -> dict[str, Any]:
    line = fated.line
    offer = next((each.offer for each, said in asked.items() if line in said), line.read)
    problem = None
    if line.problem is not None:
        facts = {"game": "this game", **line.problem.facts}
        said = str(line.problem.facts.get("problem", ""))
        problem = said or render.answer(line.problem.code, facts)
    how = i18n.gettext("Reply with YES if I should do this.")
    question = problem or f"{offer or ''}: {how}"
    return {
        "line": line.text,
        "kind": line.kind,
        "read": line.read if line.kind != "unknown" else None,
        "problem": problem if fated.fate is not Fate.ASKED else None,
        "suggestion": line.offers[0] if line.offers else None,
        "suggestions": list(line.offers),
        "fate": fated.fate.value,
        "question": question if fated.fate is Fate.ASKED else None,
    } | ({"left_over": list(line.asked.left)} if line.asked and line.asked.left else {})


def _why(
    fated: Fated, sheet: ReplySheet, table: CommandTable, turn: OrderContext
) -> dict[str, list[dict[str, str]]]:
    """Return the pieces of a line in order, which cover it with what is left over, and what read
    each. Of several orders on a line each has the pieces of the whole line."""
    line = fated.line
    if line.asked is None:
        rule = line.command.name if line.command else fated.fate.value
        return {"why": [{"text": line.text, "piece": line.kind, "rule": rule}]}
    kind = turn.wanted if line.later is None else line.later.kind
    written = " ".join(meant(sheet.rows[row]) for row in line.rows)
    text = written if line.text in written and not line.path else line.text
    said = Reader.of(turn.variant).line(text, kind, table.names)
    return {
        "why": [
            {"text": part.text, "piece": part.kind, "rule": part.rule}
            for part in said.parts
            if part.text not in line.asked.left
        ]
    }


def _press(lines: Sequence[Line], turn: OrderContext) -> list[dict[str, Any]]:
    found = []
    power = turn.powers[0] if turn.powers else None
    for line in lines:
        if line.command is None or line.kind != "press" or line.problem or line.doubt:
            continue
        text = list(line.block)
        if line.command.words[0] == "press":
            head = PressHead.read(line.arguments)
            to = named(turn.variant, head.to, power)
        else:
            head = PressHead.of_broadcast(line.arguments)
            to = [ALL]
            if head.to:
                text.insert(0, head.to)
        body = "\n".join(text).strip("\n")
        if body.strip():
            found.append({"to": to, "colour": head.color or PressColor.WHITE, "text": body})
    return found


def _misfits(lines: Sequence[Line], turn: OrderContext) -> list[tuple[str, Hint]]:
    """Return what does not fit in the orders of each power, had it given no others."""
    return [
        (power, hint)
        for power, given in counting(lines).items()
        if power
        for hint in hints(turn, power, [line.asked.order for line in given if line.asked])
    ]


def _surplus(lines: list[Line], misfits: Sequence[tuple[str, Hint]]) -> list[Line]:
    """Return lines, those with builds and removals beyond what is due with that as a problem."""
    too_many: dict[tuple[str | None, str], Answer] = {
        (power, hint.order): hint.answer
        for power, hint in misfits
        if hint.answer.code == "hint_too_many"
    }
    found = []
    for line in reversed(lines):
        if line.asked is not None and not line.problem and line.later is None:
            problem = too_many.pop((line.asked.power, str(line.asked.order)), None)
            line = replace(line, problem=problem)
        found.append(line)
    return found[::-1]


def _ahead(lines: Sequence[Line]) -> dict[str, dict[str, list[str]]]:
    """Return the orders for later phases by phase and power, as they would be kept."""
    found: dict[str, dict[str, list[tuple[str | None, LaterLine]]]] = {}
    for line in lines:
        if line.later is None or line.problem or line.asked is None or line.read is None:
            continue
        kept = found.setdefault(str(line.later), {}).setdefault(line.asked.power or "null", [])
        where = line.asked.place
        kept[:] = [
            (place, row)
            for place, row in kept
            if place != where or row.path[: len(line.path)] != line.path
        ]
        kept.append((where, LaterLine(line.read, line.path)))
    return {
        phase: {power: [str(row) for _, row in kept] for power, kept in by_power.items()}
        for phase, by_power in found.items()
    }
