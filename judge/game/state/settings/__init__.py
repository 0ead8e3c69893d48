"""The settings of a game: one table, whose rows are the fields of one frozen value.

A row says everything about a setting: its type and default, the words that set it, what messages
call it, when it is locked, and its help. See `judge.game.state.settings.row` and CONTRIBUTING.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from judge.game.state.settings.entry import EntrySettings, Experience
from judge.game.state.settings.play import (
    NOTICE,
    AssignmentRule,
    Builds,
    ClockSettings,
    PlaySettings,
)
from judge.game.state.settings.press import Fakes, ObserverPress, PressRule, PressSettings
from judge.game.state.settings.row import Choice, Setting, optional, rows
from judge.i18n import say
from judge.rules.phase import Kind, Phase
from judge.rules.rulebook import editions
from judge.schedule.deadlines import Pace

PACES = {Kind.MOVEMENT: "move", Kind.RETREATS: "retreat", Kind.ADJUSTMENTS: "adjust"}


@dataclass(frozen=True, kw_only=True)
class Settings(EntrySettings, PressSettings, PlaySettings, ClockSettings):
    """The settings of one game, kept as JSON values in the database.

    Fields without a row belong to those that have one. Raises ValueError, saying what to write,
    for settings that do not go together.
    """

    def __post_init__(self) -> None:
        for word, pace in (("MOVE", self.move), ("RETREAT", self.retreat), ("ADJUST", self.adjust)):
            if self.nmr and pace.grace <= NOTICE:
                problem = say(
                    "in an NMR game everybody is told {notice} hours before a power falls into "
                    "civil disorder, so GRACE must be longer than that; the grace of {phases} is "
                    "{hours} hours (SET {phases} GRACE 48H)",
                    notice=NOTICE,
                    phases=word,
                    hours=f"{pace.grace:g}",
                )
                raise ValueError(problem)

    def pace(self, phase: Phase, first: bool = False) -> Pace:
        """Return the pace of `phase`; `first` for the game's first one, which has twice the
        time."""
        pace: Pace = getattr(self, PACES[phase.kind])
        return pace.first_phase(self.press is not PressRule.NONE) if first else pace

    def to_json(self) -> dict[str, object]:
        """Return the settings as JSON values; `from_json` gives back an equal value."""
        values = asdict(self)
        values["ends_at"] = self.ends_at and self.ends_at.isoformat()
        return values

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> Settings:
        """Return the settings that `to_json` wrote; what is missing there has its default."""
        known = {
            name: _DECODERS[name](stored) if name in _DECODERS else stored
            for name, stored in values.items()
        }
        return replace(Settings(), **known)


STORED: Mapping[str, Setting] = rows(Settings)
"""The rows of these fields, by the names of the fields."""

_DECODERS = {name: each.decode for name, each in STORED.items() if each.decode is not None} | {
    "ends_at": optional(datetime.fromisoformat)
}

IN_GAME: Mapping[str, Setting] = {
    "variant": Setting(
        called="variant",
        words=("variant",),
        usage="[board] [options]",
        effect="the board, and options: gunboat, blind, no press",
        help=(
            "The name of a board, options, or both; options alone keep the board. A new board "
            "voids the preferences of those who have joined, and brings the rulebook that it was "
            "made for. HELP gunboat and HELP blind explain the options."
        ),
        example="SET VARIANT standard gunboat",
        before_start=True,
        in_entry=True,
    ),
    "rulebook": Setting(
        called="rulebook",
        words=("rules",),
        usage=" or ".join(editions()),
        effect="which edition of the rules decides",
        help=(
            "It decides in games for fewer players (SET PLAYERS), too: the rules of 1976 count "
            "units where a game is stopped at a set time, others count centers."
        ),
        example="SET RULES 1976",
        before_start=True,
        in_entry=True,
    ),
    "moderated": Setting(
        called="moderation",
        default=True,
        choices={
            True: Choice(
                "moderated",
                "the game master runs the game, and nobody else changes settings",
                ("moderated",),
            ),
            False: Choice(
                "not moderated",
                "every player changes settings, and nobody has a game master's powers",
                ("unmoderated", "no moderated"),
            ),
        },
        help=(
            "Players need to know before the start who may see and change what: a game master who "
            "gives up the role after it cannot get it back. Game masters do not play; one who "
            "plays no power must name the game to give it up then."
        ),
        locked=(True,),
        in_entry=True,
    ),
}
"""The rows of settings that a game keeps outside its `Settings`."""

TABLE: Mapping[str, Setting] = {**IN_GAME, **STORED}
"""All settings, by the names of their values, in the order in which HELP shows them."""
