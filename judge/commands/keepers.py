"""What the judge keeper does by message: lists, notices, held messages, and people."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import time

from judge.events import Event, EventKind, Reader
from judge.game import keepers
from judge.game.people import entry
from judge.game.people.contact import unreached
from judge.game.people.reliability import of_person
from judge.game.state import part
from judge.game.state.answers import Answer, Refused
from judge.intake import waiting
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.storage import Person, Storage

# What the keeper lays down for the whole judge: who may come in, rules, the message of the day

_ADDRESS = re.compile(r"[^\s<>()\[\],;:@?]+@[^\s<>()\[\],;:@?]+\Z")

_LONGEST = 4000
"""Characters of the house rules; of the message a quarter of that."""


def _change(name: str, gone: bool = False) -> Callable[[MessageContext, Call], Answer]:
    """How a list of addresses is changed: what has a minus before it is taken off it; all is, if
    `gone`."""

    def run(context: MessageContext, call: Call) -> Answer:
        old = entry.listed(context.storage, name)
        words = call.arguments.replace(",", " ").replace(";", " ").split()
        found = list(old)
        for word in words:
            address = word.lower().strip("<>.").lstrip("+")
            off = gone or address.startswith("-")
            address = address.lstrip("-<")
            if not _ADDRESS.match(address):
                raise Refused("bad_address", write="BAN ann@example.org", address=word)
            found = [each for each in found if each != address]
            if not off:
                found.append(address)
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
        return Answer("house_rules", {"rules": keepers.rules(context.storage)})
    return _lay_down(context, text)


def _lay_down(context: MessageContext, text: str | None) -> Answer:
    old = keepers.rules(context.storage)
    context.storage.keeper_settings.put(keepers.RULES, text)
    context.log_in(None, "house rules", {"old": old, "new": text})
    return Answer("house_rules", {"rules": text})


def _set_motd(context: MessageContext, call: Call) -> Answer:
    text = _text(call, _LONGEST // 4)
    if not text.strip():
        return Answer("motd", {"message": keepers.message(context.storage)})
    return _say(context, text)


def _say(context: MessageContext, text: str | None) -> Answer:
    keepers.say_today(context.storage, text, context.mail.id)
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
            raise Refused("bad_hour", write="SET DIGEST 08:00", given=word) from None
    return _send_digest(context, at or _MORNING, "always" in words if words else always)


def _send_digest(context: MessageContext, at: time | None, always: bool) -> Answer:
    keepers.want(context.storage, context.profile, at, always, context.now)
    context.log_in(None, "digest", {"at": at and f"{at:%H:%M}", "always": always})
    next_one = keepers.due_at(context.storage, context.profile)
    return Answer("digest", {"next": next_one, "always": always})


_MORNING = time(8)

BAN = Command(
    words=("ban", "set deny everywhere"),
    of_game="set deny player",
    who="keepers",
    summary="keep people out of all games",
    help=(
        "Write addresses with commas. *@example.org means everybody there; a minus before an "
        "address removes it. People on this list cannot join, take over, or create a game, and I "
        "tell them so; they keep the powers they play. SET DENY PLAYER does the same if you run "
        "no game. Without an address, it shows the list."
    ),
    usage="[addresses]",
    example="BAN ann@example.org",
    run=_change(entry.DENIED),
    group="keepers",
)

UNBAN = Command(
    words=("unban",),
    who="keepers",
    summary="remove people from the list of BAN",
    help="Write addresses as in the list, with commas.",
    usage="addresses",
    example="UNBAN ann@example.org",
    run=_change(entry.DENIED, gone=True),
    group="keepers",
)

ALLOW_ADDRESS = Command(
    words=("set allow everywhere",),
    of_game="set allow player",
    who="keepers",
    summary="allow only these people into games",
    help=(
        "Write it like BAN. If anybody is on this list, nobody else can join, take over, or "
        "create a game. SET ALLOW PLAYER does the same if you run no game."
    ),
    usage="[addresses]",
    example="SET ALLOW EVERYWHERE *@club.example",
    run=_change(entry.ALLOWED),
    group="keepers",
)

RULES = Command(
    words=("set house rules",),
    who="keepers",
    summary="set the rules of this judge, which new people get",
    help=(
        "Write them below it, up to END or the end of your message. Everybody can read them with "
        "HELP house; new people get them with their first reply. Without lines, it shows them. "
        "For rules of a game, use SET COMMENT BEGIN."
    ),
    example="SET HOUSE RULES\nOne person, one power.\nEND",
    run=_set_rules,
    ends=("end", "endrules"),
    group="keepers",
)

NO_RULES = Command(
    words=("set no house rules",),
    who="keepers",
    summary="remove the rules of this judge",
    help="The log keeps the old text.",
    example="SET NO HOUSE RULES",
    bare=True,
    run=lambda context, call: _lay_down(context, None),
    group="keepers",
)

MESSAGE = Command(
    words=("motd", "set motd"),
    who="keepers",
    summary="set the message of the day, which everybody gets once",
    help=(
        "Write it on the same line. It appears at the end of each person's next reply. Without a "
        "text, it shows the current one."
    ),
    usage="text",
    example="MOTD The judge moves to another machine on Sunday.",
    run=_set_motd,
    group="keepers",
)

LONG_MESSAGE = Command(
    words=("motd begin", "set motd begin"),
    who="keepers",
    summary="set a message of the day with several lines",
    help="Write it below, up to END or the end of your message.",
    usage="... END",
    example="MOTD BEGIN\nThe judge moves on Sunday.\nWrite again on Monday.\nEND",
    run=_set_motd,
    ends=("end", "endmotd"),
    group="keepers",
)

NO_MESSAGE = Command(
    words=("no motd", "set no motd"),
    who="keepers",
    summary="remove the message of the day",
    help="People who have not received it yet will not get it.",
    example="NO MOTD",
    bare=True,
    run=lambda context, call: _say(context, None),
    group="keepers",
)

DIGEST = Command(
    words=("set digest",),
    who="keepers",
    summary="get a daily report on the judge",
    help=(
        "It counts messages, and lists games that cannot go on, held messages, people I cannot "
        "reach, and new people. It comes at that hour in the judge's time zone if something "
        "happened; with ALWAYS, every day."
    ),
    usage="[hh:mm] [ALWAYS]",
    example="SET DIGEST 08:00",
    run=_set_digest,
    group="keepers",
)

NO_DIGEST = Command(
    words=("set no digest",),
    who="keepers",
    summary="get no daily report on the judge",
    help="You still get notices about held messages and games that cannot go on.",
    example="SET NO DIGEST",
    bare=True,
    run=lambda context, call: _send_digest(context, None, False),
    group="keepers",
)


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


HELD = Command(
    words=("held",),
    who="keepers",
    summary="list messages that are held or await confirmation",
    help=(
        "I failed to process held messages. For the others, I asked the sender to confirm that "
        "they wrote it. With a number, it shows that message without its passwords."
    ),
    usage="[number]",
    example="HELD",
    run=_held,
    asks=True,
    group="keepers",
)

RELEASE = Command(
    words=("release",),
    who="keepers",
    summary="process a held message again",
    help="It counts with its original time of arrival, but does not reopen an adjudicated phase.",
    usage="number",
    example="RELEASE 12",
    run=_end("release", lambda context, mail_id: context.storage.inbound.retry(mail_id)),
    group="keepers",
)

DROP = Command(
    words=("drop",),
    confirm=True,
    who="keepers",
    summary="discard a held message unprocessed",
    help="I never act on it. It stays on file, without its passwords.",
    usage="number",
    example="DROP 12",
    run=_end("drop", lambda context, mail_id: waiting.drop(context.storage, mail_id)),
    group="keepers",
)


# What keepers do about people: look at them, make two of them one, their names and addresses

LONGEST_NAME = 60
"""Characters of a name."""


def account_of(context: MessageContext, address: str) -> Person:
    """The person of an address. Raises Refused where it is nobody's."""
    person = context.storage.people.by_address(address.strip("<>., "))
    if person is None:
        raise Refused("nobody_has_it", write="WHO IS ann@example.org", address=address)
    return person


def account_facts(storage: Storage, person: Person) -> dict[str, object]:
    """All that is told of somebody: to keepers only."""
    games = {game.id: game for game in storage.games.all()}
    parts = [
        {
            "game": games[seat.game_id].name,
            "game_state": games[seat.game_id].state,
            "part": part(seat),
            "state": seat.state,
        }
        for seat in storage.seats.of_person(person.id)
    ]
    addresses = storage.people.addresses(person.id)
    figures = of_person(storage, person.id, public=False)
    return {
        "name": person.name,
        "addresses": [
            {"address": each.address, "proved": each.proved, "state": each.state}
            for each in addresses
        ],
        "since": person.created_at,
        "language": person.language,
        "time_zone": person.time_zone,
        "barred": entry.is_barred(storage, [each.address for each in addresses]),
        "unreached": unreached(storage, person),
        "dedication": figures.dedication,
        "punctuality": figures.punctuality,
        "parts": parts,
    }


def rename_person(context: MessageContext, person: Person, name: str) -> None:
    """Give somebody another name. Raises Refused."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise Refused("bad_name", write="RENAME PLAYER ann@example.org Ann Lee", most=LONGEST_NAME)
    old = person.name
    person.name = name
    context.storage.people.save(person)
    _done(context, person, "player renamed", {"old": old, "new": name})


def merge_people(context: MessageContext, gone: Person, kept: Person) -> None:
    """Make two people one, who has all that both had. Raises Refused where both have a part in the
    same game: nobody can have two by becoming another one."""
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


def add_address(context: MessageContext, person: Person, address: str) -> None:
    """Give somebody one more address. Raises Refused where it is somebody's."""
    if not context.storage.people.add_address(person.id, address, context.now):
        raise Refused("has_owner", write=f"WHO IS {address}", address=address)
    _done(context, person, "address added", {"new": address})


def remove_address(context: MessageContext, address: str) -> Person:
    """Remove an address from a person. Raises Refused if it is their last."""
    person = account_of(context, address)
    if len(entry.addresses_of(context.storage, person)) == 1:
        raise Refused("last_address", address=address)
    context.confirm("removing", address=address, who=person.name)
    context.storage.people.remove_address(address)
    _done(context, person, "address removed", {"old": address})
    return person


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


# What the keeper does about people: WHO IS, RENAME PLAYER, MERGE, ADD and REMOVE ADDRESS

_ADDRESS_PEOPLE = re.compile(r"[^\s<>()\[\],;:@*?]+@[^\s<>()\[\],;:@*?]+\Z")


def _two(text: str, write: str) -> tuple[str, str]:
    """The two addresses in a line, with a word such as INTO between them."""
    words = [word.strip("<>.,;").lower() for word in text.split()]
    addresses = [word for word in words if _ADDRESS_PEOPLE.match(word)]
    if len(addresses) != 2 or len(words) > 3:
        raise Refused("two_addresses", write=write, given=text)
    return addresses[0], addresses[1]


def _who_is(context: MessageContext, call: Call) -> Answer:
    person = account_of(context, call.arguments.strip(" ?!"))
    return Answer("person", account_facts(context.storage, person))


def _rename(context: MessageContext, call: Call) -> Answer:
    address, _, name = call.arguments.partition(" ")
    person = account_of(context, address)
    rename_person(context, person, name)
    return Answer("person", account_facts(context.storage, person))


def _merge(context: MessageContext, call: Call) -> Answer:
    gone, kept = _two(call.arguments, MERGE.example)
    person = account_of(context, kept)
    merge_people(context, account_of(context, gone), person)
    return Answer("person", account_facts(context.storage, person))


def _add(context: MessageContext, call: Call) -> Answer:
    new, known = _two(call.arguments, ADD_ADDRESS.example)
    person = account_of(context, known)
    add_address(context, person, new)
    return Answer("person", account_facts(context.storage, person))


def _remove(context: MessageContext, call: Call) -> Answer:
    person = remove_address(context, call.arguments.strip(" <>.").lower())
    return Answer("person", account_facts(context.storage, person))


WHO_IS = Command(
    words=("who is",),
    who="keepers",
    summary="show all about a person: addresses, games, reliability",
    help="Only you can see addresses; everybody else sees names (WHO GAME).",
    usage="address",
    example="WHO IS ann@example.org",
    run=_who_is,
    asks=True,
    group="keepers",
)

RENAME = Command(
    words=("rename player",),
    who="keepers",
    summary="rename a person",
    help="Write one of their addresses, then the new name. I tell them.",
    usage="address name",
    example="RENAME PLAYER ann@example.org Ann Lee",
    run=_rename,
    group="keepers",
)

MERGE = Command(
    words=("merge",),
    confirm=True,
    who="keepers",
    summary="merge two records of one person",
    help=(
        "Use it for somebody who registered with two addresses. The second one keeps its name, "
        "and gets the addresses, games, and record of both. It fails if both are in the same game."
    ),
    usage="address INTO address",
    example="MERGE ann@old.example INTO ann@example.org",
    run=_merge,
    group="keepers",
)

ADD_ADDRESS = Command(
    words=("add address",),
    who="keepers",
    summary="add an address to a person",
    help="I tell them. They can do it themselves with I AM ALSO.",
    usage="address FOR address",
    example="ADD ADDRESS ann@new.example FOR ann@example.org",
    run=_add,
    group="keepers",
)

REMOVE_ADDRESS = Command(
    words=("remove address",),
    confirm=True,
    who="keepers",
    summary="remove an address from a person",
    help=(
        "Messages from it no longer count as theirs. I tell them. You cannot remove a person's "
        "last address."
    ),
    usage="address",
    example="REMOVE ADDRESS ann@old.example",
    run=_remove,
    group="keepers",
)


COMMANDS: tuple[Command, ...] = (
    BAN,
    UNBAN,
    ALLOW_ADDRESS,
    RULES,
    NO_RULES,
    MESSAGE,
    LONG_MESSAGE,
    NO_MESSAGE,
    DIGEST,
    NO_DIGEST,
    HELD,
    RELEASE,
    DROP,
    WHO_IS,
    RENAME,
    MERGE,
    ADD_ADDRESS,
    REMOVE_ADDRESS,
)
