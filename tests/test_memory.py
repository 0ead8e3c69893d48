"""What is free is given back, and is everybody's."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="another C library"
)

FREED = """
from pathlib import Path
from judge.memory import give_back

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

blocks = [bytes(2_000) for _ in range(10_000)]
last = blocks[-1]
del blocks
before = resident()
give_back()
print(before - resident())
"""

OF_A_THREAD = """
from pathlib import Path
from threading import Thread
from judge.memory import share_what_is_free

share_what_is_free()
made = []
thread = Thread(target=lambda: made.append(bytes(2_000)))
thread.start()
thread.join()
(heap,) = [each for each in Path("/proc/self/maps").read_text().splitlines() if "[heap]" in each]
first, last = (int(end, 16) for end in heap.split()[0].split("-"))
print(first < id(made[0]) < last)
"""


def told(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_what_is_free_between_what_is_not_is_given_back() -> None:
    assert int(told(FREED)) > 15_000_000


def test_threads_take_memory_from_one_place() -> None:
    assert told(OF_A_THREAD) == "True"
