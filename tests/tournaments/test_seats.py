"""SEATS, SEAT, and SITTER: a seat in one line, and one's own for some days."""

from __future__ import annotations

import re

import pytest

from judge.game.state import State
from judge.storage import Game
from tests.game.play import ADDRESS, Play, Received, flat


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert isinstance(game, Game)
    return State(play.storage, game)


def codes(reply: Received) -> list[str]:
    return re.findall(r"^ +(SEAT [a-z]{4}-[a-z]{4})$", reply.text, re.MULTILINE)


def test_a_code_seats_anybody_who_sends_it_once(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    reply = play.send("max", "SEATS 2")
    first, second = codes(reply)
    assert f"body={first.replace(' ', '%20')}" in reply.text.replace("\n", "")
    assert "paris" in play.send("lee@new.example", first, name="").text
    assert [paris(play).seats.person(seat).name for seat in paris(play).seats][1:] == ["lee"]
    assert "used this code" in play.send("eve", first).text
    assert "name: " in play.send("kim@new.example", second.upper(), name="").text


def test_a_code_is_a_link_that_can_be_handed_on(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    reply = play.send("max", "SEATS paris")
    line = codes(reply)[0].replace(" ", "%20")
    link = f"mailto:{ADDRESS}?subject={line}&amp;body={line}"
    assert f'<a href="{link}"' in reply.contents("text/html")[0]
    assert link.replace("&amp;", "&") in reply.text


def test_the_number_of_codes_may_stand_before_the_game(play: Play) -> None:
    play.send("max", "CREATE ?oslo")
    for line in ("SEATS 2 oslo", "SEATS oslo 2"):
        assert len(codes(play.send("max", line))) == 2


def test_a_code_that_was_never_made_gives_nothing(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    assert "gives no seat" in play.send("eve", "SEAT bdfg-hjkm").text


def test_a_code_runs_out(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    (code,) = codes(play.send("max", "SEATS"))
    play.clock.advance(days=61)
    assert "run out" in play.send("lee", code).text


def test_thirty_pupils_enter_by_their_codes(play: Play) -> None:
    play.send("max", "CREATE TOURNAMENT school, 1 round")
    play.send("ann", "REGISTER")
    found = codes(play.send("max", "SEATS school 30"))
    assert len(set(found)) == 30
    assert "Only a director" in play.send("ann", "SEATS school 30").text
    play.send("lee", found[0])
    assert "1 HAS ENTERED" in play.send("max", "TOURNAMENT school").text


def test_a_code_is_not_used_up_by_somebody_who_has_entered_already(play: Play) -> None:
    play.send("max", "CREATE TOURNAMENT cup standard")
    mine, theirs = codes(play.answer("max", "SEATS cup 2"))
    play.send("ann", mine)
    assert "already" in play.send("ann", theirs).text
    assert "You are in the tournament cup." in play.send("bob", theirs).text


def test_an_open_power_is_given_away(play: Play) -> None:
    play.start()
    play.sure("max", "EJECT france")
    play.run()
    (code,) = codes(play.send("max", "SEATS france"))
    play.send("lee@new.example", code)
    seat = paris(play).seats.player("France")
    assert seat is not None
    assert paris(play).seats.person(seat).name == "Lee"


def lent(play: Play) -> Received:
    play.start()
    play.letters()
    play.answering.add("cleo@people.example")
    play.send("cleo", "SITTER lee@new.example until in 3 days")
    return next(each for each in play.letters() if each.kind == "lent")


def player(play: Play, power: str = "France") -> str:
    seat = paris(play).seats.player(power)
    assert seat is not None
    return str(paris(play).seats.person(seat).name)


def test_a_sitter_plays_and_the_owner_has_the_power_back(play: Play) -> None:
    letter = lent(play)
    assert letter.to == "lee@new.example"
    assert player(play) == "Cleo"
    play.send("lee@new.example", "YES", answers=letter)
    assert player(play) == "Lee"
    before = play.clock.now()
    while player(play) == "Lee":
        letters = play.wake()
    assert 71 <= (play.clock.now() - before).total_seconds() / 3600 <= 73
    assert {each.to.partition("@")[0] for each in letters if each.kind == "lent"} == {"cleo", "lee"}
    assert player(play) == "Cleo"


def test_the_owner_takes_the_power_back_at_once(play: Play) -> None:
    play.send("lee@new.example", "YES", answers=lent(play))
    play.send("cleo", "NO SITTER paris")
    assert player(play) == "Cleo"
    assert "Nobody plays" in play.send("cleo", "NO SITTER paris").text


def test_a_sitter_who_has_not_come_yet_can_be_sent_away(play: Play) -> None:
    letter = lent(play)
    assert "nobody any more" in flat(play.send("cleo", "NO SITTER paris"))
    assert "another one" in flat(play.send("lee@new.example", "YES", answers=letter))
    assert player(play) == "Cleo"


@pytest.mark.parametrize("until", ["until 4 Jun", "bis 4. Juni", "jusqu'au 4 juin", "4 June"])
def test_a_sitter_is_asked_in_each_language(play: Play, until: str) -> None:
    play.start()
    play.answering.add("cleo@people.example")
    reply = flat(play.send("cleo", f"SITTER lee@new.example {until}"))
    assert "until Thursday 4 June" in reply
    assert "also need the day" in flat(play.send("cleo", "SITTER kim@new.example"))


def test_whose_power_is_lent_is_told_so_and_not_that_it_is_gone(play: Play) -> None:
    letter = lent(play)
    play.send("lee@new.example", "YES", answers=letter)
    mine = [each.kind for each in play.run() if each.to.startswith("cleo")]
    assert mine.count("lent") == 1
    assert "replaced" not in mine
    assert "Somebody sits in for you in paris" in flat(play.ask("cleo", "A par - bur"))


def test_who_plays_already_is_no_sitter(play: Play) -> None:
    play.start()
    play.answering.add("cleo@people.example")
    assert "already" in play.send("cleo", "SITTER bob@people.example until in 3 days").text
