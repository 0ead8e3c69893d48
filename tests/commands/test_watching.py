"""MAP, MONITOR, SET ADDRESS, and who played when: what people ask for beside the orders."""

from __future__ import annotations

from tests.game.play import PEOPLE, Play


def test_a_map_in_words_of_now_and_of_a_phase(play: Play) -> None:
    play.start("NMR, MANUAL PROCESS")
    play.send("cleo", "A Par - Bur")
    play.send("max", "PROCESS S1901M")
    now = " ".join(play.send("zoe", "MAP paris").text.split())
    assert "paris, Fall 1901, movement:" in now
    assert "Army Burgundy" in now
    assert "Supply centers that nobody owns: Belgium, Bulgaria" in now
    then = " ".join(play.send("cleo", "MAP paris S1901M").text.split())
    assert "Army Paris" in then
    assert "paris, Spring 1901, movement:" in " ".join(play.send("cleo", "MAP S1901M").text.split())
    assert "no position for" in " ".join(play.send("cleo", "MAP paris F1905M").text.split())


def test_a_blind_map_shows_what_ones_units_see(play: Play) -> None:
    play.start("VARIANT blind")
    seen = " ".join(play.send("cleo", "MAP").text.split())
    assert "Army Paris" in seen
    assert "Moscow" not in seen
    assert "Army Paris" not in play.send("zoe", "MAP paris").text


def test_who_monitors_gets_results_and_nothing_else(play: Play) -> None:
    play.start("NMR, MANUAL PROCESS")
    play.send("zoe", "MONITOR paris")
    play.send("yves", "OBSERVE paris")
    play.letters()
    play.send("cleo", "BROADCAST\nHello.")
    play.send("max", "SET QUIET")
    play.send("max", "PROCESS S1901M")
    letters = play.letters()
    zoe = [each.kind for each in letters if each.to.startswith("zoe")]
    yves = [each.kind for each in letters if each.to.startswith("yves")]
    assert zoe == ["results"]
    assert set(yves) >= {"press", "settings", "results"}
    play.answer("zoe", "OBSERVE paris")
    play.letters()
    play.send("cleo", "BROADCAST\nHello again.")
    assert [each.kind for each in play.letters() if each.to.startswith("zoe")] == ["press"]


def test_letters_about_a_game_go_where_somebody_wants_them(play: Play) -> None:
    play.start("NMR, MANUAL PROCESS")
    said = play.answer("cleo", "SET ADDRESS cleo@office.example")
    assert "I do not know cleo@office.example" in " ".join(said.text.split())
    play.answer("cleo", "REGISTER\nE-mail: cleo@office.example\nEND")
    question = next(each for each in play.letters() if each.to == "cleo@office.example")
    play.send("cleo@office.example", "YES", answers=question)
    play.answer("cleo", "SET ADDRESS cleo@office.example, cleo@people.example")
    play.letters()
    play.send("max", "PROCESS S1901M")
    to = {each.to for each in play.letters() if each.kind == "results"}
    assert {"cleo@office.example", "cleo@people.example"} <= to
    play.answer("cleo", "SET ADDRESS NONE")
    play.letters()
    play.send("max", "PROCESS F1901M")
    to = {each.to for each in play.letters() if each.kind == "results"}
    assert "cleo@people.example" in to
    assert "cleo@office.example" not in to


def test_the_summary_tells_who_played_when(play: Play) -> None:
    play.start("NMR, MANUAL PROCESS")
    play.send("max", "PROCESS S1901M")
    play.sure("cleo", "RESIGN")
    play.send("zoe", "REGISTER\nEND\nTAKE OVER france@paris")
    lines = [line.strip() for line in play.send("max", "SUMMARY paris").text.splitlines()]
    assert "France: Cleo, who resigned" in lines
    assert "France from Fall 1901, movement: Zoe" in lines
    assert "England: Bob" in lines


def test_the_summary_of_a_gunboat_game_names_nobody(play: Play) -> None:
    play.start("VARIANT gunboat")
    text = play.send("zoe", "REGISTER\nEND\nSUMMARY paris").text
    assert not any(who.capitalize() in text for who in PEOPLE)
