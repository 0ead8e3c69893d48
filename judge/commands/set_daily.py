"""SET DAILY and SET NO DAILY: the letter a day to who runs a game."""

from __future__ import annotations

from collections.abc import Callable

from judge.game.clock.daily import WISH, begin
from judge.game.command import Answer, Call, Command, Refused
from judge.game.visit import Visit


def _set(wanted: bool) -> Callable[[Visit, Call], Answer]:
    def run(visit: Visit, call: Call) -> Answer:
        if visit.person is None:
            raise Refused("unknown_sender", write="JOIN")
        visit.person.options = visit.person.options | {WISH: wanted}
        visit.storage.people.save(visit.person)
        for game in visit.games():
            # When its clock is looked at next changes with it.
            begin(visit.load(game), visit.person, visit.now)
        return Answer("daily", {"wanted": wanted})

    return run


DAILY = Command(
    words=("set daily",),
    who="people",
    summary="a letter a day about each game you run (the default)",
    help=(
        "Masters of running games get it at seven in the morning of their own time zone: how far "
        "every power is, who is late, who waits, what is to be decided. Answer it with commands."
    ),
    example="SET DAILY",
    bare=True,
    run=_set(True),
    group="masters",
)

NO_DAILY = Command(
    words=("set no daily",),
    who="people",
    summary="no letter a day about the games you run",
    help="STATUS still tells how far everybody is.",
    example="SET NO DAILY",
    bare=True,
    run=_set(False),
    group="masters",
)
