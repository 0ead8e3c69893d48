"""What records hold beside plain columns: values that are stored as JSON objects.

A key that is missing has its default. The names of fields (or their keys) stand in databases, so
that a name that changes takes a migration.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Literal, NewType

from msgspec import Struct, field

Outward = NewType("Outward", str)
"""A text of somebody's that others may read. Only `judge.intake.outward` makes one of what comes
in, so that nothing of the judge's goes out with it."""


class Value(Struct, frozen=True, omit_defaults=True):
    """A value that is stored as a JSON object."""


class Role(StrEnum):
    """What somebody is in a game."""

    PLAYER = "player"
    MASTER = "master"
    OBSERVER = "observer"


class SeatState(StrEnum):
    """How somebody holds a seat.

    An abandoned seat's player has fallen silent and plays again as soon as they write; a replaced
    one lost the power to somebody else.
    """

    ACTIVE = "active"
    ABANDONED = "abandoned"
    RESIGNED = "resigned"
    EJECTED = "ejected"
    REPLACED = "replaced"
    LEFT = "left"


class GameState(StrEnum):
    """How far a game is."""

    FORMING = "forming"
    ACTIVE = "active"
    PAUSED = "paused"
    ENDED = "ended"


GOING_ON = (GameState.FORMING, GameState.ACTIVE, GameState.PAUSED)
"""The states of a game that is not over."""


class Condition(StrEnum):
    """Who orders a power.

    Its player; nobody, and the game waits for someone to take it over (abandoned), or a computer
    orders until then (caretaker, which is never stored); nobody, and the game goes on without its
    orders (civil disorder) or was never to have them (dummy).
    """

    PLAYED = "played"
    ABANDONED = "abandoned"
    CARETAKER = "caretaker"
    DISORDER = "disorder"
    DUMMY = "dummy"


class InboundState(StrEnum):
    """What is done with a message that came in; the sender of an asked one must confirm it."""

    NEW = "new"
    DONE = "done"
    HELD = "held"
    ASKED = "asked"


class OutboundState(StrEnum):
    """How far a message of ours has come."""

    KEPT = "kept"
    """For the one message a day that its reader wants; it counts as delivered."""
    TOLD = "told"
    """In that message, which went out in its place."""
    QUEUED = "queued"
    SENT = "sent"
    FAILED = "failed"


class AddressState(StrEnum):
    """Whether an address can be reached: messages to a failing one bounce."""

    ACTIVE = "active"
    FAILING = "failing"


class PressColor(StrEnum):
    """Whether press names its sender."""

    WHITE = "white"
    GREY = "grey"


class Reliability(StrEnum):
    """What a player did in one phase of a rated game."""

    ON_TIME = "on time"
    LATE = "late"
    RESIGNED = "resigned"
    ABANDONED = "abandoned"


class ProposalKind(StrEnum):
    """What a player can ask the others for."""

    DEADLINE = "deadline"
    PAUSE = "pause"
    RESUME = "resume"
    ABSENCE = "absence"


class StoredEnding(StrEnum):
    """Why a game is over: VICTORY, DRAW and the limits as in the 2023 rulebook, "Object of the
    Game"."""

    VICTORY = "victory"
    """A power owns as many centers as victory takes."""
    DRAW = "draw"
    """All surviving players agreed on who shares."""
    CONCESSION = "concession"
    """All others gave the game to one power."""
    TURN_LIMIT = "turn limit"
    """The last turn agreed on is over; most centers win, ties shared."""
    TIME_LIMIT = "time limit"
    """The time agreed on is over; most centers win, ties shared."""
    ELIMINATION = "elimination"
    """The year in which a player was eliminated is over; most centers win, ties shared."""
    SHARED = "two-way draw"
    """Two players, each with enough centers to win, agreed to share (Global Diplomacy, II)."""
    UNINHABITABLE = "uninhabitable"
    """Fewer centers are left than it takes to win: all have lost (Global Diplomacy, II)."""
    IMPOSSIBLE = "impossible"
    """Nobody can win: a draw of all who are left (Global Diplomacy, II)."""
    DESERTED = "deserted"
    """Nobody plays; no result."""
    TERMINATED = "terminated"
    """The master has ended it; no result."""
    PURGED = "purged"
    """The game was deleted before anybody played; no result."""


class TournamentState(StrEnum):
    """How far a tournament is."""

    ENTRY = "entry"
    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"


class EntrantRole(StrEnum):
    """What somebody is in a tournament. A substitute plays where somebody is missing."""

    PLAYER = "player"
    SUBSTITUTE = "substitute"
    DIRECTOR = "director"
    DEPUTY = "deputy"


RUNS = (EntrantRole.DIRECTOR, EntrantRole.DEPUTY)
"""Who runs a tournament."""


class EntrantState(StrEnum):
    """Whether somebody is seated in the next round; who dropped out did so by the rules."""

    ACTIVE = "active"
    WITHDRAWN = "withdrawn"
    DROPPED = "dropped"


class PersonOptions(Value, frozen=True):
    """What somebody wishes of the judge; None where they have not said.

    `html`: messages have an HTML part. `pictures`: which messages show the board, `all`, `results`
    (those that nobody asked for), or `none`. `daily`: a master gets the daily summary. `stand_in`:
    the person hears of powers without a player. `reminders`: hours before a deadline. `motd`: the
    number of the message of the day they were shown last. `waits_for_game`: JOIN
    found none; since when, and what kind of game the `wish` behind JOIN asks for. `digest`: the
    time of day, as `08:00`, of the one message that tells everything else; `results_at_once`: but
    not results. `rated`: ratings count the person in. `threads`: `phase` or `game`, what is one
    thread of messages to them. `blocked`: the ids of those they are never in a game with. `known`:
    what they did in one house counts in the others where they wish it, too.
    """

    html: bool | None = None
    daily: bool | None = None
    stand_in: bool | None = None
    reminders: tuple[float, ...] | None = None
    motd: int | None = None
    waits_for_game: bool | None = None
    wish: str | None = None
    waits_since: datetime | None = None
    digest: str | None = None
    results_at_once: bool | None = None
    pictures: str | None = None
    rated: bool | None = None
    threads: str | None = None
    blocked: tuple[int, ...] | None = None
    known: bool | None = None


class PhaseMoment(Value, frozen=True):
    """An instant in a phase; `phase` is None before the start."""

    phase: str | None
    at: datetime


class Lateness(Value, frozen=True):
    """Orders that were missing at `deadline`, and when that was `told` last.

    `excused`: the player could not know of it.
    """

    deadline: datetime
    told: datetime
    excused: bool


class Vote(Value, frozen=True):
    """One player's vote.

    `share`: the powers they would let end the game as a draw among them, `all` for all survivors,
    None for nobody but themselves. `concede`: the power to which they would give the game.
    """

    share: frozenset[str] | Literal["all"] | None = None
    concede: str | None = None


class SeatOptions(Value, frozen=True):
    """What is noted of a seat.

    Of a power without a player: its `condition`, `since` when, in which phase that began (`gone`),
    when replacements were `called`, and for what draw they had `voted`.
    Of a player: when they came `back`, whether they are `late`, the phase in which they are
    `content` to wait for nothing more, the reminders (hours) that went out for the open deadline,
    whether they were `asked` if they are there, and have not answered,
    whether a master must give (or has refused) `approval` and has `invited` them since.
    Of a computer player: its level (`bot`). Of a master: when the `daily` summary was last due, and
    a digest of what it `told`. Of an observer: `results_only`. Of everybody: the `addresses` that
    messages about this game go to. Of a sitter: `sits_until` then the power goes back to the
    person `sits_for`. `muted` are the ids of the seats whose signed press its person does not get.
    `host`: of the house, who sees all.
    """

    condition: Condition | None = None
    since: datetime | None = None
    gone: str | None = None
    called: datetime | None = None
    back: PhaseMoment | None = None
    late: Lateness | None = None
    content: str | None = None
    voted: Vote | None = None
    asked: bool = False
    reminded: tuple[float, ...] = ()
    approval: bool = False
    invited: bool = False
    daily: datetime | None = None
    told: str | None = None
    bot: str | None = None
    results_only: bool = field(name="results only", default=False)
    addresses: tuple[str, ...] = ()
    sits_until: datetime | None = None
    sits_for: int | None = None
    muted: tuple[int, ...] = ()
    host: bool = False


class Away(Value, frozen=True):
    """An absence from `start` to `end`; a long one does not count before it is `approved`."""

    start: datetime
    end: datetime
    approved: bool = True

    @property
    def days(self) -> float:
        """How long it lasts, in days."""
        return (self.end - self.start).total_seconds() / 86400


class StoredOutcome(Value, frozen=True):
    """How a game ended, which powers share in it, and the last `phase` that ran."""

    ending: StoredEnding
    winners: tuple[str, ...]
    phase: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return JSON values, with the keys `ending` and `winners`."""
        return {"ending": self.ending.value, "winners": list(self.winners)}


class CoinSeed(Value, frozen=True):
    """The seed of the toss of a coin, and whether it has been shown."""

    seed: str
    shown: bool = False


class RunningPace(Value, frozen=True):
    """MIN and DELAY of the open phase, in hours: settings hold from the next one on."""

    min: float
    delay: float


class PaceSteps(RunningPace, frozen=True):
    """MIN, DELAY and GRACE, in hours."""

    grace: float


class TimeGiven(Value, frozen=True):
    """How many seconds a phase was prolonged by for messages that came late."""

    phase: str | None
    seconds: float


class ProposedTimes(Value, frozen=True):
    """The deadline or the end of a pause (`to`), or the absence (`start` and `end`) that somebody
    asks for."""

    to: datetime | None = None
    start: datetime | None = None
    end: datetime | None = None


class Proposal(Value, frozen=True):
    """What the person `by`, called `asker`, asked for in a phase, and who said yes and no."""

    kind: ProposalKind
    by: int
    asker: str = field(name="as")
    phase: str | None
    facts: ProposedTimes
    yes: tuple[int, ...]
    no: tuple[int, ...] = ()


class ClockChange(Value, frozen=True):
    """The last change of the deadline or the grace end of a `phase`: who made it, when, what the
    clock was before, and whose orders were missing. `first` is the deadline before all changes."""

    phase: str | None
    by: int
    at: datetime
    deadline: datetime
    grace: datetime
    first: datetime
    missing: tuple[str, ...] = ()


class Pause(Value, frozen=True):
    """Since when a game is paused, when that was `told` last, and what it had before: its
    `deadline`, and the end of its time limit. `until`: when it ends by itself."""

    since: datetime
    told: datetime
    deadline: datetime | None = None
    ends_at: datetime | None = None
    until: datetime | None = None


class SharingQuestion(Value, frozen=True):
    """The question, in a phase, whether two `powers` share the game; the people who answered."""

    phase: str | None
    powers: tuple[str, ...]
    yes: tuple[int, ...] = ()
    no: tuple[int, ...] = ()


class Statement(Value, frozen=True):
    """What a player says about a game that is over."""

    text: Outward
    at: datetime


class FormerName(Value, frozen=True):
    """The name under which a renamed game opened its `phase`; seals of that phase have it."""

    phase: str | None
    name: str


class EarlierOrders(Value, frozen=True):
    """What a power had on file in a `phase` before the last mail that changed it, by its id."""

    phase: str
    mail: int
    orders: Sequence[str] = ()


Ahead = Mapping[str, Mapping[str, Sequence[str]]]
"""Advance orders by power and phase, as they were written down."""


class TournamentPlan(Value, frozen=True):
    """How a tournament is played.

    `variant`, `rulebook` and `settings` are those of its games. `form` is one of
    `judge.tournaments.standings.FORMS`, `scoring` of `judge.records.scoring.SYSTEMS`, `adding` of
    `judge.tournaments.adding.WAYS`; two games in a round count `both` or as the better one.
    `top`: the leaders play the last round at a board of their own. `teams`: people enter for a
    team. `round_hours`: how long a round lasts at most. Entries are taken until `closes`, or until
    there are `places` of them. `drop`: after how many games that they gave up people drop out.
    """

    variant: str = "standard"
    rulebook: str = "2023"
    settings: Mapping[str, object] = field(default_factory=dict)
    rounds: int = 3
    form: str = "seeded"
    scoring: str = "sum_of_squares"
    adding: str = "all rounds"
    both: bool = False
    top: bool = False
    teams: bool = False
    round_hours: float | None = None
    closes: datetime | None = None
    places: int | None = None
    drop: int = 1


class Share(Value, frozen=True):
    """What a seat has of a game: its `points`, a fraction as text, those of its `power` for as much
    of the game as it was held. `gave_up`: its player left it without a word, or resigned."""

    power: str
    points: str
    gave_up: bool = False


class GameOptions(Value, frozen=True):
    """What is noted of a game.

    `seed`: that of the power assignment. `held`: the phase whose deadline lies later for an absence
    or a holiday. `not_before`: the moment before which the open phase does not run. `given`: time
    for late messages. `proposals` by their number, `statements` by the id of the seat. `ahead`: the
    advance orders read, or dropped, as the open phase was opened. `revealed`: the master has said
    who played what. `mustered`: when players were asked last if they are there; `joined_told`: when
    masters heard last of a new one. `spread`: minutes behind CLOCK at which deadlines lie.
    `earlier`: what powers had on file before, by power. `back`: those whose players came back in
    the open phase. `untold`: the phases whose results go with those of the open one.
    `changed`: how the clock of a phase was last changed by somebody. `steps`: what was set with a
    pace of days before it became one of hours, by the type of phase.
    `tournament`: the id of the one it is a board of.
    `played_by`: of a game from another judge, the names of the people, by power.
    """

    seed: str | None = None
    coin: CoinSeed | None = None
    pace: RunningPace | None = None
    held: str | None = None
    not_before: datetime | None = None
    given: TimeGiven | None = None
    proposals: Mapping[str, Proposal] = field(default_factory=dict)
    pause: Pause | None = None
    sharing: SharingQuestion | None = None
    statements: Mapping[str, Statement] = field(default_factory=dict)
    ahead: Ahead = field(default_factory=dict)
    revealed: bool = False
    sealed_as: FormerName | None = None
    mustered: datetime | None = None
    joined_told: datetime | None = None
    back: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    spread: int = 0
    earlier: Mapping[str, EarlierOrders] = field(default_factory=dict)
    changed: ClockChange | None = None
    steps: Mapping[str, PaceSteps] = field(default_factory=dict)
    tournament: int | None = None
    played_by: Mapping[str, Outward] = field(default_factory=dict)
