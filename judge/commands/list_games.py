"""LIST: the games there are."""

from __future__ import annotations

from judge.commands.settings import differences
from judge.game.people.game_listing import game_listing
from judge.game.phases.game_facts import game_facts
from judge.game.state import State
from judge.game.state.answers import Answer
from judge.game.state.settings import Settings
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.render import templates
from judge.storage import GOING_ON, GameState


def run(context: MessageContext, call: Call) -> Answer:
    name = call.arguments.strip(" .?!").lower()
    every = name == "all" and context.sender.keeper
    full = name == "full"
    if name in ("full", "all", "games"):
        name = ""
    if name:
        return Answer("list_one", _entry(context, context.cursor.game_named(name)))
    mine = {game.id for game in context.cursor.games()}
    entries = []
    for game in context.storage.games.all(() if every else GOING_ON):
        if every or Settings.from_json(game.settings).listed or game.id in mine:
            state = context.cursor.states.get(game.id) or State(context.storage, game)
            entries.append(_entry(context, state) | {"is_mine": game.id in mine})
    # Those that need people first.
    entries.sort(key=lambda entry: not (entry["state"] == GameState.FORMING or entry["open"]))
    return _full(entries) if full and entries else Answer("list", {"entries": entries})


def _entry(context: MessageContext, state: State) -> dict[str, object]:
    reader = context.sender.person.id if context.sender.person else None
    return game_facts(state, context.now, reader) | {
        "zone": context.zone,
        "pace": state.settings.move,
        "roster": game_listing(state, reader),
        "open": state.open_powers(),
        "listed": state.settings.listed,
        "special": differences(state),
        "missing": bool(state.game.state == GameState.ACTIVE and state.missing()),
        "waiting": state.waiting(),
    }


def _full(entries: list[dict[str, object]]) -> Answer:
    """All about every game."""
    texts = [templates.answer("list_one", entry) for entry in entries]
    return Answer("list_full", {"texts": texts})


COMMAND = Command(
    words=("list",),
    who="anybody",
    summary="the games of this judge, those that need players first",
    help=(
        "LIST shows all public games and your own; LIST with a name tells all about one. The "
        "keeper is shown private and ended ones, too, by LIST ALL."
    ),
    usage="[game, or FULL]",
    example="LIST paris",
    default="the public games and your own",
    run=run,
    asks=True,
    group="information",
)
