"""HELP on boards and their rules, made from their data."""

from __future__ import annotations

import pytest

from judge import render, variants
from judge.game.state.about import about, points
from judge.i18n import speaking
from judge.language.drafts import ForAll
from judge.language.read import Reader, read_order
from judge.rules.orders import Unreadable
from judge.rules.phase import Kind
from tests.game.play import Play

BOARDS = variants.names()


def told(play: Play, topic: str, who: str = "ann") -> str:
    """What HELP says about a topic, on one line."""
    play.send(who, "REGISTER")
    reply = play.send(who, f"HELP {topic}")
    assert "COULD NOT USE" not in reply.text, reply.text
    return " ".join(reply.text.split())


@pytest.mark.parametrize("name", BOARDS)
def test_the_page_of_a_board_is_short_and_speaks_every_language(name: str) -> None:
    facts = {"board": about(variants.load(name))}
    for language in ("en", "de", "fr"):
        with speaking(language):
            page = render.fold(render.page("board", facts))
        assert 5 < len(page.splitlines()) <= 30
        assert max(map(len, page.splitlines())) <= 72
        differing = [line for line in page.splitlines() if line.startswith("  ") and line.strip()]
        assert len(differing) >= len(list(points(variants.load(name))))


@pytest.mark.parametrize("name", BOARDS)
def test_every_line_it_shows_is_read_as_an_order(name: str) -> None:
    variant = variants.load(name)
    for point in points(variant):
        for sample in point.samples:
            line = Reader.of(variant).line(sample.line, Kind.MOVEMENT)
            if any(isinstance(getattr(each.found, "order", None), ForAll) for each in line.orders):
                continue
            phases = {
                kind: variant.start_phase._replace(kind=kind)
                for kind in (Kind.MOVEMENT, Kind.ADJUSTMENTS)
            }
            read = [read_order(sample.line, variant, phase) for phase in phases.values()]
            assert any(not isinstance(order, Unreadable) for order in read), sample.line


@pytest.mark.parametrize(
    ("topic", "title"),
    [
        ("era", "DIPLOMACY: ERA OF EMPIRE"),
        ("Era of Empire", "DIPLOMACY: ERA OF EMPIRE"),
        ("hawes", "HAWES SETUP"),
        ("global", "GLOBAL DIPLOMACY"),
        ("chaos", "DIPLOMACY: CHAOS"),
        ("standard", "The rules are those of the standard game."),
        ("board", "The rules are those of the standard game."),
    ],
)
def test_a_board_is_found_by_its_name_or_title(topic: str, title: str, play: Play) -> None:
    assert title in told(play, topic)


def test_a_board_of_no_name_is_answered_with_the_topics(play: Play) -> None:
    assert "I have no help on that topic" in " ".join(
        play.send("ann", "HELP atlantis").text.split()
    )


@pytest.mark.parametrize("name", BOARDS)
def test_the_rules_in_short_are_true_on_every_board(name: str) -> None:
    variant = variants.load(name)
    page = render.page("rules", {"board": about(variant)})
    coasts = {each.name for each in variant.board.provinces.values() if each.coasts}
    assert ("several coasts" in page) == bool(coasts)
    assert all(each in page for each in coasts)
    anywhere = "conscription" in variant.modules
    assert ("any empty center that you own" in page) == anywhere
    assert ("your own free home centers" in page) == (not anywhere)
    assert ("army or a fleet instead" in page) == ("conversion" in variant.modules)
    assert ("After each spring or fall turn" in page) == (len(variant.calendar.ownership) == 2)


def test_the_rules_are_those_of_the_game_that_is_asked_about(play: Play) -> None:
    play.start("ANY CENTERS, TRANSFORM, AUTO DISBAND")
    rules = told(play, "rules")
    assert "any empty center that you own" in rules
    assert "there are no retreats" in rules
    assert "can then become an army or a fleet instead" in rules
    assert "This game has this rule." in told(play, "conversion")
    assert "This game does not have this rule." in told(play, "bombs")
    assert "There are no retreats" in told(play, "board")
    assert "Spain" in rules


def test_outside_any_game_the_pages_on_rules_name_their_boards(play: Play) -> None:
    play.send("ann", "REGISTER")
    assert "It belongs to Global Diplomacy." in told(play, "bombs")
    conversion = told(play, "conversion")
    assert "Diplomacy: Era of Empire" in conversion
    assert "This game" not in conversion
    assert "convert F mad to A" in conversion
    assert "B A hk" in told(play, "conscription") or "B A ban" in told(play, "conscription")


def test_the_start_message_tells_in_ten_lines_what_differs(play: Play) -> None:
    starts = play.start("TRANSFORM")
    assert "WHAT DIFFERS FROM THE STANDARD GAME" in starts["ann"].text
    part = starts["ann"].text.partition("STANDARD GAME")[2].partition("HELP standard tells")[0]
    assert "Conversion" in part
    assert len(part.strip().splitlines()) <= 12


def test_the_standard_game_has_nothing_to_tell(play: Play) -> None:
    assert "WHAT DIFFERS" not in play.start()["ann"].text


def test_a_page_lists_all_boards(play: Play) -> None:
    play.send("ann", "REGISTER")
    listed = play.send("ann", "HELP boards").text
    assert all(f"  {name} " in listed for name in BOARDS)
    assert max(map(len, listed.splitlines())) <= 80
