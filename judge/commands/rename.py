"""RENAME, PURGE and REVEAL: a game's name, a game nobody joined, and who it was that played."""

from __future__ import annotations

from dataclasses import replace

from judge.commands.create import NAME
from judge.commands.named import must_name
from judge.events import EventKind
from judge.game.state.answers import Answer, Refused
from judge.game.visibility import identity, seals
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import Ending, FormerName, GameState, Outcome, SeatState


def rename(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    old = state.game.name
    new = call.arguments.lstrip("? ").strip(" .!").lower()
    if not NAME.match(new):
        raise Refused("bad_game_name", write="RENAME rome", name=new)
    if context.storage.games.by_name(new) is not None:
        raise Refused("name_taken", write=f"RENAME {new}2", name=new)
    if state.phase is not None:
        former = FormerName(state.game.phase, seals.name(state))
        state.game.options = replace(state.game.options, sealed_as=former)
    state.game.name = new
    context.log("renamed", {"old": old, "new": new})
    context.tell(EventKind.RENAMED, {"old": old})
    return Answer("renamed", {"old": old, "new": new})


def purge(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    game = state.game
    if game.state != GameState.FORMING:
        raise Refused("has_started", game=game.name)
    if call.arguments:
        must_name(state, call.arguments, "PURGE")
    me = context.sender.person.id if context.sender.person else None
    if any(person_id != me for person_id in state.everybody()):
        raise Refused("people_in_it", write=f"TERMINATE {game.name}", game=game.name)
    name = game.name
    context.log("purged", {"name": name})
    game.state = GameState.ENDED
    game.ended_at = context.now
    game.outcome = Outcome(Ending.PURGED, ())
    # What was ever done stays on file, under a name that nobody can write.
    game.name = f"{name} {game.id}"
    state.set(listed=False)
    for seat in state.seats:
        seat.state = SeatState.LEFT
        state.seat(seat)
    context.leave(call.line)
    return Answer("purged", {"game": name})


def reveal(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state != GameState.ENDED:
        raise Refused("not_over", game=state.game.name)
    state.game.options = replace(state.game.options, revealed=True)
    people = identity.people(state)
    context.log("revealed")
    context.tell(EventKind.REVEALED, {})
    return Answer("revealed", {"game": state.game.name, "people": people})


RENAME = Command(
    words=("rename",),
    who="masters",
    summary="give the game another name",
    help="The name is letters and digits. Everybody is told; answers to older letters still work.",
    usage="name",
    example="RENAME rome",
    run=rename,
    group="masters",
)

PURGE = Command(
    words=("purge",),
    who="masters",
    summary="delete a game that nobody has joined",
    help="Only a game that is forming and has nobody in it but you. Its name is free again.",
    usage="[game]",
    example="PURGE paris",
    run=purge,
    group="masters",
)

REVEAL = Command(
    words=("reveal",),
    who="masters",
    summary="tell everybody who played which power, after the end",
    help="For games in which names were hidden. Nothing is revealed while a game is played.",
    example="REVEAL",
    bare=True,
    run=reveal,
    group="masters",
)
