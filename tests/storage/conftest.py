"""Each test of the contract runs on both engines, on a database of its own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from judge.storage import Storage
from tests.storage.laid import lay
from tests.storage.postgres import Cluster

_numbers = itertools.count()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """Makes empty databases and says where they are; their schema is up to date, or, when called
    with `bare`, there is none. Who changes a schema takes a bare one."""

    def sqlite(*, bare: bool = False) -> str:
        file = tmp_path / f"judge{next(_numbers)}.db"
        if not bare:
            lay(file)
        return f"sqlite:{file}"

    def postgresql(*, bare: bool = False) -> str:
        if bare:
            return server.create(f"judge{next(_numbers)}")
        return used.enter_context(server.laid())

    if request.param == "sqlite":
        yield sqlite
        return
    server: Cluster = request.getfixturevalue("postgres_cluster")
    with ExitStack() as used:
        yield postgresql


@pytest.fixture
def url(new_url: Callable[..., str]) -> str:
    """Where an empty database is."""
    return new_url()


@pytest.fixture
def storage(url: str) -> Iterator[Storage]:
    opened = Storage.open(url)
    yield opened
    opened.close()
