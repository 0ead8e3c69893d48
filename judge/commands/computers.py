"""Computer players in games: JOIN PRACTICE and SET BOTS."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from judge import variants
from judge.bots.levels import LEVELS
from judge.commands.admission import takeover, tell_if_full
from judge.commands.names_meant import board_named, boards_near, numbered_game, with_boards
from judge.events import EventKind
from judge.game.bots import seat_bots
from judge.game.state import PRACTICE, State
from judge.game.state.answers import Answer, Refused
from judge.game.state.settings import PressRule, Settings
from judge.intake.authentication import prove
from judge.intake.authorization import check_welcome, ensure_registered
from judge.intake.context import Cursor, Log, MessageContext
from judge.intake.lines import Line
from judge.schedule.deadlines import Pace
from judge.storage import GameState, Person, Role, Storage

PACE = Pace(clock=None, next=7 * 24, min=0, delay=0, grace=7 * 24)
"""The pace of practice games: each phase runs as soon as its orders are there."""


def practice(context: MessageContext, call: Line) -> Answer:
    check_welcome(context.cursor, context.profile, context.incoming)
    board, level = _wanted(call.arguments)
    prove(context.cursor, None)
    person = ensure_registered(context)
    if state := next(_practicing(context.cursor, context.storage, person), None):
        context.cursor.enter(state)
        return Answer("already_in", {"game": state.game.name, "leave": True})
    settings = Settings(
        zone=context.sender.zone,
        press=PressRule.NONE,
        rated=False,
        move=PACE,
        retreat=PACE,
        adjust=PACE,
    )
    variant = variants.load(board)
    state = numbered_game(
        context.cursor, context.profile, context.now, context.seed, PRACTICE, board, settings
    )
    state.seats.keep(state.seats.new(person.id, Role.PLAYER, context.now))
    seat_bots(state, level, context.now, [None] * (state.terms.places - 1))
    context.cursor.enter(state)
    context.log("created", {"variant": board, "bots": level})
    facts = {"game": state.game.name, "title": variant.title, "level": level}
    return Answer("practice", facts)


def _wanted(text: str) -> tuple[str, str]:
    """Return the board and the level that the words behind a command name. Raises Refused."""
    board, level = "standard", LEVELS[0]
    words = [word for word in re.split(r"[\s,;.!]+", with_boards(text.lower())) if word]
    named = any(map(board_named, words))
    for word in words:
        if word in LEVELS:
            level = word
        elif name := board_named(word):
            board = name
        else:
            write = "JOIN PRACTICE standard, easy"
            near = [] if named else boards_near(word)
            raise Refused("bad_practice", write=write, word=word, near=near)
    return board, level


def _practicing(cursor: Cursor, storage: Storage, person: Person) -> Iterator[State]:
    """Yield the practice games in which a person plays."""
    going = (GameState.FORMING, GameState.ACTIVE, GameState.PAUSED)
    for game in storage.games.of_person(person.id, going):
        if game.name.startswith(PRACTICE):
            state = cursor.load(game.id)
            if state.terms.practice:
                yield state


def set_bots(cursor: Cursor, now: datetime, log: Log, state: State, call: Line) -> Answer:
    words = call.arguments.lower().replace(",", " ").split()
    number = words[0] if words else ""
    level = words[1] if len(words) > 1 else "normal"
    if not (number.isascii() and number.isdigit() and len(number) < 4) or level not in LEVELS:
        raise Refused("bad_bots", write="SET BOTS 3 normal", levels=list(LEVELS))
    if state.game.state == GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    change = _before_start if state.phase is None else _later
    powers = change(cursor, now, state, int(number), level)
    log("bots", {"number": int(number), "level": level})
    bots = sum(seat.options.bot is not None for seat in state.seats.active(Role.PLAYER))
    facts = {"game": state.game.name, "level": level, "powers": powers, "bots": bots}
    return Answer("bots", facts)


def _before_start(
    cursor: Cursor, now: datetime, state: State, number: int, level: str
) -> list[str | None]:
    """Let so many computers play in a game that is forming. Raises Refused where there are too
    few places."""
    seats = state.seats.active(Role.PLAYER)
    bots = [seat for seat in seats if seat.options.bot is not None]
    people = len(seats) - len(bots)
    most = state.terms.places - max(people, 1)
    if number > most:
        raise Refused("too_many_bots", write=f"SET BOTS {most}", game=state.game.name, most=most)
    state.seats.leave(bots)
    seat_bots(state, level, now, [None] * number)
    tell_if_full(cursor, state)
    return []


def _later(
    cursor: Cursor, now: datetime, state: State, number: int, level: str
) -> list[str | None]:
    """Let computers play powers that lack a player. Raises Refused where there are too few."""
    players = {
        power: seat for power, seat in state.seats.players().items() if seat.options.bot is None
    }
    free = [power for power in state.powers.open() if power not in players]
    if number > len(free):
        write = f"SET BOTS {len(free)}" if free else "STATUS"
        raise Refused("too_many_bots", write=write, game=state.game.name, most=len(free))
    powers = free[:number]
    seat_bots(state, level, now, powers)
    if powers:
        cursor.tell(EventKind.TAKEOVER, takeover(state, powers, computer=True))
    return [*powers]
