"""Every name of a board in the ways that orders are written with it, and which of them are not read
as what they say.

A board brings its own words: codes that are words of everyday speech (`the`, `and`, `now`), names
with articles, connectives, apostrophes, points of the compass, letters of units. What the judge
prints, or takes as a name anywhere, it must take wherever a place can stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from judge.game.orders.interpret import ask
from judge.game.orders.order_context import OrderContext
from judge.language.names import Names, words_of
from judge.rules.board import COASTS, province_of
from judge.rules.variant import Variant


class Spelled(NamedTuple):
    """A line as somebody may write it, and the orders that it says in canonical form."""

    text: str
    orders: str


def misread(variant: Variant, every: int = 1) -> Iterator[tuple[Spelled, str]]:
    """Yield the spellings that are refused or read as something else, each with the orders that it
    was read as ("" for none); only one of `every` so many is tried, spread evenly."""
    turn = OrderContext(variant)
    for spelled in islice(spellings(variant), 0, None, every):
        found = ask(spelled.text, turn)
        read = "; ".join(f"{each.power or ''} {each.read or ''}".strip() for each in found)
        if read != spelled.orders:
            yield spelled, read


# In the frames {k} is the letter of a kind of unit, {w} its word, {x} and {y} are names of the
# places {here} and {there}, {in_x} and {in_y} the same within a sentence, {z} is a third place.

_BORDER: Final = {
    **{
        f"{unit}{way}": f"{unit}{{here}} - {{there}}"
        for unit in ("", "{k} ")
        for way in ("{x} - {y}", "{x}-{y}", "{x} to {y}")
    },
    "{k} {x} {y}": "{k} {here} - {there}",
    "{w} {x} to {y}": "{k} {here} - {there}",
    "{w} {x} - {y}": "{k} {here} - {there}",
    "{w} in {in_x} moves to {in_y}": "{k} {here} - {there}",
}
"""A border as an order, and the order that it says."""

_BLANK: Final = {"{x} {y}": "{here} - {there}"}
"""The same where no power has the name of the place: it could be the power's unit."""

_NAMED: Final = {
    "{k} {x} H": "{k} {here} H",
    "{x} H": "{here} H",
    "{w} {x} holds": "{k} {here} H",
    "{w} in {x} holds": "{k} {here} H",
    "{w} in the {x} holds": "{k} {here} H",
    "{k} {x} - {there}": "{k} {here} - {there}",
    "{x} - {there}": "{here} - {there}",
    "{w} {x} moves to {in_y}": "{k} {here} - {there}",
    "the {w} in {x} goes to {there}": "{k} {here} - {there}",
    "{k} {x} R {there}": "{k} {here} R {there}",
    "{w} in {x} retreats to {there}": "{k} {here} R {there}",
    "build {w} {x}": "B {k} {here}",
    "build {w} in {x}": "B {k} {here}",
    "B {k} {x}": "B {k} {here}",
    "remove {w} {x}": "D {k} {here}",
    "D {k} {x}": "D {k} {here}",
    "{w} {x} disbands": "D {k} {here}",
}
"""One name of a place as the unit's."""

_ENTERED: Final = {
    "{k} {there} - {x}": "{k} {there} - {here}",
    "{there} - {x}": "{there} - {here}",
    "{there} to {x}": "{there} - {here}",
    "{w} in {in_y} moves to {x}": "{k} {there} - {here}",
    "{w} {there} to {x}.": "{k} {there} - {here}",
    "{k} {there} R {x}": "{k} {there} R {here}",
    "{there}-{x}, {x}-{there}": "{there} - {here}; {here} - {there}",
    "{k} {there} - {x}, {k} {x} - {there}": "{k} {there} - {here}; {k} {here} - {there}",
    "{k} {there} - {x} and {k} {x} - {there}": "{k} {there} - {here}; {k} {here} - {there}",
    "{k} {there} - {x}. {k} {x} - {there}.": "{k} {there} - {here}; {k} {here} - {there}",
}
"""One name of a place as the end of a move, where a unit can come back."""

_HELD: Final = {
    "{k} {there} S {k} {x}": "{k} {there} S {k} {here}",
    "{k} {there} S {x}": "{k} {there} S {here}",
    "{w} {there} supports {w} in {x}": "{k} {there} S {k} {here}",
    "{there} supports {x}": "{there} S {here}",
}
"""One name of a place in the support of a unit there."""

_HELPED: Final = {
    "{k} {there} S {k} {x} - {z}": "{k} {there} S {k} {here} - {z}",
    "{w} {there} supports {w} {x} to {in_z}": "{k} {there} S {k} {here} - {z}",
    "{x} supports {in_z} to {there}": "{here} S {z} - {there}",
    "{in_z} supports {there} to {x}": "{z} S {there} - {here}",
}
"""One name of a place in supports of moves among three of them."""

_CARRIED: Final = {
    "{s} {here} C {k} {x} - {z}": "{s} {here} C {k} {there} - {z}",
    "{ship} {here} convoys {w} {x} to {z}": "{s} {here} C {k} {there} - {z}",
    "{ship} {here} convoys {w} {z} to {x}": "{s} {here} C {k} {z} - {there}",
    "{k} {z} - {x} via convoy": "{k} {z} - {there} via convoy",
    "{k} {z} - {here} - {x}": "{k} {z} - {here} - {there}",
}
"""One name {x} of a shore {there} in convoys over the water {here}."""

_CARRYING: Final = {"{s} {x} C {k} {there} - {z}": "{s} {here} C {k} {there} - {z}"}


def spellings(variant: Variant) -> Iterator[Spelled]:
    """Yield the borders of a board as orders in every notation, and each name of each place in
    every sentence. Names that the board declares unclear are left out."""
    board, powers = variant.board, Names.of(variant).powers
    for letter, kind in board.kinds.items():
        helps = kind.support == 1 and kind.supported
        for here in board.fleet if kind.afloat else board.army:
            near = board.steps(letter, here)
            for there in near:
                known = {"k": letter, "w": kind.name, "here": here, "there": there}
                known |= {"in_x": board.spoken(here), "in_y": board.spoken(there)}
                for x, y in ((here, there), (board.name(here), board.name(there))):
                    owned = any(powers.find(words_of(x)[:count]).ids for count in (1, 2, 3))
                    yield from _filled({} if owned else _BLANK, known, x=x, y=y)
                    yield from _filled(_BORDER, known, x=x, y=y)
            for number, name in enumerate(_names(variant, here) if near else ()):
                there = near[number % len(near)]
                known = {"k": letter, "w": kind.name, "x": name, "here": here, "there": there}
                known |= {"in_x": board.spoken(here), "in_y": board.spoken(there)}
                yield from _filled(_NAMED, known)
                if here not in board.steps(letter, there):
                    continue
                yield from _filled(_ENTERED, known)
                yield from _filled(_HELD if helps else {}, known)
                thirds = (z for z in near if z != there and there in board.steps(letter, z))
                for z in islice(thirds, int(helps)):
                    yield from _filled(_HELPED, known, z=z, in_z=board.spoken(z))
    for here in board.provinces:
        yield from _carried(variant, here)


def _names(variant: Variant, location: str) -> Iterator[str]:
    """Yield what a location is called, with its coast in each form."""
    province = variant.board.provinces[province_of(location)]
    coast = location.partition("/")[2]
    called = (province.id, province.id.upper(), province.name, *province.aliases)
    for name in dict.fromkeys(each for each in called if each not in variant.unclear):
        if not coast:
            yield name
            continue
        words = COASTS.get(coast, coast)
        yield from (f"{name}/{coast}", f"{name}({coast})", f"{name} ({words})", f"{name} {words}")
        if coast in COASTS:
            yield from (f"{name} {coast}", f"{words} of {name}")
        if coast in COASTS and f"{coast}s" not in Names.of(variant).single:
            # As DAIDE writes it.
            yield f"{name} {coast}s"


def _carried(variant: Variant, here: str) -> Iterator[Spelled]:
    """Yield the names of a space in orders to convoy: on the water, on the way, at either end."""
    board = variant.board
    ships = [kind for kind in board.kinds.values() if kind.carries]
    loads = [kind for kind in board.kinds.values() if kind.carried]
    shores = [
        each
        for each in dict.fromkeys(map(province_of, board.fleet.get(here, ())))
        if board.provinces[each].terrain == "coast" and each in board.army
    ]
    if not (board.provinces[here].carries and ships and loads and len(shores) > 1):
        return
    known = {"s": ships[0].letter, "ship": ships[0].name}
    known |= {"k": loads[0].letter, "w": loads[0].name, "here": here}
    for number, there in enumerate(shores):
        known |= {"there": there, "z": shores[number - 1]}
        for name in _names(variant, here):
            yield from _filled(_CARRYING, known, x=name)
        for name in _names(variant, there):
            yield from _filled(_CARRIED, known, x=name)


def _filled(frames: Mapping[str, str], known: Mapping[str, str], **more: str) -> Iterator[Spelled]:
    facts = {**known, **more}
    for text, orders in frames.items():
        yield Spelled(text.format_map(facts), orders.format_map(facts))
