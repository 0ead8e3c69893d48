"""What the master tells everybody about the game: a comment, and house rules."""

from __future__ import annotations

from tests.game.play import Play

RULES = "SET COMMENT BEGIN\nNo deals across games.\n\nBe kind, please.\nEND\nSET PUBLIC"


def test_house_rules_reach_anybody_who_joins_and_who_asks(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    said = play.send("max", RULES).text
    assert "No deals across games." in said
    assert "listed" in said
    for text in (play.send("ann", "JOIN paris").text, play.send("zoe", "LIST paris").text):
        assert "HOUSE RULES\n\n  No deals across games.\n\n  Be kind, please." in text


def test_house_rules_stand_in_the_letter_of_the_start(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, POWERS 1")
    play.send("max", RULES)
    play.send("ann", "JOIN paris")
    start = next(each for each in play.run() if each.kind == "start")
    assert "HOUSE RULES" in start.text


def test_changed_house_rules_are_told_to_all(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("ann", "JOIN paris")
    play.letters()
    play.send("max", RULES)
    told = [each for each in play.letters() if each.kind == "settings"]
    assert [each.to for each in told] == ["ann@people.example"]
    assert "Be kind, please." in told[0].text
    play.send("max", "SET COMMENT BEGIN\nEND")
    assert "HOUSE RULES" not in play.send("zoe", "LIST paris").text


def test_a_comment_stands_in_the_list_commas_and_all(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, PUBLIC")
    play.send("max", "SET COMMENT a friendly game, for beginners, NMR")
    play.send("zoe", "REGISTER")
    assert "a friendly game, for beginners" in play.send("zoe", "LIST").text
    play.send("max", "SET COMMENT NONE")
    assert "friendly" not in play.send("zoe", "LIST").text
    assert "the limit is 200" in play.send("max", f"SET COMMENT {'x' * 201}").text
