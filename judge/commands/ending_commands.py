"""How a game ends for its players: votes, statements, RESIGN, and TERMINATE."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from judge import storage
from judge.commands import proposals
from judge.commands.admission import approve, end_part
from judge.commands.names_meant import must_name, power_named, powers_named
from judge.events import EventKind
from judge.game.endings import answer_sharing, leader, sharing_facts, unseated, vote_facts
from judge.game.people.entry import turned_away, waiting_seats
from judge.game.people.lateness import joined_after, vacate
from judge.game.people.reliability import log_reliability
from judge.game.phases import finish
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.visibility.eyes import ANYBODY, Eyes
from judge.intake.authentication import prove
from judge.intake.context import Cursor, Log, MessageContext, Report, Sender
from judge.intake.decisions import Decision
from judge.intake.lines import Line
from judge.intake.outward import whole
from judge.limits import BOUNDS

# SET DRAW, SET CONCEDE and what takes them back: votes on how the game ends


def vote(
    cursor: Cursor, sender: Sender, state: State, call: Line, topic: str, undo: bool = False
) -> Answer:
    seats = [seat for seat in cursor.playing() if seat.power in state.powers.survivors()]
    if not seats:
        raise Refused("no_vote", game=state.game.name, counts=state.powers.draw_needs)
    wish_of, words = {"draw": _draw, "concede": _concede}[topic], call.arguments.strip(" .!")
    wishes = [None if undo else wish_of(state, seat.power or "", words) for seat in seats]
    if topic == "concede":
        to = next((wish for wish in wishes if isinstance(wish, str)), None)
        if to is not None:
            sender.confirm("conceding", game=state.game.name, power=to)
        else:
            prove(cursor, state)
    field = "share" if topic == "draw" else topic
    for seat, wish in zip(seats, wishes, strict=True):
        ballot = replace(cursor.eyes(state).vote(seat) or storage.Vote(), **{field: wish})
        seat.draw = None if ballot == storage.Vote() else ballot
        state.seats.keep(seat)
    facts = {
        "cast": [vote_facts(state, seat) for seat in seats],
        "phase": state.game.phase,
        "dias": state.settings.dias,
        "left_out": _left_out(state) if topic == "draw" and any(wishes) else [],
        "concedes": undo and topic == "concede",
    }
    return Answer("vote", facts)


def who_voted(cursor: Cursor, state: State) -> Answer:
    """Say who learns of votes, and the sender's own."""
    mine = [vote_facts(state, seat) for seat in cursor.playing()]
    return Answer("who_voted", {"cast": mine, "needs": state.powers.draw_needs})


def _left_out(state: State) -> list[str]:
    """Return the powers that a draw leaves out as nobody plays them, where that is no secret."""
    if state.settings.blind or state.settings.quiet:
        return []
    return list(unseated(state))


def _draw(state: State, power: str, words: str) -> frozenset[str] | str:
    """Return who shall share, in the ballot of a power. Raises Refused."""
    if words.lower() in ("", "all", "everybody"):
        return "all"
    listed = frozenset(powers_named(state, words, "SET DRAW"))
    survivors = frozenset(state.powers.survivors())
    if state.settings.dias and listed >= survivors:
        return "all"
    if state.settings.dias:
        raise Refused("draw_of_some", write="SET DRAW", game=state.game.name)
    dead = [] if state.settings.blind else sorted(listed - survivors)
    if dead:
        left = "".join(
            key for key, name in state.variant.letters.items() if name in listed & survivors
        )
        write = f"SET DRAW {left}".rstrip()
        raise Refused("draw_of_dead", write=write, powers=dead, counts=state.powers.draw_needs)
    return listed


def _concede(state: State, power: str, words: str) -> str:
    """To whom a power concedes, in its ballot. Raises Refused."""
    game = state.game.name
    if not state.settings.concessions:
        raise Refused("no_concessions", game=game)
    to = power_named(state, words, "SET CONCEDE R")
    if to in state.powers.hand(power):
        raise Refused("concede_oneself", write="SET NO CONCEDE", power=power)
    if not state.settings.blind:
        first = leader(state)
        if to not in first:
            write = None if not first or power in first else f"SET CONCEDE {first[0]}"
            # Which powers have one player is told to nobody where nobody learns who plays.
            told = first[:1] if state.terms.hides_people else first
            raise Refused("not_ahead", write=write, power=to, leader=", ".join(told) or None)
    return to


# What a YES or NO to a message does, by the kind of message that asks


def _share(sender: Sender, state: State, claim: str, yes: bool) -> Answer:
    """Take the answer of a player who can share the win."""
    try:
        taken = answer_sharing(state, claim, sender.registered.id, yes)
    except LookupError:
        raise Refused("no_say") from None
    if not taken:
        raise Refused("sharing_over", game=state.game.name)
    return Answer("shared_vote", {"yes": yes} | (sharing_facts(state, sender.registered.id) or {}))


def _admit(cursor: Cursor, now: datetime, log: Log, state: State, claim: str, yes: bool) -> Answer:
    """Take a game master's word on a newcomer."""
    seat = next((seat for seat in waiting_seats(state) if str(seat.id) == claim), None)
    if seat is None and yes:
        # The game master said no, and has second thoughts.
        asked = next((each for each in state.seats if str(each.id) == claim), None)
        if asked is not None and asked.person_id is not None:
            seat = turned_away(state, asked.person_id)
    if seat is None:
        raise Refused("decided")
    who = cursor.eyes(state).name_of(seat)
    if yes:
        approve(cursor, log, state, seat)
    else:
        end_part(cursor, now, log, state, [seat])
    return Answer("admission", {"who": who, "yes": yes, "game": state.game.name})


def _be_there(cursor: Cursor, log: Log, state: State, claim: str, yes: bool) -> Answer:
    """Take the word of a player who was asked before the start; NO gives the place back."""
    if state.game.state != storage.GameState.FORMING:
        raise Refused("has_started", game=state.game.name)
    mine = [seat for seat in cursor.mine() if seat.role == storage.Role.PLAYER]
    if not mine:
        raise Refused("decided")
    if not yes:
        state.seats.leave(mine, storage.SeatState.RESIGNED)
        log("resigned", {"powers": []})
        cursor.tell(EventKind.RESIGNED, {"powers": [], "started": False})
    return Answer("here", {"game": state.game.name, "yes": yes})


DECISIONS = (
    Decision(EventKind.MUSTER, _be_there, masters=False),
    Decision(EventKind.APPROVAL, _admit),
    Decision(EventKind.SHARING, _share, masters=False),
    Decision(EventKind.PROPOSAL, proposals.act, masters=False),
)


# STATEMENT: what a player has to say when the game is over


def statement(context: MessageContext, state: State, call: Line) -> Answer:
    game = state.game
    text = "\n".join((call.arguments, *call.block)).strip()
    if game.state != storage.GameState.ENDED:
        raise Refused("statement_early", game=game.name)
    if len(text) > BOUNDS.statement:
        raise Refused("statement_long", most=BOUNDS.statement)
    seat = next(seat for seat in context.cursor.mine() if seat.role == storage.Role.PLAYER)
    said = storage.Statement(whole(context, text), context.now)
    kept = {**game.options.statements, str(seat.id): said}
    state.note(statements=kept)
    context.log("statement")
    mine = Eyes(state, ANYBODY).statements()
    powers = [seat.power for seat in context.cursor.mine() if seat.power]
    told = next(each for each in mine if each.power in powers)
    context.cursor.tell(EventKind.STATEMENT, {"said": told})
    return Answer("statement", {"game": game.name, "text": text})


# RESIGN: leave a game


def resign(
    cursor: Cursor, report: Report, now: datetime, log: Log, state: State, call: Line
) -> Answer:
    name = call.arguments.strip("?").rpartition("@")[2].lower()
    if name not in ("", state.game.name):
        raise Refused("no_such_game", write=f"RESIGN {state.game.name}", name=name)
    if state.game.state == storage.GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    seats = [seat for seat in cursor.seats if seat.role != storage.Role.MASTER]
    if not seats:
        return _hand_on(cursor, log, state)
    powers = [seat.power for seat in seats if seat.power]
    private = state.terms.private and any(seat.role == storage.Role.PLAYER for seat in seats)
    played = any(seat.role == storage.Role.PLAYER for seat in seats)
    # A first mail is processed once its sender has answered, maybe with what they joined by.
    newer = joined_after(seats, cursor.mail.received_at)
    if played and (newer or state.game.state != storage.GameState.FORMING):
        facts = {"powers": powers, "private": private}
        cursor.sender.confirm("resigning", game=state.game.name, **facts)
    elif not cursor.sender.confirmed:
        prove(cursor, state)
    report.came.discard(state.game.id)
    for seat in seats:
        seat.state = storage.SeatState.RESIGNED
        if (
            seat.role == storage.Role.PLAYER
            and state.game.state != storage.GameState.FORMING
            and seat.power is not None
        ):
            if state.powers.alive(seat.power):
                log_reliability(state, [(seat, storage.Reliability.RESIGNED)], now)
            vacate(state, seat.power, storage.Condition.ABANDONED, now)
        seat.wait, seat.draw = False, None
        state.seats.keep(seat)
    log("resigned", {"powers": powers})
    if played:
        cursor.tell(EventKind.RESIGNED, {"powers": powers, "started": state.phase is not None})
    cursor.enter(state)
    facts = {"powers": powers, "played": played, "private": private, "ran": False}
    return Answer("resigned", {"game": state.game.name, **facts})


def _hand_on(cursor: Cursor, log: Log, state: State) -> Answer:
    """Let a game master go who does not play. Raises Refused where nobody would run the game."""
    others = [seat for seat in state.seats.active(storage.Role.MASTER) if seat not in cursor.seats]
    if state.game.moderated and not others:
        raise Refused("masters_stay", write="PROMOTE ann@example.org", game=state.game.name)
    cursor.sender.confirm("handing_on", game=state.game.name)
    facts = {"who": cursor.sender.registered.name, "powers": [], "played": False, "ran": True}
    cursor.tell(EventKind.EJECTED, facts | {"own": False, "turned": False})
    state.seats.leave(cursor.seats, storage.SeatState.RESIGNED)
    log("resigned", {"powers": []})
    cursor.enter(state)
    return Answer("resigned", {"game": state.game.name, "private": False, **facts})


# TERMINATE: the master ends a game without a result


def terminate(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    game = state.game
    must_name(state, call.arguments, "TERMINATE")
    cursor.sender.confirm("terminating", game=game.name, started=state.phase is not None)
    log("terminated", {"phase": game.phase, "state": game.state})
    if state.phase is not None:
        finish(state, now, storage.StoredOutcome(storage.StoredEnding.TERMINATED, ()))
    else:
        game.state = storage.GameState.ENDED
        game.ended_at = now
        game.outcome = storage.StoredOutcome(storage.StoredEnding.TERMINATED, ())
        cursor.tell(EventKind.CALLED_OFF, {})
    return Answer("terminated", {"game": game.name})
