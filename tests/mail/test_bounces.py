"""What returned letters say, in the words of the programs that return them."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.mail.bounces import Failure, of_refusal, read

CORPUS = Path(__file__).parent / "corpus"


def report(status: str, action: str = "failed", said: str = "smtp; 550 no") -> bytes:
    return (
        "From: MAILER-DAEMON@mx.example.net\r\nSubject: Undelivered\r\n"
        "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n"
        "--b\r\nContent-Type: text/plain\r\n\r\nIt did not arrive.\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n"
        f"Final-Recipient: rfc822; ann@example.org\r\nAction: {action}\r\n"
        f"Status: {status}\r\nDiagnostic-Code: {said}\r\n\r\n--b--\r\n"
    ).encode()


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
        ("5.2.1", True),
        ("5.4.4", True),
        ("5.0.0", True),
        ("5.2.2", False),  # the mailbox is full
        ("5.3.4", False),  # this letter is too big
        ("5.4.6", False),  # a routing loop
        ("5.7.1", False),  # this letter looks like spam
        ("5.6.0", False),
        ("4.4.7", False),  # given up after days
    ],
)
def test_only_some_failures_are_the_addresss(status: str, hard: bool) -> None:
    assert read(report(status)) == Failure(hard, status, "550 no")


def test_what_the_server_said_counts_where_the_status_says_nothing() -> None:
    assert read(report("5.0.0", said="smtp; 554 5.7.1 blocked")) == Failure(
        False, "5.7.1", "554 5.7.1 blocked"
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
    assert of_refusal(said) == Failure(hard, status, said)


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
    failure = read(report("5.1.1", said="smtp; 550 no\r\n such\r\n user " + "x" * 1000))
    assert failure is not None
    assert "\n" not in failure.said
    assert len(failure.said) <= 300
