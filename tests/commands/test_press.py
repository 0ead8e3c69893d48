"""Press goes to whom it names, as it was written, or not at all."""

from __future__ import annotations

import pytest

from tests.game.play import Play


def readers(play: Play) -> list[str]:
    return sorted(
        letter.to.partition("@")[0] for letter in play.letters() if letter.kind == "press"
    )


@pytest.mark.parametrize(
    ("to", "who"),
    [
        ("TO FG", ["cleo", "dora"]),
        ("to france, GERMANY", ["cleo", "dora"]),
        ("TO France and Germany:", ["cleo", "dora"]),
        ("WHITE TO F", ["cleo"]),
        ("FG", ["cleo", "dora"]),
        ("TO M", ["max"]),
        ("TO RM", ["finn", "max"]),
        ("TO +FG", ["cleo", "dora"]),
        ("TO F & Germany", ["cleo", "dora"]),
        ("TO F, O", ["cleo", "zoe"]),
        ("TO ALL", ["bob", "cleo", "dora", "emil", "finn", "gwen", "max", "zoe"]),
        ("TO ALL BUT TG", ["bob", "cleo", "emil", "finn"]),
        ("TO ALL BUT TMO", ["bob", "cleo", "dora", "emil", "finn"]),
        ("TO ALL BUT Turkey, Germany, O", ["bob", "cleo", "emil", "finn"]),
        ("-TGMO", ["bob", "cleo", "emil", "finn"]),
        ("TO -TGMO", ["bob", "cleo", "emil", "finn"]),
    ],
)
def test_recipients(play: Play, to: str, who: list[str]) -> None:
    play.start()
    play.send("zoe", "OBSERVE paris")
    play.letters()
    play.send("ann", f"PRESS {to}\n  Hello,\n\nthere.\nEND PRESS\nSET WAIT")
    assert readers(play) == who


def test_the_text_arrives_as_it_was_written(play: Play) -> None:
    play.start()
    play.letters()
    text = "Dear Cleo,\n\nA Par - Bur\nSET WAIT\n   1. indented\n* starred"
    answer = play.send("ann", f"PRESS TO F\n{text}\nENDPRESS\nF Tri H")
    letter = next(letter for letter in play.letters() if letter.kind == "press")
    assert text in letter.text
    assert text in answer.text
    assert "ann@" not in letter.message.as_string()
    assert "Press from Austria (Ann) to France" in letter.text


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("PRESS", "Name the recipients"),
        ("PRESS TO", "Name the recipients"),
        ("PRESS TO FX", 'I know nobody called "FX"'),
        ("PRESS TO France, Atlantis", 'I know nobody called "Atlantis"'),
        ("PRESS GREY TO F", "In paris press is white"),
        ("BROADCAST GREY", "In paris press is white"),
        ("BROADCAST GRYE", 'I know nobody called "grye"'),
        ("PRESS TO FF", 'I know nobody called "FF"'),
        ("PRESS TO O", "Nobody in paris is an observer"),
        ("PRESS TO FRE", "FRE is France, but also the letters of France, Russia and England"),
        ("PRESS TO ITA", "ITA is Italy, but also the letters of Italy, Turkey and Austria"),
        ("PRESS TO ALL BUT X", 'I know nobody called "X"'),
        ("PRESS TO A", "You play Austria yourself"),
    ],
)
def test_what_cannot_be_sent_is_not_sent_and_comes_back(play: Play, head: str, why: str) -> None:
    play.start()
    play.letters()
    answer = play.send("ann", f"{head}\nthe secret plan\nENDPRESS\nF Tri H")
    text = " ".join(answer.text.split())
    assert f"Nothing was sent. {why}" in text
    assert "the secret plan" in text
    assert "Fleet Trieste holds" in text
    assert readers(play) == []


def test_empty_press_is_not_sent(play: Play) -> None:
    play.start()
    play.letters()
    assert "There was no text" in play.send("ann", "PRESS TO F\n\nENDPRESS").text
    assert readers(play) == []


def test_nobody_is_written_to_who_has_resigned(play: Play) -> None:
    play.start()
    play.sure("cleo", "RESIGN")
    assert "Nobody in paris is France" in play.send("ann", "PRESS TO F\nhi").text


def test_a_game_without_press_lets_people_write_to_the_master_only(play: Play) -> None:
    play.start("NONE")
    play.letters()
    assert "played without press" in play.send("ann", "BROADCAST\nhi").text
    assert "played without press" in play.send("ann", "PRESS TO FM\nhi").text
    assert "Sent to Master" in play.send("ann", "PRESS TO M\nhi").text
    assert readers(play) == ["max"]
    play.send("max", "PRESS TO A\nwhat is it?")
    assert readers(play) == ["ann"]


def test_before_the_start_people_talk_by_name(play: Play) -> None:
    play.send("max", "CREATE ?paris, NO PRESS")
    play.send("ann", "JOIN paris")
    play.send("bob", "JOIN paris")
    play.letters()
    play.send("ann", "BROADCAST\nWho else?")
    letters = [letter for letter in play.letters() if letter.kind == "press"]
    assert sorted(letter.to for letter in letters) == ["bob@people.example", "max@people.example"]
    assert "Broadcast from Ann to everybody in paris, before the start" in letters[0].text


def test_observers_broadcast_as_observers(play: Play) -> None:
    play.start()
    play.send("zoe", "OBSERVE paris")
    play.letters()
    play.send("zoe", "BROADCAST\nNice game!")
    letters = [letter for letter in play.letters() if letter.kind == "press"]
    assert len(letters) == 8
    assert "Broadcast from Observer (Zoe)" in letters[0].text


def test_sign_off_ends_press_and_mail(play: Play) -> None:
    play.start()
    play.letters()
    play.send("ann", "PRESS TO F\nhello\nSIGN OFF\nBROADCAST\nnot this")
    assert readers(play) == ["cleo"]


@pytest.mark.parametrize("end", ["ENDPRESS", "END PRESS", "END BROADCAST", "EndBroadcast."])
def test_its_ends(play: Play, end: str) -> None:
    play.start()
    play.letters()
    play.send("ann", f"PRESS TO F\nhello\n{end}\nPRESS TO G\nbye\n{end}\nA Vie - Gal")
    letters = {letter.to: letter for letter in play.letters() if letter.kind == "press"}
    assert {to.partition("@")[0] for to in letters} == {"cleo", "dora"}
    assert "bye" not in letters["cleo@people.example"].text
    assert "Vie" not in letters["dora@people.example"].text
    assert "A vie - gal" in play.send("ann", "STATUS").text


@pytest.mark.parametrize(
    ("head", "below"),
    [
        ("PRESS TO G", "ENDPRESS"),
        ("press to germany:", "end"),
        ("PRESS GREY TO G", "ENDPRES"),
        ("Press to England, Germany", "END PRESSS"),
    ],
)
def test_the_next_press_ends_one_and_so_does_a_misspelled_mark(
    play: Play, head: str, below: str
) -> None:
    play.start("WHITE/GREY")
    play.letters()
    play.send("ann", f"PRESS TO F\nhello\n{head}\nsecret\n{below}\nA Vie - Gal")
    letters = [letter for letter in play.letters() if letter.kind == "press"]
    assert {letter.to for letter in letters} > {"cleo@people.example"}
    for letter in letters:
        assert ("secret" in letter.text) == (letter.to != "cleo@people.example")
        assert "Gal" not in letter.text
    assert "A vie - gal" in play.send("ann", "STATUS").text


def test_a_sentence_about_press_is_part_of_it(play: Play) -> None:
    play.start()
    play.letters()
    play.send(
        "ann", "PRESS TO F\nPress to England was a mistake.\nPress\nBROADCAST is a word\nENDPRESS"
    )
    (letter,) = [letter for letter in play.letters() if letter.kind == "press"]
    assert "was a mistake.\nPress\nBROADCAST is a word" in letter.text


def test_everybody_reads_his_own_press_again(play: Play) -> None:
    play.start("WHITE/GREY, PARTIAL MAY BE FAKED")
    play.send("zoe", "OBSERVE paris")
    play.send("ann", "PRESS TO FG\nOne for you.")
    play.send("ann", "PRESS GREY TO F\nTwo for you.")
    play.send("ann", "PRESS TO F FAKE BROADCAST\nThree for you.")
    play.send("cleo", "BROADCAST\nFour for all.")

    def again(who: str) -> str:
        return " ".join(play.send(who, "HISTORY paris").text.split())

    cleo = again("cleo")
    assert "Press from Austria (Ann) to France and Germany, Spring 1901, movement: One" in cleo
    assert "Press from Anonymous to France, Spring 1901, movement: Two" in cleo
    assert "Broadcast from Austria (Ann), Spring 1901, movement: Three" in cleo
    assert "Broadcast from France (Cleo), Spring 1901, movement: Four" in cleo
    dora = again("dora")
    assert "One for you." in dora
    assert "Four for all." in dora
    assert "Two" not in dora
    assert "Three" not in dora
    ann = again("ann")
    assert "(You wrote this unsigned.) Two" in ann
    assert "(You wrote this, and it went to France.) Three" in ann
    for who in ("zoe", "max"):
        text = again(who)
        assert "Four for all." in text
        assert "for you" not in text
    text = play.send("stranger@elsewhere.example", "HISTORY paris").text
    assert "for you" not in text


@pytest.mark.parametrize(
    "line", ["FAKE", "FAKE TO E", "GREY FAKE TO EF", "TO E", "WHITE TO E, France"]
)
def test_what_names_some_is_no_broadcast(play: Play, line: str) -> None:
    play.start("WHITE/GREY, PARTIAL MAY BE FAKED")
    answer = play.send("ann", f"BROADCAST {line}\nthe plan").text
    assert "Nothing was sent" in answer
    assert "the plan" in answer
    assert readers(play) == []


@pytest.mark.parametrize(
    "line", ["TO Russia with love", "fake news, friends", "to be or not to be"]
)
def test_the_text_of_a_broadcast_may_begin_on_its_line(play: Play, line: str) -> None:
    play.start()
    assert line in play.send("ann", f"BROADCAST {line}\nand more").text
    assert len(readers(play)) == 7


@pytest.mark.parametrize("command", ["PRESS TO G", "BROADCAST"])
def test_a_yes_sends_press_without_an_end_as_it_stands(play: Play, command: str) -> None:
    play.start()
    play.letters()
    asked = play.send("cleo", f"{command}\nI will order\nA Par - Bru\nas agreed.")
    assert not [each for each in play.letters() if each.kind == "press"]
    play.send("cleo", "YES", answers=asked)
    sent = [each for each in play.letters() if each.kind == "press"]
    assert "dora@people.example" in {each.to for each in sent}
    assert all("A Par - Bru\nas agreed." in each.text for each in sent)
