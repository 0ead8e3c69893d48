"""Who may give which command: the one place that decides it.

The keeper of the judge is known by the address in the configuration. In a game in which they have
no part they act as its game master, once they say so (SIGN ON mparis); the game's log (AUDIT) says
that it was they.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from zoneinfo import ZoneInfo

from judge.game.people.entry import addresses_of, is_barred, is_member
from judge.game.state import State
from judge.game.state.answers import Refused, no_part
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.i18n import LANGUAGES, Message, language, language_data, say
from judge.intake import reception
from judge.intake.authentication import level, prove, remember
from judge.intake.command import Command, CommandTable
from judge.intake.context import KEEPER_AT_HAND, Cursor, MessageContext, Report, Sender
from judge.intake.outward import bare
from judge.mail.message import ParsedMessage
from judge.storage import Person, Role, Seat, Storage


def allow(context: MessageContext, command: Command, named: str = "") -> None:
    """Raise Refused unless the writer may use `command` here, and Unproved if the message does
    not prove its sender well enough. `named` is what the line calls its game."""
    if context.sender.person is None:
        _check_member(context.sender, context.profile, context.incoming)
    cursor = context.cursor
    # A question does nothing; the YES to it proves itself.
    safe = command.asks or command.harmless or (command.confirm and not cursor.sender.confirmed)
    _check_keeper(cursor, command)
    if cursor.became is not None and command.personal:
        game = cursor.here().game.name
        facts = {"power": cursor.became.power, "command": command.name, "game": game}
        raise Refused("not_in_place", write=f"SIGN ON {game}", **facts)
    if command.who == "keepers":
        if not cursor.sender.keeper:
            raise Refused("keeper_only")
        if not safe:
            prove(cursor, None, TrustLevel.TOKEN)
    elif command.who in ("anybody", "people"):
        _allow_anywhere(context, command, safe)
    else:
        _allow_in_game(cursor, context.report, command, named, safe)


def _allow_anywhere(context: MessageContext, command: Command, safe: bool) -> None:
    """Raise Refused unless the writer may use a command that is for no game."""
    sender = context.sender
    stranger = sender.person is None and not sender.confirmed
    if command.who == "people" and stranger and (command.asks or not command.personal):
        raise Refused("unknown_sender", write="JOIN")
    if not safe:
        prove(context.cursor, None)
    if command.who == "people" and stranger:
        # What people wish of their letters is kept from the first one on.
        ensure_registered(context)


def _allow_in_game(
    cursor: Cursor, report: Report, command: Command, named: str, safe: bool
) -> None:
    """Raise Refused unless the writer may use a command in the game of these lines."""
    if cursor.sender.person is None:
        raise Refused("unknown_sender", write="JOIN")
    state = cursor.here()
    if not command.asks and _seats_for(cursor, command):
        report.came.add(state.game.id)
    check_part(cursor, command, named)
    if safe:
        return
    if command.group == "playing":
        cursor.check_in_time(state)
    # Anyone who can forge an address must not run a game with it.
    runs_others = command.who == "masters" and not state.terms.of_one
    prove(cursor, state, TrustLevel.TOKEN if runs_others else TrustLevel.ADDRESS)


def check_part(cursor: Cursor, command: Command, named: str = "") -> None:
    """Raise Refused unless the writer's part in the game of these lines allows `command`, no
    matter who they prove to be."""
    state, mine = cursor.here(), _seats_for(cursor, command)
    if not mine:
        raise no_part(state)
    roles = {seat.role for seat in mine}
    if command.who == "players" and Role.PLAYER not in roles:
        raise Refused("players_only", game=state.game.name, would=Message(command.summary))
    if command.who == "masters":
        _check_runs(cursor, state, command, named, roles)


def _seats_for(cursor: Cursor, command: Command) -> Sequence[Seat]:
    """Return the writer's seats in the game of these lines, for a command."""
    return cursor.own() if command.as_self else cursor.mine()


def _check_runs(
    cursor: Cursor, state: State, command: Command, named: str, roles: Collection[Role]
) -> None:
    """Raise Refused unless somebody with these roles may use a command of those who run a game."""
    moderated = state.game.moderated
    keeps = cursor.keeping is not None and Role.MASTER in roles
    settable = command.setting and (keeps or (Role.MASTER if moderated else Role.PLAYER) in roles)
    if command.setting and not moderated and not settable:
        raise Refused("players_only", game=state.game.name, would=Message(command.summary))
    runs = keeps or state.terms.alone or (moderated and Role.MASTER in roles)
    if runs or settable or (state.terms.practice and command.own_game):
        return
    if named and named.lower() != state.game.name and cursor.became is None:
        raise Refused("no_such_game", write="LIST", name=named)
    raise Refused(
        "masters_only",
        game=state.game.name,
        moderated=moderated,
        command=command.words[0],
        would=Message(command.summary),
        started=state.phase is not None,
        became=cursor.became and cursor.became.power,
    )


def _check_keeper(cursor: Cursor, command: Command) -> None:
    """Raise Refused where the keeper, as the master of a game, gives a command of those in it."""
    if cursor.keeping is None or cursor.became is not None or command.asks:
        return
    at_hand = cursor.keeping.person_id == KEEPER_AT_HAND
    of_people = at_hand and command.who in ("anybody", "people")
    of_players = command.who == "players" or (
        command.who == "participants" and not command.of_keeper
    )
    if of_people or (of_players and not command.harmless):
        raise Refused("keeper_acts", command=command.name, game=cursor.here().game.name)


def meant(cursor: Cursor, table: CommandTable, command: Command) -> Command:
    """Return what somebody means by a setting that is written alike for one game and for all, or
    for themselves: that of the game where they can set it, unless only they play in it."""
    other = table.beyond_game(command)
    if other is None or (other.who == "keepers" and not cursor.sender.keeper):
        return command
    if cursor.state is None:
        return other
    if other.who == "keepers":
        runs = any(seat.role == Role.MASTER for seat in cursor.seats)
        return command if runs else other
    if cursor.state.terms.of_one:
        return other
    with suppress(Refused):
        check_part(cursor, command)
        return command
    return other


def ensure_registered(context: MessageContext) -> Person:
    """Return the sender, registering a stranger by the name in the message's From. Raises Refused,
    and FirstMail where that may be somebody who never wrote here, and the house asks for a reply
    where something has to be proved."""
    if context.sender.person is not None:
        return context.sender.person
    _check_member(context.sender, context.profile, context.incoming)
    sender, incoming, now = context.sender, context.incoming, context.now
    asks = context.profile.trust >= TrustLevel.TOKEN
    if asks and reception.may_be_made_up(context.storage, sender, incoming, now):
        raise reception.FirstMail
    name = bare(context, incoming.sender_name, incoming.sender.partition("@")[0])
    zone = _zone_of(incoming, context.now)
    person = context.storage.people.add(
        Person(name=name, language=language(), time_zone=zone, created_at=context.now)
    )
    proved = level(context.cursor, None) >= TrustLevel.TOKEN
    context.storage.people.add_address(person.id, incoming.sender, context.now, proved=proved)
    context.sender.person = person
    remember(context.sender, context.storage, context.incoming)
    context.log("registered", {"person": person.id})
    return person


def _zone_of(incoming: ParsedMessage, now: datetime) -> str | None:
    """Return the first time zone, of speakers of a mail's language or others, of its clock."""
    at = incoming.date or now
    for spoken in (language(), *LANGUAGES):
        for zone in " ".join(language_data(spoken).get("zones", ())).split():
            if at.astimezone(ZoneInfo(zone)).utcoffset() == incoming.offset:
                return zone
    return None


def greet_keeper(context: MessageContext) -> None:
    """Register the keeper, whose address is new: no rule for new people applies to them."""
    if not context.incoming.answerable:
        return
    people = context.storage.people
    name = bare(context, context.incoming.sender_name, say("The keeper"))
    context.sender.person = people.add(Person(name=name, created_at=context.now))
    people.add_address(context.sender.person.id, context.incoming.sender, context.now)
    context.sender.known_before = True
    remember(context.sender, context.storage, context.incoming)


@contextmanager
def left_again(cursor: Cursor) -> Iterator[None]:
    """Whatever game is entered inside, lines are for this one, in these seats, afterwards."""
    before = cursor.state, cursor.seats, cursor.closed, cursor.keeping, cursor.became
    try:
        yield
    finally:
        cursor.state, cursor.seats, cursor.closed, cursor.keeping, cursor.became = before


@contextmanager
def elsewhere(cursor: Cursor, now: datetime, words: str) -> Iterator[None]:
    """Inside, the line is for the game that `words` name, if there is one of that name. Raises
    Refused where the sender has no seat in it and does not direct its tournament."""
    name = words.strip("?").rpartition("@")[2]
    here = cursor.state is not None and cursor.state.game.name == name.lower()
    named = name and not here and not cursor.became
    game = cursor.storage.games.by_name(name) if named else None
    if game is None:
        yield
        return
    with left_again(cursor):
        state = cursor.game_named(name)
        if state.seats.of(cursor.sender.person_id):
            cursor.enter(state)
        elif directs(cursor.sender, cursor.storage, state):
            run_as_keeper(cursor, now, state)
        else:
            raise no_part(state)
        yield


def directs(sender: Sender, storage: Storage, state: State) -> bool:
    """Return whether the sender directs the tournament that a game belongs to."""
    tournament_id = state.game.options.tournament
    return tournament_id is not None and storage.entrants.runs(tournament_id, sender.person_id)


def run_as_keeper(cursor: Cursor, now: datetime, state: State) -> None:
    """Let the keeper act as the game master of a game from here on. Raises Refused if they play in
    it, and Unproved if the message does not prove its sender."""
    prove(cursor, None, TrustLevel.TOKEN)
    if any(
        seat.role == Role.PLAYER
        for seat in state.seats
        if seat.person_id == cursor.sender.registered.id
    ):
        raise Refused("keeper_plays", game=state.game.name, keeper=cursor.sender.keeper)
    enter_as_keeper(cursor, now, state)


def enter_as_keeper(cursor: Cursor, now: datetime, state: State) -> None:
    """From here on lines are the keeper's, as the master of a game."""
    cursor.enter(state)
    cursor.keeping = state.seats.new(cursor.sender.registered.id, Role.MASTER, now)
    cursor.seats = [cursor.keeping]


def is_outsider(
    sender: Sender, profile: JudgeProfile, incoming: ParsedMessage, addresses: Sequence[str] = ()
) -> bool:
    """Return whether the house has a list of members, and the writer is on it by none of their
    addresses."""
    mine = addresses or [incoming.sender]
    members, hosts = profile.members, profile.hosts
    known = not members or sender.keeper or is_member((*members, *hosts), mine)
    return not known


def _check_member(
    sender: Sender, profile: JudgeProfile, incoming: ParsedMessage, addresses: Sequence[str] = ()
) -> None:
    """Raise Refused for outsiders."""
    if is_outsider(sender, profile, incoming, addresses):
        raise Refused("members_only")


def check_welcome(cursor: Cursor, profile: JudgeProfile, incoming: ParsedMessage) -> None:
    """Raise Refused where the keeper lets the writer into no game, or they are in as many as one
    person may be."""
    mine = [incoming.sender]
    if cursor.sender.person is not None:
        mine += addresses_of(cursor.storage, cursor.sender.person)
    if is_barred(cursor.storage, mine):
        raise Refused("not_welcome")
    _check_member(cursor.sender, profile, incoming, mine)
    most = profile.limits.games
    hosts = is_member(profile.hosts, mine)
    if not (cursor.sender.keeper or hosts) and len(cursor.games()) >= most:
        raise Refused("too_many_games", write="LEAVE", most=most)
