"""HELD, RELEASE and DROP: mails that wait, for the keeper."""

from __future__ import annotations

from collections.abc import Callable

from judge.game.state.answers import Answer, Refused
from judge.intake import waiting
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext


def _number(text: str, write: str) -> int:
    word = text.strip(" .#<>")
    if not word.isdecimal() or len(word) > _DIGITS:
        raise Refused("which_mail", write=write, given=text)
    return int(word)


_DIGITS = 12

_SHOWN = 4000
"""Characters of a mail that are shown."""


def _held(context: MessageContext, call: Call) -> Answer:
    if not call.arguments:
        return Answer("held", {"mails": waiting.all_of(context.storage)})
    mail_id = _number(call.arguments, "HELD 12")
    found = waiting.one(context.storage, mail_id)
    if found is None:
        raise Refused("no_such_mail", write="HELD", mail=mail_id)
    text = waiting.shown(context.storage, mail_id)
    return Answer("held_one", found | {"text": text[:_SHOWN], "more": len(text) > _SHOWN})


def _end(
    what: str, act: Callable[[MessageContext, int], bool]
) -> Callable[[MessageContext, Call], Answer]:
    def run(context: MessageContext, call: Call) -> Answer:
        mail_id = _number(call.arguments, f"{what.upper()} 12")
        if not act(context, mail_id):
            found = waiting.one(context.storage, mail_id)
            asked = found is not None and found["state"] == "asked"
            raise Refused("not_held", write="HELD", mail=mail_id, asked=asked)
        context.log_in(None, what, {"mail": mail_id})
        return Answer("mail_done", {"mail": mail_id, "what": what})

    return run


HELD = Command(
    words=("held",),
    who="keepers",
    summary="the mails that wait: held, or asked about",
    help=(
        "Mails that made the judge fail, and those whose senders are asked whether they are "
        "theirs. With a number it shows that mail, its passwords blanked."
    ),
    usage="[number]",
    example="HELD",
    run=_held,
    asks=True,
    group="keepers",
)

RELEASE = Command(
    words=("release",),
    who="keepers",
    summary="have a held mail worked again",
    help="It counts as of when it came, but reopens no phase that has run.",
    usage="number",
    example="RELEASE 12",
    run=_end("release", lambda context, mail_id: context.storage.inbound.retry(mail_id)),
    group="keepers",
)

DROP = Command(
    words=("drop",),
    who="keepers",
    summary="give a mail up that is held or asked about",
    help="Nothing in it is done, ever. It stays on file, its passwords blanked.",
    usage="number",
    example="DROP 12",
    run=_end("drop", lambda context, mail_id: waiting.drop(context.storage, mail_id)),
    group="keepers",
)

COMMANDS = (HELD, RELEASE, DROP)
