"""Settings for press: its colors, its recipients, its times, and who may see through it."""

from __future__ import annotations

from judge.game.setting import Wanted, allowed, setting, switch
from judge.game.state import State
from judge.i18n import say
from judge.intake.command import Command
from judge.render import words


def _color(state: State) -> str:
    return words.press(state.settings.press)


COLORS = (
    switch(
        *("set white", "set press white", "set no grey", "set no gray"),
        name="press",
        summary="players may write to each other, signed (the default)",
        help="Players may write to each other, signed with their powers. The default.",
        show=_color,
        press="white",
    ),
    switch(
        *("set grey", "set gray", "set press grey", "set press gray", "set no white"),
        name="press",
        summary="players may write to each other, unsigned",
        help="Players may write to each other, and nobody learns from whom a letter is.",
        show=_color,
        press="grey",
    ),
    switch(
        *("set white/grey", "set white/gray", "set press white/grey", "set press white/gray"),
        name="press",
        summary="signed or unsigned letters, signed unless said",
        help="Players may write signed or unsigned (PRESS GREY TO ...); signed unless they say.",
        show=_color,
        press="white/grey",
    ),
    switch(
        *("set grey/white", "set gray/white", "set press grey/white", "set press gray/white"),
        name="press",
        summary="signed or unsigned letters, unsigned unless said",
        help="Players may write signed (PRESS WHITE TO ...) or unsigned; unsigned unless they say.",
        show=_color,
        press="grey/white",
    ),
    switch(
        *("set none", "set no press", "set press none"),
        name="press",
        summary="players may write to nobody but the master",
        help="Once the game has started nobody may write to anybody but the master.",
        show=_color,
        press="none",
    ),
)


def _partial(state: State) -> str:
    return say("allowed") if state.settings.partial else say("broadcasts only")


PARTIAL = (
    switch(
        "set partial",
        name="letters to some",
        summary="players may write to some of the others alone (the default)",
        help="Players may write to some of the others alone. The default.",
        show=_partial,
        partial=True,
    ),
    switch(
        "set no partial",
        name="letters to some",
        summary="broadcasts only",
        help="Players may write to all at once only (BROADCAST), and to the master.",
        show=_partial,
        partial=False,
    ),
)


def _observers(state: State) -> str:
    told = {"any": say("as players"), "white": say("signed broadcasts only"), "no": say("none")}
    return told[state.settings.observer_press]


def _observer(wanted: Wanted) -> None:
    word = wanted.arguments.strip(" .").lower()
    kinds = {"any": "any", "white": "white", "no": "no", "none": "no", "": ""}
    if not kinds.get(word):
        raise ValueError(say("observers' press is ANY, WHITE or NO, not {text!r}", text=word))
    wanted.state.set(observer_press=kinds[word])


OBSERVERS = (
    setting(
        words=("set observer",),
        name="observers' press",
        summary="what observers may write: ANY as players (the default), WHITE, or NO",
        help=(
            "ANY: observers write as players do, the default. WHITE: signed broadcasts only. NO: "
            "only to the master."
        ),
        usage="ANY, WHITE or NO",
        example="SET OBSERVER WHITE",
        change=_observer,
        write=lambda state: state.settings.observer_press,
        show=_observers,
    ),
    switch(
        "set no observer",
        name="observers' press",
        summary="observers may write to nobody but the master",
        help="Observers may write to nobody but the master.",
        show=_observers,
        observer_press="no",
    ),
)


MINOR = (
    switch(
        "set minor press",
        name="press in retreats and adjustments",
        summary="press in all phases (the default)",
        help="Press goes out in all phases. The default.",
        show=allowed("minor_press"),
        before_start=True,
        minor_press=True,
    ),
    switch(
        "set no minor press",
        name="press in retreats and adjustments",
        summary="press in movement phases only, as the rulebook has it",
        help=(
            "Press goes out in movement phases only, as the rulebook has it, and before the start "
            "and after the end."
        ),
        show=allowed("minor_press"),
        before_start=True,
        minor_press=False,
    ),
)


def _order(state: State) -> str:
    return say("only with orders in") if state.settings.must_order else say("at any time")


def _touch(state: State) -> str:
    return say("only to neighbors") if state.settings.touch_press else say("to everybody")


TIMES = (
    switch(
        "set late press",
        name="press of late players",
        summary="late players may write (the default)",
        help="Who is late with his orders may write to the others. The default.",
        show=allowed("late_press"),
        late_press=True,
    ),
    switch(
        "set no late press",
        name="press of late players",
        summary="late players may write to nobody but the master",
        help="Who is late with his orders may write to nobody but the master until they are in.",
        show=allowed("late_press"),
        late_press=False,
    ),
    switch(
        "set grace press",
        name="press while somebody is late",
        summary="press goes out while somebody is late (the default)",
        help="Press goes out also while orders of somebody are late. The default.",
        show=allowed("grace_press"),
        grace_press=True,
    ),
    switch(
        "set no grace press",
        name="press while somebody is late",
        summary="no press while anybody is late",
        help="Nobody may write to anybody but the master while orders of anybody are late.",
        show=allowed("grace_press"),
        grace_press=False,
    ),
    switch(
        "set must order",
        name="press and orders",
        summary="players may write only when their orders are in",
        help="Players may write to the others only when all their orders are in.",
        show=_order,
        must_order=True,
    ),
    switch(
        *("set no must order", "set not must order"),
        name="press and orders",
        summary="players may write before their orders are in (the default)",
        help="Players may write before their orders are in. The default.",
        show=_order,
        must_order=False,
    ),
    switch(
        "set touch press",
        name="private press",
        summary="private letters only to powers with a unit one step away",
        help=(
            "Private letters go only to powers with a unit one step away from one's own, and "
            "everybody has one broadcast a phase."
        ),
        show=_touch,
        touch_press=True,
    ),
    switch(
        "set no touch press",
        name="private press",
        summary="private letters to everybody (the default)",
        help="Private letters go to everybody, near or far. The default.",
        show=_touch,
        touch_press=False,
    ),
)


def _masters(state: State) -> str:
    return say("see private press") if state.settings.all_press else say("see what they are sent")


MASTERS = (
    switch(
        "set all press",
        name="masters and press",
        summary="masters see private press from now on",
        help=(
            "Masters get a copy of every letter from now on, with its true sender and recipients. "
            "Everybody is told so, and the game's entry in LIST says it."
        ),
        show=_masters,
        all_press=True,
    ),
    switch(
        "set normal press",
        name="masters and press",
        summary="masters see only press that is sent to them (the default)",
        help="Masters see only press that is sent to them. The default.",
        show=_masters,
        all_press=False,
    ),
)


def _fakes(state: State) -> str:
    told = {
        "no": say("not allowed"),
        "partial": say("allowed"),
        "broadcast": say("every letter to some looks like a broadcast"),
        "default": say("letters to some look like broadcasts, unless said"),
    }
    return told[state.settings.fakes]


FAKES = (
    switch(
        *("set no fake", "set no fake broadcast"),
        name="faked recipients",
        summary="headings say truly to whom a letter went (the default)",
        help="The heading of a letter says truly to whom it went. The default.",
        show=_fakes,
        fakes="no",
    ),
    switch(
        *("set partial may be faked", "set partial may", "set fake"),
        name="faked recipients",
        summary="the heading of a letter may claim other recipients",
        help=(
            "The heading of a letter to some may claim that it went to others (PRESS TO F FAKE TO "
            "FG) or to all (PRESS TO F FAKE BROADCAST)."
        ),
        show=_fakes,
        fakes="partial",
    ),
    switch(
        *("set partial fakes broadcast", "set partial fakes"),
        name="faked recipients",
        summary="every letter to some looks like a broadcast",
        help="Every letter to some of the others looks to them like a broadcast.",
        show=_fakes,
        fakes="broadcast",
    ),
    switch(
        *("set partial fakes broadcast by default", "set partial default"),
        name="faked recipients",
        summary="letters to some look like broadcasts, unless their writers say",
        help=(
            "A letter to some of the others looks like a broadcast, unless its writer says NO FAKE "
            "or FAKE TO others behind its recipients."
        ),
        show=_fakes,
        fakes="default",
    ),
)


POSTAL = (
    switch(
        "set postal press",
        name="postal press",
        summary="broadcasts may be held back until the results go out",
        help="Players may write broadcasts that go out with the next results (POSTAL PRESS).",
        show=allowed("postal_press"),
        postal_press=True,
    ),
    switch(
        "set no postal press",
        name="postal press",
        summary="no broadcasts are held back (the default)",
        help="Broadcasts go out at once. The default.",
        show=allowed("postal_press"),
        postal_press=False,
    ),
)

COMMANDS: tuple[Command, ...] = (
    *COLORS,
    *PARTIAL,
    *OBSERVERS,
    *MINOR,
    *TIMES,
    *MASTERS,
    *FAKES,
    *POSTAL,
)
