"""What the keeper of the judge tells everybody: house rules, and the message of the day."""

from __future__ import annotations

from dataclasses import replace

from judge.storage import Person, Storage

RULES = "rules"
"""The name of the house rules."""

MOTD = "motd"
"""The name of the message of the day, with its number: a changed text is shown again."""


def rules(storage: Storage) -> str | None:
    """Return the house rules, if there are any."""
    text: str | None = storage.keeper_settings.get(RULES)
    return text


def message(storage: Storage) -> str | None:
    """Return the message of the day, if there is one."""
    kept = storage.keeper_settings.get(MOTD)
    return kept["text"] if kept else None


def say_today(storage: Storage, text: str | None, number: int) -> None:
    """Set or remove the message of the day; `number` tells it from earlier ones."""
    storage.keeper_settings.put(MOTD, None if text is None else {"text": text, "number": number})


def message_for(storage: Storage, person: Person) -> str | None:
    """Return the message of the day if a person has not seen it, and note that they have."""
    kept = storage.keeper_settings.get(MOTD)
    if not kept or person.options.motd == kept["number"]:
        return None
    fresh = storage.people.find(person.id)
    if fresh is None:
        return None
    fresh.options = person.options = replace(fresh.options, motd=kept["number"])
    storage.people.save(fresh)
    text: str = kept["text"]
    return text
