"""Era of Empire: the facts of its board, and what its rulebook adds to the standard rules.

`docs/variants/era_of_empire.md` has a table of every such sentence with the test that holds it;
the rulebook's examples are cases of `tests/datc`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from judge import variants
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.language.read import read_order
from judge.rules import engine
from judge.rules.board import province_of
from judge.rules.legal_orders import legal_orders
from judge.rules.orders import Order, Unreadable
from judge.rules.phase import Phase
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.result import Adjudication
from judge.rules.rulebook import Rulebook

ERA = variants.load("era_of_empire")
BOARD = ERA.board
SPRING = Phase.read("S1870M")

ABBREVIATIONS = """
aby Abyssinia; ade Aden; afg Afghanistan; aki Akita; ans Andaman Sea; ang Angora; ann Annam; ara
Arabia; ars Arabian Sea; arm Armenia; asm Assam; bag Baghdad; bak Baku; ban Bangkok; bob Bay of
Bengal; ben Bengal; bs Black Sea; bok Bokhara; bom Bombay; bor Borneo; cam Cambodia; can Canton;
ceb Cebu; cel Celebes; cs Celebes Sea; cey Ceylon; chu Chungking; coc Cochin; con Constantinople;
cor Corea; dav Davao; del Delhi; ecs East China Sea; eio East Indian Ocean; egy Egypt; eri
Eritrea; for Formosa; goa Gulf of Aden; gos Gulf of Siam; hk Hong Kong; hyd Hyderabad; irk
Irkutsk; jav Java; js Java Sea; kar Karachi; kag Kashgar; kam Kashmir; kir Kirghiz; kyo Kyoto; kyu
Kyushu; lan Lanchow; lpo Lower Pacific Ocean; luc Lucknow; maa Maasai; mad Madras; mal Malaya; man
Manchuria; may Mandalay; mna Manila; mec Mecca; ms Mediterranean Sea; mpo Middle Pacific Ocean;
mom Mombasa; mon Mongolia; mos Moscow; mys Mysore; nag Nagpur; nep Nepal; ng New Guinea; ode
Odessa; oma Oman; oms Omsk; ore Orenburg; ota Otaru; pek Peking; per Persia; pg Persian Gulf; pa
Port Arthur; pun Punjab; raj Rajputana; ran Rangoon; rs Red Sea; rum Rumania; sak Sakhalin; sar
Sarawak; soj Sea of Japan; soo Sea of Okhotsk; sha Shanghai; shi Shiraz; sig Singapore; sin
Sinkiang; som Somalia; scs South China Sea; sio South Indian Ocean; sud Sudan; sum Sumatra; syr
Syria; tab Tabriz; tas Tashkent; tib Tibet; ts Timor Sea; tok Tokyo; ton Tonkin; upo Upper Pacific
Ocean; uru Urumchi; vla Vladivostok; wio West Indian Ocean; ys Yellow Sea; yun Yunnan
"""
START = {
    # "Initial Setup"
    "Britain": "A del, F mad, A bom, F ade",
    "China": "A pek, F sha, A sin",
    "France": "A ton, F ann, A coc",
    "Japan": "A tok, F kyu, F kyo",
    "Netherlands": "A bor, F jav, F sum",
    "Russia": "A mos, A irk, F vla, F ode",
    "Turkey": "A ang, F bag, F con",
}
NEUTRAL = """
ban ben can ceb cey chu cor dav egy for hk kar mal mna mom ng ota pa per ran rum sar shi
sig sud tab tas
"""


def pairs(steps: dict[str, tuple[str, ...]]) -> set[frozenset[str]]:
    return {frozenset((here, there)) for here, others in steps.items() for there in others}


# -- the board ------------------------------------------------------------------------------------


def test_the_board_has_the_spaces_of_the_table_of_abbreviations() -> None:
    table = " ".join(ABBREVIATIONS.split()).split("; ")
    names = {place.id: place.name for place in BOARD.provinces.values()}
    assert sorted(f"{key} {name}" for key, name in names.items()) == sorted(table)


def test_the_board_has_the_size_of_the_facts() -> None:
    terrains = [place.terrain for place in BOARD.provinces.values()]
    assert [terrains.count(kind) for kind in ("land", "coast", "sea")] == [28, 58, 23]
    assert len(pairs(dict(BOARD.army))) == 161
    assert len(pairs(dict(BOARD.fleet))) == 191
    assert not any(place.coasts for place in BOARD.provinces.values())


def test_the_powers_start_as_the_rulebook_says() -> None:
    assert list(ERA.powers) == list(START)
    for power, units in START.items():
        assert ", ".join(map(str, ERA.start[power])) == units
        assert {unit.province for unit in ERA.start[power]} == set(ERA.centers[power])
    assert str(ERA.start_phase) == "S1870M"


def test_twenty_seven_of_the_fifty_centers_are_neutral() -> None:
    centers = {place.id for place in BOARD.provinces.values() if place.supply_center}
    owned = {center for held in ERA.centers.values() for center in held}
    assert len(centers) == 50
    assert centers - owned == set(NEUTRAL.split())
    assert {place.id: place.home for place in BOARD.provinces.values() if place.home} == {
        center: power for power, held in ERA.centers.items() for center in held
    }


@pytest.mark.parametrize(
    ("unit", "steps"),
    [
        ("A del", "pun raj nag luc nep"),
        ("F ran", "ben bob mal ans"),
        ("F kyu", "ys upo kyo"),
        ("A kyu", "kyo"),
        ("A egy", "sud mec syr"),
        ("F egy", "sud mec syr ms rs"),
        ("A ceb", "dav mna"),
        ("F ceb", "dav mna scs lpo mpo"),
    ],
)
def test_neighbors_the_rulebook_lists(unit: str, steps: str) -> None:
    kind, place = unit.split()
    assert set(BOARD.steps(kind, place)) == set(steps.split())


@pytest.mark.parametrize(
    "pair", ["nep tib", "rs ms", "ade eri", "ade egy", "hk mna", "sar ann", "sum ran", "jav for"]
)
def test_spaces_the_rulebook_keeps_apart(pair: str) -> None:
    here, there = pair.split()
    assert there not in BOARD.steps("A", here)
    assert there not in BOARD.steps("F", here)


@pytest.mark.parametrize(
    "strait",
    [
        "kyu kyo",
        "ceb mna",
        "ceb dav",
        "con ang",
        "hk can",
        "sig mal",
        "sak ota",
        "ota aki",
        "sak vla",
    ],
)
def test_armies_and_fleets_cross_a_strait(strait: str) -> None:
    here, there = strait.split()
    assert there in BOARD.steps("A", here)
    assert there in BOARD.steps("F", here)


def test_nepal_and_tibet_are_the_impassable_neighbors() -> None:
    assert ERA.impassable == (("nep", "tib"),)


def test_every_space_has_a_place_on_the_map() -> None:
    for place in BOARD.provinces.values():
        assert place.position is not None
        assert 20 < place.position[0] < 165
        assert -25 < place.position[1] < 62


# -- names and orders as the rulebook writes them -------------------------------------------------


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("F Constantinople Holds", "F con H"),
        ("F Con Holds", "F con H"),
        ("A Tabriz-Baghdad", "A tab - bag"),
        ("A Tab-Bag", "A tab - bag"),
        ("A Irk – Mon", "A irk - mon"),
        ("Del - Pun", "del - pun"),
        ("A Kar S A Per – Afg", "A kar S A per - afg"),
        ("F GoS S F AnS – Mal", "F gos S F ans - mal"),
        ("F RS C A Egy – Ade", "F rs C A egy - ade"),
        ("A HK – Mna via convoy", "A hk - mna via convoy"),
        ("F SoJ - YS", "F soj - ys"),
        # misprints whose meaning is plain
        ("F RS GoA", "F rs - goa"),
        ("A Tas Afg", "A tas - afg"),
        ("F SCS C Sar - Ann", "F scs C sar - ann"),
        ("F Ade S ArS - GoA", "F ade S ars - goa"),
        ("A PA - Korea", "A pa - cor"),
    ],
)
def test_orders_in_the_writing_of_the_rulebook(text: str, order: str) -> None:
    assert str(read_order(text, ERA, SPRING, "Britain")) == order


def test_as_may_be_two_seas_and_is_asked_back() -> None:
    with pytest.raises(ReadError) as caught:
        Names.of(ERA).location("AS")
    assert caught.value.problem.candidates == ("ans", "ars")
    order = read_order("F AS H", ERA, SPRING, "Britain")
    assert isinstance(order, Unreadable)
    assert order.problem == caught.value.problem
    # Only one of the two is next to the Bay of Bengal.
    order = read_order("F EIO S F BoB – AS", ERA, SPRING, "Britain")
    assert str(order) == "F eio S F bob - ans"


@pytest.mark.parametrize("text", ["A Delhi - Moon", "F EXO S F BoB - AnS"])
def test_what_is_on_no_map_is_not_guessed(text: str) -> None:
    assert isinstance(read_order(text, ERA, SPRING, "Britain"), Unreadable)


def test_singapore_and_sinkiang_have_the_ids_of_this_rulebook() -> None:
    names = Names.of(ERA)
    assert [names.location(text) for text in ("Sig", "Singapore", "Sin", "Sinkiang")] == [
        *("sig", "sig", "sin", "sin")
    ]


# -- rules ----------------------------------------------------------------------------------------


def adjudicate(phase: str, units: str, orders: str, owned: str = "") -> Adjudication:
    """One phase of Britain, Turkey and so on: "Britain: F rs, A egy; Turkey: ..."."""
    position = Position(
        Phase.read(phase),
        {power: tuple(Unit(*each.split()) for each in text) for power, text in _split(units)},
        {power: tuple(" ".join(text).split()) for power, text in _split(owned)},
    )
    given: dict[str, list[Order]] = {
        power: [read_order(each, ERA, position.phase, power, position) for each in text]
        for power, text in _split(orders)
    }
    return engine.adjudicate(ERA, position, given)


def _split(text: str) -> list[tuple[str, list[str]]]:
    parts = [part.split(":") for part in text.split(";") if part]
    return [(power.strip(), [each.strip() for each in rest.split(",")]) for power, rest in parts]


def test_a_fleet_beside_cebu_carries_an_army_there() -> None:
    outcome = adjudicate(
        "S1870M", "Netherlands: A sar, F scs", "Netherlands: A sar - ceb, F scs C A sar - ceb"
    )
    assert outcome.position.units["Netherlands"] == (Unit("A", "ceb"), Unit("F", "scs"))


def test_a_fleet_in_cebu_carries_nobody() -> None:
    outcome = adjudicate(
        "S1870M", "Netherlands: A dav, F ceb", "Netherlands: A dav - mna, F ceb C A dav - mna"
    )
    assert outcome.position.units["Netherlands"] == (Unit("A", "dav"), Unit("F", "ceb"))


def test_the_fleets_of_others_carry_no_army_next_door_against_its_will() -> None:
    outcome = adjudicate(
        "S1870M",
        "France: A mna; Japan: F scs, A ceb",
        "France: A mna - ceb; Japan: A ceb - mna, F scs C A mna - ceb",
    )
    assert outcome.position.units["France"] == (Unit("A", "mna"),)


def test_an_army_goes_by_sea_when_its_player_says_so() -> None:
    outcome = adjudicate(
        "S1870M",
        "France: A mna; Japan: F scs, A ceb",
        "France: A mna - ceb via convoy; Japan: A ceb - mna, F scs C A mna - ceb",
    )
    assert outcome.position.units == {
        "France": (Unit("A", "ceb"),),
        "Japan": (Unit("F", "scs"), Unit("A", "mna")),
    }


def test_a_power_that_gives_no_orders_holds_does_not_retreat_and_builds_nothing() -> None:
    outcome = adjudicate(
        "F1870M",
        "Turkey: A kar, A per; Russia: A afg",
        "Turkey: A per - afg, A kar S A per - afg",
        "Russia: mos irk",
    )
    assert [entry.given for entry in outcome.results["Russia"]] == [False]
    assert outcome.position.dislodged["Russia"][0].unit == Unit("A", "afg")
    after = engine.adjudicate(ERA, outcome.position, {}).position
    assert after.units["Russia"] == ()
    assert engine.adjudicate(ERA, after, {}).position.units["Russia"] == ()


def test_nobody_is_told_where_he_may_not_retreat() -> None:
    gone = Dislodged(Unit("A", "ceb"), "mna")
    position = Position(
        Phase.read("S1870R"),
        {"France": (Unit("A", "ceb"), Unit("A", "mna"))},
        {},
        {"Netherlands": (gone,)},
    )
    legal = legal_orders(ERA, position, "Netherlands")
    assert [str(order) for order in legal[gone.unit]] == ["A ceb R dav", "D A ceb"]


@pytest.mark.parametrize(
    ("units", "centers", "gone"),
    [
        # those on supply centers stay, wherever else units go
        ("F ade, A nep, A kag", "ade mad", "A kag"),
        # the farthest from any center owned goes first, by land and sea alike
        ("F goa, A afg, F ade", "ade del", "A afg"),
        # a fleet before an army
        ("A pun, F ars, A del", "del bom", "F ars"),
        # then by the alphabet of the map's names
        ("A raj, A nag, A pun, A del", "del", "A nag A pun A raj"),
    ],
)
def test_who_is_removed_when_nobody_chose(units: str, centers: str, gone: str) -> None:
    outcome = adjudicate("W1870A", f"Britain: {units}", "", f"Britain: {centers}")
    removed = [str(entry.unit) for entry in outcome.results["Britain"] if not entry.given]
    assert " ".join(removed) == gone


def test_a_unit_removed_too_few_is_removed_by_the_same_rule() -> None:
    outcome = adjudicate(
        "W1870A", "Britain: A raj, A nag, A pun", "Britain: D A pun", "Britain: del"
    )
    assert outcome.position.units["Britain"] == (Unit("A", "raj"),)


def _ahead(first: int, second: int) -> Adjudication:
    """The end of a Fall turn after which two powers own so many centers."""
    centers = [place.id for place in BOARD.provinces.values() if place.supply_center]
    owned = {"China": tuple(centers[:first]), "Japan": tuple(centers[first : first + second])}
    position = Position(Phase.read("F1880R"), dict.fromkeys(owned, ()), owned)
    return engine.adjudicate(ERA, position, {})


@pytest.mark.parametrize(
    ("first", "second", "winners"),
    [
        (21, 20, ()),
        (22, 20, ("China",)),
        (22, 23, ("Japan",)),
        (26, 24, ("China",)),
        (23, 23, ("China", "Japan")),
    ],
)
def test_victory_at_22_and_of_two_the_one_with_more(
    first: int, second: int, winners: tuple[str, ...]
) -> None:
    assert _ahead(first, second).winners == winners


def test_nobody_wins_in_spring() -> None:
    centers = [place.id for place in BOARD.provinces.values() if place.supply_center]
    position = Position(Phase.read("S1880R"), {"China": ()}, {"China": tuple(centers[:30])})
    assert engine.adjudicate(ERA, position, {}).winners == ()


def test_the_rulebook_follows_the_first_of_two_orders() -> None:
    assert ERA.rulebook == "era"
    rulebook = Rulebook.edition("era")
    assert (rulebook.twice_ordered, rulebook.too_many_builds, rulebook.too_many_removals) == tuple(
        "abb"
    )


def test_the_year_runs_from_spring_to_winter() -> None:
    phases = [SPRING]
    while len(phases) < 6:
        phases.append(ERA.calendar.next(phases[-1]))
    assert " ".join(map(str, phases)) == "S1870M S1870R F1870M F1870R W1870A S1871M"


# -- the document ---------------------------------------------------------------------------------

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "variants" / "era_of_empire.md"


def test_every_test_the_document_names_is_there() -> None:
    """The table of sentences would be worth nothing if its tests could go away."""
    sources = "\n".join(
        (ROOT / "tests" / path).read_text(encoding="utf-8")
        for path in (
            *("variants/test_era_of_empire.py", "variants/test_boards.py"),
            *("rules/test_modules.py", "rules/test_phases.py", "rules/test_movement.py"),
            *("rules/test_lineups.py", "game/test_era.py"),
        )
    )
    cases = (ROOT / "tests/datc/cases/rulebook_era.json").read_text(encoding="utf-8")
    text = DOCUMENT.read_text(encoding="utf-8")
    named = re.findall(r"`(test_\w+)`", text)
    assert len(set(named)) > 25
    assert [name for name in named if f"def {name}(" not in sources] == []
    examples = re.findall(r"`(era/[\w.*-]+)`", text)
    assert [each for each in examples if f'"id": "{each.rstrip("*")}' not in cases] == []
    ids = re.findall(r'"id": "(era/[^"]+)"', cases)
    missing = [
        each
        for each in ids
        if each not in examples
        and not any(each.startswith(most[:-1]) for most in examples if most.endswith("*"))
    ]
    assert missing == []


def test_every_guess_of_the_board_file_is_in_the_document() -> None:
    file = (variants.directory() / "era_of_empire.toml").read_text(encoding="utf-8")
    text = DOCUMENT.read_text(encoding="utf-8")
    marked = re.findall(r"# [^\n]*Guess[^\n]*\n\[provinces\.(\w+)\]", file)
    centers = re.findall(r"\[provinces\.(\w+)\][^\[]*?center = true  # guess", file)
    assert len(marked) > 15
    for key in {*marked, *centers}:
        assert BOARD.provinces[province_of(key)].name in text
