"""SET DEADLINE, SET GRACE, SET START, EXTEND: the clock of the phase that is open, and of no other.

A master sets it. A player asks: the master in a moderated game, those who owe orders in others.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from judge.commands import pace, proposals
from judge.commands.date_arguments import read_moment
from judge.events import EventKind
from judge.game.clock.deadlines import keep_promise, not_before, running, set_deadline
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, not_running
from judge.game.state.profile import TrustLevel
from judge.game.visibility.identity import called
from judge.i18n import say
from judge.intake.authentication import prove
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.schedule.deadlines import read_hours
from judge.sentences import error_wording
from judge.storage import GameState, ProposalKind, ProposedTimes

LONGEST = 24 * 60
"""Hours that can be asked for at once."""


def _deadline(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    example = _day_after(context, running(state))
    new = read_moment(context, state, call.arguments, "SET DEADLINE", example)
    return _want(context, state, new)


def _extend(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    old = running(state)
    text = call.arguments.strip(" .!")
    word, _, rest = text.partition(" ")
    if word.lower() in ("until", "till", "to"):
        new = read_moment(context, state, rest, "EXTEND UNTIL", _day_after(context, old))
    else:
        if not text:
            raise Refused(
                "extend_by_what", write=("EXTEND 24H", f"EXTEND UNTIL {_day_after(context, old)}")
            )
        try:
            hours = read_hours(text.lower().removeprefix("by").removeprefix("for").strip())
            if not 0 < hours <= LONGEST:
                days = LONGEST // 24
                raise ValueError(
                    say("{text!r} is not between a minute and {days} days", text=text, days=days)
                )
        except ValueError as error:
            raise Refused("bad_setting", write="EXTEND 24H", problem=error_wording(error)) from None
        new = max(old, context.now) + timedelta(hours=hours)
    return _want(context, state, new)


def _day_after(context: MessageContext, moment: datetime) -> str:
    """A day after that moment, or after now, as the writer would write it."""
    zone = ZoneInfo(context.zone)
    later = (max(moment, context.now) + timedelta(days=1)).astimezone(zone)
    return f"{later.day} {later:%b %H:%M}"


def _want(context: MessageContext, state: State, new: datetime) -> Answer:
    """A new deadline that somebody writes for: set at once, or put to those who decide."""
    old = running(state)
    if new == old:
        raise Refused("same_deadline", deadline=old)
    keep_promise(state, old, new, context.cursor.is_master())
    if context.cursor.is_master():
        prove(context, state, TrustLevel.TOKEN)
        assert context.sender.person is not None
        who = called(state, context.sender.person)
        set_deadline(state, new, "set", who, but=context.sender.person.id)
        context.log("deadline", {"old": old.isoformat(), "new": new.isoformat()})
        return Answer("deadline_set", {"old": old, "new": new, "grace_end": state.game.grace_end})
    return proposals.propose(context, state, ProposalKind.DEADLINE, ProposedTimes(to=new))


def _grace(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    try:
        read_hours(call.arguments.strip(" ."))
    except ValueError:
        pass
    else:
        return pace.change(context, f"grace {call.arguments}", pace.ALL, "SET GRACE 48H")
    deadline = running(state)
    example = _day_after(context, state.game.grace_end or deadline)
    new = read_moment(context, state, call.arguments, "SET GRACE", example)
    if new < deadline:
        raise Refused("grace_early", write="SET GRACE 48H", deadline=deadline, new=new)
    old = state.game.grace_end or deadline
    keep_promise(state, old, new, context.cursor.is_master())
    state.game.grace_end = new
    return _told(context, "grace_end", old, new)


def _start(context: MessageContext, call: Call) -> Answer:
    state = context.cursor.here()
    if state.game.state not in (GameState.FORMING, GameState.ACTIVE):
        raise not_running(state)
    new = read_moment(context, state, call.arguments, "SET START", "Fri 20:00")
    deadline = state.game.deadline
    if deadline is not None and new > deadline:
        raise Refused("start_late", write=f"SET DEADLINE {call.arguments}", deadline=deadline)
    old = not_before(state)
    state.game.options = replace(state.game.options, not_before=new)
    return _told(context, "start", old, new)


def _told(context: MessageContext, what: str, old: datetime | None, new: datetime) -> Answer:
    state = context.cursor.here()
    assert context.sender.person is not None
    facts = {"what": what, "old": old, "new": new}
    context.tell(EventKind.CLOCK, facts | {"who": called(state, context.sender.person)})
    context.log(what, {"old": old and old.isoformat(), "new": new.isoformat()})
    return Answer("clock_set", facts | {"forming": state.game.state == GameState.FORMING})


DEADLINE = Command(
    words=("set deadline", "deadline"),
    who="participants",
    personal=True,
    of_keeper=True,
    summary="another deadline for this phase",
    help=(
        "A master sets it; from a player it is a question: to the master of a moderated game, or "
        "to all who owe orders in this phase, of whom more than half must agree. A later deadline "
        "takes the end of grace along, an earlier one does not. Earlier than what was promised it "
        "is set only when everybody's orders are in. Dates: Fri 20:00, 15 Jun, 2026-06-15 23:30, "
        "in your own time zone."
    ),
    usage="date",
    example="SET DEADLINE Fri 20:00",
    run=_deadline,
    group="playing",
)

EXTEND = Command(
    words=("extend", "more time", "set extend"),
    who="participants",
    personal=True,
    summary="more time for this phase",
    help="As SET DEADLINE, but says by how much: 24H, 2D. A master gives it, a player asks for it.",
    usage="time",
    example="EXTEND 24H",
    run=_extend,
    group="playing",
)

GRACE = Command(
    words=("set grace",),
    who="masters",
    summary="another end of grace for this phase; or, as a length of time, for all later ones",
    help=(
        "With a date it is the end of grace of this phase only, which may not come before the "
        "deadline. With a length of time (48H) it is GRACE of all types of phases from the next "
        "one on."
    ),
    usage="date, or time",
    example="SET GRACE Sun 20:00",
    run=_grace,
    setting="grace",
    group="settings",
)

START_AT = Command(
    words=("set start",),
    who="masters",
    summary="do not run this phase before a date; before the start, do not start before it",
    help="For this phase only; it may not come after the deadline.",
    usage="date",
    example="SET START Mon 12:00",
    run=_start,
    setting="start",
    group="settings",
)
