"""The record of a phase, which goes with its results: one JSON object for programs, and for
checking seals.

Its fields up to `orders` are the input of `judge adjudicate`, so that anybody can repeat the phase;
`results` are its outcome, and `seals` hold each power's key and seal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from judge.game.state.boards import line_with_words
from judge.game.state.settings import Settings, modules, played
from judge.game.state.sheet import Seal
from judge.i18n import DEFAULT_LANGUAGE, speaking
from judge.rules.phase import Phase
from judge.storage import Game, PhaseRun


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
    with speaking(DEFAULT_LANGUAGE):
        results = {
            power: [
                {
                    "order": line["order"],
                    "unit": line["unit"],
                    "outcome": _OUTCOMES[line["done"]],
                    "reason": line["reason"],
                    "note": str(line_with_words(line, power, phase, variant)["note"]),
                }
                for line in lines
            ]
            for power, lines in run.results["orders"].items()
        }
    return {
        "game": run.results.get("game", game.name),
        **rules_in_force(game, settings),
        "victory": run.results.get("victory") or variant.victory,
        "phase": run.phase,
        **{field: position[field] for field in ("units", "centers", "dislodged", "contested")},
        "orders": {power: sorted(given) for power, given in run.orders.items() if given},
        "seals": run.results.get("seals", {}),
        "results": results,
        "units_after": run.results["units"],
        "centers_after": run.results["centers"],
    }


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
