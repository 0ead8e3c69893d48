"""The commands that the table of settings makes: one for each choice, or for the value.

They are options of CREATE as well, and lines of `judge game set` and `judge game export`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from datetime import datetime
from functools import partial
from typing import Any

from judge.commands import pace, setting_values
from judge.commands.setting_values import BadSetting, Behavior, SettingRequest
from judge.events import EventKind
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.settings import STORED, TABLE, Setting, Settings
from judge.game.visibility.eyes import ANYBODY, Eyes
from judge.i18n import Message, Translations, gettext, say
from judge.intake.command import Command, CommandTable, Run, described, example
from judge.intake.context import Cursor, MessageContext, Report, Sender
from judge.intake.lines import Line
from judge.intake.outward import ours, whole
from judge.sentences import error_wording
from judge.storage import Game, GameState, InboundMessage, Outward, Person, Storage

NONE = ("none", "no", "never", "off", "-", "-1")
"""Words that take a value back."""


_PLAIN = Behavior()


def _behavior(name: str) -> Behavior:
    return pace.BEHAVIOR.get(name) or setting_values.BEHAVIOR.get(name, _PLAIN)


def stored(name: str, state: State) -> Any:
    """Return the value of a setting as the game keeps it."""
    return getattr(state.settings if name in STORED else state.game, name)


def show(name: str, state: State) -> str:
    """Word a setting as it is in effect in a game, for the reader."""
    setting, behavior = TABLE[name], _behavior(name)
    if behavior.show is not None:
        return behavior.show(state)
    value = behavior.effective(state) if behavior.effective else stored(name, state)
    if (choice := setting.choices.get(value)) is not None:
        return gettext(choice.shown)
    return gettext(setting.none) if value in (None, "") else str(value)


def line(name: str, state: State) -> str | None:
    """Return the line that sets what a game has; None where it is as in a new game."""
    setting, behavior = TABLE[name], _behavior(name)
    value = stored(name, state)
    if setting.choices:
        changed = name in STORED and value != setting.default
        return f"SET {setting.choices[value].words[0]}".upper() if changed else None
    words = f"SET {setting.words[0].upper()}"
    if behavior.write is not None:
        text = behavior.write(state)
        return f"{words} {text}" if text else None
    if value in (None, "", setting.default):
        return None
    return f"{words}\n{value}\nEND" if setting.ends else f"{words} {value}"


def export(state: State) -> list[str]:
    """Return lines that give a new game the settings of this one, the board first."""
    return [found for name in TABLE if (found := line(name, state)) is not None]


def differences(state: State) -> list[tuple[str, str]]:
    """Return what is special about a game besides what its entry shows in any case, as the names
    of settings and how they are."""
    fresh = copy(state)
    fresh.settings = Settings(zone=state.settings.zone, listed=state.settings.listed)
    return [
        (gettext(setting.called), show(name, state))
        for name, setting in TABLE.items()
        if not setting.in_entry and show(name, state) != show(name, fresh)
    ]


def _run(
    name: str, example: str | None, change: Callable[[SettingRequest], None], locked: bool
) -> Run:
    """Return what a command for a setting does: change it, and say what it was and is. `example` is
    what can be written instead; None for a command without a value."""
    called = Message(TABLE[name].called)

    def run(context: MessageContext, call: Line) -> Answer:
        state = setting_values.changeable(context.cursor)
        if locked and state.game.state != GameState.FORMING:
            raise Refused("locked", name=called, value=show(name, state))
        # The others read of it, each in their own language.
        old = Translations.of(lambda: show(name, state))
        try:
            change(
                SettingRequest(
                    state,
                    context.cursor,
                    context.now,
                    call.arguments,
                    call.block,
                    partial(whole, context),
                )
            )
        except ValueError as error:
            write = error.write if isinstance(error, BadSetting) else None
            problem = error_wording(error)
            if write is None and TABLE[name].words and not call.arguments.strip(" ."):
                problem = say("{field} takes a value", field=f"SET {TABLE[name].words[0]}".upper())
            raise Refused("bad_setting", write=write or example, problem=problem) from None
        new = Translations.of(lambda: show(name, state))
        setting_values.note(context.cursor, context.report, context.log, called, old, new)
        return Answer("setting", {"name": called, "old": old, "new": new})

    return run


def why_not(text: str, table: CommandTable, storage: Storage, now: datetime) -> str | None:
    """Return why a new game on the standard board cannot have a setting, written as behind CREATE;
    None if it can."""
    game = Game(name="new", variant="standard", rulebook="2023", created_at=now)
    state, found = State(storage, game), table.find(f"SET {text}")
    if found is None or not (name := found[0].setting):
        return "it is no setting of games"
    if not found[0].fits(found[1], state.variant):
        return f"it is written like {found[0].example}"
    setting, read = TABLE.get(name), _behavior(name).read
    if setting is None or setting.choices or read is None or found[1].lower() in NONE:
        return None
    anyone = Sender(Person(name=ours(""), created_at=now))
    mail = InboundMessage(
        door="", received_at=now, message_id="", digest="", envelope_from=None, envelope_to=[],
        raw=b"",
    )  # fmt: skip
    try:
        read(SettingRequest(state, Cursor(storage, anyone, mail, []), now, found[1]))
    except ValueError as error:
        return str(error_wording(error))
    return None


def _store(name: str, value: Any, request: SettingRequest) -> None:
    """Keep the value of a setting."""
    behavior = _behavior(name)
    if behavior.store is not None:
        behavior.store(request, value)
    else:
        request.state.set(**{name: value})


def _choices(name: str, setting: Setting) -> Iterator[Command]:
    """Yield one command for each value that has words of its own."""
    for value, choice in setting.choices.items():
        example = f"SET {choice.words[0]}".upper()
        locked = setting.before_start or value in setting.locked
        takes = _behavior(name).takes.get(value, ("", ()))
        yield Command(
            words=tuple(f"set {words}" for words in choice.words),
            who="masters",
            summary=choice.effect,
            is_default=value == setting.default,
            help=setting.help,
            example=example,
            run=_run(name, None, partial(_store, name, value), locked),
            usage=takes[0],
            arguments=takes[1],
            setting=name,
            group="settings",
        )


def _read_text(longest: int | None, request: SettingRequest) -> Outward:
    """Return the lines below, or the line itself. Raise ValueError if it is too long."""
    text = "\n".join(request.block).strip("\n") or " ".join(request.arguments.split())
    if longest is not None and len(text) > longest:
        raise BadSetting(
            "this has {count} characters, and the limit is {most}; longer house rules go "
            "between SET COMMENT BEGIN and END",
            most=longest,
            count=len(text),
        )
    return request.whole(text)


def _value(name: str, setting: Setting) -> Command:
    """Return the command that takes a value."""
    behavior = _behavior(name)

    def change(request: SettingRequest) -> None:
        text = request.text
        none = bool(setting.none) and text.lower() in NONE
        missing = type(setting.default)() if setting.default is not None else None
        read = behavior.read or partial(_read_text, setting.longest)
        _store(name, missing if none else read(request), request)

    return Command(
        words=tuple(f"set {words}" for words in setting.words),
        who="masters",
        summary=setting.effect,
        help=setting.help,
        example=setting.example,
        run=behavior.run or _run(name, setting.example, change, setting.before_start),
        usage=setting.usage,
        arguments=setting.arguments,
        own=behavior.own,
        ends=setting.ends,
        takes_none=bool(setting.none),
        setting=name,
        group="settings",
    )


def _commands() -> Iterator[Command]:
    for name, setting in TABLE.items():
        if setting.choices:
            yield from _choices(name, setting)
        else:
            yield _value(name, setting)
        if name == "variant":
            words = "set not variant"
            change = setting_values.take_back_options
            run = _run(name, example(words), change, locked=True)
            yield described(words, run, own=setting_values.is_board)


COMMANDS = tuple(_commands())


def tell_changes(cursor: Cursor, report: Report) -> None:
    """Tell everybody else in each game which settings a message changed, once however many."""
    me = cursor.sender
    for game_id, changes in report.changes.items():
        state = cursor.states[game_id]
        facts = {"changes": changes, "who": Eyes(state, ANYBODY).changer(me.person)}
        state.tell(EventKind.SETTINGS, facts, but=(me.person_id,), mail_id=cursor.mail.id)
