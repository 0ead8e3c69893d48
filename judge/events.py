"""What happens that somebody is told: plain values, appended to a list as a game is processed.

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

Sort = Literal[
    "welcome", "start", "results", "reminder", "answer", "press", "broadcast", "question",
    "proposal", "notice", "end", "digest", "keeper",
]  # fmt: skip
"""What a message is to programs; press that all can read is a broadcast."""


class Telling(Struct, frozen=True, kw_only=True):
    """How people hear of a kind of event.

    Attributes:
        name: The name of the templates, and of the kind in the database.
        sort: What it is to programs: the `kind` of its field X-Judge (docs/formats.md).
        reply: It answers a message, goes to anyone who wrote that, and counts toward the limits.
        essential: Observers who want nothing but results hear of it, too.
        people: It says who plays.
        board: The picture it shows: the position `now`, the `results` of the phases it is about, or
            for anyone who owes orders what they have `ordered`.
        clock: It names a deadline (`runs`), says that none runs (`stops`), or either; the calendar
            entry of the game goes along.
        archive: The diaries and all orders of the game go along.
        outside: Its readers have no part in the game: they get its public facts, and the message
            is no part of the game's thread.
        stop: The line that a mail program's unsubscribe button sends.
        buttons: The lines that answer it, each with one press of a button.
        waits: Anyone who wants one message a day gets it in that one, where that comes in time.
    """

    name: str
    sort: Sort = "notice"
    reply: bool = False
    essential: bool = False
    people: bool = False
    board: Literal["now", "results", "ordered"] | None = None
    clock: Literal["runs", "stops", "either"] | None = None
    stop: str = "unsubscribe"
    archive: bool = False
    outside: bool = False
    buttons: Sequence[str] = ()
    waits: bool = False


class EventKind(Enum):
    """Everything somebody is told."""

    # A game's phases and clock.
    START = Telling(
        name="start", sort="start", essential=True, people=True, board="now", clock="runs"
    )
    RESULTS = Telling(
        name="results", sort="results", essential=True, board="results", clock="runs", waits=True
    )
    AWAY = Telling(
        name="away", sort="results", essential=True, buttons=("BACK", "RESIGN"), waits=True
    )
    END = Telling(
        name="end",
        sort="end",
        essential=True,
        people=True,
        board="now",
        clock="stops",
        archive=True,
        waits=True,
    )
    REMINDER = Telling(name="reminder", sort="reminder", board="ordered", clock="runs", waits=True)
    LATE = Telling(name="late", sort="reminder", board="ordered", clock="runs", waits=True)
    ABANDONED = Telling(name="abandoned", board="ordered", waits=True)
    DEADLINE = Telling(name="deadline", clock="runs", waits=True)
    CLOCK = Telling(name="clock", waits=True)
    PAUSED = Telling(name="paused", clock="stops", waits=True)
    RESUMED = Telling(name="resumed", board="ordered", clock="runs", waits=True)
    STILL_PAUSED = Telling(name="still_paused", waits=True)
    OUTAGE = Telling(name="outage", clock="runs", waits=True)
    ROLLBACK = Telling(name="rollback", essential=True, board="now", clock="either", waits=True)
    RESTORED = Telling(name="restored", essential=True, board="now", clock="either", waits=True)
    UNSTARTED = Telling(name="unstarted", clock="stops")
    CALLED_OFF = Telling(name="called_off")

    # What players and masters do.
    SETTINGS = Telling(name="settings", waits=True)
    RENAMED = Telling(name="renamed", essential=True, waits=True)
    REVEALED = Telling(name="revealed", essential=True, people=True, waits=True)
    JOINED = Telling(name="joined", waits=True)
    FULL = Telling(name="full", waits=True)
    MUSTER = Telling(name="muster", sort="question", stop="NO", buttons=("YES", "NO"))
    RESIGNED = Telling(name="resigned", waits=True)
    EJECTED = Telling(name="ejected", waits=True)
    DUMMY = Telling(name="dummy", waits=True)
    TAKEN = Telling(name="taken", people=True, waits=True)
    TAKEOVER = Telling(name="takeover")
    REPLACED = Telling(name="replaced", waits=True)
    PROMOTED = Telling(name="promoted", waits=True)
    APPROVAL = Telling(name="approval", sort="question", buttons=("YES", "NO"))
    APPROVED = Telling(name="approved")
    INVITED = Telling(name="invited")
    ABSENCE = Telling(name="absence", waits=True)
    PROPOSAL = Telling(name="proposal", sort="proposal", buttons=("YES", "NO"))
    DECIDED = Telling(name="decided", waits=True)
    SHARING = Telling(name="sharing", sort="proposal", buttons=("YES", "NO"))
    STATEMENT = Telling(name="statement", sort="broadcast", waits=True)
    OFFICIAL = Telling(name="official", waits=True)
    PRESS = Telling(name="press", sort="press", waits=True)
    REPORTED = Telling(name="reported")
    PROXY = Telling(name="proxy")
    AHEAD = Telling(name="ahead", waits=True)
    ACTED = Telling(name="acted")
    PREVIEW = Telling(name="preview")
    DAILY = Telling(name="daily", waits=True)
    INVITATION = Telling(name="invitation", sort="question", stop="NO", buttons=("YES", "NO"))
    OPENING = Telling(name="opening", outside=True, buttons=("YES",), waits=True)
    WANTED = Telling(name="wanted", outside=True, stop="SET NO STANDIN", waits=True)

    # Tournaments, and seats that are lent.
    ROUND = Telling(name="round")
    STANDINGS = Telling(name="standings", waits=True)
    NOTICE = Telling(name="notice", waits=True)
    DROPPED = Telling(name="dropped")
    DIRECTOR = Telling(name="director")
    LENT = Telling(name="lent", stop="NO")

    # People and their addresses.
    DAY = Telling(name="day", sort="digest")
    ACCOUNT = Telling(name="account")
    DATA = Telling(name="data")
    MOVED = Telling(name="moved")
    UNREACHED = Telling(name="unreached")
    REACHED = Telling(name="reached")

    # Answers to messages.
    REPLY = Telling(name="reply", sort="answer", reply=True)
    NOTHING = Telling(name="nothing", sort="answer", reply=True)
    WELCOME = Telling(name="welcome", sort="welcome", reply=True, buttons=("JOIN PRACTICE",))
    ANSWERED = Telling(name="answered", sort="answer", reply=True)
    QUESTION = Telling(name="question", sort="question", reply=True, buttons=("YES", "NO"))
    KEPT = Telling(name="kept", sort="answer", reply=True)
    UNVERIFIED = Telling(name="unverified", sort="answer", reply=True)
    TROUBLE = Telling(name="trouble", sort="answer", reply=True)
    LIMIT = Telling(name="limit", sort="answer", reply=True)
    KNOCK = Telling(name="knock", sort="question", reply=True)
    UNWATCHED = Telling(name="unwatched", sort="answer", reply=True)

    # What the keeper is told.
    MASTER_UNREACHED = Telling(name="master_unreached", sort="keeper")
    COMPLAINT = Telling(name="complaint", sort="keeper")
    REFUSED = Telling(name="refused", sort="keeper")
    STRANGERS = Telling(name="strangers", sort="keeper")
    POSTMASTER = Telling(name="postmaster", sort="keeper")
    HELD = Telling(name="held", sort="keeper")
    STUCK = Telling(name="stuck", sort="keeper")
    DIGEST = Telling(name="digest", sort="keeper")
    ALARM = Telling(name="alarm", sort="keeper")
    ALL_CLEAR = Telling(name="all_clear", sort="keeper")

    def __init__(self, row: Telling) -> None:
        self.row = row
        """How people hear of it."""
        self.word = row.name
        """The name of its templates, and what it is called in the database."""


REPLIES = tuple(kind.word for kind in EventKind if kind.row.reply)
"""The names of the kinds that answer a message."""


class Everybody(Struct, frozen=True):
    """All people with a part in the game, but those whose ids are `but`."""

    but: tuple[int, ...] = ()


class Recipient(Struct, frozen=True):
    """One person on file."""

    person_id: int


class HouseKeeper(Struct, frozen=True):
    """The keeper of the judge, if there is one."""


class At(Struct, frozen=True):
    """An address, and whose it is where that is known. `answers` is the message it replies to."""

    address: str
    person_id: int | None = None
    answers: ParsedMessage | None = None


Audience = Everybody | Recipient | HouseKeeper | At


class Event(Struct, frozen=True, kw_only=True):
    """Something that happened, and who is to be told.

    Attributes:
        facts: What the templates of its kind need, besides what the reader may know of the game.
        mail_id: The message that caused it.
        press: The press it carries: a reply is press to anyone who wrote that.
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


def reader(seat: Seat) -> Recipient:
    """Return the person of a seat that is somebody's."""
    assert seat.person_id is not None
    return Recipient(seat.person_id)
