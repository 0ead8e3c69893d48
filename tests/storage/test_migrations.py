"""Schemas grow by numbered steps, once each, and never shrink."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from judge.storage import Storage, StorageError, models
from judge.storage.engine import Engine


def shape(engine: Engine, table: str) -> list[Any]:
    """The columns and indexes of a table, comparable between databases."""
    database = engine.database
    columns = sorted(
        (each.name, each.data_type, each.null, each.primary_key)
        for each in database.get_columns(table)
    )
    indexes = sorted((each.columns, each.unique) for each in database.get_indexes(table))
    keys = sorted((each.column, each.dest_table) for each in database.get_foreign_keys(table))
    return [columns, indexes, keys]


def test_the_steps_end_where_the_models_are(storage: Storage, new_url: Callable[[], str]) -> None:
    direct = Engine(new_url())
    with direct.database.bind_ctx(models.ALL):
        direct.database.create_tables(models.ALL)
    for model in models.ALL:
        table = model._meta.table_name
        assert shape(storage._engine, table) == shape(direct, table), table
    direct.close()


def test_each_step_is_applied_once(url: str, storage: Storage) -> None:
    def applied() -> list[Any]:
        query = "SELECT name, applied FROM schema_migration ORDER BY name"
        return list(storage._engine.database.execute_sql(query).fetchall())

    before = applied()
    assert before[0][0] == "0001_first"
    Storage.open(url).close()
    assert applied() == before


def test_a_database_from_the_future_is_refused_and_left_alone(url: str, storage: Storage) -> None:
    storage._engine.database.execute_sql(
        "INSERT INTO schema_migration (name, applied) VALUES ('9999_flying_cars', '2099-01-01')"
    )
    with pytest.raises(StorageError, match=r"newer judge .*9999_flying_cars"):
        Storage.open(url)
