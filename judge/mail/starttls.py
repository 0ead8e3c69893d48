"""What a mail server offers to whoever brings it letters: STARTTLS (RFC 3207), tried out."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from msgspec import Struct

PATIENCE = 5.0
"""Seconds that a server has for each of its answers."""


class Offer(Struct, frozen=True):
    """What came of a try: encrypted by TLS; `doubtful`, with a certificate that does not prove
    whose server it is; clear, without an encryption that works; or unreachable from here. `said`
    is the version of TLS, or the reason."""

    found: Literal["encrypted", "doubtful", "clear", "unreachable"]
    said: str


Probe = Callable[[str], Offer]
"""Tries the server of a name."""


def try_starttls(name: str, port: int = 25, context: ssl.SSLContext | None = None) -> Offer:
    """Return what the mail server of this name offers; no letter is sent."""
    found = _tried(name, port, context or ssl.create_default_context())
    if found.found != "doubtful":
        return found
    # A sender that takes any certificate encrypts; does that work at least?
    any_one = ssl.create_default_context()
    any_one.check_hostname, any_one.verify_mode = False, ssl.CERT_NONE
    loosely = _tried(name, port, any_one)
    return found if loosely.found == "encrypted" else Offer("clear", found.said)


def _tried(name: str, port: int, context: ssl.SSLContext) -> Offer:
    try:
        server = smtplib.SMTP(name, port, "[127.0.0.1]", PATIENCE)
    except (OSError, smtplib.SMTPException) as error:
        return Offer("unreachable", str(error) or type(error).__name__)
    try:
        server.ehlo_or_helo_if_needed()
        if not server.has_extn("starttls"):
            return Offer("clear", "it does not offer STARTTLS")
        server.starttls(context=context)
        sock = server.sock
        version = sock.version() if isinstance(sock, ssl.SSLSocket) else None
        return Offer("encrypted", version or "TLS")
    except ssl.SSLCertVerificationError as error:
        return Offer("doubtful", error.verify_message or str(error))
    except ssl.SSLError as error:
        return Offer("doubtful", error.reason or str(error))
    except (OSError, smtplib.SMTPException) as error:
        return Offer("clear", str(error) or type(error).__name__)
    finally:
        with suppress(OSError, smtplib.SMTPException):
            server.close()
