"""SET REMINDER: when somebody is reminded of the orders he owes."""

from __future__ import annotations

from dataclasses import replace

from judge.game.clock.reminders import read_reminders
from judge.game.state.answers import Answer, Refused
from judge.intake.authorization import ensure_registered
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext
from judge.sentences import error_wording


def run(context: MessageContext, call: Call) -> Answer:
    try:
        hours = read_reminders(call.arguments)
    except ValueError as error:
        raise Refused(
            "bad_setting", write="SET REMINDER 24H 8H", problem=error_wording(error)
        ) from None
    person = ensure_registered(context)
    person.options = replace(person.options, reminders=hours)
    context.storage.people.save(person)
    # The games of this mail have looked the person up before.
    for state in context.cursor.states.values():
        state.known(person)
    context.log("reminders", {"person": person.id, "hours": hours})
    return Answer("reminders", {"hours": hours})


COMMAND = Command(
    words=("set reminder", "set reminders", "set remind"),
    who="people",
    personal=True,
    summary="when you are reminded of orders you owe, in all your games",
    help=(
        "Times before the deadline, up to five; NONE for no reminder. Each comes once for a "
        "deadline, and only while orders of yours are missing. Without it you are reminded once, "
        "8 hours before. Calendars that take the deadlines from letters ring at the same times."
    ),
    usage="times",
    example="SET REMINDER 24H 8H",
    run=run,
    group="playing",
)
