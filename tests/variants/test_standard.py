"""The facts of the standard board, by what the rulebook and the test cases say of it."""

from __future__ import annotations

import pytest

from judge import variants
from judge.rules.board import province_of

STANDARD = variants.load("standard")
BOARD = STANDARD.board

START = {
    # 2023 rulebook, "Starting Positions"
    "Austria": "A vie, A bud, F tri",
    "England": "F lon, F edi, A lvp",
    "France": "A par, A mar, F bre",
    "Germany": "A ber, A mun, F kie",
    "Italy": "A rom, A ven, F nap",
    "Russia": "A mos, F sev, A war, F stp/sc",
    "Turkey": "F ank, A con, A smy",
}
NEUTRAL = "bel bul den gre hol nwy por rum ser spa swe tun"
DIAGRAM_1 = "bre pic bur gas"
DIAGRAM_2 = "iri wal lon bel pic bre nth mid"
ABBREVIATIONS = """
boh bud gal tri tyr vie cly edi lvp lon wal yor bre bur gas mar par pic ber kie mun pru ruh sil
apu nap pie rom tus ven fin lvn mos sev stp ukr war ank arm con smy syr alb bel bul den gre hol nwy
naf por rum ser spa swe tun adr aeg bal bar bla eas eng bot gol hel ion iri mid nat nth nrg ska tyn
wes
"""


def test_the_board_has_the_provinces_of_the_rulebook() -> None:
    assert set(BOARD.provinces) == set(ABBREVIATIONS.split())
    assert len(BOARD.provinces) == 75


def test_each_terrain_is_as_frequent_as_on_the_map() -> None:
    terrains = [province.terrain for province in BOARD.provinces.values()]
    assert [terrains.count(kind) for kind in ("land", "coast", "sea")] == [14, 42, 19]


def test_powers_start_as_the_rulebook_says() -> None:
    assert list(STANDARD.powers) == list(START)
    for power, units in START.items():
        assert {str(unit) for unit in STANDARD.start[power]} == set(units.split(", "))
        assert {unit.province for unit in STANDARD.start[power]} == set(STANDARD.centers[power])


def test_twelve_of_the_centers_are_neutral() -> None:
    centers = {p.id for p in BOARD.provinces.values() if p.supply_center}
    owned = {center for owned in STANDARD.centers.values() for center in owned}
    assert len(centers) == 34
    assert centers - owned == set(NEUTRAL.split())
    assert STANDARD.victory == 18


def test_a_home_country_is_more_than_its_centers() -> None:
    homes = {p.id for p in BOARD.provinces.values() if p.home == "Austria"}
    assert homes == {"boh", "bud", "gal", "tri", "tyr", "vie"}
    assert not any(p.home for p in BOARD.provinces.values() if p.terrain == "sea")


def test_three_provinces_have_two_coasts() -> None:
    split = {p.id: p.coasts for p in BOARD.provinces.values() if p.coasts}
    assert split == {"stp": ("nc", "sc"), "bul": ("ec", "sc"), "spa": ("nc", "sc")}


def test_a_year_has_five_phases_and_centers_change_hands_in_fall() -> None:
    year = [season.value + kind.value for season, kind in STANDARD.calendar.year]
    assert year == ["SM", "SR", "FM", "FR", "WA"]
    assert [season.value for season in STANDARD.calendar.ownership] == ["F"]
    assert str(STANDARD.start_phase) == "S1901M"


@pytest.mark.parametrize(
    ("kind", "here", "there"),
    [
        # 2023 rulebook, "Fleet Movement", diagram 2
        *(("F", "eng", other) for other in DIAGRAM_2.split()),
        # diagram 1
        *(("A", "par", other) for other in DIAGRAM_1.split()),
        # "Specific Movement Clarifications"
        ("F", "con", "bul/ec"),
        ("F", "con", "bul/sc"),
        ("F", "mid", "spa/nc"),
        ("F", "mid", "spa/sc"),
        ("F", "bla", "con"),
        ("F", "con", "aeg"),
        ("F", "hol", "kie"),
        ("F", "kie", "ber"),
        ("A", "swe", "den"),
        ("F", "swe", "den"),
        ("F", "bal", "den"),
        ("F", "bal", "swe"),
        ("F", "ska", "den"),
        ("F", "ska", "swe"),
        # the sample game: Sweden and Norway by the south, Norway and St. Petersburg by the north
        ("F", "swe", "nwy"),
        ("A", "nwy", "stp"),
        ("F", "nwy", "stp/nc"),
        ("A", "fin", "nwy"),
        ("F", "ank", "con"),
        ("F", "ank", "arm"),
        ("F", "rom", "tus"),
        ("F", "rom", "nap"),
    ],
)
def test_a_step_that_is_possible(kind: str, here: str, there: str) -> None:
    assert there in BOARD.steps(kind, here)
    assert here in BOARD.steps(kind, there)


@pytest.mark.parametrize(
    ("kind", "here", "there"),
    [
        # along an inland boundary only: fleets
        ("F", "rom", "ven"),
        ("F", "rom", "apu"),
        ("F", "ank", "smy"),
        ("F", "smy", "arm"),
        ("F", "arm", "syr"),
        ("F", "edi", "lvp"),
        ("F", "wal", "yor"),
        ("F", "lvp", "yor"),
        ("F", "fin", "nwy"),
        ("F", "gas", "mar"),
        ("F", "pie", "ven"),
        ("F", "tus", "ven"),
        # coasts
        ("F", "spa/nc", "wes"),
        ("F", "spa/nc", "gol"),
        ("F", "spa/nc", "mar"),
        ("F", "spa/sc", "gas"),
        ("F", "bul/ec", "gre"),
        ("F", "bul/ec", "aeg"),
        ("F", "bul/sc", "rum"),
        ("F", "stp/nc", "fin"),
        ("F", "stp/sc", "nwy"),
        # "a fleet moving from the Baltic Sea can't move directly to the Skagerrak"
        ("F", "bal", "ska"),
        # "Denmark doesn't border on Berlin"
        ("A", "den", "ber"),
        ("F", "den", "ber"),
        ("A", "den", "nwy"),
        ("A", "mun", "ven"),
        ("A", "vie", "ven"),
        ("A", "mos", "fin"),
    ],
)
def test_a_step_that_is_not_possible(kind: str, here: str, there: str) -> None:
    assert there not in BOARD.steps(kind, here)
    assert here not in BOARD.steps(kind, there)


def test_coastal_steps_of_fleets_are_steps_of_armies_too() -> None:
    """No fleet goes from coast to coast on this board where an army could not."""
    for here, steps in BOARD.fleet.items():
        for there in steps:
            lands = {BOARD.provinces[province_of(place)].terrain for place in (here, there)}
            if lands == {"coast"}:
                assert province_of(there) in BOARD.army[province_of(here)], (here, there)


def test_there_are_as_many_borders_as_on_the_map() -> None:
    """A border lost or added by a slip shows in the count, both ways as it is written."""
    assert sum(map(len, BOARD.army.values())) == 2 * 111
    assert sum(map(len, BOARD.fleet.values())) == 2 * 141
