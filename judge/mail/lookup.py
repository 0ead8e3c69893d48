"""Questions to the DNS."""

from __future__ import annotations

from collections.abc import Callable

import dns.exception
import dns.resolver
import dns.reversename


class NoAnswer(Exception):
    """The DNS cannot be asked right now; the message says why."""


Lookup = Callable[[str, str], list[str]]
"""What answers them, as `ask`."""


def ask(name: str, kind: str) -> list[str]:
    """Return the records of a kind (TXT, MX, A, AAAA, PTR) at a name, none where there are none, by
    the servers that this machine is configured to ask.

    Of MX the names of the servers, best first; of TXT the whole texts; for PTR `name` is an IP
    address. Raises NoAnswer.
    """
    resolver = dns.resolver.Resolver()
    resolver.lifetime = 5.0
    try:
        place = dns.reversename.from_address(name) if kind == "PTR" else name
        answer = resolver.resolve(place, kind)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError, ValueError) as error:
        raise NoAnswer(f"{name} {kind}: {error}") from error
    if kind == "TXT":
        return [b"".join(each.strings).decode("utf-8", "replace") for each in answer]
    if kind == "MX":
        best = sorted(answer, key=lambda each: each.preference)
        return [str(each.exchange).rstrip(".") for each in best]
    return [str(each).rstrip(".") for each in answer]
