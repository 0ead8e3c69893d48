"""Who may give which command: the one place that decides it."""

from __future__ import annotations

from judge.game.command import Command, Refused
from judge.game.visit import Visit
from judge.storage import Person


def allow(visit: Visit, command: Command) -> None:
    """Raise Refused unless the writer may give `command` where he stands."""
    if command.who == "anybody":
        return
    if visit.person is None:
        raise Refused("unknown_sender", write="JOIN")
    if command.who == "people":
        return
    state = visit.here()
    mine = visit.mine()
    if not mine:
        raise Refused("not_in_game", write=f"JOIN {state.game.name}", game=state.game.name)
    if command.who == "players" and not any(seat.role == "player" for seat in mine):
        raise Refused("players_only", game=state.game.name)
    if command.who == "masters":
        roles = {seat.role for seat in mine}
        needed = "master" if state.game.moderated else "player"
        settable = command.setting and needed in roles
        if command.setting and not state.game.moderated and not settable:
            raise Refused("players_only", game=state.game.name)
        if not (visit.is_master() or settable):
            raise Refused("masters_only", game=state.game.name, moderated=state.game.moderated)


def known(visit: Visit) -> Person:
    """The writer; if he is a stranger he is taken on file, by the name in his mail's From."""
    if visit.person is not None:
        return visit.person
    incoming = visit.incoming
    name = incoming.sender_name or incoming.sender.partition("@")[0]
    person = visit.storage.people.add(Person(name=name, created_at=visit.now))
    visit.storage.people.add_address(person.id, incoming.sender, visit.now)
    visit.person = person
    visit.log("registered", {"person": person.id})
    return person
