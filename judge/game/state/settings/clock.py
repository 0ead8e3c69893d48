"""Settings about time: the pace, absences, and orders that do not come."""

from __future__ import annotations

from dataclasses import dataclass

from judge.game.state.settings.row import row, switch, value
from judge.schedule.deadlines import CLASSIC, Pace

NOTICE = 24
"""Hours for which a power is open to others, at least, before it falls into civil disorder."""


def _pace(default: Pace, words: str, phases: str, example: str) -> Pace:
    return row(
        default,
        words=(words,),
        called=f"pace of {phases}",
        usage="NEXT time CLOCK hh:mm DAYS SMTWTFS, or plain words",
        effect=f"how fast {phases} go",
        help=(
            "Plain words: every Mon and Thu 20:00 Paris; every day at 9pm; twice a week; weekdays "
            "20:00; every 2 days; 48H. Or single values. NEXT: time from one phase to the next "
            "deadline. CLOCK: time of day of deadlines, or NONE. DAYS: seven letters from Sunday: "
            "a capital letter where a deadline may fall, a small letter for afternoons only, - for "
            "never. MIN: least time between two phases. DELAY: how long I wait for second thoughts "
            "once all orders are in. GRACE: time from the deadline to the consequences of missing "
            "orders. Times: 90M, 48H, 3D, 2W. It takes effect with the next phase. HELP deadlines "
            "explains it."
        ),
        example=example,
        in_entry=True,
        decode=lambda stored: Pace(**stored),
    )


@dataclass(frozen=True, kw_only=True)
class ClockSettings:
    """When phases are adjudicated, and what happens without orders."""

    move: Pace = _pace(
        CLASSIC["M"],
        "move",
        "movement phases",
        "SET MOVE every Mon and Thu 20:00 Paris, adjust 24h",
    )
    retreat: Pace = _pace(
        CLASSIC["R"], "retreat", "retreat phases", "SET RETREAT NEXT 24H CLOCK 20:00"
    )
    adjust: Pace = _pace(CLASSIC["A"], "adjust", "adjustment phases", "SET ADJUST 24H")
    zone: str = value(
        "UTC",
        ("time zone", "zone"),
        "time zone of the game",
        "zone",
        "the time zone in which CLOCK and DAYS are read",
        "A new game has the time zone of its creator. Messages show times in each reader's own.",
        "SET TIME ZONE Europe/Paris",
        in_entry=True,
    )
    max_absence: int = value(
        15,
        ("max absence",),
        "longest absence",
        "days",
        "how many days players may be away without asking",
        "The game master decides about a longer absence. The default is 15 days.",
        "SET MAX ABSENCE 15",
    )
    strict_grace: bool = switch(
        False,
        "strict grace",
        "end of grace period",
        ("on any day", "the grace period may end on any day"),
        ("on an allowed day", "the grace period ends on an allowed day"),
        "The grace period ends GRACE after the deadline. A day that DAYS forbid moves it on, "
        "unless STRICT GRACE is set.",
    )
    strict_wait: bool = switch(
        False,
        "strict wait",
        "who may wait",
        ("only players who owe orders", "only players who owe orders can hold a phase"),
        ("everybody", "everybody can hold a phase until its deadline"),
        "This says whose SET WAIT counts.",
    )
    always_wait: bool = switch(
        False,
        "always wait",
        "early adjudication",
        ("never", "adjudicate at the deadline, even if all orders are in"),
        ("once all orders are in", "adjudicate early once all orders are in"),
        "With ALWAYS WAIT, players can talk and change their orders until every deadline.",
    )
    holidays: str | None = value(
        None,
        ("public holidays", "holidays"),
        "public holidays",
        "country",
        "no deadline falls on the public holidays of a country",
        "A country, its code, or one of its parts: Germany, US, DE-BY. NONE takes it back. "
        "Deadlines that are set from then on, and ends of grace periods, move to the next allowed "
        "day.",
        "SET PUBLIC HOLIDAYS DE",
        none="none",
    )
    reminder: float = 8
    """Hours before the deadline at which people are reminded who chose no times of their own."""

    # Missing orders

    nmr: bool = switch(
        False,
        "nmr",
        "missing orders",
        ("the game goes on without them (NMR)", "adjudicate without missing orders"),
        ("the game waits for them (NoNMR)", "wait for missing orders"),
        "When the deadline has passed, everybody is told who is late. Without NMR, a power that "
        "has no orders at the end of the grace period counts as abandoned: I ask replacements "
        "every two days to take it over, and the game waits. With NMR, I ask them "
        f"{NOTICE} hours before that end; at the end the power falls into civil disorder: its "
        "units hold, and nobody waits for it until somebody plays it again. GRACE must be longer "
        f"than {NOTICE} hours.",
        yes_words=("cd",),
        no_words=("no cd",),
    )
    quiet: bool = switch(
        False,
        "quiet",
        "lateness and takeovers",
        ("not announced", "do not announce who is late and who takes over a power"),
        ("announced", "announce who is late and who takes over a power"),
    )
    late_count: bool = switch(
        True,
        "late count",
        "lateness for reliability",
        ("counted", "late orders count for reliability if the game is rated"),
        ("not counted", "being late here harms nobody's reliability"),
        "Giving up a power counts in any case.",
    )
    rated: bool | None = switch(
        None,
        "rated",
        "rating",
        ("rated", "the game counts for reliability (the default of moderated games)"),
        ("not rated", "the game does not count for reliability (the default of other games)"),
        "What counts are phases on time or late, and powers given up.",
        no_words=("unrated", "not rated"),
    )
