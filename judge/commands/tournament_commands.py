"""Tournaments by mail: making one, entering, leaving, looking at it, and what directors do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from judge import variants
from judge.commands.joining import board_and_rest, options_of
from judge.commands.keeper_commands import account_of
from judge.commands.names_meant import power_named, reading
from judge.game import directing
from judge.game.directing import Hall
from judge.game.scores import is_for
from judge.game.state import State
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.game.state.settings import Settings
from judge.i18n import say
from judge.intake.arguments import ADDRESS, can_name_game
from judge.intake.authentication import prove
from judge.intake.authorization import check_welcome, ensure_registered, left_again
from judge.intake.context import Cursor, Log, MessageContext, Sender
from judge.intake.given import give
from judge.intake.lines import Line
from judge.intake.outward import whole
from judge.language.vocabulary import without_thanks
from judge.limits import BOUNDS
from judge.records.scoring import SYSTEMS, system_named
from judge.rules.rulebook import Rulebook
from judge.schedule.dates import read_date
from judge.schedule.deadlines import read_hours
from judge.storage import (
    RUNS,
    Entrant,
    EntrantRole,
    EntrantState,
    NameTaken,
    Role,
    Storage,
    Tournament,
    TournamentPlan,
    TournamentState,
)
from judge.tournaments.adding import WAYS
from judge.tournaments.standings import FORMS

_TOLD = "tournament told"
"""What the log says of a notice."""


def _hall(cursor: Cursor, profile: JudgeProfile, now: datetime, seed: Callable[[], str]) -> Hall:
    return Hall(cursor.storage, profile, now, seed, cursor.events)


# Which one is meant, and who may do what


def named(storage: Storage, text: str, options: bool = False) -> tuple[Tournament, str]:
    """Return the tournament that the first word of a text names, claimed, and the rest. Where
    there is only one that is not over, no name is needed, nor before `options`. Raises Refused."""
    first, _, rest = without_thanks(text).strip().partition(" ")
    tournaments = storage.tournaments
    found = tournaments.by_name(first.strip(" .,;!?"))
    if found is None:
        open_ones = [each for each in tournaments.all() if each.state in _OPEN]
        if len(open_ones) != 1 or (first and not options):
            raise Refused("no_tournament", write="TOURNAMENTS", name=first)
        found, rest = open_ones[0], text
    return tournaments.claim(found.id), rest.strip()


_OPEN = (TournamentState.ENTRY, TournamentState.RUNNING)


def check_directs(cursor: Cursor, tournament: Tournament) -> None:
    """Raise Refused unless the sender directs the tournament, or keeps the judge; Unproved unless
    the message proves it."""
    sender = cursor.sender
    runs = cursor.storage.entrants.runs(tournament.id, sender.person_id)
    if not (sender.keeper or runs):
        write = f"TOURNAMENT {tournament.name}"
        raise Refused("not_director", write=write, tournament=tournament.name)
    prove(cursor, None, TrustLevel.TOKEN)


def _directed(
    cursor: Cursor, text: str, *states: TournamentState, options: bool = False
) -> tuple[Tournament, str]:
    """Return the tournament that the sender directs, in one of some states, and the rest of the
    line, which may be only `options`. Raises Refused."""
    tournament, rest = named(cursor.storage, text, options)
    check_directs(cursor, tournament)
    _must_be(tournament, *states or _OPEN)
    return tournament, rest


def _noted(
    cursor: Cursor, log: Log, tournament: Tournament, did: str, logged: str, **facts: object
) -> Answer:
    """Log what was done to a tournament, as `logged` with these facts, and return how it stands."""
    log.of(None, logged, {"tournament": tournament.name, **facts})
    return shown(cursor.sender, cursor.storage, tournament, did)


def _must_be(tournament: Tournament, *states: TournamentState) -> None:
    if tournament.state not in states:
        write = f"TOURNAMENT {tournament.name}"
        facts = {"tournament": tournament.name, "state": tournament.state}
        raise Refused("tournament_state", write=write, **facts)


def shown(
    sender: Sender, storage: Storage, tournament: Tournament, did: str = "", *, late: bool = False
) -> Answer:
    """Return what anybody may know of a tournament; `did` is what was done to it just now, `late`
    that this counts for the next round."""
    plan = tournament.plan
    state = directing.pattern(storage, tournament)
    there = directing.entrants(storage, tournament, *EntrantRole)
    names = {each.id: each.name for each in storage.people.all_of([e.person_id for e in there])}
    mine = [each for each in there if each.person_id == sender.person_id]
    facts = {
        "did": did,
        "late": late,
        "tournament": tournament.name,
        "state": tournament.state,
        "round": tournament.round,
        "plan": plan,
        "title": state.variant.title,
        "places": state.terms.places,
        "settings": state.settings,
        "scoring": SYSTEMS[plan.scoring].title,
        "directors": [names[each.person_id] for each in there if each.role in RUNS],
        "players": [
            {"name": names[each.person_id], "team": each.team, "state": each.state}
            for each in there
            if each.role is EntrantRole.PLAYER
        ],
        "substitutes": sum(each.role is EntrantRole.SUBSTITUTE for each in there),
        "mine": [each.role for each in mine],
        "twice": any(each.twice for each in mine),
        "boards": list(directing.boards_of(storage, tournament)),
        "zone": sender.zone,
    }
    return Answer("tournament", facts | directing.standings(storage, tournament))


# CREATE TOURNAMENT and SET TOURNAMENT


def create(context: MessageContext, call: Line) -> Answer:
    check_welcome(context.cursor, context.profile, context.incoming)
    name, _, text = call.arguments.lstrip("? ").partition(" ")
    name = name.lower().strip(",;.")
    if not can_name_game(name) or len(name) > BOUNDS.tournament_name or name[-1].isdigit():
        write = "CREATE TOURNAMENT cup standard, 3 rounds, scoring carnage 2023"
        raise Refused("bad_tournament_name", write=write, name=name, most=BOUNDS.tournament_name)
    parts = context.storage.entrants.of_person(context.sender.person_id or 0)
    mine = {each.tournament_id for each in parts if each.role is EntrantRole.DIRECTOR}
    every = context.storage.tournaments.all()
    if sum(each.state in _OPEN and each.id in mine for each in every) >= BOUNDS.tournaments:
        raise Refused("too_many_tournaments", most=BOUNDS.tournaments)
    board, text = board_and_rest(text)
    edition = Rulebook.edition(variants.load(board).rulebook).name
    settings = Settings(zone=context.sender.zone, listed=True).to_json()
    plan = TournamentPlan(variant=board, rulebook=edition, settings=settings)
    made = Tournament(name=name, plan=plan, seed=context.seed(), created_at=context.now)
    _change(context, made, text)
    try:
        made = context.storage.tournaments.add(made)
    except NameTaken:
        raise Refused("name_taken", write=None, name=name, tournament=True) from None
    _enter(context.storage, context.now, made, ensure_registered(context).id, EntrantRole.DIRECTOR)
    directing.schedule(give(_hall, context), made)
    return _noted(context.cursor, context.log, made, "created", "tournament created")


def change(context: MessageContext, call: Line) -> Answer:
    tournament, text = _directed(context.cursor, call.arguments, options=True)
    _change(context, tournament, text)
    directing.schedule(give(_hall, context), tournament)
    return _noted(context.cursor, context.log, tournament, "changed", "tournament set", text=text)


def _change(context: MessageContext, tournament: Tournament, text: str) -> None:
    """Change the plan of a tournament as options, separated by commas, say; those that are not of
    tournaments are settings of their games. Raises Refused."""
    plan, rest = tournament.plan, []
    for piece in filter(None, (each.strip(" .") for each in re.split("[,;]", text))):
        found = _option(context.sender, context.now, piece, plan)
        # Points by two systems cannot be added.
        fixed = tournament.round and found and found.get("scoring", plan.scoring) != plan.scoring
        if found is None or fixed:
            rest.append(piece)
        else:
            plan = replace(plan, **found)
    if rest and tournament.round:
        raise Refused("tournament_begun", tournament=tournament.name, option=rest[0])
    state = directing.pattern(context.storage, tournament)
    _set(context, state, ", ".join(rest))
    if not state.settings.reveal:
        raise Refused("tournament_reveals", tournament=tournament.name)
    if not is_for(SYSTEMS[plan.scoring], state.variant):
        fitting = [each.title for each in SYSTEMS.values() if is_for(each, state.variant)]
        system, title = SYSTEMS[plan.scoring].title, state.variant.title
        raise Refused("scoring_fits_not", fitting=fitting, system=system, title=title)
    changed = {"variant": state.game.variant, "settings": state.settings.to_json()}
    tournament.plan = replace(plan, **changed)


def _set(context: MessageContext, state: State, text: str) -> None:
    """Change the settings of a game that is only a pattern, as its master would."""
    cursor, me = context.cursor, context.sender
    begins = f"SET TOURNAMENT {state.game.name}"
    with left_again(cursor):
        cursor.enter(state, [state.seats.new(me.person_id, Role.MASTER, context.now)])
        try:
            for option in options_of(me, context.table, begins, state.game.variant, text):
                assert option.command is not None
                option.command.run(context, option)
        finally:
            context.report.changes.pop(state.game.id, None)


def _option(
    sender: Sender, now: datetime, piece: str, plan: TournamentPlan
) -> dict[str, Any] | None:
    """Return what an option of a tournament changes; None where it is none. Raises Refused."""
    said = " ".join(piece.lower().split())
    first, _, rest = said.partition(" ")
    if rest.startswith("round") and first.isdecimal():
        first, rest = "rounds", first
    if said in FORMS:
        first, rest = "form", said
    if said.startswith("entries until "):
        with reading(f"SET TOURNAMENT cup entries until {now + timedelta(14):%-d %b}"):
            until = read_date(said.removeprefix("entries until "), now, sender.zone)
        return {"closes": until}
    if first in ("name", "rename"):
        raise Refused("tournament_keeps_name", None)
    if first in _FLAGS:
        return {first: rest not in ("no", "off")}
    field, read = _READ.get(first, ("", None))
    if read is None or not rest:
        return None
    try:
        return {field: read(rest)}
    except (ValueError, StopIteration):
        titles = [each.title for each in SYSTEMS.values()]
        choices = {"forms": list(FORMS), "ways": list(WAYS), "systems": titles}
        raise Refused("tournament_option", None, option=piece, first=first, **choices) from None


_FLAGS = ("both", "top", "teams")


def _system(text: str) -> str:
    found = system_named(text)
    if found is None:
        raise ValueError(text)
    return found.name


def _one_of(choices: Iterable[Any], kind: Callable[[str], Any] = str) -> Callable[[str], Any]:
    return lambda text: next(each for each in choices if each == kind(text))


_READ: dict[str, tuple[str, Callable[[str], Any]]] = {
    "rounds": ("rounds", _one_of(range(1, BOUNDS.rounds + 1), int)),
    "form": ("form", _one_of(FORMS)),
    "scoring": ("scoring", _system),
    "adding": ("adding", _one_of(WAYS)),
    "round": ("round_hours", read_hours),
    "entries": ("places", _one_of(range(2, 1001), int)),
    "drop": ("drop", _one_of(range(1, 101), int)),
}
"""Of each option that has a value the field of a plan that it is for, and how it is read."""


# Players: ENTER TOURNAMENT, LEAVE TOURNAMENT, TOURNAMENT


def _enter(
    storage: Storage, now: datetime, tournament: Tournament, person_id: int, role: EntrantRole
) -> Entrant:
    return storage.entrants.add(
        Entrant(tournament_id=tournament.id, person_id=person_id, role=role, joined_at=now)
    )


def enter(context: MessageContext, call: Line) -> Answer:
    tournament, rest = named(context.storage, call.arguments)
    return take_part(context, tournament, rest)


def take_part(context: MessageContext, tournament: Tournament, rest: str = "") -> Answer:
    """Enter the sender for a tournament, or again after they had withdrawn. Raises Refused."""
    _must_be(tournament, *_OPEN)
    check_welcome(context.cursor, context.profile, context.incoming)
    prove(context.cursor, None)
    person = ensure_registered(context)
    words = rest.lower().replace(",", " ").split()
    role = EntrantRole.SUBSTITUTE if "substitute" in words else EntrantRole.PLAYER
    team = rest[rest.lower().index("team") + 4 :].strip(" .:") if "team" in words else ""
    if team and not tournament.plan.teams:
        raise Refused("no_teams", tournament=tournament.name)
    own = directing.entry_of(context.storage, tournament, person.id)
    if own is not None and own.state is EntrantState.DROPPED:
        raise Refused("dropped_out", tournament=tournament.name, count=tournament.plan.drop)
    twice, late = "twice" in words, tournament.state is TournamentState.RUNNING
    same = own is not None and own.state is EntrantState.ACTIVE and own.role is role
    if own is not None and same and not team and own.twice is twice:
        return shown(context.sender, context.storage, tournament, "in already")
    own = own or _enter(context.storage, context.now, tournament, person.id, role)
    own.role, own.state, own.twice = role, EntrantState.ACTIVE, twice
    own.team = whole(context, team[: BOUNDS.team]) if team else own.team
    context.storage.entrants.save(own)
    context.log.of(None, "entered", {"tournament": tournament.name, "person": person.id})
    there = len(directing.playing(context.storage, tournament, EntrantRole.PLAYER))
    if tournament.state is TournamentState.ENTRY and there == tournament.plan.places:
        directing.close_entries(give(_hall, context), tournament)
        context.storage.tournaments.save(tournament)
    return shown(context.sender, context.storage, tournament, "entered", late=late)


def leave(sender: Sender, storage: Storage, log: Log, call: Line) -> Answer:
    tournament, _ = named(storage, call.arguments)
    _must_be(tournament, *_OPEN)
    own, name = directing.entry_of(storage, tournament, sender.person_id), tournament.name
    if own is None or own.state is not EntrantState.ACTIVE:
        raise Refused("not_entered", write=f"ENTER TOURNAMENT {name}", tournament=name)
    own.state = EntrantState.WITHDRAWN
    storage.entrants.save(own)
    log.of(None, "withdrew", {"tournament": name, "person": own.person_id})
    boards = storage.boards.of_tournament(tournament.id)
    open_ones = {each.game_id for each in boards if not each.ended}
    theirs = storage.games.of_person(own.person_id)
    games = [each.name for each in theirs if each.id in open_ones]
    return Answer("left_tournament", {"tournament": name, "games": games})


def show(sender: Sender, storage: Storage, call: Line) -> Answer:
    text, there = without_thanks(call.arguments).strip(" .?!"), storage.tournaments.all()
    if text or len(there) == 1:
        return shown(sender, storage, named(storage, text or there[0].name)[0])
    found = [
        {
            "name": each.name,
            "state": each.state,
            "round": each.round,
            "of": each.plan.rounds,
            "title": directing.pattern(storage, each).variant.title,
            "closes": each.plan.closes,
            "there": len(directing.entrants(storage, each, EntrantRole.PLAYER)),
        }
        for each in there
    ]
    return Answer("tournaments", {"found": found, "zone": sender.zone})


# Directors


def start(context: MessageContext, call: Line) -> Answer:
    tournament, _ = _directed(context.cursor, call.arguments, TournamentState.ENTRY)
    if not directing.enough(context.storage, tournament):
        places = directing.pattern(context.storage, tournament).terms.places
        raise Refused("tournament_few", tournament=tournament.name, places=places)
    directing.begin_round(give(_hall, context), tournament)
    return _noted(context.cursor, context.log, tournament, "begun", "tournament begun")


def cancel(context: MessageContext, call: Line) -> Answer:
    tournament, _ = _directed(context.cursor, call.arguments)
    facts = {"tournament": tournament.name, "round": tournament.round}
    context.sender.confirm("cancelling_tournament", **facts)
    directing.end(give(_hall, context), tournament, "cancelled")
    return _noted(context.cursor, context.log, tournament, "cancelled", "tournament cancelled")


def tell(context: MessageContext, call: Line) -> Answer:
    tournament, rest = _directed(context.cursor, call.arguments, *TournamentState)
    text = whole(context, "\n".join([rest, *call.block]).strip())
    if not text:
        raise Refused("official_empty", write=f"TELL TOURNAMENT {tournament.name}")
    lately = context.storage.events.lately(_TOLD, context.now - timedelta(days=1))
    if sum(each.facts["tournament"] == tournament.name for each in lately) >= BOUNDS.notices:
        raise Refused("told_enough", most=BOUNDS.notices)
    me = context.sender.registered
    count = directing.announce(give(_hall, context), tournament, str(me.name), text, me.id)
    context.log.of(None, _TOLD, {"tournament": tournament.name, "text": text})
    return Answer("told_tournament", {"tournament": tournament.name, "count": count})


def _person(storage: Storage, text: str, write: str) -> Any:
    address = text.strip(" .<>").lower()
    if not ADDRESS.fullmatch(address):
        raise Refused("bad_address", write=write, address=text)
    return account_of(storage, address, write)


def deputize(context: MessageContext, call: Line) -> Answer:
    cursor = context.cursor
    tournament, rest = _directed(cursor, call.arguments)
    person = _person(cursor.storage, rest, "SET DEPUTY cup ann@example.org")
    if cursor.storage.entrants.runs(tournament.id, person.id):
        return shown(cursor.sender, cursor.storage, tournament, "deputy")
    _enter(cursor.storage, context.now, tournament, person.id, EntrantRole.DEPUTY)
    by = context.sender.registered.name
    directing.tell_director(give(_hall, context), tournament, person.id, deputy=by)
    return _noted(cursor, context.log, tournament, "deputy", "deputy", person=person.id)


def drop(cursor: Cursor, log: Log, call: Line) -> Answer:
    tournament, rest = _directed(cursor, call.arguments)
    person = _person(cursor.storage, rest, "DROP ENTRANT cup ann@example.org")
    own = directing.entry_of(cursor.storage, tournament, person.id)
    if own is None:
        raise Refused("nobody_entered", tournament=tournament.name, who=person.name)
    own.state = EntrantState.DROPPED
    cursor.storage.entrants.save(own)
    return _noted(cursor, log, tournament, "dropped", "dropped", person=person.id)


def score(context: MessageContext, call: Line) -> Answer:
    """Take the points of a game from a director: pairs of a power and its points."""
    cursor = context.cursor
    name, *words = call.arguments.replace(",", " ").replace(":", " ").split()
    state = cursor.game_named(name)
    tournament_id = state.game.options.tournament
    if tournament_id is None:
        raise Refused("no_board", write="TOURNAMENTS", game=state.game.name)
    tournament = cursor.storage.tournaments.claim(tournament_id)
    check_directs(cursor, tournament)
    board = next(iter(cursor.storage.boards.of_game(state.game.id)))
    write = f"SCORE BOARD {state.game.name} {state.variant.powers[0]} 12.5"
    if not board.ended:
        raise Refused("board_open", game=state.game.name)
    given: dict[str, Fraction] = {}
    with reading(write):
        for power, points in zip_longest(words[::2] or ("",), words[1::2], fillvalue=""):
            if not re.fullmatch(r"\d{1,6}(\.\d{1,6})?", points):
                raise ValueError(say("behind each power stand its points, a number"))
            given[power_named(state, power, write)] = Fraction(points)
    board.shares = directing.shares_of(state, given)
    cursor.storage.boards.save(board)
    told = {power: float(each) for power, each in given.items()}
    context.log.of(state, "board scored", {"tournament": tournament.name, "points": told})
    if tournament.state is TournamentState.ENDED:
        directing.end(give(_hall, context), tournament)
    return shown(cursor.sender, cursor.storage, tournament, "scored")
