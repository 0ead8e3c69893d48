"""The worker beside the process that works for it: what ends that process, and what it is told."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from judge.daemon import Loop, Worker
from judge.daemon.process import Died
from judge.service import Judge
from judge.storage import Storage
from tests.clocks import ManualClock
from tests.daemon.test_loops import FakeJudge, accept, idle_loop


class Blaming(FakeJudge):
    """A judge that blames a mail twice, and notes which games have failed and who was answered."""

    def __init__(self, storage: Storage) -> None:
        super().__init__(storage, ManualClock())
        self.blamed: list[tuple[int, str]] = []
        self.failed: list[tuple[int, str]] = []
        self.told: list[bool] = []
        self.pulse = 0
        self.owes = 0

    def blame(self, mail_id: int, problem: str) -> bool:
        self.blamed.append((mail_id, problem))
        return len(self.blamed) > 1

    def hold(self, mail_id: int, problem: str, answer: bool = True) -> None:
        self.told.append(answer)
        super().hold(mail_id, problem, answer)

    def game_failed(self, game_id: int, problem: str) -> None:
        self.failed.append((game_id, problem))

    def keep_heartbeat(self, progress: object) -> Any:
        self.pulse += 1
        self.owes -= 1
        return self.owes > 0


class Apart(FakeJudge):
    """The process: it works for the judge, as far as it does not end."""

    def __init__(self, judge: FakeJudge) -> None:
        super().__init__(judge.storage, judge.clock)
        self.due_games = judge.due_games
        self.progress: Callable[[], None] | None = None
        self.renewed = 0

    def start(self) -> None:
        assert self.progress is not None

    def renew(self) -> None:
        self.renewed += 1


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Blaming]:
    opened = Storage.open(f"sqlite:{tmp_path}/judge.db")
    yield Blaming(opened)
    opened.close()


def beside(judge: Blaming, apart: FakeJudge | None = None, **more: Any) -> Worker:
    return Worker(
        judge.storage, cast(Judge, judge), judge.clock, lambda _: None,
        apart=cast("Any", apart), **more,
    )  # fmt: skip


def test_the_process_works_where_there_is_one(judge: Blaming) -> None:
    first = accept(judge, 1)
    judge.due_games.append(7)
    apart = Apart(judge)
    beside(judge, apart).step(idle_loop())
    assert (apart.log, judge.log) == ([("mail", first), ("game", 7)], [])


def test_a_mail_that_ends_its_process_twice_is_held(judge: Blaming) -> None:
    first, apart = accept(judge, 1), Apart(judge)
    apart.broken[first] = Died("killed")
    working = beside(judge, apart)
    working.step(idle_loop())
    working.step(idle_loop())
    assert judge.blamed[:2] == [(first, "killed")] * 2
    assert (apart.held, judge.held) == ([first], [])


def test_who_wrote_what_ends_the_process_of_its_answer_too_has_none(judge: Blaming) -> None:
    first, apart = accept(judge, 1), Apart(judge)
    apart.broken[first] = Died("killed")
    apart.hold = lambda *_: (_ for _ in ()).throw(Died("killed, too"))  # type: ignore[method-assign]
    working = beside(judge, apart)
    working.step(idle_loop())
    working.step(idle_loop())
    assert (judge.held, judge.told) == ([first], [False])


def test_a_process_that_is_ended_as_the_judge_stops_blames_nothing(judge: Blaming) -> None:
    first, apart, loop = accept(judge, 1), Apart(judge), idle_loop()

    def ended(mail_id: int) -> bool:
        loop.stop()
        raise Died("terminated")

    apart.process_message = ended  # type: ignore[method-assign]
    beside(judge, apart).step(loop)
    assert judge.blamed == []
    assert judge.storage.inbound.waiting(first) is not None


@pytest.mark.parametrize(("error", "told"), [(Died("killed"), True), (ValueError("bug"), False)])
def test_a_game_that_ends_its_process_is_told_to_the_keeper(
    judge: Blaming, error: Exception, told: bool, caplog: pytest.LogCaptureFixture
) -> None:
    judge.due_games.append(7)
    apart = Apart(judge)
    apart.broken[7] = error
    with caplog.at_level(logging.CRITICAL):
        beside(judge, apart).step(idle_loop())
    assert judge.failed == ([(7, "killed")] if told else [])


def test_time_that_is_given_back_is_noted_first_and_its_letters_are_sent(judge: Blaming) -> None:
    noted: list[str] = []
    loop = Loop("test", lambda _: 0.0)
    judge.owes = 4
    found = beside(judge, wrote=lambda: noted.append("wrote"))
    found.poll = lambda: 3.5
    assert found.step(loop) == 3.5
    # Once before all else, and once after each step of what is owed, the last of which is none.
    assert (judge.pulse, noted) == (4, ["wrote"] * 2)
