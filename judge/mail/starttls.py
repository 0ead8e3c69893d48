"""What a mail server offers to anyone who brings it letters: STARTTLS (RFC 3207), tried out."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from msgspec import Struct

PATIENCE = 5.0
"""Seconds that a server has for each of its answers."""


class Encryption(Struct, frozen=True):
    """What came of a try: encrypted by TLS; `doubtful`, with a certificate that does not prove
    whose server it is; clear, without an encryption that works; or unreachable from here. `said`
    is the version of TLS, or the reason."""

    found: Literal["encrypted", "doubtful", "clear", "unreachable"]
    said: str


Probe = Callable[[str], Encryption]
"""Tries the server of a name."""


def try_starttls(name: str, port: int = 25, context: ssl.SSLContext | None = None) -> Encryption:
    """Return what the mail server of this name offers; no letter is sent."""
    found = _tried(name, port, context or ssl.create_default_context())
    if found.found != "doubtful":
        return found
    # A sender that takes any certificate encrypts; does that work at least?
    any_one = ssl.create_default_context()
    any_one.check_hostname, any_one.verify_mode = False, ssl.CERT_NONE
    loosely = _tried(name, port, any_one)
    return found if loosely.found == "encrypted" else Encryption("clear", found.said)


def _tried(name: str, port: int, context: ssl.SSLContext) -> Encryption:
    try:
        server = smtplib.SMTP(name, port, "[127.0.0.1]", PATIENCE)
    except (OSError, smtplib.SMTPException) as error:
        return Encryption("unreachable", str(error) or type(error).__name__)
    try:
        server.ehlo_or_helo_if_needed()
        if not server.has_extn("starttls"):
            return Encryption("clear", "it does not offer STARTTLS")
        server.starttls(context=context)
        sock = server.sock
        version = sock.version() if isinstance(sock, ssl.SSLSocket) else None
        return Encryption("encrypted", version or "TLS")
    except ssl.SSLCertVerificationError as error:
        return Encryption("doubtful", error.verify_message or str(error))
    except ssl.SSLError as error:
        return Encryption("doubtful", error.reason or str(error))
    except (OSError, smtplib.SMTPException) as error:
        return Encryption("clear", str(error) or type(error).__name__)
    finally:
        with suppress(OSError, smtplib.SMTPException):
            server.close()
