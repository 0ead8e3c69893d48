"""What the DNS should say, so that letters are not taken for spam.

SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489), and names of servers that lead back to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.mail.lookup import Lookup, NoAnswer
from judge.mail.signing import Signer, vouches
from judge.ops.check_results import CheckResult, advice, good


def advise(
    domain: str, relay: str | None, signers: Sequence[tuple[str, str, Signer]], lookup: Lookup
) -> Iterator[CheckResult]:
    """What the DNS says about the judge's `domain`, its `relay` (None: letters stay here) and the
    keys letters are signed with: (domain, selector, signer)."""
    try:
        yield _mx(domain, lookup)
        yield _spf(domain, relay, lookup)
        yield from _dkim(domain, signers, lookup)
        yield _dmarc(domain, lookup)
        if relay is not None:
            yield _reverse(relay, lookup)
    except NoAnswer as error:
        yield advice("DNS", f"it cannot be asked: {error}", "look at the network and try again")


def _mx(domain: str, lookup: Lookup) -> CheckResult:
    servers = lookup(domain, "MX")
    if servers:
        return good("DNS MX", f"mail to {domain} goes to {', '.join(servers)}")
    if lookup(domain, "A") or lookup(domain, "AAAA"):
        return good("DNS MX", f"mail to {domain} goes to the machine of that name; it has no MX")
    return advice(
        "DNS MX",
        f"nobody knows where mail to {domain} goes",
        f'add "{domain}. MX 10 NAME-OF-YOUR-MAIL-SERVER."',
    )


def _spf(domain: str, relay: str | None, lookup: Lookup) -> CheckResult:
    found = [text for text in lookup(domain, "TXT") if text.lower().split(" ")[0] == "v=spf1"]
    via = f"a:{relay}" if relay else "mx"
    record = f'"{domain}. TXT \\"v=spf1 {via} -all\\""'
    if not found:
        return advice("DNS SPF", f"{domain} says not who sends its mail", f"add {record}")
    if len(found) > 1:
        return advice("DNS SPF", f"{domain} has {len(found)} SPF records", "leave one of them")
    if not any(word in found[0] for word in ("-all", "~all", "redirect=")):
        said = f'"{found[0]}" lets everybody send'
        return advice("DNS SPF", said, "end it with ~all or -all")
    return good("DNS SPF", f'"{found[0]}"; see that it names the server that sends the letters')


def _dkim(
    domain: str, signers: Sequence[tuple[str, str, Signer]], lookup: Lookup
) -> Iterator[CheckResult]:
    if not signers:
        yield advice(
            "DNS DKIM",
            "the judge signs no letters",
            "let the relay sign them for this domain, or make a key and name it in [dkim]",
        )
    for signing, selector, signer in signers:
        name = f"{selector}._domainkey.{signing}"
        if not lookup(name, "TXT"):
            yield advice(
                "DNS DKIM",
                f"there is no key at {name}",
                f'add "{name}. TXT \\"v=DKIM1; k=...; p=...\\"" (judge.toml says how to make it)',
            )
        elif vouches(signer, lambda asked: next(iter(lookup(asked, "TXT")), None)):
            yield good("DNS DKIM", f"the key at {name} is that of the signatures")
        else:
            yield advice(
                "DNS DKIM",
                f"the key at {name} is another one than the judge signs with",
                "publish the public half of the key file, or name another selector",
            )


def _dmarc(domain: str, lookup: Lookup) -> CheckResult:
    labels = domain.split(".")
    for start in range(len(labels) - 1):
        name = "_dmarc." + ".".join(labels[start:])
        found = [text for text in lookup(name, "TXT") if text.lower().startswith("v=dmarc1")]
        if found:
            return good("DNS DMARC", f'{name}: "{found[0]}"')
    return advice(
        "DNS DMARC",
        f"{domain} says not what to do with forged mail",
        f'add "_dmarc.{domain}. TXT \\"v=DMARC1; p=quarantine\\"", once SPF and DKIM are right',
    )


def _reverse(relay: str, lookup: Lookup) -> CheckResult:
    """Whether the addresses of the relay lead back to a name that leads to them."""
    addresses = [*lookup(relay, "A"), *lookup(relay, "AAAA")]
    if not addresses:
        return advice("DNS reverse", f"{relay} has no address in the DNS", "none, if it is local")
    wrong = [
        address
        for address in addresses
        if not any(
            address in (*lookup(name, "A"), *lookup(name, "AAAA"))
            for name in lookup(address, "PTR")
        )
    ]
    if not wrong:
        return good("DNS reverse", f"the addresses of {relay} lead back to it")
    return advice(
        "DNS reverse",
        f"{', '.join(wrong)} of {relay} leads back to no name that leads to it",
        "have whoever gives you the address set its PTR record",
    )
