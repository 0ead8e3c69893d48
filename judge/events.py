"""What happens that somebody is told: plain values, appended to a list as a game is worked.

Games, intake, and commands append events; they know nothing of messages. `judge.messages` turns
each event into messages to its audience. `EventKind` is the one registry of what people are told:
a new message is one row here and its templates, `templates/letters/<name>.txt` and, for a layout
of its own, `templates/letters/html/<name>.html`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any, Literal

from msgspec import Struct, field

from judge.mail.compose import Attachment
from judge.mail.message import ParsedMessage
from judge.storage import PhaseRun, Press, Seat, Ticket


class Row(Struct, frozen=True, kw_only=True):
    """How people hear of a kind of event.

    Attributes:
        name: The name of the templates, and of the kind in the database.
        reply: It answers a message, goes to whoever wrote that, and counts toward the limits.
        essential: Observers who want nothing but results hear of it, too.
        people: It says who plays.
        board: The picture it shows: the position `now`, or the `results` of the phases it is about.
        clock: It names a deadline (`runs`), says that none runs (`stops`), or either; the calendar
            entry of the game goes along.
        archive: The diaries and all orders of the game go along.
        outside: Its readers have no part in the game: they get its public facts, and the message
            is no part of the game's thread.
        stop: The line that a mail program's unsubscribe button sends.
        buttons: The lines that answer it, each with one press of a button.
        waits: Whoever wants one message a day gets it in that one, where that comes in time.
    """

    name: str
    reply: bool = False
    essential: bool = False
    people: bool = False
    board: Literal["now", "results"] | None = None
    clock: Literal["runs", "stops", "either"] | None = None
    stop: str = "unsubscribe"
    archive: bool = False
    outside: bool = False
    buttons: Sequence[str] = ()
    waits: bool = False


class EventKind(Enum):
    """Everything somebody is told."""

    # A game's phases and clock.
    START = Row(name="start", essential=True, people=True, board="now", clock="runs")
    RESULTS = Row(name="results", essential=True, board="results", clock="runs", waits=True)
    END = Row(
        name="end",
        essential=True,
        people=True,
        board="now",
        clock="stops",
        archive=True,
        waits=True,
    )
    REMINDER = Row(name="reminder", clock="runs", waits=True)
    LATE = Row(name="late", clock="runs", waits=True)
    ABANDONED = Row(name="abandoned", waits=True)
    DEADLINE = Row(name="deadline", clock="runs", waits=True)
    CLOCK = Row(name="clock", waits=True)
    PAUSED = Row(name="paused", clock="stops", waits=True)
    RESUMED = Row(name="resumed", clock="runs", waits=True)
    STILL_PAUSED = Row(name="still_paused", waits=True)
    OUTAGE = Row(name="outage", clock="runs", waits=True)
    ROLLBACK = Row(name="rollback", essential=True, clock="either", waits=True)
    RESTORED = Row(name="restored", essential=True, clock="either", waits=True)
    UNSTARTED = Row(name="unstarted", clock="stops")
    CALLED_OFF = Row(name="called_off")

    # What players and masters do.
    SETTINGS = Row(name="settings", waits=True)
    RENAMED = Row(name="renamed", essential=True, waits=True)
    REVEALED = Row(name="revealed", essential=True, people=True, waits=True)
    JOINED = Row(name="joined", waits=True)
    FULL = Row(name="full", waits=True)
    MUSTER = Row(name="muster", stop="NO", buttons=("YES", "NO"))
    RESIGNED = Row(name="resigned", waits=True)
    EJECTED = Row(name="ejected", waits=True)
    DUMMY = Row(name="dummy", waits=True)
    TAKEN = Row(name="taken", people=True, waits=True)
    TAKEOVER = Row(name="takeover")
    REPLACED = Row(name="replaced", waits=True)
    PROMOTED = Row(name="promoted", waits=True)
    APPROVAL = Row(name="approval", buttons=("YES", "NO"))
    APPROVED = Row(name="approved")
    INVITED = Row(name="invited")
    ABSENCE = Row(name="absence", waits=True)
    PROPOSAL = Row(name="proposal", buttons=("YES", "NO"))
    DECIDED = Row(name="decided", waits=True)
    SHARING = Row(name="sharing", buttons=("YES", "NO"))
    STATEMENT = Row(name="statement", waits=True)
    OFFICIAL = Row(name="official", waits=True)
    PRESS = Row(name="press", waits=True)
    PROXY = Row(name="proxy")
    AHEAD = Row(name="ahead", waits=True)
    ACTED = Row(name="acted")
    PREVIEW = Row(name="preview")
    DAILY = Row(name="daily", waits=True)
    INVITATION = Row(name="invitation", stop="NO", buttons=("YES", "NO"))
    OPENING = Row(name="opening", outside=True, buttons=("YES",), waits=True)
    WANTED = Row(name="wanted", outside=True, stop="SET NO STANDIN", waits=True)

    # People and their addresses.
    DAY = Row(name="day")
    ACCOUNT = Row(name="account")
    DATA = Row(name="data")
    MOVED = Row(name="moved")
    UNREACHED = Row(name="unreached")
    REACHED = Row(name="reached")

    # Answers to messages.
    REPLY = Row(name="reply", reply=True)
    NOTHING = Row(name="nothing", reply=True)
    WELCOME = Row(name="welcome", reply=True)
    ANSWERED = Row(name="answered", reply=True)
    QUESTION = Row(name="question", reply=True, buttons=("YES", "NO"))
    KEPT = Row(name="kept", reply=True)
    UNVERIFIED = Row(name="unverified", reply=True)
    TROUBLE = Row(name="trouble", reply=True)
    LIMIT = Row(name="limit", reply=True)
    UNWATCHED = Row(name="unwatched", reply=True)

    # What the keeper is told.
    MASTER_UNREACHED = Row(name="master_unreached")
    COMPLAINT = Row(name="complaint")
    REFUSED = Row(name="refused")
    STRANGERS = Row(name="strangers")
    HELD = Row(name="held")
    STUCK = Row(name="stuck")
    DIGEST = Row(name="digest")
    ALARM = Row(name="alarm")
    ALL_CLEAR = Row(name="all_clear")

    def __init__(self, row: Row) -> None:
        self.row = row
        """How people hear of it."""
        self.word = row.name
        """The name of its templates, and what it is called in the database."""


REPLIES = tuple(kind.word for kind in EventKind if kind.row.reply)
"""The names of the kinds that answer a message."""


class Everybody(Struct, frozen=True):
    """All people with a part in the game, but those whose ids are `but`."""

    but: tuple[int, ...] = ()


class Reader(Struct, frozen=True):
    """One person on file."""

    person_id: int


class Keeper(Struct, frozen=True):
    """The keeper of the judge, if there is one."""


class At(Struct, frozen=True):
    """An address, and whose it is where that is known. `answers` is the message it replies to."""

    address: str
    person_id: int | None = None
    answers: ParsedMessage | None = None


Audience = Everybody | Reader | Keeper | At


class Event(Struct, frozen=True, kw_only=True):
    """Something that happened, and who is to be told.

    Attributes:
        facts: What the templates of its kind need, besides what the reader may know of the game.
        mail_id: The message that caused it.
        press: The press it carries: a reply is press to whoever wrote that.
        claim: What a reply decides about (see `decisions`).
        runs: Phases that have run; readers are told what they may see of them.
        calendars: Ids of further games whose calendar entries go along.
        ticket: What a reply is about, where that is not what the message is about itself.
    """

    kind: EventKind
    to: Audience
    game_id: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    mail_id: int | None = None
    press: Press | None = None
    claim: str | None = None
    runs: Sequence[PhaseRun] = ()
    files: Sequence[Attachment] = ()
    calendars: Sequence[int] = ()
    ticket: Ticket | None = None


def reader(seat: Seat) -> Reader:
    """The person of a seat that is somebody's."""
    assert seat.person_id is not None
    return Reader(seat.person_id)
