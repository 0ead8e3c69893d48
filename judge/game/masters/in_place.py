"""What masters do in the place of players, and the letters that tell the players."""

from __future__ import annotations

from collections.abc import Sequence

from judge.game.intake.reply import worded
from judge.game.state import State
from judge.game.visit import Item, Visit
from judge.i18n import speaking


def tell_players(visit: Visit) -> None:
    """Tell each player what a master did in his place: exactly that, and nothing else of the mail.

    It is in the log, whether or not anybody plays the power.
    """
    done: dict[tuple[int, str], tuple[State, list[Item]]] = {}
    for place in visit.places:
        items = visit.items[place.first : place.end]
        done.setdefault((place.state.game.id, place.power), (place.state, []))[1].extend(items)
    for key, items in visit.given.items():
        done.setdefault(key, (visit.states[key[0]], []))[1].extend(items)
    for (_, power), (state, items) in done.items():
        if items:
            _tell(visit, state, power, items)


def _tell(visit: Visit, state: State, power: str, items: Sequence[Item]) -> None:
    lines = [item.read or item.line for item in items if item.kind != "refused"]
    visit.log_in(state, "acted", {"power": power, "phase": state.game.phase, "lines": lines})
    seat = state.holder(power)
    if seat is None or seat.person_id is None or seat.person_id not in state.everybody():
        return
    person = state.person(seat)
    with speaking(person.language):
        said = worded(visit, items, visit.post.zone(person))
    visit.post.to_person("acted", person, {"power": power, "said": said}, state, visit.mail.id)
