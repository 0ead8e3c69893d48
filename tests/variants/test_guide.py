"""`docs/variants.md` as its reader follows it: from an empty folder to a finished game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge import variants
from judge.cli import main
from judge.game.state import State
from judge.rules.modules.registry import MODULES
from tests.game.play import Play

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "variants.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```([^\n]+)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def blocks(info: str) -> list[str]:
    """The blocks of the guide that begin with these words, in order."""
    return [text for words, text in BLOCKS if words == info]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The reader's folder, with the file of the guide as it is written first."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_VARIANTS", str(tmp_path / "variants"))
    (tmp_path / "variants").mkdir()
    (tmp_path / "variants" / "lagoon.toml").write_text(blocks("toml")[0], encoding="utf-8")
    variants.load.cache_clear()
    yield tmp_path
    variants.load.cache_clear()


def mend(folder: Path) -> None:
    path = folder / "variants" / "lagoon.toml"
    text = path.read_text(encoding="utf-8")
    for change in blocks("toml change"):
        old, new = change.splitlines()
        assert text.count(f"{old}\n") == 1
        text = text.replace(f"{old}\n", f"{new}\n")
    path.write_text(text, encoding="utf-8")


def call(*arguments: str) -> str:
    return CliRunner().invoke(main, arguments, prog_name="judge").output


def test_the_mistakes_of_the_guide_are_found_and_mended(folder: Path) -> None:
    wrong, right = blocks("text")
    assert call("variant", "check", "variants/lagoon.toml") == wrong
    mend(folder)
    assert call("variant", "check", "variants/lagoon.toml") == right
    assert "lagoon" in call("variant", "list").splitlines()
    assert "Heron Island" in call("variant", "show", "lagoon")


def test_the_position_of_the_guide_comes_out_as_it_says(folder: Path) -> None:
    mend(folder)
    question, answer = blocks("json")
    (folder / "first.json").write_text(question, encoding="utf-8")
    told = json.loads(call("adjudicate", "first.json"))
    wanted = json.loads(answer)
    assert {key: told[key] for key in wanted} == wanted


def test_the_game_of_the_guide_is_played_to_its_end(folder: Path) -> None:
    mend(folder)
    play = Play(folder)
    mails = [
        (words.removeprefix("mail "), text) for words, text in BLOCKS if words.startswith("mail ")
    ]
    assert len(mails) > 8
    for who, text in mails:
        reply = play.send(who, text)
        assert "COULD NOT USE" not in reply.text, reply.text
        play.run()
        game = play.storage.games.by_name("pond")
        assert game is not None
        if game.state == "active" and State(play.storage, game).sheets.complete():
            phase = game.phase
            while game is not None and (game.state, game.phase) == ("active", phase):
                play.wake()
                game = play.storage.games.by_name("pond")
    game = play.storage.games.by_name("pond")
    assert game is not None
    assert game.state == "ended"
    assert game.outcome is not None
    assert "Reed" in game.outcome.winners
    assert [run.phase for run in play.storage.history.of_game(game.id)][-1] == "F1902R"
    play.storage.close()


def test_the_file_that_builds_on_another_is_good(folder: Path) -> None:
    path = folder / "variants" / "duel.toml"
    path.write_text(blocks("toml two")[0], encoding="utf-8")
    assert variants.check(path) == []
    assert variants.load("duel").powers == ("Austria", "France")


def test_the_guide_names_every_key_and_module_and_variant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("JUDGE_VARIANTS")
    for key in (
        *variants.TOP,
        *variants.POWER,
        *variants.PROVINCE,
        *variants.LINEUP,
        *MODULES,
        *variants.names(),
    ):
        assert re.search(rf"\b{key}\b", GUIDE), key
