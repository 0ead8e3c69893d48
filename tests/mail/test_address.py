"""Reply addresses: short, spelled in one way, and nobody's but ours."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.mail import headers
from judge.mail.address import Addresses, Found, delivered_to

KEY = b"k" * 32
JUDGE = Addresses("judge+*@example.org", KEY, "example.org")
WHOLE = Addresses("*@games.example", KEY, "example.org")
DASH = Addresses("the-judge-*@example.org", KEY, "example.org")

numbers = st.integers(1, 2**40 - 1)


@given(numbers, st.sampled_from("ra"))
def test_an_address_names_its_number_in_any_case(number: int, purpose: str) -> None:
    for addresses in (JUDGE, WHOLE, DASH):
        made = addresses.make(number, purpose)
        assert addresses.read(made) == Found(purpose, number)
        assert addresses.read(made.upper()) == Found(purpose, number)
        assert made == made.lower()
        assert len(made.partition("@")[0]) <= 64


@given(numbers)
def test_a_message_id_names_it_too_but_is_no_address(number: int) -> None:
    made = JUDGE.message_id(number)
    assert JUDGE.read_message_id(made) == number
    assert JUDGE.read_message_id(made.upper()) == number
    assert JUDGE.read(made.strip("<>")) is None
    token = made.strip("<>").partition("@")[0]
    found = JUDGE.read(f"judge+{token}@example.org")
    assert found == Found("m", number)
    reply = JUDGE.make(number, "r").partition("@")[0].partition("+")[2]
    assert JUDGE.read_message_id(f"<{reply}@example.org>") is None


@given(numbers, st.integers(0, 24), st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"))
@example(1, 24, "a")
def test_who_changes_a_letter_has_nothing(number: int, place: int, letter: str) -> None:
    made = JUDGE.make(number, "r")
    place += len("judge+")
    altered = made[:place] + letter + made[place + 1 :]
    if altered != made:
        assert JUDGE.read(altered) is None


@pytest.mark.parametrize(
    "address",
    [
        "judge@example.org",
        "judge+@example.org",
        "judge+paris@example.org",
        "judge+r" + "a" * 24 + "@example.org",
        "judge+r" + "=" * 24 + "@example.org",
        "judge+r" + "é" * 24 + "@example.org",
        "judge+r" + "ſ" * 24 + "@example.org",
        "",
        "@",
        "x" * 10_000,
    ],
)
def test_what_is_none_of_ours_is_none(address: str) -> None:
    assert JUDGE.read(address) is None
    assert WHOLE.read(address) is None


@given(st.text(max_size=40), st.text(max_size=60))
def test_nothing_raises(address: str, message_id: str) -> None:
    assert JUDGE.read(address) is None
    assert JUDGE.read(f"judge+{address}@example.org") is None
    assert JUDGE.read_message_id(message_id) is None
    assert delivered_to(f"Delivered-To: {address}\n\n".encode("utf-8", "replace")) is not None


def test_a_token_tells_nothing_of_its_number_nor_of_other_tokens() -> None:
    tokens = [JUDGE.make(number, purpose)[7:31] for number in range(1, 301) for purpose in "rb"]
    tokens += [JUDGE.message_id(number)[2:26] for number in range(1, 301)]
    for place in zip(*tokens, strict=True):
        assert len(set(place)) == 32, "every letter occurs in every place"
    parts = [token[start : start + 8] for token in tokens for start in (0, 8, 16)]
    assert len(set(parts)) == len(parts)
    assert JUDGE.make(7, "r") == JUDGE.make(7, "r")


def test_what_older_judges_wrote_is_still_understood() -> None:
    reply = "judge+raaaaaaahdn3ctvczllngy3h4@example.org"
    assert JUDGE.read(reply) == Found("r", 7)
    assert JUDGE.read_message_id("<maaaaaaahmih4tu5avhwv23ap@example.org>") == 7
    path = "judge+baaaaaaahgc7d57o3tja3brqk@example.org"
    found = JUDGE.read(path.upper())
    assert found is not None
    assert found.address == path, "as the letter has it on file"
    assert JUDGE.read(reply.replace("+r", "+a")) is None
    assert JUDGE.read(reply.replace("aah", "aai")) is None


def test_another_judge_another_secret_another_place() -> None:
    made = JUDGE.make(7, "r")
    assert Addresses(JUDGE.pattern, b"x" * 32, JUDGE.domain).read(made) is None
    assert Addresses("other+*@example.org", KEY, JUDGE.domain).read(made) is None
    assert JUDGE.read(made.replace("example.org", "example.com")) is None
    assert WHOLE.read(made) is None
    assert JUDGE.read_message_id(JUDGE.message_id(7).replace("example.org", "x.org")) is None
    assert "k" * 8 not in repr(JUDGE)


def test_servers_note_for_whom_a_mail_came() -> None:
    raw = (
        b"Delivered-To: games@example.org\r\nX-Original-To: Judge+RABC@example.org\r\n"
        b"Envelope-To: <two@example.org>, three@example.org\r\nTo: four@example.org\r\n\r\nx"
    )
    assert delivered_to(raw) == (
        "games@example.org",
        "judge+rabc@example.org",
        "two@example.org",
        "three@example.org",
    )
    assert delivered_to(b"\xff\x00\n\n") == ()


parts = st.text("aZ9._+-= @", max_size=8)


@given(st.lists(st.builds("{}<{}@{}>".format, parts, parts, parts), min_size=1))
@example(["Ann Lee <ann.lee+games@mail.example.org>"])
@example(["ann@example.org"])
@example(["ann@x <bob@example.org>"])
def test_plain_fields_are_read_as_all_others(fields: list[str]) -> None:
    found = headers.addresses(fields)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(headers, "_PLAIN", re.compile("(?!)"))
        assert headers.addresses(fields) == found
