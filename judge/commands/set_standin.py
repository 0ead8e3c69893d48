"""SET STANDIN and SET NO STANDIN: whether somebody is told of powers that need a player."""

from __future__ import annotations

from collections.abc import Callable

from judge.game.command import Answer, Call, Command
from judge.game.people.standins import WISH
from judge.game.rights import known
from judge.game.visit import Visit


def _set(wish: bool) -> Callable[[Visit, Call], Answer]:
    def run(visit: Visit, call: Call) -> Answer:
        person = known(visit)
        person.options = {**person.options, WISH: wish}
        visit.storage.people.save(person)
        visit.log("stand-in", {"person": person.id, "wish": wish})
        return Answer("standin", {"wish": wish})

    return run


STANDIN = Command(
    words=("set standin", "set stand-in"),
    who="anybody",
    summary="be told when a power needs a new player",
    help=(
        "Whenever a power is abandoned you get a letter that shows its position in words; TAKE "
        "OVER makes it yours. While a game waits for somebody the letter comes again every two "
        "days. REGISTER has it too, as `Stand-in: yes`."
    ),
    example="SET STANDIN",
    bare=True,
    run=_set(True),
)

NO_STANDIN = Command(
    words=("set no standin", "set no stand-in"),
    who="anybody",
    summary="take back SET STANDIN",
    help="You are told of no more powers that need a player.",
    example="SET NO STANDIN",
    bare=True,
    run=_set(False),
)
