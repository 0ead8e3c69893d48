"""PROCESS: the master runs a phase now."""

from __future__ import annotations

from judge.game import phases
from judge.game.command import Answer, Call, Command, Refused
from judge.game.visit import Visit
from judge.language.phases import read_phase


def run(visit: Visit, call: Call) -> Answer:
    state = visit.here()
    game = state.game
    if game.state != "active" or game.phase is None:
        raise Refused("not_running", game=game.name, state=game.state)
    write = f"PROCESS {game.phase}"
    if not call.arguments:
        raise Refused("name_the_phase", write=write, phase=game.phase)
    try:
        phase = str(read_phase(call.arguments.strip(" ."), state.variant))
    except ValueError as error:
        raise Refused("bad_setting", write=write, problem=str(error)) from None
    if phase != game.phase:
        raise Refused("other_phase", write=write, named=phase, phase=game.phase)
    visit.log("processed", {"phase": phase})
    phases.run(state, visit.post)
    return Answer("processed", {"phase": phase, "now_open": game.phase, "state": game.state})


COMMAND = Command(
    words=("process",),
    who="masters",
    summary="run the phase now, with the orders that are there",
    help="The phase must be named and be the current one, so that no phase is run by mistake.",
    usage="phase",
    example="PROCESS F1903M",
    run=run,
    group="masters",
)
