"""What people wish about their own letters, or do not: an option in two commands."""

from __future__ import annotations

from collections.abc import Callable

from judge.game.state.answers import Answer
from judge.intake.authorization import ensure_registered
from judge.intake.command import Call
from judge.intake.context import MessageContext
from judge.storage import Person


def wishing(
    option: str, answer: Answer, also: Callable[[MessageContext, Person], None] | None = None
) -> Callable[[MessageContext, Call], Answer]:
    """What a command does that says whether the writer wishes `option`, a name among a person's
    options: the fact `wish` of its answer. `also` is what follows from it."""

    def run(context: MessageContext, call: Call) -> Answer:
        person = ensure_registered(context)
        person.options = person.options | {option: answer.facts["wish"]}
        context.storage.people.save(person)
        context.log(answer.code, {"person": person.id, **answer.facts})
        if also is not None:
            also(context, person)
        return answer

    return run
