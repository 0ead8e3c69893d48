"""How reliable people are, computed from what they did in rated games (docs/reliability.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct

from judge.game.state import State
from judge.game.state.settings import Settings
from judge.game.visibility.eyes import Eyes
from judge.storage import GameState, Reliability, ReliabilityEntry, Role, Seat, SeatState, Storage

HALF = 20
"""The age, in phases, at which a phase weighs half as much as the newest."""

LOST = 10
"""Points of dedication that giving up a power costs."""

OF_A_PHASE = (Reliability.ON_TIME, Reliability.LATE)
"""What a phase makes of its players when it runs; the others are acts of their own."""


class Figures(Struct, frozen=True):
    """A person's record: phases `on_time` and `late`, powers `resigned` and `abandoned`, and rated
    `games` with orders to give. `punctuality` is the share of phases on time, recent ones weighing
    more; None without any phase."""

    on_time: int
    late: int
    resigned: int
    abandoned: int
    games: int
    punctuality: float | None

    @property
    def dedication(self) -> int:
        """A point for each phase on time, minus one for each late, minus `LOST` for each power
        given up."""
        return self.on_time - self.late - LOST * (self.resigned + self.abandoned)

    @property
    def resignations(self) -> float:
        """The share of their games that they gave up, 0 to 1."""
        return min(1.0, (self.resigned + self.abandoned) / self.games) if self.games else 0.0


def figures(conduct: Sequence[ReliabilityEntry]) -> Figures:
    """Compute the figures from a person's log, oldest entry first."""
    phases = [each.what is Reliability.ON_TIME for each in conduct if each.what in OF_A_PHASE]
    weights = [0.5 ** (age / HALF) for age in range(len(phases))][::-1]
    good = sum(weight for weight, on_time in zip(weights, phases, strict=True) if on_time)
    count = Counter(each.what for each in conduct)
    return Figures(
        on_time=count[Reliability.ON_TIME],
        late=count[Reliability.LATE],
        resigned=count[Reliability.RESIGNED],
        abandoned=count[Reliability.ABANDONED],
        games=len({each.game_id for each in conduct}),
        punctuality=good / sum(weights) if weights else None,
    )


def of_person(storage: Storage, person_id: int, public: bool = True) -> Figures:
    """Return a person's figures; `public` leaves out games that do not tell yet who is late. What
    they did in other houses counts where they wish it here and there."""
    conduct = _conduct(storage, person_id, public)
    for house, same in storage.people.elsewhere(person_id):
        conduct += _conduct(storage.of(house), same, public)
    return figures(conduct)


def _conduct(storage: Storage, person_id: int, public: bool) -> list[ReliabilityEntry]:
    """Return what a person is on record for in one house."""
    conduct = storage.reliability_log.of_person(person_id)
    if public:
        quiet = {each: _keeps_quiet(storage, each) for each in {row.game_id for row in conduct}}
        conduct = [row for row in conduct if not quiet[row.game_id]]
    return conduct


def _keeps_quiet(storage: Storage, game_id: int) -> bool:
    """Return whether a game hides who is late, or who plays what: while it runs, or ever."""
    game = storage.games.find(game_id)
    if game is None:
        return False
    settings = Settings.from_json(game.settings)
    if game.state == GameState.ENDED:
        return settings.gunboat and not settings.reveal and not game.options.revealed
    return settings.quiet or settings.gunboat


def log_reliability(state: State, done: Iterable[tuple[Seat, Reliability]], now: datetime) -> None:
    """Log what the players of seats did in the open phase, if this game is rated."""
    if not state.terms.rated:
        return
    counted = state.settings.late_count
    state.storage.reliability_log.record(
        *(
            ReliabilityEntry(
                person_id=seat.person_id,
                game_id=state.game.id,
                phase=str(state.opened.phase),
                power=seat.power,
                what=what,
                at=now,
            )
            for seat, what in done
            if seat.person_id is not None and seat.power is not None and not seat.options.bot
            if counted or what not in OF_A_PHASE
        )
    )


def game_listing(state: State, seen: Eyes) -> dict[str, dict[str, object]]:
    """Return what a listing tells the reader of each power: whether it is `open` to a player, how
    often it was `late` in phases that count, and the share of phases `on_time` of its player in all
    games. None is what the reader may not know or nobody does."""
    if state.position is None:
        return {}
    tells = state.game.state == GameState.ENDED or not state.settings.quiet
    late = Counter(
        row.power
        for row in state.storage.reliability_log.of_game(state.game.id)
        if row.what is Reliability.LATE
    )
    rows: dict[str, dict[str, object]] = {}
    for power in state.variant.powers:
        seat = state.seats.player(power)
        on_time = None
        if seat is not None and seat.person_id is not None and seen.knows(seat):
            on_time = of_person(state.storage, seat.person_id).punctuality
        rows[power] = {
            "open": power in state.powers.open(),
            "late": sum(late[each] for each in state.powers.hand(power)) if tells else None,
            "on_time": on_time,
        }
    return rows


def tenures(state: State, seen: Eyes) -> dict[str, list[dict[str, object]]]:
    """Return each power's players in order: the `name` and the number (`player`) of each (None if
    the reader may not know it), the phase `since` which they play (None for the first), whether
    they `left`, how they hold the seat (`held`), the phase since which they are `silent`, and the
    level of a `computer`."""
    runs = [(run.processed_at, run.phase) for run in state.storage.history.of_game(state.game.id)]
    # A QUIET game tells nobody of takeovers.
    tells = state.game.state == GameState.ENDED or not state.settings.quiet
    rows = {}
    for power in state.variant.powers:
        seats = [seat for seat in state.seats if seat.power == power and seat.role == Role.PLAYER]
        players: list[dict[str, object]] = []
        for seat in sorted(seats, key=lambda seat: seat.id):
            if seat.person_id is None:
                continue
            at = seat.joined_at
            since = next((phase for ran_at, phase in runs if ran_at > at), state.game.phase)
            known = seen.knows(seat)
            players.append(
                {
                    "name": state.seats.person(seat).name if known else None,
                    "since": since if players and tells else None,
                    "left": seat.state in (SeatState.RESIGNED, SeatState.EJECTED),
                    "player": seat.person_id if known else None,
                    "held": seat.state if tells else None,
                    "silent": seat.options.gone if tells else None,
                    "computer": seat.options.bot if known else None,
                }
            )
        if elsewhere := state.game.options.played_by.get(power):
            players.append({"name": elsewhere, "since": None, "left": False})
        rows[power] = players if tells else players[-1:]
    return rows
