"""HELP and GET: what can be written, from the commands themselves, and the help pages."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command, Refused
from judge.game.visit import Visit
from judge.render import letters

GROUPS = ("playing", "press", "games", "information", "settings", "masters")
"""The order in which HELP lists the commands."""


def run(visit: Visit, call: Call) -> Answer:
    topic = call.arguments.strip(" .?!").lower()
    if topic in ("", "help", "me", "please"):
        groups = [
            (group, [command for command in visit.table if command.group == group])
            for group in GROUPS
        ]
        return Answer("help", {"groups": groups, "topics": letters.topics()})
    command = visit.table.find_words(topic)
    if topic in letters.topics():
        return Answer("page", {"text": letters.page(topic), "command": command})
    if command is None:
        found = visit.table.find(topic)
        command = found[0] if found else None
    if command is not None:
        return Answer("help_command", {"command": command})
    known = [*letters.topics(), *(words for each in visit.table for words in each.words)]
    raise Refused(
        "no_topic",
        write="HELP",
        topics=letters.topics(),
        near=visit.table.topics_near(topic, known),
    )


COMMAND = Command(
    words=("help", "get"),
    who="anybody",
    summary="help on everything, or on one topic or command",
    help="Without a topic: the list of commands and topics. With one: that page.",
    usage="[topic or command]",
    example="HELP orders",
    run=run,
    asks=True,
    group="information",
)
