"""What must never be answered is recognized; people are not taken for robots."""

from __future__ import annotations

import tomllib
from email import message_from_bytes
from email.header import Header
from pathlib import Path

import pytest

from judge.mail.message import Kind, Look, answers, parse

OWN = ["judge@example.com"]


def kind(*fields: str, sender: str = "ann@example.org", path: str | None = None) -> Kind:
    head = [f"From: {sender}", "Subject: orders"] if "From" not in "".join(fields) else []
    fields = tuple(field for field in fields)
    if any(field.startswith("Subject") for field in fields):
        head = head[:1]
    raw = "\n".join([*head, *fields, "", "A Par - Bur", ""]).encode()
    incoming = parse(raw, path, OWN)
    assert incoming.answerable == (incoming.kind is Kind.MESSAGE)
    assert bool(incoming.reason) == (incoming.kind is not Kind.MESSAGE)
    return incoming.kind


@pytest.mark.parametrize(
    "fields",
    [
        ("Auto-Submitted: no",),
        ("Precedence: normal",),
        ("X-Auto-Response-Suppress: DR, RN",),
        ("Subject: Out on a limb: orders",),
        ("Subject: auto orders",),
        ("List-Unsubscribe: <mailto:x@example.org>",),
        ("Return-Path: <ann@example.org>",),
        ("To    : Mary <mary@example.org>",),
    ],
)
def test_people_are_answered(fields: tuple[str, ...]) -> None:
    assert kind(*fields) is Kind.MESSAGE
    assert kind(*fields, path="ann@example.org") is Kind.MESSAGE


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        (("Auto-Submitted: auto-replied",), Kind.AUTO_REPLY),
        (("Auto-Submitted: Auto-Generated; x=y",), Kind.AUTO_REPLY),
        (("Precedence: BULK",), Kind.AUTO_REPLY),
        (("Precedence: junk",), Kind.AUTO_REPLY),
        (("Precedence: list",), Kind.LIST),
        (("List-Id: <x.example.org>",), Kind.LIST),
        (("List-Post: <mailto:x@example.org>",), Kind.LIST),
        (("X-Autoreply: yes",), Kind.AUTO_REPLY),
        (("X-Autorespond: yes",), Kind.AUTO_REPLY),
        (("X-Vacation: yes",), Kind.AUTO_REPLY),
        (("X-RT-Loop-Prevention: x.example",), Kind.AUTO_REPLY),
        (("Precedence : bulk",), Kind.AUTO_REPLY),
        (("X-Auto-Response-Suppress: All",), Kind.AUTO_REPLY),
        (("X-Auto-Response-Suppress: DR, AutoReply",), Kind.AUTO_REPLY),
        (("Return-Path: <>",), Kind.AUTO_REPLY),
        (("Return-Path: <>", "Subject: Undelivered Mail Returned"), Kind.BOUNCE),
        (("Content-Type: multipart/report; report-type=delivery-status; boundary=b",), Kind.BOUNCE),
        (
            ("Content-Type: multipart/report; report-type=disposition-notification; boundary=b",),
            Kind.AUTO_REPLY,
        ),
        (("X-Failed-Recipients: ann@example.org",), Kind.BOUNCE),
        (("Content-Type: text/calendar",), Kind.AUTO_REPLY),
        (("Subject: Automatic reply: orders",), Kind.AUTO_REPLY),
        (("Subject: Abwesenheitsnotiz: orders",), Kind.AUTO_REPLY),
        (("Subject: =?utf-8?q?R=C3=A9ponse_automatique_=3A_orders?=",), Kind.AUTO_REPLY),
        (("Subject: Out of Office Re: orders",), Kind.AUTO_REPLY),
        (("X-Loop: someone@else.example",), Kind.AUTO_REPLY),
        (("X-Loop: Judge@example.com",), Kind.OWN),
    ],
)
def test_robots_are_not(fields: tuple[str, ...], what: Kind) -> None:
    assert kind(*fields) is what


@pytest.mark.parametrize(
    ("sender", "what"),
    [
        ("MAILER-DAEMON@example.org", Kind.BOUNCE),
        ("Postmaster@example.org", Kind.BOUNCE),
        ("no-reply@example.org", Kind.AUTO_REPLY),
        ("noreply+x@example.org", Kind.AUTO_REPLY),
        ("donotreply@example.org", Kind.AUTO_REPLY),
        ("play-bounces@example.org", Kind.AUTO_REPLY),
        ("owner-play@example.org", Kind.AUTO_REPLY),
        ("post_master@example.org", Kind.BOUNCE),
        ("Mailer_Daemon@example.org", Kind.BOUNCE),
        ("list-alert@example.org", Kind.AUTO_REPLY),
        ("judge@example.com", Kind.OWN),
        ("JUDGE@EXAMPLE.COM", Kind.OWN),
        ("rooter@example.org", Kind.MESSAGE),
        ("norepl@example.org", Kind.MESSAGE),
    ],
)
def test_programs_are_known_by_their_names(sender: str, what: Kind) -> None:
    assert kind(sender=sender) is what


def test_the_null_path_of_the_envelope_tells() -> None:
    assert kind(path="") is Kind.AUTO_REPLY
    assert kind("Subject: Delivery Status Notification (Failure)", path="") is Kind.BOUNCE
    # What the envelope said counts more than what a field claims.
    assert kind("Return-Path: <>", path="ann@example.org") is Kind.MESSAGE


def test_without_a_sender_nobody_can_be_answered() -> None:
    incoming = parse(b"Subject: orders\n\nA Par - Bur\n", None, OWN)
    assert incoming.kind is Kind.MESSAGE
    assert not incoming.answerable


def test_the_table_can_be_read() -> None:
    message = message_from_bytes(b"Subject: orders\n\nA Par - Bur\n")
    look = Look(message, {}, "ann@example.org", "orders", "A Par - Bur", None, frozenset())
    questions = [question for question, *_ in answers(look)]
    assert len(set(questions)) == len(questions)
    assert all(question.endswith("?") for question in questions)


MAILS: dict[str, dict[str, tuple[str, str]]] = tomllib.loads(
    Path(__file__).with_name("automatic.toml").read_text(encoding="utf-8")
)


def mail(subject: str, text: str) -> bytes:
    head = "From: Ann <ann@example.org>\nTo: judge@example.com\nIn-Reply-To: <1@example.com>\n"
    coded = Header(subject, "utf-8").encode()
    kind = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"
    return f"{head}Subject: {coded}\n{kind}\n{text}\n".encode()


@pytest.mark.parametrize(
    ("topic", "name"), [(topic, name) for topic, those in MAILS.items() for name in those]
)
def test_programs_that_do_not_say_so_are_told_from_people(topic: str, name: str) -> None:
    found = parse(mail(*MAILS[topic][name]), None, OWN)
    read = topic in ("people", "notes")
    assert found.kind is (Kind.MESSAGE if read else Kind.AUTO_REPLY), found.reason
    assert found.answerable == read


@pytest.mark.parametrize("topic", ["people", "notes"])
def test_nobody_is_taken_for_a_program_by_what_they_write(topic: str) -> None:
    text = "\n".join(text for _, text in MAILS[topic].values())
    assert parse(mail("next turn", text), None, OWN).kind is Kind.MESSAGE


@pytest.mark.parametrize(
    ("subject", "read"),
    [
        ("Abwesend 3. bis 5. Dezember", True),
        ("Ferie: 3-5 dicembre", True),
        ("Read: my proposal", True),
        ("不在の件", True),
        ("Absent from JUDGE:paris: 3 to 5 December", True),
        ("Abwesend: AW: JUDGE:paris - S1901M Results", False),
        ("Read: JUDGE:paris - S1901M Results", False),
        ("休暇: JUDGE - Welcome to Diplomacy by email", False),
    ],
)
def test_words_of_absence_tell_a_program_before_a_subject_of_ours(subject: str, read: bool) -> None:
    assert (parse(mail(subject, "A Par - Bur"), None, OWN).kind is Kind.MESSAGE) == read


CALENDAR = """\
From: Ann <ann@example.org>
Subject: {subject}
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain; charset=utf-8

{text}
--b
Content-Type: text/calendar; charset=utf-8{parameter}

BEGIN:VCALENDAR
METHOD:{method}
BEGIN:VEVENT
SUMMARY:Deadline
END:VEVENT
END:VCALENDAR
--b--
"""


@pytest.mark.parametrize("parameter", ["", "; method=REPLY"])
@pytest.mark.parametrize("subject", ["Accepted: Deadline", "Zugesagt: Deadline", "Re: JUDGE:paris"])
def test_a_calendars_answer_is_not_answered(subject: str, parameter: str) -> None:
    raw = CALENDAR.format(subject=subject, text="Ann has accepted.", parameter=parameter,
                          method="REPLY")  # fmt: skip
    assert parse(raw.encode(), None, OWN).kind is Kind.AUTO_REPLY
    # What comes along with orders or a comment, and what the judge itself has sent, is no matter.
    with_orders = CALENDAR.format(
        subject=subject, text="A Par - Bur", parameter=parameter, method="REPLY"
    )
    assert parse(with_orders.encode(), None, OWN).kind is Kind.MESSAGE
    comment = "I cannot make it before Friday evening, so please let me have one more day."
    commented = CALENDAR.format(subject=subject, text=comment, parameter=parameter, method="REPLY")
    assert parse(commented.encode(), None, OWN).kind is Kind.MESSAGE
    published = CALENDAR.format(
        subject=subject, text="Could we wait?", parameter="", method="PUBLISH"
    )
    assert parse(published.encode(), None, OWN).kind is Kind.MESSAGE


def test_a_reaction_by_gmail_is_told_by_its_part() -> None:
    raw = CALENDAR.format(subject="Re: JUDGE:paris", text="ok", parameter="", method="x")
    reaction = raw.replace("text/calendar", "text/vnd.google.email-reaction+json")
    assert parse(reaction.encode(), None, OWN).kind is Kind.AUTO_REPLY
