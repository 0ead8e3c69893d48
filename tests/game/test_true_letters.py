"""What letters say is true in the game at hand, and is said once."""

from __future__ import annotations

import re

from judge import variants
from judge.messages.coach import near_centers
from judge.rules.phase import Phase
from judge.rules.position import Position, Unit
from tests.game.play import PEOPLE, Play, Received, flat


def to(letters: list[Received], who: str, kind: str) -> list[Received]:
    return [each for each in letters if each.to.startswith(f"{who}@") and each.kind == kind]


def test_a_sitter_hears_until_when_and_has_a_button(play: Play) -> None:
    starts = play.start()
    play.send("cleo", "SITTER zoe@people.example until 20 Jun", answers=starts["cleo"])
    (asked,) = to(play.run(), "zoe", "lent")
    (page,) = asked.contents("text/html")
    assert "body=YES" in page
    assert "body=NO" in page
    reply = play.send("zoe", "YES", answers=asked)
    (taken,) = to(play.letters(), "zoe", "taken")
    assert "20 June" in taken.text
    assert "Orders that were left" not in taken.text, "none were"
    assert "A mar" in taken.text
    assert "A mar" not in reply.text, "the other letter has it"
    assert "France: Cleo (has a sitter)" in play.send("bob", "WHO paris").text


def test_who_left_several_powers_hears_only_of_orders_that_are_owed(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, PLAYERS 3, MOVE MIN 0\nSET NO DAILY")
    for who in PEOPLE[:3]:
        play.send(who, "JOIN paris")
    start = next(
        each for each in play.run() if each.kind == "start" and "F ank, Fleet" in each.text
    )
    who = start.to.partition("@")[0]
    play.send(who, "A con - bul", answers=start)
    play.send("max", "PROCESS S1901M")
    play.send("max", "PROCESS F1901M")
    gone = to(play.lapse(), who, "abandoned")[0]
    assert gone.text.count("still missing") == 1
    assert "(Turkey)" in gone.text
    assert "(France)" not in gone.text
    assert "waits for your orders" in gone.contents("text/html")[0]


def test_who_played_is_told_in_the_readers_language(play: Play) -> None:
    play.send("zoe", "SET LANGUAGE de\nJOIN PRACTICE")
    play.run()
    told = play.answer("zoe", "SUMMARY").text
    assert "ein Computer" in told
    assert "a computer" not in told


def test_a_lesson_is_told_once(play: Play) -> None:
    play.send("zoe", "JOIN PRACTICE")
    play.run()
    lessons: list[str] = []
    for _ in range(2):
        play.answer(
            "zoe", "A par - yor\nA mar - par\nA mun - kie\nA ven - rom\nA vie - bud\nPROCESS"
        )
        for each in to(play.run(), "zoe", "results"):
            _, _, told = each.text.partition("WHAT TO LEARN FROM IT")
            lessons += re.findall(r"^[AF] [^\n]*?: .*", told.partition("ALL ORDERS")[0], re.M)
    assert len(lessons) == len(set(lessons)), lessons


def test_no_unit_is_sent_away_from_a_center_that_it_is_about_to_gain() -> None:
    board = variants.load("standard").board
    units = {"Austria": (Unit("A", "rum"), Unit("A", "bud"))}
    centers = {"Austria": ("bud", "tri", "vie")}
    position = Position(Phase.read("F1901M"), units, centers)
    assert [each["line"] for each in near_centers(board, position, "Austria")] == ["A bud - ser"]


def test_who_plays_all_powers_has_them_a_line_each(play: Play) -> None:
    play.send("ann", "CREATE ?box solo")
    play.run()
    held = variants.load("standard").opening.units.values()
    lines = [f"{unit} H" for units in held for unit in units]
    answer = play.answer("ann", "\n".join(lines))
    assert "Austria: A bud H, F tri H, A vie H" in flat(answer)
    assert len(answer.text) <= 1_200
    play.run()
    play.answer("ann", "A par - bur\nA mar - spa\nPROCESS")
    play.answer("ann", "PROCESS")
    built = play.answer("ann", "B A par")
    assert "B A mar" not in built.text, "nothing is left to build"


def test_gunboat_letters_say_whether_a_master_knows_who_plays(play: Play) -> None:
    play.send("max", "CREATE ?paris gunboat")
    play.send("ann", "JOIN rome", answers=play.send("ann", "CREATE ?rome gunboat"))
    knows, nobody = "the game master knows (HELP gunboat)", "nobody learns who plays what"
    led, alone = (flat(play.send("bob", f"JOIN {name}")) for name in ("paris", "rome"))
    assert (knows in led, nobody in led) == (True, False)
    assert (knows in alone, nobody in alone) == (False, True)
