"""What `judge check` finds, and what it says to do about it."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path

import pytest

from judge import config
from judge.mail.dkim_signing import Signer
from judge.mail.imap_receiver import ImapSettings
from judge.mail.lookup import NoAnswer
from judge.mail.message import MailKind, parse
from judge.mail.smtp_receiver import SmtpReceiver
from judge.mail.transport import Maildir, RelayServer
from judge.ops import check as checking
from judge.ops import spf
from judge.ops.check import CheckResult, Parts, advise, check
from judge.storage import Storage
from tests.cli.conftest import Call, call, home
from tests.mail import dovecot, keys
from tests.mail.test_transport import Sink, running

__all__ = ["call", "home"]

Records = Mapping[tuple[str, str], list[str]]


def lookup(records: Records) -> object:
    return lambda name, kind: list(records.get((name, kind), []))


KEY, RECORD = keys.key_pair()

GOOD: Records = {
    ("example.org", "MX"): ["mx.example.org"],
    ("example.org", "TXT"): ["something", "v=spf1 a:smtp.example.org -all"],
    ("_dmarc.example.org", "TXT"): ["v=DMARC1; p=quarantine"],
    ("judge._domainkey.example.org", "TXT"): [RECORD.decode()],
    ("smtp.example.org", "A"): ["192.0.2.1"],
    ("192.0.2.1", "PTR"): ["smtp.example.org"],
}


def signer() -> list[tuple[str, str, Signer]]:
    return [("example.org", "judge", Signer("example.org", "judge", KEY))]


def advised(records: Records, **changes: object) -> dict[str, CheckResult]:
    signers = changes.get("signers", signer())
    relay = changes.get("relay", "smtp.example.org")
    found = advise("example.org", relay, signers, lookup(records))  # type: ignore[arg-type]
    return {finding.subject: finding for finding in found}


def test_a_domain_where_all_is_right() -> None:
    found = advised(GOOD)
    assert {each.state for each in found.values()} == {"good"}
    assert set(found) == {"DNS MX", "DNS SPF", "DNS DKIM", "DNS DMARC", "DNS reverse"}


@pytest.mark.parametrize(
    ("change", "subject", "said", "mend"),
    [
        ({("example.org", "MX"): []}, "DNS MX", "nobody knows where mail", "MX 10"),
        ({("example.org", "TXT"): []}, "DNS SPF", "says not who", "v=spf1 a:smtp.example.org ~all"),
        ({("example.org", "TXT"): ["v=spf1 a"]}, "DNS SPF", "lets everybody send", "~all"),
        (
            {("example.org", "TXT"): ["v=spf1 ip4:198.51.100.0/24 -all"]},
            "DNS SPF", "does not let smtp.example.org send (192.0.2.1)", "put a:smtp.example.org",
        ),
        ({("example.org", "TXT"): ["v=spf1 -all"] * 2}, "DNS SPF", "has 2 SPF", "leave one"),
        ({("judge._domainkey.example.org", "TXT"): []}, "DNS DKIM", "no key at", "v=DKIM1"),
        (
            {("judge._domainkey.example.org", "TXT"): [keys.ed25519_pair()[1].decode()]},
            "DNS DKIM", "is another one", "publish the public half",
        ),
        ({("_dmarc.example.org", "TXT"): []}, "DNS DMARC", "forged", "v=DMARC1; p=quarantine"),
        ({("192.0.2.1", "PTR"): []}, "DNS reverse", "leads back to no name", "PTR"),
        ({("192.0.2.1", "PTR"): ["other.example"]}, "DNS reverse", "leads back to no", "PTR"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_with_what_to_add(
    change: Records, subject: str, said: str, mend: str
) -> None:
    finding = advised({**GOOD, **change})[subject]
    assert finding.state == "advice"
    assert said in finding.said
    assert mend in finding.mend


@pytest.mark.parametrize("relay", [None, "127.0.0.1", "::1", "localhost", "192.168.1.7"])
def test_where_letters_leave_is_not_guessed_behind_a_relay_nearby(relay: str | None) -> None:
    local = {("localhost", "A"): ["127.0.0.1"], ("example.org", "TXT"): []}
    mend = advised({**GOOD, **local}, relay=relay)["DNS SPF"].mend
    assert "Received lines" in mend
    assert "v=spf1" not in mend


def test_what_a_provider_tells_its_customers_to_include_is_proposed() -> None:
    relay = "email-smtp.eu-west-1.amazonaws.com"
    none: Records = {("example.org", "TXT"): []}
    assert "include:amazonses.com ~all" in advised({**GOOD, **none}, relay=relay)["DNS SPF"].mend
    there = {("example.org", "TXT"): ["v=spf1 include:amazonses.com -all"]}
    assert advised({**GOOD, **there}, relay=relay)["DNS SPF"].state == "good"


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        ("v=spf1 ip4:192.0.2.0/24 -all", "pass"),
        ("v=spf1 ip4:192.0.2.2 ~all", "softfail"),
        ("v=spf1 a -all", "fail"),
        ("v=spf1 a:smtp.example.org -all", "pass"),
        ("v=spf1 a:smtp.example.org/31 -all", "pass"),
        ("v=spf1 mx -all", "pass"),
        ("v=spf1 include:other.example -all", "pass"),
        ("v=spf1 include:none.example -all", "unknown"),
        ("v=spf1 -ip4:192.0.2.1 +all", "fail"),
        ("v=spf1 redirect=other.example", "pass"),
        ("v=spf1 exp=why.example ip6:2001:db8::/32 ?all", "neutral"),
        ("v=spf1 exists:%{i}.example -all", "unknown"),
        ("v=spf1 include:example.org -all", "unknown"),
        ("v=spf1", "neutral"),
    ],
)
def test_a_record_is_asked_about_an_address(record: str, verdict: str) -> None:
    known = {
        ("example.org", "TXT"): ["v=DKIM1", record],
        ("example.org", "MX"): ["smtp.example.org"],
        ("smtp.example.org", "A"): ["192.0.2.1"],
        ("other.example", "TXT"): ["v=spf1 ip4:192.0.2.1 -all"],
    }
    assert spf.verdict("example.org", ip_address("192.0.2.1"), lookup(known)) == verdict  # type: ignore[arg-type]


def test_letters_without_signatures_are_noticed() -> None:
    assert "signs no letters" in advised(GOOD, signers=[])["DNS DKIM"].said


def test_a_dns_that_cannot_be_asked_is_said_once() -> None:
    def silent(name: str, kind: str) -> list[str]:
        raise NoAnswer("timed out")

    (finding,) = advise("example.org", None, [], silent)
    assert "timed out" in finding.said


def found(home: Path, parts: Parts | None = None, text: str = "") -> dict[str, CheckResult]:
    path = home / "judge.toml"
    path.write_text(path.read_text() + text)
    loaded = config.load(path)
    relay = parts.relay if parts else None
    maildir = Maildir(loaded.outgoing.maildir)
    parts = Parts(parts.mailboxes if parts else [], relay or maildir, [])
    everything = check(loaded, path, parts, lookup(GOOD))  # type: ignore[arg-type]
    return {finding.subject: finding for finding in everything}


def test_a_fresh_judge_can_run(home: Path) -> None:
    said = found(home)
    assert "bad" not in {each.state for each in said.values()}
    assert said["database"].state == "good"
    assert "keeper" in said["configuration"].mend
    assert "outgoing.relay" in said["letters"].mend


def test_a_password_that_everybody_can_read_is_noticed(home: Path) -> None:
    (home / "judge.toml").chmod(0o644)
    text = '[outgoing.relay]\nhost = "h"\nuser = "u"\npassword = "hunter2"\n'
    finding = found(home, text=text)["configuration"]
    assert "everybody can read it" in finding.said
    assert "hunter2" not in repr(finding)


def test_a_relay_that_takes_letters_and_one_that_does_not(home: Path) -> None:
    with running(Sink()) as port:
        said = found(home, Parts([], RelayServer("localhost", port, timeout=5), []))
        assert said["relay"].state == "good"
        assert "takes letters, in clear" in said["relay"].said
    said = found(home, Parts([], RelayServer("localhost", port, timeout=5), []))
    assert said["relay"].state == "bad"
    assert "host, port" in said["relay"].mend


@pytest.mark.parametrize(
    ("said", "mend"),
    [
        ("Relay(auth.example.org:5355): [Errno 111] Connection refused", "firewalls"),
        ("[Errno -2] Name or service not known", "firewalls"),
        ("(535, b'5.7.8 Authentication credentials invalid')", "user and password"),
        ("[AUTHENTICATIONFAILED] Invalid credentials", "user and password"),
        ("certificate verify failed: Hostname mismatch", "the server's certificate"),
    ],
)
def test_what_is_to_be_mended_follows_from_what_was_said(said: str, mend: str) -> None:
    assert mend in checking._mend(said, "[outgoing.relay]")


def test_a_mailbox_of_nobody(home: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    mailbox = ImapSettings(host="127.0.0.1", port=port, user="u", password="p", security="none")
    finding = found(home, Parts([mailbox], RelayServer("localhost", 1, timeout=1), []))[
        "mailbox u on 127.0.0.1"
    ]
    assert finding.state == "bad"
    assert "firewalls" in finding.mend


@pytest.mark.dovecot
def test_a_mailbox_that_can_be_read_and_one_with_another_password(home: Path) -> None:
    with dovecot.dovecot() as server:
        right = ImapSettings(
            host="127.0.0.1", port=server.port, user=dovecot.USER, password=dovecot.PASSWORD,
            security="none",
        )  # fmt: skip
        name = f"mailbox {dovecot.USER} on 127.0.0.1"
        relay = RelayServer("localhost", 1, timeout=1)
        finding = found(home, Parts([right], relay, []))[name]
        assert (finding.state, finding.said) == ("good", "can be read; mails waiting there: 0")
        wrong = ImapSettings(
            host="127.0.0.1", port=server.port, user=dovecot.USER, password="no", security="none"
        )
        finding = found(home, Parts([wrong], relay, []))[name]
        assert finding.state == "bad"
        assert "user and password" in finding.mend


def write(home: Path, **settings: str) -> None:
    """Set what stands as a comment in the configuration."""
    path = home / "judge.toml"
    text = path.read_text()
    for key, value in settings.items():
        text = re.sub(rf"^#{key} = .*$", f"{key} = {value}", text, count=1, flags=re.MULTILINE)
    path.write_text(text)


@pytest.mark.parametrize(
    ("servers", "strips", "state"),
    [
        ('["127.0.0.1"]', False, "bad"),
        ('["127.0.0.1"]', True, "good"),
        ('["192.0.2.1"]', False, "good"),
        ("[]", False, "good"),
    ],
)
def test_forged_results_are_tried(home: Path, servers: str, strips: bool, state: str) -> None:
    """By a relay that hands it on to the judge, and removes what it should or does not."""
    write(home, authserv_id='"mx.example.org"', servers=servers)
    with closing(Storage.open(f"sqlite:{home / 'judge.db'}")) as storage:

        def take(raw: bytes, sender: str, recipients: list[str]) -> None:
            if strips:
                raw = raw.replace(b"Authentication-Results", b"X-Old-Results")
            storage.inbound.accept(
                raw, door="smtp", envelope_from=sender, envelope_to=recipients,
                received_at=datetime(2026, 6, 1, tzinfo=UTC),
            )  # fmt: skip

        own = config.load(home / "judge.toml").judge.address
        receiver = SmtpReceiver("127.0.0.1", 0, take, addresses=[own])
        receiver.start()
        try:
            relay = RelayServer("127.0.0.1", receiver.port, timeout=5)
            finding = found(home, Parts([], relay, []))["forged results"]
        finally:
            receiver.stop()
        assert finding.state == state, finding.said
        mail = storage.inbound.find(1)
        assert mail is not None
        assert parse(mail.raw, own=(own,)).kind is MailKind.OWN, "the judge leaves it alone"


def test_forged_results_that_cannot_be_tried_are_said(home: Path) -> None:
    assert "forged results" not in found(home)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    write(home, authserv_id='"mx.example.org"', port=str(port))
    assert "not tried" in found(home)["forged results"].said


def test_a_database_that_is_not_there(home: Path) -> None:
    (home / "judge.db").unlink()
    (home / "judge.db").mkdir()
    assert found(home)["database"].state == "bad"


def test_the_command_says_it_all(home: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking.check, "__defaults__", (lookup(GOOD),))
    told = call("check")
    assert told.exit_code == 0, told.output
    assert "ok      database: " in told.output
    assert "-> " in told.output


@pytest.mark.parametrize(
    ("relay", "said"),
    [
        ("192.0.2.7", "ip4:192.0.2.7"),
        ("2001:db8::7", "ip6:2001:db8::7"),
        ("a.example", "a:a.example"),
    ],
)
def test_a_relay_is_named_as_a_record_names_it(relay: str, said: str) -> None:
    assert spf.term(relay) == said
