"""How fast the game goes: SET MOVE, RETREAT, ADJUST and PACE, and CLOCK, NEXT, MIN, DELAY, DAYS by
themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from judge.commands.names_meant import reading
from judge.commands.setting_values import Behavior, changeable, note
from judge.game.clock.game_clock import holidays, spread_out
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.settings import PACES, TABLE
from judge.i18n import Message, Translations, say
from judge.intake.command import Run, described, example
from judge.intake.context import Cursor, Log, Report
from judge.intake.given import given
from judge.intake.lines import Line
from judge.render import hours_in_words
from judge.render import pace as pace_in_words
from judge.rules.variant import Variant
from judge.schedule import deadlines
from judge.schedule.deadlines import Pace
from judge.schedule.plain import read_plain
from judge.sentences import error_wording
from judge.storage import PaceSteps

FIELDS = ("clock", "next", "min", "delay", "grace", "days")
ALL = tuple(PACES.values())
_PHASES = {
    "move": Message("movement phases"),
    "retreat": Message("retreat phases"),
    "adjust": Message("adjustment phases"),
}

# `90 min` and `2 days` are lengths, `MIN 12` and `DAYS -MTWTF-` are fields.
_FIELD = re.compile(
    r"\b((?<!o')clock|next|grace|delay|(?<!\d)min(?=\s*[=:]?\s*\.?\d)"
    r"|days(?=\s*[=:]?\s*[-smtwf]+(?![^\s,.])))\b\s*[=:]?\s*",
    re.IGNORECASE,
)
_PHASE = re.compile(r"\b(move|retreat|adjust)(?:ments?|s)?\b", re.IGNORECASE)
_MASK = re.compile(r"[-smtwf]+\Z", re.IGNORECASE)


def read_pace(pace: Pace, text: str) -> tuple[Pace, str | None]:
    """Return `pace` with what `text` changes, in fields (`NEXT 48H CLOCK 20:00 DAYS -MTWTF-`), in
    plain words, or in both; and the time zone that the plain words name.

    Raises ValueError, saying what cannot be read.
    """
    plain, *fields = _FIELD.split(text)
    zone = None
    if (bare := plain.strip(" ,.:=").lower()) in FIELDS:
        raise ValueError(_no_value(bare))
    if plain.strip(" ,") or not fields:
        pace, zone = read_plain(pace, plain.strip(" ,."))
    changes: dict[str, Any] = {}
    for field, said in zip(fields[::2], fields[1::2], strict=True):
        name, value = field.lower(), said.strip(" ,.")
        if not value:
            raise ValueError(_no_value(name))
        if name == "clock":
            changes[name] = deadlines.read_clock(value)
        elif name == "days":
            changes[name] = value
        else:
            changes[name] = deadlines.read_hours(value)
    return replace(pace, **changes), zone


def is_pace(text: str, _: Variant) -> bool:
    """Return whether a text says how fast a game goes."""
    try:
        for _phases, said in _parts(text, ()):
            read_pace(Pace(None, 24, 0, 0, 0), said)
    except ValueError:
        return False
    return True


def _no_value(name: str) -> str:
    return say("{field} takes a value", field=name.upper())


def _parts(text: str, names: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what is said for which phases: `48H CLOCK 20:00 RETREAT 24H` says two things."""
    head, *rest = _PHASE.split(text)
    if head.strip(" ,") or not rest:
        yield names, head
    for phase, said in zip(rest[::2], rest[1::2], strict=True):
        yield (phase.lower(),), said


def change(
    cursor: Cursor,
    report: Report,
    now: datetime,
    log: Log,
    text: str,
    names: tuple[str, ...],
    write: str,
) -> Answer:
    """Change the pace of the phases called `names`; `write` is what to write where it fails."""
    state = changeable(cursor)
    before = state.settings
    zone: str | None = None
    kept = dict(state.game.options.steps)
    try:
        for phases, said in _parts(text, names):
            for name in phases:
                old = getattr(state.settings, name)
                new, found = read_pace(old, said)
                new = _keep_step(old, new, kept.get(name) or TABLE[name].default)
                if new.next < 24 <= old.next:
                    kept[name] = PaceSteps(old.min, old.delay, old.grace)
                zone = found or zone
                state.set(**{name: new})
        if zone is not None:
            state.set(zone=zone)
    except ValueError as error:
        state.settings = before
        first = text.split()[0].lower() if text.split() else ""
        if first in FIELDS and write.split()[1].lower() not in FIELDS:
            usual = "GRACE 3D" if first == "grace" else example(f"set {first}").partition(" ")[2]
            write = f"{' '.join(write.split()[:2])} {usual}"
        raise Refused("bad_setting", write=write, problem=error_wording(error)) from None
    state.note(steps=kept)
    rows, undo = [], []
    for name in ALL:
        old, new = getattr(before, name), getattr(state.settings, name)
        changed = [field for field in FIELDS if getattr(old, field) != getattr(new, field)]
        rows += [note(cursor, report, log, *_row(name, field, old, new)) for field in changed]
        if changed and state.phase is not None:
            undo.append(_line(name, old, changed))
    if before.zone != state.settings.zone:
        called = Message("time zone of the game")
        rows.append(note(cursor, report, log, called, before.zone, state.settings.zone))
    coming = _next_deadlines(now, state)
    facts = {"game": state.game.name, "rows": rows, "deadlines": coming, "undo": undo}
    return Answer("pace", facts)


def _line(name: str, pace: Pace, fields: Iterable[str]) -> str:
    """Return the line that sets these fields of the phases called `name` to what a pace has."""
    return " ".join(
        [f"SET {TABLE[name].words[0].upper()}", *(_written(pace, each) for each in fields)]
    )


def _written(pace: Pace, field: str) -> str:
    value = getattr(pace, field)
    if field == "clock":
        return "CLOCK NONE" if value is None else f"CLOCK {value // 60:02}:{value % 60:02}"
    if field == "days":
        return f"DAYS {value}"
    # A part of an hour may have no end: 10 minutes are 0.1666.
    time = f"{value:g}H" if value == int(value) else f"{value * 60:g}M"
    return f"{field.upper()} {time}"


def _keep_step(old: Pace, new: Pace, usual: Pace | PaceSteps) -> Pace:
    """Return a pace whose MIN, DELAY and GRACE fit it: where it goes from days to hours or back,
    those that were set with the old one, and that nobody changes now, go with it, back to those
    there were before, or the `usual` ones."""
    kept = [each for each in _STEPS if getattr(old, each) == getattr(new, each)]
    if new.next < 24 <= old.next:
        fitting: dict[str, Any] = {"min": 0, "delay": 0, "grace": new.next}
    elif old.next < 24 <= new.next and (old.min, old.delay, old.grace) == (0, 0, old.next):
        fitting = {each: getattr(usual, each) for each in _STEPS}
    else:
        return new
    return replace(new, **{each: fitting[each] for each in kept})


_STEPS = ("min", "delay", "grace")


def _next_deadlines(now: datetime, state: State) -> list[datetime]:
    """Return the deadlines that three movement phases in a row would have from now on."""
    found: list[datetime] = []
    pace, free = spread_out(state, state.settings.move), holidays(state, now)
    for _ in range(_SHOWN):
        after = found[-1] if found else max(now, state.game.deadline or now)
        found.append(deadlines.next_deadline(pace, after, None, state.settings.zone, free))
    return found


_SHOWN = 3
"""Deadlines that are shown after a change of the pace."""


def _row(name: str, field: str, old: Pace, new: Pace) -> tuple[Message, Translations, Translations]:
    called = Message("{field} of {phases}", {"field": field.upper(), "phases": _PHASES[name]})
    said = partial(_value, field=field)
    return called, Translations.of(partial(said, old)), Translations.of(partial(said, new))


def _value(pace: Pace, field: str) -> str:
    value = getattr(pace, field)
    if field == "clock":
        return deadlines.clock_in_words(value)
    return str(value) if field == "days" else hours_in_words(value)


def changing(names: tuple[str, ...], example: str, field: str = "") -> Run:
    """Return a command's work: to change the pace of the phases called `names`, or its `field`."""

    def run(cursor: Cursor, report: Report, now: datetime, log: Log, call: Line) -> Answer:
        text = call.arguments
        if field == "days" and not _MASK.match(text.strip(" .")):
            # Days in words change the days alone.
            with reading(example):
                text = read_plain(Pace(None, 24, 0, 0, 0), text.strip(" ."))[0].days
        return change(cursor, report, now, log, f"{field} {text}".strip(), names, example)

    return given(run)


def _behavior(name: str) -> Behavior:
    def show(state: State) -> str:
        pace: Pace = getattr(state.settings, name)
        return pace_in_words(pace)

    def write(state: State) -> str | None:
        pace: Pace = getattr(state.settings, name)
        if pace == TABLE[name].default:
            return None
        return " ".join(_written(pace, field) for field in FIELDS)

    return Behavior(run=changing((name,), TABLE[name].example), own=is_pace, show=show, write=write)


BEHAVIOR = {name: _behavior(name) for name in ALL}
"""How the pace of each type of phase is set and worded, by the names of the settings."""


COMMANDS = [
    described(
        f"set {field}",
        changing(ALL, example(f"set {field}"), "" if field == "pace" else field),
        own=is_pace,
    )
    for field in ("pace", "clock", "next", "min", "delay", "days")
]
