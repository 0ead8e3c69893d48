"""Games for fewer players: which of a variant's lineups is played, before the game starts."""

from __future__ import annotations

from judge import variants
from judge.game.fairness.deal import BadWishes, read_wishes
from judge.game.state import State
from judge.rules.lineup import Lineup, fitting


def offered(state: State, players: int) -> list[Lineup]:
    """The lineups for so many people on this board by this rulebook, the usual one first."""
    return fitting(variants.load(state.game.variant), players, state.game.rulebook)


def choose(state: State, people: int | None, lineup: Lineup | None) -> None:
    """Let so many people play by a lineup, or evenly where there is None; `state.save` keeps it.

    Wishes that the powers in it do not allow are void.
    """
    state.set(people=people, lineup=lineup and lineup.name)
    variant = state.variant
    for seat in state.active("player"):
        try:
            read_wishes(seat.preferences, variant.letters, variant.powers)
        except BadWishes:
            seat.preferences = ""
            state.seat(seat)


def refit(state: State) -> None:
    """Take the lineup that the rulebook, which has changed, has for as many people."""
    people = state.settings.people
    if state.settings.lineup is not None and people is not None:
        choose(state, people, next(iter(offered(state, people)), None))
