"""Whether the domain in a message's From vouches for it.

Either the keeper's own mail server has looked and says so (Authentication-Results, RFC 8601), of
the signature (DKIM, RFC 6376) or of the sending host (SPF, RFC 7208); or the signature is checked
here. In each case what vouches has to be the domain in From or one above it: identifier alignment,
as DMARC (RFC 7489 section 3.1) asks for, without its list of public suffixes.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Collection
from email.message import Message

import authres
from msgspec import Struct

from judge.mail import headers, safety
from judge.mail.address import is_one_of
from judge.mail.dkim_library import dkim_library
from judge.mail.headers import is_own
from judge.mail.safety import never_raises

log = logging.getLogger(__name__)

Lookup = Callable[[bytes], bytes | None]
"""Looks a TXT record up: the name in, the text out, None where there is none."""

_MOST_SIGNATURES = 2

_PAUSE = 60.0

_BARE = re.compile(rb"\r(?!\n)")

_SIGNER = re.compile(r"(?:\A|;)\s*d\s*=\s*([^\s;]+)")


class Dns:
    """Asks the DNS for TXT records; when it does not answer, not again for a minute, so that mails
    do not wait for it one by one."""

    _silent_until = 0.0

    def __call__(self, name: bytes) -> bytes | None:
        """Return the record, None where there is none. Takes five seconds at most.

        Raises dkim.DnsTimeoutError.
        """
        dkim = dkim_library()
        if time.monotonic() < self._silent_until:
            raise dkim.DnsTimeoutError("the DNS did not answer a moment ago")
        try:
            found: bytes | None = dkim.get_txt(name, timeout=5)
        except dkim.DnsTimeoutError:
            self._silent_until = time.monotonic() + _PAUSE
            raise
        return found


def _unchecked(error: Exception) -> bool:
    log.warning("a message cannot be checked", exc_info=error)
    return False


class Checker(Struct, frozen=True):
    """Tells whether a message is vouched for.

    `server` is the authserv-id of the keeper's mail server, None where it adds no results, and
    `hosts` from where mail comes that has passed it (`judge.mail.headers.is_own`); `lookup` asks
    the DNS, None where signatures are not checked here. `addresses` and `patterns` are the judge's
    own, as in `judge.mail.address.is_one_of`: what its writer sent to somebody else, who hands it
    in here, is not meant, good as its signature is. Without any, it may have gone to anybody.
    """

    server: str | None = None
    lookup: Lookup | None = None
    addresses: Collection[str] = ()
    patterns: Collection[str] = ()
    hosts: Collection[str] = ()

    @never_raises(_unchecked)
    def __call__(self, raw: bytes, door: str) -> bool:
        """Return whether the domain in From vouches for the message, which came in by this door.
        Never raises: what cannot be checked is not vouched for."""
        if safety.refused(raw) or _BARE.search(safety.header(raw)):
            # Other programs do not end a field there, so they have seen another header.
            return False
        written = raw.lower()
        if b"dkim-signature" not in written and b"authentication-results" not in written:
            # Nobody vouches; to take the message apart is for those that somebody may vouch for.
            return False
        message = headers.whole(raw)
        domain = from_domain(message)
        if domain is None or headers.doubled(message) or not self._is_meant(message):
            return False
        # Anybody else who connects could write such a field.
        if self.server is not None and is_own(raw, door, self.hosts):
            said = results(message, self.server)
            if said is not None:
                return vouched(said, domain)
        return self.lookup is not None and self._signed(raw, message, domain)

    def _is_meant(self, message: Message) -> bool:
        """Return whether To, of which only one can have been signed, names the judge."""
        if not self.addresses and not self.patterns:
            return True
        fields = headers.raw_all(message, "To")
        return len(fields) == 1 and any(
            is_one_of(address, self.addresses, self.patterns)
            for _, address in headers.addresses(fields)
        )

    def _signed(self, raw: bytes, message: Message, domain: str) -> bool:
        dkim = dkim_library()
        signatures = headers.raw_all(message, "DKIM-Signature")
        # Each costs a question to the DNS, so only those that could help are looked at.
        useful = [index for index, each in enumerate(signatures) if aligned(_signer(each), domain)]
        for index in useful[:_MOST_SIGNATURES]:
            check = dkim.DKIM(raw)
            try:
                good = check.verify(idx=index, dnsfunc=self._ask)
            except (dkim.DKIMException, ValueError) as error:
                log.info("a signature cannot be checked: %s", error)
                continue
            # Without To it could have been written to anybody; with a length (l=), which RFC 6376
            # section 8.2 warns of, anything may follow what was signed.
            names = {name.lower() for name, _ in check.signed_headers} if good else set()
            whole = {b"from", b"to"} <= names and b"l" not in check.signature_fields
            if whole and aligned(check.domain.decode("ascii", "replace"), domain):
                return True
        return False

    def _ask(self, name: bytes, timeout: float = 5) -> bytes | None:
        assert self.lookup is not None
        return self.lookup(name)


def from_domain(message: Message) -> str | None:
    """Return the domain of the one address in the one From field; None where there is not exactly
    one.

    RFC 5322 allows no second From, and programs differ in which one they show.
    """
    fields = headers.raw_all(message, "From")
    if len(fields) != 1:
        return None
    found = headers.addresses(fields)
    # A second address that is only to be read by a person is one too many as well.
    if len(found) != 1 or fields[0].count("<") > 1:
        return None
    return found[0][1].rpartition("@")[2].lower()


def aligned(signer: str, domain: str) -> bool:
    """Return whether `signer` may vouch for mail from `domain`: it is that domain, or one above
    it."""
    signer = signer.lower().strip(".")
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


def results(message: Message, server: str) -> authres.AuthenticationResultsHeader | None:
    """Return what the keeper's server found out; None where it did not look.

    Only the topmost field counts, and only if it is that server's: it adds its own above all that
    came with the message, and whatever stands below may have been written by the sender.
    """
    found = headers.raw_all(message, "Authentication-Results")
    if not found:
        return None
    try:
        parsed = authres.all_features().parse_value(found[0])
    except authres.AuthResError:
        return None
    return parsed if str(parsed.authserv_id).lower() == server.lower() else None


def vouched(said: authres.AuthenticationResultsHeader, domain: str) -> bool:
    """Return whether results mean that `domain` vouches: DMARC passed for it, or, where DMARC was
    not looked at, an aligned signature is good, or the sending host is one of an aligned domain."""
    dmarc = [each for each in said.results if each.method == "dmarc"]
    if dmarc:
        return all(each.result == "pass" for each in dmarc) and any(
            _value(each, "header", "from").lower() == domain for each in dmarc
        )
    return any(each.result == "pass" and aligned(_vouching(each), domain) for each in said.results)


def _vouching(result: authres.AuthenticationResult) -> str:
    """Return the domain that a result is about; "" where it is none that can vouch."""
    if result.method == "dkim":
        return _value(result, "header", "d") or _domain(_value(result, "header", "i"))
    return _domain(_value(result, "smtp", "mailfrom")) if result.method == "spf" else ""


def _value(result: authres.AuthenticationResult, kind: str, name: str) -> str:
    said = (each.value for each in result.properties if each.type == kind and each.name == name)
    return str(next(said, ""))


def _signer(signature: str) -> str:
    """Return the domain that a signature is said to be of."""
    found = _SIGNER.search(signature)
    return found[1] if found else ""


def _domain(identity: str) -> str:
    return identity.rpartition("@")[2]
