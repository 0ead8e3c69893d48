"""Paragraphs of an answer to press that stand apart from a letter: lists, what is for nobody, and
what powers are only the topic of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from judge.game.orders.interpret import taken_apart
from judge.game.orders.order_context import OrderContext
from judge.intake.addressees import courtesies, powers_named
from judge.intake.lines import meant
from judge.intake.wishes import marks
from judge.language.cover import NEGATION, ORDER
from judge.language.names import Names, words_of
from judge.language.speech import OWN, PERSON, YOU, speaks
from judge.language.wish_model import plain
from judge.rules.variant import Variant

BRACKETED = re.compile(r"[(\[{<].*[)\]}>]\W*")
"""A text that stands in brackets, all of it."""

_LEAST_ITEMS, _ITEM, _TOLD = 3, 6, 2
"""Items of a list, words of one, and words of one that may tell of people."""


def _paragraphs(rows: Mapping[int, str]) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Yield the rows of each paragraph, by their numbers and as they are written."""
    for blank, paragraph in groupby(rows.items(), lambda each: not each[1].strip()):
        if not blank:
            numbers, lines = zip(*paragraph, strict=True)
            yield numbers, lines


def rows_alone(rows: Sequence[str]) -> set[int]:
    """Return the rows that are a paragraph by themselves, beside others."""
    every = [numbers for numbers, _ in _paragraphs(dict(enumerate(rows)))]
    return {numbers[0] for numbers in every if len(numbers) == 1 < len(every)}


def topics(rows: Sequence[str], variant: Variant) -> set[int]:
    """Return the rows of a list that begin with a power, beside one that begins with none (`-
    Burgundy: stays empty`, `- England: no reason to trust him`)."""
    heads = {row: meant(each).partition(":") for row, each in enumerate(rows) if ":" in each}
    powers = {
        row: bool(powers_named(head, variant))
        for row, (head, _, _) in heads.items()
        if meant(rows[row]) != rows[row].strip()
    }
    return {row for row in powers if powers[row] and False in map(powers.get, (row - 1, row + 1))}


def asides(rows: Sequence[str], turn: OrderContext) -> set[int]:
    """Return the rows of paragraphs beside a letter that name nothing of the game and nobody: lists
    of a few words a row or between commas (what somebody wants to buy, or not to forget), and below
    it what is headed by words that say that it is for nobody. Remarks in brackets are none."""
    found, begun = set[int](), False
    provinces = Names.of(turn.variant).provinces.exact
    known = {each for each, mark in marks(turn.variant).items() if mark in ("@p", "@v")}
    said = {row: each for row, each in enumerate(rows) if not BRACKETED.fullmatch(each)}
    for numbers, lines in _paragraphs(said):
        listed = _is_list(lines, begun)
        head, colon, _ = lines[0].partition(":")
        text = " ".join(lines) if listed else head
        if listed or (begun and colon and is_withheld(head, turn)):
            words = {*map(plain, words_of(text))}
            found |= set() if words & (known | provinces.keys()) else {*numbers}
        begun = True
    return found


def _is_list(lines: Sequence[str], below: bool) -> bool:
    """Return whether a paragraph, `below` others or not, is a list that tells of nobody. What
    stands on lines of its own above a letter may be commands."""
    every = lines if below else [each for each in lines if len(lines) == 1]
    items = [meant(each) for each in (every[0].split(",") if len(every) == 1 else every)]
    if len(items) < _LEAST_ITEMS or not all(0 < len(each.split()) <= _ITEM for each in items):
        return False
    told = any(speaks(each, PERSON) for each in items if len(each.split()) > _TOLD)
    return not (told or any(courtesies(items)) or speaks(" ".join(lines), OWN, YOU))


def is_withheld(heading: str, turn: OrderContext) -> bool:
    """Return whether a heading that speaks to nobody denies something (`not to be passed on`)."""
    clauses = heading.split(", ")
    kinds = {part.kind for each in clauses for part in taken_apart(each, turn).parts}
    return NEGATION in kinds and ORDER not in kinds and not speaks(heading, YOU)
