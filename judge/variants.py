"""Variants as data: reads the board files in `variants/` and finds everything wrong with them.

A variant is one TOML file; `docs/variants.md` tells the form. Nothing here knows a variant by name.
"""

from __future__ import annotations

import os
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias, cast, get_args

from judge.data import data_directory
from judge.rules.board import COASTS, Board, Province, Terrain, name_key, province_of
from judge.rules.kinds import ANY_WAY, STANDARD, UnitKind, Ways
from judge.rules.lineup import Joins, Lineup
from judge.rules.modules import MODULES
from judge.rules.phase import Calendar, Kind, Phase, Season
from judge.rules.position import Unit
from judge.rules.rulebook import editions
from judge.rules.variant import Variant

Keys: TypeAlias = Mapping[str, type | tuple[type, ...]]

RESERVED_LETTERS = "MO"
"""`M` is the master and `O` the observers wherever powers are named by letters."""

TOP: Keys = {
    "title": str,
    "description": str,
    "board": str,
    "rulebook": str,
    "modules": list,
    "start": str,
    "calendar": str,
    "years": int,
    "ownership": str,
    "victory": int,
    "shared_victory": bool,
    "impassable": list,
    "seasonal": dict,
    "canals": dict,
    "unclear": dict,
    "units": dict,
    "count": dict,
    "powers": dict,
    "provinces": dict,
    "lineups": dict,
}
NEEDED = ("title", "start", "calendar", "victory", "powers", "provinces")
OWN = ("title", "description")
"""What a file that builds on another's board says for itself."""

POWER: Keys = {
    "letter": str,
    "adjective": str,
    "units": str,
    "centers": str,
    "home": str,
    "surplus": int,
    "aliases": list,
}
PROVINCE: Keys = {
    "name": str,
    "type": str,
    "home": str,
    "center": bool,
    "army": str,
    "fleet": (str, dict),
    "aliases": list,
    "position": list,
}
UNIT: Keys = {
    "name": str,
    "plural": str,
    "words": list,
    "moves": str,
    "carries": bool,
    "carried": bool,
    "support": int,
    "supported": bool,
    "retreats": bool,
    "limit": int,
    "bombs": int,
    "launches": bool,
}
LINEUP: Keys = {
    "players": list,
    "standing": str,
    "neutral": str,
    "closed": str,
    "joins": dict,
    "merged": bool,
    "together": bool,
    "rulebook": str,
    "start": str,
    "victory": int,
    "counts": str,
    "lost": str,
    "lots": bool,
    "units": dict,
}
JOINS: Keys = {"power": str, "drawn": str, "since": str}
COUNTS = ("centers", "units")

NUMBERS = ("position",)
"""The lists that hold numbers; all others hold texts."""

COUNT: Keys = {"provinces": int, "centers": int}


class VariantError(ValueError):
    """A variant that cannot be used; `problems` lists everything that is wrong, a sentence each."""

    def __init__(self, name: str, problems: Iterable[str]) -> None:
        self.name = name
        self.problems = list(problems)
        super().__init__("\n".join([f"the variant {name} cannot be used:", *self.problems]))


def directory() -> Path:
    """The folder with the variants that are shipped, in a checkout as well as installed."""
    return data_directory("variants")


def folders() -> list[Path]:
    """All folders with variants, those first that go before others: the folders a keeper names in
    the environment variable JUDGE_VARIANTS, separated as in PATH, then the one that is shipped."""
    own = os.environ.get("JUDGE_VARIANTS", "").split(os.pathsep)
    return [*map(Path, filter(None, own)), directory()]


def names() -> list[str]:
    """The names of all variants there are, in alphabetical order."""
    return sorted({path.stem for folder in folders() for path in folder.glob("*.toml")})


@lru_cache(maxsize=64)
def load(name: str) -> Variant:
    """The variant called `name`, read once however often it is asked for.

    Raises VariantError when there is none of that name or its file is wrong.
    """
    path = _find(name, folders())
    if path is None:
        raise VariantError(name, [f"there is no such variant; there are {', '.join(names())}"])
    return read(path)


def _find(name: str, where: Iterable[Path]) -> Path | None:
    """The file of a variant; None for what is no name. The name may come from outside, and must
    not lead out of the folders."""
    if name_key(name.replace("_", "")) != name.replace("_", ""):
        return None
    files = (folder / f"{name}.toml" for folder in where)
    return next((path for path in files if path.is_file()), None)


def read(path: Path) -> Variant:
    """The variant in the file `path`. Raises VariantError, or OSError when there is no file."""
    reader = _Reader(path)
    variant = reader.variant()
    if variant is None or reader.problems:
        raise VariantError(path.stem, reader.problems)
    return variant


def check(path: Path) -> list[str]:
    """Everything wrong with the variant file `path`, a sentence each; empty when it is fine."""
    reader = _Reader(path)
    reader.variant()
    return reader.problems


class _Reader:
    """Reads one file and gathers problems instead of stopping at the first."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.problems: list[str] = []
        self.data = self.source(path, ())

    def source(self, path: Path, trail: tuple[Path, ...]) -> dict[str, Any]:
        """What a file says, on top of what the file says whose board it builds on."""
        where = "the file" if not trail else f"board {path.stem!r}: the file"
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            self.problems.append(f"{where} is not TOML: {error}")
            return {}
        board = data.get("board")
        if not isinstance(board, str):
            return data
        trail = (*trail, path)
        below = _find(board, (path.parent, *folders()))
        if below is None:
            self.problems.append(f"board: there is no variant {board!r} to build on")
            return {}
        if below in trail:
            self.problems.append(f"board: {board} builds on itself")
            return {}
        if "provinces" in data:
            self.problems.append(f"provinces: they are those of the board {board}")
        return _built(data, self.source(below, trail))

    def variant(self) -> Variant | None:
        """The variant, or None when too much is wrong to build one."""
        if self.problems:
            return None
        data = self.table("the file", self.data, TOP)
        self.problems += [f"{key!r} is missing" for key in NEEDED if key not in self.data]
        powers = {
            name: self.table(f"power {name}", table, POWER)
            for name, table in data.get("powers", {}).items()
        }
        raw = {
            key: self.table(f"province {key}", table, PROVINCE)
            for key, table in data.get("provinces", {}).items()
        }
        homes = self.homes(powers, raw)
        provinces = {key: self.province(key, table, homes) for key, table in raw.items()}
        army = {
            key: self.borders("army", key, table.get("army", ""), provinces)
            for key, table in raw.items()
            if "army" in table or table.get("type") != "sea"
        }
        fleet = {
            location: self.borders("fleet", location, text, provinces)
            for key, table in raw.items()
            for location, text in self.shores(key, table)
        }
        board = Board(provinces, army, fleet, self.kinds(data.get("units")))
        self.check_borders(board)
        self.check_names(board)
        self.check_powers(powers)
        self.check_rules(data)
        impassable = tuple(self.impassable(data.get("impassable", ()), board))
        unclear = dict(self.unclear(data.get("unclear", {}), board))
        canals = dict(self.canals(data.get("canals", {}), board))
        seasonal = dict(self.seasonal(data.get("seasonal", {}), board))
        letters = self.letters(powers)
        start = {name: tuple(self.units(name, table, board)) for name, table in powers.items()}
        centers = {name: self.centers(name, table, board) for name, table in powers.items()}
        self.check_start(start)
        self.check_centers(board, centers, start, powers, data)
        calendar, start_phase = self.calendar(data)
        lineups = self.lineups(data, board, powers, calendar)
        if calendar is None or start_phase is None or self.problems:
            return None
        return Variant(
            name=self.name,
            title=data["title"],
            board=board,
            powers=tuple(powers),
            letters=letters,
            adjectives={name: table.get("adjective", name) for name, table in powers.items()},
            calendar=calendar,
            start_phase=start_phase,
            start=start,
            centers=centers,
            victory=data["victory"],
            shared_victory=data.get("shared_victory", False),
            rulebook=data.get("rulebook", "2023"),
            modules=tuple(data.get("modules", ())),
            description=data.get("description", ""),
            aliases={name: tuple(table.get("aliases", ())) for name, table in powers.items()},
            unclear=unclear,
            impassable=impassable,
            seasonal=seasonal,
            canals=canals,
            lineups=lineups,
        )

    def table(self, where: str, table: object, known: Keys) -> dict[str, Any]:
        """The entries of a table that are known and of the right type; the others are problems."""
        if not isinstance(table, dict):
            self.problems.append(f"{where} must be a table, not {table!r}")
            return {}
        good: dict[str, Any] = {}
        for key, value in table.items():
            if key not in known:
                self.problems.append(
                    f"{where}: there is no key {key!r}; known are {', '.join(known)}"
                )
            elif not isinstance(value, known[key]) or (
                isinstance(value, bool) and known[key] is not bool
            ):
                self.problems.append(f"{where}: {key} cannot be {value!r}")
            elif isinstance(value, list) and key in NUMBERS:
                if [type(item) in (int, float) for item in value] == [True, True]:
                    good[key] = value
                else:
                    self.problems.append(f"{where}: {key} must be two numbers, not {value!r}")
            elif isinstance(value, list) and not all(isinstance(item, str) for item in value):
                self.problems.append(f"{where}: {key} must hold texts only, not {value!r}")
            else:
                good[key] = value
        return good

    def homes(
        self, powers: Mapping[str, Mapping[str, Any]], provinces: Mapping[str, Mapping[str, Any]]
    ) -> dict[str, str]:
        """The powers whose home countries the provinces belong to, by province."""
        homes: dict[str, str] = {}
        for key, table in provinces.items():
            home = table.get("home")
            if home is not None and home in powers:
                homes[key] = home
            elif home is not None:
                self.problems.append(f"province {key}: its home {home!r} is no power")
        for power, table in powers.items():
            for key in table.get("home", "").split():
                if key not in provinces:
                    self.problems.append(f"power {power}: home: there is no province {key!r}")
                elif homes.setdefault(key, power) != power:
                    self.problems.append(f"power {power}: {key} is the home of {homes[key]}")
        return homes

    def province(self, key: str, table: Mapping[str, Any], homes: Mapping[str, str]) -> Province:
        """One province; what its own table says wrong is a problem."""
        where = f"province {key}"
        if not (key.isascii() and key.isalnum() and key == key.lower()):
            self.problems.append(f"{where}: an id is lower-case letters and digits")
        terrain = table.get("type")
        if terrain not in ("land", "coast", "sea"):
            self.problems.append(f"{where}: type must be land, coast or sea, not {terrain!r}")
        if not table.get("name"):
            self.problems.append(f"{where}: it has no name")
        fleet = table.get("fleet")
        coasts: tuple[str, ...] = ()
        if isinstance(fleet, dict):
            coasts = tuple(fleet)
            if terrain != "coast":
                self.problems.append(f"{where}: only a province of type coast has coasts")
            if len(coasts) < 2:
                self.problems.append(f"{where}: a split coast has at least two parts")
            self.problems += [
                f"{where}: {coast!r} is no coast; coasts are {', '.join(COASTS)}"
                for coast in coasts
                if coast not in COASTS
            ]
            self.problems += [
                f"{where}: fleet.{coast} cannot be {value!r}"
                for coast, value in fleet.items()
                if not isinstance(value, str)
            ]
        if terrain == "land" and fleet:
            self.problems.append(f"{where}: a fleet cannot come inland")
        if terrain == "sea" and "army" in table:
            self.problems.append(f"{where}: an army cannot go to sea")
        if terrain == "coast" and not fleet:
            self.problems.append(f"{where}: a coast needs fleet borders")
        return Province(
            id=key,
            name=table.get("name", key),
            terrain=cast(Terrain, terrain),
            supply_center=table.get("center", False),
            home=homes.get(key),
            coasts=coasts,
            aliases=tuple(alias.casefold() for alias in table.get("aliases", ())),
            position=tuple(table["position"]) if "position" in table else None,
        )

    def shores(self, key: str, table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Where a fleet can stand in a province, each with its borders as written."""
        fleet = table.get("fleet")
        if isinstance(fleet, str):
            yield key, fleet
        elif isinstance(fleet, dict):
            for coast, text in fleet.items():
                if isinstance(text, str):
                    yield f"{key}/{coast}", text

    def borders(
        self, kind: str, location: str, text: str, provinces: Mapping[str, Province]
    ) -> tuple[str, ...]:
        """The locations that `text` lists as bordering on `location`, without the wrong ones."""
        where = f"{kind} {location}"
        good: dict[str, None] = {}
        for other in text.split():
            province = provinces.get(province_of(other))
            if province is None:
                self.problems.append(f"{where}: there is no province {other!r}")
            elif province.id == province_of(location):
                self.problems.append(f"{where}: it borders on itself")
            elif kind == "army" and (other != province.id or province.terrain == "sea"):
                self.problems.append(f"{where}: an army cannot be at {other!r}")
            elif kind == "fleet" and (
                other not in province.locations or province.terrain == "land"
            ):
                choice = f"; it has {', '.join(province.locations)}" if province.coasts else ""
                self.problems.append(f"{where}: a fleet cannot be at {other!r}{choice}")
            elif other in good:
                self.problems.append(f"{where}: {other} is listed twice")
            else:
                good[other] = None
        return tuple(good)

    def check_borders(self, board: Board) -> None:
        """Borders must be seen from both sides, and every province must be in reach."""
        neighbors: dict[str, set[str]] = {key: set() for key in board.provinces}
        for kind, steps in (("army", board.army), ("fleet", board.fleet)):
            for here, others in steps.items():
                for there in others:
                    neighbors[province_of(here)].add(province_of(there))
                    neighbors[province_of(there)].add(province_of(here))
                    if here not in steps.get(there, ()):
                        self.problems.append(
                            f"{kind} {there}: {here} borders on it, but not it on {here}"
                        )
        parts = list(_parts(neighbors))
        for part in sorted(parts, key=len)[:-1]:
            self.problems.append(
                f"{', '.join(sorted(part))}: not in reach of the rest of the board"
            )

    def check_names(self, board: Board) -> None:
        """No two provinces may share an id, a name or an alias, however it is written."""
        meanings: dict[str, dict[str, str]] = defaultdict(dict)
        for province in board.provinces.values():
            for name in (province.id, province.name, *province.aliases):
                if not (key := name_key(name)):
                    self.problems.append(f"province {province.id}: the name {name!r} is empty")
                meanings[key].setdefault(province.id, name)
        for owners in meanings.values():
            if len(owners) > 1:
                name = next(iter(owners.values()))
                self.problems.append(f"{name!r} would mean {' and '.join(owners)}")

    def check_powers(self, powers: Mapping[str, Mapping[str, Any]]) -> None:
        """No two powers may share a name, an adjective or an alias."""
        meanings: dict[str, dict[str, str]] = defaultdict(dict)
        for power, table in powers.items():
            for name in (power, table.get("adjective", power), *table.get("aliases", ())):
                meanings[name_key(name)].setdefault(power, name)
        for owners in meanings.values():
            if len(owners) > 1:
                name = next(iter(owners.values()))
                self.problems.append(f"{name!r} would mean {' and '.join(owners)}")

    def check_rules(self, data: Mapping[str, Any]) -> None:
        """The rulebook and the rule modules must be there."""
        rulebook = data.get("rulebook", "2023")
        if rulebook not in editions():
            self.problems.append(
                f"rulebook: there is no {rulebook!r}; there are {', '.join(editions())}"
            )
        self.problems += [
            f"modules: there is no rule module {name!r}; there are {', '.join(MODULES)}"
            for name in data.get("modules", ())
            if name not in MODULES
        ]
        launching = [
            letter
            for letter, kind in data.get("units", {}).items()
            if isinstance(kind, dict) and kind.get("launches")
        ]
        if launching and not any(
            "strikes" in MODULES.get(name, ()) for name in data.get("modules", ())
        ):
            self.problems.append(f"unit {launching[0]}: it launches bombs, without a rule module")

    def kinds(self, data: Mapping[str, Any] | None) -> Mapping[str, UnitKind]:
        """The kinds of units by their letters: armies and fleets unless the file names others."""
        if data is None:
            return STANDARD
        kinds: dict[str, UnitKind] = {}
        meanings: dict[str, str] = {}
        for letter, entries in data.items():
            where = f"unit {letter}"
            table = self.table(where, entries, UNIT)
            self.problems += [
                f"{where}: {key!r} is missing" for key in ("name", "plural") if not table.get(key)
            ]
            if not (letter.isascii() and letter.isalpha() and letter.isupper()):
                self.problems.append(f"{where}: a letter is one or more capital letters")
            if table.get("moves", "army") not in get_args(Ways):
                self.problems.append(f"{where}: moves must be army, fleet or none")
            for key in ("support", "bombs"):
                if table.get(key, 0) not in (0, 1, ANY_WAY):
                    self.problems.append(f"{where}: {key} must be 0, 1 or 2 spaces")
            table["words"] = tuple(word.casefold() for word in table.get("words", ()))
            kind = kinds[letter] = UnitKind(letter, **({"name": letter, "plural": letter} | table))
            for word in {letter.casefold(), kind.name, kind.plural, *kind.words}:
                if meanings.setdefault(word, letter) != letter:
                    self.problems.append(f"{where}: {word!r} means {meanings[word]}, too")
        if not any(kind.moves == "army" for kind in kinds.values()):
            self.problems.append("units: there must be one that moves as an army")
        return kinds

    def seasonal(
        self, table: Mapping[str, Any], board: Board
    ) -> Iterator[tuple[str, frozenset[Season]]]:
        """The provinces that are closed in some seasons, with those in which they are open."""
        for province, letters in table.items():
            try:
                seasons = frozenset(map(Season, letters))
            except (TypeError, ValueError):
                self.problems.append(f"seasonal: {province}: {letters!r} are no seasons like FW")
                continue
            if province not in board.provinces:
                self.problems.append(f"seasonal: there is no province {province!r}")
            yield province, seasons

    def canals(
        self, table: Mapping[str, Any], board: Board
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The canals: two provinces on land and two by water that all border on each other."""
        for name, text in table.items():
            spaces = tuple(text.split()) if isinstance(text, str) else ()
            if len(set(spaces)) != 4 or not board.provinces.keys() >= set(spaces):
                self.problems.append(f"canals: {name} must join four provinces, not {text!r}")
                continue
            self.problems += [
                f"canals: {name}: no fleet passes between {here} and {there}"
                for here, there in combinations(spaces, 2)
                if there not in board.fleet.get(here, ())
            ]
            ashore = [here for here in spaces if board.provinces[here].terrain != "sea"]
            self.problems += [
                f"canals: {name}: no army passes between {here} and {there}"
                for here, there in combinations(ashore, 2)
                if there not in board.army.get(here, ())
            ]
            yield name, spaces

    def impassable(self, pairs: Iterable[str], board: Board) -> Iterator[tuple[str, str]]:
        """The neighbors that no unit passes between."""
        for text in pairs:
            match text.split():
                case [here, there] if here in board.provinces and there in board.provinces:
                    locations = board.provinces[here].locations
                    beyond = {end for place in locations for end in board.fleet.get(place, ())}
                    if there in {*board.army.get(here, ()), *map(province_of, beyond)}:
                        self.problems.append(f"impassable: {here} and {there} have a border")
                    yield here, there
                case _:
                    self.problems.append(f"impassable: {text!r} are not two provinces")

    def unclear(
        self, table: Mapping[str, Any], board: Board
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
                self.problems.append(f"{where} must list two provinces or more, not {text!r}")
            elif unknown := [key for key in meant if key not in board.provinces]:
                self.problems.append(f"{where}: there is no province {unknown[0]!r}")
            elif name_key(name) in taken:
                self.problems.append(f"{where} is the name of {taken[name_key(name)]}")
            else:
                yield name, meant

    def letters(self, powers: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
        """The powers by their letters."""
        letters: dict[str, str] = {}
        for name, table in powers.items():
            letter = table.get("letter", name[:1]).upper()
            if len(letter) != 1 or not letter.isalnum():
                self.problems.append(f"power {name}: {letter!r} is not one letter or digit")
            elif letter in RESERVED_LETTERS:
                self.problems.append(
                    f"power {name}: the letter {letter} stands for the master (M) or observers (O)"
                )
            elif letter in letters:
                self.problems.append(
                    f"power {name}: the letter {letter} belongs to {letters[letter]}"
                )
            else:
                letters[letter] = name
        return letters

    def units(self, power: str, table: Mapping[str, Any], board: Board) -> Iterator[Unit]:
        """The units a power starts with, without the impossible ones."""
        for text in filter(None, map(str.strip, table.get("units", "").split(","))):
            kind, _, location = text.partition(" ")
            location = location.strip()
            where = f"power {power}: {text!r} cannot start there"
            province = board.provinces.get(province_of(location))
            if province is None:
                self.problems.append(f"{where}; there is no province {location!r}")
            elif kind not in board.kinds:
                self.problems.append(f"{where}; {kind!r} is no type of unit")
            elif not board.stands(kind, location):
                needed = f"one of {', '.join(province.locations)}" if province.coasts else "water"
                if not board.kind(kind).afloat:
                    needed = "land under its feet"
                self.problems.append(f"{where}; {board.kind(kind).one} needs {needed}")
            else:
                yield Unit(kind, location)

    def centers(self, power: str, table: Mapping[str, Any], board: Board) -> tuple[str, ...]:
        """The centers a power starts with: those it lists, else those of its home country."""
        if "centers" not in table:
            return tuple(
                province.id
                for province in board.provinces.values()
                if province.supply_center and province.home == power
            )
        listed = tuple(table["centers"].split())
        self.problems += [
            f"power {power}: {key!r} is no supply center"
            for key in listed
            if key not in board.provinces or not board.provinces[key].supply_center
        ]
        return listed

    def check_start(self, start: Mapping[str, tuple[Unit, ...]]) -> None:
        """Two units cannot start in one province."""
        places: dict[str, str] = {}
        for power, units in start.items():
            for unit in units:
                if unit.province in places:
                    self.problems.append(
                        f"power {power}: {unit} cannot start where {places[unit.province]} stands"
                    )
                places.setdefault(unit.province, f"{power}'s {unit}")

    def check_centers(
        self,
        board: Board,
        centers: Mapping[str, tuple[str, ...]],
        start: Mapping[str, tuple[Unit, ...]],
        powers: Mapping[str, Mapping[str, Any]],
        data: Mapping[str, Any],
    ) -> None:
        """What is counted must add up: centers, owners, units, victory."""
        total = sum(province.supply_center for province in board.provinces.values())
        counted = {"provinces": len(board.provinces), "centers": total}
        for key, number in self.table("count", data.get("count", {}), COUNT).items():
            if counted[key] != number:
                self.problems.append(f"count: {number} {key} announced, {counted[key]} found")
        owners: dict[str, str] = {}
        for power, owned in centers.items():
            if not owned:
                self.problems.append(f"power {power}: it has no center")
            for key in owned:
                if owners.setdefault(key, power) != power:
                    self.problems.append(f"power {power}: {key} belongs to {owners[key]} already")
            if len(start[power]) > len(owned) + powers[power].get("surplus", 0):
                self.problems.append(
                    f"power {power}: {len(start[power])} units cannot live on {len(owned)} centers"
                )
        victory = data.get("victory", 1)
        largest = max((len(owned) for owned in centers.values()), default=0)
        if not largest < victory <= total:
            self.problems.append(
                f"victory: {victory} must be more than the {largest} centers a power starts with "
                f"and not more than the {total} there are"
            )

    def lineups(
        self,
        data: Mapping[str, Any],
        board: Board,
        powers: Mapping[str, object],
        calendar: Calendar | None,
    ) -> dict[str, Lineup]:
        """The games for fewer players."""
        found = {}
        for name, raw in data.get("lineups", {}).items():
            table = self.table(f"lineup {name}", raw, LINEUP)
            found[name] = self.lineup(name, table, board, powers, calendar)
        return found

    def lineup(
        self,
        name: str,
        table: Mapping[str, Any],
        board: Board,
        powers: Mapping[str, object],
        calendar: Calendar | None,
    ) -> Lineup:
        """One way for fewer people to play."""
        where = f"lineup {name}"
        number = name.partition("-")[0]
        neutral = _listed(table.get("neutral", ""))
        standing = (*_listed(table.get("standing", "")), *neutral)
        rest = [power for power in powers if power not in standing]
        groups = [_listed(text) for text in table.get("players", rest)]
        lots = int(number) if table.get("lots") and number.isdecimal() else 0
        if lots:
            groups = []
            if "players" in table or not 0 < lots <= len(rest):
                self.problems.append(f"{where}: lots give its players their powers, {lots} of them")
        named = [power for group in (*groups, standing) for power in group]
        self.problems += [
            f"{where}: there is no power {power!r}"
            for power in dict.fromkeys(named)
            if power not in powers
        ]
        self.problems += [
            f"{where}: {power} is named {named.count(power)} times"
            for power in powers
            if named.count(power) != 1 and not (lots and power in rest)
        ]
        if not number.isdecimal() or int(number) != (lots or len(groups)):
            self.problems.append(
                f"{where}: its name must begin with the number of players, {len(groups)}"
            )
        closed = tuple(table.get("closed", "").split())
        lost = tuple(table.get("lost", "").split())
        self.problems += [
            f"{where}: there is no province {key!r}"
            for key in (*closed, *lost)
            if key not in board.provinces
        ]
        self.problems += [
            f"{where}: {key} is no supply center, so it cannot be lost"
            for key in lost
            if key in board.provinces and not board.provinces[key].supply_center
        ]
        if (rulebook := table.get("rulebook")) is not None and rulebook not in editions():
            self.problems.append(f"{where}: there is no rulebook {rulebook!r}")
        if (counts := table.get("counts")) is not None and counts not in COUNTS:
            self.problems.append(f"{where}: counts must be {' or '.join(COUNTS)}, not {counts!r}")
        total = sum(each.supply_center for each in board.provinces.values()) - len(set(lost))
        if (victory := table.get("victory")) is not None and not 0 < victory <= total:
            self.problems.append(
                f"{where}: victory: {victory} is more than the {total} centers there are, or none"
            )
        joins = None
        if "joins" in table:
            told = self.table(f"{where}: joins", table["joins"], JOINS)
            drawn = self.phase(f"{where}: joins.drawn", told.get("drawn", ""), calendar)
            since = self.phase(f"{where}: joins.since", told.get("since", ""), calendar)
            if (power := told.get("power", "")) not in neutral:
                self.problems.append(f"{where}: joins: {power!r} is not neutral")
            if drawn and since:
                joins = Joins(power, drawn, since)
        start = table.get("start")
        country = [key for key, each in board.provinces.items() if each.home in neutral]
        return Lineup(
            name=name,
            groups=tuple(groups),
            standing=standing,
            closed=tuple(dict.fromkeys((*closed, *country))),
            merged=table.get("merged", False),
            together=table.get("together", False),
            rulebook=rulebook,
            start=None if start is None else self.phase(f"{where}: start", start, calendar),
            victory=table.get("victory"),
            counts=counts,
            lost=lost,
            units=dict(self.placed(where, table.get("units", {}), board, powers)),
            joins=joins,
            lots=lots,
        )

    def placed(
        self, where: str, table: Mapping[str, object], board: Board, powers: Mapping[str, object]
    ) -> Iterator[tuple[str, tuple[Unit, ...]]]:
        """The units with which powers start in a game for fewer players."""
        for power, text in table.items():
            if power not in powers or not isinstance(text, str):
                self.problems.append(f"{where}: units: {power} = {text!r} is no power with units")
            else:
                yield power, tuple(self.units(power, {"units": text}, board))

    def phase(self, where: str, text: str, calendar: Calendar | None) -> Phase | None:
        """The phase a text names, if the calendar has it."""
        try:
            phase = Phase.read(text)
        except ValueError as error:
            self.problems.append(f"{where}: {error}")
            return None
        if calendar is not None and not calendar.knows(phase):
            self.problems.append(f"{where}: the calendar has no phase like {phase}")
        return phase

    def calendar(self, data: Mapping[str, Any]) -> tuple[Calendar | None, Phase | None]:
        """The phases of a year, and the first phase of the game."""
        steps: list[tuple[Season, Kind]] = []
        for step in data.get("calendar", "").split():
            try:
                season, kind = step
                steps.append((Season(season), Kind(kind)))
            except ValueError:
                self.problems.append(f"calendar: {step!r} is not a phase like SM, FR or WA")
        if not data.get("calendar", "-").strip():
            self.problems.append("calendar: it has no phases; a common year is SM SR FM FR WA")
        if len(set(steps)) < len(steps):
            self.problems.append("calendar: a phase occurs twice")
        seasons = {season.value: season for season, _ in steps}
        owning = data.get("ownership", "F")
        self.problems += [
            f"ownership: the calendar has no season {letter!r}"
            for letter in owning
            if steps and letter not in seasons
        ]
        if not steps:
            return None, None
        if (years := data.get("years", 1)) < 1:
            self.problems.append(f"years: a cycle takes one year or more, not {years}")
        calendar = Calendar(
            tuple(steps),
            frozenset(seasons[letter] for letter in owning if letter in seasons),
            years,
        )
        return calendar, self.phase("start", data.get("start", ""), calendar)


def _built(data: Mapping[str, Any], below: Mapping[str, Any]) -> dict[str, Any]:
    """A file on top of the one whose board it builds on.

    It takes over whatever it does not say itself but the title and the description. Powers are
    those it lists, each on top of the power of that name below, if it lists any; the country of a
    power that does not play is nobody's home. Games for fewer players are taken over where the
    powers are the same.
    """
    merged = {key: value for key, value in below.items() if key not in OWN} | dict(data)
    listed, known = data.get("powers"), below.get("powers")
    provinces = below.get("provinces")
    if isinstance(listed, dict) and isinstance(known, dict):
        merged["powers"] = {
            name: known[name] | table
            if isinstance(table, dict) and isinstance(known.get(name), dict)
            else table
            for name, table in listed.items()
        }
        if set(listed) != set(known) and "lineups" not in data:
            merged.pop("lineups", None)
    powers = list(merged["powers"]) if isinstance(merged.get("powers"), dict) else []
    if isinstance(provinces, dict):
        merged["provinces"] = {
            key: {name: entry for name, entry in table.items() if name != "home" or entry in powers}
            if isinstance(table, dict)
            else table
            for key, table in provinces.items()
        }
    return merged


def _listed(text: str) -> tuple[str, ...]:
    """The names in a list with commas."""
    return tuple(filter(None, map(str.strip, text.split(","))))


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
