"""One mail is one transaction, answered once; what fails is kept aside and can be tried again."""

from __future__ import annotations

import gc
import re
from datetime import timedelta
from email.message import EmailMessage

import pytest

from judge import service
from judge.game import phases
from judge.game.state import State
from judge.messages import reply
from judge.storage import Game, SeatState, Unavailable, phase_root
from tests.game.play import ADDRESS, KEEPER, PEOPLE, Play, Received


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def test_every_mail_gets_one_reply_and_only_one(play: Play) -> None:
    mail_id = play.mail("zoe", "Hello")
    assert play.judge.process_message(mail_id)
    assert not play.judge.process_message(mail_id)
    assert [letter.to for letter in play.letters()] == ["zoe@people.example"]


def test_the_reply_joins_the_thread_of_the_mail_and_of_the_game(play: Play) -> None:
    play.start()
    answer = play.send("cleo", "A Par - Bur", subject="My moves")
    mail = play.storage.inbound.find(9)
    assert mail is not None
    message = answer.message
    assert message["In-Reply-To"] == mail.message_id
    root = phase_root(paris(play).game.thread, "S1901M")
    assert message["References"].split() == [root, mail.message_id]
    assert message["Auto-Submitted"] == "auto-replied"
    assert answer.subject == "Re: My moves"


def test_every_letter_of_a_phase_refers_to_the_same_root(play: Play) -> None:
    starts = play.start()
    roots = {letter.message["References"].split()[0] for letter in starts.values()}
    assert roots == {phase_root(paris(play).game.thread, "S1901M")}
    assert all(letter.message["Auto-Submitted"] == "auto-generated" for letter in starts.values())
    assert all(letter.message["List-Id"] == "<paris.judge.example>" for letter in starts.values())


def test_answering_a_letter_is_enough_to_be_in_its_game(play: Play) -> None:
    starts = play.start()
    play.send("cleo", "CREATE ?rome")
    lost = play.send("cleo", "A Par - Bur")
    assert "I do not know which game this is for" in lost.text
    found = play.send("cleo", "A Par - Bur", answers=starts["cleo"])
    assert "A par - bur          Army Paris moves to Burgundy" in found.text
    assert found.subject == f"Re: {starts['cleo'].subject}"


def test_the_subject_can_name_the_game(play: Play) -> None:
    play.start()
    play.send("cleo", "CREATE ?rome")
    assert "Burgundy" in play.send("cleo", "A Par - Bur", subject="JUDGE:Paris orders").text


def test_who_loses_their_seat_while_their_mail_waits_for_the_game_is_not_in_it(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.start()
    games = play.storage.games
    claim = games.claim

    def claim_late(game_id: int, *, wait: bool = True) -> Game | None:
        game = claim(game_id, wait=wait)
        for seat in play.storage.seats.of_game(game_id):
            if seat.power == "France":
                seat.state = SeatState.EJECTED
                play.storage.seats.save(seat)
        return game

    monkeypatch.setattr(games, "claim", claim_late)
    assert "You take part in no game that is running" in play.send("cleo", "A Par - Bur").text


def test_a_message_id_of_somebody_elses_game_opens_nothing(play: Play) -> None:
    starts = play.start()
    play.send("zoe", "CREATE ?rome\nJOIN rome")
    answer = play.send("zoe", "STATUS\nA Par - Bur", answers=starts["cleo"])
    assert "paris" not in answer.text.lower().replace("par - bur", "")
    assert "Here is how rome stands" in answer.text


@pytest.mark.parametrize(
    "headers",
    [{"Auto-Submitted": "auto-replied"}, {"List-Id": "<x.example>"}, {"Precedence": "bulk"}],
)
def test_what_may_not_be_answered_is_not(play: Play, headers: dict[str, str]) -> None:
    play.start()
    mail_id = play.mail("cleo", "A Par - Bur", headers=headers)
    play.judge.process_message(mail_id)
    assert not play.storage.outbound.of_mail(mail_id)
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    assert mail.state == "done"
    assert paris(play).orders == {}


def test_our_own_letters_are_not_answered(play: Play) -> None:
    letter = play.send("zoe", "Hello")
    mail_id = play.raw(letter.message.as_bytes(), ADDRESS)
    play.judge.process_message(mail_id)
    assert not play.storage.outbound.of_mail(mail_id)


def test_a_mail_that_fails_leaves_nothing_half_done(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.start()
    play.letters()

    def fail(context: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(service, "reply", fail)
    mail_id = play.mail("cleo", "A Par - Bur\nSET WAIT\nPRESS TO G\nhello\nENDPRESS")
    play.judge.process_message(mail_id)

    state = paris(play)
    assert state.orders == {}
    assert state.seats.player("France") is not None
    assert not any(seat.wait for seat in state.seats)
    assert play.storage.press.of_game(state.game.id) == []
    letters = {letter.kind: letter for letter in play.letters()}
    assert set(letters) == {"held", "trouble"}
    assert letters["trouble"].to == "cleo@people.example"
    assert letters["held"].to == KEEPER
    assert "on purpose" in letters["held"].text
    assert "on purpose" not in letters["trouble"].text
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    assert mail.state == "held"
    assert "ZeroDivisionError" in (mail.problem or "")

    # Tried again before the cause is mended: the keeper hears of it, its sender not again.
    assert play.storage.inbound.retry(mail_id)
    play.judge.process_message(mail_id)
    assert [letter.kind for letter in play.letters()] == ["held"]

    monkeypatch.setattr(service, "reply", reply.reply)
    assert play.storage.inbound.retry(mail_id)
    play.judge.process_message(mail_id)
    assert {letter.kind for letter in play.letters()} == {"press", "reply"}
    assert [str(order) for order in paris(play).orders["France"]] == ["A par - bur"]


def test_a_database_out_of_reach_is_nobodys_fault(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(context: object) -> None:
        raise Unavailable("for a moment")

    mail_id = play.mail("zoe", "Hello")
    monkeypatch.setattr(service, "reply", fail)
    with pytest.raises(Unavailable):
        play.judge.process_message(mail_id)
    monkeypatch.setattr(service, "reply", reply.reply)
    assert play.judge.process_message(mail_id)
    assert [letter.kind for letter in play.letters()] == ["welcome"]


@pytest.mark.parametrize("line", ["SET", "A Par - Nowhere"])
def test_a_strangers_line_that_was_not_understood_is_not_quoted(play: Play, line: str) -> None:
    text = play.send("zoe", line).text
    assert "WHAT I COULD NOT DO" in text
    assert "None" not in text
    assert line not in text


def all_hold(play: Play, but: str = "") -> None:
    """Everybody orders his units to hold, save one who says nothing."""
    units = paris(play).opened.units
    for who, power in zip(PEOPLE, units, strict=True):
        if who != but:
            play.send(who, "\n".join(f"{unit} H" for unit in units[power]))


def test_a_phase_that_fails_changes_nothing_and_the_keeper_is_told_once(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.start()
    all_hold(play)
    play.letters()
    before = paris(play).game

    def fail(*arguments: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr(phases, "play", fail)
    play.clock.advance(days=30)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            play.judge.run_game(before.id)
    assert paris(play).game.phase == "S1901M"
    assert play.storage.history.of_game(before.id) == []
    letters = play.letters()
    assert [(letter.kind, letter.to) for letter in letters] == [("stuck", KEEPER)]


def test_a_phase_runs_once_however_often_it_is_asked_for(play: Play) -> None:
    play.start()
    all_hold(play)
    game_id = paris(play).game.id
    play.clock.advance(days=30)
    assert play.judge.run_game(game_id)
    assert not play.judge.run_game(game_id)
    assert [run.phase for run in play.storage.history.of_game(game_id)] == ["S1901M", "S1901R"]


def test_mail_that_came_before_the_deadline_counts_however_late_it_is_read(play: Play) -> None:
    play.start()
    game_id = paris(play).game.id
    all_hold(play, but="cleo")
    mail_id = play.mail("cleo", "A Par - Bur\nA Mar H\nF Bre H")
    play.clock.advance(days=30)
    assert not play.judge.run_game(game_id)
    assert play.judge.process_message(mail_id)
    assert play.judge.run_game(game_id)
    runs = play.storage.history.of_game(game_id)
    assert "A par - bur" in runs[0].orders["France"]


def test_a_game_nothing_is_due_in_is_left_alone(play: Play) -> None:
    play.start()
    play.letters()
    assert not play.judge.run_game(paris(play).game.id)
    assert not play.judge.run_game(999)
    assert play.letters() == []


def test_an_address_no_letter_can_go_to_does_not_stop_the_judge(play: Play) -> None:
    mail_id = play.mail("zoë@people.example", "Hello")
    play.judge.process_message(mail_id)
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    assert mail.state == "done"


@pytest.mark.parametrize("raw", [b"", b"\x00\xff\xfe garbage", b"From: zoe\r\n\r\nhi", b"\n" * 500])
def test_bytes_that_are_no_mail_are_done_with(play: Play, raw: bytes) -> None:
    mail_id = play.raw(raw)
    play.judge.process_message(mail_id)
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    assert mail.state == "done"


def test_undecodable_lines_spoil_no_others(play: Play) -> None:
    play.start()
    message = EmailMessage()
    message["From"] = "cleo@people.example"
    message["Message-ID"] = "<bytes@people.example>"
    raw = message.as_bytes().rstrip(b"\n") + (
        b"\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
        b"\xff\xfe\x00 \xe9\xe8\nA Par - Bur\n"
    )
    play.judge.process_message(play.raw(raw, "cleo@people.example"))
    assert [str(order) for order in paris(play).orders["France"]] == ["A par - bur"]


def test_a_huge_mail_is_worked_in_time(play: Play) -> None:
    play.start()
    noise = "SET " + "wait," * 10_000 + "\n" + "A Par - " * 5_000 + "\n" + "x" * 50_000
    answer = play.send("cleo", f"A Par - Bur\n{noise}\nF Bre - Mid\n" + "word\n" * 400_000)
    assert "Army Paris moves to Burgundy" in answer.text
    assert "Fleet Brest moves to Mid-Atlantic Ocean" in answer.text
    assert "too long: I read only its first" in answer.text
    assert len(answer.text) < 5000


def test_seven_people_are_asked_for_nothing_but_joining(play: Play) -> None:
    starts = play.start(preferences="TRIGFEA")
    assert set(starts) == {*PEOPLE, "max"}
    assert "You play Turkey" in starts["ann"].text
    assert "You play Austria" in starts["gwen"].text
    events = play.storage.events.of_game(paris(play).game.id)
    dealt = next(event for event in events if event.what == "powers dealt")
    assert dealt.facts["seed"] == "seed"
    assert dealt.facts["powers"][0] == ["Turkey"]


# What a phase waits for


def due_twice(play: Play) -> tuple[dict[str, Received], dict[str, Received]]:
    """Two games of the same people whose deadline has passed; their start letters."""

    def make() -> None:
        play.start("MOVE DELAY 0 MIN 0")
        play.send("max", "CREATE ?rome standard, MOVE DELAY 0 MIN 0", to=ADDRESS)
        for who in PEOPLE:
            play.send(who, "JOIN rome")
        play.judge.work()

    play.begin("twice", make=make)
    starts: dict[str, dict[str, Received]] = {"paris": {}, "rome": {}}
    for letter in play.letters():
        if letter.kind == "start":
            name = letter.subject.removeprefix("JUDGE:").partition(" ")[0]
            starts[name][letter.to.partition("@")[0]] = letter
    play.clock.advance(days=20)
    return starts["paris"], starts["rome"]


def game_id(play: Play, name: str) -> int:
    game = play.storage.games.by_name(name)
    assert game is not None
    return game.id


def test_a_phase_waits_for_mails_of_its_game_and_for_those_of_unknown_games(play: Play) -> None:
    paris_starts, _ = due_twice(play)
    play.mail("cleo", "A Par H", answers=paris_starts["cleo"])
    assert not play.judge.run_game(game_id(play, "paris"))
    assert play.judge.run_game(game_id(play, "rome"))
    play.judge.process_message(play.storage.inbound.next_new() or 0)
    assert play.judge.run_game(game_id(play, "paris"))


@pytest.mark.parametrize("text", ["A Par H", "SIGN ON paris\nA Par H", "STATUS"])
def test_a_mail_of_an_unknown_game_may_be_for_any(play: Play, text: str) -> None:
    due_twice(play)
    play.mail("cleo", text)
    assert not play.judge.run_game(game_id(play, "paris"))
    assert not play.judge.run_game(game_id(play, "rome"))


@pytest.mark.parametrize(
    "text", ["A Par H\nSIGN ON Paris\nA Mar H", "SIGN ON france@paris\nA Mar H"]
)
def test_an_answer_about_one_game_can_hold_orders_for_another(play: Play, text: str) -> None:
    _, rome_starts = due_twice(play)
    play.mail("cleo", text, answers=rome_starts["cleo"])
    assert not play.judge.run_game(game_id(play, "paris"))


def test_what_came_after_now_holds_nothing_up(play: Play) -> None:
    due_twice(play)
    now = play.clock.now()
    play.clock.advance(minutes=1)
    play.mail("cleo", "A Par H")
    play.clock.set(now)
    assert play.judge.run_game(game_id(play, "paris"))


def test_behind_many_mails_a_game_waits(play: Play) -> None:
    paris_starts, _ = due_twice(play)
    for number in range(20):
        play.mail("cleo", f"A Par H\n{number}", answers=paris_starts["cleo"])
    assert not play.judge.run_game(game_id(play, "rome"))


def test_a_phase_waits_for_no_strangers(play: Play) -> None:
    due_twice(play)
    for number in range(30):
        play.mail(f"eve{number}", "LIST")
    newest = play.storage.inbound.newest()
    assert play.judge.awaited(game_id(play, "paris"), newest, play.clock.now()) is None
    cleos = play.mail("cleo", "A Par H")
    newest = play.storage.inbound.newest()
    assert play.judge.awaited(game_id(play, "paris"), newest, play.clock.now()) == cleos
    play.judge.process_message(cleos)
    assert play.judge.run_game(game_id(play, "paris"))


def ended_twice(play: Play, mail_id: int) -> None:
    """A mail ends the process that works it, and when it is tried again."""
    assert not play.judge.blame(mail_id, "It burned.")
    assert play.storage.inbound.failed()[0].attempts == 1
    assert play.letters() == []
    assert play.judge.blame(mail_id, "It burned.")
    play.judge.hold(mail_id, "It burned.")


def test_a_phase_waits_for_a_mail_that_ended_its_process_and_says_how_long(play: Play) -> None:
    play.start("MOVE DELAY 0 MIN 0")
    game = paris(play).game
    play.letters()
    mail_id = play.mail("cleo", "A Par - Bur")
    ended_twice(play, mail_id)
    told = {letter.to.partition("@")[0]: letter.text for letter in play.letters()}
    assert set(told) == {"cleo", "keeper"}
    assert game.deadline is not None
    until = game.deadline + timedelta(hours=24)
    for text in told.values():
        assert f"paris: {until:%A} {until.day} {until:%B, %H:%M} (UTC)" in " ".join(text.split())
    play.clock.set(until - timedelta(seconds=1))
    assert not play.judge.run_game(game.id)
    play.clock.set(until)
    assert play.judge.run_game(game.id)
    # The next phase does not wait for it once more.
    play.clock.advance(days=20)
    assert play.judge.run_game(game.id)


@pytest.mark.parametrize("way", ["writes", "retry", "drop"])
def test_a_phase_waits_until_somebody_has_seen_to_it(play: Play, way: str) -> None:
    play.start("MOVE DELAY 0 MIN 0")
    game, mail_id = paris(play).game, play.mail("cleo", "A Par - Bur")
    ended_twice(play, mail_id)
    deadline = game.deadline
    assert deadline is not None
    play.clock.set(deadline + timedelta(hours=1))
    assert not play.judge.run_game(game.id)
    if way == "writes":
        play.send("cleo", "A Par - Gas")
    elif way == "retry":
        assert play.storage.inbound.retry(mail_id)
        assert play.judge.process_message(mail_id)
    else:
        with play.storage.transaction():
            play.storage.inbound.drop(mail_id)
    assert play.judge.run_game(game.id)


def test_a_mail_that_cannot_be_looked_at_is_held_all_the_same(play: Play) -> None:
    mail_id = play.mail("zoe", "Hello")
    assert not play.judge.blame(mail_id, "It burned.")
    play.judge.hold(mail_id, "It burned.", answer=False)
    (letter,) = play.letters()
    assert (letter.to, letter.kind) == (KEEPER, "held")
    assert "Its sender does not know" in letter.text


def test_what_was_done_before_its_process_ended_is_done(play: Play) -> None:
    mail_id = play.mail("zoe", "Hello")
    play.judge.process_message(mail_id)
    assert not play.judge.blame(mail_id, "It burned.")
    assert play.storage.inbound.failed() == []


def test_a_line_that_takes_the_place_of_another_one_of_the_same_mail_says_so(play: Play) -> None:
    play.start()
    text = " ".join(play.send("bob", "F edi - nrg\nF edi - nth\nF edi - nth").text.split())
    assert text.count("This takes the place of") == 1
    assert "moves to North Sea. This takes the place of F edi - nrg." in text
    assert "takes the place" not in play.send("bob", "F edi - nrg").text


def test_units_that_have_their_orders_are_not_among_those_to_be_ordered(play: Play) -> None:
    play.start()
    text = play.send("bob", "F edi - nrg").text
    assert "Your units without an order, and where each can go" in text
    assert "A lvp, Army Liverpool:" in text
    assert "F edi, Fleet Edinburgh:" not in text
    shown = re.findall(r"^  ([AF] \w{3}) (?:- \w{3}|H|S .+?)  +\S", text, re.MULTILINE)
    assert shown == ["F edi", "F lon", "A lvp"]  # what is ordered, then the examples


def test_a_worked_mail_leaves_nothing_behind_that_somebody_has_to_look_for(play: Play) -> None:
    starts = play.start()
    orders = "A Par - Bur\nA Mar - Spa\nF Bre - Mid"
    for _ in range(2):
        # What is made once is made by then, for orders that change those of an earlier mail, too.
        play.send("cleo", orders, answers=starts["cleo"])
    mail_id = play.mail("cleo", orders, answers=starts["cleo"])
    gc.collect()
    gc.disable()
    try:
        play.judge.process_message(mail_id)
        assert gc.collect() == 0
    finally:
        gc.enable()
