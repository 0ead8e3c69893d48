"""SET PREFERENCE: which powers a player would like to have."""

from __future__ import annotations

from judge.game.fairness.match_preferences import BadPreferences, read_preferences
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState


def run(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state != GameState.FORMING:
        raise Refused("locked", name="preferences", value="dealt")
    text = call.arguments.strip().strip(".")
    if text.lower() in ("none", "-"):
        text = ""
    try:
        wishes = read_preferences(text, state.variant.letters, state.variant.powers)
    except BadPreferences as problem:
        raise Refused(
            "bad_setting", write="SET PREFERENCE E[FGR]TAI", problem=str(problem)
        ) from None
    for seat in context.cursor.playing():
        seat.preferences = text
        state.seat(seat)
    return Answer("preference", {"wishes": wishes})


COMMAND = Command(
    words=("set preference", "set preferences", "set pref", "preference"),
    who="players",
    summary="which powers you would like, before the game starts",
    help=(
        "Letters in the order of your wishes, equals in brackets. * asks for the lot. Who says "
        "nothing takes what the others leave. The powers are dealt so that all together get as "
        "much of what they want as possible; chance decides between equals."
    ),
    usage="E[FGR]TAI",
    example="SET PREFERENCE E[FGR]TAI",
    run=run,
    group="games",
)
