"""The ways into a game that are open today, each with the line that takes it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count, islice

from judge.game.state import State
from judge.i18n import say, say_n
from judge.intake.context import MessageContext
from judge.storage import GameState, Role, Storage

MOST_NAMED = 5
"""Games that are offered by name."""


def ways(context: MessageContext) -> list[dict[str, str]]:
    """Return the lines that lead the sender, who plays in no game, into one, each with what it
    does."""
    waiting = context.storage.people.waiting_for_game()
    rows = {"JOIN PRACTICE": say("play now, against computers")}
    for state in islice(looking(context), MOST_NAMED):
        rows[f"JOIN {state.game.name}"] = say("join {title}", title=state.variant.title)
    if all(person.id != context.person_id for person in waiting):
        rows["JOIN"] = say("be in the next public game")
        if number := len(waiting):
            waits = say_n("{count} person waits for it", "{count} people wait for it", number)
            rows["JOIN"] += f", {waits}"
    rows["LIST"] = say("see all public games")
    rows[f"CREATE ?{free_name(context.storage)}"] = say("start a game and invite your friends")
    rows["HELP guide"] = say("learn how a game works")
    return [{"line": line, "does": does, "tap": line} for line, does in rows.items()]


def looking(context: MessageContext) -> Iterator[State]:
    """Yield the public games that look for players, oldest first."""
    for game in context.storage.games.all((GameState.FORMING,)):
        state = context.cursor.states.get(game.id) or State(context.storage, game)
        if looks_for_players(state):
            yield state


def looks_for_players(state: State) -> bool:
    """Whether anybody may hear that this game is forming and has a free place."""
    free = state.places - len(state.active(Role.PLAYER))
    return state.settings.listed and state.game.state == GameState.FORMING and free > 0


def free_name(storage: Storage) -> str:
    """Return a name that a new game can have."""
    names = chain(_NAMES, (f"{_NAMES[0]}{number}" for number in count(2)))
    return next(name for name in names if storage.games.by_name(name) is None)


_NAMES = ("paris", "rome", "vienna", "berlin", "london", "moscow", "istanbul", "warsaw", "tunis")
