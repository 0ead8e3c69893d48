"""Commands of the classic judges that are known and not carried out yet.

They are read, so that nobody's SET ABSENCE is taken for talk and no order below PHASE for one of
this phase; who writes one is told. HELP does not list them.
"""

from __future__ import annotations

from judge.game.command import Answer, Call, Command, Refused
from judge.game.visit import Visit

GROUP = "later"


def _run(visit: Visit, call: Call) -> Answer:
    raise Refused("not_yet")


def _later(
    *words: str, example: str = "", ends: tuple[str, ...] = (), bare: bool = False
) -> Command:
    form = words[0].upper()
    return Command(
        words=words,
        who="anybody",
        summary="known from other judges, not carried out here yet",
        help="This judge reads it, but does not carry it out yet.",
        example=f"{form} {example}".rstrip(),
        run=_run,
        usage="..." if example else "",
        bare=bare,
        ends=ends,
        harmless=True,
        group=GROUP,
    )


COMMANDS = (
    _later("monitor", example="paris"),
    _later("map", example="paris f1903m"),
    _later("set address", example="ann@example.org"),
    *(_later(f"set {word}", bare=True) for word in ("coastal convoys", "any disband")),
)
