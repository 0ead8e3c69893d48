"""Who was invited to a game. The log has addresses as digests, by which nobody can be found."""

from __future__ import annotations

import hashlib
import hmac

from judge.storage import Storage

INVITED = "invited"
"""What the log says of an invitation."""


def digest_of(storage: Storage, address: str) -> str:
    """Return an address as what stays on file of it."""
    return hmac.new(storage.tickets.secret, address.encode(), hashlib.sha256).hexdigest()[:32]


def was_invited(storage: Storage, game_id: int, address: str) -> bool:
    """Return whether an invitation to a game went to an address."""
    digest = digest_of(storage, address)
    return any(
        each.what == INVITED and each.facts["to"] == digest
        for each in storage.events.of_game(game_id)
    )
