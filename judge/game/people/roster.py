"""The powers of a game for its entry in LIST: which need a player, who is late how often."""

from __future__ import annotations

from collections import Counter
from typing import Any

from judge.game.people.identity import is_known
from judge.game.people.reliability import LATE, of_person
from judge.game.state import State


def roster(state: State, reader_id: int | None = None) -> dict[str, dict[str, Any]]:
    """By power: its `condition`, how often it was `late` here in phases that count, and on how
    large a share of his phases its player is `on_time` everywhere; each None where the reader may
    not know it, or nothing is known. `centers` counts its supply centers."""
    if state.position is None:
        return {}
    tells = state.game.state == "ended" or not state.settings.quiet
    late = Counter(
        row.power for row in state.storage.conduct.of_game(state.game.id) if row.what == LATE
    )
    rows = {}
    for power in state.variant.powers:
        seat = state.player(power)
        on_time = None
        if seat is not None and seat.person_id is not None and is_known(state, seat, reader_id):
            on_time = of_person(state.storage, seat.person_id).punctuality
        rows[power] = {
            "condition": state.condition(power),
            "open": power in state.open_powers(),
            "centers": len(state.opened.centers.get(power, ())),
            "late": sum(late[each] for each in state.hand(power)) if tells else None,
            "on_time": on_time,
        }
    return rows
