"""What people wish about their own letters, or do not: an option in two commands."""

from __future__ import annotations

from collections.abc import Callable

from judge.game.state.answers import Answer
from judge.intake.authorization import ensure_registered
from judge.intake.command import Call
from judge.intake.context import MessageContext
from judge.storage import Person, PersonOptions


def wishing(
    change: Callable[[PersonOptions], PersonOptions],
    answer: Answer,
    also: Callable[[MessageContext, Person], None] | None = None,
) -> Callable[[MessageContext, Call], Answer]:
    """Build what a command does that changes what its writer wishes; `also` follows from it."""

    def run(context: MessageContext, call: Call) -> Answer:
        person = ensure_registered(context)
        person.options = change(person.options)
        context.storage.people.save(person)
        context.log(answer.code, {"person": person.id, **answer.facts})
        if also is not None:
            also(context, person)
        return answer

    return run
