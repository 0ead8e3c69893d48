"""A misspelled order is read as it was meant, or not at all: never silently as another one.

With `JUDGE_PROVE=full`, five times as many.
"""

from __future__ import annotations

import random

import pytest

from judge import variants
from judge.game.orders.interpret import ask
from judge.game.orders.order_context import OrderContext
from judge.language.names import Names
from judge.language.read import read_order
from judge.language.vocabulary import listed
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Convoy, Move, Order, Support, Unreadable
from judge.rules.position import Unit
from tests.sampled import some

STANDARD = variants.load("standard")
NAMES = Names.of(STANDARD)
MOST = some(400, 2000)


def _called(province: str) -> list[str]:
    """What a province is called, in English first."""
    name = STANDARD.board.provinces[province].name
    return [name, *listed("provinces").get(name, ())]


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


def noted(order: Order, chance: random.Random) -> str:
    """An order in one of the notations that people use."""
    names = chance.choice((str.upper, str.lower, lambda each: _called(each)[0], _foreign))
    arrow = chance.choice((" - ", " -> ", "-", " to ", " moves to ", " => ", " > ", " – "))

    def place(location: str) -> str:
        province, _, coast = location.partition("/")
        if names is str.upper or names is str.lower:
            return names(location)
        return f"{names(province)} ({coast})" if coast else names(province)

    def unit(of: Unit) -> str:
        word = {"A": ("A", "a", "army", "Armee"), "F": ("F", "f", "fleet", "Flotte")}[of.kind]
        return f"{chance.choice(word)} {place(of.location)}"

    mine: Unit = getattr(order, "unit")  # noqa: B009
    style = chance.choice(("{unit}", "{unit}", "{place}", "{glued}", "{kind}({place})", "[{unit}]"))
    text = chance.choice((style, f"{style}:")).format(
        unit=unit(mine),
        place=place(mine.location),
        glued=f"{mine.kind.lower()}{mine.location}",
        kind=mine.kind,
    )
    if isinstance(order, Support):
        verb = chance.choice((" S ", " supports ", " (S) ", " sup "))
        aim = "" if order.to is None else f"{arrow}{place(order.to)}"
        target = order.target
        return f"{text}{verb}{chance.choice((unit(target), place(target.location)))}{aim}"
    if isinstance(order, Convoy):
        return (
            f"{text} {chance.choice(('C', 'convoys'))} {unit(order.army)}{arrow}{place(order.to)}"
        )
    assert isinstance(order, Move)
    return f"{text}{arrow}{place(order.to)}"


def _foreign(province: str) -> str:
    return _called(province)[-1]


def test_no_slip_in_any_notation_makes_another_order_in_silence() -> None:
    chance = random.Random(5)
    position = STANDARD.opening
    different, right = [], 0
    for _ in range(MOST // 2):
        power = chance.choice(STANDARD.powers)
        options = chance.choice(list(legal_orders(STANDARD, position, power).values()))
        order = chance.choice([each for each in options if isinstance(each, Move | Support)])
        text = noted(order, chance)
        slip = mutated(text, chance)
        found = ask(slip, OrderContext(STANDARD, position, powers=(power,)))
        read = [each.read for each in found if each.kind == "order" and each.problem is None]
        # What else is refused is told.
        if len(read) == len(found) > 0 and read != [str(order)]:
            different.append((str(order), slip, read))
        right += read == [str(order)]
    assert different == []
    assert right > MOST // 5


@pytest.mark.parametrize(
    ("power", "line"),
    [
        ("France", "amar: A par - gas"),
        ("France", "Amry mar: A par - bur"),
        ("Russia", "St. Petersburg (sc): a Warsaw moves to Livonia"),
        ("Russia", "sup Petersburgo (sc) -> Lijfland"),
        ("Turkey", "[army con] S my"),
        ("France", "A mar S pa"),
        ("Germany", "A ber: -P russia"),
        ("Germany", "[f kie]  ber"),
        ("Turkey", "fank:  CON"),
        ("Turkey", "Ankara S asmy Istanbul"),
    ],
)
def test_no_word_of_an_order_is_left_out_in_silence(power: str, line: str) -> None:
    found = ask(line, OrderContext(STANDARD, STANDARD.opening, powers=(power,)))
    assert not any(each.kind == "order" and each.problem is None for each in found)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("F kie  hol", "F kie - hol"),
        ("A mun ber", "A mun - ber"),
        ("A ber S amun tyr", "A ber S A mun - tyr"),
    ],
)
def test_a_line_in_columns_is_no_slip(line: str, read: str) -> None:
    (found,) = ask(line, OrderContext(STANDARD, STANDARD.opening, powers=("Germany",)))
    assert (found.kind, found.read) == ("order", read)


def test_a_coast_that_is_none_is_no_failure() -> None:
    turn = OrderContext(STANDARD, STANDARD.opening, powers=("Russia",))
    (found,) = ask("A war S stp (ec) to lvn", turn)
    assert found.read == "A war S F stp/sc - lvn"
