"""What the pages of a game tell: only what somebody may know who has no part in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from judge.game.endings import statements
from judge.game.people.reliability import Figures, of_person
from judge.game.phases.lifecycle import center_years
from judge.game.state import State
from judge.game.state.settings import Settings
from judge.game.views import game_facts
from judge.game.visibility import archive, fog, identity
from judge.storage import GameState, PhaseRun, Role, SeatState, Storage

NOBODY = None
"""The reader for whom the pages are made."""


def shown(storage: Storage) -> list[State]:
    """The games that have pages: the public ones, those that are over among them."""
    games = storage.games.all(GameState)
    return [State(storage, game) for game in games if Settings.from_json(game.settings).listed]


def of_game(state: State, now: datetime) -> dict[str, Any]:
    """The facts of a game's own page."""
    powers, years = fog.years(state, NOBODY, center_years(state))
    return game_facts(state, now, NOBODY) | {
        "zone": "UTC",
        "years": list(years) if state.position is not None else [],
        "year_powers": powers,
        "runs": runs(state),
        "statements": statements.made(state, NOBODY),
        "started": state.game.started_at,
        "ended": state.game.ended_at,
    }


def is_shown(state: State) -> bool:
    """Whether strangers may see the board and what has happened on it."""
    return fog.sees_all(state, NOBODY)


def runs(state: State) -> list[PhaseRun]:
    """The phases in which anybody had something to order; none of a blind game that goes on."""
    past = state.storage.history.of_game(state.game.id) if is_shown(state) else []
    return [run for run in past if run.results["orders"]]


def of_phase(state: State, run: PhaseRun) -> dict[str, Any]:
    """The facts of the page of a phase that has run."""
    return {"report": fog.report(state, run, NOBODY), "at": run.processed_at}


def press(state: State) -> list[dict[str, Any]]:
    """What was said to everybody, oldest first."""
    said = archive.readable(state, NOBODY)
    return [archive.entry(state, each, NOBODY) for each in said if not each.held]


@dataclass
class Record:
    """What is known of a player: his parts in public games, and how reliable he is."""

    name: str
    figures: Figures
    parts: list[dict[str, Any]] = field(default_factory=list)

    @property
    def wins(self) -> int:
        """How many of the games he played to their end he won or shared."""
        return sum(bool(part["won"]) for part in self.parts)


def records(storage: Storage, states: Sequence[State]) -> list[Record]:
    """Everybody who plays, or has played, in these games and may be known, by name."""
    found: dict[int, Record] = {}
    for state in states:
        for seat in state.seats:
            if seat.role != Role.PLAYER or seat.person_id is None or seat.power is None:
                continue
            if not identity.is_known(state, seat, NOBODY):
                continue
            if seat.person_id not in found:
                figures = of_person(storage, seat.person_id)
                found[seat.person_id] = Record(state.person(seat).name, figures)
            outcome = state.game.outcome or {}
            found[seat.person_id].parts.append(
                {
                    "game": state.game.name,
                    "power": seat.power,
                    "state": state.game.state if seat.state == SeatState.ACTIVE else seat.state,
                    "won": seat.state == SeatState.ACTIVE
                    and seat.power in outcome.get("winners", ()),
                }
            )
    return sorted(found.values(), key=lambda record: record.name.casefold())
