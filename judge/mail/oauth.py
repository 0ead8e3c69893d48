"""Access tokens of OAuth 2, got by a program that renews them (RFC 6749 section 6)."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

_PATIENCE = 60.0


class NoToken(OSError):
    """There is no token now; the message says why, and holds none."""


def token_by(command: Sequence[str]) -> str:
    """The token that a program prints, as programs for OAuth 2 beside mail clients do.

    Raises NoToken.
    """
    try:
        done = subprocess.run(
            list(command), capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeError) as error:
        raise NoToken(f"{command[0]} gives no token: {type(error).__name__}") from error
    token = done.stdout.strip()
    if done.returncode or not token or any(not each.isprintable() for each in token):
        raise NoToken(f"{command[0]} gives no token: it ended with status {done.returncode}")
    return token
