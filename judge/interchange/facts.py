"""A variant as facts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from judge.rules.lineup import Lineup
from judge.rules.variant import Variant


def variant_object(variant: Variant) -> dict[str, Any]:
    """Everything there is to know of a variant, as `judge variant show NAME --json` prints it."""
    board = variant.board
    return {
        "name": variant.name,
        "title": variant.title,
        "powers": list(variant.powers),
        "start_phase": str(variant.start_phase),
        "victory": variant.victory,
        "provinces": [
            {
                "id": province.id,
                "name": province.name,
                "type": province.terrain,
                "supply_center": province.supply_center,
                "home": province.home,
                "coasts": list(province.coasts),
                "aliases": list(dict.fromkeys((_plain(province.name), *province.aliases))),
            }
            for province in board.provinces.values()
        ],
        "army": _pairs(board.army),
        "fleet": _pairs(board.fleet),
        "start": {power: list(map(str, units)) for power, units in variant.start.items()},
        "centers": {power: list(owned) for power, owned in variant.centers.items()},
        "rulebook": variant.rulebook,
        "shared_victory": variant.shared_victory,
        "lead": variant.lead,
        "standing": list(variant.standing),
        "one_way": list(map(list, variant.one_way)),
        "weak": sorted(map(list, {(min(pair), max(pair)) for pair in board.weak})),
        "modules": list(variant.modules),
        "calendar": [season.value + kind.value for season, kind in variant.calendar.year],
        "letters": {power: letter for letter, power in variant.letters.items()},
        "adjectives": dict(variant.adjectives),
        "impassable": list(map(list, variant.impassable)),
        "gates": [list(gate) for gate in variant.gates],
        "canals": {name: list(spaces) for name, spaces in variant.canals.items()},
        "seasonal": {
            province: sorted(season.name.lower() for season in seasons)
            for province, seasons in variant.seasonal.items()
        },
        "units": {
            letter: {field.name: getattr(kind, field.name) for field in fields(kind)}
            | {"words": list(kind.words)}
            for letter, kind in board.kinds.items()
        },
        "position": {
            province.id: list(province.position)
            for province in board.provinces.values()
            if province.position is not None
        },
        "unclear": {name: list(meant) for name, meant in variant.unclear.items()},
        "description": variant.description,
        "lineups": {name: _lineup(each) for name, each in variant.lineups.items()},
    }


def _lineup(lineup: Lineup) -> dict[str, Any]:
    """A game for fewer players."""
    joins = lineup.joins
    return {
        "players": list(map(list, lineup.groups)),
        "standing": list(lineup.standing),
        "closed": list(lineup.closed),
        "merged": lineup.merged,
        "together": lineup.together,
        "rulebook": lineup.rulebook,
        "start_phase": lineup.start and str(lineup.start),
        "victory": lineup.victory,
        "counts": lineup.counts,
        "lost": list(lineup.lost),
        "lots": lineup.lots,
        "joins": joins and {key: str(value) for key, value in joins._asdict().items()},
    }


def _pairs(steps: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Every border once, in alphabetical order."""
    return [
        [here, there] for here in sorted(steps) for there in sorted(steps[here]) if here < there
    ]


def _plain(name: str) -> str:
    """A full name as an alias: lower case, without stops."""
    return name.replace(".", "").casefold()
