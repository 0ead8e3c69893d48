"""SET PROXY and SET NO PROXY: may units be left to other powers?"""

from __future__ import annotations

from judge.game.setting import allowed, switch

PROXY = switch(
    "set proxy",
    name="proxy",
    summary="a player may leave a unit's order to another power for a phase",
    help="A line like A Lon P France leaves the order of that unit to France, for this phase.",
    show=allowed("proxy"),
    proxy=True,
)

NO_PROXY = switch(
    "set no proxy",
    name="proxy",
    summary="everybody orders his own units (the default)",
    help="Everybody orders his own units. The default.",
    show=allowed("proxy"),
    proxy=False,
)

COMMANDS = (PROXY, NO_PROXY)
