"""Answers that are written between the lines of a quote."""

from __future__ import annotations

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
