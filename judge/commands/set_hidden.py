"""Settings for what players may know: of each other, of the board, of who changed what."""

from __future__ import annotations

from collections.abc import Callable

from judge.commands.set_variant import forget_zone
from judge.game.command import Command
from judge.game.setting import Wanted, setting, written
from judge.game.state import State
from judge.render.i18n import say


def _setting(
    *words: str,
    name: str,
    summary: str,
    help: str,
    worded: Callable[[State], str],
    before_start: bool = False,
    **changes: object,
) -> Command:
    def change(wanted: Wanted) -> None:
        wanted.state.set(**changes)
        if changes.get("gunboat"):
            forget_zone(wanted)

    return setting(
        words=words,
        name=name,
        summary=summary,
        help=help,
        example=words[0].upper(),
        change=change,
        show=worded,
        write=written(changes),
        bare=True,
        before_start=before_start,
    )


def _gunboat(state: State) -> str:
    return say("hidden") if state.settings.gunboat else say("known")


def _blind(state: State) -> str:
    return say("each sees what his units see") if state.settings.blind else say("all is seen")


def _reveal(state: State) -> str:
    return say("told") if state.settings.reveal else say("not told")


def _secret(state: State) -> str:
    return say("hidden") if state.settings.secret else say("told")


def _show(state: State) -> str:
    show = state.settings.show
    shown = not state.settings.gunboat if show is None else show
    return say("told") if shown else say("not told")


GUNBOAT = (
    _setting(
        "set gunboat",
        name="who plays what",
        summary="nobody learns who plays what (HELP gunboat)",
        help="Powers write, act and are late, never persons. HELP gunboat says what is hidden.",
        worded=_gunboat,
        before_start=True,
        gunboat=True,
    ),
    _setting(
        *("set no gunboat", "set not gunboat"),
        name="who plays what",
        summary="everybody knows who plays what (the default)",
        help="Everybody knows who plays what. The default.",
        worded=_gunboat,
        before_start=True,
        gunboat=False,
    ),
)

BLIND = (
    _setting(
        "set blind",
        name="what is seen of the board",
        summary="each player sees what his units and centers see (HELP blind)",
        help=(
            "Each player sees his own units and centers, and what stands one step away from them. "
            "HELP blind says what that means."
        ),
        worded=_blind,
        before_start=True,
        blind=True,
    ),
    _setting(
        *("set no blind", "set not blind"),
        name="what is seen of the board",
        summary="everybody sees the whole board (the default)",
        help="Everybody sees the whole board. The default.",
        worded=_blind,
        before_start=True,
        blind=False,
    ),
)

REVEAL = (
    _setting(
        "set reveal",
        name="names at the end",
        summary="who played what is told at the end of a gunboat game (the default)",
        help="When a gunboat game is over everybody learns who played what. The default.",
        worded=_reveal,
        reveal=True,
    ),
    _setting(
        "set no reveal",
        name="names at the end",
        summary="who played what is not told when a gunboat game is over",
        help=(
            "Who played what stays hidden when a gunboat game is over, until its master sends "
            "REVEAL."
        ),
        worded=_reveal,
        before_start=True,
        reveal=False,
    ),
)

SECRET = (
    _setting(
        "set secret",
        name="number of people",
        summary="nobody learns how many have joined",
        help="Until the start only the masters know how many have joined.",
        worded=_secret,
        before_start=True,
        secret=True,
    ),
    _setting(
        "set no secret",
        name="number of people",
        summary="everybody may know how many have joined (the default)",
        help="LIST and the letters before the start say how many have joined. The default.",
        worded=_secret,
        before_start=True,
        secret=False,
    ),
)

SHOW = (
    _setting(
        "set show",
        name="who changed a setting",
        summary="letters about settings say who changed them (the default, gunboat aside)",
        help=(
            "Letters about settings say who changed them; in a gunboat game by the name of his "
            "power. The default in other games."
        ),
        worded=_show,
        show=True,
    ),
    _setting(
        "set no show",
        name="who changed a setting",
        summary="letters about settings do not say who changed them (the default in gunboat)",
        help="Letters about settings do not say who changed them. The default in gunboat games.",
        worded=_show,
        show=False,
    ),
)

COMMANDS = (*GUNBOAT, *BLIND, *REVEAL, *SECRET, *SHOW)
