"""By which way a mail came: told by what nobody but the servers on its way can have written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.headers import is_own, network, trace, way

PATH = "ann@people.example"
MAIL = b"From: Ann <ann@people.example>\r\n\r\nA Par - Bur\r\n"
LOOPBACK = ["127.0.0.1", "::1"]


def line(host: str, kind: str = "ESMTPS", greeting: str = "out.people.example") -> bytes:
    said = f"Received: from {greeting} (x [{host}])\r\n by mx.judge.example with {kind} id 1; x\r\n"
    return said.encode()


def told(*lines: bytes, door: str = "imap", path: str | None = PATH, servers: object = ()) -> str:
    found = way(b"".join(lines) + MAIL, door, path, list(servers))  # type: ignore[call-overload]
    assert found is not None
    return str(found)


@pytest.mark.parametrize("door", ["imap", "pipe", "smtp"])
def test_the_network_tells_and_not_the_host_nor_what_it_calls_itself(door: str) -> None:
    usual = told(line("203.0.113.7"), door=door)
    assert told(line("203.0.113.99", greeting="other.example"), door=door) == usual
    assert told(line("203.0.112.7"), door=door) != usual
    assert told(line("203.0.113.7"), door=door, path="eve@evil.example") != usual
    assert told(line("IPv6:2001:db8:1::7")) == told(line("2001:db8:1:9::1"))
    assert told(line("2001:db8:1::7")) != told(line("2001:db8:2::7"))
    assert told(line("::ffff:203.0.113.7")) == usual


def test_who_connects_from_elsewhere_cannot_write_the_same() -> None:
    usual = told(line("203.0.113.7"), line("192.0.2.5"))
    evil = line("198.51.100.7", greeting="[203.0.113.7]")
    for forged in (
        [evil],
        [evil, line("203.0.113.7"), line("192.0.2.5")],
        [line("198.51.100.7", "ESMTPSA"), line("203.0.113.7"), line("192.0.2.5")],
        [evil, line("203.0.113.7"), line("192.0.2.5"), line("192.0.2.6", "ESMTPSA")],
    ):
        assert told(*forged) != usual


def test_from_where_somebody_signs_on_to_his_server_does_not_matter() -> None:
    home = told(line("203.0.113.7"), line("192.0.2.5", "ESMTPSA"))
    assert told(line("203.0.113.7", "ESMTPSA")) == told(line("198.51.100.8", "ESMTPSA"))
    for kind in ("ESMTPA", "esmtpsa", "UTF8SMTPSA", "HTTPS", "HTTP"):
        assert told(line("203.0.113.7"), line("198.51.100.8", kind)) == home
    assert told(line("203.0.113.7"), line("198.51.100.8", "ESMTPS")) != home


def test_servers_of_the_house_do_not_matter() -> None:
    usual = told(line("203.0.113.7"))
    inside = [line("10.1.2.3"), line("192.168.0.9"), line("fe80::1"), line("127.0.0.1")]
    assert told(*inside, line("203.0.113.7")) == usual
    own = line("192.0.2.77")
    assert told(own, line("203.0.113.7")) != usual
    assert told(own, line("203.0.113.7"), servers=["192.0.2.64/28"]) == usual


def test_who_writes_from_the_house_is_told_by_the_name_of_his_host() -> None:
    def here(name: str) -> str:
        return told(trace("127.0.0.1", name, "judge.example", "ESMTP"), door="smtp")

    assert here("desk") == here("DESK") != here("attic")


def test_at_the_smtp_door_the_first_line_is_ours_whatever_follows_it() -> None:
    ours = trace("198.51.100.7", "evil.example", "judge.example", "ESMTP")
    joined = b" by x with ESMTPSA id 1; x\r\n"
    assert told(ours, joined, door="smtp") == told(ours, door="smtp")
    assert told(ours, door="smtp") == told(line("198.51.100.9"), door="smtp")
    assert told(trace("203.0.113.7", "a b\r\nc", "judge.example", "ESMTP"), door="smtp")


def test_our_own_line_holds_nothing_that_others_wrote_as_they_like() -> None:
    said = trace("203.0.113.7", "a b\r\nFrom: c", "judge.example", "ESMTP")
    assert said.startswith(b"Received: from unknown ([203.0.113.7]) by judge.example\r\n")
    assert b"([IPv6:2001:db8::1]) by" in trace("2001:db8::1", "x", "judge.example", "ESMTP")


def test_mail_of_own_servers() -> None:
    def came(host: str, *more: bytes, door: str = "smtp", servers: list[str] = LOOPBACK) -> bool:
        ours = trace(host, "x", "judge.example", "ESMTP") if door == "smtp" else b""
        return is_own(b"".join([ours, *more]) + MAIL, door, servers)

    assert came("127.0.0.1")
    assert came("::1")
    assert not came("192.0.2.7")
    assert came("192.0.2.7", servers=["192.0.2.0/24"])
    assert not came("192.0.2.7", trace("127.0.0.1", "x", "judge.example", "ESMTP"))
    assert not is_own(MAIL, "smtp", LOOPBACK)
    assert came("", door="imap")
    assert came("", door="pipe")


def test_no_mail_takes_long() -> None:
    """What is below the header is not looked at, nor lines beyond those that servers write."""
    many = line("203.0.113.7") * 2_000
    assert told(many, b"\r\n" * 400_000) == told(line("203.0.113.7"))
    assert told(line("203.0.113.7") * 20, line("192.0.2.5")) == told(line("203.0.113.7"))


@given(st.binary(max_size=300), st.text(max_size=60), st.text(max_size=60))
def test_nothing_raises(raw: bytes, host: str, greeting: str) -> None:
    written = trace(host, greeting, "judge.example", "ESMTP")
    assert written.count(b"\n") <= 2 + host.count("\n")
    for door in ("smtp", "imap"):
        way(b"Received: from " + raw, door, greeting, LOOPBACK)
        is_own(b"Received: from " + raw, door, LOOPBACK)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (trace("203.0.113.7", "[198.51.100.9]", "judge.example", "ESMTP"), "203.0.113.0/24"),
        (trace("2001:db8:1:2::7", "x", "judge.example", "LMTP"), "2001:db8:1::/48"),
        (trace("127.0.0.1", "x", "judge.example", "LMTP") + line("203.0.113.7"), "203.0.113.0/24"),
        (line("203.0.113.7", greeting="[198.51.100.9]") + line("192.0.2.5"), "203.0.113.0/24"),
        (line("192.0.2.99") + line("203.0.113.7"), "203.0.113.0/24"),
        (b"Received: by 10.0.0.1 with SMTP id x\r\n" + line("203.0.113.7"), "203.0.113.0/24"),
        (
            b"Received: from [203.0.113.7] (helo=[198.51.100.9])\r\n by x with esmtp\r\n",
            "203.0.113.0/24",
        ),
        (
            b"Received: from unknown (HELO [198.51.100.9]) (203.0.113.7)\r\n by x\r\n",
            "203.0.113.0/24",
        ),
        (b"Received:\r\n from x\r\n\t([203.0.113.7])\r\n by x\r\nX: y\r\n z\r\n", "203.0.113.0/24"),
        (line("192.0.2.99") + b"X: y\n" + line("203.0.113.7"), "203.0.113.0/24"),
        (trace("127.0.0.1", "x", "judge.example", "ESMTP"), ""),
        (b"Received: nonsense from [ by ]\r\n", ""),
        (b"", ""),
    ],
)  # fmt: skip
def test_the_network_is_that_of_the_first_host_outside(lines: bytes, expected: str) -> None:
    assert network(lines + MAIL, ["127.0.0.1", "::1", "192.0.2.99"]) == expected
