"""What the pages of a game tell: only what somebody may know who has no part in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from judge.game.people.reliability import Figures, of_person
from judge.game.phases.game_facts import game_facts
from judge.game.phases.lifecycle import center_years
from judge.game.state import State
from judge.game.state.boards import with_words
from judge.game.state.settings import Settings
from judge.game.visibility import fog, identity
from judge.game.visibility.press import entry, readable, statements
from judge.storage import GameState, PhaseRun, Role, SeatState, Storage

NOBODY = None
"""The reader for whom the pages are made."""


def shown_games(storage: Storage) -> list[State]:
    """Return the games that have pages: the public ones, those that are over among them."""
    games = storage.games.all(GameState)
    return [State(storage, game) for game in games if Settings.from_json(game.settings).listed]


def game_page(state: State, now: datetime) -> dict[str, object]:
    """Return the facts of a game's own page."""
    return game_facts(state, now, NOBODY) | {
        "zone": "UTC",
        "statements": statements(state, NOBODY),
        "started": state.game.started_at,
        "ended": state.game.ended_at,
    }


def center_counts(state: State) -> tuple[list[str], Sequence[Mapping[str, Any]]]:
    """Return powers, and the rows of years with the number of their centers."""
    powers, years = fog.years(state, NOBODY, center_years(state))
    return powers, years if state.position is not None else ()


def is_shown(state: State) -> bool:
    """Return whether strangers may see the board and what has happened on it."""
    return fog.sees_all(state, NOBODY)


def shown_runs(state: State) -> list[PhaseRun]:
    """Return the phases in which anybody had something to order; of an open blind game none."""
    past = state.storage.history.of_game(state.game.id) if is_shown(state) else []
    return [run for run in past if run.results["orders"]]


def phase_page(state: State, run: PhaseRun) -> dict[str, object]:
    """Return the facts of the page of a phase that has run."""
    report = with_words(fog.report(state, run, NOBODY), state.variant)
    return {"report": report, "at": run.processed_at}


def press(state: State) -> list[dict[str, object]]:
    """Return what was said to everybody, oldest first."""
    said = readable(state, NOBODY)
    return [entry(state, each, NOBODY) for each in said if not each.held]


@dataclass(frozen=True)
class Part:
    """What somebody was in a game; `state` as `standing` words it."""

    game: str
    power: str
    state: str
    won: bool


@dataclass
class Record:
    """A player's parts in public games, and how reliable they are."""

    name: str
    figures: Figures
    parts: list[Part] = field(default_factory=list)


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
            outcome = state.game.outcome
            active = seat.state is SeatState.ACTIVE
            found[seat.person_id].parts.append(
                Part(
                    state.game.name,
                    seat.power,
                    state.game.state if active else seat.state,
                    active and outcome is not None and seat.power in outcome.winners,
                )
            )
    return sorted(found.values(), key=lambda record: record.name.casefold())
