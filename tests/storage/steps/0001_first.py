"""The first schema. A frozen copy, so that it never changes under a database that has had it."""

from __future__ import annotations

from typing import Any

import peewee

from judge.storage.columns import BytesField, InstantField, JsonField, TextField


class Table(peewee.Model):
    id = peewee.BigAutoField()

    class Meta:
        legacy_table_names = False


class Person(Table):
    name = TextField()
    language = TextField()
    time_zone = TextField(null=True)
    country = TextField()
    level = TextField()
    created_at = InstantField()


class Address(Table):
    person_id = peewee.ForeignKeyField(Person, column_name="person_id")
    address = TextField(unique=True)
    proved = peewee.BooleanField()
    state = TextField()
    added_at = InstantField()


class Game(Table):
    name = TextField(unique=True)
    title = TextField()
    variant = TextField()
    rulebook = TextField()
    options = JsonField()
    state = TextField()
    moderated = peewee.BooleanField()
    phase = TextField(null=True)
    position = JsonField(null=True)
    settings = JsonField()
    deadline = InstantField(null=True)
    grace_end = InstantField(null=True)
    wake_at = InstantField(null=True, index=True)
    opened_at = InstantField(null=True)
    last_change = InstantField(null=True)
    outcome = JsonField(null=True)
    thread = TextField(null=True, index=True)
    created_at = InstantField()
    started_at = InstantField(null=True)
    ended_at = InstantField(null=True)
    version = peewee.IntegerField()

    class Meta:
        indexes = ((("state", "id"), False),)


class Mail(Table):
    door = TextField()
    received_at = InstantField()
    message_id = TextField()
    digest = TextField()
    envelope_from = TextField(null=True)
    envelope_to = JsonField()
    raw = BytesField()
    state = TextField()
    attempts = peewee.IntegerField()
    problem = TextField(null=True)
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", null=True)
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", null=True)
    worked_at = InstantField(null=True)

    class Meta:
        indexes = (
            (("message_id", "digest"), True),
            (("state", "id"), False),
        )


class Seat(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", null=True)
    role = TextField()
    power = TextField(null=True)
    preferences = TextField()
    state = TextField()
    wait = peewee.BooleanField()
    draw = JsonField(null=True)
    absence = JsonField(null=True)
    reminded = peewee.BooleanField()
    joined_at = InstantField()


class Order(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", index=False)
    phase = TextField()
    power = TextField()
    place = peewee.IntegerField()
    text = TextField()
    mail_id = peewee.ForeignKeyField(Mail, column_name="mail_id", null=True)
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
    processed_at = InstantField()
    winners = JsonField(null=True)

    class Meta:
        indexes = ((("game_id", "phase"), True),)


class Press(Table):
    game_id = peewee.ForeignKeyField(Game, column_name="game_id")
    phase = TextField(null=True)
    sender_id = peewee.ForeignKeyField(Seat, column_name="sender_id", null=True)
    from_label = TextField()
    to = JsonField()
    color = TextField()
    text = TextField()
    public = peewee.BooleanField()
    sent_at = InstantField()


class Letter(Table):
    message_id = TextField(unique=True)
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", null=True)
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", null=True)
    mail_id = peewee.ForeignKeyField(Mail, column_name="mail_id", null=True)
    recipient = TextField()
    envelope_from = TextField()
    kind = TextField()
    subject = TextField()
    raw = BytesField()
    state = TextField()
    attempts = peewee.IntegerField()
    next_try = InstantField()
    queued_at = InstantField()
    sent_at = InstantField(null=True)
    error = TextField(null=True)

    class Meta:
        indexes = ((("state", "next_try", "id"), False),)


class Event(Table):
    at = InstantField()
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", null=True)
    actor = TextField()
    what = TextField()
    facts = JsonField()


ALL = (Person, Address, Game, Mail, Seat, Order, PhaseRun, Press, Letter, Event)


def up(migrator: Any, database: Any) -> None:
    """Create the tables."""
    with database.bind_ctx(ALL):
        database.create_tables(ALL, safe=False)
