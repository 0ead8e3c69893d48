"""Reply addresses: sub-addresses of the judge's own that cannot be guessed or altered.

An address is `judge+TOKEN@example.org` (RFC 5233), or `TOKEN@games.example` where a whole domain is
the judge's. The token holds a number, encrypted, since how far it has come would tell how many
letters others got: a keyed hash of it (HMAC-SHA-256, RFC 2104) is its proof and what hides it (a
synthetic initialization vector, RFC 5297), so that the same letter always has the same token and no
two tokens can be linked. It is written in base32 (RFC 4648) because mail programs change the case
of addresses. What stands behind the number, and until when, the judge has on file.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from judge.mail import headers
from judge.mail.safety import never_raises

# 40 bits of number and 80 of hash are 24 characters of base32 with none left over, so that one
# number has one spelling. Each guess at a hash costs a mail.
_NUMBER = 5
_HASH = 10
_LENGTH = 24

TOKEN_LENGTH = 1 + _LENGTH
"""Characters of a token: its purpose, and the base32."""

# Where mail servers note for whom a mail came in when they change the recipient.
_DELIVERED = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To")


REPLY = "r"
"""The purpose of the address that answers a message: press goes back to who wrote it."""

ALL = "a"
"""The purpose of the address that answers press to everybody who had it."""

BOUNCE = "b"
"""The purpose of a message's return path, which only mail systems write to."""

STOP = "u"
"""The purpose of the address by which an observer stops watching (List-Unsubscribe)."""

CLICK = {REPLY: "o", STOP: "w"}
"""The purposes of what stands in the web address of one click (RFC 8058), by that of the address to
which the same wish goes by mail. Web servers log such addresses, so what they hold is no address to
which anybody could write more."""


@dataclass(frozen=True, slots=True)
class Found:
    """A token that is ours: what for (one letter), its number, and the address it stood in."""

    purpose: str
    number: int
    address: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Addresses:
    """Makes reply addresses and reads them.

    `pattern` is one with a `*` where the token goes (`judge+*@example.org`, `*@games.example`),
    `secret` the key, `domain` where our Message-IDs belong. A purpose is one small letter: a token
    made for one is none for another.
    """

    pattern: str
    secret: bytes = field(repr=False)
    domain: str

    def make(self, number: int, purpose: str) -> str:
        """Return the address of `number`, which is positive and below 2 ** 40."""
        return self.pattern.replace("*", _token(self.secret, number, purpose), 1)

    def click(self, number: int, purpose: str) -> str:
        """Return what stands in the web address of one click, in place of a mail to it."""
        return _token(self.secret, number, CLICK[purpose])

    def clicked(self, token: str) -> Found | None:
        """Return where a mail with that wish goes; None where the token is none of ours."""
        found = _found(self.secret, token.strip().lower())
        for purpose, click in CLICK.items():
            if found is not None and found.purpose == click:
                return Found(purpose, found.number, self.make(found.number, purpose))
        return None

    def message_id(self, number: int) -> str:
        """Return a Message-ID that holds the token, for replies that come without the address."""
        return f"<{_token(self.secret, number, 'm')}@{self.domain}>"

    def read(self, address: str) -> Found | None:
        """Return what an address of a mail names; None where it is none of ours, or altered."""
        before, _, after = self.pattern.lower().partition("*")
        written = address.strip().lower()
        if not (written.startswith(before) and written.endswith(after)):
            return None
        token = written[len(before) : len(written) - len(after)]
        found = _found(self.secret, token)
        return found and Found(found.purpose, found.number, self.pattern.replace("*", token, 1))

    def read_message_id(self, message_id: str) -> int | None:
        """Return the number in a Message-ID of ours; None where it is another one, or altered."""
        token, _, domain = message_id.strip("<> ").lower().rpartition("@")
        found = _found(self.secret, token) if domain == self.domain.lower() else None
        return found.number if found is not None and found.purpose == "m" else None

    def first_in(self, text: str, *own: str) -> int | None:
        """Return where in a text one of our addresses first begins, one of `own` or a token of
        ours, whatever stands around it and wherever a program broke it; None where none does."""
        places = [place for place, char in enumerate(text) if char not in _UNSEEN]
        whole = "".join(text[place] for place in places)
        gaps = list(_BROKEN.finditer(whole))
        for gap in reversed(gaps):
            del places[gap.start() : gap.end()]
        whole = _BROKEN.sub("", whole)
        found = [
            places[each.start()]
            for each in _written(self.pattern, own).finditer(whole)
            if not _ADJOINS.match(text, places[each.end() - 1] + 1)
        ]
        for run in _RUN.finditer(whole):
            found += (
                places[start]
                for start in range(run.start(), run.end() - _LENGTH)
                if _found(self.secret, whole[start : start + TOKEN_LENGTH].lower())
            )
        return min(found, default=None)

    def among(self, addresses: Iterable[str]) -> Iterator[Found]:
        """Yield what those of `addresses` name that are ours, in order."""
        for address in addresses:
            found = self.read(address)
            if found is not None:
                yield found


_RUN = re.compile(rf"[a-z2-7]{{{TOKEN_LENGTH},}}", re.IGNORECASE | re.ASCII)
"""What may have a token in it."""

_UNSEEN = "\u00ad\u200b\u2060\ufeff"
"""Where a program may break a long word, written into it."""

_BROKEN = re.compile(r"[ \t=]*\n[ \t>|]*")
"""Where one was broken: in a quote, too, and by quoted-printable."""

_ADJOINS = re.compile(r"\w|[.-]\w", re.ASCII)
"""With this behind it an address is another one."""


@lru_cache(4)
def _written(pattern: str, own: tuple[str, ...]) -> re.Pattern[str]:
    """Find addresses that fit a pattern, and `own` ones."""
    before, after = map(re.escape, pattern.split("*", 1))
    fitting = [rf"{before}[^\s@<>()\[\],;:\"]*{after}"]
    if before:
        # The first half of one whose second half a program put elsewhere.
        fitting.append(rf"{before}[a-z2-7]{{6,{TOKEN_LENGTH}}}")
    others = "|".join([*fitting, *map(re.escape, own)])
    return re.compile(rf"(?<![\w.+-])(?:{others})", re.IGNORECASE)


# A mail is asked several times what it came to, and a letter says its address more than once.
@lru_cache(64)
def _token(secret: bytes, number: int, purpose: str) -> str:
    body = number.to_bytes(_NUMBER, "big")
    proof = _hash(secret, "token", purpose, body)
    token = base64.b32encode(proof + _hidden(secret, purpose, body, proof))
    return purpose + token.decode("ascii").lower()


def _hidden(secret: bytes, purpose: str, body: bytes, proof: bytes) -> bytes:
    """Return the number behind this proof encrypted, or decrypted."""
    key = _hash(secret, "hide", purpose, proof)[:_NUMBER]
    return (int.from_bytes(body, "big") ^ int.from_bytes(key, "big")).to_bytes(_NUMBER, "big")


def _hash(secret: bytes, use: str, purpose: str, said: bytes) -> bytes:
    found = _keyed(secret).copy()
    found.update(f"judge {use} {purpose} ".encode("ascii") + said)
    return found.digest()[:_HASH]


# To find the algorithm and to take in the key costs more than all that is hashed.
@lru_cache(4)
def _keyed(secret: bytes) -> hmac.HMAC:
    return hmac.new(secret, digestmod="sha256")


@lru_cache(64)
def _found(secret: bytes, token: str) -> Found | None:
    if len(token) != TOKEN_LENGTH or not token.isascii() or not token[0].isalpha():
        return None
    try:
        data = base64.b32decode(token[1:].upper())
    except binascii.Error:
        return None
    purpose = token[0]
    given = data[:_HASH]
    body = _hidden(secret, purpose, data[_HASH:], given)
    if not hmac.compare_digest(given, _hash(secret, "token", purpose, body)):
        # Letters of judges before 0.2.0 have the number in clear, and its hash behind it.
        body = data[:_NUMBER]
        if not hmac.compare_digest(data[_NUMBER:], _hash(secret, "reply", purpose, body)):
            return None
    return Found(purpose, int.from_bytes(body, "big"))


def is_one_of(address: str, addresses: Collection[str], patterns: Collection[str]) -> bool:
    """Return whether an address is one of `addresses`, a sub-address of one (`judge+x@...`), or
    fits one of `patterns`, which have a `*` for any text (`judge-*@...`)."""
    written = address.lower()
    local, _, domain = written.rpartition("@")
    if f"{local.partition('+')[0]}@{domain}" in {each.lower() for each in addresses}:
        return True
    ends = [each.lower().partition("*") for each in patterns]
    return any(written.startswith(before) and written.endswith(after) for before, _, after in ends)


Reached = Mapping[str, tuple[Collection[str], str]]
"""By which addresses, and by which that fit a pattern, each of several houses is reached."""


def addressed(houses: Reached, recipients: Sequence[str], raw: bytes) -> dict[str, list[str]]:
    """Return the houses that a message came in for, each with those of its recipients.

    What counts is for whom it was handed over; where that is nobody's address here, for whom it was
    written. In doubt it is that of the main house, whose key is empty.
    """
    if len(houses) <= 1:
        return {"": list(recipients)}
    head = headers.of(raw)
    fields = [value for name in ("To", "Cc") for value in headers.raw_all(head, name)]
    written = [address for _, address in headers.addresses(fields)]
    for some in (recipients, delivered_to(raw), written):
        found: dict[str, list[str]] = {}
        for address in some:
            # All of a domain may be the main house's: the others come first.
            for key in sorted(houses, reverse=True):
                own, pattern = houses[key]
                if is_one_of(address, own, [pattern]):
                    found.setdefault(key, []).append(address)
                    break
        if found:
            return found
    return {"": list(recipients)}


def deliverable(address: str) -> str:
    """Return an address as every relay takes it where one may be written so: its domain in ASCII
    (RFC 5891) unless what stands before it is not."""
    local, at, domain = address.rpartition("@")
    if domain.isascii() or not local.isascii():
        return address
    try:
        return local + at + domain.encode("idna").decode("ascii")
    except UnicodeError:
        return address


@lru_cache(4)
@never_raises(lambda error: tuple[str, ...]())
def delivered_to(raw: bytes) -> tuple[str, ...]:
    """Return the addresses a message was delivered to by what mail servers wrote into its header.

    Never raises. Anybody can write such fields; a signed token proves itself.
    """
    message = headers.of(raw)
    values = [value for name in _DELIVERED for value in headers.raw_all(message, name)]
    return tuple(address.lower() for _, address in headers.addresses(values))
