"""Bombs are recognized by their bytes and nothing takes them apart; people's mails never are."""

from __future__ import annotations

import io
import time
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.mail import safety
from judge.mail.message import MailKind, parse
from judge.mail.redact import redact

HEAD = b"From: ann@example.org\r\nSubject: orders\r\n"
CORPUS = Path(__file__).parent / "corpus"


def nested(depth: int) -> bytes:
    out = HEAD
    for level in range(depth):
        out += b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
    return out + b"Content-Type: text/plain\r\n\r\nA Par - Bur\r\n"


BOMBS = {
    "many parts": HEAD
    + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n"
    + b"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n" * 20_000,
    "deep nesting": nested(5000),
    "nesting of few parts": nested(60),
    "mails in mails": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 60 + b"x\r\n",
    "a header without end": HEAD + b"X-Long: y\r\n" * 90_000,
    "one endless field": HEAD + b"X-Long: " + b"y" * 900_000 + b"\r\n\r\nx\r\n",
    "many fields": HEAD + b"X: y\r\n" * 2_000 + b"\r\nA Par - Bur\r\n",
    "many lines": HEAD + b"\r\n" * 600_000,
    "an endless boundary": HEAD
    + b"Content-Type: multipart/mixed; boundary="
    + b"b" * 100_000
    + b"\r\n\r\nx\r\n",
    "folded parameters": HEAD
    + b"Content-Type: text/plain;\r\n"
    + b" a*0=b;\r\n" * 20_000
    + b"\r\nx\r\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_with_a_reason_and_at_once(name: str) -> None:
    begun = time.process_time()
    incoming = parse(BOMBS[name])
    assert time.process_time() - begun < 5
    assert incoming.kind is MailKind.UNREADABLE
    assert incoming.reason == safety.refused(BOMBS[name])
    assert incoming.reason.endswith(".")
    assert incoming.sender == "ann@example.org"
    assert incoming.answerable
    assert incoming.text == ""


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.eml")), ids=lambda path: path.stem)
def test_no_mail_of_the_corpus_is_refused(path: Path) -> None:
    assert safety.refused(path.read_bytes()) == ""


def test_a_mail_forwarded_a_few_times_is_not_refused() -> None:
    assert parse(nested(8)).kind is MailKind.MESSAGE


def test_attachments_are_never_unpacked() -> None:
    """Ten megabytes of orders in a few kilobytes of zip: none is read."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("orders.txt", "A Mar - Spa\n" * 800_000)
    message = EmailMessage()
    message["From"] = "ann@example.org"
    message.set_content("A Par - Bur\n")
    message.add_attachment(
        packed.getvalue(), maintype="application", subtype="zip", filename="orders.zip"
    )
    begun = time.process_time()
    incoming = parse(message.as_bytes())
    assert time.process_time() - begun < 5
    assert incoming.text.strip() == "A Par - Bur"


def test_a_text_in_disguise_is_not_unpacked_either() -> None:
    message = EmailMessage()
    message["From"] = "ann@example.org"
    message.set_content("A Par - Bur\n")
    message["Content-Encoding"] = "gzip"
    assert parse(message.as_bytes()).text.strip() == "A Par - Bur"


def test_html_that_explodes_is_read_in_time() -> None:
    html = "<div>" * 50_000 + "A Par - Bur" + "</div>" * 50_000
    message = EmailMessage()
    message["From"] = "ann@example.org"
    message.set_content(html, subtype="html")
    begun = time.process_time()
    parse(message.as_bytes())
    assert time.process_time() - begun < 10


@pytest.mark.parametrize(
    ("sender", "address"),
    [
        ('"judge@example.com" <mallory@example.org>', "mallory@example.org"),
        ('"ann@example.org <ann@example.org>" <mallory@example.org>', "mallory@example.org"),
        ("=?utf-8?q?ann=40example=2Eorg=3E?= <mallory@example.org>", "mallory@example.org"),
        ("=?utf-8?q?=3Cann=40example=2Eorg=3E=2C?= <mallory@example.org>", "mallory@example.org"),
        ("ann@example.org <mallory@example.org>", "mallory@example.org"),
        ("ann@example.org\x00 <mallory@example.org>", "mallory@example.org"),
    ],
)
def test_a_display_name_is_never_the_address(sender: str, address: str) -> None:
    raw = f"From: {sender}\r\nSubject: x\r\n\r\nA Par - Bur\r\n".encode()
    assert parse(raw).sender == address


def test_an_encoded_word_cannot_make_a_field() -> None:
    raw = (
        b"From: =?utf-8?q?Ann=0D=0ABcc=3A_x=40example=2Enet?= <ann@example.org>\r\n"
        b"Subject: =?utf-8?q?a=0D=0AX-Loop=3A_judge=40example=2Ecom?=\r\n\r\nx\r\n"
    )
    incoming = parse(raw, own=["judge@example.com"])
    assert incoming.kind is MailKind.MESSAGE
    assert not any(sign in incoming.sender_name + incoming.subject for sign in "\r\n")


OF_KIND = b"From: ann@example.org\r\nContent-Type: %s\r\n\r\n"


@pytest.mark.parametrize(
    ("kind", "piece"),
    [
        (b"multipart/mixed; boundary=b", b"--b\r\n\r\nx\r\n"),
        (b"multipart/mixed", b"--b\nContent-x\n"),
        (b"text/html", b"<?xml "),
        (b"text/plain; format=flowed", b"a \n"),
        (b"text/plain", b"From: a\n\n"),
        (b"text/plain", b"(("),
    ],
)
def test_pieces_that_repeat_cost_no_more_than_their_length(kind: bytes, piece: bytes) -> None:
    """What takes quadratic time takes sixteen times as long for four times as much."""

    def cost(size: int) -> float:
        raw = OF_KIND % kind + piece * (size // len(piece))
        before = time.process_time()
        parse(raw)
        return time.process_time() - before

    cost(1_000)
    small = max(min(cost(40_000) for _ in range(3)), 0.002)
    assert min(cost(160_000) for _ in range(3)) < 9 * small


def test_a_message_of_endless_parts_is_not_taken_apart() -> None:
    raw = OF_KIND % b"multipart/mixed; boundary=b" + b"--b\r\n\r\nhidden-word\r\n" * 200
    assert safety.refused(raw) == "It has more than 100 parts."
    assert b"hidden-word" not in redact(raw, {"hidden-word"})
