"""CREATE: a new game."""

from __future__ import annotations

import re

from judge import variants
from judge.commands.setting_values import split_variant
from judge.game.fairness import assignment
from judge.game.state.answers import Answer, Refused
from judge.game.state.settings import Settings
from judge.intake.authentication import lock, note
from judge.intake.authorization import ensure_registered
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.intake.keeper import check_welcome
from judge.rules.rulebook import Rulebook
from judge.storage import Game, NameTaken, Role, Seat

NAME = re.compile(r"[a-z][a-z0-9]{1,19}\Z")
"""What a game can be called."""


def run(context: MessageContext, call: Call) -> Answer:
    try:
        return _create(context, call)
    except Refused:
        if call.arguments.startswith("?"):
            # What it sets up below must not fall to another game.
            context.leave(f"CREATE {call.arguments.split()[0].rstrip(',;.')}")
        raise


def _create(context: MessageContext, call: Call) -> Answer:
    check_welcome(context)
    words = call.arguments.lstrip("? ").split(None, 1)
    name = words[0].lower().rstrip(",;.") if words else ""
    if not NAME.match(name):
        raise Refused("bad_game_name", write="CREATE ?paris", name=name)
    password, rest = _password(words[1] if len(words) > 1 else "")
    if password is not None:
        note(context, password)
    variant, options = _variant(rest)
    found = _options(context, options)
    zone = context.zone
    try:
        game = context.storage.games.add(
            Game(
                name=name,
                variant=variant,
                rulebook=Rulebook.edition(variants.load(variant).rulebook).name,
                moderated=True,
                settings=Settings(zone=zone).to_json(),
                thread=context.profile.new_message_id(),
                created_at=context.now,
            )
        )
    except NameTaken:
        raise Refused("name_taken", write=f"CREATE ?{name}2", name=name) from None
    state = context.cursor.load(game)
    assignment.commit(state, context.seed())
    seat = Seat(
        game_id=game.id,
        person_id=ensure_registered(context).id,
        role=Role.MASTER,
        joined_at=context.now,
    )
    if password is not None:
        lock(context, [seat], password)
    state.seat(seat)
    if password is not None:
        context.sender.signed.add(seat.id)
    context.enter(state)
    context.report.created.add(game.id)
    context.log("created", {"variant": variant})
    problems = []
    for command, option in found:
        try:
            command.run(context, option)
        except Refused as refused:
            problems.append((option.line, refused))
    context.report.changes.pop(game.id, None)
    return Answer(
        "created",
        {
            "game": name,
            "title": state.variant.title,
            "seats": state.places,
            "listed": state.settings.listed,
            "manual": state.settings.manual_start,
            "settings": state.settings,
            "rulebook": game.rulebook,
            "address": context.profile.address,
            "seal": assignment.sealed(state),
            "options": [option.line for _, option in found],
            "problems": [
                {"line": line, "problem": refused.facts.get("problem", refused.code)}
                for line, refused in problems
            ],
        },
    )


def _password(text: str) -> tuple[str | None, str]:
    """The word before the variant's name, if there is one: the password its master is to have."""
    words = text.split(None, 2)
    first = words[0] if words else ""
    if len(words) < 2 or first.endswith((",", ";")) or split_variant(first):
        return None, text
    if not split_variant(words[1].partition(",")[0]):
        return None, text
    return words[0], " ".join(words[1:])


def _variant(text: str) -> tuple[str, str]:
    """The variant named at the beginning of `text` (standard where none is), and what follows."""
    word, _, rest = text.strip().partition(" ")
    name = word.strip(",;").lower().replace("-", "_")
    if name in variants.names():
        return name, rest
    return "standard", text


def _options(context: MessageContext, text: str) -> list[tuple[Command, Call]]:
    """The settings named after the variant, separated by commas. Raises Refused for others."""
    found = []
    for piece in filter(None, (part.strip() for part in re.split(r"[,;]", text))):
        line = "SET " + re.sub(r"^set\s+", "", piece, flags=re.IGNORECASE)
        if split_variant(piece):
            line = f"SET VARIANT {piece}"
        command = context.table.find(line)
        if command is None or not command[0].setting:
            raise Refused(
                "bad_option",
                write="CREATE ?paris standard",
                option=piece,
                variants=variants.names(),
            )
        found.append((command[0], Call(line, command[1])))
    return found


COMMAND = Command(
    words=("create",),
    who="anybody",
    summary="a new game, with you as its master",
    help=(
        "The name is letters and digits. A variant with its options (gunboat, blind) and settings "
        "may follow, separated by commas; or SET lines in the same mail. The game starts as soon "
        "as all its powers are taken. "
        "Join it yourself with JOIN, and it becomes unmoderated: every player may then set things, "
        "and nobody has a master's powers."
    ),
    usage="?name [variant] [settings]",
    example="CREATE ?paris standard, PUBLIC, MOVE NEXT 48H CLOCK 20:00",
    run=run,
)
