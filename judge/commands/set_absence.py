"""SET ABSENCE, SET NO ABSENCE: when somebody is away no new deadline falls."""

from __future__ import annotations

from judge.commands import proposals
from judge.commands.date_arguments import read_absence
from judge.events import EventKind
from judge.game.clock.absence import MOST, absences_of, overlaps, store
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.visibility.identity import called
from judge.i18n import Message
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import Away, GameState, ProposalKind, ProposedTimes, Role, Seat

EXAMPLE = "24 Dec to 2 Jan"


def _seats(context: MessageContext) -> tuple[State, list[Seat]]:
    state = context.cursor.here()
    if state.game.state == GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    seats = [seat for seat in context.cursor.mine() if seat.role != Role.OBSERVER]
    if not seats:
        raise Refused("players_only", game=state.game.name, would=Message(SET.summary))
    return state, seats


def _set(context: MessageContext, call: Call) -> Answer:
    state, seats = _seats(context)
    known = absences_of(seats[0], context.now)
    if not call.arguments.strip(" ."):
        return Answer("absences", {"absences": _listed(known)})
    span = read_absence(context, call.arguments, "SET ABSENCE", EXAMPLE)
    facts: dict[str, object] = {"start": span.start, "end": span.end}
    if (other := overlaps(known, span)) is not None:
        raise Refused("absence_overlaps", start=other.start, end=other.end)
    if len(known) >= MOST:
        raise Refused("absences_full", most=MOST, absences=_listed(known))
    away = Away(span.start, span.end)
    longest = state.settings.max_absence
    approved = away.days <= longest or context.cursor.is_master()
    if not approved and not state.game.moderated:
        raise Refused("absence_long", longest=longest)
    for seat in seats:
        store(seat, [*absences_of(seat, context.now), Away(span.start, span.end, approved)])
        state.seat(seat)
    if not approved:
        times = ProposedTimes(start=span.start, end=span.end)
        return proposals.propose(context, state, ProposalKind.ABSENCE, times)
    _tell(context, facts, cancelled=False)
    more = {"deadline": state.game.deadline, "catches": _catches(state, away)}
    return Answer("absence_set", facts | more)


def _catches(state: State, away: Away) -> bool:
    """Whether the deadline that is running falls into an absence: it stays where it is."""
    deadline = state.game.deadline
    return deadline is not None and away.start <= deadline < away.end


def _unset(context: MessageContext, call: Call) -> Answer:
    state, seats = _seats(context)
    known = absences_of(seats[0], context.now)
    if not known:
        raise Refused("no_absence", write=f"SET ABSENCE {EXAMPLE}", absences=[])
    words = call.arguments.strip(" .").lower()
    if not words and len(known) == 1:
        found = known[0]
    else:
        span = read_absence(context, words or "-", "SET NO ABSENCE", EXAMPLE)
        found_or_none = overlaps(known, span)
        if found_or_none is None:
            raise Refused("no_absence", absences=_listed(known))
        found = found_or_none
    for seat in seats:
        store(seat, [each for each in absences_of(seat, context.now) if each != found])
        state.seat(seat)
    facts: dict[str, object] = {"start": found.start, "end": found.end}
    _tell(context, facts, cancelled=True)
    return Answer("absence_cancelled", facts)


def _listed(absences: list[Away]) -> list[dict[str, object]]:
    return [{"start": each.start, "end": each.end, "approved": each.approved} for each in absences]


def _tell(context: MessageContext, facts: dict[str, object], cancelled: bool) -> None:
    assert context.sender.person is not None
    powers = [seat.power for seat in context.cursor.mine() if seat.power]
    who = {
        "away": ", ".join(powers) or called(context.cursor.here(), context.sender.person),
        "cancelled": cancelled,
    }
    context.tell(EventKind.ABSENCE, facts | who, masters=True)
    context.log("absence cancelled" if cancelled else "absence", {
        name: str(value) for name, value in facts.items()
    })  # fmt: skip


SET = Command(
    words=(
        *("set absence", "set holiday", "set vacation", "absence", "holiday", "vacation"),
        *("set absent", "set away"),
    ),
    who="participants",
    personal=True,
    summary="no new deadline while you are away",
    help=(
        "Deadlines that are set from now on do not fall into it; the one that is running stays "
        "(EXTEND asks for more time). It begins at 00:00 and ends at 23:59 where you write no "
        "times, in your time zone, and lasts a day where you write no end. Three at a time. A "
        "longer one than the game allows is put to its master. The master is told."
    ),
    usage="date to date",
    example=f"SET ABSENCE {EXAMPLE}",
    run=_set,
    group="playing",
)

UNSET = Command(
    words=("set no absence", "set no holiday", "set no vacation", "no absence", "no holiday"),
    who="participants",
    personal=True,
    summary="take an absence back",
    help="Name any day in it; the only one you have needs no date.",
    usage="date",
    example="SET NO ABSENCE 24 Dec",
    run=_unset,
    group="playing",
)
