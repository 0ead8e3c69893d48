"""New games: under a name that somebody chose, or the next of a kind."""

from __future__ import annotations

from itertools import count

from judge import variants
from judge.game.state import State
from judge.game.state.settings import Settings
from judge.intake.context import MessageContext
from judge.rules.rulebook import Rulebook
from judge.storage import Game, NameTaken


def new_game(
    context: MessageContext, name: str, board: str, settings: Settings, *, moderated: bool = False
) -> State:
    """Return a new game without anybody in it, its seed sealed. Raises NameTaken."""
    game = Game(
        name=name,
        variant=board,
        rulebook=Rulebook.edition(variants.load(board).rulebook).name,
        moderated=moderated,
        settings=settings.to_json(),
        thread=context.profile.new_message_id(),
        created_at=context.now,
    )
    state = context.cursor.load(context.storage.games.add(game).id)
    state.note(seed=context.seed(), spread=state.game.id % (context.profile.spread + 1))
    return state


def numbered_game(context: MessageContext, kind: str, board: str, settings: Settings) -> State:
    """Return a new game under the next free name of a kind, such as `practice7`."""
    # People may give their games names that begin so, too.
    names = context.storage.games.last_named(kind, 100)
    numbers = (name.removeprefix(kind) for name in names)
    for number in count(int(next(filter(str.isdigit, numbers), 0)) + 1):
        try:
            return new_game(context, f"{kind}{number}", board, settings)
        except NameTaken:
            continue
    raise AssertionError("there is always another number")
