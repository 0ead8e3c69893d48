"""SUMMARY: a game in one table."""

from __future__ import annotations

from judge.game.people.game_listing import tenures
from judge.game.phases.game_facts import game_facts
from judge.game.phases.lifecycle import center_years
from judge.game.press.diaries import statements
from judge.game.state.answers import Answer
from judge.game.visibility import fog
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def run(context: MessageContext, call: Call) -> Answer:
    name = call.arguments.strip(" .?!")
    state = context.cursor.game_named(name) if name else context.cursor.here()
    reader = context.sender.person.id if context.sender.person else None
    powers, years = fog.years(state, reader, center_years(state))
    return Answer(
        "summary",
        game_facts(state, context.now, reader)
        | {
            "years": years,
            "powers": powers,
            "periods": tenures(state, reader) if state.position else [],
            "statements_made": statements(state, reader),
        },
    )


COMMAND = Command(
    words=("summary",),
    who="anybody",
    summary="players, and centers year by year",
    help="Without a name: of the game the mail is about.",
    usage="[game]",
    example="SUMMARY paris",
    run=run,
    asks=True,
    group="information",
)
