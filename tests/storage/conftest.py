"""Each test of the contract runs on both engines, on a database of its own."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.storage import Storage
from tests.storage.postgres import Cluster, cluster

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgres_cluster() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Makes empty databases and says where they are."""
    if request.param == "sqlite":
        return lambda: f"sqlite:{tmp_path}/judge{next(_numbers)}.db"
    made: Cluster = request.getfixturevalue("postgres_cluster")
    return lambda: made.create(f"judge{next(_numbers)}")


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    """Where an empty database is."""
    return new_url()


@pytest.fixture
def storage(url: str) -> Iterator[Storage]:
    opened = Storage.open(url)
    yield opened
    opened.close()
