"""HELP and GET: what can be written, from the commands themselves, and the help pages."""

from __future__ import annotations

from judge.game.keepers import keeper
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.render import templates

GROUPS = ("playing", "press", "games", "information", "settings", "masters", "keepers")
"""The order in which HELP lists the commands."""

LONG = ("settings", "masters")
"""The groups that HELP only names: the pages of these names list them."""

PACKAGE = (
    "guide",
    "rules",
    "orders",
    "press",
    "deadlines",
    "endings",
    "reliability",
    "fairness",
    "settings",
)
"""The pages of GET PACKAGE: all that a newcomer may want to know."""


def run(context: MessageContext, call: Call) -> Answer:
    topic = call.arguments.strip(" .?!").lower()
    if topic in ("", "help", "me", "please"):
        groups = [
            (group, [command for command in context.table if command.group == group])
            for group in GROUPS
            if group not in LONG
        ]
        return Answer("help", {"groups": groups, "topics": _topics(context)})
    rules = keeper.rules(context.storage)
    if topic in ("house", "house rules"):
        return Answer("house_rules", {"rules": rules})
    if topic in ("package", "all", "everything"):
        pages = "\n\n\n".join(map(templates.page, PACKAGE))
        return Answer("page", {"text": pages, "commands": (), "command": None, "house": None})
    command = context.table.find_words(topic)
    if topic in templates.topics():
        facts = {
            "text": templates.page(topic),
            "commands": [each for each in context.table if topic in LONG and each.group == topic],
            "command": command,
            "house": rules if topic == "rules" else None,
        }
        return Answer("page", facts)
    if command is None:
        found = context.table.find(topic)
        command = found[0] if found else None
    if command is not None:
        return Answer("help_command", {"command": command})
    known = [*templates.topics(), *(words for each in context.table for words in each.words)]
    raise Refused(
        "no_topic",
        write="HELP",
        topics=templates.topics(),
        near=context.table.topics_near(topic, known),
    )


def _topics(context: MessageContext) -> list[str]:
    """The pages there are, that of the house rules included where the keeper wrote some."""
    house = ["house"] if keeper.rules(context.storage) else []
    return [*templates.topics(), *house]


COMMAND = Command(
    words=("help", "get"),
    who="anybody",
    summary="help on everything, or on one topic or command",
    help="Without a topic: commands and topics. With one: that page. PACKAGE: all pages.",
    usage="[topic or command]",
    example="HELP orders",
    default="commands and topics",
    run=run,
    asks=True,
    group="information",
)
