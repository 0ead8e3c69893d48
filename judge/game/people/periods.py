"""Who played which power when."""

from __future__ import annotations

from typing import Any

from judge.game.people import identity
from judge.game.state import State


def periods(state: State, reader_id: int | None) -> list[dict[str, Any]]:
    """For each power its players in order: their names (None for those that the reader may not
    know), the phase in which each began, and whether he has left."""
    runs = [(run.processed_at, run.phase) for run in state.storage.history.of_game(state.game.id)]
    rows = []
    for power in state.variant.powers:
        seats = [seat for seat in state.seats if seat.power == power and seat.role == "player"]
        players: list[dict[str, Any]] = []
        for seat in sorted(seats, key=lambda seat: seat.id):
            if seat.person_id is None:
                continue
            at = seat.joined_at
            since = next((phase for ran_at, phase in runs if ran_at > at), state.game.phase)
            known = identity.is_known(state, seat, reader_id)
            players.append(
                {
                    "name": state.person(seat).name if known else None,
                    "since": since if players else None,
                    "left": seat.state in ("resigned", "ejected"),
                }
            )
        if state.game.state == "ended" or not state.settings.quiet:
            rows.append({"power": power, "players": players})
        else:
            # Nobody is told of takeovers.
            now = [each | {"since": None} for each in players[-1:]]
            rows.append({"power": power, "players": now})
    return rows
