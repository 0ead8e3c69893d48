"""How games ended, as JSON, and what that is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.interchange.codec import Codec
from judge.interchange.position_objects import read_variant
from judge.interchange.text import a_text, an_object, given_or, refuse, shown
from judge.records.scoring import SYSTEMS, GameEnding, System
from judge.rules.variant import Variant


def score_object(data: object) -> dict[str, Any]:
    """Answer one ending with what it is worth by its `system`. Raises InterchangeError."""
    data = an_object(data)
    for field in ("system", "years"):
        if field not in data:
            refuse(field, "is missing")
    system = _system(data["system"])
    variant = read_variant(given_or(data, "variant", "standard"))
    ending = _ending(data, variant)
    wins = data.get("concession_wins")
    if not isinstance(wins, bool | None):
        refuse("concession_wins", f"must be true or false, not {shown(wins)}")
    try:
        scores = system.scores(ending, concedes=wins)
    except ValueError:
        refuse(
            "system",
            f"{system.title} is for 7 powers, 34 centers, and 18 to win, not for "
            f"{len(ending.powers)}, {ending.on_board}, and {ending.victory} ({variant.title})",
        )
    return {
        "id": data.get("id"),
        "system": system.name,
        "scores": {power: float(score) for power, score in scores.items()},
    }


def _system(name: object) -> System:
    if not isinstance(name, str) or name not in SYSTEMS:
        refuse("system", f'there is no system {shown(name)}; "judge score --list" shows them')
    return SYSTEMS[name]


def _ending(data: Mapping[str, Any], variant: Variant) -> GameEnding:
    codec = Codec.of(variant)
    counts = _counts(data["years"], variant, codec)
    draw = given_or(data, "draw", [])
    if not isinstance(draw, list):
        refuse("draw", f"must be a list of powers, not {shown(draw)}")
    said = {f"draw[{number}]": name for number, name in enumerate(draw)}
    said |= {"winner": data["winner"]} if data.get("winner") is not None else {}
    named = {field: codec.power(field, a_text(field, name)) for field, name in said.items()}
    ending = GameEnding(
        counts,
        variant.start_phase.year,
        variant.victory,
        len(variant.board.centers),
        tuple(dict.fromkeys(power for field, power in named.items() if field != "winner")),
        named.get("winner"),
    )
    for field, power in named.items():
        if power not in ending.alive:
            refuse(field, f"{power} has no center at the end")
    if ending.draw and ending.conceded:
        refuse("winner", "a game cannot end in a draw and be conceded")
    if (won := ending.on_centers) and (ending.draw or ending.conceded not in (None, won)):
        refuse("draw" if ending.draw else "winner", f"{won} won with {ending.top} centers")
    return ending


def _counts(value: object, variant: Variant, codec: Codec) -> dict[int, dict[str, int]]:
    """Return the centers by year and power, the years in order."""
    if not isinstance(value, dict) or not value:
        refuse("years", f"must be an object keyed by years, not {shown(value)}")
    years: dict[int, dict[str, int]] = {}
    for key, given in value.items():
        if not (key.isascii() and key.isdecimal() and len(key) < 6) or int(key) in years:
            refuse("years", f"{shown(key)} is no year, or a second time the same")
        years[int(key)] = _year(f"years.{key}", given, variant, codec)
    first, *later = sorted(years)
    if max(years) < variant.start_phase.year:
        refuse("years", f"the game begins in {variant.start_phase.year}; none is from then on")
    powers = [power for power in variant.powers if power in years[first]]
    for year in later:
        if unknown := years[year].keys() - years[first].keys():
            refuse(f"years.{year}", f"{min(unknown)} is not in the first year, {first}")
    if first >= variant.start_phase.year and 0 in years[first].values():
        refuse(f"years.{first}", "has a power without a center; when it lost its last is not said")
    return {year: {power: years[year].get(power, 0) for power in powers} for year in sorted(years)}


def _year(field: str, value: object, variant: Variant, codec: Codec) -> dict[str, int]:
    if not isinstance(value, dict):
        refuse(field, f"must be an object keyed by powers, not {shown(value)}")
    counts: dict[str, int] = {}
    for key, count in value.items():
        power = codec.power(field, key)
        if power in counts:
            refuse(field, f"{power} is named twice")
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            refuse(f"{field}.{key}", f"must be a number of centers, not {shown(count)}")
        counts[power] = count
    most = len(variant.board.centers)
    if not 0 < sum(counts.values()) <= most:
        owned = sum(counts.values())
        refuse(field, f"{owned} centers have owners; there must be from 1 to {most}")
    return counts
