"""`judge house`: what the keeper lays down at the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from judge.storage import Storage
from tests.cli.conftest import Call

RULES = "One person, one power.\n\nBe kind."


def shown(call: Call) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(call("house", "show", "--json").output)
    return found


def test_a_fresh_judge_has_laid_nothing_down(home: Path, call: Call) -> None:
    found = shown(call)
    assert (found["rules"], found["motd"]) == (None, None)
    assert (found["denied"], found["allowed"]) == ([], [])
    text = call("house", "show").output
    assert "House rules: none" in text
    assert "Only let into games: everybody" in text


def test_rules_are_set_shown_and_taken_back(home: Path, call: Call, storage: Storage) -> None:
    assert call("house", "rules", "-", input=RULES + "\n").exit_code == 0
    assert shown(call)["rules"] == RULES
    assert "Be kind." in call("house", "rules").output
    assert "  Be kind." in call("house", "show").output
    told = json.loads(call("house", "rules", "Be fair.", "--json").output)
    assert told[0]["kind"] == "command"
    assert shown(call)["rules"] == "Be fair."
    assert call("house", "rules", "--off").exit_code == 0
    assert shown(call)["rules"] is None
    assert [event.what for event in storage.events.last(3)] == ["house rules"] * 3


def test_the_message_of_the_day(home: Path, call: Call) -> None:
    assert call("house", "motd", "We move on Sunday.").exit_code == 0
    assert shown(call)["motd"] == "We move on Sunday."
    assert call("house", "motd", "--off").exit_code == 0
    assert shown(call)["motd"] is None


def test_the_letter_a_day(home: Path, call: Call) -> None:
    assert call("house", "digest", "7:30", "--always").exit_code == 0
    assert (shown(call)["digest"], shown(call)["digest_always"]) == ("07:30", True)
    assert "Message a day: 07:30, every day" in call("house", "show").output
    assert call("house", "digest", "--off").exit_code == 0
    assert shown(call)["digest"] is None
    assert call("house", "digest", "noonish").exit_code == 1


def test_who_may_come_in(home: Path, call: Call) -> None:
    assert call("house", "allow", "*@club.example", "ann@example.org").exit_code == 0
    assert shown(call)["allowed"] == ["*@club.example", "ann@example.org"]
    call("house", "allow", "--", "-ann@example.org")
    assert shown(call)["allowed"] == ["*@club.example"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("rules", "Be fair.", "--off"), 2),
        (("digest", "8:00", "--off"), 2),
        (("rules", "one\nEND\ntwo"), 1),
        (("rules", "  "), 1),
        (("rules", "x" * 5000), 1),
    ],
)
def test_what_cannot_be_meant_changes_nothing(
    home: Path, call: Call, arguments: tuple[str, ...], code: int
) -> None:
    assert call("house", *arguments).exit_code == code
    assert shown(call)["rules"] is None
