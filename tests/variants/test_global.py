"""Global Diplomacy: the facts of its board, and the clues of its rules that the board keeps.

`docs/variants/global.md` has a table of every sentence of the rules with the test that holds it.
"""

from __future__ import annotations

import json
from pathlib import Path

from judge import variants
from judge.interchange import variant_object
from judge.rules.geometry import geometry
from judge.rules.kinds import ANY_WAY
from judge.rules.position import Unit

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
    field = geometry(BOARD)
    return {field.ids[place] for place in field.reach(Unit("AF", space), ANY_WAY)}


def test_an_air_force_in_tibet_reaches_india_and_the_water_beyond() -> None:
    # IX.1
    assert {"ind", "nio"} <= within_two("tib")
    assert "sio" not in within_two("tib")
    assert "tib" not in within_two("tib")
