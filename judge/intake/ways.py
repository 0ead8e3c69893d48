"""The ways into a game that are open today, each with the line that takes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count, islice
from math import inf

from judge.game.people.peace import kept_apart
from judge.game.state import State
from judge.i18n import say, say_n
from judge.intake.context import Cursor
from judge.storage import GameSearch, GameState, Storage

MOST_NAMED = 5
"""Games that are offered by name."""


def ways(cursor: Cursor) -> list[dict[str, str]]:
    """Return the lines that lead the sender, who plays in no game, into one, each with what it
    does."""
    waiting = cursor.storage.people.waiting_for_game()
    rows = {"JOIN PRACTICE": say("play now, against computers")}
    for state in islice(looking(cursor), MOST_NAMED):
        rows[f"JOIN {state.game.name}"] = say("join {title}", title=state.variant.title)
    if all(person.id != cursor.sender.person_id for person in waiting):
        rows["JOIN"] = say("be in the next public game")
        if number := len(waiting):
            waits = say_n("{count} person waits for it", "{count} people wait for it", number)
            rows["JOIN"] += f", {waits}"
    rows["LIST"] = say("see all public games")
    rows[f"CREATE ?{free_name(cursor.storage)}"] = say("start a game and invite your friends")
    rows["HELP guide"] = say("learn how a game works")
    return [{"line": line, "does": does, "tap": line} for line, does in rows.items()]


def looking(
    cursor: Cursor, variant: str | None = None, traits: Sequence[str] = ()
) -> Iterator[State]:
    """Yield the public games that look for players and have nobody whom the sender is kept apart
    from, oldest first, only those of a board and with such traits (`Game.traits`) where any are
    given."""
    wanted = GameSearch((GameState.FORMING,), variant=variant, traits=traits, needs=inf)
    me = cursor.sender.person
    note_games(cursor.storage, wanted)
    for game_id in cursor.storage.games.search(wanted):
        (state,) = look_at(cursor, cursor.storage, [game_id])
        if looks_for_players(state) and (me is None or not kept_apart(state, me)):
            yield state


def note_games(storage: Storage, wanted: GameSearch) -> None:
    """Note of the games among which somebody looks what a search looks for, if it is not."""
    games = storage.games
    for game in games.not_noted(wanted.states):
        State(storage, game).note_search()
        games.note_search(game)


def look_at(cursor: Cursor, storage: Storage, game_ids: Sequence[int]) -> list[State]:
    """Return games to be read, not changed: none is claimed."""
    found = {each.id: each for each in storage.games.all_of(game_ids)}
    known = cursor.states
    return [known.get(each) or State(storage, found[each]) for each in game_ids]


def looks_for_players(state: State) -> bool:
    """Return whether anybody may hear that this game is forming and has a free place."""
    forming = state.game.state == GameState.FORMING
    return state.settings.listed and forming and state.terms.free_places > 0


def free_name(storage: Storage) -> str:
    """Return a name that a new game can have."""
    names = chain(_NAMES, (f"{_NAMES[0]}{number}" for number in count(2)))
    return next(name for name in names if storage.games.by_name(name) is None)


_NAMES = ("paris", "rome", "vienna", "berlin", "london", "moscow", "istanbul", "warsaw", "tunis")
