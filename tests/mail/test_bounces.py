"""What returned letters say, in the words of the programs that return them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from judge.mail.bounces import DEAD, REFUSED, BounceReason, Failure, of_refusal, read

HERE = Path(__file__).parent
CORPUS = HERE / "corpus"
SAID = [
    (BounceReason(reason), name, said)
    for reason, those in tomllib.loads((HERE / "bounces.toml").read_text()).items()
    for name, said in those.items()
]
"""What servers say, by class: `bounces.toml`."""


LETTER = """\
Return-Path: <judge+b1@example.org>
From: Judge <judge@example.org>
Subject: JUDGE:paris - S1901M Results

A unit unknown to the spam filter was blocked: no such user, and the mailbox is full.
"""
"""Nothing that stands in a returned letter tells why it was returned."""

REPORT = """\
From: MAILER-DAEMON@mx.example.net
Subject: Undelivered
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

{notice}
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx

Final-Recipient: rfc822; ann@example.org
Action: {action}
Status: {status}
Diagnostic-Code: {said}

--b
Content-Type: message/rfc822

{letter}
--b--
"""

POSTFIX = """\
This is the mail system at host mx.example.net.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

<ann@example.net>: host mail.example.net[192.0.2.25] said: {said}"""

QMAIL = """\
From: MAILER-DAEMON@mail.example.net
Subject: failure notice

Hi. This is the qmail-send program at mail.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.net>:
Remote host said: {said}
Giving up on 192.0.2.25.

--- Below this line is a copy of the message.

{letter}"""

EXIM = """\
From: Mail Delivery System <Mailer-Daemon@mail.example.net>
X-Failed-Recipients: ann@example.net
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@example.net
    host mail.example.net [192.0.2.25]
    SMTP error from remote mail server after RCPT TO:<ann@example.net>:
    {said}

------ This is a copy of the message, including all the headers. ------

{letter}"""

EXCHANGE = """\
From: Microsoft Outlook <x@mail.example.net>
Subject: Undeliverable: JUDGE:paris

Delivery has failed to these recipients or groups:

ann@example.net

Diagnostic information for administrators:

Generating server: mail.example.net

ann@example.net
{said}

Original message headers:

{letter}"""


def report(
    status: str, action: str = "failed", said: str = "smtp; 550 no", notice: str = "It was lost."
) -> bytes:
    folded = said.replace("\n", "\n    ")
    return REPORT.format(
        status=status, action=action, said=folded, notice=notice, letter=LETTER
    ).encode()


def in_report(said: str) -> bytes:
    return report("5.0.0", said=f"smtp; {said}", notice=POSTFIX.format(said=said))


def in_notice(said: str) -> bytes:
    """Some systems tell people only."""
    return report("5.0.0", said="x-unix; 1", notice=f"Your letter did not arrive.\n\n{said}")


@pytest.mark.parametrize(("reason", "name", "said"), SAID)
def test_a_server_is_understood_in_its_own_words(
    reason: BounceReason, name: str, said: str
) -> None:
    failure = of_refusal(said)
    assert (failure.reason, failure.hard) == (reason, reason in DEAD)
    if name == "by-code" or reason is BounceReason.OTHER:
        # There are no words to be found again in a mail.
        return
    texts = [each.format(said=said, letter=LETTER).encode() for each in (QMAIL, EXIM, EXCHANGE)]
    for raw in (in_report(said), in_notice(said), *texts):
        found = read(raw)
        assert found is not None, raw
        assert found.reason == reason, raw


def action(reason: BounceReason) -> str:
    """What the judge makes of a reason: reasons of one kind have the same effect."""
    return "dead" if reason in DEAD else "refused" if reason in REFUSED else reason


NOTICE = """\
From: {from}
Subject: {subject}
Content-Type: text/plain; charset=utf-8

{text}

{letter}"""


@pytest.mark.parametrize("name", ["refusals", "refusals_fresh", "documented", "bounces_relayed"])
def test_other_systems_are_understood_too(name: str) -> None:
    """`pytest -s` prints the rates, and what is misunderstood."""
    refusals = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
    said: list[tuple[BounceReason, str, list[Failure | None]]] = [
        (BounceReason(each["reason"]), text, [read(text.encode())])
        for each in refusals.pop("notice", ())
        if (text := NOTICE.format(**each, letter=LETTER))
    ]
    for reason, those in refusals.items():
        for text in those.values():
            shapes = [each.format(said=text, letter=LETTER).encode() for each in (QMAIL, EXCHANGE)]
            mails = (in_report(text), in_notice(text), *shapes)
            said.append((BounceReason(reason), text, [of_refusal(text), *map(read, mails)]))
    assert len(said) >= 100
    alike = died = 0
    for reason, text, failures in said:
        found = {failure.reason if failure else BounceReason.OTHER for failure in failures}
        alike += {action(each) for each in found} == {action(reason)}
        died += {each in DEAD for each in found} != {reason in DEAD}
        if {action(each) for each in found} != {action(reason)}:
            print(reason, found, text)
    print(f"{alike} of {len(said)} understood, {died} times dead and alive mistaken")
    assert alike >= 0.97 * len(said)
    assert died <= 0.02 * len(said)


DAEMON, UNKNOWN = "mailer-daemon@mx.example.net", BounceReason.USER_UNKNOWN
SHAPES: list[tuple[str, str, str, BounceReason | None]] = [
    # Who writes says nothing; what a server answered does.
    ("gate_keeper@x.example", "Re: JUDGE", "Trouble:\n550 - no such user here", UNKNOWN),
    ("MDaemon@x.example", "Warning", "ann@example.net - no such user here.", UNKNOWN),
    ("filter@x.example", "It could not be delivered", "<<< 550 unknown user.", UNKNOWN),
    # Dots in names end no sentence.
    (DAEMON, "", "User ann.b.low (ann@x) not listed in the directory", UNKNOWN),
    # Who is refused before the recipient is named is the sender, and after the letter its domain.
    (DAEMON, "", "after MAIL FROM:<judge@example.org>:\n550 no such user", BounceReason.BLOCKED),
    (DAEMON, "", "550 Unknown domain (in reply to end of DATA)", BounceReason.AUTHENTICATION),
    (DAEMON, "", "550 5.1.1 no such user (in reply to RCPT TO command)", UNKNOWN),
    # What is still tried may arrive.
    (DAEMON, "Warning", "It has not yet been delivered:\n450 no such user", BounceReason.TEMPORARY),
    (DAEMON, "", "550 no such user\nDelivery attempts will continue.", BounceReason.TEMPORARY),
    # One who answers them by hand, or is away, returns nothing.
    ("ann@example.net", "Re: JUDGE", "I have moved, and no such user is here, ha.", None),
    ("ann@example.net", "Away", "I am away and no longer with the company.", None),
]


@pytest.mark.parametrize(("sender", "subject", "text", "reason"), SHAPES)
def test_a_notice_counts_by_what_it_says(
    sender: str, subject: str, text: str, reason: BounceReason | None
) -> None:
    fields = {"from": sender, "subject": subject, "text": text}
    failure = read(NOTICE.format(**fields, letter="").encode())
    assert (failure.reason if failure else None) is reason


def test_a_report_on_an_international_letter_is_read() -> None:
    """RFC 6533: what the letter says is no reason here, either."""
    raw = report("5.1.1", notice="It is lost.").replace(b"message/d", b"message/global-d")
    failure = read(raw.replace(b"message/rfc822", b"message/global"))
    assert failure is not None
    assert (failure.reason, failure.status) == (BounceReason.USER_UNKNOWN, "5.1.1")


@pytest.mark.parametrize("action", ["failed (bad destination mailbox)", "failure", ""])
def test_a_failure_is_what_is_not_called_success(action: str) -> None:
    failure = read(report("5.1.1", action, notice="the message loops back\nuser unknown"))
    assert failure is not None
    assert failure.reason is BounceReason.USER_UNKNOWN


def test_the_corpus_is_large_enough() -> None:
    assert len(SAID) >= 160
    assert {reason for reason, _, _ in SAID} == set(BounceReason)


@pytest.mark.parametrize(
    ("name", "hard", "status"),
    [
        ("188-bounce-postfix", True, "5.1.1"),
        ("189-bounce-exim", True, "5.0.0"),
        ("190-bounce-gmail", True, "5.1.1"),
        ("191-bounce-exchange", True, "5.1.10"),
        ("192-bounce-delayed-sendmail", False, "4.4.1"),
        ("193-bounce-qmail", True, "5.1.1"),
        ("194-bounce-free-text", False, ""),
    ],
)
def test_the_corpus(name: str, hard: bool, status: str) -> None:
    failure = read((CORPUS / f"{name}.eml").read_bytes())
    assert failure is not None
    assert (failure.hard, failure.status) == (hard, status)


@pytest.mark.parametrize(
    "name", sorted(path.stem for path in CORPUS.glob("*.eml") if "bounce-" not in path.stem)
)
def test_nothing_else_is_taken_for_one(name: str) -> None:
    assert read((CORPUS / f"{name}.eml").read_bytes()) is None


@pytest.mark.parametrize(
    ("status", "hard"),
    [
        ("5.1.1", True),
        ("5.4.4", True),
        ("5.0.0", False),  # it may be anything
        ("5.2.1", False),  # the mailbox is disabled, maybe for a time
        ("5.2.2", False),  # the mailbox is full
        ("5.3.4", False),  # this letter is too big
        ("5.4.6", False),  # a routing loop
        ("5.7.1", False),  # this letter looks like spam
        ("5.6.0", False),
        ("4.4.7", False),  # given up after days
    ],
)
def test_only_some_failures_are_the_addresss(status: str, hard: bool) -> None:
    failure = read(report(status))
    assert failure is not None
    assert (failure.hard, failure.status, failure.said) == (hard, status, "550 no")


def test_what_the_server_said_counts_where_the_status_says_nothing() -> None:
    assert read(report("5.0.0", said="smtp; 554 5.7.1 blocked")) == Failure(
        BounceReason.BLOCKED, "5.7.1", "554 5.7.1 blocked"
    )
    failure = read(report("5.0.0", said="smtp; 550 Message rejected as spam"))
    assert failure is not None
    assert not failure.hard


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
def test_a_report_of_success_is_no_failure(action: str) -> None:
    assert read(report("2.0.0", action)) is None


def test_a_delay_is_never_hard() -> None:
    failure = read(report("5.1.1", "delayed"))
    assert failure is not None
    assert not failure.hard


@pytest.mark.parametrize(
    ("said", "hard", "status"),
    [
        ("550 5.1.1 No such user", True, "5.1.1"),
        ("550 No such user here", True, ""),
        ("552 5.2.2 Mailbox full", False, "5.2.2"),
        ("554 Message rejected as spam", False, ""),
        ("451 4.7.1 Greylisted", False, "4.7.1"),
        ("421 try later", False, ""),
    ],
)
def test_a_refusal_of_our_own_relay(said: str, hard: bool, status: str) -> None:
    failure = of_refusal(said)
    assert (failure.hard, failure.status, failure.said) == (hard, status, said)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe",
        b"From: \r\n\r\n",
        b"From: x\r\nContent-Type: multipart/report\r\n\r\n",
        report("nonsense"),
        report("5.1.1").replace(b"Action: failed", b"Action: \xff"),
        b"Content-Type: message/delivery-status\r\n\r\nStatus: 5.1.1\r\n",
    ],
)
def test_no_bytes_make_it_fail(raw: bytes) -> None:
    read(raw)
    for cut in range(0, len(raw), 7):
        read(raw[:cut])


def test_what_was_said_is_one_short_line() -> None:
    failure = read(report("5.1.1", said="smtp; 550 no\r\n \x07such\r\n user " + "x" * 1000))
    assert failure is not None
    assert "\n" not in failure.said
    assert failure.said.startswith("550 no such user xx")
    assert len(failure.said) <= 300
