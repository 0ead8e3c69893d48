"""Plain words by mail: questions are answered, wishes are done after a YES, nothing before it."""

from __future__ import annotations

import pytest

from judge.game.clock.game_clock import absences_of
from judge.storage import SeatState
from tests.game.play import Play
from tests.game.test_service import paris


@pytest.fixture
def started(play: Play) -> Play:
    play.start()
    play.clock.advance(hours=1)
    play.letters()
    return play


def test_leaving_is_offered_and_done_after_a_yes(started: Play) -> None:
    asked = started.send("cleo", "Hi,\n\nplease remove me from this game.\n\nCleo")
    assert "RESIGN" in asked.text
    assert paris(started).seats.player("France") is not None
    started.send("cleo", "YES", answers=asked)
    again = started.letters()
    seat = paris(started).seats.holder("France")
    assert seat is not None
    assert seat.state == SeatState.RESIGNED, again


def test_a_letter_to_a_power_goes_out_whole_after_a_yes(started: Play) -> None:
    text = "Dear Germany,\n\nshall we ally? I could leave Burgundy.\n\nBest regards\nCleo"
    asked = started.send("cleo", text)
    assert "PRESS TO Germany" in asked.text
    assert not [letter for letter in started.letters() if letter.kind == "press"]
    started.send("cleo", "YES", answers=asked)
    (press,) = [letter for letter in started.letters() if letter.kind == "press"]
    for line in text.split("\n"):
        assert line in press.text


def test_a_letter_goes_on_behind_a_line_that_would_end_press(started: Play) -> None:
    asked = started.send("cleo", "Dear Germany,\nhere we are:\nEnd\nof the road. Shall we ally?")
    started.send("cleo", "YES", answers=asked)
    (press,) = [letter for letter in started.letters() if letter.kind == "press"]
    assert "here we are:\nof the road. Shall we ally?" in press.text


def test_more_time_is_asked_for_after_a_yes(started: Play) -> None:
    asked = started.send("cleo", "Könnten wir bitte zwei Tage mehr bekommen?")
    assert "EXTEND 2 days" in asked.text
    assert not paris(started).game.options.proposals
    started.send("cleo", "YES", answers=asked)
    assert paris(started).game.options.proposals


def test_an_absence_is_noted_after_a_yes(started: Play) -> None:
    asked = started.send("cleo", "I'll be away for two days.")
    assert "SET ABSENCE" in asked.text
    answer = started.send("cleo", "YES", answers=asked)
    assert "SET ABSENCE" in answer.text
    seat = paris(started).seats.player("France")
    assert seat is not None
    assert absences_of(seat, started.clock.now())


def test_an_absence_without_dates_is_asked_about(started: Play) -> None:
    answer = started.send("cleo", "I will be on vacation soon.")
    assert "SET ABSENCE 15 Jun to 22 Jun" in answer.text
    assert "YES" not in answer.text


@pytest.mark.parametrize(
    ("words", "command", "done"),
    [
        ("please cancel my orders", "CLEAR NOW", "dropped"),
        ("Don't process before the deadline", "SET WAIT", "wait"),
        ("plain text please", "SET NO HTML", "HTML"),
        ("no pictures please", "SET PICTURES NONE", "NONE"),
        ("no more reminders", "SET REMINDER NONE", "remind"),
        ("Please send the mails in German", "SET LANGUAGE de", "Deutsch"),
        ("which games can I join?", "LIST", "paris"),
        ("please resend the last results", "HISTORY", "paris"),
        ("can we pause over Christmas?", "PAUSE", "game master"),
    ],
)
def test_what_plain_words_ask_for_is_done_after_a_yes(
    started: Play, words: str, command: str, done: str
) -> None:
    started.send("cleo", "A Par H")
    asked = started.send("cleo", words)
    assert command in asked.text
    assert "YES" in asked.text
    assert paris(started).orders["France"]
    answer = started.send("cleo", "YES", answers=asked)
    assert done in answer.text, answer.text
    assert bool(paris(started).orders.get("France")) is (command != "CLEAR NOW")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("When is the deadline?", "Deadline:"),
        ("What are my orders?", "YOUR ORDERS"),
        ("Who is late?", "Not all orders"),
        ("who plays Germany?", "Germany"),
        ("Where is the map?", "Fleet Brest"),
        ("can I move to Burgundy?", "A par - bur"),
        ("Kann meine Armee in Paris nach Burgund?", "A par - bur"),
        ("What can my fleet in Brest do?", "F bre - mid"),
        ("Can A Par go to Rome?", "not possible"),
        ("what are the rules?", "THE RULES IN SHORT"),
        ("How do I send a message to another player?", "PRESS TO"),
        ("How do I write a support order?", "A mar S A par - bur"),
        ("Comment écrire un convoi ?", "F nth C A lon - nwy"),
        ("Wie kann ich die Frist verlängern?", "EXTEND"),
        ("please delete all my data", "write to the keeper"),
    ],
)
def test_questions_are_answered_from_the_game(started: Play, question: str, told: str) -> None:
    answer = started.send("cleo", question)
    assert answer.kind == "reply"
    assert told in answer.text
    assert not paris(started).orders


def test_who_wants_to_leave_before_the_start_is_asked_that(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    joined = play.send("cleo", "JOIN paris")
    for words, answers in (("please remove me", joined), ("Abmelden", joined)):
        asked = play.send("cleo", words, answers=answers)
        assert "LEAVE" in asked.text
        assert "YES" in asked.text
    assert "left" in play.send("cleo", "YES", answers=asked).text


def test_who_is_late_is_told_as_far_as_it_may_be_known(started: Play) -> None:
    before = started.send("cleo", "A Par H\nA Mar H\nF Bre H\n\nwho is late?").text
    assert "England" in before.partition("who is late?")[2]
    assert "are late" not in before
    while not any(letter.kind == "late" for letter in started.wake()):
        pass
    after = started.send("cleo", "who is late?").text
    assert "England" in after
    assert "are late" in after
    assert "I still need orders from you" not in after


def test_wishes_in_an_answer_to_press_stay_press(started: Play) -> None:
    started.send("bob", "PRESS TO F\nShall we ally?\nENDPRESS")
    (press,) = [each for each in started.letters() if each.kind == "press" and "cleo" in each.to]
    started.send("cleo", "Could we talk about it? I need two more days to think.", answers=press)
    (back,) = [each for each in started.letters() if each.kind == "press" and "bob" in each.to]
    assert "two more days" in back.text


def test_press_on_one_line_goes_out_after_a_yes(started: Play) -> None:
    asked = started.send("cleo", "Press to Germany: shall we ally?")
    assert "PRESS TO Germany" in asked.text
    started.send("cleo", "YES", answers=asked)
    (press,) = [letter for letter in started.letters() if letter.kind == "press"]
    assert "shall we ally?" in press.text


def test_who_was_not_understood_has_a_short_menu_to_choose_from(started: Play) -> None:
    answer = started.send("cleo", "zebras cross the street")
    page = answer.message.get_body(("html",))
    assert page is not None
    for line in ("RESIGN", "EXTEND 24H", "SET ABSENCE", "SET DRAW", "MAP", "HELP"):
        assert f"\n  {line}" in answer.text
        assert f">{line}</a>" in page.get_content()
    assert "RESIGN" not in started.send("cleo", "A Par H").text


def test_the_menu_is_for_what_can_be_done_here(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    joined = play.send("cleo", "JOIN paris")
    answer = play.send("cleo", "zebras cross the street", answers=joined)
    assert "\n  LEAVE: " in answer.text
    assert "SET DRAW" not in answer.text


def test_no_more_than_two_guesses_are_offered_for_a_mail(started: Play) -> None:
    wishes = (
        "please remove me",
        "I need two more days",
        "I'd like a draw",
        "please pause the game",
    )
    answer = started.send("cleo", "\nA Par H\n".join(wishes))
    assert "YES 2" in answer.text
    assert "YES 3" not in answer.text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("can my fleet go to Spain?", "F bre - spa is not possible"),
        ("Kann meine Flotte nach Spanien?", "F bre - spa is not possible"),
        ("est-ce que ma flotte peut aller en Espagne ?", "No unit of yours of that kind"),
        ("Can I go to Spain with my fleet?", "No unit of yours of that kind"),
        ("can the army in Paris move to Burgundy this turn?", "A par - bur is possible"),
        ("Kann die Armee Paris Burgund erreichen?", "A par - bur is possible"),
        ("can my army go to Burgundy?", "To go to Burgundy, order: A mar - bur or A par - bur"),
        ("can the German army in Munich go to Burgundy?", "A mun - bur is possible. What"),
        ("Can my fleet support Paris to Burgundy?", "F bre S par - bur is not possible"),
    ],
)
def test_what_a_unit_can_do_is_answered_of_that_unit_and_ordered_by_nobody(
    started: Play, asked: str, told: str
) -> None:
    answer = " ".join(started.send("cleo", asked).text.split()) + " What"
    assert told in answer
    assert "LINES I COULD NOT USE" not in answer
    assert not paris(started).orders.get("France")


def test_the_coasts_that_a_fleet_can_reach_are_told(started: Play) -> None:
    for who, lines in (("cleo", "F bre - mao"), ("max", "PROCESS S1901M")):
        started.send(who, lines)
    told = " ".join(started.send("cleo", "can my fleet go to Spain?").text.split())
    assert "To go to Spain, order: F mid - spa/nc or F mid - spa/sc" in told


@pytest.mark.parametrize(
    "asked",
    [
        "can the army in Paris move to Burgundy next turn?",
        "if he leaves, can A Par go to Burgundy?",
        "should A Par go to Bur or Gas?",
        "A Par - Bur?",
    ],
)
def test_what_asks_for_more_than_the_position_says_is_offered_as_an_order(
    started: Play, asked: str
) -> None:
    answer = started.send("cleo", asked).text
    assert "Write for example:  A par - bur" in answer
    assert not paris(started).orders.get("France")


def test_nothing_is_offered_that_a_yes_could_not_do(play: Play) -> None:
    play.start()
    told = play.ask("max", "I vote for a draw").text
    assert "YES" not in told
    assert "Only players of paris" in told
    assert "SET DRAW" in play.ask("cleo", "I vote for a draw").text


def test_nothing_is_offered_that_would_take_back_what_stands_beside_it(started: Play) -> None:
    mail = "A Par - Bur\nA Mar - Spa\nF Bre - Mid\n\nOld, please ignore:\nA Par - Pic"
    assert "CLEAR NOW" not in started.ask("cleo", mail).text


def test_what_people_ask_for_has_buttons_beside_orders(started: Play) -> None:
    said = "Old, please ignore:\nA Par - Pic"
    answer = started.ask("cleo", f"A Par - Bur\nA Mar - Spa\nF Bre - Mid\n\n{said}")
    page = answer.message.get_body(("html",))
    assert page is not None
    assert "EXTEND%2024H" in page.get_content()


def test_orders_in_doubt_are_filed_by_a_yes(started: Play) -> None:
    asked = started.ask("cleo", "A Par - Bur\nA Mar - Spa\nF Bre - Mid\n\nSkip the last one.")
    assert "PLEASE REPLY YES OR NO" in asked.text
    assert "Skip the last" in asked.text
    assert "COULD NOT USE" not in asked.text
    assert not paris(started).orders
    started.send("cleo", "YES", answers=asked)
    assert len(paris(started).orders["France"]) == 3
