"""Whether a domain lets a server send its mail (SPF, RFC 7208), and what to write if it does not.

Nothing is proposed but what was looked up: a record that names the wrong server makes receivers
refuse all mail of the domain, that of its other servers, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, Literal

from judge.mail.lookup import Lookup

Address = IPv4Address | IPv6Address
Verdict = Literal["pass", "fail", "softfail", "neutral", "none", "unknown", "error"]

_QUALIFIERS: Final[dict[str, Verdict]] = {
    "+": "pass",
    "-": "fail",
    "~": "softfail",
    "?": "neutral",
}

_MOST_LOOKUPS: Final = 10
"""Terms that ask the DNS; with more a record is an error (RFC 7208, 4.6.4)."""

PROVIDERS: Final = {
    "gmail.com": "_spf.google.com",
    "google.com": "_spf.google.com",
    "outlook.com": "spf.protection.outlook.com",
    "office365.com": "spf.protection.outlook.com",
    "amazonaws.com": "amazonses.com",
    "sendgrid.net": "sendgrid.net",
    "mailgun.org": "mailgun.org",
    "mailjet.com": "spf.mailjet.com",
    "postmarkapp.com": "spf.mtasv.net",
    "brevo.com": "spf.brevo.com",
    "fastmail.com": "spf.messagingengine.com",
    "messagingengine.com": "spf.messagingengine.com",
    "migadu.com": "spf.migadu.com",
    "zoho.com": "zohomail.com",
    "ovh.net": "mx.ovh.com",
    "gandi.net": "_mailcust.gandi.net",
}
"""What relays of providers tell their customers to include, by the end of the relay's name."""


def records(domain: str, lookup: Lookup) -> list[str]:
    """Return the SPF records of a domain; more than one are as good as none."""
    return [text for text in lookup(domain, "TXT") if text.lower().split(" ")[0] == "v=spf1"]


def term(relay: str | None) -> str:
    """Return what a record says to let a relay pass, by its name or its address."""
    try:
        found = ip_address((relay or "").strip("[]"))
    except ValueError:
        return f"a:{relay}"
    return f"ip{found.version}:{found}"


def outward(relay: str | None, lookup: Lookup) -> list[Address]:
    """Return the public addresses of a relay, by its name or address.

    Empty where letters leave by this machine or one of its network: from which address then, only
    a letter that was received elsewhere tells.
    """
    if relay is None:
        return []
    try:
        found = [ip_address(relay)]
    except ValueError:
        found = [ip_address(each) for kind in ("A", "AAAA") for each in lookup(relay, kind)]
    return [each for each in found if not (each.is_loopback or each.is_unspecified or _near(each))]


def _near(address: Address) -> bool:
    """Return whether an address is one of a local network; those of documentation are none (RFC
    5737)."""
    return any(
        address in ip_network(each)
        for each in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7")
        if ip_network(each).version == address.version
    )


def include_of(relay: str | None) -> str | None:
    """Return what the provider of a relay tells its customers to include, None for others."""
    ends = (end for end in PROVIDERS if relay and f".{relay.lower()}".endswith(f".{end}"))
    return next((PROVIDERS[end] for end in ends), None)


def verdict(domain: str, address: Address, lookup: Lookup) -> Verdict:
    """Return what the record of a domain says of mail from an address (RFC 7208, 2.6).

    "error" where the record is wrong, "unknown" where it asks for what only a receiver knows
    (macros), or for names that need not be asked any more (ptr).
    """
    return _Check(address, lookup).of(domain)


def ends(record: str) -> Verdict:
    """Return what a record says of everybody it does not name; "none" for nothing, "unknown" where
    another record says it."""
    for each in reversed(record.lower().split()[1:]):
        if each.lstrip("+-~?") == "all":
            return _QUALIFIERS.get(each[0], "pass")
        if each.startswith("redirect="):
            return "unknown"
    return "none"


def names_nobody(record: str) -> bool:
    """Return whether a record is that of a domain that sends no mail."""
    return [each.lower() for each in record.split()[1:]] == ["-all"]


def includes(domain: str, wanted: str, lookup: Lookup, *, depth: int = 3) -> bool:
    """Return whether the record of a domain lets pass all that the record of `wanted` does, by
    itself or by records it includes."""
    named = [
        term.lower().lstrip("+").removeprefix("include:").removeprefix("redirect=")
        for record in records(domain, lookup)
        for term in record.split()[1:]
        if term.lower().lstrip("+").startswith(("include:", "redirect="))
    ]
    if wanted.lower() in named:
        return True
    return depth > 0 and any(includes(each, wanted, lookup, depth=depth - 1) for each in named)


class _Check:
    def __init__(self, address: Address, lookup: Lookup) -> None:
        self._address, self._lookup, self._left = address, lookup, _MOST_LOOKUPS

    def of(self, domain: str) -> Verdict:
        found = records(domain, self._lookup)
        if len(found) != 1:
            return "error" if found else "none"
        redirect = ""
        for term in found[0].split()[1:]:
            name, _, value = term.partition("=")
            if name.lower() == "redirect":
                redirect = value
                continue
            if "=" in term.partition(":")[0]:
                continue
            qualifier = term[0] if term[0] in _QUALIFIERS else "+"
            matched = self._matches(term.lstrip("+-~?"), domain)
            if isinstance(matched, str):
                return matched
            if matched:
                return _QUALIFIERS[qualifier]
        if redirect:
            said = self.of(redirect) if self._may_ask() else "error"
            return "error" if said == "none" else said
        return "neutral"

    def _may_ask(self) -> bool:
        self._left -= 1
        return self._left >= 0

    def _matches(self, term: str, domain: str) -> bool | Verdict:
        """Return whether a term is about the address, or why that cannot be told."""
        head, _, length = term.partition("/")
        kind, _, value = head.partition(":")
        kind = kind.lower()
        if kind == "ip6":
            value = term.partition(":")[2]
        if kind == "all":
            return True
        if kind in ("ip4", "ip6"):
            return self._within([f"{value}/{length}" if length and kind == "ip4" else value])
        if kind not in ("a", "mx", "include", "exists", "ptr") or not self._may_ask():
            return "error"
        if "%" in term or kind == "ptr":
            return "unknown"
        if kind == "exists":
            return bool(self._lookup(value, "A"))
        if kind == "include":
            included = self.of(value)
            if included in ("error", "unknown"):
                return included
            return "error" if included == "none" else included == "pass"
        hosts = [value or domain] if kind == "a" else self._lookup(value or domain, "MX")
        return self._within(list(self._addresses(hosts, length)))

    def _addresses(self, hosts: Sequence[str], length: str) -> Iterator[str]:
        version = self._address.version
        bits = length.partition("/")[0] if version == 4 else length.rpartition("/")[2]
        if version == 6 and "/" not in length:
            bits = ""
        for host in hosts:
            for each in self._lookup(host, "A" if version == 4 else "AAAA"):
                yield f"{each}/{bits}" if bits else each

    def _within(self, networks: Sequence[str]) -> bool | Verdict:
        try:
            found = [ip_network(each, strict=False) for each in networks]
        except ValueError:
            return "error"
        return any(self._address in each for each in found if each.version == self._address.version)
