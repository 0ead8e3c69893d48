"""The clock of the open phase, and people's own times: DEADLINE, EXTEND, ABSENCE, PAUSE."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import asdict, replace

from judge.commands import pace, proposals
from judge.commands.named import reading
from judge.commands.setting_values import BadSetting
from judge.events import EventKind
from judge.game.clock import deadlines as clock
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import TrustLevel
from judge.game.visibility.identity import called
from judge.i18n import say
from judge.intake.authentication import prove
from judge.intake.command import summary
from judge.intake.context import MessageContext
from judge.intake.lines import Line
from judge.schedule.dates import names_time, read_date, read_span
from judge.schedule.deadlines import Absence, TimeError, TimeFault, read_hours
from judge.sentences import Wording
from judge.storage import Away, GameState, ProposalKind, ProposedTimes, Role, Seat

# Dates in commands, as people write them


def read_moment(
    context: MessageContext, state: State, text: str, command: str, example: str
) -> datetime:
    """The moment that `text` names behind `command`; a date without a time means CLOCK, as the
    game's zone has it, or 23:30. Raises Refused, offering `example` or all readings."""
    zone, usual = context.zone, None
    try:
        if state.phase is not None and not names_time(text):
            usual = clock.pace_of(state).clock
            zone = zone if usual is None else state.settings.zone
        return read_date(text, context.now, zone, usual)
    except TimeError as error:
        raise _refused(error, text, command, example) from None


def read_absence(context: MessageContext, text: str, command: str, example: str) -> Absence:
    """The stretch of time that `text` names behind `command`. Raises Refused as `read_moment`."""
    try:
        return Absence(*read_span(text, context.now, context.zone))
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


def deadline_command(context: MessageContext, state: State, call: Line) -> Answer:
    example = _day_after(context, clock.running(state))
    new = read_moment(context, state, call.arguments, "SET DEADLINE", example)
    return _want(context, state, new)


def extend(context: MessageContext, state: State, call: Line) -> Answer:
    old = clock.running(state)
    text = call.arguments.strip(" .!")
    word, _, rest = text.partition(" ")
    if word.lower() in ("until", "till", "to"):
        new = read_moment(context, state, rest, "EXTEND UNTIL", _day_after(context, old))
    else:
        if not text:
            raise Refused(
                "extend_by_what", write=("EXTEND 24H", f"EXTEND UNTIL {_day_after(context, old)}")
            )
        with reading("EXTEND 24H"):
            hours = read_hours(text.lower().removeprefix("by").removeprefix("for").strip())
            if not 0 < hours <= LONGEST:
                days = LONGEST // 24
                raise BadSetting(
                    "{text!r} is not between a minute and {days} days", text=text, days=days
                )
        new = max(old, context.now) + timedelta(hours=hours)
    return _want(context, state, new)


def _day_after(context: MessageContext, moment: datetime) -> str:
    """A day after that moment, or after now, as the writer would write it."""
    zone = ZoneInfo(context.zone)
    later = (max(moment, context.now) + timedelta(days=1)).astimezone(zone)
    return f"{later.day} {later:%b %H:%M}"


def _want(context: MessageContext, state: State, new: datetime) -> Answer:
    """A new deadline that somebody writes for: set at once, or put to those who decide."""
    old = clock.running(state)
    if new == old:
        raise Refused("same_deadline", deadline=old)
    clock.keep_promise(state, old, new, context.cursor.is_master())
    if context.cursor.is_master():
        prove(context, state, TrustLevel.TOKEN)
        who = called(state, context.person)
        clock.set_deadline(state, new, "set", who, but=context.person.id)
        context.log("deadline", {"old": old.isoformat(), "new": new.isoformat()})
        return Answer("deadline_set", {"old": old, "new": new, "grace_end": state.game.grace_end})
    return proposals.propose(context, state, ProposalKind.DEADLINE, ProposedTimes(to=new))


def grace(context: MessageContext, state: State, call: Line) -> Answer:
    try:
        read_hours(call.arguments.strip(" ."))
    except ValueError:
        pass
    else:
        return pace.change(context, f"grace {call.arguments}", pace.ALL, "SET GRACE 48H")
    deadline = clock.running(state)
    example = _day_after(context, state.game.grace_end or deadline)
    new = read_moment(context, state, call.arguments, "SET GRACE", example)
    if new < deadline:
        raise Refused("grace_early", write="SET GRACE 48H", deadline=deadline, new=new)
    old = state.game.grace_end or deadline
    clock.keep_promise(state, old, new, context.cursor.is_master())
    state.game.grace_end = new
    return _tell_of_clock(context, state, "grace_end", old, new)


def start_at(context: MessageContext, state: State, call: Line) -> Answer:
    new = read_moment(context, state, call.arguments, "SET START", "Fri 20:00")
    deadline = state.game.deadline
    if deadline is not None and new > deadline:
        raise Refused("start_late", write=f"SET DEADLINE {call.arguments}", deadline=deadline)
    old = state.game.options.not_before
    state.note(not_before=new)
    return _tell_of_clock(context, state, "start", old, new)


def _tell_of_clock(
    context: MessageContext, state: State, what: str, old: datetime | None, new: datetime
) -> Answer:
    facts = {"what": what, "old": old, "new": new}
    context.tell(EventKind.CLOCK, facts | {"who": called(state, context.person)})
    context.log(what, {"old": old and old.isoformat(), "new": new.isoformat()})
    return Answer("clock_set", facts | {"forming": state.game.state == GameState.FORMING})


# SET ABSENCE, SET NO ABSENCE: when somebody is away no new deadline falls

EXAMPLE = "24 Dec to 2 Jan"


def _seats(context: MessageContext, state: State) -> list[Seat]:
    """Return the sender's seats whose deadlines an absence moves. Raises Refused."""
    seats = [seat for seat in context.cursor.mine() if seat.role != Role.OBSERVER]
    if not seats:
        raise Refused("players_only", game=state.game.name, would=summary("set absence"))
    return seats


def set_absence(context: MessageContext, state: State, call: Line) -> Answer:
    seats = _seats(context, state)
    known = clock.absences_of(seats[0], context.now)
    if not call.arguments.strip(" ."):
        return Answer("absences", {"absences": [*map(asdict, known)]})
    span = read_absence(context, call.arguments, "SET ABSENCE", EXAMPLE)
    facts: dict[str, object] = {"start": span.start, "end": span.end}
    if (other := clock.overlaps(known, span)) is not None:
        raise Refused("absence_overlaps", start=other.start, end=other.end)
    if len(known) >= clock.MOST_ABSENCES:
        raise Refused("absences_full", most=clock.MOST_ABSENCES, absences=[*map(asdict, known)])
    away = Away(span.start, span.end)
    longest = state.settings.max_absence
    approved = away.days <= longest or context.cursor.is_master()
    if not approved and not state.game.moderated:
        raise Refused("absence_long", longest=longest)
    away = replace(away, approved=approved)
    clock.change_absences(state, seats, context.now, lambda known: [*known, away])
    if not approved:
        times = ProposedTimes(start=span.start, end=span.end)
        return proposals.propose(context, state, ProposalKind.ABSENCE, times)
    _tell_of_absence(context, facts, cancelled=False)
    deadline = state.game.deadline
    # The one that is running stays where it is.
    catches = deadline is not None and away.start <= deadline < away.end
    return Answer("absence_set", facts | {"deadline": deadline, "catches": catches})


def unset_absence(context: MessageContext, state: State, call: Line) -> Answer:
    seats = _seats(context, state)
    known = clock.absences_of(seats[0], context.now)
    if not known:
        raise Refused("no_absence", write=f"SET ABSENCE {EXAMPLE}", absences=[])
    words = call.arguments.strip(" .").lower()
    if not words and len(known) == 1:
        found: Away | None = known[0]
    else:
        span = read_absence(context, words, "SET NO ABSENCE", EXAMPLE)
        found = clock.overlaps(known, span)
    if found is None:
        raise Refused("no_absence", absences=[*map(asdict, known)])
    clock.change_absences(
        state, seats, context.now, lambda known: [each for each in known if each != found]
    )
    facts: dict[str, object] = {"start": found.start, "end": found.end}
    _tell_of_absence(context, facts, cancelled=True)
    return Answer("absence_cancelled", facts)


def _tell_of_absence(context: MessageContext, facts: dict[str, object], cancelled: bool) -> None:
    powers = [seat.power for seat in context.cursor.mine() if seat.power]
    who = {
        "away": ", ".join(powers) or called(context.cursor.here(), context.person),
        "cancelled": cancelled,
    }
    context.tell(EventKind.ABSENCE, facts | who, masters=True)
    told = {name: str(value) for name, value in facts.items()}
    context.log("absence cancelled" if cancelled else "absence", told)


# PAUSE and RESUME: the clock stops, and goes on with a fresh deadline


def stop(context: MessageContext, state: State, call: Line, kind: str) -> Answer:
    game, would = state.game, summary(kind)
    if kind == ProposalKind.RESUME and game.state != GameState.PAUSED:
        raise Refused("not_paused", game=game.name)
    if not game.moderated and context.cursor.keeping is None:
        if not context.cursor.playing():
            raise Refused("players_only", game=game.name, would=would)
        return proposals.propose(context, state, ProposalKind(kind), ProposedTimes())
    if not context.cursor.is_master():
        raise Refused("not_yours_to_decide", game=game.name, would=would)
    prove(context, state, TrustLevel.TOKEN)
    change = clock.pause if kind == ProposalKind.PAUSE else clock.resume
    change(state, context.now, "set", called(state, context.person), but=context.person.id)
    context.log(kind, {"phase": game.phase})
    facts = {"game": game.name, "deadline": game.deadline}
    return Answer("paused" if kind == ProposalKind.PAUSE else "resumed", facts)
