"""Every form of the order table of the mail judges, with a position; and lines copied from results
of nJudge, DPjudge, webDiplomacy, Backstabbr and of our own letters."""

from __future__ import annotations

from typing import Any

import pytest

from tests.game.test_lines import read

MOVES = {
    "phase": "F1903M",
    "units": {
        "France": ["A par", "A mun", "F nth", "A lon", "F mid", "F stp/sc", "A spa"],
        "Germany": ["A ber", "F kie", "A bur"],
        "Italy": ["A tun"],
    },
}
RETREATS = {
    "phase": "F1903R",
    "units": {"Italy": ["A tyr"], "Russia": ["F hol"]},
    "dislodged": {
        "Germany": [{"unit": "A mun", "attacker": "tyr"}, {"unit": "F kie", "attacker": "hol"}]
    },
}
BUILDS = {
    "phase": "W1903A",
    "units": {"Russia": ["A mos"]},
    "centers": {"Russia": ["mos", "stp", "war", "sev"]},
}
REMOVALS = {
    "phase": "W1903A",
    "units": {"Italy": ["A tun", "A rom", "F nap"]},
    "centers": {"Italy": ["rom"]},
}

TABLE: list[tuple[dict[str, Any], str, str, tuple[str, ...]]] = [
    (
        MOVES,
        "France",
        "A par H",
        ("A Par H", "A Par holds", "A Par stands", "army paris hold.", "Par h", "A Par - H"),
    ),
    (
        MOVES,
        "France",
        "A par - bur",
        (
            *("A Par - Bur", "A Par -> Bur", "A Par m Bur", "A Par moves to Bur", "par bur"),
            *("A Par – Bur", "A Par — Bur", "A Par − Bur", "A Par ‐ Bur", "A Par ‑ Bur"),
            *("A Par ~ Bur", "A Par--Bur", "A Par>Bur", "A Par→Bur", "A Par ➔ Bur", "A Par=>Bur"),
            *(
                "A Par ー Bur",
                "A Par － Bur",
                "par-bur",
                "French A Par - Bur",
                "France: A Par - Bur",
            ),
            *("A Paris - Burgandy", "A.Par-Bur", "A Par - Bur // why not"),
        ),
    ),
    (
        MOVES,
        "France",
        "A mun S A ber - kie",
        ("A Mun S A Ber - Kie", "A Mun supports A Ber-Kie", "A Mun S German A Ber - Kie"),
    ),
    (MOVES, "France", "A mun S F kie", ("A Mun S F Kie", "A Mun S F Kie H", "Mun supports Kie")),
    (
        MOVES,
        "France",
        "F nth C A lon - nwy",
        (
            *("F Nth C A Lon - Nwy", "F Nth convoys A Lon - Nwy", "F Nth transports A Lon - Nwy"),
            *("F Nth t A Lon - Nwy", "nth c lon-nwy"),
        ),
    ),
    (MOVES, "France", "A lon - nwy", ("A Lon - Nwy",)),
    (MOVES, "France", "A lon - nth - nwy", ("A Lon - Nth - Nwy", "A Lon - Nwy via Nth")),
    (
        MOVES,
        "France",
        "A lon - nwy via convoy",
        ("A Lon - Nwy VIA", "A Lon - Nwy by convoy", "A Lon - Nwy via convoy"),
    ),
    (
        MOVES,
        "France",
        "F mid - spa/nc",
        (
            *("F Mid - Spa/nc", "F Mid - Spa(nc)", "F Mid - Spa (nc)", "F Mid - Spa/north coast"),
            *("F Mid - Spain (north coast)", "F Mid - Spa nc", "F MAO - SPA N.C."),
        ),
    ),
    # What the board leaves no choice about need not be said.
    (MOVES, "France", "F stp/sc - bot", ("F StP - Bot", "F StP/sc - Bot", "StP - GoB")),
    (
        RETREATS,
        "Germany",
        "F kie R den",
        ("F Kie - Den", "F Kie R Den", "retreat F Kie - Den", "F Kie retreats to Denmark"),
    ),
    (
        RETREATS,
        "Germany",
        "A mun D",
        ("A Mun D", "A Mun disband", "disband A Mun", "d mun", "remove A Mun"),
    ),
    (RETREATS, "Germany", "A mun R boh", ("retreat A Mun - Boh", "A Mun - Boh", "Mun Boh")),
    (BUILDS, "Russia", "B A war", ("B A War", "Build army Warsaw", "A War", "A War B", "War")),
    (BUILDS, "Russia", "B F stp/sc", ("build F StP/sc", "F StP(sc)", "B F StP/sc")),
    (BUILDS, "Russia", "WAIVE", ("WAIVE", "waive all builds")),
    (BUILDS, "Russia", "WAIVE 2", ("WAIVE 2", "waive two builds")),
    (
        REMOVALS,
        "Italy",
        "D A tun",
        ("R A Tun", "disband A Tun", "Tun", "A Tun", "D A Tun", "remove A Tun", "A Tun D"),
    ),
]

COPIED: list[tuple[dict[str, Any], str, str, tuple[str, ...]]] = [
    (
        MOVES,
        "France",
        "A par - bur",
        (
            "France: Army Paris -> Burgundy.  (*bounce*)",
            "FRANCE: Army Paris -> Burgundy (*bounce, dislodged*)",
            "A PAR - BUR (*void*)",
            "A PAR-BUR **bounced**",
            "The army at Paris move to Burgundy.",
            "The army at Paris move to Burgundy. (fail)",
            "Paris → Burgundy ✓",
            "PARIS - BURGUNDY ✗ (bounced)",
            "Army Paris moves to Burgundy - FAILED: bounced with the German army from Munich.",
            "Army Paris moves to Burgundy.",
        ),
    ),
    (
        MOVES,
        "France",
        "F nth C A lon - nwy",
        (
            "France: Fleet North Sea CONVOY Army London -> Norway.",
            "The fleet at North Sea convoy to Norway from London.",
            "F North Sea convoys London to Norway",
        ),
    ),
    (
        MOVES,
        "France",
        "A mun S A ber - kie",
        (
            "France: Army Munich SUPPORT German Army Berlin -> Kiel.  (*cut*)",
            "The army at Munich support move to Kiel from Berlin. (fail)",
            "Munich supports Berlin to Kiel",
            "Army Munich supports army Berlin in its move to Kiel.",
        ),
    ),
    (
        MOVES,
        "France",
        "F stp/sc - bot",
        (
            "France: Fleet St Petersburg (south coast) -> Gulf of Bothnia.",
            "The fleet at St. Petersburg (South Coast) move to Gulf of Bothnia.",
            "F stp/sc - bot       Fleet St. Petersburg (south coast) moves to Gulf of Bothnia",
        ),
    ),
    (
        RETREATS,
        "Germany",
        "A mun R boh",
        ("Germany: Army Munich -> Bohemia.", "The army at Munich retreat to Bohemia."),
    ),
    (BUILDS, "Russia", "B A war", ("Russia: Builds an army in Warsaw.",)),
    (BUILDS, "Russia", "WAIVE", ("Russia: Build waived.",)),
    (REMOVALS, "Italy", "D A tun", ("Italy: Removes the army in Tunis.",)),
]


def cases(
    table: list[tuple[dict[str, Any], str, str, tuple[str, ...]]],
) -> list[tuple[dict[str, Any], str, str, str]]:
    return [(game, power, line, order) for game, power, order, lines in table for line in lines]


@pytest.mark.parametrize(("game", "power", "line", "order"), cases([*TABLE, *COPIED]))
def test_every_form_is_the_one_order(
    game: dict[str, Any], power: str, line: str, order: str
) -> None:
    found = read(line, game, power)
    assert found["orders"] == {power: [order]}
    assert all(each["problem"] is None for each in found["lines"])


@pytest.mark.parametrize(
    ("game", "power", "line", "problem", "offers"),
    [
        (
            *(MOVES, "France", "F Mid - Spa"),
            "two coasts; write spa/nc or spa/sc",
            ["F mid - spa/nc", "F mid - spa/sc"],
        ),
        (
            *(BUILDS, "Russia", "B F StP"),
            "the coast of St. Petersburg must be named",
            ["B F stp/nc", "B F stp/sc"],
        ),
        (
            *(MOVES, "France", "F Nth - Nor"),
            "Nor could mean",
            ["F nth - nwy", "F nth - nrg"],
        ),
        (*(MOVES, "France", "A Liv - Yor"), "no unit in Liverpool", []),
        (*(MOVES, "France", "German A Bur - Mar"), "a unit of Germany; you play France", []),
        (*(MOVES, "France", "German A Par - Gas"), "a unit of Germany; you play France", []),
        (*(RETREATS, "Germany", "A Mun - Tyr"), "attacker", None),
        (*(BUILDS, "Russia", "B A Ber"), "Berlin", None),
    ],
)
def test_what_is_wrong_is_named_with_all_that_may_be_meant(
    game: dict[str, Any], power: str, line: str, problem: str, offers: list[str] | None
) -> None:
    found = read(f"{line}\n", game, power)
    assert found["orders"] == {}
    assert problem in found["lines"][0]["problem"]
    if offers is not None:
        assert found["lines"][0]["suggestions"] == offers


def test_the_last_order_of_a_unit_wins_and_the_rest_of_the_mail_counts() -> None:
    found = read("A Par - Bur\nF Mid - Spa\nA Lon - Wal\nA Par - Gas", MOVES, "France")
    assert found["orders"] == {"France": ["A lon - wal", "A par - gas"]}


def test_the_first_removals_that_are_due_count() -> None:
    found = read("Tun\nRom\nNap", REMOVALS, "Italy")
    assert found["orders"] == {"Italy": ["D A tun", "D A rom"]}
    assert "2 are due" in found["lines"][2]["problem"]
