"""Global Diplomacy: the facts of its board, and the clues of its rules that the board keeps.

`docs/variants/global.md` has a table of every sentence of the rules with the test that holds it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from judge import variants
from judge.interchange import (
    InterchangeError,
    adjudicate_object,
    position_object,
    read_question,
    variant_object,
)
from judge.rules import engine
from judge.rules.board import ANY_WAY, borders
from judge.rules.board_index import board_index
from judge.rules.modules.arsenals import rights
from judge.rules.orders import Build, Move
from judge.rules.outcome import Reason
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.variant import with_lineup
from tests.rules.globe import POWERS

GLOBAL = variants.load("global")
BOARD = GLOBAL.board
FACTS = json.loads((Path(__file__).parent / "global.json").read_text(encoding="utf-8"))


def test_the_board_is_that_of_the_facts() -> None:
    shown = json.loads(json.dumps(variant_object(GLOBAL)))
    for key, fact in FACTS.items():
        assert shown[key] == fact, key


def test_the_file_has_nothing_wrong() -> None:
    assert variants.check(variants.directory() / "global.toml") == []


def test_a_year_has_four_movements_and_two_builds() -> None:
    phases = [GLOBAL.start_phase]
    while len(phases) < 12:
        phases.append(GLOBAL.calendar.next(phases[-1]))
    assert " ".join(map(str, phases)) == (
        "F2100A W2101M W2101R S2101M S2101R S2101A U2101M U2101R F2101M F2101R F2101A W2102M"
    )


def within_two(space: str) -> set[str]:
    field = board_index(BOARD)
    return {field.ids[place] for place in field.reach(Unit("AF", space), ANY_WAY)}


def test_an_air_force_in_tibet_reaches_india_and_the_water_beyond() -> None:
    # IX.1
    assert {"ind", "nio"} <= within_two("tib")
    assert "sio" not in within_two("tib")
    assert "tib" not in within_two("tib")


def test_nothing_is_within_two_of_a_space_that_is_not_on_the_board() -> None:
    assert within_two("tib/nc")
    assert not within_two("nowhere")


# -- the board (VII.3) ----------------------------------------------------------------------------


def near(space: str) -> set[str]:
    """All spaces with a border to this one."""
    return borders(BOARD)[space]


def centers() -> set[str]:
    return {place.id for place in BOARD.provinces.values() if place.supply_center}


def test_six_superpowers_and_thirty_six_centers() -> None:
    assert GLOBAL.powers == (
        *("United States", "Russian Federation", "South American Alliance"),
        *("European Union", "Greater African Union", "People's Republic of Asia"),
    )
    assert len(centers()) == 36
    assert {power: len(owned) for power, owned in GLOBAL.centers.items()} == dict.fromkeys(
        GLOBAL.powers, 4
    )


def test_four_kinds_of_units() -> None:
    assert {letter: (kind.name, kind.limit) for letter, kind in BOARD.kinds.items()} == {
        "A": ("army", 5),
        "N": ("navy", 5),
        "AF": ("air force", 5),
        "R": ("arsenal", None),
    }


def test_the_five_spaces_with_two_coasts() -> None:
    split = {place.name for place in BOARD.provinces.values() if place.coasts}
    assert split == {
        *("Mexico", "Western Europe", "Russia", "Papua New Guinea", "Queensland"),
    }


@pytest.mark.parametrize("canal", [("cam", "col", "car", "epa"), ("egy", "isr", "med", "nio")])
def test_the_four_spaces_of_a_canal_all_touch(canal: tuple[str, ...]) -> None:
    land, other, sea, beyond = canal
    assert set(canal) in map(set, GLOBAL.canals.values())
    assert other in BOARD.army[land]
    for here in canal:
        assert set(BOARD.fleet[here]) >= set(canal) - {here}
        assert BOARD.provinces[here].coasts == ()
    assert beyond in BOARD.fleet[sea]


def test_new_guinea_and_indonesia_are_part_of_the_australian_mass() -> None:
    assert "que" in BOARD.army["png"]
    assert "png" in BOARD.army["ino"]
    north, south = set(BOARD.fleet["png/nc"]), set(BOARD.fleet["png/sc"])
    assert north & {"que/ec", "que/wc"} == {"que/ec"}
    assert south & {"que/ec", "que/wc"} == {"que/wc"}


def test_what_is_no_space() -> None:
    # VII.3.x and the changes to 0.3
    names = {place.name.casefold() for place in BOARD.provinces.values()}
    for water in ("Lake Victoria", "Caspian Sea", "Iceland", "Great Lakes"):
        assert water.casefold() not in names


def test_the_seasonal_spaces() -> None:
    seasons = {
        space: {season.name.lower() for season in open_in}
        for space, open_in in GLOBAL.seasonal.items()
    }
    assert seasons == {"ant": {"fall", "winter"}, "pol": {"spring", "summer"}}
    assert BOARD.provinces["pol"].terrain == "sea"
    assert near("ant") == {"sat", "sio", "spa"}


def test_what_the_changes_say() -> None:
    assert {"sus", "egy", "yak"} <= centers()
    assert not {"eus", "sah", "esi", "wsi"} & centers()
    assert "ear" in near("ura") & near("wsi")
    assert "pol" not in near("ura")
    assert "sah" in near("nat") & near("mat")
    assert "waf" not in near("nat")
    assert {"egy", "isr", "sau", "eaf"} <= near("nio")
    assert BOARD.provinces["soz"].name == "Southern Australia"
    assert BOARD.provinces["spn"].name == "Spain"


def test_no_superpower_is_farther_than_three_spaces_from_another() -> None:
    for power, owned in GLOBAL.centers.items():
        reached = set(owned)
        for _ in range(3):
            reached |= {space for here in reached for space in near(here)}
        for other in set(GLOBAL.powers) - {power}:
            assert reached & set(GLOBAL.centers[other])


# -- positions as JSON ----------------------------------------------------------------------------


def test_what_a_position_remembers_goes_out_and_in_again() -> None:
    question = {
        "variant": "global",
        "phase": "S2102M",
        "units": {"Greater African Union": ["R isr"], "People's Republic of Asia": ["A ind"]},
        "centers": {"People's Republic of Asia": ["ind", "man"], "United States": ["ala"]},
        "destroyed": ["KAZ", "nio", "sea", "Tibet"],
        "arsenals": {"United States": 1},
        "orders": {
            "Greater African Union": ["Arsenal Israel bomb Middle East"],
            "People's Republic of Asia": ["A ind H"],
        },
    }
    answer = json.loads(json.dumps(adjudicate_object(question)))
    assert answer["destroyed"] == ["kaz", "mie", "nio", "sea", "tib"]
    assert answer["cut_off"] == {"ind": "S2102"}
    assert answer["arsenals"] == {"United States": 1, "People's Republic of Asia": 1}
    assert answer["results"]["Greater African Union"][0]["order"] == "R isr bomb mie"
    following = {"variant": "global", "phase": "U2102R", "dislodged": {}} | {
        key: answer[key]
        for key in ("units", "centers", "destroyed", "vanished", "cut_off", "arsenals")
    }
    answer = adjudicate_object(following)
    assert (answer["vanished"], answer["cut_off"]) == (["ind"], {})
    assert answer["centers"]["People's Republic of Asia"] == ["man"]
    read = read_question(following)
    again = position_object(read.variant, read.position)
    assert read_question(again).position == read.position


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        (
            "destroyed",
            ["waf"],
            'units.Greater African Union: "R waf" stands in a destroyed province',
        ),
        ("destroyed", ["egy"], 'centers.Greater African Union: "egy" is no supply center any more'),
        ("vanished", ["egy"], 'centers.Greater African Union: "egy" is no supply center any more'),
        ("cut_off", {"egy": 7}, "cut_off.egy: must be a season like S2102, not 7"),
        ("arsenals", {"United States": -1}, "arsenals.United States: must be a number, not -1"),
    ],
)
def test_a_position_that_cannot_be_is_refused(field: str, value: object, problem: str) -> None:
    question = {
        "variant": "global",
        "phase": "W2102M",
        "units": {"Greater African Union": ["R waf"]},
        "centers": {"Greater African Union": ["egy"]},
        field: value,
    }
    with pytest.raises(InterchangeError) as raised:
        adjudicate_object(question)
    assert str(raised.value) == problem


# -- fewer players (XIV.2) ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "victory", "lost", "builds"),
    [
        ("5", 15, "sca yak", {"US": 4, "RF": 3, "SA": 4, "GA": 4, "PR": 4}),
        ("4", 15, "mad sca yak", {"US": 4, "RF": 3, "SA": 4, "PR": 4}),
        ("3", 16, "yak", {"US": 4, "RF": 3, "SA": 4, "EU": 4, "GA": 4, "PR": 4}),
        ("2", 16, "", {"US": 4, "RF": 4, "SA": 4, "EU": 4, "GA": 4, "PR": 4}),
    ],
)
def test_games_for_fewer_begin_as_the_rules_say(
    players: str, victory: int, lost: str, builds: dict[str, int]
) -> None:
    variant = with_lineup(GLOBAL, players)
    assert variant.victory == victory
    centers = {p.id for p in variant.board.provinces.values() if p.supply_center}
    assert {p.id for p in BOARD.provinces.values() if p.supply_center} - centers == set(
        lost.split()
    )
    owed = engine.owed(variant, variant.opening)
    assert {power: each.builds for power, each in owed.items()} == {
        POWERS[power]: count for power, count in builds.items()
    }
    lineup = GLOBAL.lineups[players]
    assert lineup.players == int(players)
    for power in lineup.standing:
        # "RF and EU begin with three units"
        assert len(variant.opening.units[power]) == 3
        assert {unit.province for unit in variant.opening.units[power]} == set(
            variant.centers[power]
        )


def test_standing_superpowers_hold() -> None:
    variant = with_lineup(GLOBAL, "5")
    opening = engine.adjudicate(variant, variant.opening, {}).position
    europe = POWERS["EU"]
    order = Move(Unit("A", "spn"), "weu")
    moved = engine.adjudicate(variant, opening, {europe: [order]}).position
    assert moved.units[europe] == variant.opening.units[europe]
    assert not rights(moved)


@pytest.mark.parametrize(
    ("players", "sides"),
    [("3", ["US SA", "EU RF", "GA PR"]), ("2", ["US SA GA", "EU RF PR"])],
)
def test_superpowers_of_one_player_win_together_and_keep_their_limits(
    players: str, sides: list[str]
) -> None:
    variant = with_lineup(GLOBAL, players)
    assert [set(side) for side in variant.sides] == [
        {POWERS[power] for power in side.split()} for side in sides
    ]
    every = [p.id for p in variant.board.provinces.values() if p.supply_center]
    first, second = POWERS["US"], POWERS["SA"]
    centers = {first: tuple(every[:8]), second: tuple(every[8:16]), POWERS["PR"]: (every[-1],)}
    before = Position(Phase.read("S2102R"), {first: ()}, centers)
    outcome = engine.adjudicate(variant, before, {})
    assert set(outcome.winners) == set(variant.sides[0])
    # "each of the six superpowers can only have five of each type of unit"
    full = tuple(Unit("A", place) for place in ("nwt", "wca", "eca", "eus", "mex"))
    before = Position(
        Phase.read("S2102A"), {first: full}, {first: tuple(every[:6]), second: ("ven", "per")}
    )
    build = Build(Unit("A", "ala")), Build(Unit("A", "ven"))
    outcome = engine.adjudicate(variant, before, {first: [build[0]], second: [build[1]]})
    assert outcome.results[first][0].reason is Reason.NOT_ALLOWED
    assert outcome.results[second][0].reason is None


# -- the document ---------------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2]


def test_every_test_the_document_names_is_there() -> None:
    """The table of sentences would be worth nothing if its tests could go away."""
    text = (ROOT / "docs" / "variants" / "global.md").read_text(encoding="utf-8")
    folders = ("rules", "variants", "language", "game")
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in folders
        for path in (ROOT / "tests" / folder).glob("test_*.py")
    )
    named = re.findall(r"`(test_\w+)`", text)
    assert len(set(named)) > 60
    assert [name for name in named if f"def {name}(" not in sources] == []


def test_the_document_names_the_modules_of_the_file() -> None:
    text = (ROOT / "docs" / "variants" / "global.md").read_text(encoding="utf-8")
    assert [name for name in GLOBAL.modules if f"`{name}`" not in text] == []
