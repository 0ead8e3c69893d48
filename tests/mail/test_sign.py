"""DKIM: a verifier that knows nothing of our code finds the signature good."""

from __future__ import annotations

import base64
import subprocess
from datetime import UTC, datetime

import dkim
import pytest

from judge.mail.compose import Mailbox, build
from judge.mail.sign import BadKey, Signer, Signing


@pytest.fixture(scope="module")
def key() -> bytes:
    return subprocess.run(["openssl", "genrsa", "2048"], capture_output=True, check=True).stdout


def verified(raw: bytes, key: bytes) -> bool:
    command = ["openssl", "rsa", "-pubout", "-outform", "DER"]
    public = subprocess.run(command, input=key, capture_output=True, check=True).stdout
    record = b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)

    def txt(name: bytes, timeout: int = 5) -> bytes:
        assert name == b"s1._domainkey.judge.example."
        return record

    good: bool = dkim.verify(raw, dnsfunc=txt)
    return good


def letter(text: str = "Grüße\n.\nFrom here on\n") -> bytes:
    return build(
        sender=Mailbox("The Judge", "judge@judge.example"),
        recipient=Mailbox("Ann", "ann@example.org"),
        subject="JUDGE:paris - S1901M Results",
        text=text,
        date=datetime(2026, 6, 1, tzinfo=UTC),
        message_id="<1@judge.example>",
        references=["<0@judge.example>"],
        list_id="paris.judge.example",
        reply_to=Mailbox("The Judge", "judge+x@judge.example"),
    )


def test_a_signed_letter_verifies_and_is_the_same(key: bytes) -> None:
    signed = Signer("judge.example", "s1", key).sign(letter())
    assert signed.endswith(letter())
    assert verified(signed, key)


@pytest.mark.parametrize(
    "change",
    [
        (b"S1901M", b"S1902M"),
        (b"\r\n\r\n", b"\r\nReply-To: mallory@example.net\r\n\r\n"),
        (b"\r\n\r\n", b"\r\nFrom: mallory@example.net\r\n\r\n"),
        (b"From here", b"From there"),
        (b"judge+x@", b"judge+y@"),
    ],
)
def test_what_was_changed_or_added_breaks_it(key: bytes, change: tuple[bytes, bytes]) -> None:
    signed = Signer("judge.example", "s1", key).sign(letter())
    assert change[0] in signed
    assert not verified(signed.replace(*change), key)


@pytest.mark.parametrize(
    "bad", [b"", b"no key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_a_key_that_cannot_sign_is_found_at_once(bad: bytes) -> None:
    with pytest.raises(BadKey):
        Signer("judge.example", "s1", bad)


def test_letters_are_signed_on_their_way_out(key: bytes) -> None:
    taken: list[bytes] = []

    class Out:
        def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
            assert (recipient, message_id, sender) == ("ann@example.org", "<1@x>", "path@x")
            taken.append(raw)

        def close(self) -> None:
            taken.append(b"closed")

    way = Signing(Out(), Signer("judge.example", "s1", key))
    way.deliver(letter(), "ann@example.org", "<1@x>", "path@x")
    way.close()
    assert verified(taken[0], key)
    assert taken[1:] == [b"closed"]
