"""Settings for what players may know: of each other, of the board, of who changed what."""

from __future__ import annotations

from judge.commands.set_variant import forget_zone
from judge.game.setting import setting, switch
from judge.game.state import State
from judge.i18n import say
from judge.intake.command import Command


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
    switch(
        "set gunboat",
        name="who plays what",
        summary="nobody learns who plays what (HELP gunboat)",
        help="Powers write, act and are late, never persons. HELP gunboat says what is hidden.",
        show=_gunboat,
        before_start=True,
        gunboat=True,
        also=forget_zone,
    ),
    switch(
        *("set no gunboat", "set not gunboat"),
        name="who plays what",
        summary="everybody knows who plays what (the default)",
        help="Everybody knows who plays what. The default.",
        show=_gunboat,
        before_start=True,
        gunboat=False,
    ),
)

BLIND = (
    switch(
        "set blind",
        name="what is seen of the board",
        summary="each player sees what his units and centers see (HELP blind)",
        help=(
            "Each player sees his own units and centers, and what stands one step away from them. "
            "HELP blind says what that means."
        ),
        show=_blind,
        before_start=True,
        blind=True,
    ),
    switch(
        *("set no blind", "set not blind"),
        name="what is seen of the board",
        summary="everybody sees the whole board (the default)",
        help="Everybody sees the whole board. The default.",
        show=_blind,
        before_start=True,
        blind=False,
    ),
)

REVEAL = (
    switch(
        "set reveal",
        name="names at the end",
        summary="who played what is told at the end of a gunboat game (the default)",
        help="When a gunboat game is over everybody learns who played what. The default.",
        show=_reveal,
        reveal=True,
    ),
    switch(
        "set no reveal",
        name="names at the end",
        summary="who played what is not told when a gunboat game is over",
        help=(
            "Who played what stays hidden when a gunboat game is over, until its master sends "
            "REVEAL."
        ),
        show=_reveal,
        before_start=True,
        reveal=False,
    ),
)

SECRET = (
    switch(
        "set secret",
        name="number of people",
        summary="nobody learns how many have joined",
        help="Until the start only the masters know how many have joined.",
        show=_secret,
        before_start=True,
        secret=True,
    ),
    switch(
        "set no secret",
        name="number of people",
        summary="everybody may know how many have joined (the default)",
        help="LIST and the letters before the start say how many have joined. The default.",
        show=_secret,
        before_start=True,
        secret=False,
    ),
)


def _shown(shown: bool, words: str, summary: str, help: str) -> Command:
    """No `switch`: the setting is called as the argument that words it."""
    return setting(
        words=(words,),
        name="who changed a setting",
        summary=summary,
        help=help,
        example=words.upper(),
        change=lambda wanted: wanted.state.set(show=shown),
        show=_show,
        write=lambda state: "" if state.settings.show is shown else None,
        bare=True,
    )


SHOW = (
    _shown(
        True,
        "set show",
        summary="letters about settings say who changed them (the default, gunboat aside)",
        help=(
            "Letters about settings say who changed them; in a gunboat game by the name of his "
            "power. The default in other games."
        ),
    ),
    _shown(
        False,
        "set no show",
        summary="letters about settings do not say who changed them (the default in gunboat)",
        help="Letters about settings do not say who changed them. The default in gunboat games.",
    ),
)

COMMANDS = (*GUNBOAT, *BLIND, *REVEAL, *SECRET, *SHOW)
