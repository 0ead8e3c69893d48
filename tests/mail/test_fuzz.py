"""No bytes make the judge stumble, wait, or see an order that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.mail.fuzz import CORPUS, attack, commit
from tests.sampled import some

MAILS = [path.read_bytes() for path in sorted(CORPUS.glob("*.eml"))]

PIECES = [
    *(
        b"\r\n",
        b"\n\n",
        b">",
        b"--",
        b"-- \n",
        b"=\n",
        b"=3D",
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
    ),
    *(b"Content-Type: text/html\n", b"Content-Transfer-Encoding: base64\n", b"charset=utf-16"),
    *(b"<div>", b"</blockquote>", b"<table><tr><td>", b"PRESS TO FG\n", b"ENDPRESS\n", b"PHASE"),
    *(
        b"A Par - Bur\n",
        b"F StP",
        b"(((((",
        b",;,;,;",
        b"SET ",
        b"-----BEGIN PGP SIGNED MESSAGE-----",
    ),
    *(b"On Mon, 15 Jun 2026, Ann <a@b.c> wrote:\n", b"From: a@b.c\nSent: 2026\n", b": " * 50),
    *("ФА–→à".encode(), b"norw sea ", b"1) 2) 3) ", b"and " * 20, b"?" * 30),
]


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    """A mail of the corpus that something has happened to."""
    mail = bytearray(draw(st.sampled_from(MAILS)))
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, max(0, len(mail) - 1)))
        match draw(st.integers(0, 4)):
            case 0:
                mail[at : at + 1] = draw(st.binary(min_size=1, max_size=3))
            case 1:
                del mail[at : at + draw(st.integers(1, 200))]
            case 2:
                mail[at:at] = draw(st.sampled_from(PIECES))
            case 3:
                other = draw(st.sampled_from(MAILS))
                start = draw(st.integers(0, len(other)))
                mail[at:at] = other[start : start + draw(st.integers(1, 400))]
            case _:
                mail[at:at] = mail[at : at + draw(st.integers(1, 300))] * draw(st.integers(1, 20))
    return bytes(mail)


@given(st.binary(max_size=2000))
@example(b"From: ann@example.org\n\nA Ukr - Rum\nF`Bla - Con")
def test_bytes(raw: bytes) -> None:
    attack(raw)


@given(st.text(max_size=600))
def test_text(text: str) -> None:
    body = text.encode("utf-8", "surrogatepass")
    attack(b"From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n\n" + body)


@given(mutations())
@settings(max_examples=some(20, 1000))
def test_mutations_of_the_corpus(raw: bytes) -> None:
    attack(raw)


@given(mutations())
@settings(max_examples=some(12, 300))
def test_mutations_are_worked_and_committed(raw: bytes) -> None:
    commit(raw)


def test_a_mail_that_is_held_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: object) -> None:
        raise ValueError("a fault of ours")

    monkeypatch.setattr("judge.service.reading.work_through", stumble)
    with pytest.raises(AssertionError, match="a fault of ours"):
        commit(MAILS[0])


@pytest.mark.parametrize(
    "piece",
    [
        *(b"a" * 5, b"a - ", b"a s a ", b"par ", b"norw sea ", b"(", b"and ", b"1) ", b", ", b". "),
        *(b"par - bur, ", b"a par - bur. ", b"f nth c a lon - nwy ", b"set wait, ", b"set "),
        *(b"norwegian ", b"north ", b"st ", b"> ", b"J> ", b"par\n", b"france:\n", b"frobnicate\n"),
        *(
            b"press to f\n",
            b"endpress\n",
            b"A Mar S A Pra - Bur\n",
            b"F Nth - Nor\n",
            b"From: a@b\n",
        ),
        *(b"xyzzy - qwert\n", b"mnuich burgnudy\n", b"-----", b"please ", b"ok ", b"(bounce) "),
    ],
)
def test_nothing_takes_long_by_being_repeated(piece: bytes) -> None:
    for size in (3_000, 100_000):
        attack(b"From: ann@example.org\n\n" + piece * (size // len(piece)))


def test_an_order_that_is_not_there_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.mail.fuzz.nameable", lambda text, turn: set())
    with pytest.raises(AssertionError, match="not in"):
        attack((Path(CORPUS) / "001-gmail-web-en.eml").read_bytes())
