"""What is said beside orders: how much of what doubts them is heard, and of talk taken for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge import variants
from judge.intake.wishes import doubted
from tests.language.measure import done, france, read_as

SAID = (Path(__file__).parent / "beside.txt").read_text(encoding="utf-8").splitlines()
ORDERS = "A Par - Bur\nA Mar - Spa\nF Bre - Mid"


def share(sign: str) -> float:
    """How much of what has that sign is heard as a doubt."""
    said = [line[2:] for line in SAID if line.startswith(f"{sign} ")]
    assert len(said) > 150
    return sum(bool(doubted([each], variants.load("standard"))) for each in said) / len(said)


def test_most_doubts_are_heard() -> None:
    assert share("-") >= 0.84


def test_little_talk_is_taken_for_a_doubt() -> None:
    assert share("+") <= 0.1


@pytest.mark.parametrize(
    ("mail", "filed"),
    [
        (f"{ORDERS}\nSkip the last one.", 0),
        (f"I am only trying this out.\n{ORDERS}", 0),
        (f"{ORDERS}\nnot sure\nyet", 0),
        (f"{ORDERS}\n\nWhat a game!", 3),
        (f"{ORDERS}\nKarl Vogt", 3),
        # It is about the unit that is ordered again right below it.
        (f"{ORDERS}\nNo, rather\nA Par - Pic", 3),
        # Below a rule stands what mail programs and offices add.
        (f"{ORDERS}\n_____\nNot final.", 3),
        # A doubt takes back what a unit was to do before, too.
        ("A Par - Bur\nhmm, A Par - Pic\nhmm, no", 0),
        # What takes orders back and heads others holds both.
        ("A Par - Bur\nF Bre H\nHm, no. Forget those. I want:\nA Par - Pic\nF Bre - Eng", 0),
        # What is said to somebody else is not about orders.
        (f"{ORDERS}\nPRESS TO Italy\nnot sure yet\nENDPRESS", 4),
    ],
)
def test_a_doubt_holds_orders(mail: str, filed: int) -> None:
    assert len(done(read_as(mail, france()))) == filed
