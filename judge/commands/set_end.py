"""How a game ends: END AFTER, END WITH ELIMINATION and TIME LIMIT, CENTERS, DIAS, CONCESSIONS."""

from __future__ import annotations

from datetime import datetime, timedelta

from judge.game.endings.outcomes import past_limit, read_limit
from judge.game.setting import Wanted, allowed, setting, switch
from judge.game.state import State
from judge.i18n import say, say_n
from judge.render.words import hours_in_words, when
from judge.schedule.dates import read_date
from judge.schedule.deadlines import read_hours
from judge.schedule.zones import read_zone

_NONE = ("none", "no", "never", "off", "-")


def _turn(wanted: Wanted) -> None:
    state = wanted.state
    text = wanted.arguments.strip(" .")
    if text.lower() in _NONE:
        state.set(turn_limit=None)
        return
    limit = read_limit(state.variant.calendar, text)
    now = state.phase or state.variant.start_phase
    if past_limit(state.variant.calendar, now, limit):
        raise ValueError(say("{turn} is over already; it is {phase} now", turn=limit, phase=now))
    state.set(turn_limit=limit)


def _show_turn(state: State) -> str:
    limit = state.settings.turn_limit
    return say("none") if limit is None else say("after {turn}", turn=limit)


END_AFTER = setting(
    words=("set end after", "set turn limit"),
    name="last turn",
    summary="end the game after this turn; most centers win",
    help=(
        "When this turn is over the game ends, and whoever has the most supply centers wins; tied "
        "players share. NONE takes it back."
    ),
    usage="turn",
    example="SET END AFTER F1907",
    change=_turn,
    show=_show_turn,
    write=lambda state: state.settings.turn_limit,
)


def _elimination(state: State) -> str:
    if state.settings.elimination_ends:
        return say("the game ends with the year in which it happens")
    return say("the game goes on")


ELIMINATION = switch(
    "set end with elimination",
    name="elimination",
    summary="the game ends with the first year in which a player is eliminated",
    help=(
        "When a player has no unit and no supply center left, the year is played to its end. Then "
        "the game is over, and whoever has the most supply centers wins; tied players share. All "
        "who join are told of it."
    ),
    show=_elimination,
    before_start=True,
    elimination_ends=True,
)

NO_ELIMINATION = switch(
    "set no end with elimination",
    name="elimination",
    summary="the game goes on when a player is eliminated (the default)",
    help="The others play on. The default.",
    show=_elimination,
    before_start=True,
    elimination_ends=False,
)


def read_end(text: str, zone: str, now: datetime) -> datetime | float:
    """A date as people write it (no time: 23:30) as an instant, or a length of time in hours.

    Raises ValueError for what is neither, and for what is past.
    """
    try:
        hours = read_hours(text)
    except ValueError:
        if any(map(str.isdecimal, text)):
            return read_date(text, now, zone, None, read_zone)
        problem = say(
            "{text!r} is no time limit; write a length of time (30D) or a date (2026-12-24)",
            text=text,
        )
        raise ValueError(problem) from None
    if hours <= 0:
        raise ValueError(say("a time limit must leave some time"))
    return hours


def _time(wanted: Wanted) -> None:
    state = wanted.state
    text = wanted.arguments.strip(" .")
    if text.lower() in _NONE:
        state.set(time_limit=None, ends_at=None)
        return
    end = read_end(text, state.settings.zone, wanted.context.now)
    if isinstance(end, datetime):
        state.set(time_limit=None, ends_at=end)
    elif state.game.started_at is None:
        state.set(time_limit=end, ends_at=None)
    else:
        ends_at = state.game.started_at + timedelta(hours=end)
        if ends_at <= wanted.context.now:
            problem = say("the game has run longer than {time} already", time=hours_in_words(end))
            raise ValueError(problem)
        state.set(time_limit=end, ends_at=ends_at)


def _show_time(state: State) -> str:
    settings = state.settings
    if settings.ends_at is not None:
        return say("until {time}", time=when(settings.ends_at, settings.zone))
    if settings.time_limit is not None:
        return say("{time} from the start", time=hours_in_words(settings.time_limit))
    return say("none")


TIME_LIMIT = setting(
    words=("set time limit",),
    name="time limit",
    summary="end the game after this time; most centers win",
    help=(
        "A length of time from the start of the game, or a date. When it is over the game ends, "
        "and whoever has the most supply centers wins; tied players share. The phase that is open "
        "then is not run. NONE takes it back."
    ),
    usage="time or date",
    example="SET TIME LIMIT 30D",
    change=_time,
    show=_show_time,
)


def _centers(wanted: Wanted) -> None:
    state = wanted.state
    text = wanted.arguments.strip(" .")
    if text.lower() in _NONE:
        state.set(centers=None)
        return
    provinces = state.variant.board.provinces.values()
    total = sum(province.supply_center for province in provinces)
    owned = state.position.centers if state.position else state.variant.centers
    most = max((len(centers) for centers in owned.values()), default=0)
    if not text.isdecimal() or not most < int(text) <= total:
        raise ValueError(
            say(
                "{text!r} is no number of centers for a victory; it is more than {most}, which "
                "somebody has already, and at most {total}",
                text=text,
                most=most,
                total=total,
            )
        )
    state.set(centers=int(text))


def _show_centers(state: State) -> str:
    return say_n("{count} center", "{count} centers", state.victory)


CENTERS = setting(
    words=("set centers", "set centres", "set victory"),
    name="victory",
    summary="how many supply centers win",
    help=(
        "Whoever owns so many when centers have changed hands, and more than any other, wins. "
        "Where several tie at the top the game goes on, and takes one center more than they have, "
        "unless the rules of the board let them share. NONE: the number of the board."
    ),
    usage="number",
    example="SET CENTERS 18",
    change=_centers,
    show=_show_centers,
    write=lambda state: None if state.settings.centers is None else str(state.settings.centers),
)


def _dias(state: State) -> str:
    return say("all survivors share it") if state.settings.dias else say("any that all agree on")


DIAS = switch(
    "set dias",
    name="draws",
    summary="a draw includes all survivors (the default)",
    help="SET DRAW is a vote for a draw of all survivors. The default.",
    show=_dias,
    dias=True,
)

NO_DIAS = switch(
    "set no dias",
    name="draws",
    summary="a draw can be one of some survivors",
    help="SET DRAW AEF lists who may share a draw; the largest one that all accept happens.",
    show=_dias,
    dias=False,
)


CONCESSIONS = switch(
    "set concessions",
    name="concessions",
    summary="the others can let the power that leads win (the default)",
    help="All others together can give the game to the power that leads (SET CONCEDE).",
    show=allowed("concessions"),
    concessions=True,
)

NO_CONCESSIONS = switch(
    "set no concessions",
    name="concessions",
    summary="nobody can be given the game",
    help="SET CONCEDE is not allowed, and no vote makes a single power the winner.",
    show=allowed("concessions"),
    concessions=False,
)

COMMANDS = (
    *(END_AFTER, ELIMINATION, NO_ELIMINATION, TIME_LIMIT, CENTERS),
    *(DIAS, NO_DIAS, CONCESSIONS, NO_CONCESSIONS),
)
