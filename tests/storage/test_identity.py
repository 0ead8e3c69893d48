"""Copies of one mail are one mail; two mails are two."""

from __future__ import annotations

import pytest

from judge.storage.inbound import identity, sender

MAIL = b"""\
From: Ann <ann@example.org>
To: judge@example.com
Subject: orders
Date: Mon, 15 Jun 2026 20:00:00 +0200
Message-ID:
 <1@example.org>

A Par - Bur
"""


@pytest.mark.parametrize(
    "copy",
    [
        MAIL.replace(b"\n", b"\r\n"),
        b"Received: from here by there;\n\tMon, 15 Jun 2026\nDelivered-To: judge\n" + MAIL,
        b"Return-Path: <ann@example.org>\n" + MAIL + b"\n",
        MAIL.replace(b"\n <1", b" <1"),
        MAIL.replace(b"Message-ID", b"Message-Id"),
        MAIL.rstrip(b"\n"),
    ],
)
def test_the_way_a_copy_came_makes_no_difference(copy: bytes) -> None:
    assert identity(copy) == identity(MAIL)
    assert identity(copy)[0] == "<1@example.org>"


@pytest.mark.parametrize(
    "other",
    [
        MAIL.replace(b"Bur", b"Pic"),
        MAIL.replace(b"ann@", b"bob@"),
        MAIL.replace(b"20:00", b"20:01"),
        MAIL.replace(b"<1@", b"<2@"),
        MAIL.replace(b"\n\n", b"\n\nSubject: orders\n"),
    ],
)
def test_what_was_written_does(other: bytes) -> None:
    assert identity(other) != identity(MAIL)


@pytest.mark.parametrize(
    "raw", [b"", b"\n\n", b"\r\n", b"\xff\x00", b"no headers at all", b"Message-ID: \xff\n"]
)
def test_anything_has_an_identity(raw: bytes) -> None:
    message_id, digest = identity(raw)
    assert len(digest) == 64
    assert message_id in ("", "�")


@pytest.mark.parametrize("text", [b"HELP\n", b"Received: by here\nHELP\n", b"Subject: HELP\n\n"])
def test_what_names_no_writer_is_told_apart_by_all_of_it_and_by_who_sent_it(text: bytes) -> None:
    first = identity(text, "ann@example.org")
    assert identity(text, "ann@example.org") == first
    assert identity(text, "bob@example.org") != first
    assert identity(text.replace(b"HELP", b"LIST"), "ann@example.org") != first
    assert identity(text, None) != first


def test_a_header_that_never_ends_is_read_in_no_time() -> None:
    identity(b"Message-ID: " + b"x\n " * 500_000)
    identity(b"a" * 2_000_000 + b"\n" + b":" * 1_000_000)


@pytest.mark.parametrize(
    ("field", "found"),
    [
        (b"name @ home <name@players.example>", "name@players.example"),
        (b'"<x@y.z>" <name@players.example>', "name@players.example"),
        (b"Ann <Ann@Example.org>", "ann@example.org"),
        (b"Ann@Example.org", "ann@example.org"),
        (b'"Ann B" <ann.b+c@example.org>', "ann.b+c@example.org"),
        (b"=?utf-8?q?Ann?= <ann@example.org>", "ann@example.org"),
        (b'"a b@c" <ann@example.org>', "ann@example.org"),
        (b"<ann@example.org", "ann@example.org"),
        (b"(" * 9_000, ""),
        (b"(" * 900_000, ""),
        (b"(" * 2_000 + b"a" + b")" * 2_000 + b" <ann@example.org>", ""),
        (b"<" * 90_000, ""),
        (b'"' * 90_000, ""),
        (b"@" * 90_000, ""),
        (b"a" * 900_000, None),
        (b"a\0b@example.org", ""),
        (b"a\xc2\x9bb@example.org", ""),
        (b"\xed\xb3\xbf <ann@example.org>", "ann@example.org"),
        (b"", ""),
    ],
)
def test_a_sender_is_an_address_or_nothing(field: bytes, found: str | None) -> None:
    address = sender(b"From: " + field + b"\r\nTo: judge@example.com\r\n\r\nA Par - Bur")
    assert len(address) <= 320
    assert address.isprintable()
    assert found is None or address == found
