"""One message in process: who sent it, which game its lines are for, and what came of them.

Each is a value with one job, so that a signature says what a function may touch: `Sender`,
`Cursor` and `Report`. A command gets all of them as a `MessageContext`.

Every line of the sender's own text has one fate. A `ReplySheet` numbers the lines as they stand in
it; whatever reads one says what became of it, and that nobody read a line is a fate, too.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from enum import Enum
from hashlib import blake2b
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from judge import variants
from judge.events import At, Event, EventKind, reader
from judge.game.orders.order_context import OrderContext, order_context
from judge.game.people.entry import was_invited
from judge.game.state import State
from judge.game.state.answers import LineResult, Refused, SettingChange, Unconfirmed
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.game.visibility.eyes import Eyes, reader_of
from judge.intake.addressees import Hear, courtesies, hearing
from judge.intake.arguments import check_no_tournament
from judge.intake.command import CommandTable
from judge.intake.lines import Line, meant
from judge.intake.offers import Offer, to_claim
from judge.intake.wishes import Request
from judge.mail.address import Addresses
from judge.mail.compose import Attachment
from judge.mail.message import ParsedMessage
from judge.rules.orders import Order
from judge.storage import (
    GOING_ON,
    Address,
    GameState,
    InboundMessage,
    Person,
    Press,
    Role,
    Seat,
    SeatState,
    Storage,
    Ticket,
)


class Fate(Enum):
    """What became of a line."""

    DONE = "done"
    """An order or a command that was carried out."""
    SENT = "sent"
    """Press that went out."""
    ASKED = "asked"
    """Kept until a question is answered."""
    NOTHING = "nothing"
    """Nothing was done with it and nobody was sent it."""
    GREETING = "greeting"
    """A salutation, thanks, a signature, or a comment: nothing need be said of it."""


class Fated(Struct, frozen=True):
    """A line with its fate; `told` says that the reply has an answer to it of its own."""

    line: Line
    fate: Fate
    told: bool


class ReplySheet(Struct):
    """The writer's own text by rows, and the fates of its lines in the order they were read."""

    rows: list[str] = field(default_factory=list)
    names: frozenset[str] = frozenset()
    """Words of the writer's names, in lower case: who signs with one says nothing by it."""
    fated: list[Fated] = field(default_factory=list)

    def give(self, line: Line, fate: Fate, result: LineResult | None = None) -> None:
        """Say what became of a line; `result` is what the reply says of it."""
        self.fated.append(Fated(line, fate, result is not None))

    def add(self, text: str) -> None:
        """Let a text go on below the rows there are."""
        self.rows.extend(text.splitlines())

    def put_above(self, lines: Sequence[str]) -> None:
        """Let lines stand above all others, and a blank one below them."""
        below = [*lines, ""] if lines else []
        self.rows[:0] = below
        for number, each in enumerate(self.fated):
            rows = each.line.rows
            moved = range(rows.start + len(below), rows.stop + len(below))
            self.fated[number] = replace(each, line=replace(each.line, rows=moved))

    def rest(self, rows: Container[int] | None = None) -> str:
        """Return the text that has no fate yet, or those `rows` of it, each line in its own row."""
        covered = self._covered()
        return "\n".join(
            "" if row in covered or (rows is not None and row not in rows) else text
            for row, text in enumerate(self.rows)
        )

    def first(self) -> tuple[int, str]:
        """Return the first row that has text, and the text; "" where there is none."""
        found = ((row, text.strip()) for row, text in enumerate(self.rows) if text.strip())
        return next(found, (0, ""))

    def begin(self, row: int, end: int) -> None:
        """Note that a row begins with a YES or NO, up to `end`; what follows is still read."""
        text = self.rows[row].strip()
        self.rows[row] = text[end:]
        rows = range(0) if text[end:] else range(row, row + 1)
        self.fated.append(
            Fated(Line(text[:end], "command", "YES", rows=rows), Fate.DONE, told=True)
        )

    def close(self) -> None:
        """Give a fate to every row that nobody spoke of: it was not read. Those that nobody will
        look at one by one have one together."""
        covered = self._covered()
        left = [
            (row, said)
            for row, text in enumerate(self.rows)
            if (said := text.strip()) and row not in covered
        ]
        lines = [Line(said, "text", rows=range(row, row + 1)) for row, said in left[:_MOST]]
        for line, fate in zip(lines, self.fates_of(lines), strict=True):
            self.give(line, fate)
        if more := left[_MOST:]:
            rows = range(more[0][0], more[-1][0] + 1)
            self.give(Line("\n".join(said for _, said in more), "text", rows=rows), Fate.NOTHING)
        self.fated.sort(key=lambda each: each.line.rows.start)

    def fates_of(self, lines: Sequence[Line]) -> list[Fate]:
        """Return the fates of ordinary text that asks for nothing; the lines follow each other."""
        read = lines[:_MOST]
        courtesy = courtesies([line.text for line in read], self.names)
        fates = [
            Fate.GREETING if is_courtesy or not meant(line.text) else Fate.NOTHING
            for line, is_courtesy in zip(read, courtesy, strict=True)
        ]
        return fates + [Fate.NOTHING] * (len(lines) - len(read))

    def untold(self) -> Iterator[str]:
        """Yield the lines with which nothing was done, and of which the reply says nothing yet."""
        for each in self.fated:
            if each.fate is Fate.NOTHING and not each.told:
                yield from filter(str.strip, each.line.text.split("\n"))

    def _covered(self) -> set[int]:
        return {row for each in self.fated for row in each.line.rows}


def names_of(incoming: ParsedMessage) -> frozenset[str]:
    """Words of the names by which the sender of a message may sign."""
    return frozenset(
        _WORD.findall(f"{incoming.sender_name} {incoming.sender.partition('@')[0]}".casefold())
    )


_MOST = 1000
"""Lines among which courtesy is looked for."""

_WORD = re.compile(r"[^\W\d_]+")

UNSURE = "answered"
"""What the log says of a reply to a message of which nothing shows who wrote it."""


def said(incoming: ParsedMessage) -> str:
    """Return a mark of what a message says, no matter who wrote it, however it is spaced."""
    words = " ".join(f"{incoming.subject} {incoming.text}".casefold().split())
    return blake2b(words.encode("utf-8", "replace"), digest_size=16).hexdigest()


MOST_NAMED = 5
"""Games of the sender that a reply names."""

KEEPER_AT_HAND = 0
"""The id of the keeper at the command line, who is nobody on file."""


class FailedPassword(Struct, frozen=True):
    """A wrong password: for which game, and by which person."""

    game_id: int
    person_id: int | None


class Answered(Struct, frozen=True):
    """The letter a mail answers. `to_all`: its writer answers everybody who had it. `valid`: it is
    not too old; an old one says what is answered, and proves nothing. `by_address`: the mail came
    to the reply address, and does not only name the letter, as any answer to it does."""

    ticket: Ticket
    to_all: bool
    valid: bool
    by_address: bool = True

    @property
    def proves(self) -> bool:
        """Whether who wrote the mail had the letter."""
        return self.valid and self.by_address


class Sender(Struct):
    """Who wrote the message, and how sure that is."""

    person: Person | None
    address: str = ""
    """Where the message comes from, as it says."""
    known_before: bool = False
    """Whether the sender was known when the message came in."""
    keeper: bool = False
    """Whether this is the judge keeper, as far as the address says."""
    way: str | None = None
    """By which way the message came; None if that cannot be told."""
    verified: bool = False
    """Whether the mail server of the sender's domain vouches for them."""
    sure: bool = False
    """Whether anything shows that they wrote it: else somebody may write in their name."""
    named: Answered | None = None
    """Our message that this one answers, no matter who got it."""
    answered: Answered | None = None
    """Our message to the sender that this one answers."""
    mailbox: Address | None = None
    """What is on file about that address."""
    signed: set[int] = field(default_factory=set)
    """Ids of the seats whose passwords the sender gave."""
    wrong: list[FailedPassword] = field(default_factory=list)
    """The wrong passwords in the message, which count even if nothing else in it does."""
    tried: int = 0
    """How many passwords came for seats that have none."""
    hashed: int = 0
    """How many passwords were compared or set, each of which takes a while."""
    confirmed: bool = False
    """Whether the sender said YES to the lines that are carried out now."""
    secrets: set[str] = field(default_factory=set)
    """The passwords in the message, which are neither kept nor repeated."""
    proof: str | None = None
    """What somebody proved of the message since it came, as `TrustLevel` names it."""
    needed: TrustLevel = TrustLevel.ADDRESS
    """What the keeper wants proved of every line."""
    usual_zone: str = "UTC"
    """The time zone of people who have set none."""

    @property
    def person_id(self) -> int | None:
        """Who the sender is; None for a stranger."""
        return self.person.id if self.person else None

    @property
    def registered(self) -> Person:
        """The sender of a line that only people on file can write."""
        assert self.person is not None
        return self.person

    @property
    def zone(self) -> str:
        """The time zone in which the sender reads times."""
        return (self.person and self.person.time_zone) or self.usual_zone

    def confirm(self, code: str, **facts: object) -> None:
        """Raise Unconfirmed unless the sender said YES to this command, which cannot be undone.
        `templates/answers/<code>.txt` words the question."""
        if not self.confirmed:
            raise Unconfirmed(code, **facts)


class Cursor(Struct):
    """Which game the lines being read are for, and in which seats."""

    storage: Storage
    sender: Sender
    mail: InboundMessage
    events: list[Event]
    """Where games append what people must be told."""
    state: State | None = None
    seats: list[Seat] = field(default_factory=list)
    """The sender's seats in this game that count for these lines."""
    closed: str | None = None
    """The line of a sign-on that failed: what follows is meant for another seat, not for this."""
    keeping: Seat | None = None
    """The seat of a game master, never stored, in which the keeper runs this game."""
    became: Seat | None = None
    """In whose place the sender, a game master, acts (BECOME)."""
    replying: Press | None = None
    """The press that the message answers."""
    commands: frozenset[str] = frozenset()
    """What commands are called."""
    asked_which: bool = False
    """Whether the reply asks already which game lines are for."""
    _games: dict[int, str] = field(default_factory=dict)
    _names: tuple[str, ...] = ()
    _heard: dict[int, Hear] = field(default_factory=dict)
    states: dict[int, State] = field(default_factory=dict)
    created: set[int] = field(default_factory=set)
    """Ids of the games that this message made."""
    claimed: Callable[[State], None] = lambda _: None
    """What is done with each game before anything else is."""

    def load(self, game_id: int) -> State:
        """Return the game, claimed for this transaction: one object for the whole message."""
        if game_id not in self.states:
            found = self.storage.games.claim(game_id)
            assert found is not None
            self.states[game_id] = state = State(self.storage, found, self.events)
            self.claimed(state)
        return self.states[game_id]

    def game_named(self, name: str) -> State:
        """Return the game of that name. Raises Refused, also for what is somebody else's own, who
        has not invited the sender."""
        game = self.storage.games.by_name(name.strip().strip(".,;!?"))
        state = self.load(game.id) if game is not None else None
        if state is None or (state.terms.private and not self._may_enter(state)):
            check_no_tournament(self.storage, name)
            raise Refused("no_such_game", write="LIST", name=name)
        return state

    def game_meant(self, words: str) -> State:
        """Return the game that the words behind a command name, or that of these lines where there
        are none. Raises Refused."""
        name = words.strip(" .?!")
        return self.game_named(name) if name else self.here()

    def _may_enter(self, state: State) -> bool:
        me = self.sender.person_id
        return (
            self.sender.keeper
            or (me is not None and any(seat.person_id == me for seat in state.seats))
            or was_invited(self.storage, state.game.id, self.sender.address)
        )

    def games(self) -> dict[int, str]:
        """Return the names, by id, of the games of the sender that are not over."""
        me = self.sender.person_id
        return {} if me is None else self.storage.games.names_of(me, GOING_ON)

    def first_games(self) -> dict[int, str]:
        """Return the same, as they were when there were some first."""
        self._games = self._games or self.games()
        return self._games

    def names(self) -> tuple[str, ...]:
        """Return the names of the games of the sender, and of tournaments that they direct, as they
        were when there were some first."""
        if not self._names and (me := self.sender.person_id) is not None:
            self._names = (*self.first_games().values(), *self.storage.boards.directed_by(me))
        return self._names

    def here(self) -> State:
        """Return the game of these lines. Raises Refused where there is none."""
        if self.state is not None:
            return self.state
        if self.closed is not None:
            raise Refused("not_signed_on", line=self.closed)
        if self.asked_which:
            raise Refused("which_game_too")
        self.asked_which = True
        # They may have lost their seat while the mail waited.
        self._games, self._names = {}, ()
        names = self.names()
        if not names and (lent := self._lent()) is not None:
            raise Refused("lent_out", write=f"NO SITTER {lent}", game=lent)
        write = f"SIGN ON {names[0]}" if names else "LIST"
        facts = {"names": names[:MOST_NAMED], "more": len(names) - MOST_NAMED}
        raise Refused("which_game", write=write, **facts)

    def _lent(self) -> str | None:
        """Return the name of a game in which somebody sits in for the sender."""
        seats, me, gone = self.storage.seats, self.sender.person_id, SeatState.REPLACED
        left = {each.id: each for each in seats.of_person(me or 0) if each.state is gone}
        found = seats.of_games([each.game_id for each in left.values()])
        lent = (
            left[each.options.sits_for].game_id
            for there in found.values()
            for each in there
            if each.options.sits_for in left and each.state is SeatState.ACTIVE
        )
        game = self.storage.games.find(next(lent, 0))
        return game.name if game is not None and game.state in GOING_ON else None

    def playing(self) -> list[Seat]:
        """Return the sender's seats as a player in this game."""
        return [seat for seat in self.seats if seat.role == Role.PLAYER]

    def powers(self) -> tuple[str, ...]:
        """Return the powers that the sender plays in this game."""
        return tuple(seat.power for seat in self.playing() if seat.power)

    def is_master(self) -> bool:
        """Return whether the sender runs this game: its masters where it is moderated, or the
        keeper."""
        runs = self.here().game.moderated or self.keeping is not None
        return runs and any(seat.role == Role.MASTER for seat in self.mine())

    def orders_for_all(self) -> bool:
        """Return whether the lines are a game master's, who may give orders for any unit."""
        return any(seat.role == Role.MASTER for seat in self.seats) and self.is_master()

    def mine(self) -> list[Seat]:
        """Return all the sender's seats in this game, whichever they signed on with; or the one
        in whose place they act."""
        return self.own() if self.became is None else [self.became]

    def own(self) -> list[Seat]:
        """Return the sender's own seats in this game, also while they act for somebody."""
        mine = self.here().seats.of(self.sender.person_id)
        return mine if self.keeping is None else [self.keeping]

    def eyes(self, state: State) -> Eyes:
        """Return what the sender may see of a game, and order in it."""
        acting = self.powers() if state is self.state else ()
        return Eyes(state, reader_of(self.sender.person_id), acting)

    def turn(self) -> OrderContext:
        """Return what the next line is about: the game at the cursor, as far as it takes orders."""
        state, powers, games = self.state, self.powers(), self.names()
        if state is None:
            return OrderContext(variants.load("standard"), games=games, commands=self.commands)
        context, active = OrderContext(state.variant), state.game.state == GameState.ACTIVE
        if active and self.orders_for_all():
            context = OrderContext(state.variant, state.opened, state.rulebook)
        elif active and powers:
            context = order_context(state, powers)
        if state.game.id not in self._heard:
            self._heard[state.game.id] = hearing(self.eyes(state).names)
        known = {"games": games, "game": state.game.name, "commands": self.commands}
        return replace(context, **known, heard=self._heard[state.game.id])

    def enter(self, state: State, seats: list[Seat] | None = None) -> None:
        """From here on lines are for this game, in these seats (all the sender's by default)."""
        self.became = self.keeping = self.closed = None
        self.state = state
        self.seats = state.seats.of(self.sender.person_id) if seats is None else seats

    def leave(self, line: str) -> None:
        """From here on lines are for no game: `line`, a sign-on, could not be followed."""
        self.became = self.keeping = self.state = None
        self.seats, self.closed = [], line

    @contextmanager
    def entering(self, line: str) -> Iterator[None]:
        """Inside, the seat that a line names is entered. Where that is refused, lines are for no
        game: what follows is meant for that seat, and must not be carried out in another one."""
        try:
            yield
        except Refused:
            self.leave(line)
            raise

    def taken_part(self) -> list[State]:
        """Return the games of this message in which the sender has a seat, in order."""
        return [state for state in self.states.values() if state.seats.of(self.sender.person_id)]

    def check_in_time(self, state: State) -> None:
        """Raise Refused where the mail came in before the phase that is open now was opened. A mail
        can be processed late, as its sender was asked or it made the judge fail. What it says about
        its own phase must not count for another one."""
        opened = state.game.opened_at
        if state.began == state.game.phase and opened and self.mail.received_at < opened:
            raise Refused("too_late", phase=state.game.phase, game=state.game.name)

    def tell(self, kind: EventKind, facts: Mapping[str, Any], *, masters: bool = False) -> None:
        """Send a message about this game to everybody in it, or to its masters only."""
        state, me = self.here(), self.sender.person_id
        if masters and state.terms.hides_people and not state.game.moderated:
            # Who made the game plays in it, and must not know who does what.
            return
        if masters:
            for seat in state.seats.active(Role.MASTER):
                if seat.person_id != me:
                    state.tell(kind, facts, to=reader(seat), mail_id=self.mail.id)
        else:
            state.tell(kind, facts, but=(me,), mail_id=self.mail.id)


class Report(Struct):
    """What came of the message so far, and what is to be told."""

    sheet: ReplySheet = field(default_factory=ReplySheet)
    """The sender's own text, and what became of each line of it."""
    results: list[LineResult] = field(default_factory=list)
    offers: list[Offer] = field(default_factory=list)
    """What a YES to the reply will carry out."""
    guessed: list[Request] = field(default_factory=list)
    """What plain words asked for."""
    left_out: bool = False
    """Whether an attached text has lines for the judge and was not read: the message has, too."""
    quiet: bool = False
    """Whether the sender has had all the replies they get for a while."""
    why: str | None = None
    """The rule by which the message was not simply read."""
    again: bool = False
    """Whether the message says word for word what the last ones did, as a program's may."""
    news: list[dict[str, object]] = field(default_factory=list)
    """What the sender should hear about messages that came back."""
    came: set[int] = field(default_factory=set)
    """Ids of the games in which the sender did something in a seat of theirs."""
    changes: dict[int, list[SettingChange]] = field(default_factory=dict)
    """What changed in the settings, by the game's id."""
    acted: dict[tuple[int, str], list[LineResult]] = field(default_factory=dict)
    """What the sender did for others as a game master, by game and power."""
    ordered: dict[tuple[int, str, str], Order] = field(default_factory=dict)
    """What this message has ordered: by game, power and province."""
    early: dict[int, tuple[int, LineResult]] = field(default_factory=dict)
    """By game, the offer that asks about orders written before its phase, and the question."""
    renewed: set[tuple[int, str, str | None, str | None]] = field(default_factory=set)
    """Games, powers, phases and places ("" all of them) that this message says anew."""


@dataclasses.dataclass(frozen=True)
class Log:
    """Writes who did what into the log, in the name of the sender."""

    cursor: Cursor
    address: str
    now: datetime

    def __call__(self, what: str, facts: Mapping[str, Any] | None = None) -> None:
        """Note something about the game of these lines."""
        self.of(self.cursor.state, what, facts or {})

    def of(self, state: State | None, what: str, facts: Mapping[str, Any]) -> None:
        """Note something about a game, or about none."""
        told, about = dict(facts), (state.game.id or None) if state else None
        keeper = self.cursor.sender.keeper
        told |= {("director", "keeper")[keeper]: True} if self.cursor.keeping else {}
        self.cursor.storage.events.log(self.now, what, told, actor=self.address, game_id=about)


@dataclasses.dataclass
class MessageContext:
    """Everything a command may use. It lives in one transaction and is thrown away after it."""

    storage: Storage
    profile: JudgeProfile
    table: CommandTable
    mail: InboundMessage
    incoming: ParsedMessage
    now: datetime
    addresses: Addresses
    """Makes and reads the addresses by which people answer our messages."""
    seed: Callable[[], str]
    """Where chance for draws comes from; each call gives another one."""
    sender: Sender
    cursor: Cursor = dataclasses.field(init=False)
    log: Log = dataclasses.field(init=False)
    report: Report = dataclasses.field(default_factory=Report)
    events: list[Event] = dataclasses.field(default_factory=list)
    """What people must be told, in the order it happened."""
    dispatch: Callable[[list[Event], Iterable[State], Person | None], int] = lambda *_: 0
    """Sends what people must be told of games; the person is the sender."""

    def __post_init__(self) -> None:
        self.cursor = Cursor(
            self.storage, self.sender, self.mail, self.events, commands=self.table.names
        )
        self.log = Log(self.cursor, self.incoming.sender, self.now)
        self.report.sheet.add(self.incoming.text)
        self.report.sheet.names = names_of(self.incoming)

    def publish(self) -> int:
        """Send what is in `events`, and empty it; how many letters it comes to."""
        return self.dispatch(self.events, self.cursor.states.values(), self.sender.person)

    def answer(
        self,
        kind: EventKind,
        facts: Mapping[str, Any],
        state: State | None = None,
        files: Sequence[Attachment] = (),
    ) -> None:
        """Reply to the message, at the address it came from; about a game, if one is given."""
        new = self.sender.person is not None and not self.sender.known_before
        # A message that failed is answered once more when it is tried again.
        if not (self.sender.sure or new or kind is EventKind.TROUBLE):
            self.log.of(None, UNSURE, {"said": said(self.incoming)})
        self.events.append(
            Event(
                kind=kind,
                to=At(self.incoming.sender, self.sender.person_id, self.incoming),
                game_id=state.game.id if state else None,
                facts=facts,
                mail_id=self.mail.id,
                claim=to_claim(self.report.offers) if self.report.offers else None,
                files=files,
            )
        )
