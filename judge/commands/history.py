"""HISTORY: the public results and broadcasts of a game again."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from judge.game.command import Answer, Call, Command, Refused
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
    if first is None and last is None:
        week = visit.now - timedelta(days=7)
        runs = [run for run in runs if run.processed_at >= week] or runs[-1:]
    key = state.variant.calendar.key
    chosen = [
        run
        for run in runs
        if (first is None or key(Phase.read(run.phase)) >= key(first))
        and (last is None or key(Phase.read(run.phase)) <= key(last))
    ]
    phases = {run.phase for run in chosen}
    press: list[dict[str, Any]] = [
        {"phase": said.phase, "sender": said.from_label, "text": said.text, "at": said.sent_at}
        for said in visit.storage.press.of_game(state.game.id)
        if said.public and (said.phase in phases or (said.phase is None and first is None))
    ]
    return Answer(
        "history",
        {
            "game": state.game.name,
            "reports": [run.results for run in chosen if run.results["orders"]],
            "press": press,
            "total": len(runs),
        },
    )


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
    summary="results and broadcasts of past phases",
    help="FROM and TO take phases (S1901M, Fall 1902); without them it is the last week.",
    usage="[game] [FROM phase] [TO phase]",
    example="HISTORY paris FROM S1901M",
    run=run,
    asks=True,
    group="information",
)
