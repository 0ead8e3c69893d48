"""Commands of the classic judges that are known and do nothing here.

They are read, so that nobody takes a setting that is not made for one that is; who writes one is
told why. HELP does not list them, docs/commands.md does.
"""

from __future__ import annotations

from judge.game.state.answers import Answer, Refused
from judge.i18n import Message
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext

GROUP = "later"


def _left(words: str, why: str) -> Command:

    def run(context: MessageContext, call: Call) -> Answer:
        raise Refused("left_out", why=Message(why))

    return Command(
        words=(f"set {words}", f"set no {words}"),
        who="anybody",
        summary=why,
        help="This judge knows the command from others, and leaves it out.",
        example=f"SET {words.upper()}",
        run=run,
        bare=True,
        harmless=True,
        group=GROUP,
    )


COMMANDS = (
    _left(
        "coastal convoys",
        "fleets convoy at sea only: no edition of the rules lets them do so on a coast, and none "
        "says what the paradoxes of it come to",
    ),
    _left(
        "any disband",
        "units are disbanded where removals are due: no edition of the rules lets anybody give up "
        "a unit that he can keep",
    ),
)
