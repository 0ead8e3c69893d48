"""What `judge check` finds, and what it says to do about it."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Mapping
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
from judge.mail.starttls import Encryption
from judge.mail.transport import Maildir, RelayServer
from judge.ops import check as checking
from judge.ops import spf
from judge.ops.check import Parts, check
from judge.ops.dns_advice import advise
from judge.ops.findings import CheckResult
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
    ("mx.example.org", "A"): ["192.0.2.3"],
    ("smtp.example.org", "A"): ["192.0.2.1"],
    ("192.0.2.1", "PTR"): ["smtp.example.org"],
}


def signer() -> list[tuple[str, str, Signer]]:
    return [("example.org", "judge", Signer("example.org", "judge", KEY))]


def advised(records: Records, **changes: object) -> dict[str, CheckResult]:
    signers = changes.get("signers", signer())
    relay = changes.get("relay", "smtp.example.org")
    told = [ip_address(str(each)) for each in changes.get("told", ())]  # type: ignore[attr-defined]
    found = advise("example.org", relay, signers, lookup(records), told)  # type: ignore[arg-type]
    return {finding.subject: finding for finding in found}


def test_a_domain_where_all_is_right() -> None:
    found = advised(GOOD)
    assert {each.state for each in found.values()} == {"good"}
    subjects = {"MX", "SPF", "DKIM", "DMARC", "reverse", "blocklists"}
    assert set(found) == {f"DNS {each}" for each in subjects}


HERE = ("example.org", "TXT")


@pytest.mark.parametrize(
    ("change", "subject", "said", "mend"),
    [
        ({("example.org", "MX"): []}, "DNS MX", "does not say where", "MX 10"),
        ({("example.org", "MX"): [""]}, "DNS MX", "takes no mail", "MX 10"),
        ({("mx.example.org", "A"): []}, "DNS MX", "mx.example.org, which has no a", "an A or AAAA"),
        ({HERE: []}, "DNS SPF", "does not say who", "v=spf1 a:smtp.example.org ~all"),
        ({HERE: ["v=spf1 a:smtp.example.org"]}, "DNS SPF", "refuses nobody", "~all"),
        ({HERE: ["v=spf1 +all"]}, "DNS SPF", "lets everybody send", "~all"),
        ({HERE: ["v=spf1 include:all-all.example"]}, "DNS SPF", "is wrong", "has a record"),
        ({HERE: ["v=spf1 -all"]}, "DNS SPF", "does not let", "put a:smtp.example.org"),
        ({HERE: ["v=spf1 exists:%{i}.example -all"]}, "DNS SPF", "only the receiver", "spf=pass"),
        ({HERE: ["v=spf1" + " a:h.example" * 11 + " -all"]}, "DNS SPF", "is wrong", "ten terms"),
        (
            {HERE: ["v=spf1 ip4:198.51.100.0/24 -all"]},
            "DNS SPF", "does not let smtp.example.org send (192.0.2.1)", "put a:smtp.example.org",
        ),
        ({HERE: ["v=spf1 -all"] * 2}, "DNS SPF", "has 2 SPF", "leave one"),
        ({("judge._domainkey.example.org", "TXT"): []}, "DNS DKIM", "no key at", RECORD.decode()),
        (
            {("judge._domainkey.example.org", "TXT"): [keys.ed25519_pair()[1].decode()]},
            "DNS DKIM", "is another one", RECORD.decode(),
        ),
        ({("judge._domainkey.example.org", "TXT"): ["a", "b"]}, "DNS DKIM", "2 keys", "leave one"),
        ({("_dmarc.example.org", "TXT"): []}, "DNS DMARC", "forged", "v=DMARC1; p=none"),
        ({("_dmarc.example.org", "TXT"): ["v=DMARC1; p=none"] * 2}, "DNS DMARC", "2 rec", "leave"),
        ({("192.0.2.1", "PTR"): []}, "DNS reverse", "leads back to no name", "PTR"),
        ({("192.0.2.1", "PTR"): ["other.example"]}, "DNS reverse", "leads back to no", "PTR"),
        (
            {("1.2.0.192.zen.spamhaus.org", "A"): ["127.0.0.2"],
             ("1.2.0.192.zen.spamhaus.org", "TXT"): ["SBL1"]},
            "DNS blocklists", "192.0.2.1 is listed by zen.spamhaus.org: SBL1", "check.spamhaus.org",
        ),
        (
            {("1.2.0.192.zen.spamhaus.org", "A"): ["127.0.0.10"]},
            "DNS blocklists", "one of homes", "the relay of your provider",
        ),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_with_what_to_add(
    change: Records, subject: str, said: str, mend: str
) -> None:
    advices = [
        each
        for each in advise("example.org", "smtp.example.org", signer(), lookup({**GOOD, **change}))  # type: ignore[arg-type]
        if each.state == "advice"
    ]
    (finding,) = advices
    assert finding.subject == subject
    assert said in finding.said
    assert mend in finding.mend


def test_nothing_that_harms_other_servers_of_the_domain_is_proposed() -> None:
    """-all and p=reject hit each server of the domain that the keeper has not thought of."""
    for relay in ("smtp.example.org", "192.0.2.1", None, "127.0.0.1", "smtp.gmail.com"):
        records = {key: value for key, value in GOOD.items() if key[1] not in ("TXT", "MX")}
        mends = " ".join(each.mend for each in advised(records, relay=relay).values())
        assert "-all" not in mends
        assert "p=reject" not in mends
        assert "p=quarantine" not in mends


@pytest.mark.parametrize("relay", [None, "127.0.0.1", "::1", "localhost", "192.168.1.7"])
def test_where_letters_leave_is_not_guessed_behind_a_relay_nearby(relay: str | None) -> None:
    local = {("localhost", "A"): ["127.0.0.1"], ("example.org", "TXT"): []}
    found = advised({**GOOD, **local}, relay=relay)
    mend = found["DNS SPF"].mend
    assert "Received line" in mend
    assert "judge check --from" in mend
    assert "v=spf1" not in mend
    assert ("DNS sending address" in found) == (relay is not None)
    assert not {"DNS reverse", "DNS blocklists"} & set(found), "of which address?"


def test_an_address_that_the_keeper_tells_is_looked_at() -> None:
    told = {"relay": "127.0.0.1", "told": ["192.0.2.9"]}
    found = advised({**GOOD, HERE: []}, **told)
    assert "v=spf1 ip4:192.0.2.9 ~all" in found["DNS SPF"].mend
    assert found["DNS reverse"].state == "advice"
    assert "192.0.2.9" in advised(GOOD, **told)["DNS SPF"].said
    there = {HERE: ["v=spf1 ip4:192.0.2.8/30 ~all"], ("192.0.2.9", "PTR"): ["mail.example.org"],
             ("mail.example.org", "A"): ["192.0.2.9"]}  # fmt: skip
    found = advised({**GOOD, **there}, **told)
    assert {each.state for each in found.values()} == {"good"}


def test_a_relay_named_by_its_address_has_a_name_that_leads_back() -> None:
    assert advised(GOOD, relay="192.0.2.1")["DNS reverse"].state == "good"


AMAZON = "email-smtp.eu-west-1.amazonaws.com"


def test_what_a_provider_tells_its_customers_to_include_is_proposed_if_it_is_there() -> None:
    none: Records = {HERE: [], ("amazonses.com", "TXT"): ["v=spf1 ip4:192.0.2.64/26 -all"]}
    found = advised({**GOOD, **none}, relay=AMAZON)
    assert "include:amazonses.com ~all" in found["DNS SPF"].mend
    assert "DNS reverse" not in found, "its addresses are its own affair"
    gone = advised({**GOOD, HERE: []}, relay=AMAZON)["DNS SPF"].mend
    assert "include:" not in gone
    assert "v=spf1" not in gone


@pytest.mark.parametrize(
    ("record", "state"),
    [
        ("v=spf1 include:amazonses.com -all", "good"),
        ("v=spf1 include:ours.example -all", "good"),
        ("v=spf1 redirect=ours.example", "good"),
        ("v=spf1 include:amazonses.com.example ~all", "advice"),
        ("v=spf1 -include:amazonses.com ~all", "advice"),
        ("v=spf1 a ~all", "advice"),
    ],
)
def test_a_provider_is_named_by_a_record_or_by_one_that_it_includes(
    record: str, state: str
) -> None:
    known: Records = {
        HERE: [record],
        ("amazonses.com", "TXT"): ["v=spf1 ip4:192.0.2.64/26 -all"],
        ("ours.example", "TXT"): ["v=spf1 include:amazonses.com ~all"],
    }
    assert advised({**GOOD, **known}, relay=AMAZON)["DNS SPF"].state == state


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        ("v=spf1 ip4:192.0.2.0/24 -all", "pass"),
        ("v=spf1 ip4:192.0.2.2 ~all", "softfail"),
        ("v=spf1 ip4:192.0.2.300 ~all", "error"),
        ("v=spf1 a -all", "fail"),
        ("v=spf1 a:smtp.example.org -all", "pass"),
        ("v=spf1 a:smtp.example.org/31 -all", "pass"),
        ("v=spf1 mx -all", "pass"),
        ("v=spf1 include:other.example -all", "pass"),
        ("v=spf1 include:none.example -all", "error"),
        ("v=spf1 -ip4:192.0.2.1 +all", "fail"),
        ("v=spf1 redirect=other.example", "pass"),
        ("v=spf1 redirect=none.example", "error"),
        ("v=spf1 exp=why.example ip6:2001:db8::/32 ?all", "neutral"),
        ("v=spf1 exists:%{i}.example -all", "unknown"),
        ("v=spf1 exists:smtp.example.org -all", "pass"),
        ("v=spf1 ptr -all", "unknown"),
        ("v=spf1 mail:example -all", "error"),
        ("v=spf1 include:example.org -all", "error"),
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


@pytest.mark.parametrize(
    ("policy", "name", "state"),
    [
        ("v=DMARC1; p=reject", "_dmarc.example.org", "advice"),
        ("v=DMARC1; p=none", "_dmarc.example.org", "good"),
        ("v=DMARC1; p=none; sp=reject", "_dmarc.example.org", "good"),
        ("v=DMARC1; p=none; sp=reject", "_dmarc.org", "good"),
    ],
)
def test_what_forged_mail_meets_must_not_meet_letters(policy: str, name: str, state: str) -> None:
    unproven: Records = {HERE: ["v=spf1 -all"], ("_dmarc.example.org", "TXT"): []}
    found = advised({**GOOD, **unproven, (name, "TXT"): [policy]}, signers=[])["DNS DMARC"]
    if name == "_dmarc.example.org":
        assert found.state == state
    signed = advised({**GOOD, **unproven, ("_dmarc.example.org", "TXT"): [policy]})["DNS DMARC"]
    assert signed.state == "good", "the signature proves letters"


def test_signatures_of_another_domain_prove_nothing() -> None:
    there = {**GOOD, ("judge._domainkey.other.example", "TXT"): [RECORD.decode()]}
    found = advised(
        there, signers=[("other.example", "judge", Signer("other.example", "judge", KEY))]
    )
    assert "say nothing of messages" in found["DNS DKIM"].said


@pytest.mark.parametrize("make", [keys.key_pair, keys.ed25519_pair])
def test_the_record_of_a_key_is_that_of_its_public_half(
    make: Callable[[], tuple[bytes, bytes]],
) -> None:
    private, record = make()
    assert Signer("example.org", "judge", private).published == record.decode()


def test_a_list_that_does_not_answer_is_no_listing() -> None:
    """Spamhaus answers so to anybody who asks by a public server."""
    silent: Records = {("1.2.0.192.zen.spamhaus.org", "A"): ["127.255.255.254"]}
    results = advise("example.org", "smtp.example.org", signer(), lookup({**GOOD, **silent}))  # type: ignore[arg-type]
    told = [each for each in results if each.subject == "DNS blocklists"]
    assert {each.state for each in told} == {"good"}
    assert any("zen.spamhaus.org does not answer" in each.said for each in told)


def test_letters_without_signatures_are_noticed() -> None:
    assert advised(GOOD, signers=[])["DNS DKIM"].state == "advice"


def test_a_dns_that_cannot_be_asked_is_said_once() -> None:
    def silent(name: str, kind: str) -> list[str]:
        raise NoAnswer("timed out")

    (finding,) = advise("example.org", "smtp.example.org", signer(), silent)
    assert "timed out" in finding.said


def test_a_question_without_an_answer_leaves_the_others() -> None:
    def partly(name: str, kind: str) -> list[str]:
        if name.startswith("_dmarc"):
            raise NoAnswer("SERVFAIL")
        return list(GOOD.get((name, kind), []))

    found = list(advise("example.org", "smtp.example.org", signer(), partly))
    assert {"DNS SPF", "DNS reverse", "DNS"} <= {each.subject for each in found}
    assert [each.subject for each in found if each.state != "good"] == ["DNS"]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ('[smtp]\nhost = "0.0.0.0"\n', "advice"),
        ('[smtp]\nhost = "0.0.0.0"\ncertificate_file = "judge.toml"\n', "advice"),
        ('[smtp]\nhost = "0.0.0.0"\nlmtp = true\n', None),
        ('[smtp]\nhost = "172.30.37.2"\n', None),
        ('[smtp]\nhost = "2001:4860::1"\n', "advice"),
        ("", None),
    ],
)
def test_mail_that_comes_in_in_clear_is_noticed(home: Path, text: str, state: str | None) -> None:
    path = home / "judge.toml"
    path.write_text(path.read_text().replace("[smtp]\n", "") if text else path.read_text())
    result = found(home, text=text).get("TLS")
    assert (result and result.state) == state


def found(home: Path, parts: Parts | None = None, text: str = "") -> dict[str, CheckResult]:
    path = home / "judge.toml"
    path.write_text(path.read_text() + text)
    loaded = config.load(path)
    relay = parts.relay if parts else None
    maildir = Maildir(loaded.outgoing.maildir)
    keys = parts.signers if parts else {}
    parts = Parts(parts.mailboxes if parts else [], relay or maildir, keys)
    everything = check(loaded, path, parts, lookup(GOOD), probe=None)  # type: ignore[arg-type]
    return {finding.subject: finding for finding in everything}


def test_a_fresh_judge_can_run(home: Path) -> None:
    said = found(home)
    assert "bad" not in {each.state for each in said.values()}
    assert said["database"].state == "good"
    assert "keeper" in said["configuration"].mend
    assert "outgoing.relay" in said["letters"].mend


def test_the_domain_of_each_house_is_looked_at_once(home: Path) -> None:
    houses = "".join(
        f'\n[[houses]]\nkey = "{key}"\naddress = "{key}@{domain}"\n'
        for key, domain in (("near", "example.org"), ("far", "far.example"), ("too", "far.example"))
    )
    parts = Parts([], RelayServer("smtp.example.org", 25, timeout=1), {"": signer()})
    said = found(home, parts, houses)
    assert {each for each in said if "(" in each} == {
        f"DNS {each} (far)" for each in ("MX", "SPF", "DKIM", "DMARC")
    }
    assert "far.example" in said["DNS MX (far)"].said
    assert said["DNS DKIM"].state == "good"
    assert said["DNS DKIM (far)"].state == "advice"


def test_a_password_that_everybody_can_read_is_noticed(home: Path) -> None:
    (home / "judge.toml").chmod(0o644)
    text = '[outgoing.relay]\nhost = "h"\nuser = "u"\npassword = "hunter2"\n'
    finding = found(home, text=text)["configuration"]
    assert "everybody can read it" in finding.said
    assert "hunter2" not in repr(finding)


def test_a_relay_that_takes_letters_and_one_that_does_not(home: Path) -> None:
    with running(Sink()) as port:
        said = found(home, Parts([], RelayServer("localhost", port, timeout=5), {}))
        assert said["relay"].state == "good"
        assert "takes letters, in clear" in said["relay"].said
    said = found(home, Parts([], RelayServer("localhost", port, timeout=5), {}))
    assert said["relay"].state == "bad"
    assert "host, port" in said["relay"].mend


@pytest.mark.parametrize(
    ("host", "state"),
    [("relay.example", "advice"), ("9.9.9.9", "advice"), ("172.30.37.3", "good"), ("::1", "good")],
)
def test_letters_that_leave_in_clear_are_noticed(home: Path, host: str, state: str) -> None:
    text = f'[outgoing.relay]\nhost = "{host}"\nport = 25\nsecurity = "none"\n'
    with running(Sink()) as port:
        relay = found(home, Parts([], RelayServer("localhost", port, timeout=5), {}), text)["relay"]
    assert (relay.state, relay.said.count("in clear")) == (state, 1)


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
    finding = found(home, Parts([mailbox], RelayServer("localhost", 1, timeout=1), {}))[
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
        finding = found(home, Parts([right], relay, {}))[name]
        assert (finding.state, finding.said) == ("good", "can be read; mails waiting there: 0")
        wrong = ImapSettings(
            host="127.0.0.1", port=server.port, user=dovecot.USER, password="no", security="none"
        )
        finding = found(home, Parts([wrong], relay, {}))[name]
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
            finding = found(home, Parts([], relay, {}))["forged results"]
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
    def try_it(server: str) -> Encryption:
        return Encryption("encrypted", "TLSv1.3")

    monkeypatch.setattr(checking.check, "__defaults__", (lookup(GOOD), (), try_it))
    told = call("check", "--from", "192.0.2.1")
    assert told.exit_code == 0, told.output
    assert "ok      database: " in told.output
    assert "-> " in told.output
    assert "MX STARTTLS: mx.example.org encrypts" in told.output
    assert "DNS reverse: names lead to 192.0.2.1" in told.output
    assert "an IP address" in call("check", "--from", "here").output


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
