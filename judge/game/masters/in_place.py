"""What masters do in the place of players, and the letters that tell the players."""

from __future__ import annotations

from collections.abc import Sequence

from judge.game.state import State
from judge.game.state.answers import LineResult
from judge.i18n import speaking
from judge.intake.context import MessageContext
from judge.intake.reply import worded


def tell_players(context: MessageContext) -> None:
    """Tell each player what a master did in his place: exactly that, and nothing else of the mail.

    It is in the log, whether or not anybody plays the power.
    """
    done: dict[tuple[int, str], tuple[State, list[LineResult]]] = {}
    for place in context.report.places:
        items = context.report.results[place.first : place.end]
        done.setdefault((place.state.game.id, place.power), (place.state, []))[1].extend(items)
    for key, items in context.report.given.items():
        done.setdefault(key, (context.cursor.states[key[0]], []))[1].extend(items)
    for (_, power), (state, items) in done.items():
        if items:
            _tell(context, state, power, items)


def _tell(context: MessageContext, state: State, power: str, items: Sequence[LineResult]) -> None:
    lines = [item.read or item.line for item in items if item.kind != "refused"]
    context.log_in(state, "acted", {"power": power, "phase": state.game.phase, "lines": lines})
    seat = state.holder(power)
    if seat is None or seat.person_id is None or seat.person_id not in state.everybody():
        return
    person = state.person(seat)
    with speaking(person.language):
        said = worded(context, items, context.post.zone(person))
    context.post.to_person("acted", person, {"power": power, "said": said}, state, context.mail.id)
