"""Diaries are their writers' own until the game is over, and everybody's afterwards."""

from __future__ import annotations

import pytest

from tests.game.play import Play, Received


def said(letter: Received) -> str:
    return " ".join(letter.text.split())


def test_pages_are_written_listed_read_and_torn_out(play: Play) -> None:
    play.start()
    answer = play.send("ann", "DIARY\nI do not trust\n  Italy.\nENDDIARY\nA Vie - Gal")
    assert "Page 1 of your diary of paris:\n\nI do not trust\n  Italy." in answer.text
    assert "Army Vienna moves to Galicia" in answer.text
    play.send("ann", "DIARY RECORD\nNor Russia.\nEND DIARY\nDIARY Nor anybody.")
    listed = said(play.send("ann", "DIARY LIST"))
    assert "1. Spring 1901, movement: I do not trust Italy." in listed
    assert "2. Spring 1901, movement: Nor Russia." in listed
    assert "3. Spring 1901, movement: Nor anybody." in listed
    assert "I do not trust\n  Italy." in play.send("ann", "DIARY READ 1").text
    assert "Page 2 of your diary is torn out. It said: Nor Russia." in said(
        play.sure("ann", "DIARY DELETE 2")
    )
    answer = play.send("ann", "DIARY READ 2")
    assert "Your diary has no page 2; it has 1 and 3." in said(answer)


@pytest.mark.parametrize("line", ["DIARY", "DIARY\n\nENDDIARY"])
def test_an_empty_page_is_none(play: Play, line: str) -> None:
    play.start()
    assert "There was nothing to note" in said(play.send("ann", line))
    assert "Your diary of paris is empty." in said(play.send("ann", "DIARY LIST"))


@pytest.mark.parametrize("who", ["max", "zoe"])
def test_who_does_not_play_keeps_none(play: Play, who: str) -> None:
    play.start()
    play.send("zoe", "OBSERVE paris")
    assert "COULD NOT USE" in play.send(who, "DIARY\nDear diary,").text


def test_nobody_reads_them_before_the_end_and_everybody_then(play: Play) -> None:
    play.start()
    play.send("zoe", "OBSERVE paris")
    play.send("ann", "DIARY\nThe plan: Galicia.\nENDDIARY")
    play.send("cleo", "DIARY\nThe plan: Burgundy.\nENDDIARY\nDIARY\nTorn out.\nENDDIARY")
    play.sure("cleo", "DIARY DELETE 2")
    assert "Galicia" not in play.send("cleo", "DIARY LIST\nDIARY READ 1\nHISTORY paris").text
    play.letters()
    play.sure("max", "TERMINATE paris")
    ends = [letter for letter in play.letters() if letter.kind == "end"]
    assert len(ends) == 9
    for letter in ends:
        assert "The diaries of 2 players are attached." in letter.text
        [file] = [
            each
            for each in letter.message.iter_attachments()
            if each.get_filename() == "paris-diaries.txt"
        ]
        text = " ".join(file.get_content().split())
        assert "THE DIARY OF Austria Spring 1901, movement The plan: Galicia." in text
        assert "THE DIARY OF France Spring 1901, movement The plan: Burgundy." in text
        assert "Torn out" not in text
    assert "The plan: Galicia." in play.send("zoe", "HISTORY paris").text
    assert "is over, and all have read the diaries" in said(play.send("ann", "DIARY\nToo late"))
    assert "is over, and all have read" in said(play.send("ann", "DIARY DELETE 1"))


def test_the_diary_of_a_power_goes_with_its_player(play: Play) -> None:
    play.start()
    play.send("zoe", "OBSERVE paris")
    play.sure("ann", "DIARY\nMy secret.\nENDDIARY\nRESIGN")
    play.send("zoe", "TAKE OVER austria@paris")
    assert "Your diary of paris is empty." in said(play.send("zoe", "DIARY LIST"))


def test_a_page_ends_where_another_line_is_about_the_diary(play: Play) -> None:
    play.start()
    reply = play.send("ann", "DIARY RECORD I lied.\nDiary of a liar.\nDIARY LIST\nA Vie - Gal")
    assert "I lied.\nDiary of a liar.\n\n" in reply.text
    assert "> DIARY LIST" in reply.text
    assert "Army Vienna moves to Galicia" in reply.text
