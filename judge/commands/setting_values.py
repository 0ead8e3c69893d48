"""What the rows of the table of settings cannot say, because it depends on the game: how values
are read, stored where more than one field changes, worded in messages, and written as lines. And
how a change of a setting is noted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct, field

from judge import variants
from judge.commands.names_meant import addresses_changed
from judge.game.endings import past_limit, read_limit
from judge.game.people.entry import own_figures, passes, read_level
from judge.game.people.seating import choose, offered, refit
from judge.game.scores import concedes, read_system, system_of
from judge.game.state import State
from judge.game.state.answers import LikelyMeant, Refused, SettingChange
from judge.game.state.settings import Builds, Experience, PressRule
from judge.i18n import Message, Translations, in_english, say, say_n
from judge.intake.command import Run
from judge.intake.context import Cursor, Log, Report
from judge.intake.outward import ours
from judge.render import hours_in_words, plural, when
from judge.rules.hooks import rule_hooks
from judge.rules.modules.conscription import builds_anywhere, builds_holding_home
from judge.rules.rulebook import Rulebook, editions
from judge.rules.variant import Variant, lineup_of
from judge.schedule.dates import read_date, read_home_zone
from judge.schedule.deadlines import TimeError, TimeFault, read_hours
from judge.schedule.holidays import read_country
from judge.sentences import error_wording
from judge.storage import GameState, Outward, Role


class SettingRequest(Struct, frozen=True):
    """What somebody wants to set: in which game, and what is written behind and below the words."""

    state: State
    cursor: Cursor
    now: datetime
    arguments: str
    block: tuple[str, ...] = ()
    whole: Callable[[str], Outward] = ours
    """Returns a text as it may go out. Raises Refused where it may not."""

    @property
    def text(self) -> str:
        """The arguments without marks around them."""
        return self.arguments.strip(" .!=")


class BadSetting(ValueError):
    """A value that cannot be set, and why: a text of ours with its facts. `write` is a line that
    can be written instead, if one is known."""

    def __init__(self, problem: str, *, write: str | None = None, **facts: object) -> None:
        super().__init__(say(problem, **facts))
        self.write = write


class Behavior(Struct, frozen=True, kw_only=True):
    """How a setting differs from a plain field with choices.

    `read` makes a value of what was written, and raises ValueError saying what is wrong with it;
    `store` keeps the value where that is not one field of the settings. `show` words it as it is
    in a game, or `effective` gives the choice that is in effect there. `write` gives the arguments
    of the line that sets it, None where it is as in a new game. `takes` says how arguments
    behind the words of a choice are shown, and of which kinds they are. `own` says whether a text
    is one of kind `own`. `run` is the whole command where it is none of this.
    """

    read: Callable[[SettingRequest], Any] | None = None
    store: Callable[[SettingRequest, Any], None] | None = None
    show: Callable[[State], str] | None = None
    effective: Callable[[State], Any] | None = None
    write: Callable[[State], str | None] | None = None
    takes: Mapping[Any, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    own: Callable[[str, Variant], bool] | None = None
    run: Run | None = None


def changeable(cursor: Cursor) -> State:
    """Return the game of these lines, whose settings can be changed. Raise Refused if it is
    over."""
    state = cursor.here()
    if state.game.state == GameState.ENDED:
        raise Refused("game_over", game=state.game.name)
    return state


def note(
    cursor: Cursor,
    report: Report,
    log: Log,
    name: Message,
    old: Translations | str,
    new: Translations | str,
) -> SettingChange:
    """Log a changed setting, and tell the others when the whole message is done."""
    change = SettingChange(name, old, new)
    if new != old:
        report.changes.setdefault(cursor.here().game.id, []).append(change)
        said = {"setting": name, "old": old, "new": new}
        log("set", {key: in_english(text) for key, text in said.items()})
    return change


# The board

OPTIONS = ("gunboat", "blind", "no press")
"""What can follow a variant's name."""


def split_variant(text: str) -> list[str] | None:
    """Return the boards and options that a text consists of; None where it holds anything else."""
    text = text.lower().replace(",", " ").replace("-", "_").strip(" .")
    words = _NO_PRESS.sub("no_press", text).split()
    found = [option if (option := word.replace("_", " ")) in OPTIONS else word for word in words]
    return found if all(word in OPTIONS or word in variants.names() for word in found) else None


_NO_PRESS = re.compile(r"\bno(?:\s+|_?)press\b")


def is_board(text: str, _: Variant) -> bool:
    """Return whether a text consists of boards and options."""
    return bool(split_variant(text))


def _read_variant(request: SettingRequest) -> list[str]:
    found = split_variant(request.arguments)
    if not found:
        known = ", ".join((*variants.names(), *OPTIONS))
        text = request.arguments
        raise BadSetting("{text!r} is no variant; there are {known}", text=text, known=known)
    return found


def _store_variant(request: SettingRequest, found: list[str]) -> None:
    for word in found:
        if word in OPTIONS:
            _set_option(request.state, word, True)
        else:
            _set_board(request.state, word)
    _forget_zone(request)


def take_back_options(request: SettingRequest) -> None:
    """Take back options of the variant. Raise ValueError for a board."""
    for word in _read_variant(request):
        if word not in OPTIONS:
            raise BadSetting(
                "{word} is a board; SET VARIANT and another one takes its place", word=word
            )
        _set_option(request.state, word, False)


def _forget_zone(request: SettingRequest) -> None:
    """Take the creator's time zone from a gunboat game: its creator may play in it."""
    state, creator = request.state, request.cursor.sender
    if state.settings.gunboat and state.settings.zone == creator.zone:
        state.set(zone=creator.usual_zone)


def _set_option(state: State, option: str, on: bool) -> None:
    if option == "no press":
        state.set(press=PressRule.NONE if on else PressRule.WHITE)
    else:
        state.set(**{option: on})


def _set_board(state: State, name: str) -> None:
    """Play on another board, by the rulebook it was made for; preferences were for the old one."""
    variant = variants.load(name)
    if name == state.variant.name:
        return
    there = len(state.seats.active(Role.PLAYER))
    if there > len(variant.played):
        raise BadSetting(
            "{there} players have joined, and {name} has {count} powers",
            there=there,
            name=name,
            count=len(variant.played),
        )
    state.game.variant = name
    state.set(centers=None, people=None, in_play=None, lineup=None)
    state.game.rulebook = Rulebook.edition(variant.rulebook).name
    for seat in state.seats.active(Role.PLAYER):
        seat.preferences = ""
        state.seats.keep(seat)


def _show_variant(state: State) -> str:
    settings = state.settings
    flags = (settings.gunboat, settings.blind, settings.press is PressRule.NONE)
    on = [option for option, flag in zip(OPTIONS, flags, strict=True) if flag]
    return ", ".join((state.variant.name, *on))


def _store_gunboat(request: SettingRequest, gunboat: bool) -> None:
    request.state.set(gunboat=gunboat)
    _forget_zone(request)


def _read_rulebook(request: SettingRequest) -> str:
    name = request.text
    if name not in editions():
        known = ", ".join(editions())
        raise BadSetting(
            "no rulebook is called {name!r}; there are {known}", name=name, known=known
        )
    return name


def _store_rulebook(request: SettingRequest, name: str) -> None:
    request.state.game.rulebook = name
    refit(request.state)


def _write_rulebook(state: State) -> str | None:
    own = Rulebook.edition(variants.load(state.game.variant).rulebook).name
    return None if state.game.rulebook == own else state.game.rulebook


def _builds(state: State) -> Builds:
    raises = rule_hooks(state.variant).can_build
    if raises is builds_anywhere:
        return Builds.ANY
    return Builds.ONE if raises is builds_holding_home else Builds.HOME


def _store_blank_board(request: SettingRequest, blank: bool) -> None:
    variant = request.state.variant
    if blank and variants.before(variant.calendar, variant.start_phase) is None:
        raise BadSetting("{title} has no adjustment phase to begin with", title=variant.title)
    request.state.set(blank_board=blank)


# Players and powers

_EVENLY = re.compile(r"[\s,]*(?:evenly|even|by lots?)\Z", re.IGNORECASE)
_BY_LOT = re.compile(r"[\s,]+by lots?\Z", re.IGNORECASE)
_NAMED = re.compile(r"(\d+)[\s-]+(\w+)\Z")


def _number(state: State, most: int, text: str) -> int | None:
    """Return the number that a text is, None for as many as there are. Raise ValueError."""
    if text.lower() == "all":
        return None
    there = len(state.seats.active(Role.PLAYER))
    if not text.isdecimal() or not max(there, 1) <= int(text) <= most:
        raise BadSetting(
            "{text!r} does not fit: {there} players have joined, and there can be {most}",
            text=text,
            there=there,
            most=most,
        )
    return int(text)


def _read_people(request: SettingRequest) -> tuple[int | None, Any]:
    """Return how many people play, and the lineup by which they do."""
    state, text = request.state, request.text
    powers = len(variants.load(state.game.variant).played)
    bare = _EVENLY.sub("", text)
    named = _NAMED.match(_BY_LOT.sub("-lots", text)) or _NAMED.match(bare)
    most = state.settings.in_play or powers
    people = _number(state, most, named[1] if named else bare)
    found = [] if people is None else offered(state, people)
    if named:
        wish = "-".join(named.groups()).lower()
        found = [lineup for lineup in found if lineup.name == wish]
        if not found and bare != text and not _NAMED.match(bare):
            return people, None
        if not found:
            lineups = variants.load(state.game.variant).lineups.values()
            names = [each.name for each in lineups if each.rulebook in (None, state.game.rulebook)]
            raise BadSetting(
                "this board has no game called {text!r} for fewer players; there are {known}",
                text=text,
                known=", ".join(names) or "0",
            )
    elif bare != text or state.settings.in_play is not None:
        found = []
    return people, found[0] if found else None


def _store_people(request: SettingRequest, found: tuple[int | None, Any] | None) -> None:
    choose(request.state, *(found or (None, None)))


def _show_people(state: State) -> str:
    lineup = lineup_of(state.variant)
    if lineup is None:
        return str(state.terms.places)
    facts = {
        "count": lineup.players,
        "groups": "; ".join(map(", ".join, lineup.groups)),
        "standing": ", ".join(lineup.standing),
    }
    if lineup.lots:
        return say("{count} (lots are drawn for the powers)", **facts)
    if not lineup.standing:
        return say("{count} ({groups})", **facts)
    if lineup.closed:
        return say("{count} ({groups}; {standing} is neutral)", **facts)
    return say("{count} ({groups}; nobody plays {standing})", **facts)


def _write_people(state: State) -> str | None:
    people, lineup = state.settings.people, state.settings.lineup
    if people is None or lineup is not None:
        return lineup
    return f"{people} EVENLY" if offered(state, people) else str(people)


def _read_in_play(request: SettingRequest) -> int | None:
    state = request.state
    number = _number(state, len(variants.load(state.game.variant).played), request.text)
    people = state.settings.people
    if number is not None and people is not None and people > number:
        raise ValueError(say_n(
            "the game is for {count} player, who cannot have fewer powers than that",
            "the game is for {count} players, who cannot have fewer powers than that",
            people,
        ))  # fmt: skip
    return number


def _store_in_play(request: SettingRequest, number: int | None) -> None:
    choose(request.state, request.state.settings.people, None)
    request.state.set(in_play=number)


# The end


def _read_turn(request: SettingRequest) -> str:
    state = request.state
    limit = read_limit(state.variant.calendar, request.text)
    current = state.phase or state.variant.start_phase
    if past_limit(state.variant.calendar, current, limit):
        raise BadSetting("{turn} is over already; it is {phase} now", turn=limit, phase=current)
    return limit


def _show_turn(state: State) -> str:
    limit = state.settings.turn_limit
    return say("none") if limit is None else say("after {turn}", turn=limit)


def _read_end(request: SettingRequest) -> datetime | float:
    """Return a date (no time of day: 23:30) as an instant, or a length of time in hours.

    Raise ValueError for what is neither, and for what is past.
    """
    text, now = request.text, request.now
    try:
        hours = read_hours(text)
    except ValueError:
        if any(map(str.isdecimal, text)):
            return read_date(text, now, request.state.settings.zone)
        raise BadSetting(
            "{text!r} is no time limit; write a length of time (30D) or a date (2026-12-24)",
            text=text,
        ) from None
    if hours <= 0:
        raise BadSetting("a time limit must leave some time")
    return hours


def _store_end(request: SettingRequest, end: datetime | float | None) -> None:
    state = request.state
    if end is None or isinstance(end, datetime):
        state.set(time_limit=None, ends_at=end)
    elif state.game.started_at is None:
        state.set(time_limit=end, ends_at=None)
    else:
        ends_at = state.game.started_at + timedelta(hours=end)
        if ends_at <= request.now:
            time = hours_in_words(end)
            raise BadSetting("the game has run longer than {time} already", time=time)
        state.set(time_limit=end, ends_at=ends_at)


def _show_end(state: State) -> str:
    settings = state.settings
    if settings.ends_at is not None:
        return say("until {time}", time=when(settings.ends_at, settings.zone))
    if settings.time_limit is not None:
        return say("{time} from the start", time=hours_in_words(settings.time_limit))
    return say("none")


def _write_end(state: State) -> str | None:
    settings = state.settings
    if settings.time_limit is not None:
        return f"{settings.time_limit:g}H"
    return f"{settings.ends_at:%Y-%m-%d %H:%M} UTC" if settings.ends_at else None


def _read_centers(request: SettingRequest) -> int:
    state, text = request.state, request.text
    total = len(state.variant.board.centers)
    most = state.powers.most_centers()
    if not text.isdecimal() or not most < int(text) <= total:
        raise BadSetting(
            "{text!r} is no number of centers for a victory; it is more than {most}, which "
            "somebody has already, and at most {total}",
            text=text,
            most=most,
            total=total,
        )
    return int(text)


# Game masters and newcomers


def _store_moderated(request: SettingRequest, moderated: bool) -> None:
    state, cursor = request.state, request.cursor
    if moderated:
        players = {seat.person_id for seat in state.seats.active(Role.PLAYER)}
        if not any(seat.person_id not in players for seat in state.seats.active(Role.MASTER)):
            raise BadSetting("nobody could be its game master, because a game master cannot play")
    else:
        keeps, plays = cursor.keeping is not None, cursor.playing()
        if (
            state.phase
            and not (keeps or plays)
            and request.text.strip("?").lower() != state.game.name.lower()
        ):
            raise BadSetting(
                "you play no power, so after that you can change nothing in this game, and nobody "
                "can make you its game master again; name the game if you mean it",
                write=f"SET UNMODERATED {state.game.name}",
            )
    state.game.moderated = moderated


def _addresses(name: str) -> Behavior:
    """Return a list of addresses, of which one with a minus before it is taken out."""

    def read(request: SettingRequest) -> tuple[str, ...]:
        if not request.arguments.strip(" ,;"):
            raise BadSetting("it takes addresses, with a minus before those to be removed")
        try:
            known = getattr(request.state.settings, name)
            return tuple(addresses_changed(known, request.arguments))
        except ValueError as bad:
            raise BadSetting("{word!r} is no address", word=str(bad)) from None

    def show(state: State) -> str:
        count = len(getattr(state.settings, name))
        if not count:
            return say("everybody") if name == "allowed" else say("nobody")
        return say_n("{count} address", "{count} addresses", count)

    return Behavior(
        read=read, show=show, write=lambda state: ", ".join(getattr(state.settings, name)) or None
    )


def _share(text: str) -> float:
    """Read a share from 0 to 1, written as `0.9` or `90%`."""
    found = re.fullmatch(r"(\d*\.?\d+)\s*(%?)", text)
    value = float(found[1]) / (100 if found[2] else 1) if found else 2
    if value > 1:
        raise BadSetting("{text!r} is no share from 0 to 1; write one like 0.9, or none", text=text)
    return value


def _points(text: str) -> int:
    if re.fullmatch(r"-?\d+", text) is None:
        raise BadSetting("{text!r} is no whole number; write one like 20, or none", text=text)
    return int(text)


def _level(text: str) -> Experience | None:
    if text.lower() in ("any", "all", "anybody"):
        return None
    found = read_level(text)
    if found is None:
        levels = ", ".join(Experience)
        raise BadSetting(
            "{text!r} is no level; there are {levels}, or none", text=text, levels=levels
        )
    return found


def _bar(name: str, read_figure: Callable[[str], Any]) -> Behavior:
    """Return a bar for newcomers, which cannot be above the figure of the person who sets it."""

    def read(request: SettingRequest) -> Any:
        person = request.cursor.sender.person
        assert person is not None
        own = own_figures(request.cursor.storage, person)[name]
        highest = f"SET {name.upper()} {own if passes(name, own, own) else 'NONE'}"
        if not request.text:
            raise BadSetting("it takes a value, or none", write=highest)
        bar = read_figure(request.text)
        if bar is not None and not passes(name, bar, own):
            raise BadSetting(
                "no bar may be above your own figure, and yours is {own}", write=highest, own=own
            )
        return bar

    return Behavior(read=read)


# The clock and words


def home_zone(text: str, write: str) -> str:
    """Return the time zone that a text names. Raises LikelyMeant for letters that may mean several,
    with the lines that set the likeliest, `write` and its name; TimeError for others."""
    try:
        return read_home_zone(text)
    except TimeError as error:
        if error.problem.fault is not TimeFault.WHICH_ZONE:
            raise
        zone, problem = error.problem.choices[0], error_wording(error)
        raise LikelyMeant("likely_zone", write + zone, problem=problem, zone=zone) from None


def _read_days(request: SettingRequest) -> int:
    found = re.fullmatch(r"(\d{1,3})\s*(?:d|days?)?", request.text)
    if found is None or int(found[1]) > 366:
        raise BadSetting("{text!r} is no number of days from 0 to 366", text=request.text)
    return int(found[1])


BEHAVIOR: Mapping[str, Behavior] = {
    "variant": Behavior(
        read=_read_variant,
        store=_store_variant,
        own=is_board,
        show=_show_variant,
        write=lambda state: state.variant.name,
    ),
    "rulebook": Behavior(read=_read_rulebook, store=_store_rulebook, write=_write_rulebook),
    "moderated": Behavior(store=_store_moderated, takes={False: ("[game]", ("game?",))}),
    "zone": Behavior(read=lambda request: home_zone(request.text, "SET TIME ZONE ")),
    "max_absence": Behavior(
        read=_read_days, show=lambda state: plural(state.settings.max_absence, "day")
    ),
    "holidays": Behavior(read=lambda request: read_country(request.text)),
    "rated": Behavior(effective=lambda state: state.terms.rated),
    "caretaker": Behavior(effective=lambda state: state.terms.caretaker),
    "muster": Behavior(effective=lambda state: state.terms.musters),
    "turn_limit": Behavior(read=_read_turn, show=_show_turn),
    "time_limit": Behavior(read=_read_end, store=_store_end, show=_show_end, write=_write_end),
    "centers": Behavior(
        read=_read_centers,
        show=lambda state: (
            say_n("{count} unit", "{count} units", state.victory)
            if state.variant.counts == "units"
            else say_n("{count} center", "{count} centers", state.victory)
        ),
    ),
    "scoring": Behavior(
        read=lambda request: read_system(request.text, request.state.variant).name,
        show=lambda state: system.title if (system := system_of(state)) else say("none"),
        write=lambda state: state.settings.scoring,
    ),
    "concession_wins": Behavior(effective=concedes),
    "people": Behavior(
        read=_read_people, store=_store_people, show=_show_people, write=_write_people
    ),
    "in_play": Behavior(
        read=_read_in_play,
        store=_store_in_play,
        show=lambda state: str(state.settings.in_play or len(state.variant.played)),
    ),
    "builds": Behavior(effective=_builds),
    "transform": Behavior(effective=lambda state: "conversion" in state.variant.modules),
    "blank_board": Behavior(
        store=_store_blank_board,
        effective=lambda state: not any(state.variant.start.values()),
    ),
    "gunboat": Behavior(store=_store_gunboat),
    "show": Behavior(
        effective=lambda state: (
            not state.settings.gunboat if state.settings.show is None else state.settings.show
        )
    ),
    "allowed": _addresses("allowed"),
    "denied": _addresses("denied"),
    "dedication": _bar("dedication", _points),
    "ontimerat": _bar("ontimerat", _share),
    "resrat": _bar("resrat", _share),
    "level": _bar("level", _level),
}
"""How those settings behave that are no plain fields with choices, by the names of their values."""
