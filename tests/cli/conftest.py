"""Calls `judge` in this process, with a configuration and a database of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge import config
from judge.cli import main
from judge.storage import Storage

Call = Callable[..., Result]


@pytest.fixture
def call() -> Call:
    """`call("game", "list")` runs `judge game list`; `input` is standard input."""

    def call(*arguments: str, input: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(main, arguments, input=input, prog_name="judge")
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture
def home(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a fresh judge in it, to which every command goes."""
    assert call("init", str(tmp_path / "home"), "--address", "judge@example.org").exit_code == 0
    monkeypatch.setenv("JUDGE_CONFIG", str(tmp_path / "home" / "judge.toml"))
    return tmp_path / "home"


@pytest.fixture
def storage(home: Path) -> Iterator[Storage]:
    opened = Storage.open(config.load(home / "judge.toml").database.url)
    yield opened
    opened.close()
