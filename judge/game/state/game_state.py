"""A game in work: its record with board, people, and orders read, inside one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from msgspec.structs import replace

from judge.bots.levels import CARETAKER
from judge.events import Audience, Event, EventKind, Everybody
from judge.game.state import boards
from judge.game.state.settings import PressRule, Settings, played
from judge.game.state.sheet import Seal, Sheet, fill, incomplete, seal
from judge.interchange.stored_values import position_from_json, position_to_json
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.engine import Checked, Owed
from judge.rules.orders import Order
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, lineup_of, of_phase
from judge.storage import (
    SECRET_FREE,
    Condition,
    Game,
    GameState,
    Person,
    PhaseRun,
    Press,
    Role,
    Seat,
    SeatState,
    Storage,
)

IN_USE = (SeatState.ACTIVE, SeatState.ABANDONED)
"""States of seats that people hold: players who fell silent can come back."""

CONTACT = (Role.PLAYER, Role.MASTER, Role.OBSERVER)
"""Roles, in the order in which a person with several acts."""

PRACTICE = "practice"
"""With what the names of games against computers begin."""


Made = TypeVar("Made")


def _variant(name: str, settings: Settings, position: Position | None) -> Variant:
    variant = played(name, settings)
    return variant if position is None else of_phase(variant, position.phase)


def part(seat: Seat) -> str:
    """Return what a person is by a seat: a power, or player, master, observer."""
    return seat.power or seat.role


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
        self.seats: list[Seat] = storage.seats.of_game(game.id)
        self.on_file = storage.orders(game.id)
        self.position: Position | None = (
            position_from_json(game.position) if game.position else None
        )
        self._made: dict[Callable[..., Any], tuple[tuple[object, ...], Any]] = {}
        self._people: dict[int, Person] = {}
        self._orders: dict[str, list[Order]] | None = None
        self.dropped: dict[str, list[str]] = {}
        """Phases passed over for which a power had advance orders: only its player is told."""
        self.lapsed: dict[str, str] = {}
        """The lines that repeat votes for a draw, by power, which ended with the last phase."""
        self._filed: dict[str, tuple[datetime, int | None]] = {}
        self.began = game.phase
        """The phase that was open at first: a game master's message may open another one."""
        self.seated = frozenset(seat.id for seat in self.seats)
        """The ids of its seats at first: a message may bring its writer another one."""

    @property
    def variant(self) -> Variant:
        """The variant as played: with what settings and the open phase change about it."""
        return self._once(_variant, self.game.variant, self.settings, self.position)

    @property
    def victory(self) -> int:
        """How many centers win."""
        position = self.position or self.variant.opening
        return engine.victory(self.variant, position)

    @property
    def places(self) -> int:
        """How many people can play."""
        settings = self.settings
        return settings.people or settings.in_play or len(self.variant.played)

    @property
    def free_places(self) -> int:
        """How many people more can join while the game forms."""
        return self.places - len(self.active(Role.PLAYER))

    @property
    def alone(self) -> bool:
        """Whether one person plays all powers, and so runs the game, too."""
        return self.settings.people == 1 and not self.game.moderated

    @property
    def practice(self) -> bool:
        """Whether one person plays against computers (JOIN PRACTICE)."""
        bots = any(seat.options.bot for seat in self.seats)
        return bots and self.game.name.startswith(PRACTICE) and not self.game.moderated

    @property
    def private(self) -> bool:
        """Whether it is one person's own: nobody hears that it exists, unless invited."""
        return self.of_one and not self.settings.listed

    @property
    def of_one(self) -> bool:
        """Whether one person plays it, alone or against computers: nobody else waits for orders."""
        return self.alone or self.practice

    @property
    def blind(self) -> bool:
        """Whether players see only what their units see: in a blind game that is not over."""
        return self.settings.blind and self.game.state != GameState.ENDED

    @property
    def hides_people(self) -> bool:
        """Whether nobody may learn who plays: until the end, or ever if names are not revealed."""
        if not self.settings.gunboat or self.game.options.revealed:
            return False
        return self.game.state != GameState.ENDED or not self.settings.reveal

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook of this game."""
        return Rulebook.edition(self.game.rulebook)

    @property
    def phase(self) -> Phase | None:
        """The open phase, None before the start."""
        return None if self.position is None else self.position.phase

    @property
    def opened(self) -> Position:
        """The open position. Raises ValueError if the game has not started."""
        if self.position is None:
            raise ValueError(f"game {self.game.name} has not started")
        return self.position

    # People

    def active(self, role: Role) -> list[Seat]:
        """Return the seats of a role whose people are active."""
        return [seat for seat in self.seats if seat.role == role and seat.state == SeatState.ACTIVE]

    def seats_of(self, person_id: int | None) -> list[Seat]:
        """Return the seats in use of a person, players first; none of nobody."""
        if person_id is None:
            return []
        mine = [seat for seat in self.seats if seat.person_id == person_id and seat.state in IN_USE]
        return sorted(mine, key=lambda seat: CONTACT.index(seat.role))

    def parts_of(self, person_id: int) -> list[str]:
        """Return what a person is in the game: powers, or else roles."""
        return [part(seat) for seat in self.seats_of(person_id)]

    def player(self, power: str) -> Seat | None:
        """Return the seat of the player of `power`, if anybody plays it."""
        seat = self.holder(power)
        return seat if seat is not None and seat.state == SeatState.ACTIVE else None

    def players(self) -> dict[str, Seat]:
        """Return the seats of those who play, by power."""
        return {seat.power: seat for seat in reversed(self.active(Role.PLAYER)) if seat.power}

    def holder(self, power: str) -> Seat | None:
        """Return the seat of the player, or last player, of `power`."""
        last = None
        for seat in self.seats:
            if seat.power == power and seat.role == Role.PLAYER:
                if seat.state == SeatState.ACTIVE:
                    return seat
                last = seat
        return last

    def hands(self) -> list[tuple[str, ...]]:
        """Return the powers of each person who plays or last played several, and the others alone.

        Powers that nobody ever played are grouped as the lineup gives them to players.
        """
        lineup = lineup_of(self.variant)
        groups = lineup.groups if lineup is not None else ()
        dealt = {power: group for group in groups for power in group}
        found: dict[object, list[str]] = {}
        for power in self.variant.powers:
            seat = self.holder(power)
            person_id = None if seat is None else seat.person_id
            found.setdefault(person_id or dealt.get(power, power), []).append(power)
        return list(map(tuple, found.values()))

    def hand(self, power: str) -> tuple[str, ...]:
        """Return all powers of the player, or last player, of `power`, itself among them."""
        return next(hand for hand in self.hands() if power in hand)

    def condition(self, power: str) -> Condition:
        """Return whether `power` is played, or else its condition (see `people.lateness`)."""
        seat = self.holder(power)
        if seat is None:
            return Condition.DUMMY
        if seat.state == SeatState.ACTIVE:
            return Condition.PLAYED
        found = seat.options.condition or Condition.ABANDONED
        return Condition.CARETAKER if self.caretaker and found != Condition.DUMMY else found

    def awaited(self, power: str) -> bool:
        """Return whether the game waits for orders of `power`."""
        return self.condition(power) not in (Condition.DISORDER, Condition.DUMMY)

    def awaits_approval(self, seat: Seat) -> bool:
        """Return whether the player of a seat waits for the game master's approval."""
        return self.game.moderated and seat.options.approval

    def alive(self, power: str) -> bool:
        """Return whether `power` has a unit or a supply center."""
        position = self.opened
        return any(at.get(power) for at in (position.units, position.centers, position.dislodged))

    def vacant(self) -> list[str]:
        """Return the powers that the game waits for and nobody plays."""
        return self._alive_in(Condition.ABANDONED)

    def in_care(self) -> list[str]:
        """Return the powers for which the caretaker orders."""
        return self._alive_in(Condition.CARETAKER) if self.caretaker else []

    def _alive_in(self, condition: Condition) -> list[str]:
        powers = self.variant.powers
        return [each for each in powers if self.condition(each) == condition and self.alive(each)]

    def open_powers(self) -> list[str]:
        """Return the powers to take over: abandoned, in civil disorder, or a computer's."""
        if self.game.state not in (GameState.ACTIVE, GameState.PAUSED):
            return []
        return [
            power
            for power in self.variant.powers
            if (
                self.condition(power) not in (Condition.PLAYED, Condition.DUMMY)
                or ((seat := self.player(power)) is not None and seat.options.bot)
            )
            and self.alive(power)
        ]

    def load_people(self, seats: Sequence[Seat]) -> None:
        """Read whose seats these are at once, for `person` to find."""
        ids = {seat.person_id for seat in seats if seat.person_id is not None} - set(self._people)
        if ids:
            self._people |= {each.id: each for each in self.storage.people.all_of(sorted(ids))}

    def person(self, seat: Seat) -> Person:
        """Return the person of a seat that somebody holds."""
        assert seat.person_id is not None
        if seat.person_id not in self._people:
            person = self.storage.people.find(seat.person_id)
            assert person is not None
            self._people[person.id] = person
        return self._people[seat.person_id]

    def known(self, person: Person) -> None:
        """Replace what this state knows of a person who was just changed."""
        self._people[person.id] = person

    def everybody(self) -> list[int]:
        """Return the ids of all people in the game, in the order they joined."""
        ids = [seat.person_id for seat in self.seats if seat.state in IN_USE]
        return list(dict.fromkeys(person_id for person_id in ids if person_id is not None))

    @property
    def people(self) -> set[int]:
        """The ids of all who have, or had, a part in the game."""
        return {seat.person_id for seat in self.seats if seat.person_id is not None}

    @property
    def draw_needs(self) -> str:
        """What a power needs to share in a draw: `centers`, `units`, or `either`."""
        return self.variant.draw or self.rulebook.short_game

    def survivors(self) -> list[str]:
        """Return the powers that are in the game yet and can agree on a draw.

        2023: "players who still have supply centers"; 1976, II: "who still have pieces on the
        board", centers as long as nobody has any. Players who have only fallen silent keep their
        vote as long as the game waits for them.
        """
        position, needed = self.opened, self.draw_needs
        standing = {
            power: position.units.get(power) or position.dislodged.get(power)
            for power in self.variant.powers
        }
        if needed == "units" and not any(standing.values()):
            needed = "centers"
        return [
            power
            for power in self.variant.powers
            if (needed != "units" and position.centers.get(power))
            or (needed != "centers" and standing[power])
            if (seat := self.holder(power)) and seat.state in IN_USE
            if self.condition(power) in (Condition.PLAYED, Condition.ABANDONED)
        ]

    # Orders

    @property
    def owed(self) -> Mapping[str, Owed]:
        """What each power must decide in the open phase; powers with nothing are absent."""
        return self._once(engine.owed, self.variant, self.opened)

    @property
    def standings(self) -> boards.Standings:
        """What every power has in the open position: for those who see all of it."""
        return self._once(boards.standings, self.variant, self.opened)

    def _once(self, make: Callable[..., Made], *made_of: object) -> Made:
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

    def ahead(self, power: str) -> dict[Phase, list[str]]:
        """Return what `power` has on file for later phases as it is kept, the next one first."""
        key = self.variant.calendar.key
        on_file = self.on_file.of_power(power).items()
        kept = {Phase.read(name): [each.text for each in orders] for name, orders in on_file}
        later = [phase for phase in kept if key(phase) > key(self.opened.phase)]
        return {phase: kept[phase] for phase in sorted(later, key=key)}

    def file(
        self, power: str, orders: Sequence[Order], arrived_at: datetime, mail_id: int | None
    ) -> None:
        """Make `orders` all that `power` has on file for the open phase; `save` stores them.

        `arrived_at` and `mail_id` tell when and in which mail those that are new have come.
        """
        self.orders[power] = list(orders)
        self._filed[power] = (arrived_at, mail_id)

    def sheet(self, power: str) -> Sheet:
        """Return what `power` must decide in the open phase, and what it has decided."""
        orders = self.orders.get(power, ())
        return fill(self.variant, self.opened.phase.kind, power, self.owed.get(power), orders)

    @property
    def sealed_as(self) -> str:
        """The game's name in the seals of the open phase: that under which the phase opened."""
        kept = self.game.options.sealed_as
        return kept.name if kept is not None and kept.phase == self.game.phase else self.game.name

    def seal(self, power: str) -> Seal:
        """Return the seal of the orders of `power` for the open phase."""
        game, orders = self.game, self.orders.get(power, ())
        assert game.opened_at is not None
        secret, phase = self.storage.tickets.secret, str(self.opened.phase)
        return seal(secret, self.sealed_as, phase, game.opened_at, power, map(str, orders))

    def seals(self) -> dict[str, dict[str, str]]:
        """Return key and seal of every power with orders, as the history stores them."""
        sealed = [self.seal(power) for power, orders in self.orders.items() if orders]
        return {each.power: {"key": each.key, "seal": each.digest} for each in sealed}

    def check(self, power: str, order: Order) -> Checked:
        """Return whether `power` can give this order in the open phase."""
        return engine.check(self.variant, self.opened, power, order, self.rulebook)

    def complete(self) -> bool:
        """Return whether every power the game waits for has sent all orders it owes."""
        return not self.missing()

    def missing(self) -> list[str]:
        """Return the powers the game waits for whose orders are incomplete."""
        return [power for power in self.unfinished() if self.awaited(power)]

    def unfinished(self) -> list[str]:
        """Return the powers whose orders are incomplete, whether or not the game waits for them."""
        return incomplete(self.opened.phase.kind, self.owed, self.orders)

    def waiting(self) -> bool:
        """Return whether anybody who may (STRICT WAIT) asked to wait for the deadline."""
        strict = self.settings.strict_wait
        return bool(self.undecided()) or any(
            seat.wait and (not strict or seat.power in self.owed)
            for seat in self.seats
            if seat.state == SeatState.ACTIVE
        )

    def undecided(self) -> list[str]:
        """Return the powers that owe nothing but can convert units, and have not said anything.

        Others' complete orders do not end the phase for them before the deadline.
        """
        if self.phase is None or self.phase.kind is not Kind.ADJUSTMENTS:
            return []
        found = []
        for power in self.owed:
            seat = self.player(power)
            if seat is None or not self.sheet(power).optional or self.orders.get(power):
                continue
            if seat.options.content != str(self.opened.phase):
                found.append(power)
        return found

    def bots_owing(self) -> dict[str, str]:
        """Return the powers for which computers have not decided what they must in the open phase,
        with the levels of those computers."""
        if self.game.state != GameState.ACTIVE:
            return {}
        seats = self.players().items()
        bots = {power: level for power, seat in seats if (level := seat.options.bot) is not None}
        bots |= dict.fromkeys(self.in_care(), CARETAKER)
        if not bots:
            return {}
        open_ = {*self.unfinished(), *self.undecided()}
        return {power: level for power, level in bots.items() if power in open_}

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

    @property
    def rated(self) -> bool:
        """Whether the game counts for people's reliability."""
        rated = self.settings.rated
        return self.game.moderated if rated is None else rated

    @property
    def caretaker(self) -> bool:
        """Whether a computer orders for powers that nobody plays any more."""
        chosen, settings = self.settings.caretaker, self.settings
        return not (settings.nmr or self.private) if chosen is None else chosen

    @property
    def musters(self) -> bool:
        """Whether players are asked before the start if they are there: strangers in a game that
        takes months, unless the setting says otherwise."""
        chosen, settings = self.settings.muster, self.settings
        return settings.listed and settings.move.next >= 24 if chosen is None else chosen

    @property
    def nmr(self) -> bool:
        """Whether the game goes on without orders that are missing."""
        return self.settings.nmr and not self.caretaker

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
            game.free = SECRET_FREE if settings.secret else max(0, self.free_places)
        else:
            game.free = len(self.open_powers())
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

    def mark(self, seat: Seat, **changes: Any) -> None:
        """Change what is noted of a seat, by name, and store it."""
        seat.options = replace(seat.options, **changes)
        self.seat(seat)

    def new_seat(self, person_id: int | None, role: Role, at: datetime, **more: Any) -> Seat:
        """Return a seat of somebody from `at` on, which is not stored yet."""
        return Seat(game_id=self.game.id, person_id=person_id, role=role, joined_at=at, **more)

    def leave(self, seats: Iterable[Seat], how: SeatState = SeatState.LEFT) -> None:
        """Let nobody be in these seats any more."""
        for seat in seats:
            seat.state = how
            self.seat(seat)

    def seat(self, seat: Seat) -> Seat:
        """Add a seat, or store its changes."""
        if seat.id:
            self.storage.seats.save(seat)
        else:
            self.storage.seats.add(seat)
            self.seats.append(seat)
        return seat
