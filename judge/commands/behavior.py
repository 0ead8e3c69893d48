"""What a setting may do beyond what its row in the table says, and how a change of one is noted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.i18n import Message, Translations, in_english, say
from judge.intake.command import Call
from judge.intake.context import Change, MessageContext
from judge.storage import GameState


class Request(Struct, frozen=True):
    """What somebody wants to set: in which game, and what is written behind and below the words."""

    state: State
    context: MessageContext
    arguments: str
    block: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The arguments without marks around them."""
        return self.arguments.strip(" .!=")


class BadSetting(ValueError):
    """A value that cannot be set, and why: a text of ours with its facts. `write` is a line that
    can be written instead, if one is known."""

    def __init__(self, problem: str, *, write: str | None = None, **facts: object) -> None:
        super().__init__(say(problem, **facts))
        self.write = write


class Behavior(Struct, frozen=True, kw_only=True):
    """How a setting differs from a plain field with choices.

    `read` makes a value of what was written, and raises ValueError saying what is wrong with it;
    `store` keeps the value where that is not one field of the settings. `show` words it as it is
    in a game, or `effective` gives the choice that is in effect there. `write` gives the arguments
    of the line that sets it, None where it is as in a new game. `usage` are arguments behind the
    words of choices. `run` is the whole command where it is none of this.
    """

    read: Callable[[Request], Any] | None = None
    store: Callable[[Request, Any], None] | None = None
    show: Callable[[State], str] | None = None
    effective: Callable[[State], Any] | None = None
    write: Callable[[State], str | None] | None = None
    usage: Mapping[Any, str] = field(default_factory=dict)
    run: Callable[[MessageContext, Call], Answer] | None = None


def changeable(context: MessageContext) -> State:
    """Return the game of these lines, whose settings can be changed. Raise Refused if it is
    over."""
    state = context.cursor.here()
    if state.game.state == GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    return state


def note(
    context: MessageContext, name: Message, old: Translations | str, new: Translations | str
) -> Change:
    """Log a changed setting, and tell the others when the whole message is done."""
    change = Change(name, old, new)
    if new != old:
        context.report.changes.setdefault(context.cursor.here().game.id, []).append(change)
        said = {"setting": name, "old": old, "new": new}
        context.log("set", {key: in_english(text) for key, text in said.items()})
    return change
