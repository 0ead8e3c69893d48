"""SIGN ON: the game and the part that the lines which follow are for."""

from __future__ import annotations

from judge.commands.join import join
from judge.commands.observe import observe
from judge.game.command import Answer, Call, Command, Refused, no_part
from judge.game.intake import parts
from judge.game.intake.passwords import give, note
from judge.game.keepers import keeper
from judge.game.people.takeover import take_over
from judge.game.state import State
from judge.game.visit import Visit
from judge.language.names import NameProblem, Names
from judge.storage import Seat


def run(visit: Visit, call: Call) -> Answer:
    words = parts.words(visit, call.arguments)
    text = words[0].rstrip(".,;") if words else ""
    password = words[1] if len(words) > 1 else None
    if password is not None:
        note(visit, password)
    try:
        if text.startswith("?"):
            return join(visit, call.arguments)
        answer = _sign_on(visit, text)
        if password is not None:
            give(visit, visit.seats, password)
        return answer
    except Refused:
        visit.leave(f"SIGN ON {text}".rstrip())
        raise


def _sign_on(visit: Visit, text: str) -> Answer:
    part, _, name = text.rpartition("@")
    if not part and visit.storage.games.by_name(text[1:]) is not None:
        part, name = text[0], text[1:]
    if _ROLES.get(part.lower()) == "observer" and not _has(visit, name, "observer"):
        return observe(visit, name)
    if visit.person is None:
        raise Refused("unknown_sender", write="JOIN")
    state = visit.game_named(name) if name else visit.here()
    return _enter(visit, state, part or None)


def _has(visit: Visit, name: str, role: str) -> bool:
    state = visit.game_named(name)
    mine = state.seats_of(visit.person.id) if visit.person else []
    return any(seat.role == role for seat in mine)


def _enter(visit: Visit, state: State, part: str | None) -> Answer:
    mine = state.seats_of(visit.person.id) if visit.person else []
    runs = any(seat.role == "master" for seat in mine) and state.game.moderated
    if visit.keeper and _ROLES.get((part or "").lower()) == "master" and not runs:
        keeper.runs(visit, state)
        return Answer("keeps", {"game": state.game.name})
    if part is not None and (power := _free(state, mine, part)) is not None:
        return take_over(visit, state, power)
    if not mine:
        raise no_part(state)
    seats = mine if part is None else _seats(state, mine, part)
    visit.enter(state, seats)
    visit.came.add(state.game.id)
    roles = [seat.power or seat.role for seat in seats]
    return Answer("signed_on", {"game": state.game.name, "roles": roles})


def _free(state: State, mine: list[Seat], part: str) -> str | None:
    """The power that `part` names, if nobody plays it and the writer has none himself."""
    try:
        power = Names.of(state.variant).power(part)
    except NameProblem:
        return None
    if any(seat.role == "player" for seat in mine):
        return None
    return power if power in state.open_powers() else None


_ROLES = {"m": "master", "master": "master", "o": "observer", "observer": "observer"}


def _seats(state: State, mine: list[Seat], part: str) -> list[Seat]:
    role = _ROLES.get(part.lower())
    if role is not None:
        seats = [seat for seat in mine if seat.role == role]
        wanted = role
    else:
        try:
            wanted = Names.of(state.variant).power(part)
        except NameProblem as problem:
            raise Refused("bad_power", problem=str(problem), game=state.game.name) from None
        seats = [seat for seat in mine if seat.power == wanted]
        if not seats and state.game.state == "forming":
            seats = [seat for seat in mine if seat.role == "player"]
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


COMMAND = Command(
    words=("sign on", "log in"),
    who="anybody",
    summary="say which game and part the next lines are for",
    help=(
        "Needed only by people in several games: an answer to a letter of a game goes to that "
        "game. The part is a power's letter before the game's name (fparis) or its name "
        "(france@paris), m for the master, o for an observer; ?paris joins. "
        "A password follows where one was set (SET PASSWORD)."
    ),
    usage="[part and game] [password]",
    example="SIGN ON fparis",
    harmless=True,
    run=run,
)
