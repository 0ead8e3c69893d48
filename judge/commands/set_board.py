"""What is changed about a variant: where units are built, retreats, the start, conversions."""

from __future__ import annotations

from judge.game.setting import Wanted, setting, switch
from judge.game.state import State
from judge.game.state.boards import before
from judge.i18n import say
from judge.rules.modules import raises_anywhere, raises_holding_home, seams


def _builds(state: State) -> str:
    raises = seams(state.variant).raises
    if raises is raises_anywhere:
        return say("in any center that is owned and empty")
    if raises is raises_holding_home:
        return say("in any center that is owned and empty, by whoever owns a center at home")
    return say("in the home centers")


BUILDS = (
    switch(
        *("set home centers", "set home centres"),
        name="builds",
        summary="units are built in home centers (the default on most boards)",
        help="Units are built in centers of the home country that are owned and empty.",
        show=_builds,
        before_start=True,
        builds="home",
    ),
    switch(
        *("set one centers", "set one centres", "set one center", "set one centre"),
        name="builds",
        summary="units are built in any center, while one at home is owned",
        help=(
            "Whoever owns at least one center of his home country builds in any center that he "
            "owns and that is empty."
        ),
        show=_builds,
        before_start=True,
        builds="one",
    ),
    switch(
        *("set any centers", "set any centres", "set any center", "set any centre"),
        name="builds",
        summary="units are built in any center",
        help="Units are built in any center that is owned and empty.",
        show=_builds,
        before_start=True,
        builds="any",
    ),
)


def _retreats(state: State) -> str:
    return say("no: what is dislodged is destroyed") if state.settings.auto_disband else say("yes")


RETREATS = (
    switch(
        "set auto disband",
        name="retreats",
        summary="a dislodged unit is destroyed, there are no retreats",
        help="A dislodged unit is destroyed at once; retreat phases are skipped.",
        show=_retreats,
        before_start=True,
        auto_disband=True,
    ),
    switch(
        "set no auto disband",
        name="retreats",
        summary="dislodged units may retreat (the default)",
        help="Dislodged units may retreat. The default.",
        show=_retreats,
        before_start=True,
        auto_disband=False,
    ),
)


def _transform(state: State) -> str:
    return say("allowed") if "conversion" in state.variant.modules else say("not allowed")


TRANSFORM = (
    switch(
        "set transform",
        name="conversions",
        summary="armies in own centers can become fleets, and fleets armies",
        help=(
            "In an adjustment phase a unit in a center that its power owns can become a fleet or "
            "an army, by a build order for its place (B F Bre). It takes no build."
        ),
        show=_transform,
        before_start=True,
        transform=True,
    ),
    switch(
        "set no transform",
        name="conversions",
        summary="an army stays an army (the default on most boards)",
        help="An army stays an army, and a fleet a fleet. The default on most boards.",
        show=_transform,
        before_start=True,
        transform=False,
    ),
)


def _blank(wanted: Wanted) -> None:
    variant = wanted.state.variant
    if before(variant.calendar, variant.start_phase) is None:
        raise ValueError(say("{title} has no adjustment phase to begin with", title=variant.title))
    wanted.state.set(blank_board=True)


def _start(state: State) -> str:
    if any(state.variant.start.values()):
        return say("with the units of the board")
    return say("with builds on an empty board")


START = (
    setting(
        words=("set blank board",),
        name="first phase",
        summary="the game begins with builds on an empty board",
        help="Every power owns its centers and begins by building its units in them.",
        example="SET BLANK BOARD",
        change=_blank,
        show=_start,
        bare=True,
        before_start=True,
    ),
    switch(
        "set no blank board",
        name="first phase",
        summary="the game begins with the units of the board (the default)",
        help="The game begins with the units of the board. The default.",
        show=_start,
        before_start=True,
        blank_board=False,
    ),
)

COMMANDS = (*BUILDS, *RETREATS, *TRANSFORM, *START)
