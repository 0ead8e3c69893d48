"""What the keeper lays down for the whole judge: who may come in, rules, the message of the day."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import time

from judge.game.keepers import digest, keeper
from judge.game.people import entry
from judge.game.state.answers import Answer, Refused
from judge.intake.command import Call, Command
from judge.intake.context import MessageContext

_ADDRESS = re.compile(r"[^\s<>()\[\],;:@?]+@[^\s<>()\[\],;:@?]+\Z")

_LONGEST = 4000
"""Characters of the house rules; of the message a quarter of that."""


def _change(name: str, gone: bool = False) -> Callable[[MessageContext, Call], Answer]:
    """How a list of addresses is changed: what has a minus before it is taken off it; all is, if
    `gone`."""

    def run(context: MessageContext, call: Call) -> Answer:
        old = entry.listed(context.storage, name)
        words = call.arguments.replace(",", " ").replace(";", " ").split()
        found = list(old)
        for word in words:
            address = word.lower().strip("<>.").lstrip("+")
            off = gone or address.startswith("-")
            address = address.lstrip("-<")
            if not _ADDRESS.match(address):
                raise Refused("bad_address", write="BAN ann@example.org", address=word)
            found = [each for each in found if each != address]
            if not off:
                found.append(address)
        if tuple(found) != old:
            context.storage.keeper_settings.put(name, found or None)
            context.log_in(None, "people", {"list": name, "old": list(old), "new": found})
        return Answer("house_list", {"list": name, "addresses": found})

    return run


def _text(call: Call, longest: int) -> str:
    """What stands behind the words, and below them."""
    lines = [call.arguments, *call.block]
    text = "\n".join(line.rstrip() for line in lines).strip("\n")
    if len(text) > longest:
        raise Refused("too_much", most=longest, length=len(text))
    return text


def _set_rules(context: MessageContext, call: Call) -> Answer:
    text = _text(call, _LONGEST)
    if not text.strip():
        return Answer("house_rules", {"rules": keeper.rules(context.storage)})
    return _lay_down(context, text)


def _lay_down(context: MessageContext, text: str | None) -> Answer:
    old = keeper.rules(context.storage)
    context.storage.keeper_settings.put(keeper.RULES, text)
    context.log_in(None, "house rules", {"old": old, "new": text})
    return Answer("house_rules", {"rules": text})


def _set_motd(context: MessageContext, call: Call) -> Answer:
    text = _text(call, _LONGEST // 4)
    if not text.strip():
        return Answer("motd", {"message": keeper.message(context.storage)})
    return _say(context, text)


def _say(context: MessageContext, text: str | None) -> Answer:
    keeper.say_today(context.storage, text, context.mail.id)
    context.log_in(None, "message of the day", {"new": text})
    return Answer("motd", {"message": text})


def _set_digest(context: MessageContext, call: Call) -> Answer:
    words = call.arguments.lower().split()
    at, always = digest.wish(context.storage, context.profile)
    for word in words:
        if word == "always":
            continue
        try:
            at = time.fromisoformat(word.zfill(5)).replace(second=0, microsecond=0, tzinfo=None)
        except ValueError:
            raise Refused("bad_hour", write="SET DIGEST 08:00", given=word) from None
    return _send_digest(context, at or _MORNING, "always" in words if words else always)


def _send_digest(context: MessageContext, at: time | None, always: bool) -> Answer:
    digest.want(context.storage, context.profile, at, always, context.now)
    context.log_in(None, "digest", {"at": at and f"{at:%H:%M}", "always": always})
    next_one = digest.due_at(context.storage, context.profile)
    return Answer("digest", {"next": next_one, "always": always})


_MORNING = time(8)

BAN = Command(
    words=("ban", "set deny everywhere"),
    of_game="set deny player",
    who="keepers",
    summary="let these people into no game any more",
    help=(
        "Addresses, with commas; *@example.org is everybody there, a minus before an address takes "
        "it off the list. Who is on it cannot join, take over or create a game, and is told so; "
        "what he plays already goes on. SET DENY PLAYER is the same where you run no game. "
        "Without an address it shows the list."
    ),
    usage="[addresses]",
    example="BAN ann@example.org",
    run=_change(entry.DENIED),
    group="keepers",
)

UNBAN = Command(
    words=("unban",),
    who="keepers",
    summary="take people off the list of those who may come into no game",
    help="Addresses as they stand in the list, with commas.",
    usage="addresses",
    example="UNBAN ann@example.org",
    run=_change(entry.DENIED, gone=True),
    group="keepers",
)

ALLOW = Command(
    words=("set allow everywhere",),
    of_game="set allow player",
    who="keepers",
    summary="let only these people into games",
    help=(
        "As BAN is written. As long as one is on this list, nobody else can join, take over or "
        "create a game. SET ALLOW PLAYER is the same where you run no game."
    ),
    usage="[addresses]",
    example="SET ALLOW EVERYWHERE *@club.example",
    run=_change(entry.ALLOWED),
    group="keepers",
)

RULES = Command(
    words=("set house rules",),
    who="keepers",
    summary="the rules of this judge, which newcomers get",
    help=(
        "The lines below it, up to END or the end of the mail. Everybody reads them by HELP house, "
        "newcomers with the first answer they get. Without lines it shows them. "
        "SET COMMENT BEGIN is for the rules of a game."
    ),
    example="SET HOUSE RULES\nOne person, one power.\nEND",
    run=_set_rules,
    ends=("end", "endrules"),
    group="keepers",
)

NO_RULES = Command(
    words=("set no house rules",),
    who="keepers",
    summary="no rules of this judge any more",
    help="What stood there is kept in the log.",
    example="SET NO HOUSE RULES",
    bare=True,
    run=lambda context, call: _lay_down(context, None),
    group="keepers",
)

MESSAGE = Command(
    words=("motd", "set motd"),
    who="keepers",
    summary="the message of the day, which everybody gets once",
    help=(
        "The rest of the line. It stands at the foot of the next answer that each person gets. "
        "Without a text it shows it."
    ),
    usage="text",
    example="MOTD The judge moves to another machine on Sunday.",
    run=_set_motd,
    group="keepers",
)

LONG_MESSAGE = Command(
    words=("motd begin", "set motd begin"),
    who="keepers",
    summary="a message of the day of several lines",
    help="The lines below it, up to END or the end of the mail.",
    usage="... END",
    example="MOTD BEGIN\nThe judge moves on Sunday.\nWrite again on Monday.\nEND",
    run=_set_motd,
    ends=("end", "endmotd"),
    group="keepers",
)

NO_MESSAGE = Command(
    words=("no motd", "set no motd"),
    who="keepers",
    summary="no message of the day any more",
    help="Who has not had it yet does not get it.",
    example="NO MOTD",
    bare=True,
    run=lambda context, call: _say(context, None),
    group="keepers",
)

DIGEST = Command(
    words=("set digest",),
    who="keepers",
    summary="a letter a day about the judge",
    help=(
        "How many mails and letters there were, which games cannot go on, which mails are held, "
        "who is not reached, and who is new. It comes at that hour, in the judge's time zone, on "
        "days on which something happened; with ALWAYS on all of them."
    ),
    usage="[hh:mm] [ALWAYS]",
    example="SET DIGEST 08:00",
    run=_set_digest,
    group="keepers",
)

NO_DIGEST = Command(
    words=("set no digest",),
    who="keepers",
    summary="no letter a day about the judge",
    help="Letters about single mails that are held, and games that cannot go on, still come.",
    example="SET NO DIGEST",
    bare=True,
    run=lambda context, call: _send_digest(context, None, False),
    group="keepers",
)

COMMANDS = (
    BAN,
    UNBAN,
    ALLOW,
    RULES,
    NO_RULES,
    MESSAGE,
    LONG_MESSAGE,
    NO_MESSAGE,
    DIGEST,
    NO_DIGEST,
)
