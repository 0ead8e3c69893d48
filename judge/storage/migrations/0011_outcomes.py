"""Histories keep outcomes as values in place of English sentences.

Each phase is played again from what is on file. A line whose result comes out otherwise than on
file, or whose board is gone, keeps its sentence, which is then shown as it is.
"""

from __future__ import annotations

import logging
from typing import Any

import peewee

from judge.interchange.stored_values import position_from_json, to_json
from judge.language.read import read_order
from judge.rules.engine import adjudicate
from judge.rules.hooks import with_modules
from judge.rules.orders import carried_out
from judge.rules.rulebook import Rulebook
from judge.rules.variant import with_lineup
from judge.storage.columns import JsonField, TextField
from judge.variants import load

log = logging.getLogger(__name__)

_BUILDS = {"home": "home_centers", "one": "one_home", "any": "conscription"}
_MERELY_WORDS = ("name", "words", "note", "telling")


class Table(peewee.Model):
    id = peewee.BigAutoField()

    class Meta:
        legacy_table_names = False


class Game(Table):
    variant = TextField()
    rulebook = TextField()
    options = JsonField()
    settings = JsonField()


class PhaseRun(Table):
    game_id = peewee.BigIntegerField()
    position = JsonField()
    orders = JsonField()
    results = JsonField()


def up(migrator: Any, database: Any) -> None:
    """Write the outcomes of all phases that have run."""
    with database.bind_ctx((Game, PhaseRun)):
        games = {game.id: game for game in Game.select()}
        numbers: list[int] = [each.id for each in PhaseRun.select(PhaseRun.id)]
        for number in numbers:
            run = PhaseRun.get_by_id(number)
            if not run.results.get("orders"):
                continue
            try:
                results = _with_outcomes(run, games[run.game_id])
            except Exception:
                # One phase of one old game must not keep a judge from starting.
                log.warning("phase run %d keeps its English sentences", number, exc_info=True)
                continue
            PhaseRun.update(results=results).where(PhaseRun.id == number).execute()


def _with_outcomes(run: Any, game: Any) -> dict[str, object]:
    rules = {
        **game.settings,
        "variant": game.variant,
        "rulebook": game.rulebook,
        "datc": game.options.get("datc", {}),
        **run.results.get("rules", {}),
    }
    names = (
        _BUILDS.get(rules.get("builds") or ""),
        "no_retreats" if rules.get("auto_disband") else None,
        "conversion" if rules.get("transform") else None,
    )
    variant = with_lineup(load(rules["variant"]), game.settings.get("lineup"))
    variant = with_modules(variant, tuple(filter(None, names)))
    rulebook = Rulebook.edition(rules["rulebook"]).with_options(rules["datc"])
    before = position_from_json(run.position)
    orders = {
        power: [read_order(text, variant, before.phase, power, before, rulebook) for text in given]
        for power, given in run.orders.items()
    }
    found = adjudicate(variant, before, carried_out(orders), rulebook).results
    lines: dict[str, list[Any]] = {}
    for power, filed in run.results["orders"].items():
        again = {(str(each.unit), str(each.order), each.given): each for each in found[power]}
        lines[power] = []
        for line in filed:
            each = again.get((str(line["unit"]), line["order"], line["given"]))
            reason = None if each is None or each.reason is None else each.reason.value
            if each is None or reason != line["reason"]:
                lines[power].append(line)
                continue
            kept = {key: value for key, value in line.items() if key not in _MERELY_WORDS}
            lines[power].append({**kept, "outcome": to_json(each.outcome)})
    return {**run.results, "orders": lines}
