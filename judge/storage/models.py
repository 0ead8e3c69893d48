"""The tables. Every field has the name it has in `records`, which says what it means.

The models are bound to no database: `judge.storage.engine.Engine` runs their queries, so that two
databases can be open at once. The schema of a database is made by `migrations/`; a test holds
that they end where this module is.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

import peewee
from pydantic import BeforeValidator, PlainSerializer

from judge.storage.enums import (
    AddressState,
    GameState,
    InboundState,
    OutboundState,
    PressColor,
    Reliability,
    Role,
    SeatState,
)
from judge.storage.records import Snapshot
from judge.storage.sql import (
    BytesField,
    EnumField,
    InstantField,
    JsonField,
    Row,
    TextField,
    ValueField,
)
from judge.storage.values import Away, GameOptions, Outcome, PersonOptions, SeatOptions, Vote

_VOTE = Annotated[Vote, BeforeValidator(Vote.from_json), PlainSerializer(Vote.to_json)]


class Table(peewee.Model):
    """What all tables share: a key that grows with arrival."""

    id = peewee.BigAutoField()

    class Meta:
        legacy_table_names = False


class Person(Table):
    name = TextField()
    language = TextField()
    time_zone = TextField(null=True)
    country = TextField()
    level = TextField()
    created_at = InstantField(index=True)
    options = ValueField(PersonOptions)


class Address(Table):
    person_id = peewee.ForeignKeyField(Person, column_name="person_id")
    address = TextField(unique=True)
    proved = peewee.BooleanField()
    state = EnumField(AddressState)
    added_at = InstantField()

    class Meta:
        indexes = ((("state", "person_id"), False),)


class Game(Table):
    name = TextField(unique=True)
    title = TextField()
    variant = TextField()
    rulebook = TextField()
    options = ValueField(GameOptions)
    state = EnumField(GameState)
    moderated = peewee.BooleanField()
    phase = TextField(null=True)
    position = JsonField(null=True)
    settings = JsonField()
    deadline = InstantField(null=True)
    grace_end = InstantField(null=True)
    wake_at = InstantField(null=True, index=True)
    opened_at = InstantField(null=True)
    last_change = InstantField(null=True)
    outcome = ValueField(Outcome, null=True)
    thread = TextField(null=True, index=True)
    created_at = InstantField()
    started_at = InstantField(null=True)
    ended_at = InstantField(null=True, index=True)
    version = peewee.IntegerField()

    class Meta:
        indexes = (
            (("state", "id"), False),
            (("state", "deadline", "id"), False),
        )


class InboundMessage(Table):
    door = TextField()
    received_at = InstantField(index=True)
    message_id = TextField()
    digest = TextField()
    envelope_from = TextField(null=True)
    envelope_to = JsonField()
    raw = BytesField()
    state = EnumField(InboundState)
    attempts = peewee.IntegerField()
    problem = TextField(null=True)
    proof = TextField(null=True)
    sender = TextField(null=True)
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", null=True)
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", null=True)
    worked_at = InstantField(null=True)

    class Meta:
        table_name = "mail"
        indexes = (
            (("message_id", "digest"), True),
            (("state", "id"), False),
            (("state", "sender", "id"), False),
        )


class Seat(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", null=True)
    role = EnumField(Role)
    power = TextField(null=True)
    preferences = TextField()
    state = EnumField(SeatState)
    wait = peewee.BooleanField()
    draw = ValueField(_VOTE, null=True)
    absence = ValueField(tuple[Away, ...], null=True)
    joined_at = InstantField()
    password = TextField(null=True)
    options = ValueField(SeatOptions)


class Order(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", index=False)
    phase = TextField()
    power = TextField()
    place = peewee.IntegerField()
    text = TextField()
    mail_id = peewee.ForeignKeyField(InboundMessage, column_name="mail_id", null=True)
    arrived_at = InstantField()

    class Meta:
        table_name = "orders"
        indexes = ((("game_id", "phase", "power", "place"), True),)


class PhaseRun(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", index=False)
    phase = TextField()
    position = JsonField()
    orders = JsonField()
    results = JsonField()
    processed_at = InstantField(index=True)
    winners = JsonField(null=True)
    rollback = peewee.IntegerField()

    class Meta:
        indexes = ((("game_id", "phase", "rollback"), True),)


class Rollback(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    phase = TextField()
    at = InstantField()
    kept = ValueField(Snapshot)
    restored_at = InstantField(null=True)


class Press(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    phase = TextField(null=True)
    sender_id = peewee.ForeignKeyField(Seat, column_name="sender_id", null=True)
    from_label = TextField()
    to = JsonField()
    color = EnumField(PressColor)
    text = TextField()
    public = peewee.BooleanField()
    sent_at = InstantField()
    subject = TextField()
    seats = JsonField()
    held = peewee.BooleanField(default=False)
    overseen = peewee.BooleanField(default=False)


class DiaryPage(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    seat_id = peewee.ForeignKeyField(Seat, column_name="seat_id", index=False)
    number = peewee.IntegerField()
    phase = TextField(null=True)
    text = TextField()
    at = InstantField()

    class Meta:
        table_name = "note"
        indexes = ((("seat_id", "number"), True),)


class OutboundMessage(Table):
    message_id = TextField(unique=True)
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", null=True)
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", null=True)
    mail_id = peewee.ForeignKeyField(InboundMessage, column_name="mail_id", null=True)
    recipient = TextField()
    envelope_from = TextField(index=True)
    kind = TextField()
    subject = TextField()
    raw = BytesField()
    state = EnumField(OutboundState)
    attempts = peewee.IntegerField()
    next_try = InstantField()
    queued_at = InstantField()
    sent_at = InstantField(null=True)
    error = TextField(null=True)

    class Meta:
        table_name = "letter"
        indexes = (
            (("state", "next_try", "id"), False),
            (("state", "queued_at", "attempts"), False),
            (("recipient", "queued_at"), False),
            (("kind", "queued_at"), False),
        )


class Bounce(Table):
    letter_id = peewee.ForeignKeyField(OutboundMessage, column_name="letter_id")
    address = TextField(index=True)
    at = InstantField()
    hard = peewee.BooleanField()
    status = TextField()
    said = TextField()
    told = peewee.BooleanField()


class Event(Table):
    at = InstantField()
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", null=True)
    actor = TextField()
    what = TextField()
    facts = JsonField()

    class Meta:
        indexes = ((("what", "at"), False),)


class Ticket(Table):
    kind = TextField()
    address = TextField(index=True)
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", null=True, index=False)
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", null=True, index=False)
    phase = TextField(null=True)
    parts = JsonField()
    press_id = peewee.ForeignKeyField(Press, column_name="press_id", null=True, index=False)
    mail_id = peewee.ForeignKeyField(InboundMessage, column_name="mail_id", null=True)
    claim = TextField(null=True)
    created_at = InstantField()
    expires_at = InstantField()
    used_at = InstantField(null=True)


class ReliabilityEntry(Table):
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", index=False)
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    phase = TextField()
    power = TextField()
    what = EnumField(Reliability)
    at = InstantField()

    class Meta:
        table_name = "conduct"
        indexes = ((("person_id", "game_id", "phase", "power", "what"), True),)


class Heartbeat(Table):
    name = TextField(unique=True)
    at = InstantField()

    class Meta:
        table_name = "pulse"


class KeeperSetting(Table):
    name = TextField(unique=True)
    value = JsonField()

    class Meta:
        table_name = "house"


class Alarm(Table):
    name = TextField(unique=True)
    kind = TextField()
    since = InstantField()
    facts = JsonField()


class Secret(Table):
    name = TextField(unique=True)
    value = BytesField()


# What is looked for is little beside what there is: an index of that alone stays small. It serves
# queries that repeat its condition to the letter.
WISHES = peewee.SQL("options <> '{}'")
WITH_TEXT = peewee.SQL("length(raw) > 0")

Person.add_index(Person.index(Person.id, where=WISHES, name="person_wishes"))
OutboundMessage.add_index(
    OutboundMessage.index(OutboundMessage.queued_at, where=WITH_TEXT, name="letter_texts")
)
InboundMessage.add_index(
    InboundMessage.index(InboundMessage.worked_at, where=WITH_TEXT, name="mail_texts")
)


def values(record: Any) -> Row:
    """The columns of a record, its id left out: the database gives that."""
    return {
        field.name: getattr(record, field.name) for field in fields(record) if field.name != "id"
    }


def columns(model: Any) -> list[Any]:
    """The columns of a table, its key left out."""
    return [field for field in model._meta.sorted_fields if field.name != "id"]


def count(column: Any) -> Any:
    """SQL's count of a column."""
    return peewee.fn.COUNT(column)


ALL = (
    Person,
    Address,
    Game,
    InboundMessage,
    Seat,
    Order,
    PhaseRun,
    Rollback,
    Press,
    OutboundMessage,
    Event,
    Ticket,
    Secret,
    Bounce,
    ReliabilityEntry,
    Heartbeat,
    DiaryPage,
    KeeperSetting,
    Alarm,
)
