"""HELP and GET, from the commands themselves and the help pages; and what is left out."""

from __future__ import annotations

from rapidfuzz import process

from judge import commands, render, variants
from judge.game.state import State
from judge.game.state.about import about, points
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import house_rules
from judge.game.state.settings import TABLE
from judge.i18n import Message
from judge.intake.command import Command, CommandTable, summary
from judge.intake.context import Cursor
from judge.intake.lines import Line
from judge.intake.ways import free_name
from judge.records.scoring import SYSTEMS
from judge.rules.board import name_key
from judge.rules.variant import Variant

# HELP and GET: what can be written, from the commands themselves, and the help pages

GROUPS = (
    "playing",
    "press",
    "games",
    "tournaments",
    "information",
    "settings",
    "masters",
    "keepers",
)
"""The order in which HELP lists the commands."""

LONG = ("settings", "masters", "tournaments")
"""The groups that HELP only names: the pages of these names list them."""

PACKAGE = (
    *("guide", "rules", "orders", "press", "deadlines"),
    *("endings", "reliability", "fairness", "settings"),
)
"""The pages of GET PACKAGE: all that a newcomer may want to know."""


RULES = ("conscription", "conversion", "bombs")
"""The pages on rule modules, by their names."""


_HELP = ("", "help", "me", "please")
_COMMANDS = ("commands", "all commands")
_HOUSE = ("house", "house rules")
_ALL = ("package", "all", "everything")
_TOPICS = (*_HELP, *_COMMANDS, *_HOUSE, *_ALL)


def help_command(cursor: Cursor, table: CommandTable, call: Line) -> Answer:
    topic = call.arguments.strip(" .?!").lower()
    if topic in _HELP:
        return Answer("help", {"name": free_name(cursor.storage)})
    rules = house_rules(cursor.storage)
    if topic in _COMMANDS:
        groups = [
            (group, [command for command in table if command.group == group])
            for group in GROUPS
            if group not in LONG
        ]
        topics = [*render.topics(), *(["house"] if rules else [])]
        return Answer("help_commands", {"groups": groups, "topics": topics})
    if topic in _HOUSE:
        return Answer("house_rules", {"rules": rules})
    if topic in _ALL:
        pages = "\n\n\n".join(_page(cursor, each) for each in PACKAGE)
        return Answer("page", {"text": pages, "commands": (), "command": None, "house": None})
    command = table.find_words(topic)
    if topic in render.topics():
        facts = {"command": command, "house": rules if topic == "rules" else None}
        return Answer("page", facts | _topic(cursor, table, topic))
    if command is None and (name := _board(cursor.state, topic)):
        state = cursor.state
        own = state is not None and state.game.variant == name
        variant = state.variant if state is not None and own else variants.load(name)
        text = render.page("board", {"board": about(variant)})
        return Answer("page", {"text": text, "commands": (), "command": None, "house": None})
    command = command or _command(table, topic)
    if command is not None:
        others = [each for each in table if each is not command and _is_of(command, each)]
        return Answer("help_command", {"command": command, "others": others})
    known = [*render.topics(), *(words for each in table for words in each.words)]
    near = [found for found, *_ in process.extract(topic, known, limit=3, score_cutoff=70)]
    raise Refused("no_topic", write="HELP", topics=render.topics(), near=near)


def _topic(cursor: Cursor, table: CommandTable, topic: str) -> dict[str, object]:
    """Return the text of a page, and the commands that stand below it."""
    listed = [each for each in table if topic in LONG and each.group == topic]
    return {
        "text": _page(cursor, topic),
        "commands": [each for each in listed if each.group != "settings"],
        "settings": _settings(table) if topic == "settings" else (),
        "others": (),
    }


def _command(table: CommandTable, topic: str) -> Command | None:
    """Return the command that a topic means, if not word for word; a setting needs no SET."""
    found = table.find(topic)
    return table.find_words(f"set {topic}") or (found[0] if found else None)


def _is_of(command: Command, other: Command) -> bool:
    """Return whether a command changes the same setting as another."""
    return other.setting == command.setting and other.group == command.group == "settings"


def _settings(table: CommandTable) -> list[dict[str, object]]:
    """Return what each setting is called, and the words for it."""
    found: dict[str, list[Command]] = {}
    for each in table:
        if each.group == "settings":
            alone = "" if each.setting in TABLE else each.words[0]
            found.setdefault(each.setting + alone, []).append(each)
    return [
        {
            "words": ", ".join(each.words[0].removeprefix("set ").upper() for each in alike),
            "called": Message(TABLE[name].called) if name in TABLE else alike[0].effect,
        }
        for name, alike in found.items()
    ]


def is_topic(text: str, _: Variant) -> bool:
    """Return whether HELP has something on a text."""
    topic = text.strip(" .?!").lower()
    if topic in (*_TOPICS, *render.topics()):
        return True
    found = map(commands.TABLE.find_words, (topic, f"set {topic}"))
    return any(found) or _board(None, topic) is not None


def _page(cursor: Cursor, topic: str) -> str:
    """Return a page, as it is true of the game that the message is about, or of the standard game.

    What only some boards have is shown on one that has it."""
    state = cursor.state
    variant = variants.load("standard") if state is None else state.variant
    having = (
        [each for each in map(variants.load, variants.names()) if topic in each.modules]
        if topic in RULES
        else []
    )
    here = topic in variant.modules
    facts = {
        "board": about(variant if here or not having else max(having, key=_examples)),
        "here": None if state is None else here,
        "systems": SYSTEMS.values(),
        "titles": [each.title for each in having],
        "boards": [*map(variants.load, variants.names())] if topic == "boards" else (),
    }
    return render.page(topic, facts)


def _examples(variant: Variant) -> int:
    return sum(bool(each.samples) for each in points(variant))


def _board(state: State | None, topic: str) -> str | None:
    """Return name of the board that a topic means: the game's own first, then by name or title."""
    wanted = name_key(topic)
    if len(wanted) < 3:
        return None
    if state is not None and name_key(state.game.variant).startswith(wanted):
        return state.game.variant
    known = sorted(map(variants.load, variants.names()), key=lambda each: len(each.title))
    begun = [each.name for each in known if name_key(each.name).startswith(wanted)]
    titled = [each.name for each in known if wanted in name_key(each.title)]
    return next(iter(begun + titled), None)


# Commands of the classic judges that are known and do nothing here

LEFT_OUT = "later"


def left_out(topic: str) -> Answer:
    raise Refused("left_out", why=summary(topic))
