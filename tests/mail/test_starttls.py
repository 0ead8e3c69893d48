"""What a mail server offers to who brings it letters, and the reason where that is nothing."""

from __future__ import annotations

import socket
import ssl

import pytest
import trustme

from judge.mail.starttls import Encryption, try_starttls
from judge.ops.dns_advice import advise
from judge.ops.findings import CheckResult
from tests.mail.test_transport import Sink, running


def test_a_server_that_encrypts_and_proves_who_it_is(
    server_tls: ssl.SSLContext, client_tls: ssl.SSLContext
) -> None:
    with running(Sink(), tls_context=server_tls) as port:
        offer = try_starttls("localhost", port, client_tls)
    assert offer == Encryption("encrypted", offer.said)
    assert offer.said.startswith("TLSv1.")


def test_a_certificate_of_nobody_known_or_for_another_name_is_told(
    server_tls: ssl.SSLContext, authority: trustme.CA, client_tls: ssl.SSLContext
) -> None:
    with running(Sink(), tls_context=server_tls) as port:
        offer = try_starttls("localhost", port)
    assert offer.found == "doubtful"
    assert "issuer" in offer.said or "self-signed" in offer.said
    other = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("elsewhere.example").configure_cert(other)
    with running(Sink(), tls_context=other) as port:
        offer = try_starttls("localhost", port, client_tls)
    assert offer.found == "doubtful"
    assert "localhost" in offer.said


def test_a_server_without_it_and_one_that_is_not_there() -> None:
    with running(Sink()) as port:
        offer = try_starttls("localhost", port)
    assert offer == Encryption("clear", "it does not offer STARTTLS")
    with socket.socket() as held:
        held.bind(("localhost", 0))
        offer = try_starttls("localhost", held.getsockname()[1])
    assert offer.found == "unreachable"
    assert "refused" in offer.said


@pytest.mark.parametrize(
    ("offer", "state", "said"),
    [
        (Encryption("encrypted", "TLSv1.3"), "good", "TLSv1.3"),
        (Encryption("unreachable", "timed out"), "good", "not tried: port 25 of mx.example.org"),
        (Encryption("doubtful", "certificate has expired"), "advice", "certificate has expired"),
        (Encryption("clear", "it does not offer STARTTLS"), "advice", "in clear"),
    ],
)
def test_the_server_that_is_asked_first_is_tried(offer: Encryption, state: str, said: str) -> None:
    records = {
        ("example.org", "MX"): ["mx.example.org", "second.example.org"],
        ("mx.example.org", "A"): ["192.0.2.3"],
        ("second.example.org", "A"): ["192.0.2.4"],
    }
    tried: list[str] = []

    def probe(name: str) -> Encryption:
        tried.append(name)
        return offer

    found = advise("example.org", None, [], lambda *asked: records.get(asked, []), probe=probe)
    result, *others = [each for each in found if each.subject == "MX STARTTLS"]
    assert isinstance(result, CheckResult)
    assert tried[0] == "mx.example.org"
    assert len(others) == len(tried) - 1 == (offer.found == "unreachable")
    assert result.state == state
    assert said in result.said
    assert offer.said in result.said
    assert bool(result.mend) == (state == "advice")


def test_the_next_server_is_tried_where_the_first_cannot_be_reached() -> None:
    names = ["mx.example.org", "second.example.org", "third.example.org"]
    records = {("example.org", "MX"): names} | {(name, "A"): ["192.0.2.3"] for name in names}
    offers = iter([Encryption("unreachable", "timed out"), Encryption("clear", "no STARTTLS")])
    found = advise(
        "example.org", None, [], lambda *asked: records.get(asked, []), probe=lambda _: next(offers)
    )
    said = [(each.state, each.said) for each in found if each.subject == "MX STARTTLS"]
    assert [state for state, _ in said] == ["good", "advice"]
    assert "mx.example.org" in said[0][1]
    assert "second.example.org gets mail in clear" in said[1][1]
