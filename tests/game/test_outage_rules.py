"""Time given back, rule by rule, with games that are in no database."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from judge.events import EventKind, Recipient
from judge.game.clock import game_clock, outage
from judge.game.clock.game_clock import Outage
from judge.game.clock.outage import Heartbeat, delivery, give_back, give_time_for_letters
from judge.game.state import State
from judge.storage import OutboundState, TimeGiven
from tests.clocks import ManualClock, MovingClock
from tests.game.on_paper import ANN, NOW, POWERS, a_game, seat_of

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
SECOND = timedelta(seconds=1)
OPENED = NOW - 2 * DAY
QUEUED, SENT = OutboundState.QUEUED, OutboundState.SENT


# Letters that came late


def letter(at: datetime | None, state: OutboundState = SENT, number: int = 1) -> Any:
    return SimpleNamespace(sent_at=at, state=state, id=number, recipient="ann@x")


def a_late_game(letters: dict[int, list[Any]], back: tuple[Any, ...] = ()) -> State:
    """A game whose deadline has passed, in which letters have gone to people; those of `back` came
    back. Who is not named had theirs at once."""
    everybody: dict[str, dict[str, list[str]]] = {POWERS[n]: {"S1901M": []} for n in range(7)}
    state = a_game(filed=everybody)
    state.game.opened_at, state.game.deadline = OPENED, NOW
    for seat in state.seats:
        seat.joined_at = OPENED - DAY
    asked: list[tuple[int, int, datetime]] = []

    def to_person(game: int, person: int, since: datetime) -> list[Any]:
        asked.append((game, person, since))
        return letters.get(person, [letter(OPENED, number=9)])

    storage = cast("Any", state.storage)
    storage.outbound = SimpleNamespace(to_person=to_person, asked=asked)
    storage.bounces = SimpleNamespace(of={"ann@x": back}.__getitem__)
    storage.events = SimpleNamespace(log=lambda *given, **more: done.append((*given, more)))
    done: list[Any] = []
    storage.done = done
    return state


def bounce(number: int, hard: bool = True) -> Any:
    return SimpleNamespace(letter_id=number, hard=hard)


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """By how much deadlines have moved, and what was told of it."""
    done: list[Any] = []
    monkeypatch.setattr(game_clock, "give_time", lambda _, more, now: done.append((more, now)))
    monkeypatch.setattr(game_clock, "tell_deadline", lambda _, old, why: done.append((old, why)))
    return done


@pytest.mark.parametrize(
    ("mine", "back", "more"),
    [
        ([letter(OPENED)], (), None),
        ([letter(OPENED + HOUR - MINUTE)], (), None),
        ([letter(OPENED + HOUR)], (), HOUR),
        ([letter(OPENED + 5 * HOUR)], (), 5 * HOUR),
        ([letter(OPENED + 5 * HOUR, number=2), letter(OPENED + 3 * HOUR)], (), 3 * HOUR),
        ([letter(OPENED), letter(OPENED + 3 * HOUR, number=2)], (bounce(1),), 3 * HOUR),
        ([letter(OPENED)], (bounce(1),), DAY),
        ([letter(OPENED)], (bounce(1, hard=False),), None),
        ([letter(OPENED)], (bounce(1, hard=False), bounce(1)), DAY),
        ([letter(OPENED)], (bounce(2),), None),
        ([], (), None),
        ([letter(None, QUEUED)], (), DAY),
        ([letter(None, QUEUED), letter(None, number=2)], (), DAY),
        ([letter(None, OutboundState.FAILED)], (), DAY),
    ],
)
def test_a_deadline_moves_by_as_much_as_somebody_waited(
    mine: list[Any], back: tuple[Any, ...], more: timedelta | None, moved: list[Any]
) -> None:
    state = a_late_game({ANN: mine}, back)
    assert give_time_for_letters(state, NOW) is (more is not None)
    if more is None:
        assert moved == []
        return
    assert moved == [(max(more, HOUR), NOW), (NOW, "undelivered")]
    assert state.game.options.given == TimeGiven("S1901M", more.total_seconds())
    facts = {"phase": "S1901M", "seconds": more.total_seconds()}
    told = {"actor": "judge", "game_id": 1}
    assert cast("Any", state.storage).done == [(NOW, "undelivered", facts, told)]
    asked = cast("Any", state.storage).outbound.asked
    assert (1, ANN, OPENED) in asked
    # The deadline has moved by that already.
    moved.clear()
    assert not give_time_for_letters(state, NOW) or mine[0].state is QUEUED


def test_only_a_deadline_that_has_passed_moves_and_only_for_who_owes(moved: list[Any]) -> None:
    late = {ANN: [letter(OPENED + 5 * HOUR)]}
    state = a_late_game(late)
    state.game.deadline = NOW + MINUTE
    assert not give_time_for_letters(state, NOW)
    state.game.deadline = None
    assert not give_time_for_letters(state, NOW)
    state = a_late_game(late)
    state.file("Austria", [state.order_of("Austria", text) for text in
                           ("A vie H", "A bud H", "F tri H")], NOW, None)  # fmt: skip
    assert not give_time_for_letters(state, NOW)
    for power in POWERS[1:]:
        seat_of(state, POWERS.index(power) + 1).person_id = None
    assert not give_time_for_letters(state, NOW)
    state.seats.remove(seat_of(state, 2))
    assert not give_time_for_letters(state, NOW), "England has no seat"
    assert moved == []


def test_who_came_later_has_waited_since_then(moved: list[Any]) -> None:
    state = a_late_game({ANN: [letter(OPENED + 5 * HOUR)]})
    seat_of(state, 1).joined_at = OPENED + 3 * HOUR
    assert give_time_for_letters(state, NOW)
    assert moved[0] == (2 * HOUR, NOW)


def test_what_is_over_is_given_from_now_on(moved: list[Any]) -> None:
    state = a_late_game({ANN: [letter(OPENED + 5 * HOUR)]})
    assert give_time_for_letters(state, NOW + 6 * HOUR)
    assert moved[0] == (7 * HOUR, NOW + 6 * HOUR)


def test_time_that_was_given_counts_and_that_of_another_phase_does_not(moved: list[Any]) -> None:
    state = a_late_game({ANN: [letter(OPENED + 5 * HOUR)]})
    state.note(given=TimeGiven("S1901M", 4 * 3600))
    assert give_time_for_letters(state, NOW)
    assert moved[0] == (HOUR, NOW)
    state.note(given=TimeGiven("W1900A", 4 * 3600))
    assert give_time_for_letters(state, NOW)
    assert moved[2] == (5 * HOUR, NOW)
    waits = a_late_game({ANN: [letter(None, QUEUED)]})
    waits.note(given=TimeGiven("S1901M", 12 * 3600))
    assert give_time_for_letters(waits, NOW)
    assert moved[4] == (DAY, NOW)
    fresh = a_late_game({ANN: [letter(None, QUEUED)]})
    fresh.game.opened_at = NOW - 2 * HOUR
    seat_of(fresh, 1).joined_at = NOW - 2 * HOUR
    assert give_time_for_letters(fresh, NOW)
    assert moved[6] == (2 * HOUR, NOW)


@pytest.mark.parametrize(
    ("letters", "back", "told"),
    [
        ([letter(OPENED)], (), "delivered"), ([letter(OPENED)], (bounce(1),), "failed"),
        ([letter(None, QUEUED), letter(OPENED, number=2)], (), "delivered"),
        ([letter(None, QUEUED)], (), "pending"),
        ([letter(None, OutboundState.FAILED)], (), "failed"),
        ([letter(None, QUEUED), letter(None, OutboundState.FAILED)], (), "pending"),
        ([], (), "failed"),
    ],
)  # fmt: skip
def test_whether_somebody_has_a_letter_of_this_phase(
    letters: list[Any], back: tuple[Any, ...], told: str
) -> None:
    state = a_late_game({ANN: letters}, back)
    assert delivery(state, seat_of(state, 1)) == told
    assert cast("Any", state.storage).outbound.asked == [(1, ANN, OPENED)]


# After an outage


class Judge:
    """A database with games and people by number, of an outage that is being made up for."""

    def __init__(self, games: int = 1, people: int = 1, owed: tuple[Outage, ...] = ()) -> None:
        self.kept: dict[str, Any] = {}
        self.alone = self.steps = 0
        self.credited: list[int] = []
        self.logged: dict[int, dict[str, Any] | None] = {}
        self.games_of: list[Any] = []
        self.numbers, self.everybody = list(range(1, games + 1)), list(range(1, people + 1))
        self.clockless: set[int] = set()
        self.storage = cast("Any", SimpleNamespace)(
            keeper_settings=SimpleNamespace(get=self.kept.get, put=self.kept.__setitem__),
            heartbeat=SimpleNamespace(alone=self._alone),
            games=SimpleNamespace(
                after=lambda last, _, most: [n for n in self.numbers if n > last][:most],
                claim=self._claim,
                of_person=lambda *_: self.games_of,
            ),
            people=SimpleNamespace(
                playing=lambda last, most: [n for n in self.everybody if n > last][:most]
            ),
            events=SimpleNamespace(at=self._at),
            seats=SimpleNamespace(of_game=lambda _: []),
            orders=lambda _: None,
        )
        game_clock.owe_all(self.storage, owed or (Outage(NOW - HOUR, NOW),))

    def _alone(self) -> None:
        self.alone += 1

    def _claim(self, number: int) -> Any:
        if number == 13:
            return None
        game = a_game().game
        game.id, game.deadline = number, None if number in self.clockless else NOW
        return game

    def _at(self, number: int, kind: str, at: datetime) -> Any:
        assert (kind, at) == ("outage", NOW)
        found = self.logged.get(number)
        return None if found is None else SimpleNamespace(facts=found)

    def step(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        def progress() -> None:
            self.steps += 1

        monkeypatch.setattr(game_clock, "credit", lambda state: self.credited.append(state.game.id))
        return give_back(self.storage, progress)

    @property
    def owed(self) -> list[Outage]:
        return game_clock.time_owed(self.storage)


def test_games_move_in_steps_and_then_people_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Judge(games=60, people=60, owed=(Outage(NOW - HOUR, NOW), Outage(NOW, NOW + HOUR)))
    judge.clockless = {7}
    assert judge.step(monkeypatch) == []
    assert (judge.alone, judge.steps) == (1, 50)
    assert judge.credited == [n for n in range(1, 51) if n not in (7, 13)]
    assert [(each.game, each.person) for each in judge.owed] == [(50, None), (0, None)]
    assert judge.step(monkeypatch) == []
    assert judge.credited[-1] == 60
    assert [(each.game, each.person) for each in judge.owed] == [(50, 50), (0, None)]
    assert judge.step(monkeypatch) == []
    assert [(each.last, each.person) for each in judge.owed] == [(NOW, None)]
    assert judge.steps == 60
    empty = Judge(games=0, people=0)
    assert empty.step(monkeypatch) == []
    assert not outage.owing(empty.storage)
    assert empty.step(monkeypatch) is None


def test_people_are_told_of_their_games_that_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = Judge(people=2)
    judge.games_of = [a_game().game, a_game().game, a_game().game]
    for number, game in enumerate(judge.games_of, 1):
        game.id, game.deadline, game.grace_end = number, NOW, NOW + HOUR
    judge.logged = {1: {"deadline": 1, "old": (NOW - HOUR).isoformat()}, 2: {"other": 1}}
    first, second = judge.step(monkeypatch)
    assert (first.kind, first.to, second.to) == (EventKind.OUTAGE, Recipient(1), Recipient(2))
    assert first.calendars == [1]
    assert first.facts["hours"] == 1
    (about,) = first.facts["games"]
    assert about == {
        "game": "paris", "phase": "S1901M", "deadline": NOW, "grace_end": NOW + HOUR,
        "old": NOW - HOUR, "ends_at": None,
    }  # fmt: skip
    judge = Judge()
    judge.games_of = [a_game().game]
    judge.logged = {1: {"deadline": 1, "old": None}}
    (told,) = judge.step(monkeypatch)
    assert told.facts["games"][0]["old"] is None
    judge = Judge()
    judge.games_of = [a_game().game]
    assert judge.step(monkeypatch) == []


def test_what_is_owed_comes_last() -> None:
    judge = Judge()
    outage.owe(judge.storage, NOW, NOW + HOUR)
    assert [each.now for each in judge.owed] == [NOW, NOW + HOUR]
    assert outage.owing(judge.storage)


# Breaks


class Pulse:
    """When the judge was last seen, and reached."""

    def __init__(self) -> None:
        self.seen: datetime | None = None
        self.could: datetime | None = None

    def alone(self) -> None:
        pass

    def last(self) -> datetime | None:
        return self.seen

    def reached(self) -> datetime | None:
        return self.could

    def beat(self, now: datetime) -> None:
        self.seen = now

    def reach(self, at: datetime) -> None:
        self.could = at


def test_a_break_is_remembered_from_when_it_began_and_a_start_is_none() -> None:
    judge, clock, pulse = Judge(), ManualClock(NOW), Pulse()
    judge.storage.heartbeat, judge.storage.transaction = pulse, nullcontext
    heart = Heartbeat()

    def note(minutes: int, cut: bool, *, known: bool = True) -> None:
        clock.advance(minutes=minutes)
        until = clock.now() if known else None
        reach: Any = SimpleNamespace(disconnected=cut, until=lambda: until)
        heart.note(judge.storage, clock, reach)

    def breaks() -> list[float]:
        return [each["seconds"] for each in judge.kept.get("breaks") or ()]

    def due(seconds: float, cut: bool = False) -> bool:
        reach: Any = SimpleNamespace(disconnected=cut)
        return heart.is_due(clock.now() + timedelta(seconds=seconds), reach)

    assert due(0)
    note(0, False)
    assert [due(each) for each in (-1, 0, 59, 60)] == [True, False, False, True]
    assert due(0, cut=True)
    note(1, True)
    note(2, False)
    assert breaks() == [120]
    # Since when this one is, is not known: it may be a start.
    note(1, True, known=False)
    note(1, False)
    assert breaks() == [120]
    note(1, True)
    note(5, False)
    assert breaks() == [120, 300]
    note(1, True)
    note(9, False)
    assert breaks() == [], "together they are an outage"
    assert [each.lost for each in judge.owed][1:] == [timedelta(minutes=16)]


@pytest.mark.parametrize(
    ("seen", "reached", "lost"),
    [
        (outage.SHORTEST, outage.SHORTEST, None),
        (outage.SHORTEST + SECOND, outage.SHORTEST, outage.SHORTEST + SECOND),
        (MINUTE, outage.DISCONNECTED, None),
        (MINUTE, outage.DISCONNECTED + SECOND, outage.DISCONNECTED + SECOND),
    ],
)
def test_a_start_makes_up_for_what_was_lost_before_it(
    seen: timedelta, reached: timedelta, lost: timedelta | None
) -> None:
    judge, pulse = Judge(), Pulse()
    judge.storage.heartbeat, judge.storage.transaction = pulse, nullcontext
    pulse.seen, pulse.could = NOW - seen, NOW - reached
    reach: Any = SimpleNamespace(disconnected=False, until=lambda: NOW)
    Heartbeat().note(judge.storage, MovingClock(NOW), reach)
    assert [each.lost for each in judge.owed][1:] == ([] if lost is None else [lost])
