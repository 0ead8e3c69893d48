"""Answers that are written between the lines of a quote."""

from __future__ import annotations

from judge.mail import quotes
from judge.mail.quotes import quoted_above

SHOWN = """Good evening, I answer below.

> You have:
> Army Paris

over into Burgundy

> Fleet Brest
out to the Channel
and thank you

On Monday somebody wrote:
> the end
"""


def test_each_answer_has_the_line_of_the_quote_above_it() -> None:
    rows = [
        "Good evening, I answer below.",
        "",
        "over into Burgundy",
        "",
        "out to the Channel",
        "and thank you",
    ]
    assert quoted_above(rows, SHOWN) == {2: "Army Paris", 4: "Fleet Brest"}


def test_rows_that_do_not_stand_in_the_text_are_passed_over() -> None:
    assert quoted_above(["A par H", "", "over into Burgundy"], SHOWN) == {2: "Army Paris"}
    assert quoted_above([], SHOWN) == {}


def test_a_line_of_words_that_a_letter_has_in_two_places_is_typed() -> None:
    letter = "Republic of all Asia: N ino, N kor\nN sea to sio\nRepublic of all Asia: N kor holds"
    known = quotes.digests_of_text(letter)
    typed = ["Republic of all Asia: N ino - sio", "Republic of all Asia: N kor holds"]
    rows = quotes.rows_of(typed, [0, 0], known)
    assert [row.is_known for row in rows] == [False, True]
    assert rows[0].typed()[0] == typed[0]
