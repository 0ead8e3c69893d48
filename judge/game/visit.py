"""One mail while it is worked: who writes, in which part, and what he has been answered so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from judge.game.command import Answer, Refused, Table
from judge.game.intake.lines import Line
from judge.game.intake.trust import Answered
from judge.game.post import Post
from judge.game.state import State
from judge.game.state.profile import House
from judge.game.views import reader_facts
from judge.game.visibility.identity import is_hidden
from judge.mail.message import ParsedMessage
from judge.rules.orders import Order
from judge.storage import Event, Game, Mail, Person, Press, Seat, Storage


@dataclass(frozen=True)
class Item:
    """A line of the mail and what became of it.

    `kind`: an order taken, a command carried out, or a line that could not be used. `read` is the
    line as understood, in canonical form. Of the third kind `answer` says why, and `write` are
    lines that would be accepted. `asks` as in `Command`.
    """

    line: str
    kind: Literal["order", "command", "refused"]
    answer: Answer
    read: str | None = None
    write: tuple[str, ...] = ()
    asks: bool = False


@dataclass(frozen=True)
class Wrong:
    """A wrong password: for which game, and by which person."""

    game_id: int
    person_id: int | None


@dataclass(frozen=True)
class Change:
    """A setting as it was and as it is now, for the letter that tells the others."""

    name: str
    old: str
    new: str


@dataclass
class Place:
    """What a master did in a power's place: the items of the visit from `first` on, up to `end`."""

    state: State
    power: str
    seat: Seat
    first: int
    end: int | None = None


@dataclass
class Visit:
    """Everything a command may use. It lives in one transaction and is thrown away after it.

    `state` is the game of the lines being read, `seats` the writer's parts in it that count;
    `closed` holds the line of a sign-on that failed: what follows it is meant for another part
    and must not be carried out in this one.
    """

    storage: Storage
    house: House
    table: Table
    mail: Mail
    incoming: ParsedMessage
    now: datetime
    person: Person | None
    post: Post
    seed: Callable[[], str]
    """Where chance for draws comes from; each call gives another one."""
    state: State | None = None
    seats: list[Seat] = field(default_factory=list)
    closed: str | None = None
    lines: list[Line] = field(default_factory=list)
    """All lines as they were read, those left alone included."""
    items: list[Item] = field(default_factory=list)
    changes: dict[int, list[Change]] = field(default_factory=dict)
    adjusted: set[tuple[int, str]] = field(default_factory=set)
    """Games and powers whose adjustment orders this mail has begun to replace."""
    ordered: dict[tuple[int, str, str], Order] = field(default_factory=dict)
    """What this mail has ordered: by game, power and province."""
    renewed: set[tuple[int, str, str, str | None]] = field(default_factory=set)
    """Games, powers, later phases and places ("" all of them) that this mail says anew."""
    states: dict[int, State] = field(default_factory=dict)
    quiet: bool = False
    """Whether the sender has had all the answers he gets for a while."""
    news: list[dict[str, Any]] = field(default_factory=list)
    """What he should hear about letters that came back."""
    known_before: bool = False
    """Whether the sender was known when the mail came in."""
    answered: Answered | None = None
    """The letter to the writer that this mail answers."""
    replying: Press | None = None
    """The press that this mail answers."""
    verified: bool = False
    """Whether the mail server of the sender's domain vouches for him."""
    signed: set[int] = field(default_factory=set)
    """Ids of the seats whose passwords the writer gave."""
    wrong: list[Wrong] = field(default_factory=list)
    """The wrong passwords in this mail, which count even if nothing else in it does."""
    tried: int = 0
    """How many passwords he gave for parts that have none."""
    secrets: set[str] = field(default_factory=set)
    """The passwords in this mail, which are neither kept nor repeated."""
    came: set[int] = field(default_factory=set)
    """Ids of the games in which the writer did something in a part of his."""
    created: set[int] = field(default_factory=set)
    """Ids of the games that this mail made."""
    keeper: bool = False
    """Whether the writer is the keeper of the judge, as far as his address says."""
    keeping: Seat | None = None
    """The part of a master, on no file, in which the keeper runs the game of these lines."""
    became: Seat | None = None
    """In whose place the writer, a master, acts (BECOME)."""
    places: list[Place] = field(default_factory=list)
    """What he did in the place of others, in order."""
    given: dict[tuple[int, str], list[Item]] = field(default_factory=dict)
    """The orders that he gave as a master, by game and power."""

    # Games and parts

    def load(self, game: Game) -> State:
        """The game, claimed for this transaction and the same object for all lines of the mail."""
        if game.id not in self.states:
            claimed = self.storage.games.claim(game.id)
            assert claimed is not None
            self.states[game.id] = State(self.storage, claimed)
        return self.states[game.id]

    def game_named(self, name: str) -> State:
        """The game of that name. Raises Refused."""
        game = self.storage.games.by_name(name.strip().strip(".,;!?"))
        if game is None:
            raise Refused("no_such_game", write="LIST", name=name)
        return self.load(game)

    def enter(self, state: State, seats: list[Seat] | None = None) -> None:
        """From here on lines are for this game, in these parts (all the writer's by default)."""
        self._step_back()
        self.keeping = None
        self.state = state
        self.closed = None
        mine = state.seats_of(self.person.id) if self.person else []
        self.seats = mine if seats is None else seats

    def leave(self, line: str) -> None:
        """From here on lines are for no game: `line`, a sign-on, could not be followed."""
        self._step_back()
        self.keeping = None
        self.state = None
        self.seats = []
        self.closed = line

    def become(self, seat: Seat) -> None:
        """From the next line on the writer, a master of this game, acts in the place of `seat`."""
        assert seat.power is not None
        self._step_back()
        self.became = seat
        self.seats = [seat]
        # The item of the line that says so is still to come.
        self.places.append(Place(self.here(), seat.power, seat, len(self.items) + 1))

    def _step_back(self) -> None:
        if self.became is not None:
            self.became = None
            self.places[-1].end = len(self.items)

    def games(self) -> list[Game]:
        """The games that are not over in which the writer has a part."""
        if self.person is None:
            return []
        return self.storage.games.of_person(self.person.id, ("forming", "active", "paused"))

    def here(self) -> State:
        """The game of these lines. Raises Refused where there is none."""
        if self.state is not None:
            return self.state
        if self.closed is not None:
            raise Refused("not_signed_on", line=self.closed)
        names = [game.name for game in self.games()]
        raise Refused("which_game", write=f"SIGN ON {names[0]}" if names else "LIST", names=names)

    def playing(self) -> list[Seat]:
        """The writer's seats as a player in this game."""
        return [seat for seat in self.seats if seat.role == "player"]

    def is_master(self) -> bool:
        """Whether the writer runs this game: its masters where it is moderated, or the keeper."""
        runs = self.here().game.moderated or self.keeping is not None
        return runs and any(seat.role == "master" for seat in self.mine())

    def orders_for_all(self) -> bool:
        """Whether the lines are a master's, who may give orders for any unit."""
        return self.is_master() and any(seat.role == "master" for seat in self.seats)

    def mine(self) -> list[Seat]:
        """All the writer's seats in this game, whichever he signed on with; or the one in whose
        place he acts."""
        return self.own() if self.became is None else [self.became]

    def own(self) -> list[Seat]:
        """The writer's own seats in this game, also while he acts in somebody's place."""
        mine = self.here().seats_of(self.person.id) if self.person else []
        return mine if self.keeping is None else [self.keeping]

    def reported(self) -> list[State]:
        """The games of this mail in which the writer has a part, in the order he came to them."""
        if self.person is None:
            return []
        return [state for state in self.states.values() if state.seats_of(self.person.id)]

    def view(self, state: State) -> dict[str, Any]:
        """What the writer may know of a game, for templates."""
        person_id = self.person.id if self.person else None
        powers = [place.power for place in self.places if place.state is state]
        powers += [power for game_id, power in self.given if game_id == state.game.id]
        zone = self.post.zone(self.person)
        return reader_facts(state, person_id, zone, self.now, list(dict.fromkeys(powers)))

    # What happened

    def log(self, what: str, facts: Mapping[str, Any] | None = None) -> None:
        """Write who did what into the log, about the game of these lines."""
        self.log_in(self.state, what, facts)

    def log_in(
        self, state: State | None, what: str, facts: Mapping[str, Any] | None = None
    ) -> None:
        """Write who did what to which game into the log."""
        self.storage.events.add(
            Event(
                at=self.now,
                game_id=state.game.id if state else None,
                actor=self.incoming.sender,
                what=what,
                facts=dict(facts or {}) | ({"keeper": True} if self.keeping else {}),
            )
        )

    def tell(
        self, kind: str, facts: Mapping[str, Any], *, but_me: bool = True, masters: bool = False
    ) -> None:
        """A letter about this game to everybody in it, or to its masters only."""
        state = self.here()
        me = self.person.id if self.person and but_me else None
        if masters and is_hidden(state) and not state.game.moderated:
            # Who made the game plays in it, and must not know who does what.
            return
        if masters:
            for seat in state.active("master"):
                if seat.person_id != me:
                    self.post.to_person(kind, state.person(seat), facts, state, self.mail.id)
        else:
            self.post.to_game(kind, state, facts, but=(me,), mail_id=self.mail.id)
