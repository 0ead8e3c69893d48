"""What keeps the peace among players: BLOCK somebody for good, MUTE them in a game, and REPORT."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from msgspec.structs import replace

from judge.commands.names_meant import power_named
from judge.events import Event, EventKind, HouseKeeper, reader
from judge.game.state import IN_USE, State, part
from judge.game.state.answers import Answer, Refused
from judge.game.visibility.eyes import ANYBODY, Eyes, reader_of
from judge.intake.context import Cursor, MessageContext, Sender
from judge.intake.lines import Line
from judge.intake.outward import whole
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.limits import BOUNDS
from judge.storage import Person, Press, PressColor, Role, Seat, Storage

# BLOCK and UNBLOCK: never in a game with somebody


def block(cursor: Cursor, call: Line) -> Answer:
    mine = cursor.sender.registered.options.blocked or ()
    if not call.arguments.strip(" .!"):
        return _listed(cursor.sender, cursor.storage, mine)
    person = _met(cursor, call.arguments)
    if person.id not in mine and len(mine) >= BOUNDS.blocks:
        raise Refused("blocks_enough", most=BOUNDS.blocks)
    return _listed(cursor.sender, cursor.storage, tuple(dict.fromkeys((*mine, person.id))), person)


def unblock(cursor: Cursor, call: Line) -> Answer:
    mine = cursor.sender.registered.options.blocked or ()
    named = {each.name.casefold(): each.id for each in cursor.storage.people.all_of(mine)}
    wanted = named.get(call.arguments.strip(" .!").casefold())
    if wanted is None:
        wanted = _met(cursor, call.arguments).id
    return _listed(cursor.sender, cursor.storage, tuple(each for each in mine if each != wanted))


def _listed(
    sender: Sender, storage: Storage, blocked: tuple[int, ...], person: Person | None = None
) -> Answer:
    """Store whom the sender blocks, and tell them."""
    me = sender.registered
    if blocked != (me.options.blocked or ()):
        me.options = replace(me.options, blocked=blocked or None)
        storage.people.save(me)
    names = [each.name for each in storage.people.all_of(blocked)]
    return Answer("blocked", {"names": names, "who": person.name if person else None})


def _met(cursor: Cursor, text: str) -> Person:
    """Return the person whom a text names by address, name, or power: somebody in a game of the
    sender's that does not hide them. Raises Refused, and tells of no others."""
    said, found = _plain(text), dict[int, Person]()
    owner, me = cursor.storage.people.by_address(said), cursor.sender.registered.id
    for game in cursor.storage.games.of_person(me):
        state = cursor.states.get(game.id) or State(cursor.storage, game)
        power = _power(cursor, state, said)
        for seat in (each for each in state.seats if each.person_id not in (None, me)):
            person = cursor.eyes(state).person(seat)
            named = power is not None and seat.power == power
            if person is not None and (named or _is_called(person, said, owner)):
                found[person.id] = person
    if len(found) != 1:
        raise Refused("whom_to_block", write="BLOCK ann@example.org", who=text, several=bool(found))
    return next(iter(found.values()))


def _plain(text: str) -> str:
    """Return the name or address that an argument is, as it is compared."""
    return text.strip(" .!<>").casefold()


def _is_called(person: Person | None, said: str, owner: Person | None) -> bool:
    """Return whether a text is the name of a person, or the address of theirs, its `owner`."""
    return person is not None and (
        person.name.casefold() == said or (owner is not None and person.id == owner.id)
    )


def _power(cursor: Cursor, state: State, said: str) -> str | None:
    """Return the power that a text names in a game; of none but the one that the line is for, if no
    game stands in it."""
    word, at, game = said.partition("@")
    here = cursor.state
    if game != state.game.name if at else here is None or here.game.id != state.game.id:
        return None
    try:
        return Names.of(state.variant).power(word)
    except ReadError:
        return None


# MUTE and UNMUTE: no press from somebody in a game


def mute(cursor: Cursor, state: State, call: Line, quiet: bool = True) -> Answer:
    mine = [seat for seat in cursor.mine() if seat.role is not Role.MASTER]
    if (len(mine) < len(cursor.mine()) and state.game.moderated) or not mine:
        raise Refused("masters_watch", game=state.game.name)
    before = cursor.eyes(state).muted
    seats = _seats_named(cursor, state, call.arguments) if call.arguments.strip(" .!") else []
    named = {seat.id for seat in seats}
    muted = before | named if quiet else before - named
    for seat in mine:
        state.seats.mark(seat, muted=tuple(sorted(muted)))
    shown = [
        cursor.eyes(state).name_of(seat) if seat.power is None else seat.power
        for seat in state.seats
        if seat.id in muted and seat.state in IN_USE
    ]
    return Answer("muted", {"game": state.game.name, "names": list(dict.fromkeys(shown))})


def _seats_named(cursor: Cursor, state: State, text: str) -> list[Seat]:
    """Return the seats in a game of the player whom a text names, by power, or by name or address
    where the sender may know it. Raises Refused."""
    said, me = _plain(text), cursor.sender.person_id
    others = [
        seat for seat in state.seats if seat.state in IN_USE and seat.person_id not in (None, me)
    ]
    owner, seen = cursor.storage.people.by_address(said), cursor.eyes(state)
    known = [seat for seat in others if _is_called(seen.person(seat), said, owner)]
    if len({seat.person_id for seat in known}) == 1:
        return known
    power = power_named(state, text, "MUTE france")
    found = [seat for seat in others if seat.power in state.powers.hand(power)]
    if not found:
        raise Refused("nobody_plays", game=state.game.name, power=power)
    return found


# REPORT: tell the game master, or the keeper, what somebody wrote

QUOTED = 10
"""Messages that a report quotes, the last ones."""

LONGEST_REPORT = 4_000
"""Characters of what is said with a report."""

REPORTED = "reported"
"""What the log says of a report; the press it quotes stays with the game."""


def report(context: MessageContext, state: State, call: Line) -> Answer:
    """Tell those who may look into it what somebody wrote to the sender. The answer is the same
    no matter who they are: it must not say who wrote what is unsigned."""
    evidence, concerned = _evidence(context.cursor, state, call.arguments)
    me, since = context.sender.registered.id, context.now - timedelta(days=1)
    lately = context.storage.events.lately(REPORTED, since)
    if sum(each.facts["person"] == me for each in lately) >= BOUNDS.reports:
        raise Refused("reported_enough", most=BOUNDS.reports)
    masters = [seat for seat in state.seats.active(Role.MASTER) if state.game.moderated]
    if context.profile.keeper is None and all(seat.person_id == me for seat in masters):
        raise Refused("report_to_nobody", game=state.game.name)
    text = whole(context, "\n".join(call.block).strip()[:LONGEST_REPORT])
    unsigned = any(each.color is PressColor.GREY for each in evidence)

    def told(seen: Eyes, quoted: Sequence[Press]) -> dict[str, object]:
        """Return what somebody who looks into it reads, as far as they may know it."""
        hidden = unsigned and not seen.runs_it
        return {
            "game": state.game.name,
            "by": seen.name_of(context.cursor.mine()[0]),
            "about": [] if hidden else [seen.name_of(seat) for seat in concerned],
            "quoted": [seen.said(each) for each in quoted],
            "said": text,
        }

    kept = {"person": me, "about": [part(seat) for seat in concerned]}
    context.log(REPORTED, kept | {"press": [each.id for each in evidence]})
    heard = {me, *(seat.person_id for seat in concerned)}
    hearing = [seat for seat in masters if seat.person_id not in heard]
    for seat in hearing:
        facts = told(Eyes(state, reader_of(seat.person_id)), evidence)
        state.tell(EventKind.REPORTED, facts, to=reader(seat), mail_id=context.mail.id)
    if not hearing:
        keeper = context.storage.people.by_address(context.profile.keeper or "")
        # A keeper who plays here must not read others' press.
        plays = keeper is not None and keeper.id in state.seats.everybody()
        facts = told(Eyes(state, ANYBODY), () if plays else evidence)
        event = Event(kind=EventKind.REPORTED, to=HouseKeeper(), facts=facts)
        context.events.append(event)
    return Answer("reported", {"game": state.game.name, "count": len(evidence)})


def _evidence(cursor: Cursor, state: State, text: str) -> tuple[list[Press], list[Seat]]:
    """Return the press that a report is about, and the seats it came from: what the message
    answers, else the last signed messages of whom it names. Raises Refused."""
    replying = cursor.replying
    if replying is not None and not text.strip(" .!"):
        seat = next((each for each in state.seats if each.id == replying.sender_id), None)
        return [replying], [seat] if seat is not None else []
    if not text.strip(" .!"):
        raise Refused("name_a_power", write="REPORT italy", powers=list(state.variant.powers))
    seats = _seats_named(cursor, state, text)
    ids = {seat.id for seat in seats}
    got = [
        each
        for each in cursor.eyes(state).got()
        if each.sender_id in ids and each.color is PressColor.WHITE
    ]
    return got[-QUOTED:], seats
