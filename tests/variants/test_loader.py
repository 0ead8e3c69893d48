"""The loader finds everything that is wrong with a variant, and says all of it at once."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from judge import variants
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Move
from judge.rules.phase import Season
from judge.rules.position import Unit
from judge.variants import VariantError

ISLAND = """
title = "Island"
start = "S1901M"
calendar = "SM SR FM FR WA"
ownership = "F"
victory = 2
count = { provinces = 5, centers = 3 }

[powers]
North = { letter = "N", adjective = "Northern", units = "A hil", aliases = ["the hills"] }
South = { letter = "S", adjective = "Southern", units = "F bay/ec" }

[provinces.hil]
name = "Hills"
type = "land"
home = "North"
center = true
army = "bay dun"

[provinces.bay]
name = "Bay"
type = "coast"
home = "South"
center = true
army = "hil dun"
fleet.ec = "eas dun"
fleet.wc = "wes"

[provinces.dun]
name = "Dunes"
type = "coast"
center = true
army = "hil bay"
fleet = "eas bay/ec"
aliases = ["sand dunes"]

[provinces.eas]
name = "Eastern Sea"
type = "sea"
fleet = "bay/ec dun wes"

[provinces.wes]
name = "Western Sea"
type = "sea"
fleet = "bay/wc eas"
"""

Island = Callable[..., Path]


@pytest.fixture
def island(tmp_path: Path) -> Island:
    """Writes the island's file, with texts replaced."""

    def write(*changes: tuple[str, str]) -> Path:
        text = ISLAND
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "island.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_a_good_file_has_no_problems(island: Island) -> None:
    path = island()
    assert variants.check(path) == []
    variant = variants.read(path)
    assert variant.name == "island"
    assert variant.powers == ("North", "South")
    assert variant.letters == {"N": "North", "S": "South"}
    assert variant.aliases == {"North": ("the hills",), "South": ()}
    assert variant.centers == {"North": ("hil",), "South": ("bay",)}
    assert variant.board.army["bay"] == ("hil", "dun")
    assert variant.board.fleet["bay/ec"] == ("eas", "dun")
    assert "bay" not in variant.board.fleet
    assert variant.rulebook == "2023"


@pytest.mark.parametrize("name", variants.names())
def test_every_variant_that_is_shipped_is_good(name: str) -> None:
    assert variants.check(variants.directory() / f"{name}.toml") == []
    assert variants.load(name).name == name


KINDS = """[units]
W = { name = "walker", plural = "walkers" }
B = { name = "boat", plural = "boats", moves = "fleet" }"""

PROBLEMS: list[tuple[str, str, str]] = [
    # what is replaced, by what, the problem
    ('title = "Island"', "", "'title' is missing"),
    ('title = "Island"', "title = 5", "the file: title cannot be 5"),
    ("victory = 2", "victory = true", "the file: victory cannot be True"),
    ("victory = 2", "victory = 2\nvictroy = 3", "the file: there is no key 'victroy'; known are "),
    ("[powers]", "[powers", "the file is not TOML: "),
    ("centers = 3 }", "centers = 4 }", "count: 4 centers announced, 3 found"),
    ("provinces = 5", "provinces = 6", "count: 6 provinces announced, 5 found"),
    ("victory = 2", "victory = 4", "victory: 4 must be more than the 1 centers a power"),
    ("victory = 2", "victory = 1", "victory: 1 must be more than the 1 centers a power"),
    # borders
    ('army = "hil bay"', 'army = "bay"', "army dun: hil borders on it, but not it on hil"),
    ('fleet = "eas bay/ec"', 'fleet = "eas"', "fleet dun: bay/ec borders on it, but not it on"),
    ("victory = 2", 'victory = 2\none_way = ["hil wes"]', "one_way: 'hil wes' is no border"),
    ("victory = 2", 'victory = 2\nweak = ["hil wes"]', "weak: 'hil wes' is no border"),
    ("victory = 2", 'victory = 2\none_way = ["hil dun"]', "one_way: hil borders on dun both ways"),
    ('army = "bay dun"', 'army = "bay dun moo"', "army hil: there is no province 'moo'"),
    ('army = "bay dun"', 'army = "bay dun dun"', "army hil: dun is listed twice"),
    ('army = "bay dun"', 'army = "bay dun hil"', "army hil: it borders on itself"),
    ('army = "bay dun"', 'army = "bay dun eas"', "army hil: an army cannot be at 'eas'"),
    ('army = "bay dun"', 'army = "bay/ec dun"', "army hil: an army cannot be at 'bay/ec'"),
    ('"bay/ec dun wes"', '"bay dun wes"', "fleet eas: a fleet cannot be at 'bay'; it has bay/ec,"),
    ('"bay/wc eas"', '"bay/wc eas hil"', "fleet wes: a fleet cannot be at 'hil'"),
    # provinces
    ('type = "land"', 'type = "hill"', "province hil: type must be land, coast or sea, not 'hill'"),
    ('name = "Hills"', "", "province hil: it has no name"),
    ('home = "North"', 'home = "West"', "province hil: its home 'West' is no power"),
    ('type = "land"', 'type = "land"\nfleet = "eas"', "province hil: a fleet cannot come inland"),
    ('"bay/wc eas"', '"bay/wc eas"\narmy = "dun"', "province wes: an army cannot go to sea"),
    ('fleet = "eas bay/ec"', "", "province dun: a coast needs fleet borders"),
    ("fleet.wc", "fleet.xc", "province bay: 'xc' is no coast; coasts are nc, sc, ec, wc"),
    ('fleet.wc = "wes"', "", "province bay: a split coast has at least two parts"),
    ("[provinces.dun]", "[provinces.Dun]", "province Dun: an id is lower-case letters and digits"),
    ('name = "Dunes"', 'name = "..."', "province dun: the name '...' is empty"),
    # names
    ('name = "Dunes"', 'name = "Hills"', "'Hills' would mean hil and dun"),
    ('["sand dunes"]', '["HIL"]', "'hil' would mean hil and dun"),
    ('["sand dunes"]', '["eastern-sea"]', "'eastern-sea' would mean dun and eas"),
    ('["sand dunes"]', "[5]", "province dun: aliases must hold texts only, not [5]"),
    # powers
    ('letter = "N"', 'letter = "M"', "power North: the letter M stands for the master (M) or"),
    ('letter = "N"', 'letter = "S"', "power South: the letter S belongs to North"),
    ('letter = "N"', 'letter = "No"', "power North: 'NO' is not one letter or digit"),
    ('units = "A hil"', 'units = "A moo"', "power North: 'A moo' cannot start there; there is no"),
    (
        'units = "A hil"',
        'units = "F hil"',
        "power North: 'F hil' cannot start there; a fleet needs",
    ),
    (
        'units = "A hil"',
        'units = "A eas"',
        "power North: 'A eas' cannot start there; an army needs",
    ),
    ('units = "A hil"', 'units = "Q hil"', "power North: 'Q hil' cannot start there; 'Q' is no"),
    ('letter = "N"', 'letter = "N", standing = true', "power North: it stands, without a rule"),
    ("F bay/ec", "F bay", "power South: 'F bay' cannot start there; a fleet needs one of bay/ec,"),
    ("F bay/ec", "A hil", "power South: A hil cannot start where North's A hil stands"),
    ('"A hil"', '"A hil, A dun"', "power North: 2 units cannot live on 1 centers"),
    ('"A hil"', '"A hil", centers = "eas"', "power North: 'eas' is no supply center"),
    ('"A hil"', '"A hil", centers = "hil bay"', "power South: bay belongs to North already"),
    ('home = "North"\n', "", "power North: it has no center"),
    # calendar
    ('"SM SR FM FR WA"', '"SM SR FM FR WB"', "calendar: 'WB' is not a phase like SM, FR or WA"),
    ('"SM SR FM FR WA"', '" "', "calendar: it has no phases"),
    ('"SM SR FM FR WA"', '"SM SR FM FR SM"', "calendar: a phase occurs twice"),
    ('"S1901M"', '"U1901M"', "start: the calendar has no phase like U1901M"),
    ('"S1901M"', '"1901"', "start: '1901' is not a phase"),
    ('ownership = "F"', 'ownership = "U"', "ownership: the calendar has no season 'U'"),
    ('ownership = "F"', "years = 0", "years: a cycle takes one year or more, not 0"),
    # rules
    ('ownership = "F"', 'modules = ["magic"]', "modules: there is no rule module 'magic'; there"),
    ('ownership = "F"', "modules = [5]", "the file: modules must hold texts only, not [5]"),
    ('ownership = "F"', 'rulebook = "1066"', "rulebook: there is no '1066'; there are 2023, "),
    # games for fewer players
    *(
        ('ownership = "F"', f"lineups = {{ {lineup} }}", f"lineup {problem}")
        for lineup, problem in (
            ('1 = { standing = "West" }', "1: there is no power 'West'"),
            ('2 = { standing = "North" }', "2: its name must begin with the number of players, 1"),
            ('x = { standing = "North" }', "x: its name must begin with the number of players, 1"),
            ('1 = { players = ["North"] }', "1: South is named 0 times"),
            ('1 = { players = ["North, South, North"] }', "1: North is named 2 times"),
            ('1 = { standing = "North", closed = "moo" }', "1: there is no province 'moo'"),
            (
                '1 = { standing = "North", lost = "eas" }',
                "1: eas is no supply center, so it cannot",
            ),
            ('1 = { standing = "North", rulebook = "1066" }', "1: there is no rulebook '1066'"),
            (
                '1 = { standing = "North", counts = "men" }',
                "1: counts must be centers or units, not",
            ),
            ('1 = { standing = "North", victory = 9 }', "1: victory: 9 is more than the 3 centers"),
            ('1 = { standing = "North", start = "U1901M" }', "1: start: the calendar has no phase"),
            ('1 = { standing = "North", start = "soon" }', "1: start: 'soon' is not a phase"),
            ('1 = { standing = "North", joins = { power = "North" } }', "1: joins: 'North' is not"),
            (
                '1 = { neutral = "North", joins = { power = "North" } }',
                "1: joins.drawn: '' is not a",
            ),
            ('1 = { neutral = "North", joins = { whom = 5 } }', "1: joins: there is no key 'whom'"),
            ("1 = 5", "1 must be a table, not 5"),
        )
    ),
    # names that would fit several provinces, neighbors that are none
    ('ownership = "F"', 'unclear = { sea = "eas" }', "unclear: 'sea' must list two provinces or"),
    ('ownership = "F"', "unclear = { sea = 5 }", "unclear: 'sea' must list two provinces or more"),
    ('ownership = "F"', 'unclear = { sea = "eas moo" }', "unclear: 'sea': there is no province"),
    ('ownership = "F"', 'unclear = { Bay = "eas wes" }', "unclear: 'Bay' is the name of bay"),
    ('ownership = "F"', 'impassable = ["hil bay"]', "impassable: hil and bay have a border"),
    ('ownership = "F"', 'impassable = ["eas bay"]', "impassable: eas and bay have a border"),
    ('ownership = "F"', 'impassable = ["hil moo"]', "impassable: 'hil moo' are not two provinces"),
    ('ownership = "F"', 'impassable = ["hil"]', "impassable: 'hil' are not two provinces"),
    # where a province lies, whose home it is, units beyond the centers
    (
        'type = "land"',
        'type = "land"\nposition = [1]',
        "province hil: position must be two numbers",
    ),
    ('type = "land"', 'type = "land"\nposition = ["a", "b"]', "province hil: position must be two"),
    ('units = "A hil"', 'home = "moo"', "power North: home: there is no province 'moo'"),
    ('units = "A hil"', 'home = "bay"', "power North: bay is the home of South"),
    ('units = "A hil"', 'units = "A hil, A dun", surplus = 0', "power North: 2 units cannot live"),
    # kinds of units
    ("[powers]", "[units]\n[powers]", "units: there must be one that moves as an army"),
    ("[powers]", f"{KINDS}\n[powers]", "power North: 'A hil' cannot start there; 'A' is no type"),
    ("[powers]", "[units]\nA = {}\n[powers]", "unit A: 'name' is missing"),
    ("[powers]", "[units]\nA = 5\n[powers]", "unit A must be a table, not 5"),
    ("[powers]", "[units]\na = { name = 'x' }\n[powers]", "unit a: a letter is one or more"),
    ("[powers]", "[units]\nA = { moves = 'air' }\n[powers]", "unit A: moves must be army, fleet"),
    ("[powers]", "[units]\nA = { support = 3 }\n[powers]", "unit A: support must be 0, 1 or 2"),
    ("[powers]", "[units]\nA = { bombs = -1 }\n[powers]", "unit A: bombs must be 0, 1 or 2"),
    ("[powers]", "[units]\nA = { wings = 2 }\n[powers]", "unit A: there is no key 'wings'; known"),
    (
        "[powers]",
        f"{KINDS}\nK = {{ name = 'kite', plural = 'kites', words = ['Walker'] }}\n[powers]",
        "unit K: 'walker' means W, too",
    ),
    (
        "[powers]",
        "[units]\nA = { name = 'army', plural = 'armies', launches = true }\n[powers]",
        "unit A: it launches bombs, without a rule module",
    ),
    # seasons and canals
    ("[powers]", "[seasonal]\nmoo = 'F'\n[powers]", "seasonal: there is no province 'moo'"),
    ("[powers]", "[seasonal]\nbay = 'X'\n[powers]", "seasonal: bay: 'X' are no seasons like FW"),
    ("[powers]", "[seasonal]\nbay = 5\n[powers]", "seasonal: bay: 5 are no seasons like FW"),
    ("[powers]", "[canals]\ncut = 'bay dun'\n[powers]", "canals: cut must join four provinces"),
    (
        "[powers]",
        "[canals]\ncut = 'bay dun eas wes'\n[powers]",
        "canals: cut: no fleet passes between bay and dun",
    ),
    (
        "[powers]",
        "[canals]\ncut = 'hil dun eas wes'\n[powers]",
        "canals: cut: no fleet passes between hil and dun",
    ),
    # powers' names
    ('adjective = "Southern"', 'adjective = "northern"', "'Northern' would mean North and South"),
    ('["the hills"]', '["South"]', "'South' would mean North and South"),
]


@pytest.mark.parametrize(("old", "new", "problem"), PROBLEMS)
def test_what_is_wrong_is_found(island: Island, old: str, new: str, problem: str) -> None:
    path = island((old, new))
    found = variants.check(path)
    assert any(text.startswith(problem) for text in found), found
    with pytest.raises(VariantError, match="the variant island cannot be used"):
        variants.read(path)


def test_a_space_out_of_reach_is_found(island: Island) -> None:
    path = island(('army = "bay dun"', 'army = ""'), ('"hil dun"', '"dun"'), ('"hil bay"', '"bay"'))
    assert variants.check(path) == ["hil: not in reach of the rest of the board"]


def test_everything_wrong_is_reported_at_once(island: Island) -> None:
    path = island(
        ('army = "hil bay"', 'army = "bay"'),
        ('name = "Dunes"', 'name = "Hills"'),
        ('letter = "N"', 'letter = "M"'),
        ("victory = 2", "victory = 9"),
    )
    with pytest.raises(VariantError) as caught:
        variants.read(path)
    assert len(caught.value.problems) == 4
    assert all(problem in str(caught.value) for problem in caught.value.problems)
    assert caught.value.name == "island"


@pytest.mark.parametrize("table", ["powers", "provinces", "count"])
@pytest.mark.parametrize("value", ["5", '"x"', "[1]"])
def test_a_value_in_place_of_a_table_is_a_problem(table: str, value: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(f"{table} = {value}\n")
    assert any(f"{table} cannot be" in problem for problem in variants.check(path))


def test_an_entry_in_place_of_a_table_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text('powers = { A = 1 }\nprovinces = { hil = "x" }\n')
    problems = variants.check(path)
    assert "power A must be a table, not 1" in problems
    assert "province hil must be a table, not 'x'" in problems


def test_a_variant_is_read_once() -> None:
    assert variants.load("standard") is variants.load("standard")


@pytest.mark.parametrize("name", ["nowhere", "", "../standard", "standard.toml", "st\0andard"])
def test_a_name_that_is_no_variant_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(VariantError, match=r"there is no such variant; there are .*standard"):
        variants.load(name)


# -- files that say more, and files that build on others ------------------------------------------


def test_what_a_file_can_say_beside_the_board(island: Island) -> None:
    path = island(
        ('ownership = "F"', 'years = 5\nmodules = ["conscription"]\nimpassable = ["hil eas"]'),
        ("[powers]", '[unclear]\nsea = "eas wes"\n[powers]'),
        ('units = "A hil"', 'units = "A hil, A dun", surplus = 1, home = "dun"'),
        ('home = "North"', 'home = "South"'),
        ("F bay/ec", "F eas"),
        ("victory = 2", "victory = 3"),
        ('name = "Hills"', 'name = "Hills"\nposition = [1, 2.5]'),
    )
    assert variants.check(path) == []
    variant = variants.read(path)
    assert variant.calendar.years == 5
    assert variant.modules == ("conscription",)
    assert variant.impassable == (("hil", "eas"),)
    positions = {key: place.position for key, place in variant.board.provinces.items()}
    assert positions == dict.fromkeys(positions) | {"hil": (1, 2.5)}
    assert variant.board.provinces["dun"].home == "North"
    assert variant.centers == {"North": ("dun",), "South": ("hil", "bay")}
    names = Names.of(variant)
    with pytest.raises(ReadError) as caught:
        names.location("Sea")
    assert caught.value.problem.candidates[0] == "eas"


def test_a_file_can_have_kinds_of_units_of_its_own(island: Island) -> None:
    path = island(
        ("[powers]", f"{KINDS}\n[seasonal]\neas = 'F'\n[powers]"),
        ('"A hil"', '"W hil"'),
        ("F bay/ec", "B bay/ec"),
    )
    assert variants.check(path) == []
    variant = variants.read(path)
    assert variant.start["South"] == (Unit("B", "bay/ec"),)
    board = variant.board
    assert board.steps("B", "bay/ec") == ("eas", "dun")
    assert board.steps("W", "bay") == ("hil", "dun")
    assert board.stands("B", "eas")
    assert not board.stands("W", "eas")
    assert not board.stands("B", "bay")
    boat = board.kind("B")
    assert (boat.letter, boat.one, boat.afloat, boat.carries) == ("B", "a boat", True, False)
    assert board.kind("A").name == "unit"
    assert [kind.one for kind in board.kinds.values()] == ["a walker", "a boat"]
    assert variant.seasonal == {"eas": {Season.FALL}}
    moves = legal_orders(variant, variant.opening, "South")[Unit("B", "bay/ec")]
    assert [str(order) for order in moves if isinstance(order, Move)] == ["B bay/ec - dun"]


def test_an_island_without_neighbors_by_land_still_holds_armies(island: Island) -> None:
    changes = ('army = "bay dun"', 'army = "bay"'), ('"hil dun"', '"hil"'), ('army = "hil bay"', "")
    board = variants.read(island(*changes)).board
    assert board.army["dun"] == ()
    assert "eas" not in board.army


Above = Callable[[str], Path]


@pytest.fixture
def above(island: Island) -> Above:
    """Writes a file that builds on the island."""
    below = island()

    def write(text: str) -> Path:
        path = below.with_name("above.toml")
        path.write_text(f'title = "Above"\nboard = "island"\n{text}', encoding="utf-8")
        return path

    return write


def test_a_file_takes_over_what_it_does_not_say(above: Above) -> None:
    variant = variants.read(above(""))
    below = variants.read(above("").with_name("island.toml"))
    assert (variant.name, variant.title, variant.description) == ("above", "Above", "")
    assert variant.board.army == below.board.army
    assert variant.board.provinces == below.board.provinces
    for name in ("powers", "letters", "adjectives", "aliases", "start", "centers", "victory"):
        assert getattr(variant, name) == getattr(below, name)


def test_a_file_says_otherwise_what_it_says(above: Above) -> None:
    variant = variants.read(above('start = "F1905M"\n[powers]\nSouth = { units = "A bay" }\n'))
    assert str(variant.start_phase) == "F1905M"
    assert variant.powers == ("South",)
    assert variant.adjectives == {"South": "Southern"}
    assert list(map(str, variant.start["South"])) == ["A bay"]
    assert variant.centers == {"South": ("bay",)}
    assert variant.board.provinces["hil"].home is None


def test_new_powers_can_have_homes_of_their_own(above: Above) -> None:
    variant = variants.read(above('[powers]\nHill = { home = "hil" }\nDune = { home = "dun" }\n'))
    assert variant.centers == {"Hill": ("hil",), "Dune": ("dun",)}
    assert variant.board.provinces["bay"].home is None


def test_a_file_can_build_on_one_that_is_shipped(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\nboard = "standard"\nvictory = 10\n')
    assert variants.read(path).victory == 10
    assert variants.read(path).board.army == variants.load("standard").board.army


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('board = "nowhere"', "board: there is no variant 'nowhere' to build on"),
        ('board = "../standard"', "board: there is no variant '../standard' to build on"),
        ('board = "above"', "board: above builds on itself"),
        ("board = 5", "the file: board cannot be 5"),
        (
            'board = "standard"\n[provinces.par]\nname = "P"',
            "provinces: they are those of the board",
        ),
        ('board = "standard"\npowers = 5', "the file: powers cannot be 5"),
        ('board = "standard"\n[powers]\nFrance = 5', "power France must be a table, not 5"),
        ('board = "standard"\n[powers]\nGaul = {}', "power Gaul: it has no center"),
        ('board = "broken"', "board 'broken': the file is not TOML: "),
    ],
)
def test_what_is_wrong_with_building_on_another(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "above.toml"
    path.write_text(f'title = "Above"\n{text}\n')
    path.with_name("broken.toml").write_text("= 5")
    found = variants.check(path)
    assert any(each.startswith(problem) for each in found), found


# -- whatever a file says -------------------------------------------------------------------------

ODD = [5, True, 1.5, "", "x", "M", "bay/ec", "A bay, F eas", [], ["x"], [[1]], {}, {"a": 1}]


def _entries(table: dict[str, Any], above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        yield (*above, key)
        if isinstance(value, dict):
            yield from _entries(value, (*above, key))


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {_toml(each)}' for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


@pytest.mark.parametrize("entry", list(_entries(tomllib.loads(ISLAND))), ids=".".join)
def test_whatever_stands_in_a_file_the_check_answers(
    entry: tuple[str, ...], above: Above, tmp_path: Path
) -> None:
    for odd in ODD:
        data = tomllib.loads(ISLAND)
        table = data
        for key in entry[:-1]:
            table = table[key]
        table[entry[-1]] = odd
        (tmp_path / "island.toml").write_text(
            "\n".join(f"{key} = {_toml(value)}" for key, value in data.items()), encoding="utf-8"
        )
        for path in (
            tmp_path / "island.toml",
            above(""),
            above('[powers]\nNorth = {}\nSouth = { units = "A bay" }\n'),
            above("powers = [1]"),
        ):
            problems = variants.check(path)
            assert all(isinstance(problem, str) and problem for problem in problems)
            if problems:
                with pytest.raises(VariantError):
                    variants.read(path)
            else:
                assert variants.read(path).name == path.stem
