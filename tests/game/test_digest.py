"""One message a day for anybody who wants one: what they owe, and what happened."""

from __future__ import annotations

import pytest

from judge.storage import OutboundState
from tests.game.play import Play, Received
from tests.game.test_html_letters import html_of
from tests.game.test_pictures import notes

GATHERED = (OutboundState.KEPT, OutboundState.TOLD)


def to_cleo(play: Play, *kinds: str) -> list[Received]:
    """The messages to her that have gone out, or will at once, oldest first."""
    number, found = 1, []
    while (letter := play.storage.outbound.find(number)) is not None:
        number += 1
        if letter.recipient.startswith("cleo") and letter.state not in GATHERED:
            found.append(Received(letter.recipient, letter.kind, letter.raw))
    return [each for each in found if each.kind in kinds]


@pytest.fixture
def slow(play: Play) -> Play:
    """A game with days to spare, and somebody who wants one message a day."""
    play.start("MOVE NEXT 96H, MIN 0 DELAY 0")
    said = play.send("cleo", "SET DIGEST 08:00").text
    assert "one message a day" in said
    assert "08:00" in said
    return play


def hours(play: Play, count: int) -> None:
    """Let so many hours pass, each with its work."""
    for _ in range(count):
        play.clock.advance(hours=1)
        play.judge.work()


def test_a_day_is_one_message(slow: Play) -> None:
    slow.send("dora", "PRESS TO France\nShall we?\nENDPRESS")
    slow.send("bob", "BROADCAST\nGood evening.\nENDBROADCAST")
    slow.send("max", "SET COMMENT slow game")
    assert to_cleo(slow, "press", "settings", "day") == []
    hours(slow, 24)
    (day,) = to_cleo(slow, "day")
    said = " ".join(day.text.split())
    assert said.startswith("1 game waits for your orders. paris, Spring 1901, movement Deadline:")
    assert said.index("France: 3 orders of 3 are missing") < said.index("Shall we?")
    assert said.index("Shall we?") < said.index("Good evening.")
    page = html_of(day)
    assert "Shall we?" in page
    assert "Write my orders" in page
    assert "\ufffd" not in page
    hours(slow, 48)
    assert len(to_cleo(slow, "day")) == 1
    assert to_cleo(slow, "press") == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("SET DIGEST 08:00", "if there is news. What would come too late comes at once."),
        ("SET DIGEST 08:00 RESULTS AT ONCE", "Results come at once. What would come too late"),
    ],
)
def test_what_comes_at_once_is_told(play: Play, line: str, told: str) -> None:
    play.send("ann", "REGISTER")
    assert told in " ".join(play.send("ann", line).text.split())


def test_each_game_that_waits_has_its_board_the_soonest_first(slow: Play) -> None:
    slow.send("max", "CREATE ?rome standard, PLAYERS 3, MOVE NEXT 72H, MIN 0\nSET NO DAILY")
    for who in ("ann", "bob", "cleo"):
        slow.send(who, "JOIN rome")
    slow.judge.work()
    slow.send("bob", "SIGN ON rome\nBROADCAST\nGood evening.\nENDBROADCAST")
    hours(slow, 24)
    (day,) = to_cleo(slow, "day")
    assert [board["game"] for board in notes(day)] == ["rome", "paris"]
    above, between, below = html_of(day).split("<img ")
    assert "paris, Spring" not in above
    assert "paris, Spring" in between
    assert below.count("Write your orders to") == 1


def test_what_would_come_too_late_goes_at_once(slow: Play) -> None:
    slow.send("cleo", "SET REMINDER 48H 8H")
    found = slow.lapse()
    days = [each for each in found if each.kind == "day" and each.to.startswith("cleo")]
    reminders = to_cleo(slow, "reminder", "late")
    # The first one is in a digest, as what is owed; the second comes before its deadline.
    assert [each.kind for each in reminders][:1] == ["reminder"]
    assert "8 hours" in " ".join(reminders[0].text.split())
    assert "waits for your orders" in days[0].text
    assert "I am waiting" not in days[0].text
    assert [board["theater"] for board in notes(days[0])] == [["France"]]


@pytest.mark.parametrize(("wish", "at_once"), [("08:00", 0), ("8:00, results at once", 1)])
def test_results_come_as_they_are_wished(play: Play, wish: str, at_once: int) -> None:
    play.start("MOVE NEXT 96H, MIN 0 DELAY 0")
    play.send("cleo", f"SET DIGEST {wish}")
    play.send("max", "PROCESS S1901M")
    play.judge.work()
    assert len(to_cleo(play, "results")) == at_once
    hours(play, 24)
    assert len(to_cleo(play, "results")) == at_once
    days = to_cleo(play, "day")
    assert len(days) == 1 - at_once
    for day in days:
        assert "SUPPLY CENTERS" in day.text or "ALL ORDERS" in day.text
        assert day.text.index("France: ") < day.text.index("ALL ORDERS")
        # Its calendar entry and its record go along.
        assert {part.get_filename() for part in day.message.walk()} >= {"paris.ics"}


def test_a_digest_waits_for_no_credit_and_gives_none(slow: Play) -> None:
    slow.send("max", "PROCESS S1901M")
    slow.judge.work()
    assert to_cleo(slow, "results") == []
    kinds = {each.kind for each in slow.lapse()}
    assert "late" in kinds
    assert "deadline" not in kinds


def test_off_brings_what_was_kept_and_each_message_again(slow: Play) -> None:
    slow.send("dora", "PRESS TO France\nShall we?\nENDPRESS")
    assert "come at once" in slow.send("cleo", "SET DIGEST OFF").text
    slow.judge.work()
    (day,) = to_cleo(slow, "day")
    assert "Shall we?" in day.text
    slow.send("dora", "PRESS TO France\nWell?\nENDPRESS")
    assert len(to_cleo(slow, "press")) == 1


def test_a_reply_reaches_the_game_and_the_writer_of_press(slow: Play) -> None:
    slow.send("dora", "PRESS TO France\nShall we?\nENDPRESS")
    hours(slow, 24)
    (day,) = to_cleo(slow, "day")
    assert "Army Paris moves to Burgundy" in slow.send("cleo", "A par - bur", answers=day).text
    address = " ".join(day.text.split()).partition("To answer this one, write to ")[2].split()[0]
    slow.letters()
    slow.send("cleo", "Gladly.", to=address)
    press = [each for each in slow.letters() if each.kind == "press"]
    assert [each.to[:4] for each in press] == ["dora"]


def test_what_is_written_when_the_judge_dies_is_told_once(
    slow: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow.send("dora", "PRESS TO France\nShall we?\nENDPRESS")

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    slow.clock.advance(hours=24)
    with monkeypatch.context() as killed:
        killed.setattr("judge.messages.outbox.compose.build", die)
        with pytest.raises(KeyboardInterrupt):
            slow.judge.tidy()
    assert to_cleo(slow, "day") == []
    slow.judge.tidy()
    slow.judge.tidy()
    assert len(to_cleo(slow, "day")) == 1


def test_a_time_that_cannot_be_read_is_refused(play: Play) -> None:
    play.start()
    assert "is not a time" in play.send("cleo", "SET DIGEST 25:00").text
    assert "RESULTS AT ONCE" in play.send("cleo", "SET DIGEST 08:00 sometimes").text
