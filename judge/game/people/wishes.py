"""What people wish about their own letters, or do not: an option in two commands."""

from __future__ import annotations

from collections.abc import Callable

from judge.game.command import Answer, Call
from judge.game.rights import known
from judge.game.visit import Visit
from judge.storage import Person


def wishing(
    option: str, answer: Answer, also: Callable[[Visit, Person], None] | None = None
) -> Callable[[Visit, Call], Answer]:
    """What a command does that says whether the writer wishes `option`, a name among a person's
    options: the fact `wish` of its answer. `also` is what follows from it."""

    def run(visit: Visit, call: Call) -> Answer:
        person = known(visit)
        person.options = person.options | {option: answer.facts["wish"]}
        visit.storage.people.save(person)
        visit.log(answer.code, {"person": person.id, **answer.facts})
        if also is not None:
            also(visit, person)
        return answer

    return run
