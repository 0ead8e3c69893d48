"""What the DNS says about a judge's letters, and what to add so that they are not taken for spam.

SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 7489), names that lead back to the sending address, and
lists of addresses that send spam. Only what was looked up is proposed, and nothing that would harm
other servers of the domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from ipaddress import ip_address
from typing import Final

from msgspec import Struct

from judge.mail.dkim_signing import Signer, vouches
from judge.mail.lookup import Lookup, NoAnswer
from judge.mail.starttls import Encryption, Probe
from judge.ops import spf
from judge.ops.findings import CheckResult, advice, good
from judge.ops.spf import Address

LISTS: Final = {
    "zen.spamhaus.org": "https://check.spamhaus.org",
    "bl.spamcop.net": "https://www.spamcop.net/bl.shtml",
}
"""Lists of addresses that send spam, and where each tells why and takes an address off."""

_NO_ANSWER: Final = "127.255.255."
"""What a list answers those whose questions it does not take (Spamhaus, return codes)."""

_OF_HOMES: Final = ("127.0.0.10", "127.0.0.11")
"""What Spamhaus says of networks that should hand their mail to a relay."""

_FIND_OUT: Final = (
    "send a message to a mailbox elsewhere; its topmost Received line names the address, and "
    "`judge check --from ADDRESS` looks at it"
)

_SILENT: Final = 3
"""Questions without an answer after which no more are asked."""


class Way(Struct, frozen=True, dict=True):
    """How letters leave: by `relay` (None: they stay here), from the addresses of `told` if the
    keeper has told any."""

    relay: str | None
    lookup: Lookup
    told: Sequence[Address] = ()

    @cached_property
    def addresses(self) -> Sequence[Address]:
        """Where they leave from, as far as that is known.

        That is not the address of a provider's relay: it has others for the way out.
        """
        if self.told or self.include:
            return self.told
        return spf.outward(self.relay, self.lookup)

    @cached_property
    def include(self) -> str | None:
        """What the relay's provider tells customers to include, if that is a record."""
        named = spf.include_of(self.relay)
        return named if named and spf.records(named, self.lookup) else None

    @property
    def term(self) -> str:
        """What a record says to let them pass."""
        if self.include:
            return f"include:{self.include}"
        return " ".join(map(spf.term, map(str, self.told))) if self.told else spf.term(self.relay)

    @property
    def name(self) -> str:
        """What the keeper calls it."""
        return ", ".join(map(str, self.told)) if self.told else str(self.relay)


def advise(
    domain: str,
    relay: str | None,
    signers: Sequence[tuple[str, str, Signer]],
    lookup: Lookup,
    told: Sequence[Address] = (),
    probe: Probe | None = None,
    *,
    way_out: bool = True,
) -> Iterator[CheckResult]:
    """Yield what the DNS says about the judge's `domain`, its `relay` (None: letters stay here),
    the addresses that the keeper has `told` letters leave from, and the keys letters are signed
    with: (domain, selector, signer). `probe` tries the servers that take the domain's mail; without
    one they are left alone. What is true of all letters that leave by one way is said with
    `way_out`."""
    way = Way(relay, lookup, told)
    proven: list[bool] = []

    def prove(results: Iterator[CheckResult]) -> Iterator[CheckResult]:
        for each in results:
            proven.append(each.state == "good")
            yield each

    steps: list[Callable[[], Iterator[CheckResult]]] = [
        lambda: _mx(domain, lookup, probe),
        lambda: prove(_spf(domain, way)),
        lambda: prove(_dkim(domain, signers, lookup)),
        lambda: _dmarc(domain, lookup, any(proven)),
    ]
    if way_out:
        steps += [lambda: _sending(way), lambda: _reverse(way), lambda: _listed(way)]
    silent: list[str] = []
    for step in steps:
        if len(silent) < _SILENT:
            try:
                yield from step()
            except NoAnswer as error:
                silent.append(str(error))
    if silent:
        said = f"it cannot be asked: {'; '.join(dict.fromkeys(silent))}"
        yield advice("DNS", said, "look at the network and try again")


def _mx(domain: str, lookup: Lookup, probe: Probe | None) -> Iterator[CheckResult]:
    add = f'add "{domain}. MX 10 NAME-OF-YOUR-MAIL-SERVER."'
    servers = lookup(domain, "MX")
    if servers == [""]:
        # RFC 7505
        yield advice("DNS MX", f"{domain} says that it takes no mail (a null MX)", add)
        return
    lost = [each for each in servers if not _addresses(each, lookup)]
    if lost:
        said = f"mail to {domain} goes to {', '.join(lost)}, which has no address"
        yield advice("DNS MX", said, "give it an A or AAAA record, or name another server")
    elif servers:
        yield good("DNS MX", f"mail to {domain} goes to {', '.join(servers)}")
        if probe is not None:
            yield from _tried(servers, probe)
    elif _addresses(domain, lookup):
        said = f"mail to {domain} goes to the machine of that name; it has no MX"
        yield good("DNS MX", said)
    else:
        yield advice("DNS MX", f"{domain} does not say where its mail goes", add)


def _tried(servers: Sequence[str], probe: Probe) -> Iterator[CheckResult]:
    """Yield whether mail is encrypted on its way to the server that gets it: the first that can be
    reached, as anyone who brings mail goes to the next one only where they reach none before it."""
    for server in servers:
        offer = probe(server)
        yield _encrypted(server, offer)
        if offer.found != "unreachable":
            return


def _encrypted(server: str, offer: Encryption) -> CheckResult:
    """Return whether a server encrypts, by what it offers."""
    match offer.found:
        case "encrypted":
            return good("MX STARTTLS", f"{server} encrypts what it is brought, by {offer.said}")
        case "unreachable":
            # Many networks let nobody out to port 25, which says nothing of the server.
            said = f"not tried: port 25 of {server} cannot be reached from here: {offer.said}"
            return good("MX STARTTLS", said)
        case "doubtful":
            said = f"{server} encrypts, but its certificate proves nothing: {offer.said}"
            return advice("MX STARTTLS", said, f"give it a certificate for {server}")
        case "clear":
            said = f"{server} gets mail in clear, for all to read: {offer.said}"
            mend = "give it a certificate; the judge's own receiver has [smtp] certificate_file"
            return advice("MX STARTTLS", said, mend)


def _addresses(name: str, lookup: Lookup) -> list[Address]:
    return [ip_address(each) for kind in ("A", "AAAA") for each in lookup(name, kind)]


def _spf(domain: str, way: Way) -> Iterator[CheckResult]:
    found = spf.records(domain, way.lookup)
    known = bool(way.addresses or way.include)
    if len(found) > 1:
        yield advice("DNS SPF", f"{domain} has {len(found)} SPF records", "leave one of them")
    elif not found and known:
        said = f"{domain} does not say who sends its mail"
        mend = (
            f'add "{domain}. TXT \\"v=spf1 {way.term} ~all\\"", with a term for each other server '
            f"that sends for the domain, if messages leave by {way.name}"
        )
        yield advice("DNS SPF", said, mend)
    elif not found:
        mend = f"add one that lets the address pass that messages leave from; {_FIND_OUT}"
        yield advice("DNS SPF", f"{domain} does not say who sends its mail", mend)
    else:
        yield _spf_record(domain, found[0], way)


def _spf_record(domain: str, record: str, way: Way) -> CheckResult:
    """Return what the only record of a domain says of the way out."""
    put = f"put {way.term} into it before its end, if messages leave by {way.name}"
    passes = "lets everybody send" if spf.ends(record) == "pass" else ""
    if way.told or not way.include:
        said = {each: spf.verdict(domain, each, way.lookup) for each in way.addresses}
        if "error" in said.values():
            return advice(
                "DNS SPF", f'"{record}" is wrong, so that no server can rely on it',
                "see that each name in it has a record, each term is spelled right, and no more "
                "than ten terms ask the DNS (RFC 7208, 4.6.4)",
            )  # fmt: skip
        refused = [str(each) for each, verdict in said.items() if verdict not in _TOLD]
        if refused and not passes:
            said_so = f'"{record}" does not let {way.name} send ({", ".join(refused)})'
            return advice("DNS SPF", said_so, put)
        if "unknown" in said.values():
            return advice(
                "DNS SPF", f'"{record}" asks for what only the receiver of a letter knows',
                "send a message to a mailbox elsewhere and look there for spf=pass",
            )  # fmt: skip
        passed = f"lets {way.name} send"
    elif spf.includes(domain, way.include, way.lookup):
        passed = f"names the provider of {way.relay}"
    else:
        return advice("DNS SPF", f'"{record}" does not name the provider of {way.relay}', put)
    if spf.names_nobody(record):
        return advice("DNS SPF", f'"{record}" lets nobody send', f"let messages pass; {_FIND_OUT}")
    if spf.ends(record) in ("none", "pass"):
        return advice("DNS SPF", f'"{record}" {passes or "refuses nobody"}', "end it with ~all")
    if not (way.addresses or way.include):
        return good("DNS SPF", f'"{record}"; see that it names the address letters leave from')
    return good("DNS SPF", f'"{record}" {passed}')


_TOLD: Final = ("pass", "unknown")


def _dkim(
    domain: str, signers: Sequence[tuple[str, str, Signer]], lookup: Lookup
) -> Iterator[CheckResult]:
    if not signers:
        yield advice(
            "DNS DKIM", "the judge signs no messages",
            "let the relay sign them for this domain, or make a key and name it in [dkim]",
        )  # fmt: skip
    for signing, selector, signer in signers:
        name = f"{selector}._domainkey.{signing}"
        there = lookup(name, "TXT")
        if not there:
            mend = f'add "{name}. TXT \\"{signer.published}\\""'
            yield advice("DNS DKIM", f"there is no key at {name}", mend)
        elif len(there) > 1:
            yield advice("DNS DKIM", f"there are {len(there)} keys at {name}", "leave one of them")
        elif not vouches(signer, lambda asked: next(iter(lookup(asked, "TXT")), None)):
            yield advice(
                "DNS DKIM", f"the key at {name} is another one than the judge signs with",
                f'publish "{signer.published}" there, or name another selector',
            )  # fmt: skip
        elif not _of_one_organization(signing, domain):
            # RFC 7489, 3.1.1
            yield advice(
                "DNS DKIM", f"signatures of {signing} say nothing of messages from {domain}",
                f"sign for {domain}",
            )  # fmt: skip
        else:
            yield good("DNS DKIM", f"the key at {name} is that of the signatures")


def _of_one_organization(one: str, other: str) -> bool:
    """Return whether one of two domains is the other or above it."""
    shorter, longer = sorted((f".{one.lower()}", f".{other.lower()}"), key=len)
    return longer.endswith(shorter)


def _dmarc(domain: str, lookup: Lookup, proven: bool) -> Iterator[CheckResult]:
    """`proven`: whether receivers can see by SPF or DKIM that letters are the domain's."""
    labels = domain.split(".")
    for start in range(len(labels) - 1):
        name = "_dmarc." + ".".join(labels[start:])
        found = [text for text in lookup(name, "TXT") if text.lower().startswith("v=dmarc1")]
        if len(found) > 1:
            # RFC 7489, 6.6.3
            said = f"{name} has {len(found)} records, which are as good as none"
            yield advice("DNS DMARC", said, "leave one of them")
            return
        if found and (policy := _policy(found[0], below=start > 0)) != "none" and not proven:
            yield advice(
                "DNS DMARC", f'{name}: "{found[0]}" has receivers {policy} letters that neither '
                "SPF nor DKIM proves, and nothing here proves them",
                "mend SPF or DKIM first, unless your relay signs messages for this domain",
            )  # fmt: skip
            return
        if found:
            yield good("DNS DMARC", f'{name}: "{found[0]}"')
            return
    mend = f'add "_dmarc.{domain}. TXT \\"v=DMARC1; p=none\\"", which has no letter refused'
    yield advice("DNS DMARC", f"{domain} does not say what to do with forged mail", mend)


def _policy(record: str, *, below: bool) -> str:
    """Return what a record asks for, for the domain itself or a domain `below` it."""
    tags = {
        tag.strip().lower(): value.strip().lower()
        for tag, _, value in (each.partition("=") for each in record.split(";"))
    }
    policy = tags.get("p", "none")
    return tags.get("sp", policy) if below else policy


def _sending(way: Way) -> Iterator[CheckResult]:
    """Yield whether it is known where letters leave from."""
    if way.relay is not None and not way.addresses and not way.include:
        said = f"it is not known from which address {way.relay} sends messages on"
        yield advice("DNS sending address", said, _FIND_OUT)


def _reverse(way: Way) -> Iterator[CheckResult]:
    """Yield whether the sending addresses lead back to a name that leads to them (RFC 1912,
    2.1)."""
    if not way.addresses:
        return
    wrong = [
        str(address)
        for address in way.addresses
        if not any(
            address in _addresses(name, way.lookup) for name in way.lookup(str(address), "PTR")
        )
    ]
    if wrong:
        yield advice(
            "DNS reverse", f"{', '.join(wrong)} leads back to no name that leads to it",
            "have the provider of the address set its PTR record",
        )  # fmt: skip
    else:
        yield good("DNS reverse", f"names lead to {way.name} and back")


def _listed(way: Way) -> Iterator[CheckResult]:
    """Yield what lists of addresses that send spam say (RFC 5782)."""
    asked, silent = set(), set()
    for address in way.addresses:
        place = address.reverse_pointer.removesuffix(".in-addr.arpa").removesuffix(".ip6.arpa")
        for which, where in LISTS.items():
            try:
                codes = way.lookup(f"{place}.{which}", "A")
            except NoAnswer:
                codes = [_NO_ANSWER]
            if any(code.startswith(_NO_ANSWER) for code in codes):
                silent.add(which)
                continue
            asked.add(which)
            if codes and all(code in _OF_HOMES for code in codes):
                yield advice(
                    "DNS blocklists", f"{address} is of a network that {which} knows as one of "
                    "homes, whose mail many servers refuse",
                    "send by the relay of your provider ([outgoing.relay]), "
                    f"or have it taken off at {where}",
                )  # fmt: skip
            elif codes:
                why = ", ".join(way.lookup(f"{place}.{which}", "TXT")) or "no reason given"
                yield advice(
                    "DNS blocklists", f"{address} is listed by {which}: {why}",
                    f"find out what was sent from it, then have it taken off at {where}",
                )  # fmt: skip
            else:
                yield good("DNS blocklists", f"{address} is not listed by {which}")
    for which in sorted(silent - asked):
        yield good("DNS blocklists", f"{which} does not answer the server that you ask the DNS by")
