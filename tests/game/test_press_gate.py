"""No order and no command goes out in an answer to press, in whatever form, unless it is marked."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from email.utils import parseaddr
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.commands import TABLE
from judge.limits import Limits
from judge.service import Judge
from tests.game.play import Play, Received
from tests.game.test_service import paris

LINES = tomllib.loads(Path(__file__).with_name("press_gate.toml").read_text())


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Play, Received]]:
    """A running game, and a press letter of Austria's to France."""
    play = Play(tmp_path_factory.mktemp("gate"))
    play.start()
    plenty = Limits(hour=10_000, press=10_000)
    play.judge = Judge(play.storage, play.clock, replace(play.judge.profile, limits=plenty), TABLE)
    play.letters()
    play.send("ann", "PRESS TO F\nShall we?\nENDPRESS")
    letter = next(each for each in play.letters() if each.kind == "press")
    yield play, letter
    play.storage.close()


def sent(play: Play) -> list[Received]:
    """The letters to others than France since the last look."""
    return [each for each in play.letters() if each.to.partition("@")[0] != "cleo"]


def test_the_list_is_long_enough() -> None:
    assert len(LINES["kept"]) > 150


@pytest.mark.parametrize("line", LINES["kept"])
def test_nothing_that_reads_like_a_line_for_the_judge_is_sent(
    answering: tuple[Play, Received], line: str
) -> None:
    play, letter = answering
    play.letters()
    play.send("cleo", f"Hello Ann\n{line}", answers=letter)
    words = line.strip("*•->1. ")
    assert not [each for each in sent(play) if each.kind == "press" and words in each.text]


@pytest.mark.parametrize("line", LINES["talk"])
def test_talk_goes_out(answering: tuple[Play, Received], line: str) -> None:
    play, letter = answering
    play.letters()
    play.send("cleo", line, answers=letter)
    got = [each for each in sent(play) if each.kind == "press"]
    assert len(got) == 1
    assert line in got[0].text


@pytest.mark.parametrize(
    "line",
    [
        "I'll go Par-Gas and Mar-Spa.",
        "We are moving Paris to Burgundy",
        "I think I will hold with Marseilles",
        "My moves are Paris to Burgundy and Brest to the Channel",
        "Paris goes to Burgundy. Marseilles supports that. Brest sails to the Channel.",
        "Let's go with Brest to the Channel",
    ],
)
def test_what_sentences_tell_of_orders_is_asked_about(
    answering: tuple[Play, Received], line: str
) -> None:
    play, letter = answering
    play.letters()
    before = paris(play).orders.get("France")
    play.send("cleo", f"Hello Ann,\n\n{line}\n\nCleo", answers=letter)
    assert paris(play).orders.get("France") == before
    assert not [each for each in sent(play) if each.kind == "press"]


def asked(play: Play) -> Received:
    """A press letter of Austria's to France in a game that has begun."""
    play.start()
    play.send("ann", "PRESS TO F\nShall we?\nENDPRESS")
    return next(each for each in play.letters() if each.kind == "press")


def test_a_plan_for_a_later_phase_goes_out_whole(play: Play) -> None:
    letter = asked(play)
    play.send("cleo", "My plan:\nFall 1901:\nYou take Munich.", answers=letter)
    (got,) = [each for each in sent(play) if each.kind == "press"]
    assert "My plan:\nFall 1901:\nYou take Munich." in got.text


def test_orders_below_a_later_phase_are_asked_about(play: Play) -> None:
    letter = asked(play)
    play.send("cleo", "Hello Ann\nFall 1901:\nA Mar - Spa", answers=letter)
    (question,) = play.letters()
    assert question.to.partition("@")[0] == "cleo"
    assert "YES" in question.text
    assert not paris(play).orders.get("France")


def test_marked_it_goes_out_as_it_stands(answering: tuple[Play, Received]) -> None:
    play, letter = answering
    play.letters()
    play.send("cleo", "PRESS TO A\nA Par - Bur\nSET WAIT\nENDPRESS", answers=letter)
    (got,) = [each for each in sent(play) if each.kind == "press"]
    assert "A Par - Bur\nSET WAIT" in got.text


def test_what_is_attached_goes_nowhere_and_is_named(answering: tuple[Play, Received]) -> None:
    play, letter = answering
    play.letters()
    to = parseaddr(str(letter.message["Reply-To"]))[1]
    raw = (
        f"From: Cleo <cleo@people.example>\nTo: {to}\nMIME-Version: 1.0\n"
        "Message-ID: <attached@people.example>\nContent-Type: multipart/mixed; boundary=x\n\n"
        "--x\n\nGladly, my plan is attached.\n--x\nContent-Type: text/plain\n"
        "Content-Disposition: attachment; filename=plan.txt\n\nFirst we take Munich.\n--x--\n"
    )
    play.judge.process_message(play.raw(raw.encode(), "cleo@people.example", [to]))
    letters = play.letters()
    (press,) = [each for each in letters if each.kind == "press"]
    assert "Gladly" in press.text
    assert "Munich" not in press.text
    (reply,) = [each for each in letters if each.kind == "reply"]
    assert "First we take Munich." in reply.text


def test_the_press_of_a_day_becomes_so_many_letters_and_no_more(play: Play) -> None:
    play.start()
    few = replace(play.judge.profile, limits=Limits(letters=14))
    play.judge = Judge(play.storage, play.clock, few, TABLE)
    play.letters()
    said = [f"BROADCAST\nNumber {number}.\nENDPRESS" for number in range(3)]
    reply = play.send("cleo", "\n".join([*said, "PRESS TO A\nTo one.\nENDPRESS"]))
    sent = [each.text for each in play.letters() if each.kind == "press"]
    most = {number: sum(f"Number {number}." in text for text in sent) for number in range(3)}
    assert most[0] == most[1] == 7
    assert most[2] == 0
    text = " ".join(reply.text.split())
    assert "Your press may become 14 messages in a day, of which 0 are left." in text
    assert "Your text was: Number 2." in text
    assert "Your text was: To one." in text
    play.clock.advance(hours=25)
    assert "Nothing was sent" not in play.send("cleo", "PRESS TO A\nTo one.\nENDPRESS").text


def test_an_answer_that_costs_too_much_to_be_read_is_kept_back_whole(
    answering: tuple[Play, Received],
) -> None:
    play, letter = answering
    play.letters()
    lines = "".join(f"Well, number {n}, we should talk about the sea.\n" for n in range(900))
    asked = play.send("cleo", lines, answers=letter)
    assert not [each for each in sent(play) if each.kind == "press"]
    play.send("cleo", "YES", answers=asked)
    (got,) = [each for each in sent(play) if each.kind == "press"]
    assert "number 899," in got.text
