"""Settings about what is played: who has which powers, on what board, until when, and how fast."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from judge.game.state.settings.row import Choice, one_of, row, switch, value
from judge.schedule.deadlines import CLASSIC, Pace


class Builds(StrEnum):
    """In which centers units are built."""

    HOME = "home"
    ONE = "one"
    """In any, while holding one at home."""
    ANY = "any"


class AssignmentRule(StrEnum):
    """How powers are assigned to players."""

    LIST = "list"
    """By their preferences."""
    RANDOM = "random"
    BOTH = "both"
    """By preferences, and at random to those who have none."""


@dataclass(frozen=True, kw_only=True)
class PlaySettings:
    """The powers, the board, and how the game ends."""

    people: int | None = value(
        None,
        ("players",),
        "number of players",
        "number [by lot or evenly]",
        "fewer people than powers: each plays several",
        "The rulebook's game for this many people says which powers each has, and whose units only "
        "hold. 3-RUSSIA is the other game for three in the rules of 1976. BY LOT after the number: "
        "powers are drawn by lot. EVENLY after it, or if there is no such game: powers are "
        "assigned as evenly as possible, and chance says who has one more. NONE: one person for "
        "each power.",
        "SET PLAYERS 5",
        none="none",
        before_start=True,
    )
    lineup: str | None = None
    """The variant's lineup by which they play (`judge.rules.lineup`), None for an even one."""
    in_play: int | None = value(
        None,
        ("powers",),
        "powers in play",
        "number",
        "fewer powers: the others are neutral",
        "Only this many powers are assigned, by the players' preferences. Nobody plays the others: "
        "their units hold, and nobody waits for them. NONE: all powers of the board.",
        "SET POWERS 5",
        none="none",
        before_start=True,
    )
    preferences: AssignmentRule = one_of(
        AssignmentRule.LIST,
        "power assignment",
        {
            AssignmentRule.LIST: Choice(
                "by preferences",
                "powers are assigned by the players' preferences",
                ("prflist", "preference list"),
            ),
            AssignmentRule.RANDOM: Choice(
                "at random",
                "powers are assigned at random, whatever players prefer",
                ("prfrand", "preference random"),
            ),
            AssignmentRule.BOTH: Choice(
                "by preferences, and at random to players who have none",
                "powers are assigned by preferences, and at random to players who have none",
                ("prfboth", "preference both"),
            ),
        },
        "I meet all preferences together as well as possible; chance decides between equals (SET "
        "PREFERENCE).",
        before_start=True,
    )

    # The board

    builds: Builds | None = one_of(
        None,
        "builds",
        {
            Builds.HOME: Choice(
                "in home centers",
                "units are built in home centers (the default on most boards)",
                ("home centers", "home centres"),
            ),
            Builds.ONE: Choice(
                "in any center, while one at home is owned",
                "units are built in any center, while one at home is owned",
                ("one centers", "one centres", "one center", "one centre"),
            ),
            Builds.ANY: Choice(
                "in any center",
                "units are built in any center",
                ("any centers", "any centres", "any center", "any centre"),
            ),
        },
        "Wherever it is, the center must be your own and empty.",
        before_start=True,
    )
    auto_disband: bool = switch(
        False,
        "auto disband",
        "retreats",
        ("no: dislodged units are destroyed", "dislodged units are destroyed at once"),
        ("yes", "dislodged units may retreat"),
        before_start=True,
    )
    transform: bool = switch(
        False,
        "transform",
        "conversions",
        ("allowed", "armies in your centers can become fleets, and fleets armies"),
        ("not allowed", "an army stays an army, and a fleet a fleet"),
        "With TRANSFORM, a build order for the place of a unit in a center that its power owns (B "
        "F Bre) turns it into a fleet or an army in an adjustment phase. It takes no build.",
        before_start=True,
    )
    blank_board: bool = switch(
        False,
        "blank board",
        "first phase",
        ("with builds on an empty board", "the game begins with builds on an empty board"),
        ("with the units of the board", "the game begins with the units of the board"),
        "On an empty board every power owns its centers, and first builds its units in them.",
        before_start=True,
    )
    proxy: bool = switch(
        False,
        "proxy",
        "proxy",
        ("allowed", "players may leave a unit's order to another power for a phase"),
        ("not allowed", "players order their own units"),
        "With PROXY, a line like A Lon P France leaves the order of that unit to France.",
    )

    # The end

    turn_limit: str | None = value(
        None,
        ("end after", "turn limit"),
        "last turn",
        "turn",
        "end the game after this turn; most centers win",
        "When this turn is over the game ends, and the player with the most supply centers wins; "
        "tied players share. NONE takes it back.",
        "SET END AFTER F1907",
        none="none",
        in_entry=True,
    )
    elimination_ends: bool = switch(
        False,
        "end with elimination",
        "elimination",
        (
            "the game ends with the year in which it happens",
            "the game ends with the first year in which a player is eliminated",
        ),
        ("the game goes on", "the game goes on when a player is eliminated"),
        "When a player has no unit and no supply center left, the year is played to its end. Then "
        "the player with the most supply centers wins; tied players share. Everybody who joins is "
        "told of it.",
        before_start=True,
    )
    time_limit: float | None = value(
        None,
        ("time limit",),
        "time limit",
        "time or date",
        "end the game after this time; most centers win",
        "A length of time from the start of the game, or a date. Then the game ends, and the "
        "player with the most supply centers wins; tied players share. I do not adjudicate the "
        "phase that is open then. NONE takes it back.",
        "SET TIME LIMIT 30D",
        none="none",
        in_entry=True,
    )
    """Hours from the start to the end."""
    ends_at: datetime | None = None
    """The instant of the time limit, set at the start where it is a length of time."""
    centers: int | None = value(
        None,
        ("centers", "centres", "victory"),
        "victory",
        "number",
        "how many supply centers win",
        "The first player to own this many when centers change hands, and more than any other, "
        "wins. If several tie at the top, the game goes on and takes one center more than they "
        "have, unless the rules of the board let them share. NONE: the number of the board.",
        "SET CENTERS 18",
        none="none",
        in_entry=True,
    )
    dias: bool = switch(
        True,
        "dias",
        "draws",
        ("all survivors share it", "a draw includes all survivors"),
        ("any that all agree on", "a draw can be one of some survivors"),
        "In games with NO DIAS, SET DRAW AEF lists who may share a draw; the largest one that all "
        "accept happens.",
    )
    concessions: bool = switch(
        True,
        "concessions",
        "concessions",
        ("allowed", "the others can let the leading power win (SET CONCEDE)"),
        ("not allowed", "no vote makes a single power the winner"),
    )


NOTICE = 24
"""Hours for which a power is open to others, at least, before it falls into civil disorder."""


def _pace(default: Pace, words: str, phases: str, example: str) -> Pace:
    return row(
        default,
        words=(words,),
        called=f"pace of {phases}",
        usage="NEXT time CLOCK hh:mm DAYS SMTWTFS, or plain words",
        effect=f"set the pace of {phases}",
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
