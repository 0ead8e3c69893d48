"""Never a loop, never a nuisance: what is answered, how often, and that nothing is lost."""

from __future__ import annotations

from unittest.mock import MagicMock

import pytest
from msgspec.structs import replace

from judge.intake.reception import Action, rules
from judge.limits import BOUNDS, Limits
from judge.service import Judge
from judge.storage import InboundState
from tests.game.play import ADDRESS, KEEPER, Play, Received, read
from tests.game.test_service import paris

LIMITS = Limits(hour=4, stranger=3, strangers=5, nothing=2)


def limit(play: Play) -> None:
    """Have the judge answer no more than `LIMITS` from here on, when all earlier is long ago."""
    house = replace(play.judge.profile, limits=LIMITS)
    play.judge = Judge(play.storage, play.clock, house, play.judge.table, seed=lambda: "seed")
    play.clock.advance(hours=2)


@pytest.fixture
def strict(play: Play) -> Play:
    limit(play)
    return play


@pytest.fixture
def started(play: Play) -> Play:
    play.start()
    limit(play)
    return play


def answers(play: Play, mail_id: int) -> list[str]:
    """The kinds of the letters that answer a mail."""
    play.judge.process_message(mail_id)
    return [letter.kind for letter in play.storage.outbound.of_mail(mail_id)]


def state(play: Play, mail_id: int) -> str:
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    return mail.state


def test_a_stranger_sees_each_line_that_was_not_carried_out_below_the_other(play: Play) -> None:
    text = play.send("zoe", "JOIN rome\nOBSERVE rome\nOBSERVE milan").text
    _, _, below = text.partition("WHAT I COULD NOT DO")
    refused, _, _ = below.partition("To play,")
    lines = [line for line in refused.splitlines() if line.strip()]
    assert len(lines) > 2
    assert all(line.startswith("  ") for line in lines)


def test_the_questions_end_with_one_for_all_else() -> None:
    found = list(rules(MagicMock(most=1, in_a_row=0, had=lambda *kinds: 0)))
    assert found[-1] == (Action.READ, "Anything else?", True)
    assert {action for action, _, _ in found} == set(Action)
    assert len({question for _, question, _ in found}) == len(found)


def test_who_writes_too_much_is_told_once_and_his_orders_count(started: Play) -> None:
    got = [answers(started, started.mail("cleo", "A Par - Bur")) for _ in range(8)]
    assert got == [["reply"]] * 4 + [["limit"]] + [[]] * 3
    answers(started, started.mail("cleo", "A Par - Pic"))
    assert [str(order) for order in paris(started).orders["France"]] == ["A par - pic"]
    notice = next(letter for letter in started.letters() if letter.kind == "limit")
    assert notice.to == "cleo@people.example"
    assert "still counts" in notice.text
    # The others are not concerned.
    assert answers(started, started.mail("bob", "F Lon - Nth")) == ["reply"]


def test_after_an_hour_he_is_answered_again(started: Play) -> None:
    for _ in range(6):
        answers(started, started.mail("cleo", "STATUS"))
    started.clock.advance(minutes=59)
    assert answers(started, started.mail("cleo", "STATUS")) == []
    started.clock.advance(minutes=2)
    assert answers(started, started.mail("cleo", "STATUS")) == ["reply"]


def test_a_robot_that_passes_for_a_person_is_answered_a_few_times_a_day(started: Play) -> None:
    text = "The cat has the keys, and feeds itself."
    got = []
    for _ in range(10):
        got += answers(started, started.mail("cleo", text))
        started.clock.advance(hours=1)
    assert got == ["nothing"] * 2
    last = [letter for letter in started.letters() if letter.kind == "nothing"][-1]
    assert "my last reply today" in last.text
    # Orders among the chatter are answered, and so is a reader of the letter who asks.
    assert answers(started, started.mail("cleo", "A Par - Bur")) == ["reply"]
    asked = started.mail("cleo", "Is the cat hungry?", answers=last)
    assert answers(started, asked) == ["nothing"]
    again = started.mail("cleo", "Has the cat eaten?", answers=last)
    assert answers(started, again) == ["nothing"]


NOTES = (
    "I am on leave 3-5 December. In urgent cases please contact my colleague.",
    "I am away.\nAvailable commands:\nhelp\nstatus",
    "SET ABSENCE 24 Dec to 2 Jan",
)


@pytest.mark.parametrize("note", NOTES)
def test_programs_that_answer_each_other_through_the_judge_stop(play: Play, note: str) -> None:
    starts = play.start()
    play.letters()
    hello = play.mail("ann", "PRESS TO France\nHello!\nENDPRESS", answers=starts["ann"])
    play.judge.process_message(hello)
    written = 0
    while waiting := [each for each in play.letters() if each.to.startswith(("ann@", "cleo@"))]:
        for letter in waiting:
            play.clock.advance(seconds=20)
            written += 1
            answers(play, play.mail(letter.to.partition("@")[0], note, answers=letter))
    assert written <= 10


@pytest.mark.parametrize("note", NOTES)
def test_a_program_that_answers_the_judge_stops(play: Play, note: str) -> None:
    letter: Received | None = play.start()["cleo"]
    written, told = 0, []
    while letter is not None:
        play.letters()
        play.clock.advance(seconds=20)
        written += 1
        answers(play, play.mail("cleo", note, answers=letter))
        letter = next((each for each in play.letters() if each.to.startswith("cleo@")), None)
        told += [letter is not None and "word for word" in letter.text]
    assert (written, told) == (4, [False, False, True, False])


def test_who_writes_the_same_to_several_people_or_now_and_again_is_no_program(play: Play) -> None:
    text = "Shall we work together against Turkey?"
    play.start()
    for who in ("ann", "bob", "dora"):
        answers(play, play.mail(who, "PRESS TO France\nHello!\nENDPRESS"))
    hellos = [each for each in play.letters() if each.kind == "press"]
    assert len(hellos) == 3
    for hello in hellos:
        play.clock.advance(seconds=20)
        assert "press" in answers(play, play.mail("cleo", text, answers=hello))
    for _ in range(5):
        status = play.send("cleo", "STATUS", answers=play.letters()[-1])
        assert status.kind == "reply"
        play.clock.advance(seconds=20)


def test_a_stranger_who_answers_is_answered_a_few_times_a_day(strict: Play) -> None:
    got, welcome = [], strict.send("zoe", "HELP")
    for _ in range(5):
        got.append(answers(strict, strict.mail("zoe", "HELP", answers=welcome)))
        strict.clock.advance(hours=2)
    assert got == [["welcome"]] * 2 + [["limit"], [], []]


def test_what_others_write_in_somebodys_name_is_answered_once_a_day(play: Play) -> None:
    for who, kind in (("zoe", "welcome"), ("cleo", "reply")):
        got = []
        if who == "cleo":
            play.start()
        for _ in range(4):
            forged = play.mail(who, "LIST", headers={"Received": "from x ([203.0.113.66]) by y"})
            got.append(answers(play, forged))
            play.clock.advance(hours=9)
        assert got == [[kind], [], [], [kind]]
    assert answers(play, play.mail("cleo", "LIST")) == ["reply"], "that is how her mail comes"


def test_a_newcomer_is_answered_whatever_came_before_in_his_name(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    play.send("zoe", "HELP")
    assert play.send("zoe", "JOIN paris").kind == "reply"
    assert play.send("zoe", "SET PREFERENCE F").kind == "reply"


def test_people_are_asked_once_a_day_about_what_others_write(play: Play) -> None:
    play.start()
    far = {"Received": "from x ([203.0.113.66]) by y"}
    lines = ("A Par H", "A Par - Bur", "A Par - Pic")
    asked = [answers(play, play.mail("cleo", line, headers=far)) for line in lines]
    assert asked == [["question"], [], []]
    play.mail("eve", "I AM ALSO cleo@people.example")
    play.mail("eva", "I AM ALSO cleo@people.example")
    got = [each for each in play.run() if each.kind == "question" and "cleo" in each.to]
    assert len(got) == 2, "one about all the mails, and one about a further address"


def test_mails_of_many_strangers_are_kept_for_the_keeper_who_is_told_once(strict: Play) -> None:
    mails = [strict.mail(f"zoe{number}", "HELP") for number in range(8)]
    got = [answers(strict, mail_id) for mail_id in mails]
    assert got == [["welcome"]] * 5 + [["knock"]] * 3
    assert [state(strict, mail_id) for mail_id in mails] == ["done"] * 5 + ["held"] * 3
    told = [letter for letter in strict.letters() if letter.kind == "strangers"]
    assert [letter.to for letter in told] == [KEEPER]
    # Strangers of another domain are not concerned, nor who answers a letter or was invited.
    assert answers(strict, strict.mail("zoe@elsewhere.example", "HELP")) == ["welcome"]
    (letter,) = strict.storage.outbound.of_mail(mails[0])
    way = str(read(letter).message["Reply-To"])
    assert answers(strict, strict.mail("zoe0", "HELP", to=way)) == ["welcome"]


def flooded(play: Play, who: str, text: str) -> int:
    """Have `who` write when no more strangers of their domain are answered; their mail's number."""
    for number in range(LIMITS.strangers):
        play.mail(f"zoe{number}", "HELP")
    mail_id = play.mail(who, text)
    play.run()
    assert state(play, mail_id) == "held"
    return mail_id


@pytest.mark.parametrize(("said", "more"), [("", []), ("Yes!", []), ("HELP", ["welcome"])])
def test_who_answers_a_letter_in_a_flood_is_read_at_once(
    strict: Play, said: str, more: list[str]
) -> None:
    waits = flooded(strict, "amy", "JOIN PRACTICE")
    (asked,) = strict.storage.outbound.of_mail(waits)
    assert (asked.kind, len(asked.raw) < 2000) == ("knock", True)
    assert "PRACTICE" not in read(asked).text
    way = str(read(asked).message["Reply-To"])
    # Who else has that letter lets nobody in.
    strict.mail("eve", said, to=way)
    strict.run()
    assert state(strict, waits) == "held"
    reply = strict.mail("amy", said, to=way)
    strict.run()
    assert (state(strict, reply), state(strict, waits)) == ("done", "done")
    assert [each.kind for each in strict.storage.outbound.of_mail(reply)] == more
    assert "practice1" in {each.name for each in strict.storage.games.all()}
    assert "reply" in [each.kind for each in strict.storage.outbound.of_mail(waits)]


def test_nobody_is_asked_to_answer_twice_in_a_day_nor_where_the_domain_vouches(
    strict: Play,
) -> None:
    flooded(strict, "amy", "JOIN")
    assert answers(strict, strict.mail("amy", "JOIN\nPlease!")) == []
    table, profile = strict.judge.table, strict.judge.profile
    judge = Judge(strict.storage, strict.clock, profile, table, verify=lambda *_: True)
    forging, strict.judge = strict.judge, judge
    assert answers(strict, strict.mail("ben", "JOIN"))
    strict.judge = forging
    assert answers(strict, strict.mail("cat", "JOIN")) == []


@pytest.mark.parametrize("spelled", ["zoe+{}@people.example", "z.o{}e@gmail.com"])
def test_a_mailbox_is_one_however_it_is_spelled(strict: Play, spelled: str) -> None:
    mails = [spelled.format("." * each if "gmail" in spelled else each) for each in (0, 1, 2, 3)]
    got = [answers(strict, strict.mail(who, "HELP")) for who in mails]
    assert [len(kinds) for kinds in got[:3]] == [1, 1, 1]
    assert got[3] in (["limit"], [])


def test_who_was_set_aside_is_looked_at_again_within_five_minutes(strict: Play) -> None:
    mails = [strict.mail(f"zoe{number}", "JOIN") for number in range(8)]
    strict.run()
    assert [state(strict, mail_id) for mail_id in mails] == ["done"] * 5 + ["held"] * 3
    strict.clock.advance(minutes=5, seconds=1)
    strict.run()
    # The newest of a domain first: a flood of made-up names does not stand before it.
    assert [state(strict, mail_id) for mail_id in mails[5:]] == ["held", "held", "done"]


def test_an_honest_newcomer_is_let_in_after_a_flood_of_made_up_names(play: Play) -> None:
    play.judge = Judge(
        play.storage,
        play.clock,
        replace(play.judge.profile, limits=Limits(strangers=20)),
        play.judge.table,
    )

    def mail(who: str, text: str, network: str) -> int:
        raw = f"From: {who}\nMessage-ID: <{who}>\n\n{text}\n".encode()
        stored = play.storage.inbound.accept(
            raw,
            door="smtp",
            envelope_from=who,
            envelope_to=[ADDRESS],
            received_at=play.clock.now(),
            network=network,
        )
        return stored.mail_id

    forged = [mail(f"x@made-up{each}.example", "JOIN PRACTICE", "9.9.9.0/24") for each in range(60)]
    near = mail("amy@school.example", "JOIN", "9.9.9.0/24")
    far = mail("ben@far.example", "JOIN", "8.8.8.0/24")
    play.run()
    assert [state(play, each) for each in forged].count("done") == 20
    assert state(play, far) == "done"
    # Even from the same network it takes no longer than five minutes.
    play.clock.advance(minutes=5, seconds=1)
    play.run()
    assert state(play, near) == "done"


def test_a_flood_of_made_up_names_keeps_out_nobody_who_was_invited(strict: Play) -> None:
    strict.send("max", "REGISTER Max\nCREATE ?friends")
    strict.send("max", "INVITE zoe@people.example")
    flood = [strict.mail(f"x{n}", "HELP") for n in range(LIMITS.strangers + 2)]
    invited, other = strict.mail("zoe", "HELP"), strict.mail("ben", "HELP")
    strict.run()
    assert [state(strict, each) for each in (flood[-1], invited, other)] == ["held", "done", "held"]


@pytest.mark.parametrize(
    "line", ["JOIN", "REGISTER Zoe", "JOIN PRACTICE", "WAIT", "REGISTER Zoe\nCREATE ?zoe{n}"]
)
def test_names_made_up_by_the_dozen_grow_neither_people_nor_games(strict: Play, line: str) -> None:
    def there() -> tuple[int, int]:
        return len(list(strict.storage.people.last())), len(list(strict.storage.games.all()))

    people, games = there()
    mails = [strict.mail(f"zoe{n}", line.format(n=n)) for n in range(12)]
    heard = {letter.to for letter in strict.run() if letter.kind != "knock"}
    assert there()[0] <= people + LIMITS.strangers
    assert there()[1] <= games + LIMITS.strangers
    assert [state(strict, mail) for mail in mails[LIMITS.strangers :]] == ["held"] * 7
    assert not heard & {f"zoe{n}@people.example" for n in range(LIMITS.strangers, 12)}
    # A little later there is room again.
    strict.clock.advance(minutes=6)
    strict.run()
    assert state(strict, mails[-1]) == "done"


@pytest.mark.parametrize("field", ['From: "a b"@x', "From: root", "Subject: x"])
def test_who_cannot_be_answered_is_kept_for_the_keeper(play: Play, field: str) -> None:
    mail = play.raw(f"{field}\nTo: {ADDRESS}\n\nHELP\n".encode(), '"a b"@x')
    assert answers(play, mail) == []
    assert state(play, mail) == "held"


@pytest.mark.parametrize("charset", ["hex", "rot13", "zlib", "bz2", "base64", "uu", "quopri"])
def test_a_mail_in_what_is_no_charset_is_read(play: Play, charset: str) -> None:
    head = f"From: zoe@people.example\nContent-Type: text/plain; charset={charset}\n\n"
    assert answers(play, play.raw(head.encode() + b"HELP\n\xe9\n", "zoe@people.example"))


def test_nothing_a_newcomer_wrote_is_quoted_to_his_claimed_address(play: Play) -> None:
    """Mail with a forged sender must not carry advertisements to a victim through us."""
    spam = "Cheap pills at http://evil.example today"
    for text in (spam, f"JOIN {spam}", f"LIST {spam}", f"HELP {spam}", f"A Par - {spam}"):
        play.clock.advance(hours=25)
        letter = play.send("victim", text, subject=spam, name="Cheap pills")
        assert letter.kind == "welcome"
        assert "evil.example" not in letter.text + letter.subject
        assert "pills" not in str(letter.message)


def test_the_keeper_is_not_buried_under_mails_that_fail(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(context: object) -> None:
        raise ZeroDivisionError("on purpose")

    monkeypatch.setattr("judge.service.reply", fail)
    for number in range(BOUNDS.held + 5):
        play.judge.process_message(play.mail(f"zoe{number}", "HELP"))
    kinds = [letter.kind for letter in play.letters()]
    assert kinds.count("held") == BOUNDS.held
    assert play.storage.inbound.count(InboundState.HELD) == BOUNDS.held + 5


def test_nor_is_a_newcomers_first_mail(play: Play) -> None:
    """Nor when the forged mail makes him known: only what a person could be called comes back."""
    spam = "Cheap pills at http://evil.example or evil@evil.example now"
    play.send("max", "CREATE ?paris\nSET LIST")
    for who, text in enumerate(
        (
            f"REGISTER\nName: {spam}\nCountry: {spam}\nLevel: {spam}\nTime zone: {spam}\nEND",
            f"JOIN paris\nPRESS TO M\n{spam}\nENDPRESS\n{spam}\nSIGN ON {spam}",
            f"CREATE ?rome {spam}\nCREATE ?roma\nSET {spam}\nPRESS TO {spam}\n{spam}",
            f"OBSERVE paris\nRESIGN {spam}\nSET MOVE {spam}\nHELP {spam}",
        )
    ):
        letter = play.send(f"victim{who}", text, subject=spam, name="evil.example")
        assert letter.kind == "reply"
        assert "evil.example" not in str(letter.message)
        assert "evil@" not in str(letter.message)
        assert "pills" not in str(letter.message["Subject"])


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"X-Autoreply": "yes"},
        {"Precedence": "auto_reply"},
        {"List-Id": "<x.example>"},
        {"X-Loop": "judge@elsewhere.example"},
        {"X-Loop": ADDRESS},
    ],
)
def test_two_judges_or_robots_never_talk_to_each_other(play: Play, headers: dict[str, str]) -> None:
    play.start()
    mail_id = play.mail("cleo", "A Par - Bur\nHELP", headers=headers)
    assert answers(play, mail_id) == []
    assert state(play, mail_id) == "done"
    assert paris(play).orders == {}


def test_a_bomb_is_answered_with_its_reason(play: Play) -> None:
    play.start()
    parts = "--b\nContent-Type: text/plain\n\nA Par - Bur\n" * 200
    raw = f"From: cleo@people.example\nContent-Type: multipart/mixed; boundary=b\n\n{parts}"
    mail_id = play.raw(raw.encode(), "cleo@people.example")
    play.judge.process_message(mail_id)
    letter = next(each for each in play.letters() if each.kind == "reply")
    assert "more than 100 parts" in " ".join(letter.text.split())
    assert paris(play).orders == {}


def test_no_name_or_subject_can_make_a_header(play: Play) -> None:
    encoded = "=?utf-8?q?x=0D=0ABcc=3A_victim=40example=2Eorg=0D=0A=0D=0Abody?="
    raw = f"From: {encoded} <eve@people.example>\nSubject: {encoded}\n\nREGISTER\nEND\nLIST\n"
    mail_id = play.raw(raw.encode(), "eve@people.example")
    play.judge.process_message(mail_id)
    (letter,) = play.letters()
    message = letter.message
    assert message["Bcc"] is None
    assert message.defects == []
    assert [each.addr_spec for each in message["To"].addresses] == ["eve@people.example"]


def test_a_mail_full_of_questions_is_answered_in_part(play: Play) -> None:
    play.start()
    reply = play.send("cleo", "HELP orders\nHELP guide\n" * 400 + "A Par - Bur")
    assert reply.text.count("HOW A GAME WORKS") == 6
    assert "I ignored those after that" in " ".join(reply.text.split())
    assert [str(order) for order in paris(play).orders["France"]] == ["A par - bur"]


def test_nobody_can_bury_the_others_under_press(play: Play) -> None:
    play.start()
    house = replace(play.judge.profile, limits=Limits(press=3))
    play.judge = Judge(play.storage, play.clock, house, play.judge.table)
    text = "\n".join(f"PRESS TO G\nletter {number}\nENDPRESS" for number in range(6))
    reply = play.send("cleo", f"{text}\nA Par - Bur")
    assert [letter.kind for letter in play.letters()].count("press") == 3
    assert "3 messages within an hour" in " ".join(reply.text.split())
    assert "letter 5" in reply.text
    assert "Burgundy" in reply.text
    play.clock.advance(hours=2)
    play.send("cleo", "PRESS TO G\nat last\nENDPRESS")
    assert "press" in [letter.kind for letter in play.letters()]


def test_a_stranger_may_ask_several_things_but_none_twice(play: Play) -> None:
    asked = ("HELP", "LIST", "JOIN nosuch", "help", "LIST")
    assert [len(answers(play, play.mail("zoe", each))) for each in asked] == [1, 1, 1, 0, 0]
