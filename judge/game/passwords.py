"""Passwords: optional, kept as hashes (argon2, RFC 9106), blanked wherever a mail is shown."""

from __future__ import annotations

import re

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from judge.game.visit import Visit
from judge.storage import Seat

BLANK = "********"

_HASHER = PasswordHasher()

# Where a password can stand: behind what a sign-on or a sign-up names, and behind SET PASSWORD.
_WRITTEN = re.compile(
    r"\b(?P<head>(?:sign\s*on|log\s*in|join)\s+\S+|create\s+\S+|(?:set\s+)?password)"
    r"(?P<gap>\s+)(?P<word>\S+)",
    re.IGNORECASE,
)


def blanked(line: str) -> str:
    """A line of a mail with whatever may be a password in it blanked."""
    return _WRITTEN.sub(rf"\g<head>\g<gap>{BLANK}", line)


def hashed(password: str) -> str:
    """What is kept of a password."""
    return _HASHER.hash(password)


def fits(seat: Seat, password: str) -> bool:
    """Whether it is this seat's password."""
    if seat.password is None:
        return False
    try:
        return _HASHER.verify(seat.password, password)
    except (Argon2Error, InvalidHashError):
        return False


def noted(visit: Visit, password: str) -> str:
    """The password in a mail, from here on blanked in all that is stored or said of it."""
    visit.secrets.add(password)
    return password
