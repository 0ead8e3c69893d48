"""The archive has what is public and over, and ratings follow from it; people read of their own."""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path

import pytest
from msgspec import structs

from judge.interchange.game_files import read_game_file
from judge.records.ratings import INDEX, ratings
from judge.site.archive import TABLE, build
from tests.game.play import ADDRESS, PEOPLE, Play


def played(play: Play, options: str) -> None:
    """A game of one phase that ends in a draw."""

    def made() -> None:
        play.start(f"NMR, MANUAL PROCESS, {options}")
        play.send("max", "PROCESS S1901M")
        for who in PEOPLE:
            play.send(who, "SET DRAW")
        play.judge.work()

    play.once(("archived", options), made)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the archive is."""
    return tmp_path / "archive"


def index(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / INDEX).read_text().splitlines()]


def test_public_games_are_filed_with_an_index_and_made_once(play: Play, folder: Path) -> None:
    played(play, "PUBLIC")
    assert build(play.storage, folder, ADDRESS) == (1, 1)
    (row,) = index(folder)
    assert (row["game"], row["class"], row["own"]) == ("paris", "press", True)
    file = folder / str(row["file"])
    assert len(read_game_file(file.read_bytes()).phases) == 2
    database = sqlite3.connect(folder / TABLE)
    assert database.execute("SELECT game, ending FROM game").fetchall() == [("paris", "draw")]
    database.close()
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    assert build(play.storage, folder, ADDRESS) == (1, 0)
    assert before == {path: path.stat().st_mtime_ns for path in before}
    rated = ratings(index(folder), "ghost")
    assert {each.value for each in rated} == {100.0}
    assert len(rated) == 7


def test_people_who_stay_out_are_not_rated_and_a_game_made_private_goes(
    play: Play, folder: Path
) -> None:
    played(play, "PUBLIC")
    build(play.storage, folder, ADDRESS)
    assert "out of" in play.send("cleo", "SET NO RATING").text
    assert build(play.storage, folder, ADDRESS) == (1, 1)
    names = [each.name for each in ratings(index(folder), "ghost")]
    assert "Cleo" not in names
    assert len(names) == 6
    game = play.storage.games.by_name("paris")
    assert game is not None
    game.settings = game.settings | {"listed": False}
    with play.storage.transaction():
        play.storage.games.save(game)
    assert build(play.storage, folder, ADDRESS) == (0, 0)
    assert not list((folder / "games").iterdir())


@pytest.mark.parametrize("options", ["gunboat, PUBLIC, NO REVEAL", "PRIVATE"])
def test_nothing_hidden_is_archived(play: Play, folder: Path, options: str) -> None:
    played(play, options)
    build(play.storage, folder, ADDRESS)
    text = "".join(path.read_text("latin-1") for path in folder.rglob("*") if path.is_file())
    assert not [who for who in PEOPLE if who.title() in text or f"{who}@" in text]
    assert ratings(index(folder), "ghost") == []


def test_a_game_that_runs_is_in_no_archive(play: Play, folder: Path) -> None:
    play.start("PUBLIC, NMR, MANUAL PROCESS")
    play.send("max", "PROCESS S1901M")
    assert build(play.storage, folder, ADDRESS) == (0, 0)


def test_history_of_me_has_my_games_and_how_they_compare(play: Play) -> None:
    played(play, "PUBLIC")
    told = " ".join(play.send("cleo", "HISTORY OF ME").text.split())
    assert "paris (Diplomacy): France, 0.14 of the result" in told
    assert "France (Diplomacy): 0.14 in 1 game; average 0.14" in told
    assert "you stay out" not in told.lower()
    play.send("cleo", "SET NO RATING")
    assert "You stay out of all ratings" in play.send("cleo", "HISTORY OF ME").text
    play.send("zoe", "REGISTER")
    play.send("zoe", "FORK paris F1901M")
    assert "not played a game" in " ".join(play.send("zoe", "HISTORY OF ME").text.split())


def test_history_of_me_draws_my_rating_as_public_as_house_and_person_say(
    play: Play, folder: Path
) -> None:
    played(play, "PUBLIC")
    build(play.storage, folder, ADDRESS)
    assert "GhostRating" not in play.send("cleo", "HISTORY OF ME").text, "a house without pages"
    play.judge.profile = structs.replace(play.judge.profile, archive=str(folder))
    told = play.send("cleo", "HISTORY OF ME").text
    assert "Rating (GhostRating): 100.0, after 1 game." in " ".join(told.split())
    (row,) = index(folder)
    row["outcome"] = {"ending": "victory", "winners": ["France"]}
    later = [row | {"game": f"g{n}", "ended": f"2030-01-0{n}"} for n in range(1, 6)]
    (folder / INDEX).write_text(
        "".join(json.dumps(each) + "\n" for each in (*index(folder), *later))
    )
    told = play.send("cleo", "HISTORY OF ME").text
    assert re.search(r"^  ▁▁▃", told, re.M), told
    assert re.search(r"^  ██▆", play.send("dora", "HISTORY OF ME").text, re.M)
    assert "provisional" not in told
    play.send("cleo", "SET NO RATING")
    assert "GhostRating" not in play.send("cleo", "HISTORY OF ME").text
    (folder / INDEX).unlink()
    assert "GhostRating" not in play.send("dora", "HISTORY OF ME").text
