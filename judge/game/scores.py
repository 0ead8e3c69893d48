"""What the ending of a game is worth, by the scoring system that the game has chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judge.game.state import State
from judge.i18n import say
from judge.interchange.game_files import centers_by_year
from judge.records.ratings import WITHOUT
from judge.records.scoring import SYSTEMS, GameEnding, Score, Scores, System, system_named
from judge.rules.phase import Phase
from judge.rules.variant import Variant
from judge.storage import StoredEnding

_DRAWS = (StoredEnding.DRAW, StoredEnding.SHARED, StoredEnding.IMPOSSIBLE)


def system_of(state: State) -> System | None:
    """Return the scoring system of a game, None if it has none."""
    return SYSTEMS.get(state.settings.scoring or "")


def concedes(state: State) -> bool:
    """Return whether a concession counts as a win: as the game has chosen, or the system says."""
    chosen, system = state.settings.concession_wins, system_of(state)
    return system is None or system.concedes if chosen is None else chosen


def read_system(text: str, variant: Variant) -> System:
    """Return the system that a text names, in whatever case and with whatever marks. Raises
    ValueError, saying why, where there is none, or it is for other boards than this one."""
    system = system_named(text)
    if system is None:
        raise ValueError(say("there is no scoring system {text!r} (HELP scoring)", text=text))
    if not is_for(system, variant):
        problem = "{system} is for seven powers and 34 centers, of which 18 win"
        raise ValueError(say(problem, system=system.title))
    return system


def is_for(system: System, variant: Variant) -> bool:
    """Return whether a system is for games on a board."""
    return system.fits(len(variant.board.centers), variant.victory, len(variant.powers))


def scores_of(state: State, years: Mapping[str, Mapping[str, int]]) -> Scores | None:
    """Return what a game that is over was worth to each power, by the centers of `years`; None
    without a system, with one that is for other boards, and for an ending without a result."""
    system, outcome = system_of(state), state.game.outcome
    if system is None or outcome is None or outcome.ending in WITHOUT:
        return None
    if not is_for(system, state.variant):
        return None
    (_, start), *played = ((int(year), counts) for year, counts in years.items())
    first, winners = state.variant.start_phase.year, outcome.winners
    ending = GameEnding(
        # Who won before the first year was over won in it.
        dict(played) or {first: start},
        first,
        state.victory,
        len(state.variant.board.centers),
        winners if outcome.ending in _DRAWS else (),
        winners[0] if outcome.ending is StoredEnding.CONCESSION else None,
    )
    return system.scores(ending, concedes=concedes(state))


def shown(points: Score) -> str:
    """Return points as people read them: to three places at most."""
    return f"{float(points):.3f}".rstrip("0").rstrip(".")


def score_facts(state: State) -> dict[str, Any] | None:
    """Return how a game is scored, and the scores of one that is over; None if it is not."""
    if (system := system_of(state)) is None:
        return None
    found = scores_of(state, years_of(state)) if state.game.outcome is not None else None
    rows = sorted((found or {}).items(), key=lambda each: -each[1])
    return {
        "system": system.title,
        "concedes": concedes(state),
        "rows": None if found is None else [(power, shown(points)) for power, points in rows],
    }


def years_of(state: State) -> dict[str, dict[str, int]]:
    """Return the centers of each power before the first year, and at the end of each."""
    runs = state.storage.history.of_game(state.game.id)
    start = runs[0].position["centers"] if runs else state.variant.centers
    after = ((Phase.read(run.phase), run.results["centers"]) for run in runs)
    return centers_by_year(state.variant, start, after, state.phase)
