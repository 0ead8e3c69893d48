"""Plain requests in three languages: how many are seen, and how much talk is taken for one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from judge import variants
from judge.commands import TABLE
from judge.game.orders.interpret import OrderContext
from judge.intake.command import hearing
from judge.intake.lines import read_lines
from judge.intake.talk import requests_in, settled
from judge.language.requests import LONGEST, Wish, requests

STANDARD = variants.load("standard")
DESK = OrderContext(STANDARD)
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
POWERS = {power: power for power in STANDARD.powers}


def rows(name: str) -> Iterator[tuple[str, str, str]]:
    """Language, what is asked for, and the mail, of each row of a table beside this file."""
    for line in (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            language, asked, mail = line.split(" | ", 2)
            yield language, asked, mail.replace("\\n", "\n")


DONE = {
    "map": "MAP",
    "players": "WHO GAME",
    "deadline": "STATUS",
    "orders": "STATUS",
}
"""Commands that answer a question or a wish at once, by it."""


def asked_in(mail: str, language: str = "en") -> str:
    """What a mail asks for, as the tables have it, or what is carried out because of it."""
    with hearing("en" if language == "--" else language):
        lines = list(read_lines(mail, TABLE, lambda: DESK))
    done = [line for line in lines if line.kind in ("order", "command", "press")]
    if done:
        return f"done: {done[0].command.name if done[0].command else done[0].read}"
    found = requests_in(mail.split("\n"), STANDARD, NOW, "UTC")
    said = [each.what.offer if isinstance(each.what, Wish) else each.what.about for each in found]
    return " & ".join(said) or "-"


def verdict(asked: str, found: str) -> str:
    """`right`, `missed`, or `wrong` where another thing was read than was asked."""
    if found.startswith("done: "):
        # An order or a command; of those that ask for something, only the one that does it.
        name = found.removeprefix("done: ")
        return (
            "right"
            if asked == "-" or asked.startswith(name) or name == DONE.get(asked)
            else "wrong"
        )
    if "-" in (asked, found):
        return "right" if asked == found else "missed" if found == "-" else "wrong"
    return "right" if found in (asked, settled(Wish(asked), NOW, "UTC").offer) else "wrong"


@pytest.mark.parametrize(
    "name",
    [
        *("requests.txt", "requests_held.txt", "requests_more.txt"),
        *("requests_plain.txt", "requests_again.txt"),
        *("requests_third.txt", "requests_fourth.txt", "requests_fifth.txt"),
    ],
)
def test_requests_are_seen_and_talk_is_left_alone(name: str) -> None:
    wishes: list[tuple[str, str, str]] = []
    talk: list[tuple[str, str, str]] = []
    for language, asked, mail in rows(name):
        found = asked_in(mail, language)
        told = (verdict(asked, found), found, mail)
        (talk if asked == "-" else wishes).append(told)
    print([each for each in wishes + talk if each[0] != "right"])
    assert sum(each[0] == "right" for each in wishes) >= 0.92 * len(wishes)
    assert sum(each[0] == "wrong" for each in wishes) <= 0.02 * len(wishes)
    assert sum(each[0] == "wrong" for each in talk) <= 0.02 * len(talk)


@pytest.mark.parametrize(
    ("mail", "offer"),
    [
        ("I am on vacation until 3 January", "SET ABSENCE 22 Nov to 3 Jan"),
        ("I'm away until Monday.", "SET ABSENCE 22 Nov to 23 Nov"),
        ("Ich bin vom 24.12. bis 2.1. verreist.", "SET ABSENCE 24 Dec to 2 Jan"),
        ("Je serai absent du 24 décembre au 2 janvier", "SET ABSENCE 24 Dec to 2 Jan"),
        ("I will be away next week", "SET ABSENCE 23 Nov to 29 Nov"),
        ("Can we extend the deadline until Friday?", "EXTEND UNTIL 27 Nov 23:30"),
        ("I'd like a one week extension", "EXTEND 7 days"),
    ],
)
def test_dates_are_settled_when_they_are_written(mail: str, offer: str) -> None:
    assert asked_in(mail) == offer


@pytest.mark.parametrize(
    "mail", ["I will be on vacation soon", "I am on vacation until 31 February"]
)
def test_a_wish_without_its_dates_is_open(mail: str) -> None:
    (found,) = requests_in([mail], STANDARD, NOW, "UTC")
    assert found.what == Wish("SET ABSENCE", open=True)


@pytest.mark.parametrize(
    ("mail", "offer"),
    [
        ("plz give me til tmrw", "EXTEND UNTIL 23 Nov 23:30"),
        ("unsubcribe", "RESIGN"),
        ("on a work trip december 1-5", "SET ABSENCE 1 Dec to 5 Dec"),
    ],
)
def test_words_are_read_as_people_type_them(mail: str, offer: str) -> None:
    assert asked_in(mail) == offer


@pytest.mark.parametrize("mail", ["j'ai une belle carte", "I remove my fleet", "Italy has to quit"])
def test_half_of_the_signs_are_not_enough(mail: str) -> None:
    assert asked_in(mail) == "-"


def test_a_letter_is_one_wish_with_all_its_lines() -> None:
    letter = ["Dear Germany,", "", "shall we ally? I could leave the game to you.", "", "Ann"]
    (found,) = requests([*letter, "", "@Italy hello", ""], POWERS, NOW.date())[:1]
    assert found.what == Wish("PRESS TO Germany", tuple(letter))
    assert (found.first, found.end) == (0, 5)


@pytest.mark.parametrize(
    ("lines", "asked"),
    [
        (
            "when is the deadline?\nplease remove me from the game\nthe weather is fine",
            [("STATUS", 0, 1), ("RESIGN", 1, 2)],
        ),
        (
            "please remove me from the game\nwhen is the deadline?\nthe weather is fine",
            [("RESIGN", 0, 1), ("STATUS", 1, 2)],
        ),
        (
            "when is the deadline? please remove me from the game",
            [("STATUS", 0, 1), ("RESIGN", 0, 1)],
        ),
        (
            "when is the deadline\nwho is late\nplease extend by 2 days\nthanks",
            [("STATUS", 0, 1), ("WHO IS LATE", 1, 2), ("EXTEND 2 days", 2, 3)],
        ),
        ("the weather is fine\nwhen is the deadline?\nbye", [("STATUS", 1, 2)]),
        ("i do not want to\nresign", []),
    ],
)
def test_who_writes_no_capitals_asks_for_each_thing(
    lines: str, asked: list[tuple[str, int, int]]
) -> None:
    found = requests(lines.split("\n"), POWERS, NOW.date())
    assert [(each.what.offer, each.first, each.end) for each in found] == asked


def test_a_sentence_may_go_on_in_the_next_line() -> None:
    (found,) = requests(["Hello,", "could we get two", "more days? Thanks"], POWERS, NOW.date())
    assert found.what == Wish("EXTEND 2 days")
    assert (found.first, found.end) == (1, 3)


def test_who_greets_everybody_may_mean_the_judge() -> None:
    (found,) = requests(["Hi all, could we get two more days?"], POWERS, NOW.date())
    assert found.what == Wish("EXTEND 2 days")


def test_no_text_costs_without_bound() -> None:
    started = time.process_time()
    for text in ("please " * 60, "to 1 " * 48, "England, " * 30, "qui est avec les avec " * 10):
        requests([text[:LONGEST]] * 1000, POWERS, date(2026, 11, 22))
    assert time.process_time() - started < 60
