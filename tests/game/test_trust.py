"""Who may change a game: what a mail proves, what is asked about, and what opens nothing."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from judge.game.state import State
from judge.game.state.profile import TrustLevel
from judge.mail.address import Addresses
from judge.mail.authenticity import Checker
from judge.mail.headers import way
from judge.mail.message import parse
from judge.storage import InboundState, Seat
from tests.game.play import ADDRESS, PEOPLE, Play, Received

ANN, CLEO = "ann@people.example", "cleo@people.example"


def paris(play: Play) -> State:
    game = play.storage.games.by_name("paris")
    assert game is not None
    return State(play.storage, game)


def orders(play: Play, power: str = "France") -> list[str]:
    return [str(order) for order in paris(play).orders.get(power, ())]


def trust(play: Play, level: TrustLevel) -> None:
    play.judge.profile = replace(play.judge.profile, trust=level)


def questions(play: Play) -> list[Received]:
    return [letter for letter in play.letters() if letter.kind == "question"]


def reply_to(letter: Received) -> str:
    return str(letter.message["Reply-To"])


@pytest.fixture
def strict(play: Play) -> tuple[Play, dict[str, Received]]:
    """A game that has started, at a judge that wants answers to its letters."""
    starts = play.start("MOVE DELAY 0 MIN 0")
    trust(play, TrustLevel.TOKEN)
    return play, starts


# What a reply address opens


def test_an_answer_needs_nothing_else(strict: tuple[Play, dict[str, Received]]) -> None:
    play, starts = strict
    answer = play.send("cleo", "A Par - Bur", answers=starts["cleo"])
    assert answer.kind == "reply"
    assert orders(play) == ["A par - bur"]
    again = play.send("cleo", "A Mar - Spa\nSET WAIT", answers=answer)
    assert again.kind == "reply"
    assert orders(play) == ["A par - bur", "A mar - spa"]


def test_case_does_not_matter_and_servers_may_rename_the_recipient(
    strict: tuple[Play, dict[str, Received]],
) -> None:
    play, starts = strict
    address = reply_to(starts["cleo"]).partition("<")[2].strip(">")
    assert play.send("cleo", "A Par H", to=address.upper()).kind == "reply"
    headers = {"Delivered-To": "games@judge.example", "X-Original-To": address}
    assert play.send("cleo", "A Mar H", to=ADDRESS, headers=headers).kind == "reply"
    assert orders(play) == ["A par H", "A mar H"]


def test_where_sub_addresses_are_stripped_the_thread_tells_which_game_and_proves_nothing(
    strict: tuple[Play, dict[str, Received]],
) -> None:
    play, starts = strict
    play.send("cleo", "CREATE ?rome, MANUAL START", answers=starts["cleo"])
    question = play.send("cleo", "A Par H", answers=starts["cleo"], to=ADDRESS)
    assert question.kind == "question"
    assert orders(play) == []
    play.send("cleo", "YES", answers=question, to=ADDRESS)
    play.run()
    assert orders(play) == ["A par H"]
    trust(play, TrustLevel.KNOWN)
    assert play.send("cleo", "A Mar H", answers=starts["cleo"], to=ADDRESS).kind == "reply"
    assert orders(play) == ["A par H", "A mar H"]


@pytest.mark.parametrize("level", [TrustLevel.ADDRESS, TrustLevel.TOKEN])
def test_a_mail_that_names_two_writers_proves_nothing_and_is_told_so(
    strict: tuple[Play, dict[str, Received]], level: TrustLevel
) -> None:
    play, starts = strict
    trust(play, level)
    to = reply_to(starts["cleo"])
    raw = f"From: {CLEO}\nFrom : eve@people.example\nTo: {to}\n\nA Par - Bur\n".encode()
    _, _, address = to.rpartition("<")
    play.judge.process_message(play.raw(raw, CLEO, [address.strip(">")]))
    (letter,) = play.letters()
    asks = level is TrustLevel.TOKEN
    assert letter.kind == ("question" if asks else "reply")
    assert "more than one From field" in letter.text
    assert orders(play) == ([] if asks else ["A par - bur"])


@pytest.mark.parametrize("level", [TrustLevel.TOKEN, TrustLevel.VERIFIED])
@pytest.mark.parametrize(
    "text",
    ["A Par - Bur", "SET WAIT", "SET DRAW", "CLEAR NOW", "PRESS TO G\nHello\nENDPRESS"],
)
def test_a_forged_from_changes_nothing(play: Play, level: TrustLevel, text: str) -> None:
    play.start("MOVE DELAY 0 MIN 0")
    trust(play, level)
    before = paris(play)
    play.letters()
    answer = play.send("cleo", text)
    assert (answer.kind, answer.to) == ("question", CLEO)
    assert [letter.kind for letter in play.letters()] == ["question"]
    after = paris(play)
    assert after.game == before.game
    assert after.seats == before.seats
    assert after.orders == {}


@pytest.mark.parametrize(
    "text",
    ["PROCESS S1901M", "SET NO PRESS", "SET MOVE NEXT 1H", "PROCESS S1901M\nSIGN ON mparis"],
)
def test_a_forged_from_never_runs_a_game(play: Play, text: str) -> None:
    play.start()
    before = paris(play).game
    play.letters()
    answer = play.ask("max", text, to=ADDRESS)
    assert answer.kind == "question"
    assert paris(play).game == before
    assert [letter.kind for letter in play.letters()] == ["question"]


def test_a_forged_master_cannot_be_made_a_player(play: Play) -> None:
    play.send("max", "CREATE ?paris")
    assert play.send("max", "JOIN paris", to=ADDRESS).kind == "question"
    assert paris(play).game.moderated
    assert play.answer("max", "JOIN paris").kind == "reply"
    assert not paris(play).game.moderated


def test_who_makes_a_game_sets_it_up_in_the_same_mail(play: Play) -> None:
    answer = play.send("max", "CREATE ?paris\nSET NO PRESS", to=ADDRESS)
    assert answer.kind == "reply"
    assert paris(play).settings.press == "none"
    assert play.send("max", "SET WHITE", to=ADDRESS).kind == "question"
    assert paris(play).settings.press == "none"


def test_asking_needs_no_proof(strict: tuple[Play, dict[str, Received]]) -> None:
    play, _ = strict
    for text in ("STATUS", "LIST", "HELP orders", "SUMMARY paris", "SIGN ON fparis\nSTATUS", ""):
        assert play.send("cleo", text).kind == "reply", text


def test_a_token_for_one_person_opens_nothing_to_another(
    strict: tuple[Play, dict[str, Received]],
) -> None:
    play, starts = strict
    answer = play.send("ann", "A Par - Bur\nA Vie H", answers=starts["cleo"])
    assert answer.kind == "question"
    assert answer.to == ANN
    assert orders(play, "France") == []
    assert orders(play, "Austria") == []


def test_a_token_for_one_game_opens_no_other(strict: tuple[Play, dict[str, Received]]) -> None:
    play, starts = strict
    trust(play, TrustLevel.ADDRESS)
    play.send("cleo", "CREATE ?rome, MANUAL START")
    trust(play, TrustLevel.TOKEN)
    answer = play.send("cleo", "SIGN ON mrome\nSET NO PRESS", answers=starts["cleo"])
    assert answer.kind == "question"
    rome = play.storage.games.by_name("rome")
    assert rome is not None
    assert State(play.storage, rome).settings.press == "white"
    named = play.send("cleo", "SET NO PRESS", subject="JUDGE:rome", answers=starts["cleo"])
    assert "Only the game master of paris" in named.text


def test_a_token_for_one_phase_opens_no_other(strict: tuple[Play, dict[str, Received]]) -> None:
    play, starts = strict
    play.clock.advance(days=6)
    play.send("max", "PROCESS S1901M")
    assert paris(play).game.phase == "F1901M"
    assert play.send("cleo", "A Par - Bur", answers=starts["cleo"]).kind == "question"
    assert orders(play) == []
    assert play.answer("cleo", "A Par - Bur").kind == "reply"
    assert orders(play) == ["A par - bur"]


def test_a_token_for_one_power_opens_no_other(strict: tuple[Play, dict[str, Received]]) -> None:
    play, starts = strict
    state = paris(play)
    italy = state.seats.player("Italy")
    france = state.seats.player("France")
    assert italy is not None
    assert france is not None
    with play.storage.transaction():
        italy.person_id = france.person_id
        play.storage.seats.save(italy)
    assert play.send("cleo", "A Par H\nA Rom H", answers=starts["cleo"]).kind == "reply"
    assert orders(play, "Italy") == []
    assert play.send("cleo", "SIGN ON iparis\nA Rom H", answers=starts["cleo"]).kind == "question"
    assert orders(play, "Italy") == []
    # A letter that came after he had both opens both.
    both = play.send("cleo", "STATUS")
    assert play.send("cleo", "A Rom H", answers=both).kind == "reply"
    assert orders(play, "Italy") == ["A rom H"]


def test_a_line_that_gives_a_part_needs_no_other_proof_below_it(
    strict: tuple[Play, dict[str, Received]],
) -> None:
    play, starts = strict
    trust(play, TrustLevel.ADDRESS)
    play.sure("emil", "RESIGN", starts["emil"])
    watching = play.send("zoe", "OBSERVE paris")
    trust(play, TrustLevel.TOKEN)
    play.send("zoe", "TAKE OVER italy\nA ven - tri\nSET PASSWORD secret", answers=watching)
    assert "A ven - tri" in orders(play, "Italy")
    # Another power's letter still opens nothing.
    play.letters()
    mail = play.mail("zoe", "A ven H", answers=starts["cleo"])
    play.judge.process_message(mail)
    assert "A ven - tri" in orders(play, "Italy")


def test_a_first_mail_is_judged_as_it_came(play: Play) -> None:
    # Two names of a writer show no way, so that nothing proves more once they are on file.
    who = b"From: Zoe <zoe@people.example>\n"
    raw = who + who + b"To: %s\nMessage-ID: <1@x>\n\n%s"
    text = b"REGISTER\nName: Zoe\nEND\nCREATE ?rome\nSET PRESS NONE\nJOIN rome\nSET LANGUAGE de"
    mail = play.raw(raw % (ADDRESS.encode(), text), "zoe@people.example")
    play.judge.process_message(mail)
    (answer,) = play.letters()
    assert answer.kind == "reply"
    assert "rome" in answer.text


def test_who_left_a_part_has_nothing_by_its_old_letters(
    strict: tuple[Play, dict[str, Received]],
) -> None:
    play, starts = strict
    play.sure("cleo", "RESIGN", answers=starts["cleo"])
    answer = play.send("cleo", "A Par - Bur", answers=starts["cleo"])
    assert answer.kind in ("reply", "nothing")
    assert orders(play) == []


def test_an_expired_token_is_refused(strict: tuple[Play, dict[str, Received]]) -> None:
    play, starts = strict
    trust(play, TrustLevel.TOKEN)
    play.clock.set(play.clock.now() + timedelta(days=61))
    assert paris(play).game.phase == "S1901M", "nothing has run"
    assert play.send("cleo", "A Par - Bur", answers=starts["cleo"]).kind == "question"
    assert orders(play) == []


@pytest.mark.parametrize("place", [6, 7, 12, 20, 30])
def test_an_altered_token_is_refused(strict: tuple[Play, dict[str, Received]], place: int) -> None:
    play, starts = strict
    address = reply_to(starts["cleo"]).partition("<")[2].strip(">")
    other = "b" if address[place] != "b" else "c"
    altered = address[:place] + other + address[place + 1 :]
    assert play.send("cleo", "A Par - Bur", to=altered).kind == "question"
    assert orders(play) == []


def test_another_judges_token_is_none(strict: tuple[Play, dict[str, Received]]) -> None:
    play, _ = strict
    forged = Addresses("judge+*@judge.example", b"0" * 32, "judge.example")
    assert play.storage.tickets.find(3) is not None
    answer = play.send(
        "cleo",
        "A Par - Bur",
        to=forged.make(3, "r"),
        headers={"In-Reply-To": forged.message_id(3)},  # and by the thread as well
    )
    assert answer.kind == "question"
    assert orders(play) == []


def test_a_replayed_mail_is_the_same_mail(strict: tuple[Play, dict[str, Received]]) -> None:
    play, starts = strict
    raw_id = play.mail("cleo", "A Par - Bur", answers=starts["cleo"])
    play.judge.work()
    play.send("cleo", "A Par H", answers=starts["cleo"])
    mail = play.storage.inbound.find(raw_id)
    assert mail is not None
    assert play.raw(mail.raw, CLEO, mail.envelope_to) == raw_id
    assert play.run() is not None
    assert orders(play) == ["A par H"]


@pytest.mark.parametrize(
    "sender",
    [
        "cleo@people.example <eve@evil.example>",
        '"Cleo <cleo@people.example>" <eve@evil.example>',
        "=?utf-8?q?cleo=40people=2Eexample?= <eve@evil.example>",
    ],
)
@pytest.mark.parametrize("level", [TrustLevel.ADDRESS, TrustLevel.TOKEN])
def test_a_display_name_is_no_address(play: Play, sender: str, level: TrustLevel) -> None:
    play.start()
    trust(play, level)
    raw = (
        f"From: {sender}\r\nTo: {ADDRESS}\r\nMessage-ID: <evil@evil.example>\r\n\r\n"
        "SIGN ON fparis\r\nA Par - Bur\r\n"
    )
    play.judge.process_message(play.raw(raw.encode(), "eve@evil.example"))
    assert orders(play) == []
    assert not any(letter.to == CLEO for letter in play.letters())


# What comes as it always does


def received(*hosts: str) -> dict[str, str]:
    """The line of a mail server that got a mail from a host."""
    lines = [f"from x.example ([{host}]) by mx.judge.example with ESMTP; x" for host in hosts]
    return {"Received": "\r\nReceived: ".join(lines)}


FAR = received("198.51.100.7")
"""By which way nobody has written before."""


def test_mail_that_comes_as_the_first_did_needs_no_answer(play: Play) -> None:
    play.start()
    assert play.judge.profile.trust is TrustLevel.KNOWN
    assert play.send("cleo", "A Par - Bur\nSET WAIT").kind == "reply"
    assert orders(play) == ["A par - bur"]


@pytest.mark.parametrize("text", ["A Par - Bur", "SET WAIT", "SET DRAW", "CLEAR NOW"])
def test_mail_by_another_way_is_asked_about_and_that_way_once(play: Play, text: str) -> None:
    play.start()
    before = paris(play)
    play.letters()
    question = play.send("cleo", text, headers=FAR)
    assert (question.kind, question.to) == ("question", CLEO)
    after = paris(play)
    assert (after.game, after.seats, after.orders) == (before.game, before.seats, {})
    assert play.send("cleo", "STATUS", headers=FAR).kind == "reply"
    play.send("cleo", "YES", answers=question)
    play.run()
    assert play.send("cleo", "A Mar H", headers=received("198.51.100.9")).kind == "reply"
    assert play.send("cleo", "A Mar H", headers=received("198.51.101.7")).kind == "question"
    assert play.send("bob", "SET WAIT", headers=FAR).kind == "question"


@pytest.mark.parametrize("text", ["A Par H", "SET WAIT", "SET DRAW", "PRESS TO G\nHi\nENDPRESS"])
def test_who_has_a_letter_need_not_be_its_reader(play: Play, text: str) -> None:
    """It may have been forwarded, or quoted in somebody's press."""
    starts = play.start()
    before = paris(play)
    play.letters()
    for headers in (FAR, received("203.0.113.7")):
        play.mail("cleo", text, answers=starts["cleo"], headers=headers)
    letters = [letter for letter in play.run() if letter.kind != "welcome"]
    assert [(letter.kind, letter.to) for letter in letters] == [("question", CLEO)]
    after = paris(play)
    assert (after.seats, after.orders) == (before.seats, {})
    # Their own way stays theirs, and nobody else's becomes it.
    assert play.send("cleo", "A Mar H", answers=starts["cleo"]).kind == "reply"
    play.mail("cleo", "A Mar - Spa", answers=starts["cleo"], headers=FAR)
    play.run()
    assert orders(play) == ["A mar H"]


def test_an_answer_by_a_new_way_costs_one_question(play: Play) -> None:
    starts = play.start()
    question = play.send("cleo", "A Par H", answers=starts["cleo"], headers=FAR)
    assert question.kind == "question"
    play.send("cleo", "YES", answers=question, headers=FAR)
    play.run()
    assert play.send("cleo", "A Mar H", answers=starts["cleo"], headers=FAR).kind == "reply"
    assert orders(play) == ["A par H", "A mar H"]


def test_an_answer_by_a_new_way_needs_no_question_where_the_domain_vouches(play: Play) -> None:
    starts = play.start()
    play.judge.verify = Checker("mx.judge.example")
    good = {"Authentication-Results": "mx.judge.example; dmarc=pass header.from=people.example"}
    answer = play.send("cleo", "A Par H", answers=starts["cleo"], headers=FAR | good)
    assert answer.kind == "reply"
    assert orders(play) == ["A par H"]


def test_offers_and_proposals_are_answered_by_their_readers_only(play: Play) -> None:
    play.start()
    offer = play.send("cleo", "RESIGN")
    assert "YES" in offer.text
    play.letters()
    play.mail("cleo", "YES", answers=offer, headers=FAR)
    assert [letter.kind for letter in play.run()] == ["question"]
    assert all(seat.state == "active" for seat in paris(play).seats)


def test_one_yes_lets_in_all_that_came_that_way(play: Play) -> None:
    starts = play.start()
    question = play.send("cleo", "A Par H", answers=starts["cleo"], headers=FAR)
    for line in ("A Mar H", "F Bre H"):
        play.mail("cleo", line, headers=FAR)
    play.mail("cleo", "A Mar - Spa", headers=received("203.0.113.7"))
    play.run()
    assert orders(play) == []
    play.send("cleo", "YES", answers=question)
    play.run()
    assert orders(play) == ["A par H", "A mar H", "F bre H"]


def test_a_yes_to_what_was_asked_lets_nobody_run_a_game_unasked(play: Play) -> None:
    """Who shares the way has no letter of theirs."""
    play.start()
    question = play.send("max", "STATUS\nSET NO PRESS", headers=FAR)
    play.mail("max", "SET GREY", to=ADDRESS, headers=FAR)
    play.run()
    play.send("max", "YES", answers=question)
    play.run()
    assert paris(play).settings.press == "none"


def test_all_that_waits_is_told_in_one_letter_a_day(play: Play) -> None:
    play.start()
    play.letters()
    for number in range(4):
        text = f"A Par - Bur\nHello there {number}"
        play.mail("cleo", text, headers=received(f"203.0.{number}.7"))
    own = play.mail("cleo", "A Par - Gas\nGreetings from home.", headers=FAR)
    [question] = [letter for letter in play.run() if letter.to == CLEO]
    assert "Hello there 0" in question.text
    assert "from home" not in question.text
    play.clock.advance(days=1, hours=1)
    [listing] = [letter for letter in play.run() if letter.kind == "question"]
    assert all(f"Hello there {number}" in listing.text for number in range(4))
    assert "(5)" in listing.text
    assert "Greetings from home." in listing.text
    assert play.run() == []
    play.clock.advance(days=2)
    assert not [letter for letter in play.run() if letter.kind == "question"]
    which = play.send("cleo", "YES", answers=listing)
    assert "several ways" in " ".join(which.text.split())
    play.send("cleo", "YES 5", answers=listing)
    play.run()
    assert orders(play) == ["A par - gas"]
    play.send("cleo", "No", answers=listing)
    assert play.storage.inbound.count(InboundState.ASKED) == 0
    mail = play.storage.inbound.find(own)
    assert mail is not None
    assert mail.proof == "token"


def test_what_others_write_keeps_nobody_from_being_asked(play: Play) -> None:
    starts = play.start()
    play.letters()
    play.mail("cleo", "A Par - Bur", headers=received("203.0.113.7"))
    [forged] = [letter for letter in play.run() if letter.kind == "question"]
    play.mail("cleo", "A Par H", answers=starts["cleo"], headers=FAR)
    play.run()
    play.send("cleo", "NO", answers=forged)
    [own] = [letter for letter in play.letters() if letter.kind == "question"]
    assert "> A Par H" in own.text
    play.send("cleo", "YES", answers=own)
    play.run()
    assert orders(play) == ["A par H"]


@pytest.mark.parametrize("owner", [True, False])
def test_a_way_that_nobody_has_proved_is_forgotten_once_the_owner_answers(
    play: Play, owner: bool
) -> None:
    """Who was first to write in his name may have been anybody."""
    play.send("max", "CREATE ?paris")
    joined = play.send("zoe", "JOIN paris", headers=FAR)
    if owner:
        answer = play.send("zoe", "SET PREFERENCE G", answers=joined)
        play.send("zoe", "YES", answers=answer)
        play.run()
    kind = play.send("zoe", "SET PREFERENCE F", headers=FAR).kind
    assert kind == ("question" if owner else "reply")
    assert play.send("zoe", "SET PREFERENCE F").kind == ("reply" if owner else "question")


def test_what_a_domain_does_not_vouch_for_as_usual_is_asked_about(play: Play) -> None:
    play.judge.verify = Checker("mx.judge.example")
    good = {"Authentication-Results": "mx.judge.example; dkim=pass header.d=people.example"}
    play.send("max", "CREATE ?paris")
    assert play.send("zoe", "JOIN paris", headers=good).kind == "reply"
    assert play.send("zoe", "SET PREFERENCE F", headers=good).kind == "reply"
    assert play.send("zoe", "SET PREFERENCE G").kind == "question"


# What is asked


def test_a_yes_lets_it_count_as_of_when_it_came(strict: tuple[Play, dict[str, Received]]) -> None:
    play, _ = strict
    came = play.clock.now()
    question = play.send("cleo", "A Par - Bur\nSET WAIT", subject="My moves")
    assert "> A Par - Bur" in question.text
    assert "Subject: My moves" in question.text
    play.clock.advance(hours=5)
    answer = play.send("cleo", "Yes, that was me.", answers=question)
    assert "Your earlier message counts now" in " ".join(answer.text.split())
    assert orders(play) == []
    later = [letter for letter in play.run() if letter.kind == "reply"]
    assert "Army Paris moves to Burgundy" in later[-1].text
    assert orders(play) == ["A par - bur"]
    game = paris(play).game
    on_file = play.storage.orders(game.id).of_phase("S1901M")["France"]
    assert on_file[0].arrived_at == came


@pytest.mark.parametrize("text", ["", "YES", "ok", "Ja!", "oui", "yes\n\nCleo\n", "はい"])
def test_many_ways_to_say_yes(strict: tuple[Play, dict[str, Received]], text: str) -> None:
    play, _ = strict
    question = play.send("cleo", "A Par - Bur")
    play.mail("cleo", text, answers=question)
    play.run()
    assert orders(play) == ["A par - bur"]


def test_nothing_is_lost_while_a_question_is_open(
    strict: tuple[Play, dict[str, Received]],
) -> None:
    play, _ = strict
    asked = play.send("cleo", "A Par - Bur")
    play.letters()
    for line in ("F Bre - Mid", "A Mar H", "A Mar - Spa"):
        play.mail("cleo", line)
    assert play.run() == []
    play.send("cleo", "YES", answers=asked)
    [further] = questions(play)
    assert "> A Mar - Spa" in further.text
    play.run()
    play.send("cleo", "YES", answers=further)
    play.run()
    assert orders(play) == ["A par - bur", "F bre - mid", "A mar - spa"]


def test_an_answer_to_the_reply_to_a_failed_sign_on_is_for_the_game_it_shows(
    strict: tuple[Play, dict[str, Received]],
) -> None:
    play, starts = strict
    failed = play.send("cleo", "SIGN ON iparis\nA Rom H", answers=starts["cleo"])
    assert (failed.kind, failed.told) == ("reply", "kind=answer; game=paris; phase=S1901M")
    assert "Army Paris moves to Burgundy" in play.send("cleo", "A Par - Bur", answers=failed).text


@pytest.mark.parametrize("level", [TrustLevel.KNOWN, TrustLevel.TOKEN])
@pytest.mark.parametrize("other", ["eve@evil.example", ANN])
def test_who_a_question_was_forwarded_to_cannot_answer_it(
    play: Play, level: TrustLevel, other: str
) -> None:
    play.start()
    trust(play, level)
    question = play.send("cleo", "A Par - Bur", headers=FAR)
    answer = play.send(other, "YES", answers=question)
    assert "went to another address" in answer.text
    assert CLEO not in answer.raw.decode()
    play.run()
    assert orders(play) == []
    play.send("cleo", "YES", answers=question)
    play.run()
    assert orders(play) == ["A par - bur"]
    assert play.storage.people.by_address("eve@evil.example") is None


def test_a_yes_counts_once(strict: tuple[Play, dict[str, Received]]) -> None:
    play, _ = strict
    question = play.send("cleo", "A Par - Bur")
    play.send("cleo", "YES", answers=question)
    play.run()
    play.answer("cleo", "A Par H")
    again = play.send("cleo", "YES", answers=question)
    assert "answered before" in again.text
    play.run()
    assert orders(play) == ["A par H"]


@pytest.mark.parametrize(
    "text", ["I am on vacation until Monday.", "Thank you for your mail", "What is this?"]
)
def test_a_vacation_notice_is_no_yes(strict: tuple[Play, dict[str, Received]], text: str) -> None:
    play, _ = strict
    question = play.send("cleo", "A Par - Bur")
    answer = play.send("cleo", text, answers=question)
    assert "neither yes nor no" in " ".join(answer.text.split())
    play.run()
    assert orders(play) == []
    play.send("cleo", "YES", answers=question)
    play.run()
    assert orders(play) == ["A par - bur"]


def test_a_no_puts_it_away(strict: tuple[Play, dict[str, Received]]) -> None:
    play, _ = strict
    mail_id = play.mail("cleo", "A Par - Bur")
    play.judge.process_message(mail_id)
    [question] = questions(play)
    assert "discarded" in play.send("cleo", "No!", answers=question).text
    play.send("cleo", "YES", answers=question)
    play.run()
    assert orders(play) == []
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    assert mail.state == "done"


def test_an_old_question_is_over(strict: tuple[Play, dict[str, Received]]) -> None:
    play, _ = strict
    question = play.send("cleo", "A Par - Bur")
    play.clock.set(play.clock.now() + timedelta(days=15))
    assert "too old" in play.send("cleo", "YES", answers=question).text
    play.judge.work()
    assert "A par - bur" not in orders(play)


def test_a_late_yes_reopens_no_phase_and_counts_for_no_other(
    strict: tuple[Play, dict[str, Received]],
) -> None:
    play, _ = strict
    question = play.send("cleo", "A Par - Bur\nSET WAIT")
    play.clock.advance(days=6)
    play.send("max", "PROCESS S1901M")
    game = paris(play).game
    assert game.phase == "F1901M"
    play.send("cleo", "YES", answers=question)
    replies = [letter for letter in play.run() if letter.kind == "reply"]
    assert "for a phase that is over" in " ".join(replies[-1].text.split())
    assert orders(play) == []
    assert not any(seat.wait for seat in paris(play).seats)
    history = play.storage.history.of_game(game.id)
    assert history[0].orders == {}


def test_who_is_asked_too_often_is_asked_no_more(strict: tuple[Play, dict[str, Received]]) -> None:
    play, _ = strict
    play.letters()
    for number in range(6):
        play.mail("cleo", f"A Par - Bur\n{number}")
    play.run()
    asked = [
        letter
        for letter in play.storage.outbound.of_person(_person(play, CLEO))
        if letter.kind == "question"
    ]
    assert len(asked) == 1
    assert play.storage.inbound.count(InboundState.ASKED) == 6


def _person(play: Play, address: str) -> int:
    person = play.storage.people.by_address(address)
    assert person is not None
    return person.id


def test_a_stranger_is_shown_nothing_of_what_was_written_in_his_name(play: Play) -> None:
    trust(play, TrustLevel.TOKEN)
    answer = play.send("zoe", "JOIN paris\nBuy at http://evil.example", subject="Buy now")
    assert (answer.kind, answer.to) == ("question", "zoe@people.example")
    assert "evil" not in answer.message.as_string()
    assert "Buy" not in answer.message.as_string()
    assert play.storage.people.by_address("zoe@people.example") is None


def test_a_whole_beginning_by_answers_only(play: Play) -> None:
    trust(play, TrustLevel.TOKEN)
    play.answering.clear()
    question = play.send("max", "CREATE ?paris\nSET NO PRESS")
    assert play.storage.games.by_name("paris") is None
    play.send("max", "yes", answers=question)
    play.run()
    assert paris(play).settings.press == "none"
    for who in PEOPLE:
        # Who first asks for help answers that letter, and is known by it.
        welcome = play.send(who, "hello")
        assert welcome.kind == "welcome"
        assert play.send(who, "JOIN paris", answers=welcome).kind == "reply"
        address = play.storage.people.addresses(_person(play, f"{who}@people.example"))[0]
        assert address.proved
    play.run()
    assert paris(play).game.phase == "S1901M"


# Verified


def test_a_verified_mail_needs_no_answer(play: Play) -> None:
    play.start()
    trust(play, TrustLevel.VERIFIED)
    play.judge.verify = Checker("mx.judge.example")
    good = {"Authentication-Results": "mx.judge.example; dmarc=pass header.from=people.example"}
    assert play.send("cleo", "A Par - Bur", headers=good).kind == "reply"
    assert orders(play) == ["A par - bur"]
    trust(play, TrustLevel.ADDRESS)
    assert play.send("max", "SET NO PRESS", to=ADDRESS, headers=good).kind == "reply"
    assert paris(play).settings.press == "none"


@pytest.mark.parametrize(
    "said",
    [
        "mx.evil.example; dmarc=pass header.from=people.example",
        "mx.judge.example; dmarc=pass header.from=evil.example",
        "mx.judge.example; dmarc=fail header.from=people.example",
    ],
)
def test_forged_results_prove_nothing(play: Play, said: str) -> None:
    play.start()
    trust(play, TrustLevel.VERIFIED)
    play.judge.verify = Checker("mx.judge.example")
    headers = {"Authentication-Results": said}
    assert play.send("cleo", "A Par - Bur", headers=headers).kind == "question"
    assert play.ask("max", "PROCESS S1901M", to=ADDRESS, headers=headers).kind == "question"
    assert orders(play) == []


def test_where_only_servers_are_believed_a_yes_must_be_vouched_for(play: Play) -> None:
    starts = play.start()
    trust(play, TrustLevel.VERIFIED)
    play.judge.verify = Checker("mx.judge.example")
    good = {"Authentication-Results": "mx.judge.example; dkim=pass header.d=people.example"}
    question = play.send("cleo", "A Par - Bur", answers=starts["cleo"])
    assert "has to sign your reply" in " ".join(question.text.split())
    play.send("cleo", "YES", answers=question)
    assert [letter.kind for letter in play.run() if letter.to == CLEO][-1] == "unverified"
    assert orders(play) == []
    question = play.send("cleo", "A Par - Bur")
    play.send("cleo", "YES", answers=question, headers=good)
    play.run()
    assert orders(play) == ["A par - bur"]


# Addresses


def test_an_answer_from_an_unknown_address_is_asked_about_at_the_known_one(play: Play) -> None:
    starts = play.start()
    play.letters()
    kept = play.send("cleo@work.example", "A Par - Bur", answers=starts["cleo"])
    assert (kept.kind, kept.to) == ("kept", "cleo@work.example")
    assert "cleo@people" not in kept.message.as_string()
    [question] = questions(play)
    assert question.to == CLEO
    assert "cleo@work.example" in question.text
    assert orders(play) == []
    play.send("cleo", "YES", answers=question)
    play.run()
    assert orders(play) == ["A par - bur"]
    assert play.send("cleo@work.example", "A Mar H").kind == "reply"
    assert orders(play) == ["A par - bur", "A mar H"]


def test_i_am_also(play: Play) -> None:
    play.start()
    play.letters()
    answer = play.send("cleo@work.example", "I AM ALSO cleo@people.example")
    assert "If I know that address" in " ".join(answer.text.split())
    [question] = questions(play)
    assert question.to == CLEO
    assert play.storage.people.by_address("cleo@work.example") is None
    play.send("cleo", "YES", answers=question)
    person = play.storage.people.by_address("cleo@work.example")
    assert person == play.storage.people.by_address(CLEO)
    first = play.send("cleo@work.example", "A Par H")
    play.send("cleo@work.example", "YES", answers=first)
    play.run()
    assert play.send("cleo@work.example", "A Mar H").kind == "reply"
    assert orders(play) == ["A par H", "A mar H"]


def test_i_am_also_tells_nobody_who_is_known(play: Play) -> None:
    play.send("ann", "REGISTER")
    known = play.send("eve", "I AM ALSO ann@people.example")
    unknown = play.send("eva", "I AM ALSO nobody@people.example")
    assert known.text == unknown.text


@pytest.mark.parametrize("text", ["NO", "I am away until Monday", None])
def test_who_does_not_say_yes_keeps_his_parts_to_himself(play: Play, text: str | None) -> None:
    play.start()
    play.letters()
    play.send("eve@evil.example", "I AM ALSO cleo@people.example")
    [question] = questions(play)
    if text is not None:
        play.send("cleo", text, answers=question)
    play.mail("eve@evil.example", "SIGN ON fparis\nA Par - Bur")
    play.run()
    assert orders(play) == []


def test_who_plays_already_is_nobody_else(play: Play) -> None:
    play.start()
    answer = play.send("ann", "I AM ALSO cleo@people.example")
    assert "cannot become one of somebody else" in " ".join(answer.text.split())


def test_register_asks_at_further_addresses(play: Play) -> None:
    first = play.send("ann", "REGISTER\nEmail: ann@work.example\nEND")
    assert questions(play) == [], "anybody could have written that"
    play.send("ann", "REGISTER\nEmail: ann@work.example\nEND", answers=first)
    [question] = questions(play)
    assert question.to == "ann@work.example"
    assert play.storage.people.by_address("ann@work.example") is None
    play.send("ann@work.example", "YES", answers=question)
    person = play.storage.people.by_address("ann@work.example")
    assert person == play.storage.people.by_address(ANN)


def test_nobody_registers_somebody_elses_address(play: Play) -> None:
    play.start()
    first = play.send("zoe", "REGISTER\nName: Zoe\nEND")
    play.letters()
    play.send("zoe", "REGISTER\nEmail: cleo@people.example\nEND", answers=first)
    [question] = questions(play)
    answer = play.send("cleo", "YES", answers=question)
    assert "belongs to somebody else" in " ".join(answer.text.split())
    person = play.storage.people.by_address(CLEO)
    assert person is not None
    assert person.name == "Cleo"


# Passwords

SECRET = "Xyzzy-Plugh-42"


def all_letters(play: Play) -> str:
    found = []
    number = 0
    while (letter := play.storage.outbound.find(number + 1)) is not None:
        number += 1
        found.append(letter.raw.decode())
    return "\n".join(found)


def test_a_password_locks_a_part_against_mails_that_begin_anew(play: Play) -> None:
    starts = play.start()
    answer = play.send("cleo", f"SET PASSWORD {SECRET}", answers=starts["cleo"])
    assert "has a password now" in answer.text
    assert play.send("cleo", "A Par H").kind == "question"
    assert orders(play) == []
    wrong = play.send("cleo", "SIGN ON fparis guess\nA Par H")
    assert "not your password" in wrong.text
    assert orders(play) == []
    assert play.send("cleo", f"SIGN ON fparis {SECRET}\nA Par H").kind == "reply"
    assert orders(play) == ["A par H"]
    assert play.send("cleo", "A Mar H", answers=starts["cleo"]).kind == "reply"
    assert play.send("ann", f"SIGN ON fparis {SECRET}\nA Bre H").kind in ("reply", "nothing")
    assert "F bre H" not in orders(play)


def test_a_forged_from_sets_no_password(play: Play) -> None:
    play.start()
    assert play.send("cleo", f"SET PASSWORD {SECRET}").kind == "question"
    assert all(seat.password is None for seat in paris(play).seats)


def test_a_password_runs_a_game(play: Play) -> None:
    play.send("max", f"CREATE ?paris standard, PUBLIC\nSET PASSWORD {SECRET}", to=ADDRESS)
    assert paris(play).settings.listed
    assert play.send("max", "SET NO PRESS", to=ADDRESS).kind == "question"
    play.send("max", f"SIGN ON mparis {SECRET}\nSET NO PRESS", to=ADDRESS)
    assert paris(play).settings.press == "none"


@pytest.mark.parametrize("cte", ["7bit", "quoted-printable", "base64"])
def test_a_password_is_in_no_letter_and_not_kept(play: Play, cte: str) -> None:
    play.send("max", "CREATE ?paris, MANUAL START")
    lines = [
        f"JOIN paris {SECRET}",
        f"SIGN ON ?paris {SECRET}",
        f"SIGN ON paris {SECRET}",
        f"SIGM ON fparis {SECRET}",
        f"LOG IN paris {SECRET[:-1]}",
        f"SET PASSWORD {SECRET}",
        f"SET PASSWORD {SECRET} and more",
        f"CREATE ?rome {SECRET} standard",
    ]
    for number, line in enumerate(lines):
        message = f"From: Ann <ann@people.example>\r\nTo: {ADDRESS}\r\nSubject: {line}\r\n"
        message += f"Message-ID: <p{number}@people.example>\r\nMIME-Version: 1.0\r\n"
        body = (line + "\r\n").encode()
        if cte == "base64":
            import base64

            body = base64.encodebytes(body)
        elif cte == "quoted-printable":
            body = body[:12] + b"=\r\n" + body[12:]
        message += f"Content-Type: text/plain\r\nContent-Transfer-Encoding: {cte}\r\n\r\n"
        play.judge.process_message(play.raw(message.encode() + body, ANN))
    assert play.storage.inbound.count(InboundState.HELD) == 0
    assert SECRET[:-1] not in all_letters(play)


def test_what_is_stored_has_no_password(play: Play) -> None:
    starts = play.start()
    mail_id = play.mail("cleo", f"SET PASSWORD {SECRET}\nA Par H", answers=starts["cleo"])
    play.judge.process_message(mail_id)
    signing = play.mail("cleo", f"sign on fparis {SECRET}\nA Mar H")
    play.judge.process_message(signing)
    for each in (mail_id, signing):
        mail = play.storage.inbound.find(each)
        assert mail is not None
        assert mail.state == "done"
        assert SECRET.encode() not in mail.raw
        assert b"A " in mail.raw or b"Content-Transfer-Encoding: base64" in mail.raw
    seat = paris(play).seats.player("France")
    assert isinstance(seat, Seat)
    assert seat.password is not None
    assert seat.password.startswith("$argon2id$")
    assert SECRET not in seat.password
    assert not any(SECRET in str(event) for event in play.storage.events.last())


# What it costs

WAYS = ("203.0.113.7", "198.51.100.7", "192.0.2.7")
"""At home, at work, and on a telephone."""

YEAR = 100
"""Mails of a player in a year: two for each of fifty phases."""

CORPUS = Path(__file__).parents[1] / "mail" / "corpus"


@pytest.mark.parametrize("signed", [True, False])
def test_each_way_of_sending_costs_a_question_at_most(play: Play, signed: bool) -> None:
    """`pytest -s` prints how often players are asked in a year who write from three places, half
    the time anew."""
    play.start("MOVE DELAY 0 MIN 0, MANUAL PROCESS")
    play.judge.verify = Checker("mx.judge.example")
    good = {"Authentication-Results": "mx.judge.example; dmarc=pass header.from=people.example"}
    chance, asked, players = random.Random(17), 0, PEOPLE[:1]
    for who in players:
        used: set[str] = {""}
        for _ in range(YEAR):
            host = chance.choice(WAYS)
            to = ADDRESS if chance.random() < 0.5 else play.last_reply_to(f"{who}@people.example")
            play.clock.advance(minutes=5)
            headers = received(host) | (good if signed else {})
            answer = play.send(who, "SET WAIT", headers=headers, to=to)
            if answer.kind == "question":
                assert host not in used, "nobody is asked twice for the same way"
                asked += 1
                play.send(who, "YES", answers=answer, headers=headers)
                play.run()
            used.add(host)
    print(f"{'' if signed else 'un'}signed: {asked / len(players):.1f} questions a player a year")
    assert asked == (0 if signed else len(WAYS) * len(players))


def test_what_the_mails_of_the_corpus_would_have_cost() -> None:
    """`pytest -s` prints how many questions they would have caused, unsigned, as they came."""
    ways: dict[str, list[str | None]] = {}
    for file in sorted(CORPUS.glob("*.eml")):
        raw = file.read_bytes()
        if sender := parse(raw).sender:
            ways.setdefault(sender, []).append(way(raw, "imap", sender, ()))
    mails = sum(map(len, ways.values()))
    # By the first mail somebody comes in, and that way is theirs.
    asked = sum(len(set(each)) - 1 for each in ways.values())
    print(f"{asked} questions to {len(ways)} people for {mails} mails")
    assert asked <= mails // 5
