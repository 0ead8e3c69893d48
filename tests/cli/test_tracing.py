"""`judge mail list|show` and `judge letter list|show`: what became of each message."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.daemon.daemon import Inbox
from judge.ops.metrics import Metrics
from tests.cli.conftest import Call
from tests.game.play import ADDRESS, Play


@pytest.fixture
def play(home: Path) -> Iterator[Play]:
    play = Play(home)
    play.start()
    play.send("cleo", "A Par - Bur")
    yield play
    play.storage.close()


def test_whether_somebodys_orders_arrived_is_told_by_address_and_by_game(
    play: Play, call: Call
) -> None:
    listed = call("mail", "list", "Cleo@people.example").output
    assert "max@" not in listed
    assert len(listed.splitlines()) == 3
    newest = call("mail", "show", "cleo@people.example").output
    assert "1 orders of France for S1901M" in newest
    # Each letter it caused, with the game that it is about.
    assert [" paris " in line for line in newest.splitlines() if " reply " in line] == [True]
    about = json.loads(call("mail", "list", "paris", "--json").output)
    assert {each["sender"] for each in about} >= {"max@people.example", "cleo@people.example"}
    assert all("raw" not in each for each in about)


@pytest.mark.parametrize("what", ["mail", "letter"])
def test_what_there_was_until_some_time_is_told(play: Play, call: Call, what: str) -> None:
    def listed(*options: str) -> list[int]:
        return [each["id"] for each in json.loads(call(what, "list", "--json", *options).output)]

    now, there = play.clock.now(), listed()
    play.clock.advance(hours=1)
    play.send("dora", "STATUS")
    assert len(listed()) == len(there) + 1
    assert listed("--until", f"{now:%Y-%m-%d %H:%M}") == there


def test_why_a_message_got_no_answer_is_told(play: Play, call: Call) -> None:
    play.mail("cleo", "I am away", headers={"Auto-Submitted": "auto-replied"})
    play.judge.work()
    listed = call("mail", "list", "cleo@people.example", "--most", "2", "--json")
    answered_by_a_program, read = json.loads(listed.output)
    why = answered_by_a_program["problem"]
    assert "automatic" in why
    assert why in call("mail", "show", str(answered_by_a_program["id"])).output
    assert read["problem"] is None


def test_a_letter_is_told_from_its_event_to_the_relays_last_word(play: Play, call: Call) -> None:
    (letter,) = json.loads(
        call("letter", "list", "dora@people.example", "--most", "1", "--json").output
    )
    play.storage.outbound.failed(letter["id"], "550 no such mailbox", None)
    shown = call("letter", "show", str(letter["id"])).output
    assert "550 no such mailbox" in shown
    assert "failed" in shown
    assert call("letter", "show", "999999").exit_code == 1


def test_the_log_names_an_address_by_a_digest_that_is_turned_into_it(
    play: Play, call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    inbox = Inbox(
        storage=play.storage,
        clock=play.clock,
        metrics=Metrics(),
        stored=lambda: None,
        most=10**6,
    )
    with caplog.at_level(logging.INFO):
        inbox.accept(
            b"From: Fay <fay@people.example>\n\nHELP\n", "fay@people.example", [ADDRESS], "smtp"
        )
    (line,) = [each for each in caplog.records if each.message == "mail stored"]
    who = line.who  # type: ignore[attr-defined]
    assert "fay" not in who
    assert "fay@people.example" in call("mail", "list", who).output
    (found,) = json.loads(call("mail", "list", who, "--json").stdout)
    assert found["sender"] == "fay@people.example"
    assert call("mail", "list", "0" * 12).exit_code == 1


def test_a_pipe_called_wrongly_is_tried_again(home: Path, call: Call) -> None:
    assert call("mail", "nonsense", input="From: a@b.example\n\nHELP\n").exit_code == 75
    assert call("mail", input="From: a@b.example\n\nHELP\n").exit_code == 0
