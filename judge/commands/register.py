"""REGISTER ... END: what the judge knows of a person."""

from __future__ import annotations

import re
from dataclasses import replace

from judge.game.clock.reminders import read_reminders
from judge.game.state.answers import Answer
from judge.game.state.profile import TrustLevel
from judge.i18n import LANGUAGES, say
from judge.intake.authentication import level
from judge.intake.authorization import ensure_registered
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.intake.questions import ask_address
from judge.intake.reading import read_language
from judge.schedule.zones import read_zone
from judge.sentences import Wording, error_wording
from judge.sentences.units import listed
from judge.storage import Person

_FIELD = re.compile(r"\s*([A-Za-z][A-Za-z()]*(?:[ -][A-Za-z()]+)?)\s*:\s*(.*?)\s*$")

_MOST = 3
"""Addresses that are asked about because of one mail."""

_NAMES = {
    "name": "name",
    "full name": "name",
    "email": "email",
    "emails": "email",
    "email(s)": "email",
    "e-mails": "email",
    "e-mail": "email",
    "address": "email",
    "time zone": "zone",
    "timezone": "zone",
    "zone": "zone",
    "country": "country",
    "level": "level",
    "language": "language",
    "zeitzone": "zone",
    "land": "country",
    "stufe": "level",
    "sprache": "language",
    "nom": "name",
    "fuseau": "zone",
    "fuseau horaire": "zone",
    "pays": "country",
    "niveau": "level",
    "langue": "language",
    "reminder": "reminders",
    "reminders": "reminders",
    "stand-in": "stand-in",
    "standin": "stand-in",
    "stand in": "stand-in",
}


FIELDS = ("name", "time zone", "country", "level", "language", "reminders", "stand-in")
_NO = ("no", "n", "off", "false", "never")


def is_field(line: str) -> bool:
    """Whether a line belongs to the block: `field: value`, or blank."""
    return not line.strip() or _FIELD.match(line) is not None


def run(context: MessageContext, call: Call) -> Answer:
    new = context.sender.person is None
    person = ensure_registered(context)
    problems: list[Wording | str] = []
    others: list[str] = []
    for line in call.block:
        found = _FIELD.match(line)
        if found is None or not found[2]:
            continue
        field, value = _NAMES.get(found[1].lower()), found[2][:200]
        if field is None:
            problems.append(
                say("there is no field {name!r}; the fields are {fields}",
                    name=found[1], fields=", ".join(FIELDS))
            )  # fmt: skip
        elif field == "zone":
            try:
                person.time_zone = read_zone(value)
            except ValueError as error:
                problems.append(error_wording(error))
        elif field == "reminders":
            try:
                hours = read_reminders(value)
                person.options = replace(person.options, reminders=hours)
            except ValueError as error:
                problems.append(error_wording(error))
        elif field == "email":
            others += [each.lower() for each in re.split(r"[,;\s]+", value) if "@" in each]
        elif field == "stand-in":
            wish = value.lower().strip(" .") not in _NO
            person.options = replace(person.options, stand_in=wish)
        elif field == "language":
            person.language = read_language(value) or person.language
            if read_language(value) is None:
                choice = listed(list(LANGUAGES.values()), "or")
                problems.append(say("there are no letters in that language, only in {languages}",
                                    languages=choice))  # fmt: skip
        else:
            setattr(person, field, " ".join(value.split()))
    context.storage.people.save(person)
    context.log("register", {"person": person.id, "new": new})
    asked = _ask(context, person, others, problems)
    facts = {"person": person, "new": new, "problems": problems, "asked": asked}
    return Answer("registered", facts)


def _ask(
    context: MessageContext, person: Person, addresses: list[str], problems: list[Wording | str]
) -> list[str]:
    """Ask at addresses that are not on file whether they are this person's; which were asked."""
    mine = {each.address for each in context.storage.people.addresses(person.id)}
    new = [each for each in dict.fromkeys(addresses) if each not in mine][:_MOST]
    if new and level(context, None) < TrustLevel.TOKEN:
        # Whoever forges an address must not put his own beside it.
        problems.append(
            say(
                "other e-mail addresses are taken in an answer to a letter of mine only; answer "
                "this one with REGISTER and the E-mail line"
            )
        )
        return []
    for address in new:
        # If it is somebody else's, he is told so when he says yes.
        ask_address(context, person, address, address)
    return new


COMMAND = Command(
    words=("register",),
    who="anybody",
    personal=True,
    summary="tell the judge who you are",
    help=(
        "Lines of `field: value` follow, then END. Fields: name, e-mail, time zone, country, "
        "level, language, stand-in (yes or no; see SET STANDIN). Other e-mail addresses of yours "
        "get a letter each; answer it with YES. Send it again to change something; what "
        "you leave out stays as it is."
    ),
    usage="... END",
    example="REGISTER\nName: Ann Lee\nTime zone: Europe/London\nEND",
    run=run,
    ends=("end", "endregister"),
    takes=is_field,
    asks=True,
    group="games",
)
