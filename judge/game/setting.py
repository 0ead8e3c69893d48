"""How a setting becomes a command: `SET ...`, and an option of CREATE."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.settings import Settings
from judge.i18n import Marked, Spoken, say
from judge.intake.command import Call, Command
from judge.intake.context import Change, MessageContext
from judge.sentences import error_wording
from judge.storage import GameState


@dataclass(frozen=True)
class Wanted:
    """What `change` may look at: the game, the context, and what stood behind the words."""

    state: State
    context: MessageContext
    arguments: str
    block: tuple[str, ...] = ()
    """The lines below it, for settings that take some."""


class BadSetting(ValueError):
    """What cannot be set, with the line that can: `write`."""

    def __init__(self, problem: str, write: str) -> None:
        super().__init__(problem)
        self.write = write


def changeable(context: MessageContext) -> State:
    """The game of these lines, whose settings can be changed. Raises Refused when it is over."""
    state = context.cursor.here()
    if state.game.state == GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    return state


def note(context: MessageContext, name: str, old: str, new: str) -> Change:
    """Log a setting that was changed, and tell the others when the mail is done."""
    change = Change(name, old, new)
    if new != old:
        context.report.changes.setdefault(context.cursor.here().game.id, []).append(change)
        context.log("set", {"setting": name, "old": old, "new": new})
    return change


def switch(
    *words: str,
    name: str,
    summary: str,
    help: str,
    show: Callable[[State], str],
    before_start: bool = False,
    also: Callable[[Wanted], None] | None = None,
    **changes: object,
) -> Command:
    """A setting that consists of its words, the first of which are its canonical ones: it makes
    these changes, and does what `also` does after them. The others are as in `setting`."""

    def change(wanted: Wanted) -> None:
        wanted.state.set(**changes)
        if also is not None:
            also(wanted)

    return setting(
        words=words,
        name=name,
        summary=summary,
        help=help,
        example=words[0].upper(),
        change=change,
        show=show,
        write=_written(changes),
        bare=True,
        before_start=before_start,
    )


def allowed(name: str) -> Callable[[State], str]:
    """How the setting called `name` in `Settings` is worded, which allows something or does not."""
    return lambda state: say("allowed") if getattr(state.settings, name) else say("not allowed")


def _written(changes: Mapping[str, object]) -> Callable[[State], str | None]:
    """What `Command.write` is for a setting that makes these changes."""
    fresh = Settings()

    def write(state: State) -> str | None:
        is_so = all(getattr(state.settings, name) == value for name, value in changes.items())
        is_new = any(getattr(fresh, name) != value for name, value in changes.items())
        return "" if is_so and is_new else None

    return write


def setting(
    *,
    words: tuple[str, ...],
    name: str,
    summary: str,
    help: str,
    example: str,
    change: Callable[[Wanted], None],
    show: Callable[[State], str],
    write: Callable[[State], str | None] | None = None,
    usage: str = "",
    bare: bool = False,
    ends: tuple[str, ...] = (),
    before_start: bool = False,
) -> Command:
    """A command that changes one setting.

    `change` changes the game; it raises ValueError with a sentence for what it cannot read,
    or BadSetting where the example would not do either.
    `show` words the setting as the game has it, for the reply and for the letter to the others:
    it is asked in every language (`judge.i18n.say`). `write` is as in `Command`.
    `name` is what letters call the setting. `before_start`: it is locked when the game has started.
    """

    called = Marked(name)

    def run(context: MessageContext, call: Call) -> Answer:
        state = changeable(context)
        if before_start and state.game.state != GameState.FORMING:
            raise Refused("locked", name=called, value=show(state))
        # The others read of it, each in his own language.
        old = Spoken(lambda: show(state))
        try:
            change(Wanted(state, context, call.arguments, call.block))
        except ValueError as error:
            write = error.write if isinstance(error, BadSetting) else example
            problem = error_wording(error)
            if usage and not call.arguments.strip(" .") and not isinstance(error, BadSetting):
                problem = say("{field} takes a value", field=words[0].upper())
            raise Refused("bad_setting", write=write, problem=problem) from None
        new = Spoken(lambda: show(state))
        note(context, called, old, new)
        return Answer("setting", {"name": called, "old": old, "new": new})

    return Command(
        words=words,
        who="masters",
        summary=summary,
        help=help,
        example=example,
        run=run,
        usage=usage,
        bare=bare,
        ends=ends,
        setting=True,
        called=called,
        show=show,
        write=write,
        group="settings",
    )
