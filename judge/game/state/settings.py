"""What a game's master can set, as one frozen value that goes to JSON and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from judge.i18n import say
from judge.rules.phase import Kind, Phase
from judge.schedule.deadlines import CLASSIC, Pace

NOTICE = 24
"""Hours for which a power is open to others, at least, before it falls into civil disorder."""

PACES = {Kind.MOVEMENT: "move", Kind.RETREATS: "retreat", Kind.ADJUSTMENTS: "adjust"}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of one game.

    `move`, `retreat`, `adjust`: the pace of each type of phase. `zone`: IANA time zone in which
    CLOCK and DAYS are read. `press`: the colors of press that players may send, white, grey,
    white/grey, grey/white (the first where they name none) or none. `partial`: they may write to
    some alone. `observer_press`: any, white (signed broadcasts) or no. `minor_press`: press goes
    out in retreats and adjustments, too; `late_press`: of late players, too; `grace_press`: while
    somebody is late, too; `must_order`: only of players whose orders are in; `touch_press`: to
    some only where they have units one step away. `fakes`: whether headings may claim other
    recipients: no, partial (where it is said), broadcast (they always claim all) or default (they
    claim all unless something else is said). `postal_press`: broadcasts may wait for the results.
    `all_press`: masters get copies of private press. `listed`: LIST shows it to strangers.
    `turn_limit`: the season after which the game ends (`F1907`), None for no limit.
    `elimination_ends`: it ends with the first year in which a player is eliminated.
    `time_limit`: hours from the start to the end; `ends_at`: the instant of the end, set at once
    by a date, or at the start from `time_limit`. `reminder`: hours before the deadline.
    `max_absence`: days that somebody may be away without asking. `strict_grace`: the grace end may
    fall on any day. `strict_wait`: only who owes orders may wait. `holidays`: the country
    (`DE`, `DE-BY`) on whose public holidays no deadline falls.
    `manual_start`: the game starts only when its master says so; `forced`: it starts without the
    players who are missing. `manual_process`: phases run only when the master says so.
    `approval`: whoever comes in cannot order before the master agrees. `allowed`, `denied`:
    addresses of the only people who may join, and of people who may not.
    `nmr`: the game goes on without orders that do not come; else it waits for somebody to take the
    power over. `quiet`: who is late, and who takes a power over, is not announced. `late_count`:
    late orders count for reliability. `rated`: the game counts for it, None where moderated games
    do and others do not. `dedication`, `ontimerat`, `resrat`, `level`: how reliable, and how
    experienced, newcomers must be (see `judge.game.people.entry`), None for no bar.
    `proxy`: a unit's order may be left to another power for a phase.
    `dias`: a draw includes all survivors; `concessions`: all may give the game to one power.
    `centers`: how many win, None for the variant's number. `builds`: where units are built: home,
    one (in any center while holding one at home) or any, None for the variant's rule.
    `auto_disband`: no retreats. `transform`: armies become fleets in centers, and fleets armies.
    `blank_board`: the game begins with builds. `preferences`: powers are dealt by wishes (list),
    by lot (random), or by wishes, and by lot to who has none (both). `people`: how many players
    there are, `in_play`: how many powers they have, None for as many as the variant has powers.
    `lineup`: the variant's lineup by which they play (see `judge.rules.lineup`), None where powers
    are dealt as evenly as it goes.
    `house_rules`: what everybody who joins is to know, lines of text.
    `gunboat`: nobody learns who plays what (see `visibility.identity`); `reveal`: until the end.
    `blind`: everybody sees what his units and centers see (see `judge.game.visibility.fog`).
    `secret`: nobody learns how many have joined. `show`: the others are told who changed a setting,
    None where gunboat games do not and others do.

    Raises ValueError, saying what to write, for settings that do not go together.
    """

    move: Pace = CLASSIC["M"]
    retreat: Pace = CLASSIC["R"]
    adjust: Pace = CLASSIC["A"]
    zone: str = "UTC"
    press: str = "white"
    partial: bool = True
    observer_press: str = "any"
    minor_press: bool = True
    late_press: bool = True
    grace_press: bool = True
    must_order: bool = False
    touch_press: bool = False
    fakes: str = "no"
    postal_press: bool = False
    all_press: bool = False
    listed: bool = False
    turn_limit: str | None = None
    elimination_ends: bool = False
    time_limit: float | None = None
    ends_at: datetime | None = None
    reminder: float = 8
    max_absence: int = 15
    strict_grace: bool = False
    strict_wait: bool = False
    holidays: str | None = None
    manual_start: bool = False
    forced: bool = False
    manual_process: bool = False
    approval: bool = False
    allowed: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()
    comment: str = field(default="")
    house_rules: str = ""
    proxy: bool = False
    dias: bool = True
    concessions: bool = True
    centers: int | None = None
    builds: str | None = None
    auto_disband: bool = False
    transform: bool = False
    blank_board: bool = False
    preferences: str = "list"
    people: int | None = None
    in_play: int | None = None
    lineup: str | None = None
    gunboat: bool = False
    blind: bool = False
    reveal: bool = True
    secret: bool = False
    show: bool | None = None
    nmr: bool = False
    quiet: bool = False
    late_count: bool = True
    rated: bool | None = None
    dedication: float | None = None
    ontimerat: float | None = None
    resrat: float | None = None
    level: str | None = None

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
        """The pace of `phase`; `first` for the game's first one, which has twice the time."""
        pace: Pace = getattr(self, PACES[phase.kind])
        return pace.first_phase(self.press != "none") if first else pace

    def to_json(self) -> dict[str, Any]:
        """The settings as JSON values; `from_json` gives back an equal value."""
        values = asdict(self)
        values["ends_at"] = self.ends_at and self.ends_at.isoformat()
        return values

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> Settings:
        """The settings that `to_json` wrote; what an older judge did not write has its default."""
        known = dict(values)
        for name in PACES.values():
            if name in known:
                known[name] = Pace(**known[name])
        for name in ("allowed", "denied"):
            known[name] = tuple(known.get(name, ()))
        if known.get("ends_at"):
            known["ends_at"] = datetime.fromisoformat(known["ends_at"])
        return replace(Settings(), **known)
