"""SET PROXY and SET NO PROXY: may units be left to other powers?"""

from __future__ import annotations

from judge.game.setting import setting
from judge.game.state import State


def _show(state: State) -> str:
    return "on" if state.settings.proxy else "off"


PROXY = setting(
    words=("set proxy",),
    name="proxy",
    summary="a player may leave a unit's order to another power for a phase",
    help="A line like A Lon P France leaves the order of that unit to France, for this phase.",
    example="SET PROXY",
    change=lambda wanted: wanted.state.set(proxy=True),
    show=_show,
    bare=True,
)

NO_PROXY = setting(
    words=("set no proxy",),
    name="proxy",
    summary="everybody orders his own units (the default)",
    help="Everybody orders his own units. The default.",
    example="SET NO PROXY",
    change=lambda wanted: wanted.state.set(proxy=False),
    show=_show,
    bare=True,
)

COMMANDS = (PROXY, NO_PROXY)
