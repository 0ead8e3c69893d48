"""Seals of orders: shown to their writer at once, and to all, with the orders, after the phase.

A seal is a keyed digest, so that players can show it to others before the phase runs: it says
nothing about the orders, and they cannot claim other orders later.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from judge.game.state import State

_DIGITS = 32
"""128 bits: to find two sets of orders with one seal takes about 2 ** 64 trials."""


@dataclass(frozen=True)
class Seal:
    """The seal of one power's orders in one phase.

    `lines` are the orders as messages print them, in alphabetical order; `key` makes them
    unguessable, and is shown with them.
    """

    game: str
    phase: str
    power: str
    key: str
    lines: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The first 32 digits of the SHA-256 of key, game, phase, power, and orders, one per
        line."""
        text = "\n".join((self.key, self.game, self.phase, self.power, *self.lines))
        return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def seal(
    secret: bytes, game: str, phase: str, opened_at: datetime, power: str, orders: Iterable[str]
) -> Seal:
    """Return the seal of these orders.

    `secret` is the judge's. `opened_at` is when the phase opened, so that a phase played again
    after a rollback has other keys.
    """
    about = "|".join(("seal", game, phase, opened_at.isoformat(), power))
    key = hmac.new(secret, about.encode(), hashlib.sha256).hexdigest()[:_DIGITS]
    return Seal(game, phase, power, key, tuple(sorted(orders)))


def name(state: State) -> str:
    """Return the game's name in the seals of the open phase: that under which the phase opened."""
    kept = state.game.options.sealed_as
    renamed = kept is not None and kept.phase == state.game.phase
    return kept.name if kept is not None and renamed else state.game.name


def of_power(state: State, power: str) -> Seal:
    """Return the seal of the orders of `power` for the open phase."""
    game = state.game
    assert game.opened_at is not None
    return seal(
        state.storage.tickets.secret,
        name(state),
        str(state.opened.phase),
        game.opened_at,
        power,
        map(str, state.orders.get(power, ())),
    )


def published(state: State) -> dict[str, dict[str, str]]:
    """Return key and seal of every power with orders, as the history stores them."""
    sealed = [of_power(state, power) for power, orders in state.orders.items() if orders]
    return {each.power: {"key": each.key, "seal": each.digest} for each in sealed}
