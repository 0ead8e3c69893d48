"""SET HTML and SET NO HTML: whether letters have an HTML part beside the plain text."""

from __future__ import annotations

from dataclasses import replace

from judge.commands.message_preferences import wishing
from judge.game.state.answers import Answer
from judge.intake.command import Command

HTML = Command(
    words=("set html",),
    who="anybody",
    summary="have your letters as HTML, too",
    help=(
        "Letters show the board and set their lists in tables, where your mail program shows "
        "HTML; the plain text beside it says the same. This is how it is where nothing is said."
    ),
    example="SET HTML",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, html=True), Answer("html", {"wish": True})),
)

NO_HTML = Command(
    words=("set no html", "set plain"),
    who="anybody",
    summary="have your letters as plain text only",
    help="Your letters come without HTML and without pictures. SET HTML takes that back.",
    example="SET NO HTML",
    bare=True,
    run=wishing(lambda wishes: replace(wishes, html=False), Answer("html", {"wish": False})),
)
