"""How newcomers are met: what a stranger hears, who hears of whom, and who waits for a game."""

from __future__ import annotations

import re

import pytest

from judge.mail.message import parse
from tests.game.play import PEOPLE, Play, Received, flat
from tests.game.test_trust import paris

STRANGER = "zoe@else.example"


def said(letter: Received) -> str:
    return " ".join(letter.text.split())


@pytest.mark.parametrize(
    "text",
    [
        *("hello?", "Who are you and what is this?", "A Par - Bur", "", "JOIN nosuch"),
        *("INFO PLAYER max@people.example", "SET WAIT"),
    ],
)
def test_a_stranger_is_greeted_in_25_lines(play: Play, text: str) -> None:
    letter = play.send(STRANGER, text)
    assert len(letter.text.rstrip().splitlines()) <= 25
    assert letter.text.startswith("Hi!")
    for word in ("JOIN", "HELP", "LIST"):
        assert f"\n  {word}" in letter.text


def test_a_stranger_learns_the_version_and_nothing_of_anybody(play: Play) -> None:
    play.send("max", "CREATE ?paris, PUBLIC")
    assert "1 forming" in said(play.send(STRANGER, "VERSION"))
    known = play.send("a@new.example", "INFO PLAYER max@people.example")
    unknown = play.send("b@new.example", "INFO PLAYER nobody@people.example")
    assert known.text == unknown.text
    text = "REGISTER\nEND\nINFO PLAYER {}@people.example"
    first = play.send("c@new.example", text.format("max"), name="Lee")
    assert first.text == play.send("d@new.example", text.format("nobody"), name="Lee").text


@pytest.mark.parametrize("moderated", [True, False])
def test_no_player_hears_of_each_newcomer(play: Play, moderated: bool) -> None:
    play.send("max", "CREATE ?paris, PUBLIC")
    people = list(PEOPLE)
    if not moderated:
        play.answer("max", "JOIN paris")
        people.pop()
    play.letters()
    for who in people:
        play.send(who, "JOIN")
    told = [letter for letter in play.letters() if letter.kind == "joined"]
    assert {letter.to for letter in told} == ({"max@people.example"} if moderated else set())
    assert {letter.kind for letter in play.run()} == {"start"}


def test_a_game_that_is_not_there_brings_those_that_are(play: Play) -> None:
    play.send("max", "CREATE ?rome, PUBLIC\nCREATE ?hidden\nCREATE ?oslo, PUBLIC")
    for who in ("ann", STRANGER):
        for line in ("JOIN nosuch", "JOIN france@nosuch", "SIGN ON ?nosuch"):
            letter = play.send(who, line)
            assert "These need players: rome and oslo" in said(letter), line
            assert "hidden" not in letter.text
        play.send(who, "REGISTER")


def test_of_many_games_twenty_are_named(play: Play) -> None:
    lines = "\n".join(f"CREATE ?many{number}, PUBLIC" for number in range(25))
    play.send("max", lines)
    reply = play.send("eve@elsewhere.example", "JOIN nothing")
    assert len(set(re.findall(r"many\d+", reply.text))) == 20


@pytest.mark.parametrize("line", ["JOIN paris", "JOIN"])
def test_who_comes_last_hears_that_the_game_starts_and_nothing_else(play: Play, line: str) -> None:
    if line == "JOIN paris":
        play.send("max", "CREATE ?paris standard")
    answers = [play.send(who, line) for who in PEOPLE]
    assert "starts now" in flat(answers[-1])
    assert "forming" not in answers[-1].text
    assert "start" in [each.kind for each in play.run() if each.to.startswith(PEOPLE[-1])]


def test_who_comes_last_hears_that_the_game_waits_where_it_does(play: Play) -> None:
    for who in PEOPLE[:-1]:
        play.send(who, "JOIN")
    play.clock.advance(days=3)
    last = play.send(PEOPLE[-1], "JOIN")
    assert "starts now" not in flat(last)
    assert "silent for more than a day" in flat(last)
    assert "7 of 7 players have joined" in flat(last)
    assert "start" not in [each.kind for each in play.run()]


def test_who_finds_no_game_hears_of_the_next_one(play: Play) -> None:
    assert "I will" not in play.send("ann", "JOIN").text
    person = play.storage.people.by_address("ann@people.example")
    assert person is not None, "who wants to play is on file"
    play.send("bob", "JOIN")
    play.send("max", "CREATE ?hidden")
    assert [letter for letter in play.letters() if letter.kind == "opening"] == []
    play.send("max", "CREATE ?paris, PUBLIC")
    opening = {letter.to[:3]: letter for letter in play.letters() if letter.kind == "opening"}
    assert set(opening) == {"ann", "bob"}
    play.send("max", "SIGN ON mparis\nSET NMR")
    play.send("max", "CREATE ?oslo, PUBLIC")
    assert [letter for letter in play.letters() if letter.kind == "opening"] == [], "once"
    assert "You are in paris" in play.send("ann", "YES", answers=opening["ann"]).text
    assert paris(play).seats.parts_of(person.id) == ["player"]


@pytest.mark.parametrize(
    "words", ["gumboat standard", "xyzzy42 standard, PUBLIC", "standrad", "standard, gumboat"]
)
def test_a_word_that_is_not_known_makes_no_game(play: Play, words: str) -> None:
    answer = play.send("max", f"CREATE ?paris {words}")
    assert "I did nothing" in said(answer)
    assert play.storage.games.all() == []


@pytest.mark.parametrize("password", ["my secret word", "my, secret; word", "my  secret word!"])
def test_a_password_with_blanks_is_none_and_leaves_nothing(play: Play, password: str) -> None:
    starts = play.start()
    answer = play.send("cleo", f"SET PASSWORD {password}\nA Par - Bur", answers=starts["cleo"])
    seat = paris(play).seats.player("France")
    assert seat is not None
    assert seat.password is None
    assert "one word" in said(answer)
    kept = parse(play.storage.inbound.of_person(seat.person_id or 0)[-1].raw).text
    assert "A Par - Bur" in kept
    for word in ("secret", "word!"):
        assert word not in answer.text
        assert word not in kept
        assert word not in str(play.storage.events.last(500))


@pytest.mark.parametrize("length", ["10 minutes", "every 10 minutes", "10m"])
def test_a_short_pace_starts_from_nothing(play: Play, length: str) -> None:
    play.send("max", "CREATE ?paris, MOVE NEXT 71H CLOCK 23:30 MIN 12H DAYS -MTWTF-")
    answer = said(play.send("max", f"SET MOVE {length}"))
    pace = paris(play).settings.move
    assert (pace.clock, pace.days, pace.min) == (None, "SMTWTFS", 0)
    assert round(pace.next * 60) == 10
    now = play.clock.now()
    for minutes in (10, 20, 30):
        when = now.replace(minute=(now.minute + minutes) % 60)
        assert f"{when:%M}" in answer


def test_the_letters_name_the_first_moment_of_a_phase(play: Play) -> None:
    starts = play.start("MOVE MIN 12H")
    opened = paris(play).game.opened_at
    assert opened is not None
    reply = said(play.send("cleo", "A Par H\nA Mar H\nF Bre H"))
    moment = f"{(opened.hour + 12) % 24:02}:{opened.minute:02}"
    for text in (said(starts["cleo"]), reply):
        assert moment in text
        assert "soon after" not in text


def test_who_starts_too_early_is_told_what_can_be_done(play: Play) -> None:
    play.send("max", "CREATE ?paris standard, MANUAL START")
    play.send("ann", "JOIN paris")
    said = play.send("max", "START").text
    for each in ("JOIN paris", "SET BOTS 6", "SET LIST"):
        assert each in said
    assert "COULD NOT" not in play.send("max", "SET BOTS 6").text
    assert "COULD NOT" not in play.send("max", "START").text
