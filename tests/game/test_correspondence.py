"""An answer to press is press; orders in it are orders, and are told to nobody."""

from __future__ import annotations

from email.utils import getaddresses

import pytest

from judge.game.state import State
from tests.game.play import ADDRESS, Play, Received
from tests.game.test_html_letters import html_of


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def orders(play: Play, power: str = "France") -> list[str]:
    return [str(order) for order in paris(play).orders.get(power, ())]


def press(play: Play) -> dict[str, Received]:
    """The press letters since the last look, by reader."""
    return {
        letter.to.partition("@")[0]: letter for letter in play.letters() if letter.kind == "press"
    }


def written(play: Play, who: str, text: str) -> dict[str, Received]:
    """The letters of a piece of press."""
    play.letters()
    play.send(who, text)
    return press(play)


def everybody(letter: Received) -> str:
    """What a mail program puts into To and Cc when its user answers to all."""
    return f"{letter.message['Reply-To']}, {letter.message['Cc']}"


@pytest.fixture
def to_france(play: Play) -> tuple[Play, Received]:
    play.start()
    return play, written(play, "ann", "PRESS TO F\nShall we?\nENDPRESS")["cleo"]


def test_an_answer_goes_to_who_wrote(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    assert "Reply, and Austria reads it." in letter.text
    assert letter.message["Cc"] is None
    play.letters()
    answer = play.send("cleo", "Dear Ann,\n\nwhy not?\n  Cleo", answers=letter)
    got = press(play)
    assert set(got) == {"ann"}
    assert "Dear Ann,\n\nwhy not?\n  Cleo" in got["ann"].text
    assert "Press from France (Cleo) to Austria in paris" in got["ann"].text
    assert "I sent your message to Austria, from France:" in answer.text
    assert "why not?" in answer.text


def test_the_conversation_goes_on_under_its_subject(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.letters()
    play.send("cleo", "Yes.", answers=letter)
    back = press(play)["ann"]
    assert back.subject == "JUDGE:paris - Spring 1901"
    play.send("ann", "Then Burgundy?", answers=back)
    again = press(play)["cleo"]
    assert again.subject == back.subject
    play.send("cleo", "Or Munich", answers=again, subject="Re: AW: Burgundy")
    assert "Burgundy</h1>" in html_of(press(play)["ann"])


def test_an_answer_to_all_goes_to_everybody_who_had_it(play: Play) -> None:
    play.start()
    letter = written(play, "ann", "PRESS TO FG\nShall we?\nENDPRESS")["cleo"]
    assert "reply to all, and everyone who got this does" in " ".join(letter.text.split())
    play.send("cleo", "To you alone.", answers=letter)
    assert set(press(play)) == {"ann"}
    play.send("cleo", "To you both.", answers=letter, to=everybody(letter))
    got = press(play)
    assert set(got) == {"ann", "dora"}
    assert "to Austria and Germany in paris" in got["dora"].text
    # And so on, from anybody who had it last.
    play.send("dora", "Gladly.", answers=got["dora"], to=everybody(got["dora"]))
    assert set(press(play)) == {"ann", "cleo"}


def test_an_answer_to_all_of_a_broadcast_is_one(play: Play) -> None:
    play.start()
    play.send("zoe", "OBSERVE paris")
    letters = written(play, "ann", "BROADCAST\nPeace!\nENDBROADCAST")
    play.send("cleo", "War!", answers=letters["cleo"])
    assert set(press(play)) == {"ann"}
    play.send("cleo", "War!", answers=letters["cleo"], to=everybody(letters["cleo"]))
    assert set(press(play)) == {"ann", "bob", "dora", "emil", "finn", "gwen", "max", "zoe"}
    play.send("zoe", "Well said.", answers=letters["zoe"])
    assert "Press from Observer (Zoe) to Austria" in press(play)["ann"].text


def test_it_keeps_to_the_games_press(play: Play) -> None:
    play.start()
    letter = written(play, "ann", "PRESS TO F\nShall we?\nENDPRESS")["cleo"]
    play.send("max", "SET NO PRESS")
    play.letters()
    answer = play.send("cleo", "Gladly.\nA Par H", answers=letter)
    assert "played without press" in answer.text
    assert "Gladly." in answer.text
    assert press(play) == {}
    assert orders(play) == ["A par H"]


def test_orders_among_it_are_taken_and_not_told(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.letters()
    text = "Dear Ann,\ngladly. Here is what I do:\n\nA Par - Bur\n1. F Bre - Mid\n\nYours, Cleo"
    answer = play.send("cleo", text, answers=letter)
    got = press(play)["ann"]
    assert "Bur" not in got.text.replace("Burgundy", "")
    assert "Bre" not in got.text
    assert "Dear Ann,\ngladly." in got.text
    assert "Yours, Cleo" in got.text
    assert orders(play) == ["A par - bur", "F bre - mid"]
    said = " ".join(answer.text.split())
    assert "Army Paris moves to Burgundy" in said
    assert "without the lines above, which I took as meant for me" in said


def test_what_others_should_do_is_talk_in_a_sentence(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.letters()
    text = "How about A Vie - Tyr,\nand then Munich - Burgundy would work for Germany\nin fall?"
    play.send("cleo", text, answers=letter)
    assert text in press(play)["ann"].text
    assert orders(play) == []


def test_orders_of_others_may_be_slips_and_are_sent_by_a_yes(
    to_france: tuple[Play, Received],
) -> None:
    play, letter = to_france
    play.letters()
    text = "How about\nA Vie - Tyr\nGermany: F Kie - Den\nin fall?"
    answer = play.send("cleo", text, answers=letter)
    assert press(play) == {}
    play.send("cleo", "yes", answers=answer)
    got = press(play)
    assert set(got) == {"ann"}
    assert "How about\nA Vie - Tyr\nin fall?" in got["ann"].text
    assert "Germany" not in got["ann"].text
    assert orders(play) == []


@pytest.mark.parametrize(
    "line",
    [
        "A Par - Bulg",
        "A Par - Mos",
        "A Par S A Mar - Lon",
        "Build A Par",
        "Paris to Burgundy or Picardy",
        "F Bre S",
        "A Par -",
    ],
)
def test_what_may_be_an_order_is_asked_about_and_nothing_is_told(
    to_france: tuple[Play, Received], line: str
) -> None:
    play, letter = to_france
    play.letters()
    answer = play.send("cleo", f"Dear Ann,\n{line}\nA Mar H\nCleo", answers=letter)
    assert press(play) == {}
    said = " ".join(answer.text.split())
    assert "may be one of your orders" in said
    assert "should I send this to Austria as press?" in said
    assert "Dear Ann," in answer.text
    assert orders(play) == ["A mar H"]


@pytest.mark.parametrize("mark", ["ENDPRESS", "End", "endpres"])
def test_what_is_sent_after_all_is_sent_whole(to_france: tuple[Play, Received], mark: str) -> None:
    play, letter = to_france
    play.send("cleo", f"I wonder.\nA Par - Bur?\n{mark}\nPic - Gas\nGas - Spa", answers=letter)
    play.letters()
    play.answer("cleo", "YES")
    assert "A Par - Bur?\nPic - Gas\nGas - Spa" in press(play)["ann"].text


@pytest.mark.parametrize(
    "text",
    [
        "Paris is safe, I hope.",
        "Help me against England, and wait for me.",
        "List your conditions.",
        "Join me.\nStart with Belgium.",
        "Resign, you coward!",
        "Leave Belgium to me",
        "Watch out for Russia.",
        "Status quo is fine with me",
        "set in stone it is not",
    ],
)
def test_talk_is_talk(to_france: tuple[Play, Received], text: str) -> None:
    play, letter = to_france
    before = paris(play).seats
    play.letters()
    play.send("cleo", text, answers=letter)
    assert text in press(play)["ann"].text
    assert orders(play) == []
    assert paris(play).seats == before


def test_where_a_line_may_be_a_command_nothing_is_sent(
    to_france: tuple[Play, Received],
) -> None:
    play, letter = to_france
    play.letters()
    answer = play.send("cleo", "Dear Ann,\nDraw?\nwait!\nCleo", answers=letter)
    assert press(play) == {}
    seat = paris(play).seats.player("France")
    assert seat is not None
    assert not seat.wait
    assert not seat.draw
    play.send("cleo", "YES ALL", answers=answer)
    got = press(play)
    assert "Dear Ann,\nDraw?\nCleo" in got["ann"].text
    assert "wait" not in got["ann"].text.partition("-----")[0]
    seat = paris(play).seats.player("France")
    assert seat is not None
    assert seat.wait


def test_a_yes_sends_each_line_to_whom_it_is_written(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.letters()
    text = (
        "Gladly.\n\nDear Italy,\nI only say so to Austria.\n\nNote to self:\nboth are fools\n\n"
        "Dear Austria,\nsee you.\n"
    )
    answer = play.send("cleo", text, answers=letter)
    play.letters()
    for number in (1, 2):
        play.send("cleo", f"YES {number}", answers=answer)
    got = [each for each in play.letters() if each.kind == "press"]
    to_ann = "\n".join(each.text for each in got if each.to.startswith("ann@"))
    to_emil = "\n".join(each.text for each in got if each.to.startswith("emil@"))
    assert len(got) == 2
    assert "Gladly." in to_ann
    assert "see you." in to_ann
    assert "I only say so" in to_emil
    assert "I only say so" not in to_ann
    assert "see you" not in to_emil
    assert "fools" not in to_ann + to_emil


def test_commands_written_as_commands_are_followed(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.letters()
    answer = play.send("cleo", "Agreed.\nset wait\nSTATUS\nSet draw", answers=letter)
    got = press(play)["ann"]
    assert "wait" not in got.text.lower()
    assert "draw" not in got.text.lower()
    assert "Agreed." in got.text
    assert "I adjudicate at the deadline" in " ".join(answer.text.split())
    seat = paris(play).seats.player("France")
    assert seat is not None
    assert seat.wait
    assert seat.draw


def test_marks_say_more_than_the_address(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.letters()
    answer = play.send("cleo", "hello\nPRESS TO G\nA Mun - Bur?\nENDPRESS\nA Par H", answers=letter)
    assert set(press(play)) == {"dora"}
    assert orders(play) == ["A par H"]
    assert "Sent to Germany" in answer.text


def test_an_empty_answer_asks_how_things_stand(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.letters()
    answer = play.send("cleo", "\n\n", answers=letter)
    assert press(play) == {}
    assert "3 orders of 3 are missing" in answer.text


def test_orders_alone_send_no_press(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.letters()
    play.send("cleo", "A Par H\nA Mar H\nF Bre H", answers=letter)
    assert press(play) == {}
    assert len(orders(play)) == 3


def test_the_thread_tells_where_sub_addresses_are_stripped(
    to_france: tuple[Play, Received],
) -> None:
    play, letter = to_france
    play.letters()
    play.send("cleo", "Gladly.", answers=letter, to=ADDRESS)
    assert set(press(play)) == {"ann"}


def test_somebody_elses_letter_is_no_way_to_write_in_his_name(
    to_france: tuple[Play, Received],
) -> None:
    play, letter = to_france
    play.letters()
    play.send("bob", "I am France, truly.", answers=letter)
    assert press(play) == {}


def test_letters_are_answered_after_their_phase(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.clock.advance(days=9)
    play.run()
    play.send("cleo", "Sorry to be late.", answers=letter)
    assert set(press(play)) == {"ann"}


def test_who_is_gone_reads_nothing(to_france: tuple[Play, Received]) -> None:
    play, letter = to_france
    play.sure("ann", "RESIGN")
    play.letters()
    answer = play.send("cleo", "Are you there?", answers=letter)
    assert "Nobody in paris is Austria" in answer.text
    assert press(play) == {}


def test_no_address_names_anybody(play: Play) -> None:
    play.start()
    letters = written(play, "ann", "PRESS TO FG\nShall we?\nENDPRESS")
    for letter in letters.values():
        fields = [letter.message[name] for name in ("From", "Reply-To", "Cc", "Message-ID")]
        assert "ann" not in " ".join(map(str, fields)).lower()
    tokens = [
        address for letter in letters.values() for _, address in getaddresses([everybody(letter)])
    ]
    assert len(tokens) == len(set(tokens)) == 4


def test_who_writes_unsigned_stays_unknown_when_answered(play: Play) -> None:
    play.start("WHITE/GREY")
    letter = written(play, "ann", "PRESS GREY TO FG\nI know something.\nENDPRESS")["cleo"]
    answer = play.send("cleo", "Who are you?", answers=letter)
    assert "I am sending your message to the person who wrote that, from France:" in answer.text
    assert "Austria" not in answer.text.partition("YOUR ORDERS")[0]
    got = press(play)
    assert set(got) == {"ann"}
    assert "Press from France (Cleo) to Anonymous in paris" in got["ann"].text
    assert "Your reply is unsigned." in got["ann"].text
    assert "Your reply is signed." in letter.text
    # He stays so when he answers.
    back = play.send("ann", "That is my secret.", answers=got["ann"])
    assert "I sent your message, unsigned, to France:" in back.text
    assert "Press from Anonymous to France in paris" in press(play)["cleo"].text
    play.send("cleo", "Who are you?", answers=letter, to=everybody(letter))
    assert "Austria" not in press(play)["dora"].text
