"""A tournament moves by itself: rounds begin, games end and are scored, standings are told.

What ends a game is the transaction in which its points count, and in which, if it was the last of
its round, the next round begins. Commands and games know nothing of this but their tournament's id.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from fractions import Fraction
from itertools import product
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from judge.events import Event, EventKind, Recipient
from judge.game.people.lateness import is_late
from judge.game.people.peace import odd_pairs
from judge.game.phases import next_hour, reschedule
from judge.game.scores import scores_of, shown, years_of
from judge.game.state import State
from judge.game.state.profile import JudgeProfile
from judge.records.scoring import SYSTEMS
from judge.rules.variant import letters_of
from judge.schedule.deadlines import full_minute
from judge.storage import (
    RUNS,
    Entrant,
    EntrantRole,
    EntrantState,
    Game,
    GameState,
    NameTaken,
    Outward,
    PhaseRun,
    Role,
    Seat,
    SeatState,
    Share,
    Storage,
    Tournament,
    TournamentBoard,
    TournamentState,
)
from judge.tournaments.adding import Total, add_up
from judge.tournaments.seeding import Boards, deal
from judge.tournaments.standings import all_met, of_teams, pair, ranked, sit_out

POSTPONED = timedelta(days=7)
"""How much longer entries are taken where there are too few for a board."""

MORNING = time(7)
"""When directors get their letter, in their own time zone."""

PLAYS = (EntrantRole.PLAYER, EntrantRole.SUBSTITUTE)

_LEFT = (SeatState.ABANDONED, SeatState.RESIGNED, SeatState.EJECTED, SeatState.REPLACED)


@dataclass
class Hall:
    """What a tournament needs of the transaction it moves in; `events` is where letters go, `seed`
    where chance comes from."""

    storage: Storage
    profile: JudgeProfile
    now: datetime
    seed: Callable[[], str]
    events: list[Event] = field(default_factory=list)

    def tell(self, kind: EventKind, person_id: int, facts: Mapping[str, object]) -> None:
        """Append a letter to somebody."""
        self.events.append(Event(kind=kind, to=Recipient(person_id), facts=facts))


# The end of a game


def _gave_up(state: State, seat: Seat, runs: Sequence[PhaseRun]) -> bool:
    """Return whether a player left a power that was still in the game."""
    since = seat.options.since
    if seat.state not in _LEFT or since is None or seat.power is None:
        return False
    later = next((run.position for run in runs if run.processed_at >= since), None)
    position = state.game.position if later is None else later
    return any(position[each].get(seat.power) for each in ("units", "centers"))


def shares_of(state: State, scores: Mapping[str, Fraction | int]) -> dict[str, Share]:
    """Return what each seat of a game has, by its id, where its powers have these `scores`: who
    played a power for a part of the game has that part of its points; what a sitter played is its
    owner's."""
    runs, shares = state.storage.history.of_game(state.game.id), {}
    for power in state.variant.powers:
        seats = [each for each in state.seats if each.power == power and each.person_id is not None]
        counts = {seat.id: 0 for seat in seats}
        assert state.game.ended_at is not None
        for at in [run.processed_at for run in runs] or [state.game.ended_at]:
            holder = next((each for each in reversed(seats) if each.joined_at <= at), None)
            since = holder.options.since if holder and holder.state in _LEFT else None
            if holder is not None and (since is None or since > at):
                counts[holder.options.sits_for or holder.id] += 1
        for seat in seats:
            gave_up = _gave_up(state, seat, runs)
            if counts[seat.id] or gave_up:
                points = Fraction(counts[seat.id], max(len(runs), 1)) * scores.get(power, 0)
                shares[str(seat.id)] = Share(power=power, points=str(points), gave_up=gave_up)
    return shares


def follow(hall: Hall, state: State) -> None:
    """Let the tournament of a game go on, if the game has ended or is played again since."""
    tournament_id, over = state.game.options.tournament, state.game.state is GameState.ENDED
    if tournament_id is None:
        return
    tournament = hall.storage.tournaments.claim(tournament_id)
    board = next(iter(hall.storage.boards.of_game(state.game.id)))
    if board.ended == over:
        return
    board.ended, board.shares = over, None
    if over:
        scores = scores_of(state, years_of(state))
        if scores is not None:
            board.shares = shares_of(state, scores)
        else:
            _tell_directors(hall, tournament, unscored=state.game.name)
    hall.storage.boards.save(board)
    if over:
        go_on(hall, tournament, state)


def go_on(hall: Hall, tournament: Tournament, ended: State | None = None) -> None:
    """Begin the next round where all games of this one are over, or else tell the standings."""
    if tournament.state is not TournamentState.RUNNING:
        return
    mine = hall.storage.boards.of_tournament(tournament.id)
    if all(each.ended for each in mine if each.round == tournament.round):
        begin_round(hall, tournament)
    elif ended is not None:
        _tell_all(hall, tournament, EventKind.STANDINGS, ended=ended.game.name, over=False)


# Standings


def entrants(storage: Storage, tournament: Tournament, *roles: EntrantRole) -> list[Entrant]:
    """Return who takes part in these roles, whatever became of them."""
    found = storage.entrants.of_tournament(tournament.id)
    return [each for each in found if each.role in roles]


def entry_of(storage: Storage, tournament: Tournament, person_id: int | None) -> Entrant | None:
    """Return the part of somebody who plays in a tournament, or has."""
    found = entrants(storage, tournament, *PLAYS)
    return next((each for each in found if each.person_id == person_id), None)


def playing(storage: Storage, tournament: Tournament, *roles: EntrantRole) -> list[Entrant]:
    """Return who takes part in these roles, or in any of players, and is still there."""
    found = entrants(storage, tournament, *roles or PLAYS)
    return [each for each in found if each.state is EntrantState.ACTIVE]


@dataclass
class TournamentRecord:
    """What has been played: the boards of each round by people, and what each person has: games by
    rounds, powers, and games given up."""

    rounds: list[Boards]
    games: dict[int, list[list[Fraction]]]
    powers: dict[int, list[str]]
    gave_up: dict[int, int]

    @classmethod
    def of(cls, storage: Storage, tournament: Tournament) -> TournamentRecord:
        """Return that of a tournament."""
        parts = {each.person_id: each.role for each in entrants(storage, tournament, *PLAYS)}
        rounds: list[Boards] = [[] for _ in range(tournament.round)]
        players = [who for who, role in parts.items() if role is EntrantRole.PLAYER]
        found = cls(rounds, {who: [[] for _ in rounds] for who in players}, {}, {})
        for board in storage.boards.of_tournament(tournament.id):
            there = storage.seats.of_game(board.game_id)
            seats = [each for each in there if each.role is Role.PLAYER and each.person_id]
            began = min((each.joined_at for each in seats), default=None)
            first = dict.fromkeys(each.person_id or 0 for each in seats if each.joined_at == began)
            rounds[board.round - 1].append(list(first))
            # A substitute who plays stands in the standings, too.
            for who in first.keys() & parts.keys():
                found.games.setdefault(who, [[] for _ in rounds])
            for seat in seats:
                if seat.person_id in parts:
                    found._add(board, seat, seat.person_id)
        return found

    def _add(self, board: TournamentBoard, seat: Seat, who: int) -> None:
        if seat.power is not None:
            self.powers.setdefault(who, []).append(seat.power)
        if (share := (board.shares or {}).get(str(seat.id))) is not None:
            played = self.games.setdefault(who, [[] for _ in self.rounds])
            played[board.round - 1].append(Fraction(share.points))
            self.gave_up[who] = self.gave_up.get(who, 0) + share.gave_up


def _totals(tournament: Tournament, record: TournamentRecord) -> dict[int, Total]:
    return add_up(tournament.plan.adding, record.games, both=tournament.plan.both)


def standings(storage: Storage, tournament: Tournament) -> dict[str, object]:
    """Return the standings as facts: `rows` and `teams`, the best first."""
    record = TournamentRecord.of(storage, tournament)
    known = {each.person_id: each for each in entrants(storage, tournament, *PLAYS)}
    # Who has left before they played stands nowhere.
    totals = {
        who: total
        for who, total in _totals(tournament, record).items()
        if who in record.powers or known[who].state is EntrantState.ACTIVE
    }
    names = {each.id: each.name for each in storage.people.all_of(list(totals))}
    teams = {who: str(each.team) for who, each in known.items()}
    return {
        "rows": [
            {
                "rank": place.rank,
                "name": names.get(place.who, ""),
                "points": shown(place.points),
                "rounds": [
                    ", ".join(map(shown, played)) or "-" for played in record.games[place.who]
                ],
                "state": known[place.who].state,
                "team": teams.get(place.who, ""),
            }
            for place in ranked(totals)
        ],
        "teams": [
            {"name": name, "points": shown(points)} for name, points in of_teams(totals, teams)
        ],
    }


# Rounds


def begin_round(hall: Hall, tournament: Tournament) -> None:
    """Begin the next round, or end the tournament where there is none or nobody to play it."""
    storage, plan = hall.storage, tournament.plan
    record, table = TournamentRecord.of(storage, tournament), standings(storage, tournament)
    _drop(hall, tournament, record)
    size = pattern(storage, tournament).terms.places
    top = plan.top and 0 < tournament.round == plan.rounds - 1
    standing = [row.who for row in ranked(_totals(tournament, record))]
    there, out = _who_plays(hall, tournament, record, size, standing if top else [])
    met = plan.form == "league" and tournament.round and all_met(there + out, record.rounds)
    if tournament.round >= plan.rounds or len(there) < size or met:
        end(hall, tournament, "" if met or tournament.round >= plan.rounds else "few")
        return
    tournament.round += 1
    tournament.state = TournamentState.RUNNING
    key = f"{tournament.seed} {tournament.round}"
    order = [who for who in standing if who in there]
    # Who plays twice stands there once more, at the end.
    order += sorted((each for each in there if each not in order), key=lambda who: who < 0)
    last = {who: sum(each[-1], Fraction()) for who, each in record.games.items() if each}
    apart = odd_pairs(storage.people.all_of([who for who in there if who > 0]))
    paired = pair(plan.form, order, size, record.rounds, last, key, top=top, apart=apart)
    boards = [[abs(who) for who in board] for board in paired]
    hours = plan.round_hours
    until = None if hours is None else full_minute(hall.now + timedelta(hours=hours))
    games = [
        (board, *_open_board(hall, tournament, number, board, record, until))
        for number, board in enumerate(boards, 1)
    ]
    _tell_round(hall, tournament, games, out, {"until": until, **table})
    schedule(hall, tournament)


def pattern(storage: Storage, tournament: Tournament) -> State:
    """Return a game that is not stored, as those of a tournament are made."""
    plan = tournament.plan
    game = Game(
        name=tournament.name,
        variant=plan.variant,
        rulebook=plan.rulebook,
        settings=dict(plan.settings),
        created_at=tournament.created_at,
    )
    return State(storage, game)


def _who_plays(
    hall: Hall, tournament: Tournament, record: TournamentRecord, size: int, leaders: Sequence[int]
) -> tuple[list[int], list[int]]:
    """Return who plays the next round and who sits out, since boards have `size` places: none of
    the first of `leaders`, who have a board of their own. Substitutes play where that lets
    everybody play, and who offered it plays twice: those stand there once more, with a minus."""
    active = playing(hall.storage, tournament)
    there = [each.person_id for each in active if each.role is EntrantRole.PLAYER]
    more = [each.person_id for each in active if each.role is not EntrantRole.PLAYER]
    missing = -len(there) % size
    played = [Counter(who for board in boards for who in board) for boards in record.rounds]
    twice = [each.person_id for each in active if each.twice and each.person_id in there]
    twice.sort(key=lambda who: sum(each[who] > 1 for each in played))
    fills = missing <= len(more) + len(twice) and len(there) + min(missing, len(more)) > size
    if missing and (fills or missing <= len(more)):
        more = more[:missing]
        return there + more + [-who for who in twice[: missing - len(more)]], []
    sat = {who: sum(not each[who] for each in played) for who in there}
    first = [who for who in leaders if who in there][:size]
    others = [who for who in there if who not in first]
    out = sit_out(others, size, sat) if len(there) >= size else []
    return [who for who in there if who not in out], out


def _drop(hall: Hall, tournament: Tournament, record: TournamentRecord) -> None:
    """Seat nobody any more who has given up as many games as the rules let them."""
    for each in playing(hall.storage, tournament):
        given_up = record.gave_up.get(each.person_id, 0)
        if given_up >= tournament.plan.drop:
            each.state = EntrantState.DROPPED
            hall.storage.entrants.save(each)
            facts = {"tournament": tournament.name, "count": given_up}
            hall.tell(EventKind.DROPPED, each.person_id, facts)


def _open_board(
    hall: Hall,
    tournament: Tournament,
    number: int,
    players: Sequence[int],
    record: TournamentRecord,
    until: datetime | None,
) -> tuple[State, dict[int, str]]:
    """Make a game and seat its players; return it, and the power that each will have where there
    is one for each of them. It starts by itself."""
    storage, now = hall.storage, hall.now
    made = pattern(storage, tournament)
    settings = replace(made.settings, listed=True, muster=False, manual_start=False, ends_at=until)
    # Its own letters say what the game is worth, by the system that adds it up.
    rated, scoring = settings.rated is not False, tournament.plan.scoring
    made.game.settings = replace(settings, rated=rated, scoring=scoring).to_json()
    made.game.thread, made.game.created_at = hall.profile.new_message_id(), now
    game = _named(storage, made.game, f"{tournament.name}{tournament.round}", number)
    state = State(storage, game, hall.events)
    spread = game.id % (hall.profile.spread + 1)
    state.note(seed=hall.seed(), spread=spread, tournament=tournament.id)
    powers: dict[int, str] = {}
    if state.terms.places == len(state.variant.played):
        key = f"{tournament.seed} {tournament.round} {number}"
        powers = deal(players, state.variant.played, record.powers, key)
    letters = letters_of(state.variant)
    for each in players:
        wish = letters[powers[each]] if each in powers else ""
        state.seats.keep(state.seats.new(each, Role.PLAYER, now, preferences=wish))
    reschedule(state, now)
    state.save()
    storage.boards.add(
        TournamentBoard(
            tournament_id=tournament.id, game_id=game.id, round=tournament.round, number=number
        )
    )
    return state, powers


def _named(storage: Storage, game: Game, beginning: str, number: int) -> Game:
    """Store a game under the name of its round with a letter for its board: `cup1a`."""
    letters = string.ascii_lowercase
    ends = [*letters, *map("".join, product(letters, letters))]
    for more in ["", *(f"x{count}" for count in range(1, 100))]:
        game.name = f"{beginning}{ends[number - 1]}{more}"
        try:
            return storage.games.add(game)
        except NameTaken:
            continue
    raise NameTaken(game.name)


def _tell_round(
    hall: Hall,
    tournament: Tournament,
    games: Sequence[tuple[list[int], State, dict[int, str]]],
    out: Sequence[int],
    table: Mapping[str, object],
) -> None:
    """Tell everybody where they play, and how things stand."""
    usual = _about(tournament) | {**table}
    for players, state, powers in games:
        state.seats.load_people(state.seats)
        people = () if state.settings.gunboat else state.seats
        names = [state.seats.person(each).name for each in people]
        for each in players:
            own = {"board": state.game.name, "people": names, "power": powers.get(each)}
            hall.tell(EventKind.ROUND, each, usual | own)
    for each in out:
        hall.tell(EventKind.ROUND, each, usual | {"board": None, "people": [], "power": None})


def _about(tournament: Tournament) -> dict[str, object]:
    plan = tournament.plan
    return {
        "tournament": tournament.name,
        "round": tournament.round,
        "of": plan.rounds,
        "scoring": SYSTEMS[plan.scoring].title,
    }


def end(hall: Hall, tournament: Tournament, short: str = "") -> None:
    """End a tournament and tell everybody how it ended; `short` says why before its last round:
    "few" people, or "cancelled"."""
    tournament.state, tournament.wake_at = TournamentState.ENDED, None
    hall.storage.tournaments.save(tournament)
    _tell_all(hall, tournament, EventKind.STANDINGS, ended=None, over=True, short=short)


def _tell_all(
    hall: Hall, tournament: Tournament, kind: EventKind, but: int | None = None, **facts: object
) -> None:
    """Write to everybody who takes part and has not withdrawn, and to the directors."""
    table = standings(hall.storage, tournament)
    there = (each.person_id for each in playing(hall.storage, tournament, *EntrantRole))
    for each in dict.fromkeys(who for who in there if who != but):
        hall.tell(kind, each, _about(tournament) | {"short": ""} | table | facts)


def announce(hall: Hall, tournament: Tournament, by: str, text: Outward, but: int) -> int:
    """Send everybody what a director says; return to how many."""
    before = len(hall.events)
    _tell_all(hall, tournament, EventKind.NOTICE, but, by=by, text=text)
    return len(hall.events) - before


# What directors read


def _tell_directors(hall: Hall, tournament: Tournament, **facts: object) -> None:
    for each in entrants(hall.storage, tournament, *RUNS):
        tell_director(hall, tournament, each.person_id, **facts)


_NOTHING = dict.fromkeys(("deputy", "unscored", "postponed", "boards", "undecided"), ())


def tell_director(hall: Hall, tournament: Tournament, person_id: int, **facts: object) -> None:
    """Write to a director; `facts` are what there is to tell."""
    hall.tell(EventKind.DIRECTOR, person_id, _about(tournament) | {**_NOTHING, **facts})


def schedule(hall: Hall, tournament: Tournament) -> None:
    """Store a tournament with the instant at which it is looked at next."""
    tournament.wake_at = None
    if tournament.state is TournamentState.ENTRY:
        tournament.wake_at = tournament.plan.closes
    elif tournament.state is TournamentState.RUNNING:
        tournament.told_at = tournament.told_at or hall.now
        zone = ZoneInfo(pattern(hall.storage, tournament).settings.zone)
        tournament.wake_at = next_hour(tournament.told_at, zone, MORNING)
    hall.storage.tournaments.save(tournament)


def look(hall: Hall, tournament_id: int) -> None:
    """Do what is due in a tournament: close its entries, or write to its directors."""
    tournament = hall.storage.tournaments.claim(tournament_id)
    if tournament.wake_at is None or tournament.wake_at > hall.now:
        return
    if tournament.state is TournamentState.ENTRY:
        close_entries(hall, tournament)
    else:
        # Where each game is and who is missing: nothing that its players may not know, for a
        # director may play.
        tournament.told_at, boards = hall.now, list(boards_of(hall.storage, tournament))
        people = Counter(each.state for each in entrants(hall.storage, tournament, *PLAYS))
        undecided = [each["game"] for each in boards if each["undecided"]]
        _tell_directors(hall, tournament, boards=boards, people=people, undecided=undecided)
    schedule(hall, tournament)


def close_entries(hall: Hall, tournament: Tournament) -> None:
    """Begin the first round, or take entries for another week where there are too few people."""
    if enough(hall.storage, tournament):
        begin_round(hall, tournament)
        return
    tournament.plan = replace(tournament.plan, closes=hall.now + POSTPONED)
    _tell_directors(hall, tournament, postponed=tournament.plan.closes)


def enough(storage: Storage, tournament: Tournament) -> bool:
    """Return whether those who entered, substitutes included, fill a board."""
    return len(playing(storage, tournament)) >= pattern(storage, tournament).terms.places


def boards_of(storage: Storage, tournament: Tournament) -> Iterator[dict[str, object]]:
    """Yield where each game of the open round stands, and those before that have no points yet."""
    for board in storage.boards.of_tournament(tournament.id):
        undecided = board.ended and board.shares is None
        if board.round != tournament.round and not undecided:
            continue
        game = storage.games.find(board.game_id)
        assert game is not None
        state = State(storage, game)
        yield {
            "game": game.name,
            "state": game.state,
            "phase": game.phase,
            "deadline": game.deadline,
            "open": state.powers.open(),
            "late": [each.power for each in state.seats if each.power and is_late(state, each)],
            "undecided": undecided,
        }
