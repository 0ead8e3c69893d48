"""A variant: a board with everything else that is fixed before the first order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from judge.rules.board import Board, Derived
from judge.rules.lineup import Lineup
from judge.rules.phase import Calendar, Phase, Season
from judge.rules.position import Position, Unit


@dataclass(frozen=True, eq=False)
class Variant:
    """Board, powers, calendar, start and rulebook of one game, as read from `variants/`.

    `letters` are the one-letter names of powers ("A" -> "Austria"); `adjectives` how a power's
    units are called ("Austria" -> "Austrian"); `aliases` what else a power or its units are
    called ("Austria" -> "Austria-Hungary"). `rulebook` names the rules in force unless a game
    chooses others ("2023"); `modules` names what a rulebook adds beyond the standard rules, and
    `own_modules` are those that the variant brings itself, the functions by hooks.
    `unclear` are names that would fit several provinces, which it lists: nobody guesses between
    them. `shared_victory`: powers tied at the top win together; else the game goes on until one has
    more. `draw` is what a power needs to share in a draw, where its rulebook does not say that:
    `centers`, `units`, or `either`. `notes` are sentences that its players should know, beyond what
    its data tells. `impassable` are pairs of provinces that touch on the map
    without being a border; `one_way` are borders that are crossed from the first location to the
    second only.
    `gates` are borders that only the owner of a province crosses: the province, then both ends.
    `seasonal` are provinces that units enter and leave in some seasons only. `canals` are places
    where four provinces meet and each borders on the three others, by name.
    `counts` is what victory counts: centers, or units on the board.
    `standing` are powers that nobody plays and whose units only hold, as the board or the lineup
    says. `lead` is the year in which the rule module `lead_wins` lets a lead of one center win.
    `lineups` are the ways for fewer people to play, by name, and `lineup` is the one that this is
    made for (see `judge.rules.lineup`): `closed` are provinces that nobody may enter, `sides`
    powers that win together.
    """

    name: str
    title: str
    board: Board
    powers: tuple[str, ...]
    letters: Mapping[str, str]
    adjectives: Mapping[str, str]
    calendar: Calendar
    start_phase: Phase
    start: Mapping[str, tuple[Unit, ...]]
    centers: Mapping[str, tuple[str, ...]]
    victory: int
    shared_victory: bool = False
    lead: int = 0
    draw: str | None = None
    notes: tuple[str, ...] = ()
    rulebook: str = "2023"
    modules: tuple[str, ...] = ()
    own_modules: Mapping[str, Mapping[str, Callable[..., object]]] = field(default_factory=dict)
    description: str = ""
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unclear: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    impassable: tuple[tuple[str, str], ...] = ()
    one_way: tuple[tuple[str, str], ...] = ()
    gates: tuple[tuple[str, str, str], ...] = ()
    seasonal: Mapping[str, frozenset[Season]] = field(default_factory=dict)
    canals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counts: str = "centers"
    lineups: Mapping[str, Lineup] = field(default_factory=dict)
    lineup: str | None = None
    standing: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    sides: tuple[tuple[str, ...], ...] = ()
    derived: dict[Derived[Any, Any], object] = field(init=False, default_factory=dict, repr=False)
    """What other modules work out from the variant once and keep with it."""

    @property
    def played(self) -> tuple[str, ...]:
        """The powers that people can play."""
        return tuple(power for power in self.powers if power not in self.standing)

    @property
    def opening(self) -> Position:
        """The position when the first phase opens."""
        return Position(phase=self.start_phase, units=self.start, centers=self.centers)
