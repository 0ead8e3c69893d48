"""What players vote for in a phase, and what all votes together come to. No game is known here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar


def agreed(votes: Mapping[str, frozenset[str] | None]) -> frozenset[str] | None:
    """The greatest set of powers, to share the game, that every voter accepts; None: there is none.

    A list with oneself accepts each part of it that contains oneself; one without oneself each part
    of it, with or without oneself; None only a win of one's own.

    What two results both accepted have in common with every list holds for their union, too: the
    greatest is everything that no list excludes, if it has everybody who insists on himself.
    """
    allowed: frozenset[str] | None = None
    insist = set()
    for voter, share in votes.items():
        if share is None or voter in share:
            insist.add(voter)
        mine = frozenset({voter}) | (share or frozenset())
        allowed = mine if allowed is None else allowed & mine
    return allowed if allowed and insist <= allowed else None


_Who = TypeVar("_Who")


def leader(counts: Mapping[_Who, int]) -> _Who | None:
    """Who owns more than every other, None where several own the most."""
    most = max(counts.values(), default=0)
    first = [who for who, count in counts.items() if count == most]
    return first[0] if len(first) == 1 and most else None
