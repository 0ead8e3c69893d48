"""All that outlives the process: the only package that knows a database is there.

`Storage` is the way in, `records` are the values that come out.
"""

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
from judge.storage.mails import Accepted
from judge.storage.presence import occupied
from judge.storage.records import (
    Address,
    Alarm,
    Bounce,
    Conduct,
    Event,
    Game,
    Letter,
    Mail,
    Note,
    Order,
    Person,
    PhaseRun,
    Press,
    Rollback,
    Seat,
    Ticket,
)
from judge.storage.store import Storage
from judge.storage.tickets import QUESTION
from judge.storage.transfer import check_file

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
    "Conduct",
    "Event",
    "Game",
    "GameState",
    "InboundState",
    "Letter",
    "Mail",
    "NameTaken",
    "Note",
    "Order",
    "OutboundState",
    "Person",
    "PhaseRun",
    "Press",
    "PressColor",
    "Reliability",
    "Role",
    "Rollback",
    "Seat",
    "SeatState",
    "Stale",
    "Storage",
    "StorageError",
    "Ticket",
    "Unavailable",
    "check_file",
    "occupied",
]
