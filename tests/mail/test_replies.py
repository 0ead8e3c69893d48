"""Replies of mail programs are cut to what their writers wrote: see replies.py."""

from __future__ import annotations

from email import message_from_bytes
from email.policy import default

import pytest

from judge.mail import headers
from judge.mail.message import answering, parse
from judge.mail.quotes import digests, packed, unpacked
from tests.mail.programs import cases
from tests.mail.replies import ADDRESS, OWN, held_back, letters, read, taken_wrongly


def test_replies_of_all_programs_are_read_exactly() -> None:
    cases = held_back()
    wrong = [(case, got) for case in cases if (got := read(case)) != case.wrote]
    assert len(cases) > 180
    assert len(wrong) * 553 <= len(cases) * 8, [case.name for case, _ in wrong]
    assert [case.name for case, got in wrong if taken_wrongly(case, got)] == []


def test_other_programs_and_languages_are_read_too() -> None:
    found = [(case, read(case)) for case in cases()]
    wrong = [(case, got) for case, got in found if got != case.wrote]
    assert len(wrong) <= 1, [(case.name, got[:5]) for case, got in wrong]
    assert [case.name for case, got in wrong if taken_wrongly(case, got)] == []


ANNOUNCED = (
    "{name} <{address}> ezt írta (időpont: 2026. nov. 20., P, 14:03):",
    "{name} <{address}> ezt írta",
    "Zup 20 nov 2026 gleb {name} <{address}> plork:",
    "{name} ({address}) 20.11.2026 plorkan",
    "{address} plork",
    "<{address}>",
    "Zup 20 nov 2026, 14:03\n{name} <{address}> plork",
    "{name}\n<{address}> plork",
    "Zup den tjugonde november 2026 klockan 14:03 skrev den som heter {name}\n<{address}> plork",
    '"{name}" <mailto:{address}> plork',
    "בתאריך יום ו׳, 20 בנוב׳ 2026 מאת {name} \u200f<{address}>:",
    "### {name}; {address} ###",
)
MARKS = ("> {}", "| {}", "{}", "")
"""Before the lines of the quote; "" where it was taken out."""


@pytest.mark.parametrize("announced", ANNOUNCED)
@pytest.mark.parametrize("gap", ["\n\n", "\n"])
def test_what_names_the_judge_above_a_quote_or_at_the_end_goes(announced: str, gap: str) -> None:
    """In whatever language it is, and whether or not a quote is left below it."""
    for letter in letters()[2:4]:
        fields = message_from_bytes(letter.raw, policy=default)
        senders = headers.addresses([str(fields["From"]), str(fields["Reply-To"])])
        for name, address in senders:
            for mark in MARKS:
                quote = "\n".join(mark.format(line) for line in letter.text.split("\n") if mark)
                for own in (OWN[0], OWN[5]):
                    text = (
                        "\n".join((*own, "")).rstrip()
                        + gap
                        + announced.format(name=name, address=address)
                    )
                    raw = f"From: a@b.c\n\n{text}{gap}{quote}\n".encode()
                    cut = answering(parse(raw), digests(letter.raw))
                    assert cut.text == "\n".join(own), (letter.kind, address, mark)


def test_what_is_written_below_an_announcement_whose_quote_was_taken_out_stays() -> None:
    letter = letters()[0]
    raw = f"From: a@b.c\n\n{letter.sender} <{ADDRESS}> ezt írta:\n\nA par - bur\nA mar H\n".encode()
    assert answering(parse(raw), digests(letter.raw)).text == "A par - bur\nA mar H"


def test_digests_that_were_damaged_tell_nothing_and_leave_those_of_other_letters() -> None:
    first, second = (each.raw for each in letters()[:2])
    assert unpacked([packed(first), packed(second)[:-1]]) == digests(first)
    assert unpacked([packed(first), packed(second)]) == digests(first) | digests(second)
