"""One message a day to the keeper: what the judge did, and what needs the keeper.

It counts; of games it tells no more than anybody may know, for the keeper may play in them.
"""

from __future__ import annotations

from datetime import datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from msgspec.structs import asdict

from judge.events import At, Event, EventKind
from judge.game.people.contact import unreached
from judge.game.people.entry import addresses_of
from judge.game.phases import next_hour
from judge.game.state import IN_USE, State
from judge.game.state.profile import JudgeProfile
from judge.storage import GOING_ON, Person, Storage

KIND = "digest"
"""The name of the keeper's wish about it in the house's book."""

_OFF = "off"


def wish(storage: Storage, profile: JudgeProfile) -> tuple[time | None, bool]:
    """Return the time of day of the digest, None for never, and whether it is sent on quiet days.

    What the keeper wrote takes precedence over the configuration.
    """
    kept = storage.keeper_settings.get(KIND)
    if kept is None:
        return profile.digest, False
    at: str = kept["at"]
    return (None if at == _OFF else time.fromisoformat(at)), bool(kept["always"])


def want(
    storage: Storage, profile: JudgeProfile, at: time | None, always: bool, now: datetime
) -> None:
    """Store the keeper's wish. What happened while they wanted no digest is not told."""
    was_off = wish(storage, profile)[0] is None
    storage.keeper_settings.put(
        KIND, {"at": _OFF if at is None else f"{at:%H:%M}", "always": always}
    )
    last = storage.heartbeat.digest()
    if last is None:
        storage.heartbeat.begin_digest(now)
    elif was_off:
        storage.heartbeat.advance_digest(last, now)


def begin(storage: Storage, profile: JudgeProfile, now: datetime) -> None:
    """Start counting, if that has not begun."""
    if profile.keeper and profile.digest and storage.heartbeat.digest() is None:
        with storage.transaction():
            storage.heartbeat.begin_digest(now)


def due_at(storage: Storage, profile: JudgeProfile) -> datetime | None:
    """Return when the next digest is due; None if there is none."""
    if profile.keeper is None:
        return None
    at, _ = wish(storage, profile)
    last = storage.heartbeat.digest()
    return None if at is None or last is None else next_hour(last, ZoneInfo(profile.zone), at)


def take(storage: Storage, profile: JudgeProfile, now: datetime) -> list[Event]:
    """Take the digest if it is due; of several judges only the first gets it."""
    due = due_at(storage, profile)
    last = storage.heartbeat.digest()
    if due is None or last is None or due > now or profile.keeper is None:
        return []
    if not storage.heartbeat.advance_digest(last, now):
        return []
    found = facts(storage, last, now)
    if not (found["busy"] or wish(storage, profile)[1]):
        return []
    keeper = storage.people.by_address(profile.keeper)
    to = At(profile.keeper, keeper.id if keeper else None)
    facts_of = found | {"zone": profile.zone_of(keeper)}
    return [Event(kind=EventKind.DIGEST, to=to, facts=facts_of)]


def facts(storage: Storage, since: datetime, until: datetime) -> dict[str, Any]:
    """Return what happened after `since`, and how things are at `until`.

    `busy` says that there is something to tell.
    """
    found, gauges = storage.statistics.happened(since, until, without=KIND), storage.queue_metrics
    happened = asdict(found) | {"people": [_named(storage, each) for each in found.people]}
    waits = {
        "held": len(storage.inbound.held()),
        "stuck": gauges.stuck(),
        "overdue": [
            {"game": game.name, "phase": game.phase, "deadline": game.at}
            for game in gauges.overdue(until)
            # Nobody else waits for who plays alone.
            if (played := storage.games.find(game.id)) and not State(storage, played).terms.of_one
        ],
    }
    games = gauges.games()
    return {
        "since": since,
        "games": {state: games.get(state, 0) for state in GOING_ON},
        "asked": len(storage.inbound.asked()),
        "unreached": _unreached(storage),
        "busy": any(happened.values()) or any(waits.values()),
        **happened,
        **waits,
    }


def _unreached(storage: Storage) -> list[dict[str, object]]:
    """Return who plays or watches, and gets no messages about it."""
    ids = storage.queue_metrics.doubtful(GOING_ON, IN_USE)
    people = [person for each in ids if (person := storage.people.find(each))]
    return [
        _named(storage, person)
        for person in people
        if unreached(storage, person) and not _is_computer(storage, person.id)
    ]


def _is_computer(storage: Storage, person_id: int) -> bool:
    games = [game.id for game in storage.games.of_person(person_id, GOING_ON)]
    return any(
        seat.person_id == person_id and seat.options.bot
        for seats in storage.seats.of_games(games).values()
        for seat in seats
    )


def _named(storage: Storage, person: Person) -> dict[str, object]:
    return {"name": person.name, "addresses": addresses_of(storage, person)}
