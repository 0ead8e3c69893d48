"""All that is on file about somebody, for himself, as one JSON object."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from judge.game.people.reliability import of_person
from judge.game.state import part
from judge.intake.authentication import without
from judge.mail.compose import Attachment
from judge.storage import Person, SeatState, Storage

MOST = 2_000_000
"""Bytes of his mails in it; of older ones only the head lines of the list are there."""


def attached(storage: Storage, person: Person) -> Attachment:
    """It as a file."""
    text = json.dumps(facts(storage, person), ensure_ascii=False, indent=1, default=str) + "\n"
    return Attachment("my-data.json", "application/json", text.encode())


def facts(storage: Storage, person: Person) -> dict[str, Any]:
    """Who he is, what he played and wrote, and what he was sent. Of others there is nothing in it
    but what he wrote himself."""
    seats = storage.seats.of_person(person.id)
    games = {seat.game_id: storage.games.find(seat.game_id) for seat in seats}
    figures = of_person(storage, person.id, public=False)
    return {
        "person": {
            "name": person.name,
            "language": person.language,
            "time_zone": person.time_zone,
            "country": person.country,
            "level": person.level,
            "known_since": person.created_at,
            "wishes": {
                name: wish for name, wish in asdict(person.options).items() if wish is not None
            },
            "addresses": [
                {"address": each.address, "state": each.state, "since": each.added_at}
                for each in storage.people.addresses(person.id)
            ],
        },
        "reliability": {
            "dedication": figures.dedication,
            "punctuality": figures.punctuality,
            "record": [
                {"phase": each.phase, "power": each.power, "what": each.what, "at": each.at}
                for each in storage.reliability_log.of_person(person.id)
            ],
        },
        "parts": [
            {
                "game": game.name,
                "part": part(seat),
                "state": seat.state,
                "since": seat.joined_at,
                "absences": [asdict(each) for each in seat.absence or ()],
                "orders": _orders(storage, game.id, seat.power)
                if seat.state == SeatState.ACTIVE
                else {},
                "diary": [
                    {"phase": note.phase, "at": note.at, "text": note.text}
                    for note in storage.diaries.of_seat(seat.id)
                ],
                "press": [
                    {"to": each.to, "phase": each.phase, "at": each.sent_at, "text": each.text}
                    for each in storage.press.of_game(game.id)
                    if each.sender_id == seat.id
                ],
            }
            for seat in seats
            if (game := games[seat.game_id]) is not None
        ],
        "mails": _mails(storage, person),
        "letters": [
            {"kind": each.kind, "subject": each.subject, "to": each.recipient, "at": each.queued_at}
            for each in storage.outbound.of_person(person.id)
        ],
    }


def _orders(storage: Storage, game_id: int, power: str | None) -> dict[str, list[str]]:
    filed = storage.orders.of_power(game_id, power) if power else {}
    return {phase: [order.text for order in orders] for phase, orders in filed.items()}


def _mails(storage: Storage, person: Person) -> list[dict[str, Any]]:
    """His mails, newest first, passwords blanked; of those beyond MOST only when they came."""
    found, size = [], 0
    for mail in reversed(storage.inbound.of_person(person.id)):
        size += len(mail.raw)
        text = without(mail.raw).decode("utf-8", "backslashreplace") if size <= MOST else None
        found.append({"received": mail.received_at, "by": mail.door, "message": text})
    return found
