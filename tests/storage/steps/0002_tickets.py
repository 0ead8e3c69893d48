"""Who is writing: what stands behind a reply address, the judge's secrets, proofs and passwords.

A frozen copy, so that it never changes under a database that has had it.
"""

from __future__ import annotations

import secrets
from typing import Any

import peewee

from judge.storage.columns import BytesField, InstantField, JsonField, TextField


class Table(peewee.Model):
    id = peewee.BigAutoField()

    class Meta:
        legacy_table_names = False


class Person(Table):
    pass


class Game(Table):
    pass


class Press(Table):
    pass


class Mail(Table):
    pass


class Ticket(Table):
    kind = TextField()
    address = TextField(index=True)
    person_id = peewee.ForeignKeyField(Person, column_name="person_id", null=True, index=False)
    game_id = peewee.ForeignKeyField(Game, column_name="game_id", null=True, index=False)
    phase = TextField(null=True)
    parts = JsonField()
    press_id = peewee.ForeignKeyField(Press, column_name="press_id", null=True, index=False)
    mail_id = peewee.ForeignKeyField(Mail, column_name="mail_id", null=True)
    claim = TextField(null=True)
    created_at = InstantField()
    expires_at = InstantField()
    used_at = InstantField(null=True)


class Secret(Table):
    name = TextField(unique=True)
    value = BytesField()


def up(migrator: Any, database: Any) -> None:
    """Create the tables and columns, and a secret nobody else has."""
    with database.bind_ctx((Ticket, Secret)):
        database.create_tables((Ticket, Secret), safe=False)
        Secret.insert(name="reply", value=secrets.token_bytes(32)).execute()
    migrator.migrate(
        migrator.add_column("mail", "proof", TextField(null=True)),
        migrator.add_column("seat", "password", TextField(null=True)),
        migrator.add_column("press", "subject", TextField(default="")),
        migrator.add_column("press", "seats", JsonField(default=list)),
    )
