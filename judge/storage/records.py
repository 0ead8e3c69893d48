"""The rows of the database as plain values.

Times are aware datetimes in UTC. `id` is 0 until a record is stored. Fields of type `Json` hold
what JSON can hold: None, bool, int, float, str, lists, and dicts with str keys.
`Person`, `Address`, `Game` and `Seat` are read, changed and saved; the others are facts and frozen.
"""

# Hints are read at every start, and are no text here: each would have to be compiled.

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec import Struct, field

from judge.i18n import DEFAULT_LANGUAGE
from judge.storage import values

Json = Any


class Kept(Struct, kw_only=True, dict=True):
    """A record that is read, changed and saved; as `stored` it has what the database has of it.
    What a field holds is replaced and never changed in place: only what is another is written."""


class InboundMessage(Struct, frozen=True, kw_only=True):
    """A message as it came in.

    `digest` is the identity of its content (see `judge.storage.inbound.identity`), `envelope_from`
    the return path ("" the null path, None not known). `attempts` counts how often it made the
    judge fail, `problem` says how it did so last, `sender` is the address in From as it stands
    there (None in what was processed before that was kept) and `host` the part behind its @. `lane`
    is `inbound.KNOWN` for senders on file, for others the network it came from. `proof`
    is the level of trust at which its sender confirmed it, None where nobody was asked. `game_id`
    and `person_id` say what it turned out to be about.
    """

    id: int = 0
    door: str
    received_at: datetime
    message_id: str
    digest: str
    envelope_from: str | None
    envelope_to: list[str]
    raw: bytes
    state: values.InboundState = values.InboundState.NEW
    attempts: int = 0
    problem: str | None = None
    proof: str | None = None
    sender: str | None = None
    host: str = ""
    lane: str = ""
    game_id: int | None = None
    person_id: int | None = None
    worked_at: datetime | None = None


class Person(Kept, kw_only=True):
    """Somebody known to the judge. `time_zone` is a zoneinfo key, `level` self-declared."""

    id: int = 0
    name: values.Outward = values.Outward("")
    language: str = DEFAULT_LANGUAGE
    time_zone: str | None = None
    country: str = ""
    level: str = ""
    created_at: datetime
    options: values.PersonOptions = field(default_factory=values.PersonOptions)


class Address(Kept, kw_only=True):
    """A mail address of a person, normalized by `people.normal`.

    `proved` after a round trip; `state` is active or failing (its mail bounces). `ways` are those
    by which mail of its owner comes, as `judge.mail.headers.way` tells them.
    """

    id: int = 0
    person_id: int
    address: str
    proved: bool = False
    state: values.AddressState = values.AddressState.ACTIVE
    added_at: datetime
    ways: list[str] = field(default_factory=list)


class Game(Kept, kw_only=True):
    """A game and where it stands.

    `state` is forming, active, paused or ended; `phase` the short form (`S1901M`) or None before
    the start; `position` the position that phase opened with. `opened_at` is when the phase
    opened, `last_change` when an order, wait or vote last changed in it, `wake_at` when the clock
    must look at this game next (None: only mail moves it). `thread` is the Message-ID of the
    letter all others of the game refer to. `version` is `Games.save`'s business. The last three
    are what LIST looks for: whether everybody hears of the game (None: not looked at yet), how
    many people it wants (SECRET: a thousand, while it forms), and words for its settings, each
    between blanks.
    """

    id: int = 0
    name: str
    title: str = ""
    variant: str
    rulebook: str = "2023"
    options: values.GameOptions = field(default_factory=values.GameOptions)
    state: values.GameState = values.GameState.FORMING
    moderated: bool = False
    phase: str | None = None
    position: Json = None
    settings: Json = field(default_factory=dict)
    deadline: datetime | None = None
    grace_end: datetime | None = None
    wake_at: datetime | None = None
    opened_at: datetime | None = None
    last_change: datetime | None = None
    outcome: values.StoredOutcome | None = None
    thread: str | None = None
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    version: int = 0
    listed: bool | None = None
    free: int = 0
    traits: str = ""


class Seat(Kept, kw_only=True):
    """One part in a game: a person as player of a power, as observer or as master.

    `role` is player, observer or master; `state` active, abandoned (its player has fallen silent;
    as soon as they write they play again), resigned, ejected, replaced (somebody else plays the
    power) or left; `power` None before the powers are dealt. `wait` and `draw` belong to the
    current phase. `person_id` is None where nobody has ever played the power. `password` is the
    hash of one, if there is one.
    """

    id: int = 0
    game_id: int
    person_id: int | None
    role: values.Role
    power: str | None = None
    preferences: str = ""
    state: values.SeatState = values.SeatState.ACTIVE
    wait: bool = False
    draw: values.Vote | None = None
    absence: tuple[values.Away, ...] | None = None
    joined_at: datetime
    password: str | None = None
    options: values.SeatOptions = field(default_factory=values.SeatOptions)


class Order(Struct, frozen=True, kw_only=True):
    """One order on file for a phase that has not run. `text` is canonical; `place` its rank."""

    id: int = 0
    game_id: int
    phase: str
    power: str
    place: int
    text: str
    mail_id: int | None = None
    arrived_at: datetime


class PhaseRun(Struct, frozen=True, kw_only=True):
    """A phase that has run: the position it opened with, its orders and what came of them.

    `rollback` is 0 for what counts, else the id of the rollback that took it back: what was played
    is never forgotten, but only what counts is the game's history.
    """

    id: int = 0
    game_id: int
    phase: str
    position: Json
    orders: Json
    results: Json
    processed_at: datetime
    winners: Json = None
    rollback: int = 0


class ReliabilityEntry(values.Value, frozen=True, kw_only=True):
    """What somebody did in a phase of a rated game, as the player of `power`.

    `what` is on time, late, resigned or abandoned.
    """

    id: int = 0
    person_id: int
    game_id: int
    phase: str
    power: str
    what: values.Reliability
    at: datetime


class Snapshot(values.Value, frozen=True, kw_only=True):
    """How a game stood when it was taken back, so that it can be put forward again.

    `orders` are those on file by power, `conduct` what was taken off the players' records.
    """

    state: values.GameState
    position: Json
    orders: Mapping[str, Sequence[str]]
    outcome: values.StoredOutcome | None = None
    ended_at: datetime | None = None
    ahead: values.Ahead | None = None
    conduct: tuple[ReliabilityEntry, ...] = ()


class Rollback(Struct, frozen=True, kw_only=True):
    """A game that was taken back to the moment before `phase` ran.

    `kept` is how the game stood before that, for undoing the rollback; `restored_at` is
    when that was done.
    """

    id: int = 0
    game_id: int
    phase: str
    at: datetime
    kept: Snapshot
    restored_at: datetime | None = None


class Press(Struct, frozen=True, kw_only=True):
    """A message between the people of a game.

    `sender_id` is the seat it came from, `from_label` what its readers are told, `to` the powers
    it went to (or other recipients' labels) as its heading has it, `color` white or grey. `subject`
    is that of the conversation, "" where nobody gave it one; `seats` are the ids of the seats it
    went to in truth, and `public` says that these were all. `held`: it waits for the results.
    `overseen`: the masters got copies.
    """

    id: int = 0
    game_id: int
    phase: str | None
    sender_id: int | None
    from_label: str
    to: list[str]
    color: values.PressColor = values.PressColor.WHITE
    text: values.Outward
    public: bool = False
    sent_at: datetime
    subject: values.Outward = values.Outward("")
    seats: list[int] = field(default_factory=list)
    held: bool = False
    overseen: bool = False


class DiaryPage(Struct, frozen=True, kw_only=True):
    """A page of a player's diary. `number` counts those of the seat from 1 on, `phase` is when it
    was written, None before the start."""

    id: int = 0
    game_id: int
    seat_id: int
    number: int
    phase: str | None
    text: values.Outward
    at: datetime


class KeptFile(Struct, frozen=True, kw_only=True):
    """The file of a game that came from another judge, as it came."""

    id: int = 0
    game_id: int
    data: bytes


class OutboundMessage(Struct, frozen=True, kw_only=True):
    """A message of ours on its way out: complete, its Message-ID fixed for all attempts.

    `mail_id` is the mail it answers, `kind` what it is (results, reminder, press, ...), `state`
    queued, kept, told, sent or failed, `next_try` when delivery is due, `error` the last refusal.
    `envelope_from` is the return path, another one for each letter so that a bounce tells by its
    recipient which it was; an empty one asks for no bounces. `digests` know quotes of it once `raw`
    is thrown away.
    """

    id: int = 0
    message_id: str
    game_id: int | None = None
    person_id: int | None = None
    mail_id: int | None = None
    recipient: str
    envelope_from: str = ""
    kind: str
    subject: str
    raw: bytes
    digests: bytes = b""
    state: values.OutboundState = values.OutboundState.QUEUED
    attempts: int = 0
    next_try: datetime
    queued_at: datetime
    sent_at: datetime | None = None
    error: str | None = None


class Bounce(Struct, frozen=True, kw_only=True):
    """A letter that came back, or of which a mail system said that it may.

    `address` is where it went. `hard`: no letter will get there; else it may pass. `status` is the
    enhanced status code (RFC 3463), "" where none was given; `said` what the other side said, cut
    to a line. `told`: the person behind the address has heard of it.
    """

    id: int = 0
    letter_id: int
    address: str
    at: datetime
    hard: bool
    status: str = ""
    said: str = ""
    told: bool = False


class LogEntry(Struct, frozen=True, kw_only=True):
    """A line of the log a keeper can trust: who did what to which game, with the facts."""

    id: int = 0
    at: datetime
    game_id: int | None
    actor: str
    what: str
    facts: Json = field(default_factory=dict)


class Ticket(Struct, frozen=True, kw_only=True):
    """What stands behind the reply address of one letter: who got it, and what it was about.

    `kind` is the letter's, `question` where it asks for a yes; `address` is where it went, which
    belongs to `person_id` if that is known. `game_id`, `phase` and `parts` (powers, else roles)
    bound what an answer may do; of a question they are the ids of the mails that each number in it
    stands for. `press_id` is the press it carried. A yes to a question lets
    its mails count, of which `mail_id` is the first, and gives the address `claim` to the person;
    `used_at` is when it was answered.
    """

    id: int = 0
    kind: str
    address: str
    person_id: int | None = None
    game_id: int | None = None
    phase: str | None = None
    parts: list[str] = field(default_factory=list)
    press_id: int | None = None
    mail_id: int | None = None
    claim: str | None = None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None


class Tournament(Kept, kw_only=True):
    """A tournament and where it stands.

    `round` is the last one that was begun, `seed` where its chance comes from, `wake_at` when it
    must be looked at next, `told_at` when its directors had their last daily letter.
    """

    id: int = 0
    name: str
    state: values.TournamentState = values.TournamentState.ENTRY
    plan: values.TournamentPlan = field(default_factory=values.TournamentPlan)
    round: int = 0
    seed: str
    wake_at: datetime | None = None
    told_at: datetime | None = None
    created_at: datetime


class Entrant(Kept, kw_only=True):
    """Somebody's part in a tournament; nobody has the same one twice. `twice`: they play two games
    in a round where that fills the boards."""

    id: int = 0
    tournament_id: int
    person_id: int
    role: values.EntrantRole
    state: values.EntrantState = values.EntrantState.ACTIVE
    team: values.Outward = values.Outward("")
    twice: bool = False
    joined_at: datetime


class TournamentBoard(Kept, kw_only=True):
    """A game of a tournament. `shares` are what it was worth, by the ids of seats, None while that
    is not known; `ended`: the game is over."""

    id: int = 0
    tournament_id: int
    game_id: int
    round: int
    number: int
    ended: bool = False
    shares: Mapping[str, values.Share] | None = None


class SeatCode(Kept, kw_only=True):
    """A code that gives one who sends it a seat, once: in a game that is forming, of a `power`, or
    an entry for a tournament; with `until`, one to sit in for the giver. `digest` stands for the
    code, `by` is who gave it away."""

    id: int = 0
    digest: str
    game_id: int | None = None
    tournament_id: int | None = None
    power: str | None = None
    by: int
    until: datetime | None = None
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None


class Alarm(Struct, frozen=True, kw_only=True):
    """Something that is wrong and of which the keeper has been told.

    `name` tells it from all others, `kind` is what is wrong (see `judge.ops.alarms`), `since` when
    it was noticed.
    """

    id: int = 0
    name: str
    kind: str
    since: datetime
    facts: Json = field(default_factory=dict)
