"""HISTORY: the results and the press of a game again, as the reader may read them."""

from __future__ import annotations

import re

from judge.commands.history_range import WEEK, Span, read_bound
from judge.game.press.diaries import published
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.report import tells, with_words
from judge.game.visibility import fog
from judge.game.visibility.press import entry, readable
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.language.problems import ReadError
from judge.sentences import Wording

_RANGE = re.compile(
    r"(?P<game>.*?)\s*(?:\bfrom\s+(?P<first>.*?))?\s*(?:\bto\s+(?P<last>.*?))?\s*\Z",
    re.IGNORECASE,
)


def run(context: MessageContext, call: Call) -> Answer:
    found = _RANGE.match(call.arguments.strip(" ."))
    assert found is not None
    state = context.cursor.game_named(found["game"]) if found["game"] else context.cursor.here()
    span = _span(context, state, found["first"], found["last"])
    runs = context.storage.history.of_game(state.game.id)
    chosen = [run for run in runs if span.holds(run.phase, run.processed_at)]
    if not span.asked:
        chosen = chosen or runs[-1:]
    reader = context.sender.person.id if context.sender.person else None
    press = [
        entry(state, said, reader)
        for said in readable(state, reader)
        if span.holds(said.phase, said.sent_at)
    ]
    diaries = [
        diary | {"pages": pages}
        for diary in published(state)
        if (pages := [each for each in diary["pages"] if span.holds(each["phase"], each["at"])])
    ]
    return Answer(
        "history",
        {
            "game": state.game.name,
            "reports": [
                with_words(report, state.variant)
                for run in chosen
                if tells(report := fog.report(state, run, reader))
            ],
            "press": press,
            "diaries": diaries,
            "total": len(runs),
            "blind": not fog.sees_all(state, reader),
        },
    )


def _span(context: MessageContext, state: State, first: str | None, last: str | None) -> Span:
    """The stretch that was asked for, else the last week. Raises Refused."""
    zone = context.zone
    try:
        return Span(
            state.variant.calendar,
            read_bound(first, state.variant, context.now, zone, last=False),
            read_bound(last, state.variant, context.now, zone, last=True),
            context.now - WEEK,
        )
    except ReadError as error:
        example = f"HISTORY {state.game.name} FROM {state.variant.start_phase}"
        problem = Wording(error.problem, state.variant)
        raise Refused("bad_setting", write=example, problem=problem) from None


COMMAND = Command(
    words=("history",),
    who="anybody",
    summary="results and press of past phases",
    help=(
        "FROM and TO take phases (S1901M, Fall 1902) or days (2026-06-15, 3 May); without them it "
        "is the last week. Everybody gets the broadcasts, and the press that he wrote or was "
        "written to; after the end, the diaries."
    ),
    usage="[game] [FROM phase or day] [TO phase or day]",
    example="HISTORY paris FROM S1901M",
    run=run,
    asks=True,
    group="information",
)
