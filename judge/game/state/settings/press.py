"""Settings about press, and about what players may know of each other and the board."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from judge.game.state.settings.row import Choice, one_of, switch


class PressRule(StrEnum):
    """The colors of press that players may send, the first where they name none."""

    WHITE = "white"
    GREY = "grey"
    WHITE_GREY = "white/grey"
    GREY_WHITE = "grey/white"
    NONE = "none"


class ObserverPress(StrEnum):
    """What observers may write: as players, signed broadcasts only, or nothing."""

    ANY = "any"
    WHITE = "white"
    NO = "no"


class Fakes(StrEnum):
    """Whether headings of press may claim other recipients."""

    NO = "no"
    PARTIAL = "partial"
    """Where the writer says so."""
    BROADCAST = "broadcast"
    """They always claim everybody."""
    DEFAULT = "default"
    """They claim everybody unless the writer says something else."""


@dataclass(frozen=True, kw_only=True)
class PressSettings:
    """Who may write what to whom, and who learns what."""

    press: PressRule = one_of(
        PressRule.WHITE,
        "press",
        {
            PressRule.WHITE: Choice(
                "white",
                "players may write to each other, signed with their powers",
                ("white", "press white", "no grey", "no gray"),
            ),
            PressRule.GREY: Choice(
                "grey",
                "players may write to each other, unsigned",
                ("grey", "gray", "press grey", "press gray", "no white"),
            ),
            PressRule.WHITE_GREY: Choice(
                "white/grey",
                "players may write signed, or unsigned if they say so",
                ("white/grey", "white/gray", "press white/grey", "press white/gray"),
            ),
            PressRule.GREY_WHITE: Choice(
                "grey/white",
                "players may write unsigned, or signed if they say so",
                ("grey/white", "gray/white", "press grey/white", "press gray/white"),
            ),
            PressRule.NONE: Choice(
                "none",
                "players may write to nobody but the game master",
                ("none", "no press", "press none"),
            ),
        },
        "Nobody learns who wrote unsigned press. PRESS GREY TO ... and PRESS WHITE TO ... say "
        "which it is. Before the start and after the end everybody may write.",
        in_entry=True,
    )
    partial: bool = switch(
        True,
        "partial",
        "press to some",
        ("allowed", "players may write to some of the others alone"),
        ("broadcasts only", "players may write to everybody at once only (BROADCAST)"),
    )
    observer_press: ObserverPress = one_of(
        ObserverPress.ANY,
        "observers' press",
        {
            ObserverPress.ANY: Choice(
                "as players", "observers may write as players do", ("observer any",)
            ),
            ObserverPress.WHITE: Choice(
                "signed broadcasts only",
                "observers may write signed broadcasts only",
                ("observer white",),
            ),
            ObserverPress.NO: Choice(
                "none",
                "observers may write to nobody but the game master",
                ("observer no", "observer none", "no observer"),
            ),
        },
    )
    minor_press: bool = switch(
        True,
        "minor press",
        "press in retreats and adjustments",
        ("allowed", "press goes out in all phases"),
        ("not allowed", "press goes out in movement phases only, as in the rulebook"),
        before_start=True,
    )
    late_press: bool = switch(
        True,
        "late press",
        "press of late players",
        ("allowed", "late players may write to the others"),
        ("not allowed", "late players may write to nobody but the game master"),
    )
    grace_press: bool = switch(
        True,
        "grace press",
        "press while somebody is late",
        ("allowed", "press goes out while somebody is late"),
        ("not allowed", "no press goes out while anybody is late, except to the game master"),
    )
    must_order: bool = switch(
        False,
        "must order",
        "press and orders",
        ("only with orders in", "players may write once all their orders are in"),
        ("at any time", "players may write before their orders are in"),
        no_words=("not must order",),
    )
    touch_press: bool = switch(
        False,
        "touch press",
        "private press",
        ("only to neighbors", "private press goes only to powers with a unit one step away"),
        ("to everybody", "private press goes to everybody, near or far"),
        "With TOUCH PRESS everybody has one broadcast a phase, too.",
    )
    all_press: bool = switch(
        False,
        "all press",
        "game masters and press",
        ("see private press", "game masters see private press from now on"),
        ("see what they are sent", "game masters see only press that is sent to them"),
        "With ALL PRESS, game masters get a copy of all press, with its true sender and "
        "recipients. Everybody is told so, and the entry of the game in LIST says it.",
        no_words=("normal press",),
    )
    fakes: Fakes = one_of(
        Fakes.NO,
        "faked recipients",
        {
            Fakes.NO: Choice(
                "not allowed",
                "press says truly to whom it went",
                ("no fake", "no fake broadcast"),
            ),
            Fakes.PARTIAL: Choice(
                "allowed",
                "press to some may claim other recipients",
                ("partial may be faked", "partial may", "fake"),
            ),
            Fakes.BROADCAST: Choice(
                "all press to some looks like a broadcast",
                "all press to some looks like a broadcast",
                ("partial fakes broadcast", "partial fakes"),
            ),
            Fakes.DEFAULT: Choice(
                "press to some looks like a broadcast unless its writer says otherwise",
                "press to some looks like a broadcast unless its writer says otherwise",
                ("partial fakes broadcast by default", "partial default"),
            ),
        },
        "The writer says so behind the true recipients: PRESS TO F FAKE TO FG, FAKE BROADCAST or "
        "NO FAKE.",
    )
    postal_press: bool = switch(
        False,
        "postal press",
        "postal press",
        ("allowed", "broadcasts may wait and go out with the results (POSTAL PRESS)"),
        ("not allowed", "all broadcasts go out at once"),
    )

    # What players may know

    gunboat: bool = switch(
        False,
        "gunboat",
        "who plays what",
        ("hidden", "nobody learns who plays what (HELP gunboat)"),
        ("known", "everybody knows who plays what"),
        no_words=("not gunboat",),
        before_start=True,
    )
    blind: bool = switch(
        False,
        "blind",
        "what is seen of the board",
        (
            "players see what their units see",
            "players see what their units and centers see (HELP blind)",
        ),
        ("everything", "everybody sees the whole board"),
        no_words=("not blind",),
        before_start=True,
    )
    reveal: bool = switch(
        True,
        "reveal",
        "names at the end",
        ("told", "at the end of a gunboat game everybody learns who played what"),
        ("not told", "who played what stays hidden at the end of a gunboat game"),
        "The game master can still send REVEAL after the end.",
        locked=(False,),
    )
    secret: bool = switch(
        False,
        "secret",
        "number of people",
        ("hidden", "only game masters know how many have joined"),
        ("told", "everybody may know how many have joined"),
        before_start=True,
    )
    show: bool | None = switch(
        None,
        "show",
        "who changed a setting",
        ("told", "say who changed a setting (the default, except in gunboat games)"),
        ("not told", "do not say who changed a setting (the default in gunboat games)"),
        "A gunboat game names the power.",
    )
