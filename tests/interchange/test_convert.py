"""Games go into the formats of others and come back with the same positions."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest

from judge import variants
from judge.interchange.convert import (
    centers_csv,
    godip_text,
    jdip_cases,
    jdip_text,
    judge_object,
    read_game,
    saved_game,
)
from judge.interchange.game_files import PlayedGame, play
from judge.interchange.text import InterchangeError, written
from judge.language.read import read_order
from judge.rules.rulebook import Rulebook

ORDERS = {
    "S1901M": {"Austria": ["A vie - gal", "F tri - alb"], "Russia": ["A war - gal", "F sev - bla"],
               "England": ["A lvp - yor", "F lon - nth", "F edi - nrg"], "Turkey": ["A con - bul"],
               "Germany": ["A ber - kie", "F kie - den", "A mun - ruh"], "France": ["A mar - spa"]},
    "F1901M": {"England": ["F nth C A yor - nwy", "A yor - nwy"], "Turkey": ["A bul - ser"],
               "Austria": ["A vie - tri", "F alb - gre"], "France": ["A spa - por"],
               "Germany": ["A kie - hol", "A ruh S A kie - hol"]},
    "W1901A": {"Germany": ["B A mun", "B F kie"], "England": ["B F lon"], "France": ["B F mar"]},
    "S1902M": {"Austria": ["A bud - ser", "A tri S A bud - ser"]},
    "S1902R": {"Turkey": ["A ser R alb"]},
}  # fmt: skip
"""By phase and power; the others hold."""


@pytest.fixture(scope="module")
def played() -> PlayedGame:
    """A game with a bounce, a convoy, builds, and a retreat."""
    variant, rulebook = variants.load("standard"), Rulebook.edition("2023")
    game = PlayedGame("short", variant, rulebook, [], None)
    position = variant.opening
    for _ in range(8):
        given = ORDERS.get(str(position.phase), {})
        orders = {
            power: [read_order(text, variant, position.phase, power) for text in lines]
            for power, lines in given.items()
        }
        game.phases.append(play(variant, position, orders, rulebook))
        position = game.phases[-1].result.position
    return PlayedGame("short", variant, rulebook, game.phases, position)


def positions(game: PlayedGame) -> list[object]:
    """What stands where in each phase in which somebody decides, and at the end."""
    found = [phase.position for phase in game.phases if phase.orders]
    found += [game.final] if game.final else []
    return [
        (
            str(each.phase),
            {(power, str(unit)) for power in each.units for unit in each.units[power]},
            {(power, str(gone.unit)) for power, lost in each.dislodged.items() for gone in lost},
            {(power, center) for power, held in each.centers.items() for center in held},
        )
        for each in found
    ]


def test_a_saved_game_of_the_package_comes_back_with_every_position(played: PlayedGame) -> None:
    data = saved_game(played)
    names = [each["name"] for each in data["phases"]]
    assert names[:4] == ["S1901M", "F1901M", "W1901A", "S1902M"]
    first, second = data["phases"][:2]
    assert first["orders"]["RUSSIA"] == ["A WAR - GAL", "F SEV - BLA"]
    assert first["results"]["A WAR"] == ["bounce"]
    assert second["orders"]["ENGLAND"] == ["F NTH C A YOR - NWY", "A YOR - NWY VIA"]
    assert "F NWG" in second["state"]["units"]["ENGLAND"]
    retreats = next(each for each in data["phases"] if each["name"] == "S1902R")
    assert "*A SER" in retreats["state"]["units"]["TURKEY"]
    back = read_game(written(data).encode())
    assert back.doubts == []
    assert positions(back) == positions(played)


def test_a_text_of_godip_comes_back_with_every_position(played: PlayedGame) -> None:
    text = godip_text(played)
    assert "\tyor move nwy" in text
    assert "\tbuild Army mun" in text
    back = read_game(text.encode())
    assert back.doubts == []
    assert positions(back) == positions(played)


def test_a_game_file_comes_back_and_has_the_centers_by_year(played: PlayedGame) -> None:
    back = read_game(written(judge_object(played)).encode())
    assert positions(back) == positions(played)
    rows = list(csv.DictReader(centers_csv(back).splitlines()))
    assert [row["year"] for row in rows] == ["1900", "1901"]
    assert (rows[1]["Germany"], rows[1]["Turkey"]) == ("5", "4")


def test_cases_of_jdip_are_positions_with_orders(played: PlayedGame) -> None:
    cases = list(jdip_cases(jdip_text(played).encode()))
    assert [each["phase"] for each in cases] == ["S1901M", "F1901M", "S1902M", "S1902R", "F1902M"]
    assert "Russia: A war - gal" not in cases[0]["orders"]["Russia"]
    assert "A war - gal" in cases[0]["orders"]["Russia"]
    assert cases[0]["expected"] == cases[1]["units"]


def saved(*phases: dict[str, Any]) -> bytes:
    return json.dumps({"id": "x", "map": "standard", "phases": phases}).encode()


def opening(name: str, orders: dict[str, Any], units: list[str], **more: Any) -> dict[str, Any]:
    state = {"units": {"AUSTRIA": units}, "centers": {"AUSTRIA": ["BUD"]}, **more}
    return {"name": name, "state": state, "orders": orders, "results": {}, "messages": []}


def test_the_package_lets_armies_walk_that_no_fleet_carries() -> None:
    game = read_game(
        saved(
            opening("S1901M", {"AUSTRIA": ["A GRE - ALB VIA"]}, ["A GRE"]),
            opening("F1901M", {"AUSTRIA": None}, ["A ALB"]),
        )
    )
    assert game.doubts == []


def test_what_the_package_removed_by_itself_is_read_from_its_results() -> None:
    autumn = opening("W1901A", {"AUSTRIA": []}, ["A GRE", "F TRI"])
    game = read_game(
        saved(
            {**autumn, "results": {"A GRE": [""]}},
            opening("S1902M", {"AUSTRIA": None}, ["F TRI"]),
        )
    )
    assert game.doubts == []
    assert "D A gre" in str(judge_object(game)["phases"][0]["orders"])


def test_an_army_that_no_fleet_carries_stays_where_it_is_in_every_format() -> None:
    variant, rulebook = variants.load("standard"), Rulebook.edition("2023")
    start = variant.opening
    order = read_order("A lvp - wal via convoy", variant, start.phase, "England")
    phase = play(variant, start, {"England": [order]}, rulebook)
    game = PlayedGame("short", variant, rulebook, [phase], phase.result.position)
    saved_one = saved_game(game)
    assert saved_one["phases"][0]["orders"]["ENGLAND"] == ["A LVP H"]
    assert "lvp move wal via" in godip_text(game)
    for raw in (written(saved_one), godip_text(game)):
        back = read_game(raw.encode())
        assert positions(back) == positions(game)
        assert back.doubts == []


def test_files_of_cicero_open_a_phase_twice_and_end_unplayed() -> None:
    first = opening("S1901M", {"AUSTRIA": ["A BUD - SER"]}, ["A BUD"])
    game = read_game(saved(first, first, opening("F1901M", {}, ["A SER"])))
    assert game.doubts == []
    assert [str(each.position.phase) for each in game.phases] == ["S1901M", "S1901R"]


def test_another_position_is_a_doubt_and_the_game_goes_on_from_there() -> None:
    game = read_game(
        saved(
            opening("S1901M", {"AUSTRIA": ["A BUD - SER"]}, ["A BUD"]),
            opening("F1901M", {"AUSTRIA": ["A RUM H"]}, ["A RUM"]),
            opening("COMPLETED", {}, ["A RUM"], centers={"AUSTRIA": ["BUD", "RUM"]}),
        )
    )
    assert game.doubts == ["F1901M: by the rules, units differ: Austria A rum, Austria A ser"]
    assert str(game.phases[-1].position.units["Austria"][0]) == "A rum"


def test_a_saved_game_that_was_won_has_its_last_year_and_its_winner() -> None:
    centers = variants.load("standard").board.centers
    held = [each.upper() for each in centers if each != "tun"]
    autumn = opening("F1901M", {"FRANCE": ["F WES - TUN"]}, [])
    autumn["state"] = {"units": {"FRANCE": ["F WES"]}, "centers": {"FRANCE": held[:17]}}
    after = {"units": {"FRANCE": ["F TUN"]}, "centers": {"FRANCE": [*held[:17], "TUN"]}}
    game = read_game(saved(autumn, autumn | {"name": "COMPLETED", "state": after, "orders": {}}))
    assert game.doubts == []
    found = judge_object(game)
    assert found["outcome"] == {"ending": "victory", "winners": ["France"]}
    assert found["centers"]["1901"]["France"] == 18


@pytest.mark.parametrize(
    "raw",
    [
        b'{"phases": [], "hello": 1}',
        *(b"", b"hello", b"{", b"{}", b'{"phases": 3}', b'{"phases": [{}]}', b"PHASE x\n"),
        saved(opening("S1901M", {}, ["A XYZ"])),
        json.dumps({"map": "colonial", "phases": []}).encode(),
        b"PHASE 1901 Spring Movement\nPOSITIONS\nAtlantis: army bud\nORDERS\n",
    ],
)
def test_what_is_no_game_is_refused_in_a_sentence(raw: bytes) -> None:
    with pytest.raises(InterchangeError):
        read_game(raw)


def test_who_shared_a_saved_game_is_kept_both_ways() -> None:
    after = opening("COMPLETED", {}, ["A BUD"]) | {"orders": {}}
    after["state"]["note"] = "Victory by: AUS, ITA"
    game = read_game(saved(opening("S1901M", {}, ["A BUD"]), after))
    assert game.winners == ("Austria", "Italy")
    assert judge_object(game)["outcome"] == {"ending": "draw", "winners": ["Austria", "Italy"]}
    back = saved_game(read_game(written(judge_object(game)).encode()))
    last = back["phases"][-1]
    assert (last["name"], last["state"]["note"]) == ("COMPLETED", "Victory by: AUS, ITA")
