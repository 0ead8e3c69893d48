"""SET LANGUAGE: in what language letters come."""

from __future__ import annotations

from judge.game.command import Answer, Call, Command, Refused
from judge.game.intake.tongues import read_language
from judge.game.rights import known
from judge.game.visit import Visit
from judge.i18n import LANGUAGES


def run(visit: Visit, call: Call) -> Answer:
    language = read_language(call.arguments)
    if language is None:
        raise Refused("no_such_language", write="SET LANGUAGE de", languages=dict(LANGUAGES))
    person = known(visit)
    person.language = language
    visit.storage.people.save(person)
    visit.log("language", {"person": person.id, "language": language})
    return Answer("language", {"language": LANGUAGES[language]})


COMMAND = Command(
    words=("set language", "language"),
    who="people",
    summary="the language of the letters you get: English, German or French",
    help=(
        "Every player gets letters in a language of his own. Commands can be written in English "
        "always, and in the language of your letters: HILFE, BEITRETEN paris; AIDE, REJOINDRE "
        "paris. REGISTER has it too, as `Language: Deutsch`."
    ),
    usage="language",
    example="SET LANGUAGE de",
    run=run,
    group="games",
)
