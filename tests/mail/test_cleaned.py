"""What steers terminals or hides text stops where a mail is read; what people write stays."""

from __future__ import annotations

import pytest

from judge.mail.message import parse
from judge.mail.safety import cleaned

STEERING = "\x1b\x07\x7f\x9b\x85\u00ad\u061c\u200b\u200e\u202e\u2066\u2069\u2060\ufeff\U000e0041"


@pytest.mark.parametrize("sign", STEERING)
def test_what_nobody_sees_reaches_neither_name_nor_subject_nor_text(sign: str) -> None:
    raw = (
        f"From: =?utf-8?b?QW4=?= An{sign}n <ann@example.org>\r\nSubject: or{sign}ders\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\nA Par{sign} - Bur\r\n"
    )
    incoming = parse(raw.encode())
    assert incoming.text
    for said in (incoming.sender_name, incoming.subject, incoming.text):
        assert sign not in said


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",  # a family
        "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian
        "\u0915\u094d\u200d\u0937",  # Devanagari
        "\u05e9\u05dc\u05d5\u05dd Ann",  # Hebrew
        "one\ttwo\n",
    ],
)
def test_what_people_write_stays(text: str) -> None:
    assert cleaned(text) == text


def test_joiners_and_tags_elsewhere_go() -> None:
    assert cleaned("pa\u200dris \u200cx\U0001f44d\U000e0041") == "paris x\U0001f44d"
