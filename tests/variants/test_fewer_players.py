"""The games of both rulebooks for fewer players: ownership by country, and the document on them."""

from __future__ import annotations

import re
from pathlib import Path

from judge import variants
from judge.rules import engine
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.rules.variant import with_lineup

ROOT = Path(__file__).resolve().parents[2]
STANDARD = variants.load("standard")


def test_centers_and_builds_stay_with_each_country() -> None:
    four = with_lineup(STANDARD, "4")
    # Austria and France have one player: what a French army enters is France's, and France builds.
    units = {"France": (Unit("A", "tri"),), "Austria": (Unit("A", "vie"), Unit("A", "bud"))}
    before = Position(Phase.read("F1901R"), units, STANDARD.centers)
    after = engine.adjudicate(four, before, {}).position
    assert "tri" in after.centers["France"]
    assert "tri" not in after.centers["Austria"]
    owed = engine.owed(four, after)
    assert owed["France"].builds == 3
    assert "Austria" not in owed


def test_every_test_the_document_names_is_there() -> None:
    named = re.findall(r"`(test_\w+)`", (ROOT / "docs/variants/fewer_players.md").read_text())
    sources = "\n".join(
        (ROOT / "tests" / path).read_text(encoding="utf-8")
        for path in (
            *("rules/test_lineups.py", "variants/test_fewer_players.py", "game/test_coin.py"),
            *("game/test_seating.py", "game/test_several_powers.py", "game/test_endings.py"),
        )
    )
    assert len(set(named)) > 15
    assert [name for name in named if f"def {name}(" not in sources] == []


def test_the_document_names_every_game_of_the_file() -> None:
    text = (ROOT / "docs/variants/fewer_players.md").read_text()
    for name, lineup in STANDARD.lineups.items():
        assert f"| {name.partition('-')[0]} |" in text or f"`{name}`" in text
        for group in lineup.groups:
            if len(group) > 1:
                assert f"{', '.join(group[:-1])} and {group[-1]}" in text, (name, group)
