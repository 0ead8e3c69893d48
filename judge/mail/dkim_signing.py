"""DKIM signatures on our letters (RFC 6376), made on the way out: RSA, Ed25519 (RFC 8463), or both.

Not every server knows Ed25519 yet, so RFC 8463 section 3 wants an RSA signature beside one.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence

from judge.mail.dkim_library import dkim_library

# What mail programs show, thread by, or act on. A letter says once who it is from, to whom and
# about what; each of these is signed once more than it occurs, so that none can be added.
_ONCE = (b"from", b"to", b"subject", b"date", b"message-id", b"reply-to")
_SIGNED = (
    *(b"in-reply-to", b"references", b"auto-submitted", b"list-id", b"list-unsubscribe"),
    b"list-unsubscribe-post",  # RFC 8058 section 4
    *(b"mime-version", b"content-type", b"content-transfer-encoding"),
)


class BadKey(ValueError):
    """The key cannot sign; the message says why."""


_PEM = re.compile(
    rb"-----BEGIN PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+?)\s*-----END PRIVATE KEY-----"
)

# RFC 8410 section 7: the object identifier of Ed25519, and the key itself as an octet string in
# an octet string.
_ED25519 = bytes.fromhex("06032b657004220420")
_SEED = 32

_RSA = bytes.fromhex("06092a864886f70d0101010500")
"""What says that a key is an RSA one (RFC 8017, appendix C), in DER."""


class Signer:
    """Signs letters for a domain with one key."""

    def __init__(self, domain: str, selector: str, key: bytes) -> None:
        """`key` is a private key in PEM, RSA or Ed25519; its public half stands in the DNS under
        `SELECTOR._domainkey.DOMAIN`. Raises BadKey."""
        self._domain = domain.encode("idna")
        self._selector = selector.encode("ascii")
        seed = _ed25519(key)
        self._key = key if seed is None else seed
        self.algorithm = b"rsa-sha256" if seed is None else b"ed25519-sha256"
        """What it signs with, as in the `a=` of its signatures."""
        try:
            self.sign(b"From: x@example.org\r\n\r\n")
        except Exception as error:  # the library's parser raises whatever comes up in a bad key
            raise BadKey("it is no RSA or Ed25519 private key in PEM") from error

    def __repr__(self) -> str:
        return f"Signer({self._selector.decode()}._domainkey.{self._domain.decode()})"

    @property
    def published(self) -> str:
        """What is to stand in the DNS for its signatures to be believed."""
        return _published(self._key, self.algorithm)

    def sign(self, raw: bytes) -> bytes:
        """Return the signature of a letter, a header field. Lines of `raw` end in CR LF."""
        head = raw.partition(b"\r\n\r\n")[0].lower()
        present = {line.partition(b":")[0].strip() for line in head.split(b"\r\n")}
        fields = [*_ONCE, *(name for name in _ONCE if name in present)]
        fields += [name for name in _SIGNED if name in present]
        signature: bytes = dkim_library().sign(
            raw,
            selector=self._selector,
            domain=self._domain,
            privkey=self._key,
            signature_algorithm=self.algorithm,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=fields,
        )
        return signature


def _ed25519(key: bytes) -> bytes | None:
    """Return what the library wants of an Ed25519 key in PEM; None for any other."""
    found = _PEM.search(key)
    if found is None:
        return None
    try:
        _, there, after = base64.b64decode(found[1]).partition(_ED25519)
    except ValueError:
        return None
    return base64.b64encode(after[:_SEED]) if there and len(after) >= _SEED else None


def _published(key: bytes, algorithm: bytes) -> str:
    """Return the record of the public half of a key as `Signer` keeps it."""
    dkim = dkim_library()
    if algorithm.startswith(b"ed25519"):
        public = bytes(dkim.nacl.signing.SigningKey(base64.b64decode(key)).verify_key)
        return f"v=DKIM1; k=ed25519; p={base64.b64encode(public).decode()}"
    found = dkim.crypto.parse_pem_private_key(key)
    numbers = _der(0x30, *(_integer(found[name]) for name in ("modulus", "publicExponent")))
    public = _der(0x30, _der(0x30, _RSA), _der(0x03, b"\0", numbers))
    return f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode()}"


def _integer(number: int) -> bytes:
    return _der(0x02, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def _der(tag: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    size = len(body).to_bytes((len(body).bit_length() + 7) // 8, "big")
    return bytes([tag]) + (size if len(body) < 128 else bytes([128 + len(size)]) + size) + body


def signed(raw: bytes, signers: Sequence[Signer]) -> bytes:
    """Return a letter with the signatures of all `signers` side by side."""
    return b"".join([*(signer.sign(raw) for signer in signers), raw])


def vouches(signer: Signer, published: Callable[[str], str | None]) -> bool:
    """Return whether what is published in the DNS proves signatures of this signer: `published`
    gives the text at a name."""
    dkim = dkim_library()
    raw = b"From: x@example.org\r\nTo: y@example.org\r\n\r\nx\r\n"

    def text(name: bytes, timeout: float = 5) -> bytes | None:
        found = published(name.decode().rstrip("."))
        return None if found is None else found.encode()

    try:
        return bool(dkim.verify(signer.sign(raw) + raw, dnsfunc=text))
    except (dkim.DKIMException, ValueError):
        return False
