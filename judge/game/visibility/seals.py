"""Seals of orders: shown to their writer at once, and to all, with the orders, after the phase.

A seal is a keyed digest, so that players can show it to others before the phase runs: it says
nothing about the orders, and they cannot claim other orders later.

The record of a phase goes with its results: one JSON object for programs, and for checking seals.
Its fields up to `orders` are the input of `judge adjudicate`, so that anybody can repeat the phase;
`results` are its outcome, and `seals` hold each power's key and seal.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judge.game.state import State
from judge.game.state.boards import modules, note, played
from judge.game.state.settings import Settings
from judge.i18n import speaking
from judge.rules.phase import Phase
from judge.rules.variant import Variant
from judge.storage import Game, PhaseRun

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


def rules_in_force(game: Game, settings: Settings) -> dict[str, object]:
    """Return the board and the rules of a game, as `judge adjudicate` takes them."""
    return {
        "variant": game.variant,
        "rules": game.rulebook,
        "options": {},
        "modules": list(modules(settings)),
        "players": settings.lineup,
    }


def record(game: Game, run: PhaseRun) -> dict[str, object]:
    """Return the record of a past phase; it names the game as its seals do."""
    position: Mapping[str, Any] = run.position
    settings = Settings.from_json(game.settings)
    variant, phase = played(game.variant, settings), Phase.read(run.phase)
    return {
        "game": run.results.get("game", game.name),
        **rules_in_force(game, settings),
        "victory": run.results.get("victory") or variant.victory,
        "phase": run.phase,
        **{field: position[field] for field in ("units", "centers", "dislodged", "contested")},
        "orders": {power: sorted(given) for power, given in run.orders.items() if given},
        "seals": run.results.get("seals", {}),
        "results": {
            power: [
                {
                    "order": line["order"],
                    "unit": line["unit"],
                    "outcome": _OUTCOMES[line["done"]],
                    "reason": line["reason"],
                    "note": _note(line, power, phase, variant),
                }
                for line in lines
            ]
            for power, lines in run.results["orders"].items()
        },
        "units_after": run.results["units"],
        "centers_after": run.results["centers"],
    }


def _note(line: Mapping[str, Any], power: str, phase: Phase, variant: Variant) -> str:
    with speaking("en"):
        return note(line, power, phase, variant)


_OUTCOMES = {True: "succeeds", False: "fails", None: None}
"""None is for what the reader of the record does not see (blind games)."""


def seals_of(data: Mapping[str, Any]) -> Iterator[tuple[Seal, str]]:
    """Yield each seal computed from a record's key and orders, and the one printed in it.

    Raises ValueError if `data` is not a record.
    """
    try:
        game, phase, orders = str(data["game"]), str(data["phase"]), data["orders"]
        for power, sealed in data["seals"].items():
            lines = tuple(sorted(map(str, orders.get(power, ()))))
            yield Seal(game, phase, power, str(sealed["key"]), lines), str(sealed["seal"])
    except (KeyError, AttributeError, TypeError) as error:
        raise ValueError("this is not the record of a phase") from error
