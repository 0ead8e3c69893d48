"""SET PASSWORD and SET NO PASSWORD: a word without which, or a reply address, nobody acts."""

from __future__ import annotations

from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import TrustLevel
from judge.intake.authentication import lock, prove
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def set_password(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    words = call.arguments.split()
    if len(words) != 1:
        raise Refused("which_password", write="SET NO PASSWORD")
    # Whoever forges an address must not lock its owner out.
    prove(context, state, TrustLevel.TOKEN)
    lock(context, context.cursor.seats, words[0])
    for seat in context.cursor.seats:
        state.seat(seat)
    context.log("password set")
    return Answer("password_set", {"game": state.game.name, "there": True})


def set_no_password(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    prove(context, state, TrustLevel.TOKEN)
    for seat in context.cursor.seats:
        seat.password = None
        state.seat(seat)
    context.log("password removed")
    return Answer("password_set", {"game": state.game.name, "there": False})


PASSWORD = Command(
    words=("set password",),
    who="participants",
    personal=True,
    summary="a password for your part in this game (nobody needs one)",
    help=(
        "Mails that begin anew must then sign on with it (SIGN ON fparis password); answers to "
        "letters need none, for only you get those. It is never repeated, and nobody can read it "
        "here."
    ),
    usage="word",
    example="SET PASSWORD xyzzy42",
    run=set_password,
    group="games",
)

NO_PASSWORD = Command(
    words=("set no password",),
    who="participants",
    personal=True,
    summary="take back SET PASSWORD",
    help="Your address, or an answer to a letter, is then enough again.",
    example="SET NO PASSWORD",
    bare=True,
    run=set_no_password,
    group="games",
)
