"""HISTORY: the public results and broadcasts of a game again."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from judge.game import sight
from judge.game.archive import entry, readable
from judge.game.command import Answer, Call, Command, Refused
from judge.game.diaries import published
from judge.game.state import State
from judge.game.visit import Visit
from judge.language.phases import read_phase
from judge.rules.phase import Phase

_RANGE = re.compile(
    r"(?P<game>.*?)\s*(?:\bfrom\s+(?P<first>.*?))?\s*(?:\bto\s+(?P<last>.*?))?\s*\Z",
    re.IGNORECASE,
)


def run(visit: Visit, call: Call) -> Answer:
    found = _RANGE.match(call.arguments.strip(" ."))
    assert found is not None
    state = visit.game_named(found["game"]) if found["game"] else visit.here()
    first = _phase(state, found["first"])
    last = _phase(state, found["last"])
    runs = visit.storage.history.of_game(state.game.id)
    week = visit.now - timedelta(days=7)
    if first is None and last is None:
        runs = [run for run in runs if run.processed_at >= week] or runs[-1:]
    key = state.variant.calendar.key
    chosen = [
        run
        for run in runs
        if (first is None or key(Phase.read(run.phase)) >= key(first))
        and (last is None or key(Phase.read(run.phase)) <= key(last))
    ]
    reader = visit.person.id if visit.person else None
    press = [
        entry(state, said, reader)
        for said in readable(state, reader)
        if _is_within(state, said.phase, said.sent_at, (first, last), week)
    ]
    diaries = [
        diary | {"pages": pages}
        for diary in published(state)
        if (
            pages := [
                page
                for page in diary["pages"]
                if _is_within(state, page["phase"], page["at"], (first, last), week)
            ]
        )
    ]
    return Answer(
        "history",
        {
            "game": state.game.name,
            "reports": [
                report
                for run in chosen
                if (report := sight.report(state, run, reader))["orders"]
            ],
            "press": press,
            "diaries": diaries,
            "total": len(runs),
            "blind": not sight.sees_all(state, reader),
        },
    )


def _is_within(
    state: State,
    phase: str | None,
    at: datetime,
    asked: tuple[Phase | None, Phase | None],
    week: datetime,
) -> bool:
    """Whether something was written in a range of phases, or, without one, in the last week."""
    first, last = asked
    if first is None and last is None:
        return at >= week
    if phase is None:
        return first is None
    key = state.variant.calendar.key
    there = key(Phase.read(phase))
    return (first is None or there >= key(first)) and (last is None or there <= key(last))


def _phase(state: State, text: str | None) -> Phase | None:
    if not text:
        return None
    try:
        return read_phase(text, state.variant)
    except ValueError as error:
        example = f"HISTORY {state.game.name} FROM {state.variant.start_phase}"
        raise Refused("bad_setting", write=example, problem=str(error)) from None


COMMAND = Command(
    words=("history",),
    who="anybody",
    summary="results and press of past phases",
    help=(
        "FROM and TO take phases (S1901M, Fall 1902); without them it is the last week. Everybody "
        "gets the broadcasts, and the press that he wrote or was written to; after the end, the "
        "diaries."
    ),
    usage="[game] [FROM phase] [TO phase]",
    example="HISTORY paris FROM S1901M",
    run=run,
    asks=True,
    group="information",
)
