"""The provinces of a board: their kinds and coasts, the borders between them, and canals."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from math import dist
from typing import Any, Final, cast

from judge.rules.board import COASTS, Board, Province, Terrain, name_key, province_of
from judge.rules.phase import Season
from judge.variants.keys import PROVINCE, check_meanings, entries
from judge.variants.powers import kinds


def whole_board(
    problems: list[str], data: Mapping[str, Any], powers: Mapping[str, Mapping[str, Any]]
) -> Board:
    """The board; everything wrong with it is added to `problems`."""
    raw = {
        key: entries(problems, f"province {key}", table, PROVINCE)
        for key, table in data.get("provinces", {}).items()
    }
    owners = homes(problems, powers, raw)
    provinces = {key: province(problems, key, table, owners) for key, table in raw.items()}
    army = {
        key: borders(problems, "army", key, table.get("army", ""), provinces)
        for key, table in raw.items()
        if "army" in table or table.get("type") != "sea"
    }
    fleet = {
        location: borders(problems, "fleet", location, text, provinces)
        for key, table in raw.items()
        for location, text in shores(key, table)
    }
    board = Board(provinces, army, fleet, kinds(problems, data.get("units")))
    board = replace(board, weak=frozenset(weak(problems, data.get("weak", ()), board)))
    check_borders(problems, board, set(one_way(problems, data.get("one_way", ()), board)))
    check_names(problems, board)
    return board


def homes(
    problems: list[str],
    powers: Mapping[str, Mapping[str, Any]],
    provinces: Mapping[str, Mapping[str, Any]],
) -> dict[str, str]:
    """The powers whose home countries the provinces belong to, by province."""
    homes: dict[str, str] = {}
    for key, table in provinces.items():
        home = table.get("home")
        if home is not None and home in powers:
            homes[key] = home
        elif home is not None:
            problems.append(f"province {key}: its home {home!r} is no power")
    for power, table in powers.items():
        for key in table.get("home", "").split():
            if key not in provinces:
                problems.append(f"power {power}: home: there is no province {key!r}")
            elif homes.setdefault(key, power) != power:
                problems.append(f"power {power}: {key} is the home of {homes[key]}")
    return homes


def province(
    problems: list[str], key: str, table: Mapping[str, Any], homes: Mapping[str, str]
) -> Province:
    """One province; what its own table says wrong is a problem."""
    where = f"province {key}"
    if not (key.isascii() and key.isalnum() and key == key.lower()):
        problems.append(f"{where}: an id is lower-case letters and digits")
    terrain = table.get("type")
    if terrain not in ("land", "coast", "sea"):
        problems.append(f"{where}: type must be land, coast or sea, not {terrain!r}")
    if not table.get("name"):
        problems.append(f"{where}: it has no name")
    fleet = table.get("fleet")
    coasts: tuple[str, ...] = ()
    if isinstance(fleet, dict):
        coasts = tuple(fleet)
        if terrain != "coast":
            problems.append(f"{where}: only a province of type coast has coasts")
        if len(coasts) < 2:
            problems.append(f"{where}: a split coast has at least two parts")
        problems += [
            f"{where}: {coast!r} is no coast; coasts are {', '.join(COASTS)}, or a word"
            for coast in coasts
            if coast not in COASTS and not (coast.isascii() and coast.isalpha() and len(coast) > 2)
        ]
        problems += [
            f"{where}: fleet.{coast} cannot be {value!r}"
            for coast, value in fleet.items()
            if not isinstance(value, str)
        ]
    if terrain != "coast" and table.get("convoys"):
        problems.append(f"{where}: only on a coast need it be said that fleets convoy")
    if terrain == "land" and fleet:
        problems.append(f"{where}: a fleet cannot come inland")
    if terrain == "sea" and "army" in table:
        problems.append(f"{where}: an army cannot go to sea")
    if terrain == "coast" and not fleet:
        problems.append(f"{where}: a coast needs fleet borders")
    return Province(
        id=key,
        name=table.get("name", key),
        terrain=cast(Terrain, terrain),
        supply_center=table.get("center", False),
        home=homes.get(key),
        coasts=coasts,
        aliases=tuple(alias.casefold() for alias in table.get("aliases", ())),
        convoys=table.get("convoys", False),
        position=tuple(table["position"]) if "position" in table else None,
    )


def shores(key: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Where a fleet can stand in a province, each with its borders as written."""
    fleet = table.get("fleet")
    if isinstance(fleet, str):
        yield key, fleet
    elif isinstance(fleet, dict):
        for coast, text in fleet.items():
            if isinstance(text, str):
                yield f"{key}/{coast}", text


def borders(
    problems: list[str], kind: str, location: str, text: str, provinces: Mapping[str, Province]
) -> tuple[str, ...]:
    """The locations that `text` lists as bordering on `location`, without the wrong ones."""
    where = f"{kind} {location}"
    good: dict[str, None] = {}
    for other in text.split():
        province = provinces.get(province_of(other))
        if province is None:
            problems.append(f"{where}: there is no province {other!r}")
        elif province.id == province_of(location):
            problems.append(f"{where}: it borders on itself")
        elif kind == "army" and (other != province.id or province.terrain == "sea"):
            problems.append(f"{where}: an army cannot be at {other!r}")
        elif kind == "fleet" and (other not in province.locations or province.terrain == "land"):
            choice = f"; it has {', '.join(province.locations)}" if province.coasts else ""
            problems.append(f"{where}: a fleet cannot be at {other!r}{choice}")
        elif other in good:
            problems.append(f"{where}: {other} is listed twice")
        else:
            good[other] = None
    return tuple(good)


def check_borders(problems: list[str], board: Board, only: Collection[tuple[str, str]]) -> None:
    """Borders must be seen from both sides, but for those that go one way `only`, and every
    province must be in reach."""
    neighbors: dict[str, set[str]] = {key: set() for key in board.provinces}
    for kind, steps in (("army", board.army), ("fleet", board.fleet)):
        for here, others in steps.items():
            for there in others:
                neighbors[province_of(here)].add(province_of(there))
                neighbors[province_of(there)].add(province_of(here))
                if here not in steps.get(there, ()) and (here, there) not in only:
                    problems.append(f"{kind} {there}: {here} borders on it, but not it on {here}")
    apart = sorted(_parts(neighbors), key=len)[:-1]
    problems += [
        f"{', '.join(sorted(part))}: not in reach of the rest of the board" for part in apart
    ]
    problems += _unreached(board, set().union(*apart))
    problems += _overlapping(board)


def _unreached(board: Board, apart: set[str]) -> Iterator[str]:
    """Coasts that no fleet comes to, from whatever center it starts, and centers that no unit can
    enter; besides the provinces that lie `apart` from all others."""
    afloat = _closure(
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
    """Whether an army comes overland to a center from another one, or from a coast."""
    back: dict[str, list[str]] = {}
    for here, others in board.army.items():
        for there in others:
            back.setdefault(there, []).append(here)
    near = _closure({there: tuple(others) for there, others in back.items()}, [center]) - {center}
    spaces = map(board.provinces.__getitem__, near)
    return any(each.supply_center or each.terrain == "coast" for each in spaces)


def _closure(steps: Mapping[str, tuple[str, ...]], start: Iterable[str]) -> set[str]:
    """The locations that can be reached from some, these included."""
    found: set[str] = set()
    edge = set(start)
    while edge:
        found |= edge
        edge = {there for here in edge for there in steps.get(here, ())} - found
    return found


NEAR: Final = 0.5
"""Degrees: provinces whose middles are closer than this overlap on a map."""


def _overlapping(board: Board) -> Iterator[str]:
    placed = [each for each in board.provinces.values() if each.position is not None]
    for one, other in combinations(placed, 2):
        assert one.position is not None
        assert other.position is not None
        if dist(one.position, other.position) < NEAR:
            yield f"position: {one.id} and {other.id} overlap"


def check_names(problems: list[str], board: Board) -> None:
    """No two provinces may share an id, a name or an alias, however it is written."""
    names = [
        (province.id, name)
        for province in board.provinces.values()
        for name in (province.id, province.name, *province.aliases)
    ]
    problems += [
        f"province {owner}: the name {name!r} is empty"
        for owner, name in names
        if not name_key(name)
    ]
    check_meanings(problems, names)


def _parts(neighbors: Mapping[str, set[str]]) -> Iterator[set[str]]:
    """The connected parts of a graph."""
    left = set(neighbors)
    while left:
        part: set[str] = set()
        edge = {left.pop()}
        while edge:
            part |= edge
            edge = set().union(*(neighbors[here] for here in edge)) - part
        left -= part
        yield part


def seasonal(
    problems: list[str], table: Mapping[str, Any], board: Board
) -> Iterator[tuple[str, frozenset[Season]]]:
    """The provinces that are closed in some seasons, with those in which they are open."""
    for province, letters in table.items():
        try:
            seasons = frozenset(map(Season, letters))
        except (TypeError, ValueError):
            problems.append(f"seasonal: {province}: {letters!r} are no seasons like FW")
            continue
        if province not in board.provinces:
            problems.append(f"seasonal: there is no province {province!r}")
        yield province, seasons


def canals(
    problems: list[str], table: Mapping[str, Any], board: Board
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The canals: two provinces on land and two by water that all border on each other."""
    for name, text in table.items():
        spaces = tuple(text.split()) if isinstance(text, str) else ()
        if len(set(spaces)) != 4 or not board.provinces.keys() >= set(spaces):
            problems.append(f"canals: {name} must join four provinces, not {text!r}")
            continue
        problems += [
            f"canals: {name}: no fleet passes between {here} and {there}"
            for here, there in combinations(spaces, 2)
            if there not in board.fleet.get(here, ())
        ]
        ashore = [here for here in spaces if board.provinces[here].terrain != "sea"]
        problems += [
            f"canals: {name}: no army passes between {here} and {there}"
            for here, there in combinations(ashore, 2)
            if there not in board.army.get(here, ())
        ]
        yield name, spaces


def impassable(
    problems: list[str], pairs: Iterable[str], board: Board
) -> Iterator[tuple[str, str]]:
    """The neighbors that no unit passes between."""
    for text in pairs:
        match text.split():
            case [here, there] if here in board.provinces and there in board.provinces:
                locations = board.provinces[here].locations
                beyond = {end for place in locations for end in board.fleet.get(place, ())}
                if there in {*board.army.get(here, ()), *map(province_of, beyond)}:
                    problems.append(f"impassable: {here} and {there} have a border")
                yield here, there
            case _:
                problems.append(f"impassable: {text!r} are not two provinces")


def one_way(problems: list[str], pairs: Iterable[str], board: Board) -> Iterator[tuple[str, str]]:
    """The borders that units cross from the first location to the second, and never back."""
    for text in pairs:
        here, _, there = text.partition(" ")
        tables = [steps for steps in (board.army, board.fleet) if there in steps.get(here, ())]
        if not tables:
            problems.append(f"one_way: {text!r} is no border")
        elif any(here in steps.get(there, ()) for steps in tables):
            problems.append(f"one_way: {here} borders on {there} both ways")
        yield here, there


def gates(
    problems: list[str], triples: Iterable[str], board: Board
) -> Iterator[tuple[str, str, str]]:
    """The borders that only the owner of a center crosses, with that center first."""
    for text in triples:
        match text.split():
            case [keeper, here, there] if any(
                there in steps.get(here, ()) for steps in (board.army, board.fleet)
            ):
                if keeper not in board.provinces or not board.provinces[keeper].supply_center:
                    problems.append(f"gates: {keeper!r} is no center")
                yield keeper, here, there
            case _:
                problems.append(f"gates: {text!r} are not a center and a border")


def weak(problems: list[str], pairs: Iterable[str], board: Board) -> Iterator[tuple[str, str]]:
    """The borders across which only supports count, in both directions, by provinces."""
    tables = (board.army, board.fleet)
    steps = {
        (province_of(here), province_of(there))
        for table in tables
        for here, others in table.items()
        for there in others
    }
    for text in pairs:
        here, _, there = text.partition(" ")
        if (here, there) not in steps:
            problems.append(f"weak: {text!r} is no border")
        else:
            yield from ((here, there), (there, here))


def unclear(
    problems: list[str], table: Mapping[str, Any], board: Board
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names that would fit several provinces."""
    taken = {
        name_key(name): province.id
        for province in board.provinces.values()
        for name in (province.id, province.name, *province.aliases)
    }
    for name, text in table.items():
        where = f"unclear: {name!r}"
        meant = tuple(text.split()) if isinstance(text, str) else ()
        if len(meant) < 2:
            problems.append(f"{where} must list two provinces or more, not {text!r}")
        elif unknown := [key for key in meant if key not in board.provinces]:
            problems.append(f"{where}: there is no province {unknown[0]!r}")
        elif name_key(name) in taken:
            problems.append(f"{where} is the name of {taken[name_key(name)]}")
        else:
            yield name, meant
