"""What commands and orders answer, as values that templates put into words.

`templates/answers/<code>.txt` says an `Answer` or a `Refused` with its facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field

from judge.i18n import Message, Translations
from judge.storage import GameState

if TYPE_CHECKING:
    from judge.game.state.game_state import State

Facts = Mapping[str, object]


class Answer(Struct, frozen=True):
    """What a command did. `code` names the template that says it with these facts."""

    code: str
    facts: Facts = field(default_factory=dict)


class Refused(Exception):
    """A command that changed nothing. `code` and `facts` as in `Answer`.

    `write` is a line that would be accepted instead, if one is known, or all such lines.
    """

    def __init__(
        self, code: str, write: str | tuple[str, ...] | None = None, **facts: object
    ) -> None:
        super().__init__(code)
        self.code = code
        self.offers = (write,) if isinstance(write, str) else write or ()
        self.write = self.offers[0] if self.offers else None
        self.facts: Facts = facts

    @property
    def answer(self) -> Answer:
        """What is said of it."""
        return Answer(self.code, self.facts)


class LikelyMeant(Refused):
    """A line that most likely means what `write` says, which a YES does."""


class Unconfirmed(Exception):
    """A command that cannot be undone, and to which its sender has not said YES yet.

    `code` and `facts` word the question as in `Answer`.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts: Facts = facts


def not_running(state: State) -> Refused:
    """Build the refusal for a game that is not in the state a command needs."""
    return Refused("not_running", game=state.game.name, state=state.game.state)


def no_part(state: State) -> Refused:
    """Build the refusal for people without a seat in a game, with how to get one."""
    name = state.game.name
    ways = {GameState.FORMING: f"JOIN {name}", GameState.ENDED: f"SUMMARY {name}"}
    return Refused("not_in_game", ways.get(state.game.state, f"OBSERVE {name}"), game=name)


class LineResult(Struct, frozen=True):
    """A line of the message and what became of it.

    `kind`: an order taken, a command carried out, a question that a YES answers, or a line that
    could not be used. `read` is the line as understood, in canonical form. Of the last kind
    `answer` says why, and `write` are lines that would be accepted. `asks` as in `Command`.
    """

    line: str
    kind: Literal["order", "command", "asked", "refused"]
    answer: Answer
    read: str | None = None
    write: tuple[str, ...] = ()
    asks: bool = False


class SettingChange(Struct, frozen=True):
    """A setting as it was and as it is now, for the message that tells the others."""

    name: Message
    old: Translations | str
    new: Translations | str
