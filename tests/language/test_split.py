"""Several orders on one line."""

from __future__ import annotations

import time

import pytest

from judge import variants
from judge.language.cover import ATTEMPT, ORDER
from judge.language.read import Reader
from judge.rules.phase import Kind

STANDARD = variants.load("standard")


def split_orders(line: str, kind: Kind = Kind.MOVEMENT) -> list[str]:
    """The pieces of a line that are orders, or were meant as such, as they are written."""
    parts = Reader.of(STANDARD).line(line, kind).parts
    return [each.text for each in parts if each.kind in (ORDER, ATTEMPT)]


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("Yorkshire to Norway (convoy North Sea), Norwegian Sea supports.", 0),
        ("A Lon - Nwy (via convoy), F Nth C A Lon - Nwy", 2),
        ("(Army) Paris - Bur, (A Mar - Spa)", 2),
    ],
)
def test_no_order_has_one_bracket_of_two(line: str, orders: int) -> None:
    parts = Reader.of(STANDARD).line(line, Kind.MOVEMENT).parts
    assert [each.kind for each in parts].count(ORDER) == orders


LINES = {
    "A Par - Bur": ["A Par - Bur"],
    "A Par - Bur, A Mar - Spa; F Bre - Mid.": ["A Par - Bur", "A Mar - Spa", "F Bre - Mid"],
    "A Par. - Bur. A Mar. - Spa. F Bre. S A Par. - Pic.": [
        "A Par. - Bur",
        "A Mar. - Spa",
        "F Bre. S A Par. - Pic",
    ],
    "A Lvp.-Yor. F Lon.-North Sea. F Edi.-Norw. Sea. A Kie-Den": [
        "A Lvp.-Yor",
        "F Lon.-North Sea",
        "F Edi.-Norw. Sea",
        "A Kie-Den",
    ],
    "F St. Petersburg (s.c.) - Gulf of Bothnia. A Mos - St. Petersburg": [
        "F St. Petersburg (s.c.) - Gulf of Bothnia",
        "A Mos - St. Petersburg",
    ],
    "A War - St. P. A Mos - Ukr.": ["A War - St. P", "A Mos - Ukr"],
    "F Mid - Spain (n.c.). F Por H": ["F Mid - Spain (n.c.)", "F Por H"],
    "F W. Med. - Gulf of L. A Tun H": ["F W. Med. - Gulf of L", "A Tun H"],
    "F Mid - Spa, nc, A Par H": ["F Mid - Spa, nc", "A Par H"],
    "A Lon - Nwy, via convoy, F Nth C A Lon - Nwy": [
        "A Lon - Nwy, via convoy",
        "F Nth C A Lon - Nwy",
    ],
    "A Lon - Nwy via convoy. F Nth C A Lon - Nwy": [
        "A Lon - Nwy via convoy",
        "F Nth C A Lon - Nwy",
    ],
    "A Bud - Ser (bounce, dislodged), A Vie H": ["A Bud - Ser", "A Vie H"],
    "A Par - Bur, bounced": ["A Par - Bur"],
    "1. A Par - Bur": ["A Par - Bur"],
    "A Gal S. AUSTRIAN A Ser-Bud": ["A Gal S. AUSTRIAN A Ser-Bud"],
    "A Par - Bur and A Mar - Spa": ["A Par - Bur", "A Mar - Spa"],
    "A Wal - Bel via Nth and Eng": ["A Wal - Bel via Nth and Eng"],
    "Par - Bur. Mar - Spa. Bre - Mid.": ["Par - Bur", "Mar - Spa", "Bre - Mid"],
    "A Den. S F Swe. Kie - Ber.": ["A Den. S F Swe", "Kie - Ber"],
    "A Tri. Stand. A Bud.-Ser.": ["A Tri. Stand", "A Bud.-Ser"],
    "builds F Kie and A Mun": ["builds F Kie", "A Mun"],
    "build A Par; remove F Bre": ["build A Par", "remove F Bre"],
    "A StP - Mos\nA War H": ["A StP - Mos", "A War H"],
    "England: A Lvp - Yor, F Lon - Nth": ["England: A Lvp - Yor", "F Lon - Nth"],
    " ; , . ": [],
    "": [],
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_is_taken_apart_into_orders(line: str) -> None:
    assert split_orders(line) == LINES[line]


def test_the_board_tells_prose_behind_an_order_from_the_rest_of_a_name() -> None:
    assert split_orders("A Par - Bur. Good luck!") == ["A Par - Bur"]
    assert split_orders("F Edi - Norw. Sea") == ["F Edi - Norw. Sea"]
    assert split_orders("waive. waive") == ["waive", "waive"]


BLANKS = {
    "bur-bel mid-por": ["bur-bel", "mid-por"],
    "fmid-por abur-bel": ["fmid-por", "abur-bel"],
    "a par-bur f bre-mid a mar h": ["a par-bur", "f bre-mid", "a mar h"],
    "a mar s a par f bre-mid": ["a mar s a par", "f bre-mid"],
    "f nth c a lon-nwy a lon - nwy": ["f nth c a lon-nwy", "a lon - nwy"],
    "France: a par-bur f bre-mid": ["France: a par-bur", "f bre-mid"],
    "FRANCE A par-bur ENGLAND F lon-nth": ["FRANCE A par-bur", "ENGLAND F lon-nth"],
    "f stp/sc-bot a mos - war a war s a mos-gal": [
        "f stp/sc-bot",
        "a mos - war",
        "a war s a mos-gal",
    ],
    "a mun s a ber - kie kie - den": ["a mun s a ber - kie", "kie - den"],
    "bre-mid-atlantic par h": ["bre-mid-atlantic", "par h"],
    "mun r boh ber r sil": ["mun r boh", "ber r sil"],
    "b a par b f bre": ["b a par", "b f bre"],
    "par bur bel mid": ["par bur", "bel mid"],
    "a par-bur f bre-xyz": ["a par-bur", "f bre-xyz"],
    # One order, whatever else is said.
    "A Lon - Nwy via convoy": ["A Lon - Nwy via convoy"],
    "A Mar S A Par - Bur": ["A Mar S A Par - Bur"],
    "A Par - Bur I hope": ["A Par - Bur"],
    "A War - Gal is what I would do": ["A War - Gal"],
}


@pytest.mark.parametrize("line", BLANKS)
def test_blanks_separate_orders_where_the_board_leaves_no_other_way(line: str) -> None:
    assert split_orders(line) == BLANKS[line]


@pytest.mark.parametrize(
    "part",
    [
        "a. ",
        "par h ",
        "a par-bur ",
        "a par ",
        "par - ",
        "A par - bur. ",
        "(a, ",
        "par. and ",
        "- ",
        "st. ",
        ",",
    ],
)
def test_no_line_takes_long(part: str) -> None:
    start = time.process_time()
    for length in (4000, 100_000):
        split_orders((part * length)[:length])
    assert time.process_time() - start < 2


def test_a_line_too_long_for_orders_has_none() -> None:
    assert split_orders("A par - bur, " * 400) == []


def test_builds_by_name_alone_are_parted_at_commas() -> None:
    assert split_orders("a par f bre", Kind.ADJUSTMENTS) == ["a par", "f bre"]
    assert split_orders("Par, Bre and Mar", Kind.ADJUSTMENTS) == ["Par", "Bre", "Mar"]
