"""The shape of plain text as HTML, and nothing in it taken for HTML."""

from __future__ import annotations

import re

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.messages.html_message import dressed, is_heading, prose, sections, written_html

LETTER = """\
paris: Spring 1901, movement.
Deadline: Monday.

WHAT I UNDERSTOOD

  > A par - bur
    Army Paris moves to Burgundy.

  F bre                NO ORDER YET (Fleet Brest)
  A par - bur          Army Paris moves to Burgundy

        Aus Eng
  1901    3   4

--------------------
"""


def test_a_page_has_the_rules_of_its_own_elements_alone() -> None:
    sheet = (
        ":root { a }\n@media (dark) {\nbody, .ground { b }\n.good { c }\n.rows td, .bad { d }\n}\n"
    )
    body = '</style>\n.good { c }\n<p class="ground bad">'
    kept = ":root { a }\n@media (dark) {\nbody, .ground { b }\n.bad { d }\n}\n"
    assert dressed("<style>\n" + sheet + body) == "<style>\n" + kept + body


def test_each_shape_has_its_element() -> None:
    assert prose(LETTER).split("\n") == [
        "<p>paris: Spring 1901, movement.</p>",
        "<p>Deadline: Monday.</p>",
        "<h2>WHAT I UNDERSTOOD</h2>",
        '<div class="list"><p class="row echo">A par - bur</p>',
        '<p class="row deep1">Army Paris moves to Burgundy.</p></div>',
        '<table role="presentation" class="rows"><tr><td class="key short">F bre</td>'
        '<td class="value">NO ORDER YET (Fleet Brest)</td></tr>'
        '<tr><td class="key short">A par - bur</td>'
        '<td class="value">Army Paris moves to Burgundy</td></tr></table>',
        '<pre class="as-is">        Aus Eng',
        "  1901    3   4</pre>",
        "<hr>",
    ]


@pytest.mark.parametrize("line", ["WHO PLAYS", "YOUR ORDERS FOR F1901M (Austria)", "ÉTÉ 1901"])
def test_a_line_in_capitals_is_a_heading(line: str) -> None:
    assert is_heading(line)


@pytest.mark.parametrize("line", ["HELP says more.", "A par H", "  WHO PLAYS", "TAKE OVER x@paris"])
def test_other_lines_are_none(line: str) -> None:
    assert not is_heading(line)


def test_a_letter_is_cut_at_its_headings_and_stays_whole() -> None:
    cut = sections(LETTER)
    assert [each.heading for each in cut] == ["", "WHAT I UNDERSTOOD"]
    assert cut[1].text.startswith("  > A par - bur\n")


def test_what_somebody_quotes_stands_apart() -> None:
    assert written_html("> Shall we?\n>> No.\nYes.\n  Really.") == (
        '<div class="said"><p>Shall we?</p><div class="said"><p>No.</p></div></div>\n'
        "<p>Yes.<br>\n&nbsp;&nbsp;Really.</p>"
    )


WORDS = st.text(st.sampled_from("<>&\"'ab =/\n -A"), max_size=200)


@given(WORDS)
def test_no_text_becomes_an_element_of_its_own(text: str) -> None:
    for page in (prose(text), written_html(text)):
        tree = lxml.html.fragment_fromstring(f"{page}", create_parent="div")
        known = {"div", "p", "h2", "hr", "pre", "table", "tr", "td", "br"}
        assert {element.tag for element in tree.iter()} <= known


_LAYOUT = re.compile(r"[\s>-]+")
"""What becomes elements: blanks, marks of quotes, rules."""


@given(WORDS)
def test_no_word_is_lost(text: str) -> None:
    words = [word for word in text.replace(">", " ").split() if not set(word) <= {"-"}]
    shown = lxml.html.fragment_fromstring(f"{prose(text)}", create_parent="div").text_content()
    assert "".join(words).replace("-", "") == "".join(shown.replace(">", "").split()).replace(
        "-", ""
    )
