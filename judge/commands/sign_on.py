"""SIGN ON and SIGN OFF: which game and seat the next lines are for."""

from __future__ import annotations

from judge.commands.admission import take_over
from judge.commands.joining import join, observe
from judge.commands.named import words_with_seat
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, no_part
from judge.intake.authentication import give, note
from judge.intake.authorization import run_as_keeper
from judge.intake.command import Call, commands
from judge.intake.context import MessageContext
from judge.language.names import Names
from judge.language.problems import ReadError
from judge.sentences import Wording
from judge.storage import GameState, Role, Seat

# SIGN ON: the game and the part that the lines which follow are for


def _sign_on_as(context: MessageContext, call: Call) -> Answer:
    words = words_with_seat(context, call.arguments)
    text = words[0].rstrip(".,;") if words else ""
    password = words[1] if len(words) > 1 else None
    if password is not None:
        note(context, password)
    try:
        if text.startswith("?"):
            return join(context, call.arguments)
        answer = _sign_on(context, text)
        if password is not None:
            give(context, context.cursor.seats, password)
        return answer
    except Refused:
        context.leave(f"SIGN ON {text}".rstrip())
        raise


def _sign_on(context: MessageContext, text: str) -> Answer:
    part, _, name = text.rpartition("@")
    if not part and context.storage.games.by_name(text[1:]) is not None:
        part, name = text[0], text[1:]
    if _ROLES.get(part.lower()) == Role.OBSERVER and not _has(context, name, Role.OBSERVER):
        return observe(context, name)
    if context.sender.person is None:
        raise Refused("unknown_sender", write="JOIN")
    state = context.cursor.game_named(name) if name else context.cursor.here()
    return _enter(context, state, part or None)


def _has(context: MessageContext, name: str, role: Role) -> bool:
    state = context.cursor.game_named(name)
    mine = state.seats_of(context.sender.person.id) if context.sender.person else []
    return any(seat.role == role for seat in mine)


def _enter(context: MessageContext, state: State, part: str | None) -> Answer:
    mine = state.seats_of(context.sender.person.id) if context.sender.person else []
    runs = any(seat.role == Role.MASTER for seat in mine) and state.game.moderated
    if context.sender.keeper and _ROLES.get((part or "").lower()) == Role.MASTER and not runs:
        run_as_keeper(context, state)
        return Answer("keeps", {"game": state.game.name})
    if part is not None and (power := _free(state, mine, part)) is not None:
        return take_over(context, state, power)
    if not mine:
        raise no_part(state)
    seats = mine if part is None else _seats(state, mine, part)
    context.enter(state, seats)
    context.report.came.add(state.game.id)
    roles = [seat.power or seat.role for seat in seats]
    return Answer("signed_on", {"game": state.game.name, "roles": roles})


def _free(state: State, mine: list[Seat], part: str) -> str | None:
    """Return the power that `part` names, if nobody plays it and the writer has none."""
    try:
        power = Names.of(state.variant).power(part)
    except ReadError:
        return None
    if any(seat.role == Role.PLAYER for seat in mine):
        return None
    return power if power in state.open_powers() else None


_ROLES = {
    "m": Role.MASTER,
    "master": Role.MASTER,
    "o": Role.OBSERVER,
    "observer": Role.OBSERVER,
}


def _seats(state: State, mine: list[Seat], part: str) -> list[Seat]:
    role = _ROLES.get(part.lower())
    if role is not None:
        wanted: str = role
        seats = [seat for seat in mine if seat.role is role]
    else:
        try:
            wanted = Names.of(state.variant).power(part)
        except ReadError as error:
            problem = Wording(error.problem, state.variant)
            raise Refused("bad_power", problem=problem, game=state.game.name) from None
        seats = [seat for seat in mine if seat.power == wanted]
        if not seats and state.game.state == GameState.FORMING:
            seats = [seat for seat in mine if seat.role == Role.PLAYER]
    if not seats:
        yours = [seat.power or seat.role for seat in mine]
        raise Refused(
            "not_yours",
            write=f"SIGN ON {state.game.name}",
            wanted=wanted,
            game=state.game.name,
            yours=yours,
        )
    return seats


# SIGN OFF: nothing after it is read


def _sign_off(context: MessageContext, call: Call) -> Answer:
    return Answer("signed_off")


COMMANDS = commands(
    {
        "sign on": _sign_on_as,
        "sign off": _sign_off,
    }
)
