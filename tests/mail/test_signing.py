"""DKIM: a verifier that knows nothing of our code finds the signature good."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial

import dkim
import pytest

from judge.mail.compose import Mailbox, build
from judge.mail.dkim_signing import BadKey, Signer, signed
from judge.mail.transport import Finishing
from tests.mail.keys import ed25519_pair, key_pair


@pytest.fixture(scope="module", params=[key_pair, ed25519_pair])
def keys(request: pytest.FixtureRequest) -> tuple[bytes, bytes]:
    made: tuple[bytes, bytes] = request.param()
    return made


@pytest.fixture
def key(keys: tuple[bytes, bytes]) -> bytes:
    return keys[0]


@pytest.fixture
def record(keys: tuple[bytes, bytes]) -> bytes:
    return keys[1]


def verified(raw: bytes, record: bytes) -> bool:
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


def test_a_signed_letter_verifies_and_is_the_same(key: bytes, record: bytes) -> None:
    assert verified(Signer("judge.example", "s1", key).sign(letter()) + letter(), record)


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
def test_what_was_changed_or_added_breaks_it(
    key: bytes, record: bytes, change: tuple[bytes, bytes]
) -> None:
    signed = Signer("judge.example", "s1", key).sign(letter()) + letter()
    assert verified(signed, record)
    assert change[0] in signed
    assert not verified(signed.replace(*change), record)


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"no key",
        b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        b"-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----\n",
        # The head of an Ed25519 key, and half of it.
        b"-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAAAAAAAAAAAAAAAAAAAAAA=\n"
        b"-----END PRIVATE KEY-----\n",
    ],
)
def test_a_key_that_cannot_sign_is_found_at_once(bad: bytes) -> None:
    with pytest.raises(BadKey):
        Signer("judge.example", "s1", bad)


def test_letters_are_signed_on_their_way_out(key: bytes, record: bytes) -> None:
    taken: list[bytes] = []

    class Out:
        def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
            assert (recipient, message_id, sender) == ("ann@example.org", "<1@x>", "path@x")
            taken.append(raw)

        def close(self) -> None:
            taken.append(b"closed")

    way = Finishing(Out(), partial(signed, signers=[Signer("judge.example", "s1", key)]))
    way.deliver(letter(), "ann@example.org", "<1@x>", "path@x")
    way.close()
    assert verified(taken[0], record)
    assert taken[1:] == [b"closed"]


def test_two_keys_sign_side_by_side() -> None:
    """RFC 8463 section 3: a server takes the one it knows."""
    rsa, ed25519 = key_pair(), ed25519_pair()
    records = {b"s1._domainkey.judge.example.": rsa[1], b"s2._domainkey.judge.example.": ed25519[1]}
    signers = [Signer("judge.example", "s1", rsa[0]), Signer("judge.example", "s2", ed25519[0])]
    assert [signer.algorithm for signer in signers] == [b"rsa-sha256", b"ed25519-sha256"]
    taken = signed(letter(), signers)
    for index in (0, 1):
        check = dkim.DKIM(taken)
        assert check.verify(idx=index, dnsfunc=lambda name, timeout=5: records[name])
        assert check.signature_fields[b"a"] == signers[index].algorithm
