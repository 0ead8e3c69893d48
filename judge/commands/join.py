"""JOIN: take part in a game that is forming."""

from __future__ import annotations

from judge.commands.admission import admit, newcomer, take_over, tell_if_full
from judge.commands.named import power_named, words_with_seat
from judge.events import EventKind
from judge.game.fairness import assignment
from judge.game.people.entry import check
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import TrustLevel
from judge.game.state.settings import Settings
from judge.game.visibility import identity
from judge.intake.authentication import lock, note, prove
from judge.intake.authorization import ensure_registered
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import GameState, Role, Seat, SeatState

_POLITE = {"please", "please.", "thanks", "thanks.", "thanks!", "thx", "now", "game"}


def run(context: MessageContext, call: Call) -> Answer:
    return join(context, call.arguments)


def join(context: MessageContext, text: str) -> Answer:
    """Join the game named, as `paris` or `france@paris`; the next public one where none is.

    A word behind it is the password that the player's part is to have. Raises Refused.
    """
    words = words_with_seat(context, text.replace("?", " "))
    password = words[1] if len(words) == 2 and words[1].lower() not in _POLITE else None
    if password is not None:
        note(context, password)
    power, _, name = words[0].rpartition("@") if words else ("", "", "")
    state = context.cursor.game_named(name) if name else _next(context)
    game = state.game
    seats = state.seats_of(context.sender.person.id) if context.sender.person else []
    if any(seat.role == Role.PLAYER for seat in seats):
        # Whoever sends his mail again means what stands below it, too.
        context.enter(state)
        return Answer("already_in", {"game": game.name})
    if game.state == GameState.ENDED:
        raise Refused("game_over", game=game.name)
    if found := state.open_powers():
        if power:
            return take_over(context, state, power_named(state, power, f"JOIN {game.name}"))
        write = f"TAKE OVER {found[0].lower()}@{game.name}"
        raise Refused("not_open", write=write, game=game.name, power=None, open=found)
    free = state.places - len(state.active(Role.PLAYER))
    if game.state != GameState.FORMING or not free:
        raise Refused("game_full", write=f"OBSERVE {game.name}", game=game.name, state=game.state)
    preferences = ""
    if power:
        wanted = power_named(state, power, f"JOIN {game.name}")
        preferences = next(key for key, value in state.variant.letters.items() if value == wanted)
    runs = game.moderated and any(seat.role == Role.MASTER for seat in seats)
    if runs:
        # It takes his powers away, which nobody may do in his name.
        prove(context, state, TrustLevel.TOKEN)
    prove(context, None)
    admit(context, state)
    if context.sender.person is not None:
        check(state, context.sender.person)
    person = ensure_registered(context)
    for seat in seats:
        if seat.role == Role.OBSERVER:
            seat.state = SeatState.LEFT
            state.seat(seat)
    seat = Seat(
        game_id=game.id,
        person_id=person.id,
        role=Role.PLAYER,
        preferences=preferences,
        joined_at=context.now,
    )
    if password is not None:
        lock(context, [seat], password)
    state.seat(seat)
    if password is not None:
        context.sender.signed.add(seat.id)
    if runs:
        # Who plays must not see or decide more than the others.
        game.moderated = False
    context.enter(state)
    context.log("joined", {"person": person.id})
    free -= 1
    asked = newcomer(context, state, seat)
    secret = identity.counted(state, person.id) is None
    if not asked and (game.moderated or not secret):
        context.tell(
            EventKind.JOINED,
            {"who": identity.called(state, person), "free": free, "unmoderated": runs},
            masters=game.moderated,
        )
    tell_if_full(context, state)
    return Answer(
        "joined",
        {
            "game": game.name,
            "title": state.variant.title,
            "free": None if secret else free,
            "number": identity.number_of(state, person.id),
            "manual": state.settings.manual_start,
            "moderated": game.moderated,
            "approval": asked,
            "unmoderated": runs,
            "preferences": preferences,
            "password": password is not None,
            "letters": state.variant.letters,
            "settings": state.settings,
            "places": state.places,
            "seal": assignment.sealed(state),
        },
    )


def _next(context: MessageContext) -> State:
    """The public game that has been looking for players longest."""
    for game in context.storage.games.all((GameState.FORMING,)):
        if not Settings.from_json(game.settings).listed:
            continue
        state = context.cursor.states.get(game.id) or State(context.storage, game)
        taken = {seat.person_id for seat in state.active(Role.PLAYER)}
        mine = context.sender.person is not None and context.sender.person.id in taken
        if len(taken) < state.places and not mine:
            return context.cursor.load(game)
    raise Refused("nothing_to_join", write="CREATE ?paris")


COMMAND = Command(
    words=("join",),
    who="anybody",
    summary="take part in a game that is forming",
    help=(
        "JOIN with a game's name, or alone for the public game that waits longest. When all "
        "powers are taken the game starts, and the powers are dealt by everybody's preferences "
        "(see SET PREFERENCE). JOIN france@paris wishes for France. Nobody needs a password "
        "(see SET PASSWORD)."
    ),
    usage="[game]",
    example="JOIN paris",
    run=run,
)
