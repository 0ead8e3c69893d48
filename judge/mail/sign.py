"""DKIM signatures on our letters (RFC 6376), made on the way out."""

from __future__ import annotations

import dkim

from judge.mail.outgoing import Transport

# What mail programs show, thread by, or act on. A letter says once who it is from, to whom and
# about what; each of these is signed once more than it occurs, so that none can be added.
_ONCE = (b"from", b"to", b"subject", b"date", b"message-id", b"reply-to")
_SIGNED = (
    *(b"in-reply-to", b"references", b"auto-submitted", b"list-id", b"list-unsubscribe"),
    *(b"mime-version", b"content-type", b"content-transfer-encoding"),
)


class BadKey(ValueError):
    """The key cannot sign; the message says why."""


class Signer:
    """Signs letters for a domain."""

    def __init__(self, domain: str, selector: str, key: bytes) -> None:
        """`key` is an RSA private key in PEM; its public half stands in the DNS under
        `SELECTOR._domainkey.DOMAIN`. Raises BadKey."""
        self._domain = domain.encode("idna")
        self._selector = selector.encode("ascii")
        self._key = key
        try:
            self.sign(b"From: x@example.org\r\n\r\n")
        except BadKey:
            raise
        except Exception as error:  # the library's parser raises whatever comes up in a bad key
            raise BadKey("it is no RSA private key in PEM") from error

    def __repr__(self) -> str:
        return f"Signer({self._selector.decode()}._domainkey.{self._domain.decode()})"

    def sign(self, raw: bytes) -> bytes:
        """The letter with its signature in front. Lines of `raw` end in CR LF."""
        head = raw.partition(b"\r\n\r\n")[0].lower()
        present = {line.partition(b":")[0].strip() for line in head.split(b"\r\n")}
        fields = [*_ONCE, *(name for name in _ONCE if name in present)]
        fields += [name for name in _SIGNED if name in present]
        signature: bytes = dkim.sign(
            raw,
            selector=self._selector,
            domain=self._domain,
            privkey=self._key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=fields,
        )
        return signature + raw


class Signing:
    """A way out that signs each letter first. The outbox keeps them unsigned, so that a new key
    is used from the moment it is configured."""

    def __init__(self, transport: Transport, signer: Signer) -> None:
        self._transport = transport
        self._signer = signer

    def deliver(self, raw: bytes, recipient: str, message_id: str, sender: str = "") -> None:
        """As `Transport.deliver`."""
        self._transport.deliver(self._signer.sign(raw), recipient, message_id, sender)

    def close(self) -> None:
        """Let go of connections."""
        self._transport.close()
