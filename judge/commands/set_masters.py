"""SET APPROVED and SET NOT APPROVED: the game master's word on newcomers."""

from __future__ import annotations

from collections.abc import Callable

from judge.commands.admission import approve, end_part
from judge.commands.named import newcomers_named
from judge.game.state.answers import Answer
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def _decide(agreed: bool) -> Callable[[MessageContext, Call], Answer]:
    def run(context: MessageContext, call: Call) -> Answer:
        state = context.cursor.here()
        example = state.variant.powers[0].lower()
        write = f"SET {'APPROVED' if agreed else 'NOT APPROVED'} {example}"
        seats = newcomers_named(context, call.arguments, write, refused=agreed)
        names = [state.person(seat).name for seat in seats]
        for seat in seats:
            if agreed:
                approve(context, state, seat)
            else:
                end_part(context, state, [seat])
        return Answer("admissions", {"names": names, "yes": agreed, "game": state.game.name})

    return run


APPROVED = Command(
    words=("set approved",),
    who="masters",
    summary="agree to newcomers, where APPROVAL is set",
    help=(
        "Their powers, or addresses of theirs. They may order from now on, and are told. Whom you "
        "have turned away you let in after all by an address of his."
    ),
    usage="powers or addresses",
    example="SET APPROVED france",
    run=_decide(True),
    group="masters",
)

NOT_APPROVED = Command(
    words=("set not approved",),
    who="masters",
    summary="turn newcomers away, where APPROVAL is set",
    help=(
        "Their powers, or addresses of theirs. Their part ends, the place is free again, and they "
        "cannot join again before you have agreed (SET APPROVED)."
    ),
    usage="powers or addresses",
    example="SET NOT APPROVED france",
    run=_decide(False),
    group="masters",
)

COMMANDS: tuple[Command, ...] = (APPROVED, NOT_APPROVED)
