"""The line that begins a piece of press: its color, its recipients, and what its heading claims."""

from __future__ import annotations

import pytest

from judge.game.press.recipients import NO_FAKE, PressHead, all_but
from judge.game.visibility.readable_press import ALL
from judge.storage import PressColor


@pytest.mark.parametrize(
    ("line", "color", "to", "fake"),
    [
        ("TO FRG", "", "FRG", ""),
        ("to France, Italy:", "", "France, Italy", ""),
        ("FG", "", "FG", ""),
        ("GREY TO F", "grey", "F", ""),
        ("Gray to France", "grey", "France", ""),
        ("WHITE F", "white", "F", ""),
        ("TO F GREY", "grey", "F", ""),
        ("TO F, white", "white", "F", ""),
        ("TO GREY", "", "GREY", ""),
        ("WHITE TO F GREY", "white", "F GREY", ""),
        ("TO F FAKE BROADCAST", "", "F", ALL),
        ("TO F FAKE TO ALL", "", "F", ALL),
        ("TO F FAKE TO FG", "", "F", "FG"),
        ("TO F FAKE TO ALL BUT T", "", "F", "ALL BUT T"),
        ("TO F, fake to Germany, Italy.", "", "F", "Germany, Italy"),
        ("GREY TO F FAKE TO FG", "grey", "F", "FG"),
        ("TO FG NO FAKE", "", "FG", NO_FAKE),
        ("TO FG nofake broadcast", "", "FG", NO_FAKE),
        ("TO ALL BUT T", "", "ALL BUT T", ""),
        ("-T", "", "-T", ""),
        ("", "", "", ""),
        ("TO", "", "", ""),
        ("FAKE BROADCAST", "", "", ALL),
    ],
)
def test_a_head(line: str, color: str, to: str, fake: str) -> None:
    assert PressHead.read(line) == PressHead(PressColor(color) if color else None, to, fake)


@pytest.mark.parametrize(
    ("line", "color", "first"),
    [
        ("", "", ""),
        ("GREY", "grey", ""),
        ("White.", "white", ""),
        ("TO ALL", "", ""),
        ("GREY TO ALL", "grey", ""),
        ("White sails on the horizon", "", "White sails on the horizon"),
        ("no fake news", "", "no fake news"),
    ],
)
def test_a_head_of_a_broadcast(line: str, color: str, first: str) -> None:
    assert PressHead.of_broadcast(line) == PressHead(PressColor(color) if color else None, first)


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        *(("ALL", ""), ("everybody", ""), ("all but FG", "FG"), ("-FG", "FG"), ("- F, G", "F, G")),
        *(("FG", None), ("allies", None), ("+FG", None)),
    ],
)
def test_who_is_left_out(words: str, left_out: str | None) -> None:
    assert all_but(words) == left_out
