"""A game in work: its record with board, people, and orders read, inside one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from msgspec.structs import replace

from judge.events import Audience, Event, EventKind, Everybody
from judge.game.state import boards
from judge.game.state.game_powers import Powers
from judge.game.state.game_seats import GameSeats
from judge.game.state.game_sheets import Sheets
from judge.game.state.game_terms import Terms
from judge.game.state.settings import PressRule, Settings, played
from judge.interchange.stored_values import position_from_json, position_to_json
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.engine import Owed
from judge.rules.orders import Order, Unreadable
from judge.rules.phase import Phase
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, of_phase
from judge.storage import (
    SECRET_FREE,
    Game,
    GameState,
    PhaseRun,
    Press,
    Storage,
)

Made = TypeVar("Made")


def _variant(name: str, settings: Settings, position: Position | None) -> Variant:
    variant = played(name, settings)
    return variant if position is None else of_phase(variant, position.phase)


class State:
    """A game and everything that belongs to it.

    Changes are stored by `save` and the methods that say so; the caller's transaction makes them
    one step.
    """

    def __init__(self, storage: Storage, game: Game, events: list[Event] | None = None) -> None:
        """`events` is where to append what people are told; by default a list of its own."""
        self.storage = storage
        self.game = game
        self.events: list[Event] = [] if events is None else events
        self.settings = self._read = Settings.from_json(game.settings)
        self.seats = GameSeats(storage, game)
        self.on_file = storage.orders(game.id)
        self.position: Position | None = (
            position_from_json(game.position) if game.position else None
        )
        self._made: dict[Callable[..., Any], tuple[tuple[object, ...], Any]] = {}
        self._orders: dict[str, list[Order]] | None = None
        self.dropped: dict[str, list[str]] = {}
        """Phases passed over for which a power had advance orders: only its player is told."""
        self.lapsed: dict[str, str] = {}
        """The lines that repeat votes for a draw, by power, which ended with the last phase."""
        self._filed: dict[str, tuple[datetime, int | None]] = {}
        self.began = game.phase
        """The phase that was open at first: a game master's message may open another one."""

    @property
    def variant(self) -> Variant:
        """The variant as played: with what settings and the open phase change about it."""
        return self.once(_variant, self.game.variant, self.settings, self.position)

    @property
    def terms(self) -> Terms:
        """What kind of game it is."""
        return Terms(self)

    @property
    def powers(self) -> Powers:
        """Who plays what, and which powers are in the game yet."""
        return Powers(self)

    @property
    def sheets(self) -> Sheets:
        """What is decided in the open phase, and what is missing."""
        return Sheets(self)

    @property
    def people(self) -> set[int]:
        """The ids of all who have, or had, a part in the game."""
        return {seat.person_id for seat in self.seats if seat.person_id is not None}

    @property
    def victory(self) -> int:
        """How many centers win."""
        position = self.position or self.variant.opening
        return engine.victory(self.variant, position)

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of this game."""
        return Rulebook.edition(self.game.rulebook)

    @property
    def phase(self) -> Phase | None:
        """The open phase, None before the start."""
        return None if self.position is None else self.position.phase

    @property
    def open_phase(self) -> Phase:
        """The open phase. Raises ValueError if the game has not started."""
        return self.opened.phase

    @property
    def opened(self) -> Position:
        """The open position. Raises ValueError if the game has not started."""
        if self.position is None:
            raise ValueError(f"game {self.game.name} has not started")
        return self.position

    # Orders

    @property
    def owed(self) -> Mapping[str, Owed]:
        """What each power must decide in the open phase; powers with nothing are absent."""
        return self.once(engine.owed, self.variant, self.opened)

    @property
    def standings(self) -> boards.Standings:
        """What every power has in the open position: for those who see all of it."""
        return self.once(boards.standings, self.variant, self.opened)

    def once(self, make: Callable[..., Made], *made_of: object) -> Made:
        """Return what `make` makes of these, which it does again only where they have changed."""
        kept = self._made.get(make)
        if kept is None or kept[0] != made_of:
            kept = self._made[make] = made_of, make(*made_of)
        made: Made = kept[1]
        return made

    @property
    def orders(self) -> dict[str, list[Order]]:
        """The orders on file for the open phase, by power."""
        if self._orders is None:
            variant, position, rulebook = self.variant, self.opened, self.rulebook
            phase = position.phase
            self._orders = {
                power: [
                    read_order(order.text, variant, phase, power, position, rulebook)
                    for order in orders
                ]
                for power, orders in self.on_file.of_phase(str(phase)).items()
            }
        return self._orders

    def order_of(self, power: str, text: str) -> Order | Unreadable:
        """Return what a text orders for `power` in the open phase."""
        return read_order(text, self.variant, self.open_phase, power, self.opened, self.rulebook)

    def file(
        self, power: str, orders: Sequence[Order], arrived_at: datetime, mail_id: int | None
    ) -> None:
        """Make `orders` all that `power` has on file for the open phase; `save` stores them.

        `arrived_at` and `mail_id` tell when and in which mail those that are new have come.
        """
        self.orders[power] = list(orders)
        self._filed[power] = (arrived_at, mail_id)

    # Changes

    def set(self, **changes: Any) -> None:
        """Change settings by name; `save` stores them."""
        self.settings = replace(self.settings, **changes)

    def open(self, position: Position) -> None:
        """Open the phase of `position`; orders not saved are dropped."""
        self._filed.clear()
        self.position = position
        self._orders = None
        self.game.position = position_to_json(position)
        self.game.phase = str(position.phase)

    def close(self) -> None:
        """Undo the start: no position, no clock, and no orders on file."""
        for power in self.variant.powers:
            for phase in self.on_file.of_power(power):
                self.on_file.drop(phase)
        self._filed.clear()
        self._orders = None
        self.position = None
        game = self.game
        game.state, game.phase, game.position = GameState.FORMING, None, None
        game.deadline = game.grace_end = game.opened_at = game.started_at = None
        game.last_change = None

    def tell(
        self,
        kind: EventKind,
        facts: Mapping[str, Any] | None = None,
        *,
        to: Audience | None = None,
        but: Iterable[int | None] = (),
        mail_id: int | None = None,
        press: Press | None = None,
        claim: str | None = None,
        runs: Sequence[PhaseRun] = (),
    ) -> None:
        """Append an event of the game, for everybody in it but the ids `but`, or for `to`.

        The arguments are those of `Event`.
        """
        self.events.append(
            Event(
                kind=kind,
                to=to or Everybody(tuple(each for each in but if each is not None)),
                game_id=self.game.id,
                facts=facts or {},
                mail_id=mail_id,
                press=press,
                claim=claim,
                runs=tuple(runs),
            )
        )

    def log(self, at: datetime, what: str, facts: Mapping[str, Any], actor: str = "judge") -> None:
        """Add to the game's log what `actor` did, and when."""
        self.storage.events.log(at, what, facts, actor=actor, game_id=self.game.id)

    def save(self) -> None:
        """Store what changed: orders, settings, and the game's record."""
        for power, (arrived_at, mail_id) in self._filed.items():
            self.on_file.replace(
                str(self.opened.phase),
                power,
                [str(order) for order in self.orders[power]],
                arrived_at=arrived_at,
                mail_id=mail_id,
            )
        self._filed.clear()
        if self.settings is not self._read:
            self.game.settings = self.settings.to_json()
        self.note_search()
        self.storage.games.save(self.game)

    def note_search(self) -> None:
        """Note in the record what LIST looks for, so that no search has to load games."""
        game, settings = self.game, self.settings
        game.listed = settings.listed
        if game.state == GameState.FORMING:
            game.free = SECRET_FREE if settings.secret else max(0, self.terms.free_places)
        else:
            game.free = len(self.powers.open())
        said = {
            "gunboat": settings.gunboat,
            "blind": settings.blind,
            "nopress": settings.press is PressRule.NONE,
            f"{settings.move.next:g}h": True,
        }
        game.traits = f" {' '.join(word for word, holds in said.items() if holds)} "

    def note(self, **changes: Any) -> None:
        """Change what is noted of the game, by name; `save` stores it."""
        self.game.options = replace(self.game.options, **changes)
