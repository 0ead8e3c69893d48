"""SET PROXY and SET NO PROXY: may units be left to other powers?"""

from __future__ import annotations

from judge.game.setting import switch
from judge.game.state import State
from judge.render.i18n import say


def _show(state: State) -> str:
    return say("allowed") if state.settings.proxy else say("not allowed")


PROXY = switch(
    "set proxy",
    name="proxy",
    summary="a player may leave a unit's order to another power for a phase",
    help="A line like A Lon P France leaves the order of that unit to France, for this phase.",
    show=_show,
    proxy=True,
)

NO_PROXY = switch(
    "set no proxy",
    name="proxy",
    summary="everybody orders his own units (the default)",
    help="Everybody orders his own units. The default.",
    show=_show,
    proxy=False,
)

COMMANDS = (PROXY, NO_PROXY)
