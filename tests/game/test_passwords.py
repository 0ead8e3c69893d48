"""Passwords: how often one may guess, and where none is left to be read."""

from __future__ import annotations

import html
from pathlib import Path

import pytest

from judge.game.state.profile import TrustLevel
from judge.intake.authentication import blanked
from judge.storage import InboundState, Unavailable
from tests.game.play import ADDRESS, Play, Received
from tests.game.test_trust import CLEO, SECRET, all_letters, orders, questions, trust


@pytest.fixture
def locked(play: Play) -> tuple[Play, dict[str, Received]]:
    """A game in which France has a password."""
    starts = play.start()
    play.send("cleo", f"SET PASSWORD {SECRET}", answers=starts["cleo"])
    return play, starts


def guess(play: Play, number: int, after: str = "A Par H") -> Received:
    return play.send("cleo", f"SIGN ON fparis guess{number}\n{after}")


def everything(play: Play, folder: Path) -> bytes:
    """All that is on the disk once the judge has ended."""
    play.storage.close()
    found = b"".join(file.read_bytes() for file in folder.iterdir())
    play._open()
    return found


# Guessing


def test_after_five_wrong_ones_even_the_right_one_is_refused_for_an_hour(
    locked: tuple[Play, dict[str, Received]],
) -> None:
    play, starts = locked
    for number in range(4):
        assert "not your password" in guess(play, number).text
    fifth = " ".join(guess(play, 4).text.split())
    assert "one too many: I got 5 wrong ones" in fifth
    right = " ".join(play.send("cleo", f"SIGN ON fparis {SECRET}\nA Par H").text.split())
    assert "I take no password for your seat now, right or wrong" in right
    assert orders(play) == []
    # An answer to a letter needs none.
    play.send("cleo", "A Mar H", answers=starts["cleo"])
    assert orders(play) == ["A mar H"]
    play.clock.advance(hours=1)
    play.send("cleo", f"SIGN ON fparis {SECRET}\nA Par H")
    assert orders(play) == ["A mar H", "A par H"]


def test_wrong_ones_during_the_hour_do_not_make_it_longer(
    locked: tuple[Play, dict[str, Received]],
) -> None:
    play, _ = locked
    for number in range(5):
        guess(play, number)
    for number in range(5, 8):
        play.clock.advance(minutes=10)
        guess(play, number)
    play.clock.advance(minutes=30)
    play.send("cleo", f"SIGN ON fparis {SECRET}\nA Par H")
    assert orders(play) == ["A par H"]


def test_all_in_one_mail_are_counted(locked: tuple[Play, dict[str, Received]]) -> None:
    play, _ = locked
    lines = [f"SIGN ON fparis guess{number}" for number in range(5)]
    play.send("cleo", "\n".join([*lines, f"SIGN ON fparis {SECRET}", "A Par H"]))
    assert orders(play) == []


@pytest.mark.parametrize("after", ["SIGN ON paris\nSET WAIT", "SIGN ON paris\nA Par H"])
def test_those_in_mails_that_are_not_carried_out_count_as_well(
    locked: tuple[Play, dict[str, Received]], after: str
) -> None:
    play, _ = locked
    for number in range(5):
        play.judge.process_message(play.mail("cleo", f"SIGN ON fparis guess{number}\n{after}"))
    assert len(questions(play)) == 1
    answer = play.send("cleo", f"SIGN ON fparis {SECRET}\nA Par H")
    assert "no password for your seat now" in " ".join(answer.text.split())
    assert orders(play) == []


def test_other_games_and_people_are_not_locked(locked: tuple[Play, dict[str, Received]]) -> None:
    play, starts = locked
    play.send("bob", f"SET PASSWORD {SECRET}", answers=starts["bob"])
    play.send("cleo", f"CREATE ?rome\nSET PASSWORD {SECRET}")
    for number in range(6):
        guess(play, number)
    play.send("bob", f"SIGN ON eparis {SECRET}\nF Lon H")
    assert orders(play, "England") == ["F lon H"]
    assert play.send("cleo", f"SIGN ON mrome {SECRET}\nSET NO PRESS").kind == "reply"
    rome = play.storage.games.by_name("rome")
    assert rome is not None
    assert rome.settings["press"] == "none"


def test_a_wrong_one_takes_as_long_where_there_is_none(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    from judge.intake import authentication as passwords

    checked: list[str] = []
    hasher = passwords._hasher()

    class Counted:
        hash = staticmethod(hasher.hash)

        @staticmethod
        def verify(known: str, password: str) -> bool:
            checked.append(known)
            return hasher.verify(known, password)

    monkeypatch.setattr(passwords, "_hasher", lambda: Counted)
    starts = play.start()
    play.send("cleo", f"SET PASSWORD {SECRET}", answers=starts["cleo"])
    for who, letter in (("cleo", "f"), ("bob", "e")):
        checked.clear()
        play.send(who, f"SIGN ON {letter}paris guess\nSTATUS")
        assert len(checked) == 1
    # A mail full of them does not keep the judge busy: each takes a good part of a second.
    for who, lines in (
        ("bob", [f"SIGN ON eparis guess{number}" for number in range(90)]),
        ("cleo", [f"SIGN ON fparis {SECRET}"] * 90),
        ("cleo", [f"SIGN ON fparis guess{number}" for number in range(90)]),
    ):
        checked.clear()
        play.send(who, "\n".join(lines))
        assert len(checked) <= 5


# What is left to be read


WORDS = [SECRET, "ab&c<d>'e\"", "O’Brien–word", "xy\u200bzzy\u00ad42", "abcd"]


@pytest.mark.parametrize(
    ("word", "ends"),
    [
        *((word, "done") for word in WORDS),
        *((SECRET, end) for end in ("denied", "lapsed", "unverified", "given up")),
    ],
)
def test_however_a_mail_ends_its_password_does_not_stay(
    play: Play, tmp_path: Path, word: str, ends: str
) -> None:
    from email.message import EmailMessage

    from judge.intake.questions import drop

    play.send("max", "CREATE ?paris, MANUAL START")
    if ends != "done":
        trust(play, TrustLevel.VERIFIED if ends == "unverified" else TrustLevel.TOKEN)
    message = EmailMessage()
    message["From"] = "Cleo <cleo@people.example>"
    message["To"] = ADDRESS
    message["Subject"] = f"JOIN paris {word}"
    message["Message-ID"] = "<join@people.example>"
    quoted = f"JOIN paris {word}\n\nOn Monday Max wrote:\n> SIGN ON mparis {word}\n"
    message.set_content(quoted, cte="base64")
    message.add_alternative(f"<p>JOIN paris {html.escape(word)}</p>", "html", cte="8bit")
    number = play.raw(message.as_bytes(), CLEO)
    play.judge.process_message(number)
    if ends != "done":
        [question] = questions(play)
        if ends == "denied":
            play.send("cleo", "NO", answers=question)
        elif ends == "lapsed":
            play.clock.advance(days=14)
            play.judge.tidy()
        elif ends == "unverified":
            play.mail("cleo", "YES", answers=question)
            play.run()
        else:
            with play.storage.transaction():
                assert drop(play.storage, number)
    mail = play.storage.inbound.find(number)
    assert mail is not None
    assert mail.state == "done"
    seen = word.replace("\u200b", "").replace("\u00ad", "")
    left = _readable(mail.raw)
    for form in (word, seen, html.escape(word)):
        assert form not in left
        assert form not in all_letters(play)
    assert "JOIN paris" in left
    if len(seen) > 4:
        assert seen.encode() not in everything(play, tmp_path)


def _readable(raw: bytes) -> str:
    from email import message_from_bytes

    from judge.mail.headers import text

    message = message_from_bytes(raw)
    parts = [part.get_payload(decode=True) for part in message.walk()]
    said = [part.decode("utf-8", "replace") for part in parts if isinstance(part, bytes)]
    return "\n".join([text(str(message["Subject"])), *said])


@pytest.mark.parametrize(
    "field", ["Auto-Submitted: auto-generated", "List-Id: <x.example>", "Precedence: bulk"]
)
def test_nor_in_a_mail_that_is_not_read(play: Play, field: str) -> None:
    play.start()
    raw = f"From: {CLEO}\nTo: {ADDRESS}\n{field}\n\nSIGN ON fparis {SECRET}\nA Par H\n"
    number = play.raw(raw.encode(), CLEO)
    play.judge.process_message(number)
    mail = play.storage.inbound.find(number)
    assert mail is not None
    assert mail.state == "done"
    assert SECRET.encode() not in mail.raw
    assert b"A Par H" in mail.raw or b"Content-Transfer-Encoding: base64" in mail.raw


def test_nor_behind_the_end_of_what_is_read(play: Play) -> None:
    play.start()
    number = play.mail("cleo", f"A Par H\nSIGN OFF\nSIGN ON fparis {SECRET}")
    play.judge.process_message(number)
    mail = play.storage.inbound.find(number)
    assert mail is not None
    assert SECRET.encode() not in mail.raw


def test_nor_in_what_is_told_of_a_mail_that_fails(
    play: Play, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    play.start()
    play.letters()

    def fail(context: object) -> None:
        raise ValueError(f"cannot read SIGN ON fparis {SECRET} here")

    monkeypatch.setattr("judge.service.reply", fail)
    number = play.mail("cleo", f"SIGN ON fparis {SECRET}\nA Par H")
    play.judge.process_message(number)
    mail = play.storage.inbound.find(number)
    assert mail is not None
    assert mail.state == "held"
    assert "ValueError" in str(mail.problem)
    assert SECRET not in str(mail.problem)
    assert SECRET not in all_letters(play)
    assert SECRET not in caplog.text
    assert "ValueError" in caplog.text


# Mails that wait


def test_what_nobody_answers_is_put_away_without_a_word(play: Play) -> None:
    play.start()
    trust(play, TrustLevel.TOKEN)
    numbers = [play.mail("cleo", f"A Par - Bur\n{each}") for each in range(5)]
    play.run()
    assert play.storage.inbound.count(InboundState.ASKED) == 5
    play.clock.advance(days=13, hours=23)
    play.judge.tidy()
    assert play.storage.inbound.count(InboundState.ASKED) == 5
    play.run()
    play.clock.advance(hours=2)
    play.judge.tidy()
    play.judge.tidy()
    assert play.storage.inbound.count(InboundState.ASKED) == 0
    assert play.letters() == []
    events = [event for event in play.storage.events.last() if event.what == "lapsed"]
    assert sorted(event.facts["mail"] for event in events) == numbers


def test_a_mail_that_still_waits_is_not_put_away(play: Play) -> None:
    play.start()
    trust(play, TrustLevel.TOKEN)
    play.mail("cleo", "A Par - Bur")
    play.run()
    play.clock.advance(days=10)
    play.mail("cleo", "A Mar H")
    play.run()
    play.clock.advance(days=5)
    play.judge.tidy()
    assert play.storage.inbound.count(InboundState.ASKED) == 1


def test_a_database_out_of_reach_is_no_fault_of_the_mail(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    play.start()
    number = play.mail("cleo", "A Par H")
    claim = play.storage.inbound.claim

    def away(mail_id: int) -> None:
        raise Unavailable("no route to it")

    monkeypatch.setattr(play.storage.inbound, "claim", away)
    for _ in range(12):
        with pytest.raises(Unavailable):
            play.judge.process_message(number)
    monkeypatch.setattr(play.storage.inbound, "claim", claim)
    play.judge.process_message(number)
    mail = play.storage.inbound.find(number)
    assert mail is not None
    assert (mail.state, mail.attempts) == ("done", 0)
    assert orders(play) == ["A par H"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("CREATE ?rome xyzzy42 standard", "CREATE ?rome ******** standard"),
        ("CREATE ?rome standard, NEXT 48H", "CREATE ?rome standard, NEXT 48H"),
        ("CREATE ?rome standard; NMR", "CREATE ?rome standard; NMR"),
        ("> JOIN paris xyzzy42", "> JOIN paris ********"),
        *((line, line) for line in ("JOIN PRACTICE standard, easy", "JOIN gunboat 24h")),
        *((line, line) for line in ("CREATE ?x great lakes gunboat", "JOIN great lakes")),
        *((line, line) for line in ("I want to join a slow game", "may I log in from home?")),
    ],
)
def test_only_what_stands_where_a_password_can_is_blanked(line: str, told: str) -> None:
    assert blanked(line) == told
