"""A stranger's variant with a rule of its own: nothing of the judge is touched."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from judge import variants
from judge.cli import main
from judge.cli.configuration import load_config
from judge.game.state import State
from judge.rules.engine import adjudicate, owed
from judge.rules.hooks import rule_hooks
from judge.rules.modules.conscription import builds_at_home
from judge.rules.orders import Build
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from judge.variants import files
from tests.game.play import Play
from tests.variants.test_guide import blocks

DUEL = 'title = "Camps"\nboard = "standard"\nmodules = ["camp"]\n'
QUICK = DUEL.replace("standard", "pure") + 'rule_file = "camp.py"\n'
"""On a board with few names, which a check reads all of."""

WINTER = Position(
    Phase.read("W1901A"),
    {"France": (Unit("A", "bur"),)},
    {"France": ("bel", "par", "spa")},
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("JUDGE_VARIANTS", str(tmp_path))
    (tmp_path / "camps.toml").write_text(f'{DUEL}rule_file = "camp.py"\n', encoding="utf-8")
    (tmp_path / "camp.py").write_text(blocks("python")[0], encoding="utf-8")
    variants.load.cache_clear()
    yield tmp_path
    variants.load.cache_clear()


def check(folder: Path) -> str:
    return CliRunner().invoke(main, ["variant", "check", str(folder / "camps.toml")]).output


def test_the_rule_of_the_guide_decides_where_units_are_built(folder: Path) -> None:
    camps = variants.load("camps")
    assert owed(camps, WINTER)["France"].builds == 2
    build = Unit("A", "bel")
    after = adjudicate(camps, WINTER, {"France": [Build(build)]})
    assert build in after.position.units["France"]
    standard = variants.load("standard")
    assert rule_hooks(standard).can_build is builds_at_home
    assert owed(standard, WINTER)["France"].builds == 1


def test_a_variant_with_the_rule_of_the_guide_is_good(folder: Path) -> None:
    (folder / "camps.toml").write_text(QUICK, encoding="utf-8")
    assert "is a good variant" in check(folder)


def test_a_variant_that_builds_on_it_has_the_rule_too(folder: Path) -> None:
    (folder / "more.toml").write_text('title = "More"\nboard = "camps"\n', encoding="utf-8")
    assert owed(variants.load("more"), WINTER)["France"].builds == 2


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("1 / 0", "camp.py does not run: ZeroDivisionError"),
        ("RULE = {}", "has no dictionary RULES"),
        ("RULES = {'tent': {}}", "there is no rule module 'camp'"),
        ("RULES = {'camp': {'can_biuld': print}}", "there is no hook 'can_biuld'"),
        ("RULES = {'camp': {'can_build': 7}}", "can_build is not a function"),
        ("RULES = {'camp': 7}", "must map names of hooks to functions"),
        ("RULES = {'camp': {}, 'bombs': {}}", "the judge has one of that name already"),
    ],
)
def test_what_is_wrong_with_a_rule_file_is_said(folder: Path, source: str, problem: str) -> None:
    (folder / "camp.py").write_text(source, encoding="utf-8")
    assert problem in check(folder)


@pytest.mark.parametrize("name", ["gone.py", "../camp.py"])
def test_the_file_stands_beside_the_variant(folder: Path, name: str) -> None:
    (folder / "camps.toml").write_text(f'{DUEL}rule_file = "{name}"\n', encoding="utf-8")
    assert f"there is no file '{name}' beside camps.toml" in check(folder)


def test_a_package_offers_a_module(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def installed(**wanted: Any) -> EntryPoints:
        point = EntryPoint("camp", "tests.variants.test_own_modules:OFFERED", files.GROUP)
        return EntryPoints([point]).select(**wanted)

    (folder / "camps.toml").write_text(DUEL, encoding="utf-8")
    assert "there is no rule module 'camp'" in check(folder)
    monkeypatch.setattr("importlib.metadata.entry_points", installed)
    assert owed(variants.load("camps"), WINTER)["France"].builds == 2


OFFERED = {"can_build": lambda variant, position, power, province: True}


# A folder from outside


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A stranger's folder: a board with its rule module in a folder of its own."""
    monkeypatch.delenv("JUDGE_VARIANTS")
    folder = tmp_path / "boards" / "marsh"
    folder.mkdir(parents=True)
    (folder / "marsh.toml").write_text(f'{DUEL}rule_file = "camp.py"\n', encoding="utf-8")
    (folder / "camp.py").write_text(blocks("python")[0], encoding="utf-8")
    yield folder.parent
    variants.configure(())


def test_a_folder_is_checked_whole(outside: Path) -> None:
    (outside / "marsh" / "marsh.toml").write_text(QUICK, encoding="utf-8")
    done = CliRunner().invoke(main, ["variant", "check", str(outside)])
    assert done.exit_code == 0
    assert "marsh.toml is a good variant." in done.output
    (outside / "bad.toml").write_text('title = "Bad"\nboard = "nowhere"\n', encoding="utf-8")
    done = CliRunner().invoke(main, ["variant", "check", str(outside)])
    assert done.exit_code == 1
    assert "there is no variant 'nowhere'" in done.output
    assert "marsh.toml is a good variant." in done.output
    empty = outside / "empty"
    empty.mkdir()
    assert "no variant file" in CliRunner().invoke(main, ["variant", "check", str(empty)]).output


def test_a_judge_takes_the_folders_of_its_configuration(outside: Path) -> None:
    play = Play(outside.parent)
    file = outside.parent / "judge.toml"
    text = '[judge]\naddress = "judge@judge.example"\nvariants = ["boards"]\n'
    file.write_text(text, encoding="utf-8")
    assert "marsh" not in variants.names()
    load_config(file)
    assert "marsh" in variants.names()
    started = play.send("max", "CREATE ?pond marsh, PLAYERS 7\nSET NO DAILY")
    assert "(Camps, rulebook of 2023) is open" in " ".join(started.text.split())
    state = State(play.storage, play.storage.games.by_name("pond"))  # type: ignore[arg-type]
    assert owed(state.variant, WINTER)["France"].builds == 2
    play.storage.close()


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('army = "hil"\nfleet = "lag"\naliases', 'fleet = "lag"\naliases', "army sal: hil borders"),
        ('fleet = "lag"\n\n[provinces.lag]', "\n[provinces.lag]", "no unit can get to this center"),
        ("victory = 3", 'victory = 3\ngates = ["hil ree lag"]', ""),
        ("victory = 3", 'victory = 3\ngates = ["lag ree hil"]', "gates: 'lag' is no center"),
        ("victory = 3", 'victory = 3\ngates = ["hil sal isl"]', "are not a center and a border"),
        ('name = "Hilltop"', 'name = "Hilltop"\nposition = [1.0, 2.0]', ""),
    ],
)
def test_what_a_board_cannot_mean_is_found(outside: Path, old: str, new: str, problem: str) -> None:
    board = (
        blocks("toml")[0].replace('army = "ree"', 'army = "ree sal"').replace('"Marsh"', '"wet"')
    )
    assert old in board
    file = outside / "lagoon.toml"
    file.write_text(board, encoding="utf-8")
    assert variants.check(file) == []
    file.write_text(board.replace(old, new), encoding="utf-8")
    assert problem in "\n".join(variants.check(file))
    assert bool(variants.check(file)) == bool(problem)


def test_coasts_without_fleets_and_provinces_on_top_of_each_other_are_found(outside: Path) -> None:
    board = (
        blocks("toml")[0].replace('army = "ree"', 'army = "ree sal"').replace('"Marsh"', '"wet"')
    )
    pond = (
        '\n[provinces.pon]\nname = "Pond"\ntype = "sea"\nfleet = "rim"\nposition = [1.0, 2.0]\n'
        '\n[provinces.rim]\nname = "Rim"\ntype = "coast"\narmy = "hil"\nfleet = "pon"\n'
        "position = [1.1, 2.0]\n"
    )
    file = outside / "lagoon.toml"
    file.write_text(board.replace('"ree sal"', '"ree sal rim"') + pond, encoding="utf-8")
    assert variants.check(file) == [
        "province rim: no fleet can get to this coast",
        "position: pon and rim overlap",
    ]


def test_a_center_that_units_only_leave_is_found(outside: Path) -> None:
    text = (variants.directory() / "standard.toml").read_text(encoding="utf-8")
    around = ("ber", "boh", "bur", "kie", "ruh", "sil", "tyr")
    assert f'army = "{" ".join(around)}"' in text
    parts = re.split(r"(?=^\[provinces\.)", text, flags=re.MULTILINE)
    for place in around:
        at = next(k for k, part in enumerate(parts) if part.startswith(f"[provinces.{place}]"))
        parts[at] = re.sub(r'(?m)^(army = "[^"]*?) ?\bmun\b', r"\1", parts[at])
        parts[at] = parts[at].replace('army = " ', 'army = "')
    listed = ", ".join(f'"mun {place}"' for place in around)
    file = outside / "spoilt.toml"
    file.write_text(f"one_way = [{listed}]\n" + "".join(parts), encoding="utf-8")
    assert variants.check(file) == ["province mun: no unit can get to this center"]


def test_tools_take_the_folders_of_the_configuration(
    outside: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toml = tmp_path / "judge.toml"
    toml.write_text('[judge]\naddress = "j@example.org"\nvariants = ["boards"]\n')
    first = tmp_path / "first.json"
    first.write_text('{"variant": "marsh", "phase": "S1901M", "units": {}, "orders": {}}')
    tools = (["variant", "list"], ["variant", "show", "marsh"], ["adjudicate", str(first)])

    def tried() -> list[int]:
        variants.configure(())
        variants.load.cache_clear()
        return [CliRunner().invoke(main, tool).exit_code for tool in tools]

    monkeypatch.setenv("JUDGE_CONFIG", str(tmp_path / "none.toml"))
    assert tried() == [0, 1, 1]
    monkeypatch.setenv("JUDGE_CONFIG", str(toml))
    assert tried() == [0, 0, 0]
    assert "marsh" in CliRunner().invoke(main, tools[0]).output.split()
    toml.write_text("[judge]\n")
    assert tried() == [0, 1, 1]
