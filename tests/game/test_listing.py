"""LIST in pages, and by what is looked for."""

from __future__ import annotations

import re

import pytest

from judge.commands.information import PAGE
from tests.game.play import Play


def listed(text: str) -> list[str]:
    """The names of the games in a list, in its order."""
    return re.findall(r"^([a-z]+\d*)(?: \(yours\))?$", text, re.MULTILINE)


@pytest.fixture
def games(play: Play) -> Play:
    def make() -> None:
        for name, options in (
            ("plain", "standard"),
            ("veiled", "standard, gunboat"),
            ("small", "hundred, no press"),
            ("dark", "hundred, blind, gunboat"),
        ):
            play.send("max", f"CREATE ?{name} {options}\nSET PUBLIC\nSET NO DAILY")
        for who in ("ann", "bob"):
            play.send(who, "JOIN small")

    play.begin("four games", make=make)
    return play


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("LIST", ["plain", "veiled", "small", "dark"]),
        ("LIST gunboat", ["veiled", "dark"]),
        ("LIST hundred", ["small", "dark"]),
        ("LIST Hundred, GUNBOAT", ["dark"]),
        ("LIST blind", ["dark"]),
        ("LIST no press", ["small"]),
        ("LIST NEEDS 1", ["small"]),
        ("LIST NEEDS 3", ["small", "dark"]),
        ("LIST NEEDS", ["plain", "veiled", "small", "dark"]),
        ("LIST NEEDS 1 standard", []),
    ],
)
def test_it_finds_games(games: Play, line: str, names: list[str]) -> None:
    assert listed(games.send("zoe", line).text) == names


def test_what_is_no_filter_is_the_name_of_a_game(games: Play) -> None:
    assert "(standard), rulebook of" in games.send("zoe", "LIST plain").text
    assert "No game is called nowhere." in games.send("ann", "LIST nowhere").text


def test_nothing_found_is_said(games: Play) -> None:
    assert "No public game is like that" in games.send("zoe", "LIST era").text


def test_a_game_of_running_players_is_found_by_its_open_powers(games: Play) -> None:
    games.send("cleo", "JOIN small")
    games.run()
    assert listed(games.send("ann", "LIST NEEDS 1").text) == []
    games.sure("cleo", "RESIGN small")
    assert listed(games.send("ann", "LIST NEEDS 1").text) == ["small"]


def test_many_games_come_in_pages(play: Play) -> None:
    for number in range(PAGE + 2):
        who = ("max", "mia", "moe")[number % 3]
        play.send(
            who, f"CREATE ?game{number} hundred\nSET PUBLIC\nSET NO DAILY", to="judge@judge.example"
        )
    play.send("ann", "REGISTER")
    first = play.send("ann", "LIST hundred").text
    assert len(listed(first)) == PAGE
    assert "Page 1 of 2. The next one: LIST hundred PAGE 2" in first
    second = play.send("ann", "LIST hundred PAGE 2").text
    assert listed(second) == [f"game{PAGE}", f"game{PAGE + 1}"]
    assert "the last" in second
    assert listed(play.send("ann", "LIST PAGE 9").text) == listed(second)


def test_lists_of_centers_speak_the_readers_language(play: Play) -> None:
    play.send("ann", "REGISTER\nLanguage: de\nEND")
    start = play.start()["ann"]
    told = " ".join(start.text.partition("VERSORGUNGSZENTREN")[2].split())
    assert "Deutschland: 3 Zentren, 3 Einheiten: Berlin, Kiel, München" in told
    assert "Vienna" not in told


def test_the_centers_of_many_powers_stand_below_their_names(play: Play) -> None:
    play.send("max", "CREATE ?paris chaos\nSET BOTS 33 easy")
    play.send("ann", "JOIN paris")
    play.run()
    summary = play.send("ann", "SUMMARY paris").text.partition("Supply centers:")[2]
    rows = [line.split() for line in summary.splitlines() if line.strip()]
    names, counts = rows[::2], rows[1::2]
    assert sum(map(len, names)) == 34
    assert [len(row) for row in counts] == [len(row) + 1 for row in names]
    assert {row[0] for row in counts} == {"Start"}

    play.send("max", "SET END AFTER W1900\nPROCESS W1900A")
    (end,) = [each for each in play.run() if each.kind == "end" and each.to.startswith("ann")]
    (page,) = end.contents("text/html")
    assert page.count(">Start<") == 1
    assert "All orders of the game are attached" in page


def test_games_of_before_are_found_too(games: Play) -> None:
    database = games.storage._engine.database
    database.execute_sql("UPDATE game SET listed = NULL, free = 0, traits = ''")
    assert listed(games.send("zoe", "LIST gunboat").text) == ["veiled", "dark"]
    assert not list(database.execute_sql("SELECT id FROM game WHERE listed IS NULL"))


def test_a_search_reads_no_more_where_there_are_more_games(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = play.storage._engine.database
    execute, counted = database.execute_sql, list[str]()

    def count(sql: str, *rest: object, **more: object) -> object:
        counted.append(sql)
        return execute(sql, *rest, **more)

    def ask(line: str, who: str) -> int:
        counted.clear()
        with monkeypatch.context() as patched:
            patched.setattr(database, "execute_sql", count)
            play.send(who, line)
            return len(counted)

    lines = ("LIST", "LIST hundred", "JOIN nowhere", "JOIN")
    read: dict[str, list[int]] = {line: [] for line in lines}
    for number in range(3 * PAGE):
        settings = "SET PUBLIC\nSET NO DAILY\nSET MANUAL START"
        play.send(f"max{number}", f"CREATE ?game{number} hundred\n{settings}")
        if number + 1 in (PAGE + 1, 3 * PAGE):
            play.send(f"zoe{number}", "REGISTER")
            for line in lines:
                read[line].append(ask(line, f"zoe{number}"))
    for line, (few, many) in read.items():
        assert 0 < many <= few, line
