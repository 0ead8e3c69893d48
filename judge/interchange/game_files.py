"""Game files (docs/formats.md): whole games, read back and played again.

Reading one repeats every phase, so that what comes out is a game that the engine agrees with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from judge.interchange.codec import Codec
from judge.interchange.position_objects import in_play
from judge.interchange.stored_values import position_from_json
from judge.interchange.text import InterchangeError, an_object, parse, refuse, shown
from judge.language.read import read_order
from judge.records.signing import BadSignature, check
from judge.rules.engine import adjudicate, owed
from judge.rules.orders import Order, carried_out
from judge.rules.phase import Kind, Phase
from judge.rules.position import Position
from judge.rules.result import Adjudication
from judge.rules.retreats import open_retreats
from judge.rules.rulebook import Rulebook
from judge.rules.variant import Variant, of_phase

FORMAT = "judge game"
VERSION = 1

OUTCOMES = {True: "succeeds", False: "fails"}


@dataclass(frozen=True)
class PlayedPhase:
    """A phase of a game: how it opened, all orders by power, and what came of them."""

    variant: Variant
    position: Position
    orders: Mapping[str, Sequence[Order]]
    result: Adjudication


@dataclass(frozen=True)
class PlayedGame:
    """A game from a file: its phases in order, and the position after the last one, if it says so.

    `told` is what else the file says, by the names that game files have for it; `winners` are who
    won or shared it, where it is over. `doubts` are sentences on what the file says and the engine
    does not.
    """

    name: str
    variant: Variant
    rulebook: Rulebook
    phases: list[PlayedPhase]
    final: Position | None
    told: Mapping[str, Any] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    doubts: list[str] = field(default_factory=list)


def play(
    variant: Variant, position: Position, orders: Mapping[str, Sequence[Order]], rulebook: Rulebook
) -> PlayedPhase:
    """Return a phase that is played."""
    variant = of_phase(variant, position.phase)
    result = adjudicate(variant, position, carried_out(orders), rulebook)
    return PlayedPhase(variant, position, orders, result)


def read_game_file(raw: bytes, *, signed: bool = True) -> PlayedGame:
    """Read a game file and play it again; its signature must fit, unless it need not be `signed`.
    Raises InterchangeError for one that is damaged, not of a
    judge, newer than this program, or that tells of other outcomes than its orders have."""
    data = an_object(parse(raw, "the file"))
    if data.get("format") != FORMAT:
        refuse("format", "this is no game file of a judge; `judge convert` reads some others")
    if data.get("version") != VERSION:
        told = shown(data.get("version"))
        refuse("version", f"the file is of version {told}, and this judge reads {VERSION}")
    try:
        if signed or data.get("signature"):
            check(data)
    except BadSignature as error:
        raise InterchangeError(str(error)) from error
    with readable():
        return _read(data)


_DAMAGE = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


@contextmanager
def readable(part: str = "the file") -> Iterator[None]:
    """Let whatever a damaged part of a file makes go wrong be an InterchangeError."""
    try:
        yield
    except InterchangeError:
        raise
    except KeyError as error:
        raise InterchangeError(f"{part}: {error.args[0]!r} is missing or unknown") from error
    except _DAMAGE as error:
        raise InterchangeError(f"{part}: is damaged, or not what such a file has there") from error


def _read(data: Mapping[str, Any]) -> PlayedGame:
    variant, rulebook = in_play(data)
    phases = []
    for number, each in enumerate(data["phases"]):
        with readable(f"phases[{number}]"):
            phases.append(_phase(data, each, rulebook))
    ends = [position_from_json(each) for each in (*data["phases"][1:], data["final"])]
    for number, (phase, after) in enumerate(zip(phases, ends, strict=True)):
        found, where = phase.result.position, f"phases[{number}]"
        if found.phase != after.phase:
            refuse(where, f"{phase.position.phase} leads to {found.phase}, not {after.phase}")
        if differ := _differ(found, after, whole=True):
            refuse(where, f"{phase.position.phase} leads to other positions: {differ}")
    winners = tuple(data["outcome"]["winners"]) if data.get("outcome") else ()
    final = ends[-1] if ends else None
    return PlayedGame(data["game"], variant, rulebook, phases, final, data, winners)


def _phase(data: Mapping[str, Any], told: Mapping[str, Any], rulebook: Rulebook) -> PlayedPhase:
    rules = {name: told[name] for name in ("modules", "victory") if name in told}
    variant, _ = in_play({**data, **rules})
    position = position_from_json(told)
    variant = of_phase(variant, position.phase)
    orders = {
        power: [read_order(text, variant, position.phase, power) for text in lines]
        for power, lines in told["orders"].items()
    }
    phase = play(variant, position, orders, rulebook)
    for power, rows in results_of(phase).items():
        said = [(each["order"], each["outcome"], each["reason"]) for each in told["results"][power]]
        for mine, theirs in zip(rows, said, strict=True):
            if mine != theirs:
                file, engine = (shown(" ".join(filter(None, each))) for each in (theirs, mine))
                refuse(str(position.phase), f"{power}: {file} in the file is {engine} by the rules")
    return phase


def results_of(phase: PlayedPhase) -> dict[str, list[tuple[str, str, str | None]]]:
    """Return of each power what became of its orders: order, outcome, reason."""
    return {
        power: [
            (str(each.order), OUTCOMES[each.succeeded], each.reason and each.reason.value)
            for each in results
        ]
        for power, results in phase.result.results.items()
        if results
    }


_Centers = Mapping[str, Sequence[str]]


def centers_by_year(
    variant: Variant, start: _Centers, phases: Iterable[tuple[Phase, _Centers]], ended: Phase | None
) -> dict[str, dict[str, int]]:
    """Return how many centers each power owned before the first year of a game, and after each that
    was played to its end. `phases` have whose centers were which after each; `ended` is the one in
    which the game ended, or is now."""

    def counted(held: _Centers) -> dict[str, int]:
        return {power: len(held.get(power, ())) for power in variant.powers}

    first = variant.start_phase.year - variant.calendar.years
    found = {str(first): counted(start)}
    for phase, after in phases:
        is_open = ended and ended.year == phase.year and ended.kind is not Kind.ADJUSTMENTS
        if phase.season in variant.calendar.ownership and not is_open:
            found[str(phase.year)] = counted(after)
    return found


def years_of(game: PlayedGame) -> dict[str, dict[str, int]]:
    """Return the centers by year of a game from a file."""
    phases, ended = game.phases, game.final.phase if game.final else None
    start = phases[0].position.centers if phases else game.variant.centers
    after = ((each.position.phase, each.result.position.centers) for each in phases)
    return centers_by_year(game.variant, start, after, ended)


# Games of others, played again


class Replay:
    """A game as it is played again: what a file says of each phase comes in in order."""

    def __init__(self, name: str, variant: Variant, rulebook: Rulebook) -> None:
        self.game = PlayedGame(name, variant, rulebook, [], None)
        self.codec = Codec.of(variant)
        self.position: Position | None = None

    def opens(self, phase: Phase, told: Mapping[str, Any]) -> Position:
        """Take what a file says of the position with which a phase opens; return it."""
        variant, codec = self.game.variant, self.codec
        self._pass_over(phase)
        reached = self.position if self.position and self.position.phase == phase else None
        gone = codec.read_dislodged(told["dislodged"])
        found = Position(
            phase,
            codec.read_units(told["units"]),
            codec.read_centers(told["centers"]),
            gone,
            reached.contested if reached else (),
        )
        differ = _differ(reached, found) if reached else "the game does not come to it"
        if reached and not differ:
            self.position = reached
            return reached
        if self.game.phases:
            self.game.doubts.append(f"{phase}: by the rules, {differ}")
        here = of_phase(variant, phase)
        where = {
            power: tuple(each._replace(retreats=open_retreats(here, found, each)) for each in units)
            for power, units in gone.items()
        }
        self.position = replace(found, dislodged=where)
        return self.position

    def _pass_over(self, phase: Phase) -> None:
        """Play phases that the file leaves out, in which nobody had anything to decide."""
        key = self.game.variant.calendar.key
        while self.position is not None and key(self.position.phase) < key(phase):
            self.orders({})

    def orders(self, lines: Mapping[str, Sequence[str]]) -> None:
        """Play the open phase with the orders of a file."""
        assert self.position is not None
        variant = of_phase(self.game.variant, self.position.phase)
        orders, _ = Codec.of(variant).read_orders(lines, self.position, self.game.rulebook)
        phase = play(variant, self.position, orders, self.game.rulebook)
        self.game.phases.append(phase)
        self.position = phase.result.position

    def ends(self, told: Mapping[str, Any]) -> None:
        """Take what a file says of the position in which a game ended, and not of its phase: where
        centers were counted, retreats in which nobody had anything to decide were over."""
        counted = _held(self.codec.read_centers(told["centers"]))
        while (at := self.position) is not None and _held(at.centers) != counted:
            variant = of_phase(self.game.variant, at.phase)
            if at.phase.kind is not Kind.RETREATS or owed(variant, at):
                break
            self.orders({})
        if self.position is not None:
            self.opens(self.position.phase, told)

    def over(self, winners: Sequence[str] = ()) -> PlayedGame:
        """Return the game, with who won or shared it by the file, or else by the rules."""
        won = next((each.result.winners for each in self.game.phases[-1:]), ())
        return replace(self.game, final=self.position, winners=tuple(winners or won))


def _differ(reached: Position, found: Position, *, whole: bool = False) -> str:
    """Return in what two positions differ, "" if in nothing that counts: unless a file has the
    `whole` of them, it does not list dislodged units that can go nowhere."""
    left = {power: [each for each in gone if whole or each.retreats]
            for power, gone in reached.dislodged.items()}  # fmt: skip
    for name, here, there in (
        ("units", _held(reached.units), _held(found.units)),
        ("dislodged units", _held(left), _held(found.dislodged)),
        ("centers", _held(reached.centers), _held(found.centers)),
    ):
        if here != there:
            only = sorted(f"{power} {each}" for power, each in here ^ there)
            return f"{name} differ: {', '.join(only)}"
    return ""


def _held(value: Mapping[str, Sequence[Any]]) -> set[tuple[str, str]]:
    return {(power, str(getattr(each, "unit", each))) for power in value for each in value[power]}
