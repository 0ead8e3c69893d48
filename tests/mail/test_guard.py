"""What must never be answered is recognized; people are not taken for robots."""

from __future__ import annotations

import tomllib
from email import message_from_bytes
from email.header import Header
from pathlib import Path

import pytest

from judge.mail.message import MailFacts, MailKind, answers, parse

OWN = ["judge@example.com"]


def kind(*fields: str, sender: str = "ann@example.org", path: str | None = None) -> MailKind:
    head = [f"From: {sender}", "Subject: orders"] if "From" not in "".join(fields) else []
    fields = tuple(field for field in fields)
    if any(field.startswith("Subject") for field in fields):
        head = head[:1]
    raw = "\n".join([*head, *fields, "", "A Par - Bur", ""]).encode()
    incoming = parse(raw, path, OWN)
    assert incoming.answerable == (incoming.kind is MailKind.MESSAGE)
    assert bool(incoming.reason) == (incoming.kind is not MailKind.MESSAGE)
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
    assert kind(*fields) is MailKind.MESSAGE
    assert kind(*fields, path="ann@example.org") is MailKind.MESSAGE


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        (("Auto-Submitted: auto-replied",), MailKind.AUTO_REPLY),
        (("Auto-Submitted: Auto-Generated; x=y",), MailKind.AUTO_REPLY),
        (("Precedence: BULK",), MailKind.AUTO_REPLY),
        (("Precedence: junk",), MailKind.AUTO_REPLY),
        (("Precedence: list",), MailKind.LIST),
        (("List-Id: <x.example.org>",), MailKind.LIST),
        (("List-Post: <mailto:x@example.org>",), MailKind.LIST),
        (("X-Autoreply: yes",), MailKind.AUTO_REPLY),
        (("X-Autorespond: yes",), MailKind.AUTO_REPLY),
        (("X-Vacation: yes",), MailKind.AUTO_REPLY),
        (("X-RT-Loop-Prevention: x.example",), MailKind.AUTO_REPLY),
        (("Precedence : bulk",), MailKind.AUTO_REPLY),
        (("X-Auto-Response-Suppress: All",), MailKind.AUTO_REPLY),
        (("X-Auto-Response-Suppress: DR, AutoReply",), MailKind.AUTO_REPLY),
        (("Return-Path: <>",), MailKind.AUTO_REPLY),
        (("Return-Path: <>", "Subject: Undelivered Mail Returned"), MailKind.BOUNCE),
        (
            ("Content-Type: multipart/report; report-type=delivery-status; boundary=b",),
            MailKind.BOUNCE,
        ),
        (
            ("Content-Type: multipart/report; report-type=disposition-notification; boundary=b",),
            MailKind.AUTO_REPLY,
        ),
        (("X-Failed-Recipients: ann@example.org",), MailKind.BOUNCE),
        (("Content-Type: text/calendar",), MailKind.AUTO_REPLY),
        (("Subject: Automatic reply: orders",), MailKind.AUTO_REPLY),
        (("Subject: Abwesenheitsnotiz: orders",), MailKind.AUTO_REPLY),
        (("Subject: =?utf-8?q?R=C3=A9ponse_automatique_=3A_orders?=",), MailKind.AUTO_REPLY),
        (("Subject: Out of Office Re: orders",), MailKind.AUTO_REPLY),
        (("X-Loop: someone@else.example",), MailKind.AUTO_REPLY),
        (("X-Loop: Judge@example.com",), MailKind.OWN),
    ],
)
def test_robots_are_not(fields: tuple[str, ...], what: MailKind) -> None:
    assert kind(*fields) is what


@pytest.mark.parametrize(
    ("sender", "what"),
    [
        ("MAILER-DAEMON@example.org", MailKind.BOUNCE),
        ("Postmaster@example.org", MailKind.BOUNCE),
        ("no-reply@example.org", MailKind.AUTO_REPLY),
        ("noreply+x@example.org", MailKind.AUTO_REPLY),
        ("donotreply@example.org", MailKind.AUTO_REPLY),
        ("play-bounces@example.org", MailKind.AUTO_REPLY),
        ("owner-play@example.org", MailKind.AUTO_REPLY),
        ("post_master@example.org", MailKind.BOUNCE),
        ("Mailer_Daemon@example.org", MailKind.BOUNCE),
        ("list-alert@example.org", MailKind.AUTO_REPLY),
        ("judge@example.com", MailKind.OWN),
        ("JUDGE@EXAMPLE.COM", MailKind.OWN),
        ("judge+rabc@example.com", MailKind.OWN),
        ("judge+x@example.net", MailKind.MESSAGE),
        ("rooter@example.org", MailKind.MESSAGE),
        ("norepl@example.org", MailKind.MESSAGE),
    ],
)
def test_programs_are_known_by_their_names(sender: str, what: MailKind) -> None:
    assert kind(sender=sender) is what


def test_the_null_path_of_the_envelope_tells() -> None:
    assert kind(path="") is MailKind.AUTO_REPLY
    assert kind("Subject: Delivery Status Notification (Failure)", path="") is MailKind.BOUNCE
    # What the envelope said counts more than what a field claims.
    assert kind("Return-Path: <>", path="ann@example.org") is MailKind.MESSAGE


def test_without_a_sender_nobody_can_be_answered() -> None:
    incoming = parse(b"Subject: orders\n\nA Par - Bur\n", None, OWN)
    assert incoming.kind is MailKind.MESSAGE
    assert not incoming.answerable


def test_the_table_can_be_read() -> None:
    message = message_from_bytes(b"Subject: orders\n\nA Par - Bur\n")
    look = MailFacts(message, {}, "ann@example.org", "orders", "A Par - Bur", None, frozenset())
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
    assert found.kind is (MailKind.MESSAGE if read else MailKind.AUTO_REPLY), found.reason
    assert found.answerable == read


@pytest.mark.parametrize("topic", ["people", "notes"])
def test_nobody_is_taken_for_a_program_by_what_they_write(topic: str) -> None:
    text = "\n".join(text for _, text in MAILS[topic].values())
    assert parse(mail("next turn", text), None, OWN).kind is MailKind.MESSAGE


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
    assert (parse(mail(subject, "A Par - Bur"), None, OWN).kind is MailKind.MESSAGE) == read


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
    assert parse(raw.encode(), None, OWN).kind is MailKind.AUTO_REPLY
    # What comes along with orders or a comment, and what the judge itself has sent, is no matter.
    with_orders = CALENDAR.format(
        subject=subject, text="A Par - Bur", parameter=parameter, method="REPLY"
    )
    assert parse(with_orders.encode(), None, OWN).kind is MailKind.MESSAGE
    comment = "I cannot make it before Friday evening, so please let me have one more day."
    commented = CALENDAR.format(subject=subject, text=comment, parameter=parameter, method="REPLY")
    assert parse(commented.encode(), None, OWN).kind is MailKind.MESSAGE
    published = CALENDAR.format(
        subject=subject, text="Could we wait?", parameter="", method="PUBLISH"
    )
    assert parse(published.encode(), None, OWN).kind is MailKind.MESSAGE


def test_a_reaction_by_gmail_is_told_by_its_part() -> None:
    raw = CALENDAR.format(subject="Re: JUDGE:paris", text="ok", parameter="", method="x")
    reaction = raw.replace("text/calendar", "text/vnd.google.email-reaction+json")
    assert parse(reaction.encode(), None, OWN).kind is MailKind.AUTO_REPLY
