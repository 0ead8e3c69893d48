"""The life of a game: it starts, phases run and open, it ends. Time and chance are passed in.

Some messages are written at a time: reminders of a deadline, and one a day to each game master.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from functools import partial
from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from judge.events import EventKind, reader
from judge.game import bots, endings, fairness
from judge.game.clock import game_clock
from judge.game.clock.outage import give_time_for_letters
from judge.game.orders import advance
from judge.game.orders.consistency import hints
from judge.game.orders.order_context import OrderContext
from judge.game.people import lateness, muster
from judge.game.people.contact import warn
from judge.game.people.entry import begins_at, waiting_seats
from judge.game.people.lateness import is_late
from judge.game.people.seating import opening, seat_players
from judge.game.press.dispatch import release
from judge.game.scores import score_facts
from judge.game.state import State
from judge.game.state.about import about
from judge.game.state.boards import abbreviations, counting, play, tells
from judge.game.visibility import identity
from judge.game.visibility.eyes import Eyes
from judge.game.visibility.readable_press import published_diaries
from judge.render import Facts
from judge.rules.board import Derived
from judge.rules.phase import Kind, Phase
from judge.rules.variant import Variant, lineup_of
from judge.schedule.deadlines import remind_at, run_at
from judge.storage import (
    GameState,
    Person,
    PhaseRun,
    Role,
    Seat,
    StoredEnding,
    StoredOutcome,
)


def work(state: State, now: datetime, seed: Callable[[], str]) -> bool:
    """Do the one thing that is due, if any, and set when to look again; return whether it did.

    Each call of `seed` gives a new seed for chance.
    """
    due = (act for at, act in _agenda(state, now, seed) if at is None or at <= now)
    done = any(act(state, now) is not False for act in due)
    reschedule(state, now)
    state.save()
    return done


def reschedule(state: State, now: datetime) -> None:
    """Set when the clock must look at this game next; the caller saves it.

    What has become due only now is due now, though its time was earlier: nobody is late with it.
    """
    look, was = _next_look(state, now), state.game.wake_at
    overdue = look is not None and look < now
    state.game.wake_at = max(look, min(now, was or now)) if look and overdue else look


def _next_look(state: State, now: datetime) -> datetime | None:
    return min((at for at, _ in _agenda(state, now) if at is not None), default=None)


Act = Callable[[State, datetime], object]
"""A step of a game; it returns False where there was nothing to do."""


def _agenda(
    state: State, now: datetime, seed: Callable[[], str] = str
) -> Iterator[tuple[datetime | None, Act]]:
    """Yield what is to be done and when, most urgent first; None is whenever the game is looked at.

    Where something has to be done at once it yields nothing of what comes after that.
    """
    if muster.could_start(state):
        due = muster.due_at(state, now)
        at = max(now, state.game.options.not_before or now, due or now)
        yield at, muster.act if due else lambda state, now: start(state, now, seed)
    elif (told := game_clock.pause_told_at(state)) is not None:
        if (end := game_clock.pause_ends_at(state)) is not None:
            yield max(now, end), partial(game_clock.resume, why="over")
        yield told, game_clock.tell_paused_again
    if state.game.state != GameState.ACTIVE:
        return
    if (deserted := lateness.deserted_at(state)) is not None:
        yield max(now, deserted), partial(finish, outcome=StoredOutcome(StoredEnding.DESERTED, ()))
    if (outcome := _agreed(state)) is not None:
        yield now, partial(finish, outcome=outcome)
        return
    if (limit := state.settings.ends_at) is not None:
        yield max(now, limit), _time_is_up
    if (runs := runs_at(state)) is not None:
        yield runs, _run_out
    yield None, give_time_for_letters
    yield from ((moment, remind) for _, _, moment in _open(state))
    yield from lateness.agenda(state)
    yield from ((moment, write_daily) for moment, _ in _due(state))
    if state.sheets.bots_owing():
        # They think outside of this transaction.
        yield now, lambda state, now: False


def _run_out(state: State, now: datetime) -> None:
    lateness.fall_into_disorder(state, now)
    run(state, now)


def _time_is_up(state: State, now: datetime) -> None:
    finish(state, now, StoredOutcome(StoredEnding.TIME_LIMIT, endings.most_centers(state)))


def start(state: State, now: datetime, chance: Callable[[], str]) -> None:
    """Assign the powers by the players' preferences and open the first phase.

    `chance` gives seeds. That of the assignment was sealed when the game opened; it is the only
    chance in the game (2023 rulebook, "Players and Countries"), except a coin in games for two.
    """
    variant = state.variant
    seed = state.game.options.seed or chance()
    fairness.commit_coin(state, chance)
    drawn, seats = seat_players(state, seed, now)
    numbers = [identity.number(state, seat) for seat in seats] if state.settings.gunboat else []
    state.log(
        now,
        "powers dealt",
        {
            "seed": seed,
            "preferences": [seat.preferences for seat in seats],
            "powers": drawn.powers,
            "seats": [seat.id for seat in seats],
        },
    )
    game = state.game
    game.state = GameState.ACTIVE
    game.started_at = now
    settings = state.settings
    if settings.time_limit is not None and settings.ends_at is None:
        ends_at = now + timedelta(hours=settings.time_limit)
        state.settings = replace(settings, ends_at=ends_at)
    state.open(opening(variant, drawn))
    open_phase(state, now, None)
    state.tell(EventKind.START, {"draw": drawn, "numbers": numbers})


def open_phase(state: State, now: datetime, old_deadline: datetime | None) -> None:
    """Start the clock of the open phase, and forget the waits and votes of the last one."""
    game = state.game
    fairness.settle_coin(state, now)
    game.opened_at = now
    game.last_change = None
    game_clock.set_clock(state, now, old_deadline, game.grace_end)
    game_clock.forget_reminders(state)
    state.lapsed = {}
    for seat in state.seats:
        if seat.power and seat.draw and seat.draw.share is not None:
            state.lapsed[seat.power] = endings.draw_line(state, seat.draw)
        seat.wait, seat.draw = False, None
        state.storage.seats.save(seat)


def runs_at(state: State) -> datetime | None:
    """Return when the open phase runs, as things stand; None if it does not until they change."""
    missing = state.sheets.missing()
    if state.settings.manual_process or not (missing or lateness.is_played(state)):
        return None
    game = state.game
    assert game.opened_at is not None
    assert game.deadline is not None
    return run_at(
        game_clock.running_pace(state),
        opened_at=game.opened_at,
        deadline=game.deadline,
        complete=not missing,
        waiting=state.settings.always_wait or state.sheets.waiting() or _waits_for_sharing(state),
        last_change=game.last_change,
        forced_at=lateness.forced_at(state),
        not_before=state.game.options.not_before,
    )


def _waits_for_sharing(state: State) -> bool:
    return state.game.options.sharing is not None and bool(endings.undecided(state))


def run(state: State, now: datetime) -> None:
    """Adjudicate the open phase, and open the next one with anything to decide, or end the game.

    Raises AlreadyRun, which rolls back the transaction, if the phase has run before.
    """
    game = state.game
    lateness.count_phase(state, now)
    runs: list[PhaseRun] = []
    outcome: StoredOutcome | None = None
    fallen: fairness.Toss | None = None
    idle_since = state.opened.phase.year
    victory = state.victory
    while True:
        runs.append(_adjudicate(state, now))
        fallen = fairness.toss(state, now) or fallen
        outcome = endings.after_phase(state, runs[-1].results)
        if outcome or state.owed:
            break
        if abs(state.opened.phase.year - idle_since) > 1:
            outcome = StoredOutcome(StoredEnding.DESERTED, ())
            break
        advance.pass_over(state, now)
    told = [*_untold(state), *(run for run in runs if tells(run.results))]
    back = _returned(state)
    facts: dict[str, object] = {"ran": runs[0].phase, "coin": fallen}
    if outcome is None:
        facts["raised"] = state.victory if state.victory > victory else None
        open_phase(state, now, game.deadline)
        taken = advance.take_up(state, now)
        rivals = next((run.results["rivals"] for run in runs if run.results["rivals"]), ())
        asked = endings.put_sharing(state, rivals)
        facts |= {"rivals": rivals if asked else (), "back": back}
        if bots.go_on(state) and not asked:
            state.note(untold=tuple(run.phase for run in told))
        else:
            state.tell(EventKind.RESULTS, facts, runs=told)
        endings.ask_to_share(state, asked)
        advance.tell(state, taken)
        release(state, now)
    else:
        finish(state, now, outcome, facts, told)


def _untold(state: State) -> list[PhaseRun]:
    """Return the phases before this one whose results nobody has been told; forget them."""
    find, noted = state.storage.history.find, state.game.options.untold
    state.note(untold=())
    return [run for phase in noted if (run := find(state.game.id, phase))]


def _returned(state: State) -> list[str]:
    """Return the powers whose players came back in the phase that ran, and play on; forget them."""
    noted = dict.fromkeys(state.game.options.back)
    state.note(back=())
    if state.settings.quiet:
        return []
    return [power for power in noted if state.seats.player(power) and state.powers.alive(power)]


def _adjudicate(state: State, now: datetime) -> PhaseRun:
    """Adjudicate one phase into the history, and open the position it leads to."""
    before = state.opened
    orders = state.orders
    after, found = play(state.variant, before, orders, state.rulebook)
    found |= {
        "seals": state.sheets.seals(),
        "rules": rules_of(state),
        "game": state.sheets.sealed_as,
        "victory": state.victory,
        "ahead": state.game.options.ahead,
        "caretaker": []
        if state.settings.quiet
        else [each for each in state.powers.in_care() if lateness.ordered_for(state, each)],
    }
    state.note(ahead={})
    ran = state.storage.history.add(
        PhaseRun(
            game_id=state.game.id,
            phase=str(before.phase),
            position=state.game.position,
            orders={power: [str(order) for order in given] for power, given in orders.items()},
            results=found,
            processed_at=now,
            winners=found["winners"] or None,
        )
    )
    state.on_file.drop(str(before.phase))
    state.open(after)
    return ran


def rules_of(state: State) -> dict[str, object]:
    """Return the rules of the open phase, which may change later in the game."""
    kept = ("builds", "auto_disband", "transform", "centers", "blank_board")
    return {
        "variant": state.game.variant,
        "rulebook": state.game.rulebook,
        **{name: getattr(state.settings, name) for name in kept},
    }


def _agreed(state: State) -> StoredOutcome | None:
    """Return how the players have agreed to end the game, if they have."""
    outcome = endings.agreed(state) if any(seat.draw for seat in state.seats) else None
    if outcome is None and state.game.options.sharing is not None:
        outcome = endings.agreed_to_share(state)
    return outcome


def finish(
    state: State,
    now: datetime,
    outcome: StoredOutcome,
    results: Mapping[str, Any] | None = None,
    runs: Sequence[PhaseRun] = (),
) -> None:
    """End the game and tell everybody.

    `results` are facts of the phase that ended it, if one did, and `runs` the phases that ran.
    """
    game = state.game
    alone = endings.unseated(state)
    advance.forget(state, now, ran=bool(results))
    game.state = GameState.ENDED
    game.ended_at = now
    game.deadline = None
    # What was passed over because nothing was to be decided has no news.
    last = runs[-1] if runs else state.storage.history.last(game.id)
    ordered = [run for run in state.storage.history.of_game(game.id) if run.results["orders"]]
    game.outcome = replace(outcome, phase=last.phase if last else None)
    release(state, now)
    state.tell(
        EventKind.END,
        {
            "coin": None,
            **(results or {}),
            "end": outcome.to_json(),
            "last": ordered[-1].phase if ordered else None,
            "alone": alone,
            "years": center_years(state),
            "diaries": len(published_diaries(state)),
            "order_files": last is not None,
            "score": score_facts(state),
        },
        runs=runs,
    )
    state.log(now, "ended", outcome.to_json())


def center_years(state: State) -> list[dict[str, object]]:
    """Return how many centers each power owned at the start and after each year so far.

    The current year has no row before its centers have changed hands.
    """
    start = {power: len(state.variant.centers.get(power, ())) for power in state.variant.powers}
    rows: list[dict[str, object]] = [{"year": "Start", "counts": start}]
    is_open = state.phase
    for past in state.storage.history.of_game(state.game.id):
        year = str(Phase.read(past.phase).year)
        if is_open and is_open.kind is not Kind.ADJUSTMENTS and year == str(is_open.year):
            break
        centers = past.results["centers"]
        counts = {power: len(centers.get(power, ())) for power in state.variant.powers}
        if rows[-1]["year"] == year:
            rows[-1]["counts"] = counts
        else:
            rows.append({"year": year, "counts": counts})
    return rows


def _open(state: State) -> list[tuple[Seat, float, datetime]]:
    """Return the unsent reminders of the open phase to those whose orders are missing."""
    deadline, opened = state.game.deadline, state.game.opened_at
    if deadline is None or opened is None:
        return []
    players = state.seats.players()
    seats = [
        seat
        for power in state.sheets.unfinished()
        if (seat := players.get(power)) is not None and seat.options.bot is None
    ]
    # At once, with those of whom `_due` asks.
    state.seats.load_people([*state.seats.active(Role.MASTER), *seats])
    usual = state.settings.reminder
    people = [(seat, state.seats.person(seat)) for seat in seats]
    unsent = [
        (seat, hours)
        for seat, person in people
        for hours in times(person, usual)
        if hours not in seat.options.reminded
    ]
    due = [(seat, hours, remind_at(deadline, opened, hours)) for seat, hours in unsent]
    return [(seat, hours, moment) for seat, hours, moment in due if moment is not None]


def times(person: Person, usual: float) -> tuple[float, ...]:
    """Return when somebody wants to be reminded, in hours before the deadline.

    `usual` is what the game has for those who have not said.
    """
    chosen = person.options.reminders
    return (usual,) if chosen is None else chosen


def remind(state: State, now: datetime) -> None:
    """Send due reminders, one message a person however many are due."""
    deadline = state.game.deadline
    due: dict[int | None, list[Seat]] = {}
    for seat, hours, moment in _open(state):
        if moment <= now:
            sent = (*seat.options.reminded, hours)
            state.seats.mark(seat, reminded=sent)
            due.setdefault(seat.person_id, []).append(seat)
    for first, *_ in due.values():
        if deadline is not None and now < deadline:
            state.tell(EventKind.REMINDER, {"power": first.power}, to=reader(first))
            warn(state, now, first)


def remind_all(state: State) -> list[str]:
    """Remind everybody whose orders are missing, one message a person; return their powers."""
    players = state.seats.players()
    owing = [
        seat
        for power in state.sheets.missing()
        if (seat := players.get(power)) is not None and seat.options.bot is None
    ]
    for first in {seat.person_id: seat for seat in reversed(owing)}.values():
        state.tell(EventKind.REMINDER, {"power": first.power}, to=reader(first))
    return [seat.power for seat in owing if seat.power]


_HOUR = time(7)
"""When the daily message is sent, in the game master's own time zone."""


def begin_daily(state: State, person: Person, now: datetime) -> None:
    """Start daily messages to a game master: the first is the next one due after `now`."""
    state.seats.known(person)
    for seat in state.seats.of(person.id):
        if seat.role == Role.MASTER:
            state.seats.mark(seat, daily=now, told=None)


def write_daily(state: State, now: datetime) -> None:
    """Write to the game masters whose hour has come, unless it would tell what they know."""
    seats = [seat for moment, seat in _due(state) if moment <= now]
    told = sha256(repr((state.game.phase, facts(state))).encode()).hexdigest()[:16] if seats else ""
    for seat in seats:
        if seat.options.told != told:
            state.tell(EventKind.DAILY, facts(state), to=reader(seat))
        state.seats.mark(seat, daily=now, told=told)


def _due(state: State) -> Iterator[tuple[datetime, Seat]]:
    if not state.game.moderated or state.game.started_at is None:
        return
    for seat in state.seats.active(Role.MASTER):
        person = state.seats.person(seat)
        if person.options.daily is not False:
            after = max(seat.options.daily or seat.joined_at, state.game.started_at)
            zone = ZoneInfo(person.time_zone or state.settings.zone)
            yield next_hour(after, zone, _HOUR), seat


def next_hour(after: datetime, zone: ZoneInfo, hour: time) -> datetime:
    """Return the first time after `after` that it is `hour` in `zone`."""
    day = after.astimezone(zone).date()
    while (moment := datetime.combine(day, hour, zone).astimezone(after.tzinfo)) <= after:
        day += timedelta(days=1)
    return moment


def facts(state: State) -> dict[str, object]:
    """Return each power's state, without its orders, and what the game master must decide."""
    return {
        "rows": [_row(state, power) for power in state.variant.powers if state.powers.alive(power)],
        "newcomers": [
            {"who": state.seats.person(seat).name, "power": seat.power}
            for seat in waiting_seats(state)
        ],
        "asked": [
            {"kind": each.kind, "who": each.asker}
            for each in state.game.options.proposals.values()
            if each.phase == state.game.phase
        ],
        "vacant": state.powers.vacant(),
    }


def _row(state: State, power: str) -> dict[str, object]:
    seat = state.seats.player(power)
    orders = OrderContext(state.variant, state.opened, state.rulebook, (power,))
    return how_far(state, power) | {
        "doubts": len(hints(orders, power, state.orders.get(power, ()))),
        "late": seat is not None and is_late(state, seat),
    }


def how_far(state: State, power: str) -> dict[str, object]:
    """Return how far the orders of a power are, without the orders."""
    seat, sheet = state.seats.player(power), state.sheets.of(power)
    return {
        "power": power,
        "condition": state.powers.condition(power),
        "owes": sheet.owes,
        "missing": sheet.missing,
        "wait": seat is not None and seat.wait,
    }


def game_facts(state: State, now: datetime, seen: Eyes) -> Facts:
    """Return what the reader may know of a game; of its people, how many there are as it forms."""
    game, variant = state.game, state.variant
    known = {
        "game": game.name,
        "title": variant.title,
        "variant": variant.name,
        "state": game.state,
        "moderated": game.moderated,
        "phase": game.phase,
        "kind": state.phase.kind.value if state.phase else None,
        "next_turn": _next_turn(state),
        # Where nobody waits there is nothing to be late for.
        "deadline": None if state.terms.private else game.deadline,
        "grace_end": game.grace_end,
        "held": game.phase is not None and game.options.held == game.phase,
        "nmr": state.terms.nmr,
        "caretaker": state.terms.caretaker,
        "private": state.terms.private,
        "now": now,
        "settings": state.settings,
        "rulebook": state.rulebook.year,
        "counts": variant.counts,
        "short_game": state.rulebook.short_game,
        **_lineup(variant),
        "start_phase": str(variant.start_phase),
        "board": about(variant),
        "powers": list(variant.powers),
        "places": state.terms.places,
        "letters": dict(variant.letters),
        "players": seen.count if game.state is GameState.FORMING else None,
        "game_zone": state.settings.zone,
        "seal": fairness.seed_seal(state) if game.state is GameState.FORMING else None,
        "coin_seal": fairness.coin_seal(state) if game.options.coin is not None else None,
        "outcome": game.outcome,
        "blind": not seen.all,
    }
    return Facts(
        known,
        not_before=lambda: begins_at(state, now),
        begins=lambda: muster.starts_now(state, now),
        earliest=lambda: game_clock.earliest(state, now),
        unplayed=lambda: endings.unplayed(state),
        victory=lambda: state.victory,
        score=lambda: score_facts(state),
        one_winner=lambda: endings.is_one(state),
        outdone=lambda: endings.outdone(state),
        counting=lambda: list(map(str, counting(variant))),
        short=lambda: abbreviations(variant),
        destroyed=seen.destroyed,
        armed=seen.armed,
        standings=seen.standings,
        neutral=seen.neutral,
    )


def _next_turn(state: State) -> str | None:
    """Return the next phase after the open one in which one who now owes nothing may have to decide
    anything: units move or are built. None where none is open."""
    if state.phase is None:
        return None
    return str(state.variant.calendar.following(state.phase, Kind.MOVEMENT, Kind.ADJUSTMENTS))


@Derived
def _lineup(variant: Variant) -> dict[str, object]:
    """Return what is special about a game for fewer players."""
    lineup = lineup_of(variant)
    joins = lineup.joins if lineup is not None else None
    closed = sorted(map(variant.board.name, variant.closed))
    neutral = [
        power
        for power in variant.standing
        if any(variant.board.provinces[place].home == power for place in variant.closed)
    ]
    return {
        "together": bool(variant.sides),
        "nobodys": variant.standing,
        "standing": [
            power
            for power in variant.standing
            if power not in neutral and "standing" in variant.modules
        ],
        "no_centers": sorted(map(variant.board.name, lineup.lost)) if lineup else [],
        "neutral_powers": neutral,
        "closed": closed,
        "joins": {"power": joins.power, "since": str(joins.since)} if joins and neutral else None,
    }
