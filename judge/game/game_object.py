"""A whole game as one object for other judges and programs: the game file of docs/formats.md.

It tells what a stranger may read of the game, and is the same for everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert

from judge.game import phases
from judge.game.clock import game_clock
from judge.game.people import lateness
from judge.game.people.reliability import tenures
from judge.game.scores import scores_of, years_of
from judge.game.state import State
from judge.game.state.answers import Refused
from judge.game.state.boards import results
from judge.game.state.settings import Settings, modules
from judge.game.visibility.eyes import ANYBODY, Eyes, record, rules_in_force
from judge.interchange.game_files import FORMAT, VERSION, PlayedGame
from judge.interchange.stored_values import position_to_json
from judge.interchange.text import InterchangeError, refuse
from judge.records.signing import canonical, signed
from judge.storage import (
    Condition,
    Game,
    GameState,
    KeptFile,
    Outward,
    PhaseRun,
    Storage,
    StoredEnding,
    StoredOutcome,
)

_PRIVATE = ("allowed", "denied")
"""Settings that tell of people outside the game."""

_WHOLE = ("game", "variant", "rules", "options", "modules", "players", "victory")
"""What a record says that holds for the whole game."""


def game_file(state: State, judge: str) -> bytes:
    """Return the signed file of a game that has started, at the judge with this address.

    Of a game that came from another judge, it is the file that came. Raises Refused for one that
    has nothing to tell yet.
    """
    if kept := state.storage.files.of_game(state.game.id):
        return kept[0].data
    seen = Eyes(state, ANYBODY)
    if not seen.all:
        raise Refused("file_of_blind", game=state.game.name)
    if not (runs := seen.records()):
        raise Refused("nothing_to_file", game=state.game.name)
    told = _object(state, seen, judge, runs)
    return canonical(signed(told, state.storage.tickets.secret)) + b"\n"


def _object(state: State, seen: Eyes, judge: str, runs: list[PhaseRun]) -> dict[str, Any]:
    game = state.game
    years = years_of(state)
    scores = scores_of(state, years)
    settings = state.settings.to_json()
    return {
        "format": FORMAT,
        "version": VERSION,
        "judge": judge,
        "game": game.name,
        **rules_in_force(game, state.settings),
        "victory": state.variant.victory,
        "settings": {name: settings[name] for name in settings if name not in _PRIVATE},
        "moderated": game.moderated,
        "started": _instant(game.started_at),
        "ended": _instant(game.ended_at),
        "outcome": game.outcome and game.outcome.to_json(),
        "people": tenures(state, seen),
        "phases": [_phase(state, run) for run in runs],
        "final": position_to_json(seen.opened),
        "centers": years,
        "scores": scores and {power: float(score) for power, score in scores.items()},
        "press": [
            {
                "from": each["sender"],
                "phase": each["phase"],
                "at": _instant(each["at"]),
                "text": each["text"],
            }
            for each in seen.press()
            if not each["held"]
        ],
    }


def _phase(state: State, run: PhaseRun) -> dict[str, Any]:
    """Return a phase: how it opened, the orders with what became of them, and what it left."""
    found: dict[str, Any] = record(state.game, run)
    rules = run.results.get("rules", {})
    then = {name: rules[name] for name in ("builds", "auto_disband", "transform") if name in rules}
    return {
        **{name: value for name, value in found.items() if name not in _WHOLE},
        "sealed_as": found["game"],
        "modules": list(modules(Settings.from_json({**state.game.settings, **then}))),
        "victory": found["victory"],
        "extra": run.position["extra"],
        "dislodged": run.position["dislodged"],
        "results": {
            power: [{name: line[name] for name in line if name != "note"} for line in lines]
            for power, lines in found["results"].items()
        },
        "orders": run.orders,
        "at": _instant(run.processed_at),
    }


def _instant(value: object) -> str | None:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else None


# From other judges


class _Holder(Struct):
    """Who held a power."""

    name: str | None
    player: int | None = None
    held: str | None = None
    computer: str | None = None


class _PhaseFacts(Struct):
    orders: dict[str, list[str]]
    seals: dict[str, dict[str, str]]
    sealed_as: str | None
    victory: int
    at: datetime | None


class _File(Struct):
    """What a file says besides positions, as far as it is relied on: one that says something else
    would stop anyone who lists all games."""

    game: str
    judge: str | None
    variant: str
    rules: str
    settings: Settings
    started: datetime | None
    ended: datetime | None
    outcome: StoredOutcome | None
    people: dict[str, list[_Holder]]
    phases: Annotated[list[_PhaseFacts], Meta(min_length=1)]
    centers: dict[Annotated[str, Meta(pattern=r"^-?[0-9]{1,6}$")], dict[str, int]]
    scores: dict[str, float] | None = None


def _check(told: Mapping[str, Any]) -> None:
    """Raise InterchangeError, naming the place, for a file that says what no file says there."""
    try:
        convert(dict(told), _File)
    except ValidationError as error:
        problem, _, where = str(error).partition(" - at `$.")
        raise InterchangeError(f"{where.rstrip('`') or 'the file'}: {problem}") from error


def file_away(storage: Storage, name: str, found: PlayedGame, raw: bytes, now: datetime) -> State:
    """Return the game of a file as one that is over here, too: to read, to show, to fork, and to
    file again, byte for byte. Raises NameTaken, and InterchangeError."""
    state, told = _new(storage, name, found, now), found.told
    outcome = told["outcome"] or {"ending": StoredEnding.TERMINATED, "winners": ()}
    last = str(found.phases[-1].position.phase)
    ending = StoredOutcome(StoredEnding(outcome["ending"]), tuple(outcome["winners"]), last)
    game = state.game
    game.state, game.outcome = GameState.ENDED, ending
    game.started_at, game.ended_at = (_read(told[each], now) for each in ("started", "ended"))
    for phase, each in zip(found.phases, told["phases"], strict=True):
        more = {"seals": each["seals"], "game": each["sealed_as"], "victory": each["victory"]}
        storage.history.add(
            PhaseRun(
                game_id=game.id,
                phase=str(phase.position.phase),
                position=position_to_json(phase.position),
                orders=each["orders"],
                results=results(phase.variant, phase.position, phase.result) | more,
                processed_at=_read(each["at"], now),
                winners=list(phase.result.winners) or None,
            )
        )
    names = {
        power: Outward(" ".join(str(rows[-1]["name"]).split())[:_LONGEST_NAME])
        for power, rows in told["people"].items()
        if rows and rows[-1]["name"]
    }
    state.note(played_by=names)
    storage.files.add(KeptFile(game_id=game.id, data=raw))
    state.save()
    return state


_LONGEST_NAME = 60


def play_on(
    storage: Storage, name: str, found: PlayedGame, phase: str | None, now: datetime
) -> State:
    """Return a new game that begins with a phase of a file, by default where that ends. It is
    paused, and nobody plays in it: people take its powers over. Raises NameTaken, and
    InterchangeError, also where the file has no such phase."""
    starts = {str(each.position.phase): each.position for each in found.phases}
    if found.final is not None:
        starts[str(found.final.phase)] = found.final
    if phase and phase not in starts:
        refuse("phase", f"the file has no {phase}")
    position = starts[phase] if phase else found.final or found.phases[-1].position
    state = _new(storage, name, found, now)
    state.set(turn_limit=None, time_limit=None, ends_at=None, elimination_ends=False)
    state.game.state, state.game.started_at = GameState.ACTIVE, now
    for power in state.variant.powers:
        dummy = power in state.variant.standing
        lateness.vacate(state, power, Condition.DUMMY if dummy else Condition.ABANDONED, now)
    state.open(position)
    phases.open_phase(state, now, None)
    game_clock.pause(state, now, "set")
    state.save()
    return state


def _new(storage: Storage, name: str, found: PlayedGame, now: datetime) -> State:
    """Return a new game with the board and the settings of a file. Raises InterchangeError."""
    told = found.told
    _check(told)
    settings = Settings.from_json(told["settings"])
    game = storage.games.add(
        Game(
            name=name,
            variant=told["variant"],
            rulebook=told["rules"],
            settings=settings.to_json(),
            created_at=now,
        )
    )
    state = State(storage, game)
    if found.final is not None:
        state.open(found.final)
    return state


def _read(text: str | None, now: datetime) -> datetime:
    return datetime.fromisoformat(text) if text else now
