"""Who vouches for a mail: only the domain in From, and only where it can be known."""

from __future__ import annotations

import time
from email import message_from_bytes
from functools import cache

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from judge.limits import BOUNDS
from judge.mail import authenticity, headers
from judge.mail.authenticity import Checker, Dns, aligned, from_domain
from judge.mail.dkim_signing import Signer
from judge.mail.headers import trace
from tests.mail.keys import ed25519_pair

SERVER = "mx.judge.example"
MAIL = (
    b"From: Ann <ann@people.example>\r\nTo: judge@judge.example\r\nSubject: orders\r\n"
    b"Message-ID: <1@people.example>\r\n\r\nA Par - Bur\r\n"
)
GOOD = b"Authentication-Results: mx.judge.example; dmarc=pass header.from=people.example\r\n"


def seen(*fields: bytes, mail: bytes = MAIL, server: str = SERVER) -> bool:
    return Checker(server)(b"".join(fields) + mail, "imap")


@pytest.mark.parametrize(
    "said",
    [
        "dmarc=pass header.from=people.example",
        "dmarc=pass (p=REJECT) header.from=PEOPLE.example; spf=fail smtp.mailfrom=x.example",
        "dkim=pass header.d=people.example",
        "dkim=pass header.i=@people.example; spf=pass smtp.mailfrom=bounce.example",
        "dkim=fail header.d=people.example; dkim=pass header.d=people.example",
        "spf=pass smtp.mailfrom=ann@people.example; dkim=none",
        "spf=pass smtp.mailfrom=people.example",
        "dmarc=pass header.from=list.example; dmarc=pass header.from=people.example",
    ],
)
def test_our_own_server_is_believed(said: str) -> None:
    assert seen(f"Authentication-Results: {SERVER}; {said}\r\n".encode())
    assert seen(f"Authentication-Results: MX.judge.example 1;\r\n {said}\r\n".encode())


@pytest.mark.parametrize(
    "said",
    [
        "none",
        "spf=pass smtp.mailfrom=ann@bounce.example",
        "spf=softfail smtp.mailfrom=ann@people.example",
        "spf=pass smtp.helo=people.example",
        "dmarc=fail header.from=people.example; dkim=pass header.d=people.example",
        "dmarc=pass header.from=evil.example",
        "dmarc=pass",
        "dkim=pass header.d=evil.example",
        "dkim=pass header.d=example",
        "dkim=pass header.d=sub.people.example",
        "dkim=pass header.d=notpeople.example",
        "dkim=pass",
        "dkim=none; dkim=fail header.d=people.example",
        "x" * 5000,
        "dkim=pass (header.d=people.example",
        "auth=pass smtp.mailfrom=ann@people.example",
        "spf=pass header.mailfrom=people.example",
    ],
)
def test_what_it_does_not_say_is_not_so(said: str) -> None:
    assert not seen(f"Authentication-Results: {SERVER}; {said}\r\n".encode())


def test_other_servers_are_not_believed() -> None:
    assert not seen(GOOD.replace(b"mx.judge.example", b"mx.evil.example"))
    assert not seen(GOOD.replace(b"mx.judge.example", b"mx.judge.example.evil"))
    assert not seen(GOOD, server="mx.other.example")
    assert not Checker()(GOOD + MAIL, "imap")


def test_only_the_topmost_field_counts() -> None:
    mine = b"Authentication-Results: mx.judge.example; dkim=none\r\n"
    foreign = b"Authentication-Results: mx.relay.example; dkim=none\r\n"
    assert not seen(mine, b"Received: from evil by mx.judge.example; x\r\n", GOOD)
    assert not seen(mine, GOOD)
    assert not seen(foreign, GOOD)
    assert seen(GOOD, foreign)


@pytest.mark.parametrize(
    "sender",
    [
        b"From: Ann <ann@people.example>\r\nFrom: Eve <eve@evil.example>\r\n",
        b"From: ann@people.example, eve@evil.example\r\n",
        b'From: "ann@people.example" <eve@evil.example>\r\n',
        b"From: <eve@evil.example> <ann@people.example>\r\n",
        b"From: ann@people.example <eve@evil.example>\r\n",
        b'From: "<eve@evil.example>" <ann@people.example>\r\n',
        b"From : Eve <eve@evil.example>\r\nFrom: Ann <ann@people.example>\r\n",
        b"From: Ann <ann@people.example>\r\nSender: a@b.c\r\nSender: d@e.f\r\n",
        b"From: Ann <ann@people.example>\r\nDate: x\r\nDate : y\r\n",
        b"From: nobody\r\n",
        b"",
    ],
)
def test_a_from_that_can_be_read_in_two_ways_is_nobodys(sender: bytes) -> None:
    mail = sender + MAIL.split(b"\r\n", 1)[1]
    assert not seen(GOOD, mail=mail)


def test_domains() -> None:
    assert from_domain(message_from_bytes(MAIL)) == "people.example"
    twice = b"From: nobody\r\n" + MAIL
    assert from_domain(message_from_bytes(twice)) is None
    assert aligned("people.example", "mail.people.example")
    assert aligned("People.Example.", "people.example")
    assert not aligned("mail.people.example", "people.example")
    assert not aligned("", "people.example")
    assert not aligned("example", "people.example")
    assert not aligned("ople.example", "people.example"), "ail.com is not above gmail.com"


def test_a_server_is_believed_only_of_mail_that_passed_it() -> None:
    def believed(host: str, server: str = SERVER) -> bool:
        passed = trace(host, "mx.relay.example", server, "ESMTP")
        return Checker(server, hosts=["192.0.2.0/24"])(passed + GOOD + MAIL, "smtp")

    assert believed("192.0.2.7")
    assert not believed("198.51.100.7")


def test_what_is_too_much_to_read_is_not_vouched_for() -> None:
    assert not seen(GOOD, mail=b"X-Field: x\r\n" * (BOUNDS.fields + 1) + MAIL)


def test_what_nobody_vouches_for_is_not_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[bytes] = []
    monkeypatch.setattr(headers, "whole", lambda raw: taken.append(raw))
    seen(mail=MAIL)
    assert not taken
    seen(GOOD)
    assert taken


# The DNS


def test_a_silent_dns_is_asked_again_after_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked, answers = [1000.0], [], [True]

    def record(name: bytes, timeout: int) -> bytes:
        asked.append((name, timeout))
        if not answers[0]:
            raise dkim.DnsTimeoutError("silent")
        return b"v=DKIM1"

    monkeypatch.setattr(dkim, "get_txt", record)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    dns = Dns()
    assert dns(b"sel.people.example") == b"v=DKIM1"
    assert asked == [(b"sel.people.example", 5)], "a mail waits five seconds at most"
    answers[0] = False
    for _ in range(2):
        with pytest.raises(dkim.DnsTimeoutError):
            dns(b"sel.people.example")
    assert len(asked) == 2, "others do not wait for it"
    answers[0] = True
    now[0] += 59
    with pytest.raises(dkim.DnsTimeoutError):
        dns(b"sel.people.example")
    now[0] += 1
    assert dns(b"sel.people.example") == b"v=DKIM1"


# Signatures


@cache
def key() -> tuple[bytes, bytes]:
    """A private key, and the TXT record of its public half."""
    import base64

    made = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    private = made.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    public = made.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return private, b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


def lookup(name: bytes) -> bytes | None:
    return key()[1] if name.startswith(b"sel._domainkey.") else None


def signed(domain: bytes = b"people.example", mail: bytes = MAIL) -> bytes:
    fields = [b"from", b"to", b"subject", b"message-id"]
    signature: bytes = dkim.sign(mail, b"sel", domain, key()[0], include_headers=fields)
    return signature + mail


def test_a_good_signature_of_the_senders_domain_vouches() -> None:
    assert Checker(lookup=lookup)(signed(), "imap")


def test_bad_signatures_do_not() -> None:
    check = Checker(lookup=lookup)
    good = signed()
    assert not check(MAIL, "imap")
    assert not check(good.replace(b"A Par - Bur", b"A Par - Pic"), "imap")
    assert not check(good.replace(b"Ann <ann@", b"Bob <bob@"), "imap")
    assert not check(signed(b"evil.example"), "imap")
    assert not Checker(lookup=lambda name: None)(good, "imap")
    assert not check(b"DKIM-Signature: nonsense\r\n" + MAIL, "imap")
    assert not check(b"", "imap")
    assert not check(b"\xff" * 100, "imap")
    assert not check(b"From: Eve <eve@evil.example>\r\n" + good, "imap")


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (b"nonsense", False),
        (b"v=1; d=people.example", True),
        (b"v=1; a=rsa-sha256; d=people.example; s=sel; h=from; bh=YQ==; b=YQ==", True),
        (b"v=1; a=rsa-sha256; d=people.example; s=none; h=from; bh=YQ==; b=YQ==", False),
    ],
)
def test_a_good_signature_vouches_below_a_bad_one(
    first: bytes, told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "judge")
    assert Checker(lookup=lookup)(b"DKIM-Signature: " + first + b"\r\n" + signed(), "imap")
    assert ("a signature cannot be checked" in caplog.text) is told


def test_who_signed_is_what_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authenticity, "_signer", lambda _: "people.example")
    assert not Checker(lookup=lookup)(signed(b"evil.example"), "imap")


def test_a_dns_that_fails_makes_nobody_sure(caplog: pytest.LogCaptureFixture) -> None:
    def broken(name: bytes) -> bytes | None:
        raise OSError("no network")

    assert not Checker(lookup=broken)(signed(), "imap")
    assert "a message cannot be checked" in caplog.text


def test_where_nothing_is_looked_up_signatures_are_left_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert not Checker()(signed(), "imap")
    assert not caplog.records


def test_where_our_server_has_looked_nothing_is_looked_up() -> None:
    said = b"Authentication-Results: mx.judge.example; dkim=fail header.d=people.example\r\n"
    assert not Checker(SERVER, lookup)(said + signed(), "imap")
    assert Checker(SERVER, lookup)(signed(), "imap")
    assert Checker(None, lookup)(said + signed(), "imap"), "and what is said elsewhere is nothing"


def test_a_signature_of_less_than_all_that_matters_does_not() -> None:
    check = Checker(lookup=lookup)
    fields = [b"from", b"subject", b"message-id"]
    sign = {"selector": b"sel", "domain": b"people.example", "privkey": key()[0]}
    assert check(dkim.sign(MAIL, include_headers=[*fields, b"to"], **sign) + MAIL, "imap")
    assert check(dkim.sign(MAIL, include_headers=[b"from", b"to"], **sign) + MAIL, "imap")
    # Ann wrote it to somebody else, who hands it in here.
    assert not check(dkim.sign(MAIL, include_headers=fields, **sign) + MAIL, "imap")
    # More lines behind what she signed.
    part = dkim.sign(MAIL, include_headers=[*fields, b"to"], length=True, **sign) + MAIL
    assert dkim.verify(part + b"F Bre - Eng\r\n", dnsfunc=lambda name, timeout=5: lookup(name))
    assert not check(part + b"F Bre - Eng\r\n", "imap")


def test_ed25519_vouches_as_well() -> None:
    private, record = ed25519_pair()
    signature = Signer("people.example", "sel", private).sign(MAIL)
    assert Checker(lookup=lambda name: record)(signature + MAIL, "imap")
    assert not Checker(lookup=lambda name: record)(signature + MAIL + b"more\r\n", "imap")


@pytest.mark.parametrize(
    "fields",
    [
        b"X-Note: a\rAuthentication-Results: mx.judge.example; dmarc=pass "
        b"header.from=people.example\r\n",
        b"X-Note: a\r" + GOOD,
        GOOD + b"X-Note: a\rX-Other: b\r\n",
    ],
)
def test_a_header_with_bare_line_ends_vouches_for_nobody(fields: bytes) -> None:
    assert not seen(fields)


@pytest.mark.parametrize(
    "said",
    [
        "(mx.judge.example) mx.evil.example; dmarc=pass header.from=people.example",
        "mx.evil.example (mx.judge.example;); dmarc=pass header.from=people.example",
        "mx.judge.example@evil.example; dmarc=pass header.from=people.example",
        '"mx.evil.example; mx.judge.example"; dmarc=pass header.from=people.example',
        "mx.judge.example; dmarc=fail (dmarc=pass header.from=people.example)",
        'mx.judge.example; dmarc=none reason="dmarc=pass" header.from=people.example',
        "mx.judge.example; dmarc=pass header.from=people.example@evil.example",
        "mx.judge.example; dmarc=pass header.from=evil.example\r\n header.from=people.example",
        "mx.judge.example; x-dmarc=pass header.from=people.example",
        "mx.judge.example; dkim=pass header.d=evil.example header.i=@people.example",
        'mx.judge.example; dkim=fail reason="; dkim=pass header.d=people.example"',
        "mx.judge.example; dmarc=pass header.from=evil.example; "
        "dmarc=pass header.from=people.example; dmarc=fail header.from=people.example",
        "\r\n mx.evil.example;\r\n\tmx.judge.example; dmarc=pass header.from=people.example",
    ],
)
def test_results_that_only_look_like_ours_vouch_for_nobody(said: str) -> None:
    assert not seen(f"Authentication-Results: {said}\r\n".encode())


@pytest.mark.parametrize(
    ("to", "meant"),
    [
        (b"To: judge@judge.example\r\n", True),
        (b"To: Judge <JUDGE+rabc@judge.example>, bob@people.example\r\n", True),
        (b"To: games-rabc@judge.example\r\n", True),
        (b"To: bob@people.example\r\n", False),
        (b"To: bob@people.example\r\nCc: judge@judge.example\r\n", False),
        (b"To: judge@judge.example\r\nTo: bob@people.example\r\n", False),
        (b'To: "judge@judge.example" <bob@people.example>\r\n', False),
        (b"To: judge@judge.example.evil\r\n", False),
        (b"", False),
    ],
)
def test_what_was_written_to_somebody_else_is_not_vouched_for_here(to: bytes, meant: bool) -> None:
    """Bob has a mail of Ann's to him, signed, with lines in it that read like orders."""
    mail = MAIL.replace(b"To: judge@judge.example\r\n", to)
    mine = (["judge@judge.example"], ["games-*@judge.example"])
    assert Checker(SERVER, None, *mine)(GOOD + mail, "imap") is meant
    assert Checker(None, lookup, *mine)(signed(mail=mail), "imap") is meant


def test_either_the_addresses_or_the_patterns_say_what_is_meant() -> None:
    addresses, patterns = ["judge@judge.example"], ["judge@*.example"]
    assert Checker(SERVER, addresses=addresses)(GOOD + MAIL, "imap")
    assert Checker(SERVER, patterns=patterns)(GOOD + MAIL, "imap")
    others = MAIL.replace(b"To: judge@judge.example", b"To: bob@people.example")
    assert not Checker(SERVER, addresses=addresses)(GOOD + others, "imap")
    assert not Checker(SERVER, patterns=patterns)(GOOD + others, "imap")
