"""What the states of stored records can be.

Each member is the string that stands in the database, so that these strings never change.
"""

from __future__ import annotations

from enum import StrEnum


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

    Its player; nobody, and the game waits for someone to take it over (abandoned); nobody, and the
    game goes on without its orders (civil disorder) or was never to have them (dummy).
    """

    PLAYED = "played"
    ABANDONED = "abandoned"
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


class Ending(StrEnum):
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
