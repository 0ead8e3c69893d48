"""Settings about what is played: who has which powers, on what board, until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from judge.game.state.settings.row import Choice, one_of, switch, value


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
