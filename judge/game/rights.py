"""Who may give which command: the one place that decides it."""

from __future__ import annotations

from judge.game.command import Command, Refused, no_part
from judge.game.intake.trust import level, prove
from judge.game.keepers.keeper import check_act
from judge.game.state import State
from judge.game.state.profile import Level
from judge.game.visit import Visit
from judge.i18n import language
from judge.storage import Person

_PERSONAL = frozenset(
    (
        *("register", "i am also", "set language", "set standin", "set no standin"),
        *("set reminder", "set absence", "set no absence", "set daily", "set no daily"),
        *("set password", "set no password", "set deadline", "extend", "pause", "resume", "resign"),
    )
)
"""What somebody does about himself, which nobody can do in his place."""


def allow(visit: Visit, command: Command) -> None:
    """Raise Refused unless the writer may give `command` where he stands, and Unproved where he
    may, but it is not sure enough that it is he."""
    safe = command.asks or command.harmless
    check_act(visit, command)
    if visit.became is not None and command.words[0] in _PERSONAL:
        game = visit.here().game.name
        facts = {"power": visit.became.power, "command": command.name, "game": game}
        raise Refused("not_in_place", write=f"SIGN ON {game}", **facts)
    if command.who == "keepers":
        if not visit.keeper:
            raise Refused("keeper_only")
        if not safe:
            prove(visit, None, Level.TOKEN)
        return
    if command.who in ("anybody", "people"):
        if command.who == "people" and visit.person is None:
            raise Refused("unknown_sender", write="JOIN")
        if not safe:
            prove(visit, None)
        return
    if visit.person is None:
        raise Refused("unknown_sender", write="JOIN")
    state = visit.here()
    mine = visit.own() if command.as_self else visit.mine()
    if not mine:
        raise no_part(state)
    if not command.asks:
        visit.came.add(state.game.id)
    if command.who == "players" and not any(seat.role == "player" for seat in mine):
        raise Refused("players_only", game=state.game.name, would=command.summary)
    if command.who == "masters":
        roles = {seat.role for seat in mine}
        keeps = visit.keeping is not None and "master" in roles
        needed = "master" if state.game.moderated else "player"
        settable = command.setting and (keeps or needed in roles)
        if command.setting and not state.game.moderated and not settable:
            raise Refused("players_only", game=state.game.name, would=command.summary)
        runs = keeps or (state.game.moderated and "master" in roles)
        if not (runs or settable):
            raise Refused(
                "masters_only",
                game=state.game.name,
                moderated=state.game.moderated,
                command=command.words[0],
                would=command.summary,
                became=visit.became and visit.became.power,
            )
    if command.group == "playing" and not safe:
        in_time(visit, state)
    if not safe:
        # Whoever can forge an address must not run a game with it.
        prove(visit, state, Level.TOKEN if command.who == "masters" else Level.ADDRESS)


def in_time(visit: Visit, state: State) -> None:
    """Raise Refused where the mail came in before the phase that is open now was opened.

    A mail can be worked late, because its sender was asked or because it made the judge fail. What
    it says about its own phase must not count for another one.
    """
    opened = state.game.opened_at
    if state.began == state.game.phase and opened and visit.mail.received_at < opened:
        raise Refused("too_late", phase=state.game.phase, game=state.game.name)


def known(visit: Visit) -> Person:
    """The writer; if he is a stranger he is taken on file, by the name in his mail's From."""
    if visit.person is not None:
        return visit.person
    incoming = visit.incoming
    name = incoming.sender_name or incoming.sender.partition("@")[0]
    person = visit.storage.people.add(Person(name=name, language=language(), created_at=visit.now))
    proved = level(visit, None) > Level.ADDRESS
    visit.storage.people.add_address(person.id, incoming.sender, visit.now, proved=proved)
    visit.person = person
    visit.log("registered", {"person": person.id})
    return person
