"""All that outlives the process: the only package that knows a database is there.

`Storage` is the way in, `records` are the values that come out.
"""

from judge.storage.database_lock import occupied
from judge.storage.enums import (
    GOING_ON,
    AddressState,
    Condition,
    GameState,
    InboundState,
    OutboundState,
    PressColor,
    Reliability,
    Role,
    SeatState,
)
from judge.storage.errors import AlreadyRun, NameTaken, Stale, StorageError, Unavailable
from judge.storage.inbound import Accepted
from judge.storage.outbound import QUESTION
from judge.storage.records import (
    Address,
    Alarm,
    Bounce,
    DiaryPage,
    Event,
    Game,
    InboundMessage,
    Order,
    OutboundMessage,
    Person,
    PhaseRun,
    Press,
    ReliabilityEntry,
    Rollback,
    Seat,
    Ticket,
)
from judge.storage.store import Storage
from judge.storage.transfer import check_file
from judge.storage.values import Lateness, PersonOptions, PhaseMoment, SeatOptions

__all__ = [
    "GOING_ON",
    "QUESTION",
    "Accepted",
    "Address",
    "AddressState",
    "Alarm",
    "AlreadyRun",
    "Bounce",
    "Condition",
    "DiaryPage",
    "Event",
    "Game",
    "GameState",
    "InboundMessage",
    "InboundState",
    "Lateness",
    "NameTaken",
    "Order",
    "OutboundMessage",
    "OutboundState",
    "Person",
    "PersonOptions",
    "PhaseMoment",
    "PhaseRun",
    "Press",
    "PressColor",
    "Reliability",
    "ReliabilityEntry",
    "Role",
    "Rollback",
    "Seat",
    "SeatOptions",
    "SeatState",
    "Stale",
    "Storage",
    "StorageError",
    "Ticket",
    "Unavailable",
    "check_file",
    "occupied",
]
