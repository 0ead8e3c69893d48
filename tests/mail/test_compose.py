"""Letters any relay takes and any program threads, and which nobody's input can bend."""

from __future__ import annotations

from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.compose import Attachment, Mailbox, build, message_id
from judge.mail.message import MailKind, parse

NOW = datetime(2026, 6, 15, 18, 0, tzinfo=UTC)
JUDGE = Mailbox("Judge", "judge@example.com")
ANN = Mailbox("Ann", "ann@example.org")


def letter(**changes: Any) -> bytes:
    facts: dict[str, Any] = {
        "sender": JUDGE,
        "recipient": ANN,
        "subject": "JUDGE:paris - S1901M Results",
        "text": "A Par - Bur\n",
        "date": NOW,
        "message_id": "<1@example.com>",
    }
    return build(**facts | changes)


def read(raw: bytes) -> EmailMessage:
    message = message_from_bytes(raw, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def text_of(raw: bytes) -> str:
    content = read(raw).get_content()
    assert isinstance(content, str)
    return content.replace("\r\n", "\n")


def test_a_plain_letter_whole() -> None:
    raw = letter(
        in_reply_to="<a@example.org>",
        references=["<root@example.com>", "<a@example.org>"],
        automatic="auto-replied",
        list_id="paris.judge.example.com",
        reply_to=Mailbox("Judge", "judge+x1@example.com"),
        headers=[("List-Unsubscribe", "<mailto:judge+bye@example.com>")],
    )
    assert raw.decode("ascii").split("\r\n") == [
        "From: Judge <judge@example.com>",
        "To: Ann <ann@example.org>",
        "Reply-To: Judge <judge+x1@example.com>",
        "Subject: JUDGE:paris - S1901M Results",
        "Date: Mon, 15 Jun 2026 18:00:00 +0000",
        "Message-ID: <1@example.com>",
        "In-Reply-To: <a@example.org>",
        "References: <root@example.com>",
        " <a@example.org>",
        "Auto-Submitted: auto-replied",
        "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply",
        "List-Id: <paris.judge.example.com>",
        "X-Loop: judge@example.com",
        "List-Unsubscribe: <mailto:judge+bye@example.com>",
        "MIME-Version: 1.0",
        'Content-Type: text/plain; charset="us-ascii"',
        "Content-Transfer-Encoding: 7bit",
        "",
        "A Par - Bur",
        "",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A Par – Bur\n你好\n",
        "x" * 5000 + "\n",
        "From here\n.\n..\n-- \n",
        "trailing blanks   \n\n\nend\n",
        "tab\there = equals =3D\n",
    ],
)
def test_the_text_arrives_as_it_was_over_seven_bits(text: str) -> None:
    raw = letter(text=text)
    assert raw.isascii()
    assert max(len(line) for line in raw.split(b"\r\n")) <= 998
    assert b"\n" not in raw.replace(b"\r\n", b"")
    assert text_of(raw) == text


def test_characters_no_mail_may_hold_are_replaced() -> None:
    assert text_of(letter(text="a\0b\ud800c\x1b[1m\r\nd\re")) == "a�b�c�[1m\nd\ne\n"


@pytest.mark.parametrize(
    "evil", ["x\r\nBcc: all@example.org", "x\nBcc: all@example.org", "x\rBcc: a@b", "x\x85Bcc: a@b"]
)
@pytest.mark.parametrize("place", ["subject", "recipient", "sender", "list_id", "reply", "headers"])
def test_nothing_passed_in_makes_a_field_of_its_own(place: str, evil: str) -> None:
    places: dict[str, dict[str, Any]] = {
        "subject": {"subject": evil},
        "recipient": {"recipient": Mailbox(evil, "ann@example.org")},
        "sender": {"sender": Mailbox(evil, "judge@example.com")},
        "list_id": {"list_id": evil},
        "reply": {"in_reply_to": evil, "references": [evil, evil]},
        "headers": {"headers": [("X-Note", evil)]},
    }
    raw = letter(**places[place])
    assert "Bcc" not in read(raw)
    assert b"\nBcc" not in raw
    assert b"\rBcc" not in raw
    assert raw.isascii()
    assert text_of(raw) == "A Par - Bur\n"


@pytest.mark.parametrize("name", ['Ann "the great" Lee', "Lee, Ann", "Änn <x@y>", "安", "", "a@b"])
def test_display_names_stay_names(name: str) -> None:
    raw = letter(recipient=Mailbox(name, "ann@example.org"))
    assert raw.isascii()
    (address,) = read(raw)["To"].addresses
    assert (address.display_name, address.addr_spec) == (name, "ann@example.org")


def test_long_ids_of_other_programs_are_not_touched() -> None:
    """Outlook's are longer than a line; the standard library would encode them."""
    long = "<" + "AM0PR04MB" * 12 + "@AM0PR04MB1234.eurprd04.prod.outlook.com>"
    raw = letter(in_reply_to=long, references=["<root@example.com>", long])
    assert f"In-Reply-To: {long}\r\n".encode() in raw
    assert f"References: <root@example.com>\r\n {long}\r\n".encode() in raw


def test_a_thread_keeps_its_root_and_stays_short() -> None:
    ids = [f"<{number}@example.com>" for number in range(100)]
    references = parse(letter(references=ids)).references
    assert references == (ids[0], *ids[-10:])


def test_fields_of_many_words_are_folded_between_them_only() -> None:
    ways = ", ".join(f"<mailto:judge+{'x' * 40}{number}@example.com>" for number in range(3))
    raw = letter(
        headers=[("List-Unsubscribe", ways)],
        cc=[Mailbox(f"Person {number}", f"p{number}@example.org") for number in range(9)],
    )
    head = raw.partition(b"\r\n\r\n")[0].split(b"\r\n")
    assert max(map(len, head)) < 90
    assert read(raw)["List-Unsubscribe"] == ways
    assert len(read(raw)["Cc"].addresses) == 9


@pytest.mark.parametrize("words", ["=?utf-8?q?Bcc=3A?=", "a =?x?= b", "=?utf-8?b?4pyI?= x"])
def test_what_looks_encoded_arrives_as_it_was_written(words: str) -> None:
    raw = letter(subject=words, recipient=Mailbox(words, "ann@example.org"))
    assert read(raw)["Subject"] == words
    assert read(raw)["To"].addresses[0].display_name == words


def test_a_subject_in_any_script_is_seven_bit() -> None:
    raw = letter(subject="JUDGE:paris - Grüße 你好 " * 20)
    assert raw.isascii()
    assert read(raw)["Subject"].startswith("JUDGE:paris - Grüße 你好 JUDGE:paris")
    assert len(read(raw)["Subject"]) <= 200


@pytest.mark.parametrize("address", ["", "ann", "@example.org", "ann@", "a nn@example.org"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="is no mail address"):
        letter(recipient=Mailbox("", address))


def test_addresses_of_any_script_are_written_as_most_relays_take_them() -> None:
    assert b"To: ann@xn--bcher-kva.example\r\n" in letter(
        recipient=Mailbox("", "ann@bücher.example")
    )
    raw = letter(recipient=Mailbox("Jürgen", "jürgen@bücher.example"))
    assert "<jürgen@bücher.example>\r\n".encode() in raw
    assert b"=?utf-8?" in raw


@pytest.mark.parametrize(
    "bad", ["", "1@example.com", "<1@example.com>\r\nBcc: x", "<a b>", "<ä@x>"]
)
def test_a_message_id_that_is_none_is_refused_or_left_out(bad: str) -> None:
    with pytest.raises(ValueError, match="is no Message-ID"):
        letter(message_id=bad)
    assert b"In-Reply-To" not in letter(in_reply_to=bad, references=[bad])
    assert b"References" not in letter(in_reply_to=bad, references=[bad])


def test_our_own_letters_are_never_answered() -> None:
    incoming = parse(letter(), own=["judge@example.com"])
    assert (incoming.kind, incoming.answerable) == (MailKind.OWN, False)
    elsewhere = parse(letter(), own=["other@judge.example"])
    assert (elsewhere.kind, elsewhere.answerable) == (MailKind.AUTO_REPLY, False)


def test_message_ids_are_ours_and_clean() -> None:
    assert message_id("17.x1 y<2>\r\n", "example.com") == "<17.x1.y.2@example.com>"


anything = st.text(st.characters(), max_size=300)


@given(subject=anything, name=anything, text=anything, reference=anything)
def test_whatever_is_passed_in_the_letter_is_whole(
    subject: str, name: str, text: str, reference: str
) -> None:
    raw = letter(
        subject=subject,
        recipient=Mailbox(name, "ann@example.org"),
        text=text,
        in_reply_to=reference,
        references=[reference],
    )
    assert raw.isascii()
    message = read(raw)
    assert {field.lower() for field in message} <= {
        *("from", "to", "subject", "date", "message-id", "in-reply-to", "references"),
        *("auto-submitted", "x-auto-response-suppress", "x-loop"),
        *("content-type", "content-transfer-encoding", "mime-version"),
    }
    assert [each.addr_spec for each in message["To"].addresses] == ["ann@example.org"]
    assert text_of(raw).rstrip("\n").count("\n") == (
        text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").count("\n")
    )


def test_attachments_follow_the_text() -> None:
    calendar = Attachment(
        "deadline.ics", "text/calendar", b"BEGIN:VCALENDAR\r\n", (("method", "PUBLISH"),)
    )
    raw = letter(attachments=[Attachment("a\r\nX: 1.json", "application/json", b"{}"), calendar])
    message = read(raw)
    text, first, second = message.iter_parts()
    assert text.get_content_type() == "text/plain"
    assert (first.get_content_type(), first.get_filename()) == ("application/json", "a X: 1.json")
    assert first.get_content() == b"{}"
    assert second.get_content_type() == "text/calendar"
    assert second.get_param("method") == "PUBLISH"
    assert "X" not in message
    assert all(len(each) <= 998 for each in raw.split(b"\r\n"))


def test_html_and_what_it_shows_go_together() -> None:
    board = Attachment("Böard.png", "image/png", b"\x89PNG" * 99, content_id="board@example.com")
    raw = letter(text="A\n", html="<p>A \u4e2d</p>\n", attachments=[board])
    message = read(raw)
    assert message.get_content_type() == "multipart/alternative"
    plain, related = message.iter_parts()
    page, picture = related.iter_parts()
    assert (plain.get_content(), page.get_content()) == ("A\r\n", "<p>A &#20013;</p>\r\n")
    # An "=" has three bytes in quoted-printable, and pages have many.
    assert page["Content-Transfer-Encoding"] == "7bit"
    assert (picture.get_content_type(), picture.get_filename()) == ("image/png", "Böard.png")
    assert (picture["Content-ID"], picture.get_content_disposition()) == (
        "<board@example.com>",
        "inline",
    )
    assert picture.get_content() == board.content
    assert raw.isascii()
    assert b"\n" not in raw.replace(b"\r\n", b"")


def test_the_same_words_are_the_same_bytes_and_hold_no_line_that_parts_them() -> None:
    calendar = Attachment("deadline.ics", "text/calendar", b"BEGIN:VCALENDAR\r\n")
    one, other = (
        letter(text="Hello \udcff", html="<p>Hello \udcff</p>", attachments=[calendar])
        for _ in range(2)
    )
    assert one == other
    bounds = [part.get_boundary() for part in read(one).walk() if part.is_multipart()]
    assert len(set(bounds)) == len(bounds) == 2
    again = letter(text=f"--{bounds[0]}--", html=f"<p>--{bounds[1]}</p>", attachments=[calendar])
    body = read(again).get_body(("plain",))
    assert body is not None
    assert body.get_content().rstrip() == f"--{bounds[0]}--"
