"""SET DRAW, SET CONCEDE and what takes them back: votes on how the game ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from judge.commands.named import power_named, powers_named
from judge.game.endings.outcomes import leader, vote_facts
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.game.visibility.identity import is_hidden
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState, Vote

Change = Callable[[State, str, Vote, str], Vote]
"""The ballot of a power after the words behind a command. Raises Refused."""


def _vote(change: Change) -> Callable[[MessageContext, Call], Answer]:
    def run(context: MessageContext, call: Call) -> Answer:
        state = context.cursor.here()
        if state.game.state != GameState.ACTIVE:
            raise not_running(state)
        seats = [seat for seat in context.cursor.playing() if seat.power in state.survivors()]
        if not seats:
            raise Refused("no_vote", game=state.game.name)
        words = call.arguments.strip(" .!")
        cast = [change(state, seat.power or "", seat.draw or Vote(), words) for seat in seats]
        for seat, ballot in zip(seats, cast, strict=True):
            seat.draw = None if ballot == Vote() else ballot
            state.seat(seat)
        facts = {
            "cast": [vote_facts(state, seat) for seat in seats],
            "phase": state.game.phase,
            "dias": _dias(state),
            "concedes": change is _no_concede,
        }
        return Answer("vote", facts)

    return run


def _dias(state: State) -> bool:
    return state.settings.dias


def _draw(state: State, power: str, ballot: Vote, words: str) -> Vote:
    if words.lower() in ("", "all", "everybody"):
        return replace(ballot, share=None, every=True)
    listed = frozenset(powers_named(state, words, "SET DRAW"))
    survivors = frozenset(state.survivors())
    if _dias(state) and listed >= survivors:
        return replace(ballot, share=None, every=True)
    if _dias(state):
        raise Refused("draw_of_some", write="SET DRAW", game=state.game.name)
    dead = [] if state.settings.blind else sorted(listed - survivors)
    if dead:
        left = "".join(
            key for key, name in state.variant.letters.items() if name in listed & survivors
        )
        raise Refused("draw_of_dead", write=f"SET DRAW {left}".rstrip(), powers=dead)
    return replace(ballot, share=listed, every=False)


def _no_draw(state: State, power: str, ballot: Vote, words: str) -> Vote:
    return replace(ballot, share=None, every=False)


def _concede(state: State, power: str, ballot: Vote, words: str) -> Vote:
    game = state.game.name
    if not state.settings.concessions:
        raise Refused("no_concessions", game=game)
    to = power_named(state, words, "SET CONCEDE R")
    if to in state.hand(power):
        raise Refused("concede_oneself", write="SET NO CONCEDE", power=power)
    if not state.settings.blind:
        first = leader(state)
        if to not in first:
            write = None if not first or power in first else f"SET CONCEDE {first[0]}"
            # Which powers have one player is told to nobody where nobody learns who plays.
            told = first[:1] if is_hidden(state) else first
            raise Refused("not_ahead", write=write, power=to, leader=", ".join(told) or None)
    return replace(ballot, concede=to)


def _no_concede(state: State, power: str, ballot: Vote, words: str) -> Vote:
    return replace(ballot, concede=None)


DRAW = Command(
    words=("set draw", "draw"),
    who="players",
    summary="vote to end the game as a draw",
    help=(
        "When every player who still owns a supply center has voted for it in the same phase, the "
        "game ends at once and all of them share equally. In games with NO DIAS a list of powers "
        "may follow: with yourself in it, you accept a draw among any of them that includes you; "
        "without yourself, one among any of them, with you or without you. The largest draw that "
        "all accept happens. Votes are secret and last one phase."
    ),
    usage="[powers]",
    example="SET DRAW AEF",
    default="all survivors",
    run=_vote(_draw),
    group="playing",
)

NO_DRAW = Command(
    words=("set no draw", "no draw"),
    who="players",
    summary="take back SET DRAW: accept only a win of your own",
    help="A vote also ends by itself with the phase.",
    example="SET NO DRAW",
    bare=True,
    run=_vote(_no_draw),
    group="playing",
)

CONCEDE = Command(
    words=("set concede", "concede"),
    who="players",
    summary="vote to let the power that leads win",
    help=(
        "The power must own more supply centers than any other; whoever plays several powers leads "
        "with all of them. When all others who still own one have voted for it in the same phase, "
        "the game ends and it wins. Votes are secret and last one phase."
    ),
    usage="power",
    example="SET CONCEDE R",
    run=_vote(_concede),
    group="playing",
)

NO_CONCEDE = Command(
    words=("set no concede", "no concede"),
    who="players",
    summary="take back SET CONCEDE",
    help="A vote also ends by itself with the phase.",
    example="SET NO CONCEDE",
    bare=True,
    run=_vote(_no_concede),
    group="playing",
)

COMMANDS = (DRAW, NO_DRAW, CONCEDE, NO_CONCEDE)
