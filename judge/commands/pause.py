"""PAUSE and RESUME: the clock stops, and goes on with a fresh deadline."""

from __future__ import annotations

from judge.commands import proposals
from judge.game.clock import pausing
from judge.game.state.answers import Answer, Refused, not_running
from judge.game.state.profile import TrustLevel
from judge.game.visibility.identity import called
from judge.i18n import Message
from judge.intake.authentication import prove
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState, ProposalKind, ProposedTimes


def _pause(context: MessageContext, call: Call) -> Answer:
    return _act(context, "pause")


def _resume(context: MessageContext, call: Call) -> Answer:
    return _act(context, "resume")


def _act(context: MessageContext, kind: str) -> Answer:
    state = context.cursor.here()
    game = state.game
    if kind == "pause" and game.state != GameState.ACTIVE:
        raise not_running(state)
    if kind == "resume" and game.state != GameState.PAUSED:
        raise Refused("not_paused", game=game.name)
    would = Message((PAUSE if kind == "pause" else RESUME).summary)
    assert context.sender.person is not None
    if not game.moderated and context.cursor.keeping is None:
        if not context.cursor.playing():
            raise Refused("players_only", game=game.name, would=would)
        return proposals.propose(context, state, ProposalKind(kind), ProposedTimes())
    if not context.cursor.is_master():
        raise Refused("not_yours_to_decide", game=game.name, would=would)
    prove(context, state, TrustLevel.TOKEN)
    change = pausing.pause if kind == "pause" else pausing.resume
    change(
        state,
        context.now,
        "set",
        called(state, context.sender.person),
        but=context.sender.person.id,
    )
    context.log(kind, {"phase": game.phase})
    facts = {"game": game.name, "deadline": game.deadline}
    return Answer("paused", facts) if kind == "pause" else Answer("resumed", facts)


PAUSE = Command(
    words=("pause", "suspend"),
    who="participants",
    personal=True,
    of_keeper=True,
    summary="stop the clock",
    help=(
        "No orders are taken and no phase runs until RESUME. The master does it; in an unmoderated "
        "game it is put to all who play, of whom more than half must agree."
    ),
    example="PAUSE",
    bare=True,
    run=_pause,
    group="masters",
)

RESUME = Command(
    words=("resume", "set resume"),
    who="participants",
    personal=True,
    of_keeper=True,
    summary="let a paused game go on",
    help=(
        "The phase that was open gets a fresh deadline, as if it had just begun; orders on file "
        "count. In an unmoderated game more than half of those who play must agree."
    ),
    example="RESUME",
    bare=True,
    run=_resume,
    group="masters",
)
