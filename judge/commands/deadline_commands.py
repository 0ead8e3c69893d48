"""The clock of the open phase, and people's own times: DEADLINE, EXTEND, ABSENCE, PAUSE."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import asdict, replace

from judge.commands import pace, proposals
from judge.commands.names_meant import reading
from judge.commands.setting_values import BadSetting
from judge.events import EventKind
from judge.game import phases
from judge.game.clock import game_clock as clock
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import TrustLevel
from judge.game.visibility.eyes import ANYBODY, Eyes
from judge.i18n import say
from judge.intake.authentication import prove
from judge.intake.command import summary
from judge.intake.context import Cursor, Log, Report, Sender
from judge.intake.lines import Line
from judge.limits import BOUNDS
from judge.schedule.dates import SHORT_MONTHS, names_time, read_date, read_span
from judge.schedule.deadlines import Absence, TimeError, TimeFault, read_hours
from judge.sentences import Wording
from judge.storage import (
    Away,
    ClockChange,
    GameState,
    ProposalKind,
    ProposedTimes,
    Role,
    Seat,
    Storage,
)

# Dates in commands, as people write them


def read_moment(
    sender: Sender, now: datetime, state: State, text: str, command: str, example: str
) -> datetime:
    """Return the moment that `text` names behind `command`; a date without a time means CLOCK, as
    the game's zone has it, or 23:30. Raises Refused, offering `example` or all readings."""
    zone, usual = sender.zone, None
    try:
        if state.phase is not None and not names_time(text):
            usual = clock.pace_of(state).clock
            zone = zone if usual is None else state.settings.zone
        return read_date(text, now, zone, usual)
    except TimeError as error:
        raise _refused(error, text, command, example) from None


def read_absence(sender: Sender, now: datetime, text: str, command: str, example: str) -> Absence:
    """Return the stretch of time that `text` names behind `command`. Raises Refused as
    `read_moment`."""
    try:
        return Absence(*read_span(text, now, sender.zone))
    except TimeError as error:
        raise _refused(error, text, command, example) from None


def _refused(error: TimeError, text: str, command: str, example: str) -> Refused:
    found = error.problem
    if found.fault is TimeFault.AMBIGUOUS:
        lines = tuple(f"{command} {choice}" for choice in found.choices)
        return Refused("two_dates", write=lines, text=text.strip())
    if found.fault is TimeFault.TOO_FAR:
        (example,) = found.choices
    problem = Wording(found if text.strip(" .") else say("it takes a date, or a time of day"))
    return Refused("bad_setting", write=f"{command} {example}", problem=problem)


# SET DEADLINE, SET GRACE, SET START, EXTEND: the clock of the phase that is open, and of no other

LONGEST = 24 * 60
"""Hours that can be asked for at once."""


def deadline_command(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    if (more := call.arguments.strip()).startswith("+"):
        # What is added is added to the deadline that there is.
        return extend(cursor, now, log, state, replace(call, arguments=more.strip("+ ")))
    example = _day_after(cursor.sender, now, clock.running(state))
    new = read_moment(cursor.sender, now, state, call.arguments, "SET DEADLINE", example)
    return _want(cursor, now, log, state, new)


def extend(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    old = clock.running(state)
    text = call.arguments.strip(" .!")
    word, _, rest = text.partition(" ")
    if word.lower() in ("until", "till", "to"):
        new = read_moment(
            cursor.sender, now, state, rest, "EXTEND UNTIL", _day_after(cursor.sender, now, old)
        )
    else:
        if not text:
            raise Refused(
                "extend_by_what",
                write=("EXTEND 24H", f"EXTEND UNTIL {_day_after(cursor.sender, now, old)}"),
            )
        with reading("EXTEND 24H"):
            hours = read_hours(text.lower().removeprefix("by").removeprefix("for").strip())
            if not 0 < hours <= LONGEST:
                days = LONGEST // 24
                raise BadSetting(
                    "{text!r} is not between a minute and {days} days", text=text, days=days
                )
        new = max(old, now) + timedelta(hours=hours)
    return _want(cursor, now, log, state, new)


def _day_after(sender: Sender, now: datetime, moment: datetime) -> str:
    """Return a day after that moment, or after now, as the writer would write it."""
    return _written(sender, max(moment, now) + timedelta(days=1))


def _written(sender: Sender, moment: datetime) -> str:
    """Return a moment as the writer would write it."""
    there = moment.astimezone(ZoneInfo(sender.zone))
    return f"{there.day} {SHORT_MONTHS[there.month]} {there:%H:%M}"


def _want(cursor: Cursor, now: datetime, log: Log, state: State, new: datetime) -> Answer:
    """Return a new deadline that somebody writes for: set at once, or put to those who decide."""
    old, master = clock.running(state), cursor.is_master()
    if new == old:
        raise Refused("same_deadline", deadline=old)
    back = _taken_back(cursor, now, state)
    clock.keep_promise(state, old, new, master, _with_notice(now, back.deadline) if back else None)
    if not master:
        return proposals.propose(
            cursor, now, log, state, ProposalKind.DEADLINE, ProposedTimes(to=new)
        )
    prove(cursor, state, TrustLevel.TOKEN)
    if new > _usual_end(now, state, old):
        cursor.sender.confirm("deadline_far", game=state.game.name, new=new, old=old)
    who = Eyes(state, ANYBODY).called(cursor.sender.registered)
    clock.note_change(state, now, cursor.sender.registered.id)
    clock.set_deadline(state, new, "set", who, but=cursor.sender.registered.id, back=back)
    log("deadline", {"old": old.isoformat(), "new": new.isoformat()})
    undo = f"SET DEADLINE {_written(cursor.sender, old)}" if now < old < new else None
    facts = {"old": old, "new": new, "grace_end": state.game.grace_end, "undo": undo}
    return Answer("deadline_set", facts)


def _taken_back(cursor: Cursor, now: datetime, state: State) -> ClockChange | None:
    """Return the change of the clock that the writer can take back."""
    if not cursor.is_master():
        return None
    keeps = cursor.keeping is not None
    return clock.taken_back_to(state, now, cursor.sender.registered.id, keeps)


def _with_notice(now: datetime, moment: datetime) -> datetime:
    """Return a moment that a clock can be set back to: everybody has an hour then."""
    return max(moment, now + clock.TAKES_BACK)


def _usual_end(now: datetime, state: State, old: datetime) -> datetime:
    """Return the latest deadline that is none by a slip, judged by the pace of the game."""
    usual = timedelta(hours=_TIMES * clock.pace_of(state).next)
    return max(old, now) + max(usual, _ANY_PACE)


_TIMES = 3
"""How many times the usual length of a phase it may become longer without a question."""
_ANY_PACE = timedelta(days=7)
"""How much longer it may become at any pace."""


def grace(
    cursor: Cursor, report: Report, now: datetime, log: Log, state: State, call: Line
) -> Answer:
    try:
        read_hours(call.arguments.strip(" ."))
    except ValueError:
        pass
    else:
        return pace.change(
            cursor,
            report,
            now,
            log,
            f"grace {call.arguments}",
            pace.ALL,
            "SET GRACE 48H",
        )
    deadline = clock.running(state)
    example = _day_after(cursor.sender, now, state.game.grace_end or deadline)
    new = read_moment(cursor.sender, now, state, call.arguments, "SET GRACE", example)
    if new < deadline:
        raise Refused("grace_early", write="SET GRACE 48H", deadline=deadline, new=new)
    old = state.game.grace_end or deadline
    back = _taken_back(cursor, now, state)
    floor = _with_notice(now, back.grace) if back else None
    clock.keep_promise(state, old, new, cursor.is_master(), floor)
    if new > _usual_end(now, state, old):
        cursor.sender.confirm("deadline_far", game=state.game.name, new=new, old=old)
    clock.note_change(state, now, cursor.sender.registered.id)
    state.game.grace_end = new
    return _tell_of_clock(cursor, log, state, "grace_end", old, new)


def start_at(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    new = read_moment(cursor.sender, now, state, call.arguments, "SET START", "Fri 20:00")
    deadline = state.game.deadline
    if deadline is not None and new > deadline:
        raise Refused("start_late", write=f"SET DEADLINE {call.arguments}", deadline=deadline)
    old = state.game.options.not_before
    state.note(not_before=new)
    return _tell_of_clock(cursor, log, state, "start", old, new)


def _tell_of_clock(
    cursor: Cursor, log: Log, state: State, what: str, old: datetime | None, new: datetime
) -> Answer:
    facts = {"what": what, "old": old, "new": new}
    cursor.tell(
        EventKind.CLOCK, facts | {"who": Eyes(state, ANYBODY).called(cursor.sender.registered)}
    )
    log(what, {"old": old and old.isoformat(), "new": new.isoformat()})
    return Answer("clock_set", facts | {"forming": state.game.state == GameState.FORMING})


# REMIND: a reminder for everybody whose orders are missing


def remind_all(storage: Storage, now: datetime, log: Log, state: State, call: Line) -> Answer:
    lately = storage.events.lately("reminded", now - _APART, state.game.id)
    if lately:
        raise Refused("reminded_lately", time=lately[-1].at + _APART)
    if not (powers := phases.remind_all(state)):
        return Answer("nobody_to_remind", {"game": state.game.name})
    log("reminded", {"powers": powers})
    return Answer("reminded", {"powers": powers})


_APART = timedelta(hours=1)
"""The least time between two such reminders."""


# SET ABSENCE, SET NO ABSENCE: when somebody is away no new deadline falls

EXAMPLE = "24 Dec to 2 Jan"


def _seats(cursor: Cursor, state: State) -> list[Seat]:
    """Return the sender's seats whose deadlines an absence moves. Raises Refused."""
    seats = [seat for seat in cursor.mine() if seat.role != Role.OBSERVER]
    if not seats:
        raise Refused("players_only", game=state.game.name, would=summary("set absence"))
    return seats


def set_absence(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    seats = _seats(cursor, state)
    known = clock.absences_of(seats[0], now)
    if not call.arguments.strip(" ."):
        return Answer("absences", {"absences": [*map(asdict, known)]})
    span = read_absence(cursor.sender, now, call.arguments, "SET ABSENCE", EXAMPLE)
    facts: dict[str, object] = {"start": span.start, "end": span.end}
    if (other := clock.overlaps(known, span)) is not None:
        raise Refused("absence_overlaps", start=other.start, end=other.end)
    if len(known) >= BOUNDS.absences:
        raise Refused("absences_full", most=BOUNDS.absences, absences=[*map(asdict, known)])
    away = Away(span.start, span.end)
    longest = state.settings.max_absence
    approved = away.days <= longest or cursor.is_master()
    if not approved and not state.game.moderated:
        raise Refused("absence_long", longest=longest)
    away = replace(away, approved=approved)
    clock.change_absences(state, seats, now, lambda known: [*known, away])
    if not approved:
        times = ProposedTimes(start=span.start, end=span.end)
        return proposals.propose(cursor, now, log, state, ProposalKind.ABSENCE, times)
    _tell_of_absence(cursor, log, facts, cancelled=False)
    deadline = state.game.deadline
    # The one that is running stays where it is.
    catches = deadline is not None and away.start <= deadline < away.end
    return Answer("absence_set", facts | {"deadline": deadline, "catches": catches})


def unset_absence(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    seats = _seats(cursor, state)
    known = clock.absences_of(seats[0], now)
    if not known:
        raise Refused("no_absence", write=f"SET ABSENCE {EXAMPLE}", absences=[])
    words = call.arguments.strip(" .").lower()
    if not words and len(known) == 1:
        found: Away | None = known[0]
    else:
        span = read_absence(cursor.sender, now, words, "SET NO ABSENCE", EXAMPLE)
        found = clock.overlaps(known, span)
    if found is None:
        raise Refused("no_absence", absences=[*map(asdict, known)])
    clock.change_absences(
        state, seats, now, lambda known: [each for each in known if each != found]
    )
    facts: dict[str, object] = {"start": found.start, "end": found.end}
    _tell_of_absence(cursor, log, facts, cancelled=True)
    return Answer("absence_cancelled", facts)


def _tell_of_absence(cursor: Cursor, log: Log, facts: dict[str, object], cancelled: bool) -> None:
    powers = [seat.power for seat in cursor.mine() if seat.power]
    who = {
        "away": ", ".join(powers) or Eyes(cursor.here(), ANYBODY).called(cursor.sender.registered),
        "cancelled": cancelled,
    }
    cursor.tell(EventKind.ABSENCE, facts | who, masters=True)
    told = {name: str(value) for name, value in facts.items()}
    log("absence cancelled" if cancelled else "absence", told)


# PAUSE and RESUME: the clock stops, and goes on with a fresh deadline


def stop(cursor: Cursor, now: datetime, log: Log, state: State, call: Line, kind: str) -> Answer:
    game, would, asked = state.game, summary(kind), ProposalKind(kind)
    if asked is ProposalKind.RESUME and game.state != GameState.PAUSED:
        raise Refused("not_paused", game=game.name)
    until = _pause_end(cursor.sender, now, state, call) if asked is ProposalKind.PAUSE else None
    if not cursor.is_master() and proposals.votes(state, asked):
        if not cursor.playing():
            raise Refused("players_only", game=game.name, would=would)
        return proposals.propose(cursor, now, log, state, asked, ProposedTimes(to=until))
    if not cursor.is_master():
        raise Refused("not_yours_to_decide", game=game.name, would=would)
    prove(cursor, state, TrustLevel.TOKEN)
    who, me = Eyes(state, ANYBODY).called(cursor.sender.registered), cursor.sender.registered.id
    log(kind, {"phase": game.phase, "until": until and until.isoformat()})
    if asked is ProposalKind.PAUSE:
        clock.pause(state, now, "set", who, but=me, until=until)
        return Answer("paused", {"game": game.name, "until": until})
    clock.resume(state, now, "set", who, but=me)
    return Answer("resumed", {"game": game.name, "deadline": game.deadline})


def _pause_end(sender: Sender, now: datetime, state: State, call: Line) -> datetime | None:
    """Return when the pause is to end, by a length or a date behind PAUSE; None if nothing is
    said."""
    text = call.arguments.strip(" .!")
    word, _, rest = text.partition(" ")
    if not text:
        return None
    if word.lower() in ("until", "till", "to"):
        return read_moment(sender, now, state, rest, "PAUSE UNTIL", _day_after(sender, now, now))
    with reading("PAUSE 3 days"):
        hours = read_hours(text.lower().removeprefix("for").strip())
    if not 0 < hours <= LONGEST:
        raise Refused("pause_long", write="PAUSE 3 days", days=LONGEST // 24)
    return now + timedelta(hours=hours)
