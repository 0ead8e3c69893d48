"""What people ask: LIST, MAP, HISTORY, SUMMARY, WHO GAME, AUDIT, INFO PLAYER, and VERSION."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import judge
from judge import render
from judge.commands.names_meant import phase_named, power_named, reading
from judge.commands.setting_commands import differences
from judge.commands.waiting import Wish
from judge.game.game_object import game_file
from judge.game.people.reliability import game_listing, of_person, tenures
from judge.game.phases import center_years, game_facts
from judge.game.rollbacks import acts
from judge.game.state import State
from judge.game.state.answers import Answer, Refused, no_part
from judge.game.state.boards import tells, with_words
from judge.game.state.profile import JudgeProfile
from judge.game.visibility.eyes import Eyes, ShownPhase, overview
from judge.intake.context import Cursor, Sender
from judge.intake.lines import Line
from judge.intake.ways import look_at, note_games
from judge.language.misreadings import ReadError
from judge.language.phase_names import read_phase
from judge.mail.compose import Attachment
from judge.rules.phase import Calendar, Phase
from judge.rules.variant import Variant
from judge.schedule.dates import read_date
from judge.storage import GOING_ON, GameSearch, GameState, Person, Storage

# LIST: the games there are

PAGE = 20
"""Games on one page of LIST."""


def list_games(cursor: Cursor, now: datetime, call: Line) -> Answer:
    text = call.arguments.strip(" .?!").lower()
    if text and cursor.storage.games.by_name(text) is not None:
        return Answer("list_one", _entry(cursor, now, cursor.game_named(text)))
    wish = Wish.read(text)
    if wish is None:
        return Answer("list_one", _entry(cursor, now, cursor.game_named(text)))
    every = wish.every and cursor.sender.keeper
    wanted = GameSearch(
        tuple(GameState) if every else GOING_ON,
        listed=not every,
        also=cursor.sender.person_id or 0,
        variant=wish.board,
        traits=wish.traits,
        needs=wish.needs,
    )
    note_games(cursor.storage, wanted)
    games = cursor.storage.games
    count = games.found(wanted)
    mine = set(cursor.games())
    pages = max(1, -(-count // PAGE))
    page = min(wish.page, pages)
    entries = [
        _entry(cursor, now, state) | {"is_mine": state.game.id in mine}
        for state in look_at(cursor, cursor.storage, games.search(wanted, (page - 1) * PAGE, PAGE))
    ]
    if wish.full and entries:
        texts = [render.answer("list_one", entry) for entry in entries]
        return Answer("list_full", {"texts": texts})
    line = " ".join(["LIST", *wish.words])
    facts = {"entries": entries, "count": count, "page": page, "pages": pages, "line": line}
    return Answer("list", facts)


def _entry(cursor: Cursor, now: datetime, state: State) -> dict[str, object]:
    seen = cursor.eyes(state)
    return {
        **game_facts(state, now, seen),
        **seen.people(),
        "zone": cursor.sender.zone,
        "pace": state.settings.move,
        "roster": game_listing(state, seen),
        "open": state.powers.open(),
        "listed": state.settings.listed,
        "special": differences(state),
        "missing": bool(state.game.state == GameState.ACTIVE and state.sheets.missing()),
        "waiting": state.sheets.waiting(),
    }


# MAP: where everything stands, or stood


def map_command(cursor: Cursor, storage: Storage, call: Line) -> Answer:
    name, _, phase = call.arguments.strip(" .?!").partition(" ")
    if name and storage.games.by_name(name) is None and cursor.state is not None:
        # Only a phase: of the game the mail is about.
        state, phase = cursor.here(), call.arguments
    else:
        state = cursor.game_meant(name)
    seen = cursor.eyes(state)
    past = past_named(state, seen, phase.strip(" .?!"))
    if past is None:
        position = seen.opened
        board = seen.picture()
    else:
        position = past.position
        board = past.picture(orders=False)
    return Answer(
        "map",
        {
            "game": state.game.name,
            "phase": str(position.phase),
            "rows": seen.standings(position),
            "neutral": seen.neutral(position),
            "destroyed": seen.destroyed(position),
            "armed": seen.armed(position),
            "blind": not seen.all,
            "board": board and overview(board),
        },
    )


def past_named(state: State, seen: Eyes, phase: str) -> ShownPhase | None:
    """Return the phase that is meant, as far as it is seen, where it has run; None for the open
    one, or where none is said. Raises Refused."""
    if not phase:
        return None
    wanted = phase_named(state, phase, f"MAP {state.game.name}")
    if wanted == str(state.phase or state.variant.opening.phase):
        return None
    run = seen.past(wanted)
    if run is None:
        name = state.game.name
        raise Refused("no_such_map", write=f"MAP {name}", phase=wanted, game=name)
    return run


# A stretch of a game's past, from one phase or day to another, as HISTORY takes it

WEEK = timedelta(days=7)
"""What is shown where nothing is asked for."""

_LOOK_BACK = tuple(timedelta(days=days) for days in (7, 119, 238, 357, 366))
"""From where the day is looked for that a date without a year means, the nearest first: each time
it is the next one from there."""


def _side(
    calendar: Calendar, bound: Phase | datetime | None, phase: str | None, at: datetime
) -> int:
    """Return 1 for something of that phase, None before the start, and instant that is after a
    bound, -1 before it, and 0 at it or where there is none."""
    if bound is None:
        return 0
    if isinstance(bound, datetime):
        return (at > bound) - (at < bound)
    if phase is None:
        return -1
    here, there = calendar.key(Phase.read(phase)), calendar.key(bound)
    return (here > there) - (here < there)


def _bound(
    sender: Sender, now: datetime, variant: Variant, text: str | None, end: time
) -> Phase | datetime | None:
    """Return the phase that `text` names, or the `end` of a day. Raises ReadError for neither."""
    if not text:
        return None
    try:
        return read_phase(text, variant)
    except ReadError:
        day = _day(text, now, sender.zone)
        if day is None:
            raise
    return datetime.combine(day, end, ZoneInfo(sender.zone))


def _day(text: str, now: datetime, zone: str) -> date | None:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        pass
    today = now.astimezone(ZoneInfo(zone)).date()
    for back in _LOOK_BACK:
        try:
            found = read_date(text, now - back, zone)
        except ValueError:
            continue
        if (day := found.astimezone(ZoneInfo(zone)).date()) <= today:
            return day
    return None


# HISTORY: the results and the press of a game again, as the reader may read them

_RANGE = re.compile(
    r"(?P<game>.*?)\s*(?:\bfrom\s+(?P<first>.*?))?\s*(?:\bto\s+(?P<last>.*?))?\s*\Z",
    re.IGNORECASE,
)


def history(cursor: Cursor, now: datetime, call: Line) -> Answer:
    found = _RANGE.match(call.arguments.strip(" ."))
    assert found is not None
    state = cursor.game_meant(found["game"])
    variant, calendar = state.variant, state.variant.calendar
    with reading(f"HISTORY {state.game.name} FROM {variant.start_phase}", variant):
        first = _bound(cursor.sender, now, variant, found["first"], time.min)
        last = _bound(cursor.sender, now, variant, found["last"], time.max)
    asked = first is not None or last is not None

    def holds(phase: str | None, at: datetime) -> bool:
        if not asked:
            return at >= now - WEEK
        return _side(calendar, first, phase, at) >= 0 >= _side(calendar, last, phase, at)

    seen = cursor.eyes(state)
    runs = seen.phases()
    chosen = [run for run in runs if holds(run.phase, run.at)]
    if not asked:
        chosen = chosen or runs[-1:]
    diaries = {
        power: pages
        for power, diary in seen.diaries().items()
        if (pages := [page for page in diary if holds(page.phase, page.at)])
    }
    return Answer(
        "history",
        {
            "game": state.game.name,
            "reports": [
                with_words(run.report, state.variant) for run in chosen if tells(run.report)
            ],
            "press": seen.press(holds),
            "diaries": diaries,
            "total": len(runs),
            "blind": not seen.all,
        },
    )


# SUMMARY: a game in one table


def summary(cursor: Cursor, now: datetime, call: Line) -> Answer:
    state = cursor.game_meant(call.arguments)
    seen = cursor.eyes(state)
    powers, years = seen.years(center_years(state))
    return Answer(
        "summary",
        game_facts(state, now, seen)
        | seen.people()
        | {
            "years": years,
            "powers": powers,
            "periods": tenures(state, seen) if state.phase else {},
            "statements_made": seen.statements(),
        },
    )


# GAME FILE: a game as a file for other judges and programs


def file_of(cursor: Cursor, profile: JudgeProfile, call: Line) -> Answer:
    state = cursor.game_meant(call.arguments)
    data = game_file(state, profile.address)
    file = Attachment(f"{state.game.name}-game.json", "application/json", data)
    return Answer("game_file", {"game": state.game.name, "file": file})


# WHO GAME: the people of a game by name


def who_game(cursor: Cursor, now: datetime, call: Line) -> Answer:
    try:
        state = cursor.game_meant(call.arguments)
    except Refused as unknown:
        try:
            state = cursor.here()
            power_named(state, call.arguments.strip(" ?"), "WHO GAME")
        except Refused:
            raise unknown from None
    seen = cursor.eyes(state)
    facts = game_facts(state, now, seen) | seen.people()
    return Answer("who", facts)


# AUDIT: what the masters of a game have done


def audit(cursor: Cursor, sender: Sender, call: Line) -> Answer:
    state = cursor.game_meant(call.arguments)
    game = state.game
    me = sender.person_id
    if not sender.keeper and not any(seat.person_id == me for seat in state.seats):
        raise no_part(state)
    found = acts(state)
    facts = {"game": game.name, "acts": found[-_MOST:], "more": max(0, len(found) - _MOST)}
    return Answer("audit", facts)


_MOST = 200
"""Acts that are shown, the last ones."""


# INFO PLAYER and GET DEDICATION: how reliable somebody is


def info(cursor: Cursor, call: Line) -> Answer:
    address = call.arguments.strip(" .?!<>")
    if not address:
        return own_command(cursor.sender, cursor.storage, call)
    person = cursor.storage.people.by_address(address)
    if not cursor.sender.known_before:
        # Anyone who registers in the same message is a stranger still.
        raise Refused("unknown_sender", write="REGISTER")
    own = person is not None and person.id == cursor.sender.person_id
    if person is None or not (own or cursor.sender.keeper or _plays_with(cursor, person)):
        # Whether somebody is on file is nobody's business who does not play with them.
        raise Refused("no_such_player", write="WHO GAME paris", address=address)
    figures = of_person(cursor.storage, person.id, public=not own)
    return Answer("reliability", {"person": person, "figures": figures, "own": own})


def _plays_with(cursor: Cursor, person: Person) -> bool:
    """Return whether somebody has, or had, a part in a game of the sender's who may know it."""
    for game in cursor.storage.games.of_person(cursor.sender.registered.id):
        state = cursor.states.get(game.id) or State(cursor.storage, game)
        seats = [seat for seat in state.seats if seat.person_id == person.id]
        if any(map(cursor.eyes(state).knows, seats)):
            return True
    return False


def own_command(sender: Sender, storage: Storage, call: Line) -> Answer:
    figures = of_person(storage, sender.registered.id, public=False)
    return Answer("reliability", {"person": sender.registered, "figures": figures, "own": True})


# VERSION: who and what answers here


def version(storage: Storage) -> Answer:
    games = storage.queue_metrics.games()
    active = games.get(GameState.ACTIVE, 0) + games.get(GameState.PAUSED, 0)
    forming = games.get(GameState.FORMING, 0)
    return Answer("version", {"version": judge.__version__, "active": active, "forming": forming})
