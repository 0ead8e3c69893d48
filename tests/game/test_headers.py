"""What mail programs do with our letters hangs on their headers, and so do people's secrets."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime

import pytest
from msgspec.structs import replace

from judge.intake.authentication import way_of
from judge.intake.one_click import unsubscribe
from judge.mail.headers import message_ids
from judge.storage import Role, phase_root
from tests.game.play import ADDRESS, KEEPER, PEOPLE, REPLIES, Play, Received
from tests.game.test_service import paris


@pytest.fixture
def letters(play: Play) -> list[Received]:
    """The letters of a game with a bit of everything, from CREATE to the first results."""
    play.start()
    play._seen = 0
    mail_id = play.mail(
        "cleo",
        "A Par - Bur\nPRESS TO G\nlet us talk\nENDPRESS\nBROADCAST\nhello\nENDBROADCAST",
        headers={
            "X-Originating-IP": "203.0.113.77",
            "Received": "from cleos-laptop.example (203.0.113.77) by mx.people.example",
            "User-Agent": "CleoMail/1.0",
            "References": "<a@cleos-laptop.example> <b@cleos-laptop.example>",
            "Cc": "friend@people.example",
        },
        to=play.last_reply_to("cleo@people.example"),
    )
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    with play.storage.transaction():
        way = way_of(play.judge.profile, mail)
        play.storage.people.remember("cleo@people.example", way)
    play.judge.process_message(mail_id)
    play.send("olga", "OBSERVE paris")
    play.sure("gwen", "RESIGN")
    play.send("max", "PROCESS S1901M")
    return play.run()


def test_nobody_sees_anothers_address_or_program(letters: list[Received]) -> None:
    addresses = {f"{who}@people.example" for who in (*PEOPLE, "max", "olga", "friend")}
    for letter in letters:
        shown = letter.message.as_string().lower()
        for address in addresses - {letter.to}:
            assert address not in shown, (letter.kind, letter.to)
        if letter.to != "cleo@people.example":
            for betrayed in ("203.0.113.77", "cleos-laptop", "cleomail"):
                assert betrayed not in shown
        assert letter.message["Bcc"] is None
        assert letter.message["Received"] is None


def test_each_letter_says_what_programs_need(letters: list[Received], play: Play) -> None:
    seen: set[str] = set()
    for letter in letters:
        message = letter.message
        assert message.defects == []
        assert message["From"].addresses[0].addr_spec == ADDRESS
        assert [each.addr_spec for each in message["To"].addresses] == [letter.to]
        (message_id,) = message_ids(str(message["Message-ID"]))
        assert message_id.endswith("@judge.example>")
        assert message_id not in seen
        seen.add(message_id)
        assert parsedate_to_datetime(str(message["Date"])) <= play.clock.now()
        assert str(message["Auto-Submitted"]) in ("auto-generated", "auto-replied")
        assert str(message["X-Loop"]) == ADDRESS
        assert message["Precedence"] is None
        assert letter.message.as_bytes().isascii()


def test_a_phase_is_one_thread_and_a_game_one_list(letters: list[Received], play: Play) -> None:
    thread = paris(play).game.thread
    phases = {phase_root(thread, phase) for phase in ("forming", "S1901M", "F1901M")}
    about = [letter for letter in letters if letter.message["List-Id"] is not None]
    for letter in letters:
        unasked = letter.kind not in REPLIES
        for field in ("List-Id", "List-Help", "List-Unsubscribe"):
            assert (letter.message[field] is not None) >= unasked, (letter.kind, field)
        assert (letter.message["List-Help"] is not None) == unasked
    assert {letter.kind for letter in about} >= {"start", "press", "results", "resigned"}
    for letter in about:
        assert str(letter.message["List-Id"]) == "<paris.judge.example>"
        if letter.kind != "reply":
            assert message_ids(str(letter.message["References"]))[0] in phases
    for letter in letters:
        assert (letter.message["List-Id"] is None) == (letter not in about)
        assert letter.to != KEEPER


def test_letters_of_a_phase_bear_one_subject_and_its_senders_tell_them_apart(
    letters: list[Received],
) -> None:
    turns = {"JUDGE:paris - Forming", "JUDGE:paris - Spring 1901", "JUDGE:paris - Fall 1901"}
    assert {each.subject for each in letters if each.kind != "reply"} <= turns
    sender = {letter.kind: letter.sender for letter in letters}
    assert sender["start"].startswith("paris: you play ")
    assert sender["resigned"] == "paris: Resignation"
    for letter in letters:
        head = letter.message.as_bytes().partition(b"\n\n")[0]
        assert head.isascii()


def clicked(letter: Received) -> str:
    """The token in the web address of a letter's one click."""
    fields = dict(letter.headers)
    assert fields["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    found = re.match(r"<https://judge\.example/stop\?(\w+)>, *<mailto:", fields["List-Unsubscribe"])
    assert found is not None
    return found[1]


def test_one_click_asks_players_and_ends_watching_at_once(play: Play) -> None:
    play.start()
    play.judge.profile = replace(play.judge.profile, unsubscribe="https://judge.example/stop?")
    play.send("olga", "OBSERVE paris")
    play.send("max", "PROCESS S1901M")
    results = {each.to[:4]: each for each in play.run() if each.kind == "results"}
    for who in ("cleo", "olga"):
        token, now = clicked(results[who]), play.clock.now()
        assert unsubscribe(play.storage, play.judge.profile, token, now)
        play.judge.work()
    letters = play.letters()
    assert ["YES" in each.text for each in letters if each.to.startswith("cleo")] == [True]
    assert paris(play).seats.player("France") is not None
    assert "unwatched" in {each.kind for each in letters if each.to.startswith("olga")}
    assert not paris(play).seats.active(Role.OBSERVER)


def test_only_what_the_judge_made_is_taken_for_a_click(play: Play) -> None:
    start = play.start()["cleo"]
    reply_to = str(start.message["Reply-To"]).partition("+")[2].partition("@")[0]
    for token in ("", "o" * 25, reply_to, "w" + reply_to[1:], "o" + reply_to[1:]):
        assert not unsubscribe(play.storage, play.judge.profile, token, play.clock.now())
    assert play.storage.inbound.next_new() is None
