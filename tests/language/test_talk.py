"""Talk that begins with the word of a command or of an order: nothing in it is carried out."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import variants
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.i18n import LANGUAGES
from judge.intake.command import hearing
from judge.intake.lines import read_lines

DESK = OrderContext(variants.load("standard"))
TALK = [
    line
    for line in Path(__file__).with_name("talk.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def kinds(line: str, language: str) -> set[str]:
    """What a line, and whatever stands on it, is read as."""
    with hearing(language):
        return {each.kind for each in read_lines(line, TABLE, lambda: DESK)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_talk_is_no_command(language: str) -> None:
    assert len(TALK) > 100
    done = [line for line in TALK if not kinds(line, language) <= {"text", "unknown"}]
    assert done == []


@pytest.mark.parametrize("line", ["Join forces", "Help me convince Italy", "Get back to me"])
def test_what_is_in_capitals_is_a_command(line: str) -> None:
    first, _, rest = line.partition(" ")
    assert kinds(f"{first.upper()} {rest}", "en") == {"command"}


@pytest.mark.parametrize(
    "line",
    [
        *("join paris", "who paris", "map paris f1903m", "help orders", "get rules", "list full"),
        *("set absence 24 dec to 2 jan", "holiday friday to sunday", "extend 24h", "set draw aef"),
        *("take over france@paris", "history paris from s1901m", "press to germany", "draw"),
        *("create ?paris standard", "i am also ann@old.example", "broadcast", "status please"),
        *("set move every mon and thu 20:00 paris", "set deadline friday 8pm", "resign paris"),
    ],
)
def test_what_looks_like_its_arguments_is_a_command(line: str) -> None:
    assert kinds(line, "en") <= {"command", "press"}
