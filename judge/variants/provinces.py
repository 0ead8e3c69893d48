"""The provinces of a board: their kinds and coasts, the borders between them, and canals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from math import dist
from typing import Any, Final, cast

from judge.rules.board import COASTS, Board, Province, Terrain, distances, name_key, province_of
from judge.rules.phase import Season
from judge.variants.keys import PROVINCE, VariantDraft
from judge.variants.powers import kinds


def read_board(draft: VariantDraft) -> None:
    """Read the board, and check it."""
    raw = {
        key: draft.entries(f"province {key}", table, PROVINCE)
        for key, table in draft.data.get("provinces", {}).items()
    }
    owners = _homes(draft, raw)
    provinces = {key: _province(draft, key, table, owners) for key, table in raw.items()}
    army = {
        key: _borders(draft, "army", key, table.get("army", ""), provinces)
        for key, table in raw.items()
        if "army" in table or table.get("type") != "sea"
    }
    fleet = {
        location: _borders(draft, "fleet", location, text, provinces)
        for key, table in raw.items()
        for location, text in _shores(key, table)
    }
    draft.board = Board(provinces, army, fleet, kinds(draft))
    draft.board = replace(draft.board, weak=frozenset(_weak(draft)))
    _check_borders(draft, set(one_way(draft)))
    _check_names(draft)


def _homes(draft: VariantDraft, provinces: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the powers whose home countries the provinces belong to, by province."""
    homes: dict[str, str] = {}
    for key, table in provinces.items():
        home = table.get("home")
        if home is not None and home in draft.powers:
            homes[key] = home
        elif home is not None:
            draft.wrong(f"province {key}: its home {home!r} is no power")
    for power, table in draft.powers.items():
        for key in table.get("home", "").split():
            if key not in provinces:
                draft.wrong(f"power {power}: home: there is no province {key!r}")
            elif homes.setdefault(key, power) != power:
                draft.wrong(f"power {power}: {key} is the home of {homes[key]}")
    return homes


def _province(
    draft: VariantDraft, key: str, table: Mapping[str, Any], homes: Mapping[str, str]
) -> Province:
    """Return one province; what its own table says wrong is a problem."""
    terrain, fleet = table.get("type"), table.get("fleet")
    named = key.isascii() and key.isalnum() and key == key.lower()
    is_split, ashore = isinstance(fleet, dict), terrain == "coast"
    parts = fleet if isinstance(fleet, dict) else {}
    known = f"coasts are {', '.join(COASTS)}, or a word"
    checks = [
        (not named, "an id is lower-case letters and digits"),
        (
            terrain not in ("land", "coast", "sea"),
            f"type must be land, coast or sea, not {terrain!r}",
        ),
        (not table.get("name"), "it has no name"),
        (is_split and not ashore, "only a province of type coast has coasts"),
        (is_split and len(parts) < 2, "a split coast has at least two parts"),
        *((not _is_coast(coast), f"{coast!r} is no coast; {known}") for coast in parts),
        *(
            (not isinstance(value, str), f"fleet.{coast} cannot be {value!r}")
            for coast, value in parts.items()
        ),
        (
            table.get("convoys") and not ashore,
            "only on a coast need it be said that fleets convoy",
        ),
        (fleet and terrain == "land", "a fleet cannot come inland"),
        ("army" in table and terrain == "sea", "an army cannot go to sea"),
        (ashore and not fleet, "a coast needs fleet borders"),
    ]
    draft.refuse(f"province {key}", checks)
    return Province(
        id=key,
        name=table.get("name", key),
        terrain=cast(Terrain, terrain),
        supply_center=table.get("center", False),
        home=homes.get(key),
        coasts=tuple(parts),
        aliases=tuple(alias.casefold() for alias in table.get("aliases", ())),
        convoys=table.get("convoys", False),
        position=tuple(table["position"]) if "position" in table else None,
    )


def _is_coast(word: str) -> bool:
    """Return whether a part of a split coast may be called so."""
    return word in COASTS or (word.isascii() and word.isalpha() and len(word) > 2)


def _shores(key: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield where a fleet can stand in a province, each with its borders as written."""
    fleet = table.get("fleet")
    if isinstance(fleet, str):
        yield key, fleet
    elif isinstance(fleet, dict):
        for coast, text in fleet.items():
            if isinstance(text, str):
                yield f"{key}/{coast}", text


def _borders(
    draft: VariantDraft, kind: str, location: str, text: str, provinces: Mapping[str, Province]
) -> tuple[str, ...]:
    """Return the locations that `text` lists as bordering on `location`, without the wrong ones."""
    where = f"{kind} {location}"
    good: dict[str, None] = {}
    for other in text.split():
        province = provinces.get(province_of(other))
        if province is None:
            draft.wrong(f"{where}: there is no province {other!r}")
        elif province.id == province_of(location):
            draft.wrong(f"{where}: it borders on itself")
        elif kind == "army" and (other != province.id or province.terrain == "sea"):
            draft.wrong(f"{where}: an army cannot be at {other!r}")
        elif kind == "fleet" and (other not in province.locations or province.terrain == "land"):
            choice = f"; it has {', '.join(province.locations)}" if province.coasts else ""
            draft.wrong(f"{where}: a fleet cannot be at {other!r}{choice}")
        elif other in good:
            draft.wrong(f"{where}: {other} is listed twice")
        else:
            good[other] = None
    return tuple(good)


def _check_borders(draft: VariantDraft, only: Collection[tuple[str, str]]) -> None:
    """Borders must be seen from both sides, but for those that go one way `only`, and every
    province must be in reach."""
    board = draft.board
    neighbors: dict[str, set[str]] = {key: set() for key in board.provinces}
    for kind, steps in (("army", board.army), ("fleet", board.fleet)):
        for here, others in steps.items():
            for there in others:
                neighbors[province_of(here)].add(province_of(there))
                neighbors[province_of(there)].add(province_of(here))
                if here not in steps.get(there, ()) and (here, there) not in only:
                    draft.wrong(f"{kind} {there}: {here} borders on it, but not it on {here}")
    apart = sorted(_parts(neighbors), key=len)[:-1]
    lost = (f"{', '.join(sorted(part))}: not in reach of the rest of the board" for part in apart)
    draft.wrong(*lost, *_unreached(board, set().union(*apart)), *_overlapping(board))


def _unreached(board: Board, apart: set[str]) -> Iterator[str]:
    """Coasts that no fleet comes to, from whatever center it starts, and centers that no unit can
    enter; besides the provinces that lie `apart` from all others."""
    afloat = distances(
        board.fleet,
        (
            location
            for each in board.provinces.values()
            if each.supply_center and each.terrain == "coast"
            for location in each.locations
        ),
    )
    for province in (each for each in board.provinces.values() if each.id not in apart):
        coasts = province.locations if province.terrain == "coast" else ()
        shut = [coast for coast in coasts if coast not in afloat or not board.fleet.get(coast)]
        if afloat:
            yield from (f"province {coast}: no fleet can get to this coast" for coast in shut)
        if province.supply_center and len(shut) == len(coasts) and not _entered(board, province.id):
            yield f"province {province.id}: no unit can get to this center"


def _entered(board: Board, center: str) -> bool:
    """Return whether an army comes overland to a center from another one, or from a coast."""
    back: dict[str, list[str]] = {}
    for here, others in board.army.items():
        for there in others:
            back.setdefault(there, []).append(here)
    near = (board.provinces[each] for each in distances(back, [center]) if each != center)
    return any(each.supply_center or each.terrain == "coast" for each in near)


NEAR: Final = 0.5
"""Degrees: provinces whose middles are closer than this overlap on a map."""


def _overlapping(board: Board) -> Iterator[str]:
    placed = [each for each in board.provinces.values() if each.position is not None]
    for one, other in combinations(placed, 2):
        assert one.position is not None
        assert other.position is not None
        if dist(one.position, other.position) < NEAR:
            yield f"position: {one.id} and {other.id} overlap"


def _check_names(draft: VariantDraft) -> None:
    """No two provinces may share an id, a name or an alias, however it is written."""
    names = [
        (province.id, name)
        for province in draft.board.provinces.values()
        for name in (province.id, province.name, *province.aliases)
    ]
    for owner, name in names:
        draft.refuse(f"province {owner}", [(not name_key(name), f"the name {name!r} is empty")])
    draft.check_meanings(names)


def _parts(neighbors: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """Yield the connected parts of a graph."""
    left = set(neighbors)
    while left:
        part = set(distances(neighbors, [next(iter(left))]))
        left -= part
        yield part


def seasonal(draft: VariantDraft) -> Iterator[tuple[str, frozenset[Season]]]:
    """Yield the provinces that are closed in some seasons, with those in which they are open."""
    for province, letters in draft.data.get("seasonal", {}).items():
        try:
            seasons = frozenset(map(Season, letters))
        except (TypeError, ValueError):
            draft.wrong(f"seasonal: {province}: {letters!r} are no seasons like FW")
            continue
        if province not in draft.board.provinces:
            draft.wrong(f"seasonal: there is no province {province!r}")
        yield province, seasons


def canals(draft: VariantDraft) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the canals: two provinces on land and two by water that all border on each other."""
    board = draft.board
    for name, text in draft.data.get("canals", {}).items():
        spaces = tuple(text.split()) if isinstance(text, str) else ()
        if len(set(spaces)) != 4 or not board.provinces.keys() >= set(spaces):
            draft.wrong(f"canals: {name} must join four provinces, not {text!r}")
            continue
        ashore = [here for here in spaces if board.provinces[here].terrain != "sea"]
        for unit, steps, places in (("fleet", board.fleet, spaces), ("army", board.army, ashore)):
            checks = (
                (there not in steps.get(here, ()), f"no {unit} passes between {here} and {there}")
                for here, there in combinations(places, 2)
            )
            draft.refuse(f"canals: {name}", checks)
        yield name, spaces


def impassable(draft: VariantDraft) -> Iterator[tuple[str, str]]:
    """Yield the neighbors that no unit passes between."""
    board = draft.board
    for text in draft.data.get("impassable", ()):
        match text.split():
            case [here, there] if here in board.provinces and there in board.provinces:
                locations = board.provinces[here].locations
                beyond = {end for place in locations for end in board.fleet.get(place, ())}
                if there in {*board.army.get(here, ()), *map(province_of, beyond)}:
                    draft.wrong(f"impassable: {here} and {there} have a border")
                yield here, there
            case _:
                draft.wrong(f"impassable: {text!r} are not two provinces")


def one_way(draft: VariantDraft) -> Iterator[tuple[str, str]]:
    """Yield the borders that units cross from the first location to the second, and never back."""
    ways = draft.board.army, draft.board.fleet
    for text in draft.data.get("one_way", ()):
        here, _, there = text.partition(" ")
        tables = [steps for steps in ways if there in steps.get(here, ())]
        if not tables:
            draft.wrong(f"one_way: {text!r} is no border")
        elif any(here in steps.get(there, ()) for steps in tables):
            draft.wrong(f"one_way: {here} borders on {there} both ways")
        yield here, there


def gates(draft: VariantDraft) -> Iterator[tuple[str, str, str]]:
    """Yield the borders that only the owner of a center crosses, with that center first."""
    board = draft.board
    for text in draft.data.get("gates", ()):
        match text.split():
            case [keeper, here, there] if any(
                there in steps.get(here, ()) for steps in (board.army, board.fleet)
            ):
                if keeper not in board.provinces or not board.provinces[keeper].supply_center:
                    draft.wrong(f"gates: {keeper!r} is no center")
                yield keeper, here, there
            case _:
                draft.wrong(f"gates: {text!r} are not a center and a border")


def _weak(draft: VariantDraft) -> Iterator[tuple[str, str]]:
    """Yield the borders across which only supports count, in both directions, by provinces."""
    steps = {
        (province_of(here), province_of(there))
        for table in (draft.board.army, draft.board.fleet)
        for here, others in table.items()
        for there in others
    }
    for text in draft.data.get("weak", ()):
        here, _, there = text.partition(" ")
        if (here, there) not in steps:
            draft.wrong(f"weak: {text!r} is no border")
        else:
            yield from ((here, there), (there, here))


def unclear(draft: VariantDraft) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the names that would fit several provinces."""
    board = draft.board
    taken = {
        name_key(name): province.id
        for province in board.provinces.values()
        for name in (province.id, province.name, *province.aliases)
    }
    for name, text in draft.data.get("unclear", {}).items():
        where = f"unclear: {name!r}"
        meant = tuple(text.split()) if isinstance(text, str) else ()
        if len(meant) < 2:
            draft.wrong(f"{where} must list two provinces or more, not {text!r}")
        elif unknown := [key for key in meant if key not in board.provinces]:
            draft.wrong(f"{where}: there is no province {unknown[0]!r}")
        elif name_key(name) in taken:
            draft.wrong(f"{where} is the name of {taken[name_key(name)]}")
        else:
            yield name, meant
