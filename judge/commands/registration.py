"""Who people are: REGISTER, I AM ALSO, SET LANGUAGE, MY DATA, and how they sign on and off."""

from __future__ import annotations

import json
import re
import tomllib
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from msgspec.structs import asdict, replace

from judge.commands.admission import take_over
from judge.commands.joining import join, observe
from judge.commands.names_meant import words_with_seat
from judge.commands.setting_values import BadSetting, home_zone
from judge.events import Event, EventKind, Recipient
from judge.game.clock.game_clock import read_reminders
from judge.game.people.contact import address_of
from judge.game.people.reliability import of_person
from judge.game.state import State
from judge.game.state.answers import Answer, LikelyMeant, Refused, no_part
from judge.game.state.profile import JudgeProfile, TrustLevel
from judge.game.visibility.eyes import parts_of
from judge.i18n import LANGUAGES, find_language, own_name, say
from judge.intake.arguments import ADDRESS
from judge.intake.authentication import give, level, without
from judge.intake.authorization import directs, ensure_registered, run_as_keeper
from judge.intake.context import Cursor, MessageContext
from judge.intake.lines import Line
from judge.intake.offers import offer
from judge.intake.outward import whole
from judge.intake.questions import ask_address
from judge.language.misreadings import ReadError
from judge.language.names import Names
from judge.mail.compose import Attachment
from judge.mail.message import ParsedMessage
from judge.render import answer
from judge.sentences import Wording, error_wording
from judge.sentences.terms import listed
from judge.storage import GameState, Person, Role, Seat, Storage

# REGISTER ... END: what the judge knows of a person

_FIELD = re.compile(r"\s*([A-Za-z][A-Za-z()]*(?:[ -][A-Za-z()]+)?)\s*:\s*(.*?)\s*$")

_MOST = 3
"""Addresses that are asked about because of one mail."""

_NAMES = {
    word: field
    for field, words in tomllib.loads(
        Path(__file__).with_name("fields.toml").read_text(encoding="utf-8")
    ).items()
    for word in (field, *words)
}
"""The fields, by all their names."""

FIELDS = ("name", "time zone", "country", "level", "language", "reminders", "stand-in")
_NO = ("no", "n", "off", "false", "never")


def is_field(line: str) -> bool:
    """Return whether a line belongs to the block: `field: value`, or blank."""
    return not line.strip() or _FIELD.match(line) is not None


def register(context: MessageContext, call: Line) -> Answer:
    new = context.sender.person is None
    person = ensure_registered(context)
    problems: list[Wording | str] = []
    others: list[str] = []
    for found in filter(None, map(_FIELD.match, call.block)):
        field, value = _NAMES.get(found[1].lower(), found[1]), found[2][:200]
        if field == "email":
            others += [each.lower() for each in re.split(r"[,;\s]+", value) if "@" in each]
        elif value:
            try:
                _take(context, person, field, value)
            except LikelyMeant as meant:
                report, lines = context.report, f"{meant.write}\nEND"
                question = offer(
                    context.cursor, report, lines, line=found[0], answer=meant.answer, lasting=True
                )
                report.results.append(question)
            except Refused as refused:
                problems.append(answer(refused.code, refused.facts))
            except ValueError as error:
                problems.append(error_wording(error))
    context.storage.people.save(person)
    context.log("register", {"person": person.id, "new": new})
    asked = _ask(context.cursor, context.profile, context.now, person, others, problems)
    facts = {"person": person, "new": new, "problems": problems, "asked": asked}
    return Answer("registered", facts)


def _take(context: MessageContext, person: Person, field: str, value: str) -> None:
    """Note what a field says of somebody. Raises ValueError, also for one that there is not, and
    Refused for what nobody may read."""
    match field:
        case "zone":
            person.time_zone = home_zone(value, "REGISTER\nTime zone: ")
        case "reminders":
            person.options = replace(person.options, reminders=read_reminders(value))
        case "stand-in":
            wish = value.lower().strip(" .") not in _NO
            person.options = replace(person.options, stand_in=wish)
        case "language":
            language = find_language(value)
            if language is None:
                choice = listed(list(map(own_name, LANGUAGES)), "or")
                raise BadSetting("I write only in {languages}", languages=choice)
            person.language = language
        case "name" | "country" | "level":
            setattr(person, field, whole(context, " ".join(value.split())))
        case _:
            fields = ", ".join(FIELDS)
            raise BadSetting(
                "there is no field {name!r}; the fields are {fields}", name=field, fields=fields
            )


def _ask(
    cursor: Cursor,
    profile: JudgeProfile,
    now: datetime,
    person: Person,
    addresses: list[str],
    problems: list[Wording | str],
) -> list[str]:
    """Ask at addresses that are not on file whether they are this person's; which were asked."""
    mine = {each.address for each in cursor.storage.people.addresses(person.id)}
    new = [each for each in dict.fromkeys(addresses) if each not in mine][:_MOST]
    if new and level(cursor, None) < TrustLevel.TOKEN:
        # A forged sender must not be able to add an address.
        problems.append(
            say(
                "you can add other email addresses only in a reply to a message of mine; reply to "
                "this one with REGISTER and the E-mail line"
            )
        )
        return []
    for address in new:
        # If it is somebody else's, they learn so when they say yes.
        ask_address(cursor, profile, now, person, address, address)
    return new


# I AM ALSO: one person, one more address


def i_am_also(
    cursor: Cursor, profile: JudgeProfile, incoming: ParsedMessage, now: datetime, call: Line
) -> Answer:
    found = ADDRESS.search(call.arguments)
    if found is None:
        raise Refused("which_address", write="I AM ALSO old@address.example")
    old = found[0].rstrip(".").lower()
    sender = incoming.sender
    owner = cursor.storage.people.by_address(old)
    me = cursor.sender.person
    if old == sender or (me is not None and owner is not None and owner.id == me.id):
        raise Refused("address_yours")
    if me is not None and cursor.storage.games.of_person(me.id, GameState):
        raise Refused("two_people")
    if owner is not None:
        ask_address(cursor, profile, now, owner, old, sender)
    # Whether that address is known here is nobody's business but its owner's.
    return Answer("address_asked")


# SET LANGUAGE: in what language letters come


def language_command(context: MessageContext, call: Line) -> Answer:
    language = find_language(call.arguments)
    if language is None:
        languages = {each: own_name(each) for each in LANGUAGES}
        raise Refused(
            "no_such_language", write=f"SET LANGUAGE {LANGUAGES[-1]}", languages=languages
        )
    person = ensure_registered(context)
    person.language = language
    context.storage.people.save(person)
    context.log("language", {"person": person.id, "language": language})
    return Answer("language", {"language": own_name(language)})


# SET MY TIME ZONE: in which zone times are shown


def zone_command(context: MessageContext, call: Line) -> Answer:
    write = "SET MY TIME ZONE "
    try:
        zone = home_zone(call.arguments.strip(" ."), write)
    except ValueError as error:
        problem = error_wording(error)
        raise Refused("bad_setting", write=f"{write}Europe/London", problem=problem) from None
    person = ensure_registered(context)
    person.time_zone = zone
    context.storage.people.save(person)
    context.log("time zone", {"person": person.id, "zone": zone})
    return Answer("time_zone", {"zone": zone})


# All personal data of somebody, for them, as one JSON object

MOST = 2_000_000
"""Bytes of their messages in it; older ones are only listed."""


def attached_data(storage: Storage, person: Person) -> Attachment:
    """Return the person's data as a file."""
    text = (
        json.dumps(personal_facts(storage, person), ensure_ascii=False, indent=1, default=str)
        + "\n"
    )
    return Attachment("my-data.json", "application/json", text.encode())


def personal_facts(storage: Storage, person: Person) -> dict[str, object]:
    """Return who they are, what they played and wrote, and what they were sent. It has nothing
    about others but what they wrote themselves."""
    figures = of_person(storage, person.id, public=False)
    return {
        "person": {
            "name": person.name,
            "language": person.language,
            "time_zone": person.time_zone,
            "country": person.country,
            "level": person.level,
            "known_since": person.created_at,
            "wishes": {
                name: wish
                for name, wish in asdict(person.options).items()
                if wish is not None and name != "blocked"
            },
            "blocked": [each.name for each in storage.people.all_of(person.options.blocked or ())],
            "addresses": [
                {"address": each.address, "state": each.state, "since": each.added_at}
                for each in storage.people.addresses(person.id)
            ],
        },
        "reliability": {
            "dedication": figures.dedication,
            "punctuality": figures.punctuality,
            "record": [
                {"phase": each.phase, "power": each.power, "what": each.what, "at": each.at}
                for each in storage.reliability_log.of_person(person.id)
            ],
        },
        "parts": parts_of(storage, person),
        "mails": _mails(storage, person),
        "letters": [
            {"kind": each.kind, "subject": each.subject, "to": each.recipient, "at": each.queued_at}
            for each in storage.outbound.of_person(person.id)
        ],
    }


def _mails(storage: Storage, person: Person) -> list[dict[str, object]]:
    """Return their mails, newest first, passwords blanked; of those beyond MOST only when they
    came."""
    found, size = [], 0
    for mail in reversed(storage.inbound.of_person(person.id)):
        size += len(mail.raw)
        text = without(mail.raw).decode("utf-8", "backslashreplace") if size <= MOST else None
        found.append({"received": mail.received_at, "by": mail.door, "message": text})
    return found


# MY DATA: all the judge knows of anyone who asks

_AGAIN = timedelta(days=1)


def my_data(cursor: Cursor, now: datetime) -> Answer:
    person = cursor.sender.person
    if person is None or not person.id:
        raise Refused("nothing_known")
    address = address_of(cursor.storage, person, now)
    since = now - _AGAIN
    if address is None or cursor.storage.outbound.lately((EventKind.DATA.word,), since, address):
        raise Refused("data_sent")
    file = attached_data(cursor.storage, person)
    cursor.events.append(
        Event(kind=EventKind.DATA, to=Recipient(person.id), mail_id=cursor.mail.id, files=(file,))
    )
    return Answer("data", {"address": address})


# SIGN ON and SIGN OFF: the game and the part that the lines which follow are for


def sign_on_as(context: MessageContext, call: Line) -> Answer:
    words = words_with_seat(context.storage, call.arguments)
    text = words[0].rstrip(".,;") if words else ""
    password = words[1] if len(words) > 1 else None
    if password is not None:
        context.sender.secrets.add(password)
    with context.cursor.entering(f"SIGN ON {text}".rstrip()):
        if text.startswith("?"):
            return join(context, call.arguments)
        answer = _sign_on(context, text)
        if password is not None:
            give(
                context.cursor,
                context.profile,
                context.incoming,
                context.now,
                context.cursor.seats,
                password,
            )
        return answer


def _sign_on(context: MessageContext, text: str) -> Answer:
    part, _, name = text.rpartition("@")
    if not part and context.storage.games.by_name(text[1:]) is not None:
        part, name = text[0], text[1:]
    if _ROLES.get(part.lower()) == Role.OBSERVER:
        mine = context.cursor.game_named(name).seats.of(context.sender.person_id)
        if all(seat.role != Role.OBSERVER for seat in mine):
            return observe(context, name)
    if context.sender.person is None:
        raise Refused("unknown_sender", write="JOIN")
    state = context.cursor.game_named(name) if name else context.cursor.here()
    return _enter(context, state, part or None)


def _enter(context: MessageContext, state: State, part: str | None) -> Answer:
    mine = state.seats.of(context.sender.person_id)
    runs = any(seat.role == Role.MASTER for seat in mine) and state.game.moderated
    directed = directs(context.sender, context.storage, state)
    as_master = _ROLES.get((part or "").lower()) == Role.MASTER
    # A director has no other part to come in with.
    as_master = as_master or (directed and part is None and not mine)
    if (context.sender.keeper or directed) and as_master and not runs:
        run_as_keeper(context.cursor, context.now, state)
        return Answer("keeps", {"game": state.game.name})
    power = None
    if part is not None and all(seat.role != Role.PLAYER for seat in mine):
        with suppress(ReadError):
            power = Names.of(state.variant).power(part)
    if power is not None and power in state.powers.open():
        return take_over(context, state, power)
    if not mine:
        raise no_part(state)
    seats = mine if part is None else _seats(state, mine, part)
    context.cursor.enter(state, seats)
    context.report.came.add(state.game.id)
    roles = [seat.power or seat.role for seat in seats]
    return Answer("signed_on", {"game": state.game.name, "roles": roles})


_ROLES = {word: role for role in (Role.MASTER, Role.OBSERVER) for word in (role, role[0])}


def _seats(state: State, mine: list[Seat], part: str) -> list[Seat]:
    role = _ROLES.get(part.lower())
    if role is not None:
        wanted: str = role
        seats = [seat for seat in mine if seat.role is role]
    else:
        try:
            wanted = Names.of(state.variant).power(part)
        except ReadError as error:
            problem = Wording(error.problem, state.variant)
            raise Refused("bad_power", problem=problem, game=state.game.name) from None
        seats = [seat for seat in mine if seat.power == wanted]
        if not seats and state.game.state == GameState.FORMING:
            seats = [seat for seat in mine if seat.role == Role.PLAYER]
    if not seats:
        yours = [seat.power or seat.role for seat in mine]
        raise Refused(
            "not_yours",
            write=f"SIGN ON {state.game.name}",
            wanted=wanted,
            game=state.game.name,
            yours=yours,
        )
    return seats


def sign_off() -> Answer:
    return Answer("signed_off")
