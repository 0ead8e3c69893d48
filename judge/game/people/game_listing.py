"""The powers of a game in its entry of LIST, and who played which of them when."""

from __future__ import annotations

from collections import Counter
from typing import Any

from judge.game.people.reliability import of_person
from judge.game.state import State
from judge.game.visibility.identity import is_known
from judge.storage import GameState, Reliability, Role, SeatState


def game_listing(state: State, reader_id: int | None = None) -> dict[str, dict[str, Any]]:
    """Return facts of each power, None for what the reader may not know or nobody does.

    `late` is how often it was late in phases that count, `on_time` the share of phases on time of
    its player in all games, `centers` the number of its supply centers.
    """
    if state.position is None:
        return {}
    tells = state.game.state == GameState.ENDED or not state.settings.quiet
    late = Counter(
        row.power
        for row in state.storage.reliability_log.of_game(state.game.id)
        if row.what is Reliability.LATE
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


def tenures(state: State, reader_id: int | None) -> list[dict[str, Any]]:
    """Return each power's players in order: their names (None if the reader may not know them), the
    phase in which each began, and whether they left."""
    runs = [(run.processed_at, run.phase) for run in state.storage.history.of_game(state.game.id)]
    rows = []
    for power in state.variant.powers:
        seats = [seat for seat in state.seats if seat.power == power and seat.role == Role.PLAYER]
        players: list[dict[str, Any]] = []
        for seat in sorted(seats, key=lambda seat: seat.id):
            if seat.person_id is None:
                continue
            at = seat.joined_at
            since = next((phase for ran_at, phase in runs if ran_at > at), state.game.phase)
            known = is_known(state, seat, reader_id)
            players.append(
                {
                    "name": state.person(seat).name if known else None,
                    "since": since if players else None,
                    "left": seat.state in (SeatState.RESIGNED, SeatState.EJECTED),
                }
            )
        if state.game.state == GameState.ENDED or not state.settings.quiet:
            rows.append({"power": power, "players": players})
        else:
            # A QUIET game tells nobody of takeovers.
            now = [each | {"since": None} for each in players[-1:]]
            rows.append({"power": power, "players": now})
    return rows
