"""SET LANGUAGE: in what language letters come."""

from __future__ import annotations

from judge.game.state.answers import Answer, Refused
from judge.i18n import LANGUAGES
from judge.intake.authorization import ensure_registered
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.intake.reading import read_language


def run(context: MessageContext, call: Call) -> Answer:
    language = read_language(call.arguments)
    if language is None:
        raise Refused("no_such_language", write="SET LANGUAGE de", languages=dict(LANGUAGES))
    person = ensure_registered(context)
    person.language = language
    context.storage.people.save(person)
    context.log("language", {"person": person.id, "language": language})
    return Answer("language", {"language": LANGUAGES[language]})


COMMAND = Command(
    words=("set language", "language"),
    who="people",
    personal=True,
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
