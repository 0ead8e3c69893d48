"""How much is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Sizes:
    """Numbers of what is measured; each part says what it makes of its own."""

    taken: int = 1000
    """Mails taken by the door, in each of several turns."""
    sent: int = 1000
    """Letters sent to a sink."""
    towns: tuple[int, ...] = (100, 10_000)
    """Running games, between which one mail and one phase must cost the same."""
    many: int = 100_000
    """Running games on PostgreSQL, where they must cost what they do with the fewest."""
    mails: int = 140
    """Mails processed with each of these numbers."""
    phases: int = 60
    """Phases run with each of them."""
    due: tuple[int, int] = (100, 1_000)
    """Games due at once, few and many."""
    lived: int = 30
    """Games that all differ, played a turn through a whole judge."""
    rest: int = 70
    """Seconds without work after which a judge is taken to rest."""
    lasting: int = 2_000
    """Mails sent through a whole judge, over which its memory must stay."""
    flood: int = 1_000
    """Mails of one person who floods a judge."""
    shared: int = 200
    """Mails processed by one process, and by two."""
    house: int = 10_000
    """Running games among which people and the keeper look around."""
    pages: int = 10_000
    """Public games whose pages are kept up to date."""
    turns: int = 4
    """How often those that are compared take turns."""


FULL = Sizes(
    taken=3_000,
    sent=5_000,
    mails=560,
    due=(100, 10_000),
    lasting=100_000,
    flood=10_000,
    shared=1_000,
)
"""What the issue of a judge's scale is decided by; it takes hours."""

TINY = Sizes(
    taken=10,
    sent=10,
    towns=(1, 2),
    many=2,
    mails=2,
    phases=1,
    due=(1, 2),
    lived=1,
    rest=0,
    lasting=4,
    flood=20,
    shared=2,
    house=2,
    pages=2,
    turns=1,
)
"""Whether it works at all."""
