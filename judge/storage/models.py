"""The tables. Each has the fields of its record in `records`, which says what they mean.

The models are bound to no database: `judge.storage.engine.Engine` runs their queries, so that two
databases can be open at once. The schema of a database, its indexes and references included, is
made by `migrations/`; a test holds that they end where this module is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import peewee
from pydantic import BeforeValidator, PlainSerializer

from judge.storage import records
from judge.storage.engine import (
    BytesField,
    EnumField,
    InstantField,
    JsonField,
    TextField,
    ValueField,
)
from judge.storage.values import Vote

_VOTE = Annotated[Vote, BeforeValidator(Vote.from_json), PlainSerializer(Vote.to_json)]

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
    inner = [each for each in get_args(hint) if each is not NoneType]
    if NoneType in get_args(hint):
        return _field(inner[0], True)
    made = _FIELDS.get(get_origin(hint) or hint)
    if made is not None:
        return made(null=null)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return EnumField(hint, null=null)
    return ValueField(_VOTE if hint is Vote else hint, null=null)


def _table(record: type, name: str | None = None) -> Any:
    """The table of a record, under another name than its where one is given."""
    hints = get_type_hints(record)
    made = {
        each.name: _field(hints[each.name], null=each.default is None)
        for each in fields(record)
        if each.name != "id"
    }
    meta = type("Meta", (), {"legacy_table_names": False, "table_name": name})
    return type(
        record.__name__,
        (peewee.Model,),
        {"__module__": __name__, "Meta": meta, "id": peewee.BigAutoField(), **made},
    )


@dataclass(frozen=True)
class _Instant:
    """When something was last so."""

    name: str
    at: datetime


@dataclass(frozen=True)
class _Value:
    """What the keeper has laid down."""

    name: str
    value: records.Json


@dataclass(frozen=True)
class _Secret:
    """What only this judge knows."""

    name: str
    value: bytes


Person = _table(records.Person)
Address = _table(records.Address)
Game = _table(records.Game)
InboundMessage = _table(records.InboundMessage, "mail")
Seat = _table(records.Seat)
Order = _table(records.Order, "orders")
PhaseRun = _table(records.PhaseRun)
Rollback = _table(records.Rollback)
Press = _table(records.Press)
OutboundMessage = _table(records.OutboundMessage, "letter")
Event = _table(records.Event)
Ticket = _table(records.Ticket)
Secret = _table(_Secret, "secret")
Bounce = _table(records.Bounce)
ReliabilityEntry = _table(records.ReliabilityEntry, "conduct")
Heartbeat = _table(_Instant, "pulse")
DiaryPage = _table(records.DiaryPage, "note")
KeeperSetting = _table(_Value, "house")
Alarm = _table(records.Alarm)

ALL = (
    *(Person, Address, Game, InboundMessage, Seat, Order, PhaseRun, Rollback, Press),
    *(OutboundMessage, Event, Ticket, Secret, Bounce, ReliabilityEntry, Heartbeat, DiaryPage),
    *(KeeperSetting, Alarm),
)
"""All tables, each behind those it refers to."""

# What is looked for is little beside what there is: an index of that alone stays small. It serves
# queries that repeat its condition to the letter.
WISHES = peewee.SQL("options <> '{}'")
WITH_TEXT = peewee.SQL("length(raw) > 0")


def columns(model: Any) -> list[Any]:
    """The columns of a table, its key left out."""
    return [field for field in model._meta.sorted_fields if field.name != "id"]


def count(column: Any) -> Any:
    """SQL's count of a column."""
    return peewee.fn.COUNT(column)
