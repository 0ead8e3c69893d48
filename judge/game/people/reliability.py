"""How reliable people are, computed from what they did in rated games (docs/reliability.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.game.state import State
from judge.game.state.settings import Settings
from judge.storage import GameState, Reliability, ReliabilityEntry, Seat, Storage

HALF = 20
"""Phases after which one weighs half as much as the newest."""

LOST = 10
"""Points of dedication that a power costs which somebody gave up."""

OF_A_PHASE = (Reliability.ON_TIME, Reliability.LATE)
"""What a phase that has run makes of its players; the others are acts of their own."""


@dataclass(frozen=True)
class Figures:
    """What is known of somebody: phases `on_time` and `late`, powers `resigned` and `abandoned`,
    rated `games` he had orders to give in, and the share of phases on time, `punctuality`, in
    which recent ones weigh more; None where there was none."""

    on_time: int
    late: int
    resigned: int
    abandoned: int
    games: int
    punctuality: float | None

    @property
    def dedication(self) -> int:
        """A point for each phase on time, one less for each late one, and `LOST` less for each
        power given up."""
        return self.on_time - self.late - LOST * (self.resigned + self.abandoned)

    @property
    def resignations(self) -> float:
        """The share of his games that he gave up, 0 to 1."""
        return min(1.0, (self.resigned + self.abandoned) / self.games) if self.games else 0.0


def figures(conduct: Sequence[ReliabilityEntry]) -> Figures:
    """The figures that follow from what somebody did, oldest first."""
    phases = [each.what is Reliability.ON_TIME for each in conduct if each.what in OF_A_PHASE]
    weights = [0.5 ** (age / HALF) for age in range(len(phases))][::-1]
    good = sum(weight for weight, on_time in zip(weights, phases, strict=True) if on_time)

    def count(what: Reliability) -> int:
        return sum(each.what == what for each in conduct)

    return Figures(
        on_time=count(Reliability.ON_TIME),
        late=count(Reliability.LATE),
        resigned=count(Reliability.RESIGNED),
        abandoned=count(Reliability.ABANDONED),
        games=len({each.game_id for each in conduct}),
        punctuality=good / sum(weights) if weights else None,
    )


def of_person(storage: Storage, person_id: int, public: bool = True) -> Figures:
    """The figures of a person; `public`: without those games that tell nobody yet who is late."""
    conduct = storage.reliability_log.of_person(person_id)
    if public:
        quiet = {each: _keeps_quiet(storage, each) for each in {row.game_id for row in conduct}}
        conduct = [row for row in conduct if not quiet[row.game_id]]
    return figures(conduct)


def _keeps_quiet(storage: Storage, game_id: int) -> bool:
    """Whether a game is running in which nobody may learn who is late, or who plays what."""
    game = storage.games.find(game_id)
    if game is None or game.state == GameState.ENDED:
        return False
    settings = Settings.from_json(game.settings)
    return settings.quiet or settings.gunboat


def note_conduct(state: State, seat: Seat, what: Reliability, now: datetime) -> None:
    """Record what the player of `seat` did in the open phase, if this game counts."""
    if not state.rated or seat.person_id is None or seat.power is None:
        return
    if what in OF_A_PHASE and not state.settings.late_count:
        return
    state.storage.reliability_log.add(
        ReliabilityEntry(
            person_id=seat.person_id,
            game_id=state.game.id,
            phase=str(state.opened.phase),
            power=seat.power,
            what=what,
            at=now,
        )
    )
