"""REGISTER ... END: what the judge knows of a person."""

from __future__ import annotations

import re

from judge.game.command import Answer, Call, Command
from judge.game.rights import known
from judge.game.visit import Visit
from judge.game.zones import read_zone

_FIELD = re.compile(r"\s*([A-Za-z][A-Za-z()]*(?:[ -][A-Za-z()]+)?)\s*:\s*(.*?)\s*$")

_NAMES = {
    "name": "name",
    "full name": "name",
    "email": "email",
    "emails": "email",
    "email(s)": "email",
    "e-mail": "email",
    "address": "email",
    "time zone": "zone",
    "timezone": "zone",
    "zone": "zone",
    "country": "country",
    "level": "level",
    "language": "language",
}


FIELDS = ("name", "time zone", "country", "level", "language")


def is_field(line: str) -> bool:
    """Whether a line belongs to the block: `field: value`, or blank."""
    return not line.strip() or _FIELD.match(line) is not None


def run(visit: Visit, call: Call) -> Answer:
    new = visit.person is None
    person = known(visit)
    problems: list[str] = []
    for line in call.block:
        found = _FIELD.match(line)
        if found is None or not found[2]:
            continue
        field, value = _NAMES.get(found[1].lower()), found[2][:200]
        if field is None:
            problems.append(f"there is no field {found[1]!r}; the fields are {', '.join(FIELDS)}")
        elif field == "zone":
            try:
                person.time_zone = read_zone(value)
            except ValueError as error:
                problems.append(str(error))
        elif field == "email":
            others = [each for each in re.split(r"[,;\s]+", value) if "@" in each]
            if any(each.lower() != visit.incoming.sender.lower() for each in others):
                problems.append("letters go to the address you wrote from; others are not used")
        elif field == "language":
            person.language = value.lower()[:2] if value.lower()[:2] == "en" else "en"
            if value.lower()[:2] != "en":
                problems.append("letters are in English only")
        else:
            setattr(person, field, " ".join(value.split()))
    visit.storage.people.save(person)
    visit.log("register", {"person": person.id, "new": new})
    return Answer("registered", {"person": person, "new": new, "problems": problems})


COMMAND = Command(
    words=("register",),
    who="anybody",
    summary="tell the judge who you are",
    help=(
        "Lines of `field: value` follow, then END. Fields: name, time zone, country, level, "
        "language. Send it again to change something; what you leave out stays as it is."
    ),
    usage="... END",
    example="REGISTER\nName: Ann Lee\nTime zone: Europe/London\nEND",
    run=run,
    ends=("end", "endregister"),
    takes=is_field,
    asks=True,
    group="games",
)
