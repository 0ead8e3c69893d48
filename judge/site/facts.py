"""What the pages tell of games and players: what a stranger may know, asked for as such."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from msgspec import Struct

from judge import render
from judge.game.people.reliability import Figures
from judge.game.phases import center_years, game_facts
from judge.game.state import State
from judge.game.state.boards import with_words
from judge.game.visibility.eyes import ANYBODY, Eyes, ShownPhase, ShownPress
from judge.maps import badge_colors
from judge.records.ratings import ByPower, share_of
from judge.rules.phase import Kind, Phase, Season
from judge.rules.variant import letters_of
from judge.sentences.terms import phase_words
from judge.storage import Condition, Role, SeatState


def seen(state: State) -> Eyes:
    """Return what the public sees of a game."""
    return Eyes(state, ANYBODY)


def game_page(state: State, now: datetime) -> dict[str, object]:
    """Return the facts of a game's own page."""
    return {
        **game_facts(state, now, seen(state)),
        **seen(state).people(),
        "zone": "UTC",
        "statements": seen(state).statements(),
        "started": state.game.started_at,
        "ended": state.game.ended_at,
        "badges": badges(state),
        "needs": needs(state),
        "pace": pace(state),
        "pages": {(part.power, part.name): part.person for part in parts(state)},
    }


def needs(state: State) -> list[str]:
    """Return the powers that nobody plays and somebody could; a computer's do not need one."""
    played = Condition.PLAYED
    return [power for power in state.powers.open() if state.powers.condition(power) != played]


def pace(state: State) -> str:
    """Return how long movement phases take, more or less."""
    hours = state.settings.move.next
    return render.hours_in_words(hours if hours < 20 else round(hours / 24) * 24)


def badges(state: State) -> dict[str, tuple[str, str, str]]:
    """Return the letter of each power, its color on the map, and the color to write on that."""
    letters = letters_of(state.variant)
    return {
        power: (letters.get(power, power[:1]), fill, ink)
        for power, (fill, ink) in badge_colors(state.variant).items()
    }


def center_counts(state: State) -> tuple[list[str], Sequence[Mapping[str, Any]]]:
    """Return powers, and the rows of years with the number of their centers."""
    powers, years = seen(state).years(center_years(state))
    return powers, years if state.phase is not None else ()


def shown_phases(state: State) -> list[ShownPhase]:
    """Return the phases that have run; of an open blind game none."""
    return seen(state).phases() if seen(state).all else []


def phase_page(state: State, past: Sequence[ShownPhase], shown: ShownPhase) -> dict[str, object]:
    """Return the facts of the page of a phase of the `past`, with the centers that changed hands in
    those after it in which nobody had anything to order."""
    later = past[past.index(shown) + 1 :]
    silent = itertools.takewhile(lambda each: not each.report["orders"], later)
    reports: list[dict[str, Any]] = [
        with_words(each.report, state.variant) for each in (shown, *silent)
    ]
    taken = [each for one in reports for each in one["taken"]]
    return {"report": reports[0] | {"taken": taken}, "at": shown.at}


def step(shown: ShownPhase) -> dict[str, object]:
    """Return a phase as the line of all phases names it: its year, and its season in short."""
    phase = Phase.read(shown.phase)
    season = phase_words(phase).split()[0]
    short = season if len(season) < 5 else season[:3]
    # Adjustments bear no mark where the season has nothing else, as a winter mostly.
    builds = "" if phase.season is Season.WINTER else "\N{PLUS-MINUS SIGN}"
    marks = {Kind.RETREATS: "\N{RIGHTWARDS ARROW WITH HOOK}", Kind.ADJUSTMENTS: builds}
    mark = marks.get(phase.kind, "")
    return {"phase": shown.phase, "year": phase.year, "short": f"{short}{mark}"}


def press(state: State) -> list[ShownPress]:
    """Return what was said to everybody, oldest first."""
    return [each for each in seen(state).press() if not each["held"]]


def card(state: State) -> dict[str, Any]:
    """Return what lists tell of a game, as JSON values; instants are in ISO form."""
    game = state.game
    outcome, colors = game.outcome, badges(state)
    rows = seen(state).standings() if seen(state).all else []
    bar = sorted(
        (-row["count"], row["power"]) for row in rows if row["count"] and row["power"] in colors
    )
    return {
        "game": game.name,
        "title": state.variant.title,
        "gunboat": state.settings.gunboat,
        "blind": state.settings.blind,
        "press": state.settings.press,
        "pace": pace(state),
        "state": game.state,
        "phase": game.phase,
        "until": game.deadline and game.deadline.isoformat(),
        "at": (game.ended_at or game.started_at or game.created_at).isoformat(),
        "players": seen(state).count,
        "places": state.terms.places,
        "needs": needs(state),
        "thumb": seen(state).all,
        "bar": [[power, -count, *colors[power]] for count, power in bar],
        "ending": outcome.ending if outcome else None,
        "winners": list(outcome.winners) if outcome else [],
    }


class Tenure(Struct, frozen=True):
    """What somebody was in a game; `state` as `standing` words it, `board` by its title, and
    `share` their part of the result, None where there is none."""

    person: int
    name: str
    game: str
    power: str
    state: str
    board: str = ""
    share: float | None = None


def parts(state: State) -> list[Tenure]:
    """Return the people who play, or have played, in a game and may be known."""
    found = []
    game, outcome = state.game, state.game.outcome
    for seat in seen(state).seats():
        if seat.role != Role.PLAYER or seat.power is None or seat.computer:
            continue
        active = seat.state is SeatState.ACTIVE
        share = share_of(outcome.winners, seat.power) if outcome and outcome.winners else None
        told = game.state if active else seat.state
        board = state.variant.title
        found.append(
            Tenure(
                *(seat.person, seat.name, game.name, seat.power, told, board),
                share if active else None,
            )
        )
    return found


@dataclass
class Record:
    """A player's page: their parts in public games, and how reliable they are."""

    person: int
    name: str
    figures: Figures
    parts: list[Tenure] = field(default_factory=list)
    course: list[float] = field(default_factory=list)
    """Their rating (GhostRating) after each game that counts."""
    by_power: list[ByPower] = field(default_factory=list)

    @property
    def line(self) -> str:
        """The course of the rating as points of a drawing, 300 wide and 100 high."""
        low, high = min(100.0, *self.course), max(100.0, *self.course)
        values = [100.0, *self.course]
        step, scale = 300 / (len(values) - 1), 90 / ((high - low) or 1)
        return " ".join(
            f"{number * step:.1f},{95 - (value - low) * scale:.1f}"
            for number, value in enumerate(values)
        )

    @property
    def on_time(self) -> float | None:
        """The share of phases on time, in percent; a power that was given up counts as late."""
        mine = self.figures
        late = mine.late + mine.resigned + mine.abandoned
        total = mine.on_time + late
        return 100 * mine.on_time / total if total else None

    @property
    def won(self) -> int:
        """In how many games they won or shared."""
        return len({part.game for part in self.parts if part.share})

    @property
    def games(self) -> int:
        """In how many games they have or had a part."""
        return len({part.game for part in self.parts})
