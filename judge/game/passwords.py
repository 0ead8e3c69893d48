"""Passwords: optional, kept as hashes (argon2, RFC 9106), blanked wherever a mail is shown.

A part with a password is acted in by who gives it, or who answers a letter to that part; the
address alone is not enough then. The mail that holds one is stored without it as soon as it has
been worked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from judge.game.command import Refused
from judge.game.visit import Visit
from judge.mail.blank import BLANK, blank
from judge.storage import Seat

_HASHER = PasswordHasher()

LONGEST = 200

_LEAST = 4

# Where a password can stand: behind what a sign-on or a sign-up names, and behind SET PASSWORD.
_WRITTEN = re.compile(
    r"(?P<head>\b(?:(?:s[igmn]{2,3}\s*on|log\s*in|join)\s+\S+|create\s+\S+(?=\s+\S+\s+[^\s,;]+)"
    r"|(?:set\s+)?password))(?P<gap>\s+)(?P<word>[^\s,;]+)",
    re.IGNORECASE,
)


def blanked(line: str) -> str:
    """A line of a mail with whatever may be a password in it blanked."""
    return _WRITTEN.sub(rf"\g<head>\g<gap>{BLANK}", line)


def give(visit: Visit, seats: Sequence[Seat], password: str) -> None:
    """Sign on to `seats` with a password; one that they do not need is overlooked.

    Raises Refused when it is none of theirs.
    """
    note(visit, password)
    locked = [seat for seat in seats if seat.password is not None]
    right = [seat for seat in locked if _fits(seat, password)]
    if locked and not right:
        visit.log("wrong password", {"seats": [seat.id for seat in locked]})
        raise Refused("wrong_password")
    visit.signed.update(seat.id for seat in right)


def lock(visit: Visit, seats: Sequence[Seat], password: str) -> None:
    """Give `seats` a password; saving them is the caller's. Raises Refused for one too short."""
    note(visit, password)
    if len(password) < _LEAST:
        raise Refused("short_password", least=_LEAST)
    for seat in seats:
        seat.password = _HASHER.hash(password[:LONGEST])
        if seat.id:
            visit.signed.add(seat.id)


def note(visit: Visit, password: str) -> None:
    """Blank this word from here on in all that is stored or said of the mail."""
    visit.secrets.add(password)


def note_offers(visit: Visit) -> None:
    """Note the passwords in lines that were misspelled, which show in what is offered instead."""
    for item in visit.items:
        for offer in item.write:
            visit.secrets.update(found["word"] for found in _WRITTEN.finditer(offer))


def shown(visit: Visit, line: str) -> str:
    """A line of the mail as it may be repeated to its writer."""
    for secret in visit.secrets:
        line = re.sub(rf"(?<!\S){re.escape(secret)}(?![^\s,;])", BLANK, line)
    return blanked(line)


def forget(visit: Visit) -> None:
    """Store the mail without the passwords in it."""
    if visit.secrets:
        visit.storage.mails.rewrite(visit.mail.id, blank(visit.mail.raw, visit.secrets))


def _fits(seat: Seat, password: str) -> bool:
    assert seat.password is not None
    try:
        return _HASHER.verify(seat.password, password[:LONGEST])
    except (Argon2Error, InvalidHashError):
        return False
