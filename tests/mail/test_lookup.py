"""Questions to the DNS, put to a server of our own, and what `judge check` says of its answers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.resolver
import dns.reversename
import dns.rrset
import pytest

from judge.mail.lookup import NoAnswer, ask
from judge.ops.dns_advice import advise
from tests.ops.test_check import GOOD, RECORD, signer

Zone = Mapping[tuple[str, str], Sequence[str]]
BROKEN = "broken.example"
"""A name of which the server says that it failed."""


def zone_of(records: Zone) -> dict[tuple[str, str], list[str]]:
    """The records as they stand in a zone."""
    found: dict[tuple[str, str], list[str]] = {}
    for (name, kind), values in records.items():
        place = name
        if kind == "PTR":
            place = str(dns.reversename.from_address(name)).rstrip(".")
        for number, value in enumerate(values, 1):
            pieces = [value[at : at + 200] for at in range(0, len(value), 200)]
            written = {
                "TXT": " ".join(f'"{each}"' for each in pieces),
                # The best stands last.
                "MX": f"{len(values) - number} {value}.",
                "PTR": f"{value}.",
            }.get(kind, value)
            found.setdefault((place, kind), []).append(written)
    return found


class Server:
    """A DNS server with one zone, over UDP and TCP: what does not fit is asked for again."""

    def __init__(self, records: Zone) -> None:
        self.zone = zone_of(records)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.port: int = self.udp.getsockname()[1]
        self.tcp = socket.create_server(("127.0.0.1", self.port))
        self.threads = [threading.Thread(target=each) for each in (self._packets, self._streams)]
        for thread in self.threads:
            thread.start()

    def close(self) -> None:
        """End both threads, each of which takes a packet of nothing for the end."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as last:
            last.sendto(b"", ("127.0.0.1", self.port))
        socket.create_connection(("127.0.0.1", self.port)).close()
        for each in self.threads:
            each.join()
        self.udp.close()
        self.tcp.close()

    def _answer(self, asked: bytes) -> dns.message.Message:
        question = dns.message.from_wire(asked)
        answer = dns.message.make_response(question)
        name = question.question[0].name
        place = str(name).rstrip(".").lower()
        kind = dns.rdatatype.to_text(question.question[0].rdtype)
        if place.endswith(BROKEN):
            answer.set_rcode(dns.rcode.SERVFAIL)
        elif (place, kind) in self.zone:
            answer.answer.append(dns.rrset.from_text(name, 60, "IN", kind, *self.zone[place, kind]))
        elif not any(place == known for known, _ in self.zone):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer

    def _packets(self) -> None:
        while True:
            asked, whom = self.udp.recvfrom(4096)
            if not asked:
                return
            said = self._answer(asked)
            if len(said.to_wire()) > 512:
                said.answer.clear()
                said.flags |= dns.flags.TC
            self.udp.sendto(said.to_wire(), whom)

    def _streams(self) -> None:
        while True:
            client, _ = self.tcp.accept()
            with client:
                asked = client.recv(4096)[2:]
                if not asked:
                    return
                said = self._answer(asked).to_wire()
                client.sendall(len(said).to_bytes(2, "big") + said)


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[tuple[str, str], list[str]]]:
    """What the server has that this machine asks; a test may change it."""
    made = Server(GOOD)
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers, resolver.port = ["127.0.0.1"], made.port
    monkeypatch.setattr(dns.resolver, "Resolver", lambda: resolver)
    yield made.zone
    made.close()


@pytest.mark.usefixtures("zone")
def test_records_come_as_they_are_asked_for() -> None:
    assert sorted(ask("example.org", "TXT")) == sorted(GOOD["example.org", "TXT"])
    assert len(RECORD) > 255, "more than one string of a record"
    assert ask("judge._domainkey.example.org", "TXT") == [RECORD.decode()]
    assert ask("smtp.example.org", "A") == ["192.0.2.1"]
    assert ask("192.0.2.1", "PTR") == ["smtp.example.org"]
    for name, kind in (("example.org", "AAAA"), ("nothing.example", "A"), ("192.0.2.9", "PTR")):
        assert ask(name, kind) == []
    for name in (f"x.{BROKEN}", "a..example", "x" * 70 + ".example"):
        with pytest.raises(NoAnswer, match="TXT"):
            ask(name, "TXT")


def test_the_best_mail_server_is_first(zone: dict[tuple[str, str], list[str]]) -> None:
    zone.update(zone_of({("two.example", "MX"): ["b.example", "a.example"]}))
    assert ask("two.example", "MX") == ["a.example", "b.example"]
    zone["none.example", "MX"] = ["0 ."]
    assert ask("none.example", "MX") == [""], "a null MX (RFC 7505)"


def test_each_advice_follows_from_what_a_server_says(
    zone: dict[tuple[str, str], list[str]],
) -> None:
    def said() -> dict[str, str]:
        found = advise("example.org", "smtp.example.org", signer(), ask)
        return {each.subject: each.mend for each in found if each.state != "good"}

    assert said() == {}
    zone["1.2.0.192.zen.spamhaus.org", "A"] = ["127.0.0.2"]
    zone["1.2.0.192.zen.spamhaus.org", "TXT"] = ['"SBL1"']
    for name, kind in list(zone):
        if kind in ("MX", "TXT", "PTR") and not name.endswith("spamhaus.org"):
            del zone[name, kind]
    subjects = ("MX", "SPF", "DKIM", "DMARC", "reverse", "blocklists")
    found = said()
    assert found.keys() == {f"DNS {each}" for each in subjects}
    assert "-all" not in " ".join(found.values())
    assert RECORD.decode() in found["DNS DKIM"]
