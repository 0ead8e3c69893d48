"""What threads that share a storage leave to each other, and leave behind."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import pytest

from judge.storage import Storage
from tests.storage.test_contract import NOW, in_threads, letter, queue


def test_a_thread_that_ended_leaves_no_connection_behind(storage: Storage) -> None:
    for _ in range(30):
        in_threads(lambda: storage.games.all(), 2)
    assert len(storage._engine.database._open) <= 3


def test_a_letter_sent_between_look_and_lock_is_not_sent_again(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    (only,) = queue(storage, letter(1))
    engine = storage._engine
    claimed, go = threading.Event(), threading.Event()

    def send() -> None:
        with storage.outbound.claimed(NOW):
            claimed.set()
            go.wait(30)
            storage.outbound.sent(only.id, NOW)

    with ThreadPoolExecutor(1) as other:
        sending = other.submit(send)
        claimed.wait(30)
        reserved = engine.reserved

        def late(ids: Sequence[int]) -> AbstractContextManager[list[int]]:
            go.set()
            sending.result()
            return reserved(ids)

        monkeypatch.setattr(engine, "reserved", late)
        with storage.outbound.claimed(NOW) as due:
            assert due == []
