"""Whatever bytes come in: an answer goes out, or the mail is held for the keeper."""

from __future__ import annotations

import base64
from encodings.aliases import aliases

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from judge.mail.message import MailKind, parse
from tests.game.play import Play

CODECS = ("hex", "rot13", "zlib", "bz2", "base64", "uu", "quopri", "idna", "undefined", "x", "")
CHARSETS = sorted({*aliases.values(), *CODECS})
"""Each that Python knows; all spellings of them are read in `tests/mail/test_message.py`."""
HIGH = b"A Par - Bur \xe9\xff\x80 JOIN\r\n"


def open_to_all(play: Play) -> None:
    limits = replace(play.judge.profile.limits, strangers=10**6, stranger=10**6)
    play.judge.profile = replace(play.judge.profile, limits=limits)


def fate(play: Play, raw: bytes, path: str = "zoe@people.example") -> str:
    """What becomes of a mail: that it is answered or held."""
    mail_id = play.raw(raw, path)
    play.judge.process_message(mail_id)
    mail = play.storage.inbound.find(mail_id)
    assert mail is not None
    if play.storage.outbound.of_mail(mail_id):
        return "answered"
    return mail.state.value


def test_in_whatever_charset_a_mail_is_answered(play: Play) -> None:
    open_to_all(play)
    for number, name in enumerate(CHARSETS):
        word = f"=?{name}?b?{base64.b64encode(HIGH).decode()}?="
        head = (
            f"From: {word if number % 2 else 'Zoe'} <zoe{number}@d{number}.example>\r\n"
            f"Subject: {word}\r\nContent-Type: text/plain; charset={name}\r\n"
            f"Message-ID: <{number}@d.example>\r\n\r\n"
        )
        assert fate(play, head.encode() + HIGH) == "answered", name


HEADS = (
    b"From: zoe%d@people.example\r\n",
    b'From: "a b"@x%d\r\n',
    "From: jürgen%d@bücher.example\r\n".encode(),
    b"From: j\xfcrgen%d@b\xfccher.example\r\n",
    b"X: %d\r\n",
)
KINDS = (b"", b"Content-Type: text/html\r\n", b"Content-Type: multipart/mixed; boundary=b\r\n")


@given(st.binary(max_size=300), st.sampled_from(HEADS), st.sampled_from(KINDS), st.booleans())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_in_it_a_mail_is_answered_or_held(
    play: Play, some: bytes, head: bytes, kind: bytes, inside: bool
) -> None:
    open_to_all(play)
    number = next(play._number)
    raw = head % number + kind + (some if inside else b"") + b"\r\n\r\n" + some
    path = f"eve{number}@people.example"
    if parse(raw, path).kind in (MailKind.MESSAGE, MailKind.UNREADABLE):
        assert fate(play, raw, path) in ("answered", "held")
