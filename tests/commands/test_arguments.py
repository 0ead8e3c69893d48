"""What commands take behind their words is of typed kinds; no help text decides about it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from judge import variants
from judge.commands import TABLE
from judge.game.orders.order_context import OrderContext
from judge.intake.arguments import KINDS
from judge.intake.command import Command, CommandTable
from judge.intake.lines import read_lines

STANDARD = variants.load("standard")
LANGUAGE = Path(__file__).parents[1] / "language"


def lines(name: str) -> list[str]:
    """The lines of a corpus."""
    text = (LANGUAGE / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip()]


def found(line: str) -> tuple[Command, str]:
    """The command of a line, and its arguments."""
    said = TABLE.find(line)
    assert said is not None
    return said


@pytest.mark.parametrize("command", tuple(TABLE), ids=lambda command: command.name)
def test_a_command_takes_what_its_example_shows(command: Command) -> None:
    said, arguments = found(command.example.split("\n")[0])
    assert said is command
    assert command.fits(arguments, STANDARD)


@pytest.mark.parametrize("command", tuple(TABLE), ids=lambda command: command.name)
def test_the_kinds_of_arguments_are_known(command: Command) -> None:
    assert all(each in KINDS or each.isupper() for each in command.kinds if each)
    assert "own" not in command.kinds or command.own or command.wrong
    assert command.bare == (not command.usage and command.name != "SET HOUSE RULES")


@pytest.mark.parametrize(
    "line",
    [
        *("extend 1 day", "extend until friday 20:00", "set deadline tomorrow 8pm", "set draw FG"),
        *("absence 24-27 dec", "take over france@paris", "take over england", "clear f1903m"),
        *("history paris from s1901m to f1903r", "help orders", "help set wait", "list gunboat"),
        *("press to england and france", "press grey to all", "join ?paris", "create rome blind"),
        *("legal moves par - bur", "legal moves munich", "set days mon-fri", "who paris"),
        *("set preference none", "set draw all", "map paris winter 1901", "set players 5 evenly"),
        "set players 3-russia",
        # A date that is past, or reads two ways, is one.
        *("set deadline 3/4", "set deadline 1 jan 1999"),
    ],
)
def test_arguments_fit(line: str) -> None:
    command, arguments = found(line)
    assert command.fits(arguments, STANDARD)


@pytest.mark.parametrize(
    "line",
    [
        *("extend the olive branch", "deadline is near", "set deadline fri 20:00 if you like"),
        *("join us tomorrow night", "take over the world", "clear as mud", "draw closer"),
        *("history repeats itself", "help me convince italy", "press on", "drop dead"),
        *("press to england we should talk", "create a diversion in the north", "process it"),
        *("set draw AEF unless italy objects", "resign yourself to it", "language matters"),
        *("absence makes the heart grow fonder", "take over france@paris and rome", "eject him"),
    ],
)
def test_what_is_more_than_arguments_does_not_fit(line: str) -> None:
    command, arguments = found(line)
    assert not command.fits(arguments, STANDARD)


def test_only_a_game_that_there_is_fits() -> None:
    command, arguments = found("join forces")
    assert command.fits(arguments, STANDARD)
    assert not command.fits(arguments, STANDARD, {"paris"}.__contains__)
    assert command.fits("paris", STANDARD, {"paris"}.__contains__)
    assert command.fits("france@paris", STANDARD, {"paris"}.__contains__)


def test_a_reworded_help_changes_nothing() -> None:
    def reworded(command: Command) -> Command:
        texts = dict.fromkeys(("usage", "summary", "help", "example"), "other words")
        return replace(command, **texts)

    turn = OrderContext(STANDARD)
    other = CommandTable([reworded(command) for command in TABLE])
    said = [line for command in TABLE for line in command.example.splitlines()]
    said += [*lines("talk"), *lines("requests_plain")]
    said += ["extend to friday", "set deadline to Fri", "SET WAIT, SET DRAW AE, SET COMMENT a, b"]
    said += ["JOIN paris please", "set comment thanks", "PRESS TO FG thanks", "PASSWORD thanks"]

    def read(table: CommandTable) -> list[object]:
        return [
            (each.kind, each.text, each.read, each.arguments, each.command and each.command.name)
            for line in said
            for each in read_lines(line, table, lambda: turn)
        ]

    assert read(other) == read(TABLE)
