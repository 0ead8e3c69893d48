"""Settings for orders that do not come: NMR, QUIET, LATE COUNT, RATED."""

from __future__ import annotations

from judge.game.setting import switch
from judge.game.state import State
from judge.game.state.settings import NOTICE
from judge.i18n import say
from judge.intake.command import Command


def _nmr(state: State) -> str:
    if state.settings.nmr:
        return say("NMR: after the grace the game goes on without them")
    return say("NoNMR: the game waits for them, or for somebody to take the power over")


NMR = switch(
    *("set nmr", "set cd"),
    name="missing orders",
    summary="run without orders that do not come",
    help=(
        "When the deadline has passed everybody is told who is late. "
        f"{NOTICE} hours before the grace is over a power without orders counts as abandoned, and "
        "stand-ins are asked to take it over. At the end of the grace it falls into civil "
        "disorder: its units hold, and nobody waits for it until somebody plays it again. GRACE "
        f"must be longer than {NOTICE} hours."
    ),
    show=_nmr,
    nmr=True,
)

NO_NMR = switch(
    *("set no nmr", "set no cd"),
    name="missing orders",
    summary="wait for missing orders (the default)",
    help=(
        "When the deadline has passed everybody is told who is late. At the end of the grace a "
        "power without orders counts as abandoned: stand-ins are asked every two days to take it "
        "over, and the game waits."
    ),
    show=_nmr,
    nmr=False,
)


def _quiet(state: State) -> str:
    return say("not announced") if state.settings.quiet else say("announced")


QUIET = switch(
    "set quiet",
    name="lateness and takeovers",
    summary="do not announce who is late and who takes over",
    help="Nobody is told who is late, or that a power has a new player.",
    show=_quiet,
    quiet=True,
)

NO_QUIET = switch(
    "set no quiet",
    name="lateness and takeovers",
    summary="announce who is late and who takes over (the default)",
    help="Everybody is told who is late, and when a power has a new player.",
    show=_quiet,
    quiet=False,
)


def _late_count(state: State) -> str:
    return say("counted") if state.settings.late_count else say("not counted")


LATE_COUNT = switch(
    "set late count",
    name="lateness for reliability",
    summary="late orders count for reliability (the default)",
    help="Phases on time and late count for the players' reliability, where the game is rated.",
    show=_late_count,
    late_count=True,
)

NO_LATE_COUNT = switch(
    "set no late count",
    name="lateness for reliability",
    summary="being late here harms nobody's reliability",
    help=(
        "Phases of this game count for nobody's reliability, neither on time nor late. Giving up "
        "a power still does."
    ),
    show=_late_count,
    late_count=False,
)


def _rated(state: State) -> str:
    return say("rated") if state.rated else say("not rated")


RATED = switch(
    "set rated",
    name="rating",
    summary="the game counts for reliability (moderated games do by default)",
    help=(
        "What players do here counts for their reliability: phases on time or late, powers given "
        "up. Moderated games are rated unless their master says otherwise, others are not."
    ),
    show=_rated,
    rated=True,
)

UNRATED = switch(
    *("set unrated", "set not rated", "set no rated"),
    name="rating",
    summary="the game does not count for reliability",
    help="Nothing that players do here counts for their reliability.",
    show=_rated,
    rated=False,
)

COMMANDS: tuple[Command, ...] = (
    NMR,
    NO_NMR,
    QUIET,
    NO_QUIET,
    LATE_COUNT,
    NO_LATE_COUNT,
    RATED,
    UNRATED,
)
