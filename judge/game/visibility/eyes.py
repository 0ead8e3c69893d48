"""The one gate for secrets: what one reader may see of one game.

Letters, answers, pages and game files ask `Eyes`, and nothing else in this package. What it hands
out has types that are made here only, so that nothing raw can take their place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NewType

from msgspec import Struct

from judge.game.state import State
from judge.game.state.boards import Standings
from judge.game.state.sheet import Sheet
from judge.game.visibility import fog, identity, readable_press, shown_boards
from judge.game.visibility.own_data import parts_of
from judge.game.visibility.power_view import PowerView
from judge.game.visibility.readable_press import ALL, MASTER, ShownStatement, several
from judge.game.visibility.readers import ANYBODY, JUDGE, Reader, id_of, reader_of
from judge.game.visibility.record import record, rules_in_force
from judge.game.visibility.shown_boards import (
    MOST_OF_LETTER,
    MOST_OF_REPLY,
    MOST_PICTURED,
    BoardPicture,
    as_attachments,
    boards_of,
    boards_of_reply,
    of_orders,
    overview,
)
from judge.interchange.stored_values import position_from_json
from judge.rules.phase import Kind
from judge.rules.position import Position
from judge.storage import DiaryPage, Person, PhaseRun, Press, Role, Seat, SeatState, Vote

__all__ = [
    "ALL",
    "ANYBODY",
    "JUDGE",
    "MASTER",
    "MOST_OF_LETTER",
    "MOST_OF_REPLY",
    "MOST_PICTURED",
    "BoardPicture",
    "Eyes",
    "PowerView",
    "Reader",
    "SeenPosition",
    "ShownPhase",
    "ShownPress",
    "ShownReport",
    "ShownSeat",
    "ShownStatement",
    "as_attachments",
    "boards_of",
    "boards_of_reply",
    "of_orders",
    "overview",
    "parts_of",
    "reader_of",
    "record",
    "rules_in_force",
    "several",
]

SeenPosition = NewType("SeenPosition", Position)
"""The part of a position that a reader sees."""


class ShownReport(dict[str, Any]):
    """The results of a phase as far as a reader sees them."""


class ShownPress(dict[str, Any]):
    """A message that a reader may read, as its heading shows it to them."""


class ShownPhase:
    """A phase that has run, as far as a reader sees it: what it is called, and when it ran."""

    def __init__(self, state: State, run: PhaseRun, reader: Reader) -> None:
        self.phase, self.at = run.phase, run.processed_at
        self._of = state, run, reader

    @cached_property
    def report(self) -> ShownReport:
        """Its results."""
        return ShownReport(fog.report(*self._of))

    @cached_property
    def position(self) -> SeenPosition:
        """Where all stood when it opened, as far as they see it."""
        state, run, reader = self._of
        return SeenPosition(fog.known_to(state, position_from_json(run.position), reader)[0])

    def picture(self, *, orders: bool = True) -> BoardPicture | None:
        """Return its board, with what became of `orders`; None if they see nothing."""
        return shown_boards.of_run(*self._of, orders=orders)

    def left(self, person: Person) -> BoardPicture | None:
        """Return what an answer to a person, the reader, shows of what became of it."""
        return shown_boards.of_results(*self._of[:2], person)

    def later(self) -> list[ShownPhase]:
        """Return the phases that ran after it, in order."""
        state, run, reader = self._of
        found, following = [], state.storage.history.after(run)
        while following is not None:
            found.append(ShownPhase(state, following, reader))
            following = state.storage.history.after(following)
        return found


class ShownSeat(Struct, frozen=True):
    """A seat whose person the reader may know."""

    person: int
    name: str
    role: Role
    power: str | None
    state: SeatState
    computer: str | None


class Eyes:
    """What one reader may see of a game, who acts for the powers `acting`, too."""

    def __init__(self, state: State, reader: Reader, acting: Sequence[str] = ()) -> None:
        self._state, self._reader, self._acting = state, reader, acting

    # The board

    @property
    def all(self) -> bool:
        """Whether they may see the whole board, and what happens on it."""
        return fog.sees_all(self._state, self._reader)

    @property
    def runs_it(self) -> bool:
        """Whether they may know what players may not: they run the game, and do not play."""
        return identity.knows_all(self._state, self._reader)

    @property
    def may_not_play(self) -> bool:
        """Whether they have seen too much of the game to play in it: as a host."""
        return identity.has_seen_all(self._state, self._reader)

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers whose units show them the board."""
        return fog.eyes(self._state, self._reader)

    @property
    def opened(self) -> SeenPosition:
        """The open position as far as they see it; the one it begins with before the start."""
        return self.known(self._state.position or self._state.variant.opening)

    def known(self, position: Position) -> SeenPosition:
        """Return a position as far as they see it."""
        return SeenPosition(fog.known_to(self._state, position, self._reader)[0])

    def own(self, position: SeenPosition) -> SeenPosition:
        """Return what belongs to their powers in a position."""
        return SeenPosition(fog.of_powers(position, self.powers))

    def standings(self, position: Position | None = None) -> Standings:
        """Return units, centers and adjustments of every power in a position (the open one)."""
        return fog.standings(self._state, self._reader, position)

    def neutral(self, position: Position | None = None) -> list[str]:
        """Return the unowned centers in a position (the open one)."""
        return fog.neutral(self._state, self._reader, position)

    def destroyed(self, position: Position | None = None) -> list[str]:
        """Return the provinces destroyed in a position (the open one)."""
        return fog.destroyed(self._state, self._reader, position)

    def armed(self, position: Position | None = None) -> list[str]:
        """Return the powers that may build arsenals in a position (the open one)."""
        return fog.armed(self._state, self._reader, position)

    def years(
        self, rows: Sequence[Mapping[str, Any]]
    ) -> tuple[list[str], Sequence[Mapping[str, Any]]]:
        """Return the powers whose centers by year they may see, and the rows."""
        return fog.years(self._state, self._reader, rows)

    def picture(self) -> BoardPicture | None:
        """Return the open position; None if they see nothing."""
        return shown_boards.now(self._state, self._reader)

    def trial(
        self, before: Position, after: Position, orders: Mapping[str, Sequence[Mapping[str, Any]]]
    ) -> BoardPicture:
        """Return what orders that nobody has sent would lead to, from a position they know."""
        return shown_boards.of_trial(self._state, before, after, orders, self._reader)

    # Orders

    def power_view(self, power: str) -> PowerView:
        """Return what a power has on file. Raises LookupError for powers that they do not order."""
        if self._reader is not JUDGE and power not in (*self.powers, *self._acting):
            raise LookupError(power)
        return PowerView(self._state, power)

    def sheets(self) -> dict[str, Sheet]:
        """Return the orders of all powers as they are on file, to a host; of none to others."""
        if not identity.is_host(self._state, self._reader):
            return {}
        return {power: self._state.sheets.of(power) for power in self._state.variant.powers}

    @property
    def owing(self) -> list[str]:
        """The powers that have something to decide; none where that tells what a blind game hides.

        Everybody owes orders for movement, but retreats and builds say what became of others.
        """
        hidden = self._state.terms.blind and self._state.open_phase.kind is not Kind.MOVEMENT
        return [] if hidden else list(self._state.owed)

    # What has run

    def past(self, phase: str) -> ShownPhase | None:
        """Return a phase by its name; None if it has not run."""
        run = self._state.storage.history.find(self._state.game.id, phase)
        return None if run is None else self.of_run(run)

    def phases(self) -> list[ShownPhase]:
        """Return all phases that have run, oldest first."""
        runs = self._state.storage.history.of_game(self._state.game.id)
        return [self.of_run(run) for run in runs]

    def of_run(self, run: PhaseRun) -> ShownPhase:
        """Return a phase that has run."""
        return ShownPhase(self._state, run, self._reader)

    def records(self) -> list[PhaseRun]:
        """Return all phases that have run as their JSON files may show them, oldest first."""
        runs = self._state.storage.history.of_game(self._state.game.id)
        return list(map(self.record_of, runs))

    def record_of(self, run: PhaseRun) -> PhaseRun:
        """Return a phase as its JSON file may show it to them."""
        return fog.record_of(self._state, run, self._reader)

    # People

    def seats(self) -> list[ShownSeat]:
        """Return who has or had a part in the game, as far as they may know them."""
        known = [seat for seat in self._state.seats if self.knows(seat)]
        self._state.seats.load_people(known)
        return [
            ShownSeat(
                person=seat.person_id,
                name=self._state.seats.person(seat).name,
                role=seat.role,
                power=seat.power,
                state=seat.state,
                computer=seat.options.bot,
            )
            for seat in known
            if seat.person_id is not None
        ]

    def knows(self, seat: Seat) -> bool:
        """Return whether they may know the name of the person of a seat."""
        return identity.is_known(self._state, seat, self._reader)

    def person(self, seat: Seat) -> Person | None:
        """Return the person of a seat; None if they may not know who it is, or nobody has it."""
        known = seat.person_id is not None and self.knows(seat)
        return self._state.seats.person(seat) if known else None

    def name_of(self, seat: Seat) -> str:
        """Return what a person is called by a seat: their name, or else their power or role."""
        return identity.name_of(self._state, seat, self._reader)

    def changer(self, person: Person | None) -> str | None:
        """Return who changed a setting; None if readers are not told (SET NO SHOW)."""
        return identity.changer(self._state, person)

    def called(self, person: Person) -> str:
        """Return what messages call a person: their name, or else their powers or role."""
        return identity.called(self._state, person, self._reader)

    def people(self) -> dict[str, object]:
        """Return who plays what, by name, and until when they may not know it."""
        return identity.people_facts(self._state, self._reader)

    def names(self) -> dict[str, str]:
        """Return what others are called who play or run the game, as far as the reader may know, by
        the whole name and by the first of its words, with the label of each."""
        found: dict[str, set[str]] = {}
        for row in identity.people(self._state, self._reader):
            label = "M" if row["role"] == Role.MASTER else row["power"]
            if isinstance(label, str) and not row["left"] and label not in self.powers:
                name = str(row["name"])
                for each in {name, *name.split()[:1]}:
                    found.setdefault(each, set()).add(label)
        return {
            name: label for name, labels in found.items() if len(labels) == 1 for label in labels
        }

    @property
    def count(self) -> int | None:
        """How many people play; None if they may not know."""
        return identity.counted(self._state, self._reader)

    @property
    def number(self) -> int | None:
        """Their own number in the assignment, while the game forms."""
        return identity.number_of(self._state, id_of(self._reader))

    def waits(self, seat: Seat) -> bool:
        """Return whether a seat waits for the deadline, if they act for it."""
        return self._acts_for(seat) and seat.wait

    def vote(self, seat: Seat) -> Vote | None:
        """Return how a seat votes, if they act for it."""
        return seat.draw if self._acts_for(seat) else None

    @property
    def wish(self) -> str | None:
        """What they would like to play; None if they do not play."""
        return next((each.preferences for each in self._own if each.role is Role.PLAYER), None)

    @property
    def results_only(self) -> bool | None:
        """Whether they get results only, as an observer; None if they have no part in the game."""
        return next((each.options.results_only for each in self._own), None)

    @property
    def muted(self) -> set[int]:
        """The seats whose signed press they do not get."""
        return set[int]().union(*(each.options.muted for each in self._own))

    @property
    def _own(self) -> list[Seat]:
        return self._state.seats.of(id_of(self._reader))

    def _acts_for(self, seat: Seat) -> bool:
        own = seat.person_id is not None and seat.person_id == id_of(self._reader)
        return own or seat.power in self._acting

    # Texts

    def press(
        self, holds: Callable[[str | None, datetime], bool] | None = None
    ) -> list[ShownPress]:
        """Return the press that they may read, oldest first; only that of a phase and a moment for
        which `holds` is true, if it is given."""
        found = readable_press.readable(self._state, self._reader)
        kept = [said for said in found if holds is None or holds(said.phase, said.sent_at)]
        return list(map(self.said, kept))

    def said(self, press: Press) -> ShownPress:
        """Return a message as they saw it."""
        return ShownPress(readable_press.entry(self._state, press, self._reader))

    def got(self) -> list[Press]:
        """Return the messages that they may read, what they have muted among them, to be named in a
        report: `said` shows them."""
        return readable_press.readable(self._state, self._reader, muted=True)

    def statements(self) -> list[ShownStatement]:
        """Return the statements after a game, by power."""
        return readable_press.statements(self._state, self._reader)

    def pages(self, seat: Seat) -> list[DiaryPage]:
        """Return the diary of a seat of theirs; nothing of others, in whose place they may act."""
        own = seat.person_id is not None and seat.person_id == id_of(self._reader)
        return self._state.storage.diaries.of_seat(seat.id) if own else []

    def diaries(self) -> dict[str, list[DiaryPage]]:
        """Return the diaries of a game that is over, by power; none before."""
        return readable_press.published_diaries(self._state)
