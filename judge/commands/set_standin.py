"""SET STANDIN and SET NO STANDIN: whether somebody is told of powers that need a player."""

from __future__ import annotations

from dataclasses import replace

from judge.commands.message_preferences import wishing
from judge.game.state.answers import Answer
from judge.intake.command import Command

STANDIN = Command(
    words=("set standin", "set stand-in"),
    who="anybody",
    personal=True,
    summary="be told when a power needs a new player",
    help=(
        "Whenever a power is abandoned you get a letter that shows its position in words; TAKE "
        "OVER makes it yours. While a game waits for somebody the letter comes again every two "
        "days. REGISTER has it too, as `Stand-in: yes`."
    ),
    example="SET STANDIN",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, stand_in=True), Answer("standin", {"wish": True})),
)

NO_STANDIN = Command(
    words=("set no standin", "set no stand-in"),
    who="anybody",
    personal=True,
    summary="take back SET STANDIN",
    help="You are told of no more powers that need a player.",
    example="SET NO STANDIN",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, stand_in=False), Answer("standin", {"wish": False})),
)
