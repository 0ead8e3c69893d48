"""All that outlives the process: the only package that knows a database is there.

`Storage` is the way in, `records` are the values that come out.
"""

from judge.storage.databases import occupied
from judge.storage.errors import (
    AlreadyRun,
    Lacking,
    NameTaken,
    Stale,
    StorageError,
    Unavailable,
    is_of_machine,
)
from judge.storage.games import SECRET_FREE, GameSearch, phase_root
from judge.storage.inbound import Accepted, TooMuch, Turn
from judge.storage.inbound import sender as written_by
from judge.storage.outbound import QUESTION, Quotable
from judge.storage.records import (
    Address,
    Alarm,
    Bounce,
    DiaryPage,
    Entrant,
    Game,
    InboundMessage,
    KeptFile,
    LogEntry,
    Order,
    OutboundMessage,
    Person,
    PhaseRun,
    Press,
    ReliabilityEntry,
    Rollback,
    Seat,
    SeatCode,
    Snapshot,
    Ticket,
    Tournament,
    TournamentBoard,
)
from judge.storage.statistics import DueGame, OutboundQueue
from judge.storage.store import Storage
from judge.storage.traces import TracedLetter, TracedMail
from judge.storage.transfer import check_file
from judge.storage.values import (
    GOING_ON,
    RUNS,
    AddressState,
    Ahead,
    Away,
    ClockChange,
    CoinSeed,
    Condition,
    EarlierOrders,
    EntrantRole,
    EntrantState,
    FormerName,
    GameOptions,
    GameState,
    InboundState,
    Lateness,
    OutboundState,
    Outward,
    PaceSteps,
    Pause,
    PersonOptions,
    PhaseMoment,
    PressColor,
    Proposal,
    ProposalKind,
    ProposedTimes,
    Reliability,
    Role,
    RunningPace,
    SeatOptions,
    SeatState,
    Share,
    SharingQuestion,
    Statement,
    StoredEnding,
    StoredOutcome,
    TimeGiven,
    TournamentPlan,
    TournamentState,
    Vote,
)
