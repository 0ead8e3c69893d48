"""Wherever the judge is killed, the game and its letters come out as if nobody had.

`python -m tests.faults` (in `make prove`) does it at every point; here a few are tried.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from judge.storage.inbound import Accepted, InboundMessages
from tests.faults import world as world_module
from tests.faults.kills import WAYS, every
from tests.faults.story import Step, story
from tests.faults.world import world

FEW = 8


def beginning() -> list[Step]:
    """From the creation to the first orders: the game starts on the way."""
    return story()[:9]


@pytest.mark.parametrize(
    "way",
    [
        pytest.param(way, marks=[pytest.mark.postgres] if way == "postgresql" else [])
        for way in WAYS
    ],
)
def test_a_judge_that_is_killed_anywhere_does_the_same_in_the_end(
    tmp_path: Path, way: str, request: pytest.FixtureRequest
) -> None:
    server = request.getfixturevalue("postgres_cluster") if way == "postgresql" else None
    found = list(every(tmp_path, way, FEW, beginning(), server))
    assert len(found) >= FEW
    assert [f"{each}: {each.differences}" for each in found if each.differences] == []
    assert sum(each.died for each in found) >= len(found) * 0.8
    assert len({each.kind for each in found}) > 1


def test_what_is_lost_would_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that says that it has a mail before it is safe is found out."""
    store, settle = InboundMessages.accept, world_module._settle
    unsafe: list[Callable[[], Accepted]] = []

    def careless(own: InboundMessages, raw: bytes, **facts: Any) -> Accepted:
        unsafe.append(partial(store, own, raw, **facts))
        return Accepted(0, duplicate=False, known=False)

    def late(*args: Any) -> None:
        while unsafe:
            unsafe.pop()()
        settle(*args)

    def never(*args: Any) -> None:
        if unsafe:
            os.kill(os.getpid(), signal.SIGKILL)
        settle(*args)

    with world(tmp_path / "world", "maildir") as made:
        # All are inherited by the judge's process, which is forked from this one.
        monkeypatch.setattr(InboundMessages, "accept", careless)
        monkeypatch.setattr(world_module, "_settle", late)
        step = story()[0]
        made.keeping.keep("before")
        calm = made.live(step, 0)
        made.keeping.back_to("before")
        # Killed between the door's 250 and the moment at which the mail is kept: the number of the
        # operation at which that is depends on how fast the machine is.
        monkeypatch.setattr(world_module, "_settle", never)
        killed = made.live(step, 0)
    assert len(calm.state["game"]) == 1
    assert killed.killed
    assert killed.state["game"] == []
