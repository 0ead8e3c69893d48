"""What the judge keeper does by message: lists, notices, held messages, and people."""

from __future__ import annotations

import re
from datetime import datetime, time
from typing import Self

from msgspec import Struct
from msgspec.structs import asdict, replace

from judge.commands.names_meant import addresses_changed
from judge.events import Event, EventKind, Recipient
from judge.game import keeper_report
from judge.game.people import entry
from judge.game.people.contact import reached
from judge.game.people.reliability import of_person
from judge.game.state import part, profile
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import JudgeProfile
from judge.intake import questions
from judge.intake.command import example
from judge.intake.context import Cursor, Log, MessageContext, Sender
from judge.intake.lines import Line
from judge.intake.outward import whole
from judge.limits import BOUNDS
from judge.storage import (
    AddressState,
    GameState,
    InboundMessage,
    InboundState,
    Person,
    SeatState,
    Storage,
)

# What the keeper lays down for the whole judge: who may come in, rules, the message of the day


def list_people(storage: Storage, log: Log, call: Line, name: str, gone: bool = False) -> Answer:
    """Return how a list of addresses is changed: what has a minus before it is taken off it; all
    is, if `gone`."""
    old = entry.listed(storage, name)
    try:
        found = addresses_changed(old, call.arguments, gone=gone, patterns=True)
    except ValueError as bad:
        raise Refused("bad_address", write="BAN ann@example.org", address=str(bad)) from None
    if tuple(found) != old:
        storage.keeper_settings.put(name, found or None)
        log.of(None, "people", {"list": name, "old": list(old), "new": found})
    return Answer("house_list", {"list": name, "addresses": found})


def _text(call: Line, longest: int) -> str:
    """Return what stands behind the words, and below them; "" where that is blank."""
    lines = [call.arguments, *call.block]
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    if len(text) > longest:
        raise Refused("too_much", most=longest, length=len(text))
    return text if text.strip() else ""


def set_rules(storage: Storage, log: Log, call: Line, gone: bool = False) -> Answer:
    old = profile.house_rules(storage)
    text = None if gone else _text(call, BOUNDS.house_rules)
    if text == "":
        return Answer("house_rules", {"rules": old})
    storage.keeper_settings.put(profile.HOUSE_RULES, text)
    log.of(None, "house rules", {"old": old, "new": text})
    return Answer("house_rules", {"rules": text})


def set_motd(
    storage: Storage, mail: InboundMessage, log: Log, call: Line, gone: bool = False
) -> Answer:
    text = None if gone else _text(call, BOUNDS.house_rules // 4)
    if text == "":
        return Answer("motd", {"message": profile.message_of_the_day(storage)})
    profile.say_today(storage, text, mail.id)
    log.of(None, "message of the day", {"new": text})
    return Answer("motd", {"message": text})


def set_digest(
    storage: Storage, profile: JudgeProfile, now: datetime, log: Log, call: Line, gone: bool = False
) -> Answer:
    words = [] if gone else call.arguments.lower().split()
    at, always = keeper_report.wish(storage, profile)
    for word in words:
        if word == "always":
            continue
        try:
            at = time.fromisoformat(word.zfill(5)).replace(second=0, microsecond=0, tzinfo=None)
        except ValueError:
            raise Refused("bad_hour", write="SET REPORT 08:00", given=word) from None
    at = None if gone else at or _MORNING
    always = "always" in words if words or gone else always
    keeper_report.want(storage, profile, at, always, now)
    log.of(None, "digest", {"at": at and f"{at:%H:%M}", "always": always})
    next_one = keeper_report.due_at(storage, profile)
    return Answer("digest", {"next": next_one, "always": always})


_MORNING = time(8)


# HELD, RELEASE and DROP: mails that wait, for the keeper


def _number(text: str, write: str) -> int:
    word = text.strip(" .#<>")
    if not word.isdecimal() or len(word) > _DIGITS:
        raise Refused("which_mail", write=write)
    return int(word)


_DIGITS = 12

_SHOWN = 4000
"""Characters of a mail that are shown."""


def held(storage: Storage, call: Line) -> Answer:
    if not call.arguments:
        return Answer("held", {"mails": questions.all_waiting(storage)})
    mail_id = _number(call.arguments, "HELD 12")
    mail = storage.inbound.find(mail_id)
    if mail is None:
        raise Refused("no_such_mail", write="HELD", mail=mail_id)
    text, found = questions.message_of(mail), questions.facts_of(storage, mail)
    return Answer("held_one", found | {"text": text[:_SHOWN], "more": len(text) > _SHOWN})


def end(sender: Sender, storage: Storage, log: Log, call: Line, what: str) -> Answer:
    mail_id = _number(call.arguments, f"{what.upper()} 12")
    if what == "drop":
        sender.confirm("dropping", mail=mail_id)
        done = questions.drop(storage, mail_id)
    else:
        done = storage.inbound.retry(mail_id)
    if not done:
        mail = storage.inbound.find(mail_id)
        asked = mail is not None and mail.state is InboundState.ASKED
        raise Refused("not_held", write="HELD", mail=mail_id, asked=asked)
    log.of(None, what, {"mail": mail_id})
    return Answer("mail_done", {"mail": mail_id, "what": what})


# What keepers do about people: look at them, make two of them one, their names and addresses


def account_of(storage: Storage, address: str, write: str = "WHO IS ann@example.org") -> Person:
    """Return the person of an address. Raises Refused, offering `write`, where it is nobody's."""
    person = storage.people.by_address(address.strip("<>., "))
    if person is None:
        raise Refused("nobody_has_it", write=write, address=address)
    return person


class KnownAddress(Struct, frozen=True):
    """An address of somebody."""

    address: str
    proved: bool
    state: AddressState


class Standing(Struct, frozen=True):
    """What somebody is in a game, and how it stands."""

    game: str
    game_state: GameState
    part: str
    state: SeatState


class Account(Struct, frozen=True):
    """All that is told of somebody: to keepers only."""

    name: str
    addresses: list[KnownAddress]
    since: datetime
    language: str
    time_zone: str | None
    barred: bool
    unreached: bool
    dedication: int
    punctuality: float | None
    parts: list[Standing]

    @classmethod
    def of(cls, storage: Storage, person: Person) -> Self:
        """Return that of a person."""
        seats = storage.seats.of_person(person.id)
        games = {each.id: each for each in storage.games.all_of([each.game_id for each in seats])}
        known = storage.people.addresses(person.id)
        figures = of_person(storage, person.id, public=False)
        return cls(
            name=person.name,
            addresses=[KnownAddress(each.address, each.proved, each.state) for each in known],
            since=person.created_at,
            language=person.language,
            time_zone=person.time_zone,
            barred=entry.is_barred(storage, [each.address for each in known]),
            unreached=not reached(known),
            dedication=figures.dedication,
            punctuality=figures.punctuality,
            parts=[
                Standing(
                    games[seat.game_id].name, games[seat.game_id].state, part(seat), seat.state
                )
                for seat in seats
            ],
        )


def _done(
    cursor: Cursor,
    profile: JudgeProfile,
    log: Log,
    person: Person,
    what: str,
    told: dict[str, object],
) -> None:
    """Write into the log what was done, and tell whom it was done to."""
    log.of(None, what, {"person": person.id} | told)
    if cursor.sender.person is None or cursor.sender.person.id != person.id:
        cursor.events.append(
            Event(
                kind=EventKind.ACCOUNT,
                to=Recipient(person.id),
                facts={"what": what, "keeper": profile.keeper} | told,
                mail_id=cursor.mail.id,
            )
        )


_ADDRESS_PEOPLE = re.compile(r"[^\s<>()\[\],;:@*?]+@[^\s<>()\[\],;:@*?]+\Z")


def _two(text: str, write: str) -> tuple[str, str]:
    """Return the two addresses in a line, with a word such as INTO between them."""
    words = [word.strip("<>.,;").lower() for word in text.split()]
    addresses = [word for word in words if _ADDRESS_PEOPLE.match(word)]
    if len(addresses) != 2 or len(words) > 3:
        raise Refused("two_addresses", write=write)
    return addresses[0], addresses[1]


def _shown(storage: Storage, person: Person) -> Answer:
    return Answer("person", asdict(Account.of(storage, person)))


def who_is(storage: Storage, call: Line) -> Answer:
    return _shown(storage, account_of(storage, call.arguments.strip(" ?!")))


def rename(context: MessageContext, call: Line) -> Answer:
    address, _, name = call.arguments.partition(" ")
    person, name = account_of(context.storage, address), " ".join(name.split())
    if not name or len(name) > BOUNDS.name or not name.isprintable():
        raise Refused("bad_name", write="RENAME PLAYER ann@example.org Ann Lee", most=BOUNDS.name)
    old = person.name
    person.name = whole(context, name)
    context.storage.people.save(person)
    _done(
        context.cursor,
        context.profile,
        context.log,
        person,
        "player renamed",
        {"old": old, "new": name},
    )
    return _shown(context.storage, person)


def merge(cursor: Cursor, profile: JudgeProfile, log: Log, call: Line) -> Answer:
    """Make two people one, who has all that both had. Raises Refused where both have a part in the
    same game: nobody can have two by becoming another one."""
    first, second = _two(call.arguments, example("merge"))
    kept, gone = account_of(cursor.storage, second), account_of(cursor.storage, first)
    if gone.id == kept.id:
        raise Refused("same_person", address=kept.name)
    storage = cursor.storage
    theirs = [{seat.game_id for seat in storage.seats.of_person(each.id)} for each in (gone, kept)]
    both = [game.name for game in storage.games.all_of(sorted(theirs[0] & theirs[1]))]
    parts = [
        {(each.tournament_id, each.role) for each in storage.entrants.of_person(person.id)}
        for person in (gone, kept)
    ]
    shared = {tournament_id for tournament_id, _ in parts[0] & parts[1]}
    both += [each.name for each in storage.tournaments.all() if each.id in shared]
    if both:
        raise Refused("both_in_game", games=both)
    addresses = entry.addresses_of(storage, gone)
    cursor.sender.confirm("merging", gone=gone.name, kept=kept.name, addresses=addresses)
    storage.people.merge(gone.id, kept.id)
    wishes = {name: wish for name, wish in asdict(kept.options).items() if wish is not None}
    blocked = (*(kept.options.blocked or ()), *(gone.options.blocked or ()))
    kept.options = replace(gone.options, **wishes)
    others = tuple(each for each in dict.fromkeys(blocked) if each not in (kept.id, gone.id))
    kept.options = replace(kept.options, blocked=others or None)
    storage.people.save(kept)
    storage.people.block_instead(gone.id, kept.id)
    _done(cursor, profile, log, kept, "players merged", {"gone": gone.id, "new": addresses})
    return _shown(cursor.storage, kept)


def add_address(
    cursor: Cursor, profile: JudgeProfile, now: datetime, log: Log, call: Line
) -> Answer:
    address, known = _two(call.arguments, example("add address"))
    person = account_of(cursor.storage, known)
    if not cursor.storage.people.add_address(person.id, address, now):
        raise Refused("has_owner", write=f"WHO IS {address}", address=address)
    _done(cursor, profile, log, person, "address added", {"new": address})
    return _shown(cursor.storage, person)


def remove_address(cursor: Cursor, profile: JudgeProfile, log: Log, call: Line) -> Answer:
    address = call.arguments.strip(" <>.").lower()
    person = account_of(cursor.storage, address)
    if len(entry.addresses_of(cursor.storage, person)) == 1:
        raise Refused("last_address", address=address)
    cursor.sender.confirm("removing", address=address, who=person.name)
    cursor.storage.people.remove_address(address)
    _done(cursor, profile, log, person, "address removed", {"old": address})
    return _shown(cursor.storage, person)
