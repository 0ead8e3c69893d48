"""Orders and the commands beside them, over whole mails."""

from __future__ import annotations

import pytest

from judge.game.state import State
from tests.game.play import Play


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def on_file(play: Play, power: str = "France") -> list[str]:
    return sorted(str(order) for order in paris(play).orders.get(power, ()))


def test_a_mail_changes_only_the_units_it_names_and_the_last_order_counts(play: Play) -> None:
    play.start()
    play.send("cleo", "A Par - Bur\nA Mar S A Par - Bur\nA Par - Gas\nA Par - Pic")
    play.send("cleo", "F Bre - Mid\nA Mar H")
    assert on_file(play) == ["A mar H", "A par - pic", "F bre - mid"]


def test_a_bad_line_spoils_no_good_one(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "A Par - Bru\nA Par - Bur; A Mar - Xyz; F Bre - Mid")
    assert on_file(play) == ["A par - bur", "F bre - mid"]
    assert "No province is called Xyz." in answer.text


def test_an_impossible_order_leaves_the_earlier_one(play: Play) -> None:
    play.start()
    play.send("cleo", "A Par - Bur")
    answer = play.send("cleo", "A Par - Mos")
    assert "Your earlier order for this unit stands: A par - bur." in " ".join(answer.text.split())
    assert on_file(play) == ["A par - bur"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("A Mun - Bur", "The army in Munich belongs to Germany."),
        ("German A Mun - Bur", "That is a unit of Germany; you play France."),
        ("A Boh - Vie", "There is no unit in Bohemia"),
        ("F Bre - Spa", "Spain"),
        ("A Par - Par", "Paris"),
        ("B A Par", "This order is not valid in Spring 1901, movement, which is open now."),
        ("waive", "This order is not valid in Spring 1901, movement, which is open now."),
        ("A Par", "what A par is to do"),
        ("Paris to Nor", "Nor could mean"),
    ],
)
def test_what_cannot_be_ordered_is_answered_with_the_reason(
    play: Play, line: str, why: str
) -> None:
    play.start()
    answer = play.send("cleo", line)
    refused = answer.text[answer.text.index("LINES I COULD NOT USE") :]
    assert why in " ".join(refused.split())
    assert on_file(play) == []


def test_a_suggestion_is_a_line_that_would_be_accepted(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "A Mar S A Pra - Bur")
    line = next(line for line in answer.text.splitlines() if "Write for example" in line)
    play.send("cleo", line.partition(":")[2].strip())
    assert on_file(play) == ["A mar S A par - bur"]


@pytest.mark.parametrize(
    "prose",
    [
        "Hi judge, here are my moves:",
        "Thanks, Bob",
        "I hope that England moves to the Channel again, as always.",
        "Best wishes from Paris",
        "A friend of mine will play on from next week.",
        "Sorry for the late mail - I was in Spain for a while and had no net at all, you know.",
        "// A Par - Bur",
        "> A Par - Bur",
    ],
)
def test_prose_is_left_alone(play: Play, prose: str) -> None:
    play.start()
    answer = play.send("cleo", f"{prose}\nF Bre H")
    assert "COULD NOT USE" not in answer.text
    assert on_file(play) == ["F bre H"]


def test_orders_before_the_start_are_not_lost_without_a_word(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("ann", "JOIN paris")
    assert "paris has not started" in play.send("ann", "A Par - Bur").text


def test_orders_of_somebody_in_no_game_are_answered(play: Play) -> None:
    play.send("zoe", "REGISTER")
    assert "You take part in no game that is running" in play.send("zoe", "A Par - Bur").text


def test_an_empty_mail_and_status_show_the_orders(play: Play) -> None:
    play.start()
    play.send("cleo", "A Par - Bur")
    for text in ("", "STATUS", "status."):
        answer = play.send("cleo", text)
        assert "A par - bur          Army Paris moves to Burgundy" in answer.text
        assert "F bre                NO ORDER YET (Fleet Brest)" in answer.text


def test_clear_now_drops_what_is_there_and_takes_what_follows(play: Play) -> None:
    play.start()
    play.send("cleo", "A Par - Bur\nF Bre H")
    answer = play.send("cleo", "CLEAR NOW\nA Par H")
    assert "2 orders for Spring 1901, movement dropped." in answer.text
    assert on_file(play) == ["A par H"]


def test_several_sets_share_a_line(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "SET WAIT, FOO, DRAW, set no draw")
    assert "> SET FOO" in answer.text
    seat = paris(play).seats.player("France")
    assert seat is not None
    assert seat.wait
    assert not seat.draw


def test_nothing_is_read_after_sign_off_or_a_signature(play: Play) -> None:
    play.start()
    play.send("cleo", "A Par - Bur\nSIGN OFF\nA Par - Gas")
    play.send("cleo", "F Bre - Mid\n-- \nF Bre - Eng")
    assert on_file(play) == ["A par - bur", "F bre - mid"]


@pytest.fixture
def winter(play: Play) -> Play:
    """W1901A: Germany may build two, with Berlin, Kiel and Munich free."""

    def make() -> None:
        play.start()
        play.send("dora", "F Kie - Den, A Ber - Kie, A Mun - Tyr")
        play.send("max", "PROCESS S1901M")
        play.send("dora", "A Kie - Hol, F Den H, A Tyr H")
        play.send("max", "PROCESS F1901M")

    play.begin("winter", make=make)
    return play


def test_builds_of_a_later_mail_replace_those_of_an_earlier_one(winter: Play) -> None:
    winter.send("dora", "B A Mun\nB F Kie")
    assert on_file(winter, "Germany") == ["B A mun", "B F kie"]
    winter.send("dora", "build A Ber\nWAIVE 1")
    assert on_file(winter, "Germany") == ["B A ber", "WAIVE 1"]
    answer = winter.send("dora", "B A Lon\nThanks")
    assert on_file(winter, "Germany") == ["B A ber", "WAIVE 1"]
    assert "London belongs to England" in answer.text


def test_more_builds_than_due_are_named(winter: Play) -> None:
    answer = winter.send("dora", "B A Mun\nB F Kie\nB A Ber")
    assert answer.text.count("NOT CARRIED OUT: one too many") == 1
    assert "Germany: everything is decided" in answer.text


def test_to_waive_what_is_left_is_never_one_too_many(winter: Play) -> None:
    answer = winter.send("dora", "B A Mun\nB F Kie\nWAIVE")
    assert on_file(winter, "Germany") == ["B A mun", "B F kie", "WAIVE"]
    assert "NOT CARRIED OUT" not in answer.text
    answer = winter.send("dora", "B A Mun\nB F Kie\nWAIVE 1")
    assert "NOT CARRIED OUT: one too many" in answer.text


def test_the_last_build_in_a_place_counts(winter: Play) -> None:
    winter.send("dora", "B F Kie\nB A Kie")
    assert on_file(winter, "Germany") == ["B A kie"]


def test_movement_orders_in_winter_are_answered_with_what_is_owed(winter: Play) -> None:
    answer = winter.send("dora", "A Hol - Bel")
    assert "You may build 2 units." in " ".join(answer.text.split())
