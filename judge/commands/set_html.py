"""SET HTML and SET NO HTML: whether letters have an HTML part beside the plain text."""

from __future__ import annotations

from collections.abc import Callable

from judge.game.command import Answer, Call, Command
from judge.game.pictures import WISH
from judge.game.rights import known
from judge.game.visit import Visit


def _set(wish: bool) -> Callable[[Visit, Call], Answer]:
    def run(visit: Visit, call: Call) -> Answer:
        person = known(visit)
        person.options = {**person.options, WISH: wish}
        visit.storage.people.save(person)
        visit.log("html", {"person": person.id, "wish": wish})
        return Answer("html", {"wish": wish})

    return run


HTML = Command(
    words=("set html",),
    who="anybody",
    summary="have your letters as HTML, too",
    help=(
        "Letters show the board and set their lists in tables, where your mail program shows "
        "HTML; the plain text beside it says the same. This is how it is where nothing is said."
    ),
    example="SET HTML",
    bare=True,
    run=_set(True),
)

NO_HTML = Command(
    words=("set no html", "set plain"),
    who="anybody",
    summary="have your letters as plain text only",
    help="Your letters come without HTML and without pictures. SET HTML takes that back.",
    example="SET NO HTML",
    bare=True,
    run=_set(False),
)
