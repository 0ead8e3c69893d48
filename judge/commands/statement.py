"""STATEMENT: what a player has to say when the game is over."""

from __future__ import annotations

from dataclasses import replace

from judge.events import EventKind
from judge.game.press.diaries import LONGEST_STATEMENT, statements
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState, Role, Statement


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    game = state.game
    text = "\n".join((call.arguments, *call.block)).strip()
    if game.state != GameState.ENDED:
        raise Refused("statement_early", game=game.name)
    if not text:
        raise Refused("statement_empty")
    if len(text) > LONGEST_STATEMENT:
        raise Refused("statement_long", most=LONGEST_STATEMENT)
    seat = next(seat for seat in context.cursor.mine() if seat.role == Role.PLAYER)
    kept = {**game.options.statements, str(seat.id): Statement(text, context.now)}
    game.options = replace(game.options, statements=kept)
    context.log("statement")
    mine = statements(state, None)
    powers = [seat.power for seat in context.cursor.mine() if seat.power]
    told = next(each for each in mine if each["power"] in powers)
    context.tell(EventKind.STATEMENT, {"said": told})
    return Answer("statement", {"game": game.name, "text": text})


COMMAND = Command(
    words=("statement", "end of game statement", "eog statement"),
    who="players",
    summary="what you have to say when the game is over",
    help=(
        "The lines below, up to END or the end of the mail, go to everybody who was in the game, "
        "and SUMMARY shows them. Another one takes the place of the first."
    ),
    usage="... END",
    example="STATEMENT\nThank you all. I should not have trusted Italy.\nEND",
    run=run,
    ends=("end", "endstatement"),
    group="playing",
)
