"""`judge map`: pictures of games and of positions in files."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Call
from tests.game.play import Play

POSITION = {
    "phase": "S1901M",
    "units": {"France": ["A par", "A mar"], "Germany": ["A mun"]},
    "orders": {"France": ["A par - bur", "A mar S A par - bur"], "Germany": ["A mun - bur"]},
}


def test_a_position_with_what_its_orders_come_to(tmp_path: Path, call: Call) -> None:
    (tmp_path / "position.json").write_text(json.dumps(POSITION))
    svg = tmp_path / "map.svg"
    assert call("map", str(tmp_path / "position.json"), "--orders", "-o", str(svg)).exit_code == 0
    text = svg.read_text()
    assert 'class="order succeeds" data-power="France" data-order="A par - bur"' in text
    assert 'class="order fails" data-power="Germany" data-order="A mun - bur"' in text
    assert call("map", str(tmp_path / "position.json"), "-o", str(svg)).exit_code == 0
    assert "data-order" not in svg.read_text()


def test_png_is_told_by_the_name_of_the_file(tmp_path: Path, call: Call) -> None:
    (tmp_path / "position.json").write_text(json.dumps(POSITION))
    png = tmp_path / "map.png"
    assert call("map", str(tmp_path / "position.json"), "-o", str(png)).exit_code == 0
    assert png.read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_is_said(tmp_path: Path, call: Call, home: Path) -> None:
    (tmp_path / "position.json").write_text("{}")
    out = str(tmp_path / "map.svg")
    assert "phase" in call("map", str(tmp_path / "position.json"), "-o", out).output
    result = call("map", "nowhere", "-o", out)
    assert (result.exit_code, "no game nowhere" in result.output) == (1, True)
    assert call("map", "nowhere", "-o", str(tmp_path / "map.jpg")).exit_code == 2


def test_a_game_now_and_as_it_was(home: Path, tmp_path: Path, call: Call) -> None:
    play = Play(home)
    play.start()
    out = tmp_path / "map.svg"
    assert call("map", "paris", "-o", str(out)).exit_code == 0
    assert 'data-unit="A par"' in out.read_text()
    assert ">paris<" in out.read_text()
    refused = call("map", "paris", "--orders", "-o", str(out))
    assert (refused.exit_code, "no phase of paris has run" in refused.output) == (1, True)
    play.storage.close()
    result = call("map", "paris", "--phase", "F1950M", "-o", str(out))
    assert (result.exit_code, "F1950M has not run" in result.output) == (1, True)
