"""The clock of a game rule by rule, in games that are in no database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from judge.events import EventKind, Everybody
from judge.game.clock import game_clock as clock
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.state.settings import PressRule
from judge.limits import BOUNDS
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.schedule.deadlines import LAST_MINUTE, Absence, Pace
from judge.storage import (
    Away,
    ClockChange,
    GameState,
    Pause,
    RunningPace,
    SeatOptions,
    SeatState,
)
from tests.game.on_paper import ANN, MAX, NOW, OLGA, a_game, cast_of, seat_of

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
EVERY_DAY = Pace(1200, 48, 12, 0.5, 24, "SMTWTFS")
"""Deadlines at 20:00. NOW is Friday noon."""
DUE, GRACE = NOW + 2 * DAY, NOW + 3 * DAY


def ticking(**more: Any) -> State:
    """A game that is due in two days, with a day of grace; it began a week ago."""
    state = a_game(**({"move": EVERY_DAY} | more))
    game = state.game
    game.started_at, game.opened_at = NOW - 7 * DAY, NOW - DAY
    game.deadline, game.grace_end = DUE, GRACE
    return state


def seconds(moment: datetime | None) -> str | None:
    return f"{moment:%d %H:%M}" if moment else None


def away(state: State, number: int, start: datetime, end: datetime, approved: bool = True) -> None:
    seat = seat_of(state, number)
    seat.absence = (*(seat.absence or ()), Away(start, end, approved))


# How long a phase is


def test_only_the_first_phase_has_twice_the_time() -> None:
    state = ticking()
    assert clock.pace_of(state).next == 48
    state.game.opened_at = state.game.started_at
    assert clock.pace_of(state).next == 96
    state.game.opened_at = None
    assert clock.pace_of(state).next == 96


@pytest.mark.parametrize(
    ("kept", "runs"),
    [
        (None, (12, 0.5)), (RunningPace(12, 0.5), (12, 0.5)), (RunningPace(1, 0.5), (1, 0.5)),
        (RunningPace(12, 2), (12, 2)),
    ],
)  # fmt: skip
def test_min_and_delay_are_those_there_were_when_the_phase_opened(
    kept: RunningPace | None, runs: tuple[float, float]
) -> None:
    state = ticking()
    state.note(pace=kept)
    pace = clock.running_pace(state)
    assert (pace.min, pace.delay) == runs


@pytest.mark.parametrize(
    ("at", "spread", "found"), [(1200, 3, 1203), (None, 3, None), (LAST_MINUTE, 3, LAST_MINUTE)]
)
def test_deadlines_are_spread_within_their_day(
    at: int | None, spread: int, found: int | None
) -> None:
    state = ticking()
    state.note(spread=spread)
    assert clock.spread_out(state, Pace(at, 48, 0, 0, 0)).clock == found


def test_a_clock_is_set_by_the_pace_and_what_was_promised() -> None:
    state = ticking()
    state.note(not_before=NOW, held="S1900M")
    clock.set_clock(state, NOW, None)
    assert (seconds(state.game.deadline), seconds(state.game.grace_end)) == ("03 20:00", "04 20:00")
    noted = state.game.options
    assert (noted.pace, noted.held, noted.not_before) == (RunningPace(12, 0.5), None, None)
    clock.set_clock(state, NOW, NOW + 9 * DAY, NOW + 30 * DAY)
    assert state.game.deadline is not None
    assert state.game.deadline >= NOW + 9 * DAY
    assert state.game.grace_end == NOW + 30 * DAY


def test_a_deadline_does_not_fall_into_an_absence() -> None:
    state = ticking()
    away(state, 1, NOW + DAY, NOW + 4 * DAY)
    clock.set_clock(state, NOW, None)
    assert seconds(state.game.deadline) == "05 20:00"
    assert state.game.options.held == state.game.phase


# Who is waited for


@pytest.mark.parametrize(
    ("number", "change", "counts"),
    [
        (1, {}, True), (8, {}, True), (9, {}, False), (1, {"state": SeatState.ABANDONED}, False),
        (3, {"power": None}, False),
    ],
)  # fmt: skip
def test_with_press_all_are_waited_for_who_play_or_run_the_game(
    number: int, change: dict[str, Any], counts: bool
) -> None:
    state = ticking()
    away(state, number, NOW, NOW + DAY)
    for name, value in change.items():
        setattr(seat_of(state, number), name, value)
    assert clock.absences(state, NOW) == ([Absence(NOW, NOW + DAY)] if counts else [])


def test_an_absence_counts_once_it_is_approved_and_while_it_lasts() -> None:
    state = ticking()
    away(state, 1, NOW, NOW + 2 * DAY, approved=False)
    assert clock.absences(state, NOW) == []
    away(state, 2, NOW - 2 * DAY, NOW)
    assert clock.absences(state, NOW) == []


def test_who_is_out_is_not_waited_for() -> None:
    units = {"Austria": (Unit("A", "vie"),)}
    at = Position(Phase.read("S1905M"), units=units, centers={"Austria": ("vie",)})
    state = ticking(position=at)
    for number in (1, 2):
        away(state, number, NOW, NOW + number * DAY)
    assert clock.absences(state, NOW) == [Absence(NOW, NOW + DAY)]


def test_without_press_only_who_owes_orders_is_waited_for() -> None:
    at = Position(
        Phase.read("S1901R"), units={"Germany": (Unit("A", "boh"),)}, centers={},
        dislodged={"Austria": (Dislodged(Unit("A", "boh"), "mun", ("gal",)),)},
    )  # fmt: skip
    state = ticking(position=at, press=PressRule.NONE)
    for number in (1, 4, 8):
        away(state, number, NOW, NOW + number * DAY)
    assert clock.absences(state, NOW) == [Absence(NOW, NOW + DAY)]


def test_gunboat_games_wait_for_whole_days_of_the_game() -> None:
    state = ticking(gunboat=True, zone="America/New_York")
    away(state, 1, datetime(2026, 5, 3, 2, 30, tzinfo=UTC), datetime(2026, 5, 4, 5, tzinfo=UTC))
    (span,) = clock.absences(state, NOW)
    assert span == Absence(
        datetime(2026, 5, 2, 4, tzinfo=UTC), datetime(2026, 5, 5, 3, 59, 59, tzinfo=UTC)
    )


@pytest.mark.parametrize(
    ("opened", "not_before", "state", "first"),
    [
        (NOW - HOUR, None, GameState.ACTIVE, NOW + 11 * HOUR),
        (NOW - 11 * HOUR, None, GameState.ACTIVE, None),
        (NOW - 11 * HOUR + timedelta(minutes=1), None, GameState.ACTIVE,
         NOW + HOUR + timedelta(minutes=1)),
        (NOW - HOUR, NOW + DAY, GameState.ACTIVE, NOW + DAY),
        (NOW - HOUR, NOW + DAY, GameState.PAUSED, None),
        (None, NOW + DAY, GameState.ACTIVE, None),
    ],
)  # fmt: skip
def test_what_runs_not_yet_is_told_where_it_is_an_hour_off(
    opened: datetime | None, not_before: datetime | None, state: GameState, first: datetime | None
) -> None:
    game = ticking(state=state)
    game.game.opened_at = opened
    game.note(not_before=not_before)
    assert clock.earliest(game, NOW) == first


# Other deadlines


def test_a_later_deadline_moves_the_grace_end_and_an_earlier_one_does_not() -> None:
    state = ticking()
    clock.change_deadline(state, DUE + DAY)
    assert (state.game.deadline, state.game.grace_end) == (DUE + DAY, GRACE + DAY)
    clock.change_deadline(state, DUE)
    assert (state.game.deadline, state.game.grace_end) == (DUE, GRACE + DAY)
    state.game.grace_end = None
    clock.change_deadline(state, DUE + HOUR)
    assert state.game.grace_end == DUE + HOUR


def test_what_is_taken_back_takes_the_grace_end_with_it() -> None:
    state = ticking()
    change = ClockChange("S1901M", MAX, NOW, DUE, GRACE, DUE)
    clock.change_deadline(state, DUE + 2 * DAY)
    clock.change_deadline(state, DUE + DAY, change)
    assert (state.game.deadline, state.game.grace_end) == (DUE + DAY, GRACE + DAY)
    clock.change_deadline(state, DUE + 3 * DAY, change)
    assert state.game.grace_end == GRACE + 3 * DAY
    state.game.grace_end = GRACE + HOUR
    clock.change_deadline(state, DUE, change)
    assert state.game.grace_end == GRACE
    state.game.deadline, state.game.grace_end = DUE + DAY, DUE + DAY
    early = ClockChange("S1901M", MAX, NOW, DUE - DAY, DUE - DAY, DUE)
    clock.change_deadline(state, DUE, early)
    assert state.game.grace_end == DUE


def test_another_deadline_is_reminded_of_anew() -> None:
    seats = cast_of()
    seats[0].options = SeatOptions(reminded=(24.0,))
    kept: list[int] = []
    state = ticking(seats=seats)
    state.storage.seats.save = lambda seat: kept.append(seat.id)  # type: ignore[method-assign, assignment]
    clock.change_deadline(state, DUE + DAY)
    assert (kept, seats[0].options.reminded) == ([1], ())


def test_time_is_given_up_to_an_allowed_day_and_to_what_may_not_run_yet() -> None:
    state = ticking(move=Pace(None, 48, 0, 0, 24, "-MTWTF-"))
    state.game.deadline = datetime(2026, 5, 8, 20, tzinfo=UTC)
    state.note(not_before=NOW)
    clock.give_time(state, 2 * HOUR, NOW)
    assert seconds(state.game.deadline) == "08 22:00"
    assert state.game.options.not_before == NOW + 2 * HOUR
    clock.give_time(state, 5 * HOUR, NOW)
    assert state.game.deadline >= datetime(2026, 5, 11, tzinfo=UTC)
    state.note(not_before=None)
    clock.give_time(state, HOUR, NOW)
    assert state.game.options.not_before is None


@pytest.mark.parametrize("state", [GameState.PAUSED, GameState.FORMING, GameState.ENDED])
def test_no_clock_runs_where_no_phase_does(state: GameState) -> None:
    with pytest.raises(Refused):
        clock.running(ticking(state=state))
    game = ticking()
    game.game.deadline = None
    with pytest.raises(Refused):
        clock.running(game)
    assert clock.running(ticking()) == DUE


# What is taken back


def changed(state: State, **more: Any) -> State:
    """The game after a change that Max made at NOW, from DUE."""
    facts: dict[str, Any] = {
        "phase": "S1901M", "by": MAX, "at": NOW, "deadline": DUE, "grace": GRACE, "first": DUE,
        "missing": tuple(state.sheets.missing()),
    }  # fmt: skip
    state.note(changed=ClockChange(**(facts | more)))
    return state


def quiet(state: State, events: list[object] | None = None) -> State:
    """The game in which nobody has announced an absence, or these are announced."""
    found = events or []
    state.storage.events = SimpleNamespace(lately=lambda *_: found)  # type: ignore[assignment]
    state.on_file = SimpleNamespace(of_phase=lambda _: {})  # type: ignore[assignment]
    return state


@pytest.mark.parametrize(
    ("more", "now", "by", "keeps", "found"),
    [
        ({}, NOW, MAX, False, True),
        ({}, NOW + HOUR, MAX, False, True),
        ({}, NOW + HOUR + timedelta(seconds=1), MAX, False, False),
        ({}, NOW, ANN, False, False),
        ({"phase": "F1901M"}, NOW, MAX, False, False),
        ({"missing": ()}, NOW, MAX, False, False),
        ({}, NOW + 9 * DAY, ANN, True, True),
        ({"phase": "F1901M"}, NOW, ANN, True, False),
    ],
)
def test_who_may_take_a_change_back(
    more: dict[str, Any], now: datetime, by: int, keeps: bool, found: bool
) -> None:
    state = changed(quiet(ticking()), **more)
    assert (clock.taken_back_to(state, now, by, keeps) is not None) is found


def test_the_keeper_takes_back_to_before_all_changes() -> None:
    state = changed(quiet(ticking()), deadline=DUE + DAY)
    back = clock.taken_back_to(state, NOW, ANN, True)
    assert back is not None
    assert (back.deadline, back.grace) == (DUE, DUE)
    assert clock.taken_back_to(quiet(ticking()), NOW, ANN, True) is None


def test_an_absence_that_was_announced_since_is_relied_on() -> None:
    state = changed(quiet(ticking(), events=["absence"]))
    assert clock.taken_back_to(state, NOW, MAX, False) is None


def test_changes_in_a_row_are_noted_as_one() -> None:
    state = quiet(ticking())
    clock.note_change(state, NOW, MAX)
    first = state.game.options.changed
    assert first is not None
    assert (first.deadline, first.grace, first.first, first.by) == (DUE, GRACE, DUE, MAX)
    assert len(first.missing) == 7
    state.game.deadline, state.game.grace_end = DUE + DAY, GRACE + DAY
    clock.note_change(state, NOW + HOUR, MAX)
    second = state.game.options.changed
    assert second is not None
    assert (second.deadline, second.grace, second.at) == (DUE, GRACE, NOW + HOUR)
    clock.note_change(state, NOW + HOUR, ANN)
    third = state.game.options.changed
    assert third is not None
    assert (third.deadline, third.grace, third.first) == (DUE + DAY, GRACE + DAY, DUE)
    state.game.grace_end = None
    clock.note_change(state, NOW + 9 * DAY, MAX)
    last = state.game.options.changed
    assert last is not None
    assert (last.grace, last.first) == (DUE + DAY, DUE)


@pytest.mark.parametrize(
    ("new", "floor", "complete", "refused"),
    [
        (DUE - HOUR, None, False, True),
        (DUE, None, False, False),
        (DUE - HOUR, None, True, False),
        (DUE - HOUR, DUE - HOUR, False, False),
        (DUE - HOUR, DUE - HOUR + timedelta(seconds=30), False, False),
        (DUE - HOUR, DUE - timedelta(minutes=59), False, True),
    ],
)
@pytest.mark.parametrize("master", [True, False])
def test_a_promise_is_kept_to_who_owes_orders(
    new: datetime, floor: datetime | None, complete: bool, refused: bool, master: bool
) -> None:
    at = Position(Phase.read("S1901M"), units={}, centers={}) if complete else None
    state = quiet(ticking(position=at))
    if not refused:
        clock.keep_promise(state, DUE, new, master, floor)
        return
    with pytest.raises(Refused) as caught:
        clock.keep_promise(state, DUE, new, master, floor)
    assert caught.value.write == ("PROCESS S1901M" if master else None)


def test_all_but_who_set_it_are_told_of_a_deadline() -> None:
    state = ticking()
    assert clock.set_deadline(state, DUE + DAY, "set", "Max", but=MAX) == DUE
    assert state.game.deadline == DUE + DAY
    (event,) = state.events
    assert event.kind is EventKind.DEADLINE
    facts = {name: event.facts[name] for name in ("old", "why", "who")}
    assert facts == {"old": DUE, "why": "set", "who": "Max"}
    assert event.to == Everybody((MAX,))


# Absences


def test_absences_are_those_to_come_in_order() -> None:
    state = ticking()
    later, sooner = Away(NOW + 3 * DAY, NOW + 4 * DAY), Away(NOW + DAY, NOW + 2 * DAY)
    seat = seat_of(state, 1)
    seat.absence = (later, Away(NOW - DAY, NOW), sooner)
    assert clock.absences_of(seat, NOW) == [sooner, later]
    assert clock.absences_of(seat_of(state, 2), NOW) == []
    kept: list[object] = []
    state.storage.seats.save = kept.append  # type: ignore[method-assign, assignment]
    clock.change_absences(state, [seat], NOW, lambda known: [later, *known[:1]])
    assert kept == [seat]
    assert clock.absences_of(seat, NOW) == [sooner, later]
    clock.change_absences(state, [seat], NOW, lambda _: [])
    assert clock.absences_of(seat, NOW) == []
    assert seat_of(state, 1).absence is None


@pytest.mark.parametrize(
    ("start", "end", "found"), [(2, 3, True), (0, 1, True), (3, 4, False), (-2, -1, False)]
)
def test_absences_that_touch_overlap(start: int, end: int, found: bool) -> None:
    known = [Away(NOW + DAY, NOW + 2 * DAY)]
    span = Absence(NOW + start * DAY, NOW + end * DAY)
    assert clock.overlaps(known, span) == (known[0] if found else None)


# Reminders


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("20M", (0.33,)),
        ("24 8", (24, 8)), ("8H, 24H and 90M", (24, 8, 1.5)), ("NONE", ()), (" never. ", ()),
        ("14D", (336,)), ("24 24", (24,)), ("2D", (48,)), ("off", ()), ("-", ()),
    ],
)  # fmt: skip
def test_reminders_are_read(text: str, hours: tuple[float, ...]) -> None:
    assert clock.read_reminders(text) == hours


@pytest.mark.parametrize("text", ["", "0", "24 0", "24 337", "337", "15D", "soon"])
def test_what_is_no_reminder_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        clock.read_reminders(text)


# Pauses


def test_a_pause_stops_the_clock_and_keeps_what_it_was() -> None:
    state = ticking(ends_at=NOW + 90 * DAY)
    clock.pause(state, NOW, "set", "Max", but=MAX, until=NOW + DAY)
    assert (state.game.state, state.game.deadline, state.game.grace_end) == (
        GameState.PAUSED, None, None
    )  # fmt: skip
    kept = state.game.options.pause
    assert kept == Pause(since=NOW, told=NOW, deadline=DUE, ends_at=NOW + 90 * DAY, until=NOW + DAY)
    assert clock.pause_ends_at(state) == NOW + DAY
    assert clock.pause_told_at(state) == NOW + clock.TOLD_AGAIN
    (event,) = state.events
    assert (event.kind, event.facts["until"], event.facts["why"]) == (
        EventKind.PAUSED, NOW + DAY, "set"
    )  # fmt: skip
    with pytest.raises(Refused):
        clock.pause(state, NOW, "set")


def test_a_game_goes_on_with_what_was_promised_before_the_pause() -> None:
    state = ticking(ends_at=NOW + 90 * DAY)
    clock.pause(state, NOW, "set")
    clock.resume(state, NOW + DAY, "vote", "Ann", but=ANN)
    game = state.game
    assert (game.state, game.options.pause, game.last_change) == (
        GameState.ACTIVE, None, NOW + DAY
    )  # fmt: skip
    assert game.deadline is not None
    assert game.deadline >= DUE
    assert state.settings.ends_at == NOW + 91 * DAY
    assert clock.pause_ends_at(state) is None
    assert clock.pause_told_at(state) is None
    assert [each.kind for each in state.events] == [EventKind.PAUSED, EventKind.RESUMED]
    with pytest.raises(Refused):
        clock.resume(state, NOW, "set")


def test_who_was_reminded_is_reminded_again_after_a_pause() -> None:
    state = ticking()
    clock.pause(state, NOW, "set")
    seat = seat_of(state, 1)
    seat.options = SeatOptions(reminded=(24.0,))
    state.storage.seats.save = lambda seat: None  # type: ignore[method-assign, assignment]
    clock.resume(state, NOW + DAY, "set")
    assert seat.options.reminded == ()


def test_a_pause_of_which_nothing_is_noted_ends_as_others() -> None:
    state = ticking(state=GameState.PAUSED)
    assert (clock.pause_ends_at(state), clock.pause_told_at(state)) == (None, None)
    clock.resume(state, NOW, "set")
    assert state.game.state is GameState.ACTIVE


def test_a_game_that_was_ended_in_a_pause_is_not_paused() -> None:
    state = ticking()
    clock.pause(state, NOW, "set", until=NOW + DAY)
    state.game.state = GameState.ENDED
    assert (clock.pause_ends_at(state), clock.pause_told_at(state)) == (None, None)


def test_as_many_reminders_as_are_allowed_are_taken() -> None:
    hours = range(BOUNDS.reminders, 0, -1)
    assert clock.read_reminders(" ".join(map(str, hours))) == tuple(hours)
    with pytest.raises(ValueError, match="14 days"):
        clock.read_reminders(" ".join(map(str, range(1, BOUNDS.reminders + 2))))


def test_holidays_are_those_of_the_country() -> None:
    assert clock.holidays(ticking(holidays="DE"), NOW)
    assert clock.holidays(ticking(), NOW) == []


def test_a_time_limit_that_was_set_in_a_pause_is_meant_as_it_was_said() -> None:
    state = ticking(ends_at=NOW + 90 * DAY)
    clock.pause(state, NOW, "set")
    state.set(ends_at=NOW + 10 * DAY)
    clock.resume(state, NOW + DAY, "set")
    assert state.settings.ends_at == NOW + 10 * DAY


@pytest.mark.parametrize("moderated", [True, False])
def test_who_can_end_a_pause_is_reminded_of_it(moderated: bool) -> None:
    empty = replace(cast_of()[0], id=30, person_id=None)
    state = ticking(seats=[*cast_of(), empty], moderated=moderated)
    clock.pause(state, NOW, "set")
    state.events.clear()
    clock.tell_paused_again(state, NOW + DAY)
    told = [getattr(each.to, "person_id", None) for each in state.events]
    assert told == ([MAX] if moderated else [1, 2, 3, 4, 5, 6, 7])
    assert OLGA not in told
    assert state.game.options.pause is not None
    assert state.game.options.pause.told == NOW + DAY


# What is owed after an outage


def owed(state: State, *outages: clock.Outage, credited: object = None) -> list[dict[str, Any]]:
    """Let these outages be owed to a game; return what will be logged."""
    logged: list[dict[str, Any]] = []
    kept: dict[str, Any] = {}
    settings = SimpleNamespace(get=kept.get, put=kept.__setitem__)
    state.storage.keeper_settings = settings  # type: ignore[assignment]
    saved: list[object] = []
    state.storage.games = SimpleNamespace(save=saved.append, saved=saved)  # type: ignore[assignment]
    state.storage.events = SimpleNamespace(  # type: ignore[assignment]
        at=lambda *_: credited, log=lambda _at, _what, facts, **_: logged.append(facts)
    )
    clock.owe_all(state.storage, outages)
    return logged


OUTAGE = clock.Outage(last=NOW - 5 * HOUR, now=NOW)


def test_a_game_gets_lost_time_back() -> None:
    state = ticking(ends_at=NOW + 90 * DAY)
    state.game.last_change = NOW - DAY
    logged = owed(state, OUTAGE)
    assert clock.time_owed(state.storage) == [OUTAGE]
    clock.credit(state)
    game = state.game
    assert state.storage.games.saved == [game]  # type: ignore[attr-defined]
    assert (game.deadline, game.grace_end) == (DUE + 5 * HOUR, GRACE + 5 * HOUR)
    assert (game.last_change, game.wake_at) == (NOW - 19 * HOUR, NOW)
    assert state.settings.ends_at == NOW + 90 * DAY + 5 * HOUR
    assert logged == [
        {
            "lost": 5 * 3600.0,
            "deadline": (DUE + 5 * HOUR).isoformat(),
            "old": DUE.isoformat(),
        }
    ]


@pytest.mark.parametrize(
    ("outage", "credited"),
    [
        (clock.Outage(last=NOW - HOUR, now=NOW, person=0), None),
        (clock.Outage(last=NOW - HOUR, now=NOW, game=1), None),
        (OUTAGE, SimpleNamespace(facts={})),
    ],
)
def test_no_game_gets_it_back_twice(outage: clock.Outage, credited: object) -> None:
    state = ticking()
    logged = owed(state, outage, credited=credited)
    clock.credit(state)
    assert (state.game.deadline, logged) == (DUE, [])


def test_nothing_is_kept_where_nothing_is_owed() -> None:
    state = ticking()
    owed(state)
    assert state.storage.keeper_settings.get("time owed") is None
    assert clock.time_owed(state.storage) == []


def test_a_game_without_a_time_limit_gets_its_time_back() -> None:
    state = ticking()
    owed(state, OUTAGE)
    clock.credit(state)
    assert (state.game.deadline, state.settings.ends_at) == (DUE + 5 * HOUR, None)


@pytest.mark.parametrize("paused", [True, False])
def test_a_game_without_a_clock_gets_nothing_back(paused: bool) -> None:
    state = ticking(state=GameState.PAUSED if paused else GameState.ACTIVE)
    state.game.deadline = DUE if paused else None
    logged = owed(state, OUTAGE)
    clock.credit(state)
    assert (state.game.deadline, logged) == (DUE if paused else None, [{"lost": 5 * 3600.0}])


def test_what_had_passed_before_the_outage_does_not_move() -> None:
    state = ticking(ends_at=OUTAGE.last)
    game = state.game
    game.deadline, game.grace_end = OUTAGE.last, NOW + HOUR
    game.last_change = NOW - HOUR
    logged = owed(state, OUTAGE)
    clock.credit(state)
    assert (game.deadline, game.grace_end) == (OUTAGE.last, NOW + 6 * HOUR)
    # No change is later than now.
    assert (game.last_change, state.settings.ends_at) == (NOW, OUTAGE.last)
    assert logged[0]["old"] is None
    game.grace_end = OUTAGE.last
    clock.credit(state)
    assert game.grace_end == OUTAGE.last
    game.grace_end = game.last_change = None
    clock.credit(state)
    assert game.grace_end is None
