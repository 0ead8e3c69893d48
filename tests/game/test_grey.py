"""Grey press: nothing that anybody gets tells who wrote it."""

from __future__ import annotations

import re
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path

import pytest

from judge.game.visibility.identity import plain
from tests.game.play import Play, Received

PROSE = (
    "Dear all, I shall not say who I am, but I know what Russia is about to do in the north, and "
    "none of us will like it."
)

# The same words as three people's mail programs send them.
OUTLOOK = (
    "PRESS GREY TO {to}\r\n"
    "Dear all, I shall not say who I am, but I know what Russia is about to do\r\n"
    "in the north, and none of us will like it.\r\n\r\n\r\n"
    "Russia\u2019s plan \u2013 I quote:\r\n"
    "\u2022 \u201eA War - Gal\u201c   \r\n\r\n{name}\r\nENDPRESS\r\n"
)
PHONE = (
    "PRESS GREY TO {to}\n"
    "Dear all, I shall not say who I am, but I know what Russia is about to do in the north, and "
    "none of us will like it.\n\n"
    "Russia's plan - I quote:\n"
    '- "A War - Gal"\n\n-- {name}\nENDPRESS\n'
)
TERMINAL = (
    "PRESS GREY TO {to}\n"
    "Dear all, I shall not say who I am, but I know what Russia is about\n"
    "to do in the north, and none of us will like it.\n\n"
    "Russia`s plan -- I quote:\n"
    '* "A\u00a0War\t- Gal"\n'
    "\n  {address}\nENDPRESS\n"
)


def test_unsigned_press_does_not_go_out_with_what_else_its_writer_did(play: Play) -> None:
    play.start("WHITE/GREY")
    play.clock.advance(minutes=3, seconds=7)
    play.letters()
    play.send("finn", "PRESS GREY TO F\nHush.\nENDPRESS\nPRESS TO F\nHello.\nENDPRESS")
    dates = {
        "grey" if "Hush" in letter.text else "signed": parsedate_to_datetime(letter.message["Date"])
        for letter in play.letters()
        if letter.kind == "press" and letter.to == "cleo@people.example"
    }
    assert dates["signed"] == play.clock.now()
    assert dates["grey"] == play.clock.now().replace(minute=15, second=0, microsecond=0)
    cleo = play.storage.people.by_address("cleo@people.example")
    assert cleo is not None
    queued = [each for each in play.storage.outbound.of_person(cleo.id) if each.kind == "press"]
    assert {each.next_try for each in queued} == set(dates.values())


def test_in_a_gunboat_game_what_a_mail_does_goes_out_at_full_five_minutes(play: Play) -> None:
    play.start("GUNBOAT, WHITE/GREY")
    play.clock.advance(minutes=3, seconds=7)
    play.letters()
    play.send("finn", "PRESS TO F\nHello.\nENDPRESS")
    (letter,) = [each for each in play.letters() if each.kind == "press"]
    at = play.clock.now().replace(minute=5, second=0, microsecond=0)
    assert parsedate_to_datetime(letter.message["Date"]) == at


def mail(play: Play, who: str, name: str, text: str, charset: str, headers: dict[str, str]) -> None:
    message = EmailMessage()
    message["From"] = f"{name} <{who}@people.example>"
    message["To"] = "judge@judge.example"
    message["Message-ID"] = f"<{who}.1.{charset}@mua.people.example>"
    for field, value in headers.items():
        message[field] = value
    message.set_content(text, charset=charset)
    play.judge.process_message(play.raw(message.as_bytes(), f"{who}@people.example"))


SENDERS = {
    "ann": (
        "Annabel Vogel",
        OUTLOOK,
        "windows-1252",
        {
            "Subject": "AW: Re: WG: Mein Plan",
            "Date": "Mon, 1 Jun 2026 21:00:00 +0900",
            "X-Mailer": "Microsoft Outlook 16.0",
            "Content-Language": "de-AT",
        },
    ),
    "bob": (
        "Bob",
        PHONE,
        "utf-8",
        {"Subject": "", "Date": "Mon, 1 Jun 2026 08:00:00 -0400", "X-Mailer": "iPhone Mail (22A)"},
    ),
    "finn": (
        "Finn",
        TERMINAL,
        "utf-8",
        {"Subject": "press", "Date": "Mon, 1 Jun 2026 15:00:00 +0300", "User-Agent": "Mutt/2.2"},
    ),
}


def grey(folder: Path, who: str, to: str = "AEFR") -> tuple[Play, dict[str, Received]]:
    """A game in which one of them sends the same unsigned letter; the game, and who got what."""
    folder.mkdir()
    play = Play(folder)
    play.start("WHITE/GREY")
    name, text, charset, headers = SENDERS[who]
    play.letters()
    text = text.format(to=to, name=name, address=f"{who}@people.example")
    mail(play, who, name, text, charset, headers)
    return play, {
        letter.to.partition("@")[0]: letter for letter in play.letters() if letter.kind == "press"
    }


def leveled(letter: Received) -> bytes:
    """All bytes of a letter without the tokens, which are another one in each letter."""
    return re.sub(rb"(?:\b|(?<=%2B))[a-z][a-z2-7]{24}(?=@|%40)", b"TOKEN", letter.raw)


def test_letters_of_the_same_words_are_the_same_bytes(tmp_path: Path) -> None:
    found = {who: grey(tmp_path / who, who)[1] for who in SENDERS}
    for who, letters in found.items():
        assert set(letters) == {"ann", "bob", "cleo", "finn"} - {who}
    cleo = {who: leveled(letters["cleo"]) for who, letters in found.items()}
    assert cleo["ann"] == cleo["bob"] == cleo["finn"]
    text = found["ann"]["cleo"].text
    assert 'Russia\'s plan - I quote:\n- "A War - Gal"\n\n----' in text


@pytest.mark.parametrize("to", ["AEFR", "ALL BUT G", "ALL"])
@pytest.mark.parametrize("who", SENDERS)
def test_no_byte_tells_who_wrote_it(tmp_path: Path, who: str, to: str) -> None:
    play, letters = grey(tmp_path / who, who, to)
    assert letters
    name, _, charset, headers = SENDERS[who]
    power = {"ann": "Austria", "bob": "England", "finn": "Russia"}[who]
    told = [who, f"{who}@", *name.split(), "people.example", charset, *headers.values()]
    told += ["+0900", "-0400", "+0300", "Mein Plan", "mua", "AW:", "de-AT"]
    for reader, letter in letters.items():
        if reader == "max":
            continue
        head, _, body = letter.message.as_bytes().partition(b"\n\n")
        decoded = "".join(
            part.get_content() for part in letter.message.walk() if not part.is_multipart()
        )
        fields = head.decode() + " ".join(str(value) for value in letter.message.values())
        # Who gets it is named as its reader.
        own = re.compile(rf"\b{reader}(@people\.example)?", re.IGNORECASE)
        seen = own.sub("", fields) + body.decode("ascii") + own.sub("", decoded)
        for secret in told:
            if secret and secret.lower() not in ("utf-8", "press", "iphone mail (22a)"):
                assert not re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", seen, re.IGNORECASE), (
                    reader,
                    secret,
                )
        # His power is among the recipients where all but some are, and nowhere else.
        others = [each for each in ("Austria", "England") if each != power]
        if to.startswith("ALL BUT"):
            assert all(each in decoded for each in [*others, power])
        # It answers nobody's mail, and stands in no thread but that of the game.
        references = str(letter.message["References"] or "").split()
        assert len(references) == 1
        assert str(letter.message["In-Reply-To"]) == references[0]
    history = play.send("cleo", "HISTORY paris").text
    assert "Anonymous" in history
    assert name not in history


def test_a_grey_answer_to_all_names_nobody(play: Play) -> None:
    play.start("GREY")
    play.letters()
    play.send("ann", "PRESS TO FG\nShall we?")
    letters = {letter.to: letter for letter in play.letters() if letter.kind == "press"}
    first = letters["cleo@people.example"]
    to = f"{first.message['Reply-To']}, {first.message['Cc']}"
    answer = play.send("cleo", "We shall.\nCleo", answers=first, to=to, subject="AW: mine")
    assert "I sent your message, unsigned, to" in " ".join(answer.text.split())
    got = {letter.to: letter for letter in play.letters() if letter.kind == "press"}
    assert set(got) == {"ann@people.example", "dora@people.example"}
    for letter in got.values():
        # The same list, so that it does not tell who of it has written.
        title = "Press from Anonymous to Anonymous, France and Germany"
        assert letter.first.startswith(title)
        assert letter.sender == "Anonymous (paris)"
        assert "cleo" not in letter.text.lower()
        assert "mine" not in letter.message.as_string()


def test_the_answer_to_who_has_left_tells_nothing(play: Play) -> None:
    play.start("WHITE/GREY")
    play.letters()
    play.send("ann", "PRESS GREY TO FG\nGoodbye.")
    letters = {letter.to: letter for letter in play.letters() if letter.kind == "press"}
    before = play.send("cleo", "Why?", answers=letters["cleo@people.example"]).text
    play.sure("ann", "RESIGN")
    after = play.send("cleo", "Why?", answers=letters["cleo@people.example"]).text
    assert before.partition("YOUR ORDERS")[0] == after.partition("YOUR ORDERS")[0]


def test_a_neighbor_who_writes_unsigned_is_not_told_by_what_is_refused(play: Play) -> None:
    play.start("WHITE/GREY, TOUCH PRESS")
    play.letters()
    play.send("ann", "PRESS GREY TO I\nPsst.")
    [letter] = [letter for letter in play.letters() if letter.kind == "press"]
    answer = play.send("emil", "Who is it?", answers=letter)
    assert "I am sending your message" in answer.text


def test_grey_press_can_be_answered_only_unsigned_where_all_is(play: Play) -> None:
    play.start("WHITE/GREY")
    play.letters()
    play.send("ann", "PRESS GREY TO F\nPsst.")
    [letter] = [letter for letter in play.letters() if letter.kind == "press"]
    play.send("max", "SET WHITE")
    play.send("cleo", "Who are you?", answers=letter)
    [back] = [letter for letter in play.letters() if letter.kind == "press"]
    # Rather nothing than a signed letter to whom he wrote unsigned.
    answer = play.send("ann", "Guess.", answers=back)
    assert "In paris press is white" in answer.text
    assert "Guess." in answer.text
    assert [letter for letter in play.letters() if letter.kind == "press"] == []


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("One\n\n\n\nTwo", "One\n\nTwo"),
        ("  indented  \n\tand tabbed", "  indented\n    and tabbed"),
        ("> quoted\n>> twice\nAV> with initials", "> quoted\n> twice\n> with initials"),
        ("“Yes” – said he…", '"Yes" - said he...'),
        ("• one\n* two\n- three", "- one\n- two\n- three"),
        ("zero\u200bwidth\u00ad and\u00a0hard", "zerowidth and hard"),
        ("write to ann@people.example", "write to ..."),
        ("Goodbye,\n\n~ Ann ~\nAustria", "Goodbye,"),
        ("Ann is no friend of mine", "Ann is no friend of mine"),
        (f"{PROSE[:70]}\n{PROSE[71:]}", PROSE),
        ("short\nlines\nstay", "short\nlines\nstay"),
        ("this -- and that", "this - and that"),
        ("~ Ann ~", ""),
        ("\nGoodbye,\nAnn\n\n", "Goodbye,"),
        (f"{PROSE[:70]}\n- an item", f"{PROSE[:70]}\n- an item"),
        (f"{PROSE[:70]}\n  indented", f"{PROSE[:70]}\n  indented"),
        (f"> {PROSE[:70]}\nno quote", f"> {PROSE[:70]}\nno quote"),
        (f"{'x' * 50}\ngoes on", f"{'x' * 50} goes on"),
        (f"{'x' * 49}\nends", f"{'x' * 49}\nends"),
        ("by ann@people.example.org", "by ..."),
    ],
)
def test_the_text_is_written_in_one_way(written: str, read_as: str) -> None:
    names = ["Ann", "ann@people.example", "ann@people.example.org", "Austria"]
    assert plain(written, names) == read_as
