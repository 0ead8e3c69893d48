"""What the judge keeper does by message: lists, notices, held messages, and people."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, time
from typing import Self

from msgspec import Struct
from msgspec.structs import asdict, replace

from judge.commands.named import BadAddress, addresses_changed
from judge.events import Event, EventKind, Reader
from judge.game import keepers
from judge.game.people import entry
from judge.game.people.contact import unreached
from judge.game.people.reliability import of_person
from judge.game.state import part
from judge.game.state.answers import Answer, Refused
from judge.game.state.profile import (
    HOUSE_RULES,
    house_rules,
    message_of_the_day,
    say_today,
)
from judge.intake import waiting
from judge.intake.command import Call, commands, example
from judge.intake.context import MessageContext
from judge.storage import AddressState, GameState, Person, SeatState, Storage

# What the keeper lays down for the whole judge: who may come in, rules, the message of the day

_LONGEST = 4000
"""Characters of the house rules; of the message a quarter of that."""


def _change(name: str, gone: bool = False) -> Callable[[MessageContext, Call], Answer]:
    """How a list of addresses is changed: what has a minus before it is taken off it; all is, if
    `gone`."""

    def run(context: MessageContext, call: Call) -> Answer:
        old = entry.listed(context.storage, name)
        try:
            found = addresses_changed(old, call.arguments, gone=gone, patterns=True)
        except BadAddress as bad:
            raise Refused("bad_address", write="BAN ann@example.org", address=str(bad)) from None
        if tuple(found) != old:
            context.storage.keeper_settings.put(name, found or None)
            context.log_in(None, "people", {"list": name, "old": list(old), "new": found})
        return Answer("house_list", {"list": name, "addresses": found})

    return run


def _text(call: Call, longest: int) -> str:
    """What stands behind the words, and below them."""
    lines = [call.arguments, *call.block]
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    if len(text) > longest:
        raise Refused("too_much", most=longest, length=len(text))
    return text


def _set_rules(context: MessageContext, call: Call) -> Answer:
    text = _text(call, _LONGEST)
    if not text.strip():
        return Answer("house_rules", {"rules": house_rules(context.storage)})
    return _lay_down(context, text)


def _lay_down(context: MessageContext, text: str | None) -> Answer:
    old = house_rules(context.storage)
    context.storage.keeper_settings.put(HOUSE_RULES, text)
    context.log_in(None, "house rules", {"old": old, "new": text})
    return Answer("house_rules", {"rules": text})


def _set_motd(context: MessageContext, call: Call) -> Answer:
    text = _text(call, _LONGEST // 4)
    if not text.strip():
        return Answer("motd", {"message": message_of_the_day(context.storage)})
    return _say(context, text)


def _say(context: MessageContext, text: str | None) -> Answer:
    say_today(context.storage, text, context.mail.id)
    context.log_in(None, "message of the day", {"new": text})
    return Answer("motd", {"message": text})


def _set_digest(context: MessageContext, call: Call) -> Answer:
    words = call.arguments.lower().split()
    at, always = keepers.wish(context.storage, context.profile)
    for word in words:
        if word == "always":
            continue
        try:
            at = time.fromisoformat(word.zfill(5)).replace(second=0, microsecond=0, tzinfo=None)
        except ValueError:
            raise Refused("bad_hour", write="SET REPORT 08:00", given=word) from None
    return _send_digest(context, at or _MORNING, "always" in words if words else always)


def _send_digest(context: MessageContext, at: time | None, always: bool) -> Answer:
    keepers.want(context.storage, context.profile, at, always, context.now)
    context.log_in(None, "digest", {"at": at and f"{at:%H:%M}", "always": always})
    next_one = keepers.due_at(context.storage, context.profile)
    return Answer("digest", {"next": next_one, "always": always})


_MORNING = time(8)


# HELD, RELEASE and DROP: mails that wait, for the keeper


def _number(text: str, write: str) -> int:
    word = text.strip(" .#<>")
    if not word.isdecimal() or len(word) > _DIGITS:
        raise Refused("which_mail", write=write, given=text)
    return int(word)


_DIGITS = 12

_SHOWN = 4000
"""Characters of a mail that are shown."""


def _held(context: MessageContext, call: Call) -> Answer:
    if not call.arguments:
        return Answer("held", {"mails": waiting.all_of(context.storage)})
    mail_id = _number(call.arguments, "HELD 12")
    found = waiting.one(context.storage, mail_id)
    if found is None:
        raise Refused("no_such_mail", write="HELD", mail=mail_id)
    text = waiting.shown(context.storage, mail_id)
    return Answer("held_one", found | {"text": text[:_SHOWN], "more": len(text) > _SHOWN})


def _end(
    what: str, act: Callable[[MessageContext, int], bool]
) -> Callable[[MessageContext, Call], Answer]:
    def run(context: MessageContext, call: Call) -> Answer:
        mail_id = _number(call.arguments, f"{what.upper()} 12")
        if what == "drop":
            context.confirm("dropping", mail=mail_id)
        if not act(context, mail_id):
            found = waiting.one(context.storage, mail_id)
            asked = found is not None and found["state"] == "asked"
            raise Refused("not_held", write="HELD", mail=mail_id, asked=asked)
        context.log_in(None, what, {"mail": mail_id})
        return Answer("mail_done", {"mail": mail_id, "what": what})

    return run


# What keepers do about people: look at them, make two of them one, their names and addresses

LONGEST_NAME = 60
"""Characters of a name."""


def account_of(context: MessageContext, address: str) -> Person:
    """The person of an address. Raises Refused where it is nobody's."""
    person = context.storage.people.by_address(address.strip("<>., "))
    if person is None:
        raise Refused("nobody_has_it", write="WHO IS ann@example.org", address=address)
    return person


class KnownAddress(Struct, frozen=True):
    """An address of somebody."""

    address: str
    proved: bool
    state: AddressState


class Part(Struct, frozen=True):
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
    parts: list[Part]

    @classmethod
    def of(cls, storage: Storage, person: Person) -> Self:
        """Return that of a person."""
        games = {game.id: game for game in storage.games.all()}
        known = storage.people.addresses(person.id)
        figures = of_person(storage, person.id, public=False)
        return cls(
            name=person.name,
            addresses=[KnownAddress(each.address, each.proved, each.state) for each in known],
            since=person.created_at,
            language=person.language,
            time_zone=person.time_zone,
            barred=entry.is_barred(storage, [each.address for each in known]),
            unreached=unreached(storage, person),
            dedication=figures.dedication,
            punctuality=figures.punctuality,
            parts=[
                Part(games[seat.game_id].name, games[seat.game_id].state, part(seat), seat.state)
                for seat in storage.seats.of_person(person.id)
            ],
        )


def _done(context: MessageContext, person: Person, what: str, told: dict[str, object]) -> None:
    """Write into the log what was done, and tell whom it was done to."""
    context.log_in(None, what, {"person": person.id} | told)
    if context.sender.person is None or context.sender.person.id != person.id:
        context.events.append(
            Event(
                kind=EventKind.ACCOUNT,
                to=Reader(person.id),
                facts={"what": what, "keeper": context.profile.keeper} | told,
                mail_id=context.mail.id,
            )
        )


_ADDRESS_PEOPLE = re.compile(r"[^\s<>()\[\],;:@*?]+@[^\s<>()\[\],;:@*?]+\Z")


def _two(text: str, write: str) -> tuple[str, str]:
    """The two addresses in a line, with a word such as INTO between them."""
    words = [word.strip("<>.,;").lower() for word in text.split()]
    addresses = [word for word in words if _ADDRESS_PEOPLE.match(word)]
    if len(addresses) != 2 or len(words) > 3:
        raise Refused("two_addresses", write=write, given=text)
    return addresses[0], addresses[1]


def _account(
    act: Callable[[MessageContext, Call], Person],
) -> Callable[[MessageContext, Call], Answer]:
    """Build a command that shows the person whom `act` returns."""

    def run(context: MessageContext, call: Call) -> Answer:
        return Answer("person", asdict(Account.of(context.storage, act(context, call))))

    return run


def _who_is(context: MessageContext, call: Call) -> Person:
    return account_of(context, call.arguments.strip(" ?!"))


def _rename(context: MessageContext, call: Call) -> Person:
    address, _, name = call.arguments.partition(" ")
    person, name = account_of(context, address), " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused("bad_name", write="RENAME PLAYER ann@example.org Ann Lee", most=LONGEST_NAME)
    old = person.name
    person.name = name
    context.storage.people.save(person)
    _done(context, person, "player renamed", {"old": old, "new": name})
    return person


def _merge(context: MessageContext, call: Call) -> Person:
    """Make two people one, who has all that both had. Raises Refused where both have a part in the
    same game: nobody can have two by becoming another one."""
    first, second = _two(call.arguments, example("merge"))
    kept, gone = account_of(context, second), account_of(context, first)
    if gone.id == kept.id:
        raise Refused("same_person", address=kept.name)
    storage = context.storage
    theirs = [{seat.game_id for seat in storage.seats.of_person(each.id)} for each in (gone, kept)]
    both = [game.name for game in storage.games.all() if game.id in theirs[0] & theirs[1]]
    if both:
        raise Refused("both_in_game", games=both)
    addresses = entry.addresses_of(storage, gone)
    context.confirm("merging", gone=gone.name, kept=kept.name, addresses=addresses)
    storage.people.merge(gone.id, kept.id)
    wishes = {name: wish for name, wish in asdict(kept.options).items() if wish is not None}
    kept.options = replace(gone.options, **wishes)
    storage.people.save(kept)
    _done(context, kept, "players merged", {"gone": gone.id, "new": addresses})
    return kept


def _add(context: MessageContext, call: Call) -> Person:
    address, known = _two(call.arguments, example("add address"))
    person = account_of(context, known)
    if not context.storage.people.add_address(person.id, address, context.now):
        raise Refused("has_owner", write=f"WHO IS {address}", address=address)
    _done(context, person, "address added", {"new": address})
    return person


def _remove(context: MessageContext, call: Call) -> Person:
    address = call.arguments.strip(" <>.").lower()
    person = account_of(context, address)
    if len(entry.addresses_of(context.storage, person)) == 1:
        raise Refused("last_address", address=address)
    context.confirm("removing", address=address, who=person.name)
    context.storage.people.remove_address(address)
    _done(context, person, "address removed", {"old": address})
    return person


COMMANDS = commands(
    {
        "ban": _change(entry.DENIED),
        "unban": _change(entry.DENIED, gone=True),
        "set allow everywhere": _change(entry.ALLOWED),
        "set house rules": _set_rules,
        "set no house rules": lambda context, call: _lay_down(context, None),
        "motd": _set_motd,
        "motd begin": _set_motd,
        "no motd": lambda context, call: _say(context, None),
        "set report": _set_digest,
        "set no report": lambda context, call: _send_digest(context, None, False),
        "held": _held,
        "release": _end("release", lambda context, mail_id: context.storage.inbound.retry(mail_id)),
        "drop": _end("drop", lambda context, mail_id: waiting.drop(context.storage, mail_id)),
        "who is": _account(_who_is),
        "rename player": _account(_rename),
        "merge": _account(_merge),
        "add address": _account(_add),
        "remove address": _account(_remove),
    }
)
