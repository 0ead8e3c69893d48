"""Games in the formats of others: saved games of the package `diplomacy`, the text files of godip
and of jDip's tests, and centers by year as CSV.

What is read is played again; where a file tells of something else than the engine does, that is a
doubt, and the game goes on from what the file says.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from judge.interchange.codec import Codec
from judge.interchange.game_files import (
    FORMAT,
    VERSION,
    PlayedGame,
    PlayedPhase,
    Replay,
    read_game_file,
    readable,
    results_of,
    years_of,
)
from judge.interchange.position_objects import read_variant
from judge.interchange.stored_values import position_to_json
from judge.interchange.text import InterchangeError, an_object, parse, refuse, shown
from judge.rules.board import Board
from judge.rules.engine import owed
from judge.rules.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from judge.rules.phase import Kind, Phase, Season
from judge.rules.position import Dislodged, Position, Unit
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant

PACKAGE_NAMES = {"gol": "LYO", "mid": "MAO", "nat": "NAO", "nrg": "NWG", "tyn": "TYS"}
"""What the package calls provinces that have another id here."""

_MAP = "standard"
"""The board of the games of others that are read, as it is called here and there."""

_SEASONS = {"Spring": Season.SPRING, "Summer": Season.SUMMER, "Fall": Season.FALL,
            "Winter": Season.WINTER, "Year": Season.SPRING}  # fmt: skip
_KINDS = {"Movement": Kind.MOVEMENT, "Retreat": Kind.RETREATS, "Adjustment": Kind.ADJUSTMENTS}


def read_game(raw: bytes, board: str = "standard") -> PlayedGame:
    """Read a game in any of these formats, on this board where the file does not name one. Raises
    InterchangeError."""
    text = raw.lstrip()
    with readable():
        if text.startswith(b"PHASE"):
            return _read_godip(raw.decode("utf-8-sig", "replace"), board)
        if not text.startswith(b"{"):
            problem = "is no game file, no saved game of `diplomacy`, and no game of godip"
            refuse("the file", problem)
        data = an_object(parse(raw, "the file"))
        if data.get("format") == FORMAT or "phases" not in data:
            return read_game_file(raw, signed=False)
        return _read_saved(data)


# Saved games of the package `diplomacy`


def _read_saved(data: Mapping[str, Any]) -> PlayedGame:
    if (name := data.get("map", _MAP)) != _MAP:
        refuse("map", f"games on {shown(name)} are not read; those on {_MAP} are")
    variant = read_variant(_MAP)
    replay = Replay(str(data.get("id", "game")), variant, Rulebook.edition("2023"))
    phases, winners = list(data["phases"]) or refuse("phases", "there are none"), []
    for number, each in enumerate(phases):
        with readable(f"phases[{number}]"):
            following = phases[number + 1]["name"] if number + 1 < len(phases) else None
            if following == each["name"]:
                # Cicero's files have an open position, and then the phase as it was played.
                continue
            if not re.fullmatch(r"[SFW]\d+[MRA]", each["name"]):
                # `COMPLETED` is where everything ended.
                replay.ends(_saved_position(each["state"]))
                named = re.findall(r"\b[A-Z]{3}\b", each["state"].get("note", ""))
                winners = [power for power in variant.powers if power[:3].upper() in named]
                break
            replay.opens(Phase.read(each["name"]), _saved_position(each["state"]))
            given = {power: lines for power, lines in each["orders"].items() if lines}
            orders = _with_routes(_with_removals(each, given))
            if orders or following is not None:
                replay.orders(orders)
    return replay.over(winners)


def _with_removals(phase: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the orders of a phase with the units that the package removed by itself, by a rule of
    its own: it names them among the results."""
    orders = {power: list(lines) for power, lines in given.items()}
    if phase["name"].endswith("A"):
        for power, units in phase["state"]["units"].items():
            told = [f"{each} D" for each in units if each in phase.get("results", ())]
            if gone := [each for each in told if each not in orders.get(power, ())]:
                orders.setdefault(power, []).extend(gone)
    return orders


def _with_routes(orders: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return orders of the package as it takes them: an army that is to go VIA convoy goes by land
    where no fleet was ordered to carry it."""
    left = _left_ashore(orders)
    return {
        power: [each.removesuffix(" VIA") if each in left else each for each in lines]
        for power, lines in orders.items()
    }


def _left_ashore(orders: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the orders to go VIA convoy of armies that no fleet was ordered to carry."""
    every = [line for lines in orders.values() for line in lines]
    carried = {f"{line.partition(' C ')[2]} VIA" for line in every}
    return {line for line in every if line.endswith(" VIA") and line not in carried}


def _saved_position(state: Mapping[str, Any]) -> dict[str, Any]:
    units = {power: [each for each in listed if not each.startswith("*")]
             for power, listed in state["units"].items()}  # fmt: skip
    gone = {power: [{"unit": each[1:]} for each in listed if each.startswith("*")]
            for power, listed in state["units"].items()}  # fmt: skip
    return {"units": units, "dislodged": gone, "centers": state["centers"]}


def saved_game(game: PlayedGame) -> dict[str, Any]:
    """Return a game as the package `diplomacy` saves them. Raises InterchangeError for boards that
    it does not have."""
    if game.variant.name != _MAP:
        refuse("variant", f"the package has no board for {game.variant.title}")
    phases = [_saved_phase(each, game.name) for each in game.phases if _decides(each)]
    if game.final is not None:
        ended = game.winners or game.told.get("outcome") is not None
        name = "COMPLETED" if ended else str(game.final.phase)
        note = ", ".join(power[:3].upper() for power in game.winners)
        state = _state(game.variant, game.final, game.name) | {"name": name}
        state["note"] = note and f"Victory by: {note}"
        nobody: dict[str, None] = dict.fromkeys(state["units"])
        last = {"name": name, "state": state, "orders": nobody, "results": {}, "messages": []}
        phases.append(last)
    return {"id": game.name, "map": _MAP, "rules": ["NO_PRESS"], "phases": phases}


def _decides(phase: PlayedPhase) -> bool:
    """Return whether somebody had something to decide in a phase."""
    return phase.position.phase.kind is Kind.MOVEMENT or bool(owed(phase.variant, phase.position))


def _saved_phase(phase: PlayedPhase, game: str) -> dict[str, Any]:
    board = phase.variant.board
    left = _left_ashore(
        {power: [saved_order(each, board) for each in held] for power, held in phase.orders.items()}
    )

    def line(order: Order) -> str:
        written = saved_order(order, board)
        # The package would let it walk.
        if isinstance(order, Move) and order.via and written in left:
            return saved_order(Hold(order.unit), board)
        return written

    orders = {
        power.upper(): list(map(line, phase.orders.get(power, ())))
        for power in phase.variant.powers
    }
    results = {
        saved_unit(each.unit): [] if each.succeeded else [_REASONS.get(str(
            each.reason and each.reason.value), "void")]
        for listed in phase.result.results.values()
        for each in listed
        if each.unit is not None
    }  # fmt: skip
    state = _state(phase.variant, phase.position, game)
    return {"name": state["name"], "state": state, "orders": orders, "results": results,
            "messages": []}  # fmt: skip


_REASONS = {
    "cut": "cut",
    "dislodged": "dislodged",
    "bounced": "bounce",
    "no_convoy": "no convoy",
    "convoy_disrupted": "disrupted",
    "retreat_clash": "bounce",
    "destroyed": "disband",
}


def _state(variant: Variant, position: Position, game: str) -> dict[str, Any]:
    due = owed(variant, position) if position.phase.kind is Kind.ADJUSTMENTS else {}

    def of(power: str) -> dict[str, Any]:
        lost, provinces = position.dislodged.get(power, ()), variant.board.provinces.values()
        units = [*map(saved_unit, position.units.get(power, ()))]
        wants = due[power].builds - due[power].removals if power in due else 0
        ways = {saved_unit(each.unit): [*map(saved_place, each.retreats)] for each in lost}
        held = list(map(saved_place, position.centers.get(power, ())))
        homes = [each.id.upper() for each in provinces if each.supply_center and each.home == power]
        return {
            "units": [*units, *(f"*{each}" for each in ways)],
            "retreats": ways,
            "centers": held,
            "homes": homes,
            "influence": held,
            "civil_disorder": 0,
            "builds": {"count": wants, "homes": []},
        }

    rows = {power.upper(): of(power) for power in variant.powers}
    return {
        "timestamp": 0, "zobrist_hash": "0", "note": "", "name": str(position.phase),
        **{name: {power: row[name] for power, row in rows.items()} for name in of("")},
        "game_id": game, "map": _MAP, "rules": ["NO_PRESS"],
    }  # fmt: skip


def saved_place(place: str) -> str:
    """Return a province or coast of the standard board as the package writes it."""
    province, _, coast = place.partition("/")
    return PACKAGE_NAMES.get(province, province).upper() + (f"/{coast.upper()}" if coast else "")


def saved_unit(unit: Unit) -> str:
    """Return a unit as the package writes it."""
    return f"{unit.kind} {saved_place(unit.location)}"


def saved_order(order: Order, board: Board) -> str:
    """Return an order as the package writes it, an army that needs fleets marked `VIA`."""
    match order:
        case Move(unit, to):
            stepping = board.steps(unit.kind, unit.location)
            via = order.via or order.path or (unit.kind == "A" and to not in stepping)
            return f"{saved_unit(unit)} - {saved_place(to)}{' VIA' if via else ''}"
        case Build(unit) | Disband(unit):
            return f"{saved_unit(unit)} {type(order).__name__[0]}"
        case Waive():
            return "WAIVE"
        case Support() | Convoy():
            order = replace(order, owner=None)
    return " ".join(map(saved_place, str(order).split()))


# godip's text files


def _read_godip(text: str, board: str) -> PlayedGame:
    variant = read_variant(board)
    replay = Replay("game", variant, Rulebook.edition(variant.rulebook))
    blocks = re.split(r"^PHASE ", text, flags=re.MULTILINE)[1:]
    for number, block in enumerate(blocks):
        head, _, rest = block.partition("\n")
        try:
            year, season, kind = head.split()
            phase = Phase(_SEASONS[season], int(year), _KINDS[kind])
            if kind == "Adjustment":
                # It is dated by the turn before it.
                seasons = (each for each, kind in variant.calendar.year if kind is phase.kind)
                phase = phase._replace(season=next(seasons))
        except (KeyError, ValueError) as error:
            raise InterchangeError(f"PHASE: {shown(head)} names no phase") from error
        places, _, orders = rest.partition("ORDERS")
        position = replay.opens(phase, _godip_position(places))
        if orders.strip() or number + 1 < len(blocks):
            lines = [each.strip() for each in orders.splitlines() if each.strip()]
            replay.orders(_godip_orders(lines, position, variant))
    return replay.over()


def _godip_position(text: str) -> dict[str, Any]:
    found: dict[str, dict[str, list[Any]]] = {"units": {}, "dislodged": {}, "centers": {}}
    for line in text.splitlines():
        power, colon, rest = line.strip().partition(":")
        if not colon:
            continue
        what, _, place = rest.strip().partition(" ")
        kind, _, gone = what.partition("/")
        # An army is listed with a coast now and then, and a unit twice after a retreat.
        unit = f"A {place.partition('/')[0]}" if kind == "army" else f"F {place}"
        field = "units"
        value: object = unit
        if gone:
            field, value = "dislodged", {"unit": unit}
        elif what == "supply":
            field, value = "centers", place
        if power != "Neutral" and value not in found[field].setdefault(power, []):
            found[field][power].append(value)
    return found


def _godip_orders(
    lines: Sequence[str], position: Position, variant: Variant
) -> dict[str, list[str]]:
    """Return godip's orders, which name no power, by power and as they are written here."""
    held: Any = position.dislodged if position.phase.kind is Kind.RETREATS else position.units
    owners = {getattr(each, "unit", each).province: power for power in held for each in held[power]}
    homes = {each.id: each.home for each in variant.board.provinces.values()}
    homes |= {center: power for power, held in position.centers.items() for center in held}
    found: dict[str, list[str]] = {}
    for line in lines:
        words = line.replace(" anywhere", "").split()
        first = words[-1] if words[0] in ("build", "remove", "disband") else words[0]
        province = Codec.of(variant).names.location(first).partition("/")[0]
        owner = (homes if words[0] == "build" else owners).get(province)
        if owner is None:
            refuse(str(position.phase), f"{shown(line)}: nobody has anything there")
        found.setdefault(owner, []).append(_from_godip(words, position.phase.kind))
    return found


def _from_godip(words: Sequence[str], kind: Kind) -> str:
    text = " ".join(words)
    if words[0] == "build":
        return f"B {words[1][0].upper()} {words[2]}"
    if words[0] in ("remove", "disband"):
        return f"{words[-1]} D" if kind is Kind.RETREATS else f"D {words[-1]}"
    if kind is Kind.RETREATS:
        return text.replace(" move ", " R ")
    for long, short in (("move", "-"), ("support", "S"), ("convoy", "C"), ("hold", "H")):
        text = re.sub(rf"\b{long}\b", short, text)
    return text.replace(" via", " via convoy")


def godip_text(game: PlayedGame) -> str:
    """Return a game as godip's text files have them."""
    lines: list[str] = []
    for phase in game.phases:
        if _decides(phase):
            lines += _godip_head(phase.position, game.variant)
            lines.append("ORDERS")
            lines += [f"\t{_to_godip(each)}" for orders in phase.orders.values() for each in orders]
    if game.final is not None:
        lines += _godip_head(game.final, game.variant)
    return "\n".join(line for line in lines if line.strip()) + "\n"


def _godip_head(position: Position, variant: Variant) -> Iterator[str]:
    phase = position.phase
    season = next(name for name, each in _SEASONS.items() if each is phase.season)
    if phase.kind is Kind.ADJUSTMENTS:
        season = "Fall"
    kind = next(name for name, each in _KINDS.items() if each is phase.kind)
    yield f"PHASE {phase.year} {season} {kind}"
    yield "POSITIONS"
    names = {"A": "army", "F": "fleet"}
    for power in variant.powers:
        for unit in position.units.get(power, ()):
            yield f"\t{power}: {names.get(unit.kind, unit.kind)} {unit.location}"
        for gone in position.dislodged.get(power, ()):
            yield f"\t{power}: {names.get(gone.unit.kind, '')}/dislodged {gone.unit.location}"
    for power in variant.powers:
        yield from (f"\t{power}: supply {each}" for each in position.centers.get(power, ()))


def _to_godip(order: Order) -> str:
    match order:
        case Hold(unit):
            return f"{unit.location} hold"
        case Move(unit, to) | Retreat(unit, to):
            by_sea = isinstance(order, Move) and (order.via or order.path)
            return f"{unit.location} move {to}{' via' if by_sea else ''}"
        case Support(unit, target, to):
            aim = "" if to is None else f" move {to}"
            return f"{unit.location} support {target.location}{aim}"
        case Convoy(unit, army, to):
            return f"{unit.location} convoy {army.location} move {to}"
        case Build(unit):
            return f"build {'Army' if unit.kind == 'A' else 'Fleet'} {unit.location}"
        case Disband(unit):
            return f"remove {unit.location}"
    return ""


# jDip's text, a judge's file, and centers by year


def jdip_text(game: PlayedGame) -> str:
    """Return a game as cases of jDip's tests, one for each phase of movement or retreats."""
    lines = [f"VARIANT_ALL {game.variant.name.capitalize()}"]
    for phase in game.phases:
        before, after = phase.position, phase.result.position
        if before.phase.kind is Kind.ADJUSTMENTS or not _decides(phase):
            continue
        season, kind = before.phase.season.name.capitalize(), before.phase.kind
        name = {Kind.MOVEMENT: "Movement", Kind.RETREATS: "Retreat"}[kind]
        lines += ["", f"CASE {game.name} {before.phase}"]
        lines += [f"PRESTATE_SETPHASE {season} {before.phase.year}, {name}"]
        lines += ["PRESTATE", *_standing(before.units)]
        if kind is Kind.RETREATS:
            lines += ["PRESTATE_DISLODGED", *_standing(before.dislodged)]
        lines += ["ORDERS"]
        lines += [f"\t{power}: {each}" for power in phase.orders for each in phase.orders[power]]
        lines += ["POSTSTATE", *_standing(after.units)]
        if after.dislodged:
            lines += ["POSTSTATE_DISLODGED", *_standing(after.dislodged)]
        lines += ["END"]
    return "\n".join(lines) + "\n"


def _standing(held: Mapping[str, Sequence[Unit | Dislodged]]) -> list[str]:
    return [f"\t{power}: {getattr(each, 'unit', each)}" for power in held for each in held[power]]


def jdip_cases(raw: bytes) -> Iterator[dict[str, Any]]:
    """Yield the cases of a jDip test as positions with orders, as `judge adjudicate` takes them;
    `expected` has the units that must stand there afterwards, by power."""
    variant, part = _MAP, ""
    case: dict[str, Any] = {}
    for line in raw.decode("utf-8-sig", "replace").splitlines():
        text = line.partition("#")[0].strip()
        word, _, rest = text.partition(" ")
        if word == "VARIANT_ALL":
            variant = rest.strip().lower()
        elif word == "CASE":
            case, part = {"id": rest.strip(), "variant": variant, "units": {}, "orders": {}}, ""
        elif word == "PRESTATE_SETPHASE":
            with readable(text):
                season, year, kind = re.split(r"[ ,]+", rest.strip())
                case["phase"] = f"{season[0].upper()}{year}{kind[0].upper()}"
        elif word == "END":
            yield {name: value for name, value in case.items() if value or name == "orders"}
            part = ""
        elif word == "POSTSTATE_SAME":
            case["expected"] = case["units"]
        elif word in _PARTS:
            part = _PARTS[word]
        elif part and ":" in text:
            power, _, what = text.partition(":")
            case.setdefault(part, {}).setdefault(power.strip(), []).append(what.strip())


_PARTS = {
    "PRESTATE": "units",
    "PRESTATE_DISLODGED": "dislodged_before",
    "PRESTATE_SUPPLYCENTER_OWNERS": "centers",
    "PRESTATE_RESULTS": "results_before",
    "ORDERS": "orders",
    "POSTSTATE": "expected",
    "POSTSTATE_DISLODGED": "expected_dislodged",
}


def judge_object(game: PlayedGame) -> dict[str, Any]:
    """Return a game as the game file of a judge, without a signature."""
    if game.told:
        return {**game.told, "key": None, "signature": None}
    by_rules = any(each.result.winners for each in game.phases[-1:])
    ending = "victory" if by_rules else "draw" if len(game.winners) > 1 else "concession"
    unknown = ("judge", "players", "started", "ended", "scores", "key", "signature")
    return dict.fromkeys(unknown) | {
        "format": FORMAT,
        "version": VERSION,
        "game": re.sub(r"[^a-z0-9]", "", game.name.lower())[:20] or "game",
        "variant": game.variant.name,
        "rules": game.rulebook.name,
        "modules": [],
        "victory": game.variant.victory,
        "moderated": False,
        "outcome": {"ending": ending, "winners": list(game.winners)} if game.winners else None,
        "phases": [_judge_phase(each) for each in game.phases],
        "final": game.final and position_to_json(game.final),
        "centers": years_of(game),
        "press": [],
        "options": {},
        "settings": {},
        "people": {},
    }


def _judge_phase(phase: PlayedPhase) -> dict[str, Any]:
    after = position_to_json(phase.result.position)
    return {
        **position_to_json(phase.position),
        "orders": {power: list(map(str, given)) for power, given in phase.orders.items() if given},
        "results": {
            power: [
                {"order": order, "unit": None, "outcome": outcome, "reason": reason}
                for order, outcome, reason in rows
            ]
            for power, rows in results_of(phase).items()
        },
        "seals": {},
        "sealed_as": None,
        "victory": phase.variant.victory,
        "units_after": after["units"],
        "centers_after": after["centers"],
        "at": None,
    }


def centers_csv(game: PlayedGame) -> str:
    """Return the centers of each power by year as CSV, with a row of powers first."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["year", *game.variant.powers])
    rows.writerows([year, *counts.values()] for year, counts in years_of(game).items())
    return text.getvalue()
