"""How people come into a game, take a power over, come back to it, and are put out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from judge.commands.proposals import ask_again
from judge.events import Event, EventKind, Recipient, reader
from judge.game.clock.game_clock import forget_reminders, set_clock
from judge.game.endings import draw_line
from judge.game.people import lateness, peace
from judge.game.people.entry import begins_at, check, let_down, turned_away, waiting_seats
from judge.game.people.lateness import picture, vacate
from judge.game.state import State, part
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import JudgeProfile
from judge.game.state.settings import PressRule
from judge.game.visibility.eyes import ANYBODY, Eyes, reader_of
from judge.intake.authentication import level, prove
from judge.intake.authorization import check_welcome, ensure_registered
from judge.intake.context import Cursor, Log, MessageContext, Report, Sender
from judge.intake.offers import OPEN_FOR, from_claim, renew
from judge.mail.message import ParsedMessage
from judge.storage import (
    Condition,
    GameState,
    InboundMessage,
    Role,
    Seat,
    SeatState,
    Storage,
    Ticket,
)


def admit(cursor: Cursor, profile: JudgeProfile, incoming: ParsedMessage, state: State) -> None:
    """Raise Refused if a list of the keeper or the game master keeps the sender out, somebody in
    the game and they are at odds, or the game master has turned them away.

    The refusal is the same for all but the last: who keeps whom out is nobody else's business.
    """
    check_welcome(cursor, profile, incoming)
    person, mine = cursor.sender.person, {incoming.sender.lower()}
    if person is not None:
        mine |= {each.address for each in cursor.storage.people.addresses(person.id)}
    allowed, denied = set(state.settings.allowed), set(state.settings.denied)
    if cursor.eyes(state).may_not_play:
        raise Refused("hosts_watch", game=state.game.name)
    odd = person is not None and peace.kept_apart(state, person)
    if odd or mine & denied or (allowed and not mine & allowed):
        raise Refused("not_admitted", write="LIST", game=state.game.name)
    if person is not None and not mine & allowed and turned_away(state, person.id):
        masters = list(map(cursor.eyes(state).name_of, state.seats.active(Role.MASTER)))
        write = f"OBSERVE {state.game.name}"
        raise Refused("turned_away", write=write, game=state.game.name, masters=masters)


def check_conduct(sender: Sender, storage: Storage, now: datetime) -> None:
    """Raise Refused if the sender has let several games down lately: the next one would wait for
    them, too."""
    person = sender.person
    if person is not None and (found := let_down(storage, person, now)):
        count, until = found
        facts = {"count": count, "until": until, "zone": sender.zone}
        raise Refused("let_down", write="JOIN PRACTICE", **facts)


def newcomer(mail: InboundMessage, state: State, seat: Seat) -> bool:
    """Ask the game masters about a new player, if the game wants that; return whether it does.

    The player cannot send orders before one of them agrees.
    """
    if not (state.settings.approval and state.game.moderated):
        return False
    if state.seats.is_invited(seat):
        return False
    for own in _parts(state, seat):
        state.seats.mark(own, approval=True)
    for master in state.seats.active(Role.MASTER):
        who = Eyes(state, reader_of(master.person_id)).name_of(seat)
        state.tell(
            EventKind.APPROVAL,
            {"who": who, "power": seat.power},
            to=reader(master),
            mail_id=mail.id,
            claim=str(seat.id),
        )
    return True


def _parts(state: State, seat: Seat) -> list[Seat]:
    """Return all seats of the player of a seat, who are approved together."""
    return [each for each in state.seats.active(Role.PLAYER) if each.person_id == seat.person_id]


def approve(cursor: Cursor, log: Log, state: State, seat: Seat) -> None:
    """Approve a player, who may now send orders, or come after all, and is told."""
    if seat.state == SeatState.EJECTED:
        state.seats.mark(seat, invited=True)
        log("approved", {"person": seat.person_id})
        state.tell(EventKind.INVITED, to=reader(seat), mail_id=cursor.mail.id)
        return
    for own in _parts(state, seat):
        state.seats.mark(own, approval=False)
    facts = {"power": seat.power, "who": cursor.eyes(state).name_of(seat)}
    log("approved", {"power": seat.power, "person": seat.person_id})
    state.tell(EventKind.APPROVED, facts, to=reader(seat), mail_id=cursor.mail.id)
    tell_if_full(cursor, state)


def tell_if_full(cursor: Cursor, state: State) -> None:
    """Tell everybody that a game has all its players and only waits for START.

    If they must not know how many have joined, tell the game masters alone.
    """
    full = len(state.seats.active(Role.PLAYER)) == state.terms.places and not waiting_seats(state)
    if full and state.settings.manual_start and state.game.state == GameState.FORMING:
        cursor.tell(EventKind.FULL, {}, masters=Eyes(state, ANYBODY).count is None)


def awaited(cursor: Cursor, now: datetime, state: State) -> dict[str, object]:
    """Return what a game that has its players still waits for: approvals, or its date."""
    return {
        "game": state.game.name,
        "unapproved": list(map(cursor.eyes(state).name_of, waiting_seats(state))),
        "date": begins_at(state, now),
    }


def end_part(
    cursor: Cursor, now: datetime, log: Log, state: State, seats: list[Seat]
) -> dict[str, object]:
    """End a person's part in the game, and return what happened as facts.

    Everybody is told if they played or ran the game, or else they alone.
    """
    person_id = seats[0].person_id
    assert person_id is not None
    played = [seat for seat in seats if seat.role == Role.PLAYER]
    facts: dict[str, object] = {
        "who": cursor.eyes(state).name_of(seats[0]),
        "powers": [seat.power for seat in played if seat.power],
        "played": bool(played),
        "ran": any(seat.role == Role.MASTER for seat in seats),
        "started": state.phase is not None,
        "own": False,
        "turned": False,
    }
    parts = [part(seat) for seat in seats]
    me = cursor.sender.person_id
    turned = any(state.seats.awaits_approval(seat) for seat in seats)
    if turned or person_id != me:
        own = facts | {"own": True, "turned": turned}
        state.tell(EventKind.EJECTED, own, to=Recipient(person_id), mail_id=cursor.mail.id)
    if facts["powers"] if turned else facts["played"] or facts["ran"]:
        state.tell(EventKind.EJECTED, facts, but=(person_id, me), mail_id=cursor.mail.id)
    for seat in seats:
        seat.state = SeatState.EJECTED
        seat.wait, seat.draw = False, None
        state.seats.keep(seat)
        if seat.power and state.phase is not None:
            vacate(state, seat.power, Condition.ABANDONED, now)
    log("ejected", {"person": person_id, "parts": parts})
    return facts


def take_over(context: MessageContext, state: State, power: str) -> Answer:
    """Make the sender the player of `power` and its player's other powers, orders included.

    Raises Refused if it is not open, or the sender may not enter or has a part already.
    """
    game = state.game
    check_begun(state)
    found = state.powers.open()
    mine = state.seats.of(context.sender.person_id)
    own = next((seat for seat in mine if seat.power == power), None)
    if own is not None:
        context.cursor.enter(state, [own])
        context.report.came.add(game.id)
        return Answer("signed_on", {"game": game.name, "roles": [power]})
    if power not in found:
        write = f"TAKE OVER {found[0].lower()}@{game.name}" if found else f"OBSERVE {game.name}"
        raise Refused("not_open", write=write, game=game.name, power=power, open=found)
    if any(seat.role == Role.PLAYER for seat in mine):
        context.cursor.enter(state)
        raise Refused("already_in", game=game.name)
    if game.moderated and any(seat.role == Role.MASTER for seat in mine):
        raise Refused("masters_watch", game=game.name)
    _check_one_board(context.storage, state, context.sender.person_id)
    prove(context.cursor, None)
    admit(context.cursor, context.profile, context.incoming, state)
    person = ensure_registered(context)
    check(state, person)
    state.seats.leave(seat for seat in mine if seat.role == Role.OBSERVER)
    powers = [each for each in state.powers.hand(power) if each in found]
    cared = state.powers.in_care()
    gone = state.seats.holder(power)
    assert gone is not None
    seats = []
    for each in powers:
        before = state.seats.holder(each)
        assert before is not None
        seats.append(lateness.succeed(state, each, person, context.now))
        context.log("taken over", {"power": each, "person": person.id, "before": before.id})
    context.cursor.enter(state, seats)
    newcomer(context.mail, state, seats[0])
    game.last_change = context.now
    waited = not (gone.options.bot or cared or state.powers.vacant())
    fresh = game.state == GameState.ACTIVE and waited
    if fresh:
        _begin_afresh(context.now, state)
    tell_takeover(context.sender, context.mail, context.events, state, powers, gone, fresh)
    return Answer("taken_over", {"game": game.name, "taken": powers})


def _check_one_board(storage: Storage, state: State, person_id: int | None) -> None:
    """Raise Refused where somebody plays at another board of the same tournament, and has not
    offered to play twice. What they play for somebody else does not count."""
    tournament_id = state.game.options.tournament
    if tournament_id is None or person_id is None:
        return
    parts = storage.entrants.of_person(person_id)
    if any(each.twice for each in parts if each.tournament_id == tournament_id):
        return
    boards = storage.boards.of_tournament(tournament_id)
    if lateness.plays_in(storage, person_id, {each.game_id for each in boards if not each.ended}):
        tournament = storage.tournaments.claim(tournament_id).name
        write = f"ENTER TOURNAMENT {tournament} twice"
        raise Refused("one_board", write=write, game=state.game.name, tournament=tournament)


def check_begun(state: State) -> None:
    """Raise Refused where nobody has a power that others could take over: before the start one
    joins."""
    game = state.game
    if game.state is GameState.FORMING:
        raise Refused("not_running", write=f"JOIN {game.name}", game=game.name, state=game.state)


def _begin_afresh(now: datetime, state: State) -> None:
    """Give the phase a new deadline, since all powers have players again, and let them WAIT."""
    set_clock(state, now, state.game.deadline)
    forget_reminders(state)
    for seat in state.seats.active(Role.PLAYER):
        owes = seat.power and state.powers.owes(seat.power)
        if (owes or state.settings.press is not PressRule.NONE) and not seat.options.bot:
            seat.wait = True
        state.seats.keep(seat)


def tell_takeover(
    sender: Sender,
    mail: InboundMessage,
    events: list[Event],
    state: State,
    powers: list[str],
    before: Seat | None,
    fresh: bool,
    until: datetime | None = None,
) -> None:
    """Tell the new player all they need to play, and `until` when if it is not for good, and the
    others the news, and the player `before` them, if that one has lost the power."""
    news, me = takeover(state, powers, fresh=fresh), sender.registered.id
    facts = news | {"pictures": [picture(state, power) for power in powers], "until": until}
    state.tell(EventKind.TAKEN, facts, to=Recipient(me), mail_id=mail.id)
    if before and before.state == SeatState.REPLACED and before.person_id not in (None, me):
        about = news | {"game": state.game.name, "phase": state.game.phase}
        events.append(
            Event(kind=EventKind.REPLACED, to=reader(before), facts=about, mail_id=mail.id)
        )
    if not state.settings.quiet:
        state.tell(EventKind.TAKEOVER, news, but=(me,), mail_id=mail.id)


def takeover(state: State, powers: Sequence[str | None], **how: bool) -> dict[str, object]:
    """Return as facts who plays which powers now, and `how`: with a `fresh` deadline, or a
    `computer`."""
    usual = {"fresh": False, "computer": False}
    return {"taken": powers, "vacant": state.powers.vacant(), **usual, **how}


def come_back(context: MessageContext, state: State) -> None:
    """Let a player who fell silent and has written for their power play it again, and tell them
    once what of theirs is open still. The results of the phase say so to the others: until then
    nobody has to do anything about it.

    In one phase that works only once without orders: otherwise nobody could rely on hearing that a
    power is open.
    """
    cursor, now = context.cursor, context.now
    running = state.game.state in (GameState.ACTIVE, GameState.PAUSED)
    if cursor.sender.person is None or not running:
        return
    back = [
        seat
        for seat in state.seats.of(cursor.sender.person.id)
        if seat.state == SeatState.ABANDONED
        and seat.power is not None
        and state.powers.alive(seat.power)
        if state.powers.condition(seat.power) != Condition.DUMMY
        if lateness.back_at(state, seat) is None or seat.power not in state.sheets.unfinished()
    ]
    if not back or level(cursor, state) < context.profile.trust:
        return
    waits = [
        bool(each.answer.facts["wait"])
        for each in context.report.results
        if each.answer.code == "wait" and each.answer.facts["game"] == state.game.name
    ]
    for seat in back:
        voted = lateness.occupy(state, seat, now)
        if waits:
            # What they have just said of it counts.
            seat.wait = waits[-1]
            state.seats.keep(seat)
        if seat.power and voted:
            state.lapsed[seat.power] = draw_line(state, voted)
        context.log("came back", {"power": seat.power})
    state.note(back=(*state.game.options.back, *(seat.power for seat in back if seat.power)))
    ask_again(cursor.sender, cursor.mail, state)
    tickets = context.storage.tickets.claimed(context.incoming.sender, context.now - OPEN_FOR)
    _offer_again(context.report, tickets, state)


def _offer_again(report: Report, tickets: Iterable[Ticket], state: State) -> None:
    """Put to the writer, in this reply, what waits for a YES of theirs in this game, by the tickets
    that it waits for."""
    waiting = {
        each.text: each
        for ticket in tickets
        for each in from_claim(ticket.claim)
        if each.game_id == state.game.id and not each.done
        if each.phase in (None, state.game.phase)
    }
    new = {each.text for each in report.offers}
    for text, each in waiting.items():
        if text not in new:
            report.results.append(renew(report, each))
