"""The tables have the fields of the records; their columns are written as peewee writes them."""

from __future__ import annotations

from types import NoneType
from typing import Any, get_args

import peewee
import pytest
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from judge.storage import models, records
from judge.storage.columns import _Column

RECORDS: dict[Any, type[Struct]] = {
    models.PersonRow: records.Person,
    models.AddressRow: records.Address,
    models.GameRow: records.Game,
    models.InboundRow: records.InboundMessage,
    models.SeatRow: records.Seat,
    models.OrderRow: records.Order,
    models.PhaseRunRow: records.PhaseRun,
    models.RollbackRow: records.Rollback,
    models.PressRow: records.Press,
    models.OutboundRow: records.OutboundMessage,
    models.LogRow: records.LogEntry,
    models.TicketRow: records.Ticket,
    models.BounceRow: records.Bounce,
    models.ReliabilityRow: records.ReliabilityEntry,
    models.DiaryRow: records.DiaryPage,
    models.AlarmRow: records.Alarm,
}


@pytest.mark.parametrize("model", RECORDS, ids=lambda model: str(model.__name__))
def test_a_table_has_the_fields_of_its_record(model: Any) -> None:
    """With their defaults, for what is added to a table that is there already gets them."""
    own, record = model._meta.fields, {each.name: each for each in fields(RECORDS[model])}
    # Whose it is, only the engine knows.
    assert [name for name in own if name != "house"] == list(record)
    for name, each in record.items():
        if name == "id":
            continue
        assert own[name].null is (NoneType in get_args(each.type) or each.default is None), name
        if not own[name].null:
            made = each.default if each.default_factory is NODEFAULT else each.default_factory
            assert own[name].default == (None if made is NODEFAULT else made), name


@pytest.mark.parametrize("model", models.ALL, ids=lambda model: str(model.__name__))
def test_columns_are_written_as_peewee_writes_them(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_ = models.columns(model)
    other = model.alias()
    of_other = other.select(other.id).where(other.id < model.id)
    queries = [
        model.select().where(peewee.fn.EXISTS(of_other)).order_by(first.desc()),
        model.update({first: first}).where(model.id == 1),
        model.insert_many([{first: None}], fields=[first]).returning(model.id),
        model.delete().where(first.is_null()),
    ]
    ours = [each.sql() for each in queries]
    monkeypatch.setattr(_Column, "__sql__", peewee.Field.__sql__)
    assert ours == [each.sql() for each in queries]
