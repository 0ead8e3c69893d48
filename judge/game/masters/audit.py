"""The log of what game masters have done to a game, as all its players may read it.

It comes from the events. What would give away orders or identities is told after the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from judge.game.state import State
from judge.game.visibility.identity import called
from judge.i18n import say
from judge.storage import Event, GameState, Role

ACTS: Mapping[str, tuple[str, ...]] = {
    "set": ("setting", "old", "new"),
    "forced start": ("missing",),
    "unstarted": (),
    "processed": ("phase",),
    "preview": ("phase",),
    "rollback": ("phase", "undone"),
    "restored": ("phase", "redone"),
    "became": ("power", "phase"),
    "acted": ("power", "phase", "lines"),
    "ejected": ("parts",),
    "promoted": ("person",),
    "approved": ("power",),
    "dummy": ("power",),
    "revived": ("power",),
    "official": ("subject",),
    "renamed": ("old", "new"),
    "revealed": (),
    "terminated": ("phase",),
    "pause": ("phase",),
    "resume": ("phase",),
    "deadline": ("new",),
    "grace_end": ("new",),
    "start": ("new",),
    "granted deadline": (),
    "granted absence": (),
    "granted pause": (),
    "granted resume": (),
    "declined deadline": (),
    "declined absence": (),
    "declined pause": (),
    "declined resume": (),
}
"""The events that are acts of game masters, and which facts of each are told."""

_TIMES = ("deadline", "grace_end", "start")
"""The acts whose new value is an instant."""

_AFTER = ("lines",)
"""Facts that are told only after the end."""


def acts(state: State) -> list[dict[str, object]]:
    """Return what masters, or players of an unmoderated game, have done: when, who, what, facts.

    Names are those of masters only, which everybody knows; addresses there are none.
    """
    return [
        _act(state, event)
        for event in state.storage.events.of_game(state.game.id)
        if event.what in ACTS and event.actor != "judge"
    ]


def _act(state: State, event: Event) -> dict[str, object]:
    hidden = () if state.game.state == GameState.ENDED else _AFTER
    facts = {name: event.facts.get(name) for name in ACTS[event.what] if name not in hidden}
    if "person" in facts:
        person = state.storage.people.find(facts["person"] or 0)
        facts["person"] = person.name if person else ""
    if event.what in _TIMES:
        facts["new"] = event.facts.get("new") and datetime.fromisoformat(event.facts["new"])
    if event.what == "acted":
        facts["count"] = len(event.facts["lines"])
    if event.facts.get("keeper"):
        who: str | None = say("the keeper of the judge")
    else:
        who = _master(state, event.actor)
    return {"at": event.at, "who": who, "what": event.what, "facts": facts}


def _master(state: State, address: str) -> str | None:
    """Return the name of the game master with this address; None for anybody else."""
    person = state.storage.people.by_address(address)
    if person is None:
        return None
    runs = any(seat.role == Role.MASTER and seat.person_id == person.id for seat in state.seats)
    return called(state, person) if runs else None
