"""Games that are in no database, for tests of single rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

from judge import variants
from judge.game.state import State
from judge.interchange.stored_values import position_to_json
from judge.rules.position import Position
from judge.storage import (
    DiaryPage,
    Game,
    GameOptions,
    GameState,
    Outward,
    Person,
    PhaseRun,
    Press,
    Role,
    Seat,
    SeatOptions,
    SeatState,
    Storage,
)

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
NAMES = ("Ann", "Bob", "Cleo", "Dora", "Emil", "Finn", "Gwen Moor")
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
ANN, BOB, CLEO, MAX, OLGA, LEA, HOST, STRANGER = 1, 2, 3, 8, 9, 10, 11, 99
"""The players are 1 to 7 in seats 1 to 7; a master, an observer, who has left, and a host."""


def cast_of() -> list[Seat]:
    """The seats of a game of seven with a master, an observer, and somebody who left Italy."""

    def seat(number: int, person: int | None, role: Role, **more: Any) -> Seat:
        return Seat(id=number, game_id=1, person_id=person, role=role, joined_at=NOW, **more)

    return [
        *(seat(n, n, Role.PLAYER, power=power) for n, power in enumerate(POWERS, 1)),
        seat(8, MAX, Role.MASTER),
        seat(9, OLGA, Role.OBSERVER),
        seat(10, LEA, Role.PLAYER, power="Italy", state=SeatState.REPLACED),
    ]


def host(state: SeatState = SeatState.ACTIVE, person: int = HOST) -> Seat:
    """The seat of somebody who sees all games of the house."""
    options = SeatOptions(host=True)
    return Seat(
        id=11, game_id=1, person_id=person, role=Role.OBSERVER, state=state, joined_at=NOW,
        options=options,
    )  # fmt: skip


def a_game(
    *,
    seats: Sequence[Seat] | None = None,
    posted: Sequence[Press] = (),
    runs: Sequence[PhaseRun] = (),
    pages: Sequence[DiaryPage] = (),
    filed: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    position: Position | None = None,
    state: GameState = GameState.ACTIVE,
    moderated: bool = True,
    options: GameOptions | None = None,
    **settings: Any,
) -> State:
    """A game whose storage hands out these values and has no others; `filed` are orders by power
    and phase."""
    every = list(cast_of() if seats is None else seats)
    people = {
        number: Person(id=number, name=Outward(name), created_at=NOW)
        for number, name in enumerate((*NAMES, "Max", "Olga", "Lea", "Hugo"), 1)
    }
    opened = position or variants.load("standard").opening
    forming = state is GameState.FORMING
    game = Game(
        id=1, name="paris", variant="standard", state=state, moderated=moderated, created_at=NOW,
        position=None if forming else position_to_json(opened), opened_at=None if forming else NOW,
        phase=None if forming else str(opened.phase), options=options or GameOptions(),
    )  # fmt: skip
    storage = SimpleNamespace(
        seats=SimpleNamespace(
            of_game=lambda _: list(every),
            of_person=lambda number: [seat for seat in every if seat.person_id == number],
        ),
        orders=lambda _: _Filed(filed or {}),
        games=SimpleNamespace(find=lambda number: game if number == 1 else None),
        press=SimpleNamespace(of_game=lambda _: list(posted)),
        history=SimpleNamespace(
            of_game=lambda _: list(runs),
            find=lambda _, phase: next((each for each in runs if each.phase == phase), None),
            last=lambda _: runs[-1] if runs else None,
            after=lambda run: next(iter(runs[runs.index(run) + 1 :]), None),
        ),
        diaries=SimpleNamespace(
            of_game=lambda _: list(pages),
            of_seat=lambda seat: [each for each in pages if each.seat_id == seat],
        ),
        people=SimpleNamespace(
            find=people.get, all_of=lambda ids: [people[number] for number in ids]
        ),
        tickets=SimpleNamespace(secret=b"secret"),
    )
    found = State(cast("Storage", storage), game)
    found.set(**settings)
    return found


class _Filed:
    """Orders on file, by power and phase."""

    def __init__(self, filed: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
        self._filed = {
            power: {
                phase: [SimpleNamespace(text=text) for text in texts] for phase, texts in of.items()
            }
            for power, of in filed.items()
        }

    def of_power(self, power: str) -> dict[str, list[SimpleNamespace]]:
        assert power in POWERS
        return self._filed.get(power, {})

    def of_phase(self, phase: str) -> dict[str, list[SimpleNamespace]]:
        return {power: of[phase] for power, of in self._filed.items() if phase in of}


def said(sender: int | None, seats: Sequence[int], to: Sequence[str], **more: Any) -> Press:
    label = POWERS[sender - 1] if sender and sender <= 7 else "Master"
    facts: dict[str, Any] = {
        "id": 1,
        "from_label": label,
        "text": Outward("text"),
        "sent_at": NOW,
    } | more
    return Press(
        game_id=1, phase="S1901M", sender_id=sender, to=list(to), seats=list(seats), **facts
    )


def seat_of(state: State, number: int) -> Seat:
    return next(each for each in state.seats if each.id == number)
