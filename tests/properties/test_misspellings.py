"""A misspelled order is read as it was meant, or not at all: never silently as another one."""

from __future__ import annotations

import random

import pytest

from judge import variants
from judge.language.names import FOREIGN, Names
from judge.language.read import read_order
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Move, Support, Unreadable

STANDARD = variants.load("standard")
NAMES = Names.of(STANDARD)
MOST = 2000


def _called(province: str) -> list[str]:
    """What a province is called, in English first."""
    name = STANDARD.board.provinces[province].name
    return [name, *FOREIGN["places"].get(name, ())]


def mutated(word: str, chance: random.Random) -> str:
    """The word with one slip: a letter changed, left out, doubled, or swapped with the next."""
    place = chance.randrange(len(word) - 1)
    match chance.randrange(4):
        case 0:
            return word[:place] + chance.choice("abcdefghiklmnoprstuvwy") + word[place + 1 :]
        case 1:
            return word[:place] + word[place + 1 :]
        case 2:
            return word[: place + 1] + word[place:]
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


@pytest.mark.parametrize("foreign", [False, True], ids=["English", "other languages"])
def test_no_slip_makes_another_order_in_silence(foreign: bool) -> None:
    chance = random.Random(5)
    position = STANDARD.opening
    orders = [
        order
        for power in STANDARD.powers
        for options in legal_orders(STANDARD, position, power).values()
        for order in options
        if isinstance(order, Move | Support | Convoy)
    ]
    read, different = 0, []
    for _ in range(MOST):
        order = chance.choice(orders)
        words = [
            chance.choice(_called(word) if foreign else _called(word)[:1])
            if word in STANDARD.board.provinces
            else word
            for word in str(order).split(" ")
        ]
        slips = [place for place, word in enumerate(words) if len(word) > 4]
        if not slips:
            continue
        place = chance.choice(slips)
        slip = mutated(words[place], chance)
        if NAMES.provinces.find(tuple(slip.lower().split())).ids:
            # The slip made the name of something else, which nobody can tell from it.
            continue
        text = " ".join([*words[:place], slip, *words[place + 1 :]])
        found = read_order(text, STANDARD, position.phase)
        if isinstance(found, Unreadable):
            continue
        read += 1
        if found != order:
            different.append((text, str(found)))
    assert different == []
    assert read > MOST // 2, "most slips are seen through"
