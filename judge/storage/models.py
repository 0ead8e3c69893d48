"""The tables. Each has the fields of its record in `records`, which says what they mean.

The models are bound to no database: `judge.storage.engine.Engine` runs their queries, so that two
databases can be open at once. What a database lacks of them, `bring_up` adds: tables, indexes, and
columns with the value their record has by default.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from types import NoneType
from typing import Any, get_args, get_origin

import peewee
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from judge.storage import records
from judge.storage.columns import (
    BytesField,
    EnumField,
    InstantField,
    JsonField,
    TextField,
    ValueField,
)
from judge.storage.connection import Sqlite

_FIELDS: dict[Any, Callable[..., Any]] = {
    str: TextField,
    int: peewee.BigIntegerField,
    bool: peewee.BooleanField,
    bytes: BytesField,
    datetime: InstantField,
    list: JsonField,
    records.Json: JsonField,
}


def _field(hint: Any, null: bool) -> Any:
    """What holds values of a type; JSON where it is none of ours."""
    hint = getattr(hint, "__supertype__", hint)
    inner = [each for each in get_args(hint) if each is not NoneType]
    if NoneType in get_args(hint):
        return _field(inner[0], True)
    made = _FIELDS.get(get_origin(hint) or hint)
    if made is not None:
        return made(null=null)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return EnumField(hint, null=null)
    return ValueField(hint, null=null)


_REFERS = {
    "person_id": "person",
    "game_id": "game",
    "seat_id": "seat",
    "sender_id": "seat",
    "mail_id": "mail",
    "letter_id": "letter",
    "press_id": "press",
}
"""The tables whose rows columns of these names refer to."""


def _table(
    record: type[Struct], name: str | None = None, unique: str = "", indexes: tuple[str, ...] = ()
) -> Any:
    """The table of a record, under another name than its where one is given.

    `unique` and each of `indexes` names the columns of an index, with blanks between them.
    """
    made = {}
    for each in fields(record):
        if each.name != "id":
            made[each.name] = _field(each.type, null=each.default is None)
            if each.name in _REFERS:
                made[each.name].constraints = [
                    peewee.SQL(f'REFERENCES "{_REFERS[each.name]}" ("id")')
                ]
    keys = [(tuple(unique.split()), True)] if unique else []
    options = {
        "legacy_table_names": False,
        "table_name": name,
        "indexes": (*keys, *((tuple(each.split()), False) for each in indexes)),
    }
    body = {"__module__": __name__, "Meta": type("Meta", (), options), "record": record}
    return type(record.__name__, (peewee.Model,), {**body, "id": peewee.BigAutoField(), **made})


class _Instant(Struct, frozen=True):
    """When something was last so."""

    name: str
    at: datetime


class _Value(Struct, frozen=True):
    """What the keeper has laid down."""

    name: str
    value: records.Json


class _Secret(Struct, frozen=True):
    """What only this judge knows."""

    name: str
    value: bytes


Person = _table(records.Person, indexes=("created_at",))
Address = _table(records.Address, unique="address", indexes=("person_id", "state person_id"))
Game = _table(
    records.Game,
    unique="name",
    indexes=("wake_at", "thread", "state id", "state deadline id", "ended_at"),
)
InboundMessage = _table(
    records.InboundMessage,
    "mail",
    unique="message_id digest",
    indexes=("received_at", "state sender id"),
)
Seat = _table(records.Seat, indexes=("game_id", "person_id"))
Order = _table(records.Order, "orders", unique="game_id phase power place", indexes=("mail_id",))
PhaseRun = _table(records.PhaseRun, unique="game_id phase rollback", indexes=("processed_at",))
Rollback = _table(records.Rollback, indexes=("game_id",))
Press = _table(records.Press, indexes=("game_id", "sender_id"))
OutboundMessage = _table(
    records.OutboundMessage,
    "letter",
    unique="message_id",
    indexes=(
        *("person_id game_id", "mail_id", "envelope_from"),
        *("recipient queued_at", "kind queued_at"),
    ),
)
Event = _table(records.Event, indexes=("game_id", "what at"))
Ticket = _table(records.Ticket, indexes=("address", "mail_id"))
Secret = _table(_Secret, "secret", unique="name")
Bounce = _table(records.Bounce, indexes=("letter_id", "address"))
ReliabilityEntry = _table(
    records.ReliabilityEntry,
    "conduct",
    unique="person_id game_id phase power what",
    indexes=("game_id",),
)
Heartbeat = _table(_Instant, "pulse", unique="name")
DiaryPage = _table(records.DiaryPage, "note", unique="seat_id number", indexes=("game_id",))
KeeperSetting = _table(_Value, "house", unique="name")
Alarm = _table(records.Alarm, unique="name")

ALL = (
    *(Person, Address, Game, InboundMessage, Seat, Order, PhaseRun, Rollback, Press),
    *(OutboundMessage, Event, Ticket, Secret, Bounce, ReliabilityEntry, Heartbeat, DiaryPage),
    *(KeeperSetting, Alarm),
)
"""All tables, each behind those it refers to."""

# What is looked for is little beside what there is: an index of that alone stays small, and what is
# done with leaves it. It serves queries that repeat its condition to the letter, or that of one of
# its states in their text.
WISHES = peewee.SQL("options <> '{}'")
WITH_TEXT = peewee.SQL("length(raw) > 0")
FAILED = peewee.SQL("attempts > 0 AND state IN ('new', 'held')")
QUEUED = peewee.SQL("state = 'queued'")
_PARTIAL = (
    f"person_wishes ON person (id) WHERE {WISHES.sql}",
    f"letter_texts ON letter (queued_at) WHERE {WITH_TEXT.sql}",
    f"letter_queue ON letter (state, queued_at, attempts) WHERE {QUEUED.sql}",
    "letter_open ON letter (state, next_try, id)"
    " WHERE state = 'queued' OR state = 'kept' OR state = 'failed'",
    f"mail_worked ON mail (worked_at) WHERE worked_at IS NOT NULL AND {WITH_TEXT.sql}",
    f"mail_failed ON mail (id) WHERE {FAILED.sql}",
    "mail_person ON mail (person_id) WHERE person_id IS NOT NULL",
    "mail_open ON mail (state, id) WHERE state = 'new' OR state = 'held' OR state = 'asked'",
    "mail_host ON mail (state, host, sender, id) WHERE state = 'new'",
    "mail_lane ON mail (state, lane, sender, id) WHERE state = 'new'",
)


def bring_up(database: Any) -> None:
    """Add the tables, columns and indexes that a database lacks."""
    for model in ALL:
        table = model._meta.table_name
        if not database.table_exists(table):
            continue
        known = {each.name for each in database.get_columns(table)}
        for field in columns(model):
            if field.column_name not in known:
                database.execute_sql(
                    f'ALTER TABLE "{table}" ADD COLUMN {_declared(database, field)}'
                )
    with database.bind_ctx(ALL):
        for model in ALL:
            model.create_table()
    for index in _PARTIAL:
        database.execute_sql(f"CREATE INDEX IF NOT EXISTS {index}")


def _declared(database: Any, field: Any) -> str:
    """A column with the value that rows get which are there already."""
    context = database.get_sql_context()
    kind, _ = context.sql(field.ddl_datatype(context)).query()
    declared = f'"{field.column_name}" {kind}'
    if field.null:
        return declared
    (known,) = (each for each in fields(field.model.record) if each.name == field.name)
    made = known.default if known.default_factory is NODEFAULT else known.default_factory()
    value = field.db_value(made)
    if isinstance(made, bytes):
        text = f"x'{made.hex()}'" if isinstance(database, Sqlite) else f"'\\x{made.hex()}'"
    else:
        text = f"'{value}'" if isinstance(value, str) else str(value)
    return f"{declared} NOT NULL DEFAULT {text}"


def columns(model: Any) -> list[Any]:
    """The columns of a table, its key left out."""
    return [field for field in model._meta.sorted_fields if field.name != "id"]


def total_bytes(column: Any) -> Any:
    """SQL's sum of the lengths of what a column holds; NULL for no rows."""
    return peewee.fn.SUM(peewee.fn.LENGTH(column))


def count(column: Any) -> Any:
    """SQL's count of a column."""
    return peewee.fn.COUNT(column)
