"""What a run of the tests leaves out is said at its end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
UNIT = "tests/ops/test_unit.py"


def run(*options: str, file: str = UNIT, **environment: str) -> str:
    """What a run of the tests in a file prints."""
    surroundings = {**os.environ, **environment}
    for each in ("CI", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER", "JUDGE_SHUFFLE"):
        surroundings.pop(each, None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, file]
    ran = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True)
    return ran.stdout


@pytest.mark.parametrize("options", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_what_needs_a_missing_program_is_counted(options: tuple[str, ...], tmp_path: Path) -> None:
    said = run(*options, PATH=str(tmp_path))
    assert "5 tests were NOT run" in said
    assert "They need systemd" in said


def test_what_there_was_no_time_for_is_counted() -> None:
    said = run(JUDGE_UNTIL="1")
    assert "tests were NOT run" in said
    assert "passed" not in said


def test_what_takes_longer_than_there_is_time_is_stopped_and_counted(tmp_path: Path) -> None:
    slow = tmp_path / "test_slow.py"
    slow.write_text(
        "import os, time\n"
        "def test_first():\n"
        "    pass\n"
        "def test_second():\n"
        "    time.sleep(9)\n"
        "os.environ['JUDGE_UNTIL'] = str(time.time() + 0.5)\n"
    )
    settings = ("-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest", "-o", "addopts=")
    said = run(*settings, file=str(slow), JUDGE_UNTIL=str(time.time() + 60))
    assert "tests were NOT run" in said
    assert "2 passed" not in said


def test_what_mounts_is_counted_where_nothing_can_be_mounted(tmp_path: Path) -> None:
    said = run("--collect-only", file="tests/ops/test_backup.py", PATH=str(tmp_path))
    assert "They need mount" in said
