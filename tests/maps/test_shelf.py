"""What processes that draw keep for each other."""

from __future__ import annotations

import multiprocessing
import time
from pathlib import Path

import pytest

from judge.maps.shelf import FOLDER, shelved


def _make(folder: Path) -> bytes:
    """Return what is made, slowly, and note that it was."""
    with (folder / "made").open("a") as notes:
        notes.write("x")
    time.sleep(0.5)
    return b"ground"


def _ask(folder: Path) -> None:
    assert shelved("board", (1.0,), lambda: _make(folder)) == b"ground"


def test_two_processes_that_need_the_same_at_once_make_it_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "shelf"
    folder.mkdir()
    monkeypatch.setenv(FOLDER, str(folder))
    fork = multiprocessing.get_context("fork")
    asking = [fork.Process(target=_ask, args=(tmp_path,)) for _ in range(2)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    assert [each.exitcode for each in asking] == [0, 0]
    assert (tmp_path / "made").read_text() == "x"


def test_where_nothing_can_be_kept_it_is_made_each_time(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "nowhere"))
    for _ in range(2):
        _ask(tmp_path)
    assert (tmp_path / "made").read_text() == "xx"
