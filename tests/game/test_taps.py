"""Buttons for removals and builds: each choice has one, and the mail of each does what it says."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from itertools import combinations
from urllib.parse import parse_qs

import lxml.html
import pytest

from judge.interchange.stored_values import position_from_json, position_to_json
from judge.rules.phase import Phase
from judge.rules.position import Unit
from tests.game.play import Play, Received
from tests.game.test_html_letters import html_of
from tests.game.test_service import paris

UNITS = {
    "Austria": ("A bud", "A vie", "A tri", "F alb", "A ser", "A gre", "A rum"),
    "England": ("F nth",),
    "France": ("A bur", "A mar"),
    "Germany": ("A mun", "A ber", "A kie", "F den", "F hol", "A bel", "A sil"),
    "Russia": ("A war",),
    "Turkey": ("A con", "A ank", "A smy"),
}
CENTERS = {
    "Austria": ("bud", "vie", "tri", "ser", "gre"),
    "England": ("lon", "lvp", "edi"),
    "France": ("par", "mar"),
    "Germany": ("mun", "ber", "kie"),
    "Italy": ("rom",),
    "Russia": ("mos", "war", "sev", "stp", "rum"),
    "Turkey": ("con", "ank", "smy"),
}


@pytest.fixture
def winter(play: Play) -> Play:
    """A winter in which Austria removes 2 of 7, Germany 4 of 7, and three powers build."""
    play.start("MOVE MIN 0")
    game = paris(play).game
    game.phase = "W1905A"
    later = replace(
        position_from_json(game.position or {}),
        phase=Phase.read("W1905A"),
        units={
            power: tuple(Unit(each[0], each[2:]) for each in units)
            for power, units in UNITS.items()
        },
        centers=CENTERS,
    )
    game.position = position_to_json(later)
    with play.storage.transaction():
        play.storage.games.save(game)
    return play


def mails(letter: Received) -> dict[str, str]:
    """The mails of the buttons of a letter, by what stands on each."""
    page = lxml.html.document_fromstring(html_of(letter))
    return {
        str(link.text): parse_qs(unescape(link.get("href", "")).partition("?")[2])["body"][0]
        for link in page.xpath("//a[starts-with(@class, 'chip')]")
    }


def test_each_pair_that_can_be_removed_is_a_button(winter: Play) -> None:
    found = mails(winter.send("ann", "STATUS"))
    pairs = [" + ".join(pair) for pair in combinations(UNITS["Austria"], 2)]
    assert list(found) == pairs
    assert "[+]" in winter.send("ann", found["A vie + A rum"]).text
    assert [str(each) for each in paris(winter).orders["Austria"]] == ["D A vie", "D A rum"]


def test_where_there_are_too_many_one_after_the_other_is_removed(winter: Play) -> None:
    letter = winter.send("dora", "STATUS")
    assert list(mails(letter)) == list(UNITS["Germany"])
    assert "4 in all" in html_of(letter)
    letter = winter.send("dora", mails(letter)["A bel"])
    assert [str(each) for each in paris(winter).orders["Germany"]] == ["D A bel"]
    for _ in range(3):
        body = [*mails(letter).values()][-1]
        letter = winter.send("dora", body)
        if "[+]" in letter.text:
            break
    gone = [str(each) for each in paris(winter).orders["Germany"]]
    assert len(gone) == 4
    assert gone[0] == "D A bel"


def test_what_can_be_built_or_waived_is_a_button(winter: Play) -> None:
    found = mails(winter.send("bob", "STATUS"))
    assert len(found) == 13
    assert {"A lon + F edi", "F lvp + F edi", "waive"} <= set(found)
    letter = winter.send("bob", "B F lon")
    rest = mails(letter)
    assert list(rest) == ["A lvp", "F lvp", "A edi", "F edi", "waive"]
    assert "[+]" in winter.send("bob", rest["F edi"]).text
    assert [str(each) for each in paris(winter).orders["England"]] == ["B F lon", "B F edi"]
    assert "[+]" in winter.send("bob", found["waive"]).text


def test_what_buttons_say_is_not_listed_again(winter: Play) -> None:
    for letter in (winter.send("ann", "STATUS"), winter.send("ann", "D A vie")):
        page = lxml.html.document_fromstring(html_of(letter)).text_content()
        assert mails(letter)
        assert ("D F alb" in letter.text, "D F alb" in page) == (True, False)


def test_many_buttons_of_a_reminder_stand_below_its_board(winter: Play) -> None:
    found: dict[str, Received] = {}
    while not any(each.kind == "late" for each in found.values()):
        found |= {f"{each.to[:3]} {each.kind}": each for each in winter.wake()}
    for letter, below in (("bob reminder", True), ("bob late", True), ("dor reminder", False)):
        page = html_of(found[letter])
        assert (page.index('class="board"') < page.index('class="chip')) == below, letter


def test_nothing_to_decide_has_no_button(winter: Play) -> None:
    assert not mails(winter.send("gwen", "STATUS"))
