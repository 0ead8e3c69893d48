"""SET MOVE, SET RETREAT, SET ADJUST: how fast the game goes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from judge.game.command import Command
from judge.game.setting import Wanted, setting
from judge.game.state import State
from judge.render.words import hours_in_words
from judge.render.words import pace as pace_words
from judge.schedule.deadlines import Pace, read_clock, read_hours

_FIELD = re.compile(r"\b(clock|min|next|grace|delay|days)\b\s*[=:]?\s*", re.IGNORECASE)


def read_pace(pace: Pace, text: str) -> Pace:
    """`pace` with what `text` changes: `NEXT 48H CLOCK 20:00 DAYS -MTWTF-`.

    Raises ValueError, saying what cannot be read.
    """
    marks = list(_FIELD.finditer(text))
    if not marks or text[: marks[0].start()].strip(" ,"):
        raise ValueError("it takes CLOCK, MIN, NEXT, GRACE, DELAY or DAYS, each with a value")
    changes: dict[str, Any] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        name = mark[1].lower()
        value = text[mark.end() : following.start() if following else None].strip(" ,.")
        if name == "clock":
            changes[name] = read_clock(value)
        elif name == "days":
            changes[name] = value
        else:
            changes[name] = read_hours(value)
    return replace(pace, **changes)


def _change(name: str) -> Callable[[Wanted], None]:
    def change(wanted: Wanted) -> None:
        pace: Pace = getattr(wanted.state.settings, name)
        wanted.state.set(**{name: read_pace(pace, wanted.arguments)})

    return change


def _show(name: str) -> Callable[[State], str]:
    def show(state: State) -> str:
        pace: Pace = getattr(state.settings, name)
        delay, least = hours_in_words(pace.delay), hours_in_words(pace.min)
        return f"{pace_words(pace)}; second thoughts {delay}, at least {least} between phases"

    return show


def _command(name: str, phases: str) -> Command:
    return setting(
        words=(f"set {name}",),
        name=f"pace of {phases}",
        summary=f"how fast {phases} go",
        help=(
            "NEXT: time from one phase to the next deadline. CLOCK: time of day of deadlines, or "
            "NONE. DAYS: seven letters from Sunday, a letter where a deadline may fall, a small "
            "one for afternoons only, - where not. DELAY: how long the judge waits for second "
            "thoughts when all orders are in. MIN: least time between two phases. GRACE is kept, "
            "but not used yet. Times: 90M, 48H, 3D, 2W. It holds from the next phase on."
        ),
        usage="NEXT time CLOCK hh:mm DAYS SMTWTFS DELAY time MIN time",
        example=f"SET {name.upper()} NEXT 48H CLOCK 20:00 DAYS -MTWTF-",
        change=_change(name),
        show=_show(name),
    )


MOVE = _command("move", "movement phases")
RETREAT = _command("retreat", "retreat phases")
ADJUST = _command("adjust", "adjustment phases")
