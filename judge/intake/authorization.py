"""Who may give which command: the one place that decides it."""

from __future__ import annotations

from judge.game.command import Command, Refused, no_part
from judge.game.keepers.keeper import check_act
from judge.game.state import State
from judge.game.state.profile import Level
from judge.i18n import language
from judge.intake.authentication import level, prove
from judge.intake.context import MessageContext
from judge.storage import Person, Role

_PERSONAL = frozenset(
    (
        *("register", "i am also", "set language", "set standin", "set no standin"),
        *("set reminder", "set absence", "set no absence", "set daily", "set no daily"),
        *("set password", "set no password", "set deadline", "extend", "pause", "resume", "resign"),
    )
)
"""What somebody does about himself, which nobody can do in his place."""


def allow(context: MessageContext, command: Command) -> None:
    """Raise Refused unless the writer may give `command` where he stands, and Unproved where he
    may, but it is not sure enough that it is he."""
    safe = command.asks or command.harmless
    check_act(context, command)
    if context.cursor.became is not None and command.words[0] in _PERSONAL:
        game = context.cursor.here().game.name
        facts = {"power": context.cursor.became.power, "command": command.name, "game": game}
        raise Refused("not_in_place", write=f"SIGN ON {game}", **facts)
    if command.who == "keepers":
        if not context.sender.keeper:
            raise Refused("keeper_only")
        if not safe:
            prove(context, None, Level.TOKEN)
        return
    if command.who in ("anybody", "people"):
        if command.who == "people" and context.sender.person is None:
            raise Refused("unknown_sender", write="JOIN")
        if not safe:
            prove(context, None)
        return
    if context.sender.person is None:
        raise Refused("unknown_sender", write="JOIN")
    state = context.cursor.here()
    mine = context.cursor.own() if command.as_self else context.cursor.mine()
    if not mine:
        raise no_part(state)
    if not command.asks:
        context.report.came.add(state.game.id)
    if command.who == "players" and not any(seat.role == Role.PLAYER for seat in mine):
        raise Refused("players_only", game=state.game.name, would=command.summary)
    if command.who == "masters":
        roles = {seat.role for seat in mine}
        keeps = context.cursor.keeping is not None and Role.MASTER in roles
        needed = Role.MASTER if state.game.moderated else Role.PLAYER
        settable = command.setting and (keeps or needed in roles)
        if command.setting and not state.game.moderated and not settable:
            raise Refused("players_only", game=state.game.name, would=command.summary)
        runs = keeps or (state.game.moderated and Role.MASTER in roles)
        if not (runs or settable):
            raise Refused(
                "masters_only",
                game=state.game.name,
                moderated=state.game.moderated,
                command=command.words[0],
                would=command.summary,
                became=context.cursor.became and context.cursor.became.power,
            )
    if command.group == "playing" and not safe:
        in_time(context, state)
    if not safe:
        # Whoever can forge an address must not run a game with it.
        prove(context, state, Level.TOKEN if command.who == "masters" else Level.ADDRESS)


def in_time(context: MessageContext, state: State) -> None:
    """Raise Refused where the mail came in before the phase that is open now was opened.

    A mail can be worked late, because its sender was asked or because it made the judge fail. What
    it says about its own phase must not count for another one.
    """
    opened = state.game.opened_at
    if state.began == state.game.phase and opened and context.mail.received_at < opened:
        raise Refused("too_late", phase=state.game.phase, game=state.game.name)


def ensure_registered(context: MessageContext) -> Person:
    """Return the sender, registering a stranger by the name in the message's From."""
    if context.sender.person is not None:
        return context.sender.person
    incoming = context.incoming
    name = incoming.sender_name or incoming.sender.partition("@")[0]
    person = context.storage.people.add(
        Person(name=name, language=language(), created_at=context.now)
    )
    proved = level(context, None) > Level.ADDRESS
    context.storage.people.add_address(person.id, incoming.sender, context.now, proved=proved)
    context.sender.person = person
    context.log("registered", {"person": person.id})
    return person
