"""SET DAILY and SET NO DAILY: the letter a day to who runs a game."""

from __future__ import annotations

from dataclasses import replace

from judge.commands.message_preferences import wishing
from judge.game.phases.reminders import begin_daily
from judge.game.state.answers import Answer
from judge.intake.command import Command
from judge.intake.context import MessageContext
from judge.storage import Person


def _begin(context: MessageContext, person: Person) -> None:
    """When a game's clock is looked at next changes with the wish."""
    for game in context.cursor.games():
        begin_daily(context.cursor.load(game), person, context.now)


DAILY = Command(
    words=("set daily",),
    who="people",
    personal=True,
    summary="a letter a day about each game you run (the default)",
    help=(
        "Masters of running games get it at seven in the morning of their own time zone: how far "
        "every power is, who is late, who waits, what is to be decided. Answer it with commands."
    ),
    example="SET DAILY",
    bare=True,
    run=wishing(
        lambda wishes: replace(wishes, daily=True), Answer("daily", {"wish": True}), _begin
    ),
    group="masters",
)

NO_DAILY = Command(
    words=("set no daily",),
    who="people",
    personal=True,
    summary="no letter a day about the games you run",
    help="STATUS still tells how far everybody is.",
    example="SET NO DAILY",
    bare=True,
    run=wishing(
        lambda wishes: replace(wishes, daily=False), Answer("daily", {"wish": False}), _begin
    ),
    group="masters",
)
